"""A school from the command line: `manage.py new_school`."""

from __future__ import annotations

import getpass
import io
import json
import sys

import pytest
from django.core.management import CommandError, call_command

from classes.models import Classroom, Membership, School, User
from ratings.models import RatingList
from ratings.selectors.ledger import default_list
from tests.factories import PASSWORD, make_school

pytestmark = pytest.mark.django_db


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def new_school(monkeypatch):
    """Run the command with a line on standard input; what it prints."""

    def run(line: str = f"{PASSWORD}\n", *, name: str = "Hill School", **options: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(line))
        out = io.StringIO()
        call_command("new_school", name, stdout=out, **({"teacher": "okafor", "classroom": "Room 12"} | options))
        return out.getvalue()

    return run


def refused(run, *args: str, **options: str) -> str:
    """The sentence with which the command refuses; nothing may have been made."""
    before = counts()
    with pytest.raises(CommandError) as caught:
        run(*args, **options)
    assert counts() == before
    return str(caught.value)


def counts() -> list[int]:
    return [model.objects.count() for model in (School, User, Membership, Classroom, RatingList)]


def test_a_school_with_its_lead_list_and_class_is_made(new_school):
    printed = new_school(name="  Hill   School ", teacher="Okafor", time_zone="Europe/Berlin")

    school = School.objects.get()
    classroom = Classroom.objects.get(school=school)
    lead = Membership.objects.get(school=school)
    assert printed == json.dumps({"school": school.pk, "classroom": classroom.pk, "teacher": lead.user.pk}) + "\n"
    assert (school.name, school.time_zone, classroom.name) == ("Hill School", "Europe/Berlin", "Room 12")
    assert (lead.role, lead.user.username, lead.user.is_superuser) == (Membership.Role.LEAD, "okafor", False)
    assert lead.user.check_password(PASSWORD)
    assert list(classroom.teachers.all()) == [lead]
    assert default_list(school).start_rating == 800


def test_a_second_school_can_be_made(new_school):
    make_school()

    new_school()

    assert School.objects.count() == 2


def test_an_email_address_as_user_name_is_also_the_email(new_school):
    new_school(teacher="Okafor@hill.example")

    user = User.objects.get()
    assert (user.username, user.email) == ("okafor@hill.example", "okafor@hill.example")


def test_spaces_belong_to_the_password_and_the_line_end_does_not(new_school):
    new_school(" three quiet rooks \r\nanother line\n")

    assert User.objects.get().check_password(" three quiet rooks ")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"teacher": "oka for"}, "username: Enter a valid username. This value may contain only letters, numbers, and "
         "@/./+/-/_ characters."),
        ({"teacher": " "}, "The school, the teacher and the class each need a name."),
        ({"teacher": "oka@for"}, "email: Enter a valid email address."),
        ({"name": " "}, "The school, the teacher and the class each need a name."),
        ({"classroom": " "}, "The school, the teacher and the class each need a name."),
        ({"classroom": "x" * 81}, "name: Ensure this value has at most 80 characters (it has 81)."),
        ({"time_zone": "Berlin"}, "time zone: “Berlin” is not a time zone; an example is Europe/Berlin."),
    ],
)  # fmt: skip
def test_what_does_not_do_is_told_and_nothing_is_made(new_school, options, sentence):
    assert refused(new_school, **options) == sentence


def test_a_taken_user_name_is_told_in_any_case(new_school):
    make_school(lead="okafor")

    assert refused(new_school, teacher="OKAFOR") == "The user name okafor is taken."


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("short\n", "This password is too short. It must contain at least 10 characters."),
        ("", "This password is too short. It must contain at least 10 characters."),
        ("okafor1234\n", "The password is too similar to the username."),
        ("73019284650\n", "This password is entirely numeric."),
    ],
)
def test_a_weak_password_is_told_and_nothing_is_made(new_school, line, sentence):
    assert refused(new_school, line).startswith(sentence)


def test_at_a_terminal_the_password_is_asked_for_twice(monkeypatch):
    answers = [PASSWORD, PASSWORD, PASSWORD, "three-quiet-books"]
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(getpass, "getpass", lambda prompt: answers.pop(0))

    call_command("new_school", "Hill School", teacher="okafor", classroom="Room 12", stdout=io.StringIO())
    assert User.objects.get().check_password(PASSWORD)

    with pytest.raises(CommandError, match="The two passwords are not the same."):
        call_command("new_school", "Lake School", teacher="lund", classroom="Room 12")
    assert School.objects.count() == 1
