"""What an import will do: a list, who of it is known, and what the teacher chose."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from classes.core.roster.matching import Known, Match, Place, State, differences
from classes.core.roster.types import Person, Row

ADD, LEAVE_OUT = "add", "out"  # answers to "the same child?"; any other is the id of a student


@dataclass(frozen=True, slots=True)
class Choices:
    """What was ticked, by line. `who`: the answer to "the same child?". The two `all_` speak for every line."""

    out: Collection[int] = frozenset()
    also: Collection[int] = frozenset()
    update: Collection[int] = frozenset()
    who: Mapping[int, str] = field(default_factory=dict)
    all_same: bool = False
    all_updates: bool = False


@dataclass(slots=True)
class Plan:
    """`new`: students to make; `enroll`: known ones who join the class; `changes`: student -> field of Person -> value.

    `unanswered`: lines with a question that nobody answered yet; nothing may be done while there are any.
    """

    new: list[Person] = field(default_factory=list)
    enroll: list[int] = field(default_factory=list)
    changes: dict[int, dict[str, str]] = field(default_factory=dict)
    known: int = 0
    unanswered: list[int] = field(default_factory=list)


def plan(rows: Sequence[Row], matched: Mapping[int, Match], choices: Choices, ids: Collection[str]) -> Plan:
    """`ids`: those that the school has already; a student who is made anew never gets one of them."""
    made = Plan()
    used = set(ids)
    for row in rows:
        if row.person is None:
            continue
        match = matched[row.line]
        ticked = row.line in choices.also
        if row.skipped or match.state == State.NEW:
            if match.state == State.NEW and (ticked if row.skipped else row.line not in choices.out):
                _add(made, row.person, used)
        elif match.state == State.ASK:
            _answered(made, row.line, row.person, match, choices, used)
        elif match.known is None:
            made.known += 1  # in a class of others
        elif ticked and not match.by_id and match.state != State.ELSEWHERE:
            _add(made, row.person, used)
        elif match.state != State.ELSEWHERE or row.line not in choices.out:
            _same(made, row.line, row.person, match.known, choices)
    return made


def _add(made: Plan, person: Person, used: set[str]) -> None:
    if person.id in used:
        person = replace(person, id="")
    used |= {person.id} - {""}
    made.new.append(person)


def _answered(made: Plan, line: int, person: Person, match: Match, choices: Choices, used: set[str]) -> None:
    answer = choices.who.get(line, "")
    if not answer and choices.all_same and len(match.candidates) == 1:
        answer = str(match.candidates[0].id)
    same = [one for one in match.candidates if str(one.id) == answer]
    if same:
        _same(made, line, person, same[0], choices)
    elif answer == ADD:
        _add(made, person, used)
    elif answer != LEAVE_OUT:
        made.unanswered.append(line)


def _same(made: Plan, line: int, person: Person, one: Known, choices: Choices) -> None:
    if one.place == Place.ELSEWHERE and one.id not in made.enroll:
        made.enroll.append(one.id)
    else:
        made.known += 1
    if choices.all_updates or line in choices.update:
        by_id = bool(person.id) and person.id == one.external_id
        if changed := {said.field: said.new for said in differences(person, one, with_name=by_id)}:
            made.changes[one.id] = changed
