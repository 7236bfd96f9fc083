"""What goes to the projector and onto paper."""

from __future__ import annotations

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from classes.models import School
from tests.factories import lead_of, make_classroom, make_student
from tests.pages import rows_of, words_of
from tests.tournaments.makers import R, boards, enter, entry, lead, make_tournament, pair, play_round
from tournaments.models import Absence, Tournament
from tournaments.services.entries import enter_students, set_absence, withdraw

pytestmark = pytest.mark.django_db
PROJECTOR = ["projector/boards/", "projector/names/", "projector/standings/"]
PRINT = [
    "rounds/1/print/boards/", "rounds/1/print/names/", "rounds/1/print/slips/",
    "print/standings/", "print/crosstable/", "print/chart/",
]  # fmt: skip
QUERIES = dict.fromkeys([*PRINT, *PROJECTOR], 9) | {
    "print/standings/": 7, "print/crosstable/": 7, "print/chart/": 7, "projector/standings/": 7
}  # fmt: skip


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


@pytest.fixture
def page_of(teacher):
    return lambda tournament, rest: teacher.get(f"/tournaments/{tournament.pk}/{rest}")


def lines_of(page: HttpResponse) -> list[str]:
    """The lines of a screen, or the slips."""
    main = page.content.decode().partition("<main")[2]
    return [words_of(line) for line in re.findall(r"<li\b.*?</li>", main, re.DOTALL)]


def test_the_way_to_every_sheet_of_every_round(cast, page_of):
    tournament = make_tournament(cast.classroom)
    before = page_of(tournament, "sheets/")
    play_round(tournament)
    pair(tournament)

    links = re.findall(rf'href="/tournaments/{tournament.pk}/((?:rounds/\d/)?(?:print|projector)/\w+/)"',
                       page_of(tournament, "sheets/").content.decode())  # fmt: skip

    assert "No round is paired yet." in words_of(before)
    assert sorted(links) == sorted([*PROJECTOR, *PRINT, *(one.replace("1", "2") for one in PRINT if "1" in one)])


# --- projector ---


def test_boards_stand_in_order_and_the_bye_last(cast, page_of):
    tournament = make_tournament(cast.classroom, players=5)
    pair(tournament)

    page = page_of(tournament, "projector/boards/")

    assert lines_of(page) == ["Board 1 White: Ada Black: Cleo", "Board 2 White: Dan Black: Bo", "– Eve has a bye"]
    assert "Friday Swiss · Round 1" in words_of(page)


def test_everybody_finds_the_own_name(cast, page_of):
    tournament = make_tournament(cast.classroom, players=5)
    pair(tournament)

    assert lines_of(page_of(tournament, "projector/names/")) == [
        "Ada board 1, White", "Bo board 2, Black", "Cleo board 1, Black", "Dan board 2, White", "Eve has a bye"
    ]  # fmt: skip


def test_names_stand_where_one_looks_for_them(cast, page_of):
    names = ["Zoe", "Łukasz", "Çağla", "Eve", "Daria", "Émile", "Moritz", "adam"]
    tournament = make_tournament(cast.classroom, [make_student(cast.classroom, name) for name in names])
    pair(tournament)

    found = [line.split()[0] for line in lines_of(page_of(tournament, "projector/names/"))]

    assert found == ["adam", "Çağla", "Daria", "Émile", "Eve", "Łukasz", "Moritz", "Zoe"]


def test_the_latest_round_is_shown_and_standings_of_finished_ones(cast, page_of):
    tournament = make_tournament(cast.classroom)
    play_round(tournament)
    pair(tournament)

    assert "Round 2" in words_of(page_of(tournament, "projector/boards/"))
    page = page_of(tournament, "projector/standings/")
    assert "Standings after 1 round" in words_of(page)
    assert lines_of(page) == ["1 Ada 1 points", "1 Dan 1 points", "3 Bo 0 points", "3 Cleo 0 points"]


def test_before_the_first_round_the_projector_waits(cast, page_of):
    tournament = make_tournament(cast.classroom)

    assert "The pairings of round 1 will appear here." in words_of(page_of(tournament, "projector/boards/"))
    assert "The pairings of round 1 will appear here." in words_of(page_of(tournament, "projector/names/"))


def test_who_has_withdrawn_is_on_no_list_and_who_is_absent_is(cast, page_of):
    tournament = make_tournament(cast.classroom)
    withdraw(entry(tournament, "Ada"), by=lead(tournament))
    set_absence(entry(tournament, "Bo"), number=1, kind=Absence.Kind.ZERO)
    pair(tournament)

    assert lines_of(page_of(tournament, "projector/names/")) == [
        "Bo has no game", "Cleo board 1, White", "Dan board 1, Black"
    ]  # fmt: skip


def test_a_long_list_turns_its_pages_and_can_be_held(cast, page_of):
    tournament = make_tournament(cast.classroom, players=44)
    pair(tournament)

    def then(query: str) -> list[str]:
        source = page_of(tournament, f"projector/boards/{query}").content.decode()
        return re.findall(r'hx-get="([^"]*)"|; url=([^"]*)"', source)

    assert then("") == [("", "?page=2"), ("?page=2", "")]
    assert then("?page=2") == [("", "?page=1"), ("?page=1", "")]
    assert then("?page=2&hold=1") == [("", "?page=2&amp;hold=1"), ("?page=2&amp;hold=1", "")]
    assert [len(lines_of(page_of(tournament, f"projector/boards/?page={n}"))) for n in (1, 2)] == [11, 11]


