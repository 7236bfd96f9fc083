"""What is typed, checked and put into its one spelling."""

from __future__ import annotations

import uuid
import zoneinfo

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import QueryDict
from django.test import RequestFactory
from django.utils.http import urlencode

from classes.forms import (
    ClassroomForm,
    ImportForm,
    LoginForm,
    ResetForm,
    SignUpForm,
    StudentForm,
    cleaned_text,
    time_zone_choices,
)
from classes.models import Classroom, Membership, Student, User
from classes.services import archive_classroom
from tests.factories import make_classroom, make_school, make_student, make_teacher

pytestmark = pytest.mark.django_db

SIGN_UP = {
    "name": "Ms. Okafor", "school_name": "Hill School", "time_zone": "Europe/Berlin", "username": "okafor",
    "password": "three-quiet-rooks",
}  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Mia   Kowalczyk ", "Mia Kowalczyk"),
        ("Mia\tKowalczyk\r\n", "Mia Kowalczyk"),
        ("Mia\x00\x07Kowalczyk", "Mia Kowalczyk"),
        ("Jose\u0301", "José"),
        ("נועה", "נועה"),
        ("\x07", ""),
    ],
)
def test_text_is_kept_composed_with_single_spaces_and_without_control_characters(typed, kept):
    assert cleaned_text(typed) == kept


def test_the_login_forgives_capitals_and_spaces_in_the_user_name():
    make_student(make_classroom(), "Mia", username="mia")
    form = LoginForm(RequestFactory().post("/login/"), data={"username": "  MIA ", "password": "three-quiet-rooks"})

    assert form.is_valid()
    assert form.get_user().username == "mia"


def test_sign_up_by_user_name_has_no_e_mail():
    form = SignUpForm(SIGN_UP | {"username": " Okafor ", "name": " Ms.  Okafor", "school_name": "Hill\tSchool"})

    assert form.is_valid(), form.errors
    assert form.cleaned_data == SIGN_UP


def test_sign_up_by_e_mail_address_keeps_it_as_user_name_and_address():
    form = SignUpForm(SIGN_UP | {"username": "Okafor@Example.org"})

    assert form.is_valid(), form.errors
    assert form.cleaned_data == SIGN_UP | {"username": "okafor@example.org", "email": "okafor@example.org"}


@pytest.mark.parametrize(
    ("typed", "field", "sentences"),
    [
        ({"name": ""}, "name", ["This field is required."]),
        ({"school_name": "   "}, "school_name", ["This field is required."]),
        ({"school_name": "\x07"}, "school_name", ["This field is required."]),
        ({"name": "\x07"}, "name", ["This field is required."]),
        ({"username": "taken"}, "username", ["This user name is taken. Choose another, or log in."]),
        ({"username": "TAKEN "}, "username", ["This user name is taken. Choose another, or log in."]),
        ({"username": "a@b"}, "username", ["This looks like an e-mail address but is not one. Check it."]),
        (
            {"username": "ms okafor"}, "username",
            ["Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters."],
        ),
        (
            {"password": "qzxvj"}, "password",
            ["This password is too short. It must contain at least 10 characters."],
        ),
        (
            {"password": "1234567890"}, "password",
            ["This password is too common.", "This password is entirely numeric."],
        ),
        (
            {"username": "three-quiet"}, "password",
            ["The password is too similar to the username."],
        ),
        (
            {"time_zone": "Mars/Base"}, "time_zone",
            ["Select a valid choice. Mars/Base is not one of the available choices."],
        ),
    ],
)  # fmt: skip
def test_sign_up_says_what_is_wrong_beside_the_field(typed, field, sentences):
    make_school(lead="taken")

    form = SignUpForm(SIGN_UP | typed)

    assert form.errors == {field: sentences}


def test_time_zones_are_places_that_the_computer_knows_with_utc_first():
    zones = [zone for zone, _ in time_zone_choices()]

    assert zones[0] == "UTC"
    assert set(zones) <= zoneinfo.available_timezones()
    assert {"Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Kolkata"} <= set(zones)
    assert {"US/Eastern", "EST", "Etc/GMT+5", "GB"}.isdisjoint(zones)
    assert dict(time_zone_choices())["America/New_York"] == "America/New York"


