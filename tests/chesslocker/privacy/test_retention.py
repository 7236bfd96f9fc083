"""Who is due to be erased, on the page and by the command."""

from __future__ import annotations

import datetime

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from chesslocker.core.retention import due_on, months_later
from classes.models import AuditEvent, Classroom, Enrollment, School, Student, UsedKey
from classes.services import archive_classroom, enroll, set_active
from tests.factories import make_classroom, make_student
from tests.pages import messages_of, rows_of, words_of

pytestmark = pytest.mark.django_db
PAGE = "/school/retention/"
D = datetime.date


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.BACKUP_DIR = tmp_path / "backups"


def leave(student: Student, *, days_ago: int) -> None:
    """Made inactive so many days ago."""
    for enrollment in student.enrollments.all():
        set_active(enrollment, active=False)
        moment = timezone.now() - datetime.timedelta(days=days_ago)
        Enrollment.history.filter(id=enrollment.pk).update(history_date=moment)


@pytest.mark.parametrize(
    ("day", "months", "then"),
    [
        (D(2026, 1, 31), 1, D(2026, 2, 28)),
        (D(2024, 1, 31), 1, D(2024, 2, 29)),
        (D(2026, 11, 30), 12, D(2027, 11, 30)),
        (D(2026, 11, 30), -24, D(2024, 11, 30)),
        (D(2026, 12, 5), 1, D(2027, 1, 5)),
    ],
)
def test_months_are_those_of_the_calendar(day, months, then):
    assert months_later(day, months) == then


def test_the_last_class_counts_and_without_one_the_day_of_joining():
    assert due_on([D(2026, 1, 1), D(2026, 3, 1)], joined=D(2020, 1, 1), months=12) == D(2027, 3, 1)
    assert due_on([], joined=D(2026, 1, 1), months=1) == D(2026, 2, 1)


def test_due_is_who_left_longer_ago_than_the_school_keeps_data(cast, client_of):
    School.objects.filter(pk=cast.school.pk).update(retention_months=2)
    leave(cast.mia, days_ago=100)
    leave(cast.ben, days_ago=30)
    Classroom.objects.filter(pk=cast.other_classroom.pk).update(
        archived_at=timezone.now() - datetime.timedelta(days=200)
    )
    leave(cast.stranger, days_ago=900)  # of another school

    rows = rows_of(client_of(cast.lead).get(PAGE))

    assert [row[0] for row in rows] == ["Noah Fischer", "Mia Kowalczyk"]
    assert rows[1][1].startswith("Room 12 Chess")


def test_who_is_active_in_any_open_class_is_not_due(cast, client_of):
    leave(cast.mia, days_ago=1000)
    enroll(cast.mia, make_classroom(cast.school))

    assert "Nobody is due." in words_of(client_of(cast.lead).get(PAGE))


def test_an_archived_class_counts_from_its_end(cast, client_of):
    archive_classroom(cast.classroom)

    assert "Nobody is due." in words_of(client_of(cast.lead).get(PAGE))


def test_the_ticked_are_erased_after_a_second_question_and_nobody_else(cast, client_of):
    for student in (cast.mia, cast.ben, cast.stranger):
        leave(student, days_ago=1000)
    lead = client_of(cast.lead)
    ticked = {"students": [cast.mia.pk, cast.cleo.pk, cast.stranger.pk]}  # Cleo is not due, Zoe of another school

    page = words_of(lead.post(PAGE, ticked))
    assert "Really erase 1 student?" in page
    assert "Cleo" not in page
    assert not Student.objects.exclude(erased_at=None).exists()
    done = lead.post(PAGE, ticked | {"confirm": "1"}, follow=True)

    assert messages_of(done) == ["1 student is erased."]
    assert [student.pk for student in Student.objects.exclude(erased_at=None)] == [cast.mia.pk]
    assert [row[0] for row in rows_of(done)] == ["Ben Osei"]
    assert messages_of(lead.post(PAGE, {}, follow=True)) == ["Tick at least one student."]


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_takes_seven_queries_however_many_are_due(cast, client_of, count, django_assert_num_queries):
    for number in range(count):
        leave(make_student(cast.classroom, f"Gone{number}"), days_ago=1000)
    lead = client_of(cast.lead)
    lead.get(reverse("help"))

    with django_assert_num_queries(7):
        assert len(rows_of(lead.get(PAGE))) == count


def test_the_command_only_says_and_with_do_erases(cast, capsys):
    leave(cast.mia, days_ago=1000)
    long_ago = timezone.now() - datetime.timedelta(days=800)
    AuditEvent.objects.create(action="school.changed", at=long_ago)
    AuditEvent.objects.create(action="school.changed")
    Session.objects.create(session_key="a", session_data="", expire_date=long_ago)
    UsedKey.objects.create(
        key="5b0ee2a8-1c0f-4d0e-8f57-2f7c1a3e9d11", user=cast.teacher, action="t", created_at=long_ago
    )

    call_command("retention")

    said = capsys.readouterr().out
    assert f"school {cast.school.pk}: 1 students due: {cast.mia.pk}" in said
    assert "1 lines of the audit trail" in said
    assert "Mia" not in said
    assert Student.objects.get(pk=cast.mia.pk).erased_at is None
    assert (AuditEvent.objects.count(), Session.objects.count(), UsedKey.objects.count()) == (2, 1, 1)

    call_command("retention", do=True)

    assert Student.objects.get(pk=cast.mia.pk).erased_at is not None
    assert {event.action for event in AuditEvent.objects.all()} == {"school.changed", "student.erased"}
    assert AuditEvent.objects.filter(action="school.changed").count() == 1
    assert (Session.objects.count(), UsedKey.objects.count()) == (0, 0)
    assert "Erased." in capsys.readouterr().out
