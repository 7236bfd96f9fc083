"""The first page, and the warning about a site without HTTPS."""

from __future__ import annotations

import pytest
from django.contrib.staticfiles import finders

from classes.models import User
from tests.factories import make_school
from tests.pages import words_of

pytestmark = pytest.mark.django_db

WARNING = "This site runs without HTTPS: in a network that others use, passwords can be read on the way."


def test_visitors_see_what_it_is_with_a_picture(client):
    page = client.get("/")

    assert page.status_code == 200
    assert (
        "Chess in class, with ratings that always add up Record the games your students play over the board."
        in words_of(page)
    )
    assert (
        '<img class="picture" src="/static/img/class-page.png" width="1280" height="900" alt="A class page: a '
        'leaderboard with ratings and small curves, and the games of the day beside it">' in page.content.decode()
    )
    assert finders.find("img/class-page.png") is not None


@pytest.mark.parametrize(
    ("schools", "mode", "ways"),
    [
        (0, "first", ["/signup/", "/login/"]),
        (1, "first", ["/login/"]),
        (0, "open", ["/signup/", "/login/"]),
        (1, "open", ["/signup/", "/login/"]),
    ],
)
def test_the_way_to_sign_up_is_shown_while_it_is_open(client, settings, schools, mode, ways):
    settings.SIGNUP = mode
    for _ in range(schools):
        make_school()

    page = client.get("/").content.decode()

    assert [way for way in ("/signup/", "/login/") if f'btn-lg" href="{way}"' in page] == ways


def test_everybody_with_an_account_is_led_to_the_own_home(cast, client, client_of):
    root = User.objects.create(username="root", is_staff=True, is_superuser=True)
    staff_teacher = cast.teacher
    User.objects.filter(pk=staff_teacher.pk).update(is_staff=True)

    homes = [client_of(user).get("/")["Location"] for user in (cast.lead, staff_teacher, cast.mia.user, root)]

    assert homes == ["/classes/", "/classes/", "/me/", "/admin/"]


def warned(client, host: str, address: str) -> bool:
    return WARNING in words_of(client.get(address, HTTP_HOST=host))


@pytest.fixture
def any_host(settings):
    settings.ALLOWED_HOSTS = ["192.168.1.10", "chess.school", "localhost", "127.0.0.1", "[::1]", "[fd00::10]"]


@pytest.mark.parametrize(
    ("host", "warns"),
    [
        ("192.168.1.10:8000", True),
        ("chess.school", True),
        ("[fd00::10]:8000", True),
        ("localhost:8000", False),
        ("localhost", False),
        ("127.0.0.1:8000", False),
        ("[::1]:8000", False),
        ("[::1]", False),
    ],
)
def test_a_lead_is_warned_where_passwords_cross_the_network_unencrypted(cast, client_of, any_host, host, warns):
    assert warned(client_of(cast.lead), host, "/classes/") is warns


def test_only_leads_are_warned(cast, client, client_of, any_host):
    host = "192.168.1.10:8000"

    assert [
        warned(client_of(cast.lead), host, f"/classes/{cast.classroom.pk}/"),
        warned(client_of(cast.teacher), host, f"/classes/{cast.classroom.pk}/"),
        warned(client_of(cast.mia.user), host, "/me/"),
        warned(client, host, "/"),
    ] == [True, False, False, False]


def test_with_https_nobody_is_warned(cast, client_of, any_host, settings):
    settings.HTTPS = True

    assert not warned(client_of(cast.lead), "chess.school", "/classes/")
