"""Where tournaments are listed: for a teacher, in a class, on the page of a class."""

from __future__ import annotations

import pytest
from django.db.models import ProtectedError

from classes.models import Enrollment
from classes.services import HasHistory, archive_classroom, delete_student, enroll
from tests.factories import make_student
from tests.pages import messages_of, rows_of, words_of
from tests.tournaments.makers import R, boards, enter, entry, make_tournament, pair, play_round
from tournaments.models import Entry, KeepApart, Tournament
from tournaments.services.entries import withdraw
from tournaments.services.events import cancel_tournament, finish_tournament

pytestmark = pytest.mark.django_db

LIST = "/tournaments/"


@pytest.fixture
def teacher(cast, client_of):
    return client_of(cast.teacher)


def school_wide(cast, *students) -> Tournament:
    cup = make_tournament(cast.classroom, list(students), name="School cup")
    cup.classroom = None
    cup.save()
    return cup


def today(cast) -> str:
    day = cast.school.today()
    return f"{day.day} {day:%b %Y}"


def test_running_tournaments_come_first_then_those_that_are_over_by_class(cast, client_of):
    done = make_tournament(cast.other_classroom, [cast.other, make_student(cast.other_classroom, "Nils")], name="Done")
    play_round(done)
    finish_tournament(done)
    off = make_tournament(cast.classroom, [cast.mia, cast.ben], name="Off")
    cancel_tournament(off, keep_ratings=True, by=cast.lead)
    running = make_tournament(cast.classroom, 5, name="Runs")
    pair(running)
    enter(boards(running)[0], R.DRAW)
    school_wide(cast, cast.mia, cast.other)

    page = client_of(cast.lead).get(LIST)

    assert rows_of(page) == [
        ["School cup", today(cast), "whole school", "Swiss, 2 players", "not begun"],
        ["Runs", today(cast), "Room 12 Chess", "Swiss, 5 players", "Round 1 of 3, 1 of 2 results in"],
        ["Off cancelled", today(cast), "Swiss, 2 players", "–"],
        ["Done", today(cast), "Swiss, 2 players", "1 round"],
    ]
    assert "New school tournament" in words_of(page)


def test_a_teacher_sees_the_tournaments_of_the_own_classes_and_school_wide_ones_with_own_students(cast, teacher):
    make_tournament(cast.classroom, [cast.mia, cast.ben], name="Ours")
    make_tournament(cast.other_classroom, [cast.other, cast.mia], name="Theirs")
    school_wide(cast, cast.mia, cast.other)

    page = teacher.get(LIST)

    assert [row[0] for row in rows_of(page)] == ["School cup", "Ours"]
    assert "New school tournament" not in words_of(page)


def test_without_tournaments_the_pages_say_what_to_do(cast, teacher):
    assert "No tournaments yet. A class has a “New tournament” button" in words_of(teacher.get(LIST))
    page = words_of(teacher.get(f"/classes/{cast.classroom.pk}/tournaments/"))
    assert "No tournaments yet. Everybody active is ticked already: name it and go. New tournament" in page


def test_the_tab_of_a_class_has_its_own_and_the_school_wide_ones_of_its_students(cast, client_of):
    lead = client_of(cast.lead)
    make_tournament(cast.other_classroom, [cast.other, cast.mia], name="Theirs")
    make_tournament(cast.classroom, [cast.mia, cast.ben], name="Ours")
    school_wide(cast, cast.mia, cast.ben)

    def names(classroom):
        return [row[0] for row in rows_of(lead.get(f"/classes/{classroom.pk}/tournaments/"))]

    assert names(cast.classroom) == ["School cup", "Ours"]
    assert names(cast.other_classroom) == ["Theirs"]


