"""Adding one student to a class, with or without a login and a start rating of their own."""

from __future__ import annotations

import re
import uuid

import pytest
from django.contrib.auth.hashers import check_password

from classes.models import Student, User
from ratings.models import Rating, StartRating
from ratings.selectors.ledger import current_states
from tests.factories import list_of, make_game, make_student
from tests.pages import messages_of, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def add(cast, client_of):
    """Send the form as the teacher of the class."""
    client = client_of(cast.teacher)

    def sent(**fields):
        fields = {"first_name": "Dana", "key": str(uuid.uuid4())} | fields
        return client.post(f"/classes/{cast.classroom.pk}/students/add/", fields, follow=True)

    return sent


def rating_of(cast, student: Student) -> int:
    return current_states(list_of(cast.classroom), [student.pk])[student.pk].rating


def dana() -> Student:
    return Student.objects.get(first_name="Dana")


def test_a_student_needs_a_first_name_only(cast, add):
    answer = add(first_name="  Dana ")

    assert answer.redirect_chain == [(f"/classes/{cast.classroom.pk}/students/", 302)]
    assert messages_of(answer) == ["Dana is added."]
    assert (dana().school, dana().full_name, dana().user) == (cast.school, "Dana", None)
    assert list(dana().enrollments.values_list("classroom", "active")) == [(cast.classroom.pk, True)]
    assert (rating_of(cast, dana()), StartRating.objects.count(), Rating.objects.count()) == (800, 0, 0)


def test_everything_that_was_typed_is_kept(cast, add):
    answer = add(
        last_name="Levi", grade="5B", email="dana@example.org", external_id="0007", start_rating="950",
        username=" Dana.L ", password="olive-robot-42",
    )  # fmt: skip

    student = dana()
    assert messages_of(answer) == ["Dana Levi can log in as dana.l."]
    assert (student.last_name, student.grade, student.email, student.external_id) == (
        "Levi", "5B", "dana@example.org", "0007",
    )  # fmt: skip
    assert (student.user.username, student.user.role) == ("dana.l", User.Role.STUDENT)
    assert check_password("olive-robot-42", student.user.password)
    assert rating_of(cast, student) == 950


def test_with_a_password_alone_a_user_name_is_made_from_the_name(add):
    answer = add(first_name="Mia", last_name="Lind", password="olive-robot-42")

    assert messages_of(answer) == ["Mia Lind can log in as mial."]


def test_a_suggested_password_is_shown_and_nothing_is_saved_until_the_form_is_sent(add):
    page = add(last_name="Levi", suggest="1")
    form, nobody = page.context["form"], Student.objects.filter(first_name="Dana").exists()
    suggested = form["password"].value()
    add(last_name="Levi", password=suggested)

    assert re.fullmatch(r"[a-z]+-[a-z]+-\d\d", suggested)
    assert f'value="{suggested}"' in page.content.decode()
    assert (form["first_name"].value(), form["last_name"].value(), nobody) == ("Dana", "Levi", False)
    assert check_password(suggested, dana().user.password)


def test_each_suggestion_is_another_one(add):
    assert len({add(suggest="1").context["form"]["password"].value() for _ in range(5)}) == 5


@pytest.mark.parametrize(("typed", "rating"), [("", 800), ("800", 800), ("0", 0), ("4000", 4000), (" 1200 ", 1200)])
def test_a_start_rating_is_the_lists_or_the_students_own(cast, add, typed, rating):
    add(start_rating=typed)

    assert rating_of(cast, dana()) == rating
    assert StartRating.objects.count() == (rating != 800)


def test_the_form_proposes_the_start_of_the_list(cast, client_of):
    page = client_of(cast.teacher).get(f"/classes/{cast.classroom.pk}/students/add/")

    assert page.context["form"]["start_rating"].value() == 800


