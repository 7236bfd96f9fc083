"""The headers that keep browsers and caches in line: on every answer, also on errors."""

from __future__ import annotations

import time

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from chesslocker import urls
from chesslocker.views import pages as views
from classes.middleware import SEEN

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def header_faults(response: HttpResponse, *, private: bool) -> list[str]:
    """What is wrong with the headers of an answer. `private`: it may be kept nowhere."""
    faults = [
        f"{name} is {response.headers.get(name)!r}" for name, value in ALWAYS.items() if response.get(name) != value
    ]
    directives = response.get("Content-Security-Policy", "").split(";")
    if dict(directive.strip().partition(" ")[::2] for directive in directives) != POLICY:
        faults.append(f"Content-Security-Policy is {response.get('Content-Security-Policy')!r}")
    faults += [f"{name} is sent" for name in response.headers if name.lower().startswith("access-control-")]
    kept = response.get("Cache-Control", "")
    if "no-store" not in kept if private else not kept:
        faults.append(f"Cache-Control is {kept!r}")
    return faults


def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("Canaryname")


urlpatterns = [*urls.urlpatterns, path("broken/", broken, name="broken")]


@pytest.fixture
def teacher(cast, client_of) -> Client:
    client = client_of(cast.teacher)
    client.raise_request_exception = False
    return client


@pytest.mark.parametrize("logged_in", [False, True])
def test_an_address_that_does_not_exist(logged_in, client, teacher):
    browser = teacher if logged_in else client

    response = browser.get("/no/such/page/", headers={"Origin": "https://evil.example"})

    assert response.status_code == 404
    assert header_faults(response, private=True) == []


def test_a_fault_of_ours_tells_nothing(settings, teacher):
    settings.ROOT_URLCONF = "tests.test_headers"

    response = teacher.get("/broken/")

    assert response.status_code == 500
    assert header_faults(response, private=True) == []
    text = response.content.decode()
    assert "This is our mistake" in text
    assert not any(word in text for word in ("Traceback", "RuntimeError", "Canaryname", "test_headers"))


def test_a_missing_token(cast):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.teacher, backend="django.contrib.auth.backends.ModelBackend")

    response = client.post("/logout/")

    assert response.status_code == 403
    assert "Please send it again" in response.content.decode()
    assert header_faults(response, private=True) == []


def test_a_wrong_method(teacher):
    response = teacher.get("/logout/")

    assert response.status_code == 405
    assert header_faults(response, private=True) == []


def test_an_idle_session(cast, teacher, settings):
    session = teacher.session
    session[SEEN] = int(time.time()) - settings.IDLE_LIMITS["teacher"] - 1
    session.save()

    response = teacher.get("/classes/")

    assert (response.status_code, response["Location"]) == (302, "/login/?next=/classes/")
    assert header_faults(response, private=True) == []


def test_too_many_tries(db, client):
    for _try in range(6):
        response = client.post("/login/", {"username": "nobody", "password": "wrong"})

    assert response.status_code == 429
    assert header_faults(response, private=False) == []


@pytest.mark.parametrize("name", ["login", "home", "signup"])
def test_public_pages_are_asked_for_anew(db, client, name):
    response = client.get({"login": "/login/", "home": "/", "signup": "/signup/"}[name])

    assert response.status_code == 200
    assert header_faults(response, private=False) == []


@pytest.mark.parametrize("path", ["/", "/login/", "/classes/", "/admin/", "/no/such/page/"])
@pytest.mark.parametrize("logged_in", [False, True])
def test_an_unknown_host(path, logged_in, client, teacher):
    browser = teacher if logged_in else client

    response = browser.get(path, headers={"Host": "evil.example"})

    assert response.status_code == 400
    assert header_faults(response, private=False) == []
    assert "evil.example" not in response.content.decode()


def test_a_forwarded_host_means_nothing(cast, client):
    response = client.get("/classes/", headers={"X-Forwarded-Host": "evil.example"})

    assert response["Location"] == "/login/?next=/classes/"


def test_the_policy_is_the_one_of_the_settings(settings):
    wanted = {name: " ".join(values) for name, values in settings.CONTENT_SECURITY_POLICY["DIRECTIVES"].items()}

    assert wanted == POLICY


def test_https(settings, client, db):
    """What is only sent where HTTPS is switched on is not sent without it."""
    assert views.home  # the page exists
    assert "Strict-Transport-Security" not in client.get("/").headers
    settings.MIDDLEWARE = settings.MIDDLEWARE  # the handler reads its settings when it is made
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS = True, 31536000

    response = Client().get("/login/", secure=False)

    assert (response.status_code, response["Location"]) == (301, "https://testserver/login/")
    assert "max-age=31536000" in Client().get("/login/", secure=True)["Strict-Transport-Security"]
