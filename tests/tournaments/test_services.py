"""Rounds, results and entries in the database, and what they do to the ratings."""

from __future__ import annotations

import datetime

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from ratings.models import Game, LedgerEntry, Rating
from ratings.selectors.audit import violations
from tests.factories import make_student
from tests.tournaments.makers import R, boards, enter, entry, lead, make_tournament, pair, play_round, said
from tournaments.core.types import Code, NoPairing, Reason
from tournaments.models import Absence, Entry, Pairing, Round, Seat, Tournament
from tournaments.selectors.states import load
from tournaments.services.entries import come_back, enter_students, remove_entry, set_absence, withdraw
from tournaments.services.events import cancel_tournament, change_tournament, finish_tournament, reopen_tournament
from tournaments.services.results import ResultMeanwhile
from tournaments.services.rounds import (
    AlreadyPaired,
    join_round,
    set_round_day,
    swap_players,
    take_off_board,
    unpair_round,
)

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def ratings(tournament: Tournament) -> dict[str, int]:
    rows = Rating.objects.filter(rating_list=tournament.rating_list).select_related("student")
    return {row.student.first_name: row.rating for row in rows}


def points(tournament: Tournament) -> dict[str, int]:
    """First name -> half-points after all finished rounds."""
    loaded = load(tournament)
    names = {row.pk: row.student.first_name for row in loaded.entries}
    return {names[pk]: halves for pk, halves in loaded.state_after(loaded.finished).scores().items()}


def test_a_round_is_paired_by_the_order_at_the_start():
    tournament = make_tournament(players=5)

    made = pair(tournament)

    assert (made.number, made.paired_by) == (1, Round.PairedBy.FIDE)
    assert said(tournament) == ["Ada - Cleo", "Dan - Bo", "Eve U"]
    assert Seat.objects.filter(round=made).count() == 5


def test_a_round_is_paired_once():
    tournament = make_tournament()
    pair(tournament)

    with pytest.raises(AlreadyPaired):
        pair(tournament, 1)

    assert Round.objects.count() == 1


def test_the_database_itself_gives_nobody_two_places_in_a_round():
    tournament = make_tournament()
    made = pair(tournament)
    second = Pairing.objects.create(round=made, white=entry(tournament, "Ada"), result=R.PAIRING_BYE)

    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(round=made, entry=entry(tournament, "Ada"), pairing=second)


def test_the_next_round_waits_for_the_last_result():
    tournament = make_tournament()
    pair(tournament)
    enter(boards(tournament)[0], R.WHITE)

    with pytest.raises(ValidationError, match="1 result is missing"):
        pair(tournament)

    assert Round.objects.count() == 1


def test_a_played_game_is_in_the_ledger_at_once_dated_with_its_round():
    tournament = make_tournament()
    pair(tournament)
    yesterday = tournament.school.today() - datetime.timedelta(days=1)
    set_round_day(tournament, number=1, day=yesterday, by=lead(tournament))

    done = enter(boards(tournament)[0], R.WHITE)

    game = Game.objects.get()
    assert (done.game, game.origin, game.day) == (game, Game.Origin.TOURNAMENT, yesterday)
    assert ratings(tournament) == {"Ada": 1016, "Cleo": 982}


def test_byes_and_forfeits_bring_points_and_never_touch_a_rating():
    tournament = make_tournament(players=5)
    pair(tournament)
    enter(boards(tournament)[0], R.WHITE_FORFEIT)
    enter(boards(tournament)[1], R.DOUBLE_FORFEIT)

    assert points(tournament) == {"Ada": 2, "Bo": 0, "Cleo": 0, "Dan": 0, "Eve": 2}
    assert (Game.objects.count(), LedgerEntry.objects.count()) == (0, 0)


def test_an_unrated_tournament_records_no_game():
    tournament = make_tournament(rated=False)
    play_round(tournament)

    assert points(tournament)["Ada"] == 2
    assert Game.objects.count() == 0


