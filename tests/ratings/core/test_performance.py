"""Performance ratings against FIDE's table and examples."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.performance import Performance, linear_performance, performance, rating_difference

LINEAR = json.loads((Path(__file__).parents[2] / "data" / "vectors_calculator.json").read_text())["performance"]
VECTORS = json.loads((Path(__file__).parents[2] / "data" / "vectors_performance.json").read_text())


def test_every_score_of_table_8_1_1():
    computed = [rating_difference(p) for p in range(101)]

    assert computed == VECTORS["table_8_1_1"]["dp_by_p_hundredths"]


@pytest.mark.parametrize(
    "row", VECTORS["performance"], ids=[f"{row['score']} from {row['opponents']}" for row in VECTORS["performance"]]
)
def test_performances(row):
    computed = performance(row["opponents"], int(2 * row["score"]))

    assert computed == Performance(
        games=len(row["opponents"]),
        score_halves=int(2 * row["score"]),
        average=row["average"],
        p_hundredths=row["p_hundredths"],
        difference=row["dp"],
        rating=row["TPR"],
    )


@pytest.mark.parametrize(
    "row", LINEAR["linear_400"], ids=[f"{row['score']} from {row['opponents']}" for row in LINEAR["linear_400"]]
)
def test_performances_by_the_linear_rule(row):
    assert linear_performance(row["opponents"], int(2 * row["score"])) == row["linear_400"]


def test_nobody_met_is_no_performance():
    assert performance([], 0) is None


def test_the_average_and_the_score_are_rounded_half_up():
    one_of_eight = performance([800] * 7 + [804], 2)  # an average of 800.5, a score of .125

    assert one_of_eight == Performance(8, 2, 801, 13, -322, 479)


@given(opponents=st.lists(st.integers(0, 3000), min_size=1, max_size=30), data=st.data())
def test_more_points_never_make_a_lower_performance(opponents, data):
    halves = data.draw(st.integers(0, 2 * len(opponents) - 1))

    less, more = performance(opponents, halves), performance(opponents, halves + 1)

    assert less.rating <= more.rating
