"""What is unusual about the pairs of a round: said on its page, and asked about before they are set by hand."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from tournaments.core.types import Colour, Entrant, Pair, State


class Kind(StrEnum):
    REPEAT = "repeat"  # they have played each other before
    KEPT_APART = "kept_apart"
    THIRD_COLOUR = "third_colour"  # the same colour for the third time running
    SECOND_BYE = "second_bye"


@dataclass(frozen=True, slots=True)
class Warning:
    """`players`: both of a board, or the one whom it is about. `colour`: the one for the third time."""

    kind: Kind
    players: tuple[int, ...]
    colour: Colour | None = None


def warnings(state: State, pairs: Iterable[Pair]) -> tuple[Warning, ...]:
    """Everything unusual about these pairs, pair by pair. `state`: before their round; a pair alone is a bye."""
    by_id = {entrant.id: entrant for entrant in state.entrants}
    found: list[Warning] = []
    for pair in pairs:
        if pair.black is None:
            if by_id[pair.white].byes:
                found.append(Warning(Kind.SECOND_BYE, pair.players))
            continue
        if pair.black in by_id[pair.white].met:
            found.append(Warning(Kind.REPEAT, pair.players))
        if frozenset(pair.players) in state.forbidden | state.apart:
            found.append(Warning(Kind.KEPT_APART, pair.players))
        found += [
            Warning(Kind.THIRD_COLOUR, (player,), colour)
            for player, colour in ((pair.white, Colour.WHITE), (pair.black, Colour.BLACK))
            if _had_twice(by_id[player], colour)
        ]
    return tuple(found)


def _had_twice(entrant: Entrant, colour: Colour) -> bool:
    """This colour in the last two games played (C.04.3 1.7.1)."""
    return entrant.colours[-2:] == (colour, colour)
