"""Whom a file of games means, before anything is written."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from classes.core.names import match_key
from classes.models import Classroom, Enrollment, Student
from ratings.core.game_file import FileGame, Player, Problem
from ratings.models import GameImport


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A student whom the file knows and the school does not."""

    first_name: str
    last_name: str
    external_id: str


@dataclass(frozen=True, slots=True)
class Guest:
    """A student of the school who is not in the class."""

    student: int


@dataclass(frozen=True, slots=True)
class Classmate:
    """A student who is or was in the class."""

    student: int


Person = Classmate | Guest | Newcomer


@dataclass(frozen=True, slots=True)
class Matches:
    """Who each player of a file is, and a sentence for each row where that is not known."""

    people: dict[Player, Person]
    problems: list[Problem]

    @property
    def newcomers(self) -> list[Newcomer]:
        """In the order in which the file names them; each once."""
        return list(dict.fromkeys(person for person in self.people.values() if isinstance(person, Newcomer)))

    @property
    def guests(self) -> list[Guest]:
        return list(dict.fromkeys(person for person in self.people.values() if isinstance(person, Guest)))


class _NotKnown(Exception):
    """Who a player is cannot be told; the message is a sentence for the teacher."""


def was_imported(classroom: Classroom, file_hash: str) -> bool:
    """Was this very file read into this class before?"""
    return GameImport.objects.filter(classroom=classroom, file_hash=file_hash).exists()


def match_players(classroom: Classroom, games: Iterable[FileGame], *, create_students: bool) -> Matches:
    """Who the players are: by the school's own id where the file gives one, else by name among those ever in the class.

    With `create_students` unknown players are newcomers and students of other classes are guests; otherwise both are
    problems. Three queries, however long the file.
    """
    games = list(games)
    players = list(dict.fromkeys(player for game in games for player in (game.white, game.black)))
    search = _Search(classroom, create_students=create_students)
    people: dict[Player, Person] = {}
    unknown: dict[Player, str] = {}
    # Ids first: a name that comes without an id further up may be that of a newcomer who has one.
    for player in sorted(players, key=lambda player: not player.external_id):
        try:
            people[player] = search.by_id(player) if player.external_id else search.by_name(player)
        except _NotKnown as error:
            unknown[player] = str(error)
    problems = []
    for game in games:
        wrong = [unknown[player] for player in (game.white, game.black) if player in unknown]
        if not wrong and people[game.white] == people[game.black]:
            wrong = ["White and Black are the same student."]
        if wrong:
            problems.append(Problem(game.line, " ".join(wrong)))
    return Matches({player: people[player] for player in players if player in people}, problems)


class _Search:
    """The students of a class by id and name, and the newcomers found so far."""

    def __init__(self, classroom: Classroom, *, create_students: bool) -> None:
        self.classroom = classroom
        self.create_students = create_students
        enrolled = set(Enrollment.objects.filter(classroom=classroom).values_list("student_id", flat=True))
        self.ids: dict[str, Person] = {
            student.external_id: Classmate(student.pk) if student.pk in enrolled else Guest(student.pk)
            for student in Student.objects.filter(school=classroom.school).exclude(external_id="")
        }
        self.names: dict[str, list[Person]] = defaultdict(list)
        self.spellings: dict[str, list[str]] = defaultdict(list)
        for student in Student.objects.filter(enrollments__classroom=classroom):
            self._remember(student.full_name, Classmate(student.pk))

    def by_id(self, player: Player) -> Person:
        person = self.ids.get(player.external_id)
        if person is None:
            if not self.create_students:
                raise _NotKnown(f"Nobody in this school has the id “{player.external_id}”{self._called(player)}.")
            return self._newcomer(player)
        if isinstance(person, Guest) and not self.create_students:
            raise _NotKnown(f"The student with the id “{player.external_id}” is not in this class.")
        return person

    def by_name(self, player: Player) -> Person:
        for key in player.keys:
            found = self.names.get(key, [])
            if len(found) > 1:
                raise _NotKnown(f"“{player.name}” is the name of {len(found)} students of this class; give their id.")
            if found:
                return found[0]
        if self.create_students:
            return self._newcomer(player)
        similar = sorted({name for key in player.keys for name in self.spellings.get(_without_accents(key), [])})
        hint = f" Is it {' or '.join(similar)}?" if similar else ""
        raise _NotKnown(f"Nobody in this class is called “{player.name}”.{hint}")

    def _called(self, player: Player) -> str:
        return f" ({player.name})" if player.name else ""

    def _newcomer(self, player: Player) -> Newcomer:
        if not player.name:
            raise _NotKnown(f"Nobody has the id “{player.external_id}”, and there is no name to add a student.")
        newcomer = Newcomer(*player.first_and_last, player.external_id)
        student = Student(
            school=self.classroom.school,
            first_name=newcomer.first_name,
            last_name=newcomer.last_name,
            external_id=newcomer.external_id,
        )
        try:
            student.clean_fields(exclude=["school"])
        except ValidationError as error:
            raise _NotKnown(f"“{player.label}” cannot be added: {' '.join(error.messages)}") from error
        if newcomer.external_id:
            self.ids[newcomer.external_id] = newcomer
        self._remember(student.full_name, newcomer)
        return newcomer

    def _remember(self, name: str, person: Person) -> None:
        self.names[match_key(name)].append(person)
        self.spellings[_without_accents(match_key(name))].append(name)


def _without_accents(key: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFD", key) if not unicodedata.combining(letter))
