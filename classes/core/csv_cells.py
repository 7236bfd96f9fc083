"""Cells of a CSV file that a spreadsheet opens."""

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