@pytest.mark.parametrize(
    ("typed", "errors"),
    [
        ({"first_name": " "}, {"first_name": ["This field is required."]}),
        ({"start_rating": "abc"}, {"start_rating": ["A rating is a whole number, such as 800."]}),
        ({"start_rating": "800.5"}, {"start_rating": ["A rating is a whole number, such as 800."]}),
        ({"start_rating": "-1"}, {"start_rating": ["A start rating is a number from 0 to 4000."]}),
        ({"start_rating": "4001"}, {"start_rating": ["A start rating is a number from 0 to 4000."]}),
        ({"external_id": "0007"}, {"__all__": ["Another student of the school has this id."]}),
        ({"username": "Mia", "password": "olive-robot-42"}, {"username": ["This user name is taken."]}),
        ({"username": "teacher", "password": "olive-robot-42"}, {"username": ["This user name is taken."]}),
        ({"username": "dana"}, {"password": ["A login needs a password too."]}),
        ({"password": "short"}, {"password": ["Use at least 8 characters, or let one be suggested."]}),
    ],
)
def test_what_is_wrong_is_said_nothing_is_saved_and_what_was_typed_stays(cast, add, typed, errors):
    Student.objects.filter(pk=cast.ben.pk).update(external_id="0007")

    page = add(last_name="Levi", **typed)

    form = page.context["form"]
    assert (page.status_code, form.errors) == (200, errors)
    assert {name: form[name].value() for name in typed} == typed
    assert form["last_name"].value() == "Levi"
    assert not Student.objects.filter(last_name="Levi").exists()
    assert User.objects.filter(role=User.Role.STUDENT).count() == 3
    assert [words_of(str(sentence)) in words_of(page) for (sentence,) in errors.values()] == [True]


def test_an_external_id_of_another_school_is_free(cast, add):
    Student.objects.filter(pk=cast.stranger.pk).update(external_id="0007")

    add(external_id="0007")

    assert dana().external_id == "0007"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"username": "dana", "password": "olive-robot-42"},
        {"external_id": "0042"},
        {"start_rating": "950"},
    ],
)
def test_pressing_twice_adds_once_and_answers_the_same(add, fields):
    key = str(uuid.uuid4())

    answers = [add(key=key, **fields) for _ in range(2)]

    assert answers[0].redirect_chain == answers[1].redirect_chain
    assert Student.objects.filter(first_name="Dana").count() == 1


def test_a_page_that_was_used_is_not_used_for_another_student(add):
    key = str(uuid.uuid4())
    add(key=key)

    answer = add(key=key, first_name="Ada")

    assert answer.status_code == 409
    assert not Student.objects.filter(first_name="Ada").exists()


def test_two_of_the_same_name_are_told_apart_in_the_game_form_and_only_one_moves(cast, add, client_of):
    add(first_name="Lena", last_name="Koval", grade="3", external_id="000611")
    add(first_name="Lena", last_name="Koval", grade="5", external_id="000612")
    third, fifth = Student.objects.filter(last_name="Koval").order_by("grade")

    page = client_of(cast.teacher).get(f"/classes/{cast.classroom.pk}/games/record/")
    make_game(cast.classroom, fifth, cast.mia)

    assert list(page.context["form"].fields["white"].choices) == [
        ("", "–"), (cast.ben.pk, "Ben Osei (800)"), (cast.cleo.pk, "Cleo Raman (800)"),
        (third.pk, "Lena Koval (3) (800)"), (fifth.pk, "Lena Koval (5) (800)"), (cast.mia.pk, "Mia Kowalczyk (800)"),
    ]  # fmt: skip
    assert [rating_of(cast, student) for student in (third, fifth)] == [800, 816]


def test_the_same_name_without_a_grade_is_told_apart_by_number(cast, add, client_of):
    for _ in range(2):
        add(first_name="Lena", last_name="Koval")

    page = client_of(cast.teacher).get(f"/classes/{cast.classroom.pk}/")

    assert [row.label for row in page.context["board"] if "Lena" in row.label] == ["Lena Koval (#1)", "Lena Koval (#2)"]


def test_several_students_can_be_added_one_after_the_other(cast, add):
    answer = add(another="1")

    assert answer.redirect_chain == [(f"/classes/{cast.classroom.pk}/students/add/", 302)]
    assert messages_of(answer) == ["Dana is added."]
    assert answer.context["form"]["first_name"].value() is None


def test_thirty_mias_all_get_a_login(cast, add):
    for _ in range(30):
        add(first_name="Mia", last_name="Kern", password="olive-robot-42")

    usernames = Student.objects.filter(last_name="Kern").values_list("user__username", flat=True)
    assert len({username for username in usernames if re.fullmatch(r"mia[a-z]*\d*", username)}) == 30


def test_the_class_still_takes_a_student_whose_name_was_typed_twice_by_mistake(cast, add):
    make_student(cast.classroom, "Dana")

    answer = add()

    assert messages_of(answer) == ["Dana is added."]
    assert Student.objects.filter(first_name="Dana").count() == 2
