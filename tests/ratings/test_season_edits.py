"""A whole season, edited afterwards: the ratings that come out were computed independently."""

from __future__ import annotations

import csv
import datetime
import json
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from classes.models import Classroom, Student, User
from classes.selectors import labels_in
from classes.services import AlreadyAnswered, OneTimeKey, add_student
from ratings import services
from ratings.models import Game, Rating, RatingList
from ratings.selectors.audit import violations
from ratings.selectors.ledger import events_of, replay_of
from tests.factories import BLACK, WHITE, lead_of, list_of, make_classroom

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "public"
needs_season_60 = pytest.mark.skipif(not (DATA / "season_60").is_dir(), reason="season_60 is not beside the project")
needs_season_300 = pytest.mark.skipif(not (DATA / "season_300").is_dir(), reason="season_300 is not beside the project")
pytestmark = [pytest.mark.django_db, pytest.mark.database, pytest.mark.long]

DAY = datetime.date(2026, 2, 10)  # of the games that are entered late


@dataclass
class Season:
    """A class that played a season; games by their number in the file, students by their id in the school."""

    classroom: Classroom
    rating_list: RatingList
    teacher: User
    students: dict[str, Student]
    rows: list[services.NewGame]

    def play(self, first: int = 1, last: int | None = None) -> None:
        """Import the games from one number to another."""
        services.import_games(
            rating_list=self.rating_list, classroom=self.classroom, games=self.rows[first - 1 : last], by=self.teacher
        )

    def game(self, number: int) -> Game:
        """A game by its number in the file, which is its sequence when nothing else was entered before."""
        return Game.objects.select_related("rating_list").get(rating_list=self.rating_list, sequence=number)

    def record(self, row: services.NewGame, once: OneTimeKey | None = None) -> Game:
        players = {student.pk: student for student in self.students.values()}
        return services.record_game(
            rating_list=self.rating_list,
            classroom=self.classroom,
            white=players[row.white],
            black=players[row.black],
            result=row.result,
            day=row.day,
            by=self.teacher,
            once=once,
        )

    def ratings(self) -> dict[str, int]:
        rows = Rating.objects.filter(rating_list=self.rating_list)
        return dict(rows.values_list("student__external_id", "rating"))


def read_season(name: str) -> Season:
    """The class and its students; no game is played yet."""
    folder = DATA / name
    classroom = make_classroom(name="Season")
    with open(folder / f"{name}_pupils.csv", encoding="utf-8", newline="") as file:
        students = {
            row["pupil_id"]: add_student(
                classroom=classroom,
                first_name=row["first_name"],
                last_name=row["last_name"],
                external_id=row["pupil_id"],
            )
            for row in csv.DictReader(file)
        }
    with open(folder / f"{name}_games.csv", encoding="utf-8", newline="") as file:
        rows = [
            services.NewGame(
                datetime.date.fromisoformat(row["date"]),
                students[row["white_id"]].pk,
                students[row["black_id"]].pk,
                row["result"],
            )
            for row in csv.DictReader(file)
        ]
    return Season(classroom, list_of(classroom), lead_of(classroom.school).user, students, rows)


@pytest.fixture
def season() -> Season:
    return read_season("season_60")


def edits() -> dict[str, dict]:
    found = json.loads((DATA / "season_60" / "season_60_edits_expected.json").read_text("utf-8"))
    return {edit["edit"]: edit for edit in found}


def expected(edit: str) -> dict[str, int]:
    return edits()[edit]["after_replay"]["int"]


def as_played() -> dict[str, int]:
    final = json.loads((DATA / "season_60" / "season_60_expected.json").read_text("utf-8"))["final"]
    return {pupil: numbers["int"] for pupil, numbers in final.items()}


DELETE = "delete game seq 1"
CHANGE = "change result of game seq 500 from 0-1 to 1-0"
INSERT_LAST = "insert a game P07 beats P11 (white P07) dated 2026-02-10 AFTER the other games of that day"
INSERT_FIRST = "insert the same game dated 2026-02-10 BEFORE the other games of that day"
SWAP = "swap colours of game seq 1500 (the same pupil still wins): ratings must not move"
TWICE = "record the last game twice (double click on Record)"
POINTS = "40 manual adjustments applied in time order between the games"


