"""The pages of the school year."""

from __future__ import annotations

import re

import pytest

from chesslocker.services.year import roll_over
from classes.core.rollover import Choices
from classes.models import Classroom, Enrollment, Merge, Rollover
from classes.services import enroll
from tests.factories import give_points, make_classroom, make_game, make_student
from tests.pages import messages_of, words_of
from tests.tournaments.makers import make_tournament

pytestmark = pytest.mark.django_db


def hidden(page) -> dict[str, str]:
    """The hidden fields of a page, as the browser would send them."""
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.content.decode()))


# --- moving one student ---


def test_a_teacher_moves_a_student_between_own_classes_in_one_form(cast, client_of):
    club = make_classroom(cast.school, name="Club", teacher=cast.teacher.membership)
    client = client_of(cast.teacher)
    page = client.get(f"/students/{cast.mia.pk}/move/")
    assert "Room 14 Chess" not in words_of(page)

    own = cast.mia.enrollments.get()
    answer = client.post(f"/students/{cast.mia.pk}/move/", {"to": club.pk, "leaves": own.pk}, follow=True)

    assert messages_of(answer) == ["Mia Kowalczyk is in Club now."]
    assert list(Enrollment.objects.filter(student=cast.mia, active=True).values_list("classroom", flat=True)) == [
        club.pk
    ]
    assert "Mia" not in words_of(client.get(f"/classes/{cast.classroom.pk}/students/"))


def test_who_teaches_no_other_class_is_told_to_ask_a_lead(cast, client_of):
    page = client_of(cast.teacher).get(f"/students/{cast.mia.pk}/move/")

    assert "You teach no other open class. A lead teacher can move students" in words_of(page)
    assert "Twice in the school?" not in words_of(page)


def test_who_leaves_a_class_during_a_tournament_is_asked_whether_to_leave_that_too(cast, client_of):
    make_tournament(cast.classroom, [cast.mia, cast.ben, cast.cleo])

    answer = client_of(cast.lead).post(
        f"/students/{cast.mia.pk}/move/",
        {"to": cast.other_classroom.pk, "leaves": cast.mia.enrollments.get().pk},
    )

    assert answer.url == f"/classes/{cast.other_classroom.pk}/students/{cast.mia.pk}/leaving/"


# --- a new school year ---


def test_a_new_year_takes_three_clicks_and_a_second_time_there_is_nothing_to_do(cast, client_of):
    client, year = client_of(cast.lead), cast.classroom.school_year + 1
    proposal = client.get(f"/school/rollover/?year={year}")
    sent = hidden(proposal) | {
        "share": "50",
        "last": "6",
        f"class-{cast.classroom.pk}": "Room 13 Chess",
        f"class-{cast.other_classroom.pk}": "",
        f"ends-{cast.other_classroom.pk}": "1",
        f"student-{cast.mia.pk}-{cast.classroom.pk}": "repeat",
        "show": "1",
    }

    shown = client.post("/school/rollover/", sent)

    words = words_of(shown)
    assert Rollover.objects.count() == 0
    assert "Go on 1 Repeat 1 Leave 2 Archived classes 2" in words
    assert "New classes: Room 12 Chess, Room 13 Chess" in words
    assert "Mia Kowalczyk : repeats: Room 12 Chess" in words
    assert "Cleo Raman : leaves after the last grade" in words

    done = client.post("/school/rollover/", hidden(shown) | {"confirm": "1"}, follow=True)

    assert messages_of(done) == ["4 students moved."]
    new = Enrollment.objects.filter(classroom__school_year=year).order_by("student__first_name")
    assert [(one.student.first_name, one.student.grade, one.classroom.name) for one in new] == [
        ("Ben", "6", "Room 13 Chess"),
        ("Mia", "5", "Room 12 Chess"),
    ]
    assert "0 changes: all open classes are of" in words_of(client.get(f"/school/rollover/?year={year}"))
    again = client.post("/school/rollover/", {"year": year, "share": "0", "confirm": "1", "seen": ""}, follow=True)
    assert "0 changes" in words_of(again)


def test_what_changed_since_it_was_shown_is_shown_again(cast, client_of):
    client, year = client_of(cast.lead), cast.classroom.school_year + 1
    shown = client.post("/school/rollover/", {"year": year, "share": "0", "show": "1"})
    make_student(cast.classroom, "Newcomer")

    answer = client.post("/school/rollover/", hidden(shown) | {"confirm": "1"})

    assert answer.status_code == 409
    assert "Something changed meanwhile" in words_of(answer)
    assert Rollover.objects.count() == 0
    client.post("/school/rollover/", hidden(answer) | {"confirm": "1"})
    assert Rollover.objects.count() == 1


def test_the_old_teacher_reads_the_archived_class_without_doors_that_do_not_open(cast, client_of):
    year = cast.classroom.school_year + 1
    choices = Choices(students={(cast.mia.pk, cast.classroom.pk): "to:Room 14 Chess"})
    roll_over(cast.school, to_year=year, choices=choices, by=cast.lead)

    for address in (f"/classes/{cast.classroom.pk}/", f"/classes/{cast.classroom.pk}/students/"):
        page = client_of(cast.teacher).get(address)
        assert "Mia Kowalczyk" in words_of(page)
        assert f"/students/{cast.ben.pk}/" in page.content.decode()
        assert f"/students/{cast.mia.pk}/" not in page.content.decode()


