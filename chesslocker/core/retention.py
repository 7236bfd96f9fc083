"""When the data of somebody who has left are due to be erased."""

from __future__ import annotations

import calendar
import datetime
from collections.abc import Iterable


def months_later(day: datetime.date, months: int) -> datetime.date:
    """The same day so many months later (negative: earlier); the last of a month that is too short for it."""
    number = day.year * 12 + day.month - 1 + months
    year, month = divmod(number, 12)
    return datetime.date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def due_on(left: Iterable[datetime.date], *, joined: datetime.date, months: int) -> datetime.date:
    """The day from which a student is due who is in no open class.

    `left`: when each of the student's classes ended for them. `joined`: when the student was added, for one without any
    class. `months`: how long the school keeps the data.
    """
    return months_later(max(left, default=joined), months)
