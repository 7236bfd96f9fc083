"""Leaderboards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from classes.models import Classroom
from classes.selectors import active_students
from ratings.core.charts import Sparkline, sparkline
from ratings.core.ranks import shared_ranks
from ratings.models import RatingList
from ratings.selectors.ledger import current_states


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A student's place. `last_change` is of the last game; None before the first."""

    rank: int
    student_id: int
    label: str
    grade: str
    rating: int
    last_change: int | None
    wins: int
    draws: int
    losses: int
    is_new: bool  # too few games: the number is provisional
    sparkline: Sparkline | None


def leaderboard(classroom: Classroom, rating_list: RatingList, labels: Mapping[int, str]) -> list[LeaderboardRow]:
    """The active students of a class from high to low; equal ratings share a place and stand by name.

    Who is left off boards is not counted either: a gap between two places would tell where they stand.
    """
    students = list(active_students(classroom).filter(off_boards=False))
    states = current_states(rating_list, [student.pk for student in students])
    students.sort(key=lambda student: (-states[student.pk].rating, labels[student.pk].casefold(), student.pk))
    ranks = shared_ranks([states[student.pk].rating for student in students])
    return [
        LeaderboardRow(
            rank=rank,
            student_id=student.pk,
            label=labels[student.pk],
            grade=student.grade,
            rating=state.rating,
            last_change=state.last_change,
            wins=state.wins,
            draws=state.draws,
            losses=state.losses,
            is_new=state.is_new,
            sparkline=sparkline(state.recent),
        )
        for rank, student in zip(ranks, students, strict=True)
        for state in [states[student.pk]]
    ]


def average_rating(rows: list[LeaderboardRow]) -> int | None:
    """The average of a board, to the nearest whole number."""
    if not rows:
        return None
    return int(sum(row.rating for row in rows) / len(rows) + 0.5)
