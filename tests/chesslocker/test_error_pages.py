"""What is shown when something is missing, refused, sent twice, too busy or broken."""

from __future__ import annotations

import logging
import re

import pytest
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import HttpRequest
from django.test import Client
from django.urls import include, path

from tests.pages import words_of

pytestmark = pytest.mark.django_db

NOT_FOUND = "There is no such page It may have been moved or deleted, or the address has a typing mistake."


@login_not_required
def broken(request: HttpRequest):
    raise RuntimeError("Mia Kowalczyk")


@login_not_required
def busy(request: HttpRequest):
    raise OperationalError("database is locked")


@login_not_required
def refused(request: HttpRequest):
    raise PermissionDenied


urlpatterns = [
    path("broken/", broken),
    path("busy/", busy),
    path("refused/", refused),
    path("", include("chesslocker.urls")),
]


@pytest.fixture
def with_broken_pages(settings):
    settings.ROOT_URLCONF = "tests.chesslocker.test_error_pages"


@pytest.mark.parametrize("who", [None, "teacher", "mia", "outsider"])
def test_a_page_that_is_not_there(cast, client_of, who):
    users = {"teacher": cast.teacher, "mia": cast.mia.user, "outsider": cast.outsider}
    client = client_of(users[who]) if who else Client()

    answer = client.get("/no-such-page/")

    assert answer.status_code == 404
    assert f"{NOT_FOUND} Back to the start" in words_of(answer)


def test_what_one_may_not_know_looks_like_what_never_was(cast, client_of):
    client = client_of(cast.teacher)

    pages = [
        client.get(address)
        for address in (
            f"/classes/{cast.foreign_classroom.pk}/",
            f"/classes/{cast.other_classroom.pk}/",
            f"/students/{cast.stranger.pk}/",
            "/classes/987654/",
            "/students/987654/",
        )
    ]

    assert [page.status_code for page in pages] == [404] * 5
    assert len({re.sub(r'value="\w{64}"', "", page.content.decode()) for page in pages}) == 1


def test_a_mistake_of_ours_is_owned_and_tells_nothing(with_broken_pages, cast, client_of, caplog):
    client = client_of(cast.teacher)
    client.raise_request_exception = False

    with caplog.at_level(logging.CRITICAL):
        answer = client.get("/broken/")

    assert answer.status_code == 500
    assert words_of(answer) == (
        "Something went wrong · ChessLocker Something went wrong This is our mistake, not yours. What was saved before "
        "is safe. Go back and try again; if it happens again, tell whoever runs this server the time and the address "
        "of the page. Back to the start"
    )


@pytest.mark.parametrize("address", ["/login/", "/signup/"])
def test_a_form_from_another_window_is_refused_with_a_way_on(address):
    answer = Client(enforce_csrf_checks=True).post(address, {"username": "mia", "password": "x"})

    assert answer.status_code == 403
    assert "Please send it again This page was open too long, or you logged in or out in another window" in words_of(
        answer
    )


def test_a_form_of_a_teacher_from_elsewhere_changes_nothing(cast):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.teacher, backend="django.contrib.auth.backends.ModelBackend")

    answer = client.post(f"/classes/{cast.classroom.pk}/archive/")

    cast.classroom.refresh_from_db()
    assert (answer.status_code, cast.classroom.is_archived) == (403, False)


def test_a_page_that_may_not_be_opened(with_broken_pages, client):
    answer = client.get("/refused/")

    assert answer.status_code == 403
    assert "This is not possible You may not open this page. Back to the start" in words_of(answer)


def test_a_busy_database_asks_to_try_again(with_broken_pages, client):
    answer = client.get("/busy/?page=2")

    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert "The server is busy Nothing was saved yet, and nothing is lost: send it again in a moment." in words_of(
        answer
    )
    assert 'href="/busy/?page=2"' in answer.content.decode()


def test_a_form_that_met_a_busy_database_can_be_sent_again_without_its_password(with_broken_pages, client):
    answer = client.post("/busy/", {"names": 'Mia "K"\nBen', "also": ["1", "2"], "password": "olive-robot-42"})

    page = answer.content.decode()
    assert answer.status_code == 503
    assert re.findall(r'<input type="hidden" name="(?!csrf)(\w+)" value="([^"]*)"', page) == [
        ("names", "Mia &quot;K&quot;\nBen"), ("also", "1"), ("also", "2"),
    ]  # fmt: skip
    assert "olive-robot-42" not in page
    assert '<form method="post" action="/busy/">' in page
