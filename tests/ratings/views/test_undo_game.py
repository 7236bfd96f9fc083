"""Taking a game back right after it was recorded."""

from __future__ import annotations

import datetime
import random

import pytest
from django.test import Client
from django.urls import reverse

from classes.services import archive_classroom
from ratings import services
from ratings.models import Game, LedgerEntry
from ratings.selectors.audit import violations
from ratings.selectors.ledger import events_of, replay_of
from tests.factories import BLACK, DRAW, WHITE, list_of, make_game, make_student
from tests.pages import messages_of, words_of

pytestmark = pytest.mark.django_db

TAKEN_BACK = "Taken back: Mia Kowalczyk 1–0 Ben Osei. Every rating is as before it."


def url_of(game: Game) -> str:
    return reverse("ratings:undo_game", args=[game.pk])


@pytest.fixture
def game(cast) -> Game:
    return make_game(cast.classroom, cast.mia, cast.ben, WHITE, by=cast.teacher)


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


def test_the_game_is_voided_and_every_rating_is_as_before(cast, game, teacher, ratings_of):
    answer = teacher.post(url_of(game))

    game.refresh_from_db()
    assert (answer.status_code, answer.url) == (302, reverse("class_page", args=[cast.classroom.pk]))
    assert (game.is_void, game.voided_by, game.void_reason) == (True, cast.teacher, "Undone")
    assert (ratings_of(cast.classroom), LedgerEntry.objects.count()) == ({}, 0)
    assert messages_of(teacher.get(answer.url)) == [TAKEN_BACK]


@pytest.mark.parametrize("origin", ["record_game", "quick_entry"])
def test_undo_leads_back_to_where_the_game_was_recorded_and_the_banner_is_gone(cast, game, teacher, origin):
    banner = reverse(f"ratings:{origin}", args=[cast.classroom.pk]) + f"?day={game.day}&saved={game.pk}"
    before = words_of(teacher.get(banner))

    answer = teacher.post(url_of(game), {"back": origin})

    assert answer.url == reverse(f"ratings:{origin}", args=[cast.classroom.pk]) + f"?day={game.day}"
    after = words_of(teacher.get(answer.url))
    assert ("Saved: Mia Kowalczyk" in before, "Saved:" in after, TAKEN_BACK in after) == (True, False, True)
    assert "Saved:" not in words_of(teacher.get(banner))  # with Back and reload too


@pytest.mark.parametrize("back", ["class_page", "", "login", "https://example.org/"])
def test_anything_else_leads_to_the_class(cast, game, teacher, back):
    assert teacher.post(url_of(game), {"back": back}).url == reverse("class_page", args=[cast.classroom.pk])


def test_a_second_undo_changes_nothing(cast, game, teacher):
    teacher.post(url_of(game))
    services.unvoid_game(game, by=cast.teacher)
    services.void_game(game, by=cast.lead, reason="Wrong board")

    answer = teacher.post(url_of(game))

    game.refresh_from_db()
    assert (answer.status_code, game.voided_by, game.void_reason) == (302, cast.lead, "Wrong board")


def test_games_after_it_are_recalculated(cast, game, teacher, ratings_of):
    make_game(cast.classroom, cast.ben, cast.cleo, WHITE)
    make_game(cast.classroom, cast.mia, cast.cleo, WHITE)

    teacher.post(url_of(game))

    assert ratings_of(cast.classroom) == {"Mia": 815, "Ben": 816, "Cleo": 769}
    assert violations(list_of(cast.classroom)) == []


def test_nine_games_less_two_are_seven_games_and_their_replay(cast, teacher, ratings_of):
    chance = random.Random(31)
    pupils = [cast.mia, cast.ben, cast.cleo]
    nine = [make_game(cast.classroom, *chance.sample(pupils, 2), chance.choice((WHITE, DRAW, BLACK))) for _ in range(9)]

    for wrong in (nine[2], nine[6]):
        teacher.post(url_of(wrong))

    rating_list = list_of(cast.classroom)
    _, states = replay_of(rating_list, events_of(rating_list))
    assert ratings_of(cast.classroom) == {pupil.first_name: states[pupil.pk].rating for pupil in pupils}
    assert sum(state.games for state in states.values()) == 14
    assert "7 games" in words_of(teacher.get(reverse("class_page", args=[cast.classroom.pk])))
    assert violations(rating_list) == []


