"""The services, driven by chance, against an oracle that recomputes everything from the record.

A machine records, back-dates, corrects, voids, restores, adjusts, changes rules and starts, and sends forms twice. What
happened it keeps in plain values of its own. After every step the stored ratings, of now and after every event, must be
those that twenty lines of other arithmetic make of that record; every few steps, and at the end, the audit must find
nothing.

PROVE_EXAMPLES and PROVE_STEPS make the run longer (`make prove-ledger`), PROVE_SEED another one. PROVE_SHRINK=1 looks
for a shorter way to a failure, which takes minutes.
"""

from __future__ import annotations

import datetime
import functools
import json
import os
import sys
import time
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.core.exceptions import ValidationError
from django.db import transaction
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from classes.models import Classroom, Enrollment, Student, User
from classes.services import AlreadyAnswered, KeyReused, OneTimeKey, set_active
from ratings import services
from ratings.models import Adjustment, Game, LedgerEntry, Rating, RatingList, RatingRule
from ratings.selectors.audit import violations
from tests.factories import lead_of, list_of, make_classroom, make_game, make_school, make_student

STUDENTS = 5
DAYS = [datetime.date(2025, 9, 1) + datetime.timedelta(days=5 * number) for number in range(8)]
BEGINNING = -1  # the day of the first rule, before all of DAYS
AUDIT_EVERY = 10  # steps; the audit reads everything, so it costs as much as several steps
STEPS = {
    "recorded", "back-dated", "inactive refused", "corrected", "corrected with a place", "stale refused", "voided",
    "voided again", "un-voided", "un-voided again", "voided together", "adjusted one", "adjusted many",
    "rule constant", "rule provisional", "rule fide", "start set", "activated", "deactivated", "sent twice",
    "reused key refused",
}  # fmt: skip
FIDE_TABLE = json.loads((Path(__file__).parents[1] / "data" / "vectors.json").read_text())["fide"]["table_8_1_2"]
HUNDREDTHS = [Decimal(number) / 100 for number in FIDE_TABLE["pd_hundredths_by_abs_D"]]


# --- the oracle: plain values and its own arithmetic, nothing of ratings.core ---


@dataclass
class Event:
    """A game (`points` 0) or an adjustment (of `white`), as it was last entered. Students and days are numbers."""

    row: Game | Adjustment
    day: int
    sequence: int
    white: int
    black: int = -1
    halves: int = 0
    points: int = 0
    void: bool = False


@dataclass(frozen=True)
class Terms:
    """How games of a day are rated."""

    kind: str = "constant"
    k: int = 32
    provisional_k: int = 32
    provisional_games: int = 0
    players_are_juniors: bool = True
    floor: int | None = None


Line = tuple[int, int, int, int]  # day, sequence, student, rating after it


def k_of(terms: Terms, peak: int, rating: int, games: int) -> int:
    if terms.kind == "fide":
        return 10 if peak >= 2400 else 40 if (terms.players_are_juniors and rating < 2300) or games < 30 else 20
    return terms.provisional_k if terms.kind == "provisional" and games < terms.provisional_games else terms.k


@functools.cache
def expected(fide: bool, own: int, other: int) -> Decimal:
    if fide:
        apart = min(abs(own - other), 400) if own < 2650 else min(abs(own - other), 736)
        return HUNDREDTHS[apart] if own >= other else 1 - HUNDREDTHS[apart]
    return 1 / (1 + Decimal(10) ** (Decimal(other - own) / 400))


def oracle(record: Collection[Event], terms_from: dict[int, Terms], starts: list[int]) -> list[Line]:
    """Everybody's rating after each of their events, from the record alone."""
    rating, peak, games, lines = list(starts), list(starts), [0] * STUDENTS, []
    for event in sorted((event for event in record if not event.void), key=lambda event: (event.day, event.sequence)):
        terms = terms_from[max(day for day in terms_from if day <= event.day)]
        moves = {event.white: Decimal(event.points)}
        if not event.points:
            pairs = ((event.white, event.black, event.halves), (event.black, event.white, 2 - event.halves))
            k = {own: k_of(terms, peak[own], rating[own], games[own]) for own, _, _ in pairs}
            for own, other, halves in pairs:
                moves[own] = k[own] * (Decimal(halves) / 2 - expected(terms.kind == "fide", rating[own], rating[other]))
                games[own] += 1
            if k[event.white] == k[event.black]:
                moves[event.black] = -moves[event.white]
        for student, move in moves.items():
            rating[student] += int(move.to_integral_value(ROUND_HALF_UP))  # Decimal's "half up" is away from zero
            rating[student] = max(rating[student], terms.floor if terms.floor is not None else rating[student])
            peak[student] = max(peak[student], rating[student])
            lines.append((event.day, event.sequence, student, rating[student]))
    return lines


