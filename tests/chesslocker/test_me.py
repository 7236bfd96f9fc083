"""A student's own home."""

from __future__ import annotations

import datetime

import pytest

from classes.models import School
from classes.services import archive_classroom, enroll, set_active
from ratings.services import adjust_ratings
from tests.factories import BLACK, give_points, list_of, make_classroom, make_game, make_student
from tests.pages import rows_of, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def page_of(client_of):
    return lambda student, address="/me/": client_of(student.user).get(address)


def test_the_own_rating_comes_first_then_games_and_the_board(cast, page_of):
    day = datetime.date(2024, 3, 15)
    make_game(cast.classroom, cast.ben, cast.mia, BLACK, day=day, note="A fork on f7")

    page = page_of(cast.mia)

    words = words_of(page)
    parts = ["Hello, Mia", "Your Elo 816", "▲ +16 last game best 816 · 1 game · 1 won, 0 drawn, 0 lost Last ten W",
             "The curve in numbers Day Rating March 15, 2024 816",
             "Latest games White: Ben O. ▼ −16 Black: You ▲ +16 A fork on f7 800 +16 = 816 0–1",
             "All my games", "Room 12 Chess Leaderboard"]  # fmt: skip
    places = [words.find(part) for part in parts]
    assert (places, -1 in places) == (sorted(places), False)
    assert [[cell.removesuffix(" new") for cell in row] for row in rows_of(page)] == [
        ["March 15, 2024", "816"],
        ["1", "Mia K. you", "816", "▲ +16"],
        ["2", "Cleo R.", "800", "–"],
        ["3", "Ben O.", "784", "▼ −16"],
    ]


def test_a_win_against_somebody_stronger_is_praised(cast, page_of):
    strong = make_student(cast.classroom, "Dana", start=1000)

    make_game(cast.classroom, cast.mia, strong)

    assert "You beat someone rated 200 above you." in words_of(page_of(cast.mia))


def test_before_the_first_game_the_page_says_what_will_be_there(cast, page_of):
    page = words_of(page_of(cast.mia))

    assert "Your Elo 800" in page
    assert "Everybody starts with the same number. Play your first game, and your curve begins here." in page
    assert "No games yet. They appear here as soon as your teacher records them." in page


@pytest.mark.parametrize("gone", [lambda cast: set_active(cast.mia.enrollments.get(), active=False),
                                  lambda cast: archive_classroom(cast.classroom)])  # fmt: skip
def test_without_an_active_class_the_own_numbers_stay(cast, page_of, gone):
    make_game(cast.classroom, cast.mia, cast.ben)
    gone(cast)

    page = page_of(cast.mia)

    assert "You are in no active class at the moment." in words_of(page)
    assert "Your Elo 816" in words_of(page)
    assert page.context["board"] == []


def test_the_reason_of_points_is_seen_by_the_student_and_the_teacher_and_by_nobody_else(cast, client_of):
    give_points(cast.classroom, cast.mia)
    reason, board = "Solved the puzzle sheet", f"/me/classes/{cast.classroom.pk}/"
    own = [words_of(client_of(cast.mia.user).get(address)) for address in ("/me/", board)]
    others = [
        words_of(client_of(user).get(address))
        for user, address in [(cast.ben.user, "/me/"), (cast.ben.user, board), (cast.ben.user, "/me/games/")]
    ]
    teachers = words_of(client_of(cast.teacher).get(f"/students/{cast.mia.pk}/"))

    assert [reason in page for page in own] == [True, False]
    assert [("803" in page, reason in page) for page in others] == [(True, False), (True, False), (False, False)]
    assert reason in teachers


def test_points_taken_are_shown_with_their_reason(cast, page_of):
    adjust_ratings(
        rating_list=list_of(cast.classroom), classroom=cast.classroom, students=[cast.mia], points=-2,
        kind="behaviour", reason="Moved the clock", day=datetime.date(2024, 3, 15), by=cast.teacher,
    )  # fmt: skip

    assert "Teacher’s award ▼ −2 Moved the clock 800 −2 = 798 15 Mar 2024" in words_of(page_of(cast.mia))


def test_other_students_are_named_as_the_school_chose(cast, page_of):
    make_game(cast.classroom, cast.mia, cast.ben)
    short = words_of(page_of(cast.mia))
    School.objects.filter(pk=cast.school.pk).update(name_style=School.NameStyle.FULL)
    full = words_of(page_of(cast.mia))

    assert ["Osei" in short, "Ben O." in short, "Ben Osei" in full] == [False, True, True]


def test_of_several_classes_the_newest_is_shown(cast, page_of):
    newer = make_classroom(cast.school, name="Zebras")
    newer.school_year += 1
    newer.save(update_fields=["school_year"])
    enroll(cast.mia, newer)

    assert page_of(cast.mia).context["classroom"] == newer


def test_the_eight_latest_games_are_shown(cast, page_of):
    for _ in range(9):
        make_game(cast.classroom, cast.mia, cast.ben)

    assert len(page_of(cast.mia).context["page"].history) == 8


def test_right_to_left_names_are_kept_apart_from_the_numbers(cast, page_of):
    make_game(cast.classroom, cast.mia, make_student(cast.classroom, "נועה", "לוי"))

    assert "<bdi>נועה ל.</bdi>" in page_of(cast.mia).content.decode()


@pytest.mark.parametrize("rows", [1, 3])
def test_the_page_takes_twenty_one_queries_however_many_rows(cast, client_of, django_assert_num_queries, rows):
    classroom = make_classroom(cast.school)
    mia = make_student(classroom, "Mia", username="mia-2")
    for number in range(rows):
        make_game(classroom, mia, make_student(classroom, f"Ben{number}"))
    client = client_of(mia.user)
    client.get("/me/games/")

    with django_assert_num_queries(21):
        page = client.get("/me/")

    assert (len(page.context["page"].history), len(page.context["board"])) == (rows, rows + 1)
    assert len(rows_of(page)) == 1 + rows + 1  # one day of the curve, and the board
