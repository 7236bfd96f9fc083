"""Who is due which colour, and who gets it (C.04.3 1.6, 1.7 and 5.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from tournaments.core.types import Colour


class Strength(IntEnum):
    """How much a colour is due (C.04.3 1.7)."""

    NONE = 0  # no game played yet
    MILD = 1  # as many Whites as Blacks: alternate
    STRONG = 2  # one more of the other colour
    ABSOLUTE = 3  # two more of the other colour, or that colour twice running


@dataclass(frozen=True, slots=True)
class Due:
    """`colour` is None only where the strength is NONE. `difference`: Whites minus Blacks played (C.04.3 1.6)."""

    colour: Colour | None
    strength: Strength
    difference: int


@dataclass(frozen=True, slots=True)
class Side:
    """One of two players who meet: colours of the games played, pairing score in halves, pairing number."""

    colours: Sequence[Colour]
    score: int
    number: int


def due(colours: Sequence[Colour]) -> Due:
    """The colour due after games with these colours; the first definition of C.04.3 1.7 that fits."""
    difference = sum(1 if colour is Colour.WHITE else -1 for colour in colours)
    last, before = (colours[-1], colours[-2]) if len(colours) > 1 else (colours[-1] if colours else None, None)
    if last is None:
        return Due(None, Strength.NONE, difference)
    if abs(difference) > 1:
        return Due(Colour.BLACK if difference > 0 else Colour.WHITE, Strength.ABSOLUTE, difference)
    if last is before:
        return Due(last.other, Strength.ABSOLUTE, difference)
    if difference:
        return Due(Colour.BLACK if difference > 0 else Colour.WHITE, Strength.STRONG, difference)
    return Due(last.other, Strength.MILD, difference)


def first_has_white(one: Side, two: Side, first_colour: Colour) -> bool:
    """Does `one` have White against `two`? By the five rules of C.04.3 5.2, in their order."""
    due_one, due_two = due(one.colours), due(two.colours)
    if due_one.colour is not due_two.colour:  # 5.2.1: both get what they are due
        return due_one.colour is Colour.WHITE or due_two.colour is Colour.BLACK
    wanted = due_one.colour
    if wanted is not None:
        if due_one.strength != due_two.strength:  # 5.2.2: the stronger claim
            return (due_one.strength > due_two.strength) == (wanted is Colour.WHITE)
        if due_one.difference != due_two.difference:  # 5.2.2: both absolute, the wider difference
            return due_one.difference < due_two.difference
        for mine, yours in zip(reversed(one.colours), reversed(two.colours), strict=False):
            if mine is not yours:  # 5.2.3: the other way round than the last time they differed
                return mine is Colour.BLACK
    one_is_higher = (-one.score, one.number) < (-two.score, two.number)
    if wanted is None:  # 5.2.5: the first colour to odd numbers
        number = one.number if one_is_higher else two.number
        wanted = first_colour if number % 2 else first_colour.other
    return one_is_higher == (wanted is Colour.WHITE)  # 5.2.4: the higher ranked gets it
