"""Tournaments as report files: out, in, and out again."""

from __future__ import annotations

import datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from classes.models import Student
from ratings.models import Game
from tests.factories import list_of, make_classroom, make_student
from tests.tournaments.makers import R, boards, enter, entry, lead, make_tournament, pair, play_round, said
from tournaments.core.trf import Cell, Player, Report, read, write_trf16, write_trf26
from tournaments.core.types import Code, Colour
from tournaments.models import Absence, KeepApart, Round, Tournament
from tournaments.selectors.exchange import report_of, split_file_name
from tournaments.services.entries import set_absence, withdraw
from tournaments.services.exchange import NewStudent, import_tournament

pytestmark = pytest.mark.django_db


def full_of_cases(**options: object) -> Tournament:
    """Byes of every kind, forfeits, an absence to come, a withdrawal, a pair kept apart, an open board."""
    tournament = make_tournament(players=9, rounds=5, first_colour="b", bye_halves=1, **options)
    set_absence(entry(tournament, "Cleo"), number=1, kind=Absence.Kind.HALF)
    set_absence(entry(tournament, "Dan"), number=2, kind=Absence.Kind.FULL)
    play_round(tournament, [R.WHITE, R.WHITE_FORFEIT, R.DRAW, R.DOUBLE_FORFEIT])
    withdraw(entry(tournament, "Ida"), by=lead(tournament))
    play_round(tournament, [R.BLACK, R.UNPLAYED, R.DRAW])
    set_absence(entry(tournament, "Bo"), number=4, kind=Absence.Kind.ZERO)
    one, other = sorted([entry(tournament, "Eve").student_id, entry(tournament, "Finn").student_id])
    KeepApart.objects.create(school=tournament.school, one_id=one, other_id=other, is_hard=True)
    pair(tournament)
    enter(boards(tournament)[0], R.WHITE)
    return tournament


@pytest.mark.parametrize("writer", [write_trf16, write_trf26])
def test_a_written_tournament_reads_back_as_the_same(writer):
    tournament = full_of_cases()
    report = report_of(tournament)

    back = read(writer(report))

    assert back.players == report.players
    assert (back.rounds, back.first_colour, back.bye_halves) == (5, "b", 1)
    assert (back.byes, back.forbidden[0].players) == (report.byes, report.forbidden[0].players)
    assert (back.name, back.start, back.round_dates) == (report.name, report.start, report.round_dates)


@pytest.mark.parametrize("writer", [write_trf16, write_trf26])
def test_an_exported_tournament_comes_in_with_the_same_rounds_and_goes_on_alike(writer):
    tournament = full_of_cases()
    report = read(writer(report_of(tournament)))
    students = {number.seed_order: number.student for number in tournament.entries.select_related("student")}

    copy = import_tournament(
        report,
        classroom=tournament.classroom,
        rating_list=tournament.rating_list,
        name="Copy",
        students=students,
        by=None,
    )

    for number in (1, 3):
        assert sorted(said(copy, number)) == sorted(said(tournament, number))
    not_played = next(line for line in said(tournament, 2) if " ZZ " in line)
    apart = [f"{name} Z" for name in not_played.split(" ZZ ")]  # the format has no board that nobody lost
    assert sorted(said(copy, 2)) == sorted([*(set(said(tournament, 2)) - {not_played}), *apart])
    for each in (tournament, copy):
        for board in boards(each):
            if not board.is_bye and board.is_open:
                enter(board, R.DRAW)
        pair(each)
    assert said(copy, 4) == said(tournament, 4)


def test_byes_are_written_as_the_format_tells_them_apart():
    tournament = make_tournament(players=6)
    set_absence(entry(tournament, "Ada"), number=1, kind=Absence.Kind.HALF)
    set_absence(entry(tournament, "Bo"), number=1, kind=Absence.Kind.ZERO)
    set_absence(entry(tournament, "Cleo"), number=1, kind=Absence.Kind.FULL)
    play_round(tournament)

    codes = {player.name: player.cells[0].code for player in report_of(tournament).players}

    assert (codes["Ada"], codes["Bo"], codes["Cleo"]) == (Code.HALF_BYE, Code.ZERO_BYE, Code.FULL_BYE)
    assert list(codes.values()).count(Code.PAIRING_BYE) == 1
    assert " 0000 - U" in write_trf16(report_of(tournament))


