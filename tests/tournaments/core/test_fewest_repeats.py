"""Small groups: fair byes, the fewest repeats, always to the end."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.tournaments.positions import after, tournament
from tests.tournaments.small_groups import (
    Course,
    boards,
    course,
    pairs_of,
    splits,
    value,
    wrong_in_random_states,
)
from tournaments.core import fewest_repeats
from tournaments.core.types import Code, NoPairing, Pair, Paired, Reason, twos


def test_byes_and_repeats_are_those_of_trying_everything():
    """sendou.ink 2002 and more: 1,000 positions of 4 to 8 players."""
    assert wrong_in_random_states(range(1000)) == []


@pytest.mark.parametrize(
    ("players", "rounds", "wanted"),
    [
        (5, 5, Course(repeats=0, byes=(1,) * 5, couples=10)),
        (5, 7, Course(repeats=4, byes=(2, 2, 1, 1, 1), couples=10)),
        (6, 5, Course(repeats=0, byes=(0,) * 6, couples=15)),
        (7, 7, Course(repeats=0, byes=(1,) * 7, couples=21)),
        (8, 7, Course(repeats=0, byes=(0,) * 8, couples=28)),
    ],
)
def test_tournaments_to_the_end(players, rounds, wanted):
    assert {course(players, rounds, seed) for seed in range(10)} == {wanted}


@pytest.mark.parametrize(("players", "rounds"), [(2, 4), (3, 7), (4, 9), (9, 5), (10, 9), (11, 9), (14, 13), (25, 7)])
def test_it_never_stops(players, rounds):
    *played, (end, _) = tournament(fewest_repeats.pair, players, rounds, seed=3)

    byes = [entrant.byes for entrant in end.entrants]
    assert len(played) == rounds
    assert max(byes) - min(byes) <= 1


def test_colours_decide_where_scores_do_not():
    """1 and 3 had White, 2 and 4 Black; upper half against lower half would bring 1 and 3 together."""
    found = fewest_repeats.pair(after(4, "1=2 3=4"))

    assert set(found.pairs) == set(boards("4-1", "2-3"))


@pytest.mark.parametrize("players", [11, 12])
def test_larger_groups_are_matched_as_well_as_by_trying_everything(players):
    *played, _ = tournament(fewest_repeats.pair, players, players, seed=players)
    for state, answer in played[-2:]:
        found = value(state, [pair.players for pair in answer.pairs], only_repeats=False)
        everything = (value(state, split, only_repeats=False) for split in splits(list(range(1, players + 1))))

        assert found == min(everything)


def test_the_first_round_is_upper_half_against_lower_half_and_the_last_has_the_bye():
    assert list(fewest_repeats.pair(after(8)).pairs) == boards("1-5", "6-2", "3-7", "8-4")
    assert list(fewest_repeats.pair(after(7)).pairs) == boards("1-4", "5-2", "3-6", "7")
    assert list(fewest_repeats.pair(after(12)).pairs) == boards("1-7", "8-2", "3-9", "10-4", "5-11", "12-6")


# --- public reports ---


def test_the_same_pupil_does_not_get_the_bye_again_and_again():
    """lila 6619: five pupils, five rounds, White always wins."""
    *played, (end, _) = tournament(fewest_repeats.pair, 5, 5, seed=1, games=(("1", "0"),))

    assert [len(answer.pairs) for _, answer in played] == [3] * 5
    assert sorted(answer.bye for _, answer in played) == [1, 2, 3, 4, 5]
    met = [pair for _, answer in played for pair in pairs_of(answer)]
    assert sorted(map(sorted, met)) == sorted(map(list, combinations(range(1, 6), 2)))
    assert [len(entrant.colours) for entrant in end.entrants] == [4] * 5


@pytest.mark.parametrize("seed", range(20))
def test_nobody_has_a_second_bye_while_another_has_none(seed):
    """lila 6619: seven pupils, five rounds, any results."""
    *played, _ = tournament(fewest_repeats.pair, 7, 5, seed)

    assert len({answer.bye for _, answer in played}) == 5


def test_an_odd_number_and_a_bye_that_was_asked_for():
    """cobra 468: five pupils, one has asked for a bye in round 1."""
    found = fewest_repeats.pair(after(5, absent={4: Code.HALF_BYE}))

    assert found.bye is None
    assert len(found.pairs) == 2


def test_the_only_pairing_without_a_repeat_is_found():
    """phase 7937: pairing from the top repeats two games."""
    found = fewest_repeats.pair(after(4, "1-2 3-4", "1-3 2-4"))

    assert pairs_of(found) == {frozenset((1, 4)), frozenset((2, 3))}
    assert found.repeats == ()


TRIANGLE_AND_PENTAGON = [{1, 2}, {2, 3}, {1, 3}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {4, 8}]


def rounds_without(unplayed: list[set[int]], players: int) -> list[str]:
    """Rounds in which everybody meets everybody but for these."""

    def search(left: set[frozenset[int]]) -> list[list[tuple[int, ...]]] | None:
        if not left:
            return []
        for split in splits(list(range(1, players + 1))):
            couples = set(map(frozenset, split))
            if couples <= left and (rest := search(left - couples)) is not None:
                return [split, *rest]
        return None

    games = {frozenset(couple) for couple in combinations(range(1, players + 1), 2)} - set(map(frozenset, unplayed))
    found = search(games)
    assert found is not None
    return [" ".join(f"{one}={two}" for one, two in split) for split in found]


def test_a_round_is_made_with_the_fewest_repeats_where_there_must_be_one():
    """lila 7675: eight players, round 6; who has not met is a triangle and a pentagon."""
    found = fewest_repeats.pair(after(8, *rounds_without(TRIANGLE_AND_PENTAGON, 8), rounds=7))

    assert len(found.repeats) == 1
    assert len(found.pairs) == 4


# --- the order of what is decided ---

ALL_MET = ("1=2 3=4", "1=3 2=4", "1=4 2=3")


def test_forbidden_goes_before_everything():
    state = after(4, *ALL_MET[:2], forbidden=twos([(1, 4)]))

    found = fewest_repeats.pair(state)

    assert frozenset((1, 4)) not in pairs_of(found)
    assert len(found.repeats) == 2


def test_forbidden_may_leave_no_way():
    state = after(4, forbidden=twos([(1, 2), (1, 3), (1, 4)]))

    assert fewest_repeats.pair(state) == NoPairing(Reason.KEPT_APART)


def test_forbidden_may_move_the_bye():
    state = after(3, forbidden=twos([(1, 2)]))  # 3 is lowest, but 1 and 2 may not meet

    assert fewest_repeats.pair(state).bye == 2


def test_the_bye_goes_before_repeats():
    """Nobody but 3 is without a bye; 1 and 2 have met."""
    state = after(3, "1-2 3", "2-3 1", "1-3 2", "1-2 3", "3-1 2")

    assert fewest_repeats.pair(state) == Paired((Pair(2, 3), Pair(1)), repeats=(Pair(2, 3),))


def test_a_forfeit_win_counts_as_a_bye():
    state = after(3, "3+2", absent={})

    assert fewest_repeats.pair(state).bye == 2


def test_apart_goes_before_scores_and_after_repeats():
    equal = after(4, "1-3 2-4", apart=twos([(1, 2)]))
    no_other = after(4, *ALL_MET[1:], apart=twos([(1, 2)]))

    assert frozenset((1, 2)) not in pairs_of(fewest_repeats.pair(equal))
    assert [set(pair.players) for pair in fewest_repeats.pair(no_other).together] == [{1, 2}]


def test_a_repeat_is_a_second_meeting_rather_than_a_third_and_not_the_last_game():
    fourth = fewest_repeats.pair(after(4, *ALL_MET, rounds=4))
    fifth = fewest_repeats.pair(after(4, *ALL_MET, ALL_MET[0], rounds=5))

    assert frozenset((1, 4)) not in pairs_of(fourth)
    assert frozenset((1, 2)) not in pairs_of(fifth)


def test_a_repeat_is_on_the_least_important_board():
    """Scores 2, 1.5, 1.5, 1; whoever 2 meets is a repeat, and all else is equal."""
    found = fewest_repeats.pair(after(4, "1-2 3 4", "4<2 1 3", "3=2 1 4", bye_halves=1))

    assert found.repeats == (Pair(2, 4),)


def test_the_rounds_to_come_are_looked_at():
    """Six players after two rounds: one pairing without a repeat leaves two triangles, where no round is possible."""
    rounds = ("1=2 3=4 5=6", "2=3 4=5 6=1")
    trap = {frozenset((1, 4)), frozenset((2, 5)), frozenset((3, 6))}

    assert pairs_of(fewest_repeats.pair(after(6, *rounds, rounds=3))) == trap
    assert pairs_of(fewest_repeats.pair(after(6, *rounds, rounds=4))) != trap


def test_who_has_withdrawn_does_not_count_for_the_rounds_to_come():
    state = after(5, "1=2 3=4 5", rounds=4, absent={5: Code.ZERO_BYE})

    assert fewest_repeats.pair(state).repeats == ()
