"""Read a file of games into a class."""

from __future__ import annotations

import hashlib
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from classes.models import Classroom, Student
from classes.services import add_student, enroll
from ratings import services
from ratings.core.game_file import GameFile, Player, Problem, UnreadableFile, decode, read_games
from ratings.models import Game
from ratings.selectors.imports import Classmate, Guest, Matches, Newcomer, Person, match_players, was_imported
from ratings.selectors.ledger import default_list

RESULTS = {halves: result for result, halves in Game.SCORE_HALVES.items()}


def counted(number: int, one: str, many: str) -> str:
    """`1 game`, `20,000 games`."""
    return f"{number:,} {one if number == 1 else many}"


class Command(BaseCommand):
    help = """Read the games of a CSV file into a class and build its ratings. All of the file, or nothing.

Columns are found by their headers: date, white, black, result; white_id and black_id (the school's own
ids) and note where they are there. The file is UTF-8, with commas, semicolons or tabs.
Dates: 2025-09-09, 9.9.2025, 09/09/2025, 9 Sep 2025. The day always stands before the month: 3/4/2025 is
the 3rd of April. An empty date is that of the row above.
Results: 1-0, 0-1, 1/2-1/2, also 1:0, ½, =, draw, white, black wins and their like. Forfeits are refused:
they are not rated.
Students are found by id where the file gives one, else by name among those in the class."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.formatter_class = RawDescriptionHelpFormatter
        parser.add_argument("file", metavar="FILE", help="the CSV file")
        parser.add_argument("--classroom", type=int, required=True, metavar="ID", help="the id of the class")
        parser.add_argument(
            "--create-students", action="store_true", help="add students who are unknown, enrol those of other classes"
        )
        parser.add_argument("--again", action="store_true", help="read a file that was read into this class before")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen and write nothing")

    def handle(
        self,
        *,
        file: str,
        classroom: int,
        create_students: bool = False,
        again: bool = False,
        dry_run: bool = False,
        **options: Any,
    ) -> None:
        started = time.monotonic()
        room = Classroom.objects.select_related("school").filter(pk=classroom).first()
        if room is None:
            raise CommandError(f"There is no class with the id {classroom}.")
        if room.is_archived:
            raise CommandError(f"The class {room} is archived; nothing can be written in it.")
        try:
            data = Path(file).read_bytes()
        except OSError as error:
            raise CommandError(f"The file {file} cannot be read: {error.strerror}.") from error
        try:
            content = read_games(decode(data), today=room.school.today())
        except UnreadableFile as error:
            raise CommandError(str(error)) from error
        self._say(f"Read {counted(len(content.games), 'game', 'games')}")
        for line in content.headings:
            self._say(f"Line {line}: neither players nor a result; left out as a heading.")
        for line in content.repeats:
            self._say(f"Line {line}: the same game as just above; both count.")

        file_hash = hashlib.sha256(data).hexdigest()
        # One transaction, the list locked first: between matching and writing nobody else adds a student or the file.
        with transaction.atomic():
            rating_list = default_list(room.school)
            if not dry_run:
                rating_list = services.lock(rating_list)
            if not again and was_imported(room, file_hash):
                raise CommandError("This file was read into this class before. To read it once more, add --again.")
            matches = match_players(room, content.games, create_students=create_students)
            self._refuse_bad_rows(content, matches)
            if not dry_run:
                ids = self._settle(room, matches)
                self._say("Building the ledger ...")
                try:
                    services.import_games(
                        rating_list=rating_list,
                        classroom=room,
                        games=[
                            services.NewGame(
                                game.day, ids[game.white], ids[game.black], RESULTS[game.score_halves], game.note
                            )
                            for game in content.games
                        ],
                        file_hash=file_hash,
                    )
                except ValidationError as error:
                    raise CommandError(" ".join(error.messages)) from error

        people = set(matches.people.values())
        told = (
            f"{counted(len(content.games), 'game', 'games')}, {counted(len(people), 'student', 'students')} "
            f"({len(matches.newcomers):,} new, {len(matches.guests):,} from other classes)"
        )
        if dry_run:
            self._say(f"Nothing was written. It would be: {told}")
        else:
            self._say(f"Done: {told} in {time.monotonic() - started:.1f} s")

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()

    def _refuse_bad_rows(self, content: GameFile, matches: Matches) -> None:
        problems: list[Problem] = sorted([*content.problems, *matches.problems], key=lambda problem: problem.line)
        for problem in problems:
            self.stderr.write(f"Line {problem.line}: {problem.text}")
        if problems:
            raise CommandError(f"{counted(len(problems), 'row', 'rows')} cannot be read. Nothing was imported.")
        if not content.games:
            raise CommandError("There are no games in the file.")

    def _settle(self, classroom: Classroom, matches: Matches) -> dict[Player, int]:
        """Add newcomers, enrol guests; the id of each player of the file."""
        ids: dict[Person, int] = {}
        for person in dict.fromkeys(matches.people.values()):
            if isinstance(person, Newcomer):
                ids[person] = self._add(classroom, person).pk
            elif isinstance(person, Guest):
                enroll(Student.objects.get(pk=person.student), classroom)
                ids[person] = person.student
            elif isinstance(person, Classmate):
                ids[person] = person.student
        return {player: ids[person] for player, person in matches.people.items()}

    def _add(self, classroom: Classroom, newcomer: Newcomer) -> Student:
        try:
            return add_student(
                classroom=classroom,
                first_name=newcomer.first_name,
                last_name=newcomer.last_name,
                external_id=newcomer.external_id,
            )
        except ValidationError as error:
            name = f"{newcomer.first_name} {newcomer.last_name}".strip()
            raise CommandError(f"“{name}” cannot be added: {' '.join(error.messages)}") from error