def test_a_changed_result_replaces_the_old_one_in_table_and_ledger():
    tournament = make_tournament(players=2)
    pair(tournament)
    enter(boards(tournament)[0], R.WHITE)

    enter(boards(tournament)[0], R.BLACK, was=R.WHITE)

    assert points(tournament) == {"Ada": 0, "Bo": 2}
    assert ratings(tournament) == {"Ada": 984, "Bo": 1015}
    assert Game.objects.count() == 1


def test_played_becomes_a_forfeit_and_played_again_with_one_game_throughout():
    tournament = make_tournament(players=2)
    pair(tournament)
    game = enter(boards(tournament)[0], R.WHITE).game

    enter(boards(tournament)[0], R.WHITE_FORFEIT, was=R.WHITE)
    voided = Game.objects.get()
    enter(boards(tournament)[0], R.DRAW, was=R.WHITE_FORFEIT)

    back = Game.objects.get()
    assert (voided.pk, voided.is_void) == (game.pk, True)
    assert (back.pk, back.is_void, back.result) == (game.pk, False, Game.Result.DRAW)
    assert violations(tournament.rating_list) == []


def test_the_same_result_twice_is_one_result():
    tournament = make_tournament(players=2)
    pair(tournament)

    enter(boards(tournament)[0], R.WHITE)
    enter(boards(tournament)[0], R.WHITE)

    assert LedgerEntry.objects.count() == 2


def test_another_result_meanwhile_stands_and_the_second_teacher_is_told():
    tournament = make_tournament(players=2)
    pair(tournament)
    enter(boards(tournament)[0], R.WHITE)

    with pytest.raises(ResultMeanwhile) as told:
        enter(boards(tournament)[0], R.BLACK)

    assert told.value.pairing.result == R.WHITE
    assert boards(tournament)[0].result == R.WHITE
    assert LedgerEntry.objects.count() == 2


def test_a_round_without_results_is_taken_back_and_paired_again():
    tournament = make_tournament(players=5)
    pair(tournament)
    enter(boards(tournament)[0], R.WHITE)

    with pytest.raises(ValidationError, match="1 result of this round is in"):
        unpair_round(tournament, number=1)
    enter(boards(tournament)[0], R.OPEN, was=R.WHITE)
    unpair_round(tournament, number=1)

    assert (Round.objects.count(), Pairing.objects.count(), Seat.objects.count()) == (0, 0, 0)
    assert Game.objects.get().is_void
    pair(tournament)
    assert said(tournament) == ["Ada - Cleo", "Dan - Bo", "Eve U"]


def test_who_is_absent_gets_the_bye_that_was_agreed_and_is_not_paired():
    tournament = make_tournament(players=5)
    set_absence(entry(tournament, "Cleo"), number=1, kind=Absence.Kind.FULL)

    pair(tournament)

    assert said(tournament) == ["Ada - Dan", "Eve - Bo", "Cleo F"]


def test_a_late_entry_gets_zero_or_half_points_for_missed_rounds():
    tournament = make_tournament()
    play_round(tournament)
    zoe, yan = make_student(tournament.classroom, "Zoe"), make_student(tournament.classroom, "Yan")

    enter_students(tournament, [zoe])
    enter_students(tournament, [yan], missed=Code.HALF_BYE)

    assert (points(tournament)["Zoe"], points(tournament)["Yan"]) == (0, 1)
    pair(tournament)
    assert {"Zoe", "Yan"} <= set(" ".join(said(tournament)).split())


def test_a_late_entry_stands_in_the_order_by_rating():
    tournament = make_tournament()
    enter_students(tournament, [make_student(tournament.classroom, "Zoe", start=1200)])

    order = Entry.objects.filter(tournament=tournament).values_list("student__first_name", flat=True)
    assert list(order) == ["Zoe", "Ada", "Bo", "Cleo", "Dan"]


def test_a_late_entry_plays_who_has_the_bye():
    tournament = make_tournament(players=5)
    pair(tournament)

    enter_students(tournament, [make_student(tournament.classroom, "Zoe")], takes_bye=True)

    assert said(tournament) == ["Ada - Cleo", "Dan - Bo", "Eve - Zoe"]
    assert Seat.objects.count() == 6