@pytest.mark.parametrize("user", ["colleague", "outsider", "mia"])
def test_others_do_not_find_the_game(cast, game, client_of, user):
    someone = cast.mia.user if user == "mia" else getattr(cast, user)

    answer = client_of(someone).post(url_of(game))

    game.refresh_from_db()
    assert (answer.status_code, game.is_void) == (404, False)


def test_a_lead_takes_back_games_of_any_class(cast, game, client_of):
    client_of(cast.lead).post(url_of(game))

    game.refresh_from_db()
    assert (game.is_void, game.voided_by) == (True, cast.lead)


def test_a_game_of_another_school_is_not_found(cast, client_of):
    foreign = make_game(cast.foreign_classroom, cast.stranger, make_student(cast.foreign_classroom, "Ida"))

    answers = [client_of(user).post(url_of(foreign)).status_code for user in (cast.teacher, cast.lead)]

    foreign.refresh_from_db()
    assert (answers, foreign.is_void) == ([404, 404], False)


def test_games_of_an_archived_class_stay_as_they_are(cast, game, teacher, client_of):
    archive_classroom(cast.classroom)

    answers = [teacher.post(url_of(game)).status_code, client_of(cast.lead).post(url_of(game)).status_code]

    game.refresh_from_db()
    assert (answers, game.is_void) == ([404, 404], False)


def test_a_game_that_never_was_is_404(cast, teacher):
    assert [teacher.post(f"/games/{pk}/undo/").status_code for pk in ("999999", "9" * 20)] == [404, 404]


def test_a_game_of_no_class_leads_to_the_list_of_classes(cast, client_of):
    game = services.record_game(
        rating_list=list_of(cast.classroom),
        classroom=None,
        white=cast.mia,
        black=cast.other,
        result=WHITE,
        day=cast.school.today(),
        by=cast.lead,
    )

    answers = [client_of(cast.lead).post(url_of(game), {"back": back}) for back in ("record_game", "")]

    assert [answer.url for answer in answers] == [reverse("classes:classroom_list")] * 2


def test_games_of_tournaments_are_changed_in_the_tournament(cast, teacher):
    game = services.record_game(
        rating_list=list_of(cast.classroom),
        classroom=cast.classroom,
        white=cast.mia,
        black=cast.ben,
        result=WHITE,
        day=cast.school.today(),
        by=cast.teacher,
        origin=Game.Origin.TOURNAMENT,
    )

    answer = teacher.post(url_of(game))

    game.refresh_from_db()
    assert (answer.status_code, game.is_void) == (404, False)


def test_visitors_go_to_the_login(game, client):
    answer = client.post(url_of(game))

    game.refresh_from_db()
    assert (answer.url, game.is_void) == (f"/login/?next={url_of(game)}", False)


def test_opening_the_address_undoes_nothing(game, teacher):
    answer = teacher.get(url_of(game))

    game.refresh_from_db()
    assert (answer.status_code, game.is_void) == (405, False)


def test_a_post_without_the_token_of_the_page_is_refused(cast, game):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.teacher, backend="django.contrib.auth.backends.ModelBackend")

    answer = client.post(url_of(game))

    game.refresh_from_db()
    assert (answer.status_code, game.is_void) == (403, False)


def test_an_undone_game_of_an_earlier_day_gives_the_day_back(cast, teacher):
    day = cast.school.today() - datetime.timedelta(days=2)
    game = make_game(cast.classroom, cast.mia, cast.ben, day=day)

    answer = teacher.post(url_of(game), {"back": "quick_entry"})

    assert answer.url.endswith(f"/games/quick/?day={day.isoformat()}")
