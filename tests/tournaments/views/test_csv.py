"""Standings, crosstable and pairings as files for a spreadsheet."""

from __future__ import annotations

import csv
import io

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.factories import make_classroom, make_student
from tests.tournaments.makers import R, entry, lead, make_tournament, pair, play_round
from tournaments.models import Tournament
from tournaments.services.entries import withdraw

pytestmark = pytest.mark.django_db

FORMULA = '=HYPERLINK("http://x","y")'


def answer_of(name: str, tournament: Tournament, *args: int, query: str = "") -> HttpResponse:
    client = Client()
    client.force_login(lead(tournament), backend="django.contrib.auth.backends.ModelBackend")
    return client.get(reverse(f"tournaments:{name}", args=[tournament.pk, *args]) + query)


def file_of(name: str, tournament: Tournament, *args: int, query: str = "") -> list[list[str]]:
    answer = answer_of(name, tournament, *args, query=query)
    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))


def test_standings_have_shared_places_numbers_with_a_dot_and_who_has_withdrawn():
    tournament = make_tournament(players=4, tie_breaks=["DE", "BH"])
    play_round(tournament, [R.DRAW, R.WHITE])
    play_round(tournament, R.DRAW)
    withdraw(entry(tournament, "Bo"), by=lead(tournament))

    head, *rows = file_of("standings_csv", tournament)

    assert head == ["place", "name", "rating", "points", "DE", "BH", "performance", "withdrawn"]
    assert [row[3] for row in rows] == ["1.5", "1", "1", "0.5"]
    assert [row[0] for row in rows][0] == "1"
    assert [row[-1] for row in rows if row[1] == "Bo"] == ["yes"]
    assert all(cell == "" or float(cell) >= 0 for row in rows for cell in (row[0], *row[2:7]))


def test_equal_players_share_a_place_on_page_and_in_the_file():
    """1 2 2 4, never 1 2 3 4 nor 1 2 2 3."""
    tournament = make_tournament(players=5, tie_breaks=["BH"])
    play_round(tournament)

    assert [row[0] for row in file_of("standings_csv", tournament)[1:]] == ["1", "2", "2", "4", "4"]
    assert [row[0] for row in file_of("crosstable_csv", tournament)[1:]] == ["1", "2", "2", "4", "4"]
    page = answer_of("standings", tournament)
    assert [line.row.place for line in page.context["table"].rows] == [1, 2, 2, 4, 4]


def test_standings_after_an_earlier_round():
    tournament = make_tournament()
    play_round(tournament)
    play_round(tournament)

    assert {row[3] for row in file_of("standings_csv", tournament, query="?after=1")[1:]} == {"0", "1"}


def test_the_crosstable_has_a_column_a_round():
    tournament = make_tournament(players=3, tie_breaks=["WON"])
    play_round(tournament)

    rows = file_of("crosstable_csv", tournament)

    assert rows[0] == ["place", "name", "rating", "R1", "points"]
    assert {row[3][-1] for row in rows[1:]} == {"1", "0", "U"}


def test_the_pairings_of_a_round_have_boards_points_before_it_and_byes():
    tournament = make_tournament(players=5)
    play_round(tournament, [R.WHITE, R.DRAW])

    assert file_of("pairings_csv", tournament, 1) == [
        ["board", "white", "white_rating", "white_points", "black", "black_rating", "black_points", "result"],
        ["1", "Ada", "1000", "0", "Cleo", "998", "0", "1–0"],
        ["2", "Dan", "997", "0", "Bo", "999", "0", "½–½"],
        ["", "Eve", "996", "0", "", "", "", "bye 1"],
    ]
    pair(tournament)
    assert {row[3] for row in file_of("pairings_csv", tournament, 2)[1:]} >= {"1"}
    assert answer_of("pairings_csv", tournament, 9).status_code == 404


def test_a_name_that_a_spreadsheet_would_run_is_made_safe_and_so_is_a_forfeit():
    classroom = make_classroom()
    players = [make_student(classroom, FORMULA, start=900), make_student(classroom, "Bo")]
    tournament = make_tournament(classroom, players, rounds=1)
    play_round(tournament, R.WHITE_FORFEIT)

    assert file_of("pairings_csv", tournament, 1)[1] == ["1", f"'{FORMULA}", "900", "0", "Bo", "800", "0", "'+ –"]
    for name in ("standings_csv", "crosstable_csv"):
        assert {row[1] for row in file_of(name, tournament)[1:]} == {f"'{FORMULA}", "Bo"}
