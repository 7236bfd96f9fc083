"""The Elo page of a class: its ratings, where its points come from, and what teachers gave."""

from __future__ import annotations

import datetime
import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from django.db.models import Count, QuerySet, Sum

from classes.core.years import term_start
from classes.models import Classroom, Enrollment, Student, User
from classes.selectors import labels_in
from ratings.core.economy import (
    Award,
    Concern,
    Finding,
    Limits,
    Source,
    Tally,
    days_since,
    findings,
    is_due,
    limits,
    tally,
)
from ratings.core.elo import round_half_away
from ratings.core.histogram import Histogram, histogram
from ratings.core.weeks import Week, WeekCharts, week_charts, weeks
from ratings.models import Adjustment, EconomyCheck, LedgerEntry, Rating, RatingList
from ratings.selectors.audit import Balance
from ratings.selectors.ledger import rules_of, starts_of

TOLD = 3  # students named in a finding; the rest is counted
SHOWN = 10  # students with points that are shown at once
TRIES = 3


# --- rows for the page ---


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """A balance, and whether it comes out. `missing`: points that the ratings have too many (negative: too few)."""

    balance: Balance
    adds_up: bool
    missing: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The ratings of the active students, rounded where they are no whole numbers."""

    average: int
    median: int
    lowest: int
    highest: int
    histogram: Histogram


@dataclass(frozen=True, slots=True)
class AwardRow:
    """What a student was given in a term, in so many adjustments."""

    student_id: int
    label: str
    points: int
    times: int


@dataclass(frozen=True, slots=True)
class KindRow:
    """One kind: the points of each teacher, in the order of the page's teachers, and of all."""

    kind: str
    label: str
    points: list[int]
    total: int


@dataclass(frozen=True, slots=True)
class TeacherColumn:
    teacher_id: int
    name: str
    total: int


