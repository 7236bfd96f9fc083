"""Looking ahead in a small group: which pairing of this round leaves the fewest repeats for the rounds to come.

As if the same players came to every round, and the bye always went to one of the fewest byes; who of them has the
lowest score cannot be known. After STEPS steps the best so far is taken.
"""

from collections.abc import Iterator, Sequence

from tournaments.core.types import Pair, State

MOST_PLAYERS = 10
STEPS = 20_000

Byes = tuple[int, ...]


class _Enough(Exception):
    """The search has taken its steps."""


class RoundsToCome:
    """Everybody who has not withdrawn, as places 0, 1, 2, ...; who has met whom is one number, a bit for each two."""

    def __init__(self, state: State) -> None:
        people = [entrant for entrant in state.entrants if not entrant.withdrawn]
        self._places = {entrant.id: place for place, entrant in enumerate(people)}
        self._size = len(people)
        self._rounds = state.rounds - state.number
        forbidden = {
            (self._places.get(one, -1), self._places.get(two, -1)) for one, two in map(sorted, state.forbidden)
        }
        forbidden |= {(two, one) for one, two in forbidden}
        self._partners = [
            [two for two in range(self._size) if two != one and (one, two) not in forbidden]
            for one in range(self._size)
        ]
        self._met = 0
        for entrant in people:
            for opponent in entrant.met:
                if opponent in self._places:
                    self._met |= self._bit(self._places[entrant.id], self._places[opponent])
        self._byes = tuple(entrant.byes for entrant in people)
        self._impossible: dict[tuple[int, Byes, int], int] = {}
        self._steps = 0

    def choose(self, pairings: Sequence[Sequence[Pair]]) -> int:
        """The index of the pairing after which the rounds to come need the fewest repeats; the first of equals.

        Where there are more rounds than opponents, repeats that can wait until all have met wait until then.
        """
        if len(pairings) == 1 or self._rounds < 1:
            return 0
        after = [self._after(pairs) for pairs in pairings]
        least = [self._least_possible(after, rounds) for rounds in range(self._rounds + 1)]
        without_repeats = max(rounds for rounds, repeats in enumerate(least) if repeats == 0)
        horizons = sorted({self._rounds, without_repeats}, reverse=True)
        ideal = [least[rounds] for rounds in horizons]
        chosen, best = 0, [self._rounds * self._size]  # more repeats than there can be
        try:
            for index, (met, byes) in enumerate(after):
                found = [self._fewest(met, byes, rounds) for rounds in horizons]
                if found < best:
                    chosen, best = index, found
                if best == ideal:
                    break
        except _Enough:
            pass
        return chosen

    def _least_possible(self, after: Sequence[tuple[int, Byes]], rounds: int) -> int:
        return min(self._bound(met, rounds) for met, _ in after)

    def _fewest(self, met: int, byes: Byes, rounds: int) -> int:
        """The fewest repeats with which these rounds can be paired; more than there can be if they cannot at all."""
        most = rounds * self._size
        possible = (n for n in range(self._bound(met, rounds), most) if self._is_possible(met, byes, rounds, n))
        return next(possible, most)

    def _bit(self, one: int, two: int) -> int:
        low, high = sorted((one, two))
        return 1 << (high * (high - 1) // 2 + low)

    def _after(self, pairs: Sequence[Pair]) -> tuple[int, Byes]:
        met, byes = self._met, list(self._byes)
        for pair in pairs:
            if pair.black is None:
                byes[self._places[pair.white]] += 1
            else:
                met |= self._bit(self._places[pair.white], self._places[pair.black])
        return met, tuple(byes)

    def _bound(self, met: int, rounds: int) -> int:
        """No fewer repeats than these: nobody has more new opponents than are left; a bye takes the place of one."""
        missing = 0
        for one, partners in enumerate(self._partners):
            new = sum(not met & self._bit(one, two) for two in partners)
            missing += max(0, rounds - new)
        byes = rounds * (self._size % 2)
        return max(0, missing - byes + 1) // 2

    def _is_possible(self, met: int, byes: Byes, rounds: int, repeats: int) -> bool:
        """Can these rounds be paired with at most so many repeats?"""
        if rounds == 0:
            return True
        key = (met, byes, rounds)
        if self._bound(met, rounds) > repeats or self._impossible.get(key, -1) >= repeats:
            return False
        everybody = (1 << self._size) - 1
        for bye in self._may_have_bye(byes):
            there = everybody if bye is None else everybody ^ (1 << bye)
            given = tuple(count + (place == bye) for place, count in enumerate(byes))
            for then, used in self._one_round(met, there, repeats):
                if self._is_possible(then, given, rounds - 1, repeats - used):
                    return True
        self._impossible[key] = repeats
        return False

    def _may_have_bye(self, byes: Byes) -> list[int | None]:
        if self._size % 2 == 0:
            return [None]
        return [place for place, count in enumerate(byes) if count == min(byes)]

    def _one_round(self, met: int, there: int, repeats: int) -> Iterator[tuple[int, int]]:
        """Every pairing of those who are there with at most so many repeats: who has met then, and the repeats."""
        if not there:
            yield met, 0
            return
        self._steps += 1
        if self._steps > STEPS:
            raise _Enough
        one = (there & -there).bit_length() - 1
        others = there ^ (1 << one)
        for again in range(min(repeats, 1) + 1):
            for two in self._partners[one]:
                bit = self._bit(one, two)
                if others >> two & 1 and bool(met & bit) == bool(again):
                    for then, used in self._one_round(met | bit, others ^ (1 << two), repeats - again):
                        yield then, used + again
