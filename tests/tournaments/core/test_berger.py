"""Berger tables against the handbook's (C.05 Annex 1)."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest

from tests.tournaments.small_groups import boards, longest_run
from tournaments.core.berger import table
from tournaments.core.types import Pair

TABLES = json.loads((Path(__file__).parents[2] / "data" / "vectors_berger.json").read_text())["tables"]
SIZES = range(2, 21)


@pytest.mark.parametrize("players", [int(players) for players in TABLES])
def test_even_fields_are_those_of_the_handbook(players):
    assert [[[pair.white, pair.black] for pair in pairs] for pairs in table(players)] == TABLES[str(players)]


@pytest.mark.parametrize("players", [int(players) - 1 for players in TABLES])
def test_an_odd_field_has_a_bye_in_place_of_the_highest_number(players):
    dummy = players + 1
    wanted = []
    for pairs in TABLES[str(dummy)]:
        games = [Pair(*pair) for pair in pairs if dummy not in pair]
        wanted.append((*games, *(Pair(min(pair)) for pair in pairs if dummy in pair)))

    assert table(players) == tuple(wanted)


@pytest.mark.parametrize("players", SIZES)
def test_everybody_meets_everybody_once(players):
    met = Counter(frozenset(pair.players) for pairs in table(players) for pair in pairs if not pair.is_bye)
    byes = Counter(pair.white for pairs in table(players) for pair in pairs if pair.is_bye)

    assert set(met.values()) == {1}
    assert len(met) == players * (players - 1) // 2
    assert byes == (Counter(range(1, players + 1)) if players % 2 else Counter())


@pytest.mark.parametrize("players", SIZES)
def test_a_double_round_robin_is_once_with_each_colour(players):
    met = Counter(
        (pair.white, pair.black) for pairs in table(players, double=True) for pair in pairs if not pair.is_bye
    )

    assert met == Counter(permutations(range(1, players + 1), 2))


@pytest.mark.parametrize("players", SIZES)
def test_a_double_round_robin_has_nobody_three_times_with_one_colour(players):
    colours = dict.fromkeys(range(1, players + 1), "")
    for pairs in table(players, double=True):
        for pair in pairs:
            if pair.black is not None:
                colours[pair.white] += "w"
                colours[pair.black] += "b"

    assert max(longest_run(tuple(run)) for run in colours.values()) <= 2


def test_the_last_two_rounds_of_the_first_cycle_change_places():
    once, twice = table(6), table(6, double=True)

    assert twice[:5] == (*once[:3], once[4], once[3])
    assert [[pair.white for pair in pairs] for pairs in twice[5:]] == [[pair.black for pair in pairs] for pairs in once]


def test_the_smallest_fields():
    assert table(0) == table(1) == ()
    assert table(2) == (tuple(boards("1-2")),)
    assert [list(pairs) for pairs in table(3)] == [boards("2-3", "1"), boards("1-2", "3"), boards("3-1", "2")]
