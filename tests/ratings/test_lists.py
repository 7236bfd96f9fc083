"""Rating lists, their rules in words, what another rule would do, and what a list says of one student."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.core.exceptions import ValidationError

from classes.models import UsedKey
from classes.services import AlreadyAnswered, KeyReused, OneTimeKey
from ratings import services
from ratings.access import ListChoice, asking_for, list_choice
from ratings.core.ledger import State
from ratings.core.performance import Performance
from ratings.core.rules import FROM_THE_BEGINNING
from ratings.models import Game, LedgerEntry, Rating, RatingList, RatingRule
from ratings.selectors.consequences import MoveRow
from ratings.selectors.lists import consequences_of_rule, in_words, rating_list_rows, rule_rows
from ratings.selectors.performance import performance_of
from ratings.selectors.students import sure_interval
from tests.factories import BLACK, DRAW, WHITE, give_points, list_of, make_game, make_student

pytestmark = [pytest.mark.django_db, pytest.mark.database]

CONSTANT, PROVISIONAL, FIDE = RatingRule.Kind.CONSTANT, RatingRule.Kind.PROVISIONAL, RatingRule.Kind.FIDE
DAY = datetime.date(2026, 9, 7)
ONE_DAY = datetime.timedelta(days=1)


def rule_from(day: datetime.date, **fields: object) -> RatingRule:
    return RatingRule(from_day=day, **fields)


@pytest.fixture
def three_days(cast) -> RatingList:
    """A game of Mia and Ben on each of three days."""
    for days, result in enumerate((WHITE, WHITE, DRAW)):
        make_game(cast.classroom, cast.mia, cast.ben, result, day=DAY + days * ONE_DAY)
    return list_of(cast.classroom)


def ratings_in(rating_list: RatingList) -> dict[str, int]:
    return {row.student.first_name: row.rating for row in Rating.objects.filter(rating_list=rating_list)}


# --- rules in words ---


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"kind": CONSTANT, "k": 20}, "K = 20 for everybody."),
        ({"kind": CONSTANT, "k": 32, "floor": 600}, "K = 32 for everybody. No rating falls below 600."),
        ({"kind": CONSTANT, "k": 32, "floor": 0}, "K = 32 for everybody. No rating falls below 0."),
        (
            {"kind": PROVISIONAL, "k": 20, "provisional_k": 40, "provisional_games": 10},
            "K = 40 in a student’s first 10 games, then K = 20.",
        ),
        (
            {"kind": PROVISIONAL, "k": 20, "provisional_k": 40, "provisional_games": 1},
            "K = 40 in a student’s first game, then K = 20.",
        ),
        (
            {"kind": FIDE},
            "FIDE K: 40 below 2300 and in a student’s first 30 games, else 20; 10 for good once 2400 was reached. "
            "Expected scores come from FIDE’s table; a gap of more than 400 points counts as 400.",
        ),
        (
            {"kind": FIDE, "players_are_juniors": False},
            "FIDE K: 40 in a student’s first 30 games, then 20; 10 for good once 2400 was reached. "
            "Expected scores come from FIDE’s table; a gap of more than 400 points counts as 400.",
        ),
    ],
)
def test_a_rule_in_words(rule, words):
    assert in_words(RatingRule(**rule)) == words


def test_rules_stand_oldest_first_with_the_day_before_the_next_as_their_end(cast):
    rating_list = list_of(cast.classroom)
    today = cast.school.today()
    services.set_rule(rating_list, rule=rule_from(today + ONE_DAY, k=40))
    services.set_rule(rating_list, rule=rule_from(today - 10 * ONE_DAY, k=20))

    rows = [(row.since, row.until, row.words, row.in_force) for row in rule_rows(rating_list)]

    assert rows == [
        (None, today - 11 * ONE_DAY, "K = 32 for everybody.", False),
        (today - 10 * ONE_DAY, today, "K = 20 for everybody.", True),
        (today + ONE_DAY, None, "K = 40 for everybody.", False),
    ]


def test_lists_stand_with_the_default_first_and_count_what_counts(cast):
    rapid = services.create_rating_list(school=cast.school, name="Rapid", start_rating=1000)
    services.set_rule(rapid, rule=rule_from(cast.school.today(), k=20))
    make_game(cast.classroom, cast.mia, cast.ben)
    services.void_game(make_game(cast.classroom, cast.mia, cast.cleo), by=cast.lead, reason="Wrong board")
    services.create_rating_list(school=cast.foreign_classroom.school, name="Blitz")

    rows = [
        (row.rating_list.name, row.rating_list.start_rating, row.rule, row.games)
        for row in rating_list_rows(cast.school)
    ]

    assert rows == [("Elo", 800, "K = 32 for everybody.", 1), ("Rapid", 1000, "K = 20 for everybody.", 0)]


@pytest.mark.parametrize("lists", [1, 3])
def test_the_lists_take_two_queries_however_many(cast, lists, django_assert_num_queries):
    for number in range(1, lists):
        services.create_rating_list(school=cast.school, name=f"List {number}")

    with django_assert_num_queries(2):
        assert len(rating_list_rows(cast.school)) == lists


# --- what another rule does ---


def test_consequences_of_a_rule_are_what_saving_it_does(cast, three_days):
    rule = rule_from(DAY + ONE_DAY, k=10)
    before = ratings_in(three_days)

    shown = consequences_of_rule(three_days, rule)
    services.set_rule(three_days, rule=rule, version=shown.version)

    after = ratings_in(three_days)
    moves = {move.label: (move.before, move.after) for move in shown.moves}
    assert shown.later_games == 2
    assert before == {"Mia": 828, "Ben": 772}
    assert moves == {"Mia Kowalczyk": (828, 820), "Ben Osei": (772, 780)}
    assert after == {"Mia": 820, "Ben": 780}


def test_a_rule_before_all_others_reaches_back_to_the_beginning(cast, three_days):
    RatingRule.objects.filter(rating_list=three_days).update(from_day=DAY + 2 * ONE_DAY)

    shown = consequences_of_rule(three_days, rule_from(DAY + ONE_DAY, k=10))

    assert shown.later_games == 3


def test_a_rule_ends_where_the_next_begins(cast, three_days):
    services.set_rule(three_days, rule=rule_from(DAY + ONE_DAY, k=32))

    shown = consequences_of_rule(three_days, rule_from(FROM_THE_BEGINNING, k=10))
    services.set_rule(three_days, rule=rule_from(FROM_THE_BEGINNING, k=10))

    ks = LedgerEntry.objects.filter(student=cast.mia).order_by("position").values_list("k", flat=True)
    assert list(ks) == [10, 32, 32]
    assert [(move.label, move.after) for move in shown.moves] == [("Mia Kowalczyk", 819), ("Ben Osei", 781)]
    assert ratings_in(three_days) == {"Mia": 819, "Ben": 781}


def test_the_largest_change_stands_first_and_namesakes_are_told_apart(cast):
    twin = make_student(cast.classroom, "Mia", "Kowalczyk", grade="6")
    make_game(cast.classroom, cast.mia, cast.ben, WHITE, day=DAY)
    make_game(cast.classroom, twin, cast.ben, DRAW, day=DAY)

    shown = consequences_of_rule(list_of(cast.classroom), rule_from(FROM_THE_BEGINNING, k=64))

    assert shown.moves == [
        MoveRow("Mia Kowalczyk (5)", 816, 832, 16),
        MoveRow("Ben Osei", 785, 771, -14),
        MoveRow("Mia Kowalczyk (6)", 799, 797, -2),
    ]


def test_a_rule_on_stale_consequences_is_refused_and_changes_nothing(cast, three_days):
    seen = RatingList.objects.get(pk=three_days.pk).version
    make_game(cast.classroom, cast.mia, cast.cleo)
    before = ratings_in(three_days)

    with pytest.raises(services.StaleVersion):
        services.set_rule(three_days, rule=rule_from(DAY, k=10), version=seen)

    assert RatingRule.objects.filter(rating_list=three_days).count() == 1
    assert ratings_in(three_days) == before


def a_key(user, body: str = "10") -> OneTimeKey:
    return OneTimeKey.of_form(
        key=uuid.UUID(int=1), user=user, action="set_rule", body=[("k", body)], answer="/school/lists/{pk}/"
    )


def test_a_rule_sent_twice_is_set_once_and_answered_the_same(cast, three_days):
    services.set_rule(three_days, rule=rule_from(DAY, k=10), once=a_key(cast.lead))
    version = RatingList.objects.get(pk=three_days.pk).version

    with pytest.raises(AlreadyAnswered) as answered:
        services.set_rule(three_days, rule=rule_from(DAY, k=10), version=0, once=a_key(cast.lead))
    with pytest.raises(KeyReused):
        services.set_rule(three_days, rule=rule_from(DAY, k=12), once=a_key(cast.lead, "12"))

    assert answered.value.url == f"/school/lists/{three_days.pk}/"
    assert RatingList.objects.get(pk=three_days.pk).version == version


def test_a_list_sent_twice_is_made_once(cast):
    made = services.create_rating_list(school=cast.school, name="Rapid", once=a_key(cast.lead))

    with pytest.raises(AlreadyAnswered) as answered:
        services.create_rating_list(school=cast.school, name="Rapid", once=a_key(cast.lead))

    assert answered.value.url == f"/school/lists/{made.pk}/"
    assert RatingList.objects.filter(school=cast.school).count() == 2
    assert UsedKey.objects.count() == 1


def test_a_taken_name_is_refused(cast):
    with pytest.raises(ValidationError, match="There is already a rating list of this name."):
        services.create_rating_list(school=cast.school, name="Elo", is_default=False)


# --- the list that a page asks for ---


def test_the_list_that_is_asked_for(cast):
    rapid = services.create_rating_list(school=cast.school, name="Rapid")
    default = list_of(cast.classroom)

    choice = list_choice(cast.school, str(rapid.pk))

    assert choice == ListChoice(rapid, [default, rapid])
    assert choice.query == f"?list={rapid.pk}"
    assert asking_for(rapid) == {"list": rapid.pk}


@pytest.mark.parametrize("requested", [None, "", "junk", "0", "-1", "²", "9" * 40, "\x00", "foreign"])
def test_anything_else_is_the_default_list(cast, requested):
    services.create_rating_list(school=cast.school, name="Rapid")
    if requested == "foreign":
        requested = str(list_of(cast.foreign_classroom).pk)

    choice = list_choice(cast.school, requested)

    assert choice.chosen == list_of(cast.classroom)
    assert choice.query == ""


# --- how sure a number is ---


def test_a_number_is_new_below_20_games():
    nineteen, twenty = (State(800, 800, wins=wins, draws=5, losses=4) for wins in (10, 11))

    assert (nineteen.is_new, twenty.is_new) == (True, False)


@pytest.mark.parametrize(
    ("state", "day", "interval"),
    [
        (State(810, 810, deviation=50.0, last_game_day=DAY), DAY, (712, 908)),
        (State(810, 810, deviation=50.0, last_game_day=DAY), DAY + 13 * ONE_DAY, (712, 908)),  # next week: no idle one
        (State(810, 810, deviation=50.0, last_game_day=DAY), DAY + 14 * ONE_DAY, (691, 929)),  # one idle week
        (State(300, 300, deviation=200.0, last_game_day=DAY), DAY, (0, 692)),  # no strength below 0
    ],
)
def test_the_range_widens_with_idle_weeks(state, day, interval):
    assert sure_interval(state, day) == interval


# --- performance ---


def test_performance_counts_the_games_of_the_period_by_the_opponents_ratings_before_them(cast, three_days):
    make_game(cast.classroom, cast.cleo, cast.mia, BLACK, day=DAY + ONE_DAY)
    services.void_game(
        make_game(cast.classroom, cast.mia, cast.ben, BLACK, day=DAY), by=cast.lead, reason="Wrong board"
    )
    give_points(cast.classroom, cast.mia, 5, day=DAY + ONE_DAY)
    rapid = services.create_rating_list(school=cast.school, name="Rapid")
    services.record_game(
        rating_list=rapid,
        classroom=cast.classroom,
        white=cast.mia,
        black=cast.ben,
        result=Game.Result.BLACK,
        day=DAY + ONE_DAY,
        by=cast.lead,
    )

    found = performance_of(cast.mia, three_days, DAY + ONE_DAY, DAY + 2 * ONE_DAY)

    # Ben came with 784 and lost, Cleo with 800 and lost, Ben with 769 and drew: 5 halves of 6 are .83.
    assert found == Performance(3, 5, 784, 83, 273, 1057)


def test_no_games_in_the_period_is_no_performance(cast, three_days):
    assert performance_of(cast.mia, three_days, DAY + 3 * ONE_DAY, DAY + 9 * ONE_DAY) is None
    assert performance_of(cast.cleo, three_days, DAY, DAY + 9 * ONE_DAY) is None
