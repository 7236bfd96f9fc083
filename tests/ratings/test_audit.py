"""The audit: silent about sound books, and it tells every kind of damage done behind the services' back."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.utils import timezone

from classes.models import Classroom, Enrollment, Student
from ratings import services
from ratings.models import Adjustment, Game, LedgerEntry, Rating, RatingList, RatingRule, StartRating
from ratings.selectors.audit import SHOWN, Balance, Sums, database_violations, sums, violations
from tests.conftest import Cast
from tests.factories import BLACK, DRAW, WHITE, give_points, list_of, make_game

pytestmark = [pytest.mark.django_db, pytest.mark.database]
sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="asks SQLite about itself")


@dataclass
class History:
    """A short season in which everything happens that the services can do."""

    cast: Cast
    rating_list: RatingList
    plain: Game  # Mia and Ben, both with K = 32
    uneven: Game  # Mia with K = 20, Noah of the other class with K = 40
    voided: Game
    points: Adjustment
    foreign_list: RatingList

    def entry(self, cause: Game | Adjustment, student: Student) -> LedgerEntry:
        return cause.entries.get(student=student)

    def rows_of(self, student: Student):
        return LedgerEntry.objects.filter(student=student).order_by("position")


@pytest.fixture
def history(cast: Cast) -> History:
    rating_list, by = list_of(cast.classroom), cast.teacher
    today = cast.school.today()
    days = [today - datetime.timedelta(days=ago) for ago in (30, 20, 10, 3, 0)]
    room, mia, ben, cleo, noah = cast.classroom, cast.mia, cast.ben, cast.cleo, cast.other
    services.set_start_rating(rating_list, cleo, rating=785)
    plain = make_game(room, mia, ben, WHITE, day=days[0])
    make_game(room, ben, cleo, BLACK, day=days[1])
    wrong = make_game(room, cleo, mia, WHITE, day=days[1])
    voided = make_game(room, cleo, ben, WHITE, day=days[2])
    back = make_game(room, ben, mia, DRAW, day=days[2])
    give_points(room, mia, 4, day=days[2])
    give_points(room, ben, 2, day=days[1])
    make_game(room, cleo, ben, DRAW, day=days[0])  # back-dated
    services.correct_game(wrong, white=mia, black=cleo, result=WHITE, day=days[0], note="colours", by=by)
    services.void_game(voided, by=by, reason="Wrong board")
    services.void_game(back, by=by, reason="")
    services.unvoid_game(back, by=by)
    services.void_adjustment(Adjustment.objects.get(student=ben), by=by, reason="Twice")
    services.set_rule(
        rating_list,
        rule=RatingRule(from_day=days[3], kind="provisional", k=20, provisional_k=40, provisional_games=2, floor=785),
    )
    uneven = services.record_game(
        rating_list=rating_list, classroom=None, white=mia, black=noah, result=BLACK, day=days[3], by=by
    )
    make_game(room, mia, cleo, DRAW, day=days[4])
    make_game(room, ben, cleo, BLACK, day=days[4])  # Ben falls to the floor
    make_game(room, ben, cleo, BLACK, day=days[4])
    return History(
        cast=cast,
        rating_list=RatingList.objects.get(pk=rating_list.pk),
        plain=plain,
        uneven=uneven,
        voided=Game.objects.get(pk=voided.pk),
        points=Adjustment.objects.get(student=mia),
        foreign_list=list_of(cast.foreign_classroom),
    )


def kinds(lines: list[str]) -> list[str]:
    """The kinds of violations in the order they are told, each once."""
    return list(dict.fromkeys(line.split(": ")[1] for line in lines))


def audit(*args: str) -> str:
    out = StringIO()
    call_command("audit_ratings", *args, stdout=out)
    return out.getvalue()


def failed_audit(*args: str) -> tuple[int, list[str]]:
    """The exit code and the lines of a command that finds something."""
    out = StringIO()
    with pytest.raises(CommandError, match="The ratings are not sound") as error:
        call_command("audit_ratings", *args, stdout=out)
    return error.value.returncode, out.getvalue().splitlines()


# --- sound books ---


def test_a_lively_history_is_sound(history):
    # The history holds what the checks are about; otherwise silence would say nothing.
    assert Game.objects.exclude(voided_at=None).count() == 1
    assert Adjustment.objects.exclude(voided_at=None).count() == 1
    assert LedgerEntry.objects.filter(top_up__gt=0).exists()
    assert {entry.k for entry in history.uneven.entries.all()} == {20, 40}

    assert violations(history.rating_list) == []
    assert violations(history.foreign_list) == []
    assert database_violations() == []
    assert audit() == "2 rating lists, 10 games, 2 adjustments, 19 entries: no violations\n"
    assert audit("--list", str(history.foreign_list.pk)) == (
        "1 rating list, 0 games, 0 adjustments, 0 entries: no violations\n"
    )


def test_fide_rule_is_sound(history):
    day = history.plain.day + datetime.timedelta(days=5)
    services.set_rule(history.rating_list, rule=RatingRule(from_day=day, kind="fide", floor=795))

    assert violations(history.rating_list) == []


def test_unknown_list_is_refused():
    with pytest.raises(CommandError, match="There is no rating list 12345") as error:
        audit("--list", "12345")

    assert error.value.returncode == 2


def test_sums_account_for_every_point(history):
    cast = history.cast
    found = sums(history.rating_list)

    entries = LedgerEntry.objects.all()
    top_ups = sum(entry.top_up for entry in entries)
    mias, noahs = history.entry(history.uneven, cast.mia), history.entry(history.uneven, cast.other)
    ratings = {row.student_id: row.rating for row in Rating.objects.all()}
    assert found == Sums(
        whole=Balance(
            students=4,
            ratings=sum(ratings.values()),
            starts=800 + 800 + 785 + 800,
            adjustments=4,
            top_ups=top_ups,
            k_differences=mias.change + noahs.change,
            outside=0,
        ),
        classes={
            cast.classroom.pk: Balance(
                students=3,
                ratings=sum(ratings.values()) - ratings[cast.other.pk],
                starts=800 + 800 + 785,
                adjustments=4,
                top_ups=top_ups,
                k_differences=0,
                outside=mias.change,
            ),
            cast.other_classroom.pk: Balance(
                students=1,
                ratings=ratings[cast.other.pk],
                starts=800,
                adjustments=0,
                top_ups=0,
                k_differences=0,
                outside=noahs.change,
            ),
        },
    )
    assert top_ups > 0
    assert mias.change + noahs.change != 0
    assert [balance.ratings - balance.expected for balance in (found.whole, *found.classes.values())] == [0, 0, 0]


def test_sums_of_an_inactive_student_stay_in_the_class(history):
    before = sums(history.rating_list)

    Enrollment.objects.filter(student=history.cast.ben).update(active=False)

    assert sums(history.rating_list) == before


def test_sums_take_a_fixed_number_of_queries(history, django_assert_num_queries):
    for number in range(3):
        extra = Classroom.objects.create(school=history.cast.school, name=f"Extra {number}", school_year=2026)
        Enrollment.objects.create(student=history.cast.mia, classroom=extra)

    with django_assert_num_queries(6):
        sums(history.rating_list)


# --- damage ---


def damage_rating(history: History) -> None:
    Rating.objects.filter(student=history.cast.mia).update(rating=999)


def damage_cached_field(history: History) -> None:
    Rating.objects.filter(student=history.cast.mia).update(peak=2000)


def damage_recent(history: History) -> None:
    Rating.objects.filter(student=history.cast.mia).update(recent=[800])


def delete_rating(history: History) -> None:
    Rating.objects.filter(student=history.cast.mia).delete()


def rating_without_entry(history: History) -> None:
    lonely = Student.objects.create(school=history.cast.school, first_name="Ada")
    Rating.objects.create(student=lonely, rating_list=history.rating_list, rating=800, peak=800, entries=0)


def gap_in_positions(history: History) -> None:
    last = history.rows_of(history.cast.mia).last()
    LedgerEntry.objects.filter(pk=last.pk).update(position=last.position + 1)


def break_chain(history: History) -> None:
    last = history.rows_of(history.cast.cleo).last()
    LedgerEntry.objects.filter(pk=last.pk).update(before=last.before + 5, after=last.after + 5)


def start_moved_without_replay(history: History) -> None:
    StartRating.objects.update(rating=786)


def list_start_moved_without_replay(history: History) -> None:
    RatingList.objects.filter(pk=history.rating_list.pk).update(start_rating=1000)


def delete_entry_of_game(history: History) -> None:
    history.rows_of(history.cast.cleo).last().delete()


def entry_of_somebody_else(history: History) -> None:
    entry = history.entry(history.uneven, history.cast.other)
    stranger = Student.objects.create(school=history.cast.school, first_name="Ada")
    LedgerEntry.objects.filter(pk=entry.pk).update(student=stranger)


def delete_entry_of_adjustment(history: History) -> None:
    history.points.entries.all().delete()


def game_without_entries(history: History) -> None:
    Game.objects.create(
        rating_list=history.rating_list,
        classroom=history.cast.classroom,
        white=history.cast.mia,
        black=history.cast.ben,
        result=DRAW,
        day=history.cast.school.today(),
        sequence=history.rating_list.next_sequence,
    )
    RatingList.objects.filter(pk=history.rating_list.pk).update(next_sequence=history.rating_list.next_sequence + 1)


def give_a_point_to_last_winner(history: History) -> None:
    """A consistent lie: chain and rating agree with each other, only the game does not."""
    last = history.rows_of(history.cast.cleo).last()
    LedgerEntry.objects.filter(pk=last.pk).update(change=last.change + 1, after=last.after + 1)
    Rating.objects.filter(student=history.cast.cleo).update(rating=last.after + 1)


def other_change_with_unequal_k(history: History) -> None:
    entry = history.entry(history.uneven, history.cast.other)
    LedgerEntry.objects.filter(pk=entry.pk).update(change=entry.change - 1, after=entry.after - 1)
    Rating.objects.filter(student=history.cast.other).update(rating=entry.after - 1)


def other_points(history: History) -> None:
    Adjustment.objects.filter(pk=history.points.pk).update(points=5)


def other_result(history: History) -> None:
    Game.objects.filter(pk=history.uneven.pk).update(result=DRAW)


def other_k(history: History) -> None:
    history.plain.entries.update(k=31)


def other_rule(history: History) -> None:
    RatingRule.objects.filter(kind="provisional").update(provisional_k=60)


def points_become_top_up(history: History) -> None:
    entry = history.entry(history.points, history.cast.mia)
    LedgerEntry.objects.filter(pk=entry.pk).update(change=entry.change - 1, top_up=1)


def other_expected_score(history: History) -> None:
    entry = history.entry(history.plain, history.cast.mia)
    LedgerEntry.objects.filter(pk=entry.pk).update(expected=0.5001)


def other_deviation(history: History) -> None:
    entry = history.entry(history.plain, history.cast.mia)
    LedgerEntry.objects.filter(pk=entry.pk).update(deviation=entry.deviation + 0.01)


def other_score(history: History) -> None:
    history.plain.entries.update(score_halves=1)


def same_sequence_twice(history: History) -> None:
    Adjustment.objects.exclude(voided_at=None).update(sequence=history.plain.sequence)


def next_sequence_is_taken(history: History) -> None:
    RatingList.objects.filter(pk=history.rating_list.pk).update(next_sequence=3)


def entries_on_another_day(history: History) -> None:
    history.uneven.entries.update(day=history.cast.school.today())


def game_moved_without_replay(history: History) -> None:
    Game.objects.filter(pk=history.plain.pk).update(day=history.cast.school.today())


def void_without_replay(history: History) -> None:
    Game.objects.filter(pk=history.uneven.pk).update(voided_at=timezone.now(), voided_by=history.cast.teacher)


def unvoid_without_replay(history: History) -> None:
    Game.objects.filter(pk=history.voided.pk).update(voided_at=None, voided_by=None, void_reason="")


def player_of_another_school(history: History) -> None:
    Student.objects.filter(pk=history.cast.other.pk).update(school=history.cast.foreign_classroom.school)


def start_of_another_school(history: History) -> None:
    StartRating.objects.create(student=history.cast.stranger, rating_list=history.rating_list, rating=800)


def player_not_in_class(history: History) -> None:
    Enrollment.objects.filter(student=history.cast.cleo).delete()


def game_of_another_schools_class(history: History) -> None:
    Game.objects.filter(pk=history.plain.pk).update(classroom=history.cast.foreign_classroom)


def adjustment_of_another_schools_class(history: History) -> None:
    Adjustment.objects.filter(pk=history.points.pk).update(classroom=history.cast.foreign_classroom)


def entries_in_another_list(history: History) -> None:
    history.uneven.entries.update(rating_list=history.foreign_list)


def no_rules(history: History) -> None:
    RatingRule.objects.all().delete()


def unknown_rule(history: History) -> None:
    RatingRule.objects.filter(kind="provisional").update(kind="glicko")


DAMAGES: list[tuple[Callable[[History], None], list[str]]] = [
    (damage_rating, ["ratings", "sums", "replay"]),
    (damage_cached_field, ["replay"]),
    (damage_recent, ["replay"]),
    (delete_rating, ["sums", "replay"]),
    (rating_without_entry, ["orphans"]),
    (gap_in_positions, ["chain", "replay"]),
    (break_chain, ["chain", "changes", "replay"]),
    (start_moved_without_replay, ["ratings", "chain", "sums", "replay"]),
    (list_start_moved_without_replay, ["ratings", "chain", "sums", "replay"]),
    (delete_entry_of_game, ["ratings", "entries", "replay"]),
    (entry_of_somebody_else, ["ratings", "entries", "sums", "replay", "orphans"]),
    (delete_entry_of_adjustment, ["ratings", "chain", "entries", "sums", "replay"]),
    (game_without_entries, ["entries", "replay"]),
    (give_a_point_to_last_winner, ["changes", "sums", "replay"]),
    (other_change_with_unequal_k, ["changes", "replay"]),
    (other_points, ["changes", "replay"]),
    (other_result, ["changes", "replay"]),
    (other_k, ["changes", "replay"]),
    (other_rule, ["changes", "replay"]),
    (points_become_top_up, ["changes", "replay"]),
    (other_expected_score, ["replay"]),
    (other_deviation, ["replay"]),
    (other_score, ["replay"]),
    (same_sequence_twice, ["order"]),
    (next_sequence_is_taken, ["order"]),
    (entries_on_another_day, ["replay", "order"]),
    (game_moved_without_replay, ["changes", "replay", "order"]),
    (void_without_replay, ["replay", "voids"]),
    (unvoid_without_replay, ["entries", "replay"]),
    (player_of_another_school, ["people"]),
    (start_of_another_school, ["people"]),
    (player_not_in_class, ["people"]),
    (game_of_another_schools_class, ["people"]),
    (adjustment_of_another_schools_class, ["people"]),
    (entries_in_another_list, ["ratings", "chain", "entries", "sums", "replay", "orphans"]),
    (no_rules, ["rules"]),
    (unknown_rule, ["rules"]),
]


@pytest.mark.parametrize(("damage", "expected"), [pytest.param(*row, id=row[0].__name__) for row in DAMAGES])
def test_damage_is_found_and_the_command_fails(history, damage, expected):
    damage(history)

    found = violations(history.rating_list)
    assert kinds(found) == expected
    status, told = failed_audit()
    assert (status, told) == (1, found + violations(history.foreign_list))
    assert not re.search("Mia|Kowalczyk|Ben|Cleo|Noah|Zoe|colours|Wrong|puzzle", " ".join(told))


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (damage_rating, "ratings: student {mia}: rating 999, expected 820 (start 800 +20)"),
        (delete_entry_of_game, "entries: game {last}: entries of students {ben}, expected {ben}, {cleo}"),
        (give_a_point_to_last_winner, "changes: game {last}, student {cleo}: change 11, expected 10"),
        (other_change_with_unequal_k, "changes: game {uneven}, student {noah}: change 21, expected 22"),
        (
            give_a_point_to_last_winner,
            "sums: class {room}: ratings 2414, expected 2413 (starts 2385, adjustments +4, top-ups +35, "
            "K-differences +0, outside -11)",
        ),
        (other_expected_score, "replay: game {plain}, student {mia}: expected score 0.5001, expected 0.5"),
        (delete_rating, "replay: student {mia}: no rating row"),
        (next_sequence_is_taken, "order: next sequence 3, expected more than 12"),
        (player_of_another_school, "people: game {uneven}: student {noah} is not of school {school}"),
    ],
)
def test_a_line_says_what_was_expected_and_what_found(history, damage, line):
    damage(history)

    cast = history.cast
    line = line.format(
        mia=cast.mia.pk,
        ben=cast.ben.pk,
        cleo=cast.cleo.pk,
        noah=cast.other.pk,
        room=cast.classroom.pk,
        school=cast.school.pk,
        plain=history.plain.pk,
        uneven=history.uneven.pk,
        last=Game.objects.order_by("sequence").last().pk,
    )
    found = violations(history.rating_list)
    assert [one for one in found if one == f"list {history.rating_list.pk}: {line}"], "\n".join(found)


def test_damage_of_another_list_is_not_told_when_one_is_asked_for(history):
    damage_rating(history)

    assert "no violations" in audit("--list", str(history.foreign_list.pk))
    assert failed_audit("--list", str(history.rating_list.pk)) == (1, violations(history.rating_list))


def test_many_violations_of_a_kind_are_counted(history):
    Student.objects.bulk_create(Student(school=history.cast.school, first_name="Ada") for _ in range(SHOWN + 5))
    Rating.objects.bulk_create(
        Rating(student=student, rating_list=history.rating_list, rating=800, peak=800, entries=0)
        for student in Student.objects.filter(first_name="Ada")
    )

    found = violations(history.rating_list)

    assert kinds(found) == ["orphans"]
    assert len(found) == SHOWN + 1
    assert found[-1] == f"list {history.rating_list.pk}: orphans: and 5 more"


# --- damage that the constraints forbid: a file written with checks off ---


@contextmanager
def constraints_off() -> Iterator[None]:
    """SQLite takes anything; what was written is taken back at the end."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = ON")
        try:
            yield
        finally:
            cursor.execute("PRAGMA ignore_check_constraints = OFF")
            transaction.set_rollback(True)


