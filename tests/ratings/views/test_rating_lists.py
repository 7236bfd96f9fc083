"""The pages of the rating lists and their rules; for leads."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.urls import reverse

from ratings import services
from ratings.models import Rating, RatingList, RatingRule
from tests.factories import list_of, make_game
from tests.pages import messages_of, rows_of, words_of

pytestmark = pytest.mark.django_db

LISTS = "/school/lists/"
DAY = datetime.date(2026, 9, 7)
ONE_DAY = datetime.timedelta(days=1)
NO_K = "K is a number from 1 to 200."
NO_GAMES = "Say for how many first games: a number from 1 to 1000."
NO_FLOOR = "A floor is a number from 0 to 4000."
NO_START = "A start rating is a number from 0 to 4000."


@pytest.fixture
def lead(cast, client_of):
    return client_of(cast.lead)


@pytest.fixture
def two_games(cast) -> RatingList:
    make_game(cast.classroom, cast.mia, cast.ben, day=DAY)
    make_game(cast.classroom, cast.mia, cast.ben, day=DAY + ONE_DAY)
    return list_of(cast.classroom)


def url_of(rating_list: RatingList) -> str:
    return reverse("ratings:rating_list", args=[rating_list.pk])


def a_rule(**changes: object) -> dict[str, object]:
    """What the form sends: K = 20 from the second day on."""
    filled = {
        "key": uuid.UUID(int=7),
        "since": "day",
        "from_day": (DAY + ONE_DAY).isoformat(),
        "kind": "constant",
        "k": 20,
    }
    return filled | {"provisional_games": "", "provisional_k": "", "floor": ""} | changes


def errors_of(page) -> dict[str, list[str]]:
    return {name: list(errors) for name, errors in page.context["form"].errors.items()}


def ratings_in(rating_list: RatingList) -> dict[str, int]:
    return {row.student.first_name: row.rating for row in Rating.objects.filter(rating_list=rating_list)}


def rules_in(rating_list: RatingList) -> list[tuple[datetime.date, int]]:
    return list(RatingRule.objects.filter(rating_list=rating_list).values_list("from_day", "k"))


# --- who may ---


@pytest.mark.parametrize("role", ["teacher", "colleague", "outsider", "mia"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_others_than_the_lead_find_no_such_page(cast, client_of, role, method):
    user = cast.mia.user if role == "mia" else getattr(cast, role)
    client = client_of(user)

    assert getattr(client, method)(url_of(list_of(cast.classroom))).status_code == 404
    if role != "outsider":  # who has lists of an own school
        assert getattr(client, method)(LISTS).status_code == 404


def test_visitors_are_sent_to_the_login(cast, client):
    for url in (LISTS, url_of(list_of(cast.classroom))):
        page = client.get(url)
        assert (page.status_code, page.url) == (302, f"/login/?next={url}")


def test_unknown_lists_and_other_methods(lead):
    assert lead.get(f"{LISTS}987654321/").status_code == 404
    assert lead.delete(LISTS).status_code == 405
    assert lead.put(LISTS).status_code == 405


def test_only_leads_are_shown_the_way(cast, client_of, lead):
    assert 'href="/school/lists/"' in lead.get("/classes/").content.decode()
    assert 'href="/school/lists/"' not in client_of(cast.teacher).get("/classes/").content.decode()


# --- the lists ---


def test_lists_with_rule_start_and_games(cast, lead, two_games):
    services.create_rating_list(school=cast.school, name="Rapid", start_rating=1000)
    services.create_rating_list(school=cast.foreign_classroom.school, name="Lake blitz")

    page = words_of(lead.get(LISTS))

    assert "Elo used unless another is chosen K = 32 for everybody. Everybody starts at 800 · 2 games" in page
    assert "Rapid K = 32 for everybody. Everybody starts at 1000 · 0 games" in page
    assert "Lake blitz" not in page


def test_a_list_is_added_and_opened(cast, lead):
    page = lead.post(LISTS, {"key": uuid.uuid4(), "name": "  Rapid ", "start_rating": "900"}, follow=True)

    made = RatingList.objects.get(school=cast.school, name="Rapid")
    assert page.redirect_chain == [(url_of(made), 302)]
    assert (made.start_rating, made.is_default) == (900, False)
    assert rows_of(page) == [["the beginning", "K = 32 for everybody. today"]]
    assert messages_of(page) == ["The list is there. Choose it when you record a game."]


def test_a_list_sent_twice_is_added_once(cast, lead):
    sent = {"key": uuid.uuid4(), "name": "Rapid", "start_rating": "900"}

    answers = [lead.post(LISTS, sent).url for _ in range(2)]

    made = RatingList.objects.get(school=cast.school, name="Rapid")
    assert answers == [url_of(made)] * 2


@pytest.mark.parametrize(
    ("typed", "errors"),
    [
        ({"name": "", "start_rating": "800"}, {"name": ["Give the list a name, such as Rapid."]}),
        ({"name": "\x07", "start_rating": "800"}, {"name": ["Give the list a name, such as Rapid."]}),
        ({"name": "ELO", "start_rating": "800"}, {"name": ["There is already a rating list of this name."]}),
        ({"name": "Rapid", "start_rating": ""}, {"start_rating": [NO_START]}),
        ({"name": "Rapid", "start_rating": "-1"}, {"start_rating": [NO_START]}),
        ({"name": "Rapid", "start_rating": "4001"}, {"start_rating": [NO_START]}),
        ({"name": "Rapid", "start_rating": "many"}, {"start_rating": [NO_START]}),
    ],
)
def test_a_bad_list_is_said_and_what_was_typed_stays(cast, lead, typed, errors):
    page = lead.post(LISTS, typed)

    assert page.status_code == 200
    assert errors_of(page) == errors
    assert f'value="{typed["start_rating"]}"' in page.content.decode() or not typed["start_rating"]
    assert RatingList.objects.filter(school=cast.school).count() == 1


@pytest.mark.parametrize("lists", [1, 3])
def test_the_lists_take_the_same_queries_however_many(cast, lead, lists, django_assert_num_queries):
    for number in range(1, lists):
        services.create_rating_list(school=cast.school, name=f"List {number}")
    lead.get(LISTS)  # the session is written once in a while

    with django_assert_num_queries(6):
        page = lead.get(LISTS)

    assert len(page.context["rows"]) == lists


# --- the rules of a list ---


def test_rules_stand_oldest_first(cast, lead, two_games):
    services.set_rule(two_games, rule=RatingRule(from_day=DAY, k=20, floor=500))

    page = lead.get(url_of(two_games))

    assert rows_of(page) == [
        ["the beginning until Sept. 6, 2026", "K = 32 for everybody."],
        ["Sept. 7, 2026", "K = 20 for everybody. No rating falls below 500. today"],
    ]
    assert page.context["form"].initial["k"] == 20
    assert page.context["form"].fields["players_are_juniors"].initial is True


@pytest.mark.parametrize("rules", [1, 3])
def test_the_rules_take_the_same_queries_however_many(cast, lead, rules, django_assert_num_queries):
    rating_list = list_of(cast.classroom)
    for number in range(1, rules):
        services.set_rule(rating_list, rule=RatingRule(from_day=DAY + number * ONE_DAY))
    lead.get(url_of(rating_list))

    with django_assert_num_queries(6):
        page = lead.get(url_of(rating_list))

    assert len(rows_of(page)) == rules


def test_consequences_come_first_and_nothing_is_saved(lead, two_games):
    page = lead.post(url_of(two_games), a_rule())

    assert page.status_code == 200
    assert "Elo, from Sept. 8, 2026 on: K = 20 for everybody. 1 later game is recalculated." in words_of(page)
    assert rows_of(page) == [["Mia Kowalczyk", "831", "825", "▼ −6"], ["Ben Osei", "769", "775", "▲ +6"]]
    assert rules_in(two_games) == [(datetime.date(1900, 1, 1), 32)]
    assert ratings_in(two_games) == {"Mia": 831, "Ben": 769}


def hidden_of(page) -> dict[str, str]:
    """What the page of the consequences sends when it is confirmed."""
    form = page.context["form"]
    sent = {field.name: field.value() for field in form}
    return {name: "" if value is None else value for name, value in sent.items()} | {
        "version": page.context["consequences"].version,
        "confirm": "1",
    }


def test_confirming_saves_what_was_shown(lead, two_games):
    shown = lead.post(url_of(two_games), a_rule())

    page = lead.post(url_of(two_games), hidden_of(shown), follow=True)

    assert page.redirect_chain == [(url_of(two_games), 302)]
    assert messages_of(page) == ["The rule is changed, and every rating with it."]
    assert rules_in(two_games) == [(datetime.date(1900, 1, 1), 32), (DAY + ONE_DAY, 20)]
    assert ratings_in(two_games) == {"Mia": 825, "Ben": 775}


def test_the_page_of_the_consequences_carries_everything(lead, two_games):
    """With its own fields, as the browser sends them, the rule is the same."""
    sent = a_rule(kind="fide", players_are_juniors="on", floor="300", since="beginning", from_day="")
    html = lead.post(url_of(two_games), sent).content.decode()

    for name, value in {"since": "beginning", "kind": "fide", "floor": "300", "players_are_juniors": "True"}.items():
        assert f'<input type="hidden" name="{name}" value="{value}"' in html


def test_confirming_twice_saves_once(lead, two_games):
    sent = hidden_of(lead.post(url_of(two_games), a_rule()))

    answers = [lead.post(url_of(two_games), sent) for _ in range(2)]

    assert [answer.url for answer in answers] == [url_of(two_games)] * 2
    assert len(rules_in(two_games)) == 2


def test_stale_consequences_are_shown_anew_and_can_then_be_confirmed(cast, lead, two_games):
    sent = hidden_of(lead.post(url_of(two_games), a_rule()))
    make_game(cast.classroom, cast.cleo, cast.ben, day=DAY + ONE_DAY)

    page = lead.post(url_of(two_games), sent)

    assert page.status_code == 409
    assert "Somebody recorded something meanwhile." in words_of(page)
    assert "2 later games are recalculated." in words_of(page)
    assert len(rules_in(two_games)) == 1

    assert lead.post(url_of(two_games), hidden_of(page)).status_code == 302
    assert ratings_in(two_games) == {name.split()[0]: int(after) for name, _now, after, _by in rows_of(page)}


def test_a_confirmation_without_a_version_is_not_believed(lead, two_games):
    assert lead.post(url_of(two_games), a_rule(confirm="1")).status_code == 409
    assert len(rules_in(two_games)) == 1


def test_changing_something_goes_back_with_what_was_typed(lead, two_games):
    sent = hidden_of(lead.post(url_of(two_games), a_rule(k=24)))
    del sent["confirm"]

    page = lead.post(url_of(two_games), sent | {"change": "1"})

    assert page.status_code == 200
    assert 'name="k" value="24"' in page.content.decode()
    assert len(rules_in(two_games)) == 1


def test_a_rule_says_until_when_it_holds_and_what_it_replaces(lead, two_games):
    services.set_rule(two_games, rule=RatingRule(from_day=DAY, k=16))
    services.set_rule(two_games, rule=RatingRule(from_day=DAY + ONE_DAY, k=20))

    between = words_of(lead.post(url_of(two_games), a_rule(from_day=DAY.isoformat(), k=24)))
    first = words_of(lead.post(url_of(two_games), a_rule(since="beginning", from_day="", k=24)))

    assert (
        "Elo, from Sept. 7, 2026 on: K = 24 for everybody. It holds until the rule of Sept. 8, 2026. "
        "It replaces: K = 16 for everybody." in between
    )
    assert (
        "Elo, from the beginning: K = 24 for everybody. It holds until the rule of Sept. 7, 2026. "
        "It replaces: K = 32 for everybody." in first
    )


@pytest.mark.parametrize(
    ("typed", "saved"),
    [
        ({"kind": "constant", "k": "10"}, {"kind": "constant", "k": 10}),
        (
            {"kind": "provisional", "k": "20", "provisional_k": "40", "provisional_games": "10", "floor": "600"},
            {"kind": "provisional", "k": 20, "provisional_k": 40, "provisional_games": 10, "floor": 600},
        ),
        ({"kind": "fide", "players_are_juniors": "on"}, {"kind": "fide", "players_are_juniors": True}),
        ({"kind": "fide", "k": "junk"}, {"kind": "fide", "players_are_juniors": False}),  # K is not looked at
        ({"kind": "constant", "k": "10", "provisional_games": "0"}, {"kind": "constant", "k": 10}),
    ],
)
def test_each_kind_is_saved(lead, two_games, typed, saved):
    shown = lead.post(url_of(two_games), a_rule(**typed))

    lead.post(url_of(two_games), hidden_of(shown))

    rule = RatingRule.objects.get(rating_list=two_games, from_day=DAY + ONE_DAY)
    assert {name: getattr(rule, name) for name in saved} == saved


@pytest.mark.parametrize(
    ("typed", "errors"),
    [
        ({"since": ""}, {"since": ["Say from when on the rule holds."]}),
        ({"from_day": ""}, {"from_day": ["Say from which day on the rule holds."]}),
        ({"from_day": "tomorrow"}, {"from_day": ["Write the day as in 2026-09-01."]}),
        (
            {"from_day": "1999-12-31"},
            {"from_day": ["This day lies too far back. Check the year, or choose “From the beginning”."]},
        ),
        ({"from_day": "2999-01-01"}, {"from_day": ["This day lies more than a year ahead. Check the year."]}),
        ({"kind": ""}, {"kind": ["Choose one of the three rules."]}),
        ({"k": ""}, {"k": [NO_K]}),
        ({"k": "0"}, {"k": [NO_K]}),
        ({"k": "201"}, {"k": [NO_K]}),
        ({"k": "big"}, {"k": [NO_K]}),
        (
            {"kind": "provisional", "provisional_k": "", "provisional_games": "0"},
            {"provisional_k": [NO_K], "provisional_games": [NO_GAMES]},
        ),
        ({"floor": "-1"}, {"floor": [NO_FLOOR]}),
        ({"floor": "low"}, {"floor": [NO_FLOOR]}),
    ],
)
def test_a_bad_rule_is_said_and_what_was_typed_stays(lead, two_games, typed, errors):
    page = lead.post(url_of(two_games), a_rule(confirm="1", **typed))

    assert page.status_code == 200
    assert errors_of(page) == errors
    form = page.context["form"]
    assert {name: form[name].value() for name in typed} == typed
    assert len(rules_in(two_games)) == 1
