"""The standings of a tournament, as rows for pages, print and CSV."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.core.standings import Standings, StandingsRow, standings
from tournaments.core.types import Rules, State
from tournaments.models import Tournament
from tournaments.selectors.states import Loaded
from tournaments.selectors.words import TIE_BREAK_NAMES, TIE_BREAK_SENTENCES, reasons_for_places, rules_said


@dataclass(frozen=True, slots=True)
class Head:
    """A tie-break over its column. `sentence` goes on from the name: "Buchholz: the points of your opponents"."""

    code: str
    name: str
    sentence: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """A line of the standings.

    `rating`: at the start, 0 for none. `values`: of the tie-breaks, as they are written. `why`: what put the player
    below the one above.
    """

    entry: int
    label: str
    rating: int
    row: StandingsRow
    values: list[str]
    why: str
    is_withdrawn: bool


@dataclass(frozen=True, slots=True)
class Table:
    """Standings after a number of finished rounds. `rules`: how the tie-breaks are reckoned, in sentences."""

    after: int
    standings: Standings
    heads: list[Head]
    rows: list[TableRow]
    rules: list[str]


def state_for_standings(loaded: Loaded, rounds: int | None = None) -> State:
    """The tournament after its finished rounds, or after the first ones of them."""
    return loaded.state_after(loaded.finished if rounds is None else min(rounds, loaded.finished))


def standings_of(tournament: Tournament, state: State) -> Standings:
    """By the tournament's tie-breaks, under the FIDE rules in force on its first day."""
    return standings(state, tournament.tie_breaks, Rules.on(tournament.day), round_robin=tournament.is_round_robin)


def table_of(loaded: Loaded, labels: Mapping[int, str], *, rounds: int | None = None) -> Table:
    """The standings with names. No query."""
    tournament = loaded.tournament
    state = state_for_standings(loaded, rounds)
    found = standings_of(tournament, state)
    reasons = reasons_for_places(found, labels)
    entries = {entry.pk: entry for entry in loaded.entries}
    return Table(
        after=state.number - 1,
        standings=found,
        heads=[
            Head(one.code, str(TIE_BREAK_NAMES[one.code]), str(TIE_BREAK_SENTENCES[one.code]))
            for one in found.tie_breaks
        ],
        rows=[
            TableRow(
                entry=row.id,
                label=labels[row.id],
                rating=entries[row.id].seed_rating,
                row=row,
                values=[one.text(value) for one, value in zip(found.tie_breaks, row.values, strict=True)],
                why=reasons[row.id],
                is_withdrawn=entries[row.id].is_withdrawn,
            )
            for row in found.rows
        ],
        rules=rules_said(found.tie_breaks, Rules.on(tournament.day), round_robin=tournament.is_round_robin),
    )
