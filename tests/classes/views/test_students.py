"""The students of a class: the roster, deleting one who never played."""

from __future__ import annotations

import datetime

import pytest

from classes.models import Badge, School, User
from classes.selectors import students_in
from classes.services import set_active
from tests.factories import make_classroom, make_game, make_student
from tests.pages import messages_of, rows_of, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def empty(cast):
    return make_classroom(cast.school, name="Empty", teacher=cast.teacher.membership)


def names_in(classroom) -> list[str]:
    return [student.full_name for student in students_in(classroom)]


# The roster


def test_the_roster_shows_name_grade_and_login_with_the_inactive_ones_last(cast, client_of):
    set_active(cast.ben.enrollments.get(), active=False)

    page = client_of(cast.teacher).get(f"/classes/{cast.classroom.pk}/students/")

    assert rows_of(page) == [
        ["Cleo Raman", "6", "–", "Make a login Cleo Raman Edit Cleo Raman Make inactive Cleo Raman"],
        ["Mia Kowalczyk", "5", "mia never logged in"]
        + ["New password Mia Kowalczyk Edit Mia Kowalczyk Make inactive Mia Kowalczyk"],
        ["Ben Osei inactive", "5", "ben never logged in"]
        + ["New password Ben Osei Edit Ben Osei Make active Ben Osei"],
    ]


def test_the_roster_says_who_logged_in_when_and_who_has_a_badge(cast, client_of):
    User.objects.filter(username="mia").update(last_login=datetime.datetime(2026, 9, 12, 23, 30, tzinfo=datetime.UTC))
    School.objects.update(time_zone="Europe/Berlin")
    Badge.objects.create(student=cast.mia, token_hash="0", made_by=cast.teacher)

    page = client_of(cast.teacher).get(f"/classes/{cast.classroom.pk}/students/")

    assert [login for _name, _grade, login, _change in rows_of(page)] == [
        "ben never logged in", "–", "mia badge last login Sept. 13, 2026"
    ]  # fmt: skip


def test_an_empty_roster_says_what_to_do(empty, cast, client_of):
    page = words_of(client_of(cast.teacher).get(f"/classes/{empty.pk}/students/"))

    assert "No students yet. Paste the names of your class, or add them one by one." in page


@pytest.mark.parametrize("students", [1, 3])
def test_the_roster_takes_six_queries_however_many_students(
    cast, empty, client_of, django_assert_num_queries, students
):
    for number in range(students):
        make_student(empty, f"Mia{number}", username=f"mia{number}")
    client = client_of(cast.teacher)
    client.get("/classes/")

    with django_assert_num_queries(6):
        page = client.get(f"/classes/{empty.pk}/students/")

    assert len(rows_of(page)) == students


def test_making_a_student_inactive_and_active_again(cast, client_of):
    make_game(cast.classroom, cast.mia, cast.ben)
    client, address = client_of(cast.teacher), f"/classes/{cast.classroom.pk}/students/{cast.ben.pk}/active/"

    gone = client.post(address, {"active": "0"}, follow=True)
    board = [row.label for row in client.get(f"/classes/{cast.classroom.pk}/").context["board"]]
    back = client.post(address, {"active": "1"}, follow=True)

    assert messages_of(gone) == ["Ben Osei is inactive: not in lists and boards. Games and rating are kept."]
    assert board == ["Mia Kowalczyk", "Cleo Raman"]
    assert messages_of(back) == ["Ben Osei is active again."]
    assert [
        (row.label, row.rating) for row in client.get(f"/classes/{cast.classroom.pk}/").context["board"]
    ] == [("Mia Kowalczyk", 816), ("Cleo Raman", 800), ("Ben Osei", 784)]  # fmt: skip


# Deleting


def test_a_mistyped_student_is_deleted_after_a_question(cast, client_of):
    client, address = client_of(cast.teacher), f"/students/{cast.cleo.pk}/delete/"

    question = words_of(client.get(address))
    answer = client.post(address, follow=True)

    assert "Delete Cleo Raman? Only a student without any game or adjustment can be deleted" in question
    assert (answer.redirect_chain, messages_of(answer)) == ([("/classes/", 302)], ["Cleo Raman is deleted."])
    assert names_in(cast.classroom) == ["Ben Osei", "Mia Kowalczyk"]


def test_a_student_who_played_is_kept(cast, client_of):
    make_game(cast.classroom, cast.mia, cast.ben)

    answer = client_of(cast.teacher).post(f"/students/{cast.mia.pk}/delete/", follow=True)

    assert answer.redirect_chain == [(f"/students/{cast.mia.pk}/", 302)]
    assert messages_of(answer) == [
        "Mia Kowalczyk has games, points or tournaments and cannot be deleted. Make the student inactive instead."
    ]
    assert answer.context["page"].state.rating == 816


def test_a_student_is_found_by_a_part_of_the_name(cast, client_of):
    make_student(cast.classroom, "Jana", "Blübaum")
    client = client_of(cast.teacher)
    url = f"/classes/{cast.classroom.pk}/students/"

    found = words_of(client.get(url, {"q": "bluebaum"}))
    nobody = words_of(client.get(url, {"q": "zzz"}))

    assert "Jana Blübaum" in found
    assert "Mia Kowalczyk" not in found
    assert "Nobody in this class has such a name." in nobody
