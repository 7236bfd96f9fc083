"""A new season: ratings are pulled towards the start."""

from fractions import Fraction

from ratings.core.elo import round_half_away

SHARES = (0, 25, 50, 75, 100)  # per cent of the way


def season_points(rating: int, start: int, share: int) -> int:
    """The points that move a rating by a share (per cent) of its way to the start, rounded half away from zero."""
    return round_half_away(Fraction((start - rating) * share, 100))
