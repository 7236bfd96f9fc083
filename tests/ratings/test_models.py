"""What the database itself refuses, whoever writes to it."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, models, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from classes.models import Student
from classes.services import HasHistory, delete_classroom, delete_student
from ratings import services
from ratings.models import Adjustment, Game, LedgerEntry, Rating, RatingList, RatingRule, StartRating
from tests.conftest import Cast
from tests.factories import WHITE, give_points, list_of, make_game, make_student

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def game(cast: Cast) -> Game:
    return make_game(cast.classroom, cast.mia, cast.ben, WHITE)


@pytest.fixture
def adjustment(cast: Cast) -> Adjustment:
    give_points(cast.classroom, cast.mia, 3)
    return Adjustment.objects.get()


def refuses(constraint: str) -> Any:
    """The database refuses, and names the constraint (SQLite names only those that are checks)."""
    return pytest.raises(IntegrityError, match=constraint)


UNIQUE = r"(?i)unique constraint"


def write(row: models.Model, **changes: object) -> None:
    """Change columns of a stored row without asking any Python code."""
    with transaction.atomic():
        type(row).objects.filter(pk=row.pk).update(**changes)


def copy(row: models.Model, **changes: object) -> models.Model:
    """Store another row like this one."""
    row.pk, row._state.adding = None, True
    for field, value in changes.items():
        setattr(row, field, value)
    with transaction.atomic():
        row.save(force_insert=True)
    return row


# --- games ---


def test_nobody_plays_themselves(cast, game):
    with refuses("game_has_two_students"):
        write(game, black=cast.mia)


@pytest.mark.parametrize("result", ["", "1", "2-0", "½-½", "*"])
def test_a_game_has_one_of_three_results(game, result):
    with refuses("game_result_is_known"):
        write(game, result=result)


def test_a_place_in_the_list_s_order_is_given_once(game):
    with refuses(UNIQUE):
        copy(game)

    assert Game.objects.count() == 1


@pytest.mark.parametrize(
    "half",
    [
        lambda by: {"voided_at": timezone.now()},
        lambda by: {"voided_by": by},
        lambda by: {"void_reason": "Wrong board"},
        lambda by: {"voided_by": by, "void_reason": "Wrong board"},
        lambda by: {"voided_at": timezone.now(), "void_reason": "Wrong board"},
    ],
    ids=["only when", "only who", "only why", "not when", "not who"],
)
def test_a_void_says_when_and_who(cast, game, adjustment, half: Callable[[Any], dict[str, object]]):
    with refuses("game_void_is_whole"):
        write(game, **half(cast.teacher))
    with refuses("adjustment_void_is_whole"):
        write(adjustment, **half(cast.teacher))


def test_a_whole_void_is_stored(cast, game):
    write(game, voided_at=timezone.now(), voided_by=cast.teacher)

    game.refresh_from_db()
    assert (game.is_void, game.voided_by, game.void_reason) == (True, cast.teacher, "")


# --- adjustments ---


def test_zero_points_are_no_adjustment(adjustment):
    with refuses("adjustment_is_not_zero"):
        write(adjustment, points=0)


def test_an_adjustment_says_what_it_is_for(adjustment):
    with refuses("adjustment_has_a_reason"):
        write(adjustment, reason="")


def test_a_place_of_an_adjustment_is_given_once(adjustment):
    with refuses(UNIQUE):
        copy(adjustment)


# --- ledger entries ---


@pytest.mark.parametrize(
    "wrong", [{"before": 799}, {"change": 15}, {"top_up": 1}, {"after": 817}], ids=lambda wrong: next(iter(wrong))
)
def test_an_entry_adds_up(cast, game, wrong):
    entry = game.entries.get(student=cast.mia)  # 800 + 16 + 0 = 816

    with refuses("entry_adds_up"):
        write(entry, **wrong)


def test_an_entry_has_a_cause(cast, game):
    with refuses("entry_has_one_cause"):
        write(game.entries.get(student=cast.mia), game=None)


def test_an_entry_has_one_cause_only(cast, game, adjustment):
    with refuses("entry_has_one_cause"):
        write(adjustment.entries.get(), game=make_game(cast.classroom, cast.ben, cast.cleo))


def test_a_game_does_one_thing_to_a_student(cast, game):
    with refuses(UNIQUE):
        copy(game.entries.get(student=cast.mia), position=2)


def test_an_adjustment_does_one_thing(cast, adjustment):
    with refuses(UNIQUE):
        copy(adjustment.entries.get(), position=2)


def test_two_entries_of_a_student_never_stand_at_one_position(cast, game, adjustment):
    with refuses(UNIQUE):
        write(adjustment.entries.get(), position=1)


# --- lists, rules, starts ---


def test_a_school_has_one_default_list(cast):
    with refuses(UNIQUE), transaction.atomic():
        RatingList.objects.create(school=cast.school, name="Rapid", is_default=True)


def test_a_name_of_a_list_is_free_once_a_school(cast):
    with refuses(UNIQUE), transaction.atomic():
        RatingList.objects.create(school=cast.school, name=list_of(cast.classroom).name, is_default=False)

    assert list_of(cast.classroom).name == list_of(cast.foreign_classroom).name


@pytest.mark.parametrize("wrong", [{"k": 0}, {"k": 201}, {"provisional_k": 0}, {"provisional_k": 201}])
def test_k_is_a_number_from_1_to_200(cast, wrong):
    with refuses("k_factor_is_1_to_200"):
        write(RatingRule.objects.get(rating_list=list_of(cast.classroom)), **wrong)


def test_a_day_has_one_rule(cast):
    with refuses(UNIQUE), transaction.atomic():
        RatingRule.objects.create(rating_list=list_of(cast.classroom), k=20)


@pytest.mark.parametrize("rating", [-1, 4001])
def test_a_start_is_a_number_from_0_to_4000(cast, rating):
    with refuses("start_rating_is_0_to_4000"), transaction.atomic():
        StartRating.objects.create(rating_list=list_of(cast.classroom), student=cast.mia, rating=rating)


def test_a_student_has_one_start_and_one_rating_in_a_list(cast, game):
    services.set_start_rating(list_of(cast.classroom), cast.mia, rating=900)

    with refuses(UNIQUE):
        copy(StartRating.objects.get(student=cast.mia))
    with refuses(UNIQUE):
        copy(Rating.objects.get(student=cast.mia))


# --- what has a history is not deleted ---


@pytest.mark.parametrize("name", ["white", "black", "classroom", "rating_list", "recorded_by"])
def test_nothing_that_a_game_names_can_be_deleted(cast, game, name):
    with pytest.raises(ProtectedError):
        getattr(game, name).delete()

    assert Game.objects.get() == game


@pytest.mark.parametrize("name", ["student", "classroom", "rating_list", "given_by"])
def test_nothing_that_an_adjustment_names_can_be_deleted(cast, adjustment, name):
    with pytest.raises(ProtectedError):
        getattr(adjustment, name).delete()

    assert Adjustment.objects.get() == adjustment


def test_who_voided_a_game_cannot_be_deleted(cast, game):
    services.void_game(game, by=cast.colleague, reason="Wrong board")

    with pytest.raises(ProtectedError):
        cast.colleague.delete()


def test_games_and_adjustments_with_entries_cannot_be_deleted(game, adjustment):
    for posting in (game, adjustment):
        with pytest.raises(ProtectedError):
            posting.delete()

    assert LedgerEntry.objects.count() == 3


def test_a_voided_game_still_keeps_its_players(cast, game):
    services.void_game(game, by=cast.teacher, reason="Wrong board")

    with pytest.raises(HasHistory):
        delete_student(cast.mia)
    with pytest.raises(HasHistory):
        delete_classroom(cast.classroom)

    assert Student.objects.filter(pk=cast.mia.pk).exists()


def test_a_mistyped_student_goes_with_the_start(cast, game):
    typo = make_student(cast.classroom, "Mai", "Kowalczyk", start=900)

    delete_student(typo)

    assert not StartRating.objects.exists()
    assert not Student.objects.filter(first_name="Mai").exists()


# --- what rows say ---


def test_a_game_writes_itself_as_teachers_do(cast):
    game = make_game(cast.classroom, cast.mia, cast.ben, Game.Result.DRAW, day=datetime.date(2026, 3, 6))

    assert (str(game), game.sign, game.score_halves) == ("Mia Kowalczyk ½–½ Ben Osei, 2026-03-06", "½–½", 1)


def test_other_rows_name_themselves(cast, game, adjustment):
    day = cast.school.today()

    assert [str(row) for row in (list_of(cast.classroom), adjustment, *game.entries.order_by("-after"))] == [
        "Elo", f"Mia Kowalczyk +3, {day}", "Mia Kowalczyk: 800 → 816", "Ben Osei: 800 → 784",
    ]  # fmt: skip
