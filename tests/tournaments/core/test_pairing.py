"""The port: what is asked before an engine, and what is not believed of its answer."""

from __future__ import annotations

import pytest

from tests.tournaments.positions import after
from tests.tournaments.small_groups import boards
from tournaments.core import fewest_repeats, fide
from tournaments.core.pairing import WrongPairing, answer, in_board_order, pair_softly
from tournaments.core.types import Code, Entrant, NoPairing, Pair, Paired, Reason, State, twos

ENGINES = pytest.mark.parametrize("engine", [fide.pair, fewest_repeats.pair], ids=["fide", "fewest repeats"])

FIVE = after(5, "1-3 2-4 5", rounds=4, forbidden=twos([(1, 4)]), apart=twos([(2, 3)]))
FOUR = after(5, "1-3 2-4 5", rounds=4, absent={5: Code.HALF_BYE})
FORFEITED = after(3, "1+2", rounds=4)
RIGHT = boards("1-2", "3-5", "4")


def test_a_right_answer_is_taken():
    assert answer(FIVE, RIGHT) == Paired(tuple(RIGHT))


@pytest.mark.parametrize(
    ("state", "pairs", "complaint"),
    [
        (FIVE, boards("1-2", "3-5"), "4 has no place"),
        (FIVE, [], "1 has no place"),
        (FIVE, boards("1-2", "1-5", "3-4"), "1 stands there 2 times"),
        (FIVE, boards("1-2", "3-5", "4", "4"), "4 stands there 2 times"),
        (FIVE, boards("1-1", "2-5", "3-4"), "1 stands there 2 times"),
        (FIVE, boards("1-2", "3-5", "4-6"), "6 is not to be paired"),
        (FOUR, boards("1-2", "3-4", "5"), "5 is not to be paired"),
        (FOUR, boards("1-2", "3-5", "4"), "5 is not to be paired"),
        (FIVE, boards("3-1", "2-5", "4"), "3 and 1 have played before"),
        (FIVE, boards("4-1", "2-5", "3"), "4 and 1 may not meet"),
        (FIVE, boards("1-2", "3-4", "5"), "5 may not have the bye again"),
        (FIVE, boards("1-2", "3", "4", "5"), "there are 3 byes"),
        (FOUR, boards("1-2", "3", "4"), "a bye for 3 with an even number of players"),
        (FORFEITED, boards("2-3", "1"), "1 may not have the bye again"),
    ],
)
def test_a_wrong_answer_is_refused(state, pairs, complaint):
    with pytest.raises(WrongPairing, match=complaint):
        answer(state, pairs)


def test_who_did_not_play_has_not_met_and_who_lost_by_forfeit_may_have_the_bye():
    again = answer(FORFEITED, boards("1-3", "2"))

    assert again.bye == 2
    assert answer(FORFEITED, boards("1-2", "3")).repeats == ()


def test_a_lenient_audit_lets_repeats_pass_and_names_them():
    found = answer(FIVE, boards("3-1", "2-4", "5"), strict=False)

    assert found.repeats == (Pair(3, 1), Pair(2, 4))
    assert found.bye == 5


@pytest.mark.parametrize(
    ("pairs", "complaint"),
    [
        (boards("1-2", "3-5"), "no place"),
        (boards("4-1", "2-5", "3"), "may not meet"),
        (boards("1-2", "3", "4", "5"), "byes"),
    ],
)
def test_a_lenient_audit_still_refuses_the_rest(pairs, complaint):
    with pytest.raises(WrongPairing, match=complaint):
        answer(FIVE, pairs, strict=False)


def test_boards_are_ordered_by_the_higher_score_then_the_other_then_the_number():
    state = after(9, "1=2 3-4 5-6 7=8 9", rounds=3)  # 2: 3 5 9, 1: 1 2 7 8, 0: 4 6

    ordered = in_board_order(state, boards("4", "6-9", "1-7", "8-2", "5-3"))

    assert list(ordered) == boards("5-3", "6-9", "1-7", "8-2", "4")


def test_acceleration_does_not_change_the_boards():
    state = after(4, acceleration={3: (2,), 4: (2,)})

    assert list(in_board_order(state, boards("3-4", "1-2"))) == boards("1-2", "3-4")


@ENGINES
@pytest.mark.parametrize(
    "state",
    [
        State((), rounds=5),
        State((Entrant(1),), rounds=5),
        State((Entrant(1, absent=Code.ZERO_BYE), Entrant(2, absent=Code.HALF_BYE)), rounds=5),
        State((Entrant(1), Entrant(2, absent=Code.ZERO_BYE, withdrawn=True)), rounds=5),
    ],
    ids=["nobody", "one", "all absent", "all but one withdrawn"],
)
def test_not_enough_players(engine, state):
    found = engine(state)

    assert found == NoPairing(Reason.NOT_ENOUGH_PLAYERS)
    assert "not enough players" in found.reason


@ENGINES
def test_one_alone_while_the_others_are_absent_has_the_bye(engine):
    state = after(3, absent={2: Code.ZERO_BYE, 3: Code.ZERO_BYE})

    assert engine(state) == Paired((Pair(1),))


@ENGINES
def test_no_round_beyond_the_declared_ones(engine):
    assert engine(after(4, "1-2 3-4", rounds=1)) == NoPairing(Reason.ALL_ROUNDS_PAIRED)


def test_apart_is_kept_where_it_can_be():
    state = after(4, apart=twos([(1, 3), (2, 4)]))

    assert list(fide.pair(state).pairs) == boards("1-3", "4-2")
    assert list(pair_softly(state, fide.pair).pairs) == boards("1-4", "3-2")


def test_apart_is_kept_beside_forbidden():
    state = after(4, apart=twos([(1, 3)]), forbidden=twos([(1, 4)]))

    assert list(pair_softly(state, fide.pair).pairs) == boards("1-2", "3-4")


def test_apart_is_dropped_where_it_leaves_no_pairing():
    state = after(4, "1-3 4-2", "1-4 2-3", apart=twos([(1, 2)]))

    found = pair_softly(state, fide.pair)

    assert {frozenset(pair.players) for pair in found.pairs} == {frozenset((1, 2)), frozenset((3, 4))}
    assert [frozenset(pair.players) for pair in found.together] == [frozenset((1, 2))]


def test_forbidden_stays_forbidden_where_apart_is_dropped():
    state = after(4, "1-3 4-2", "1-4 2-3", apart=twos([(1, 2)]), forbidden=twos([(3, 4)]))

    assert pair_softly(state, fide.pair) == NoPairing(Reason.NO_LEGAL_PAIRING)