@needs_season_60
def test_every_edit_of_the_file_has_its_test_here():
    assert list(edits()) == [DELETE, CHANGE, INSERT_LAST, INSERT_FIRST, SWAP, TWICE, POINTS]


# --- through the services ---


@needs_season_60
def test_first_game_is_voided(season):
    season.play()
    assert season.ratings() == as_played()

    services.void_game(season.game(1), by=season.teacher, reason="Never played")

    assert season.ratings() == expected(DELETE)
    assert violations(season.rating_list) == []


@needs_season_60
def test_result_in_the_middle_is_corrected(season):
    season.play()
    game = season.game(500)
    assert game.result == BLACK

    services.correct_game(
        game, white=game.white, black=game.black, result=WHITE, day=game.day, note="", by=season.teacher
    )

    assert season.ratings() == expected(CHANGE)
    assert violations(season.rating_list) == []


def late_game(season: Season) -> services.NewGame:
    return services.NewGame(DAY, season.students["P07"].pk, season.students["P11"].pk, WHITE.value)


@needs_season_60
def test_game_entered_late_counts_after_the_others_of_its_day(season):
    season.play()

    season.record(late_game(season))

    assert season.ratings() == expected(INSERT_LAST)


@needs_season_60
def test_game_entered_late_is_put_before_the_others_of_its_day(season):
    season.play()
    game = season.record(late_game(season))

    services.correct_game(
        game, white=game.white, black=game.black, result=WHITE, day=DAY, note="", by=season.teacher, place=1
    )

    assert season.ratings() == expected(INSERT_FIRST)
    assert violations(season.rating_list) == []


@needs_season_60
def test_swapped_colours_move_nobody(season):
    season.play()
    game = season.game(1500)
    assert game.result == WHITE

    services.correct_game(
        game, white=game.black, black=game.white, result=BLACK, day=game.day, note="", by=season.teacher
    )

    assert season.ratings() == expected(SWAP) == as_played()


def form(season: Season) -> OneTimeKey:
    return OneTimeKey(uuid.uuid4(), season.teacher, "record_game", "0", "/")


@needs_season_60
def test_last_game_sent_twice_from_one_form_counts_once(season):
    season.play(last=len(season.rows) - 1)
    sent = form(season)
    season.record(season.rows[-1], sent)

    with pytest.raises(AlreadyAnswered):
        season.record(season.rows[-1], sent)

    assert season.ratings() == as_played()
    assert Game.objects.count() == len(season.rows)


@needs_season_60
def test_last_game_from_two_forms_counts_twice(season):
    season.play(last=len(season.rows) - 1)

    for sent in (form(season), form(season)):
        season.record(season.rows[-1], sent)

    assert season.ratings() == expected(TWICE)


@needs_season_60
def test_points_are_given_between_the_games(season):
    given = edits()[POINTS]["adjustments"]
    played = 0
    for points in given:
        season.play(played + 1, points["after_seq"])
        played = points["after_seq"]
        services.adjust_ratings(
            rating_list=season.rating_list,
            classroom=season.classroom,
            students=[season.students[points["pupil"]]],
            points=points["delta"],
            kind="skill",
            reason=points["reason"],
            day=season.rows[played - 1].day,
            by=season.teacher,
        )
    season.play(played + 1)

    assert season.ratings() == expected(POINTS)
    assert len(given) == 40
    assert sum(season.ratings().values()) == 60 * 800 + edits()[POINTS]["sum_of_adjustments"]
    assert violations(season.rating_list) == []


# --- through the pages ---


def moves_of(page) -> dict[str, tuple[int, int]]:
    return {move.label: (move.before, move.after) for move in page.context["consequences"].moves}


def moved(season: Season, after: dict[str, int]) -> dict[str, tuple[int, int]]:
    """Who gets another rating than as played: before and after, by name."""
    return {
        season.students[pupil].full_name: (before, after[pupil])
        for pupil, before in as_played().items()
        if before != after[pupil]
    }


