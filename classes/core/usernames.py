"""User names that a child can type: plain small letters, a number only where it must be."""

import itertools
import re
import unicodedata
from collections.abc import Container

LONGEST = 12


def normalise(username: str) -> str:
    """The one spelling of a user name: compatibility form, no space around it, lower case."""
    return unicodedata.normalize("NFKC", username).strip().lower()


def _letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower())


def propose(first_name: str, last_name: str, taken: Container[str]) -> str:
    """A free user name from a name in Latin letters: `mia`, `miak`, `miako`, ... `miak2`.

    The first name alone where it is free, then with more and more of the last name, then with a number from 2 on.
    """
    first = _letters(first_name)[:LONGEST] or "player"
    last = _letters(last_name)
    for length in range(min(len(last), 4) + 1):
        if (name := first + last[:length]) not in taken:
            return name
    stem = first + last[:1]
    return next(name for number in itertools.count(2) if (name := f"{stem}{number}") not in taken)