# --- the machine ---


@dataclass(frozen=True)
class World:
    classroom: Classroom
    rating_list: RatingList
    students: list[Student]
    teacher: User


def make_world() -> World:
    classroom = make_classroom(make_school())
    students = [make_student(classroom, name) for name in ("Ada", "Ben", "Cleo", "Dan", "Eve")]
    return World(classroom, list_of(classroom), students, lead_of(classroom.school).user)


@dataclass(frozen=True)
class Form:
    """What was sent with a one-time key, and the answer to it."""

    service: Callable[..., Any]
    values: dict[str, Any]
    once: OneTimeKey
    answer: str


@contextmanager
def refused(kind: type[Exception], what: str) -> Iterator[list[Exception]]:
    caught: list[Exception] = []
    try:
        yield caught
    except kind as error:
        caught.append(error)
    except Exception as error:
        raise AssertionError(f"refused otherwise than expected: {what}") from error
    else:
        raise AssertionError(f"not refused: {what}")


students = st.integers(0, STUDENTS - 1)
opponents = st.integers(1, STUDENTS - 1)  # so many places further
results = st.sampled_from([2, 1, 0])
days = st.sampled_from([3, 3, 3, 4, 4, 0, 1, 2, 5, 6, 7])  # mostly two, so that the order within a day matters
picks = st.integers(0, 49)
k_factors = st.sampled_from([10, 20, 25, 32, 33, 40, 200, 200])  # the odd ones make halves among equals: 12.5, 16.5
start_ratings = st.sampled_from([0, 95, 800, 800, 1500, 2295, 2401, 2405, 2660])  # beside the edges of FIDE's rules
all_terms = st.builds(
    Terms,
    kind=st.sampled_from(["constant", "provisional", "fide"]),
    k=k_factors,
    provisional_k=k_factors,
    provisional_games=st.sampled_from([1, 1, 2, 5]),
    players_are_juniors=st.booleans(),
    floor=st.sampled_from([None, None, 100, 780, 900]),
)
RESULT = {halves: result.value for result, halves in Game.SCORE_HALVES.items()}
has_events = precondition(lambda machine: machine.record)
has_games = precondition(lambda machine: machine.games)
has_forms = precondition(lambda machine: machine.forms)


def stands(row: Game | Adjustment) -> tuple[Any, ...]:
    """How a posting stands in the record."""
    what = (row.white_id, (row.black_id, row.result)) if isinstance(row, Game) else (row.student_id, row.points)
    return row.day, row.sequence, row.is_void, *what


