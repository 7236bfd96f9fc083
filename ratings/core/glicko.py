"""How sure a rating is: the deviation (RD) of Glicko-1, kept beside the Elo number.

Glickman, "The Glicko system": a list uses only the RD part, its number itself is Elo. `rate` is the whole of it, for
the calculator.
"""

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass

START = 350.0
FLOOR = 30.0
C = 34.6  # growth per calendar week without a game
Q = math.log(10) / 400


def g(deviation: float) -> float:
    """How much an opponent's result says, 0 to 1: less the less sure the opponent's number is."""
    return 1 / math.sqrt(1 + 3 * (Q * deviation / math.pi) ** 2)


def idle_weeks(last_day: datetime.date | None, day: datetime.date) -> int:
    """Whole calendar weeks (Monday to Sunday) without a game between two days."""
    if last_day is None:
        return 0
    return max(0, (day.toordinal() - 1) // 7 - (last_day.toordinal() - 1) // 7 - 1)


def after_idle_weeks(deviation: float, weeks: int) -> float:
    """RD after weeks without a game: sqrt(RD^2 + c^2 t), at most 350."""
    return min(START, math.sqrt(deviation**2 + C**2 * weeks)) if weeks else deviation


def after_game(deviation: float, rating: int, opponent: int, opponent_deviation: float) -> float:
    """RD after one game, at least 30, kept to two decimals so that every machine stores the same number."""
    weight = g(opponent_deviation)
    expected = 1 / (1 + 10 ** (weight * (opponent - rating) / 400))
    information = (Q * weight) ** 2 * expected * (1 - expected)
    return max(FLOOR, round(1 / math.sqrt(1 / deviation**2 + information), 2))


def interval(rating: int, deviation: float) -> tuple[int, int]:
    """The range in which the strength lies 19 times in 20: rating -+ 1.96 RD, whole numbers."""
    half = int(1.96 * deviation + 0.5)
    return rating - half, rating + half


@dataclass(frozen=True, slots=True)
class RatedGame:
    """One game of a Glicko period: how much the opponent's number says (`weight`, g), and what was expected."""

    opponent: int
    deviation: int
    score_halves: int
    weight: float
    expected: float


@dataclass(frozen=True, slots=True)
class Rated:
    """Rating and deviation after a period, and the d^2 of the paper (infinite where the games say nothing)."""

    games: tuple[RatedGame, ...]
    before: int
    deviation_before: int
    d_squared: float
    rating: float
    deviation: float

    @property
    def change(self) -> float:
        return self.rating - self.before

    @property
    def interval(self) -> tuple[float, float]:
        """Where the strength lies 19 times in 20: rating -+ 1.96 RD."""
        return self.rating - 1.96 * self.deviation, self.rating + 1.96 * self.deviation


def rate(rating: int, deviation: int, games: Sequence[tuple[int, int, int]]) -> Rated:
    """Glicko-1 for one period, each game (opponent, opponent's deviation, score halves); at least one.

    The deviation is at least 30 afterwards.
    """
    rated = []
    information = surprise = 0.0
    for opponent, opponent_deviation, score_halves in games:
        weight = g(opponent_deviation)
        expected = 1 / (1 + 10 ** (weight * (opponent - rating) / 400))
        information += (Q * weight) ** 2 * expected * (1 - expected)
        surprise += weight * (score_halves / 2 - expected)
        rated.append(RatedGame(opponent, opponent_deviation, score_halves, weight, expected))
    precision = 1 / deviation**2 + information
    return Rated(
        games=tuple(rated),
        before=rating,
        deviation_before=deviation,
        d_squared=1 / information if information else math.inf,
        rating=rating + Q / precision * surprise,
        deviation=max(FLOOR, math.sqrt(1 / precision)),
    )
