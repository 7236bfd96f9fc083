"""The numbers of the Elo page."""

from __future__ import annotations

import datetime

import pytest
from django.utils import timezone

import ratings.selectors.economy as module
from classes.core.years import term_start
from classes.models import Enrollment
from classes.services import set_active
from ratings import services
from ratings.models import Adjustment, EconomyCheck, Rating, RatingList, RatingRule
from ratings.selectors.audit import Balance, sums
from ratings.selectors.economy import AwardRow, EconomyPage, KindRow, TeacherColumn, economy_page
from tests.conftest import Cast
from tests.factories import BLACK, WHITE, give_points, list_of, make_classroom, make_game, make_student

pytestmark = [pytest.mark.django_db, pytest.mark.database]

TODAY = datetime.date(2026, 11, 30)  # a Monday; the term began on 1 August


@pytest.fixture(autouse=True)
def _today(monkeypatch):
    """All of these tests happen on one day in the middle of a term."""
    monkeypatch.setattr(timezone, "now", lambda: datetime.datetime(2026, 11, 30, 12, tzinfo=datetime.UTC))


def ago(days: int) -> datetime.date:
    return TODAY - datetime.timedelta(days=days)


def page_of(cast: Cast) -> EconomyPage:
    return economy_page(cast.classroom, list_of(cast.classroom), today=TODAY)


def give(cast: Cast, *students, points: int, kind: str = "skill", day: datetime.date = TODAY, by=None) -> Adjustment:
    return services.adjust_ratings(
        rating_list=list_of(cast.classroom),
        classroom=cast.classroom,
        students=list(students),
        points=points,
        kind=kind,
        reason="Solved the puzzle sheet",
        day=day,
        by=by or cast.teacher,
    )[0]


@pytest.fixture
def lively(cast: Cast) -> Cast:
    """A season with everything that moves points: two K, a floor, another class, a student who left, a void."""
    rating_list = list_of(cast.classroom)
    services.set_start_rating(rating_list, cast.cleo, rating=785)
    services.set_rule(
        rating_list,
        rule=RatingRule(
            from_day=ago(40), kind="provisional", k=20, provisional_k=40, provisional_games=2, floor=760
        ),
    )  # fmt: skip
    for days, white, black, result in (
        (30, cast.mia, cast.ben, WHITE),
        (29, cast.mia, cast.ben, WHITE),
        (20, cast.mia, cast.cleo, BLACK),  # Mia has K = 20 by now, Cleo 40
        (10, cast.ben, cast.cleo, BLACK),  # Ben falls to the floor
    ):
        make_game(cast.classroom, white, black, result, day=ago(days))
    services.record_game(
        rating_list=rating_list,
        classroom=None,
        white=cast.mia,
        black=cast.other,
        result=BLACK,
        day=ago(5),
        by=cast.lead,
    )
    services.void_game(make_game(cast.classroom, cast.mia, cast.cleo, day=ago(4)), by=cast.teacher, reason="Wrong")
    give(cast, cast.mia, cast.cleo, points=4, day=ago(3))
    set_active(Enrollment.objects.get(student=cast.ben, classroom=cast.classroom), active=False)
    return cast


def test_both_sums_are_those_of_the_audit(lively):
    page, audited = page_of(lively), sums(list_of(lively.classroom))

    assert page.whole.balance == audited.whole
    assert page.classroom.balance == audited.classes[lively.classroom.pk]
    assert page.adds_up
    mine = page.classroom.balance
    assert (mine.students, mine.starts, mine.adjustments) == (3, 2385, 8)
    assert 0 not in (mine.top_ups, mine.k_differences, mine.outside)  # nothing is compared with nothing
    assert page.whole.balance.outside == 0


def test_a_sum_that_is_off_says_by_how_much(lively):
    Rating.objects.filter(student=lively.mia).update(rating=1000)
    before = sums(list_of(lively.classroom)).classes[lively.classroom.pk]

    page = page_of(lively)

    assert not page.adds_up
    assert not page.classroom.adds_up
    assert page.classroom.missing == page.whole.missing == before.ratings - before.expected != 0


