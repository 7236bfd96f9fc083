"""How a long list is shared out over the screens of a projector, so that it is read from the back of the room."""

from dataclasses import dataclass
from fractions import Fraction

LINES = 10  # the most in a column: with more, letters are smaller than a 24th of the screen
SHAPE = Fraction(16, 9)  # of a projector, width to height; on others the same lines are only a little smaller
LIST_HEIGHT = Fraction(84, 100)  # of the screen, below the heading


@dataclass(frozen=True, slots=True)
class Part:
    """One screen of a list: items `start` to `stop`, down the first column, then down the next.

    `number` of `screens`, from 1. `columns` of `lines` each; the last one may be shorter.
    """

    start: int
    stop: int
    number: int
    screens: int
    columns: int
    lines: int

    @property
    def next(self) -> int:
        """After the last screen the first one again."""
        return self.number % self.screens + 1


def part(items: int, asked: int, *, most_columns: int, width: int) -> Part:
    """The screen of this number; numbers past the last begin again at the first.

    All screens are about equally full. `width`: what a line needs, in heights of a line; the number of columns (up to
    `most_columns`) is the one that makes the lines largest.
    """
    screens = max(1, _ceil(items, most_columns * LINES))
    number = (asked - 1) % screens + 1
    fullest = max(1, _ceil(items, screens))

    def height_of_a_line(columns: int) -> Fraction:
        return min(LIST_HEIGHT / _ceil(fullest, columns), SHAPE / (columns * width))

    possible = [columns for columns in range(1, most_columns + 1) if _ceil(fullest, columns) <= LINES]
    columns = max(possible, key=lambda columns: (height_of_a_line(columns), -columns))
    return Part(
        start=items * (number - 1) // screens,
        stop=items * number // screens,
        number=number,
        screens=screens,
        columns=columns,
        lines=_ceil(fullest, columns),
    )


def _ceil(dividend: int, divisor: int) -> int:
    return -(-dividend // divisor)
