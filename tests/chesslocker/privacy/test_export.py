"""All data of a student in one file."""

from __future__ import annotations

import csv
import io
import json
import time
import zipfile

import pytest
from django.db.models import Q
from django.urls import reverse

from chesslocker.privacy.export import SECTIONS, parts_of
from classes.models import AuditEvent
from ratings.models import Adjustment, Game
from ratings.services import NewGame, import_games
from tests.chesslocker.privacy.makers import CANARY, make_canary
from tests.factories import WHITE, list_of, make_game, make_student
from tests.pages import words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def archive_of(client_of):
    """The files of an export, as a user downloads it."""

    def made(user, student) -> dict[str, str]:
        answer = client_of(user).post(reverse("export_student", args=[student.pk]))
        assert answer["Content-Type"] == "application/zip"
        assert answer["Content-Disposition"] == f'attachment; filename="student-{student.pk}.zip"'
        assert answer["Cache-Control"] == "no-store, private"
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            return {name: archive.read(name).decode() for name in archive.namelist()}

    return made


def test_everything_that_the_registry_says_is_in_the_file(cast, archive_of):
    student = make_canary(cast)

    files = archive_of(cast.teacher, student)

    data = json.loads(files["data.json"])
    assert list(data) == list(SECTIONS)
    assert {key for key, rows in data.items() if not rows} == {"absences"}
    assert set(files) == {"index.html", "data.json", *(f"csv/{key}.csv" for key in SECTIONS)}
    (own,) = data["student"]
    assert (own["first_name"], own["email"], own["external_id"], own["off_boards"]) == (
        f"First{CANARY}", f"{CANARY}@example.org", f"newid{CANARY}", True,
    )  # fmt: skip
    assert own["username"] == f"user-{CANARY.lower()}"
    assert own["last_login"] is not None
    assert [row["note"] for row in data["games"] if row["note"]][0] == f"note 0 {CANARY}"
    assert {row["void_reason"] for row in data["games"]} == {"", f"void {CANARY}"}
    assert {row["reason"] for row in data["awards"]} == {f"reason {CANARY}", f"void me {CANARY}"}
    assert len(data["games"]) == Game.objects.filter(Q(white=student) | Q(black=student)).count()
    assert sum(row["change"] + row["top_up"] for row in data["ledger"]) == data["ratings"][0]["rating"] - 800
    assert [row["exercises"] for row in data["practice"]] == [12]
    assert [(row["round"], row["result"]) for row in data["rounds"]][0][0] == 1
    assert data["kept_apart"] == [{"student": "Cleo R.", "never": False}]
    values = {row["value"] for row in data["changes"]}
    assert {f"Old{CANARY}", f"old note {CANARY}"} <= values
    assert {row["what"] for row in data["logins"]} >= {"logged in"}
    assert {row["address"] for row in data["failed_logins"]} == {"127.0.0.1"}


def test_opponents_have_short_names_and_teachers_none(cast, archive_of):
    make_game(cast.classroom, cast.mia, cast.ben, note="=1+1")

    files = archive_of(cast.lead, cast.mia)

    for name, text in files.items():
        assert "Osei" not in text, name
        assert cast.teacher.name not in text, name
    rows = list(csv.DictReader(io.StringIO(files["csv/games.csv"].removeprefix("\ufeff"))))
    assert [(row["white"], row["black"], row["result"], row["note"]) for row in rows] == [
        ("Mia Kowalczyk", "Ben O.", "1–0", "'=1+1"),
    ]  # fmt: skip
    assert "Mia Kowalczyk" in words_of(files["index.html"])
    assert "<script" not in files["index.html"]


def test_an_export_is_asked_for_and_noted(cast, client_of):
    lead, url = client_of(cast.lead), reverse("export_student", args=[cast.mia.pk])

    assert "Take out all data" in words_of(lead.get(url))
    assert not AuditEvent.objects.exists()
    lead.post(url)

    event = AuditEvent.objects.get()
    assert (event.action, event.by, event.about, event.school) == (
        "student.exported", cast.lead, f"student:{cast.mia.pk}", cast.school,
    )  # fmt: skip


def test_it_takes_the_same_queries_however_much_there_is(cast, django_assert_num_queries):
    student = make_student(cast.classroom, "Dana")

    with django_assert_num_queries(19):
        parts_of(student)
    for number in range(3):
        make_game(cast.classroom, student, make_student(cast.classroom, f"Ben{number}"))
    with django_assert_num_queries(20):  # and the names of the others
        parts_of(student)


def test_a_thousand_games_take_less_than_ten_seconds(cast, client_of):
    day, rating_list = cast.school.today(), list_of(cast.classroom)
    games = [NewGame(day, cast.mia.pk, (cast.ben if number % 2 else cast.cleo).pk, WHITE) for number in range(1000)]
    import_games(rating_list=rating_list, classroom=cast.classroom, games=games, file_hash="0")
    assert Adjustment.objects.count() == 0
    began = time.monotonic()

    answer = client_of(cast.teacher).post(reverse("export_student", args=[cast.mia.pk]))

    took = time.monotonic() - began
    assert len(answer.content) > 10_000
    assert took < 10, took