def test_an_imported_tournament_changes_no_rating_and_makes_new_students():
    classroom = make_classroom()
    mia = make_student(classroom, "Mia", "Kowalczyk")
    report = read(FINISHED)

    tournament = import_tournament(
        report,
        classroom=classroom,
        rating_list=list_of(classroom),
        name="Cup",
        students={1: mia, 2: NewStudent("Ben", "Osei")},
        by=None,
    )

    assert said(tournament, 1) == ["Mia 10 Ben"]
    assert not tournament.is_open
    assert Student.objects.filter(enrollments__classroom=classroom).count() == 2
    assert Game.objects.count() == 0
    assert Round.objects.get().paired_by == Round.PairedBy.FILE


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("Kowalczyk, Mia", "Mia", "Kowalczyk"),
        ("Mia Kowalczyk", "Mia", "Kowalczyk"),
        ("van der Berg, Jan Piet", "Jan Piet", "van der Berg"),
        ("Mia", "Mia", ""),
        ("", "Player 7", ""),
    ],
)
def test_names_of_a_file_are_first_and_last_names(name, first, last):
    assert split_file_name(name, 7) == (first, last)


FINISHED = write_trf16(
    Report(
        players=(
            Player(1, "Kowalczyk, Mia", 812, (Cell(2, Colour.WHITE, Code.WIN),), 2),
            Player(2, "Osei, Ben", 799, (Cell(1, Colour.BLACK, Code.LOSS),), 0),
        ),
        name="Spring Cup",
        start=datetime.date(2026, 3, 6),
        rounds=1,
    )
)


def upload(text: str | bytes) -> dict[str, object]:
    content = text if isinstance(text, bytes) else text.encode()
    return {"file": SimpleUploadedFile("cup.trf", content)}


def test_the_file_comes_in_by_the_page_after_its_players_are_confirmed(cast, client_of):
    client = client_of(cast.teacher)
    url = reverse("tournaments:import_trf", args=[cast.classroom.pk])

    asked = client.post(url, upload(FINISHED))
    form = asked.context["form"]
    assert Tournament.objects.count() == 0
    assert (form["player_1"].value(), form["player_2"].value()) == (str(cast.mia.pk), str(cast.ben.pk))
    sent = {"text": FINISHED, "name": "Cup", "player_1": cast.mia.pk, "player_2": "new", "confirm": "1"}
    key = str(form["key"].value())
    answers = [client.post(url, sent | {"key": key}) for _ in range(2)]

    tournament = Tournament.objects.get()
    assert [answer["Location"] for answer in answers] == [reverse("tournaments:tournament", args=[tournament.pk])] * 2
    assert said(tournament) == ["Mia 10 Ben"]
    assert Student.objects.filter(first_name="Ben", school=cast.school).count() == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "Choose a file"),
        ("hello\nworld", "Line 1"),
        (b"PK\x03\x04\x00\x00binary", ""),
        ("001    1      Mia\n001    1      Ben\n", "Two players have one starting number"),
        ("x" * 1_100_000, "larger than 1 MB"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_with_a_sentence(cast, client_of, content, sentence):
    answer = client_of(cast.teacher).post(reverse("tournaments:import_trf", args=[cast.classroom.pk]), upload(content))

    assert answer.status_code == 200
    assert sentence in answer.content.decode()
    assert 'role="alert"' in answer.content.decode()
    assert Tournament.objects.count() == 0


def test_one_student_cannot_be_two_players(cast, client_of):
    url = reverse("tournaments:import_trf", args=[cast.classroom.pk])
    sent = {"text": FINISHED, "name": "Cup", "player_1": cast.mia.pk, "player_2": cast.mia.pk, "confirm": "1"}

    answer = client_of(cast.teacher).post(url, sent)

    assert "Chosen for two players: Mia Kowalczyk" in answer.content.decode()
    assert Tournament.objects.count() == 0


@pytest.mark.parametrize("form", ["trf16", "trf26"])
def test_the_export_is_a_file_that_reads_back(cast, client_of, form):
    tournament = make_tournament(cast.classroom, [cast.mia, cast.ben, cast.cleo])
    play_round(tournament)

    answer = client_of(cast.teacher).get(reverse("tournaments:export_trf", args=[tournament.pk, form]))

    assert read(answer.content).players == report_of(tournament).players
    assert f".{form}.trf" in answer["Content-Disposition"]
