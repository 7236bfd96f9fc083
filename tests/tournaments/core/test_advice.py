"""Which system fits how many players."""

from __future__ import annotations

import itertools

import pytest

from tournaments.core import berger
from tournaments.core.advice import (
    Advice,
    Fit,
    Offer,
    System,
    advise,
    is_small_group,
    rounds_for_one_winner,
    rounds_until_all_met,
    usual_rounds,
)

SWISS, ROUND_ROBIN, DOUBLE = System.SWISS, System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN


def swiss(players: int, rounds: int) -> Advice:
    return advise(players, system=SWISS, rounds=rounds)


def test_six_players_in_five_rounds_are_offered_a_round_robin_and_warned_of_round_four():
    assert swiss(6, 5) == Advice(
        players=6,
        rounds=5,
        fit=Fit.AS_ROUND_ROBIN_WITH_REPEAT,
        repeat_from=4,
        chance=32,
        all_met=5,
        offers=(Offer(ROUND_ROBIN, 5),),
    )


def test_eight_players_in_seven_rounds_are_offered_a_round_robin_and_warned_of_round_six():
    advice = swiss(8, 7)

    assert (advice.fit, advice.repeat_from, advice.chance) == (Fit.AS_ROUND_ROBIN_WITH_REPEAT, 6, 20)
    assert advice.offers == (Offer(ROUND_ROBIN, 7),)


@pytest.mark.parametrize(
    ("players", "rounds", "fit"),
    [
        (0, 5, Fit.TOO_FEW_PLAYERS),
        (1, 5, Fit.TOO_FEW_PLAYERS),
        (2, 1, Fit.AS_ROUND_ROBIN),
        (3, 3, Fit.AS_ROUND_ROBIN),
        (4, 3, Fit.AS_ROUND_ROBIN),
        (4, 4, Fit.MUST_REPEAT),
        (5, 3, Fit.FITS),
        (5, 4, Fit.MAY_REPEAT),
        (5, 5, Fit.AS_ROUND_ROBIN_WITH_REPEAT),
        (5, 6, Fit.MUST_REPEAT),
        (6, 3, Fit.FITS),
        (6, 4, Fit.MAY_REPEAT),
        (7, 5, Fit.FITS),
        (7, 6, Fit.MAY_REPEAT),
        (8, 5, Fit.FITS),
        (8, 6, Fit.MAY_REPEAT),
        (10, 9, Fit.AS_ROUND_ROBIN_WITH_REPEAT),
        (12, 5, Fit.FITS),
        (12, 3, Fit.FEW_ROUNDS),
        (32, 5, Fit.FITS),
        (33, 5, Fit.FEW_ROUNDS),
    ],
)
def test_a_swiss_is_judged_by_players_and_rounds(players, rounds, fit):
    assert swiss(players, rounds).fit is fit


def test_more_rounds_than_opponents_offer_one_round_robin_or_two():
    assert swiss(4, 5).offers == (Offer(ROUND_ROBIN, 3),)
    assert swiss(4, 6).offers == (Offer(ROUND_ROBIN, 3), Offer(DOUBLE, 6))
    assert swiss(4, 5).repeat_from == 4


def test_too_few_rounds_offer_enough():
    assert swiss(40, 4).offers == (Offer(SWISS, 6),)


def test_a_round_robin_has_the_rounds_of_its_table_whatever_was_asked():
    advice = advise(5, system=ROUND_ROBIN, rounds=3)

    assert (advice.fit, advice.rounds, advice.offers) == (Fit.MEETS_EVERYONE, 5, ())
    assert advise(4, system=DOUBLE, rounds=1).rounds == 6


def test_a_long_round_robin_offers_something_shorter():
    assert advise(16, system=ROUND_ROBIN, rounds=1).offers == (Offer(SWISS, 5),)
    assert advise(8, system=DOUBLE, rounds=1).offers == (Offer(ROUND_ROBIN, 7),)
    assert advise(30, system=DOUBLE, rounds=1).offers == (Offer(SWISS, 5),)


@pytest.mark.parametrize(("players", "rounds"), [(0, 1), (1, 1), (2, 1), (3, 3), (4, 3), (5, 5), (12, 5), (33, 6)])
def test_rounds_are_proposed_for_the_players(players, rounds):
    assert usual_rounds(players) == rounds


def test_everyone_has_met_everyone_after_the_rounds_of_the_table():
    assert [rounds_until_all_met(players) for players in range(41)] == [len(berger.table(n)) for n in range(41)]


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (32, 5), (33, 6)])
def test_one_winner_is_left_when_the_field_was_halved_often_enough(players, rounds):
    assert rounds_for_one_winner(players) == rounds


def test_what_is_offered_fits_and_is_long_only_where_as_many_rounds_were_asked_for():
    for players, system, rounds in itertools.product(range(41), System, (1, 3, 5, 30)):
        for offer in advise(players, system=system, rounds=rounds).offers:
            better = advise(players, system=offer.system, rounds=offer.rounds)
            assert better.rounds == offer.rounds
            assert better.fit in {Fit.MEETS_EVERYONE, Fit.FITS} or (better.fit is Fit.LONG and rounds >= offer.rounds)


def test_up_to_ten_are_a_small_group():
    assert [is_small_group(players) for players in (2, 10, 11)] == [True, True, False]
