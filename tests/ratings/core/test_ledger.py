"""The ledger as a fold: events in, lines out. No database."""

from __future__ import annotations

import datetime
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.elo import DRAW, LOSS, WIN
from ratings.core.ledger import RECENT, AdjustmentEvent, Event, GameEvent, Line, State, fresh, order, post, replay
from ratings.core.rules import Kind, Rule, Rules

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "vectors.json").read_text())["elo"]

FRIDAY = datetime.date(2026, 3, 6)
ONE_DAY = datetime.timedelta(days=1)
PLAIN = Rules([Rule()])
A, B, C = 1, 2, 3


def game(white: int, black: int, score_halves: int = WIN, *, number: int = 1, day: datetime.date = FRIDAY) -> GameEvent:
    return GameEvent(number, day, number, white, black, score_halves)


def games(*pairs: tuple[int, int] | tuple[int, int, int]) -> list[Event]:
    """Games of one day in this order; White wins unless a score is given."""
    return [game(*pair, number=number) for number, pair in enumerate(pairs, 1)]


def points(student: int, number: int, given: int, day: datetime.date = FRIDAY) -> AdjustmentEvent:
    return AdjustmentEvent(number, day, number, student, given)


def ratings_after(events: list[Event], *, start: int = 800, rules: Rules = PLAIN) -> dict[int, int]:
    _, states = replay(events, starts={}, default_start=start, rules=rules)
    return {student: state.rating for student, state in states.items()}


# --- what must come out ---

THREE_GAMES = [(A, B), (B, C), (A, C)]


@pytest.mark.parametrize(
    ("played", "after"),
    [
        (THREE_GAMES, {A: 830, B: 801, C: 769}),
        ([(A, B, LOSS), *THREE_GAMES[1:]], {A: 800, B: 831, C: 769}),
        (THREE_GAMES[1:], {A: 815, B: 816, C: 769}),
    ],
    ids=["as played", "first game corrected", "first game taken out"],
)
def test_a_correction_is_as_if_it_had_been_played_that_way(played, after):
    assert ratings_after(games(*played)) == after


CIRCLE = [(A, B), (B, C), (C, A)]


@pytest.mark.parametrize(
    ("played", "after"),
    [
        (CIRCLE, {A: 798, B: 801, C: 801}),
        (CIRCLE[1:], {A: 783, B: 816, C: 801}),
        ([(A, B, LOSS), *CIRCLE[1:]], {A: 768, B: 831, C: 801}),
    ],
    ids=["as played", "first game taken out", "first game corrected"],
)
def test_a_wrong_result_in_an_old_game_is_taken_out(played, after):
    assert ratings_after(games(*played)) == after


@pytest.mark.parametrize(
    ("played", "after"),
    [([(A, B), (C, A)], {A: 1199, B: 1184, C: 1217}), ([(C, A), (A, B)], {A: 1201, B: 1183, C: 1216})],
    ids=["win first", "loss first"],
)
def test_two_games_of_one_player_count_in_their_order(played, after):
    assert ratings_after(games(*played), start=1200) == after


@pytest.mark.parametrize(
    "case",
    VECTORS["order_dependence"]["orders"],
    ids=lambda case: " ".join("".join(pair[:2]) for pair in case["order"]),
)
def test_ratings_depend_on_the_order_of_games(case):
    ids = {"A": A, "B": B, "C": C}
    start = {ids[name]: rating for name, rating in VECTORS["order_dependence"]["start"].items()}
    events = games(*((ids[white], ids[black], 2 * score) for white, black, score in case["order"]))

    _, states = replay(events, starts=start, default_start=800, rules=PLAIN)

    assert {name: states[pk].rating for name, pk in ids.items()} == {
        name: float(rating) for name, rating in case["sequential_int"].items()
    }


def test_a_thousand_random_games_of_twenty_pupils_make_and_lose_no_point():
    chance = random.Random(25)
    events = games(*((*chance.sample(range(20), 2), chance.choice((WIN, DRAW, LOSS))) for _ in range(1000)))

    lines, states = replay(events, starts={}, default_start=800, rules=PLAIN)

    assert sum(state.rating for state in states.values()) == 20 * 800
    assert sum(line.change for line in lines) == 0
    assert len(lines) == 2000


def test_a_thousand_wins_in_a_row_stop_at_720_points_between_them():
    assert ratings_after(games(*[(A, B)] * 1000), start=1000) == {A: 1360, B: 640}


