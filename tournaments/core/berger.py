"""Round robins by the Berger tables (C.05 Annex 1), from their closed form."""

from tournaments.core.types import Pair

Rounds = tuple[tuple[Pair, ...], ...]


def table(players: int, *, double: bool = False) -> Rounds:
    """The rounds for players 1 to `players`, in board order; with an odd number a bye stands last in every round.

    `double`: everybody meets twice, with colours reversed in the second cycle; the last two rounds of the first cycle
    change places, so that nobody has one colour three times running.
    """
    if players < 2:
        return ()
    first = [_round(players, number) for number in range(1, players + players % 2)]
    if not double:
        return tuple(first)
    second = [tuple(_reversed(pair) for pair in pairs) for pairs in first]
    return (*first[:-2], *first[:-3:-1], *second)


def _round(players: int, number: int) -> tuple[Pair, ...]:
    """One round. The last of an even field stays in its place, the others go round; in an odd field it is the bye."""
    even = players + players % 2
    last, circle = even, even - 1
    turn = (number + 1) // 2 if number % 2 else even // 2 + number // 2
    first = Pair(turn, last) if number % 2 else Pair(last, turn)
    rest = tuple(Pair((turn + step - 1) % circle + 1, (turn - step - 1) % circle + 1) for step in range(1, even // 2))
    return (*rest, Pair(turn)) if players % 2 else (first, *rest)


def _reversed(pair: Pair) -> Pair:
    return pair if pair.black is None else Pair(pair.black, pair.white)
