"""How the players of a tournament are written: entry id -> label."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from classes.core.names import full_labels, short_labels
from classes.models import School
from classes.selectors import names_of
from tournaments.models import Entry, Tournament


def teacher_labels(entries: Sequence[Entry], own: Collection[int] | None = None) -> dict[int, str]:
    """Full names, told apart where they are the same. `own`: ids of students; all others get their short names."""
    names = names_of(entry.student for entry in entries)
    by_student = full_labels(names)
    if own is not None:
        short = short_labels(names)
        by_student = {student: by_student[student] if student in own else short[student] for student in by_student}
    return {entry.pk: by_student[entry.student_id] for entry in entries}


def board_labels(tournament: Tournament, entries: Sequence[Entry]) -> dict[int, str]:
    """As the school wants names on boards, projector and print; short ones (Mia K.) unless it chose full ones."""
    names = names_of(entry.student for entry in entries)
    style = full_labels if tournament.school.name_style == School.NameStyle.FULL else short_labels
    by_student = style(names)
    return {entry.pk: by_student[entry.student_id] for entry in entries}