def test_a_reset_by_e_mail_is_for_teachers_only():
    teacher = make_teacher(make_school()).user
    student = make_student(make_classroom(), "Mia", username="mia").user
    User.objects.filter(pk__in=[teacher.pk, student.pk]).update(email="one@example.org")

    assert [user.pk for user in ResetForm().get_users("one@example.org")] == [teacher.pk]


# Classes


def test_a_class_is_offered_for_three_school_years(cast):
    form = ClassroomForm(membership=Membership.objects.get(user=cast.teacher))

    year = cast.classroom.school_year
    assert [value for value, _ in form.fields["school_year"].choices] == [year - 1, year, year + 1]
    assert form.initial.get("school_year", form.fields["school_year"].initial) == year


@pytest.mark.parametrize("name", ["Room 12 Chess", " room  12\tchess "])
def test_a_taken_class_name_is_said(cast, name):
    form = ClassroomForm(
        {"name": name, "school_year": cast.classroom.school_year}, membership=Membership.objects.get(user=cast.teacher)
    )

    assert form.errors == {"__all__": ["There is already a class of this name in this school year."]}


def test_a_class_name_is_free_in_another_year_or_school_and_after_archiving(cast):
    year = cast.classroom.school_year

    def is_free(membership, school_year) -> bool:
        return ClassroomForm({"name": "Room 12 Chess", "school_year": school_year}, membership=membership).is_valid()

    membership = Membership.objects.get(user=cast.teacher)
    elsewhere = Membership.objects.get(user=cast.outsider)
    before = (is_free(membership, year), is_free(membership, year + 1), is_free(elsewhere, year))
    archive_classroom(cast.classroom)
    assert (*before, is_free(membership, year)) == (False, True, True, True)


def test_a_class_may_keep_its_own_name(cast):
    classroom = Classroom.objects.get(pk=cast.classroom.pk)

    form = ClassroomForm(
        {"name": "ROOM 12 CHESS", "school_year": classroom.school_year},
        instance=classroom,
        membership=Membership.objects.get(user=cast.teacher),
    )

    assert form.is_valid(), form.errors


# Pasting


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"text": ""}, {"text": ["There is no student in this list. Write one student per line."]}),
        ({"text": " \r\n •\r\n1."}, {"text": ["There is no student in this list. Write one student per line."]}),
        ({"text": "First name,Last name"}, {"text": ["There is no student in this list. Write one student per line."]}),
        ({"text": "Mia\x00Kern"}, {"text": ["Null characters are not allowed."]}),
        (
            {"text": "".join(f"Mia{number}\n" for number in range(2001))},
            {"text": ["These are more than 2,000 students. Save them as several CSV files and import one by one."]},
        ),
    ],
)
def test_a_list_that_cannot_be_read_is_said(fields, errors):
    form = ImportForm(QueryDict(urlencode(fields)))

    assert form.errors == errors


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "There is no student in this list. Write one student per line."),
        (b"PK\x03\x04...xl/workbook.xml", "This is a workbook of a spreadsheet program, not CSV. Open it, choose “Save "
         "as” and the kind “CSV UTF-8”, and upload that; or copy the cells and paste them."),
        (b"x" * 1_000_001, "This is more than 1 MB; a class list is far smaller. Save the list alone as CSV."),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_said_with_what_to_do(data, sentence):
    form = ImportForm(QueryDict(""), {"file": SimpleUploadedFile("list.csv", data)})

    assert form.errors == {"file": [sentence]}


def test_a_file_goes_before_the_text_and_is_carried_on_as_text():
    data = "Name;Klasse\r\nMüller, Jörg;5".encode("cp1252")

    form = ImportForm(QueryDict("text=Ben"), {"file": SimpleUploadedFile("list.csv", data)})

    assert form.is_valid(), form.errors
    assert (form.reading.encoding, form.shown_text) == ("cp1252", "Name;Klasse\r\nMüller, Jörg;5")
    assert [one.full for one in form.reading.students] == ["Jörg Müller"]


