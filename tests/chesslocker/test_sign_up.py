"""A teacher starts a school."""

from __future__ import annotations

import pytest
from django.test import Client

from chesslocker.services import people as services
from classes.models import Membership, School, User
from ratings.models import RatingList, RatingRule
from tests.factories import make_school
from tests.pages import messages_of, words_of

pytestmark = [pytest.mark.django_db]

SENT = {
    "name": "Ms. Okafor", "school_name": "Hill School", "time_zone": "Europe/Berlin", "username": "okafor",
    "password": "three-quiet-rooks",
}  # fmt: skip
CLOSED = "This site already has its school If you teach here, ask the lead teacher for an account."


def test_signing_up_makes_a_school_with_its_lead_and_its_rating_list(client):
    answer = client.post("/signup/", SENT, follow=True)

    assert answer.redirect_chain == [("/classes/new/", 302)]
    assert messages_of(answer) == ["Welcome! Your school is there. Make your first class."]
    assert list(School.objects.values_list("name", "time_zone", "name_style", "term_starts", "is_demo")) == [
        ("Hill School", "Europe/Berlin", "short", ["08-01", "02-01"], False)
    ]
    assert list(
        Membership.objects.values_list("role", "user__username", "user__name", "user__email", "user__role")
    ) == [("lead", "okafor", "Ms. Okafor", "", "teacher")]  # fmt: skip
    assert list(RatingList.objects.values_list("name", "is_default", "start_rating")) == [("Elo", True, 800)]
    assert list(RatingRule.objects.values_list("kind", "k", "floor")) == [("constant", 32, None)]


def test_the_new_lead_is_logged_in_and_can_log_in_again(client):
    client.post("/signup/", SENT)

    again = Client().post("/login/", {"username": "Okafor", "password": SENT["password"]}, follow=True)

    assert client.get("/classes/").status_code == 200
    assert again.redirect_chain[-1] == ("/classes/", 302)


def test_an_e_mail_address_can_be_the_user_name(client):
    client.post("/signup/", SENT | {"username": " Okafor@Example.org"})

    assert list(User.objects.values_list("username", "email", "is_staff", "is_superuser")) == [
        ("okafor@example.org", "okafor@example.org", False, False)
    ]


def test_nobody_signs_up_as_more_than_a_lead(client):
    client.post("/signup/", SENT | {"is_staff": "1", "is_superuser": "1", "role": "student", "is_demo": "1"})

    user = User.objects.get()
    assert (user.role, user.is_staff, user.is_superuser, user.membership.school.is_demo) == (
        "teacher", False, False, False,
    )  # fmt: skip


def test_the_form_asks_for_five_things(client):
    page = client.get("/signup/")

    assert list(page.context["form"].fields) == ["name", "username", "password", "school_name", "time_zone"]
    assert "Create your school You become its lead teacher." in words_of(page)


@pytest.mark.parametrize("method", ["get", "post"])
def test_after_the_first_school_sign_up_is_closed(client, method):
    make_school(name="First", lead="first")

    answer = getattr(client, method)("/signup/", SENT)

    assert CLOSED in words_of(answer)
    assert list(School.objects.values_list("name", flat=True)) == ["First"]
    assert "_auth_user_id" not in client.session


def test_a_server_of_many_schools_stays_open(client, settings):
    settings.SIGNUP = "open"
    make_school(name="First", lead="first")

    client.post("/signup/", SENT)

    assert list(School.objects.order_by("pk").values_list("name", flat=True)) == ["First", "Hill School"]
    assert RatingList.objects.filter(is_default=True).count() == 2


def test_of_two_teachers_with_the_form_open_only_one_makes_the_school():
    browsers = [Client(), Client()]
    opened = [browser.get("/signup/").status_code for browser in browsers]

    answers = [
        browser.post("/signup/", SENT | {"username": f"teacher{number}"}, follow=True)
        for number, browser in enumerate(browsers)
    ]

    assert opened == [200, 200]
    assert [CLOSED in words_of(answer) for answer in answers] == [False, True]
    assert (School.objects.count(), User.objects.count()) == (1, 1)


@pytest.mark.database
def test_the_service_itself_refuses_a_second_school_where_only_the_first_may_be():
    fields = {"school_name": "Hill School", "password": "three-quiet-rooks", "name": "Ms. Okafor"}
    services.sign_up(**fields, username="one", only_first=True)

    with pytest.raises(services.SignUpClosed):
        services.sign_up(**fields, username="two", only_first=True)

    assert (School.objects.count(), User.objects.count(), RatingList.objects.count()) == (1, 1, 1)


def test_pressing_twice_makes_one_school(client, settings):
    settings.SIGNUP = "open"

    answers = [client.post("/signup/", SENT) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 200]
    assert answers[1].context["form"].errors == {"username": ["This user name is taken. Choose another, or log in."]}
    assert School.objects.count() == 1


@pytest.mark.parametrize(
    ("typed", "errors"),
    [
        ({"school_name": ""}, {"school_name": ["This field is required."]}),
        ({"school_name": "\x07\x01"}, {"school_name": ["This field is required."]}),
        ({"name": " "}, {"name": ["This field is required."]}),
        (
            {"username": "okafor@school"},
            {"username": ["This looks like an e-mail address but is not one. Check it."]},
        ),
        ({"username": "taken"}, {"username": ["This user name is taken. Choose another, or log in."]}),
        (
            {"password": "qzxvj"},
            {"password": ["This password is too short. It must contain at least 10 characters."]},
        ),
        ({"password": "password123"}, {"password": ["This password is too common."]}),
        ({"password": "83749182645"}, {"password": ["This password is entirely numeric."]}),
        ({"username": "lead-12", "password": "ms. okafor"}, {"password": ["The password is too similar to the name."]}),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays_but_for_the_password(client, settings, typed, errors):
    settings.SIGNUP = "open"
    make_school(lead="taken")
    sent = SENT | typed

    page = client.post("/signup/", sent)

    assert (page.status_code, page.context["form"].errors) == (200, errors)
    assert {name: page.context["form"][name].value() for name in SENT} == sent
    assert sent["password"] not in page.content.decode()
    assert School.objects.count() == 1
