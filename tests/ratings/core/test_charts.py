"""The geometry of the curves."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.charts import Curve, DayMark, GridLine, Sparkline, curve, sparkline

FRIDAY = datetime.date(2026, 3, 6)


def days(count: int) -> list[datetime.date]:
    return [FRIDAY + datetime.timedelta(days=number) for number in range(count)]


@pytest.mark.parametrize("values", [[], [800]])
def test_no_small_curve_of_fewer_than_two_values(values):
    assert sparkline(values) is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([800, 816], Sparkline("0.0,23.0 96.0,3.0", "up", 800, 816)),
        ([800, 784], Sparkline("0.0,3.0 96.0,23.0", "down", 800, 784)),
        ([800, 816, 800], Sparkline("0.0,23.0 48.0,3.0 96.0,23.0", "same", 800, 800)),
        ([800, 800], Sparkline("0.0,3.0 96.0,3.0", "same", 800, 800)),  # nothing to scale by
    ],
)
def test_small_curve_fills_its_box(values, expected):
    assert sparkline(values) == expected


def test_no_curve_without_games():
    assert curve([], start=800) is None


def test_curve_begins_at_the_start_and_steps_once_a_game():
    drawn = curve([(FRIDAY, 810)], start=800)

    assert drawn == Curve(
        points="44.0,168.0 630.0,14.0",
        last_x=630.0,
        last_y=14.0,
        grid=(GridLine(168.0, 172.0, 800), GridLine(14.0, 18.0, 810)),
        days=(DayMark(44.0, FRIDAY, "start"),),
        first=800,
        last=810,
    )


@pytest.mark.parametrize("count", [1, 2, 8])
def test_few_games_mark_the_first_day_and_another_last_day(count):
    drawn = curve([(day, 800) for day in days(count)], start=800)

    marks = [DayMark(44.0, FRIDAY, "start")]
    marks += [DayMark(630.0, days(count)[-1], "end")] if count > 1 else []
    assert drawn is not None
    assert list(drawn.days) == marks


def test_many_games_mark_a_day_in_the_middle_under_its_own_point():
    drawn = curve([(day, 800) for day in days(10)], start=800)

    assert drawn is not None
    assert [(mark.day, mark.anchor) for mark in drawn.days] == [
        (days(10)[0], "start"),
        (days(10)[5], "middle"),
        (days(10)[9], "end"),
    ]
    assert drawn.days[1].x == float(drawn.points.split()[6].split(",")[0])


@pytest.mark.parametrize(
    ("ratings", "lines"),
    [
        ([800], [800, 810]),
        ([816], [800, 810, 820]),
        ([816, 784], [780, 790, 800, 810, 820]),
        ([1000], [800, 850, 900, 950, 1000]),
        ([2400], [500, 1000, 1500, 2000, 2500]),
        ([9000], [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000]),
    ],
)
def test_grid_lines_stand_at_round_numbers(ratings, lines):
    drawn = curve([(FRIDAY, rating) for rating in ratings], start=800)

    assert drawn is not None
    assert [line.value for line in drawn.grid] == lines


@given(st.integers(-500, 4000), st.lists(st.integers(-500, 4000), min_size=1, max_size=40))
def test_no_point_leaves_the_box(start, ratings):
    drawn = curve([(FRIDAY, rating) for rating in ratings], start=start)

    assert drawn is not None
    points = [tuple(map(float, point.split(","))) for point in drawn.points.split()]
    assert len(points) == len(ratings) + 1
    assert (points[0][0], points[-1]) == (44.0, (drawn.last_x, drawn.last_y))
    assert all(44 <= x <= 630 and 14 <= y <= 168 for x, y in points)
    assert all(14 <= line.y <= 168 for line in drawn.grid)
    assert (drawn.first, drawn.last) == (start, ratings[-1])
