"""When the points that teachers give are worth a second look, and by which measure.

Games only move points between players; awards (adjustments other than a new season's) make new ones. Every threshold
is measured in games, because that is what a rating is made of.
"""

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeVar

from ratings.core.elo import WIN, rating_change, round_half_away
from ratings.core.rules import Rule

Key = TypeVar("Key")

FAVOURITE_LEAD = 200
"""Rating points by which a strong player stands above the opponent: wins three of four games."""

FAVOURITE_WINS = 4
"""Games: more points per student and term than a strong player wins in so many games are too many."""

ESTABLISHED_GAMES = 30
"""Games after which a player has the list's usual K, in every kind of rule."""

WATCH = 16
"""Points per active student and term from which on the page warns, with K = 32: as much as one win between equals."""

TOO_MUCH = 32
"""Points per active student and term beyond which they are too many, with K = 32: four wins of a favourite, 8 each."""

STUDENT_LIMIT = 25
"""Points a term for one student; more is told. The form asks twice before it gives as many at once."""

LARGE_SHARE = 75
"""Percent of a term's points: from so many on one kind, or one of several teachers, is told."""

FEW = 8
"""Points per active student and term, with K = 32: below half of WATCH shares of kinds and teachers are left alone."""

DRIFT = 50
"""Points: a class average further than this from its average start is explained."""

REMIND_AFTER = datetime.timedelta(days=7)
"""How long a look at the page lasts; then it reminds."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The thresholds in points per active student and term, for the K of one list."""

    few: int = FEW
    watch: int = WATCH
    too_much: int = TOO_MUCH

    @property
    def favourite_win(self) -> int:
        """Points that a strong player gains by a win."""
        return self.too_much // FAVOURITE_WINS


def limits(rule: Rule, rating: int) -> Limits:
    """The thresholds where players of about this rating play by this rule. K = 32 gives FEW, WATCH and TOO_MUCH."""
    k = rule.k_factor(rating=rating, peak=rating, games=ESTABLISHED_GAMES)
    win_between_equals = rating_change(k, WIN, rule.expected_score(rating, rating))
    favourite_win = rating_change(k, WIN, rule.expected_score(rating + FAVOURITE_LEAD, rating))
    return Limits(
        few=round_half_away(Fraction(win_between_equals, 2)),
        watch=win_between_equals,
        too_much=FAVOURITE_WINS * max(favourite_win, 1),
    )


# --- awards ---


@dataclass(frozen=True, slots=True)
class Award:
    """Points of one kind that one teacher gave one student, added up. `times`: in so many adjustments."""

    student: int
    teacher: int
    kind: str
    points: int
    times: int = 1


@dataclass(frozen=True, slots=True)
class Tally:
    """A term's awards added up every way that the page shows. `students`: how many active students share them."""

    students: int
    points: int
    times: int
    by_student: dict[int, int]
    times_of_student: dict[int, int]
    by_teacher: dict[int, int]
    by_kind: dict[str, int]
    by_teacher_and_kind: dict[tuple[int, str], int]

    @property
    def per_student(self) -> float:
        """Points per active student, in tenths; 0 where there are no students."""
        return _tenths(self.points, self.students)


def tally(awards: Iterable[Award], *, students: int) -> Tally:
    points = times = 0
    by_student: Counter[int] = Counter()
    times_of_student: Counter[int] = Counter()
    by_teacher: Counter[int] = Counter()
    by_kind: Counter[str] = Counter()
    by_teacher_and_kind: Counter[tuple[int, str]] = Counter()
    for award in awards:
        points += award.points
        times += award.times
        by_student[award.student] += award.points
        times_of_student[award.student] += award.times
        by_teacher[award.teacher] += award.points
        by_kind[award.kind] += award.points
        by_teacher_and_kind[award.teacher, award.kind] += award.points
    return Tally(
        students=students,
        points=points,
        times=times,
        by_student=dict(by_student),
        times_of_student=dict(times_of_student),
        by_teacher=dict(by_teacher),
        by_kind=dict(by_kind),
        by_teacher_and_kind=dict(by_teacher_and_kind),
    )


def _tenths(points: int, students: int) -> float:
    return round_half_away(Fraction(10 * points, students)) / 10 if students else 0.0


# --- findings ---


class Concern(StrEnum):
    """What a finding is about."""

    TOO_MUCH = "too_much"
    WATCH = "watch"
    TAKEN = "taken"
    STUDENTS = "students"
    KIND = "kind"
    TEACHER = "teacher"
    DRIFT = "drift"