@dataclass(frozen=True, slots=True)
class AwardsOfTerm:
    """What the active students were given since the term began, whoever gave it. `without`: students with nothing.

    `top_ups`: points that lifted somebody to the floor meanwhile; nobody's award.
    """

    since: datetime.date
    tally: Tally
    first: list[AwardRow]
    more: list[AwardRow]
    without: int
    teachers: list[TeacherColumn]
    kinds: list[KindRow]
    top_ups: int


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding with names instead of ids. `sources`: (source, points per student); `others`: students not named.

    `amount` is never negative: `below` says that an average fell.
    """

    concern: str
    amount: float
    below: bool
    limit: int
    wins: int
    name: str
    students: list[AwardRow]
    others: int
    sources: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Movement:
    """The class week by week. `rows` has the newest week first."""

    charts: WeekCharts
    rows: list[Week]


@dataclass(frozen=True, slots=True)
class LastCheck:
    """When somebody looked at the page and said so. `days` ago; `due`: it is time for the next look."""

    check: EconomyCheck | None
    days: int | None
    due: bool


@dataclass(frozen=True, slots=True)
class EconomyPage:
    """Everything on the page. `spread` is None without active students, `movement` before anything happened."""

    rating_list: RatingList
    active: int
    spread: Spread | None
    movement: Movement | None
    classroom: BalanceRow
    whole: BalanceRow
    awards: AwardsOfTerm
    limits: Limits
    findings: list[FindingRow]
    last_check: LastCheck

    @property
    def adds_up(self) -> bool:
        return self.classroom.adds_up and self.whole.adds_up


# --- what is read ---


class _Day(NamedTuple):
    """What the entries of one day did to the active students together."""

    day: datetime.date
    change: int
    top_up: int


# Student, game (None: an adjustment), change, top-up, K. Plain tuples without days: there are tens of thousands.
_Entry: TypeAlias = tuple[int, int | None, int, int, int | None]


@dataclass(frozen=True, slots=True)
class _Books:
    """A list as it stood at one moment."""

    entries: list[_Entry]
    days: list[_Day]
    numbers: dict[int, int]  # student -> rating, for those who have one
    starts: dict[int, int]
    students: set[int]  # of the school
    awarded: list[tuple[datetime.date, str, int]]  # to the active students, by day and kind

    def start_of(self, student: int, rating_list: RatingList) -> int:
        return self.starts.get(student, rating_list.start_rating)

    def rating_of(self, student: int, rating_list: RatingList) -> int:
        return self.numbers.get(student, self.start_of(student, rating_list))


def economy_page(classroom: Classroom, rating_list: RatingList, *, today: datetime.date) -> EconomyPage:
    """The Elo page of a class in a list. A fixed number of queries; 40,000 entries are read in a tenth of a second."""
    enrolled = dict(Enrollment.objects.filter(classroom=classroom).values_list("student_id", "active"))
    active = frozenset(student for student, is_active in enrolled.items() if is_active)
    books = _read_undisturbed(classroom, rating_list)
    everybody = frozenset({*books.students, *books.numbers})
    whole, of_class, of_active = _balances(books, [everybody, frozenset(enrolled), active], rating_list)
    ratings = [books.rating_of(student, rating_list) for student in active]
    since = term_start(today, classroom.school.term_starts)
    tallied, names = _tally_of_term(classroom, rating_list, since=since, students=len(active))
    labels = labels_in(classroom)
    limit = limits(rules_of(rating_list).on(today), round_half_away(_mean(ratings)) or rating_list.start_rating)
    teachers = classroom.teachers.count()
    check = EconomyCheck.objects.filter(classroom=classroom).select_related("by").order_by("-checked_on").first()
    return EconomyPage(
        rating_list=rating_list,
        active=len(active),
        spread=_spread(ratings),
        movement=_movement(books, of_active, today=today),
        classroom=_row(of_class),
        whole=_row(whole),
        awards=_awards(tallied, names, labels, since=since, days=books.days),
        limits=limit,
        findings=[
            _finding_row(finding, labels, names)
            for finding in findings(
                tallied,
                limit,
                teachers=teachers,
                average=_mean(ratings),
                start=_mean([books.start_of(student, rating_list) for student in active]),
                sources=_sources(of_active, books),
            )
        ],
        last_check=_last_check(check, today, nothing_yet=not books.entries, archived=classroom.is_archived),
    )


def _read_undisturbed(classroom: Classroom, rating_list: RatingList) -> _Books:
    """The books at one moment: read again where somebody wrote meanwhile, so that no sum is off without a fault."""
    version = rating_list.version
    for _attempt in range(TRIES):
        books = _read(classroom, rating_list)
        before, version = version, RatingList.objects.values_list("version", flat=True).get(pk=rating_list.pk)
        if before == version:
            break
    return books


def _read(classroom: Classroom, rating_list: RatingList) -> _Books:
    entries = LedgerEntry.objects.filter(rating_list=rating_list).order_by()
    students = Student.objects.filter(school=rating_list.school_id, merged_into=None).order_by()
    days = entries.filter(student__in=_active(classroom)).values_list("day").annotate(Sum("change"), Sum("top_up"))
    given = _adjustments_of(classroom, rating_list).order_by().values_list("day", "kind").annotate(Sum("points"))
    return _Books(
        entries=list(entries.values_list("student_id", "game_id", "change", "top_up", "k")),
        days=[_Day(*row) for row in days],
        numbers=dict(Rating.objects.filter(rating_list=rating_list).values_list("student_id", "rating")),
        starts=starts_of(rating_list),
        students=set(students.values_list("pk", flat=True)),
        awarded=list(given),
    )


def _adjustments_of(classroom: Classroom, rating_list: RatingList) -> QuerySet[Adjustment]:
    """What the active students of a class were given in a list, in whichever class, and still have."""
    return Adjustment.objects.filter(rating_list=rating_list, voided_at=None, student__in=_active(classroom))


def _active(classroom: Classroom) -> QuerySet[Enrollment, Any]:
    """The ids of the active students, for the database to choose by."""
    return Enrollment.objects.filter(classroom=classroom, active=True).values("student")


# --- sums ---


def _balances(books: _Books, groups: Sequence[frozenset[int]], rating_list: RatingList) -> list[Balance]:
    """The balance of several groups of students in one walk over the entries.

    The same sums as `audit.sums`, which reads more, for every class of the school.
    """
    adjustments: Counter[int] = Counter()
    top_ups: Counter[int] = Counter()
    k_differences, outside = [0] * len(groups), [0] * len(groups)
    numbered = list(enumerate(groups))
    waiting: dict[int, _Entry] = {}  # game -> the side that was seen first
    for entry in books.entries:
        student, game, change, top_up, k = entry
        if top_up:
            top_ups[student] += top_up
        if game is None:
            adjustments[student] += change
            continue
        other = waiting.pop(game, None)
        if other is None:
            waiting[game] = entry
            continue
        opponent, _game, opposite_change, _top_up, opposite_k = other
        for index, group in numbered:
            if student in group:
                if opponent not in group:
                    outside[index] += change
                elif k != opposite_k:
                    k_differences[index] += change + opposite_change
                # Any other game adds nothing: what White wins Black loses. Where that is not so, the sum is off.
            elif opponent in group:
                outside[index] += opposite_change
    return [
        Balance(
            students=len(group),
            ratings=sum(books.rating_of(student, rating_list) for student in group),
            starts=sum(books.start_of(student, rating_list) for student in group),
            adjustments=sum(adjustments[student] for student in group),
            top_ups=sum(top_ups[student] for student in group),
            k_differences=k_differences[index],
            outside=outside[index],
        )
        for index, group in numbered
    ]


def _row(balance: Balance) -> BalanceRow:
    missing = balance.ratings - balance.expected
    return BalanceRow(balance, adds_up=missing == 0, missing=missing)


def _sources(balance: Balance, books: _Books) -> dict[Source, int]:
    """Where the points of the active students come from. What is no award is a new season's."""
    season = sum(points for _day, kind, points in books.awarded if kind == Adjustment.Kind.SEASON)
    return {
        Source.AWARDS: balance.adjustments - season,
        Source.SEASON: season,
        Source.TOP_UPS: balance.top_ups,
        Source.K_DIFFERENCES: balance.k_differences,
        Source.OUTSIDE: balance.outside,
    }


