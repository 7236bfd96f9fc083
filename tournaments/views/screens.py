"""For the projector and for paper: pairings by board and by name, standings, slips, crosstable, wall chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.access import round_of, tournament_to_see
from tournaments.core.screens import part
from tournaments.core.types import Rules
from tournaments.models import Tournament
from tournaments.selectors.names import board_labels
from tournaments.selectors.screens import RoundSheet, crosstable_parts, latest_round, round_sheet, wall_charts
from tournaments.selectors.states import Loaded, load
from tournaments.selectors.tables import table_of
from tournaments.selectors.words import TIE_BREAK_NAMES, TIE_BREAK_SENTENCES, rules_said
from tournaments.views.frame import frame

SECONDS = 10  # a projector shows a screen before it asks for the next


@require_safe
def sheets(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The way to everything below."""
    loaded = load(tournament_to_see(request.user, tournament_id))
    numbers = range(loaded.paired, 0, -1)
    return render(request, "tournaments/sheets.html", {**frame(request, loaded, "print"), "numbers": numbers})


# --- projector ---


@require_safe
def projector_boards(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = tournament_to_see(request.user, tournament_id)
    loaded, sheet = _latest(tournament)
    rows = [*sheet.boards, *sheet.byes] if sheet else []
    return _projected(request, "boards", rows, {"loaded": loaded, "sheet": sheet}, most_columns=2, width=9)


@require_safe
def projector_names(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = tournament_to_see(request.user, tournament_id)
    loaded, sheet = _latest(tournament)
    rows = sheet.names if sheet else []
    return _projected(request, "names", rows, {"loaded": loaded, "sheet": sheet}, most_columns=3, width=7)


@require_safe
def projector_standings(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = tournament_to_see(request.user, tournament_id)
    loaded = load(tournament)
    table = table_of(loaded, board_labels(tournament, loaded.entries))
    return _projected(request, "standings", table.rows, {"loaded": loaded, "table": table}, most_columns=3, width=6)


def _latest(tournament: Tournament) -> tuple[Loaded, RoundSheet | None]:
    """The tournament and its latest round; None before the first."""
    loaded, made = load(tournament), latest_round(tournament)
    return loaded, round_sheet(loaded, made, board_labels(tournament, loaded.entries)) if made else None


def _projected(
    request: HttpRequest, name: str, rows: Sequence[Any], context: dict[str, Any], *, most_columns: int, width: int
) -> HttpResponse:
    """A screen of the rows, which asks for the next one; `?hold=1` stays on this one, and still shows what is new."""
    asked, hold = request.GET.get("page", ""), "hold" in request.GET
    screen = part(len(rows), int(asked[:4]) if asked.isdecimal() else 1, most_columns=most_columns, width=width)
    return render(
        request,
        f"tournaments/projector_{name}.html",
        {
            **context,
            "tournament": context["loaded"].tournament,
            "kind": name,
            "screen": screen,
            "rows": rows[screen.start : screen.stop],
            "seconds": SECONDS,
            "hold": hold,
            "then": f"?page={screen.number}&hold=1" if hold else f"?page={screen.next}",
        },
    )


# --- paper ---


@require_safe
def print_boards(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    return _printed_round(request, tournament_id, number, "boards")


@require_safe
def print_names(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    return _printed_round(request, tournament_id, number, "names")


@require_safe
def print_slips(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    return _printed_round(request, tournament_id, number, "slips")


def _printed_round(request: HttpRequest, tournament_id: int, number: int, name: str) -> HttpResponse:
    tournament = tournament_to_see(request.user, tournament_id)
    made = round_of(tournament, number)
    loaded = load(tournament)
    sheet = round_sheet(loaded, made, board_labels(tournament, loaded.entries))
    return render(request, f"tournaments/print_{name}.html", {"tournament": tournament, "sheet": sheet})


@require_safe
def print_standings(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = tournament_to_see(request.user, tournament_id)
    loaded = load(tournament)
    table = table_of(loaded, board_labels(tournament, loaded.entries))
    tie_breaks = table.standings.tie_breaks
    return render(
        request,
        "tournaments/print_standings.html",
        {
            "tournament": tournament,
            "table": table,
            "tie_breaks": [(one.code, TIE_BREAK_NAMES[one.code], TIE_BREAK_SENTENCES[one.code]) for one in tie_breaks],
            "rules": rules_said(tie_breaks, Rules.on(tournament.day), round_robin=tournament.is_round_robin),
        },
    )


@require_safe
def print_crosstable(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = tournament_to_see(request.user, tournament_id)
    loaded = load(tournament)
    tables = crosstable_parts(loaded, board_labels(tournament, loaded.entries))
    return render(
        request,
        "tournaments/print_crosstable.html",
        {"tournament": tournament, "tables": tables, "after": loaded.finished},
    )


@require_safe
def print_chart(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = tournament_to_see(request.user, tournament_id)
    loaded = load(tournament)
    charts = wall_charts(loaded, board_labels(tournament, loaded.entries))
    return render(request, "tournaments/print_chart.html", {"tournament": tournament, "charts": charts})
