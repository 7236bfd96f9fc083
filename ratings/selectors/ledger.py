"""A list's rows as the values that the pure core works on."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q

from classes.models import School, Student
from ratings.core.ledger import AdjustmentEvent, Event, GameEvent, Line, State, fresh, post, replay
from ratings.core.rules import Kind, Rule, Rules
from ratings.models import Adjustment, Game, LedgerEntry, Rating, RatingList, RatingRule, StartRating


def default_list(school: School) -> RatingList:
    """The list that is used unless another is chosen."""
    return RatingList.objects.get(school=school, is_default=True)


def rule_of(rule: RatingRule) -> Rule:
    """A dated rule as the core's."""
    return Rule(
        from_day=rule.from_day,
        kind=Kind(rule.kind),
        k=rule.k,
        provisional_k=rule.provisional_k,
        provisional_games=rule.provisional_games,
        juniors=rule.players_are_juniors,
        floor=rule.floor,
    )


def rules_of(rating_list: RatingList) -> Rules:
    return Rules(rule_of(rule) for rule in RatingRule.objects.filter(rating_list=rating_list))


def starts_of(rating_list: RatingList, students: Collection[int] | None = None) -> dict[int, int]:
    """The students with a start of their own."""
    starts = StartRating.objects.filter(rating_list=rating_list)
    if students is not None:
        starts = starts.filter(student__in=students)
    return dict(starts.values_list("student_id", "rating"))


def events_of(rating_list: RatingList, *, until: datetime.date | None = None) -> list[Event]:
    """All events that are not voided, up to and with a day; unsorted."""
    condition = Q(rating_list=rating_list, voided_at=None)
    if until is not None:
        condition &= Q(day__lte=until)
    halves = {result.value: score for result, score in Game.SCORE_HALVES.items()}
    games = Game.objects.filter(condition).order_by()
    adjustments = Adjustment.objects.filter(condition).order_by()
    events: list[Event] = [
        GameEvent(pk, day, sequence, white, black, halves[result])
        for pk, day, sequence, white, black, result in games.values_list(
            "pk", "day", "sequence", "white_id", "black_id", "result"
        )
    ]
    events += [
        AdjustmentEvent(*row) for row in adjustments.values_list("pk", "day", "sequence", "student_id", "points")
    ]
    return events


def event_of(posting: Game | Adjustment) -> Event:
    """A game or adjustment as the core's event, voided or not."""
    if isinstance(posting, Game):
        return GameEvent(
            posting.pk, posting.day, posting.sequence, posting.white_id, posting.black_id, posting.score_halves
        )
    return AdjustmentEvent(posting.pk, posting.day, posting.sequence, posting.student_id, posting.points)


def replay_of(rating_list: RatingList, events: Iterable[Event]) -> tuple[list[Line], dict[int, State]]:
    """The replay of events under the list's rules and starts."""
    return replay(
        events,
        starts=starts_of(rating_list),
        default_start=rating_list.start_rating,
        rules=rules_of(rating_list),
    )


def state_of(rating: Rating) -> State:
    return State(
        rating=rating.rating,
        peak=rating.peak,
        deviation=rating.deviation,
        entries=rating.entries,
        wins=rating.wins,
        draws=rating.draws,
        losses=rating.losses,
        last_change=rating.last_change,
        last_game_day=rating.last_game_day,
        recent=tuple(rating.recent),
    )


def current_states(rating_list: RatingList, students: Collection[int]) -> dict[int, State]:
    """Where students stand now; those without a rating row at their start. Two queries."""
    starts = starts_of(rating_list, students)
    states = {
        rating.student_id: state_of(rating)
        for rating in Rating.objects.filter(rating_list=rating_list, student__in=students)
    }
    return {
        student: states.get(student) or fresh(starts.get(student, rating_list.start_rating)) for student in students
    }


def later_games(rating_list: RatingList, day: datetime.date) -> int:
    """How many games of the list lie after a day: they are recalculated when something is entered for that day."""
    return LedgerEntry.objects.filter(rating_list=rating_list, day__gt=day, game__isnull=False).count() // 2


def states_on(rating_list: RatingList, students: Collection[int], day: datetime.date) -> dict[int, State]:
    """Where students stand after everything of a day and before it."""
    if not LedgerEntry.objects.filter(rating_list=rating_list, day__gt=day).exists():
        return current_states(rating_list, students)
    starts = starts_of(rating_list, students)
    _, states = replay_of(rating_list, events_of(rating_list, until=day))
    return {
        student: states.get(student) or fresh(starts.get(student, rating_list.start_rating)) for student in students
    }


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one result would do."""

    result: Game.Result
    white: Line
    black: Line


@dataclass(frozen=True, slots=True)
class Preview:
    """What a game would do for each of the three results. `later`: games after that day, which are recalculated."""

    white: Student
    black: Student
    white_before: int
    black_before: int
    white_expected: float
    black_expected: float
    outcomes: list[Outcome]
    later: int


def preview_game(rating_list: RatingList, *, white: Student, black: Student, day: datetime.date) -> Preview:
    """The three possible outcomes of a game, by the function that also writes the ledger."""
    states = states_on(rating_list, [white.pk, black.pk], day)
    rules = rules_of(rating_list)
    outcomes = []
    for result in Game.Result:
        event = GameEvent(0, day, rating_list.next_sequence, white.pk, black.pk, Game.SCORE_HALVES[result])
        (white_line, _), (black_line, _) = post(event, states, rules)
        outcomes.append(Outcome(result, white_line, black_line))
    line = outcomes[0]
    return Preview(
        white=white,
        black=black,
        white_before=line.white.before,
        black_before=line.black.before,
        white_expected=line.white.expected or 0.0,
        black_expected=line.black.expected or 0.0,
        outcomes=outcomes,
        later=later_games(rating_list, day),
    )
