"""Places with ties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.ranks import shared_ranks


@pytest.mark.parametrize(
    ("ratings", "places"),
    [
        ([830, 815, 815, 800], [1, 2, 2, 4]),
        ([800, 800, 800], [1, 1, 1]),
        ([820, 810, 800], [1, 2, 3]),
        ([820, 820, 810, 810, 800], [1, 1, 3, 3, 5]),
        ([0, -5, -5], [1, 2, 2]),
        ([800], [1]),
        ([], []),
    ],
)
def test_equal_ratings_share_a_place_and_the_next_place_is_left_out(ratings, places):
    assert shared_ranks(ratings) == places


@given(st.lists(st.integers(700, 720)))
def test_a_place_is_one_more_than_the_number_of_those_above(ratings):
    ratings.sort(reverse=True)

    assert shared_ranks(ratings) == [1 + sum(other > own for other in ratings) for own in ratings]