def test_nobody_enters_twice():
    tournament = make_tournament()
    ada = entry(tournament, "Ada").student

    assert enter_students(tournament, [ada]) == []
    assert Entry.objects.filter(tournament=tournament).count() == 4


def test_before_the_first_round_an_entry_can_be_removed():
    tournament = make_tournament()
    remove_entry(entry(tournament, "Bo"))

    order = Entry.objects.filter(tournament=tournament).values_list("student__first_name", "seed_order")
    assert list(order) == [("Ada", 1), ("Cleo", 2), ("Dan", 3)]


def test_who_withdraws_keeps_results_and_is_not_paired_until_they_return():
    tournament = make_tournament(players=5)
    play_round(tournament)
    withdraw(entry(tournament, "Ada"), by=lead(tournament))

    play_round(tournament)
    come_back(entry(tournament, "Ada"))

    assert "Ada Z" in said(tournament)
    assert points(tournament)["Ada"] == 2
    pair(tournament)
    assert "Ada Z" not in said(tournament)


def test_withdrawal_during_a_round_asks_and_a_forfeit_gives_the_opponent_the_point():
    tournament = make_tournament()
    pair(tournament)

    with pytest.raises(ValidationError, match="Say what becomes of the game"):
        withdraw(entry(tournament, "Ada"), by=lead(tournament))
    withdraw(entry(tournament, "Ada"), by=lead(tournament), forfeits=True)

    assert said(tournament) == ["Ada -+ Cleo", "Dan - Bo"]
    assert Game.objects.count() == 0


def test_withdrawal_during_a_round_as_no_game_gives_the_opponent_the_bye():
    tournament = make_tournament()
    pair(tournament)

    withdraw(entry(tournament, "Ada"), by=lead(tournament), forfeits=False)

    assert said(tournament) == ["Dan - Bo", "Cleo U", "Ada Z"]
    assert boards(tournament)[0].board == 1
    assert Seat.objects.count() == 4


def test_withdrawal_as_no_game_lets_the_opponent_play_who_had_the_bye():
    tournament = make_tournament(players=5)
    pair(tournament)

    withdraw(entry(tournament, "Ada"), by=lead(tournament), forfeits=False)

    assert said(tournament) == ["Eve - Cleo", "Dan - Bo", "Ada Z"]
    assert Seat.objects.count() == 5


def test_players_and_colours_are_swapped_by_hand():
    tournament = make_tournament(players=5)
    pair(tournament)

    swap_players(tournament, one=entry(tournament, "Ada"), other=entry(tournament, "Bo"), number=1)
    swap_players(tournament, one=entry(tournament, "Dan"), other=entry(tournament, "Ada"), number=1)
    swap_players(tournament, one=entry(tournament, "Eve"), other=entry(tournament, "Cleo"), number=1)

    assert said(tournament) == ["Bo - Eve", "Ada - Dan", "Cleo U"]
    assert Round.objects.get().changed_by_hand
    seats = {seat.entry_id: seat.pairing_id for seat in Seat.objects.all()}
    assert all(seats[p.white_id] == p.pk == seats[p.black_id or p.white_id] for p in boards(tournament))


def test_a_bye_is_given_by_hand():
    tournament = make_tournament(players=5)
    pair(tournament)

    take_off_board(tournament, entry=entry(tournament, "Ada"), number=1, bye=Code.HALF_BYE)

    assert said(tournament) == ["Eve - Cleo", "Dan - Bo", "Ada H"]


def test_who_comes_after_all_plays_who_has_the_bye():
    tournament = make_tournament()
    set_absence(entry(tournament, "Dan"), number=1, kind=Absence.Kind.ZERO)
    pair(tournament)
    assert said(tournament) == ["Ada - Bo", "Cleo U", "Dan Z"]

    join_round(tournament, entry=entry(tournament, "Dan"), number=1)

    assert said(tournament) == ["Ada - Bo", "Cleo - Dan"]
    assert Seat.objects.count() == 4


