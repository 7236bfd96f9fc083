"""A class week by week."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.charts import DayMark
from ratings.core.weeks import LATEST, LEFT, RIGHT, Week, week_charts, weeks

MONDAY = datetime.date(2026, 11, 2)


def day(week: int, weekday: int = 0) -> datetime.date:
    return MONDAY + datetime.timedelta(weeks=week, days=weekday)


def test_the_average_is_counted_back_from_today():
    moves = {day(0, 4): 3, day(2, 0): 5, day(2, 6): -1, day(3, 1): 2}
    awards = {day(0, 4): 3, day(2, 0): 4}

    found = weeks(moves, awards, total=1609, students=2, today=day(3, 2))

    assert found == [
        Week(day(0), day(0, 6), 801.5, 3),  # the second week had nothing
        Week(day(2), day(2, 6), 803.5, 4),
        Week(day(3), day(3, 2), 804.5, 0),  # this week is not over yet
    ]


def test_only_the_latest_weeks_are_shown():
    moves = {day(number): 1 for number in range(LATEST + 5)}

    found = weeks(moves, {}, total=825, students=1, today=day(LATEST + 4))

    assert [week.first for week in found] == [day(number) for number in range(5, LATEST + 5)]
    assert [week.average for week in found] == list(range(806, 826))


def test_no_weeks_without_moves():
    assert weeks({}, {}, total=0, students=0, today=MONDAY) == []
    assert week_charts([]) is None


def charts(*averages: float, points: tuple[int, ...] = ()):
    shown = [
        Week(day(number), day(number, 6), average, points[number] if points else 0)
        for number, average in enumerate(averages)
    ]
    made = week_charts(shown)
    assert made is not None
    return made


def test_small_wiggles_do_not_fill_the_picture():
    made = charts(800, 802.5)

    assert [line.value for line in made.average_grid] == [800, 805, 810, 815, 820]
    assert made.line == "301.0,168.0 373.0,148.8"


def test_a_quiet_class_has_a_straight_line():
    made = charts(800, 800, 800)

    assert len({dot.y for dot in made.dots}) == 1
    assert {column.height for column in made.columns} == {0}


def test_points_stand_on_the_zero_line_and_hang_below_it():
    made = charts(800, 800, points=(30, -10))
    up, down = made.columns

    assert [line.value for line in made.points_grid] == [-10, 0, 10, 20, 30]
    assert (up.below, down.below) == (False, True)
    assert round(up.y + up.height, 1) == made.zero_y == down.y
    assert round(up.height / down.height, 1) == 3.0
    assert up.x + up.width / 2 == pytest.approx(made.dots[0].x)  # both pictures share their weeks


@pytest.mark.parametrize(("number", "named"), [(1, [0]), (2, [0, 1]), (8, [0, 7]), (9, [0, 4, 8])])
def test_first_and_last_week_are_named_and_of_many_the_middle_one(number, named):
    made = charts(*[800.0] * number)

    assert made.days == tuple(DayMark(made.dots[index].x, day(index, 6), "middle") for index in named)


@given(st.lists(st.tuples(st.floats(-200, 4000), st.integers(-20_000, 20_000)), min_size=1, max_size=LATEST))
def test_nothing_leaves_the_picture(values):
    made = charts(*(average for average, _points in values), points=tuple(points for _average, points in values))

    assert all(LEFT <= dot.x <= RIGHT and 13.9 <= dot.y <= 168.1 for dot in made.dots)
    assert all(9.9 <= column.y <= column.y + column.height <= 112.1 for column in made.columns)
    assert 2 <= len(made.average_grid) <= 7
    assert 2 <= len(made.points_grid) <= 7
    assert 0 in {line.value for line in made.points_grid}
