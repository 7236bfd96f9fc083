"""Writing about people and classes."""

from __future__ import annotations

import datetime
import re
import uuid

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.hashers import check_password, identify_hasher, make_password
from django.core.exceptions import ValidationError
from django.test import RequestFactory
from django.utils import timezone

from chesslocker import settings as settings_file
from chesslocker.services.people import sign_up
from classes import services
from classes.core.roster.types import Person
from classes.models import Classroom, Enrollment, Membership, Student, UsedKey, User
from classes.services import AlreadyAnswered, HasHistory, KeyReused, OneTimeKey
from ratings.models import Game, StartRating
from ratings.services import record_game, void_game
from tests.factories import (
    PASSWORD,
    WHITE,
    give_points,
    lead_of,
    list_of,
    make_classroom,
    make_game,
    make_school,
    make_student,
    make_teacher,
)

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def kept_names() -> list[str]:
    """Every name in the edit history of students."""
    return list(Student.history.values_list("first_name", flat=True))


# Accounts


def test_a_teacher_gets_an_account_in_the_school():
    school = make_school()

    membership = services.create_teacher(
        school=school, username="Okafor@Example.org", password=PASSWORD, name="Ms. Okafor", email="okafor@example.org"
    )

    assert (membership.school, membership.role, membership.is_lead) == (school, Membership.Role.TEACHER, False)
    user = User.objects.get(pk=membership.user_id)
    assert (user.username, user.name, user.email, user.role) == (
        "okafor@example.org", "Ms. Okafor", "okafor@example.org", User.Role.TEACHER,
    )  # fmt: skip
    assert check_password(PASSWORD, user.password)


def test_a_taken_user_name_makes_no_half_school():
    make_school(lead="okafor")

    with pytest.raises(ValidationError):
        sign_up(school_name="Lake School", username="OKAFOR", password=PASSWORD, name="Other")

    assert (User.objects.count(), Membership.objects.count()) == (1, 1)


def test_a_student_without_a_password_has_no_login():
    mia = make_student(make_classroom(), "Mia", "Kowalczyk", grade="5")

    assert (mia.user, User.objects.filter(role=User.Role.STUDENT).count()) == (None, 0)
    assert list(mia.enrollments.values_list("active", flat=True)) == [True]


def test_a_student_with_a_password_can_log_in_with_a_proposed_user_name():
    mia = services.add_student(classroom=make_classroom(), first_name="Mia", last_name="Kowalczyk", password=PASSWORD)

    assert authenticate(RequestFactory().post("/login/"), username="mia", password=PASSWORD) == mia.user
    assert (mia.user.name, mia.user.role) == ("Mia Kowalczyk", User.Role.STUDENT)


@pytest.mark.parametrize(
    ("first", "last", "username"),
    [
        ("Mia", "Kowalczyk", "mia"),
        ("Zoë", "O'Brien", "zoe"),
        ("Łukasz", "Wójcik", "lukasz"),
        ("José", "Peña", "jose"),
        ("Борис", "Иванов", "boris"),
        ("נועה", "לוי", "nvh"),
        ("李小龍", "", "lixiaolong"),
        ("Thị Hương", "Nguyễn", "thihuong"),
        ("🦊", "", "fox"),
        ("123", "", "player"),
    ],
)
def test_a_user_name_in_plain_letters_is_proposed_for_names_in_every_script(first, last, username):
    student = services.add_student(classroom=make_classroom(), first_name=first, last_name=last, password=PASSWORD)

    assert (student.full_name, student.user.username) == (f"{first} {last}".strip(), username)


def test_thirty_of_one_name_get_thirty_user_names():
    classroom = make_classroom()

    students = [
        services.add_student(classroom=classroom, first_name="Mia", last_name="Kern", password=PASSWORD)
        for _ in range(30)
    ]

    assert [student.user.username for student in students] == [
        "mia", "miak", "miake", "miaker", "miakern", *(f"miak{number}" for number in range(2, 27)),
    ]  # fmt: skip


def test_a_proposed_user_name_is_free_in_every_school_of_the_server():
    make_student(make_classroom(), "Mia", username="mia")

    other = services.add_student(classroom=make_classroom(), first_name="Mia", last_name="Lind", password=PASSWORD)

    assert other.user.username == "mial"


