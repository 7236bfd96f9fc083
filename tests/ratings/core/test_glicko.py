"""The deviation against the examples of Glickman's paper."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.glicko import FLOOR, START, C, after_game, after_idle_weeks, g, idle_weeks, interval, rate

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "vectors.json").read_text())["glicko"]
PAPER = VECTORS["example"]
ONE_GAME = VECTORS["uncertain_opponent"]
PERIODS = [PAPER, *ONE_GAME]
GROWTH = [case for case in VECTORS["rd_growth"]["cases"] if case["c"] == C]

ratings = st.integers(0, 3000)
deviations = st.floats(FLOOR, START)


def test_weights_of_opponents():
    games = [game for example in (PAPER, *ONE_GAME) for game in example["games"]]

    assert [round(g(game["rdj"]), 10) for game in games] == [game["g"] for game in games]


@pytest.mark.parametrize("row", ONE_GAME, ids=[f"{row['rd']} against {row['games'][0]['rdj']}" for row in ONE_GAME])
def test_deviation_after_one_game(row):
    (game,) = row["games"]

    after = after_game(row["rd"], row["r"], game["rj"], game["rdj"])

    assert after == round(row["rd_new"], 2)


def test_three_games_of_the_paper_one_by_one():
    """With the rating held, game by game comes to what the paper gets for the three at once."""
    deviation = float(PAPER["rd"])

    for game in PAPER["games"]:
        deviation = after_game(deviation, PAPER["r"], game["rj"], game["rdj"])

    assert round(deviation, 1) == PAPER["rd_new_1dp"]


@pytest.mark.parametrize("row", PERIODS, ids=[f"{row['rd']} in {len(row['games'])} games" for row in PERIODS])
def test_whole_periods(row):
    rated = rate(row["r"], row["rd"], [(game["rj"], game["rdj"], 2 * game["s"]) for game in row["games"]])

    assert [(round(game.weight, 10), round(game.expected, 10)) for game in rated.games] == [
        (game["g"], game["E"]) for game in row["games"]
    ]
    assert (round(rated.rating, 7), round(rated.deviation, 8), round(rated.d_squared, 6)) == (
        round(row["r_new"], 7),
        row["rd_new"],
        row["d2"],
    )
    assert [round(edge, 2) for edge in rated.interval] == row["interval95"]


def test_against_somebody_out_of_reach_nothing_is_learned():
    rated = rate(0, 350, [(4000, 0, 0)])

    assert (round(rated.rating, 6), round(rated.deviation, 2)) == (0, 350)


@pytest.mark.parametrize("row", GROWTH, ids=[f"{row['rd']} after {row['t']} weeks" for row in GROWTH])
def test_deviation_grows_with_the_weeks_without_a_game(row):
    assert round(after_idle_weeks(row["rd"], row["t"]), 6) == row["rd_new"]


def test_about_two_years_without_a_game_and_nothing_is_known_any_more():
    assert [after_idle_weeks(50, weeks) for weeks in (0, 101, 5000)] == [50, START, START]
    assert round(after_idle_weeks(50, 100), 1) == 349.6


@pytest.mark.parametrize(
    ("last", "day", "weeks"),
    [
        (None, "2026-03-06", 0),
        ("2026-03-02", "2026-03-08", 0),  # Monday and Sunday of one week
        ("2026-03-02", "2026-03-15", 0),  # the week after
        ("2026-03-08", "2026-03-16", 1),  # Sunday, then the Monday after next: one whole week between
        ("2026-03-02", "2026-03-30", 3),
        ("2025-12-29", "2026-01-12", 1),  # over the end of the year
        ("2026-03-08", "2026-03-02", 0),  # never less than none
    ],
)
def test_only_whole_calendar_weeks_between_two_games_count(last, day, weeks):
    last_day = datetime.date.fromisoformat(last) if last else None

    assert idle_weeks(last_day, datetime.date.fromisoformat(day)) == weeks


def test_interval_of_the_paper():
    low, high = PAPER["interval95"]

    assert interval(PAPER["r_new_rounded"], PAPER["rd_new"]) == (round(low), round(high))


def test_interval_of_a_newcomer():
    assert interval(800, START) == (114, 1486)


@given(deviation=deviations, rating=ratings, opponent=ratings, opponent_deviation=deviations)
def test_a_game_never_makes_a_number_less_sure_and_never_surer_than_the_floor(
    deviation, rating, opponent, opponent_deviation
):
    after = after_game(deviation, rating, opponent, opponent_deviation)

    assert FLOOR <= after <= deviation + 0.005  # kept to two decimals


@given(rating=ratings, surer=deviations, less_sure=deviations)
def test_among_equals_an_unsure_opponent_says_less(rating, surer, less_sure):
    surer, less_sure = sorted((surer, less_sure))

    assert after_game(200, rating, rating, surer) <= after_game(200, rating, rating, less_sure)
