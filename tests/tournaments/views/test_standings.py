"""Standings and crosstable: what they show, why somebody stands where they stand, and how many queries it takes."""

from __future__ import annotations

import datetime

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.factories import make_classroom, make_student
from tests.pages import rows_of, words_of
from tests.tournaments.makers import R, boards, enter, entry, lead, make_tournament, pair, play_round
from tournaments.models import Tournament
from tournaments.services.entries import withdraw

pytestmark = pytest.mark.django_db


def lead_in(tournament: Tournament) -> Client:
    client = Client()
    client.force_login(lead(tournament), backend="django.contrib.auth.backends.ModelBackend")
    return client


def page_of(tournament: Tournament, name: str = "standings", query: str = "") -> HttpResponse:
    return lead_in(tournament).get(reverse(f"tournaments:{name}", args=[tournament.pk]) + query)


def whys(page: HttpResponse) -> dict[str, str]:
    return {line.label: line.why for line in page.context["table"].rows}


def heads_of(page: HttpResponse) -> list[str]:
    head = page.content.decode().split("<thead>")[1].split("</thead>")[0]
    return [words_of(cell) for cell in head.split("</th>")][:-1]


def test_standings_show_place_points_every_tie_break_and_performance():
    tournament = make_tournament(players=5, tie_breaks=["DE", "BH", "SB"])
    play_round(tournament)  # Ada beats Cleo, Dan beats Bo, Eve has the bye

    page = page_of(tournament)

    assert heads_of(page) == [
        "#", "Player", "Rating", "Points", "Direct encounter", "Buchholz", "Sonneborn-Berger", "Performance"
    ]  # fmt: skip
    table = rows_of(page)
    assert [[row[0], row[1].split()[0], *row[2:4], row[-1]] for row in table] == [
        ["1", "Eve", "996", "1", "–"],
        ["2", "Ada", "1000", "1", "1798"],
        ["2", "Dan", "997", "1", "1799"],
        ["4", "Bo", "999", "0", "197"],
        ["4", "Cleo", "998", "0", "200"],
    ]
    assert "Buchholz: the points of your opponents" in words_of(page)


def test_each_place_says_which_tie_break_decided():
    tournament = make_tournament(players=5, tie_breaks=["BH", "WON"])
    play_round(tournament)

    assert whys(page_of(tournament)) == {
        "Eve": "Nobody is above.",
        "Ada": "As many points as Eve; Buchholz decides: 0 against ½. Shares place 2 with Dan: equal in everything.",
        "Dan": "Shares place 2 with Ada: equal in everything.",
        "Bo": "Fewer points than Dan: 0 against 1. Shares place 4 with Cleo: equal in everything.",
        "Cleo": "Shares place 4 with Bo: equal in everything.",
    }


def test_the_winner_of_their_game_is_above_and_the_page_says_why():
    """lila 7426: equal on points and on Sonneborn-Berger, and they have met."""
    tournament = make_tournament(players=4, system="round_robin", tie_breaks=["DE"])
    for _round in range(3):
        pair(tournament)
        for board in boards(tournament):
            names = board.white.student.first_name, board.black.student.first_name
            winner = next(name for name in ("Bo", "Ada", "Cleo", "Dan") if name in names)
            if set(names) == {"Bo", "Dan"}:
                winner = "Dan"
            enter(board, R.WHITE if winner == names[0] else R.BLACK)

    page = page_of(tournament)

    assert [row[:2] for row in rows_of(page)][0][1].startswith("Bo")
    assert whys(page)["Ada"] == ("As many points as Bo; Direct encounter decides: 2 against 1, the lower is better.")


def test_a_performance_below_zero_has_a_real_minus_sign():
    classroom = make_classroom()
    tournament = make_tournament(classroom, [make_student(classroom, name, start=700) for name in ("Ada", "Bo")])
    play_round(tournament)

    assert [row[-1] for row in rows_of(page_of(tournament))] == ["1500", "−100"]


def test_a_shared_place_of_many_gives_their_number():
    tournament = make_tournament(players=10, tie_breaks=["WON"], rounds=1)
    play_round(tournament, R.DRAW)

    page = page_of(tournament)

    assert {row[0] for row in rows_of(page)} == {"1"}
    assert whys(page)["Ada"] == "Shares place 1 with 9 other players: equal in everything."


def test_while_a_round_is_played_the_standings_are_those_before_it():
    tournament = make_tournament()
    play_round(tournament)
    pair(tournament)
    enter(boards(tournament)[0], R.WHITE)

    page = page_of(tournament)

    assert "Round 2 is being played. These are the standings after round 1." in words_of(page)
    assert sorted(row[3] for row in rows_of(page)) == ["0", "0", "1", "1"]


