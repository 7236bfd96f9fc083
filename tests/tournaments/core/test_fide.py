"""Pairing by the Dutch rules, against the rounds of the conformance data and public reports of what went wrong."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from tests.tournaments.positions import FORFEITS, GAMES, SAMPLE, after, expected, history, read, state_of, tournament
from tests.tournaments.small_groups import boards, pairs_of
from tournaments.core import fide
from tournaments.core.types import Code, Colour, Entrant, NoPairing, Paired, Played, Reason, State, twos

POSITIONS = read(SAMPLE)
GROUPS = sorted({position["group"] for position in POSITIONS})


def test_the_sample_is_what_it_should_be():
    without = [position for position in POSITIONS if position["pairings_2026"] is None]

    assert (len(POSITIONS), len(GROUPS), len(without)) == (300, 30, 50)


@pytest.mark.parametrize("group", GROUPS)
def test_pairs_colours_bye_and_boards_are_those_of_the_oracle(group):
    wrong = []
    for position in POSITIONS:
        wanted = expected(position)
        if position["group"] == group and wanted is not None:
            found = fide.pair(state_of(position))
            if found != Paired(wanted):
                wrong.append((position["tournament"], position["round"], found))

    assert wrong == []


def test_a_round_without_a_legal_pairing_says_so():
    found = Counter(fide.pair(state_of(position)) for position in POSITIONS if position["pairings_2026"] is None)

    assert found == {NoPairing(Reason.NO_LEGAL_PAIRING): 50}


def test_the_first_round_by_the_first_colour():
    states = [after(6, first_colour=colour) for colour in Colour]

    assert [list(fide.pair(state).pairs) for state in states] == [
        boards("1-4", "5-2", "3-6"),
        boards("4-1", "2-5", "6-3"),
    ]


def test_nothing_is_left_to_chance():
    before = random.getstate()

    fide.pair(after(7))

    assert random.getstate() == before


def test_who_is_absent_is_not_paired():
    state = after(6, absent={2: Code.HALF_BYE, 5: Code.ZERO_BYE})

    assert list(fide.pair(state).pairs) == boards("1-4", "6-3")


def test_the_last_declared_round_is_paired_by_its_own_rules():
    """Only then may two meet who are both due one colour, if they have more than half the points (C.04.3 1.8)."""
    last = [state_of(p) for p in POSITIONS if p["round"] == p["n_rounds"] and not p["group"].startswith("class")]

    differ = [state for state in last if fide.pair(state) != fide.pair(replace(state, rounds=99))]

    assert differ


@pytest.mark.parametrize("bye_halves", [0, 1, 2])
def test_a_bye_bars_from_the_next_whatever_it_is_worth(bye_halves):
    state = after(5, "1=3 2=4 5", rounds=3, bye_halves=bye_halves)  # 0: 5 is alone in the lowest group

    assert fide.pair(state).bye in {3, 4}


def test_a_bye_is_worth_what_the_tournament_says():
    opponents = {}
    for bye_halves in (0, 1, 2):
        found = fide.pair(after(5, "1-3 2-4 5", rounds=3, bye_halves=bye_halves))
        opponents[bye_halves] = next(set(pair.players) - {5} for pair in found.pairs if 5 in pair.players)

    assert opponents == {0: {3}, 1: {3}, 2: {1}}


@pytest.mark.parametrize("code", ["U", "F"])
def test_a_full_point_bye_bars_like_any_other(code):
    entrants = (
        Entrant(1, history=history("2w1")),
        Entrant(2, history=history("1b0")),
        Entrant(3, history=history(code)),
    )

    assert fide.pair(State(entrants, rounds=3)).bye == 2


def test_everybody_forbidden_to_everybody():
    state = after(4, forbidden=twos([(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]))

    assert fide.pair(state) == NoPairing(Reason.NO_LEGAL_PAIRING)


def test_a_forfeited_game_may_be_paired_again_and_gives_no_colour():
    state = after(2, "1+2", rounds=2)

    assert list(fide.pair(state).pairs) == boards("1-2")


def test_a_double_forfeit_without_colours():
    entrants = tuple(Entrant(one, history=(Played(other, None, Code.FORFEIT_LOSS),)) for one, other in ((1, 2), (2, 1)))

    assert list(fide.pair(State(entrants, rounds=2)).pairs) == boards("1-2")


# --- public reports ---


@pytest.mark.parametrize("seed", range(20))
def test_nobody_has_a_second_bye_while_another_has_none(seed):
    """lila 6619: seven pupils, five rounds, any results."""
    byes = [answer.bye for _, answer in tournament(fide.pair, 7, 5, seed)][:5]

    assert len(set(byes)) == 5


def rounds_of(players: int, rounds: int, seeds: range, games=GAMES) -> list[tuple[State, Paired]]:
    played = [each for seed in seeds for each in tournament(fide.pair, players, rounds, seed, games=games)]
    return [(state, answer) for state, answer in played if answer.pairs]


def test_the_bye_goes_to_the_one_of_the_lowest_group_who_had_none():
    """bbpPairings 27: the lowest group has three pupils, two of whom had the bye already."""
    cases = 0
    for state, answer in rounds_of(9, 6, range(20)):
        scores = state.scores()
        lowest = [entrant for entrant in state.present if scores[entrant.id] == min(scores.values())]
        had_none = [entrant.id for entrant in lowest if not entrant.byes]
        if len(lowest) == 3 and len(had_none) == 1 and isinstance(without(state, had_none[0]), Paired):
            cases += 1
            assert answer.bye == had_none[0]

    assert cases > 0


def test_the_bye_goes_to_the_lowest_score_that_leaves_a_pairing():
    """online-go 2412: with 17 players the bye went to a leader, though one with fewer points had none yet."""
    seen = rounds_of(17, 6, range(3), games=(*GAMES, *GAMES, *FORFEITS))
    for state, answer in seen:
        scores = state.scores()
        lower = [e.id for e in state.present if not e.byes and scores[e.id] < scores[answer.bye]]
        assert [player for player in lower if isinstance(without(state, player), Paired)] == []

    assert len(seen) == 18


def without(state: State, player: int) -> Paired | NoPairing:
    """The round if this player were not there."""
    entrants = tuple(replace(e, absent=Code.ZERO_BYE) if e.id == player else e for e in state.entrants)
    return fide.pair(replace(state, entrants=entrants))


def test_an_odd_number_and_a_bye_that_was_asked_for():
    """cobra 468: five pupils, one has asked for a bye in round 1."""
    found = fide.pair(after(5, absent={4: Code.HALF_BYE}))

    assert found.bye is None
    assert pairs_of(found) == {frozenset((1, 3)), frozenset((2, 5))}
