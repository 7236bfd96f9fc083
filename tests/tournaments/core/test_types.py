"""Codes, rounds and states: what they are worth, and what cannot be."""

from __future__ import annotations

import pytest

from tests.tournaments.positions import after, history
from tournaments.core.types import Code, Colour, Entrant, Played, State

ABSENT = Played(None, None, Code.ZERO_BYE)


def test_what_each_code_is_worth():
    assert {str(code): code.halves() for code in Code} == {
        "1": 2, "=": 1, "0": 0, "W": 2, "D": 1, "L": 0, "+": 2, "-": 0, "U": 2, "F": 2, "H": 1, "Z": 0,
    }  # fmt: skip


@pytest.mark.parametrize("bye_halves", [0, 1, 2])
def test_only_the_pairing_bye_is_worth_what_the_tournament_says(bye_halves):
    entrant = Entrant(1, history=history("U", "F", "H", "Z"))

    assert entrant.score_halves(bye_halves) == bye_halves + 3


def test_only_games_count_as_met_and_for_colours():
    entrant = Entrant(1, history=history("2w1", "3b+", "U", "2b=", "4w-", "5wL"))

    assert entrant.met == (2, 2, 5)
    assert entrant.colours == ("w", "b", "w")


def test_what_bars_from_the_bye():
    assert [str(code) for code in Code if code.bars_bye] == ["+", "U", "F"]
    assert Entrant(1, history=history("U", "2w+", "F", "H", "2w-", "2w1")).byes == 3


@pytest.mark.parametrize(
    ("opponent", "colour", "code"),
    [(None, None, "1"), (2, None, "0"), (None, None, "+"), (2, "w", "U"), (2, None, "Z")],
    ids=["game alone", "game without colours", "forfeit alone", "bye against somebody", "absent against somebody"],
)
def test_a_round_that_cannot_be(opponent, colour, code):
    with pytest.raises(ValueError, match="round|game"):
        Played(opponent, colour, Code(code))


def test_a_forfeit_may_have_no_colours():
    assert Played(2, None, Code.FORFEIT_LOSS).colour is None


@pytest.mark.parametrize(
    ("entrants", "sentence"),
    [
        ([Entrant(1), Entrant(1)], "one id"),
        ([Entrant(1, history=(ABSENT,)), Entrant(2)], "every round"),
        ([Entrant(1, history=history("3w1"))], "no entrants"),
    ],
)
def test_a_state_that_cannot_be(entrants, sentence):
    with pytest.raises(ValueError, match=sentence):
        State(tuple(entrants), rounds=5)


def test_nobody_is_absent_with_a_win_and_withdrawn_means_absent():
    with pytest.raises(ValueError, match="cannot be absent"):
        Entrant(1, absent=Code.WIN)
    with pytest.raises(ValueError, match="withdrawn"):
        Entrant(1, withdrawn=True)


def test_numbers_are_for_those_who_take_part_or_ever_did():
    state = State(
        (
            Entrant(10, history=history("20w1", "Z"), absent=Code.ZERO_BYE),  # played, now absent
            Entrant(20, history=history("10b0", "Z")),
            Entrant(30, history=history("Z", "Z"), absent=Code.ZERO_BYE),  # has not arrived
            Entrant(40, history=history("H", "F"), absent=Code.HALF_BYE),  # only byes that were asked for
            Entrant(50, history=history("Z", "U"), absent=Code.ZERO_BYE),
            Entrant(60, history=history("Z", "Z")),  # arrives now
        ),
        rounds=5,
    )

    assert state.pairing_numbers() == {10: 1, 20: 2, 50: 3, 60: 4}
    assert state.number == 3
    assert [entrant.id for entrant in state.present] == [20, 60]


def test_acceleration_counts_for_pairing_only():
    state = after(2, "1=2", acceleration={1: (2, 1)})

    assert state.scores() == {1: 1, 2: 1}
    assert state.pairing_scores() == {1: 2, 2: 1}


def test_the_other_colour():
    assert [Colour.WHITE.other, Colour.BLACK.other] == [Colour.BLACK, Colour.WHITE]