def test_nine_games_less_two_are_the_replay_of_seven():
    chance = random.Random(31)
    nine = games(*((*chance.sample((A, B, C), 2), chance.choice((WIN, DRAW, LOSS))) for _ in range(9)))
    seven = [event for event in nine if event.id not in (3, 7)]

    lines, states = replay(seven, starts={}, default_start=800, rules=PLAIN)

    assert len(lines) == 14
    assert sum(state.games for state in states.values()) == 14
    assert ratings_after(seven) != ratings_after(nine)
    assert sum(ratings_after(seven).values()) == 2400


# --- lines and states ---


def test_lines_of_a_game_say_what_it_did_to_both():
    event = game(A, B)

    (white, white_state), (black, black_state) = post(event, {A: fresh(1000), B: fresh(900)}, PLAIN)

    assert white == Line(
        event=event, student=A, position=1, before=1000, change=12, top_up=0, after=1012, deviation=white.deviation,
        k=32, expected=0.6401, score_halves=WIN,
    )  # fmt: skip
    assert black == Line(
        event=event, student=B, position=1, before=900, change=-12, top_up=0, after=888, deviation=black.deviation,
        k=32, expected=0.3599, score_halves=LOSS,
    )  # fmt: skip
    assert white_state == State(
        rating=1012, peak=1012, deviation=white.deviation, entries=1, wins=1, last_change=12, last_game_day=FRIDAY,
        recent=(1000, 1012),
    )  # fmt: skip
    assert black_state == State(
        rating=888, peak=900, deviation=black.deviation, entries=1, losses=1, last_change=-12, last_game_day=FRIDAY,
        recent=(900, 888),
    )  # fmt: skip


def test_points_outside_games_move_the_rating_but_are_no_game():
    event = points(A, 2, 5)
    (_, played), _ = post(game(A, B), {A: fresh(800), B: fresh(800)}, PLAIN)

    ((line, state),) = post(event, {A: played}, PLAIN)

    assert line == Line(
        event=event, student=A, position=2, before=816, change=5, top_up=0, after=821, deviation=played.deviation
    )
    assert state == State(
        rating=821, peak=821, deviation=played.deviation, entries=2, wins=1, last_change=16, last_game_day=FRIDAY,
        recent=(800, 816, 821),
    )  # fmt: skip


def test_a_draw_counts_as_a_draw_for_both():
    _, states = replay(games((A, B, DRAW)), starts={}, default_start=800, rules=PLAIN)

    assert [(state.wins, state.draws, state.losses, state.last_change) for state in states.values()] == [
        (0, 1, 0, 0)
    ] * 2


def test_only_the_latest_ratings_are_kept_for_the_small_curve():
    _, states = replay(games(*[(A, B)] * (RECENT + 5)), starts={}, default_start=800, rules=PLAIN)

    assert (len(states[A].recent), states[A].recent[-1]) == (RECENT + 1, states[A].rating)


def test_a_floor_lifts_the_loser_and_the_points_are_counted_as_top_up():
    rules = Rules([Rule(floor=790)])

    lines, states = replay([*games((A, B)), points(B, 2, -3)], starts={}, default_start=800, rules=rules)

    assert [(line.student, line.change, line.top_up, line.after) for line in lines] == [
        (A, 16, 0, 816),
        (B, -16, 6, 790),
        (B, -3, 3, 790),
    ]
    assert states[B].last_change == -10


def test_everybody_starts_at_the_own_start_or_the_list_s():
    lines, _ = replay(games((A, B)), starts={A: 1000}, default_start=900, rules=PLAIN)

    assert [(line.before, line.after) for line in lines] == [(1000, 1012), (900, 888)]


def test_a_new_k_counts_from_its_day_on():
    rules = Rules([Rule(k=32), Rule(from_day=FRIDAY + ONE_DAY, k=10)])
    events = [game(A, B, number=1), game(C, B, DRAW, number=2, day=FRIDAY + ONE_DAY)]

    lines, _ = replay(events, starts={}, default_start=800, rules=rules)

    assert [line.k for line in lines] == [32, 32, 10, 10]


def test_provisional_k_differs_between_two_players_and_each_change_is_rounded_once():
    rules = Rules([Rule(kind=Kind.PROVISIONAL, k=20, provisional_k=40, provisional_games=1)])

    lines, _ = replay(games((A, B), (A, C)), starts={}, default_start=800, rules=rules)

    assert [(line.student, line.k, line.change) for line in lines] == [
        (A, 40, 20),
        (B, 40, -20),
        (A, 20, 9),
        (C, 40, -19),
    ]


def test_fide_k_rates_by_the_table():
    lines, _ = replay(games((A, B)), starts={A: 1200}, default_start=800, rules=Rules([Rule(kind=Kind.FIDE)]))

    assert [(line.k, line.expected, line.change) for line in lines] == [(40, 0.92, 3), (40, 0.08, -3)]


