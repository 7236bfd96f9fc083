"""Several teachers at once, forms sent twice, and a database that is busy."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from classes.models import Classroom, School, UsedKey
from classes.services import RETRIES, one_transaction
from ratings import services
from ratings.models import Game, LedgerEntry, Rating
from ratings.selectors.audit import violations
from tests.conftest import Cast
from tests.factories import BLACK, DRAW, WHITE, list_of, make_game, make_student
from tests.pages import words_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="asks SQLite about itself")

QUESTION = "The same result of these two was recorded in the last ten minutes. Did they play again?"

R = TypeVar("R")


def at_once(*tasks: Callable[[], R]) -> list[R]:
    """Run all tasks in threads that start together, each with a database connection of its own."""
    gate = threading.Barrier(len(tasks))

    def run(task: Callable[[], R]) -> R:
        try:
            gate.wait(timeout=20)
            return task()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(tasks)) as pool:
        return [future.result() for future in [pool.submit(run, task) for task in tasks]]


def record_url(classroom: Classroom) -> str:
    return reverse("ratings:record_game", args=[classroom.pk])


def body(cast: Cast, **changes: object) -> dict[str, object]:
    """What the form sends: Mia, White, beats Ben today."""
    filled = {
        "key": uuid.uuid4(),
        "white": cast.mia.pk,
        "black": cast.ben.pk,
        "result": WHITE.value,
        "day": cast.school.today().isoformat(),
        "note": "",
        "then": "next",
    }
    return filled | changes


def test_connections_are_set_up_to_lose_nothing():
    if connection.vendor != "sqlite":
        pytest.skip("asks SQLite about itself")
    with connection.cursor() as cursor:
        said = {}
        for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete"):
            cursor.execute(f"PRAGMA {name}")
            said[name] = cursor.fetchone()[0]

    assert said == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}
    assert connection.transaction_mode == "IMMEDIATE"


def test_twenty_teachers_record_four_hundred_games_and_the_books_balance(cast, ratings_of):
    """All games have Mia in common, so every one of them waits for the one before it."""
    others = [make_student(cast.classroom, f"Pupil {number}") for number in range(20)]
    rating_list, today = list_of(cast.classroom), cast.school.today()

    def teacher(number: int) -> Callable[[], int]:
        def task() -> int:
            chance = random.Random(number)
            for _ in range(20):
                pair = [cast.mia, others[number]]
                chance.shuffle(pair)
                services.record_game(
                    rating_list=rating_list,
                    classroom=cast.classroom,
                    white=pair[0],
                    black=pair[1],
                    result=chance.choice((WHITE, DRAW, BLACK)),
                    day=today,
                    by=cast.teacher,
                )
            return 20

        return task

    recorded = at_once(*(teacher(number) for number in range(20)))

    assert sum(recorded) == 400
    assert (Game.objects.count(), LedgerEntry.objects.count()) == (400, 800)
    assert violations(rating_list) == []
    assert Rating.objects.get(student=cast.mia).entries == 400
    assert sum(ratings_of(cast.classroom).values()) == 21 * 800
    assert sorted(Game.objects.values_list("sequence", flat=True)) == list(range(1, 401))


def test_two_games_of_one_student_that_end_together_both_count(cast, ratings_of):
    rating_list = list_of(cast.classroom)
    for student in (cast.mia, cast.ben, cast.cleo):
        services.set_start_rating(rating_list, student, rating=1200)

    at_once(
        lambda: make_game(cast.classroom, cast.mia, cast.ben, WHITE, by=cast.teacher),
        lambda: make_game(cast.classroom, cast.cleo, cast.mia, WHITE, by=cast.lead),
    )

    first = Game.objects.order_by("sequence")[0]
    win_first = {"Mia": 1199, "Ben": 1184, "Cleo": 1217}
    loss_first = {"Mia": 1201, "Ben": 1183, "Cleo": 1216}
    assert ratings_of(cast.classroom) == (win_first if first.white == cast.mia else loss_first)
    assert violations(rating_list) == []


def test_games_voids_and_corrections_at_once_leave_the_books_in_order(cast):
    games = [make_game(cast.classroom, cast.mia, cast.ben, WHITE, by=cast.teacher) for _ in range(6)]
    rating_list, today = list_of(cast.classroom), cast.school.today()

    def correct(game: Game) -> Callable[[], object]:
        return lambda: services.correct_game(
            game, white=cast.ben, black=cast.cleo, result=DRAW, day=today, note="", by=cast.lead
        )

    at_once(
        lambda: services.void_game(games[0], by=cast.teacher, reason="Wrong board"),
        lambda: services.void_game(games[0], by=cast.lead, reason="Wrong board too"),
        correct(games[1]),
        correct(games[2]),
        *[lambda: make_game(cast.classroom, cast.cleo, cast.mia, BLACK, by=cast.teacher)] * 4,
    )

    assert violations(rating_list) == []
    assert (Game.objects.count(), Game.objects.filter(voided_at=None).count()) == (10, 9)
    assert Game.history.filter(id=games[0].pk, voided_at__isnull=False).count() == 1


# --- one-time keys ---


def test_one_form_sent_eight_times_at_once_makes_one_game(cast, client_of, ratings_of):
    sent = body(cast)
    clients = [client_of(cast.teacher) for _ in range(8)]

    answers = at_once(*(lambda client=client: client.post(record_url(cast.classroom), sent) for client in clients))

    game = Game.objects.get()
    target = f"{record_url(cast.classroom)}?day={sent['day']}&saved={game.pk}"
    assert [(answer.status_code, answer.url) for answer in answers] == [(302, target)] * 8
    assert ratings_of(cast.classroom) == {"Mia": 816, "Ben": 784}
    assert UsedKey.objects.count() == 1


def test_a_form_sent_again_later_is_answered_as_before(cast, client_of, ratings_of):
    client, sent = client_of(cast.teacher), body(cast)

    answers = [client.post(record_url(cast.classroom), sent) for _ in range(2)]

    assert answers[0].url == answers[1].url
    assert ratings_of(cast.classroom) == {"Mia": 816, "Ben": 784}


def test_a_key_used_for_another_entry_is_409_and_changes_nothing(cast, client_of):
    client, sent = client_of(cast.teacher), body(cast)
    client.post(record_url(cast.classroom), sent)

    answer = client.post(record_url(cast.classroom), sent | {"result": BLACK.value})

    assert answer.status_code == 409
    assert "This page was already used for something else" in words_of(answer)
    assert Game.objects.get().result == WHITE


def test_a_key_of_somebody_else_is_409(cast, client_of):
    sent = body(cast)
    client_of(cast.teacher).post(record_url(cast.classroom), sent)

    answer = client_of(cast.lead).post(record_url(cast.classroom), sent | {"result": DRAW.value})

    assert (answer.status_code, Game.objects.count()) == (409, 1)


def test_a_key_is_not_used_up_by_what_was_refused(cast, client_of):
    client, sent = client_of(cast.teacher), body(cast)
    refused = client.post(record_url(cast.classroom), sent | {"result": ""})

    answer = client.post(record_url(cast.classroom), sent)

    assert (refused.status_code, answer.status_code, Game.objects.count()) == (200, 302, 1)


def test_the_same_result_from_two_forms_is_asked_about(cast, client_of):
    client = client_of(cast.teacher)
    client.post(record_url(cast.classroom), body(cast))

    answer = client.post(record_url(cast.classroom), body(cast))

    assert (answer.status_code, Game.objects.count()) == (200, 1)
    assert QUESTION in words_of(answer)


def test_two_forms_of_the_same_result_at_the_same_moment_are_two_games_or_a_question(cast, client_of):
    """Two teachers press the button together: whatever comes first stands, and no point goes astray."""
    clients = [client_of(cast.teacher), client_of(cast.lead)]

    answers = at_once(
        *(lambda client=client: client.post(record_url(cast.classroom), body(cast)) for client in clients)
    )

    assert {answer.status_code for answer in answers} <= {200, 302}
    assert Game.objects.count() == [answer.status_code for answer in answers].count(302) >= 1
    assert violations(list_of(cast.classroom)) == []


# --- a database that asks to try again, and one that stays locked ---


class FakeCause(Exception):
    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate


def failing(sqlstate: str, times: int, tries: list[int]) -> Callable[[], str]:
    """A service that writes and then fails a number of times as PostgreSQL would."""

    @one_transaction
    def service() -> str:
        School.objects.create(name=f"Try {len(tries)}")
        tries.append(len(tries))
        if len(tries) <= times:
            raise OperationalError("try again") from FakeCause(sqlstate)
        return "done"

    return service


@pytest.mark.parametrize("sqlstate", ["40001", "40P01"], ids=["serialization failure", "deadlock"])
def test_a_service_is_tried_again_when_the_database_asks_for_it(sqlstate):
    tries: list[int] = []

    assert failing(sqlstate, RETRIES - 1, tries)() == "done"

    assert tries == [0, 1, 2]
    assert list(School.objects.values_list("name", flat=True)) == ["Try 2"]  # the others were rolled back


@pytest.mark.parametrize(
    ("sqlstate", "times", "tried"), [("40P01", RETRIES, RETRIES), ("55P03", 1, 1), ("", 1, 1)],
    ids=["not for ever", "not for a lock that is not granted", "not for anything else"],
)  # fmt: skip
def test_other_errors_are_passed_on(sqlstate, times, tried):
    tries: list[int] = []

    with pytest.raises(OperationalError, match="try again"):
        failing(sqlstate, times, tries)()

    assert (len(tries), School.objects.count()) == (tried, 0)


def test_a_service_inside_another_leaves_trying_again_to_the_outer_one():
    tries: list[int] = []
    inner = failing("40P01", 1, tries)
    outer_tries: list[int] = []

    @one_transaction
    def outer() -> str:
        outer_tries.append(len(outer_tries))
        School.objects.create(name=f"Outer {len(outer_tries)}")
        return inner()

    assert outer() == "done"
    assert (outer_tries, tries) == ([0, 1], [0, 1])  # what failed has ended the whole transaction
    assert sorted(School.objects.values_list("name", flat=True)) == ["Outer 2", "Try 1"]


def busy_page_of(cast: Cast, client: Client, **changes: object) -> tuple[HttpResponse, dict[str, object]]:
    sent = body(cast, note='Back rank, <b>"mate"</b>', **changes)
    return client.post(record_url(cast.classroom) + "?day=2026-03-06", sent), sent


def hidden_fields_of(page: HttpResponse) -> dict[str, str]:
    return dict(page.context["kept"])


def test_a_locked_database_keeps_what_was_typed(cast, client_of, monkeypatch):
    def locked(**_: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr(services, "record_game", locked)

    answer, sent = busy_page_of(cast, client_of(cast.teacher), password="three-quiet-rooks")

    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    del sent["password"]
    assert hidden_fields_of(answer) == {name: str(value) for name, value in sent.items()}
    page = answer.content.decode()
    assert page.count('type="hidden"') == len(sent) + 3  # the CSRF tokens of this form, Log out, languages
    assert 'name="note" value="Back rank, &lt;b&gt;&quot;mate&quot;&lt;/b&gt;"' in page
    assert f'<form method="post" action="{record_url(cast.classroom)}?day=2026-03-06">' in page
    assert "three-quiet-rooks" not in page
    assert "Nothing was saved yet, and nothing is lost: send it again in a moment." in words_of(answer)
    assert not Game.objects.exists()


def test_sending_again_what_the_busy_page_kept_records_the_game(cast, client_of, monkeypatch):
    client = client_of(cast.teacher)
    with monkeypatch.context() as patch:
        patch.setattr(services, "record_game", lambda **_: (_ for _ in ()).throw(OperationalError("locked")))
        answer, _ = busy_page_of(cast, client)

    again = client.post(record_url(cast.classroom), hidden_fields_of(answer))

    assert again.status_code == 302
    assert Game.objects.get().note == 'Back rank, <b>"mate"</b>'


@contextmanager
def held_by_somebody_else(patience: int) -> Iterator[None]:
    """Another program holds the write lock of the SQLite file; this connection waits only so many milliseconds."""
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout={patience}")
    try:
        yield
    finally:
        other.rollback()
        other.close()
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout=20000")


@on_sqlite
def test_a_database_that_is_really_locked_gives_the_busy_page(cast, client_of):
    client = client_of(cast.teacher)

    with held_by_somebody_else(patience=50):
        answer, sent = busy_page_of(cast, client)

    assert (answer.status_code, answer["Retry-After"]) == (503, "10")
    assert hidden_fields_of(answer) == {name: str(value) for name, value in sent.items()}
    assert not Game.objects.exists()


@on_sqlite
def test_a_short_lock_is_waited_for(cast, client_of):
    client = client_of(cast.teacher)
    release = threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Classroom.objects.filter(pk=cast.classroom.pk).update(name="Room 13 Chess")
            release.set()
            time.sleep(0.3)

    def send() -> int:
        assert release.wait(timeout=20)
        return client.post(record_url(cast.classroom), body(cast)).status_code

    assert at_once(hold, send)[1] == 302
    assert Game.objects.count() == 1
