"""The curve of the expected score over the rating difference, as SVG coordinates in a box of 640 x 300."""

from dataclasses import dataclass

from ratings.core import fide
from ratings.core.elo import expected_score

WIDEST = 800  # the difference at both ends
STEP = 20
LEFT, RIGHT, TOP, BOTTOM = 58.0, 612.0, 16.0, 240.0
READ_AT = 200  # the difference that is read from the picture as an example


@dataclass(frozen=True, slots=True)
class Tick:
    """A value at an axis and where its line stands. `is_named`: it has a text, for which there is room."""

    at: float
    value: int
    is_named: bool = True


@dataclass(frozen=True, slots=True)
class ExpectedCurve:
    """`points`: by Elo's formula; `table_points`: by FIDE's table, in its steps. `read`: an example's place."""

    points: str
    table_points: str
    differences: tuple[Tick, ...]
    percents: tuple[Tick, ...]
    read_x: float
    read_y: float
    read_percent: float


def expected_curve() -> ExpectedCurve:
    differences = range(-WIDEST, WIDEST + 1, STEP)
    table = [(difference, float(fide.expected_score(difference, 0))) for difference in range(-WIDEST, WIDEST + 1)]
    steps = [pair for index, pair in enumerate(table) if index in (0, len(table) - 1) or _is_edge(table, index)]
    return ExpectedCurve(
        points=" ".join(f"{_x(one)},{_y(expected_score(one, 0))}" for one in differences),
        table_points=" ".join(f"{_x(difference)},{_y(expected)}" for difference, expected in steps),
        differences=tuple(Tick(_x(one), one, one % 400 == 0) for one in range(-WIDEST, WIDEST + 1, 200)),
        percents=tuple(Tick(_y(one / 100), one) for one in range(0, 101, 25)),
        read_x=_x(READ_AT),
        read_y=_y(expected_score(READ_AT, 0)),
        read_percent=100 * expected_score(READ_AT, 0),
    )


def _is_edge(table: list[tuple[int, float]], index: int) -> bool:
    """Does the table's value change before or after this place?"""
    return table[index - 1][1] != table[index][1] or table[index + 1][1] != table[index][1]


def _x(difference: int) -> float:
    return round(LEFT + (difference + WIDEST) / (2 * WIDEST) * (RIGHT - LEFT), 1)


def _y(expected: float) -> float:
    return round(BOTTOM - expected * (BOTTOM - TOP), 1)
