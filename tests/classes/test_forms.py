"""What is typed, checked and put into its one spelling."""

from __future__ import annotations

import uuid
import zoneinfo

import pytest
from django.http import QueryDict
from django.test import RequestFactory
from django.utils.http import urlencode

from classes.core.pasted_names import MOST
from classes.forms import (
    ClassroomForm,
    LoginForm,
    PasteForm,
    ResetForm,
    SignUpForm,
    StudentForm,
    cleaned_text,
    same_names,
    time_zone_choices,
)
from classes.models import Classroom, Membership, Student, User
from classes.selectors import students_in
from classes.services import archive_classroom
from tests.factories import lead_of, make_classroom, make_school, make_student, make_teacher

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


def test_only_a_lead_of_several_teachers_chooses_the_teachers_of_a_class(cast):
    lead, teacher = lead_of(cast.school), Membership.objects.get(user=cast.teacher)

    offered = [
        [label for _, label in form.fields["teachers"].choices] if "teachers" in form.fields else None
        for form in (
            ClassroomForm(instance=cast.classroom, membership=lead),
            ClassroomForm(instance=cast.classroom, membership=teacher),
            ClassroomForm(membership=lead),
            ClassroomForm(instance=cast.foreign_classroom, membership=lead_of(cast.foreign_classroom.school)),
        )
    ]

    assert offered == [["Lead (Lead teacher)", "Mr. Lund (Teacher)", "Ms. Okafor (Teacher)"], None, None, None]


# Pasting


def test_new_names_and_ticked_ones_are_chosen():
    form = PasteForm(
        QueryDict(urlencode({"names": "Mia Kern\nBen\nDana\nDana", "grade": " 5 ", "also": "4"})), known={"mia kern"}
    )

    assert form.is_valid(), form.errors
    assert [(name.line, name.full) for name in form.chosen()] == [(2, "Ben"), (3, "Dana"), (4, "Dana")]
    assert form.cleaned_data["grade"] == "5"


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ("", "This field is required."),
        (" \r\n ", "This field is required."),
        ("•\r\n1.", "There is no name in this list. Write one student per line."),
        ("\n".join(["Mia"] * (MOST + 1)), "These are 201 names; add at most 200 at once."),
        ("Mia\nBen\n" + "x" * 81, "Line 3 is too long for a name. Write one student per line."),
    ],
)
def test_a_list_that_cannot_be_read_is_said(names, sentence):
    assert PasteForm({"names": names}, known=set()).errors == {"names": [sentence]}


def test_two_hundred_names_are_read_at_once():
    form = PasteForm({"names": "\n".join(f"Mia{number}" for number in range(MOST))}, known=set())

    assert (form.is_valid(), len(form.chosen())) == (True, 200)


def test_names_of_a_class_are_compared_without_case_and_apostrophes(cast):
    make_student(cast.classroom, "Seán", "O’Brien")

    assert same_names(students_in(cast.classroom)) == {"mia kowalczyk", "ben osei", "cleo raman", "seán o'brien"}


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
    keys = {PasteForm(known=set())["key"].value() for _ in range(3)}

    assert len(keys) == 3


@pytest.mark.parametrize("sent", ["", "not-a-key", None])
def test_a_form_sent_without_a_key_gets_a_new_one(cast, sent):
    request = RequestFactory().post("/", {"names": "Mia"} | ({} if sent is None else {"key": sent}))
    request.user = cast.teacher

    keys = {PasteForm(request.POST, known=set()).once(request, action="paste", answer="/").key for _ in range(2)}

    assert len(keys) == 2
    assert {type(key) for key in keys} == {uuid.UUID}


def test_the_key_and_the_csrf_token_are_no_content_of_the_form(cast):
    key = str(uuid.uuid4())

    def hashed(**fields) -> str:
        request = RequestFactory().post("/", {"key": key, "names": "Mia"} | fields)
        request.user = cast.teacher
        return PasteForm(request.POST, known=set()).once(request, action="paste", answer="/").body_hash

    assert hashed(csrfmiddlewaretoken="a") == hashed(csrfmiddlewaretoken="b") != hashed(names="Ben")
