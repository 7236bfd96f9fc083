"""Changing a tournament, and its end: finished, reopened, cancelled."""

from __future__ import annotations

from typing import Any

import pytest

from ratings.models import Game
from ratings.selectors.audit import violations
from tests.pages import messages_of, words_of
from tests.tournaments.makers import R, boards, enter, make_tournament, pair, play_round
from tests.tournaments.views.test_setup import errors_of
from tournaments.core.tiebreaks import ROUND_ROBIN
from tournaments.models import Entry, Tournament
from tournaments.services.events import cancel_tournament, finish_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def teacher(cast, client_of):
    return client_of(cast.teacher)


@pytest.fixture
def cup(cast) -> Tournament:
    return make_tournament(cast.classroom, 4)


def settings_of(cup: Tournament) -> str:
    return f"/tournaments/{cup.pk}/settings/"


def sent(page, **changes: Any) -> dict[str, Any]:
    form = page.context["form"]
    filled = {name: form[name].value() for name in form.fields if name != "rated"} | {"rated": "on"} | changes
    return {name: value for name, value in filled.items() if value is not None}


def now(cup: Tournament) -> Tournament:
    return Tournament.objects.get(pk=cup.pk)


def test_before_the_first_round_everything_can_be_changed(teacher, cup):
    form = sent(
        teacher.get(settings_of(cup)), name="Cup", rounds=4, pairing_rule="small_group", bye_halves=0, rated=None,
    )  # fmt: skip

    page = teacher.post(settings_of(cup), form, follow=True)

    assert messages_of(page) == ["Saved."]
    changed = now(cup)
    assert (changed.name, changed.rounds, changed.pairing_rule) == ("Cup", 4, "small_group")
    assert (changed.bye_halves, changed.rated) == (0, False)


def test_a_swiss_becomes_a_round_robin_with_the_rounds_and_tie_breaks_of_one(teacher, cup):
    teacher.post(settings_of(cup), sent(teacher.get(settings_of(cup)), system="double_round_robin", rounds=""))

    assert (now(cup).rounds, now(cup).tie_breaks) == (6, list(ROUND_ROBIN))


def test_a_swiss_of_many_does_not_become_a_double_round_robin(cast, teacher):
    many = make_tournament(cast.classroom, 32)

    page = teacher.post(settings_of(many), sent(teacher.get(settings_of(many)), system="double_round_robin"))

    assert errors_of(page) == {"__all__": ["That is too many players for a round robin. Choose Swiss."]}
    assert (now(many).system, now(many).rounds) == ("swiss", 3)


def test_a_drawn_order_is_dealt_when_it_is_asked_for(teacher, cup):
    teacher.post(settings_of(cup), sent(teacher.get(settings_of(cup)), seeding="random"))

    assert now(cup).seeding == "random"
    assert sorted(Entry.objects.values_list("seed_order", flat=True)) == [1, 2, 3, 4]


def test_once_a_round_is_paired_what_it_was_paired_by_stays(teacher, cup):
    pair(cup)
    page = teacher.get(settings_of(cup))
    assert "The first round is paired: the system, the order at the start" in words_of(page)
    changes = {"system": "round_robin", "seeding": "random", "bye_halves": 0, "rated": None, "name": "Cup", "rounds": 2}

    teacher.post(settings_of(cup), sent(page, **changes))

    changed = now(cup)
    assert (changed.system, changed.seeding, changed.bye_halves, changed.rated) == ("swiss", "rating", 2, True)
    assert (changed.name, changed.rounds) == ("Cup", 2)


def test_rounds_that_are_paired_are_not_taken_away(teacher, cup):
    play_round(cup)
    pair(cup)

    page = teacher.post(settings_of(cup), sent(teacher.get(settings_of(cup)), rounds=1))

    assert errors_of(page) == {"rounds": ["2 rounds are paired already."]}
    assert now(cup).rounds == 3


def test_a_tournament_that_is_finished_meanwhile_is_not_changed(teacher, cup):
    form = sent(teacher.get(settings_of(cup)), name="Cup")
    play_round(cup)
    finish_tournament(cup)

    page = teacher.post(settings_of(cup), form)

    assert errors_of(page) == {"__all__": ["This tournament is finished. Reopen it to change something."]}
    assert now(cup).name == "Friday Swiss"


