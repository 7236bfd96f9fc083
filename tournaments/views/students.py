"""A student's own tournaments, to read."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from classes.access import own_student
from tournaments.access import tournament_for_student
from tournaments.selectors.names import board_labels
from tournaments.selectors.screens import latest_round, round_sheet
from tournaments.selectors.states import load
from tournaments.selectors.students import OwnPairing, own_pairings, own_rounds, own_tournaments
from tournaments.selectors.tables import table_of


@require_safe
def my_tournaments(request: HttpRequest) -> HttpResponse:
    student = own_student(request.user)
    return render(
        request,
        "tournaments/my_tournaments.html",
        {"pairings": own_pairings(student), "rows": own_tournaments(student)},
    )


@require_safe
def my_tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The own pairing first, then the own rounds, the standings and the boards of the latest round."""
    tournament = tournament_for_student(request.user, tournament_id)
    student = own_student(request.user)
    loaded = load(tournament)
    labels = board_labels(tournament, loaded.entries)
    entry = next((entry for entry in loaded.entries if entry.student_id == student.pk), None)
    made = latest_round(tournament)
    rounds = own_rounds(loaded, entry, labels) if entry else []
    current = rounds[-1] if rounds and rounds[-1].number == loaded.paired else None
    plays = entry is not None and not entry.is_withdrawn and tournament.is_open
    return render(
        request,
        "tournaments/my_tournament.html",
        {
            "tournament": tournament,
            "entry": entry,
            "pairing": OwnPairing(tournament, loaded.paired, current) if plays else None,
            "rounds": rounds,
            "table": table_of(loaded, labels),
            "sheet": round_sheet(loaded, made, labels) if made else None,
        },
    )
