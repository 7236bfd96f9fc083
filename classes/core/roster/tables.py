"""The text of a file -> records of cells, each with the number of its first line."""

from __future__ import annotations

import csv
import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from classes.core.roster.columns import known_headings
from classes.core.roster.types import MOST_STUDENTS, Refusal, Refused

DELIMITERS = "\t;,|"
MOST_LINES = 10 * MOST_STUDENTS
MOST_COLUMNS = 200
LOOK_AT = 5  # records among which a heading is looked for
LONGEST_RECORD = 20  # lines; more means that a quotation mark was never closed
SEPARATOR_HINT = re.compile(r"\s*\"?sep=(.)\"?\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Record:
    line: int
    cells: tuple[str, ...]

    @property
    def empty(self) -> bool:
        return not any(cell.strip() for cell in self.cells)


def lines_of(text: str) -> list[str]:
    """Lines ended by CR LF, LF or CR. The end of the last line begins no new one. Refused for far too many."""
    # Every line costs time, empty ones too: the end comes before the reading.
    if text.count("\n") + text.count("\r") - text.count("\r\n") > MOST_LINES:
        raise Refused(Refusal.TOO_MANY)
    text = text.replace("\u2028", "\n").replace("\u2029", "\n")
    lines = text.replace("\x1a", "").replace("\0", " ").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def separator_hint(lines: Sequence[str]) -> str | None:
    """The delimiter that a first line `sep=;` names, as Excel writes and reads it."""
    match = SEPARATOR_HINT.fullmatch(lines[0]) if lines else None
    return match[1] if match else None


def records_of(lines: Sequence[str], delimiter: str | None, *, first: int = 1) -> list[Record]:
    """The cells of every line. `first`: the number of the first line. A quoted cell may hold line ends.

    Without a delimiter a line is one cell, without the quotation marks around it. A quotation mark that is never
    closed is taken as a letter.
    """
    if delimiter is None:
        return [Record(first + number, (_unquoted(line),)) for number, line in enumerate(lines)]
    records = []
    try:
        reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, skipinitialspace=True)
        begin = 0
        for cells in reader:
            if reader.line_num - begin > LONGEST_RECORD:
                raise csv.Error
            records.append(Record(first + begin, tuple(cells)))
            begin = reader.line_num
    except csv.Error:
        records = [
            Record(first + number, tuple(_unquoted(cell) for cell in line.split(delimiter)))
            for number, line in enumerate(lines)
        ]
    if any(len(record.cells) > MOST_COLUMNS for record in records):
        raise Refused(Refusal.TOO_WIDE)
    return records


def _unquoted(cell: str) -> str:
    cell = cell.strip()
    if len(cell) >= 2 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def delimiter_of_heading(lines: Sequence[str]) -> tuple[str | None, int] | None:
    """The delimiter that makes a line near the top a heading, and the place of that line; None without a heading.

    (None, place) is a list of one column.
    """
    best: tuple[int, int, str | None] | None = None
    top = [(place, line) for place, line in enumerate(lines) if line.strip()][:LOOK_AT]
    for number, (place, line) in enumerate(top):
        for delimiter in (*DELIMITERS, None):
            [record, *_] = records_of([line], delimiter)
            found = known_headings(record.cells)
            # Below the first line one word such as Name may be anything.
            if found > (1 if number else 0) and (best is None or found > best[0]):
                best = (found, place, delimiter)
    if best is None:
        return None
    _, place, delimiter = best
    if delimiter is not None and len(records_of([lines[place]], delimiter)[0].cells) == 1:
        delimiter = None
    return delimiter, place


def delimiter_of_values(lines: Sequence[str]) -> str | None:
    """The character that stands equally often in nearly every line; None where people wrote line by line.

    A comma with a blank behind it belongs to a name: Kowalczyk, Mia.
    """
    filled = list(itertools.islice((line for line in lines if line.strip()), 200))
    for delimiter in DELIMITERS:
        if delimiter == "," and sum(", " in line for line in filled) * 2 > len(filled):
            continue
        widths = Counter(len(record.cells) for record in records_of(filled, delimiter))
        if not widths:
            return None
        width, lines_of_it = widths.most_common(1)[0]
        if width > 1 and lines_of_it >= 0.8 * sum(widths.values()):
            return delimiter
    return None