@needs_season_60
def test_first_game_is_voided_on_its_page(season, client_of):
    season.play()
    teacher: Client = client_of(season.teacher)
    address = reverse("ratings:void_game", args=[season.game(1).pk])

    asked = teacher.get(address)
    answer = teacher.post(
        address, {"reason": "Never played", "version": asked.context["consequences"].version, "confirm": "1"}
    )

    assert (asked.context["consequences"].later_games, moves_of(asked)) == (1918, moved(season, expected(DELETE)))
    assert answer.status_code == 302
    assert season.ratings() == expected(DELETE)


@needs_season_60
def test_result_in_the_middle_is_corrected_on_its_page(season, client_of):
    season.play()
    teacher: Client = client_of(season.teacher)
    game = season.game(500)
    address = reverse("ratings:correct_game", args=[game.pk])

    form = teacher.get(address).context["form"]
    typed = {name: form[name].value() for name in ("key", "white", "black", "day", "place", "note")}
    typed |= {"day": game.day.isoformat(), "result": "1-0"}
    asked = teacher.post(address, typed)
    answer = teacher.post(address, typed | {"version": asked.context["consequences"].version, "confirm": "1"})

    assert (asked.context["consequences"].later_games, moves_of(asked)) == (1419, moved(season, expected(CHANGE)))
    assert answer.status_code == 302
    assert season.ratings() == expected(CHANGE)


@needs_season_60
def test_game_entered_late_is_put_first_on_its_page(season, client_of):
    season.play()
    teacher: Client = client_of(season.teacher)
    row = late_game(season)
    recorded = teacher.post(
        reverse("ratings:record_game", args=[season.classroom.pk]),
        {"key": uuid.uuid4(), "white": row.white, "black": row.black, "result": row.result, "day": row.day.isoformat()},
    )
    assert (recorded.status_code, season.ratings()) == (302, expected(INSERT_LAST))
    address = reverse("ratings:correct_game", args=[Game.objects.latest("pk").pk])

    typed = {"white": row.white, "black": row.black, "result": row.result, "day": row.day.isoformat(), "place": "1"}
    asked = teacher.post(address, typed)
    answer = teacher.post(address, typed | {"version": asked.context["consequences"].version, "confirm": "1"})

    assert answer.status_code == 302
    assert season.ratings() == expected(INSERT_FIRST)


# --- how long it takes ---

MOST_SECONDS = 10  # of the processor; a generous limit, the figures are printed


@needs_season_300
@pytest.mark.prove
def test_correcting_the_first_of_20000_games_does_in_seconds_what_was_announced(client_of, capsys):
    season = read_season("season_300")
    season.play()
    teacher: Client = client_of(season.teacher)
    game = season.game(1)
    address = reverse("ratings:correct_game", args=[game.pk])
    typed = {"key": str(uuid.uuid4()), "white": game.white_id, "black": game.black_id, "result": "0-1",
             "day": game.day.isoformat(), "place": "1", "note": ""}  # fmt: skip
    events = events_of(season.rating_list)
    before = season.ratings()

    answers, clocks = [], []
    for work in (
        lambda: replay_of(season.rating_list, events),
        lambda: teacher.post(address, typed),
        lambda: teacher.post(address, typed | {"version": answers[1].context["consequences"].version, "confirm": "1"}),
    ):
        wall, processor = time.perf_counter(), time.process_time()
        answers.append(work())
        clocks.append((time.perf_counter() - wall, time.process_time() - processor))

    _replayed, asked, saved = answers
    after = season.ratings()
    labels = labels_in(season.classroom)  # two have the same name and are told apart
    names = {pupil: labels[student.pk] for pupil, student in season.students.items()}
    assert (asked.context["consequences"].later_games, saved.status_code) == (19_999, 302)
    assert sorted((move.label, move.before, move.after) for move in asked.context["consequences"].moves) == sorted(
        (names[pupil], before[pupil], after[pupil]) for pupil in before if before[pupil] != after[pupil]
    )
    assert asked.context["consequences"].moves
    bare, page, saving = (processor for _wall, processor in clocks)
    with capsys.disabled():
        print(
            "\ncorrecting the first of 20,000 games: "
            + ", ".join(
                f"{name} {wall:.2f} s ({processor:.2f} s of processor, {processor / bare:.1f} x replay)"
                for name, (wall, processor) in zip(("replay", "page", "saving"), clocks, strict=True)
            )
        )
    assert max(page, saving) < MOST_SECONDS
