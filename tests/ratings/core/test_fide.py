"""FIDE's tables and K against vectors transcribed from the handbook."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.elo import round_half_away
from ratings.core.fide import UNCAPPED_FROM, expected_score, k_factor

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "vectors.json").read_text())["fide"]
TABLE = VECTORS["table_8_1_2"]
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
