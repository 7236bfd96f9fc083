"""What every page of a tournament shares: its tabs, its head, and how its players are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest

from classes.access import membership_of, students_now
from tournaments.access import may_enter_results, may_run
from tournaments.models import Entry, Tournament
from tournaments.selectors.names import teacher_labels
from tournaments.selectors.states import Loaded


def frame(request: HttpRequest, loaded: Loaded, tab: str) -> dict[str, Any]:
    """The context of templates/tournaments/tournament_base.html. `tab`: `round-3`, or the name of a page."""
    tournament = loaded.tournament
    return {
        "tournament": tournament,
        "tab": tab,
        "round_tabs": [(number, f"round-{number}") for number in range(1, loaded.paired + 1)],
        "players": len(loaded.entries),
        "paired": loaded.paired,
        "can_run": may_run(request.user, tournament),
        "can_enter": may_enter_results(request.user, tournament),
    }


def labels_for(request: HttpRequest, tournament: Tournament, entries: Sequence[Entry]) -> dict[int, str]:
    """Full names for whoever teaches these students; in a school-wide tournament the others by their short names."""
    return teacher_labels(entries, known_by_name(request, tournament))


def known_by_name(request: HttpRequest, tournament: Tournament) -> set[int] | None:
    """The students whose full names a teacher may know, where that is not everybody of the tournament (None)."""
    membership = membership_of(request.user)
    if tournament.classroom_id is not None or membership.is_lead:
        return None
    return set(students_now(membership).values_list("pk", flat=True))
