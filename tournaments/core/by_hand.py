"""What a round becomes when a teacher changes it by hand: pairs in, pairs out.

Only boards and the pairing-allocated bye are pairs; whoever has another bye is in none.
"""

from collections.abc import Iterable

from tournaments.core.types import Pair

Pairs = tuple[Pair, ...]


def swapped(pairs: Iterable[Pair], one: int, other: int) -> Pairs:
    """Two players exchanged; who sit at one board change colours."""
    return _replaced(pairs, {one: other, other: one})


def without(pairs: Iterable[Pair], player: int) -> Pairs:
    """A player taken out. The opponent plays whoever has the bye, who sits down in the empty place, or else gets it."""
    pairs = tuple(pairs)
    mine = next((pair for pair in pairs if player in pair.players), None)
    waiting = next((pair for pair in pairs if pair.is_bye), None)
    if mine is None or mine.is_bye:
        return tuple(pair for pair in pairs if pair is not mine)
    if waiting is None:
        left = next(opponent for opponent in mine.players if opponent != player)
        return (*(pair for pair in pairs if pair is not mine), Pair(left))
    return _replaced((pair for pair in pairs if pair is not waiting), {player: waiting.white})


def joined(pairs: Iterable[Pair], player: int) -> Pairs:
    """A newcomer at Black against whoever has the bye; without a bye nothing changes."""
    return tuple(Pair(pair.white, player) if pair.is_bye and pair.white != player else pair for pair in pairs)


def _replaced(pairs: Iterable[Pair], instead: dict[int, int]) -> Pairs:
    return tuple(
        Pair(
            instead.get(pair.white, pair.white),
            None if pair.black is None else instead.get(pair.black, pair.black),
        )
        for pair in pairs
    )
