"""School years and terms."""

import datetime
from collections.abc import Sequence

DEFAULT_TERM_STARTS = ("08-01", "02-01")  # two halves of a school year that begins in August
YEAR_BEGINS_IN = 8  # August


def school_year_of(day: datetime.date) -> int:
    """The calendar year in which the school year of a day began: 2026 for every day from 1 August 2026 on."""
    return day.year if day.month >= YEAR_BEGINS_IN else day.year - 1


def school_year_name(year: int) -> str:
    """2026 -> `2026/27`."""
    return f"{year}/{(year + 1) % 100:02d}"


def term_start(day: datetime.date, starts: Sequence[str] = DEFAULT_TERM_STARTS) -> datetime.date:
    """The first day of the term that a day lies in. `starts`: days of the year as `MM-DD`, at least one."""
    candidates = [
        datetime.date(year, int(start[:2]), min(int(start[3:]), 28) if start[:2] == "02" else int(start[3:]))
        for year in (day.year - 1, day.year)
        for start in starts
    ]
    return max(candidate for candidate in candidates if candidate <= day)
