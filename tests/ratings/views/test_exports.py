"""The games, the ledger and the leaderboard of a class as files, and the file of games read back."""

from __future__ import annotations

import csv
import datetime
import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from classes.models import Classroom, Enrollment, School
from classes.services import archive_classroom, enroll
from ratings.models import Game, Rating
from ratings.services import adjust_ratings, void_game
from tests.conftest import Cast
from tests.factories import (
    BLACK,
    DRAW,
    WHITE,
    lead_of,
    list_of,
    make_classroom,
    make_game,
    make_school,
    make_student,
)

pytestmark = pytest.mark.django_db

FRIDAY = datetime.date(2026, 3, 6)
FORMULA = '=HYPERLINK("http://x","y")'


@pytest.fixture
def answer_of(client_of):
    """What the lead of a class's school gets."""

    def get(page: str, classroom: Classroom) -> bytes:
        client = client_of(lead_of(classroom.school).user)
        answer = client.get(reverse(f"ratings:{page}", args=[classroom.pk]))
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        return answer.content

    return get


@pytest.fixture
def file_of(answer_of):
    """The rows of a file, by the names of its columns."""

    def rows(page: str, classroom: Classroom) -> list[dict[str, str]]:
        content = answer_of(page, classroom)
        assert content.startswith(b"\xef\xbb\xbf")
        return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))

    return rows


def points(cast: Cast, number: int, reason: str = "Lost the pieces") -> None:
    adjust_ratings(
        rating_list=list_of(cast.classroom), classroom=cast.classroom, students=[cast.mia], points=number,
        kind="behaviour", reason=reason, day=FRIDAY, by=cast.teacher,
    )  # fmt: skip


def test_the_games_that_count_are_there_oldest_first(cast, file_of):
    make_game(cast.classroom, cast.ben, cast.mia, DRAW, day=FRIDAY, note="Bold: a gambit")
    make_game(cast.classroom, cast.mia, cast.cleo, BLACK, day=FRIDAY - datetime.timedelta(days=7))
    void_game(make_game(cast.classroom, cast.mia, cast.ben), by=cast.teacher, reason="Twice")
    make_game(cast.other_classroom, cast.other, make_student(cast.other_classroom, "Nils"))

    rows = file_of("games_csv", cast.classroom)

    assert [(row["date"], row["white"], row["black"], row["result"], row["note"], row["origin"]) for row in rows] == [
        ("2026-02-27", "Mia Kowalczyk", "Cleo Raman", "0-1", "", "casual"),
        ("2026-03-06", "Ben Osei", "Mia Kowalczyk", "1/2-1/2", "Bold: a gambit", "casual"),
    ]


def test_an_evening_game_keeps_the_day_and_the_time_of_the_school(file_of, monkeypatch):
    evening = datetime.datetime(2024, 3, 16, 2, 30, tzinfo=datetime.UTC)  # Friday the 15th, 19:30, in Los Angeles
    monkeypatch.setattr("django.utils.timezone.now", lambda: evening)
    classroom = make_classroom(make_school(time_zone="America/Los_Angeles"))
    game = make_game(classroom, make_student(classroom, "Mia"), make_student(classroom, "Ben"))
    Game.objects.filter(pk=game.pk).update(recorded_at=evening)

    [row] = file_of("games_csv", classroom)

    assert (row["date"], row["recorded"]) == ("2024-03-15", "2024-03-15 19:30")
    assert {row["date"] for row in file_of("ledger_csv", classroom)} == {"2024-03-15"}


def test_equal_ratings_share_a_rank_in_the_file_too(file_of):
    classroom = make_classroom()
    for name, start in {"Mia": 830, "Ben": 815, "Cleo": 815, "Dan": 800}.items():
        make_student(classroom, name, start=start)

    rows = file_of("leaderboard_csv", classroom)

    assert [(row["rank"], row["student"], row["rating"]) for row in rows] == [
        ("1", "Mia", "830"), ("2", "Ben", "815"), ("2", "Cleo", "815"), ("4", "Dan", "800"),
    ]  # fmt: skip


def test_a_formula_becomes_text_and_a_negative_number_stays_a_number(cast, answer_of, file_of):
    cast.mia.first_name = FORMULA
    cast.mia.save()
    points(cast, -3, "-3 for the noise")
    make_game(cast.classroom, cast.mia, cast.ben, BLACK, note="@home")

    [award, lost, won] = file_of("ledger_csv", cast.classroom)

    assert (award["student"], award["change"], award["reason"]) == (f"'{FORMULA} Kowalczyk", "-3", "'-3 for the noise")
    assert (int(lost["before"]), int(lost["change"]), int(lost["after"]), float(lost["score"])) == (797, -16, 781, 0)
    assert won["opponent"] == f"'{FORMULA} Kowalczyk"
    for page in ("games_csv", "ledger_csv", "leaderboard_csv"):
        text = answer_of(page, cast.classroom).decode("utf-8-sig")
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        numbers = [cell for cell in cells if cell.startswith("-")]
        assert all(int(cell) < 0 for cell in numbers)
        assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]


