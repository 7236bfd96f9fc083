"""The demo school: what is planned for a day, and what is written down of it."""

from __future__ import annotations

import datetime
import unicodedata
from collections import Counter

import pytest
from django.contrib.auth import authenticate
from django.test import RequestFactory

from chesslocker.demo import (
    CLASSES,
    STUDENT_PASSWORD,
    TEACHER_PASSWORD,
    WEEKS,
    demo_school,
    fill_demo_school,
    plan_demo,
)
from classes.models import Classroom, Enrollment, School, Student, User
from ratings.models import Adjustment, Game, Rating
from ratings.selectors.ledger import default_list, events_of, replay_of, state_of
from tournaments.models import Entry, Pairing, Round, Tournament
from tournaments.selectors.states import load

MONDAY = datetime.date(2026, 11, 30)
A_WEEK = [MONDAY + datetime.timedelta(days=number) for number in range(7)]


@pytest.fixture
def today(db) -> datetime.date:
    return School(name="Any").today()


@pytest.fixture
def school(today) -> School:
    fill_demo_school(today=today)
    return School.objects.get()


def written(school: School) -> dict[str, list[tuple]]:
    """Everything of a school by its values, without ids and without the time of writing."""
    return {
        "students": list(
            Student.objects.filter(school=school)
            .order_by("pk")
            .values_list("first_name", "last_name", "grade", "user__username", "enrollments__active")
        ),
        "games": list(
            Game.objects.filter(rating_list__school=school)
            .order_by("sequence")
            .values_list(
                "day", "sequence", "white__user__username", "black__user__username", "result", "note", "void_reason"
            )
        ),
        "points": list(
            Adjustment.objects.filter(rating_list__school=school)
            .order_by("sequence")
            .values_list("day", "sequence", "student__user__username", "kind", "points", "reason", "given_by__username")
        ),
        "boards": list(
            Pairing.objects.filter(round__tournament__school=school)
            .order_by("round__tournament__pk", "round__number", "pk")
            .values_list(
                "round__tournament__name",
                "round__tournament__first_colour",
                "round__number",
                "round__day",
                "board",
                "white__student__user__username",
                "black__student__user__username",
                "result",
            )
        ),
        "ratings": list(
            Rating.objects.filter(rating_list__school=school)
            .order_by("student__pk")
            .values_list("student__user__username", "rating", "peak", "wins", "draws", "losses")
        ),
    }  # fmt: skip


def test_plan_is_the_same_for_the_same_day_and_seed():
    assert plan_demo(today=MONDAY) == plan_demo(today=MONDAY)
    assert plan_demo(today=MONDAY, seed=1) != plan_demo(today=MONDAY, seed=2)


@pytest.mark.parametrize("today", A_WEEK)
def test_plan_is_a_term_that_ends_today_whatever_the_weekday(today):
    planned = plan_demo(today=today)

    games = [game for part in planned for game in part.games]
    points = [given for part in planned for given in part.points]
    assert 380 <= len(games) <= 420
    assert sum(len(given.students) for given in points) == 25
    assert today - datetime.timedelta(weeks=WEEKS) < min(game.day for game in games)
    assert [sum(game.day == today for game in part.games) for part in planned] == [6, 3]
    assert {game.day.weekday() for game in games if game.day != today} == {1, 4}
    assert {given.day for given in points} <= {game.day for game in games}
    assert all(datetime.time(10) <= game.at < datetime.time(15) for game in games)
    assert all(game.white != game.black for game in games)
    assert sum(bool(game.void_reason) for game in games) == 1
    assert 0.07 < sum(game.result == "1/2-1/2" for game in games) / len(games) < 0.13
    assert 0.12 < sum(bool(game.note) for game in games) / len(games) < 0.21
    for part in planned:
        assert list(part.games) == sorted(part.games, key=lambda game: (game.day, game.at))


def test_plan_has_names_of_many_scripts_and_the_hard_cases():
    students = [student for plan in CLASSES for student in plan.students]

    letters = {unicodedata.name(letter).split()[0] for first, last, _ in students for letter in first + last}
    scripts = {"LATIN", "CYRILLIC", "GREEK", "ARABIC", "HEBREW", "CJK", "HIRAGANA", "HANGUL", "DEVANAGARI"}
    assert letters & scripts == scripts
    assert [name for name, count in Counter((first, last) for first, last, _ in students).items() if count > 1] == [
        ("Maria", "Silva")
    ]
    assert len(set(students)) == 36  # the two differ in their grade
    assert [first for first, last, _ in students if not last] == ["Wayan"]
    assert all(unicodedata.is_normalized("NFC", first + last) for first, last, _ in students)


