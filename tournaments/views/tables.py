"""Standings and crosstable, and the files of both and of a round's pairings."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from classes.core.csv_cells import csv_text, safe_cell
from tournaments.access import round_of, tournament_to_see
from tournaments.core.tiebreaks import decimal
from tournaments.core.types import POINT
from tournaments.models import Tournament
from tournaments.selectors.crosstables import crosstable_of
from tournaments.selectors.rounds import PlayerRow, round_page
from tournaments.selectors.states import load
from tournaments.selectors.tables import table_of
from tournaments.views.frame import frame, labels_for


@require_safe
def standings(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """After the last finished round, or with ?after=n after an earlier one."""
    tournament = tournament_to_see(request.user, tournament_id)
    loaded = load(tournament)
    table = table_of(loaded, labels_for(request, tournament, loaded.entries), rounds=_after(request))
    context = {
        "table": table,
        "earlier": range(1, loaded.finished + 1),
        "is_latest": table.after == loaded.finished,
        "being_played": loaded.finished + 1 if loaded.paired > loaded.finished else None,
    }
    return render(request, "tournaments/standings.html", frame(request, loaded, "standings") | context)


@require_safe
def crosstable(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The finished rounds, in the order of the standings."""
    tournament = tournament_to_see(request.user, tournament_id)
    loaded = load(tournament)
    context = {
        "table": crosstable_of(loaded, labels_for(request, tournament, loaded.entries)),
        "being_played": loaded.finished + 1 if loaded.paired > loaded.finished else None,
    }
    return render(request, "tournaments/crosstable.html", frame(request, loaded, "crosstable") | context)


@require_safe
def standings_csv(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = tournament_to_see(request.user, tournament_id)
    loaded = load(tournament)
    table = table_of(loaded, labels_for(request, tournament, loaded.entries), rounds=_after(request))
    heads = [head.code for head in table.heads]
    rows: list[list[object]] = [["place", "name", "rating", "points", *heads, "performance", "withdrawn"]]
    for line in table.rows:
        rows.append(
            [
                line.row.place,
                safe_cell(line.label),
                line.rating or "",
                _points(line.row.score_halves),
                *("" if value is None else decimal(value) for value in line.row.values),
                line.row.performance.rating if line.row.performance else "",
                "yes" if line.is_withdrawn else "",
            ]
        )
    return _file(tournament, f"standings-{table.after}", rows)


@require_safe
def crosstable_csv(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = tournament_to_see(request.user, tournament_id)
    loaded = load(tournament)
    table = crosstable_of(loaded, labels_for(request, tournament, loaded.entries))
    rows: list[list[object]] = [["place", "name", "rating", *(f"R{number}" for number in table.rounds), "points"]]
    for line in table.rows:
        cells = [safe_cell(cell.code) for cell in line.cells]
        points = _points(line.row.score_halves)
        rows.append([line.row.place, safe_cell(line.label), line.rating or "", *cells, points])
    return _file(tournament, "crosstable", rows)


@require_safe
def pairings_csv(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    """A round: its boards, then who is not paired. Points are those before the round."""
    tournament = tournament_to_see(request.user, tournament_id)
    made = round_of(tournament, number)
    loaded = load(tournament)
    page = round_page(loaded, made, labels_for(request, tournament, loaded.entries))
    scores = loaded.state_after(number - 1).scores()

    def player(row: PlayerRow | None) -> list[object]:
        if row is None:
            return ["", "", ""]
        return [safe_cell(row.label), row.rating or "", _points(scores[row.entry])]

    sides = ["white", "white_rating", "white_points", "black", "black_rating", "black_points"]
    rows: list[list[object]] = [["board", *sides, "result"]]
    for board in (*page.boards, *page.byes):
        result = f"{board.sign} {board.bye_points}" if board.is_bye else board.sign
        rows.append([board.board or "", *player(board.white), *player(board.black), safe_cell(result)])
    return _file(tournament, f"round-{number}", rows)


def _after(request: HttpRequest) -> int | None:
    """The round that was asked for; None for anything that is no round."""
    asked = request.GET.get("after", "")
    if not asked.isascii() or not asked.isdecimal() or len(asked) > 3:
        return None
    return int(asked) or None


def _points(halves: int) -> str:
    return decimal(Decimal(halves) / POINT)


def _file(tournament: Tournament, what: str, rows: Iterable[list[object]]) -> HttpResponse:
    """The text cells are safe already."""
    response = HttpResponse(csv_text(rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{tournament.name}-{what}.csv")
    return response