def test_more_tie_breaks_than_are_usual_are_kept(teacher, cup):
    many = ["DE", "BH", "BH/C1", "SB", "WON", "WIN", "PS"]
    Tournament.objects.update(tie_breaks=many)

    teacher.post(settings_of(cup), sent(teacher.get(settings_of(cup)), name="Cup"))

    assert (now(cup).name, now(cup).tie_breaks) == ("Cup", many)


def test_a_tournament_is_finished_early_and_reopened(teacher, cup):
    play_round(cup)
    assert "1 of 3 rounds are played. Finish early" in words_of(teacher.get(settings_of(cup)))

    answer = teacher.post(f"/tournaments/{cup.pk}/finish/")

    assert answer.url == f"/tournaments/{cup.pk}/standings/"
    assert now(cup).finished_at is not None
    page = teacher.post(f"/tournaments/{cup.pk}/reopen/", follow=True)
    assert messages_of(page)[-1] == "The tournament is open again."
    assert now(cup).is_open


@pytest.mark.parametrize(
    ("rounds", "sentence"),
    [
        (0, "No round has been played yet. A tournament that does not take place is cancelled."),
        (1, "2 results are missing."),
    ],
)
def test_a_tournament_is_not_finished_without_its_results(teacher, cup, rounds, sentence):
    if rounds:
        pair(cup)

    page = teacher.post(f"/tournaments/{cup.pk}/finish/", follow=True)

    assert messages_of(page) == [sentence]
    assert now(cup).is_open


# --- cancelling ---


@pytest.fixture
def two_games(cup) -> Tournament:
    play_round(cup)
    return cup


def test_cancelling_asks_what_becomes_of_the_games(teacher, two_games):
    page = teacher.get(f"/tournaments/{two_games.pk}/cancel/")

    assert "2 of its games are in the ratings. What becomes of the ratings?" in words_of(page)
    assert "checked" not in page.content.decode()
    page = teacher.post(f"/tournaments/{two_games.pk}/cancel/")
    assert errors_of(page) == {"ratings": ["Choose what becomes of the ratings."]}
    assert now(two_games).is_open


def test_kept_ratings_stay_and_the_games_become_casual(cast, teacher, two_games, ratings_of):
    before = ratings_of(cast.classroom)

    answer = teacher.post(f"/tournaments/{two_games.pk}/cancel/", {"ratings": "keep"})

    assert answer.url == settings_of(two_games)
    assert (now(two_games).cancelled_at is None, ratings_of(cast.classroom)) == (False, before)
    assert list(Game.objects.values_list("origin", "voided_at")) == [("casual", None)] * 2
    assert violations(two_games.rating_list) == []


def test_ratings_are_taken_back(cast, teacher, two_games, ratings_of):
    teacher.post(f"/tournaments/{two_games.pk}/cancel/", {"ratings": "back"})

    assert ratings_of(cast.classroom) == {}  # everybody is at the start again
    assert Game.objects.filter(voided_at=None).count() == 0
    assert violations(two_games.rating_list) == []


def test_without_games_there_is_nothing_to_ask(teacher, cup):
    pair(cup)
    enter(boards(cup)[0], R.WHITE_FORFEIT)
    page = teacher.get(f"/tournaments/{cup.pk}/cancel/")
    assert "None of its games is in the ratings, so no rating changes." in words_of(page)

    teacher.post(f"/tournaments/{cup.pk}/cancel/")

    assert now(cup).cancelled_at is not None


def test_a_cancelled_tournament_stays_on_record_and_is_not_taken_up_again(cast, teacher, two_games):
    cancel_tournament(two_games, keep_ratings=True, by=cast.teacher)

    assert "It stays on record and cannot be changed any more." in words_of(teacher.get(settings_of(two_games)))
    assert teacher.get(f"/tournaments/{two_games.pk}/cancel/").url == settings_of(two_games)
    page = teacher.post(f"/tournaments/{two_games.pk}/reopen/", follow=True)
    assert messages_of(page) == ["This tournament was cancelled."]