def test_weeks_without_a_game_make_a_number_less_sure_and_points_do_not_count_as_a_game():
    early = [game(A, B, number=number) for number in range(1, 30)]
    pause = FRIDAY + datetime.timedelta(weeks=20)
    (once, *_), _ = replay([*early, game(A, B, number=30)], starts={}, default_start=800, rules=PLAIN)
    soon = replay([*early, game(A, B, number=30)], starts={}, default_start=800, rules=PLAIN)[1][A]
    late = replay(
        [*early, points(A, 30, 1, pause - ONE_DAY), game(A, B, number=31, day=pause)],
        starts={}, default_start=800, rules=PLAIN,
    )[1][A]  # fmt: skip

    assert once.deviation < 350
    assert late.deviation > soon.deviation


# --- order ---


def test_events_go_by_day_and_then_by_sequence_and_nothing_else():
    events = [
        game(A, B, number=4, day=FRIDAY),
        points(A, 2, 3, FRIDAY + ONE_DAY),
        game(A, B, number=3, day=FRIDAY),
        game(A, B, number=9, day=FRIDAY - ONE_DAY),
    ]

    assert [event.sequence for event in sorted(events, key=order)] == [9, 3, 4, 2]


students = st.integers(1, 5)
some_days = st.integers(0, 40).map(lambda number: FRIDAY + number * ONE_DAY)
played_games = st.tuples(some_days, students, students, st.sampled_from((WIN, DRAW, LOSS))).filter(
    lambda drawn: drawn[1] != drawn[2]
)
given_points = st.tuples(some_days, students, st.integers(-30, 30).filter(bool))
rule_sets = st.sampled_from(
    (
        PLAIN,
        Rules([Rule(floor=790)]),
        Rules([Rule(kind=Kind.PROVISIONAL, k=20, provisional_k=40, provisional_games=2, floor=760)]),
        Rules([Rule(kind=Kind.FIDE, juniors=False), Rule(from_day=FRIDAY + 20 * ONE_DAY, k=32)]),
    )
)


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    rows = draw(st.lists(st.one_of(played_games, given_points), max_size=25))
    return [
        GameEvent(number, row[0], number, *row[1:])
        if len(row) == 4
        else AdjustmentEvent(number, row[0], number, *row[1:])
        for number, row in enumerate(rows, 1)
    ]


@given(events=histories(), rules=rule_sets)
def test_every_point_has_a_cause(events, rules):
    lines, states = replay(events, starts={1: 1100}, default_start=800, rules=rules)

    starts = sum(1100 if student == 1 else 800 for student in states)
    given = sum(event.points for event in events if isinstance(event, AdjustmentEvent))
    top_ups = sum(line.top_up for line in lines)
    k_differences = 0
    by_event: dict[int, list[Line]] = {}
    for line in lines:
        by_event.setdefault(line.event.id, []).append(line)
    for pair in by_event.values():
        if len(pair) == 2 and pair[0].k != pair[1].k:
            k_differences += pair[0].change + pair[1].change
    assert sum(state.rating for state in states.values()) == starts + given + top_ups + k_differences


@given(events=histories(), rules=rule_sets)
def test_lines_of_a_student_form_a_chain(events, rules):
    lines, states = replay(events, starts={1: 1100}, default_start=800, rules=rules)

    for student, state in states.items():
        own = [line for line in lines if line.student == student]
        assert [line.position for line in own] == list(range(1, len(own) + 1))
        assert [line.before for line in own] == [1100 if student == 1 else 800, *(line.after for line in own[:-1])]
        assert all(line.after == line.before + line.change + line.top_up for line in own)
        assert (state.rating, state.entries) == (own[-1].after, len(own))
        assert state.peak == max(own[0].before, *(line.after for line in own))
        assert state.games == sum(line.score_halves is not None for line in own)


@given(events=histories(), rules=rule_sets, chance=st.randoms(use_true_random=False))
def test_the_order_in_which_events_are_given_does_not_matter(events, rules, chance):
    shuffled = chance.sample(events, len(events))

    assert replay(shuffled, starts={}, default_start=800, rules=rules) == replay(
        events, starts={}, default_start=800, rules=rules
    )


@given(events=histories().filter(bool), rules=rule_sets)
def test_posting_the_last_event_live_equals_the_replay_of_all(events, rules):
    *before, last = sorted(events, key=order)
    lines, states = replay(before, starts={}, default_start=800, rules=rules)

    posted = post(last, {student: states.get(student, fresh(800)) for student in range(1, 6)}, rules)

    all_lines, all_states = replay(events, starts={}, default_start=800, rules=rules)
    assert [*lines, *(line for line, _ in posted)] == all_lines
    assert states | {line.student: state for line, state in posted} == all_states
