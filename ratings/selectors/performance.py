"""How well somebody played in a period."""

from __future__ import annotations

import datetime

from django.db.models import Q

from classes.models import Student
from ratings.core.elo import WIN
from ratings.core.performance import Performance, performance
from ratings.models import LedgerEntry, RatingList


def performance_of(
    student: Student, rating_list: RatingList, first: datetime.date, last: datetime.date
) -> Performance | None:
    """The performance in a student's games of a period, by the opponents' ratings before each; None without a game."""
    opponents = (
        LedgerEntry.objects.filter(Q(game__white=student) | Q(game__black=student), rating_list=rating_list)
        .filter(day__range=(first, last))
        .exclude(student=student)
        .values_list("before", "score_halves")
    )
    games = [(before, WIN - (theirs or 0)) for before, theirs in opponents]
    return performance([before for before, _own in games], sum(own for _before, own in games))