class LedgerMachine(RuleBasedStateMachine):
    """One class on the real database. Each example is one transaction that is rolled back at its end."""

    def __init__(self, world: World, tally: Counter[str]) -> None:
        super().__init__()
        self.world, self.tally = world, tally
        self.record: list[Event] = []
        self.terms_from = {BEGINNING: Terms()}
        self.starts = [world.rating_list.start_rating] * STUDENTS
        self.active = [True] * STUDENTS
        self.next_sequence = 1
        self.forms: list[Form] = []
        self.steps = 0
        self.transaction = transaction.atomic()
        self.transaction.__enter__()

    def teardown(self) -> None:
        try:
            if sys.exc_info()[0] is None:  # where a step failed that is the news
                self.audit()
                self.tally["examples"] += 1
        finally:
            transaction.set_rollback(True)
            self.transaction.__exit__(None, None, None)

    # What holds after every step.

    @invariant()
    def ratings_are_the_oracles(self) -> None:
        lines = oracle(self.record, self.terms_from, self.starts)
        pks = [student.pk for student in self.world.students]
        ratings = Rating.objects.filter(rating_list=self.world.rating_list)
        assert dict(ratings.values_list("student_id", "rating")) == {
            pks[student]: rating for _day, _sequence, student, rating in lines
        }
        entries = LedgerEntry.objects.filter(rating_list=self.world.rating_list)
        assert sorted(entries.values_list("day", "sequence", "student_id", "after")) == sorted(
            (DAYS[day], sequence, pks[student], rating) for day, sequence, student, rating in lines
        )
        self.steps += 1
        if self.steps % AUDIT_EVERY == 0:
            self.audit()

    def audit(self) -> None:
        assert violations(self.world.rating_list) == []
        stored = {(row.__class__, row.pk): stands(row) for model in (Game, Adjustment) for row in model.objects.all()}
        pks = [student.pk for student in self.world.students]
        assert stored == {
            (event.row.__class__, event.row.pk): (
                DAYS[event.day], event.sequence, event.void, pks[event.white],
                event.points or (pks[event.black], RESULT[event.halves]),
            )
            for event in self.record
        }  # fmt: skip

    # What the steps share.

    @property
    def games(self) -> list[Event]:
        return [event for event in self.record if not event.points]

    @property
    def adjustments(self) -> list[Event]:
        return [event for event in self.record if event.points]

    def count(self, step: str) -> None:
        self.tally[step] += 1

    def dealt_sequence(self) -> int:
        self.next_sequence += 1
        return self.next_sequence - 1

    def send(self, service: Callable[..., Any], **values: Any) -> Any:
        """Call a service with a one-time key, and keep the form so that it can be sent again."""
        once = OneTimeKey.of_form(
            key=uuid.UUID(int=len(self.forms) + 1), user=self.world.teacher, action="prove",
            body=[("number", str(len(self.forms)))], answer="/made/{pk}/",
        )  # fmt: skip
        made = service(**values, once=once)
        first = made[0] if isinstance(made, list) else made
        self.forms.append(Form(service, values, once, f"/made/{first.pk}/"))
        return made

    def current_version(self) -> int:
        return RatingList.objects.get(pk=self.world.rating_list.pk).version

    # The steps.

    @initialize(terms=st.one_of(st.none(), all_terms), starts=st.dictionaries(students, start_ratings, max_size=3))
    def found_the_school(self, terms: Terms | None, starts: dict[int, int]) -> None:
        if terms:
            self.change_rule(BEGINNING, terms)
        for student, rating in starts.items():
            self.set_start(student, rating)

    @rule(played=st.lists(st.tuples(students, opponents, results, days), min_size=1, max_size=3))
    def record_games(self, played: list[tuple[int, int, int, int]]) -> None:
        for white, apart, halves, day in played:
            self.record_game(white, (white + apart) % STUDENTS, halves, day)

    @rule(white=students, apart=opponents, halves=results)
    def record_game_of_the_last_day(self, white: int, apart: int, halves: int) -> None:
        self.record_game(
            white, (white + apart) % STUDENTS, halves, max((event.day for event in self.record), default=3)
        )

    def record_game(self, white: int, black: int, halves: int, day: int) -> None:
        values = {
            "rating_list": self.world.rating_list,
            "classroom": self.world.classroom,
            "white": self.world.students[white],
            "black": self.world.students[black],
            "result": RESULT[halves],
            "day": DAYS[day],
            "by": self.world.teacher,
        }
        if not (self.active[white] and self.active[black]):
            with refused(ValidationError, "a game of somebody who is not active"):
                services.record_game(**values)
            self.tally["inactive refused"] += 1
            return
        back_dated = any(event.day > day and not event.void for event in self.record)
        row = self.send(services.record_game, **values)
        self.record.append(Event(row, day, self.dealt_sequence(), white, black, halves))
        self.count("back-dated" if back_dated else "recorded")

    @has_games
    @rule(
        pick=picks, white=students, apart=opponents, halves=results, day=days,
        place=st.one_of(st.none(), st.integers(1, 6)), shows=st.booleans(),
    )  # fmt: skip
    def correct_game(
        self, pick: int, white: int, apart: int, halves: int, day: int, place: int | None, shows: bool
    ) -> None:
        self.correct(self.games[pick % len(self.games)], white, (white + apart) % STUDENTS, halves, day, place, shows)

    @has_games
    @rule(pick=picks, place=st.integers(1, 6), shows=st.booleans())
    def move_within_the_day(self, pick: int, place: int, shows: bool) -> None:
        game = self.games[pick % len(self.games)]
        self.correct(game, game.white, game.black, game.halves, game.day, place, shows)

    @has_games
    @rule(pick=picks, halves=results, shows=st.booleans())
    def correct_result(self, pick: int, halves: int, shows: bool) -> None:
        game = self.games[pick % len(self.games)]
        self.correct(game, game.white, game.black, halves, game.day, None, shows)

    def correct(
        self, game: Event, white: int, black: int, halves: int, day: int, place: int | None, shows: bool
    ) -> None:
        self.send(
            services.correct_game,
            game=game.row,
            white=self.world.students[white],
            black=self.world.students[black],
            result=RESULT[halves],
            day=DAYS[day],
            note="",
            by=self.world.teacher,
            place=place,
            version=self.current_version() if shows else None,
        )
        game.white, game.black, game.halves, game.day = white, black, halves, day
        if place is not None:
            others = sorted(
                (event for event in self.record if event.day == day and event is not game),
                key=lambda event: event.sequence,
            )
            numbers = sorted(event.sequence for event in [*others, game])
            others.insert(place - 1, game)
            for event, number in zip(others, numbers, strict=True):
                event.sequence = number
        self.count("corrected" if place is None else "corrected with a place")

    @has_events
    @rule(pick=picks, shows=st.booleans(), how=st.sampled_from(["void", "unvoid", "unvoid", "any"]))
    def void_or_unvoid(self, pick: int, shows: bool, how: str) -> None:
        """Any: perhaps voiding what is void, or putting back what is there; that changes nothing."""
        fitting = [event for event in self.record if how == "any" or event.void == (how == "unvoid")] or self.record
        event = fitting[pick % len(fitting)]
        (self.put_back if how == "unvoid" or (how == "any" and pick % 2) else self.take_out)(event, shows)

    def take_out(self, event: Event, shows: bool) -> None:
        service = services.void_adjustment if event.points else services.void_game
        version = self.current_version() if shows else None
        service(event.row, by=self.world.teacher, reason="Wrong board", version=version)
        self.count("voided again" if event.void else "voided")
        event.void = True

    def put_back(self, event: Event, shows: bool) -> None:
        service = services.unvoid_adjustment if event.points else services.unvoid_game
        service(event.row, by=self.world.teacher, version=self.current_version() if shows else None)
        self.count("un-voided" if event.void else "un-voided again")
        event.void = False

    @rule(
        chosen=st.sets(students, min_size=1, max_size=3),
        points=st.sampled_from([1, 3, 5, 25, -4, -40]),
        day=days,
    )
    def adjust(self, chosen: set[int], points: int, day: int) -> None:
        rows = self.send(
            services.adjust_ratings,
            rating_list=self.world.rating_list,
            classroom=self.world.classroom,
            students=[self.world.students[number] for number in sorted(chosen)],
            points=points,
            kind="skill",
            reason="Solved the puzzle sheet",
            day=DAYS[day],
            by=self.world.teacher,
        )
        for row, student in zip(rows, sorted(chosen), strict=True):
            self.record.append(Event(row, day, self.dealt_sequence(), student, points=points))
        self.count("adjusted one" if len(chosen) == 1 else "adjusted many")

    @precondition(lambda machine: machine.adjustments)
    @rule(picked=st.sets(picks, min_size=1, max_size=4))
    def void_together(self, picked: set[int]) -> None:
        events = [self.adjustments[number] for number in {pick % len(self.adjustments) for pick in picked}]
        open_ones = [event for event in events if not event.void]
        voided = services.void_together([event.row for event in events], by=self.world.teacher, reason="Wrong class")
        assert voided == len(open_ones)
        for event in open_ones:
            event.void = True
        if open_ones:
            self.count("voided together")

    @rule(day=st.integers(BEGINNING, len(DAYS) - 1), terms=all_terms)
    def change_rule(self, day: int, terms: Terms) -> None:
        changed = RatingRule(**vars(terms)) if day == BEGINNING else RatingRule(from_day=DAYS[day], **vars(terms))
        services.set_rule(self.world.rating_list, rule=changed)
        self.terms_from[day] = terms
        self.count(f"rule {terms.kind}")

    @rule(student=students, active=st.sampled_from([True, True, False]), rating=st.one_of(st.none(), start_ratings))
    def change_student(self, student: int, active: bool, rating: int | None) -> None:
        enrollment = Enrollment.objects.get(classroom=self.world.classroom, student=self.world.students[student])
        set_active(enrollment, active=active)
        self.active[student] = active
        self.count("activated" if active else "deactivated")
        if rating is not None:
            self.set_start(student, rating)

    def set_start(self, student: int, rating: int) -> None:
        services.set_start_rating(self.world.rating_list, self.world.students[student], rating=rating)
        self.starts[student] = rating
        self.count("start set")

    @has_games
    @rule(
        pick=picks,
        halves=results,
        student=students,
        day=days,
        how=st.sampled_from(["correct", "void", "adjust", "other"]),
    )
    def overtake(self, pick: int, halves: int, student: int, day: int, how: str) -> None:
        """Two teachers look at the consequences of something; one of them is first."""
        version = self.current_version()
        game = self.games[pick % len(self.games)]
        if how == "correct":
            self.correct(game, game.white, game.black, halves, game.day, None, True)
        elif how == "void":
            (self.put_back if game.void else self.take_out)(game, True)
        elif how == "adjust":
            self.adjust({student}, 3, day)
        else:
            self.set_start(student, 800)
        late: list[Callable[[], object]] = [
            lambda: services.void_game(game.row, by=self.world.teacher, reason="", version=version),
            lambda: services.unvoid_game(game.row, by=self.world.teacher, version=version),
            lambda: services.correct_game(
                game.row, white=game.row.white, black=game.row.black, result=RESULT[halves], day=DAYS[day], note="",
                by=self.world.teacher, version=version,
            ),
        ]  # fmt: skip
        with refused(services.StaleVersion, "a write on a stale version"):
            late[pick % len(late)]()
        self.count("stale refused")

    @has_forms
    @rule(pick=picks, other=picks, same=st.booleans())
    def use_a_key_again(self, pick: int, other: int, same: bool) -> None:
        form, body = self.forms[pick % len(self.forms)], self.forms[other % len(self.forms)]
        if same:
            with refused(AlreadyAnswered, "the second use of a one-time key") as caught:
                form.service(**form.values, once=form.once)
            assert [error.url for error in caught] == [form.answer]
        else:
            with refused(KeyReused, "another form with a used key"):
                body.service(**body.values, once=replace(form.once, body_hash="of another form"))
        self.count("sent twice" if same else "reused key refused")


