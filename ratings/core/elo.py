"""Elo arithmetic. Ratings are whole numbers; scores are counted in halves (2 a win, 1 a draw, 0 a loss)."""

from fractions import Fraction

WIN, DRAW, LOSS = 2, 1, 0  # score halves


def expected_score(rating: int, opponent: int) -> float:
    """The expected score, 0 to 1: 1 / (1 + 10^((opponent - rating) / 400))."""
    return 1 / (1 + 10 ** ((opponent - rating) / 400))


def round_half_away(value: float | Fraction) -> int:
    """The nearest whole number, halves away from zero: 7.5 -> 8, -7.5 -> -8 (FIDE B.02 8.3.4).

    Neither `int` (truncates) nor `round` (halves to even) may be used on a rating: both make points vanish.
    """
    if value < 0:
        return -round_half_away(-value)
    if isinstance(value, float):
        value = round(value, 9)  # 33 x (1/2 - 1/11) is 13.5, but 13.499999999999998 in floats
    whole = int(value)
    return whole + 1 if value - whole >= 0.5 else whole


def rating_change(k: int, score_halves: int, expected: float | Fraction) -> int:
    """K x (score - expected score) as a whole number, halves away from zero."""
    return round_half_away(k * (Fraction(score_halves, 2) - expected))


def game_changes(
    *, k_white: int, k_black: int, score_halves: int, white_expected: float | Fraction, black_expected: float | Fraction
) -> tuple[int, int]:
    """White's and Black's change from one game; `score_halves` is White's.

    With equal K White's change is computed once and Black's is its negative, so no point is made or lost.
    With unequal K each is rounded once.
    """
    white = rating_change(k_white, score_halves, white_expected)
    if k_white == k_black:
        return white, -white
    return white, rating_change(k_black, WIN - score_halves, black_expected)
