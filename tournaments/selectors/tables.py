"""Standings and crosstable of a tournament, as rows for pages, print and CSV."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.core.standings import Standings, StandingsRow, standings
from tournaments.core.types import Rules, State
from tournaments.models import Tournament
from tournaments.selectors.states import Loaded


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of the standings. `values`: of the tie-breaks, as they are written."""

    entry: int
    label: str
    row: StandingsRow
    values: list[str]
    is_withdrawn: bool


@dataclass(frozen=True, slots=True)
class Table:
    """Standings after a number of finished rounds."""

    after: int
    standings: Standings
    rows: list[TableRow]


def state_for_standings(loaded: Loaded, rounds: int | None = None) -> State:
    """The tournament after its finished rounds, or after the first ones of them."""
    return loaded.state_after(loaded.finished if rounds is None else min(rounds, loaded.finished))


def standings_of(tournament: Tournament, state: State) -> Standings:
    """By the tournament's tie-breaks, under the FIDE rules in force on its first day."""
    return standings(state, tournament.tie_breaks, Rules.on(tournament.day), round_robin=tournament.is_round_robin)


def table_of(loaded: Loaded, labels: Mapping[int, str], *, rounds: int | None = None) -> Table:
    """The standings with names. No query."""
    state = state_for_standings(loaded, rounds)
    found = standings_of(loaded.tournament, state)
    withdrawn = {entry.pk for entry in loaded.entries if entry.is_withdrawn}
    rows = [
        TableRow(
            entry=row.id,
            label=labels[row.id],
            row=row,
            values=[tie_break.text(value) for tie_break, value in zip(found.tie_breaks, row.values, strict=True)],
            is_withdrawn=row.id in withdrawn,
        )
        for row in found.rows
    ]
    return Table(len(state.entrants[0].history) if state.entrants else 0, found, rows)
