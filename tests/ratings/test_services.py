"""The ledger through its services: the stored entries always equal a replay of the events."""

from __future__ import annotations

import datetime

import pytest

from ratings import services
from ratings.models import Game, LedgerEntry, Rating
from ratings.selectors.ledger import events_of, replay_of, state_of
from tests.factories import BLACK, DRAW, WHITE, give_points, list_of, make_game

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def stored_equals_replay(classroom) -> bool:
    rating_list = list_of(classroom)
    lines, states = replay_of(rating_list, events_of(rating_list))
    stored = [
        (entry.game_id, entry.adjustment_id, entry.student_id, entry.position, entry.before, entry.change, entry.top_up,
         entry.after, entry.k, entry.expected, entry.deviation)
        for entry in LedgerEntry.objects.filter(rating_list=rating_list)
    ]  # fmt: skip
    replayed = [
        (line.event.id if line.k else None, None if line.k else line.event.id, line.student, line.position, line.before,
         line.change, line.top_up, line.after, line.k, line.expected, line.deviation)
        for line in lines
    ]  # fmt: skip
    ratings = {rating.student_id: state_of(rating) for rating in Rating.objects.filter(rating_list=rating_list)}
    return sorted(stored, key=str) == sorted(replayed, key=str) and ratings == states


def three_games(cast, **kwargs) -> list[Game]:
    return [
        make_game(cast.classroom, cast.mia, cast.ben, WHITE, **kwargs),
        make_game(cast.classroom, cast.ben, cast.cleo, WHITE, **kwargs),
        make_game(cast.classroom, cast.mia, cast.cleo, WHITE, **kwargs),
    ]


def test_three_games_give_830_801_769(cast, ratings_of):
    three_games(cast)

    assert ratings_of(cast.classroom) == {"Mia": 830, "Ben": 801, "Cleo": 769}
    assert stored_equals_replay(cast.classroom)


def test_voiding_the_first_replays_the_rest_and_unvoiding_restores(cast, ratings_of):
    first, *_ = three_games(cast)

    services.void_game(first, by=cast.teacher, reason="Wrong board")
    assert ratings_of(cast.classroom) == {"Mia": 815, "Ben": 816, "Cleo": 769}
    assert stored_equals_replay(cast.classroom)

    services.unvoid_game(first, by=cast.teacher)
    assert ratings_of(cast.classroom) == {"Mia": 830, "Ben": 801, "Cleo": 769}
    assert stored_equals_replay(cast.classroom)


def test_correcting_the_first_replays_the_rest(cast, ratings_of):
    first, *_ = three_games(cast)

    services.correct_game(
        first, white=first.white, black=first.black, result=BLACK, day=first.day, note="", by=cast.teacher
    )

    assert ratings_of(cast.classroom) == {"Mia": 800, "Ben": 831, "Cleo": 769}
    assert [old.result for old in first.history.order_by("history_id")] == [WHITE, BLACK]
    assert stored_equals_replay(cast.classroom)


def test_back_dated_game_goes_where_its_day_puts_it(cast, ratings_of):
    today = cast.school.today()
    make_game(cast.classroom, cast.ben, cast.cleo, WHITE, day=today)
    make_game(cast.classroom, cast.mia, cast.cleo, WHITE, day=today)

    make_game(cast.classroom, cast.mia, cast.ben, WHITE, day=today - datetime.timedelta(days=3))

    assert ratings_of(cast.classroom) == {"Mia": 830, "Ben": 801, "Cleo": 769}
    assert stored_equals_replay(cast.classroom)


def test_adjustments_stand_in_the_order_of_events(cast, ratings_of):
    make_game(cast.classroom, cast.mia, cast.ben, WHITE)
    give_points(cast.classroom, cast.mia, 5)
    make_game(cast.classroom, cast.mia, cast.ben, DRAW)

    assert ratings_of(cast.classroom) == {"Mia": 819, "Ben": 786}
    assert stored_equals_replay(cast.classroom)


def test_voiding_the_only_game_leaves_everybody_at_the_start(cast, ratings_of):
    game = make_game(cast.classroom, cast.mia, cast.ben)

    services.void_game(game, by=cast.teacher, reason="")

    assert ratings_of(cast.classroom) == {}
    assert not LedgerEntry.objects.exists()
    game.refresh_from_db()
    assert game.is_void