def test_a_new_password_and_user_name_replace_the_old_ones():
    mia = make_student(make_classroom(), "Mia", username="mia")

    user = services.set_student_login(mia, username="mia.k", password="olive-robot-42")

    request = RequestFactory().post("/login/")
    assert user.pk == mia.user_id
    assert authenticate(request, username="mia.k", password="olive-robot-42") == user
    assert authenticate(request, username="mia", password=PASSWORD) is None


def test_suggested_passwords_differ():
    passwords = {services.new_easy_password() for _ in range(20)}

    assert len(passwords) == 20
    assert [password for password in passwords if not re.fullmatch(r"[a-z]+-[a-z]+-\d\d", password)] == []


def test_passwords_are_hashed_with_argon2id_at_the_owasp_minimum(settings):
    settings.PASSWORD_HASHERS = ["classes.hashers.SchoolArgon2Hasher"]

    encoded = make_password("olive-robot-42")

    assert encoded.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert (check_password("olive-robot-42", encoded), check_password("olive-robot-43", encoded)) == (True, False)
    assert identify_hasher(encoded).must_update(encoded) is False


def test_new_passwords_use_the_schools_hasher():
    """The tests themselves run with a quick one."""
    assert settings_file.PASSWORD_HASHERS[0] == "classes.hashers.SchoolArgon2Hasher"


# Classes


def test_a_new_class_is_of_the_running_school_year_and_has_its_teacher(monkeypatch):
    teacher = make_teacher(make_school())
    monkeypatch.setattr(timezone, "now", lambda: datetime.datetime(2027, 3, 1, 12, tzinfo=datetime.UTC))

    classroom = services.create_classroom(membership=teacher, name="Room 12")

    assert (classroom.school, classroom.school_year, classroom.school_year_name) == (teacher.school, 2026, "2026/27")
    assert list(classroom.teachers.all()) == [teacher]


def test_an_archived_class_can_be_opened_again():
    classroom = make_classroom()

    services.archive_classroom(classroom)
    archived = Classroom.objects.get().is_archived
    services.reopen_classroom(classroom)

    assert (archived, Classroom.objects.get().is_archived) == (True, False)


def test_an_archived_class_whose_name_was_taken_meanwhile_stays_archived():
    classroom = make_classroom(name="Room 12")
    services.archive_classroom(classroom)
    make_classroom(classroom.school, name="room 12")

    with pytest.raises(ValidationError) as error:
        services.reopen_classroom(classroom)

    assert error.value.messages == ["There is already a class of this name in this school year."]
    assert Classroom.objects.get(pk=classroom.pk).is_archived


def test_deleting_a_class_without_games_takes_its_own_students_and_leaves_those_of_other_classes():
    classroom = make_classroom()
    other = make_classroom(classroom.school)
    make_student(classroom, "Mia", username="mia")
    ben = make_student(classroom, "Ben", username="ben")
    services.enroll(ben, other)

    services.delete_classroom(classroom)

    assert list(Classroom.objects.all()) == [other]
    assert list(Student.objects.all()) == [ben]
    assert list(Enrollment.objects.values_list("student", "classroom")) == [(ben.pk, other.pk)]
    assert list(User.objects.filter(role=User.Role.STUDENT).values_list("username", flat=True)) == ["ben"]
    assert kept_names() == ["Ben", "Ben"]  # added, then given a login


@pytest.mark.parametrize("happened", ["game", "points", "voided game"])
def test_a_class_in_which_something_happened_is_not_deleted_and_loses_nothing(cast, happened):
    if happened == "points":
        give_points(cast.classroom, cast.mia)
    else:
        game = make_game(cast.classroom, cast.mia, cast.ben)
        if happened == "voided game":
            void_game(game, by=cast.teacher, reason="Wrong board")
    before = (
        list(Student.objects.values_list("pk", "user")), list(Enrollment.objects.values()), list(Game.objects.values()),
        list(Student.history.values_list("pk")), list(Enrollment.history.values_list("pk")), User.objects.count(),
    )  # fmt: skip

    with pytest.raises(HasHistory):
        services.delete_classroom(cast.classroom)

    assert before == (
        list(Student.objects.values_list("pk", "user")), list(Enrollment.objects.values()), list(Game.objects.values()),
        list(Student.history.values_list("pk")), list(Enrollment.history.values_list("pk")), User.objects.count(),
    )  # fmt: skip
    assert Classroom.objects.filter(pk=cast.classroom.pk).exists()


