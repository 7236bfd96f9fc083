"""Who of a list is in the school already."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from classes.core.names import match_key
from classes.core.roster.types import Person, Row


class Place(StrEnum):
    """Where a known student is. UNSEEN: in a class that is not the teacher's, known by id alone."""

    HERE = "here"
    INACTIVE = "inactive"
    ELSEWHERE = "elsewhere"
    UNSEEN = "unseen"


class State(StrEnum):
    NEW = "new"
    HERE = "here"
    INACTIVE = "inactive"
    ELSEWHERE = "elsewhere"
    UNSEEN = "unseen"
    ASK = "ask"  # the same name; the same child?


@dataclass(frozen=True, slots=True)
class Known:
    """A student of the school."""

    id: int
    first: str
    last: str
    grade: str
    email: str
    external_id: str
    place: Place

    @property
    def person(self) -> Person:
        return Person(self.first, self.last, self.grade, self.email, self.external_id)


@dataclass(frozen=True, slots=True)
class Difference:
    """What a list says of a known student that the school does not. Field names are those of Person."""

    field: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Match:
    """`known`: the same child; `candidates`: who may be it. At most one of them is filled."""

    state: State
    known: Known | None = None
    candidates: tuple[Known, ...] = ()
    differences: tuple[Difference, ...] = ()
    by_id: bool = False


def matches(rows: Sequence[Row], known: Iterable[Known]) -> dict[int, Match]:
    """Line -> match, of every row with a person.

    The id of the school's own system decides. Without one the same name is the same child where the student is in
    the class and neither grade, e-mail nor id speak against it; otherwise somebody has to say. Nobody is two people:
    who is found for one line is not found for another. Lines that are students come before those left out.
    """
    return _Search(known).of(rows)


@dataclass
class _Search:
    known: Iterable[Known]
    by_id: dict[str, Known] = field(default_factory=dict)
    by_name: dict[str, list[Known]] = field(default_factory=lambda: defaultdict(list))
    found: set[int] = field(default_factory=set)

    def of(self, rows: Sequence[Row]) -> dict[int, Match]:
        for one in self.known:
            if one.external_id:
                self.by_id[one.external_id] = one
            if one.place != Place.UNSEEN:
                self.by_name[match_key(one.person.full)].append(one)
        people = [(row.line, row.person, row.skipped is None) for row in rows if row.person]
        people.sort(key=lambda item: not item[2])
        matched: dict[int, Match] = {}
        for step in (self._by_id, self._by_name, self._maybe):
            for line, person, _ in people:
                if line not in matched and (match := step(person)):
                    matched[line] = match
        return {line: matched.get(line, Match(State.NEW)) for line, _, _ in people}

    def _by_id(self, person: Person) -> Match | None:
        one = self.by_id.get(person.id) if person.id else None
        if one is None or one.id in self.found:
            return None
        self.found.add(one.id)
        if one.place == Place.UNSEEN:
            return Match(State.UNSEEN, by_id=True)
        return Match(State(one.place), one, differences=differences(person, one, with_name=True), by_id=True)

    def _by_name(self, person: Person) -> Match | None:
        fitting = [one for one in self._same_name(person) if one.place != Place.ELSEWHERE and not _against(person, one)]
        if not fitting:
            return None
        said = [differences(person, one) for one in fitting]
        if len(fitting) > 1 and any(said):
            return None  # whom would the list's e-mail belong to?
        self.found.add(fitting[0].id)
        return Match(State(fitting[0].place), fitting[0], differences=said[0])

    def _maybe(self, person: Person) -> Match | None:
        candidates = self._same_name(person)
        return Match(State.ASK, candidates=tuple(candidates)) if candidates else None

    def _same_name(self, person: Person) -> list[Known]:
        return [
            one
            for one in self.by_name.get(match_key(person.full), ())
            if one.id not in self.found and not (person.id and one.external_id)
        ]


def _against(person: Person, one: Known) -> bool:
    """Grade or e-mail speak against it; the same e-mail speaks for it, whatever the grade is this year."""
    grades, emails = _grade_and_email(person, one)
    if emails[0] and emails[0] == emails[1]:
        return False
    return any(old and new and old != new for old, new in (grades, emails))


def _grade_and_email(person: Person, one: Known) -> tuple[tuple[str, str], tuple[str, str]]:
    return (match_key(one.grade), match_key(person.grade)), (one.email.casefold(), person.email.casefold())


def differences(person: Person, one: Known, *, with_name: bool = False) -> tuple[Difference, ...]:
    """What the list says and the school does not; what the list leaves out is no difference."""
    fields = ["grade", "email", "id", *(("first", "last") if with_name else ())]
    pairs = [(name, str(getattr(one.person, name)), str(getattr(person, name))) for name in fields]
    return tuple(Difference(name, old, new) for name, old, new in pairs if new and match_key(old) != match_key(new))
