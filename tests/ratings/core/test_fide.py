"""FIDE's tables and K against vectors transcribed from the handbook."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.elo import round_half_away
from ratings.core.fide import (
    UNCAPPED_FROM,
    KReason,
    expected_score,
    first_rating,
    k_factor,
    k_for_period,
    k_reason,
    rate_period,
)

MORE_VECTORS = json.loads((Path(__file__).parents[2] / "data" / "vectors_calculator.json").read_text())["fide"]
VECTORS = json.loads((Path(__file__).parents[2] / "data" / "vectors.json").read_text())["fide"]
TABLE = VECTORS["table_8_1_2"]
FIRST = MORE_VECTORS["initial_rating"]
RAPID = MORE_VECTORS["game_changes_rapid"]
UNCAPPED = 3000  # high enough for both sides to be free of the 400-point rule


def test_every_difference_of_table_8_1_2():
    computed = [int(100 * expected_score(UNCAPPED + gap, UNCAPPED)) for gap in range(801)]

    assert computed == TABLE["pd_hundredths_by_abs_D"]


@pytest.mark.parametrize("row", TABLE["rows"], ids=[f"{row['lo']} to {row['hi']}" for row in TABLE["rows"]])
def test_rows_of_table_8_1_2_for_the_higher_and_the_lower_rated(row):
    for gap in (row["lo"], row["hi"]) if row["hi"] else (row["lo"],):
        both = expected_score(UNCAPPED + gap, UNCAPPED), expected_score(UNCAPPED, UNCAPPED + gap)
        assert both == (Fraction(str(row["H"])), Fraction(str(row["L"])))


@pytest.mark.parametrize(
    "row", VECTORS["game_changes"], ids=[f"{row['own']}-{row['opp']}" for row in VECTORS["game_changes"]]
)
def test_changes_of_single_games(row):
    expected = expected_score(row["own"], row["opp"])

    change = row["K"] * (Fraction(str(row["score"])) - expected)

    assert (float(expected), float(change)) == (row["PD"], row["change"])


@pytest.mark.parametrize("row", VECTORS["k_factor"], ids=[row["desc"] for row in VECTORS["k_factor"]])
def test_k_factors(row):
    computed = k_factor(
        rating=row["rating"],
        peak=2400 if row["ever_published_2400"] else row["rating"],
        games=row["games"],
        juniors=row["list_year"] - row["birth_year"] <= 18,
    )

    assert computed == row["K"]


def test_a_club_of_juniors_has_k_40_until_2300():
    assert [k_factor(rating=rating, peak=rating, games=500, juniors=True) for rating in (800, 2299, 2300)] == [
        40,
        40,
        20,
    ]


@pytest.mark.parametrize(
    "row", VECTORS["period_rounding"], ids=[f"{row['K']} x {row['sum_delta_R']}" for row in VECTORS["period_rounding"]]
)
def test_changes_are_rounded_halves_away_from_zero(row):
    assert round_half_away(row["K"] * Fraction(row["sum_delta_R"])) == row["published"]


@given(rating=st.integers(0, UNCAPPED_FROM - 1), opponent=st.integers(0, UNCAPPED_FROM - 1))
def test_below_2650_both_expected_scores_add_up_and_never_leave_the_table_at_400(rating, opponent):
    own, other = expected_score(rating, opponent), expected_score(opponent, rating)

    assert own + other == 1
    assert Fraction(8, 100) <= own <= Fraction(92, 100)


def test_in_rapid_and_blitz_the_400_points_hold_for_everybody():
    computed = [float(expected_score(row["own"], row["opp"], always_capped=True)) for row in RAPID]

    assert computed == [row["PD"] for row in RAPID]


@pytest.mark.parametrize(
    ("rating", "peak", "games", "junior", "reason"),
    [
        (2350, 2410, 500, False, KReason.MASTER),
        (1500, 1500, 500, True, KReason.JUNIOR),
        (1500, 1500, 29, False, KReason.NEW),
        (1500, 1500, 30, False, KReason.OTHERS),
        (2310, 2310, 30, True, KReason.OTHERS),
    ],
)
def test_the_reason_for_a_k(rating, peak, games, junior, reason):
    assert k_reason(rating=rating, peak=peak, games=games, juniors=junior) == reason


def test_k_times_the_games_of_a_period_is_at_most_700():
    computed = [k_for_period(row["K"], row["n"]) for row in MORE_VECTORS["k_times_n"]]

    assert computed == [row["K_used"] for row in MORE_VECTORS["k_times_n"]]
    assert k_for_period(40, 0) == 40


def test_a_period_is_rounded_once():
    period = rate_period(1500, [(1500, 1), (1510, 2), (1900, 0)], peak=1500, games_before=50, junior=False)

    assert [(game.counted, game.expected, game.gained) for game in period.games] == [
        (0, Fraction(1, 2), 0),
        (-10, Fraction(49, 100), Fraction(51, 100)),
        (-400, Fraction(8, 100), Fraction(-8, 100)),
    ]
    assert (period.k, period.k_used, period.exact, period.change, period.after) == (20, 20, Fraction(86, 10), 9, 1509)


@pytest.mark.parametrize("row", FIRST, ids=[f"{row['score']} from {row['opponents'][0]} x {row['n']}" for row in FIRST])
def test_first_ratings(row):
    first = first_rating(row["opponents"], int(2 * row["score"]))

    assert f"{float(first.average):.4f}" == row["Ra"]
    assert (first.p_hundredths, first.difference, first.uncapped, first.rating, first.is_published) == (
        row["p_hundredths"],
        row["dp"],
        row["Ru"],
        row["after_2200_cap"],
        row["publishable"],
    )


def test_a_first_rating_that_was_published():
    row = MORE_VECTORS["initial_rating_published_fixture"]
    opponents = [row["sum_of_opponents"] // 5] * 4 + [row["sum_of_opponents"] - 4 * (row["sum_of_opponents"] // 5)]

    assert first_rating(opponents, 2 * row["score"]).rating == row["Ru"]


def test_a_first_event_without_half_a_point_is_left_out():
    assert not first_rating([2000] * 5, 0).is_published
