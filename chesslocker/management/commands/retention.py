"""`manage.py retention`: who is due to be erased, and what else has had its time; with --do it goes."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from chesslocker.privacy.erase import erase_student
from chesslocker.privacy.retention import due_students, outdated
from classes.models import School


class Command(BaseCommand):
    help = "Say who is due to be erased, and which sessions, keys and logs are old. With --do they are erased."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--do", action="store_true", help="erase; without it nothing changes")

    def handle(self, *args: Any, do: bool, **options: Any) -> None:
        for school in School.objects.order_by("pk"):
            rows = due_students(school)
            for row in rows:
                if do:
                    erase_student(row.student, by=None)
            numbers = ", ".join(str(row.student.pk) for row in rows)  # the output is kept in logs: no names
            self.stdout.write(f"school {school.pk}: {len(rows)} students due{': ' + numbers if rows else ''}")
        for what, queryset in outdated().items():
            count = queryset.count()
            if do:
                queryset.delete()
            self.stdout.write(f"{count} {what}")
        self.stdout.write("Erased." if do else "Nothing was changed. With --do they are erased.")
