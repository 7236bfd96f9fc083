"""Looking ahead: which pairing of this round leaves the fewest repeats for the next ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tournaments.positions import after
from tests.tournaments.small_groups import boards
from tournaments.core.rounds_to_come import RoundsToCome
from tournaments.core.types import Code, twos

HEXAGON = ("1=2 3=4 5=6", "2=3 4=5 6=1")
TRAP = boards("1-4", "2-5", "3-6")  # leaves two triangles
WAY_OUT = boards("1-4", "2-6", "3-5")  # leaves a hexagon


@pytest.mark.parametrize(
    ("rounds", "chosen"),
    [(3, 0), (4, 1), (5, 1)],
    ids=["nothing comes", "one more round", "two more rounds"],
)
def test_the_way_out_is_taken_where_there_are_rounds_to_come(rounds, chosen):
    state = after(6, *HEXAGON, rounds=rounds)

    assert RoundsToCome(state).choose([TRAP, WAY_OUT]) == chosen
    assert RoundsToCome(state).choose([WAY_OUT, TRAP]) == 0


def test_the_first_of_equals_is_taken():
    state = after(6, rounds=3)

    assert RoundsToCome(state).choose([boards("1-4", "2-5", "3-6"), boards("1-2", "3-4", "5-6")]) == 0


def test_repeats_that_must_come_come_late():
    """Ten rounds for six players: with either there are as many repeats in all, but after the trap one comes now."""
    state = after(6, *HEXAGON, rounds=10)

    assert RoundsToCome(state).choose([TRAP, WAY_OUT]) == 1


def test_in_an_odd_group_the_bye_is_part_of_it():
    """The hexagon with the bye in place of 6: after the trap there is only a round in which 1 has the bye again."""
    state = after(5, "1=2 3=4 5", "2=3 4=5 1", rounds=4)

    assert RoundsToCome(state).choose([boards("1-4", "2-5", "3"), boards("1-4", "3-5", "2")]) == 1


def test_who_may_never_meet_is_no_way_out():
    state = after(4, rounds=3, forbidden=twos([(1, 2)]))  # two rounds without 1-2 and 3-4

    assert RoundsToCome(state).choose([boards("1-3", "2-4"), boards("1-4", "2-3")]) == 0


def test_who_is_absent_comes_back_and_who_has_withdrawn_does_not():
    """With the seventh player there is a way out of the trap, too."""
    absent = after(7, HEXAGON[0] + " 7", HEXAGON[1], rounds=4, absent={7: Code.ZERO_BYE})
    withdrawn = replace(absent, entrants=tuple(replace(e, withdrawn=e.absent is not None) for e in absent.entrants))

    assert RoundsToCome(absent).choose([TRAP, WAY_OUT]) == 0
    assert RoundsToCome(withdrawn).choose([TRAP, WAY_OUT]) == 1


def test_a_long_search_comes_to_an_end():
    state = after(10, "1=2 3=4 5=6 7=8 9=10", rounds=60)

    assert RoundsToCome(state).choose([boards("1-3", "2-4", "5-7", "6-9", "8-10")] * 3) == 0