def test_deleting_a_class_keeps_its_students_who_played_elsewhere():
    classroom = make_classroom()
    mia, ben = make_student(classroom, "Mia"), make_student(classroom, "Ben")
    make_student(classroom, "Cleo")
    record_game(
        rating_list=list_of(classroom), classroom=None, white=mia, black=ben, result=WHITE,
        day=classroom.school.today(), note="", by=lead_of(classroom.school).user,
    )  # fmt: skip

    services.delete_classroom(classroom)

    assert list(Classroom.objects.all()) == []
    assert list(Student.objects.order_by("pk")) == [mia, ben]


# Adding and deleting students


def test_many_students_are_imported():
    classroom = make_classroom()

    ids = services.import_students(
        classroom=classroom, new=[Person("Mia", "Kern", "5"), Person("Ben", "", "5")], enrolled=()
    )

    assert list(Student.objects.filter(pk__in=ids).order_by("pk").values_list("first_name", "last_name", "grade")) == [
        ("Mia", "Kern", "5"),
        ("Ben", "", "5"),
    ]
    assert Enrollment.objects.filter(classroom=classroom, active=True).count() == 2


def test_of_many_students_all_are_added_or_none():
    classroom = make_classroom()

    with pytest.raises(ValidationError):
        services.import_students(classroom=classroom, new=[Person("Mia"), Person("x" * 81)], enrolled=())

    assert (Student.objects.count(), Student.history.count()) == (0, 0)


def test_an_import_keeps_its_history_as_adding_one_by_one_does():
    classroom = make_classroom()

    [pk] = services.import_students(classroom=classroom, new=[Person("Mia")], enrolled=())

    assert Student.history.get(id=pk).first_name == "Mia"
    assert Enrollment.history.get(student_id=pk).active is True


def test_an_import_into_a_class_that_changed_meanwhile_does_nothing():
    classroom = make_classroom()
    make_student(classroom, "Ben")

    with pytest.raises(services.ClassChanged):
        services.import_students(classroom=classroom, new=[Person("Mia")], enrolled=())

    assert list(Student.objects.values_list("first_name", flat=True)) == ["Ben"]


def test_an_import_with_an_id_that_was_given_meanwhile_does_nothing():
    classroom, other = make_classroom(school := make_school()), make_classroom(school)
    make_student(other, "Ben", external_id="S1")

    with pytest.raises(services.ClassChanged):
        services.import_students(classroom=classroom, new=[Person("Mia", id="S1")], enrolled=())

    assert list(classroom.enrollments.all()) == []


def test_an_import_takes_over_changes_and_enrols_known_students():
    classroom, other = make_classroom(school := make_school()), make_classroom(school)
    stranger = make_student(make_classroom(), "Zoe")
    ben, mia = make_student(classroom, "Ben", grade="5"), make_student(other, "Mia", "Kern", username="mia")

    services.import_students(
        classroom=classroom,
        new=[],
        enroll=[mia.pk, stranger.pk],
        changes={ben.pk: {"grade": "6", "id": "S1"}, mia.pk: {"last": "Kern-Ruiz"}, stranger.pk: {"first": "Q"}},
        enrolled=[ben.pk],
    )

    assert list(Student.objects.order_by("pk").values_list("first_name", "last_name", "grade", "external_id")) == [
        ("Zoe", "", "", ""),
        ("Ben", "", "6", "S1"),
        ("Mia", "Kern-Ruiz", "", ""),
    ]
    assert set(classroom.enrollments.values_list("student_id", flat=True)) == {ben.pk, mia.pk}
    mia.user.refresh_from_db()
    assert mia.user.name == "Mia Kern-Ruiz"


def test_deleting_a_student_leaves_no_trace_of_the_name():
    classroom = make_classroom()
    mai = make_student(classroom, "Mai", username="mai", start=900)
    mai.first_name = "Maj"
    mai.save(update_fields=["first_name"])

    services.delete_student(mai)

    assert (Student.objects.count(), Enrollment.objects.count(), StartRating.objects.count()) == (0, 0, 0)
    assert (Student.history.count(), Enrollment.history.count()) == (0, 0)
    assert list(User.objects.values_list("role", flat=True)) == [User.Role.TEACHER]