@pytest.mark.parametrize("page", ["0", "-1", "x", "9" * 5000, "²", "2"])
def test_any_number_of_a_screen_shows_one(cast, page_of, page):
    tournament = make_tournament(cast.classroom)
    pair(tournament)

    assert len(lines_of(page_of(tournament, f"projector/boards/?page={page}"))) == 2


@pytest.mark.parametrize("rest", [*PROJECTOR, *PRINT])
def test_names_are_short_unless_the_school_chose_full_ones(cast, page_of, rest):
    tournament = make_tournament(cast.classroom, [cast.mia, cast.ben])
    play_round(tournament)
    short = words_of(page_of(tournament, rest))
    School.objects.filter(pk=cast.school.pk).update(name_style=School.NameStyle.FULL)

    assert ("Ben O." in short, "Osei" in short) == (True, False)
    assert "Ben Osei" in words_of(page_of(tournament, rest))


# --- paper ---


def test_pairings_by_board_with_points_before_the_round(cast, page_of):
    tournament = make_tournament(cast.classroom, players=5, bye_halves=1)
    play_round(tournament)
    pair(tournament)
    enter(boards(tournament)[0], R.DRAW)

    assert rows_of(page_of(tournament, "rounds/2/print/boards/")) == [
        ["1", "Dan", "1", "Ada", "1", "½–½"], ["2", "Bo", "0", "Eve", "½", ""], ["–", "Cleo has a bye", "½"]
    ]  # fmt: skip


def test_pairings_by_name(cast, page_of):
    tournament = make_tournament(cast.classroom, players=3)
    pair(tournament)

    assert rows_of(page_of(tournament, "rounds/1/print/names/")) == [
        ["Ada", "1", "White", "Bo"], ["Bo", "1", "Black", "Ada"], ["Cleo", "–", "has a bye"]
    ]  # fmt: skip


def test_a_slip_for_every_board_to_play_at(cast, page_of):
    tournament = make_tournament(cast.classroom, players=5)
    pair(tournament)
    enter(boards(tournament)[1], R.WHITE_FORFEIT)

    assert lines_of(page_of(tournament, "rounds/1/print/slips/")) == [
        "Friday Swiss Round 1 · Board 1 White: Ada Black: Cleo "
        "1–0 White won ½–½ Draw 0–1 Black won White’s signature Black’s signature"
    ]


def test_standings_say_what_each_tie_break_is(cast, page_of):
    tournament = make_tournament(cast.classroom, tie_breaks=["BH", "WON"])
    play_round(tournament)

    page = page_of(tournament, "print/standings/")

    assert rows_of(page)[0] == ["1", "Ada", "1", "0", "1"]
    assert "BH Buchholz: the points of your opponents WON Games won: games that you won over the board" in words_of(
        page
    )


def test_the_crosstable_is_cut_where_it_is_too_wide(cast, page_of, monkeypatch):
    tournament = make_tournament(cast.classroom, players=4, system=Tournament.System.ROUND_ROBIN)
    for _ in range(3):
        play_round(tournament, R.DRAW)
    monkeypatch.setattr("tournaments.selectors.screens.ROUNDS_TO_READ", 2)

    tables = page_of(tournament, "print/crosstable/").context["tables"]

    assert [list(table.rounds) for table in tables] == [[1], [2, 3]]
    assert [[cell.text for cell in table.rows[0].cells] for table in tables] == [["1w½"], ["1w½", "1b½"]]


def test_the_wall_chart_has_numbers_colours_results_and_the_points_so_far(cast, page_of):
    tournament = make_tournament(cast.classroom, players=5)
    play_round(tournament, [R.WHITE, R.DRAW])
    pair(tournament)
    enter_students(tournament, [make_student(cast.classroom, "Zoe", start=100)])
    withdraw(entry(tournament, "Bo"), by=lead(tournament), forfeits=True)

    assert rows_of(page_of(tournament, "print/chart/")) == [
        ["1", "Ada", "1000", "White: 3 1 1", "Black: 2 + 2", ""],
        ["2", "Bo (withdrawn)", "999", "Black: 4 ½ ½", "White: 1 – ½", ""],
        ["3", "Cleo", "998", "Black: 1 0 0", "bye 1 1", ""],
        ["4", "Dan", "997", "White: 2 ½ ½", "Black: 5", ""],
        ["5", "Eve", "996", "bye 1 1", "White: 4", ""],
        ["6", "Zoe", "100", "– 0", "– 0", ""],
    ]


def test_a_wall_chart_of_many_rounds_is_several_sheets(cast, page_of):
    tournament = make_tournament(cast.classroom, players=2, rounds=11)

    charts = page_of(tournament, "print/chart/").context["charts"]

    assert [list(chart.rounds) for chart in charts] == [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]
    assert [len(row.cells) for chart in charts for row in chart.rows] == [5, 5, 6, 6]


def test_a_finished_chart_has_no_empty_rounds(cast, page_of):
    tournament = make_tournament(cast.classroom, players=2)
    play_round(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(finished_at=tournament.created_at)

    assert page_of(tournament, "print/chart/").context["charts"][0].rounds == range(1, 2)


@pytest.mark.parametrize("rest", [*PRINT, *PROJECTOR])
def test_a_sheet_takes_the_same_queries_however_many_rows(client_of, django_assert_num_queries, rest):
    counts = []
    for boards_there in (1, 3):
        classroom = make_classroom()
        tournament = make_tournament(classroom, players=boards_there * 2)
        play_round(tournament)
        client = client_of(lead_of(classroom.school).user)
        client.get("/classes/")
        with django_assert_num_queries(QUERIES[rest]):
            page = client.get(f"/tournaments/{tournament.pk}/{rest}")
        counts.append(page.content.decode().count("</tr>" if "print" in rest and "slips" not in rest else "</li>"))
    assert counts[0] < counts[1]
