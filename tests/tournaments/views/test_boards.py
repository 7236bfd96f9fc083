"""A board: its page, and entering and changing its result."""

from __future__ import annotations

import datetime

import pytest
from django.test import Client

from ratings.models import Game, LedgerEntry, Rating
from ratings.selectors.audit import violations
from tests.factories import WHITE, make_game
from tests.pages import messages_of, rows_of, words_of
from tests.tournaments.makers import R, boards, enter, make_tournament, pair, play_round, said
from tournaments.models import Pairing, Tournament
from tournaments.selectors.states import load

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


def url(pairing: Pairing, rest: str = "") -> str:
    return f"/tournaments/{pairing.round.tournament_id}/boards/{pairing.pk}/{rest}"


def ratings(tournament: Tournament) -> dict[str, int]:
    rows = Rating.objects.filter(rating_list=tournament.rating_list).select_related("student")
    return {row.student.first_name: row.rating for row in rows}


def points(tournament: Tournament) -> dict[str, int]:
    loaded = load(tournament)
    names = {row.pk: row.student.first_name for row in loaded.entries}
    return {names[pk]: halves for pk, halves in loaded.state_after(loaded.finished).scores().items()}


def test_one_tap_enters_a_result_and_comes_back_to_the_board(cast, teacher):
    tournament = make_tournament(cast.classroom)
    pair(tournament)
    board = boards(tournament)[0]

    page = teacher.post(url(board, "result/"), {"result": R.WHITE, "was": ""})

    assert page.url == f"/tournaments/{tournament.pk}/rounds/1/#board-{board.pk}"
    assert said(tournament)[0] == "Ada 10 Cleo"
    assert Pairing.objects.get(pk=board.pk).entered_by == cast.teacher


def test_htmx_gets_the_row_the_progress_and_the_next_step(cast, teacher):
    tournament = make_tournament(cast.classroom, players=2)
    pair(tournament)
    board = boards(tournament)[0]

    page = teacher.post(url(board, "result/"), {"result": R.DRAW, "was": ""}, headers=HTMX)

    html = page.content.decode()
    assert html.lstrip().startswith(f'<tr id="board-{board.pk}">')
    assert 'name="was" value="=="' in html
    assert "1 of 1 result in" in words_of(page)
    assert "Pair round 2" in words_of(page)
    assert "disabled" not in html


@pytest.mark.parametrize("sent", [{}, {"was": ""}, {"result": "WL", "was": ""}, {"result": "U", "was": ""}])
def test_what_is_no_result_changes_nothing(cast, teacher, sent):
    tournament = make_tournament(cast.classroom)
    play_round(tournament)

    page = teacher.post(url(boards(tournament)[0], "result/"), {"was": "10"} | sent, follow=True)

    assert messages_of(page) == ["Choose a result from the list."]
    assert said(tournament)[0] == "Ada 10 Cleo"


def test_another_teachers_result_stands_and_both_are_offered(cast, teacher):
    tournament = make_tournament(cast.classroom, players=2)
    pair(tournament)
    board = boards(tournament)[0]
    enter(board, R.BLACK)
    lead = cast.lead.get_full_name()

    page = teacher.post(url(board, "result/"), {"result": R.WHITE, "was": ""})
    row = teacher.post(url(board, "result/"), {"result": R.WHITE, "was": ""}, headers=HTMX)

    assert (page.status_code, row.status_code) == (409, 409)
    assert f"{lead} entered 0–1 for this board meanwhile." in words_of(page)
    assert "Keep 0–1 Change it to 1–0" in words_of(page)
    assert f"{lead} entered 0–1 for this board meanwhile." in words_of(row)
    assert ratings(tournament) == {"Ada": 984, "Bo": 1015}
    teacher.post(url(board, "result/"), {"result": R.WHITE, "was": R.BLACK})
    assert ratings(tournament) == {"Ada": 1016, "Bo": 983}


def test_a_change_that_moves_only_the_own_ratings_is_made_at_once_and_told(cast, teacher):
    tournament = make_tournament(cast.classroom, players=2)
    play_round(tournament)
    board = boards(tournament)[0]

    page = teacher.post(url(board, "result/"), {"result": R.BLACK, "was": R.WHITE}, follow=True)

    assert messages_of(page) == ["Board 1: 0–1 instead of 1–0. Ada 1016 → 984. Bo 983 → 1015."]
    assert points(tournament) == {"Ada": 0, "Bo": 2}
    assert ratings(tournament) == {"Ada": 984, "Bo": 1015}


