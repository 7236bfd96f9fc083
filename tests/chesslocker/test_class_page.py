"""The class at a glance, for its teacher."""

from __future__ import annotations

import pytest

from classes.models import School
from classes.services import archive_classroom, enroll, set_active
from ratings.services import void_game
from tests.factories import BLACK, DRAW, make_classroom, make_game, make_student
from tests.pages import board_of, words_of
from tests.tournaments.makers import make_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def page_of(cast, client_of):
    client = client_of(cast.teacher)
    return lambda classroom: client.get(f"/classes/{classroom.pk}/")


def test_the_board_shows_ranks_names_grades_ratings_changes_and_results(cast, page_of):
    make_game(cast.classroom, cast.mia, cast.ben)
    make_game(cast.classroom, cast.ben, cast.mia, DRAW)

    assert board_of(page_of(cast.classroom)) == [
        ["1", "Mia Kowalczyk", "5", "815", "▼ −1", "1-1-0", ""],
        ["2", "Cleo Raman", "6", "800", "–", "0-0-0", "–"],
        ["3", "Ben Osei", "5", "785", "▲ +1", "0-1-1", ""],
    ]


def test_equal_ratings_share_a_place_and_stand_by_name(cast, page_of):
    classroom = make_classroom(cast.school, teacher=cast.teacher.membership)
    for name, start in [("dan", 800), ("Cia", 815), ("Bea", 815), ("Ann", 830)]:
        make_student(classroom, name, start=start)

    assert [row[:4:3] + row[1:2] for row in board_of(page_of(classroom))] == [
        ["1", "830", "Ann"], ["2", "815", "Bea"], ["2", "815", "Cia"], ["4", "800", "dan"],
    ]  # fmt: skip


def test_teachers_see_full_names_whatever_the_school_chose_for_its_boards(cast, page_of):
    for style in School.NameStyle:
        School.objects.filter(pk=cast.school.pk).update(name_style=style)

        assert [row[1] for row in board_of(page_of(cast.classroom))] == ["Ben Osei", "Cleo Raman", "Mia Kowalczyk"]


def test_the_head_counts_students_and_games_and_says_the_average(cast, page_of):
    make_game(cast.classroom, cast.mia, cast.ben)
    void_game(make_game(cast.classroom, cast.mia, cast.cleo), by=cast.teacher, reason="Wrong board")
    set_active(cast.ben.enrollments.get(), active=False)

    page = words_of(page_of(cast.classroom))

    assert f"Room 12 Chess {cast.classroom.school_year_name} · 2 active students · 1 game · average Elo 808" in page


def test_only_active_students_are_on_the_board(cast, page_of):
    set_active(cast.ben.enrollments.get(), active=False)
    enroll(cast.other, cast.classroom)

    assert [row[1] for row in board_of(page_of(cast.classroom))] == ["Cleo Raman", "Mia Kowalczyk", "Noah Fischer"]


def test_a_student_of_two_classes_has_one_rating_in_both(cast, page_of):
    enroll(cast.mia, cast.other_classroom)
    enroll(cast.other, cast.classroom)

    make_game(cast.classroom, cast.mia, cast.other)

    assert {row[1]: row[3] for row in board_of(page_of(cast.classroom))} == {
        "Mia Kowalczyk": "816", "Ben Osei": "800", "Cleo Raman": "800", "Noah Fischer": "784",
    }  # fmt: skip


def test_todays_games_stand_beside_the_board(cast, page_of):
    make_game(cast.classroom, cast.mia, cast.ben, BLACK, note="A fork on f7")

    page = words_of(page_of(cast.classroom))

    assert "Today’s games White: Mia Kowalczyk ▼ −16 Black: Ben Osei ▲ +16 A fork on f7 0–1" in page


def test_a_class_without_students_says_what_to_do(cast, page_of):
    classroom = make_classroom(cast.school, teacher=cast.teacher.membership)

    page = page_of(classroom)

    assert "No students yet. Paste the names of your class, or add them one by one. Paste names" in words_of(page)
    assert "0 active students · 0 games" in words_of(page)
    assert "average" not in words_of(page)
    assert f'href="/classes/{classroom.pk}/students/import/"' in page.content.decode()


def test_a_class_without_games_says_what_to_do(cast, page_of):
    assert "No games yet. Record the first one." in words_of(page_of(cast.classroom))


def test_a_class_that_played_before_but_not_today(cast, page_of):
    day = cast.school.today().replace(day=1).replace(year=cast.school.today().year - 1)
    make_game(cast.classroom, cast.mia, cast.ben, day=day)

    assert "None yet today." in words_of(page_of(cast.classroom))


def test_an_archived_class_offers_to_be_opened_and_nothing_else(cast, page_of):
    archive_classroom(cast.classroom)

    page = page_of(cast.classroom)

    assert "archived Open again" in words_of(page)
    assert ["/games/record/" in page.content.decode(), "/edit/" in page.content.decode()] == [False, False]


@pytest.mark.parametrize("rows", [1, 3])
def test_the_page_takes_eighteen_queries_however_many_students_games_and_tournaments(
    cast, client_of, django_assert_num_queries, rows
):
    classroom = make_classroom(cast.school, teacher=cast.teacher.membership)
    opponent = make_student(classroom, "Opponent")
    for number in range(rows):
        player = make_student(classroom, f"Mia{number}")
        make_game(classroom, player, opponent)
        make_tournament(classroom, [player, opponent])
    client = client_of(cast.teacher)
    client.get("/classes/")

    with django_assert_num_queries(18):
        page = client.get(f"/classes/{classroom.pk}/")

    context = page.context
    assert (len(context["board"]), len(context["games_today"]), len(context["running"])) == (rows + 1, rows, rows)
