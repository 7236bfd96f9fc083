"""The bands of the school, the names of time controls, and the curve of the expected score."""

from __future__ import annotations

import pytest

from ratings.core.bands import SCHOOL_BANDS, school_band
from ratings.core.elo import expected_score
from ratings.core.expected_curve import expected_curve
from ratings.core.practice import Piece
from ratings.core.time_controls import Pace, minutes, pace


@pytest.mark.parametrize(
    ("rating", "piece"),
    [
        (0, Piece.PAWN), (99, Piece.PAWN), (699, Piece.PAWN), (700, Piece.KNIGHT), (800, Piece.KNIGHT),
        (900, Piece.BISHOP), (1099, Piece.BISHOP), (1100, Piece.ROOK), (1300, Piece.QUEEN), (1599, Piece.QUEEN),
        (1600, Piece.KING), (2800, Piece.KING),
    ],
)  # fmt: skip
def test_every_rating_has_a_piece(rating, piece):
    assert school_band(rating).piece == piece


def test_the_bands_leave_no_gap_from_100_to_1600():
    lowest = [band.lowest for band in SCHOOL_BANDS]

    assert (lowest[0], lowest[-1]) == (100, 1600)
    assert [band.highest for band in SCHOOL_BANDS] == [*(low - 1 for low in lowest[1:]), None]


@pytest.mark.parametrize(
    ("base", "increment", "time", "name"),
    [
        (3, 0, 3, Pace.TOO_FAST), (2, 1, 3, Pace.TOO_FAST), (3, 2, 5, Pace.BLITZ), (10, 0, 10, Pace.BLITZ),
        (10, 1, 11, Pace.RAPID), (15, 10, 25, Pace.RAPID), (59, 0, 59, Pace.RAPID), (45, 15, 60, Pace.STANDARD),
        (90, 30, 120, Pace.STANDARD),
    ],
)  # fmt: skip
def test_a_time_control_is_named_by_the_time_for_60_moves(base, increment, time, name):
    assert (minutes(base, increment), pace(base, increment)) == (time, name)


def read_from(points: str, x: float) -> float:
    """The expected score that one reads from a drawn line at a place."""
    return next(
        (240 - float(y)) / 224 for place, y in (pair.split(",") for pair in points.split()) if float(place) == x
    )


def test_the_curve_can_be_read():
    curve = expected_curve()

    for tick in curve.differences:
        assert read_from(curve.points, tick.at) == pytest.approx(expected_score(tick.value, 0), abs=0.0005)
    assert read_from(curve.points, curve.read_x) == pytest.approx((240 - curve.read_y) / 224)
    assert curve.read_percent == pytest.approx(75.97, abs=0.01)
    assert read_from(curve.table_points, 58.0) == pytest.approx(0.08, abs=0.0005)  # FIDE's table, capped at 400
    assert read_from(curve.table_points, 612.0) == pytest.approx(0.92, abs=0.0005)
