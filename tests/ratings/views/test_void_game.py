"""Taking a game out of the ratings with a reason, and putting it back: the consequences first."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from classes.services import archive_classroom
from ratings import services
from ratings.models import Game, LedgerEntry, Rating
from ratings.selectors.audit import violations
from tests.factories import WHITE, list_of, make_game, make_student
from tests.pages import messages_of, rows_of, words_of

pytestmark = pytest.mark.django_db

FRIDAY = datetime.date(2026, 3, 6)
STALE = "Somebody recorded something meanwhile. Nothing was saved yet; these are the consequences now."
VOIDED = "It is void and counts no more. It stays on record and can be put back."
SAY_WHY = "Say why: whoever looks later wants to know."


def void_url(game: Game) -> str:
    return reverse("ratings:void_game", args=[game.pk])


def back_url(game: Game) -> str:
    return reverse("ratings:unvoid_game", args=[game.pk])


@pytest.fixture
def games(cast) -> list[Game]:
    """Three games of one day: Mia beats Ben, Ben beats Cleo, Mia beats Cleo. 830, 801, 769."""
    pairs = [(cast.mia, cast.ben), (cast.ben, cast.cleo), (cast.mia, cast.cleo)]
    return [make_game(cast.classroom, *pair, WHITE, day=FRIDAY, by=cast.teacher) for pair in pairs]


@pytest.fixture
def game(games) -> Game:
    return games[0]


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


def confirmed(page: HttpResponse, **typed: Any) -> dict[str, Any]:
    """What the button of the consequences page sends."""
    version = page.context["consequences"].version
    assert f'name="version" value="{version}"' in page.content.decode()
    return {"key": uuid.uuid4(), "version": version, "confirm": "1"} | typed


def everything(game: Game) -> tuple[Any, ...]:
    return (
        list(Game.objects.order_by("pk").values()),
        list(LedgerEntry.objects.order_by("pk").values()),
        list(Rating.objects.order_by("pk").values()),
        game.history.count(),
        list_of(game.classroom).version,
    )


# --- out ---


def test_the_page_asks_for_a_reason_and_says_what_will_change(cast, game, teacher):
    before = everything(game)

    page = teacher.get(void_url(game))

    said = words_of(page)
    assert (page.status_code, everything(game)) == (200, before)
    for words in ("Void the game?", "Mia Kowalczyk 1–0 Ben Osei, 2026-03-06", "2 later games are recalculated."):
        assert words in said
    assert sorted(rows_of(page)) == [["Ben Osei", "801", "816", "▲ +15"], ["Mia Kowalczyk", "830", "815", "▼ −15"]]


def test_a_game_is_voided_as_it_was_announced(cast, game, teacher, ratings_of):
    asked = teacher.get(void_url(game))

    answer = teacher.post(void_url(game), confirmed(asked, reason="  Wrong   board "))

    game.refresh_from_db()
    assert (answer.status_code, answer.url) == (302, reverse("ratings:game", args=[game.pk]))
    assert messages_of(teacher.get(answer.url)) == [VOIDED]
    assert (game.is_void, game.voided_by, game.void_reason) == (True, cast.teacher, "Wrong board")
    assert ratings_of(cast.classroom) == {"Mia": 815, "Ben": 816, "Cleo": 769}
    assert violations(list_of(cast.classroom)) == []


@pytest.mark.parametrize("reason", [{}, {"reason": ""}, {"reason": "   "}, {"reason": "\x01"}])
def test_without_a_reason_nothing_is_voided(game, teacher, reason):
    before = everything(game)

    page = teacher.post(void_url(game), confirmed(teacher.get(void_url(game))) | reason)

    assert (page.status_code, everything(game)) == (200, before)
    assert page.context["form"].errors == {"reason": [SAY_WHY]}
    assert SAY_WHY in words_of(page)


def test_a_reason_that_is_too_long_is_kept_to_be_shortened(game, teacher):
    before = everything(game)

    page = teacher.post(void_url(game), confirmed(teacher.get(void_url(game)), reason="x" * 201))

    assert (page.status_code, everything(game)) == (200, before)
    assert f'value="{"x" * 201}"' in page.content.decode()


def test_when_somebody_recorded_meanwhile_the_new_consequences_are_shown_and_then_saved(
    cast, game, teacher, ratings_of
):
    asked = teacher.get(void_url(game))
    make_game(cast.classroom, cast.mia, cast.ben, WHITE, day=FRIDAY, by=cast.lead)
    before = everything(game)

    again = teacher.post(void_url(game), confirmed(asked, reason="Wrong board"))

    said = words_of(again)
    assert (again.status_code, everything(game)) == (409, before)
    assert (STALE in said, "3 later games are recalculated." in said) == (True, True)
    assert 'value="Wrong board"' in again.content.decode()

    saved = teacher.post(void_url(game), confirmed(again, reason="Wrong board"))

    game.refresh_from_db()
    shown = {move.label.split()[0]: move.after for move in again.context["consequences"].moves}
    assert (saved.status_code, game.is_void) == (302, True)
    assert ratings_of(cast.classroom) | shown == ratings_of(cast.classroom)


@pytest.mark.parametrize("version", [{}, {"version": ""}, {"version": "0"}])
def test_without_the_version_of_the_page_nothing_is_voided(game, teacher, version):
    before = everything(game)

    answer = teacher.post(void_url(game), {"reason": "Wrong board", "confirm": "1"} | version)

    assert (answer.status_code, everything(game)) == (409, before)


def test_sending_it_twice_voids_once(game, teacher):
    sent = confirmed(teacher.get(void_url(game)), reason="Wrong board")

    answers = [teacher.post(void_url(game), sent) for _ in range(2)]

    assert [answer.url for answer in answers] == [reverse("ratings:game", args=[game.pk])] * 2
    assert game.history.count() == 2


def test_a_void_game_leads_back_to_its_page(cast, game, teacher):
    services.void_game(game, by=cast.lead, reason="Wrong board")
    before = everything(game)

    answers = [teacher.get(void_url(game)), teacher.post(void_url(game), {"reason": "Again"})]

    assert [answer.url for answer in answers] == [reverse("ratings:game", args=[game.pk])] * 2
    assert everything(game) == before


# --- back ---


def test_a_void_game_is_put_back_where_it_was(cast, game, teacher, ratings_of):
    services.void_game(game, by=cast.lead, reason="Wrong board")

    asked = teacher.get(back_url(game))
    answer = teacher.post(back_url(game), confirmed(asked))

    game.refresh_from_db()
    said = words_of(asked)
    assert ("Put the game back?" in said, "2 later games are recalculated." in said) == (True, True)
    assert sorted(rows_of(asked)) == [["Ben Osei", "816", "801", "▼ −15"], ["Mia Kowalczyk", "815", "830", "▲ +15"]]
    assert answer.url == reverse("ratings:game", args=[game.pk])
    assert messages_of(teacher.get(answer.url)) == ["It counts again."]
    assert (game.is_void, game.voided_by, game.void_reason) == (False, None, "")
    assert ratings_of(cast.classroom) == {"Mia": 830, "Ben": 801, "Cleo": 769}
    assert violations(list_of(cast.classroom)) == []


def test_putting_back_with_a_stale_page_saves_nothing_until_confirmed_again(cast, game, teacher):
    services.void_game(game, by=cast.lead, reason="Wrong board")
    asked = teacher.get(back_url(game))
    make_game(cast.classroom, cast.mia, cast.ben, WHITE, day=FRIDAY)
    before = everything(game)

    again = teacher.post(back_url(game), confirmed(asked))

    assert (again.status_code, everything(game), STALE in words_of(again)) == (409, before, True)
    assert teacher.post(back_url(game), confirmed(again)).status_code == 302
    game.refresh_from_db()
    assert not game.is_void


def test_putting_back_without_a_version_saves_nothing(cast, game, teacher):
    services.void_game(game, by=cast.lead, reason="Wrong board")
    before = everything(game)

    answers = [teacher.post(back_url(game), sent).status_code for sent in ({}, {"confirm": "1"})]

    assert (answers, everything(game)) == ([200, 409], before)


def test_a_game_that_counts_leads_back_to_its_page(game, teacher):
    before = everything(game)

    assert teacher.post(back_url(game), {"confirm": "1"}).url == reverse("ratings:game", args=[game.pk])
    assert everything(game) == before


# --- who may ---


@pytest.mark.parametrize("action", ["void", "back"])
@pytest.mark.parametrize("user", ["colleague", "outsider", "mia"])
def test_others_do_not_find_the_page(cast, game, client_of, user, action):
    address = void_url(game) if action == "void" else back_url(game)
    if action == "back":
        services.void_game(game, by=cast.teacher, reason="Wrong board")
    client = client_of(cast.mia.user if user == "mia" else getattr(cast, user))
    before = everything(game)
    sent = {"reason": "No", "confirm": "1", "version": list_of(cast.classroom).version}

    answers = [client.get(address).status_code, client.post(address, sent).status_code]

    assert (answers, everything(game)) == ([404, 404], before)


def test_a_lead_voids_games_of_any_class(cast, game, client_of):
    client = client_of(cast.lead)

    client.post(void_url(game), confirmed(client.get(void_url(game)), reason="Wrong board"))

    game.refresh_from_db()
    assert (game.is_void, game.voided_by) == (True, cast.lead)


def test_games_of_an_archived_class_of_tournaments_and_of_other_schools_are_not_found(cast, games, teacher, client_of):
    foreign = make_game(cast.foreign_classroom, cast.stranger, make_student(cast.foreign_classroom, "Ida"))
    Game.objects.filter(pk=games[0].pk).update(origin=Game.Origin.TOURNAMENT)
    clients = (teacher, client_of(cast.lead))
    early = [client.get(void_url(game)).status_code for client in clients for game in (games[0], foreign)]
    archive_classroom(cast.classroom)

    assert (early, [client.get(void_url(games[1])).status_code for client in clients]) == ([404] * 4, [404] * 2)


def test_visitors_go_to_the_login(game, client):
    assert [client.get(address).url for address in (void_url(game), back_url(game))] == [
        f"/login/?next={void_url(game)}",
        f"/login/?next={back_url(game)}",
    ]


def test_other_methods_are_refused(game, teacher):
    assert [teacher.put(void_url(game)).status_code, teacher.delete(back_url(game)).status_code] == [405, 405]


def test_a_post_without_the_token_of_the_page_is_refused(cast, game):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.teacher, backend="django.contrib.auth.backends.ModelBackend")
    before = everything(game)
    sent = {"reason": "No", "version": list_of(cast.classroom).version}

    assert (client.post(void_url(game), sent).status_code, everything(game)) == (403, before)
