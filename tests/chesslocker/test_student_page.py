"""A student's page, as the teacher sees it."""

from __future__ import annotations

import datetime
import re

import pytest

from classes.services import enroll, set_active
from tests.factories import BLACK, DRAW, give_points, make_classroom, make_game, make_student
from tests.pages import rows_of, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def page_of(cast, client_of):
    client = client_of(cast.teacher)
    return lambda student: client.get(f"/students/{student.pk}/")


def three_games(cast) -> None:
    monday = datetime.date(2024, 3, 11)
    make_game(cast.classroom, cast.mia, cast.ben, day=monday, note="A fork on f7")
    make_game(cast.classroom, cast.cleo, cast.mia, DRAW, day=monday)
    make_game(cast.classroom, cast.mia, cast.ben, BLACK, day=monday + datetime.timedelta(days=4))


def test_the_head_says_grade_classes_and_login(cast, page_of):
    enroll(cast.mia, cast.other_classroom)
    set_active(cast.mia.enrollments.get(classroom=cast.other_classroom), active=False)

    assert "Mia Kowalczyk Grade 5 · Room 12 Chess , Room 14 Chess (inactive) · logs in as mia Edit student" in words_of(
        page_of(cast.mia)
    )
    assert "Cleo Raman Grade 6 · Room 12 Chess · no login" in words_of(page_of(cast.cleo))


def test_rating_best_games_and_results(cast, page_of):
    three_games(cast)

    page = words_of(page_of(cast.mia))

    assert re.findall(r"Elo (\d+) (?:new )?(▼ −17) last game (best .*? lost) Last ten ((?:[WDL] )+)", page) == [
        ("798", "▼ −17", "best 816 · 3 games · 1 won, 1 drawn, 1 lost", "W D L ")
    ]


def test_the_curve_in_numbers_has_one_row_a_day_and_head_to_head_one_an_opponent(cast, page_of):
    three_games(cast)

    assert rows_of(page_of(cast.mia)) == [
        ["March 15, 2024", "798"],
        ["March 11, 2024", "815"],
        ["Ben Osei", "2", "1-0-1"],
        ["Cleo Raman", "1", "0-1-0"],
    ]


def test_games_and_points_newest_first_with_the_sum(cast, page_of):
    three_games(cast)
    give_points(cast.classroom, cast.mia, 3, day=datetime.date(2024, 3, 16))

    page = words_of(page_of(cast.mia))

    history = page[page.index("Teacher’s award") : page.index("Performance in a period")]
    assert history.replace("open this game ", "").strip() == (
        "Teacher’s award ▲ +3 Solved the puzzle sheet 798 +3 = 801 16 Mar 2024 "
        "White: Mia Kowalczyk ▼ −17 Black: Ben Osei ▲ +17 815 −17 = 798 0–1 15 Mar 2024 "
        "White: Cleo Raman ▲ +1 Black: Mia Kowalczyk ▼ −1 816 −1 = 815 ½–½ 11 Mar 2024 "
        "White: Mia Kowalczyk ▲ +16 Black: Ben Osei ▼ −16 A fork on f7 800 +16 = 816 1–0 11 Mar 2024"
    )


def test_nothing_played_yet_is_said(cast, page_of):
    page = words_of(page_of(cast.mia))

    assert "best 800 · 0 games · 0 won, 0 drawn, 0 lost" in page
    assert "No games yet. Latest games and points Nothing yet." in page
    assert "Head to head No opponents yet." in page


def test_a_classmate_of_the_same_name_is_told_apart(cast, page_of):
    twin = make_student(cast.classroom, "Mia", "Kowalczyk", grade="6")
    make_game(cast.classroom, cast.mia, twin)

    assert '<h1 class="mb-0"><bdi>Mia Kowalczyk (5)</bdi></h1>' in page_of(cast.mia).content.decode()
    assert rows_of(page_of(cast.mia))[-1] == ["Mia Kowalczyk (6)", "1", "1-0-0"]


@pytest.mark.parametrize("rows", [1, 3])
def test_the_page_takes_nineteen_queries_however_much_happened(cast, client_of, django_assert_num_queries, rows):
    classroom = make_classroom(cast.school, teacher=cast.teacher.membership)
    mia = make_student(classroom, "Mia", username="mia-2")
    for number in range(rows):
        make_game(classroom, mia, make_student(classroom, f"Ben{number}"))
        give_points(classroom, mia)
    client = client_of(cast.teacher)
    client.get("/classes/")

    with django_assert_num_queries(19):
        page = client.get(f"/students/{mia.pk}/")

    assert len(page.context["page"].history) == 2 * rows
