"""Show how a class list is understood, without the database."""

from __future__ import annotations

import io
import json
import zipfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation

from classes.core.roster.decoding import decode
from classes.core.roster.oneroster import class_of
from classes.core.roster.reading import read_file
from classes.core.roster.types import MOST_BYTES, Reading, Refusal, Refused
from classes.forms import REFUSALS


class Command(BaseCommand):
    help = (
        "Print as JSON how a class list is understood: students, lines left out and doubtful ones with the reason, "
        "encoding and delimiter. With --classroom FILE is a OneRoster 1.1 folder or zip, and the students of that "
        "class are printed. Nothing is imported. Exit code 1 for what is no list."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--classroom", metavar="ID", help="the sourcedId of a class in classes.csv")

    def handle(self, *args: Any, file: str, classroom: str | None, **options: Any) -> None:
        doubtful: list[dict[str, Any]] = []
        try:
            if classroom is None:
                reading = read_file(_bytes_of(Path(file)))
            else:
                users, enrollments = (decode(_member(Path(file), name)) for name in ("users.csv", "enrollments.csv"))
                reading, doubtful = class_of(users.text, enrollments.text, classroom)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        except Refused as refused:
            with translation.override("en"):
                sentence = str(REFUSALS[refused.refusal])
            self._print(as_json(Reading.nothing(), doubtful) | {"refused": sentence})
            raise CommandError(sentence) from refused
        self._print(as_json(reading, doubtful))
        if not reading.students:
            self.stderr.write("There is no student in this list.")

    def _print(self, answer: dict[str, Any]) -> None:
        self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))


def as_json(reading: Reading, doubtful: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "students": [
            {
                "first": one.first,
                "last": one.last,
                "grade": one.grade or None,
                "email": one.email or None,
                "id": one.id or None,
            }
            for one in reading.students
        ],
        "skipped": [{"line": line, "why": str(doubt)} for line, doubt in reading.skipped],
        "doubtful": doubtful + [{"line": line, "why": str(doubt)} for line, doubt in reading.doubtful],
        "encoding": reading.encoding,
        "delimiter": reading.delimiter,
    }


def _bytes_of(path: Path) -> bytes:
    """The beginning is enough to see that a file is too big."""
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


def _member(folder: Path, name: str) -> bytes:
    """A file of a folder or of a zip of one; never more of it than a list may have."""
    if folder.is_dir():
        return _bytes_of(folder / name)
    try:
        with zipfile.ZipFile(io.BytesIO(_bytes_of(folder))) as packed, packed.open(name) as file:
            return file.read(MOST_BYTES + 1)
    except (zipfile.BadZipFile, KeyError, RuntimeError, NotImplementedError) as error:
        raise Refused(Refusal.BINARY) from error
