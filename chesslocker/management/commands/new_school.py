"""Make a school with its lead teacher, rating list and first class."""

from __future__ import annotations

import getpass
import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from chesslocker.services.people import sign_up
from classes.core.usernames import normalise
from classes.models import User
from classes.services import create_classroom


class Command(BaseCommand):
    help = (
        "Make a school with its lead teacher and a class. The password is asked for, or read as one line from "
        "standard input. Prints the ids as one line of JSON."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the name of the school or club")
        parser.add_argument("--teacher", required=True, metavar="USERNAME", help="the user name of the lead teacher")
        parser.add_argument("--classroom", required=True, metavar="NAME", help="the name of the first class")
        parser.add_argument("--time-zone", default="UTC", metavar="ZONE", help="such as Europe/Berlin (default: UTC)")

    def handle(self, *, name: str, teacher: str, classroom: str, time_zone: str = "UTC", **options: Any) -> None:
        username = normalise(teacher)
        school_name, room_name = " ".join(name.split()), " ".join(classroom.split())
        if not (username and school_name and room_name):
            raise CommandError("The school, the teacher and the class each need a name.")
        email = username if "@" in username else ""
        try:
            if User.objects.filter(username=username).exists():  # before anybody types a password
                raise ValidationError(f"The user name {username} is taken.")
            password = self._password()
            validate_password(password, User(username=username, name=username, email=email))
            with transaction.atomic():
                made = sign_up(
                    school_name=school_name,
                    username=username,
                    password=password,
                    name=username,
                    email=email,
                    time_zone=time_zone,
                )
                room = create_classroom(membership=made.lead, name=room_name)
        except ValidationError as error:
            raise CommandError(self._sentences(error)) from error
        self.stdout.write(json.dumps({"school": made.school.pk, "classroom": room.pk, "teacher": made.lead.user_id}))

    def _password(self) -> str:
        if not sys.stdin.isatty():
            return sys.stdin.readline().rstrip("\r\n")
        password = getpass.getpass("Password: ")
        if getpass.getpass("Password (again): ") != password:
            raise ValidationError("The two passwords are not the same.")
        return password

    def _sentences(self, error: ValidationError) -> str:
        """What is wrong, with the field where a sentence belongs to one."""
        if not hasattr(error, "error_dict"):
            return " ".join(error.messages)
        return " ".join(
            sentence if field == "__all__" else f"{field.replace('_', ' ')}: {sentence}"
            for field, sentences in error.message_dict.items()
            for sentence in sentences
        )
