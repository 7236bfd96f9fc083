"""A class week by week: its average, and the points that teachers gave. Coordinates in boxes of 640 x 200 and x 140."""

import datetime
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ratings.core.charts import DayMark, GridLine

LATEST = 20  # weeks shown
LEFT, RIGHT = 44.0, 630.0
WIDEST_SLOT = 72.0
WIDEST_BAR = 26.0
LEAST_SPAN = 20  # points: smaller wiggles fill no more of the picture than they are worth
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 2500, 5000)  # between two lines of the grid
MANY = 8  # weeks from which on the middle one is named too


@dataclass(frozen=True, slots=True)
class Week:
    """A week with games or adjustments. `last`: its Sunday, or today; `average`: of the class at its end."""

    first: datetime.date
    last: datetime.date
    average: float
    points: int


@dataclass(frozen=True, slots=True)
class Dot:
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Column:
    """The points of a week as a bar: up from the zero line, or down."""

    x: float
    y: float
    width: float
    height: float
    below: bool


@dataclass(frozen=True, slots=True)
class WeekCharts:
    """Two pictures over the same weeks: the curve of the average, and the points given."""

    line: str
    dots: tuple[Dot, ...]
    average_grid: tuple[GridLine, ...]
    columns: tuple[Column, ...]
    points_grid: tuple[GridLine, ...]
    zero_y: float
    days: tuple[DayMark, ...]


def weeks(
    moves: Mapping[datetime.date, int],
    awards: Mapping[datetime.date, int],
    *,
    total: int,
    students: int,
    today: datetime.date,
) -> list[Week]:
    """The latest weeks in which something happened, oldest first. Weeks begin on Monday.

    `moves`: what all ratings together gained on a day. `awards`: the part of it that teachers gave. `total`: the sum
    of the ratings today, of this number of `students`. The average of earlier weeks is counted back from there: it is
    that of the same students.
    """
    gained, given = _by_week(moves), _by_week(awards)
    found = []
    for monday in sorted({*gained, *given}, reverse=True)[:LATEST]:
        sunday = monday + datetime.timedelta(days=6)
        found.append(Week(monday, min(sunday, today), total / students, given[monday]))
        total -= gained[monday]
    return found[::-1]


def _by_week(days: Mapping[datetime.date, int]) -> Counter[datetime.date]:
    by_week: Counter[datetime.date] = Counter()
    for day, points in days.items():
        by_week[day - datetime.timedelta(days=day.weekday())] += points
    return by_week


def week_charts(shown: Sequence[Week]) -> WeekCharts | None:
    """The pictures of weeks, oldest first; None without any."""
    if not shown:
        return None
    slot = min(WIDEST_SLOT, (RIGHT - LEFT) / len(shown))
    start = (LEFT + RIGHT - slot * len(shown)) / 2
    middles = [round(start + (index + 0.5) * slot, 1) for index in range(len(shown))]

    averages = [week.average for week in shown]
    average_ticks = _ticks(min(averages), max(averages), least=LEAST_SPAN)
    dots = tuple(
        Dot(x, _height(week.average, average_ticks, top=14.0, bottom=168.0))
        for x, week in zip(middles, shown, strict=True)
    )

    points_ticks = _ticks(min(0, *(week.points for week in shown)), max(0, *(week.points for week in shown)), least=5)
    zero = _height(0, points_ticks, top=10.0, bottom=112.0)
    width = round(min(WIDEST_BAR, slot * 0.6), 1)
    columns = []
    for x, week in zip(middles, shown, strict=True):
        y = _height(week.points, points_ticks, top=10.0, bottom=112.0)
        columns.append(
            Column(round(x - width / 2, 1), min(y, zero), width, round(abs(zero - y), 1), below=week.points < 0)
        )

    named = {0, len(shown) - 1} | ({len(shown) // 2} if len(shown) > MANY else set())
    return WeekCharts(
        line=" ".join(f"{dot.x},{dot.y}" for dot in dots),
        dots=dots,
        average_grid=_grid(average_ticks, top=14.0, bottom=168.0),
        columns=tuple(columns),
        points_grid=_grid(points_ticks, top=10.0, bottom=112.0),
        zero_y=zero,
        days=tuple(DayMark(middles[index], shown[index].last, "middle") for index in sorted(named)),
    )


def _ticks(low: float, high: float, *, least: int) -> range:
    """Round numbers around low and high, at least `least` apart, in two to six steps."""
    span = max(high - low, least)
    step = next((step for step in STEPS if span / step <= 4), 10_000)
    bottom = math.floor(low / step) * step
    top = max(math.ceil(high / step) * step, math.ceil((bottom + least) / step) * step)
    return range(bottom, top + 1, step)


def _height(value: float, ticks: range, *, top: float, bottom: float) -> float:
    return round(bottom - (value - ticks[0]) / (ticks[-1] - ticks[0]) * (bottom - top), 1)


def _grid(ticks: range, *, top: float, bottom: float) -> tuple[GridLine, ...]:
    lines = ((_height(value, ticks, top=top, bottom=bottom), value) for value in ticks)
    return tuple(GridLine(y, y + 4, value) for y, value in lines)
