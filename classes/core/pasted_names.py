"""A list of names as a teacher pastes it, one per line."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from classes.core.names import match_key

LONGEST = 80
MOST = 200
JOINERS = "\u200c\u200d"  # cannot be seen either, but Persian and Indian names are written with them
# A number at the end is no name; a K (kindergarten) only after a comma, else it is an initial.
GRADE_BEHIND = re.compile(r"\s*(?:[,;]\s*(?=K$)|[,;\s]\s*(?=\d))(?P<grade>K|\d{1,2}[A-Za-z]?)$")
IN_FRONT = re.compile(r"^\s*(?:\d{1,3}(?:\s*[.):–-]\s*|\s+)|[-*•·–](?:\s+|$))")  # 1. 2) 3: 4 - • and the like


class Verdict(StrEnum):
    NEW = "new"
    KNOWN = "known"
    REPEATED = "repeated"
    TOO_LONG = "too long"


@dataclass(frozen=True, slots=True)
class PastedName:
    """One line, read. `verdict` says whether it can be added without asking."""

    line: int
    first: str
    last: str
    verdict: Verdict
    grade: str = ""

    @property
    def full(self) -> str:
        return f"{self.first} {self.last}".strip()


def split_name(text: str) -> tuple[str, str]:
    """`Mia Kowalczyk` and `Kowalczyk, Mia` -> first and last name. The first word is the first name."""
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    if "," in text:
        last, _, first = (part.strip() for part in text.partition(","))
        return (first, last) if first else (last, "")
    first, _, last = text.partition(" ")
    return first, last


def split_grade(text: str) -> tuple[str, str]:
    """`John Smith, 3` and `John Smith 3b` -> name and grade; the grade is empty where the end is no grade."""
    if match := GRADE_BEHIND.search(text):
        return text[: match.start()], match["grade"]
    return text, ""


def _printable(letter: str) -> str:
    """A control character becomes a space, an invisible mark nothing."""
    category = unicodedata.category(letter)
    if category == "Cc":
        return " "
    return "" if category == "Cf" and letter not in JOINERS else letter


def read_names(text: str, known: Collection[str]) -> list[PastedName]:
    """The names of a pasted text. `known`: match keys of the names already in the class.

    A grade may follow. Numbering (`1.`, `2)`), bullets, control characters and invisible marks are
    left out, empty lines too.
    """
    names = []
    seen: Counter[tuple[str, str]] = Counter()
    for number, line in enumerate(text.splitlines(), start=1):
        cleaned = IN_FRONT.sub("", "".join(_printable(letter) for letter in line)).strip(" ;,")
        if not cleaned:
            continue
        cleaned, grade = split_grade(cleaned)
        first, last = split_name(cleaned)
        key = match_key(f"{first} {last}")
        seen[key, grade] += 1
        verdict = Verdict.NEW
        if max(len(first), len(last)) > LONGEST:
            verdict = Verdict.TOO_LONG
        elif key in known:
            verdict = Verdict.KNOWN
        elif seen[key, grade] > 1:
            verdict = Verdict.REPEATED
        names.append(PastedName(number, first, last, verdict, grade))
    return names
