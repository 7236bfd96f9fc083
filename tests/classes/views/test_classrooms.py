"""Making, changing, archiving and deleting classes."""

from __future__ import annotations

import pytest

from classes.models import Classroom, Student
from classes.services import archive_classroom, set_active
from tests.factories import lead_of, make_classroom, make_game, make_school, make_student
from tests.pages import messages_of, words_of

pytestmark = pytest.mark.django_db

TAKEN = "There is already a class of this name in this school year."


def listed(page) -> list[str]:
    return [row.classroom.name for row in page.context["rows"]]


# The list


def test_a_teacher_sees_the_own_classes_and_a_lead_all_of_the_school(cast, client_of):
    pages = [client_of(user).get("/classes/") for user in (cast.teacher, cast.colleague, cast.lead, cast.outsider)]

    assert [listed(page) for page in pages] == [
        ["Room 12 Chess"], ["Room 14 Chess"], ["Room 12 Chess", "Room 14 Chess"], ["Lake Chess"],
    ]  # fmt: skip


def test_a_class_is_shown_with_its_year_active_students_and_teachers(cast, client_of):
    set_active(cast.ben.enrollments.get(), active=False)

    page = words_of(client_of(cast.teacher).get("/classes/"))

    assert f"Room 12 Chess {cast.classroom.school_year_name} · 2 students Ms. Okafor" in page


def test_without_a_class_the_page_says_what_to_do(client_of):
    page = words_of(client_of(lead_of(make_school()).user).get("/classes/"))

    assert "No classes yet. Make the first one and paste its names: it takes a minute. New class" in page


def test_archived_classes_stand_apart(cast, client_of):
    archive_classroom(cast.classroom)

    page = client_of(cast.lead).get("/classes/")

    assert (listed(page), [row.classroom.name for row in page.context["archived"]]) == (
        ["Room 14 Chess"], ["Room 12 Chess"],
    )  # fmt: skip
    assert f"Archived classes Room 12 Chess {cast.classroom.school_year_name}" in words_of(page)


@pytest.mark.parametrize("classes", [1, 3])
def test_the_list_takes_eight_queries_however_many_classes(client_of, django_assert_num_queries, classes):
    school = make_school()
    for _ in range(classes):
        make_student(make_classroom(school))
    client = client_of(lead_of(school).user)
    client.get("/classes/")

    with django_assert_num_queries(8):
        page = client.get("/classes/")

    assert len(listed(page)) == classes


# Making and changing


def test_a_new_class_leads_to_pasting_its_names(cast, client_of):
    answer = client_of(cast.teacher).post(
        "/classes/new/", {"name": "  Club   Friday ", "school_year": cast.classroom.school_year}, follow=True
    )

    classroom = Classroom.objects.get(name="Club Friday")
    assert answer.redirect_chain == [(f"/classes/{classroom.pk}/students/import/", 302)]
    assert messages_of(answer) == ["The class is there. Now add its students."]
    assert (classroom.school, [teacher.user for teacher in classroom.teachers.all()]) == (cast.school, [cast.teacher])


@pytest.mark.parametrize(
    ("typed", "errors"),
    [
        ({"name": ""}, {"name": ["This field is required."]}),
        ({"name": "\x07"}, {"name": ["This field cannot be blank."]}),
        ({"name": "room 12 CHESS"}, {"__all__": [TAKEN]}),
        ({"name": "x" * 81}, {"name": ["Ensure this value has at most 80 characters (it has 81)."]}),
        (
            {"school_year": "1066"},
            {"school_year": ["Select a valid choice. 1066 is not one of the available choices."]},
        ),
    ],
)
def test_a_class_that_cannot_be_made_is_said_and_what_was_typed_stays(cast, client_of, typed, errors):
    sent = {"name": "Club Friday", "school_year": cast.classroom.school_year} | typed

    page = client_of(cast.teacher).post("/classes/new/", sent)

    assert (page.status_code, page.context["form"].errors) == (200, errors)
    assert page.context["form"]["name"].value() == sent["name"]
    assert Classroom.objects.filter(school=cast.school).count() == 2


def test_changing_a_class(cast, client_of):
    answer = client_of(cast.teacher).post(
        f"/classes/{cast.classroom.pk}/edit/",
        {"name": "Room 13", "school_year": cast.classroom.school_year + 1},
        follow=True,
    )

    cast.classroom.refresh_from_db()
    assert (answer.redirect_chain, messages_of(answer)) == ([(f"/classes/{cast.classroom.pk}/", 302)], ["Saved."])
    assert (cast.classroom.name, cast.classroom.school_year_name) == ("Room 13", answer.context[
        "classroom"
    ].school_year_name)  # fmt: skip
    assert [teacher.user for teacher in cast.classroom.teachers.all()] == [cast.teacher]


