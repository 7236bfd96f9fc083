"""Which rule holds on a day, and what it says."""

from __future__ import annotations

import datetime
from fractions import Fraction

import pytest

from ratings.core.rules import FROM_THE_BEGINNING, Kind, Rule, Rules

MARCH, MAY = datetime.date(2026, 3, 1), datetime.date(2026, 5, 1)
ONE_DAY = datetime.timedelta(days=1)


def test_a_school_starts_with_one_k_of_32_for_everybody():
    rule = Rule()

    assert [rule.k_factor(rating=rating, peak=rating, games=games) for rating in (800, 2500) for games in (0, 500)] == [
        32, 32, 32, 32,
    ]  # fmt: skip
    assert (rule.from_day, rule.floor) == (FROM_THE_BEGINNING, None)


def test_provisional_k_holds_for_the_first_games_only():
    rule = Rule(kind=Kind.PROVISIONAL, k=20, provisional_k=40, provisional_games=3)

    assert [rule.k_factor(rating=800, peak=800, games=games) for games in range(5)] == [40, 40, 40, 20, 20]


def test_a_constant_k_knows_no_first_games():
    rule = Rule(kind=Kind.CONSTANT, k=20, provisional_k=40, provisional_games=3)

    assert rule.k_factor(rating=800, peak=800, games=0) == 20


@pytest.mark.parametrize(
    ("juniors", "rating", "peak", "games", "k"),
    [
        (True, 800, 800, 200, 40),
        (False, 800, 800, 29, 40),
        (False, 800, 800, 30, 20),
        (True, 2350, 2410, 200, 10),
    ],
)
def test_fide_k_looks_at_age_games_and_the_best_rating(juniors, rating, peak, games, k):
    rule = Rule(kind=Kind.FIDE, k=99, juniors=juniors)

    assert rule.k_factor(rating=rating, peak=peak, games=games) == k


def test_fide_takes_the_expected_score_from_the_table_and_the_others_from_the_formula():
    expected = [Rule(kind=kind).expected_score(1200, 800) for kind in (Kind.CONSTANT, Kind.PROVISIONAL, Kind.FIDE)]

    assert expected == [1 / 1.1, 1 / 1.1, Fraction(92, 100)]


@pytest.mark.parametrize(("floor", "top_ups"), [(None, [0, 0, 0, 0]), (700, [10, 0, 0, 705]), (0, [0, 0, 0, 5])])
def test_a_floor_lifts_what_falls_below_it(floor, top_ups):
    rule = Rule(floor=floor)

    assert [rule.top_up(rating) for rating in (690, 700, 710, -5)] == top_ups


def test_the_rule_of_a_day_is_the_newest_that_has_begun():
    first, march, may = Rule(k=32), Rule(from_day=MARCH, k=20), Rule(from_day=MAY, k=10)
    rules = Rules([may, first, march])  # in any order

    found = [rules.on(day) for day in (MARCH - ONE_DAY, MARCH, MAY - ONE_DAY, MAY, datetime.date.max)]

    assert found == [first, march, march, may, may]


def test_before_the_first_day_the_first_rule_holds():
    march = Rule(from_day=MARCH, k=20)

    assert Rules([march, Rule(from_day=MAY)]).on(datetime.date.min) == march


@pytest.mark.parametrize("rules", [[], [Rule(k=20), Rule(k=32)]], ids=["none", "two of one day"])
def test_a_list_without_one_clear_rule_is_refused(rules):
    with pytest.raises(ValueError, match="each from another day"):
        Rules(rules)