def test_in_an_archived_class_nothing_is_set_up(cast, teacher):
    make_tournament(cast.classroom, [cast.mia, cast.ben])
    archive_classroom(cast.classroom)

    page = teacher.get(f"/classes/{cast.classroom.pk}/tournaments/")

    assert [row[0] for row in rows_of(page)] == ["Friday Swiss"]
    assert "New tournament" not in words_of(page)


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize(("address", "queries"), [(LIST, 7), ("/classes/{}/tournaments/", 8)])
def test_the_lists_take_the_same_queries_however_many_tournaments(
    cast, teacher, django_assert_num_queries, address, queries, rows
):
    for number in range(rows):
        cup = make_tournament(cast.classroom, [cast.mia, cast.ben], name=f"Cup {number}")
        play_round(cup)
        pair(cup)
    teacher.get("/classes/")

    with django_assert_num_queries(queries):
        page = teacher.get(address.format(cast.classroom.pk))

    assert len(page.context["events"].running) == rows


# --- the page of a class ---


def test_the_page_of_a_class_says_how_far_a_running_tournament_is(cast, teacher):
    cup = make_tournament(cast.classroom, 4)
    play_round(cup)
    pair(cup)
    enter(boards(cup)[0], R.DRAW)
    over = make_tournament(cast.classroom, [cast.mia, cast.ben], name="Over", rounds=1)
    play_round(over)
    finish_tournament(over)

    page = teacher.get(f"/classes/{cast.classroom.pk}/")

    assert "Friday Swiss : Round 2 of 3, 1 of 2 results in To the tournament" in words_of(page)
    assert [row.tournament for row in page.context["running"]] == [cup]
    assert f'href="/classes/{cast.classroom.pk}/tournaments/new/"' in page.content.decode()


# --- who leaves the class ---


def set_inactive(client, classroom, student):
    return client.post(f"/classes/{classroom.pk}/students/{student.pk}/active/", {"active": "0"})


def test_whoever_becomes_inactive_in_the_middle_of_a_tournament_is_offered_to_withdraw(cast, teacher):
    cup = make_tournament(cast.classroom, [cast.mia, cast.ben, cast.cleo, make_student(cast.classroom, "Dan")])
    play_round(cup)
    pair(cup)

    answer = set_inactive(teacher, cast.classroom, cast.mia)

    assert answer.url == f"/classes/{cast.classroom.pk}/students/{cast.mia.pk}/leaving/"
    assert not Enrollment.objects.get(student=cast.mia).active
    page = teacher.get(answer.url)
    assert messages_of(page) == ["Mia Kowalczyk is inactive: not in lists and boards. Games and rating are kept."]
    assert "Friday Swiss" in words_of(page)
    assert not entry(cup, "Mia").is_withdrawn  # only when the teacher says so


@pytest.mark.parametrize("end", ["finished", "withdrawn"])
def test_nothing_is_asked_where_nothing_is_left_to_play(cast, teacher, end):
    cup = make_tournament(cast.classroom, [cast.mia, cast.ben])
    play_round(cup)
    if end == "finished":
        finish_tournament(cup)
    else:
        withdraw(entry(cup, "Mia"), by=cast.teacher)

    assert set_inactive(teacher, cast.classroom, cast.mia).url == f"/classes/{cast.classroom.pk}/students/"


def test_leaving_one_class_asks_nothing_about_the_tournament_of_another(cast, client_of):
    enroll(cast.mia, cast.other_classroom)
    make_tournament(cast.classroom, [cast.mia, cast.ben])

    answer = set_inactive(client_of(cast.lead), cast.other_classroom, cast.mia)

    assert answer.url == f"/classes/{cast.other_classroom.pk}/students/"


def test_a_student_who_is_entered_cannot_be_deleted(cast):
    make_tournament(cast.classroom, [cast.mia, cast.ben])

    with pytest.raises(HasHistory):
        delete_student(cast.mia)

    assert Entry.objects.filter(student=cast.mia).count() == 1


def test_a_student_who_is_only_kept_apart_can_be_deleted(cast):
    KeepApart.objects.create(school=cast.school, one=cast.mia, other=cast.ben)

    delete_student(cast.mia)

    assert KeepApart.objects.count() == 0


def test_a_class_with_a_tournament_cannot_be_deleted(cast):
    make_tournament(cast.classroom, [cast.mia, cast.ben])

    with pytest.raises(ProtectedError):
        cast.classroom.delete()