def test_a_teacher_cannot_hand_on_a_class_by_an_added_field(cast, client_of):
    client_of(cast.teacher).post(
        f"/classes/{cast.classroom.pk}/edit/",
        {
            "name": "Room 12 Chess",
            "school_year": cast.classroom.school_year,
            "teachers": [cast.colleague.membership.pk],
        },
    )

    assert [teacher.user for teacher in cast.classroom.teachers.all()] == [cast.teacher]


def test_a_taken_name_is_said_and_the_frame_shows_the_class_as_it_is(cast, client_of):
    make_classroom(cast.school, name="Room 15")

    page = client_of(cast.teacher).post(
        f"/classes/{cast.classroom.pk}/edit/", {"name": "room 15", "school_year": cast.classroom.school_year}
    )

    assert (page.context["form"].errors, page.context["classroom"].name) == ({"__all__": [TAKEN]}, "Room 12 Chess")
    assert Classroom.objects.get(pk=cast.classroom.pk).name == "Room 12 Chess"


# Archiving


def test_archiving_a_class_and_opening_it_again(cast, client_of):
    client = client_of(cast.teacher)

    archived = client.post(f"/classes/{cast.classroom.pk}/archive/", follow=True)
    reopened = client.post(f"/classes/{cast.classroom.pk}/reopen/", follow=True)

    assert messages_of(archived) == [
        "Room 12 Chess is archived: it can be read, and opened again, but nothing is recorded in it."
    ]
    assert (reopened.redirect_chain, messages_of(reopened)) == (
        [(f"/classes/{cast.classroom.pk}/", 302)], ["Room 12 Chess is open again."],
    )  # fmt: skip
    assert Classroom.objects.get(pk=cast.classroom.pk).is_archived is False


def test_an_archived_class_can_be_read_and_not_written(cast, client_of):
    make_game(cast.classroom, cast.mia, cast.ben)
    archive_classroom(cast.classroom)
    client, base = client_of(cast.teacher), f"/classes/{cast.classroom.pk}"

    read = {page: client.get(f"{base}/{page}").status_code for page in ("", "games/", "students/")}
    written = {
        page: (client.get(f"{base}/{page}").status_code, client.post(f"{base}/{page}").status_code)
        for page in ("edit/", "students/add/", "students/import/", "games/record/", "games/quick/")
    }

    assert read == {"": 200, "games/": 200, "students/": 200}
    assert set(written.values()) == {(404, 404)}
    assert client.post(f"{base}/archive/").status_code == 404


def test_an_archived_class_is_gone_from_the_students_pages(cast, client_of):
    client = client_of(cast.mia.user)
    before = client.get(f"/me/classes/{cast.classroom.pk}/").status_code

    archive_classroom(cast.classroom)

    assert (before, client.get(f"/me/classes/{cast.classroom.pk}/").status_code) == (200, 404)
    assert "You are in no active class at the moment." in words_of(client.get("/me/"))


def test_a_class_whose_name_was_taken_meanwhile_stays_archived(cast, client_of):
    archive_classroom(cast.classroom)
    make_classroom(cast.school, name="room 12 chess")

    answer = client_of(cast.teacher).post(f"/classes/{cast.classroom.pk}/reopen/", follow=True)

    assert (answer.redirect_chain, messages_of(answer)) == ([("/classes/", 302)], [TAKEN])
    assert Classroom.objects.get(pk=cast.classroom.pk).is_archived


# Deleting


def test_a_class_without_games_is_deleted_after_a_question(cast, client_of):
    client = client_of(cast.teacher)
    address = f"/classes/{cast.classroom.pk}/delete/"

    question = words_of(client.get(address))
    still_there = Classroom.objects.filter(pk=cast.classroom.pk).exists()
    answer = client.post(address, follow=True)

    assert "Delete Room 12 Chess? Only a class without any game or adjustment can be deleted." in question
    assert still_there
    assert (answer.redirect_chain, messages_of(answer)) == ([("/classes/", 302)], ["Room 12 Chess is deleted."])
    assert not Classroom.objects.filter(pk=cast.classroom.pk).exists()
    assert list(Student.objects.filter(school=cast.school)) == [cast.other]


def test_a_class_with_a_game_is_kept_whole(cast, client_of):
    make_game(cast.classroom, cast.mia, cast.ben)

    answer = client_of(cast.teacher).post(f"/classes/{cast.classroom.pk}/delete/", follow=True)

    assert messages_of(answer) == [
        "Room 12 Chess has games, points or tournaments and cannot be deleted. Archive it instead."
    ]
    assert [(row.label, row.rating) for row in answer.context["board"]] == [
        ("Mia Kowalczyk", 816), ("Cleo Raman", 800), ("Ben Osei", 784),
    ]  # fmt: skip
