"""How the players of a tournament are written: entry id -> label."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.utils.translation import gettext as _

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


def short_names(entries: Sequence[Entry]) -> dict[int, str]:
    """As `board_labels`, but short whatever the school wants: for who has no account here."""
    return _on_boards(entries, short_labels(names_of(entry.student for entry in entries)))


def board_labels(tournament: Tournament, entries: Sequence[Entry]) -> dict[int, str]:
    """As the school wants names on boards, projector and print; short ones (Mia K.) unless it chose full ones.

    Who is left off boards plays all the same, as `Player 7`: their number at the start.
    """
    style = full_labels if tournament.school.name_style == School.NameStyle.FULL else short_labels
    return _on_boards(entries, style(names_of(entry.student for entry in entries)))


def _on_boards(entries: Sequence[Entry], by_student: dict[int, str]) -> dict[int, str]:
    return {
        entry.pk: _("Player %(number)d") % {"number": entry.seed_order}
        if entry.student.off_boards
        else by_student[entry.student_id]
        for entry in entries
    }
