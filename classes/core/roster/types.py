"""What a class list says, and how it was understood."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum

MOST_BYTES = 1_000_000
MOST_STUDENTS = 2_000
LONGEST_NAME = 80
LONGEST_GRADE = 20
LONGEST_ID = 64
LONGEST_EMAIL = 254


class Meaning(StrEnum):
    """What a column holds. The last four say who is a student of the school now."""

    FIRST = "first"
    LAST = "last"
    NAME = "name"
    GRADE = "grade"
    EMAIL = "email"
    ID = "id"
    IGNORED = "ignored"
    ROLE = "role"
    STATUS = "status"
    ENABLED = "enabled"
    ENROLLED = "enrolled"


class Shape(StrEnum):
    TABLE = "table"
    LINES = "lines"  # one student per line, as people write it
    FIXED = "fixed"  # id and name in columns of blanks, as federations issue their lists for Swiss-Manager
    FIELDS = "fields"  # Name=..., Grade=... line by line, a club list of SwissSys


class Heading(StrEnum):
    """Is the first line of a table a heading? GUESSED: nobody can know; the teacher is asked."""

    KNOWN = "known"
    NONE = "none"
    GUESSED = "guessed"


class Why(StrEnum):
    """Why a line is no student, or doubtful. %(about)s: a line, a name or a value."""

    EMPTY = "empty"
    SEPARATOR = "says how the cells are separated"
    HEADING = "a heading"
    ABOVE_HEADING = "above the heading"
    NOT_A_STUDENT_ROW = "“%(about)s” row, not a student"
    NO_NAME = "no name"
    TOO_LONG = "too long for a name"
    PROSE = "words, not a name"
    SEVERAL = "more than one student in one line"
    ROLE = "role %(about)s"
    SWITCHED_OFF = "switched off in the school’s system"
    DELETED = "deleted in the school’s system"
    LEFT = "no longer enrolled in the school’s system"
    OTHER_GRADE = "another grade"
    REPEATED = "same as line %(about)s"
    MAYBE_HEADING = "a heading or a student?"
    BAD_EMAIL = "“%(about)s” is not an e-mail address"
    SHARED_EMAIL = "same e-mail as line %(about)s"
    SAME_ID = "same id as line %(about)s, left out"
    BAD_ID = "the id is too long, left out"
    GRADE_IS_DATE = "“%(about)s” looks like a grade that a spreadsheet took for a day"
    GRADE_TOO_LONG = "the grade “%(about)s” is too long, cut"
    LEFT_OUT = "“%(about)s” left out"
    ONE_NAME = "one name only"
    MORE_CELLS = "more cells than columns"


class Refusal(StrEnum):
    """Why a file is not read at all."""

    TOO_BIG = "too big"
    TOO_MANY = "too many"
    TOO_WIDE = "too wide"
    EXCEL = "excel"
    ZIP = "zip"
    PDF = "pdf"
    BINARY = "binary"
    WEB_PAGE = "web page"


class Refused(Exception):
    """Not a list that can be read."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Person:
    """A student as a list has it. Only the first name is certain to be there."""

    first: str
    last: str = ""
    grade: str = ""
    email: str = ""
    id: str = ""

    @property
    def full(self) -> str:
        return f"{self.first} {self.last}".strip()


@dataclass(frozen=True, slots=True)
class Doubt:
    why: Why
    about: str = ""

    def __str__(self) -> str:
        return str(self.why) % {"about": self.about}


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a list. `skipped`: why it is no student; a person may still be in it, for the teacher to take."""

    line: int
    person: Person | None
    skipped: Doubt | None = None
    doubts: tuple[Doubt, ...] = ()
    text: str = ""  # of a line without a person: what stands there

    def left_out(self, why: Why, about: str = "") -> Row:
        return replace(self, skipped=Doubt(why, about))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its heading or nothing, what it is taken for, its first values."""

    heading: str
    meaning: Meaning
    samples: tuple[str, ...] = ()


def _grade_order(grade: str) -> tuple[int, str]:
    number = re.search(r"\d+", grade)
    return (int(number[0]) if number else -1, grade)


@dataclass(frozen=True, slots=True)
class Reading:
    """A list, understood. `delimiter`: None where cells are not separated by a character."""

    shape: Shape
    rows: tuple[Row, ...]
    encoding: str | None = None
    delimiter: str | None = None
    columns: tuple[Column, ...] = ()
    heading: Heading = Heading.KNOWN

    @classmethod
    def nothing(cls) -> Reading:
        """Of what could not be read."""
        return cls(Shape.LINES, ())

    def with_grade(self, grade: str) -> Reading:
        """The same list with a grade for those who have none in it."""
        if not grade:
            return self
        rows = (
            replace(row, person=replace(row.person, grade=grade)) if row.person and not row.person.grade else row
            for row in self.rows
        )
        return replace(self, rows=tuple(rows))

    @property
    def grades(self) -> list[str]:
        """The grades of the students, 2 before 10."""
        return sorted({one.grade for one in self.students if one.grade}, key=_grade_order)

    def of_grades(self, grades: Collection[str]) -> Reading:
        """The same list with all other grades left out; with no grade named everybody stays."""
        if not grades:
            return self
        rows = (
            row.left_out(Why.OTHER_GRADE) if row.person and not row.skipped and row.person.grade not in grades else row
            for row in self.rows
        )
        return replace(self, rows=tuple(rows))

    @property
    def taken(self) -> list[Row]:
        return [row for row in self.rows if row.person and not row.skipped]

    @property
    def students(self) -> list[Person]:
        return [row.person for row in self.rows if row.person and not row.skipped]

    @property
    def skipped(self) -> list[tuple[int, Doubt]]:
        return [(row.line, row.skipped) for row in self.rows if row.skipped]

    @property
    def doubtful(self) -> list[tuple[int, Doubt]]:
        """What somebody should look at: doubts about students, and lines left out that may be one."""
        found = []
        for row in self.rows:
            if row.skipped is None or row.skipped.why == Why.HEADING:
                found += [(row.line, doubt) for doubt in row.doubts]
            elif row.skipped.why in {Why.REPEATED, Why.SEVERAL}:
                found.append((row.line, row.skipped))
        return found
