"""FIDE's expected score and K, as a school uses them ("FIDE K", not a FIDE rating)."""

from bisect import bisect_left
from fractions import Fraction

# FIDE B.02 table 8.1.2: the largest rating difference for which the higher rated is expected .50, .51, ... .99
UPPER_EDGES = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188,
    197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517,
    559, 619, 735,
)  # fmt: skip
CAP = 400  # B.02 8.3.1: a larger difference counts as 400 ...
UNCAPPED_FROM = 2650  # ... for a player below 2650 (since 1 October 2025)

JUNIOR_BELOW = 2300  # B.02 8.3.3
NEW_BELOW_GAMES = 30
MASTER_FROM = 2400


def expected_score(rating: int, opponent: int) -> Fraction:
    """The expected score in hundredths by table 8.1.2, with the 400-point rule of 8.3.1."""
    difference = rating - opponent
    if rating < UNCAPPED_FROM:
        difference = max(-CAP, min(CAP, difference))
    higher = Fraction(50 + bisect_left(UPPER_EDGES, abs(difference)), 100)
    return higher if difference >= 0 else 1 - higher


def k_factor(*, rating: int, peak: int, games: int, juniors: bool) -> int:
    """K by B.02 8.3.3: 10 once 2400 was reached; 40 for juniors below 2300; 40 in the first 30 games; else 20.

    `games`: rated games before this one. `juniors`: all players of the list are under 18.
    """
    if max(peak, rating) >= MASTER_FROM:
        return 10
    if juniors and rating < JUNIOR_BELOW:
        return 40
    return 40 if games < NEW_BELOW_GAMES else 20
