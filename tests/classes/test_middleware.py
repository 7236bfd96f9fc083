"""What happens around every request."""

from __future__ import annotations

import datetime

import pytest
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone

from classes import middleware
from classes.middleware import TrustedProxies, client_address
from classes.models import School
from ratings.models import Game
from tests.factories import PASSWORD, make_game
from tests.pages import words_of

HOUR = 60 * 60


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still: `clock(seconds)` moves it forward."""
    hands = [1_800_000_000.0]
    monkeypatch.setattr(middleware.time, "time", lambda: hands[0])

    def forward(seconds: float) -> None:
        hands[0] += seconds

    return forward


def seen(client: Client) -> int:
    return client.session["seen"]


@pytest.mark.parametrize(("who", "home", "hours"), [("mia", "/me/", 2), ("teacher", "/classes/", 12)])
def test_a_session_ends_after_its_idle_hours(cast, client_of, clock, who, home, hours):
    user = cast.mia.user if who == "mia" else cast.teacher
    client = client_of(user)
    client.get(home)

    clock(hours * HOUR)
    just_in_time = client.get(home).status_code
    clock(hours * HOUR + 1)
    too_late = client.get(home)

    assert just_in_time == 200
    assert (too_late.status_code, too_late["Location"]) == (302, f"/login/?next={home}")
    assert "_auth_user_id" not in client.session


def test_an_ended_session_stays_ended_and_comes_back_by_login_to_the_same_page(cast, client_of, clock):
    client = client_of(cast.mia.user)
    client.get("/me/games/")
    clock(3 * HOUR)

    answer = client.get("/me/games/?result=won&page=2")
    assert answer["Location"] == "/login/?next=/me/games/%3Fresult%3Dwon%26page%3D2"
    assert client.get("/me/")["Location"] == "/login/?next=/me/"
    back = client.post(answer["Location"], {"username": "mia", "password": PASSWORD})
    assert back["Location"] == "/me/games/?result=won&page=2"


def test_a_form_sent_from_an_ended_session_leads_to_login_and_writes_nothing(cast, client_of, clock):
    client = client_of(cast.teacher)
    client.get("/classes/")
    clock(13 * HOUR)

    answer = client.post("/classes/new/", {"name": "Late", "school_year": cast.classroom.school_year})

    assert (answer.status_code, answer["Location"]) == (302, "/login/?next=")
    assert not cast.school.classrooms.filter(name="Late").exists()


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_login_page_opened_in_an_ended_session_is_a_login_page_that_leads_home(cast, client_of, clock, method):
    client = client_of(cast.mia.user)
    client.get("/me/")
    clock(3 * HOUR)

    if method == "get":
        assert client.get("/login/").status_code == 200
    answer = client.post("/login/", {"username": "ben", "password": PASSWORD}, follow=True)

    assert answer.redirect_chain[-1] == ("/me/", 302)
    assert answer.context["student"] == cast.ben


def test_a_session_is_written_at_most_every_five_minutes(cast, client_of, clock):
    client = client_of(cast.teacher)
    client.get("/classes/")
    first = seen(client)

    clock(5 * 60)
    client.get("/classes/")
    after_five_minutes = seen(client)
    clock(1)
    client.get("/classes/")

    assert (after_five_minutes - first, seen(client) - first) == (0, 301)


def test_requests_within_five_minutes_do_not_write_the_session(cast, client_of, clock, django_assert_max_num_queries):
    client = client_of(cast.teacher)
    client.get("/classes/")
    clock(299)

    with django_assert_max_num_queries(50) as queries:
        client.get("/classes/")

    assert [query["sql"] for query in queries if not query["sql"].startswith("SELECT")] == []


def test_somebody_active_is_never_logged_out(cast, client_of, clock):
    client = client_of(cast.mia.user)

    answers = []
    for _ in range(20):
        answers.append(client.get("/me/").status_code)
        clock(HOUR)

    assert answers == [200] * 20


def test_sessions_end_with_the_browser(cast):
    answer = Client().post("/login/", {"username": "mia", "password": PASSWORD})

    cookie = answer.cookies["sessionid"]
    assert (cookie["max-age"], cookie["expires"], cookie["httponly"], cookie["samesite"]) == ("", "", True, "Lax")
    assert Session.objects.count() == 1


# Addresses


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "", "10.0.0.9"),
        (0, "1.2.3.4", "10.0.0.9"),
        (1, "", "10.0.0.9"),
        (1, "1.2.3.4", "1.2.3.4"),
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4", "10.0.0.9"),
        (1, " 1.2.3.4 ,", "1.2.3.4"),
        (1, "2001:db8::1", "2001:db8::1"),
    ],
)
def test_the_address_is_taken_from_as_many_proxies_as_are_trusted(settings, proxies, forwarded, address):
    settings.PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.9", HTTP_X_FORWARDED_FOR=forwarded)

    TrustedProxies(lambda request: HttpResponse())(request)

    assert client_address(request) == address


# The school's time


@pytest.mark.parametrize(
    ("zone", "clock_time", "today"),
    [("America/Los_Angeles", "19:30", 1), ("UTC", "02:30", 0), ("Asia/Kolkata", "08:00", 0)],
)
def test_times_and_days_are_those_of_the_school(cast, client_of, monkeypatch, zone, clock_time, today):
    """A game of Friday evening in Los Angeles, when in Greenwich it is Saturday already."""
    evening = datetime.datetime(2024, 3, 16, 2, 30, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: evening)
    School.objects.filter(pk=cast.school.pk).update(time_zone=zone)
    cast.classroom.school.refresh_from_db()
    game = make_game(cast.classroom, cast.mia, cast.ben, day=datetime.date(2024, 3, 15))
    Game.objects.filter(pk=game.pk).update(recorded_at=evening)

    page = client_of(cast.teacher).get(f"/classes/{cast.classroom.pk}/")

    assert len(page.context["games_today"]) == today
    if today:
        assert clock_time in words_of(page)
    else:
        assert "None yet today." in words_of(page)


def test_a_game_is_listed_and_drawn_under_the_day_of_the_school(cast, client_of, monkeypatch):
    evening = datetime.datetime(2024, 3, 16, 2, 30, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: evening)
    School.objects.filter(pk=cast.school.pk).update(time_zone="America/Los_Angeles")
    cast.classroom.school.refresh_from_db()
    make_game(cast.classroom, cast.mia, cast.ben)  # dated by the school's today

    shown = [
        words_of(client_of(user).get(address))
        for user, address in [
            (cast.teacher, f"/classes/{cast.classroom.pk}/games/"),
            (cast.teacher, f"/students/{cast.mia.pk}/"),
            (cast.mia.user, "/me/"),
            (cast.mia.user, "/me/games/"),
        ]
    ]

    assert [("15 Mar 2024" in words, "16 Mar" in words) for words in shown] == [(True, False)] * 4


# Private answers


@pytest.mark.parametrize(
    ("address", "kept"), [("/", "no-cache"), ("/login/", "max-age=0, no-cache, no-store, must-revalidate, private")]
)
def test_public_pages_are_asked_for_again(db, client, address, kept):
    assert client.get(address)["Cache-Control"] == kept


@pytest.mark.parametrize("address", ["/me/", "/", "/me/games/", "/no-such-page/"])
def test_nothing_behind_a_login_is_kept_by_a_cache(cast, client_of, address):
    assert client_of(cast.mia.user).get(address)["Cache-Control"] == "no-store, private"


def test_the_way_to_the_login_is_not_kept_either(db, client):
    assert client.get("/me/")["Cache-Control"] == "no-store, private"
