"""What the database itself refuses, and what it says."""

from __future__ import annotations

import datetime
import zoneinfo

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from classes.models import Classroom, Enrollment, Membership, School, Student, User
from classes.services import archive_classroom
from tests.factories import make_classroom, make_school, make_student

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def refused_by_the_database(make) -> bool:
    try:
        with transaction.atomic():
            make()
    except IntegrityError:
        return True
    return False


def complaints(row) -> dict[str, list[str]]:
    with pytest.raises(ValidationError) as error:
        row.full_clean()
    return error.value.message_dict


def test_a_user_name_is_lower_case_in_the_database():
    assert refused_by_the_database(lambda: User.objects.create(username="Mia"))
    assert not refused_by_the_database(lambda: User.objects.create(username="mia"))


def test_cleaning_an_account_writes_its_user_name_in_lower_case():
    user = User(username="MIA", password="x")

    user.full_clean()

    assert user.username == "mia"


def test_two_accounts_never_share_a_user_name():
    User.objects.create(username="mia")

    assert refused_by_the_database(lambda: User.objects.create(username="mia"))


@pytest.mark.parametrize(
    "rights", [{"is_staff": True}, {"is_superuser": True}, {"is_staff": True, "is_superuser": True}]
)
def test_a_student_account_is_never_staff(rights):
    student = {"username": "mia", "role": User.Role.STUDENT}

    assert refused_by_the_database(lambda: User.objects.create(**student, **rights))
    assert complaints(User(**student, password="x", **rights)) == {"__all__": ["A student account cannot be staff."]}
    assert not refused_by_the_database(lambda: User.objects.create(username="t", role=User.Role.TEACHER, **rights))


def test_a_staff_account_cannot_become_a_students():
    User.objects.create(username="root", is_staff=True)

    assert refused_by_the_database(lambda: User.objects.filter(username="root").update(role=User.Role.STUDENT))


def test_an_account_is_called_by_name_and_else_by_user_name():
    assert [User(username="mia", name=name).get_full_name() for name in ("Mia K", "")] == ["Mia K", "mia"]


def test_an_external_id_is_unique_in_its_school():
    classroom = make_classroom()
    make_student(classroom, "Mia", external_id="0007")

    twin = Student(school=classroom.school, first_name="Ben", external_id="0007")
    assert complaints(twin) == {"__all__": ["Another student of the school has this id."]}
    assert refused_by_the_database(twin.save)


def test_an_external_id_is_free_in_another_school_and_may_be_missing_many_times():
    classroom, elsewhere = make_classroom(), make_classroom()
    students = [
        make_student(classroom, "Mia", external_id="0007"),
        make_student(elsewhere, "Zoe", external_id="0007"),
        make_student(classroom, "Ben"),
        make_student(classroom, "Cleo"),
    ]

    assert [student.external_id for student in students] == ["0007", "0007", "", ""]
    assert Student.objects.count() == 4


def test_a_student_is_in_a_class_once():
    classroom = make_classroom()
    mia = make_student(classroom, "Mia")

    again = Enrollment(student=mia, classroom=classroom)
    assert refused_by_the_database(again.save)
    assert complaints(again) == {"__all__": ["This student is already in this class."]}


def test_two_students_of_the_same_name_are_two_students():
    classroom = make_classroom()

    twins = [make_student(classroom, "Lena", "Koval", grade="5") for _ in range(2)]

    assert list(Student.objects.order_by("pk")) == twins


@pytest.mark.parametrize("name", ["Room 12", "ROOM 12", "room 12"])
def test_the_name_of_a_class_is_taken_within_its_school_year_whatever_the_case(name):
    classroom = make_classroom(name="Room 12")

    second = Classroom(school=classroom.school, name=name, school_year=classroom.school_year)
    assert refused_by_the_database(second.save)
    assert complaints(second) == {"__all__": ["There is already a class of this name in this school year."]}


def test_the_name_of_a_class_is_free_in_another_year_and_another_school():
    classroom = make_classroom(name="Room 12")
    year = classroom.school_year

    Classroom.objects.create(school=classroom.school, name="Room 12", school_year=year + 1)
    Classroom.objects.create(school=make_school(), name="Room 12", school_year=year)

    assert Classroom.objects.filter(name="Room 12").count() == 3