def test_a_change_that_moves_others_shows_first_what_it_does(cast, teacher):
    tournament = make_tournament(cast.classroom, players=2)
    play_round(tournament)
    board = boards(tournament)[0]
    make_game(cast.classroom, board.white.student, cast.mia, WHITE)

    page = teacher.post(url(board, "result/"), {"result": R.BLACK, "was": R.WHITE}, follow=True)

    assert page.redirect_chain == [(url(board, "?result=01"), 302)]
    assert "0–1 instead of 1–0?" in words_of(page)
    assert "1 later game is recalculated." in words_of(page)
    assert {row[0] for row in rows_of(page)[:3]} == {"Ada", "Bo", "Mia K."}
    assert said(tournament) == ["Ada 10 Bo"]
    version = page.context["change"].ratings.version
    sent = {"result": R.BLACK, "was": R.WHITE, "version": version, "confirm": "1"}
    teacher.post(url(board, "result/"), sent)
    assert said(tournament) == ["Ada 01 Bo"]
    assert violations(tournament.rating_list) == []


def test_who_recorded_meanwhile_brings_new_consequences(cast, teacher):
    tournament = make_tournament(cast.classroom, players=2)
    play_round(tournament)
    board = boards(tournament)[0]
    shown = teacher.get(url(board, "?result=01")).context["change"].ratings.version
    make_game(cast.classroom, board.white.student, cast.mia, WHITE)

    sent = {"result": R.BLACK, "was": R.WHITE, "version": shown, "confirm": "1"}
    page = teacher.post(url(board, "result/"), sent)

    assert page.status_code == 409
    assert "Somebody recorded something meanwhile." in words_of(page)
    assert "1 later game is recalculated." in words_of(page)
    assert said(tournament) == ["Ada 10 Bo"]
    again = sent | {"version": page.context["change"].ratings.version}
    teacher.post(url(board, "result/"), again)
    assert said(tournament) == ["Ada 01 Bo"]


def swiss_of_four(cast) -> Tournament:
    """Three rounds; in the second A - C was entered the wrong way round, and the third was played after it."""
    tournament = make_tournament(cast.classroom, players=4, rounds=4)
    names = {"A": "Ada", "B": "Bo", "C": "Cleo", "D": "Dan"}
    rounds = [[("A", "B", R.WHITE), ("C", "D", R.WHITE)], [("A", "C", R.BLACK), ("B", "D", R.WHITE)]]
    rounds += [[("C", "B", R.WHITE), ("A", "D", R.WHITE)]]
    entries = {row.student.first_name: row for row in load(tournament).entries}
    for pairs in rounds:
        pair(tournament, fewest_repeats_instead=True)
        for pairing, (white, black, result) in zip(boards(tournament), pairs, strict=True):
            pairing.seats.all().delete()
            Pairing.objects.filter(pk=pairing.pk).update(white=entries[names[white]], black=entries[names[black]])
            enter(Pairing.objects.select_related("round__tournament__rating_list").get(pk=pairing.pk), result)
    return tournament


def test_a_wrong_result_found_after_the_next_round_is_corrected_and_the_pairings_stay(cast, teacher):
    tournament = swiss_of_four(cast)
    wrong = boards(tournament, 2)[0]
    third = said(tournament, 3)

    page = teacher.post(url(wrong, "result/"), {"result": R.WHITE, "was": R.BLACK}, follow=True)

    assert "Later rounds stay as they are paired." in words_of(page)
    assert [row for row in rows_of(page) if len(row) == 3] == [
        ["Ada", "2 → 1", "2 → 3"],
        ["Cleo", "1 → 2", "3 → 2"],
    ]
    version = page.context["change"].ratings.version
    teacher.post(url(wrong, "result/"), {"result": R.WHITE, "was": R.BLACK, "version": version, "confirm": "1"})
    assert points(tournament) == {"Ada": 6, "Cleo": 4, "Bo": 2, "Dan": 0}
    assert said(tournament, 3) == third
    assert violations(tournament.rating_list) == []
    refused = teacher.post(f"/tournaments/{tournament.pk}/rounds/4/pair/")
    assert "The FIDE rules allow no pairing for this round" in words_of(refused)


def test_the_result_of_an_earlier_round_is_not_taken_out(cast, teacher):
    tournament = make_tournament(cast.classroom)
    play_round(tournament)
    pair(tournament)

    page = teacher.post(url(boards(tournament, 1)[0], "result/"), {"result": "", "was": R.WHITE}, follow=True)

    assert messages_of(page) == ["Later rounds were paired with this result. Change it, but do not take it out."]