def run_machine(*, examples: int, steps: int, seed: int | None = None, shrink: bool = False) -> Counter[str]:
    """Run the machine in a new world; how often each step was taken. Without a seed every run is the same."""
    world, tally = make_world(), Counter[str]()

    def machine() -> LedgerMachine:
        return LedgerMachine(world, tally)

    settings = hypothesis.settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        derandomize=seed is None,
        report_multiple_bugs=False,
        phases=[Phase.generate, Phase.shrink] if shrink else [Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(machine if seed is None else hypothesis.seed(seed)(machine), settings=settings)
    return tally


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_ratings_are_those_of_the_oracle_whatever_happens(capsys):
    examples, steps = int(os.environ.get("PROVE_EXAMPLES") or 100), int(os.environ.get("PROVE_STEPS") or 30)
    seed = os.environ.get("PROVE_SEED")
    started = time.monotonic()

    tally = run_machine(
        examples=examples,
        steps=steps,
        seed=int(seed) if seed else None,
        shrink=os.environ.get("PROVE_SHRINK") == "1",
    )

    done = tally.pop("examples")
    with capsys.disabled():
        print(f"\n{done} examples of {steps} steps in {time.monotonic() - started:.0f} s: ", end="")
        print(", ".join(f"{count} {step}" for step, count in tally.most_common()))
    assert done >= examples
    if done >= 100:
        assert STEPS - tally.keys() == set()


@pytest.mark.database
@pytest.mark.django_db
def test_moving_a_voided_game_gives_the_others_of_its_day_their_new_places(cast):
    first, second, third = (
        make_game(cast.classroom, white, black)
        for white, black in ((cast.mia, cast.ben), (cast.ben, cast.cleo), (cast.mia, cast.cleo))
    )
    services.void_game(first, by=cast.teacher, reason="Wrong board")

    services.correct_game(
        first, white=first.white, black=first.black, result=first.result, day=first.day, note="", place=3,
        by=cast.teacher,
    )  # fmt: skip

    assert violations(first.rating_list) == []
    entries = LedgerEntry.objects.filter(rating_list=first.rating_list).order_by("sequence", "pk")
    assert [(entry.game_id, entry.sequence) for entry in entries] == [
        (second.pk, 1), (second.pk, 1), (third.pk, 2), (third.pk, 2)
    ]  # fmt: skip
