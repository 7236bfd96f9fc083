"""The ledger as a fold: events in order go in, lines come out.

`post` handles one event and serves the live write; `replay` is the same over all events. Nothing else makes lines.
"""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ratings.core import glicko
from ratings.core.elo import DRAW, WIN, game_changes
from ratings.core.rules import Rules


@dataclass(frozen=True, slots=True)
class GameEvent:
    """A played game. `score_halves` is White's: 2 won, 1 drawn, 0 lost."""

    id: int
    day: datetime.date
    sequence: int
    white: int
    black: int
    score_halves: int


@dataclass(frozen=True, slots=True)
class AdjustmentEvent:
    """Points given outside games."""

    id: int
    day: datetime.date
    sequence: int
    student: int
    points: int


Event = GameEvent | AdjustmentEvent

RECENT = 14  # entries shown as a small curve
NEW_BELOW = 20  # games in a list, until which a number is provisional


@dataclass(frozen=True, slots=True)
class State:
    """Where a student stands in a list after the events so far."""

    rating: int
    peak: int
    deviation: float = glicko.START
    entries: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    last_change: int | None = None  # of the last game
    last_game_day: datetime.date | None = None
    recent: tuple[int, ...] = ()  # the rating before and after each of the last RECENT entries

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def is_new(self) -> bool:
        """Is the number still provisional, after too few games?"""
        return self.games < NEW_BELOW


@dataclass(frozen=True, slots=True)
class Line:
    """What one event did to one student. `after = before + change + top_up`.

    `position` counts the student's lines in the list from 1. For an adjustment `k`, `expected` and `score_halves` are
    None. `expected` is kept to four decimals.
    """

    event: Event
    student: int
    position: int
    before: int
    change: int
    top_up: int
    after: int
    deviation: float
    k: int | None = None
    expected: float | None = None
    score_halves: int | None = None


def order(event: Event) -> tuple[datetime.date, int]:
    """The order of events of a list: by day, then by sequence, and nothing else."""
    return event.day, event.sequence


def post(event: Event, states: Mapping[int, State], rules: Rules) -> list[tuple[Line, State]]:
    """The lines of one event with the states after it: two for a game (White first), one for an adjustment.

    `states` must hold the students of the event as they stand before it.
    """
    if isinstance(event, GameEvent):
        return _post_game(event, states[event.white], states[event.black], rules)
    return [_post_adjustment(event, states[event.student], rules)]


def _post_game(event: GameEvent, white: State, black: State, rules: Rules) -> list[tuple[Line, State]]:
    rule = rules.on(event.day)
    k_white = rule.k_factor(rating=white.rating, peak=white.peak, games=white.games)
    k_black = rule.k_factor(rating=black.rating, peak=black.peak, games=black.games)
    white_expected = rule.expected_score(white.rating, black.rating)
    black_expected = rule.expected_score(black.rating, white.rating)
    white_change, black_change = game_changes(
        k_white=k_white,
        k_black=k_black,
        score_halves=event.score_halves,
        white_expected=white_expected,
        black_expected=black_expected,
    )
    sides = (
        (event.white, white, black, k_white, white_expected, white_change, event.score_halves),
        (event.black, black, white, k_black, black_expected, black_change, WIN - event.score_halves),
    )
    deviations = {
        event.white: glicko.after_idle_weeks(white.deviation, glicko.idle_weeks(white.last_game_day, event.day)),
        event.black: glicko.after_idle_weeks(black.deviation, glicko.idle_weeks(black.last_game_day, event.day)),
    }
    posted = []
    for student, own, other, k, expected, change, score in sides:
        opponent = event.black if student == event.white else event.white
        top_up = rule.top_up(own.rating + change)
        after = own.rating + change + top_up
        deviation = glicko.after_game(deviations[student], own.rating, other.rating, deviations[opponent])
        line = Line(
            event=event,
            student=student,
            position=own.entries + 1,
            before=own.rating,
            change=change,
            top_up=top_up,
            after=after,
            deviation=deviation,
            k=k,
            expected=round(float(expected), 4),
            score_halves=score,
        )
        state = State(
            rating=after,
            peak=max(own.peak, after),
            deviation=deviation,
            entries=own.entries + 1,
            wins=own.wins + (score == WIN),
            draws=own.draws + (score == DRAW),
            losses=own.losses + (score < DRAW),
            last_change=after - own.rating,
            last_game_day=event.day,
            recent=_recent(own, after),
        )
        posted.append((line, state))
    return posted


def _post_adjustment(event: AdjustmentEvent, own: State, rules: Rules) -> tuple[Line, State]:
    top_up = rules.on(event.day).top_up(own.rating + event.points)
    after = own.rating + event.points + top_up
    line = Line(
        event=event,
        student=event.student,
        position=own.entries + 1,
        before=own.rating,
        change=event.points,
        top_up=top_up,
        after=after,
        deviation=own.deviation,
    )
    state = State(
        rating=after,
        peak=max(own.peak, after),
        deviation=own.deviation,
        entries=own.entries + 1,
        wins=own.wins,
        draws=own.draws,
        losses=own.losses,
        last_change=own.last_change,
        last_game_day=own.last_game_day,
        recent=_recent(own, after),
    )
    return line, state


def _recent(own: State, after: int) -> tuple[int, ...]:
    return (*(own.recent or (own.rating,))[-RECENT:], after)


def replay(
    events: Iterable[Event], *, starts: Mapping[int, int], default_start: int, rules: Rules
) -> tuple[list[Line], dict[int, State]]:
    """All lines of a list's events, and the state of everybody who has one.

    `events` in any order; `starts`: students with a start of their own, all others start at `default_start`.
    """
    states: dict[int, State] = {}
    lines: list[Line] = []
    for event in sorted(events, key=order):
        students = (event.white, event.black) if isinstance(event, GameEvent) else (event.student,)
        for student in students:
            if student not in states:
                states[student] = fresh(starts.get(student, default_start))
        for line, state in post(event, states, rules):
            lines.append(line)
            states[line.student] = state
    return lines, states


def fresh(start: int) -> State:
    """The state of a student at the start."""
    return State(rating=start, peak=start)