def test_a_result_is_taken_out_of_the_last_round(cast, teacher):
    tournament = make_tournament(cast.classroom, players=2)
    play_round(tournament)

    page = teacher.post(url(boards(tournament)[0], "result/"), {"result": "", "was": R.WHITE}, follow=True)

    assert messages_of(page) == ["Board 1: the result 1–0 is taken out."]
    assert said(tournament) == ["Ada - Bo"]
    assert Game.objects.get().is_void


def test_a_forfeit_is_a_point_and_no_game(cast, teacher):
    tournament = make_tournament(cast.classroom, players=2)
    pair(tournament)

    page = teacher.post(url(boards(tournament)[0], "result/"), {"result": R.WHITE_FORFEIT, "was": ""}, follow=True)

    assert "White wins by forfeit" in rows_of(page)[0][2]
    assert points(tournament) == {"Ada": 2, "Bo": 0}
    assert (ratings(tournament), Game.objects.count(), LedgerEntry.objects.count()) == ({}, 0, 0)
    assert {entrant.colours for entrant in load(tournament).state_after(1).entrants} == {()}


def test_two_losses_and_a_bye_are_one_point_and_two_games(cast):
    tournament = make_tournament(cast.classroom, players=3, rounds=3, pairing_rule="small_group")
    for _ in range(3):
        pair(tournament)
        board = boards(tournament)[0]
        enter(board, R.BLACK if board.white.student.first_name == "Cleo" else R.WHITE)

    assert points(tournament)["Cleo"] == 2
    cleo = LedgerEntry.objects.filter(student__first_name="Cleo")
    assert [change < 0 for change in cleo.values_list("change", flat=True)] == [True, True]


def test_forfeit_becomes_played_and_the_consequences_are_of_a_new_game(cast, teacher):
    tournament = make_tournament(cast.classroom, players=2)
    pair(tournament)
    board = enter(boards(tournament)[0], R.UNPLAYED)
    today = cast.school.today()
    Tournament.objects.filter(pk=tournament.pk).update(day=today)
    board.round.day = today - datetime.timedelta(days=3)
    board.round.save()
    make_game(cast.classroom, board.white.student, cast.mia, WHITE)

    page = teacher.post(url(board, "result/"), {"result": R.WHITE, "was": R.UNPLAYED}, follow=True)
    assert "1 later game is recalculated." in words_of(page)
    shown = {row[0]: int(row[2]) for row in rows_of(page)[:3] if row[0] != "Mia K."}
    version = page.context["change"].ratings.version
    teacher.post(url(board, "result/"), {"result": R.WHITE, "was": R.UNPLAYED, "version": version, "confirm": "1"})

    assert {name: rating for name, rating in ratings(tournament).items() if name != "Mia"} == shown
    assert violations(tournament.rating_list) == []


def test_in_an_unrated_tournament_only_the_standings_move(cast, teacher):
    tournament = make_tournament(cast.classroom, players=4, rated=False)
    play_round(tournament)
    pair(tournament)
    board = boards(tournament, 1)[0]

    page = teacher.get(url(board, "?result=01"))

    assert rows_of(page) == [["Cleo", "3 → 1", "0 → 1"], ["Ada", "1 → 3", "1 → 0"]]
    assert "rating" not in words_of(page.content.decode().split("<main")[1]).lower()


def test_a_board_says_who_entered_what_and_why_it_was_paired(cast, teacher):
    tournament = make_tournament(cast.classroom)
    pair(tournament)
    board = boards(tournament)[0]
    teacher.post(url(board, "result/"), {"result": R.WHITE, "was": ""})
    teacher.post(url(board, "result/"), {"result": R.DRAW, "was": R.WHITE})

    page = teacher.get(url(board))

    words = words_of(page)
    assert "In the first round the upper half of the order plays the lower half." in words
    assert "entered by Ms. Okafor" in words
    assert "Ms. Okafor: 1–0 → ½–½" in words
    assert "Ms. Okafor: – → 1–0" in words
    assert f"/games/{Game.objects.get().pk}/" in page.content.decode()


def test_a_strangers_board_is_not_found(cast, teacher, client_of):
    tournament = make_tournament(cast.classroom)
    pair(tournament)
    board = boards(tournament)[0]
    other = make_tournament(cast.other_classroom, players=2)
    pair(other)

    assert client_of(cast.colleague).get(url(board)).status_code == 404
    assert client_of(cast.mia.user).post(url(board, "result/"), {"result": R.WHITE, "was": ""}).status_code == 404
    mixed = f"/tournaments/{tournament.pk}/boards/{boards(other)[0].pk}/"
    assert teacher.get(mixed).status_code == 404
