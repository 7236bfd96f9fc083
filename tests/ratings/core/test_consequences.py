"""What rewriting a piece of history does, before it is done. No database."""

from __future__ import annotations

import datetime

import pytest

from ratings.core.consequences import Consequences, Move, consequences
from ratings.core.elo import LOSS, WIN
from ratings.core.ledger import AdjustmentEvent, Event, GameEvent, State, fresh, replay
from ratings.core.rules import Rule, Rules

FRIDAY = datetime.date(2026, 3, 6)
ONE_DAY = datetime.timedelta(days=1)
BEGINNING = (FRIDAY, 1)
A, B, C, D = 1, 2, 3, 4


def game(number: int, white: int, black: int, score_halves: int = WIN, *, day: datetime.date = FRIDAY) -> GameEvent:
    return GameEvent(number, day, number, white, black, score_halves)


def states_after(events: list[Event], starts: dict[int, int]) -> dict[int, State]:
    _, states = replay(events, starts=starts, default_start=800, rules=Rules([Rule()]))
    return states


def of(
    before: dict[int, int],
    events: list[Event],
    *,
    first: tuple[datetime.date, int] = BEGINNING,
    changed: int | None = None,
    starts: dict[int, int] | None = None,
) -> Consequences:
    """What it does when the ratings that were `before` become those of these events."""
    return consequences(
        before=before,
        after=states_after(events, starts or {}),
        starts=starts or {},
        default_start=800,
        events=events,
        first=first,
        changed=changed,
    )


THREE_GAMES = [game(1, A, B), game(2, B, C), game(3, A, C)]
AS_PLAYED = {A: 830, B: 801, C: 769}
CIRCLE = [game(1, A, B), game(2, B, C), game(3, C, A)]
CIRCLE_AS_PLAYED = {A: 798, B: 801, C: 801}


@pytest.mark.parametrize(
    ("before", "events", "moves"),
    [
        (AS_PLAYED, [game(1, A, B, LOSS), *THREE_GAMES[1:]], (Move(A, 830, 800), Move(B, 801, 831))),
        (AS_PLAYED, THREE_GAMES[1:], (Move(A, 830, 815), Move(B, 801, 816))),
        (CIRCLE_AS_PLAYED, CIRCLE[1:], (Move(A, 798, 783), Move(B, 801, 816))),
        (CIRCLE_AS_PLAYED, [game(1, A, B, LOSS), *CIRCLE[1:]], (Move(A, 798, 768), Move(B, 801, 831))),
    ],
    ids=["result corrected", "game taken out", "game taken out of a circle", "result corrected in a circle"],
)
def test_a_wrong_first_game_moves_those_whose_ratings_the_replay_changes(before, events, moves):
    assert of(before, events, changed=1) == Consequences(later_games=2, moves=moves)


def test_the_largest_move_comes_first_whether_up_or_down_and_equal_ones_by_student():
    before = {A: 800, B: 800, C: 800, D: 816}
    events = [game(1, A, B), game(2, A, D)]

    found = of(before, events)

    after = {student: state.rating for student, state in states_after(events, {}).items()}
    assert after == {A: 831, B: 784, D: 785}
    assert found.moves == (Move(A, 800, 831), Move(D, 816, 785), Move(B, 800, 784))
    assert [move.by for move in found.moves] == [31, -31, -16]


def test_whose_rating_stays_is_not_named():
    assert of(AS_PLAYED, THREE_GAMES) == Consequences(later_games=3, moves=())


def test_whoever_had_no_rating_comes_from_the_start_and_whoever_has_none_any_more_goes_back_to_it():
    before = {C: 816, D: 910}
    starts = {A: 1000, B: 900, D: 926}

    found = of(before, [game(1, A, B)], starts=starts)

    assert found.moves == (Move(C, 816, 800), Move(D, 910, 926), Move(A, 1000, 1012), Move(B, 900, 888))


def test_whoever_is_at_the_start_before_and_after_is_not_named():
    draw = game(1, A, B, 1)

    assert of({}, [draw]).moves == ()
    assert of({A: 800, B: 800}, []).moves == ()


@pytest.mark.parametrize(
    ("first", "changed", "later"),
    [
        ((FRIDAY, 1), None, 4),
        ((FRIDAY, 1), 1, 3),
        ((FRIDAY, 2), 1, 3),
        ((FRIDAY, 3), 1, 2),
        ((FRIDAY + ONE_DAY, 0), 1, 1),
        ((FRIDAY + ONE_DAY, 4), 4, 0),
        ((datetime.date.max, 0), None, 0),
    ],
    ids=[
        "all", "all but the changed one", "those after it", "those after a later place", "those of the next day",
        "none after the last", "none at all",
    ],
)  # fmt: skip
def test_later_games_are_those_from_the_first_changed_place_on_and_points_are_no_games(first, changed, later):
    events = [*THREE_GAMES, AdjustmentEvent(9, FRIDAY, 5, A, 3), game(4, A, B, day=FRIDAY + ONE_DAY)]

    assert of({}, events, first=first, changed=changed).later_games == later


def test_points_that_share_their_id_with_the_changed_game_are_something_else():
    points = AdjustmentEvent(1, FRIDAY, 4, A, 3)

    found = of(AS_PLAYED, [*THREE_GAMES, points], changed=1)

    assert found == Consequences(later_games=2, moves=(Move(A, 830, 833),))


def test_states_are_compared_by_rating_alone():
    found = consequences(
        before={A: 800},
        after={A: fresh(800)},
        starts={},
        default_start=700,
        events=[],
        first=BEGINNING,
    )

    assert found == Consequences(0, ())
