"""Correcting a game: the form, the consequences, the confirmation."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from classes.models import Enrollment, UsedKey
from classes.services import archive_classroom, enroll, set_active
from ratings.models import Game, LedgerEntry, Rating
from ratings.selectors.audit import violations
from tests.factories import BLACK, DRAW, WHITE, list_of, make_game, make_student
from tests.pages import messages_of, rows_of, words_of

pytestmark = pytest.mark.django_db

FRIDAY = datetime.date(2026, 3, 6)
ONE_DAY = datetime.timedelta(days=1)
STALE = "Somebody recorded something meanwhile. Nothing was saved yet; these are the consequences now."
CORRECTED = "The game is corrected, and every later rating with it."


def url_of(game: Game) -> str:
    return reverse("ratings:correct_game", args=[game.pk])


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


def body(game: Game, **changes: Any) -> dict[str, Any]:
    """What the form sends when nothing is changed; `changes` on top."""
    filled = {
        "key": uuid.uuid4(),
        "white": game.white_id,
        "black": game.black_id,
        "result": str(game.result),
        "day": game.day.isoformat(),
        "place": "1",
        "note": game.note,
    }
    return filled | changes


def version_of(page: HttpResponse) -> int:
    return page.context["consequences"].version


def confirmed(page: HttpResponse) -> dict[str, str]:
    """What the button “Correct the game” of the consequences page sends: its hidden fields as they stand there."""
    sent = {field.name: field.value() for field in page.context["form"] if field.name != "version"}
    content = page.content.decode()
    for name, value in sent.items():
        assert f'name="{name}"' in content, name
        assert value is None or f'value="{value}"' in content or value == "", name
    return {name: value or "" for name, value in sent.items()} | {"version": version_of(page), "confirm": "1"}


def everything(game: Game) -> tuple[Any, ...]:
    """All that a correction could have changed."""
    return (
        list(Game.objects.order_by("pk").values()),
        list(LedgerEntry.objects.order_by("pk").values()),
        list(Rating.objects.order_by("pk").values()),
        game.history.count(),
        UsedKey.objects.count(),
        list_of(game.classroom).version,
    )


def errors_of(page: HttpResponse) -> dict[str, list[str]]:
    return {name: list(errors) for name, errors in page.context["form"].errors.items()}


# --- the walk ---


def test_the_form_shows_the_game_as_it_is_and_offers_everybody_ever_enrolled(cast, games, teacher):
    set_active(Enrollment.objects.get(student=cast.cleo), active=False)

    page = teacher.get(url_of(games[1]))

    form = page.context["form"]
    offered = [(cast.ben.pk, "Ben Osei"), (cast.cleo.pk, "Cleo Raman"), (cast.mia.pk, "Mia Kowalczyk")]
    assert [list(form.fields[side].choices) for side in ("white", "black")] == [offered, offered]
    shown = {name: form[name].value() for name in ("white", "black", "result", "day", "place", "note")}
    assert shown == {
        "white": cast.ben.pk, "black": cast.cleo.pk, "result": WHITE, "day": FRIDAY, "place": 2, "note": "",
    }  # fmt: skip
    assert "This one is number 2 of 3 on its day." in words_of(page)


def test_the_players_of_the_game_are_offered_whatever_became_of_them(cast, game, teacher):
    Enrollment.objects.get(student=cast.ben).delete()

    page = teacher.get(url_of(game))

    offered = [label for _pk, label in page.context["form"].fields["white"].choices]
    assert offered == ["Ben Osei", "Cleo Raman", "Mia Kowalczyk"]


def test_a_wrong_result_is_put_right_after_its_consequences_were_shown(cast, game, teacher, ratings_of):
    before = everything(game)

    asked = teacher.post(url_of(game), body(game, result="0-1"))

    assert everything(game) == before
    assert rows_of(asked) == [["Mia Kowalczyk", "830", "800", "▼ −30"], ["Ben Osei", "801", "831", "▲ +30"]]
    said = words_of(asked)
    for words in (
        "Correct the game?",
        "Now: Mia Kowalczyk 1–0 Ben Osei, 2026-03-06",
        "Then: Mia Kowalczyk 0–1 Ben Osei, 2026-03-06",
        "2 later games are recalculated.",
    ):
        assert words in said
    assert STALE not in said

    answer = teacher.post(url_of(game), confirmed(asked))

    game.refresh_from_db()
    assert (answer.status_code, answer.url) == (302, reverse("ratings:game", args=[game.pk]))
    assert messages_of(teacher.get(answer.url)) == [CORRECTED]
    assert (game.result, ratings_of(cast.classroom)) == (BLACK, {"Mia": 800, "Ben": 831, "Cleo": 769})
    assert [(old.result, old.history_user) for old in game.history.order_by("history_id")] == [
        (WHITE, cast.teacher),
        (BLACK, cast.teacher),
    ]
    assert violations(list_of(cast.classroom)) == []


def test_everything_is_changed_at_once(cast, games, teacher):
    typed = body(
        games[0],
        white=cast.cleo.pk,
        black=cast.mia.pk,
        result="1/2-1/2",
        day=(FRIDAY - ONE_DAY).isoformat(),
        note="Pin",
    )

    asked = teacher.post(url_of(games[0]), typed)
    teacher.post(url_of(games[0]), confirmed(asked))

    game = games[0]
    game.refresh_from_db()
    assert (game.white, game.black, game.result, game.day, game.note) == (
        cast.cleo, cast.mia, DRAW, FRIDAY - ONE_DAY, "Pin",
    )  # fmt: skip
    assert "Then: Cleo Raman ½–½ Mia Kowalczyk, 2026-03-05" in words_of(asked)


def test_another_place_within_the_day_is_said_and_saved(cast, games, teacher, ratings_of):
    asked = teacher.post(url_of(games[0]), body(games[0], place="3"))
    answer = teacher.post(url_of(games[0]), confirmed(asked))

    assert "Then: Mia Kowalczyk 1–0 Ben Osei, 2026-03-06, number 3 of its day" in words_of(asked)
    assert answer.status_code == 302
    assert [game.pk for game in Game.objects.order_by("day", "sequence")] == [games[1].pk, games[2].pk, games[0].pk]
    assert ratings_of(cast.classroom) == {"Mia": 831, "Ben": 800, "Cleo": 769}


def test_a_note_alone_is_saved_at_once(cast, game, teacher):
    before = everything(game)

    answer = teacher.post(url_of(game), body(game, note="  Pin \t on e4 "))

    game.refresh_from_db()
    assert (answer.status_code, answer.url) == (302, reverse("ratings:game", args=[game.pk]))
    assert messages_of(teacher.get(answer.url)) == ["Saved. No rating changes."]
    assert (game.note, game.history.count()) == ("Pin on e4", 2)
    assert everything(game)[1:3] == before[1:3]
    assert list_of(cast.classroom).version == before[-1]


def test_change_something_leads_back_to_the_form_with_what_was_typed(cast, game, teacher):
    asked = teacher.post(url_of(game), body(game, black=cast.cleo.pk, result="1/2-1/2", note="Pin"))
    before = everything(game)

    sent = {name: value for name, value in confirmed(asked).items() if name != "confirm"}
    page = teacher.post(url_of(game), sent | {"change": "1"})

    form = page.context["form"]
    shown = {name: str(form[name].value()) for name in ("white", "black", "result", "day", "note")}
    assert shown == {
        "white": str(cast.mia.pk), "black": str(cast.cleo.pk), "result": "1/2-1/2", "day": "2026-03-06", "note": "Pin",
    }  # fmt: skip
    assert "Show what changes" in words_of(page)
    assert everything(game) == before


def test_a_void_game_is_corrected_and_stays_void(cast, game, teacher, ratings_of):
    teacher.post(
        reverse("ratings:void_game", args=[game.pk]),
        {"reason": "Wrong board", "version": list_of(cast.classroom).version},
    )
    before = ratings_of(cast.classroom)

    asked = teacher.post(url_of(game), body(game, result="0-1"))
    teacher.post(url_of(game), confirmed(asked))

    game.refresh_from_db()
    assert (game.is_void, game.result, ratings_of(cast.classroom)) == (True, BLACK, before)
    assert "No later game is touched. No rating of today changes." in words_of(asked)


# --- somebody else, twice, without a version ---


def test_when_somebody_recorded_meanwhile_the_new_consequences_are_shown_and_then_saved(
    cast, game, teacher, ratings_of
):
    asked = teacher.post(url_of(game), body(game, result="0-1"))
    make_game(cast.classroom, cast.mia, cast.ben, WHITE, day=FRIDAY, by=cast.lead)
    before = everything(game)

    again = teacher.post(url_of(game), confirmed(asked))

    assert (again.status_code, everything(game)) == (409, before)
    assert STALE in words_of(again)
    assert "3 later games are recalculated." in words_of(again)
    assert rows_of(again) != rows_of(asked)
    assert version_of(again) == list_of(cast.classroom).version

    saved = teacher.post(url_of(game), confirmed(again))

    shown = {move.label.split()[0]: move.after for move in again.context["consequences"].moves}
    assert saved.status_code == 302
    assert ratings_of(cast.classroom) | shown == ratings_of(cast.classroom)
    game.refresh_from_db()
    assert game.result == BLACK


@pytest.mark.parametrize("version", [{}, {"version": ""}, {"version": "0"}, {"version": "9" * 30}])
def test_confirming_without_the_version_of_the_page_saves_nothing(game, teacher, version):
    before = everything(game)

    answer = teacher.post(url_of(game), body(game, result="0-1", confirm="1") | version)

    assert (answer.status_code, everything(game)) == (409, before)


def test_a_junk_version_saves_nothing(game, teacher):
    before = everything(game)

    answer = teacher.post(url_of(game), body(game, result="0-1", confirm="1", version="newest"))

    assert (answer.status_code, everything(game)) == (200, before)


def test_confirming_twice_with_one_key_saves_once(cast, game, teacher):
    sent = confirmed(teacher.post(url_of(game), body(game, result="0-1")))

    answers = [teacher.post(url_of(game), sent) for _ in range(2)]

    assert [(answer.status_code, answer.url) for answer in answers] == [
        (302, reverse("ratings:game", args=[game.pk]))
    ] * 2
    assert (game.history.count(), UsedKey.objects.count()) == (2, 1)


def test_a_key_that_was_used_for_another_correction_is_409(game, teacher):
    sent = confirmed(teacher.post(url_of(game), body(game, result="0-1")))
    teacher.post(url_of(game), sent)
    before = everything(game)

    answer = teacher.post(url_of(game), sent | {"result": "1/2-1/2"})

    assert (answer.status_code, everything(game)) == (409, before)


# --- what is refused ---


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"black": "white"}, {"black": ["White and Black must be two different students."]}),
        ({"day": "2199-01-01"}, {"day": ["This day lies in the future. Choose today or an earlier day."]}),
        ({"day": "1999-12-31"}, {"day": ["This day lies too far back. Check the year."]}),
        ({"day": "yesterday"}, {"day": ["Enter a valid date."]}),
        ({"place": "0"}, {"place": ["Ensure this value is greater than or equal to 1."]}),
        ({"place": "first"}, {"place": ["Enter a whole number."]}),
        ({"result": ""}, {"result": ["This field is required."]}),
        ({"result": "2-0"}, {"result": ["Select a valid choice. 2-0 is not one of the available choices."]}),
        ({"white": ""}, {"white": ["This field is required."]}),
        ({"note": "x" * 301}, {"note": ["Ensure this value has at most 300 characters (it has 301)."]}),
    ],
    ids=lambda value: next(iter(value.items()))[1][:12] if isinstance(value, dict) else "",
)
@pytest.mark.parametrize("step", [{}, {"confirm": "1"}], ids=["asking", "confirming"])
def test_what_cannot_be_is_said_and_nothing_is_saved_and_what_was_typed_is_kept(game, teacher, changes, errors, step):
    typed = body(game, note="My note") | changes | step
    if typed["black"] == "white":
        typed["black"] = typed["white"]
    before = everything(game)

    page = teacher.post(url_of(game), typed | {"version": list_of(game.classroom).version})

    form = page.context["form"]
    kept = ("white", "black", "result", "day", "place", "note")
    assert (page.status_code, everything(game)) == (200, before)
    assert errors_of(page) == errors
    assert [str(form[name].value()) for name in kept] == [str(typed[name]) for name in kept]
    for messages in errors.values():
        assert messages[0] in words_of(page)


@pytest.mark.parametrize("who", ["other", "stranger"])
@pytest.mark.parametrize("step", [{}, {"confirm": "1"}], ids=["asking", "confirming"])
def test_whoever_was_never_in_the_class_is_refused(cast, game, teacher, who, step):
    before = everything(game)
    typed = body(game, black=getattr(cast, who).pk, version=list_of(cast.classroom).version)

    page = teacher.post(url_of(game), typed | step)

    assert (page.status_code, list(errors_of(page)), everything(game)) == (200, ["black"], before)


def test_an_empty_post_shows_the_form(game, teacher):
    page = teacher.post(url_of(game))

    assert (page.status_code, page.context["form"].is_bound) == (200, False)


# --- who may ---


@pytest.mark.parametrize("user", ["colleague", "outsider", "mia"])
def test_others_do_not_find_the_page(cast, game, client_of, user):
    client = client_of(cast.mia.user if user == "mia" else getattr(cast, user))
    before = everything(game)
    sent = body(game, result="0-1", confirm="1", version=list_of(cast.classroom).version)

    answers = [client.get(url_of(game)).status_code, client.post(url_of(game), sent).status_code]

    assert (answers, everything(game)) == ([404, 404], before)


def test_a_teacher_of_a_player_reads_the_game_but_does_not_correct_it(cast, game, client_of):
    enroll(cast.ben, cast.other_classroom)

    assert client_of(cast.colleague).get(url_of(game)).status_code == 404


def test_a_lead_corrects_games_of_any_class(cast, game, client_of):
    client = client_of(cast.lead)

    answer = client.post(url_of(game), confirmed(client.post(url_of(game), body(game, result="0-1"))))

    assert answer.status_code == 302
    assert game.history.latest("history_id").history_user == cast.lead


def test_games_of_an_archived_class_and_of_tournaments_stay_as_they_are(cast, games, teacher, client_of):
    Game.objects.filter(pk=games[0].pk).update(origin=Game.Origin.TOURNAMENT)
    tournament = [client.get(url_of(games[0])).status_code for client in (teacher, client_of(cast.lead))]
    archive_classroom(cast.classroom)
    archived = [client.get(url_of(games[1])).status_code for client in (teacher, client_of(cast.lead))]

    assert (tournament, archived) == ([404, 404], [404, 404])


def test_a_game_of_another_school_is_not_found(cast, client_of):
    foreign = make_game(cast.foreign_classroom, cast.stranger, make_student(cast.foreign_classroom, "Ida"))

    assert [client_of(user).get(url_of(foreign)).status_code for user in (cast.teacher, cast.lead)] == [404, 404]


def test_visitors_go_to_the_login(game, client):
    before = everything(game)

    assert client.post(url_of(game), body(game, result="0-1")).url == f"/login/?next={url_of(game)}"
    assert everything(game) == before


def test_a_post_without_the_token_of_the_page_is_refused(cast, game):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.teacher, backend="django.contrib.auth.backends.ModelBackend")

    assert client.post(url_of(game), body(game, result="0-1")).status_code == 403


def test_other_methods_are_refused(game, teacher):
    assert [teacher.put(url_of(game)).status_code, teacher.delete(url_of(game)).status_code] == [405, 405]


@pytest.mark.parametrize("later", [1, 3])
def test_number_of_queries_does_not_grow(cast, game, teacher, later, django_assert_num_queries):
    for number in range(later):
        make_game(cast.classroom, cast.ben, make_student(cast.classroom, f"Guest {number}"), day=FRIDAY)
    typed = body(game, result="0-1")
    teacher.post(url_of(game), typed)

    with django_assert_num_queries(QUERIES):
        teacher.post(url_of(game), typed)


QUERIES = 15