def test_a_board_with_a_result_is_not_changed_by_hand():
    tournament = make_tournament()
    pair(tournament)
    enter(boards(tournament)[0], R.WHITE)

    with pytest.raises(ValidationError, match="Board 1 has a result"):
        swap_players(tournament, one=entry(tournament, "Ada"), other=entry(tournament, "Bo"), number=1)


def test_everybody_withdrawn_is_a_sentence_and_no_round():
    tournament = make_tournament()
    for name in ("Ada", "Bo", "Cleo"):
        withdraw(entry(tournament, name), by=lead(tournament))

    assert pair(tournament) == NoPairing(Reason.NOT_ENOUGH_PLAYERS)
    assert Round.objects.count() == 0


def test_without_a_legal_pairing_the_fewest_repeats_are_offered():
    tournament = make_tournament(players=2)
    play_round(tournament)

    answer = pair(tournament)
    made = pair(tournament, fewest_repeats_instead=True)

    assert answer == NoPairing(Reason.NO_LEGAL_PAIRING)
    assert (made.number, made.paired_by) == (2, Round.PairedBy.FEWEST_REPEATS)


def test_a_round_robin_has_the_rounds_of_its_table_and_a_free_round_brings_no_points():
    tournament = make_tournament(players=5, system=Tournament.System.ROUND_ROBIN, rounds=1)
    assert tournament.rounds == 5

    for _ in range(5):
        play_round(tournament, R.DRAW)

    assert set(points(tournament).values()) == {4}
    assert pair(tournament) == NoPairing(Reason.ALL_ROUNDS_PAIRED)


def test_in_a_round_robin_who_has_withdrawn_loses_by_forfeit_and_who_is_absent_can_play_later():
    tournament = make_tournament(players=4, system=Tournament.System.ROUND_ROBIN)
    withdraw(entry(tournament, "Ada"), by=lead(tournament))
    set_absence(entry(tournament, "Bo"), number=1, kind=Absence.Kind.ZERO)

    pair(tournament)

    assert said(tournament) == ["Ada -+ Dan", "Bo ZZ Cleo"]
    enter(boards(tournament)[1], R.WHITE, was=R.UNPLAYED)
    assert points(tournament) == {"Ada": 0, "Bo": 2, "Cleo": 0, "Dan": 2}


def test_a_tournament_is_finished_when_its_results_are_in_and_can_be_reopened():
    tournament = make_tournament()
    with pytest.raises(ValidationError, match="No round has been played"):
        finish_tournament(tournament)
    pair(tournament)
    with pytest.raises(ValidationError, match="2 results are missing"):
        finish_tournament(tournament)
    for board in boards(tournament):
        enter(board, R.DRAW)

    finish_tournament(tournament)

    with pytest.raises(ValidationError, match="finished"):
        pair(tournament)
    reopen_tournament(tournament)
    assert pair(tournament).number == 2


@pytest.mark.parametrize("keep", [True, False])
def test_a_cancelled_tournament_keeps_its_ratings_or_takes_them_back(keep: bool):
    tournament = make_tournament(players=2)
    play_round(tournament)

    cancel_tournament(tournament, keep_ratings=keep, by=lead(tournament))

    game = Game.objects.get()
    assert (game.is_void, game.origin) == ((False, "casual") if keep else (True, "tournament"))
    assert ratings(tournament) == ({"Ada": 1016, "Bo": 983} if keep else {})
    assert violations(tournament.rating_list) == []


def test_once_paired_what_the_pairing_rests_on_stays():
    tournament = make_tournament()
    play_round(tournament)
    play_round(tournament)

    with pytest.raises(ValidationError, match="Once the first round is paired"):
        change_tournament(tournament, fields={"seeding": "random"})
    with pytest.raises(ValidationError, match="2 rounds are paired already"):
        change_tournament(tournament, fields={"rounds": 1})
    change_tournament(tournament, fields={"rounds": 2, "name": "Saturday Swiss"})

    tournament.refresh_from_db()
    assert (tournament.rounds, tournament.name) == (2, "Saturday Swiss")
