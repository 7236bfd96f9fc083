"""Classes of a OneRoster 1.1 folder: who of users.csv is in one of them."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from classes.core.roster.reading import read_text
from classes.core.roster.types import Reading


def class_of(users: str, enrollments: str, class_id: str) -> tuple[Reading, list[dict[str, str | int]]]:
    """The reading of users.csv with the students of the class alone, and the enrolments that are doubtful.

    There is no clock here: an enrolment has ended when it ends before others of the class do.
    """
    lines_of_users = {row["sourcedId"]: line for line, row in _rows(users)}
    of_class = [
        (line, row)
        for line, row in _rows(enrollments)
        if row.get("classSourcedId") == class_id and row.get("role", "").casefold() == "student"
    ]
    last_day = max((row.get("endDate", "") for _, row in of_class), default="")
    doubtful: list[dict[str, str | int]] = []
    members = set()
    for line, row in of_class:
        user = row.get("userSourcedId", "")
        ends = row.get("endDate", "")
        if user not in lines_of_users:
            why = "enrolment of a user that is not in users.csv"
        elif row.get("status", "").casefold() == "tobedeleted":
            why = "enrolment deleted"
        elif ends and ends < last_day:
            why = f"enrolment ended {ends}"
        else:
            members.add(lines_of_users[user])
            continue
        doubtful.append({"line": line, "user": user, "why": why})
    reading = read_text(users)
    return replace(reading, rows=tuple(row for row in reading.rows if row.line in members)), doubtful


def _rows(text: str) -> list[tuple[int, dict[str, str]]]:
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    rows, line = [], 2
    for row in reader:
        rows.append((line, {key: value or "" for key, value in row.items() if key}))
        line = reader.line_num + 1
    return rows
