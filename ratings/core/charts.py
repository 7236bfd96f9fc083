"""The geometry of the curves: numbers in, SVG coordinates out."""

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sparkline:
    """A small curve without axes. `trend` is `up`, `down` or `same` from first to last value."""

    points: str
    trend: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class GridLine:
    y: float
    text_y: float
    value: int


@dataclass(frozen=True, slots=True)
class DayMark:
    x: float
    day: datetime.date
    anchor: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A rating curve with grid lines and days under it, in a box of 640 x 200."""

    points: str
    last_x: float
    last_y: float
    grid: tuple[GridLine, ...]
    days: tuple[DayMark, ...]
    first: int
    last: int


def sparkline(values: Sequence[int], *, width: int = 96, height: int = 26) -> Sparkline | None:
    """A curve over at least two values, scaled to the box; None for fewer."""
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    span = (high - low) or 1
    step = width / (len(values) - 1)
    points = " ".join(
        f"{index * step:.1f},{3 + (high - value) / span * (height - 6):.1f}" for index, value in enumerate(values)
    )
    trend = "up" if values[-1] > values[0] else "down" if values[-1] < values[0] else "same"
    return Sparkline(points, trend, values[0], values[-1])


def curve(ratings: Sequence[tuple[datetime.date, int]], *, start: int) -> Curve | None:
    """The rating from the start through each (day, rating after); one step a game or adjustment. None without any."""
    if not ratings:
        return None
    values = [start, *(rating for _, rating in ratings)]
    left, right, top, bottom = 44.0, 630.0, 14.0, 168.0
    step_size = _grid_step(max(values) - min(values))
    low = math.floor(min(values) / step_size) * step_size
    high = max(math.ceil(max(values) / step_size) * step_size, low + step_size)

    def y(value: int) -> float:
        return round(bottom - (value - low) / (high - low) * (bottom - top), 1)

    def x(index: int) -> float:
        return round(left + index / (len(values) - 1) * (right - left), 1)

    middle = len(ratings) // 2
    marks = [DayMark(left, ratings[0][0], "start")]
    if len(ratings) > 8:
        marks.append(DayMark(x(middle + 1), ratings[middle][0], "middle"))
    if ratings[-1][0] != ratings[0][0]:
        marks.append(DayMark(right, ratings[-1][0], "end"))
    return Curve(
        points=" ".join(f"{x(index)},{y(value)}" for index, value in enumerate(values)),
        last_x=right,
        last_y=y(values[-1]),
        grid=tuple(GridLine(y(value), y(value) + 4, value) for value in range(low, high + 1, step_size)),
        days=tuple(marks),
        first=start,
        last=values[-1],
    )


def _grid_step(span: int) -> int:
    """A round distance between grid lines that gives two to six of them."""
    return next((step for step in (10, 20, 25, 50, 100, 200, 250, 500) if span / step <= 5), 1000)