def checks_on() -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA ignore_check_constraints = OFF")


def game_against_oneself(history: History) -> None:
    Game.objects.filter(pk=history.voided.pk).update(white=history.cast.ben)


def voided_by_nobody(history: History) -> None:
    Game.objects.filter(pk=history.voided.pk).update(voided_by=None)


def voided_at_no_time(history: History) -> None:
    Game.objects.filter(pk=history.plain.pk).update(voided_by=history.cast.teacher)


def entry_that_does_not_add_up(history: History) -> None:
    last = history.rows_of(history.cast.cleo).last()
    LedgerEntry.objects.filter(pk=last.pk).update(after=last.after + 1)


def entry_without_cause(history: History) -> None:
    history.points.entries.update(adjustment=None)


def unknown_result(history: History) -> None:
    Game.objects.filter(pk=history.voided.pk).update(result="2-0")


@sqlite_only
@pytest.mark.parametrize(
    ("damage", "expected", "table"),
    [
        (game_against_oneself, ["people"], "ratings_game"),
        (voided_by_nobody, ["voids"], "ratings_game"),
        (voided_at_no_time, ["voids"], "ratings_game"),
        (entry_that_does_not_add_up, ["chain", "replay"], "ratings_ledgerentry"),
        (entry_without_cause, ["entries", "replay", "orphans"], "ratings_ledgerentry"),
        (unknown_result, ["rules"], "ratings_game"),
    ],
)
def test_damage_past_the_constraints_is_found(history, damage, expected, table):
    with constraints_off():
        damage(history)
        checks_on()

        assert kinds(violations(history.rating_list)) == expected
        assert database_violations() == [f"database: integrity: CHECK constraint failed in {table}"]
        assert failed_audit() == (1, database_violations() + violations(history.rating_list))


@sqlite_only
def test_broken_reference_is_found(history):
    game = history.plain

    # Inside a transaction SQLite allows a reference to nothing until the end; it is taken back before that.
    with constraints_off():
        Game.objects.filter(pk=game.pk).update(recorded_by=98765)

        assert database_violations() == [
            f"database: references: table ratings_game, row {game.pk}: points at nothing in classes_user"
        ]
        assert failed_audit("--list", str(history.foreign_list.pk)) == (1, database_violations())

    assert database_violations() == []
