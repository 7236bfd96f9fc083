"""Several tablets and several teachers at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError

from ratings.models import Game, LedgerEntry
from ratings.selectors.audit import violations
from tests.factories import make_student
from tests.ratings.test_concurrency import at_once
from tests.tournaments.makers import R, boards, enter, entry, lead, make_tournament, pair
from tournaments.models import Entry, Pairing, Round, Seat
from tournaments.selectors.audit import violations as violations_of_tournament
from tournaments.services.entries import enter_students, withdraw
from tournaments.services.events import finish_tournament
from tournaments.services.results import ResultMeanwhile
from tournaments.services.rounds import AlreadyPaired

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def answer_of(task: Callable[[], object]) -> Callable[[], object]:
    """A task whose refusal is its answer."""

    def run() -> object:
        try:
            return task()
        except (AlreadyPaired, ResultMeanwhile) as refusal:
            return type(refusal)

    return run


def test_pair_pressed_by_two_teachers_at_once_makes_one_round():
    tournament = make_tournament(players=5)

    answers = at_once(*[answer_of(lambda: pair(tournament, 1))] * 4)

    assert answers.count(AlreadyPaired) == 3
    assert (Round.objects.count(), Seat.objects.count()) == (1, 5)
    assert violations_of_tournament(tournament) == []


def test_two_teachers_with_different_results_for_one_board_one_stands_the_other_is_told():
    tournament = make_tournament(players=2)
    pair(tournament)
    board = boards(tournament)[0]

    answers = at_once(
        answer_of(lambda: enter(board, R.WHITE)),
        answer_of(lambda: enter(board, R.BLACK)),
    )

    assert answers.count(ResultMeanwhile) == 1
    game = Game.objects.get()
    assert Pairing.objects.get().result == {"1-0": R.WHITE, "0-1": R.BLACK}[game.result]
    assert LedgerEntry.objects.count() == 2
    assert violations(tournament.rating_list) == []


def test_one_result_from_eight_tablets_is_one_game():
    tournament = make_tournament(players=2)
    pair(tournament)
    board = boards(tournament)[0]

    at_once(*[lambda: enter(board, R.DRAW)] * 8)

    assert (Game.objects.count(), LedgerEntry.objects.count()) == (1, 2)


def test_all_boards_from_as_many_tablets_and_the_next_round_pressed_twice():
    tournament = make_tournament(players=12)
    pair(tournament)

    at_once(*[lambda board=board: enter(board, R.WHITE) for board in boards(tournament)])
    answers = at_once(*[answer_of(lambda: pair(tournament, 2))] * 2)

    assert answers.count(AlreadyPaired) == 1
    assert (Game.objects.count(), LedgerEntry.objects.count()) == (6, 12)
    assert Pairing.objects.filter(round__number=2).count() == 6
    assert violations(tournament.rating_list) == []
    assert violations_of_tournament(tournament) == []


def test_a_student_entered_from_two_tabs_is_entered_once():
    tournament = make_tournament()
    zoe = make_student(tournament.classroom, "Zoe")

    at_once(*[lambda: enter_students(tournament, [zoe])] * 3)

    assert Entry.objects.filter(student=zoe).count() == 1


def test_a_result_and_a_withdrawal_at_once_leave_everybody_with_one_place():
    tournament = make_tournament(players=5)
    pair(tournament)
    board = boards(tournament)[0]

    def leave() -> object:
        return withdraw(entry(tournament, "Ada"), by=lead(tournament), forfeits=False)

    def result() -> object:
        try:
            return enter(board, R.WHITE)
        except (ResultMeanwhile, ValidationError, Pairing.DoesNotExist) as refusal:
            return refusal

    at_once(result, leave)

    assert Seat.objects.filter(round__number=1).count() == 5
    assert violations_of_tournament(tournament) == []


def test_finishing_while_the_last_result_comes_in_loses_neither():
    tournament = make_tournament(players=2)
    pair(tournament)
    board = boards(tournament)[0]

    def finish() -> object:
        while True:
            try:
                return finish_tournament(tournament)
            except ValidationError:  # the result is not in yet
                continue

    at_once(lambda: enter(board, R.WHITE), finish)

    tournament.refresh_from_db()
    assert tournament.finished_at is not None
    assert (Pairing.objects.get().result, Game.objects.count()) == (R.WHITE, 1)