@pytest.mark.parametrize(
    ("query", "after"),
    [("", 2), ("?after=1", 1), ("?after=2", 2), ("?after=7", 2), ("?after=0", 2), ("?after=x", 2), ("?after=٣", 2)],
)
def test_standings_after_an_earlier_round(query: str, after: int):
    tournament = make_tournament()
    play_round(tournament)
    play_round(tournament)

    page = page_of(tournament, query=query)

    assert page.context["table"].after == after
    assert ("with the results as they are now" in words_of(page)) == (after == 1)


@pytest.mark.parametrize("name", ["standings", "crosstable"])
def test_before_the_first_results_a_sentence_stands_there(name: str):
    tournament = make_tournament()

    assert "No round is finished yet." in words_of(page_of(tournament, name))
    pair(tournament)
    assert "No round is finished yet." in words_of(page_of(tournament, name))


VIRTUAL = "A round that you did not play counts as one against a virtual opponent with your own points"


@pytest.mark.parametrize(
    ("day", "tie_breaks", "said"),
    [
        (datetime.date(2026, 3, 1), ["BH"], f"C.07 of 2026. {VIRTUAL}, but with no more than half a point for each"),
        (datetime.date(2026, 2, 28), ["BH"], f"C.07 of 2024. {VIRTUAL}."),
        (datetime.date(2026, 3, 1), ["MM", "SOL"], "by rule 34E of US Chess. A round that you did not play adds"),
    ],
)
def test_the_rules_of_the_tie_breaks_stand_below_the_table(day, tie_breaks, said):
    """lila 13694: what a bye counts in Sonneborn-Berger is a choice, and the table says which was made."""
    tournament = make_tournament(tie_breaks=tie_breaks)
    Tournament.objects.update(day=day)
    play_round(tournament)

    words = words_of(page_of(tournament))

    assert said in words
    assert ("C.07" in words) == ("BH" in tie_breaks)


def test_a_bye_counts_by_the_rules_that_the_table_names():
    tournament = make_tournament(players=3, rounds=2, tie_breaks=["SB"])
    play_round(tournament)  # Ada beats Bo or Cleo; the third has the bye
    values = {}
    for day in (datetime.date(2026, 2, 28), datetime.date(2026, 3, 1)):
        Tournament.objects.update(day=day)
        page = page_of(tournament)
        values[day.month] = {line.label: line.values for line in page.context["table"].rows}

    [bye] = [pairing.white.student.first_name for pairing in boards(tournament) if pairing.is_bye]
    assert {month: found[bye] for month, found in values.items()} == {2: ["1"], 3: ["½"]}


def test_who_has_withdrawn_is_marked_and_stays_in_both_tables():
    tournament = make_tournament()
    play_round(tournament)
    withdraw(entry(tournament, "Ada"), by=lead(tournament))

    for name in ("standings", "crosstable"):
        [row] = [row for row in rows_of(page_of(tournament, name)) if row[1].startswith("Ada")]
        assert "withdrawn" in row[1]
        assert "1" in row


def test_the_crosstable_names_opponents_by_their_places_and_says_each_round_in_words():
    tournament = make_tournament(players=5, tie_breaks=["BH"], rounds=2)
    play_round(tournament, [R.WHITE, R.BLACK_FORFEIT])

    page = page_of(tournament, "crosstable")

    lines = {row.label: (row.row.place, [(cell.text, cell.said) for cell in row.cells]) for row in
             page.context["table"].rows}  # fmt: skip
    places = {label: place for label, (place, _cells) in lines.items()}
    assert {label: cells for label, (_place, cells) in lines.items()} == {
        "Ada": [(f"{places['Cleo']}w1", "won with White against Cleo")],
        "Cleo": [(f"{places['Ada']}b0", "lost with Black against Ada")],
        "Dan": [(f"{places['Bo']}w–", "lost by forfeit against Bo")],
        "Bo": [(f"{places['Dan']}b+", "won by forfeit against Dan")],
        "Eve": [("bye 1", "a bye, 1")],
    }


@pytest.mark.parametrize("name", ["standings", "crosstable"])
def test_the_number_of_queries_does_not_grow(name: str, django_assert_num_queries):
    small, large = make_tournament(players=2, rounds=1), make_tournament(players=8, rounds=3)
    play_round(small)
    for _round in range(3):
        play_round(large)

    for tournament in (small, large):
        client = lead_in(tournament)
        with django_assert_num_queries(11):
            page = client.get(reverse(f"tournaments:{name}", args=[tournament.pk]))
        assert len(rows_of(page)) == len(page.context["table"].rows)
