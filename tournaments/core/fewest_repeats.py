"""Pairing that always comes to an end: for small groups, and where the FIDE rules allow no pairing.

What is decided, in this order:

1. nobody meets whom they may never meet;
2. the bye goes to the fewest byes (pairing-allocated and full-point byes, forfeit wins), then to the lowest score;
3. the fewest repeats in this round, then in the rounds that are still planned; among repeats rather a second meeting
   than a third, and not the last game once more;
4. the fewest pairs who should be kept apart;
5. small score differences (their squares: rather two small ones than a large one);
6. the fewest claims to a colour that stay unmet, stronger claims first;
7. repeats on the least important boards;
8. what is still equal: the bye to the lowest ranked, and in a score group the upper half against the lower half.

Every pair has its costs for 3 to 8 as one whole number, a digit for each. Up to EXACT players all pairings are
compared, and the rounds to come are looked at; above, the pairing is a minimum-weight perfect matching.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

import networkx as nx

from tournaments.core.colours import Side, Strength, due, first_has_white
from tournaments.core.pairing import answer, obstacle
from tournaments.core.rounds_to_come import MOST_PLAYERS, RoundsToCome
from tournaments.core.types import Colour, NoPairing, Pair, Paired, Reason, State

EXACT = 10  # players of whom all pairings are compared: 945 of them
BYE = -1  # stands in the place of an opponent

Matching = tuple[tuple[int, int], ...]


def pair(state: State) -> Paired | NoPairing:
    """The next round with the fewest repeats. NoPairing only where `forbidden` leaves no way, or nobody is there."""
    if nothing := obstacle(state):
        return nothing
    table = _Table(state)
    for may_have_bye in table.bye_classes():
        matching = table.best(may_have_bye)
        if matching:
            return answer(state, (table.board(one, two) for one, two in matching), strict=False)
    return NoPairing(Reason.KEPT_APART)


class _Costs(NamedTuple):
    """What a pair costs, most important first."""

    repeats: int = 0
    meetings: int = 0  # so far, squared
    last_game: int = 0
    together: int = 0
    difference: int = 0  # of the scores, squared
    absolute: int = 0  # unmet claims to a colour
    strong: int = 0
    mild: int = 0
    important: int = 0  # points on the board of a repeat
    bye_rank: int = 0
    halves: int = 0  # away from upper half against lower half, squared


class _Table:
    """The players of this round by their places 0, 1, 2, ... in the ranking, and what each pair of places costs."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._points = state.scores()
        scores, numbers = state.pairing_scores(), state.pairing_numbers()
        self._players = sorted(state.present, key=lambda entrant: (-scores[entrant.id], numbers[entrant.id]))
        self._ids = [player.id for player in self._players]
        self._sides = [Side(player.colours, scores[player.id], numbers[player.id]) for player in self._players]
        self._group_sizes = Counter(side.score for side in self._sides)
        self._meetings = [Counter(player.met) for player in self._players]
        costs = {
            (one, two): self._costs(one, two)
            for two in range(len(self._ids))
            for one in range(two)
            if frozenset((self._ids[one], self._ids[two])) not in state.forbidden
        }
        costs |= {(BYE, place): _Costs(bye_rank=len(self._ids) - place) for place in range(len(self._ids))}
        # No sum of a digit over a pairing may reach into the next one.
        boards = len(self._ids) // 2 + 1
        bases = [1 + sum(sorted(digit)[-boards:]) for digit in zip(*costs.values(), strict=True)]
        self._repeat = 1  # the number that stands for one repeat
        for base in bases[1:]:
            self._repeat *= base
        self._cost = {two: _as_one_number(cost, bases) for two, cost in costs.items()}

    def bye_classes(self) -> Iterator[frozenset[int]]:
        """The places that may have the bye, first those of the fewest byes and the lowest score; none if all play."""
        if len(self._ids) % 2 == 0:
            yield frozenset()
            return

        def claim(place: int) -> tuple[int, int]:
            return self._players[place].byes, self._points[self._ids[place]]

        for _, places in groupby(sorted(range(len(self._ids)), key=claim), key=claim):
            yield frozenset(places)

    def best(self, may_have_bye: frozenset[int]) -> Matching | None:
        """The best pairing with one of these having the bye; None where there is none at all."""
        if len(self._ids) > EXACT:
            return self._matched(may_have_bye)
        everybody = tuple(range(len(self._ids)))
        found = sorted(self._all((BYE, *everybody) if may_have_bye else everybody, may_have_bye))
        if not found:
            return None
        fewest = found[0][0] // self._repeat
        best = [matching for cost, matching in found if cost // self._repeat == fewest]
        still_there = [entrant for entrant in self._state.entrants if not entrant.withdrawn]
        if len(still_there) > MOST_PLAYERS:
            return best[0]
        boards = [tuple(self.board(one, two) for one, two in matching) for matching in best]
        return best[RoundsToCome(self._state).choose(boards)]

    def _all(self, places: tuple[int, ...], may_have_bye: frozenset[int]) -> Iterator[tuple[int, Matching]]:
        """Every pairing of these places with its cost."""
        if not places:
            yield 0, ()
            return
        one, *others = places
        for two in others:
            if (one, two) in self._cost and (one != BYE or two in may_have_bye):
                rest = tuple(place for place in others if place != two)
                for cost, matching in self._all(rest, may_have_bye):
                    yield cost + self._cost[one, two], ((one, two), *matching)

    def _matched(self, may_have_bye: frozenset[int]) -> Matching | None:
        """The cheapest pairing by minimum-weight perfect matching."""
        graph = nx.Graph()
        graph.add_nodes_from(range(len(self._ids)))
        if may_have_bye:
            graph.add_node(BYE)
        for (one, two), cost in self._cost.items():
            if one != BYE or two in may_have_bye:
                graph.add_edge(one, two, weight=cost)
        matching = tuple(sorted((min(pair), max(pair)) for pair in nx.min_weight_matching(graph)))
        return matching if 2 * len(matching) == len(graph) else None

    def board(self, one: int, two: int) -> Pair:
        """Two places as a board with White and Black, or as the bye."""
        if one == BYE:
            return Pair(self._ids[two])
        white, black = (one, two) if self._first_has_white(one, two) else (two, one)
        return Pair(self._ids[white], self._ids[black])

    def _first_has_white(self, one: int, two: int) -> bool:
        return first_has_white(self._sides[one], self._sides[two], self._state.first_colour)

    def _costs(self, one: int, two: int) -> _Costs:
        first, second = self._ids[one], self._ids[two]
        meetings = self._meetings[one][second]
        last_game = self._players[one].met[-1:] == (second,) or self._players[two].met[-1:] == (first,)
        difference = self._sides[one].score - self._sides[two].score
        unmet = self._unmet_claims(one, two)
        apart = 1 if difference else self._group_sizes[self._sides[one].score] // 2
        return _Costs(
            repeats=int(meetings > 0),
            meetings=meetings**2,
            last_game=int(last_game),
            together=int(frozenset((first, second)) in self._state.apart),
            difference=difference**2,
            absolute=unmet[Strength.ABSOLUTE],
            strong=unmet[Strength.STRONG],
            mild=unmet[Strength.MILD],
            important=(self._points[first] + self._points[second]) * int(meetings > 0),
            halves=(two - one - apart) ** 2,
        )

    def _unmet_claims(self, one: int, two: int) -> Counter[Strength]:
        """How many claims to a colour of which strength stay unmet when these two meet."""
        colour = Colour.WHITE if self._first_has_white(one, two) else Colour.BLACK
        given = {one: colour, two: colour.other}
        claims = {place: due(self._sides[place].colours) for place in given}
        return Counter(claim.strength for place, claim in claims.items() if claim.colour is given[place].other)


def _as_one_number(digits: Sequence[int], bases: Sequence[int]) -> int:
    number = 0
    for digit, base in zip(digits, bases, strict=True):
        number = number * base + digit
    return number
