"""What every writing service of tournaments begins with: the rating list locked first, then the tournament."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from ratings import services as ratings_services
from ratings.models import RatingList
from tournaments.models import Pairing, Round, Tournament


def lock(tournament: Tournament) -> tuple[RatingList, Tournament]:
    """The rating list and the tournament, locked in this order and read after the lock."""
    rating_list = ratings_services.lock(tournament.rating_list)
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    locked.rating_list = rating_list  # saves the query, and its version is the locked one
    return rating_list, locked


def lock_open(tournament: Tournament) -> tuple[RatingList, Tournament]:
    """As `lock`; ValidationError for a tournament that is over."""
    rating_list, locked = lock(tournament)
    if locked.cancelled_at is not None:
        raise ValidationError(_("This tournament was cancelled."))
    if locked.finished_at is not None:
        raise ValidationError(_("This tournament is finished. Reopen it to change something."))
    return rating_list, locked


def last_round(tournament: Tournament) -> Round | None:
    return Round.objects.filter(tournament=tournament).order_by("number").last()


def open_boards(tournament: Tournament) -> int:
    """How many boards have no result yet."""
    return Pairing.objects.filter(round__tournament=tournament, result=Pairing.Result.OPEN).count()
