"""The board of a class, as its students see it."""

from __future__ import annotations

import re

import pytest

from classes.models import School
from classes.services import enroll, set_active
from tests.factories import give_points, make_classroom, make_game, make_student
from tests.pages import board_of, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def page_of(client_of):
    return lambda student, classroom: client_of(student.user).get(f"/me/classes/{classroom.pk}/")


def test_equal_ratings_share_a_place(cast, page_of):
    classroom = make_classroom(cast.school)
    for name, start in [("Dan", 800), ("Cia", 815), ("Bea", 815)]:
        make_student(classroom, name, start=start)
    ann = make_student(classroom, "Ann", start=830, username="ann")

    assert board_of(page_of(ann, classroom)) == [
        ["1", "Ann you", "830", "–"],
        ["2", "Bea", "815", "–"],
        ["2", "Cia", "815", "–"],
        ["4", "Dan", "800", "–"],
    ]


def test_the_own_row_is_marked_and_no_other(cast, page_of):
    make_game(cast.classroom, cast.ben, cast.mia)

    page = page_of(cast.mia, cast.classroom)

    assert board_of(page) == [
        ["1", "Ben O.", "816", "▲ +16"],
        ["2", "Cleo R.", "800", "–"],
        ["3", "Mia K. you", "784", "▼ −16"],
    ]
    assert re.findall(r'<tr class="you">\s*<td[^>]*>(\d)', page.content.decode()) == ["3"]


def test_names_are_short_unless_the_school_chose_full_ones(cast, page_of):
    short = [row[1] for row in board_of(page_of(cast.mia, cast.classroom))]
    School.objects.filter(pk=cast.school.pk).update(name_style=School.NameStyle.FULL)
    full = [row[1] for row in board_of(page_of(cast.mia, cast.classroom))]

    assert short == ["Ben O.", "Cleo R.", "Mia K. you"]
    assert full == ["Ben Osei", "Cleo Raman", "Mia Kowalczyk you"]


def test_two_who_look_the_same_are_told_apart(cast, page_of):
    make_student(cast.classroom, "Mia", "Kern")
    for grade in "35":
        make_student(cast.classroom, "Lena", "Koval", grade=grade)

    assert [row[1] for row in board_of(page_of(cast.mia, cast.classroom))] == [
        "Ben O.", "Cleo R.", "Lena Koval (3)", "Lena Koval (5)", "Mia Ke.", "Mia Ko. you",
    ]  # fmt: skip


def test_only_active_students_are_on_the_board(cast, page_of):
    make_game(cast.classroom, cast.ben, cast.cleo)
    set_active(cast.ben.enrollments.get(), active=False)

    assert board_of(page_of(cast.mia, cast.classroom)) == [
        ["1", "Mia K. you", "800", "–"],
        ["2", "Cleo R.", "784", "▼ −16"],
    ]


def test_a_student_alone_in_the_class_is_first(cast, page_of):
    assert board_of(page_of(cast.other, cast.other_classroom)) == [["1", "Noah F. you", "800", "–"]]


def test_points_move_the_rating_but_are_no_last_game_and_tell_no_reason(cast, page_of):
    make_game(cast.classroom, cast.mia, cast.ben)
    give_points(cast.classroom, cast.ben, 20)

    page = page_of(cast.mia, cast.classroom)

    assert board_of(page) == [
        ["1", "Mia K. you", "816", "▲ +16"],
        ["2", "Ben O.", "804", "▼ −16"],
        ["3", "Cleo R.", "800", "–"],
    ]
    assert "Solved the puzzle sheet" not in words_of(page)


def test_grades_logins_and_links_to_other_students_are_not_shown(cast, page_of):
    page = page_of(cast.mia, cast.classroom).content.decode()

    assert ["/students/" in page, "/games/record/" in page, '<th scope="col">Grade' in page] == [False] * 3


def test_the_other_classes_of_the_student_can_be_reached(cast, page_of):
    enroll(cast.mia, cast.other_classroom)

    page = page_of(cast.mia, cast.classroom)

    assert "Room 12 Chess Room 12 Chess · Room 14 Chess Leaderboard" in words_of(page)
    assert f'href="/me/classes/{cast.other_classroom.pk}/"' in page.content.decode()
    assert page_of(cast.mia, cast.other_classroom).status_code == 200


@pytest.mark.parametrize("leave", [True, False])
def test_the_board_of_a_class_one_is_not_active_in_is_not_found(cast, page_of, leave):
    if leave:
        enroll(cast.mia, cast.other_classroom)
        set_active(cast.mia.enrollments.get(classroom=cast.other_classroom), active=False)

    assert page_of(cast.mia, cast.other_classroom).status_code == 404


@pytest.mark.parametrize("rows", [1, 3])
def test_the_board_takes_twelve_queries_however_many_rows(cast, client_of, django_assert_num_queries, rows):
    classroom = make_classroom(cast.school)
    mia = make_student(classroom, "Mia", username="mia-2")
    for number in range(rows - 1):
        make_game(classroom, mia, make_student(classroom, f"Ben{number}"))
    client = client_of(mia.user)
    client.get("/me/")

    with django_assert_num_queries(12):
        page = client.get(f"/me/classes/{classroom.pk}/")

    assert len(board_of(page)) == rows
