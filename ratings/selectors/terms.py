"""What students of a class did in a period, for reports: rating, games, performance, awards."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

from django.db.models import Q

from ratings.core.charts import Curve, curve
from ratings.core.elo import DRAW, LOSS, WIN
from ratings.core.performance import Performance, performance
from ratings.models import Adjustment, LedgerEntry, RatingList
from ratings.selectors.ledger import starts_of


@dataclass(frozen=True, slots=True)
class Term:
    """A student's period.

    `start`: the rating before its first day. `end`: after its last. `gained`: by games alone, without awards and
    top-ups. `curve`: None where nothing happened, `performance`: None without a game.
    """

    start: int
    end: int
    gained: int
    wins: int
    draws: int
    losses: int
    curve: Curve | None
    performance: Performance | None

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(slots=True)
class _Tally:
    """What is found of a student while the entries are read, oldest first."""

    rating: int
    start: int | None = None
    gained: int = 0
    steps: list[tuple[datetime.date, int]] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)  # in halves, game by game
    opponents: list[int] = field(default_factory=list)  # their ratings before each


def terms_of(
    students: Collection[int], rating_list: RatingList, first: datetime.date, last: datetime.date
) -> dict[int, Term]:
    """The periods of students by id. Three queries."""
    starts = starts_of(rating_list, students)
    tallies = {student: _Tally(starts.get(student, rating_list.start_rating)) for student in students}
    entries = (
        LedgerEntry.objects.filter(rating_list=rating_list, student__in=students, day__lte=last)
        .order_by("position")
        .values_list("student_id", "day", "score_halves", "change", "after")
    )
    for student, day, score_halves, change, after in entries:
        tally = tallies[student]
        if day >= first:
            tally.start = tally.rating if tally.start is None else tally.start
            tally.steps.append((day, after))
            if score_halves is not None:  # a game
                tally.gained += change
                tally.scores.append(score_halves)
        tally.rating = after
    for student, before in _opponents(students, rating_list, first, last):
        tallies[student].opponents.append(before)
    return {student: _term(tally) for student, tally in tallies.items()}


def _opponents(
    students: Collection[int], rating_list: RatingList, first: datetime.date, last: datetime.date
) -> list[tuple[int, int]]:
    """Of every game of the students in the period: the student, and the opponent's rating before it."""
    entries = LedgerEntry.objects.filter(
        Q(game__white__in=students) | Q(game__black__in=students), rating_list=rating_list, day__range=(first, last)
    ).values_list("game_id", "student_id", "before")
    games: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for game, student, before in entries:
        games[game].append((student, before))
    return [
        (student, before)
        for (white, white_before), (black, black_before) in games.values()
        for student, before in ((white, black_before), (black, white_before))
        if student in students
    ]


def _term(tally: _Tally) -> Term:
    start = tally.rating if tally.start is None else tally.start
    return Term(
        start=start,
        end=tally.rating,
        gained=tally.gained,
        wins=tally.scores.count(WIN),
        draws=tally.scores.count(DRAW),
        losses=tally.scores.count(LOSS),
        curve=curve(tally.steps, start=start),
        performance=performance(tally.opponents, sum(tally.scores)),
    )


def awards_in(
    students: Collection[int],
    rating_list: RatingList,
    first: datetime.date,
    last: datetime.date,
    kinds: Collection[str],
) -> dict[int, list[Adjustment]]:
    """What students were given in a period, of some kinds, oldest first; one query. For whom the caller may see."""
    found: dict[int, list[Adjustment]] = defaultdict(list)
    awards = Adjustment.objects.filter(
        rating_list=rating_list, student__in=students, voided_at=None, day__range=(first, last), kind__in=kinds
    )
    for award in awards.order_by("day", "sequence"):
        found[award.student_id].append(award)
    return found
