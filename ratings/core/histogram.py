"""How ratings are spread: bars of 50 points, as SVG coordinates in a box of 640 x 200."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 50  # points a bar
LEFT, RIGHT, TOP, BOTTOM = 16.0, 624.0, 44.0, 168.0
WIDEST_SLOT = 72.0  # so that the bars of a small class stay bars
GAP = 6.0  # between two bars
ROOM_OF_COUNT, ROOM_OF_LABEL = 26.0, 56.0


@dataclass(frozen=True, slots=True)
class Bar:
    """The students rated from `low` to `high`, and where their bar stands. `count_y` is None where it has no room."""

    low: int
    high: int
    students: int
    x: float
    y: float
    width: float
    height: float
    middle: float
    count_y: float | None


@dataclass(frozen=True, slots=True)
class Edge:
    """A rating under the edge between two bars."""

    x: float
    rating: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """Bars from the lowest to the highest rating without gaps. `fullest`: the first of the highest bars."""

    bars: tuple[Bar, ...]
    edges: tuple[Edge, ...]
    average_x: float
    fullest: Bar


def histogram(ratings: Sequence[int], *, average: float) -> Histogram | None:
    """The bars of ratings, with the place of their average; None without any."""
    if not ratings:
        return None
    counts = Counter(rating // WIDTH for rating in ratings)
    first, last = min(counts), max(counts)
    number = last - first + 1
    slot = min(WIDEST_SLOT, (RIGHT - LEFT) / number)
    left = (LEFT + RIGHT - number * slot) / 2
    most = max(counts.values())
    gap = min(GAP, slot / 4)

    def bar(step: int) -> Bar:
        students = counts[step]
        x = left + (step - first) * slot
        height = students / most * (BOTTOM - TOP)
        return Bar(
            low=step * WIDTH,
            high=step * WIDTH + WIDTH - 1,
            students=students,
            x=round(x + gap / 2, 1),
            y=round(BOTTOM - height, 1),
            width=round(slot - gap, 1),
            height=round(height, 1),
            middle=round(x + slot / 2, 1),
            count_y=round(BOTTOM - height - 5, 1) if students and slot >= ROOM_OF_COUNT else None,
        )

    bars = tuple(bar(step) for step in range(first, last + 1))
    every = int(-(-ROOM_OF_LABEL // slot))
    return Histogram(
        bars=bars,
        edges=tuple(
            Edge(round(left + (step - first) * slot, 1), step * WIDTH) for step in range(first, last + 2, every)
        ),
        average_x=round(left + (average / WIDTH - first) * slot, 1),
        fullest=max(bars, key=lambda one: one.students),
    )
