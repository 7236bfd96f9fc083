"""Logging in, rights that nobody can take for themselves, and rights that end at once."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from classes.models import Classroom, Membership, School, Student, User
from classes.services import set_active
from tests.factories import PASSWORD

EVIL = [
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "https://evil.example",
    "http://evil.example",
    "HTTPS://evil.example",
    "https:evil.example",
    "https:/evil.example",
    "http:///evil.example",
    "https://testserver@evil.example",
    "https://testserver.evil.example",
    "%2f%2fevil.example",
    "/%2fevil.example",
    "javascript:alert(1)",
    "data:text/html,evil",
    "\t//evil.example",
    "/\t/evil.example",
    "\n//evil.example",
    "//evil%E3%80%82example",
    "//\u0435vil.example",
    "ftp://evil.example",
]
TAKEN = {  # what somebody would like to have, in the names of forms and of columns
    "is_staff": "1",
    "is_superuser": "1",
    "is_active": "1",
    "role": "lead",
    "groups": "1",
    "user": "1",
    "membership": "1",
    "archived_at": "2026-01-01",
    "is_demo": "1",
    "allows_negative_behaviour": "on",
    "origin": "tournament",
}


def test_login_leads_nowhere_else(cast, client):
    left = []

    for target in EVIL:
        for query, body in (({"next": target}, {}), ({}, {"next": target})):
            login = {"username": "mia", "password": PASSWORD}
            response = client.post("/login/", login | body, query_params=query)
            assert response.status_code == 302
            # As browsers read it: without tabs and line ends, and a backslash as a slash.
            read = response["Location"].translate({9: None, 10: None, 13: None, ord("\\"): "/"}).strip()
            where = urlsplit(urljoin("http://testserver/login/", read))
            if (where.scheme, where.netloc) != ("http", "testserver"):
                left.append(target)

    assert left == []


def test_login_leads_back_to_the_page_that_was_asked_for(cast, client):
    wanted = client.get("/me/games/?outcome=won")["Location"]

    response = client.post(wanted, {"username": "mia", "password": PASSWORD})

    assert response["Location"] == "/me/games/?outcome=won"


def test_the_session_key_changes_at_login(cast, client):
    session = client.session
    session["planted"] = True
    session.save()
    key = session.session_key

    client.post("/login/", {"username": "mia", "password": PASSWORD})

    assert client.session["_auth_user_id"] == str(cast.mia.user_id)
    assert client.session.session_key != key
    assert not client.session.exists(key)


def test_the_next_child_on_the_same_tablet_finds_nothing(cast, client):
    client.post("/login/", {"username": "mia", "password": PASSWORD})
    session = client.session
    session["of_mia"] = True
    session.save()

    client.post("/login/", {"username": "ben", "password": PASSWORD})

    assert client.session["_auth_user_id"] == str(cast.ben.user_id)
    assert "of_mia" not in client.session


def test_logging_out_ends_the_session_on_the_server(cast, client_of):
    client = client_of(cast.mia.user)
    key = client.session.session_key

    assert client.get("/logout/").status_code == 405
    client.post("/logout/")

    assert not client.session.exists(key)


def test_a_new_password_ends_the_other_sessions(cast, client_of):
    here, elsewhere = client_of(cast.teacher), client_of(cast.teacher)
    new = "four-loud-bishops"

    here.post("/password/", {"old_password": PASSWORD, "new_password1": new, "new_password2": new})

    assert here.get("/classes/").status_code == 200
    assert elsewhere.get("/classes/")["Location"] == "/login/?next=/classes/"


def test_a_link_from_the_mail_works_once(cast, client):
    link = f"/password/reset/{urlsafe_base64_encode(force_bytes(cast.teacher.pk))}/"
    link += default_token_generator.make_token(cast.teacher) + "/"
    new = {"new_password1": "four-loud-bishops", "new_password2": "four-loud-bishops"}

    form = client.get(link)["Location"]
    answer = client.post(form, new)

    assert (answer.status_code, answer["Location"]) == (302, "/login/")
    cast.teacher.refresh_from_db()
    assert cast.teacher.check_password("four-loud-bishops")
    again = Client().get(link)
    assert (again.status_code, "new_password1" in again.content.decode()) == (200, False)


@pytest.mark.parametrize("right", [{"is_staff": True}, {"is_superuser": True}])
def test_the_database_refuses_a_student_who_is_staff(cast, right):
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=cast.mia.user_id).update(**right)


@pytest.mark.parametrize("right", ["is_staff", "is_superuser"])
def test_the_admin_refuses_a_student_who_is_staff(cast, client_of, right):
    client = client_of(User.objects.create_superuser("root", "", PASSWORD))
    body = {
        "username": "mia",
        "name": "Mia",
        "role": "student",
        "is_active": "on",
        "date_joined_0": "2026-09-01",
        "date_joined_1": "08:00:00",
        right: "on",
    }

    response = client.post(f"/admin/classes/user/{cast.mia.user_id}/change/", body)

    assert response.status_code == 200
    assert "A student account cannot be staff." in response.content.decode()


def rights() -> set[tuple[object, ...]]:
    """Who is what, of which school."""
    users = User.objects.values_list("username", "role", "is_staff", "is_superuser", "is_active", "groups")
    members = Membership.objects.values_list("user__username", "school__name", "role")
    students = Student.objects.values_list("first_name", "school__name", "user__username")
    return {*users, *members, *students}


def test_sign_up_gives_no_more_than_a_school(settings, client, cast):
    settings.SIGNUP = "open"
    before = rights()
    body = {"name": "Eve", "school_name": "New", "time_zone": "UTC", "username": "eve", "password": "four-loud-bishops"}

    client.post("/signup/", body | TAKEN | {"school": cast.school.pk})

    assert rights() - before == {("eve", "teacher", False, False, True, None), ("eve", "New", "lead")}
    assert not School.objects.get(name="New").is_demo
    assert client.session["_auth_user_id"] == str(User.objects.get(username="eve").pk)


def test_a_new_student_is_only_that(cast, client_of):
    before = rights()
    body = {"first_name": "Nia", "username": "nia", "password": "quiet-rooks-7"}

    client_of(cast.teacher).post(
        f"/classes/{cast.classroom.pk}/students/add/",
        body | TAKEN | {"school": School.objects.get(name="Lake School").pk, "classroom": cast.other_classroom.pk},
    )

    assert rights() - before == {("nia", "student", False, False, True, None), ("Nia", "Hill School", "nia")}
    assert [row.classroom for row in Student.objects.get(first_name="Nia").enrollments.all()] == [cast.classroom]


def test_a_changed_student_stays_where_they_are(cast, client_of):
    before = rights()

    client_of(cast.teacher).post(
        f"/students/{cast.mia.pk}/edit/",
        {"first_name": "Mia", "username": "mia", "grade": "7"}
        | TAKEN
        | {"school": cast.foreign_classroom.school_id, "user": cast.ben.user_id},
    )

    cast.mia.refresh_from_db()
    assert cast.mia.grade == "7"
    assert rights() == before


def test_a_new_class_belongs_to_who_made_it(cast, client_of):
    body = {"name": "New class", "school_year": cast.classroom.school_year, "teachers": [cast.colleague.membership.pk]}

    client_of(cast.teacher).post("/classes/new/", body | TAKEN | {"school": cast.foreign_classroom.school_id})

    made = Classroom.objects.get(name="New class")
    assert (made.school, made.is_archived, made.allows_negative_behaviour) == (cast.school, False, False)
    assert list(made.teachers.all()) == [cast.teacher.membership]


def test_a_lead_cannot_let_in_a_teacher_of_another_school(cast, client_of):
    stranger = cast.outsider.membership.pk

    response = client_of(cast.lead).post(f"/classes/{cast.classroom.pk}/teachers/", {"colleague": stranger})

    assert response.status_code == 200
    assert b"is-invalid" in response.content
    assert list(cast.classroom.teachers.all()) == [cast.teacher.membership]


def test_a_teacher_who_left_the_class_is_out_at_once(cast, client_of):
    client = client_of(cast.teacher)
    assert client.get(f"/classes/{cast.classroom.pk}/").status_code == 200

    cast.classroom.teachers.clear()

    assert client.get(f"/classes/{cast.classroom.pk}/").status_code == 404
    assert client.get(f"/students/{cast.mia.pk}/").status_code == 404


def test_an_account_that_is_switched_off_is_out_at_once(cast, client_of):
    client = client_of(cast.teacher)

    User.objects.filter(pk=cast.teacher.pk).update(is_active=False)

    assert client.get("/classes/")["Location"] == "/login/?next=/classes/"


def test_an_inactive_student_is_out_of_the_class_at_once(cast, client_of):
    client = client_of(cast.mia.user)
    assert client.get(f"/me/classes/{cast.classroom.pk}/").status_code == 200

    set_active(cast.mia.enrollments.get(), active=False)

    assert client.get(f"/me/classes/{cast.classroom.pk}/").status_code == 404
    assert "Osei" not in client.get("/me/").content.decode()


def test_the_undo_of_an_import_stays_in_its_class(cast, client_of):
    client = client_of(cast.lead)
    client.post(f"/classes/{cast.classroom.pk}/students/import/", {"text": "Nia Lee", "confirm": "1"})

    client.post(f"/classes/{cast.other_classroom.pk}/students/undo/")

    assert Student.objects.filter(first_name="Nia").exists()
