"""What is unusual about pairs, and what a round becomes when it is changed by hand."""

from __future__ import annotations

from tests.tournaments.core.test_why import BYE, W, lost, state, won
from tournaments.core.by_hand import joined, swapped, without
from tournaments.core.types import Pair, twos
from tournaments.core.warnings import Kind, Warning, warnings


def test_a_repeat_a_kept_apart_pair_a_third_colour_and_a_second_bye_are_told():
    before = state(
        (won(2), won(3)), (lost(1), BYE), (BYE, lost(1)), apart=twos([(2, 3)]), forbidden=twos([(1, 3)])
    )  # fmt: skip

    assert warnings(before, [Pair(2, 1)]) == (Warning(Kind.REPEAT, (2, 1)),)
    assert warnings(before, [Pair(1, 2)]) == (Warning(Kind.REPEAT, (1, 2)), Warning(Kind.THIRD_COLOUR, (1,), W))
    assert warnings(before, [Pair(3, 2)]) == (Warning(Kind.KEPT_APART, (3, 2)),)
    assert warnings(before, [Pair(3, 1)])[1] == Warning(Kind.KEPT_APART, (3, 1))
    assert warnings(before, [Pair(3), Pair(1)]) == (Warning(Kind.SECOND_BYE, (3,)),)


ROUND = (Pair(1, 2), Pair(3, 4), Pair(5))


def test_swapping_exchanges_seats_colours_or_the_bye():
    assert swapped(ROUND, 1, 4) == (Pair(4, 2), Pair(3, 1), Pair(5))
    assert swapped(ROUND, 1, 2) == (Pair(2, 1), Pair(3, 4), Pair(5))
    assert swapped(ROUND, 5, 4) == (Pair(1, 2), Pair(3, 5), Pair(4))


def test_who_leaves_makes_room_for_the_bye_or_leaves_one_behind():
    assert without(ROUND, 4) == (Pair(1, 2), Pair(3, 5))
    assert without(ROUND[:2], 4) == (Pair(1, 2), Pair(3))
    assert without(ROUND, 5) == ROUND[:2]


def test_who_comes_plays_the_bye_with_black():
    assert joined(ROUND, 6) == (*ROUND[:2], Pair(5, 6))
    assert joined(ROUND[:2], 6) == ROUND[:2]
