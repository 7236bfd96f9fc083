"""How students are written so that they can be told apart, and how names are compared."""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Name:
    """A student's name as it is kept, with what can tell two of the same name apart."""

    id: int
    first: str
    last: str
    grade: str = ""


def match_key(name: str) -> str:
    """What two spellings of one name share: composed letters, single spaces, no case, one kind of apostrophe.

    Accents count: José Peña and Jose Pena are two people.
    """
    text = unicodedata.normalize("NFC", name)
    text = text.translate({ord(mark): "'" for mark in "’‘ʼ`´"})
    return unicodedata.normalize("NFC", " ".join(text.split()).casefold())


def split_name(text: str) -> tuple[str, str]:
    """`Mia Kowalczyk` and `Kowalczyk, Mia` -> first and last name. The first word is the first name."""
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    if "," in text:
        last, _, first = (part.strip() for part in text.partition(","))
        return (first, last) if first else (last, "")
    first, _, last = text.partition(" ")
    return first, last


AS_ONE_LETTER = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe"})
AS_TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


def finds(sought: str, name: str) -> bool:
    """Is a name found by a part of it, typed with or without accents, ü as ue or as u?

    For looking names up only, never for saying that two are the same: `Sü` and `Sue` are two people.
    """
    return any(part in whole for part in _plain_forms(sought) for whole in _plain_forms(name))


def _plain_forms(text: str) -> set[str]:
    """A text without accents, with the letters that have two spellings written both ways."""
    key = match_key(text)
    forms = (unicodedata.normalize("NFKD", form) for form in (key, key.translate(AS_TWO_LETTERS)))
    return {
        "".join(char for char in form if not unicodedata.combining(char)).translate(AS_ONE_LETTER) for form in forms
    }


def full_labels(names: Iterable[Name]) -> dict[int, str]:
    """`Mia Kowalczyk`; two of the same name with their grade, and where that is the same too, a number."""
    return _told_apart(names, [lambda name: f"{name.first} {name.last}".strip()])


def short_labels(names: Iterable[Name]) -> dict[int, str]:
    """`Mia K.`; where two would be equal, more letters of the last name (`Mia Ke.`), then grade, then number."""
    names = list(names)
    longest = max((len(name.last) for name in names), default=0)
    return _told_apart(names, [_initialled(length) for length in range(1, longest + 1)] or [lambda name: name.first])


def _initialled(length: int) -> Callable[[Name], str]:
    def label(name: Name) -> str:
        if not name.last:
            return name.first
        dot = "." if length < len(name.last) else ""
        return f"{name.first} {name.last[:length].strip()}{dot}"

    return label


def _looks(label: str) -> str:
    """What a label looks like from the back of the room: `Mia K` and `Mia K.` are the same there."""
    return match_key(label).rstrip(".")


def _told_apart(names: Iterable[Name], forms: list[Callable[[Name], str]]) -> dict[int, str]:
    """Each name in the first form in which nobody else looks like it; else the first form with grade and number."""
    labels: dict[int, str] = {}
    open_names = sorted(names, key=lambda name: name.id)
    last_form = forms[0]
    for form in forms:
        groups: dict[str, list[Name]] = defaultdict(list)
        for name in open_names:
            groups[_looks(form(name))].append(name)
        labels |= {name.id: form(name) for group in groups.values() if len(group) == 1 for name in group}
        open_names = [name for group in groups.values() if len(group) > 1 for name in group]
        last_form = form
    by_label: dict[str, list[Name]] = defaultdict(list)
    for name in open_names:
        by_label[_looks(last_form(name))].append(name)
    for group in by_label.values():
        labels |= _with_grade(group, last_form)
    return labels


def _with_grade(group: list[Name], form: Callable[[Name], str]) -> dict[int, str]:
    grades = [match_key(name.grade) for name in group]
    seen: dict[str, int] = defaultdict(int)
    labels = {}
    for name in group:
        grade = match_key(name.grade)
        seen[grade] += 1
        marks = [name.grade] if name.grade else []
        if grades.count(grade) > 1:
            marks.append(f"#{seen[grade]}")
        labels[name.id] = f"{form(name)} ({', '.join(marks)})" if marks else form(name)
    return labels
