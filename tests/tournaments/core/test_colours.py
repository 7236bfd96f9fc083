"""Who is due which colour, and who gets it (C.04.3 1.7 and 5.2)."""

from __future__ import annotations

import pytest

from tests.tournaments.positions import SAMPLE, expected, read, state_of
from tournaments.core.colours import Side, Strength, due, first_has_white
from tournaments.core.types import Colour


def colours(text: str) -> tuple[Colour, ...]:
    return tuple(map(Colour, text))


def side(text: str, score: int = 4, number: int = 1) -> Side:
    return Side(colours(text), score, number)


@pytest.mark.parametrize(
    ("played", "colour", "strength"),
    [
        ("", None, Strength.NONE),
        ("w", "b", Strength.STRONG),
        ("b", "w", Strength.STRONG),
        ("wb", "w", Strength.MILD),
        ("bw", "b", Strength.MILD),
        ("wwb", "b", Strength.STRONG),
        ("ww", "b", Strength.ABSOLUTE),
        ("bww", "b", Strength.ABSOLUTE),  # twice running
        ("wwbw", "b", Strength.ABSOLUTE),  # two more
        ("wwbb", "w", Strength.ABSOLUTE),  # as many of each, but twice running
        ("wwwbb", "w", Strength.ABSOLUTE),  # twice Black running goes before one White more
        ("wwwwbb", "b", Strength.ABSOLUTE),  # two more Whites go before twice Black running
    ],
)
def test_what_is_due(played, colour, strength):
    found = due(colours(played))

    assert (found.colour, found.strength) == (colour, strength)


@pytest.mark.parametrize(
    ("one", "two", "white"),
    [
        (side("b"), side("w"), True),  # 5.2.1 both
        (side("w"), side(""), False),  # 5.2.1 one is due nothing
        (side("wb", number=2), side("b"), False),  # 5.2.2 the stronger
        (side("bbwb", number=2), side("wbb"), True),  # 5.2.2 the wider difference
        (side("bwwb", number=2), side("wbwb"), False),  # 5.2.3 the last time they differed
        (side("wb"), side("wb", number=2), True),  # 5.2.4 the higher ranked by number
        (side("wb"), side("wb", score=6, number=2), False),  # 5.2.4 the higher ranked by score
        (side("", number=1), side("", number=5), True),  # 5.2.5 odd number
        (side("", number=2), side("", number=6), False),  # 5.2.5 even number
    ],
)
def test_who_gets_white(one, two, white):
    assert first_has_white(one, two, Colour.WHITE) is white
    assert first_has_white(two, one, Colour.WHITE) is not white


def test_the_first_colour_is_that_of_number_one():
    one, two = side("", number=1), side("", number=5)

    assert [first_has_white(one, two, colour) for colour in Colour] == [True, False]


def test_colours_of_every_board_of_the_sample():
    wrong = 0
    for position in read(SAMPLE):
        state = state_of(position)
        scores, numbers = state.pairing_scores(), state.pairing_numbers()
        sides = {e.id: Side(e.colours, scores[e.id], numbers[e.id]) for e in state.entrants if e.id in numbers}
        for pair in expected(position) or ():
            if pair.black is not None:
                wrong += not first_has_white(sides[pair.white], sides[pair.black], state.first_colour)
                wrong += first_has_white(sides[pair.black], sides[pair.white], state.first_colour)

    assert wrong == 0
