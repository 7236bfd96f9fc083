"""Elo arithmetic against vectors that were computed with exact fractions by an independent program."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.elo import DRAW, LOSS, WIN, expected_score, game_changes, rating_change, round_half_away

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "vectors.json").read_text())["elo"]
EXAMPLES = [example for example in VECTORS["seed_examples"] if "calc" in example]

ratings = st.integers(0, 4000)
scores = st.sampled_from((WIN, DRAW, LOSS))


def played(white: int, black: int, score_halves: int, k_white: int = 32, k_black: int | None = None) -> tuple[int, int]:
    """Both ratings after one game."""
    white_change, black_change = game_changes(
        k_white=k_white,
        k_black=k_white if k_black is None else k_black,
        score_halves=score_halves,
        white_expected=expected_score(white, black),
        black_expected=expected_score(black, white),
    )
    return white + white_change, black + black_change


def played_vector(row: dict) -> tuple[int, int]:
    return played(row["a"], row["b"], int(2 * row["score_a"]), row["k_a"], row["k_b"])


@pytest.mark.parametrize(
    ("white", "black", "score_halves", "after"),
    [
        (1000, 900, WIN, (1012, 888)),
        (1000, 800, DRAW, (992, 808)),
        (1600, 1900, WIN, (1627, 1873)),
        (1800, 1400, WIN, (1803, 1397)),
        (800, 800, DRAW, (800, 800)),
        (800, 800, WIN, (816, 784)),
        (800, 800, LOSS, (784, 816)),
    ],
)
def test_examples_that_the_help_tells(white, black, score_halves, after):
    assert played(white, black, score_halves) == after


@pytest.mark.parametrize("row", [example["calc"] for example in EXAMPLES], ids=[one["claim"] for one in EXAMPLES])
def test_worked_examples(row):
    assert played_vector(row) == (row["new_a_int"], row["new_b_int"])


def test_grid_of_ratings_results_and_k():
    computed = [played_vector(row) for row in VECTORS["grid"]]

    assert computed == [(row["new_a_int"], row["new_b_int"]) for row in VECTORS["grid"]]


def test_expected_scores_of_the_grid_to_ten_decimals():
    computed = [
        (f"{expected_score(row['a'], row['b']):.10f}", f"{expected_score(row['b'], row['a']):.10f}")
        for row in VECTORS["grid"]
    ]

    assert computed == [(row["expected_a"], row["expected_b"]) for row in VECTORS["grid"]]


@pytest.mark.parametrize("row", VECTORS["mixed_k_not_zero_sum"])
def test_with_unequal_k_each_side_is_rounded_once(row):
    assert played_vector(row) == (row["new_a_int"], row["new_b_int"])


@pytest.mark.parametrize(
    "row", VECTORS["integer_dead_zone"], ids=[f"K {row['k']}" for row in VECTORS["integer_dead_zone"]]
)
def test_a_favourite_far_enough_ahead_gains_nothing(row):
    gap = row["gap_at_which_a_win_rounds_to_zero"]

    gains = [rating_change(row["k"], WIN, expected_score(800 + ahead, 800)) for ahead in (gap - 1, gap)]

    assert gains == [1, 0]


@pytest.mark.parametrize(
    "row", VECTORS["rounding_half_cases"], ids=[row["x"] for row in VECTORS["rounding_half_cases"]]
)
def test_halves_are_rounded_away_from_zero(row):
    rounded = [round_half_away(float(row["x"])), round_half_away(Fraction(row["x"]))]

    assert rounded == [row["half_away"], row["half_away"]]


@pytest.mark.parametrize(
    ("value", "whole"),
    [(0, 0), (0.49, 0), (-0.49, 0), (-0.5, -1), (1.5, 2), (2.49999, 2), (11.52, 12)],
)
def test_other_numbers_go_to_the_nearest(value, whole):
    assert round_half_away(value) == whole


def test_an_exact_half_is_one_in_floats_too():
    """Only at gaps of 400 and its multiples can halves come out: there the expected score is 1/11, 1/101, ..."""
    for k in range(1, 201):
        for gap, expected in ((400, Fraction(1, 11)), (-400, Fraction(10, 11)), (800, Fraction(1, 101))):
            for score_halves in (WIN, DRAW, LOSS):
                in_floats = rating_change(k, score_halves, expected_score(1200, 1200 + gap))
                assert in_floats == rating_change(k, score_halves, expected)


@pytest.mark.parametrize("score_halves", [WIN, DRAW, LOSS])
def test_no_point_is_made_or_lost_between_any_two_ratings(score_halves):
    """The winner's gain is the loser's loss, whoever is called White."""
    for white in range(100, 2401, 23):
        for black in range(100, 2401, 29):
            after_white, after_black = played(white, black, score_halves)
            assert after_white + after_black == white + black
            assert played(black, white, WIN - score_halves) == (after_black, after_white)


def test_a_thousand_wins_in_a_row_end_where_the_favourite_gains_nothing_more():
    winner, loser = 1000, 1000

    for _ in range(1000):
        winner, loser = played(winner, loser, WIN)
        assert winner + loser == 2000

    assert (winner, loser) == (1360, 640)


@given(white=ratings, black=ratings, score_halves=scores, k=st.sampled_from((10, 16, 20, 24, 32, 40)))
def test_the_colours_do_not_matter(white, black, score_halves, k):
    white_after, black_after = played(white, black, score_halves, k)

    assert played(black, white, WIN - score_halves, k) == (black_after, white_after)


@given(white=ratings, black=ratings, k=st.integers(1, 200))
def test_a_better_result_is_never_worth_less(white, black, k):
    loss, draw, win = (played(white, black, score, k)[0] - white for score in (LOSS, DRAW, WIN))

    assert -k <= loss <= draw <= win <= k
    assert loss <= 0 <= win


@given(rating=ratings, opponent=ratings)
def test_the_expected_scores_of_both_add_up_to_one(rating, opponent):
    assert expected_score(rating, opponent) + expected_score(opponent, rating) == pytest.approx(1, abs=1e-12)