def test_a_game_recorded_while_the_page_is_read_does_not_unbalance_it(cast, monkeypatch):
    make_game(cast.classroom, cast.mia, cast.ben, day=ago(1))
    read_starts = module.starts_of
    calls = []

    def record_between_two_queries(rating_list):
        if not calls:
            give_points(cast.classroom, cast.cleo, 5)
        calls.append(rating_list)
        return read_starts(rating_list)

    monkeypatch.setattr(module, "starts_of", record_between_two_queries)
    page = page_of(cast)

    assert page.adds_up
    assert page.classroom.balance == Balance(
        students=3, ratings=2405, starts=2400, adjustments=5, top_ups=0, k_differences=0, outside=0
    )
    assert len(calls) == 2


def test_the_spread_is_of_the_active_students(cast):
    for name, start in (("Ada", 1000), ("Bo", 901)):
        make_student(cast.classroom, name, start=start)
    set_active(Enrollment.objects.get(student=cast.cleo, classroom=cast.classroom), active=False)

    spread = page_of(cast).spread

    assert spread is not None
    assert (spread.average, spread.median, spread.lowest, spread.highest) == (875, 851, 800, 1000)
    assert [(bar.low, bar.students) for bar in spread.histogram.bars] == [
        (800, 2), (850, 0), (900, 1), (950, 0), (1000, 1)
    ]  # fmt: skip


def test_a_class_without_students_has_no_numbers_and_no_findings(cast):
    empty = make_classroom(cast.school)

    page = economy_page(empty, list_of(empty), today=TODAY)

    assert (page.active, page.spread, page.movement, page.findings) == (0, None, None, [])
    assert page.adds_up
    assert page.classroom.balance == Balance(0, 0, 0, 0, 0, 0, 0)
    assert page.whole.balance.students == 4


def test_the_weeks_follow_the_active_students(lively):
    movement = page_of(lively).movement
    assert movement is not None

    # Mia and Cleo, start 800 and 785. The class's own games move them against Ben, Noah moves Mia.
    ratings = dict(Rating.objects.filter(rating_list=list_of(lively.classroom)).values_list("student", "rating"))
    newest = movement.rows[0]
    assert newest.average == (ratings[lively.mia.pk] + ratings[lively.cleo.pk]) / 2
    assert [(week.first, week.last, week.points) for week in movement.rows] == [
        (ago(7), ago(1), 8),
        (ago(14), ago(8), 0),
        (ago(21), ago(15), 0),
        (ago(35), ago(29), 0),
    ]
    assert movement.rows[-1].average == (800 + 20 + 18 + 785) / 2  # after two wins of Mia with K = 40


def test_a_new_season_moves_the_average_but_is_no_award(cast):
    give(cast, cast.mia, cast.ben, cast.cleo, points=-60, kind="season", day=ago(2))

    page = page_of(cast)

    assert page.movement is not None
    assert [(week.points, week.average) for week in page.movement.rows] == [(0, 740.0)]
    assert page.awards.tally.points == page.awards.tally.times == 0
    assert page.classroom.balance.adjustments == -180
    [finding] = page.findings
    assert (finding.concern, finding.amount, finding.below, finding.sources) == ("drift", 60, True, [("season", -60)])


def test_awards_of_the_term_by_student_teacher_and_kind(cast):
    first_day = term_start(TODAY, cast.school.term_starts)
    give(cast, cast.mia, points=5, day=first_day - datetime.timedelta(days=1))
    give(cast, cast.mia, points=3, day=first_day)
    give(cast, cast.mia, cast.ben, points=2, kind="academic", by=cast.lead)
    give(cast, cast.ben, points=-1, kind="behaviour")
    services.void_adjustment(give(cast, cast.cleo, points=9), by=cast.teacher, reason="Twice")
    give(cast, cast.cleo, points=7, kind="season")
    left = make_student(cast.classroom, "Left")
    give(cast, left, points=11)
    set_active(Enrollment.objects.get(student=left, classroom=cast.classroom), active=False)

    awards = page_of(cast).awards

    assert awards.since == datetime.date(2026, 8, 1)
    assert (awards.tally.points, awards.tally.times, awards.tally.per_student) == (6, 4, 2)
    assert awards.first == [
        AwardRow(cast.mia.pk, "Mia Kowalczyk", 5, 2),
        AwardRow(cast.ben.pk, "Ben Osei", 1, 2),
    ]
    assert (awards.more, awards.without) == ([], 1)
    assert awards.teachers == [
        TeacherColumn(cast.lead.pk, "Lead", 4),
        TeacherColumn(cast.teacher.pk, "Ms. Okafor", 2),
    ]
    assert awards.kinds == [
        KindRow("academic", "Academic", [4, 0], 4),
        KindRow("skill", "Skill", [0, 3], 3),
        KindRow("behaviour", "Behaviour", [0, -1], -1),
    ]