# --- the parts of the page ---


def _mean(values: Sequence[int]) -> Fraction:
    """The exact average; 0 without any."""
    return Fraction(sum(values), len(values)) if values else Fraction(0)


def _spread(ratings: Sequence[int]) -> Spread | None:
    average = _mean(ratings)
    bars = histogram(ratings, average=float(average))
    if bars is None:
        return None
    return Spread(
        average=round_half_away(average),
        median=round_half_away(Fraction(statistics.median(ratings))),
        lowest=min(ratings),
        highest=max(ratings),
        histogram=bars,
    )


def _movement(books: _Books, balance: Balance, *, today: datetime.date) -> Movement | None:
    moves = {day.day: day.change + day.top_up for day in books.days}
    awards: Counter[datetime.date] = Counter()
    for day, kind, points in books.awarded:
        if kind != Adjustment.Kind.SEASON:
            awards[day] += points
    found = weeks(moves, awards, total=balance.ratings, students=balance.students, today=today)
    charts = week_charts(found)
    return Movement(charts, found[::-1]) if charts else None


def _tally_of_term(
    classroom: Classroom, rating_list: RatingList, *, since: datetime.date, students: int
) -> tuple[Tally, dict[int, str]]:
    """A term's awards added up, and the names of those who gave them."""
    rows = (
        _adjustments_of(classroom, rating_list)
        .filter(day__gte=since)
        .exclude(kind=Adjustment.Kind.SEASON)
        .order_by()
        .values_list("student", "given_by", "kind", "given_by__name", "given_by__username")
        .annotate(Sum("points"), Count("pk"))
    )
    awards, names = [], {}
    for student, teacher, kind, name, username, points, times in rows:
        awards.append(Award(student, teacher, kind, points, times))
        names[teacher] = User(name=name, username=username).get_full_name()
    return tally(awards, students=students), names


def _awards(
    tallied: Tally, names: Mapping[int, str], labels: Mapping[int, str], *, since: datetime.date, days: list[_Day]
) -> AwardsOfTerm:
    rows = [
        AwardRow(student, labels[student], points, tallied.times_of_student[student])
        for student, points in tallied.by_student.items()
    ]
    rows.sort(key=lambda row: (-row.points, row.label.casefold(), row.student_id))
    teachers = [TeacherColumn(teacher, names[teacher], points) for teacher, points in tallied.by_teacher.items()]
    teachers.sort(key=lambda teacher: (-teacher.total, teacher.name.casefold(), teacher.teacher_id))
    kinds = [
        KindRow(
            kind=kind.value,
            label=str(kind.label),
            points=[tallied.by_teacher_and_kind.get((teacher.teacher_id, kind.value), 0) for teacher in teachers],
            total=tallied.by_kind[kind.value],
        )
        for kind in Adjustment.Kind
        if kind.value in tallied.by_kind
    ]
    return AwardsOfTerm(
        since=since,
        tally=tallied,
        first=rows[:SHOWN],
        more=rows[SHOWN:],
        without=tallied.students - len(rows),
        teachers=teachers,
        kinds=kinds,
        top_ups=sum(day.top_up for day in days if day.day >= since),
    )


def _finding_row(finding: Finding, labels: Mapping[int, str], names: Mapping[int, str]) -> FindingRow:
    name = ""
    if finding.concern == Concern.KIND:
        name = str(Adjustment.Kind(finding.kind).label)
    elif finding.concern == Concern.TEACHER:
        name = names[finding.teacher]
    return FindingRow(
        concern=finding.concern.value,
        amount=abs(finding.amount),
        below=finding.amount < 0,
        limit=finding.limit,
        wins=finding.wins,
        name=name,
        students=[AwardRow(pk, labels[pk], points, 0) for pk, points in finding.students[:TOLD]],
        others=max(0, len(finding.students) - TOLD),
        sources=[(source.value, points) for source, points in finding.sources],
    )


def _last_check(check: EconomyCheck | None, today: datetime.date, *, nothing_yet: bool, archived: bool) -> LastCheck:
    """Nobody is reminded of a class in which nothing can be done any more, or nothing happened yet."""
    checked_on = check.checked_on if check else None
    return LastCheck(
        check=check,
        days=days_since(checked_on, today),
        due=is_due(checked_on, today) and not archived and not nothing_yet,
    )
