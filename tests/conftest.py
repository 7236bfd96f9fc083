"""The cast that every test may call on, and the settings of the tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from django.test import Client, override_settings

from classes.models import Classroom, School, Student, User
from ratings.models import Rating
from tests.factories import lead_of, list_of, make_classroom, make_school, make_student, make_teacher


@pytest.fixture(scope="session", autouse=True)
def _no_collected_files():
    """A bare clone has no collected static files; the live server, one for all tests, asks for them when it starts."""
    with override_settings(WHITENOISE_AUTOREFRESH=True):
        yield


@pytest.fixture(autouse=True)
def _test_settings(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }
    settings.ALLOWED_HOSTS = ["testserver", "localhost"]


@dataclass
class Cast:
    """Two classes of one school and one of another; who is who in the tests of views."""

    school: School
    classroom: Classroom
    other_classroom: Classroom
    foreign_classroom: Classroom
    lead: User
    teacher: User  # of classroom
    colleague: User  # of other_classroom
    outsider: User  # lead of another school
    mia: Student  # these three in classroom, mia and ben with accounts
    ben: Student
    cleo: Student
    other: Student  # in other_classroom, with an account
    stranger: Student  # in foreign_classroom


@pytest.fixture
def cast(db) -> Cast:
    school = make_school(lead="lead")
    teacher = make_teacher(school, username="teacher")
    colleague = make_teacher(school, username="colleague", name="Mr. Lund")
    classroom = make_classroom(school, name="Room 12 Chess", teacher=teacher)
    other_classroom = make_classroom(school, name="Room 14 Chess", teacher=colleague)
    foreign = make_school(name="Lake School", lead="outsider")
    foreign_classroom = make_classroom(foreign, name="Lake Chess")
    return Cast(
        school=school,
        classroom=classroom,
        other_classroom=other_classroom,
        foreign_classroom=foreign_classroom,
        lead=lead_of(school).user,
        teacher=teacher.user,
        colleague=colleague.user,
        outsider=lead_of(foreign).user,
        mia=make_student(classroom, "Mia", "Kowalczyk", grade="5", username="mia"),
        ben=make_student(classroom, "Ben", "Osei", grade="5", username="ben"),
        cleo=make_student(classroom, "Cleo", "Raman", grade="6"),
        other=make_student(other_classroom, "Noah", "Fischer", username="noah"),
        stranger=make_student(foreign_classroom, "Zoe", "Lind"),
    )


@pytest.fixture
def client_of() -> Callable[[User], Client]:
    """A browser in which a user is logged in."""

    def made(user: User) -> Client:
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return made


@pytest.fixture
def ratings_of() -> Callable[[Classroom], dict[str, int]]:
    """First name -> rating of a class's list, for those who have one."""

    def made(classroom: Classroom) -> dict[str, int]:
        rows = Rating.objects.filter(rating_list=list_of(classroom)).select_related("student")
        return {row.student.first_name: row.rating for row in rows}

    return made
