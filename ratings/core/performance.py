"""The performance rating of some games, as FIDE reckons it.

Rating Regulations B.02, table 8.1.1; Play-Off and Tie-Break Regulations C.07, article 10.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ratings.core.elo import round_half_away

# B.02 table 8.1.1: the rating difference dp for a score of p = .50, .51, ... 1.00; below .50 it is -dp(1 - p)
DIFFERENCES = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
    202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589,
    677, 800,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Performance:
    """A score against opponents, and the rating that it would keep steady."""

    games: int
    score_halves: int
    average: int  # of the opponents
    p_hundredths: int
    difference: int
    rating: int


def rating_difference(p_hundredths: int) -> int:
    """dp of table 8.1.1 for a score of p hundredths: 50 -> 0, 80 -> 240, 20 -> -240, 100 -> 800."""
    if p_hundredths < 50:
        return -rating_difference(100 - p_hundredths)
    return DIFFERENCES[p_hundredths - 50]


def performance(opponents: Sequence[int], score_halves: int) -> Performance | None:
    """The opponents' average plus dp(p) by C.07 10.2; None without a game. Games played over the board only.

    The average is rounded to a whole number and p to hundredths, both half up. All games won: dp is 800 (table 8.1.1).
    """
    games = len(opponents)
    if not games:
        return None
    average = (2 * sum(opponents) + games) // (2 * games)
    p_hundredths = (100 * score_halves + games) // (2 * games)
    difference = rating_difference(p_hundredths)
    return Performance(games, score_halves, average, p_hundredths, difference, average + difference)


def linear_performance(opponents: Sequence[int], score_halves: int) -> int:
    """The old rule of thumb: the opponents' average plus 400 x (wins - losses) / games, a whole number, half up.

    At least one game. It is the table's neighbour between 20 and 80 percent and far from it at the ends.
    """
    surplus = score_halves - len(opponents)  # wins less losses
    return round_half_away(Fraction(sum(opponents) + 400 * surplus, len(opponents)))