@pytest.mark.django_db
@pytest.mark.database
@pytest.mark.long
def test_fill_writes_the_plan(school, today):
    planned = plan_demo(today=today)
    rating_list = default_list(school)

    assert school.is_demo
    assert list(Classroom.objects.order_by("pk").values_list("name", flat=True)) == [
        "Room 12 Chess",
        "Chess Club Friday",
    ]
    assert [Enrollment.objects.filter(classroom__name=plan.name).count() for plan in CLASSES] == [24, 12]
    assert Student.objects.count() == 36
    assert [str(row.student) for row in Enrollment.objects.filter(active=False)] == ["Kwame Mensah"]
    casual = Game.objects.filter(origin=Game.Origin.CASUAL)
    assert casual.count() == sum(len(part.games) for part in planned)
    assert Game.objects.filter(voided_at__isnull=False).count() == 1
    assert casual.filter(day=today).count() == 9
    assert Adjustment.objects.count() == 25
    assert Counter(casual.values_list("recorded_by__username", flat=True)) == {
        plan.username: len(part.games) for plan, part in zip(CLASSES, planned, strict=True)
    }
    # The ledger is in the order in which everything was played and given.
    order = sorted(
        [*Game.objects.values_list("sequence", "day"), *Adjustment.objects.values_list("sequence", "day")]
    )  # fmt: skip
    assert [day for _sequence, day in order] == sorted(day for _sequence, day in order)
    assert [sequence for sequence, _day in order] == list(range(1, len(order) + 1))
    # And its ratings are those of a fresh replay, spread as in a school.
    _lines, states = replay_of(rating_list, events_of(rating_list))
    assert {row.student_id: state_of(row) for row in Rating.objects.filter(rating_list=rating_list)} == states
    ratings = [state.rating for state in states.values()]
    assert len(ratings) == 36
    assert 550 <= min(ratings) <= 700
    assert 950 <= max(ratings) <= 1150


@pytest.mark.django_db
@pytest.mark.long
def test_there_is_a_finished_and_a_running_tournament_with_what_happens_on_a_friday(school, today):
    running, finished = Tournament.objects.order_by("-finished_at")
    if finished.finished_at is None:
        running, finished = finished, running

    assert (finished.name, finished.rated, load(finished).finished) == ("Club Swiss", True, 5)
    assert Entry.objects.filter(tournament=finished).count() == 12
    assert Entry.objects.filter(tournament=finished).exclude(withdrawn_at=None).count() == 1
    byes = Pairing.objects.filter(round__tournament=finished, board=None).order_by("round__number", "result")
    assert list(byes.values_list("round__number", "result")) == [
        (1, "U"), (1, "Z"), (3, "U"), (3, "Z"), (4, "U"), (4, "Z"), (5, "U"), (5, "Z"),
    ]  # fmt: skip
    assert (running.name, running.is_open, running.rounds) == ("Room 12 Swiss", True, 5)
    last = Round.objects.filter(tournament=running).latest("number")
    boards = Pairing.objects.filter(round=last, board__isnull=False)
    assert (last.number, last.day, boards.count(), boards.filter(result="").count()) == (3, today, 7, 4)
    assert boards.filter(result="", seats__entry__student__user__username="mia").count() == 1


@pytest.mark.django_db
@pytest.mark.database
@pytest.mark.long
def test_everybody_can_log_in_as_it_is_told(today):
    demo = fill_demo_school(today=today)

    assert [login.username for login in demo.teachers] == ["teacher", "lund"]
    assert [login.who for login in demo.students] == ["Mia Kowalczyk", "Siobhán O’Neill"]
    for login in (*demo.teachers, *demo.students):
        request = RequestFactory().post("/login/")
        assert authenticate(request, username=login.username, password=login.password)
    assert User.objects.count() == 38
    assert all(user.check_password(STUDENT_PASSWORD) for user in User.objects.filter(role=User.Role.STUDENT))
    assert all(user.check_password(TEACHER_PASSWORD) for user in User.objects.filter(role=User.Role.TEACHER))


@pytest.mark.django_db
@pytest.mark.database
@pytest.mark.long
def test_two_fills_of_a_day_are_the_same_and_asking_again_doubles_nothing(today):
    first_told = demo_school(today=today)
    first = written(School.objects.get())

    told_again = demo_school(today=today)

    assert told_again == first_told
    assert written(School.objects.get()) == first
    # A second, fresh school of the same day: the first steps aside with its user names.
    School.objects.update(is_demo=False)
    for user in User.objects.all():
        User.objects.filter(pk=user.pk).update(username=f"old.{user.username}")
    demo_school(today=today)
    assert written(School.objects.get(is_demo=True)) == first
