"""FIDE's expected score and K, as a school uses them ("FIDE K", not a FIDE rating)."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from ratings.core.elo import round_half_away
from ratings.core.performance import rating_difference

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


MOST_K_TIMES_GAMES = 700  # B.02 8.3.3: K times the games of a period is no more

HYPOTHETICAL = 1800  # B.02 8.2: a first rating counts two more opponents of this rating, both drawn
HIGHEST_FIRST = 2200
LOWEST_PUBLISHED = 1400  # B.02 7.1.4
GAMES_FOR_FIRST = 5


def counted_difference(rating: int, opponent: int, *, always_capped: bool = False) -> int:
    """The rating difference as it counts: at most 400 either way by 8.3.1.

    From 2650 on the real difference counts; not in rapid and blitz (`always_capped`).
    """
    difference = rating - opponent
    if rating >= UNCAPPED_FROM and not always_capped:
        return difference
    return max(-CAP, min(CAP, difference))


def expected_score(rating: int, opponent: int, *, always_capped: bool = False) -> Fraction:
    """The expected score in hundredths by table 8.1.2, with the 400-point rule of 8.3.1."""
    difference = counted_difference(rating, opponent, always_capped=always_capped)
    higher = Fraction(50 + bisect_left(UPPER_EDGES, abs(difference)), 100)
    return higher if difference >= 0 else 1 - higher


class KReason(StrEnum):
    """Why a player has the K that the player has (B.02 8.3.3)."""

    MASTER = "master"
    JUNIOR = "junior"
    NEW = "new"
    OTHERS = "others"


K_FACTORS = {KReason.MASTER: 10, KReason.JUNIOR: 40, KReason.NEW: 40, KReason.OTHERS: 20}


def k_reason(*, rating: int, peak: int, games: int, juniors: bool) -> KReason:
    """Which line of B.02 8.3.3 gives the K: once 2400 was reached; under 18 and below 2300; the first 30 games; none.

    `games`: rated games before this one. `juniors`: all players of the list are under 18.
    """
    if max(peak, rating) >= MASTER_FROM:
        return KReason.MASTER
    if juniors and rating < JUNIOR_BELOW:
        return KReason.JUNIOR
    return KReason.NEW if games < NEW_BELOW_GAMES else KReason.OTHERS


def k_factor(*, rating: int, peak: int, games: int, juniors: bool) -> int:
    """K by B.02 8.3.3: 10 once 2400 was reached; 40 for juniors below 2300; 40 in the first 30 games; else 20."""
    return K_FACTORS[k_reason(rating=rating, peak=peak, games=games, juniors=juniors)]


def k_for_period(k: int, games: int) -> int:
    """K for so many games of one period: the largest whole number with K x games <= 700, at most K (8.3.3)."""
    return min(k, MOST_K_TIMES_GAMES // games) if games else k


@dataclass(frozen=True, slots=True)
class RatedGame:
    """One game of a period. `counted`: the difference after the 400-point rule; `gained`: score less expected."""

    opponent: int
    score_halves: int
    difference: int
    counted: int
    expected: Fraction
    gained: Fraction


@dataclass(frozen=True, slots=True)
class Period:
    """The games of a rating period. `k` is what the player has, `k_used` what counts for so many games.

    `exact` is the change in hundredths, `change` what is published: rounded once, halves away from zero (8.3.4).
    """

    games: tuple[RatedGame, ...]
    before: int
    reason: KReason
    k: int
    k_used: int
    gained: Fraction
    exact: Fraction
    change: int

    @property
    def after(self) -> int:
        return self.before + self.change


def rate_period(
    rating: int,
    games: Sequence[tuple[int, int]],
    *,
    peak: int,
    games_before: int,
    junior: bool,
    always_capped: bool = False,
) -> Period:
    """A player's period, each game (opponent, score halves), all from the rating at its start (8.3)."""
    rated = []
    for opponent, score_halves in games:
        expected = expected_score(rating, opponent, always_capped=always_capped)
        counted = counted_difference(rating, opponent, always_capped=always_capped)
        gained = Fraction(score_halves, 2) - expected
        rated.append(RatedGame(opponent, score_halves, rating - opponent, counted, expected, gained))
    reason = k_reason(rating=rating, peak=peak, games=games_before, juniors=junior)
    k = K_FACTORS[reason]
    k_used = k_for_period(k, len(rated))
    gained = sum((game.gained for game in rated), Fraction(0))
    return Period(tuple(rated), rating, reason, k, k_used, gained, k_used * gained, round_half_away(k_used * gained))


@dataclass(frozen=True, slots=True)
class FirstRating:
    """A first rating (8.2). `average`: with the two hypothetical opponents; `p_hundredths`: with their two draws.

    `uncapped` is the sum, `rating` at most 2200. `is_published`: enough games, at least half a point, at least 1400.
    """

    games: int
    score_halves: int
    average: Fraction
    p_hundredths: int
    difference: int
    uncapped: int
    rating: int
    is_published: bool


def first_rating(opponents: Sequence[int], score_halves: int) -> FirstRating:
    """The first rating after games with rated opponents: their average with two of 1800 added, both drawn, plus dp.

    A score of 0 gives none: in a first event it is left out (8.2).
    """
    games = len(opponents)
    average = Fraction(sum(opponents) + 2 * HYPOTHETICAL, games + 2)
    p_hundredths = (100 * (score_halves + 2) + (games + 2)) // (2 * (games + 2))
    difference = rating_difference(p_hundredths)
    uncapped = round_half_away(average + difference)
    rating = min(uncapped, HIGHEST_FIRST)
    is_published = games >= GAMES_FOR_FIRST and score_halves > 0 and rating >= LOWEST_PUBLISHED
    return FirstRating(games, score_halves, average, p_hundredths, difference, uncapped, rating, is_published)
