"""A new season pulls ratings towards the start."""

from __future__ import annotations

import pytest

from ratings.core.seasons import season_points


@pytest.mark.parametrize(
    ("rating", "share", "points"),
    [
        (1000, 0, 0), (1000, 25, -50), (1000, 100, -200), (600, 50, 100), (800, 75, 0),
        (801, 50, -1), (799, 50, 1), (802, 25, -1), (798, 25, 1), (801, 25, 0),
    ],
)  # fmt: skip
def test_the_share_of_the_way_is_rounded_half_away_from_zero(rating, share, points):
    assert season_points(rating, 800, share) == points
