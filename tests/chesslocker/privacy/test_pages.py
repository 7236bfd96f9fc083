"""Settings of the school, the audit trail, the notice for families, and what a teacher sees as a student."""

from __future__ import annotations

import pytest
from django.urls import reverse

from chesslocker.privacy.erase import erase_student
from classes.models import AuditEvent, School, Student
from classes.services import Action, record_event
from ratings.selectors.boards import leaderboard
from tests.factories import give_points, list_of, make_game, make_school
from tests.pages import board_of, messages_of, rows_of, words_of
from tests.tournaments.makers import make_tournament, play_round

pytestmark = pytest.mark.django_db
SETTINGS = {
    "name": "Hill School", "time_zone": "Europe/Berlin", "term_starts": "09-01, 02-01", "name_style": "full",
    "retention_months": "6", "privacy_contact": "Ms. Lind, office",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.BACKUP_DIR = tmp_path / "backups"


# --- settings ---


def test_a_lead_sets_what_holds_for_the_school(cast, client_of):
    lead = client_of(cast.lead)

    page = lead.post("/school/", SETTINGS, follow=True)

    assert messages_of(page) == ["Saved."]
    school = School.objects.get(pk=cast.school.pk)
    assert (school.time_zone, school.name_style, school.retention_months) == ("Europe/Berlin", "full", 6)
    assert (school.term_starts, school.privacy_contact) == (["02-01", "09-01"], "Ms. Lind, office")
    event = AuditEvent.objects.get()
    assert (event.action, event.by) == ("school.changed", cast.lead)
    assert "name" not in event.detail["fields"]
    lead.post("/school/", SETTINGS)
    assert AuditEvent.objects.count() == 1  # nothing was changed


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", " ", "This field is required."),
        ("time_zone", "Mars/Olympus", "Select a valid choice."),
        ("term_starts", "31-12", "Each term needs a start day like 09-01 (month-day)."),
        ("term_starts", ",", "Give at least one term; no two may start on the same day."),
        ("retention_months", "0", "Ensure this value is greater than or equal to 1."),
        ("retention_months", "61", "Ensure this value is less than or equal to 60."),
        ("name_style", "secret", "Select a valid choice."),
    ],
)
def test_what_cannot_be_set_is_said(cast, client_of, field, value, sentence):
    page = client_of(cast.lead).post("/school/", SETTINGS | {field: value})

    assert page.status_code == 200
    assert sentence in words_of(page)
    assert School.objects.get(pk=cast.school.pk).retention_months == 12


# --- the audit trail ---


def test_the_trail_has_names_for_the_lead_and_numbers_in_the_table(cast, client_of):
    record_event(action=Action.STUDENT_EXPORTED, school=cast.school, by=cast.teacher, about=f"student:{cast.mia.pk}")
    record_event(action=Action.STUDENT_EXPORTED, school=cast.foreign_classroom.school, about="student:1")
    record_event(
        action=Action.BACKUP_MADE, school=cast.school, about="backup:20261130T190102Z", detail={"students": [1, 2]}
    )

    rows = rows_of(client_of(cast.lead).get("/school/audit/"))

    assert [row[1:] for row in rows] == [
        ["backup made students 2", "backup:20261130T190102Z", "–"],
        ["all data of a student exported", "Mia Kowalczyk", "by Ms. Okafor"],
    ]


def test_the_erased_and_the_gone_have_no_name_in_the_trail(cast, client_of):
    record_event(action=Action.STUDENT_EXPORTED, school=cast.school, by=cast.mia.user, about=f"student:{cast.mia.pk}")
    record_event(action=Action.STUDENT_EXPORTED, school=cast.school, about="student:987654")
    record_event(action=Action.STUDENT_EXPORTED, school=cast.school, about=f"student:{cast.stranger.pk}")
    erase_student(cast.mia, by=cast.lead)

    rows = rows_of(client_of(cast.lead).get("/school/audit/?action=student.exported"))

    assert [row[2:] for row in rows] == [
        ["a former student", "–"], ["a former student", "–"], [f"Former student {cast.mia.pk}", "–"],
    ]  # fmt: skip


def test_the_trail_is_shown_by_kind_and_page(cast, client_of):
    lead = client_of(cast.lead)
    for number in range(51):
        record_event(action=Action.STUDENT_EXPORTED, school=cast.school, about=f"student:{number}")
    record_event(action=Action.BACKUP_MADE, school=cast.school)

    assert len(rows_of(lead.get("/school/audit/"))) == 50
    assert len(rows_of(lead.get("/school/audit/?page=2"))) == 2
    assert len(rows_of(lead.get("/school/audit/?action=backup.made"))) == 1
    assert len(rows_of(lead.get("/school/audit/?action=nonsense"))) == 50


@pytest.mark.parametrize("count", [1, 3])
def test_the_trail_takes_eight_queries_however_long_it_is(cast, client_of, count, django_assert_num_queries):
    for student in (cast.mia, cast.ben, cast.cleo)[:count]:
        record_event(action=Action.STUDENT_EXPORTED, school=cast.school, by=cast.teacher, about=f"student:{student.pk}")
    lead = client_of(cast.lead)
    lead.get(reverse("help"))

    with django_assert_num_queries(8):
        assert len(rows_of(lead.get("/school/audit/"))) == count


