"""The players of a tournament: the list, a player's page, entering, absence, withdrawal and return."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from classes.services import set_active
from ratings.models import Game, LedgerEntry
from tests.factories import make_student
from tests.pages import messages_of, rows_of, words_of
from tests.tournaments.makers import R, boards, enter, entry, lead, make_tournament, pair, play_round, said
from tournaments.core.types import NoPairing, Reason
from tournaments.models import Absence, Entry, Round, Tournament
from tournaments.services.entries import withdraw

pytestmark = pytest.mark.django_db


def lead_in(tournament: Tournament) -> Client:
    client = Client()
    client.force_login(lead(tournament), backend="django.contrib.auth.backends.ModelBackend")
    return client


def url_of(name: str, tournament: Tournament, first_name: str = "") -> str:
    args = [tournament.pk, entry(tournament, first_name).pk] if first_name else [tournament.pk]
    return reverse(f"tournaments:{name}", args=args)


def see(name: str, tournament: Tournament, first_name: str = "") -> HttpResponse:
    return lead_in(tournament).get(url_of(name, tournament, first_name))


def do(name: str, tournament: Tournament, first_name: str = "", **typed: Any) -> HttpResponse:
    return lead_in(tournament).post(url_of(name, tournament, first_name), typed, follow=True)


def forms_of(page: HttpResponse) -> str:
    """What can be done on a page, without the bar at its top and the languages at its foot."""
    return page.content.decode().split("<main", 1)[1].split("</main>")[0]


# --- the list ---


def test_the_list_shows_number_rating_absences_and_who_has_withdrawn():
    tournament = make_tournament(players=3)
    Absence.objects.create(entry=entry(tournament, "Ada"), number=2, kind=Absence.Kind.HALF)
    withdraw(entry(tournament, "Bo"), by=lead(tournament))

    assert [row[:4] for row in rows_of(see("players", tournament))] == [
        ["1", "Ada", "1000", "round 2: half-point bye"],
        ["2", "Bo", "999", "withdrawn"],
        ["3", "Cleo", "998", ""],
    ]


def test_an_absence_of_a_round_that_is_over_is_not_shown_any_more():
    tournament = make_tournament(players=3)
    Absence.objects.create(entry=entry(tournament, "Ada"), number=1, kind=Absence.Kind.ZERO)
    pair(tournament)

    assert rows_of(see("players", tournament))[0][3] == ""


def test_in_a_finished_tournament_nothing_is_offered():
    tournament = make_tournament(players=2)
    play_round(tournament)
    assert "Withdraw" in words_of(see("players", tournament))
    Tournament.objects.update(finished_at=tournament.created_at)

    for page in (see("players", tournament), see("player", tournament, "Ada")):
        assert "<form" not in forms_of(page)
        assert "Withdraw" not in words_of(page)


# --- one player ---


def test_a_players_page_shows_opponents_colours_results_score_performance_and_rating_change():
    tournament = make_tournament(players=3)
    play_round(tournament)  # Ada beats somebody with White
    play_round(tournament, R.DRAW)

    page = see("player", tournament, "Ada")

    game = Game.objects.get(white=entry(tournament, "Ada").student, result=Game.Result.WHITE)
    change = sum(LedgerEntry.objects.filter(student=entry(tournament, "Ada").student).values_list("change", flat=True))
    player = page.context["player"]
    assert [(row.number, row.colour, row.opponent_label, row.mark) for row in player.rounds][0] == (
        1, "w", game.black.first_name, "1"
    )  # fmt: skip
    assert player.change == change != 0
    assert "White against" in rows_of(page)[0][1]
    assert [player.line.row.points, player.after] == ["1½", 2]
    assert player.line.row.performance is not None


def test_a_bye_a_forfeit_and_an_open_board_are_said_in_words():
    tournament = make_tournament(players=5)
    play_round(tournament, [R.WHITE_FORFEIT, R.WHITE])
    pair(tournament)

    ada, eve = see("player", tournament, "Ada"), see("player", tournament, "Eve")

    assert [(row.mark, row.note, row.change) for row in ada.context["player"].rounds] == [
        ("+", "by forfeit", None), ("", "", None)
    ]  # fmt: skip
    assert "no result yet" in words_of(ada)
    assert [(row.mark, row.note) for row in eve.context["player"].rounds][0] == ("1", "a bye, 1")


def test_an_unrated_tournament_shows_no_rating_change():
    tournament = make_tournament(players=2, rated=False)
    play_round(tournament)

    assert see("player", tournament, "Ada").context["player"].change is None
    assert "Rating change" not in words_of(see("player", tournament, "Ada"))


# --- entering ---


def test_before_round_1_students_are_simply_added():
    tournament = make_tournament(players=3)
    zoe, yan = make_student(tournament.classroom, "Zoe"), make_student(tournament.classroom, "Yan")
    left = make_student(tournament.classroom, "Gone")
    set_active(left.enrollments.get(), active=False)

    form = see("enter_students", tournament).context["form"]
    done = do("enter_students", tournament, students=[zoe.pk, yan.pk])

    assert [label for _pk, label in form.fields["students"].choices] == ["Yan (800)", "Zoe (800)"]
    assert set(form.fields) == {"key", "students"}
    assert messages_of(done) == ["2 students entered."]
    assert set(Entry.objects.values_list("student__first_name", flat=True)) == {"Ada", "Bo", "Cleo", "Yan", "Zoe"}


@pytest.mark.parametrize(("missed", "each", "points"), [("Z", "0", "0"), ("H", "½", "1")])
def test_a_late_entry_has_every_missed_round_marked_and_is_paired_next(missed: str, each: str, points: str):
    """sharly-chess 1575: two rounds are over, the third is not paired."""
    tournament = make_tournament()
    play_round(tournament)
    play_round(tournament)
    zoe = make_student(tournament.classroom, "Zoe")

    do("enter_students", tournament, students=[zoe.pk], missed=missed)
    pair(tournament)

    rounds = see("player", tournament, "Zoe").context["player"].rounds
    assert [row.number for row in rounds] == [1, 2, 3]
    assert [(row.opponent, row.points) for row in rounds[:2]] == [(None, each)] * 2
    assert f"Zoe {missed}" in said(tournament, 1)
    assert f"Zoe {missed}" in said(tournament, 2)
    assert f"Zoe {missed}" not in said(tournament, 3)
    table = see("standings", tournament).context["table"]
    assert [line.row.points for line in table.rows if line.label == "Zoe"] == [points]


def test_a_late_entry_can_play_who_has_the_bye():
    tournament = make_tournament(players=5)
    pair(tournament)
    zoe, yan = make_student(tournament.classroom, "Zoe"), make_student(tournament.classroom, "Yan")

    page = see("enter_students", tournament)
    do("enter_students", tournament, students=[zoe.pk, yan.pk], missed="Z", takes_bye="on")

    assert "Plays Eve, who has the bye in round 1" in words_of(page)
    assert said(tournament) == ["Ada - Cleo", "Dan - Bo", "Eve - Yan", "Zoe Z"]


def test_where_nobody_waits_the_bye_is_not_offered():
    tournament = make_tournament()
    pair(tournament)
    make_student(tournament.classroom, "Zoe")

    assert set(see("enter_students", tournament).context["form"].fields) == {"key", "students", "missed"}


def test_students_entered_twice_by_the_same_form_are_entered_once():
    tournament = make_tournament(players=2)
    zoe = make_student(tournament.classroom, "Zoe")
    typed = {"key": uuid.uuid4(), "students": [zoe.pk]}

    first, second = do("enter_students", tournament, **typed), do("enter_students", tournament, **typed)

    assert (first.status_code, second.status_code) == (200, 200)
    assert second.redirect_chain[-1][0] == url_of("players", tournament)
    assert Entry.objects.filter(student=zoe).count() == 1


def test_nobody_ticked_is_said_and_in_a_begun_round_robin_nobody_is_entered():
    swiss, table = make_tournament(players=2), make_tournament(players=4, system="round_robin")
    make_student(swiss.classroom, "Zoe")
    zoe = make_student(table.classroom, "Zoe")
    pair(table)

    assert "Tick at least one student." in words_of(do("enter_students", swiss))
    page = do("enter_students", table, students=[zoe.pk], missed="Z")

    assert "In a round robin everybody takes part from the first round on." in words_of(page)
    assert not Entry.objects.filter(student=zoe).exists()
    assert url_of("enter_students", table) not in forms_of(see("players", table))


def test_everybody_entered_is_said():
    assert "Everybody who could take part" in words_of(see("enter_students", make_tournament()))


# --- removing ---


def test_before_round_1_a_player_is_removed_and_later_the_page_says_why_not():
    tournament = make_tournament(players=3)

    removed = do("remove_entry", tournament, "Bo")
    pair(tournament)
    refused = do("remove_entry", tournament, "Cleo")

    assert messages_of(removed) == ["Bo does not take part."]
    assert messages_of(refused) == ["The tournament has begun. Whoever leaves now withdraws and stays in the table."]
    assert [row[1] for row in rows_of(see("players", tournament))] == ["Ada", "Cleo"]


# --- absence ---


@pytest.mark.parametrize("kind", Absence.Kind.values)
def test_an_absence_is_noted_with_its_bye_and_taken_back(kind: str):
    tournament = make_tournament(players=5)

    noted = do("set_absence", tournament, "Ada", number="2", kind=kind)
    there = list(Absence.objects.values_list("number", "kind"))
    do("set_absence", tournament, "Ada", number="2", kind="")

    assert messages_of(noted) == ["Noted."]
    assert "Is there after all" in words_of(noted)
    assert there == [(2, kind)]
    assert not Absence.objects.exists()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"number": "1", "kind": "Z"}, "Round 1 is paired already."),
        ({"number": "9", "kind": "Z"}, "This round is paired already, or there is none with this number."),
        ({"number": "2", "kind": "X"}, "Select a valid choice. X is not one of the available choices."),
        ({"kind": "Z"}, "Choose a round."),
    ],
)
def test_an_absence_that_cannot_be_is_refused(typed: dict[str, str], sentence: str):
    tournament = make_tournament(players=5)
    pair(tournament)

    assert messages_of(do("set_absence", tournament, "Ada", **typed)) == [sentence]
    assert not Absence.objects.exists()


def test_who_came_after_all_is_led_to_the_page_that_changes_the_round():
    tournament = make_tournament()
    Absence.objects.create(entry=entry(tournament, "Dan"), number=1, kind=Absence.Kind.ZERO)
    pair(tournament)  # Cleo waits with the bye

    change = reverse("tournaments:change_pairings", args=[tournament.pk, 1])
    assert change in forms_of(see("player", tournament, "Dan"))
    assert change not in forms_of(see("player", tournament, "Cleo"))


# --- withdrawal and return ---


def test_withdrawal_between_rounds_asks_nothing_more():
    tournament = make_tournament(players=5)
    play_round(tournament)

    page = see("withdraw", tournament, "Ada")
    done = do("withdraw", tournament, "Ada")

    assert page.context["form"].fields == {}
    assert messages_of(done) == ["Ada has withdrawn from Friday Swiss. The results so far stay."]
    assert entry(tournament, "Ada").is_withdrawn


@pytest.mark.parametrize(
    ("choice", "boards_then"),
    [
        ("forfeit", ["Ada -+ Cleo", "Dan - Bo", "Eve U"]),
        ("no_game", ["Eve - Cleo", "Dan - Bo", "Ada Z"]),
    ],
)
def test_withdrawal_from_an_open_board_asks_what_becomes_of_the_game(choice: str, boards_then: list[str]):
    tournament = make_tournament(players=5)
    pair(tournament)

    asked = do("withdraw", tournament, "Ada")
    before = said(tournament)
    do("withdraw", tournament, "Ada", board=choice)

    assert "Say what becomes of the game that is not played yet." in words_of(asked)
    assert before == ["Ada - Cleo", "Dan - Bo", "Eve U"]
    assert said(tournament) == boards_then
    assert entry(tournament, "Ada").is_withdrawn


def test_in_a_round_robin_an_open_game_is_lost_by_forfeit_without_asking():
    tournament = make_tournament(players=4, system="round_robin")
    pair(tournament)

    page = see("withdraw", tournament, "Ada")
    do("withdraw", tournament, "Ada")

    assert page.context["form"].fields == {}
    assert "The open game is lost by forfeit as well." in words_of(page)
    assert [text for text in said(tournament) if "Ada" in text][0] in {"Ada -+ Dan", "Dan +- Ada"}


def test_who_has_withdrawn_comes_back_by_one_button():
    tournament = make_tournament(players=5)
    play_round(tournament)
    do("withdraw", tournament, "Ada")

    assert see("withdraw", tournament, "Ada").status_code == 302  # there is nothing to ask any more
    again = do("withdraw", tournament, "Ada")
    back = do("come_back", tournament, "Ada")

    assert again.redirect_chain[-1][0] == url_of("player", tournament, "Ada")
    assert messages_of(back) == ["Ada is back, and is paired from the next round on."]
    assert not entry(tournament, "Ada").is_withdrawn


@pytest.mark.parametrize("staying", [0, 1])
def test_with_everybody_withdrawn_or_all_but_one_no_round_is_made(staying: int):
    """lila 10812."""
    tournament = make_tournament(players=4)
    for name in ("Ada", "Bo", "Cleo", "Dan")[staying:]:
        do("withdraw", tournament, name)

    assert pair(tournament) == NoPairing(Reason.NOT_ENOUGH_PLAYERS)
    assert Round.objects.count() == 0


# --- queries ---


@pytest.mark.parametrize(("name", "queries"), [("players", 12), ("player", 15), ("enter_students", 14)])
def test_the_number_of_queries_does_not_grow(name: str, queries: int, django_assert_num_queries):
    small, large = make_tournament(players=2, rounds=1), make_tournament(players=8, rounds=3)
    for tournament, students in ((small, ["Zoe"]), (large, ["Zoe", "Yan", "Xia"])):
        for first_name in students:
            make_student(tournament.classroom, first_name, start=1000)
        for _round in range(tournament.rounds):
            pair(tournament)
            for board in boards(tournament):
                if not board.is_bye:
                    enter(board, R.WHITE)

    for tournament in (small, large):
        client, url = lead_in(tournament), url_of(name, tournament, "Ada" if name == "player" else "")
        with django_assert_num_queries(queries):
            assert client.get(url).status_code == 200
