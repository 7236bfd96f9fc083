"""One student's chess: numbers, curve, history, opponents."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from classes.core.names import full_labels, short_labels
from classes.models import School, Student
from classes.selectors import names_of
from ratings.core import glicko
from ratings.core.bands import school_band
from ratings.core.charts import Curve, curve
from ratings.core.elo import DRAW, LOSS, WIN
from ratings.core.ledger import State
from ratings.models import Game, LedgerEntry, PieceName, RatingList
from ratings.selectors.ledger import current_states, starts_of

LETTERS = {WIN: "w", DRAW: "d"}  # everything else is a loss
OUTCOMES = {"won": WIN, "drawn": DRAW, "lost": LOSS}
FORM = 10  # games shown as letters


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """What one game or adjustment did to the student. `opponent` is empty for an adjustment."""

    entry: LedgerEntry
    day: datetime.date
    opponent: str
    opponent_before: int | None
    opponent_moved: int | None
    is_white: bool
    outcome: str  # w, d, l, or empty for an adjustment

    @property
    def gap(self) -> int | None:
        """How much higher the opponent was rated."""
        return None if self.opponent_before is None else self.opponent_before - self.entry.before


@dataclass(frozen=True, slots=True)
class CurvePoint:
    day: datetime.date
    rating: int


@dataclass(frozen=True, slots=True)
class HeadToHeadRow:
    opponent_id: int
    label: str
    games: int
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class StudentPage:
    """All numbers of a student in one list. `interval`: how sure the rating is today; None before the first game.

    `band`: the name of the rating's band where the list shows it.
    """

    state: State
    band: str
    interval: tuple[int, int] | None
    start: int
    curve: Curve | None
    points: list[CurvePoint]
    form: list[str]
    history: list[HistoryRow]
    head_to_head: list[HeadToHeadRow]


def labels_around(student: Student, *, style: str) -> dict[int, str]:
    """Names of a student's classmates and opponents, told apart, in the given style of School.NameStyle."""
    pairs = (
        Game.objects.filter(white=student).values_list("black_id"),
        Game.objects.filter(black=student).values_list("white_id"),
    )
    opponents = {pk for rows in pairs for (pk,) in rows}
    classmates = Student.objects.filter(enrollments__classroom__enrollments__student=student)
    around = (classmates | Student.objects.filter(pk__in=opponents | {student.pk})).distinct()
    told_apart = full_labels if style == School.NameStyle.FULL else short_labels
    return told_apart(names_of(around))


def history_rows(entries: Iterable[LedgerEntry], student: Student, labels: Mapping[int, str]) -> list[HistoryRow]:
    """Entries of a student with the other side of each game, in one query for the other sides."""
    entries = list(entries)
    others = {
        other.game_id: other
        for other in LedgerEntry.objects.filter(game__in=[entry.game_id for entry in entries if entry.game_id])
        .exclude(student=student)
        .select_related("student")
    }
    rows = []
    for entry in entries:
        other = others.get(entry.game_id)
        rows.append(
            HistoryRow(
                entry=entry,
                day=entry.day,
                opponent=(labels.get(other.student_id) or other.student.full_name) if other else "",
                opponent_before=other.before if other else None,
                opponent_moved=other.moved if other else None,
                is_white=entry.game is not None and entry.game.white_id == student.pk,
                outcome=LETTERS.get(entry.score_halves, "l") if entry.score_halves is not None else "",
            )
        )
    return rows


def history_of(
    student: Student, rating_list: RatingList, *, opponent: int | None = None, outcome: str = ""
) -> QuerySet[LedgerEntry]:
    """A student's games and awards as entries, newest first. `outcome`: won, drawn, lost or awards; empty for all."""
    entries = LedgerEntry.objects.filter(student=student, rating_list=rating_list)
    if outcome == "awards":
        entries = entries.filter(adjustment__isnull=False)
    if opponent is not None:
        entries = entries.filter(Q(game__white=opponent) | Q(game__black=opponent))
    if outcome in OUTCOMES:
        entries = entries.filter(score_halves=OUTCOMES[outcome])
    return entries.select_related("game", "adjustment").order_by("-position")


def entries_of(student: Student, rating_list: RatingList) -> list[LedgerEntry]:
    """A student's entries in a list, oldest first."""
    return list(
        LedgerEntry.objects.filter(student=student, rating_list=rating_list)
        .select_related("game", "adjustment")
        .order_by("position")
    )


def student_page(student: Student, rating_list: RatingList, labels: Mapping[int, str], *, latest: int) -> StudentPage:
    """A student's numbers, with the `latest` newest events. A fixed number of queries."""
    state = current_states(rating_list, [student.pk])[student.pk]
    start = starts_of(rating_list, [student.pk]).get(student.pk, rating_list.start_rating)
    entries = entries_of(student, rating_list)
    games = [entry for entry in entries if entry.game_id]
    return StudentPage(
        state=state,
        band=str(PieceName(school_band(state.rating).piece).label) if rating_list.shows_bands else "",
        interval=sure_interval(state, student.school.today()) if games else None,
        start=start,
        curve=curve([(entry.day, entry.after) for entry in entries], start=start),
        points=_last_of_each_day(entries),
        form=[LETTERS.get(entry.score_halves or 0, "l") for entry in games[-FORM:]],
        history=history_rows(reversed(entries[-latest:]), student, labels),
        head_to_head=_head_to_head(games, student, labels),
    )


def sure_interval(state: State, day: datetime.date) -> tuple[int, int]:
    """The range of a rating on a day: it has widened with every week since the last game. Never below 0."""
    weeks = glicko.idle_weeks(state.last_game_day, day)
    low, high = glicko.interval(state.rating, glicko.after_idle_weeks(state.deviation, weeks))
    return max(low, min(0, state.rating)), high


def _last_of_each_day(entries: list[LedgerEntry]) -> list[CurvePoint]:
    """The rating at the end of each day, newest first."""
    by_day = {entry.day: entry.after for entry in entries}
    return [CurvePoint(day, rating) for day, rating in reversed(by_day.items())]


def _head_to_head(games: list[LedgerEntry], student: Student, labels: Mapping[int, str]) -> list[HeadToHeadRow]:
    tally: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0])
    for entry in games:
        if entry.game is not None:
            opponent = entry.game.black_id if entry.game.white_id == student.pk else entry.game.white_id
            tally[opponent][entry.score_halves or 0] += 1
    rows = [
        HeadToHeadRow(opponent, labels[opponent], sum(scores), wins=scores[WIN], draws=scores[DRAW], losses=scores[0])
        for opponent, scores in tally.items()
    ]
    return sorted(rows, key=lambda row: (-row.games, row.label.casefold()))