def test_the_name_of_a_class_is_free_again_after_archiving():
    classroom = make_classroom(name="Room 12")
    archive_classroom(classroom)

    for _ in range(2):
        archive_classroom(make_classroom(classroom.school, name="room 12"))

    assert Classroom.objects.exclude(archived_at=None).count() == 3


def test_a_school_and_a_class_have_a_name():
    school = make_school()

    assert refused_by_the_database(lambda: School.objects.create(name=""))
    assert refused_by_the_database(lambda: Classroom.objects.create(school=school, name="", school_year=2026))


def test_a_teacher_is_in_one_school():
    user = User.objects.create(username="okafor")
    Membership.objects.create(user=user, school=make_school())

    assert refused_by_the_database(lambda: Membership.objects.create(user=user, school=make_school()))


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/Los_Angeles", "Pacific/Kiritimati"])
def test_a_known_time_zone_is_accepted(zone):
    School(name="Hill School", time_zone=zone).full_clean()


@pytest.mark.parametrize("zone", ["Berlin", "europe/berlin", "../etc/passwd", "UTC+2"])
def test_an_unknown_time_zone_is_refused_with_an_example(zone):
    assert complaints(School(name="Hill School", time_zone=zone)) == {
        "time_zone": [f"“{zone}” is not a time zone; an example is Europe/Berlin."]
    }


@pytest.mark.parametrize("starts", [["09-01"], ["08-01", "02-01"], ["09-01", "01-07", "04-15"], ["02-29"]])
def test_terms_start_on_days_of_the_year(starts):
    School(name="Hill School", term_starts=starts).full_clean()


@pytest.mark.parametrize(
    ("starts", "sentence"),
    [
        (["13-01"], "Each term needs a start day like 09-01 (month-day)."),
        (["02-30"], "Each term needs a start day like 09-01 (month-day)."),
        (["September"], "Each term needs a start day like 09-01 (month-day)."),
        (5, "Each term needs a start day like 09-01 (month-day)."),
        (["09-01", "09-01"], "Give at least one term; no two may start on the same day."),
    ],
)
def test_terms_that_cannot_be_are_refused(starts, sentence):
    assert complaints(School(name="Hill School", term_starts=starts)) == {"term_starts": [sentence]}


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("America/Los_Angeles", "2024-03-15"),
        ("UTC", "2024-03-16"),
        ("Europe/Berlin", "2024-03-16"),
        ("Pacific/Kiritimati", "2024-03-16"),
    ],
)
def test_today_is_the_day_at_the_school(monkeypatch, zone, day):
    friday_evening = datetime.datetime(2024, 3, 15, 19, 30, tzinfo=zoneinfo.ZoneInfo("America/Los_Angeles"))
    monkeypatch.setattr(timezone, "now", lambda: friday_evening.astimezone(datetime.UTC))

    assert School(name="Hill School", time_zone=zone).today() == datetime.date.fromisoformat(day)


def test_changes_of_students_enrollments_and_classes_are_kept():
    classroom = make_classroom(name="Room 12")
    mia = make_student(classroom, "Mia", "Kowalcyk", grade="5")
    enrollment = mia.enrollments.get()

    mia.last_name = "Kowalczyk"
    mia.save(update_fields=["last_name"])
    enrollment.active = False
    enrollment.save(update_fields=["active"])
    classroom.name = "Room 14"
    classroom.save(update_fields=["name"])

    assert list(mia.history.values_list("history_type", "last_name")) == [("~", "Kowalczyk"), ("+", "Kowalcyk")]
    assert list(enrollment.history.values_list("history_type", "active")) == [("~", False), ("+", True)]
    assert list(classroom.history.values_list("history_type", "name")) == [("~", "Room 14"), ("+", "Room 12")]


def test_a_deleted_account_leaves_the_student():
    mia = make_student(make_classroom(), "Mia", username="mia")

    mia.user.delete()

    mia.refresh_from_db()
    assert (mia.full_name, mia.user) == ("Mia", None)