def test_the_ledger_says_what_each_game_and_award_did(cast, file_of):
    make_game(cast.classroom, cast.mia, cast.ben, day=FRIDAY)
    points(cast, 3, "Solved the sheet")

    rows = file_of("ledger_csv", cast.classroom)

    assert {row["date"] for row in rows} == {"2026-03-06"}
    assert [list(row.values())[3:] for row in rows] == [
        ["game", "white", "Ben Osei", "1.0", "800", "0.5000", "32", "16", "0", "816", ""],
        ["game", "black", "Mia Kowalczyk", "0.0", "800", "0.5000", "32", "-16", "0", "784", ""],
        ["behaviour", "", "", "", "816", "", "", "3", "0", "819", "Solved the sheet"],
    ]


def test_who_moved_on_takes_the_ledger_along_and_an_archived_class_keeps_its_own(cast, file_of):
    make_game(cast.classroom, cast.mia, cast.ben)
    enroll(cast.mia, cast.other_classroom)
    Enrollment.objects.filter(student=cast.mia, classroom=cast.classroom).update(left_at=timezone.now())
    make_game(cast.other_classroom, cast.mia, cast.other)

    assert {row["student"] for row in file_of("ledger_csv", cast.classroom)} == {"Ben Osei"}

    archive_classroom(cast.classroom)
    rows = file_of("ledger_csv", cast.classroom)
    assert {(row["student"], row["opponent"]) for row in rows} == {
        ("Mia Kowalczyk", "Ben Osei"), ("Ben Osei", "Mia Kowalczyk"),
    }  # fmt: skip


def read_back(content: bytes, classroom: Classroom, tmp_path: Any) -> None:
    path = tmp_path / "games.csv"
    path.write_bytes(content)
    call_command("import_games", str(path), classroom=classroom.pk, stdout=io.StringIO(), stderr=io.StringIO())


def a_class(school: School) -> Classroom:
    """A class with a formula for a name, two of one name whom only their ids tell apart, and a start of one's own."""
    classroom = make_classroom(school, name="Chess")
    for first, last, number, start in (
        ("Mia", "Kowalczyk", "", None), (FORMULA, "", "", 950), ("Ben", "Osei", "-1", None), ("Ben", "Osei", "7", 1100),
    ):  # fmt: skip
        make_student(classroom, first, last, external_id=number, start=start)
    return classroom


def test_the_file_of_games_read_into_an_empty_class_gives_the_same_ratings(db, answer_of, tmp_path):
    classroom, copy = a_class(make_school()), a_class(make_school(name="Other"))
    mia, formula, ben, other_ben = [enrolled.student for enrolled in classroom.enrollments.order_by("student")]
    for days, (white, black, result) in enumerate(
        [(mia, ben, WHITE), (formula, mia, DRAW), (ben, other_ben, BLACK), (mia, other_ben, WHITE), (ben, mia, DRAW)]
    ):
        make_game(classroom, white, black, result, day=FRIDAY - datetime.timedelta(days=days % 3), note="-a, “b”")

    read_back(answer_of("games_csv", classroom), copy, tmp_path)

    def told(room: Classroom) -> list[tuple[Any, ...]]:
        games = Game.objects.filter(classroom=room).order_by("day", "sequence")
        ratings = Rating.objects.filter(rating_list=list_of(room)).order_by("student")
        return [
            *games.values_list("day", "white__first_name", "black__external_id", "result", "note"),
            *ratings.values_list("student__first_name", "student__external_id", "rating", "deviation", "wins", "draws"),
        ]

    assert len(told(copy)) == 9
    assert told(copy) == told(classroom)


def test_two_of_one_name_without_ids_are_refused_and_never_taken_for_one(cast, answer_of, tmp_path):
    twin = make_student(cast.classroom, "Mia", "Kowalczyk", grade="5")
    make_game(cast.classroom, twin, cast.ben)
    content = answer_of("games_csv", cast.classroom)
    make_game(cast.classroom, cast.mia, cast.ben)

    with pytest.raises(CommandError, match="1 row cannot be read"):
        read_back(content, cast.classroom, tmp_path)


@pytest.mark.parametrize(("name", "queries"), [("games_csv", 8), ("ledger_csv", 8), ("leaderboard_csv", 10)])
def test_the_number_of_queries_does_not_grow_with_the_file(cast, client_of, django_assert_num_queries, name, queries):
    client, url = client_of(cast.teacher), reverse(f"ratings:{name}", args=[cast.classroom.pk])
    make_game(cast.classroom, cast.mia, cast.ben)
    client.get(url)  # the first answer of a session also writes that
    with django_assert_num_queries(queries):
        client.get(url)
    make_game(cast.classroom, cast.cleo, cast.ben)
    points(cast, 3)
    make_student(cast.classroom, "Dan")
    with django_assert_num_queries(queries):
        client.get(url)