@pytest.mark.parametrize("happened", [make_game, give_points])
def test_a_student_with_a_history_is_not_deleted_and_loses_nothing(cast, happened):
    happened(cast.classroom, cast.mia, *([cast.ben] if happened is make_game else []))
    kept = Student.history.filter(id=cast.mia.pk).count()

    with pytest.raises(HasHistory):
        services.delete_student(cast.mia)

    mia = Student.objects.get(pk=cast.mia.pk)
    assert (mia.user.username, mia.enrollments.count()) == ("mia", 1)
    assert Student.history.filter(id=mia.pk).count() == kept > 0


def test_taking_back_many_keeps_those_who_played(cast):
    dana = make_student(cast.classroom, "Dana")
    make_game(cast.classroom, cast.mia, dana)

    deleted = services.delete_students([dana, cast.cleo, cast.ben])

    assert deleted == 2
    assert list(Student.objects.filter(enrollments__classroom=cast.classroom).order_by("first_name")) == [
        dana,
        cast.mia,
    ]
    assert sorted(set(kept_names())) == ["Dana", "Mia", "Noah", "Zoe"]


def test_enrolling_again_changes_nothing(cast):
    enrollment = cast.mia.enrollments.get()
    services.set_active(enrollment, active=False)

    assert services.enroll(cast.mia, cast.classroom) == enrollment
    assert list(cast.mia.enrollments.values_list("classroom", "active")) == [(cast.classroom.pk, False)]


# One-time keys


def key_for(user, key=None, *, action="paste", body=(("names", "Mia"),)) -> OneTimeKey:
    return OneTimeKey.of_form(key=key or uuid.uuid4(), user=user, action=action, body=body, answer="/classes/{pk}/")


def test_a_key_is_kept_with_its_answer():
    user = User.objects.create(username="okafor")
    key = key_for(user)

    key.refuse_second_use()
    key.keep(7)

    assert list(UsedKey.objects.values_list("key", "user", "action", "answer_url")) == [
        (key.key, user.pk, "paste", "/classes/7/")
    ]


def test_the_second_use_of_a_key_gives_the_first_answer():
    user = User.objects.create(username="okafor")
    first = key_for(user, body=(("names", "Mia"), ("grade", "5")))
    first.keep(7)

    second = key_for(user, first.key, body=(("grade", "5"), ("names", "Mia")))  # the order of fields says nothing
    with pytest.raises(AlreadyAnswered) as answered:
        second.refuse_second_use()

    assert answered.value.url == "/classes/7/"


@pytest.mark.parametrize("changed", ["body", "action", "user"])
def test_a_key_is_refused_for_anything_else(changed):
    user, other = User.objects.create(username="okafor"), User.objects.create(username="lund")
    first = key_for(user)
    first.keep(7)

    second = {
        "body": key_for(user, first.key, body=(("names", "Ben"),)),
        "action": key_for(user, first.key, action="add"),
        "user": key_for(other, first.key),
    }[changed]
    with pytest.raises(KeyReused):
        second.refuse_second_use()


def test_keys_go_after_seven_days():
    user = User.objects.create(username="okafor")
    old, young = key_for(user), key_for(user)
    old.keep(1)
    young.keep(2)
    now = timezone.now()
    UsedKey.objects.filter(key=old.key).update(created_at=now - datetime.timedelta(days=7, seconds=1))
    UsedKey.objects.filter(key=young.key).update(created_at=now - datetime.timedelta(days=6, hours=23))

    newest = key_for(user)
    newest.keep(3)

    assert set(UsedKey.objects.values_list("key", flat=True)) == {young.key, newest.key}


def test_a_service_that_fails_leaves_its_key_unused(cast):
    key, enrolled = key_for(cast.teacher), [cast.mia.pk, cast.ben.pk, cast.cleo.pk]

    with pytest.raises(ValidationError):
        services.import_students(
            classroom=cast.classroom, new=[Person("Dana"), Person("x" * 81)], enrolled=enrolled, once=key
        )
    services.import_students(classroom=cast.classroom, new=[Person("Dana")], enrolled=enrolled, once=key)

    assert Student.objects.filter(first_name="Dana").count() == 1
