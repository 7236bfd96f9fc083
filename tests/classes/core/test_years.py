"""School years and terms."""

from __future__ import annotations

import datetime

import pytest

from classes.core.years import school_year_name, school_year_of, term_start

DAY = datetime.date.fromisoformat
THREE_TERMS = ["09-01", "01-07", "04-15"]


@pytest.mark.parametrize(
    ("day", "year"),
    [("2026-07-31", 2025), ("2026-08-01", 2026), ("2026-12-31", 2026), ("2027-01-01", 2026), ("2028-02-29", 2027)],
)
def test_a_school_year_begins_on_the_first_of_august(day, year):
    assert school_year_of(DAY(day)) == year


@pytest.mark.parametrize(("year", "name"), [(2026, "2026/27"), (1999, "1999/00"), (2008, "2008/09")])
def test_a_school_year_is_written_with_both_years(year, name):
    assert school_year_name(year) == name


@pytest.mark.parametrize(
    ("day", "start"),
    [
        ("2026-08-01", "2026-08-01"),
        ("2026-12-31", "2026-08-01"),
        ("2027-01-31", "2026-08-01"),
        ("2027-02-01", "2027-02-01"),
        ("2027-07-31", "2027-02-01"),
    ],
)
def test_by_default_a_school_year_has_two_halves(day, start):
    assert term_start(DAY(day)) == DAY(start)


@pytest.mark.parametrize(
    ("day", "start"),
    [
        ("2026-08-31", "2026-04-15"),
        ("2026-09-01", "2026-09-01"),
        ("2027-01-06", "2026-09-01"),
        ("2027-01-07", "2027-01-07"),
        ("2027-04-14", "2027-01-07"),
        ("2027-04-15", "2027-04-15"),
    ],
)
def test_three_terms_in_any_order(day, start):
    assert [term_start(DAY(day), starts) for starts in (THREE_TERMS, THREE_TERMS[::-1])] == [DAY(start)] * 2


def test_a_single_term_lasts_the_whole_year():
    assert [term_start(DAY(day), ["09-01"]) for day in ("2026-08-31", "2026-09-01")] == [
        DAY("2025-09-01"),
        DAY("2026-09-01"),
    ]


@pytest.mark.parametrize(
    ("day", "start"),
    [
        ("2027-02-27", "2026-08-01"),
        ("2027-02-28", "2027-02-28"),
        ("2027-03-01", "2027-02-28"),
        ("2028-03-01", "2028-02-28"),
    ],
)
def test_a_term_that_starts_on_the_leap_day_starts_the_day_before_in_every_year(day, start):
    assert term_start(DAY(day), ["08-01", "02-29"]) == DAY(start)