def test_points_from_another_class_count_where_the_student_is_active(cast):
    Enrollment.objects.create(student=cast.mia, classroom=cast.other_classroom)
    give_points(cast.other_classroom, cast.mia, 3)

    assert page_of(cast).awards.first == [AwardRow(cast.mia.pk, "Mia Kowalczyk", 3, 1)]


def test_top_ups_stand_apart_from_awards(lively):
    set_active(Enrollment.objects.get(student=lively.ben, classroom=lively.classroom), active=True)
    page = page_of(lively)

    assert page.awards.top_ups == page.classroom.balance.top_ups > 0
    assert page.awards.tally.points == 8


def test_long_lists_are_cut_after_ten(cast):
    students = [make_student(cast.classroom, f"Student {number:02}") for number in range(12)]
    give(cast, *students, points=2)

    awards = page_of(cast).awards

    assert [row.label for row in awards.first] == [f"Student {number:02}" for number in range(10)]
    assert [row.label for row in awards.more] == ["Student 10", "Student 11"]


def test_a_finding_names_three_and_counts_the_rest(cast):
    for number in range(60):
        make_student(cast.classroom, f"Student {number:02}")
    many = [make_student(cast.classroom, f"Many {number}") for number in range(5)]
    give(cast, *many, points=26)

    [finding] = page_of(cast).findings

    assert (finding.concern, finding.limit, finding.wins, finding.others) == ("students", 25, 3, 2)
    assert [(row.label, row.points) for row in finding.students] == [("Many 0", 26), ("Many 1", 26), ("Many 2", 26)]


def test_limits_follow_the_rule_of_today(cast):
    services.set_rule(list_of(cast.classroom), rule=RatingRule(from_day=ago(3), kind="constant", k=20))

    assert page_of(cast).limits.watch == 10


@pytest.mark.parametrize(("days", "due"), [(0, False), (6, False), (7, True)])
def test_the_last_look_is_the_latest(cast, days, due):
    make_game(cast.classroom, cast.mia, cast.ben)
    EconomyCheck.objects.create(classroom=cast.classroom, checked_on=ago(days), by=cast.teacher)
    EconomyCheck.objects.create(classroom=cast.classroom, checked_on=ago(days + 7), by=cast.lead)
    EconomyCheck.objects.create(classroom=cast.other_classroom, checked_on=ago(0), by=cast.lead)

    last = page_of(cast).last_check

    assert last.check is not None
    assert (last.check.by, last.days, last.due) == (cast.teacher, days, due)


def test_nobody_is_reminded_before_anything_happened_or_after_the_end(cast):
    quiet = page_of(cast).last_check
    make_game(cast.classroom, cast.mia, cast.ben)
    lively = page_of(cast).last_check
    cast.classroom.archived_at = timezone.now()
    archived = page_of(cast).last_check

    assert (quiet.check, quiet.days, quiet.due) == (None, None, False)
    assert (lively.due, archived.due) == (True, False)


def test_a_page_of_another_list_has_its_own_numbers(cast):
    make_game(cast.classroom, cast.mia, cast.ben)
    rapid = services.create_rating_list(school=cast.school, name="Rapid")

    page = economy_page(cast.classroom, RatingList.objects.get(pk=rapid.pk), today=TODAY)

    assert page.movement is None
    assert page.spread is not None
    assert (page.spread.average, page.spread.lowest) == (800, 800)