def test_an_event_is_never_changed(cast):
    event = record_event(action=Action.BACKUP_MADE, school=cast.school)

    with pytest.raises(TypeError, match="never changed"):
        event.save()


def test_every_action_has_words_of_its_own():
    assert [action.name for action in Action if action.label == action.name.replace("_", " ").title()] == []


# --- the notice ---


def test_on_a_server_of_several_schools_visitors_read_what_holds_for_all(cast, client):
    words = words_of(client.get("/privacy/"))
    assert "Each school that uses this server is responsible" in words
    assert "Hill School" not in words


def test_on_a_server_of_one_school_visitors_read_its_settings(client):
    school = make_school()
    School.objects.filter(pk=school.pk).update(privacy_contact="Ms. Lind, office", retention_months=6)

    words = words_of(client.get("/privacy/"))

    assert "Hill School is responsible for these data." in words
    assert "Questions and requests: Ms. Lind, office." in words
    assert "in no class for 6 months is due to be erased" in words
    assert "For children" in words
    assert "first letter of the last name" in words
    School.objects.update(name_style="full")
    assert "the school shows full names" in words_of(client.get("/privacy/"))


# --- left off boards ---


def test_who_is_left_off_boards_is_on_none_and_keeps_the_own_number(cast, client_of):
    make_game(cast.classroom, cast.mia, cast.ben)
    edit = client_of(cast.teacher)
    edit.post(
        f"/students/{cast.mia.pk}/edit/",
        {"first_name": "Mia", "last_name": "Kowalczyk", "username": "mia", "off_boards": "on"},
    )
    assert Student.objects.get(pk=cast.mia.pk).off_boards

    class_page = edit.get(f"/classes/{cast.classroom.pk}/")
    own = client_of(cast.mia.user).get("/me/")
    others = client_of(cast.ben.user).get(f"/me/classes/{cast.classroom.pk}/")

    assert [row[:2] for row in board_of(class_page)] == [["1", "Cleo Raman"], ["2", "Ben Osei"]]
    assert "1 student is left off boards" in words_of(class_page)
    assert "3 active students" in words_of(class_page)
    assert "Your Elo 816" in words_of(own)
    assert "Mia" not in words_of(others)
    labels = dict.fromkeys((cast.ben.pk, cast.cleo.pk), "x")
    assert {row.student_id for row in leaderboard(cast.classroom, list_of(cast.classroom), labels)} == set(labels)


def test_in_a_tournament_they_are_a_number_for_the_others_and_have_a_name_for_the_teacher(cast, client_of):
    Student.objects.filter(pk=cast.mia.pk).update(off_boards=True)
    cast.mia.refresh_from_db()
    cup = make_tournament(cast.classroom, [cast.mia, cast.ben, cast.cleo])
    play_round(cup)
    teacher = client_of(cast.teacher)

    for page in ("projector/boards/", "projector/names/", "projector/standings/", "print/standings/", "print/chart/",
                 "rounds/1/print/boards/", "rounds/1/print/names/", "rounds/1/print/slips/"):  # fmt: skip
        words = words_of(teacher.get(f"/tournaments/{cup.pk}/{page}"))
        assert "Mia" not in words, page
        assert "Player 1" in words or page.endswith("slips/"), page
    assert "Mia" not in words_of(client_of(cast.ben.user).get(f"/me/tournaments/{cup.pk}/"))
    assert "Mia Kowalczyk" in words_of(teacher.get(f"/tournaments/{cup.pk}/standings/"))


# --- what a student sees ---


def test_a_teacher_sees_what_a_student_sees_without_being_them(cast, client_of):
    make_game(cast.classroom, cast.mia, cast.ben)
    give_points(cast.classroom, cast.mia)
    cup = make_tournament(cast.classroom, [cast.mia, cast.ben])
    play_round(cup)
    teacher = client_of(cast.teacher)

    page = teacher.get(f"/students/{cast.mia.pk}/view/")
    own = client_of(cast.mia.user).get("/me/")

    assert "This is what Mia Kowalczyk sees after logging in." in words_of(page)
    start = "Hello, Mia"
    seen, real = (start + words_of(one).split(start)[1] for one in (page, own))
    assert seen == real.replace(" All my games", "")
    assert "/me/" not in page.content.decode()
    assert teacher.get("/classes/").context["user"] == cast.teacher
    assert teacher.get(f"/students/{cast.other.pk}/view/").status_code == 404


def test_the_way_to_export_and_erase_is_on_the_students_page(cast, client_of):
    teacher, lead = (words_of(client_of(user).get(f"/students/{cast.mia.pk}/")) for user in (cast.teacher, cast.lead))

    assert "View as this student" in teacher
    assert ("Take out all data" in teacher, "Erase this student" in teacher) == (True, False)
    assert ("Take out all data" in lead, "Erase this student" in lead) == (True, True)
