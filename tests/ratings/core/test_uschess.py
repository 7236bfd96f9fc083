"""US Chess ratings against the papers' examples and values computed by an independent program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.uschess import effective_games, floor, rate_event

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "vectors_calculator.json").read_text())["uschess"]

ratings = st.integers(100, 2800)


def spread(opponents: list[int], score: float) -> list[tuple[int, int]]:
    """Games with the score given to the first opponents: only the sum counts."""
    halves = int(2 * score)
    each = [min(2, max(0, halves - 2 * place)) for place in range(len(opponents))]
    return list(zip(opponents, each, strict=True))


@pytest.mark.parametrize("row", VECTORS["n_star"], ids=[str(row["rating"]) for row in VECTORS["n_star"]])
def test_a_rating_is_worth_so_many_games_and_never_more_than_were_played(row):
    assert (round(effective_games(row["rating"], 1000), 4), effective_games(row["rating"], 3)) == (row["n_star"], 3)


@pytest.mark.parametrize(
    "row", VECTORS["standard"], ids=[f"{row['score']} from {row['opponents']}" for row in VECTORS["standard"]]
)
def test_events_of_players_with_more_than_eight_games(row):
    event = rate_event(row["pre"], row["games_before"], spread(row["opponents"], row["score"]))

    computed = [event.effective, event.k, event.expected, event.bonus]
    assert [round(value, 5) for value in computed] == pytest.approx(
        [row["N_eff"], row["K"], row["expected"], row["bonus"]], abs=1e-5
    )
    assert round(event.rating, 4) == row["post"]


@pytest.mark.parametrize(
    "row",
    VECTORS["k_for_classroom"],
    ids=[f"{row['rating']} in {row['event_games']}" for row in VECTORS["k_for_classroom"]],
)
def test_k_of_a_class_is_no_32(row):
    event = rate_event(row["rating"], 26, [(row["rating"], 1)] * row["event_games"])

    assert round(event.k, 2) == row["K"]


@pytest.mark.parametrize(
    "row", VECTORS["special_exact"], ids=[f"{row['score']} from {row['opponents']}" for row in VECTORS["special_exact"]]
)
def test_first_games_by_the_special_formula(row):
    event = rate_event(row["pre"], row["games_before"], spread(row["opponents"], row["score"]))

    assert (round(event.rating, 4), event.k, event.bonus) == (row["post"], None, None)


def test_the_published_example_of_the_special_formula():
    row = VECTORS["published_vector"]

    event = rate_event(row["pre"], row["N"], list(zip(row["opponents"], (2, 0, 1), strict=True)))

    assert round(event.rating) == row["post"]


def test_where_a_whole_stretch_fits_the_nearest_place_is_taken():
    assert [
        rate_event(1300, 0, [(800, 2)]).rating,  # 1200 and more
        rate_event(1000, 0, [(800, 2)]).rating,
        rate_event(1300, 0, [(1000, 0)]).rating,  # 600 and less
        rate_event(2690, 0, [(2600, 2)]).rating,  # no more than 2700
    ] == [1300, 1200, 600, 2700]


@pytest.mark.parametrize("row", VECTORS["floors"], ids=[f"{row['peak']}" for row in VECTORS["floors"]])
def test_floors(row):
    computed = floor(
        row["peak"],
        established=row["established"],
        wins=row["wins"],
        draws=row["draws"],
        events=row["events3"],
    )

    assert computed == row["floor"]


@given(
    rating=ratings,
    games_before=st.integers(0, 60),
    opponents=st.lists(ratings, min_size=1, max_size=8),
    data=st.data(),
)
def test_a_better_score_never_makes_a_lower_rating(rating, games_before, opponents, data):
    halves = data.draw(st.integers(0, 2 * len(opponents) - 1))

    less, more = (
        rate_event(rating, games_before, spread(opponents, score / 2)).rating for score in (halves, halves + 1)
    )

    assert less <= more + 1e-6
