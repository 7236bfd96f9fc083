"""What the calculator reckons, against vectors of exact values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.calculator import compare, replay_games
from ratings.core.elo import DRAW, LOSS, WIN

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "vectors_calculator.json").read_text())["elo"]

ratings = st.integers(0, 4000)


def test_single_games_to_eight_decimals():
    for row in VECTORS["exact"]:
        compared = compare(row["a"], row["b"], row["k"])
        (outcome,) = [one for one in compared.outcomes if one.score_halves == 2 * row["score_a"]]
        exact = (compared.white_expected, compared.black_expected, outcome.white.after, outcome.black.after)
        assert exact == pytest.approx([float(row[key]) for key in ("expected_a", "expected_b", "new_a", "new_b")])
        assert [f"{value:.8f}" for value in exact[2:]] == [f"{float(row[key]):.8f}" for key in ("new_a", "new_b")]
        assert (outcome.white.whole_after, outcome.black.whole_after) == (row["new_a_int"], row["new_b_int"])


def test_a_favourite_720_ahead_gains_nothing():
    assert [compare(800 + ahead, 800, 32).favourite_gains for ahead in (719, 720)] == [1, 0]
    assert compare(800, 1520, 32).favourite_gains == 0


def test_games_in_a_row_start_where_the_one_before_ended():
    replay = replay_games(800, 32, [(800, WIN), (900, DRAW), (700, LOSS)])

    assert [(game.side.before, game.side.whole_change) for game in replay.games] == [(800, 16), (816, 4), (820, -21)]
    assert (replay.after, replay.change, replay.score_halves) == (799, -1, 3)
    assert round(replay.at_once, 4) == round(32 * (1.5 - 0.5 - 0.3599350002 - 0.6400649998), 4)


def test_rated_at_once_every_game_counts_from_the_rating_before_the_first():
    batch = VECTORS["batch"]
    a, b, c = batch["a"].values()

    replay = replay_games(a, batch["k"], [(b, WIN), (c, LOSS)])

    assert f"{a + replay.at_once:.4f}" == batch["after"]["A"]


def test_no_game_is_no_row():
    with pytest.raises(ValueError, match="no game"):
        replay_games(800, 32, [])


@given(white=ratings, black=ratings, k=st.integers(1, 200))
def test_what_one_wins_the_other_loses(white, black, k):
    for outcome in compare(white, black, k).outcomes:
        assert outcome.white.change + outcome.black.change == 0
        assert outcome.white.whole_after + outcome.black.whole_after == white + black
        assert abs(outcome.white.change - outcome.white.whole_change) <= 0.5 + 1e-9
