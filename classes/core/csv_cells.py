"""CSV files that a spreadsheet opens, and their cells."""

import csv
import io
from collections.abc import Iterable

# A cell that begins with one of these is run as a formula, or hides one behind a blank.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def safe_cell(text: str) -> str:
    """A text cell that a spreadsheet shows and never runs: a leading apostrophe where it would be a formula.

    For text alone: a negative number is a number and stays one.
    """
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def plain_cell(text: str) -> str:
    """What `safe_cell` was given, read back."""
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA_STARTS) else text


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """A whole file, its head among the rows; a byte order mark first, by which spreadsheets know UTF-8.

    Text cells are made safe by whoever makes the rows: numbers stay numbers.
    """
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return f"\ufeff{text.getvalue()}"
