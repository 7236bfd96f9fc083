"""Who may see and change games. Built on classes/access.py: rights follow the class."""

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404

from classes.access import Someone, classrooms_of_teacher, membership_of
from classes.models import Membership
from ratings.models import Game


def games_to_change(membership: Membership) -> QuerySet[Game]:
    """Games of the teacher's open classes; a lead also those without a class."""
    games = Game.objects.filter(rating_list__school=membership.school)
    theirs = Q(classroom__in=classrooms_of_teacher(membership).filter(archived_at=None))
    if membership.is_lead:
        theirs |= Q(classroom=None)
    return games.filter(theirs)


def game_to_change(user: Someone, pk: int) -> Game:
    games = games_to_change(membership_of(user)).select_related("classroom", "rating_list", "white", "black")
    return get_object_or_404(games, pk=pk)