def test_the_grade_is_for_those_who_have_none():
    form = ImportForm(QueryDict(urlencode({"text": "Mia\nBen, 6", "grade": " 5 "})))

    assert form.is_valid(), form.errors
    assert [one.grade for one in form.reading.students] == ["5", "6"]


# Students


@pytest.mark.parametrize(
    ("typed", "errors"),
    [
        ({"first_name": ""}, {"first_name": ["This field is required."]}),
        ({"first_name": "\x07"}, {"first_name": ["This field cannot be blank."]}),
        ({"username": "ben", "password": "olive-robot-42"}, {"username": ["This user name is taken."]}),
        ({"username": " BEN", "password": "olive-robot-42"}, {"username": ["This user name is taken."]}),
        ({"username": "dana"}, {"password": ["A login needs a password too."]}),
        ({"password": "1234567"}, {"password": ["Use at least 8 characters, or let one be suggested."]}),
        (
            {"username": "danadana", "password": "danadana"},
            {"password": ["The password must differ from the user name."]},
        ),
        ({"external_id": "0007"}, {"__all__": ["Another student of the school has this id."]}),
        ({"email": "mia@"}, {"email": ["Enter a valid email address."]}),
        (
            {"username": "da na", "password": "olive-robot-42"},
            {"username": [
                "Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters."
            ]},
        ),
    ],
)  # fmt: skip
def test_a_student_form_says_what_is_wrong(cast, typed, errors):
    Student.objects.filter(pk=cast.mia.pk).update(external_id="0007")

    assert StudentForm({"first_name": "Dana"} | typed, school=cast.school).errors == errors


@pytest.mark.parametrize(
    "typed",
    [
        {},
        {"last_name": "Kowalczyk", "first_name": "Mia"},
        {"password": "olive-robot-42"},
        {"username": "dana", "password": "12345678"},
        {"grade": "5B", "email": "d@example.org", "external_id": "0008"},
    ],
)
def test_a_student_needs_a_first_name_and_nothing_else(cast, typed):
    form = StudentForm({"first_name": "Dana"} | typed, school=cast.school)

    assert form.is_valid(), form.errors


def test_an_id_of_another_school_is_free(cast):
    Student.objects.filter(pk=cast.stranger.pk).update(external_id="0007")

    assert StudentForm({"first_name": "Dana", "external_id": "0007"}, school=cast.school).is_valid()


def test_a_student_keeps_the_own_user_name_and_may_leave_the_password(cast):
    form = StudentForm({"first_name": "Mia", "username": "MIA"}, instance=cast.mia, school=cast.school)

    assert form.is_valid(), form.errors
    assert (form.cleaned_data["username"], form.cleaned_data["password"]) == ("mia", "")


# One-time keys


def test_every_form_gets_a_key_of_its_own():
    keys = {ImportForm()["key"].value() for _ in range(3)}

    assert len(keys) == 3


@pytest.mark.parametrize("sent", ["", "not-a-key", None])
def test_a_form_sent_without_a_key_gets_a_new_one(cast, sent):
    request = RequestFactory().post("/", {"text": "Mia"} | ({} if sent is None else {"key": sent}))
    request.user = cast.teacher

    keys = {ImportForm(request.POST).once(request, action="import", answer="/").key for _ in range(2)}

    assert len(keys) == 2
    assert {type(key) for key in keys} == {uuid.UUID}


def test_the_key_and_the_csrf_token_are_no_content_of_the_form(cast):
    key = str(uuid.uuid4())

    def hashed(**fields) -> str:
        request = RequestFactory().post("/", {"key": key, "names": "Mia"} | fields)
        request.user = cast.teacher
        return ImportForm(request.POST).once(request, action="import", answer="/").body_hash

    assert hashed(csrfmiddlewaretoken="a") == hashed(csrfmiddlewaretoken="b") != hashed(text="Ben")