def test_a_class_without_a_name_has_to_end(cast, client_of):
    body = {"year": cast.classroom.school_year + 1, "share": "0", f"class-{cast.classroom.pk}": " ", "show": "1"}

    page = client_of(cast.lead).post("/school/rollover/", body)

    assert "Every class becomes a class of the new year, or it ends" in words_of(page)


def test_a_new_year_is_undone_on_its_page_or_says_why_not(cast, client_of):
    client, year = client_of(cast.lead), cast.classroom.school_year + 1
    shown = client.post("/school/rollover/", {"year": year, "share": "0", "show": "1"})
    client.post("/school/rollover/", hidden(shown) | {"confirm": "1"})
    made = Rollover.objects.get()
    new = Classroom.objects.get(name="Room 12 Chess", school_year=year)
    game = make_game(new, cast.mia, cast.ben)
    assert "Games were recorded in the new classes since." in words_of(client.post(f"/school/rollover/{made.pk}/undo/"))

    game.entries.all().delete()
    game.delete()
    page = client.get("/school/rollover/")
    assert f"/school/rollover/{made.pk}/undo/" in page.content.decode()
    done = client.post(f"/school/rollover/{made.pk}/undo/", follow=True)

    assert messages_of(done) == ["The change of the school year is undone: everybody is where they were."]
    assert set(Classroom.objects.filter(school=cast.school, archived_at=None)) == {
        cast.classroom,
        cast.other_classroom,
    }


@pytest.mark.parametrize("count", [1, 3])
def test_the_pages_take_the_same_queries_however_many_classes_and_students(
    django_assert_num_queries, cast, client_of, count
):
    for number in range(count):
        room = make_classroom(cast.school, name=f"{number + 1}a Chess")
        for name in range(count):
            give_points(room, make_student(room, f"S{name}", grade="4"), 50)
    client, year = client_of(cast.lead), cast.classroom.school_year + 1
    client.get(f"/school/rollover/?year={year}")

    with django_assert_num_queries(11):
        client.get(f"/school/rollover/?year={year}")
    with django_assert_num_queries(15):
        client.post("/school/rollover/", {"year": year, "share": "50", "show": "1"})


# --- two records of one child ---


def test_two_records_are_merged_after_a_look_and_taken_apart_again(cast, client_of):
    client = client_of(cast.lead)
    twin = make_student(cast.other_classroom, "Mia", "Kowalczik")
    make_game(cast.other_classroom, twin, cast.other)
    make_game(cast.classroom, cast.mia, cast.ben)
    choose = client.get(f"/students/{cast.mia.pk}/merge/")
    assert re.search(r"Same first name.*Mia Kowalczik.*Everybody else", choose.content.decode(), re.DOTALL)

    shown = client.get(f"/students/{cast.mia.pk}/merge/?other={twin.pk}")
    words = words_of(shown)
    assert "From Mia Kowalczik to Mia Kowalczyk go: 1 game classes: Room 14 Chess" in words
    assert re.search(r"Mia Kowalczyk 816 831 ▲ \+15", words)
    assert "Kowalczik 8" not in words

    done = client.post(f"/students/{cast.mia.pk}/merge/", hidden(shown), follow=True)

    assert messages_of(done) == ["The two records are one now."]
    assert client.get(f"/students/{twin.pk}/").status_code == 404
    merge = Merge.objects.get()
    assert "Mia Kowalczik" in words_of(client.get(f"/students/{cast.mia.pk}/move/"))
    back = client.post(f"/merges/{merge.pk}/undo/", follow=True)
    assert messages_of(back) == ["The two records are apart again, each with what it had."]
    assert client.get(f"/students/{twin.pk}/").status_code == 200


def test_who_met_cannot_be_merged_and_a_stale_look_is_shown_again(cast, client_of):
    client = client_of(cast.lead)
    make_game(cast.classroom, cast.mia, cast.ben)
    assert "The two played against each other" in words_of(
        client.get(f"/students/{cast.mia.pk}/merge/?other={cast.ben.pk}")
    )
    shown = client.get(f"/students/{cast.cleo.pk}/merge/?other={cast.other.pk}")
    make_game(cast.classroom, cast.mia, cast.ben)

    answer = client.post(f"/students/{cast.cleo.pk}/merge/", hidden(shown))

    assert answer.status_code == 409
    assert Merge.objects.count() == 0


@pytest.mark.parametrize("count", [1, 3])
def test_merge_pages_take_the_same_queries_however_many_students(django_assert_num_queries, cast, client_of, count):
    for number in range(count):
        enroll(make_student(cast.other_classroom, f"S{number}"), cast.classroom)
    client = client_of(cast.lead)
    client.get(f"/students/{cast.mia.pk}/merge/")

    with django_assert_num_queries(7):
        client.get(f"/students/{cast.mia.pk}/merge/")
    with django_assert_num_queries(10):
        client.get(f"/students/{cast.mia.pk}/move/")
