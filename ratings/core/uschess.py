"""US Chess ratings: the K that depends on rating and number of games, the bonus, the first games, and floors.

Glickman and Doan, "The US Chess Rating system" (2017, 2020); rulebook, chapter 8. The real run goes twice over all
players of an event, so numbers for one player alone are estimates.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ratings.core.elo import expected_score

ESTABLISHED_FROM = 26  # games
SPECIAL_UP_TO = 8  # games: until then another formula rates
MOST_EFFECTIVE = 50.0
FORMULA_UP_TO = 2355  # from here on the formula would say more than 50
BONUS_THRESHOLD = 14  # since May 2017
GAMES_FOR_BONUS = 3
HIGHEST_SPECIAL = 2700.0
NOTHING = 1e-9  # a surplus that is only left over from reckoning with floats

FLOOR_STEPS = 100
ABSOLUTE_FLOOR = 100
HIGHEST_ABSOLUTE_FLOOR = 150
LOWEST_PEAK_FLOOR, HIGHEST_PEAK_FLOOR = 1200, 2100
PEAK_FOR_FLOOR = 1400


def effective_games(rating: float, games: int) -> float:
    """N': how many games the old rating is worth; the more, the less it moves. Never more than were played."""
    most = MOST_EFFECTIVE if rating > FORMULA_UP_TO else 50 / math.sqrt(0.662 + 0.00000739 * (2569 - rating) ** 2)
    return min(games, most)


@dataclass(frozen=True, slots=True)
class Event:
    """A player's event, estimated. `k` and `bonus` are None under the special formula for the first games."""

    before: int
    games_before: int
    games: int
    effective: float
    k: float | None
    expected: float
    bonus: float | None
    rating: float

    @property
    def change(self) -> float:
        return self.rating - self.before

    @property
    def is_provisional(self) -> bool:
        """Whether the rating after it still is: with 25 games or fewer."""
        return self.games_before + self.games < ESTABLISHED_FROM


def rate_event(rating: int, games_before: int, games: Sequence[tuple[int, int]]) -> Event:
    """One event, each game (opponent, score halves); at least one, no opponent more than twice.

    With up to 8 games before, by the special formula (for a player who has not only won or only lost so far).
    """
    opponents = [opponent for opponent, _ in games]
    score = sum(halves for _, halves in games) / 2
    effective = effective_games(rating, games_before)
    if games_before <= SPECIAL_UP_TO:
        found = _special(rating, effective, opponents, score)
        expected = sum(_linear_expected(rating, opponent) for opponent in opponents)
        return Event(rating, games_before, len(games), effective, None, expected, None, found)
    k = 800 / (effective + len(games))
    expected = sum(expected_score(rating, opponent) for opponent in opponents)
    change = k * (score - expected)
    bonus = 0.0
    if len(games) >= GAMES_FOR_BONUS:
        bonus = max(0.0, change - BONUS_THRESHOLD * math.sqrt(max(len(games), 4)))
    return Event(rating, games_before, len(games), effective, k, expected, bonus, rating + change + bonus)


def _linear_expected(rating: float, opponent: float) -> float:
    """The expected score of the special formula: a straight line from 0 at 400 below to 1 at 400 above."""
    return min(1.0, max(0.0, 0.5 + (rating - opponent) / 800))


def _special(rating: int, effective: float, opponents: Sequence[int], score: float) -> float:
    """The rating at which the games before, taken as drawn with oneself, and those of the event come out as expected.

    The expected scores rise in straight pieces, so the place is found between two corners; where a whole stretch fits,
    it is the place nearest to the rating before.
    """

    def surplus(at: float) -> float:
        earlier = effective * (_linear_expected(at, rating) - 0.5)
        return earlier + sum(_linear_expected(at, opponent) for opponent in opponents) - score

    corners = sorted({place + side for place in [*opponents, rating] for side in (-400, 400)})
    values = [surplus(corner) for corner in corners]

    def zero_after(place: int) -> float:
        """Where the surplus is 0 between this corner and the next."""
        left, right = corners[place], corners[place + 1]
        return left - values[place] * (right - left) / (values[place + 1] - values[place])

    first = next(place for place, value in enumerate(values) if value >= -NOTHING)
    last = max(place for place, value in enumerate(values) if value <= NOTHING)
    low = zero_after(first - 1) if first else -math.inf
    high = zero_after(last) if last + 1 < len(corners) else math.inf
    return min(HIGHEST_SPECIAL, max(low, min(high, rating)))


def absolute_floor(wins: int, draws: int, events: int) -> int:
    """No rating falls below it: 100, and 4 for each win, 2 for each draw, 1 for each event of 3 games, at most 150."""
    return min(ABSOLUTE_FLOOR + 4 * wins + 2 * draws + events, HIGHEST_ABSOLUTE_FLOOR)


def floor(peak: int, *, established: bool, wins: int, draws: int, events: int) -> int:
    """The floor of a player: from a peak of 1400 on, reached with more than 25 games, the peak less 200 with its last
    two digits set to 0, between 1200 and 2100; else the absolute floor.
    """
    absolute = absolute_floor(wins, draws, events)
    if not established or peak < PEAK_FOR_FLOOR:
        return absolute
    from_peak = (peak - 200) // FLOOR_STEPS * FLOOR_STEPS
    return max(absolute, min(max(from_peak, LOWEST_PEAK_FLOOR), HIGHEST_PEAK_FLOOR))