class Source(StrEnum):
    """Where the points of a class come from, besides its own games."""

    AWARDS = "awards"
    SEASON = "season"
    TOP_UPS = "top_ups"
    K_DIFFERENCES = "k_differences"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that the teacher should know. What the numbers mean depends on the concern:

    TOO_MUCH, WATCH, TAKEN: `amount` points per student, `limit` points. STUDENTS: `students` with their points, most
    first; `limit` points, more than a strong player gains by `wins`. KIND: `kind` with `amount` percent. TEACHER:
    `teacher` with `amount` percent. DRIFT: the average is `amount` points above (below: negative) its start;
    `sources`: points per student, largest first.
    """

    concern: Concern
    amount: float = 0
    limit: int = 0
    wins: int = 0
    students: tuple[tuple[int, int], ...] = ()
    kind: str = ""
    teacher: int = 0
    sources: tuple[tuple[Source, int], ...] = ()


def findings(
    awarded: Tally,
    limit: Limits,
    *,
    teachers: int,
    average: Fraction,
    start: Fraction,
    sources: Mapping[Source, int],
) -> list[Finding]:
    """What is worth a word about a class, the weightiest first; empty for a calm class.

    `teachers`: how many teach the class. `average`, `start`: of the active students' ratings and starts.
    `sources`: the points that came to the active students from each source, ever.
    """
    found = [
        _of_amount(awarded, limit),
        _of_students(awarded, limit),
        *(_of_shares(awarded, teachers) if awarded.per_student >= limit.few else ()),
        _of_drift(average, start, sources, awarded.students),
    ]
    return [finding for finding in found if finding is not None]


def _of_amount(awarded: Tally, limit: Limits) -> Finding | None:
    per_student = awarded.per_student
    if per_student > limit.too_much:
        return Finding(Concern.TOO_MUCH, amount=per_student, limit=limit.too_much)
    if per_student >= limit.watch:
        return Finding(Concern.WATCH, amount=per_student, limit=limit.watch)
    if per_student <= -limit.watch:
        return Finding(Concern.TAKEN, amount=-per_student, limit=limit.watch)
    return None


def _of_students(awarded: Tally, limit: Limits) -> Finding | None:
    most = [(student, points) for student, points in awarded.by_student.items() if points > STUDENT_LIMIT]
    if not most:
        return None
    most.sort(key=lambda pair: (-pair[1], pair[0]))
    wins = STUDENT_LIMIT // limit.favourite_win
    return Finding(Concern.STUDENTS, limit=STUDENT_LIMIT, wins=wins, students=tuple(most))


def _of_shares(awarded: Tally, teachers: int) -> Iterable[Finding]:
    """One kind, or one of several teachers, with most of the points. Some points were given here."""
    kind, share = _largest(awarded.by_kind)
    if share >= LARGE_SHARE:
        yield Finding(Concern.KIND, kind=kind, amount=share)
    teacher, share = _largest(awarded.by_teacher)
    if share >= LARGE_SHARE and max(teachers, len(awarded.by_teacher)) > 1:
        yield Finding(Concern.TEACHER, teacher=teacher, amount=share)


def _largest(points: Mapping[Key, int]) -> tuple[Key, int]:
    """Who gave most, and how many percent of all that was given. What others took away on the whole is left out."""
    most = max(points, key=lambda key: points[key])
    return most, round_half_away(Fraction(100 * points[most], sum(max(0, one) for one in points.values())))


def _of_drift(average: Fraction, start: Fraction, sources: Mapping[Source, int], students: int) -> Finding | None:
    if abs(average - start) <= DRIFT:
        return None
    shares = [(source, round_half_away(Fraction(points, students))) for source, points in sources.items()]
    told = sorted((pair for pair in shares if pair[1]), key=lambda pair: -abs(pair[1]))
    return Finding(Concern.DRIFT, amount=round_half_away(average - start), sources=tuple(told))


# --- the weekly look ---


def days_since(checked_on: datetime.date | None, today: datetime.date) -> int | None:
    """Days since somebody looked; None for never."""
    return None if checked_on is None else (today - checked_on).days


def is_due(checked_on: datetime.date | None, today: datetime.date) -> bool:
    """Whether the page should remind: never looked at, or a week ago and longer."""
    return checked_on is None or today - checked_on >= REMIND_AFTER
