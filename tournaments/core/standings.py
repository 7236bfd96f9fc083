"""Standings with shared places, what decided each, and the crosstable: from a tournament after a finished round."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ratings.core.performance import Performance, performance
from tournaments.core.tiebreaks import TieBreak, Value, chosen, places, points_text, sort_keys, values
from tournaments.core.types import Code, Colour, Entrant, Rules, State

POINTS = "PTS"
"""What stands in `decided_by` for the points themselves, as in the Tournament Report File."""


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One player's line.

    `line`: 1, 2, 3, 4; `place`: 1, 2, 2, 4, `shared` with somebody. `values`: those of the tie-breaks, in their order.
    `decided_by`: the code that puts the player below the one above; `PTS` for the points, None for the first and for
    those who share a place with the one above. Games, wins, draws, losses and colours are of games over the board.
    """

    id: int
    line: int
    place: int
    shared: bool
    score_halves: int
    values: tuple[Value, ...]
    decided_by: str | None
    wins: int
    draws: int
    losses: int
    colours: tuple[Colour, ...]
    performance: Performance | None

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> str:
        """For pages: 4½."""
        return points_text(self.score_halves)


@dataclass(frozen=True, slots=True)
class Standings:
    """The tie-breaks, most important first, and the rows, best first."""

    tie_breaks: tuple[TieBreak, ...]
    rows: tuple[StandingsRow, ...]


def standings(state: State, codes: Iterable[str], rules: Rules, *, round_robin: bool = False) -> Standings:
    """Everybody by points, then by the tie-breaks of these codes; who is still equal shares a place.

    `state`: after the last finished round. Entrants who never took part stand there too. Those who share a place stand
    in pairing order. UnknownTieBreak for a code that is none.
    """
    tie_breaks = chosen(codes)
    found = values(state, tie_breaks, rules, round_robin=round_robin)
    keys = sort_keys(state, tie_breaks, found)
    placed = places(keys)
    scores = state.scores()
    by_id = {entrant.id: entrant for entrant in state.entrants}
    decisive = (POINTS, *(tie_break.code for tie_break in tie_breaks))
    order = list(placed)
    rows = []
    for index, entrant in enumerate(order):
        above = order[index - 1] if index else None
        sharing = (above, order[index + 1] if index + 1 < len(order) else None)
        results = [played.code for played in by_id[entrant].history]
        rows.append(
            StandingsRow(
                id=entrant,
                line=index + 1,
                place=placed[entrant],
                shared=any(other is not None and placed[other] == placed[entrant] for other in sharing),
                score_halves=scores[entrant],
                values=found[entrant],
                decided_by=None if above is None else _first_difference(decisive, keys[above], keys[entrant]),
                wins=sum(code in WINS for code in results),
                draws=sum(code in DRAWS for code in results),
                losses=sum(code in LOSSES for code in results),
                colours=by_id[entrant].colours,
                performance=_performance(by_id[entrant], by_id),
            )
        )
    return Standings(tie_breaks, tuple(rows))


WINS = {Code.WIN, Code.UNRATED_WIN}
DRAWS = {Code.DRAW, Code.UNRATED_DRAW}
LOSSES = {Code.LOSS, Code.UNRATED_LOSS}


def _first_difference(codes: tuple[str, ...], above: tuple[object, ...], below: tuple[object, ...]) -> str | None:
    """The code of the first part in which two sort keys differ."""
    parts = zip(codes, above, below, strict=True)
    return next((code for code, better, worse in parts if better != worse), None)


def _performance(entrant: Entrant, by_id: Mapping[int, Entrant]) -> Performance | None:
    """By C.07 10.2, from the games over the board; those against opponents without a rating are left out."""
    games = [
        (by_id[played.opponent].rating, played.code.halves())
        for played in entrant.history
        if played.code.is_played and played.opponent is not None and by_id[played.opponent].rating
    ]
    return performance([rating for rating, _ in games], sum(halves for _, halves in games))


@dataclass(frozen=True, slots=True)
class Cell:
    """One round in the crosstable: the result, the points, and the opponent with line and place in the standings."""

    code: Code
    score_halves: int
    opponent: int | None = None
    line: int | None = None
    place: int | None = None
    colour: Colour | None = None

    @property
    def text(self) -> str:
        """As in report files: `12w1` won with White against the player in place 12, `U` a bye, `12b-` forfeited."""
        return f"{self.place or ''}{self.colour or ''}{self.code}"


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """A player's rounds, in the order of the standings."""

    id: int
    line: int
    place: int
    cells: tuple[Cell, ...]


def crosstable(state: State, rows: Iterable[StandingsRow]) -> tuple[CrosstableRow, ...]:
    """Every round of every player, opponents by their places in these standings of the same state."""
    by_id = {row.id: row for row in rows}
    histories = {entrant.id: entrant.history for entrant in state.entrants}
    return tuple(
        CrosstableRow(
            id=row.id,
            line=row.line,
            place=row.place,
            cells=tuple(
                Cell(
                    code=played.code,
                    score_halves=played.code.halves(state.bye_halves),
                    opponent=played.opponent,
                    line=None if played.opponent is None else by_id[played.opponent].line,
                    place=None if played.opponent is None else by_id[played.opponent].place,
                    colour=played.colour,
                )
                for played in histories[row.id]
            ),
        )
        for row in by_id.values()
    )
