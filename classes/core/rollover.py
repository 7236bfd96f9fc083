"""A change of the school year: into which class everybody goes. Grades and class names move on by one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

NUMBER = re.compile(r"(?<!\d)\d{1,2}(?!\d)")  # of a grade: not a year, such as 2031
LEADING = re.compile(r"(\d{1,2})(st|nd|rd|th)?(?=$|[^0-9A-Za-z]|[A-Za-z](?![A-Za-z]))")
BEFORE_FIRST = {"prek": "K", "pk": "K", "k": "1", "kindergarten": "1"}
TO = "to:"  # a choice for one student: this, and the name of a class


class Fate(StrEnum):
    """What becomes of a student in a class. The first three can also be chosen for one student."""

    UP = "up"
    REPEAT = "repeat"
    LEAVE = "leave"
    LAST = "last"  # leaves, because the last grade is done


@dataclass(frozen=True, slots=True)
class OldClass:
    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Pupil:
    """A student in one of the old classes; who is in two of them is there twice."""

    student: int
    classroom: int
    grade: str


@dataclass(frozen=True, slots=True)
class Choices:
    """What the teacher wants otherwise than proposed.

    `classes`: old class -> name of the class that it becomes; empty where all of them leave. `students`: (student, old
    class) -> a Fate, or `to:` and the name of a class. `last`: the grade after which a student leaves the school.
    """

    classes: Mapping[int, str] = field(default_factory=dict)
    students: Mapping[tuple[int, int], str] = field(default_factory=dict)
    last: int | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """Where a student of an old class goes. `to`: name of the class, empty for none; `grade`: in the new year."""

    student: int
    classroom: int
    fate: Fate
    to: str
    grade: str


def grade_number(grade: str) -> int | None:
    """5 for `5`, `5b` and `Grade 5`; None where there is no number or more than one."""
    numbers = NUMBER.findall(grade)
    return int(numbers[0]) if len(numbers) == 1 else None


def next_grade(grade: str) -> str:
    """`5` -> `6`, `5b` -> `6b`, `K` -> `1`; a grade that is not understood stays."""
    if first := BEFORE_FIRST.get(grade.lower().replace("-", "").replace(" ", "")):
        return first
    number = grade_number(grade)
    return grade if number is None else NUMBER.sub(str(number + 1), grade)


def next_class(name: str) -> str:
    """`5b Chess` -> `6b Chess`, `3rd grade` -> `4th grade`; a name without a grade in front stays: `Room 5`."""
    found = LEADING.match(name)
    if found is None:
        return name
    number = int(found[1]) + 1
    return f"{number}{ordinal_ending(number) if found[2] else ''}{name[found.end() :]}"


def ordinal_ending(number: int) -> str:
    """The letters of an English ordinal: st, nd, rd or th."""
    return "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def last_grade(grades: Iterable[str]) -> int | None:
    """The highest grade, which leaves the school; None where there are fewer than two different ones to tell by."""
    numbers = {number for number in map(grade_number, grades) if number is not None}
    return max(numbers) if len(numbers) > 1 else None


def moves(classes: Sequence[OldClass], pupils: Iterable[Pupil], choices: Choices) -> list[Move]:
    """Where everybody goes: as chosen for the student, else the last grade leaves, else with the class.

    Who repeats in one class keeps the grade in all of them.
    """
    pupils = list(pupils)
    names = {one.id: one.name for one in classes}
    becomes = {one.id: choices.classes.get(one.id, next_class(one.name)) for one in classes}
    chosen = {(pupil.student, pupil.classroom): _chosen(pupil, choices) for pupil in pupils}
    repeats = {student for (student, _classroom), fate in chosen.items() if fate == Fate.REPEAT}
    made = []
    for pupil in pupils:
        fate = chosen[pupil.student, pupil.classroom]
        own = choices.students.get((pupil.student, pupil.classroom), "")
        if fate == Fate.REPEAT:
            to = names[pupil.classroom]
        elif fate in {Fate.LEAVE, Fate.LAST}:
            to = ""
        else:
            to = own.removeprefix(TO) if own.startswith(TO) else becomes[pupil.classroom]
        if not to and fate == Fate.UP:
            fate = Fate.LEAVE
        stays = not to or pupil.student in repeats
        made.append(Move(pupil.student, pupil.classroom, fate, to, pupil.grade if stays else next_grade(pupil.grade)))
    return _one_grade_each(made)


def _chosen(pupil: Pupil, choices: Choices) -> Fate:
    own = choices.students.get((pupil.student, pupil.classroom), "")
    if own in {Fate.REPEAT, Fate.LEAVE, Fate.UP}:
        return Fate(own)
    if own.startswith(TO):
        return Fate.UP
    number = grade_number(pupil.grade)
    return Fate.LAST if choices.last is not None and number is not None and number >= choices.last else Fate.UP


def _one_grade_each(made: Sequence[Move]) -> list[Move]:
    """Who leaves one class and goes on in another has the same grade in both."""
    grades = {move.student: move.grade for move in made if move.to}
    return [
        Move(move.student, move.classroom, move.fate, move.to, grades.get(move.student, move.grade)) for move in made
    ]
