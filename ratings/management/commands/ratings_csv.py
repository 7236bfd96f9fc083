"""Print the ratings of a class."""

from __future__ import annotations

import csv
import io
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from classes.core.csv_cells import safe_cell
from classes.models import Classroom
from classes.selectors import students_in
from ratings.selectors.ledger import current_states, default_list

HEADER = ("external_id", "name", "rating", "games", "wins", "draws", "losses")


class Command(BaseCommand):
    help = "Print the ratings of everybody enrolled in a class, active or not, as CSV: the best first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--classroom", type=int, required=True, metavar="ID", help="the id of the class")

    def handle(self, *, classroom: int, **options: Any) -> None:
        room = Classroom.objects.select_related("school").filter(pk=classroom).first()
        if room is None:
            raise CommandError(f"There is no class with the id {classroom}.")
        students = list(students_in(room))
        states = current_states(default_list(room.school), [student.pk for student in students])
        students.sort(key=lambda student: (-states[student.pk].rating, student.full_name.casefold(), student.pk))
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(HEADER)
        for student in students:
            state = states[student.pk]
            writer.writerow(
                (
                    safe_cell(student.external_id),
                    safe_cell(student.full_name),
                    state.rating,
                    state.games,
                    state.wins,
                    state.draws,
                    state.losses,
                )
            )
        self.stdout.write(text.getvalue(), ending="")
