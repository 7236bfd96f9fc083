"""Bars of 50 points."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.histogram import BOTTOM, LEFT, RIGHT, TOP, Bar, Edge, Histogram, histogram


def test_no_bars_without_ratings():
    assert histogram([], average=0) is None


def test_one_rating_is_one_bar_in_the_middle():
    bar = Bar(
        low=800, high=849, students=1, x=287.0, y=44.0, width=66.0, height=124.0, middle=320.0, count_y=39.0
    )  # fmt: skip

    assert histogram([800], average=800) == Histogram(
        bars=(bar,), edges=(Edge(284.0, 800), Edge(356.0, 850)), average_x=284.0, fullest=bar
    )


def test_bars_stand_side_by_side_and_empty_ones_keep_their_place():
    picture = histogram([799, 800, 849, 901], average=837.25)
    assert picture is not None

    shown = [(bar.low, bar.high, bar.students, bar.height, bar.count_y is None) for bar in picture.bars]

    assert shown == [
        (750, 799, 1, 62.0, False),
        (800, 849, 2, 124.0, False),
        (850, 899, 0, 0.0, True),
        (900, 949, 1, 62.0, False),
    ]
    assert [edge.rating for edge in picture.edges] == [750, 800, 850, 900, 950]
    assert picture.fullest.low == 800
    assert picture.edges[1].x < picture.average_x < picture.edges[2].x


@pytest.mark.parametrize(("highest", "step"), [(1000, 50), (1100, 100), (1500, 100), (4000, 350)])
def test_labels_leave_each_other_room(highest, step):
    picture = histogram([500, highest - 1], average=800)
    assert picture is not None

    ratings = [edge.rating for edge in picture.edges]

    assert ratings[:2] == [500, 500 + step]
    assert all(later.x - earlier.x >= 55.9 for earlier, later in zip(picture.edges, picture.edges[1:], strict=False))


def test_narrow_bars_have_no_numbers_over_them():
    picture = histogram([0, 4000], average=2000)
    assert picture is not None

    assert {bar.count_y for bar in picture.bars} == {None}


@given(st.lists(st.integers(-100, 4200), min_size=1, max_size=60))
def test_everybody_is_in_one_bar_and_every_bar_in_the_picture(ratings):
    picture = histogram(ratings, average=sum(ratings) / len(ratings))
    assert picture is not None

    assert sum(bar.students for bar in picture.bars) == len(ratings)
    assert [bar.low for bar in picture.bars] == list(range(picture.bars[0].low, picture.bars[-1].low + 1, 50))
    for bar in picture.bars:
        assert bar.students == sum(bar.low <= rating <= bar.high for rating in ratings)
        assert LEFT - 0.1 <= bar.x <= bar.x + bar.width <= RIGHT + 0.1
        assert TOP <= bar.y <= BOTTOM
        assert round(bar.y + bar.height, 1) == BOTTOM
    assert LEFT - 0.1 <= picture.average_x <= RIGHT + 0.1
