"""When points given outside games are worth a word."""

from __future__ import annotations

import datetime
from fractions import Fraction

import pytest

from ratings.core.economy import (
    FEW,
    TOO_MUCH,
    WATCH,
    Award,
    Concern,
    Finding,
    Limits,
    Source,
    Tally,
    days_since,
    findings,
    is_due,
    limits,
    tally,
)
from ratings.core.rules import Kind, Rule

MONDAY = datetime.date(2026, 11, 30)
MIA, BEN, CLEO = 1, 2, 3
OKAFOR, LUND = 11, 12


def awarded(*awards: Award, students: int = 10) -> Tally:
    return tally(awards, students=students)


def even(points: int, *, students: int = 10) -> Tally:
    """So many points, shared alike by ten students, two teachers and two kinds."""
    shared = [
        Award(student=number, teacher=OKAFOR + number % 2, kind=("skill", "academic")[number % 2], points=points // 10)
        for number in range(10)
    ]
    return tally([*shared, Award(0, OKAFOR, "skill", points % 10)] if points % 10 else shared, students=students)


def found(awarded: Tally, *, teachers: int = 2, above: int = 0, sources: dict[Source, int] | None = None):
    start = Fraction(800)
    return findings(awarded, Limits(), teachers=teachers, average=start + above, start=start, sources=sources or {})


# --- limits ---


def test_the_usual_k_gives_the_documented_limits():
    assert limits(Rule(), 800) == Limits(few=FEW, watch=WATCH, too_much=TOO_MUCH) == Limits(8, 16, 32)


@pytest.mark.parametrize(
    ("rule", "expected", "favourite_win"),
    [
        (Rule(k=20), Limits(few=5, watch=10, too_much=20), 5),
        (Rule(k=10), Limits(few=3, watch=5, too_much=8), 2),
        (Rule(k=1), Limits(few=1, watch=1, too_much=4), 1),  # a favourite gains nothing any more; still a limit
        (Rule(kind=Kind.PROVISIONAL, k=20, provisional_k=40, provisional_games=10), Limits(5, 10, 20), 5),
        (Rule(kind=Kind.FIDE), Limits(few=10, watch=20, too_much=40), 10),  # juniors: 40
        (Rule(kind=Kind.FIDE, juniors=False), Limits(few=5, watch=10, too_much=20), 5),
    ],
)
def test_limits_follow_the_k_of_the_list(rule, expected, favourite_win):
    assert limits(rule, 800) == expected
    assert limits(rule, 800).favourite_win == favourite_win


# --- tally ---


def test_awards_are_added_up_every_way():
    counted = awarded(
        Award(MIA, OKAFOR, "skill", 6, times=2),
        Award(MIA, LUND, "skill", 1),
        Award(BEN, OKAFOR, "behaviour", -3),
        students=3,
    )

    assert counted == Tally(
        students=3,
        points=4,
        times=4,
        by_student={MIA: 7, BEN: -3},
        times_of_student={MIA: 3, BEN: 1},
        by_teacher={OKAFOR: 3, LUND: 1},
        by_kind={"skill": 7, "behaviour": -3},
        by_teacher_and_kind={(OKAFOR, "skill"): 6, (LUND, "skill"): 1, (OKAFOR, "behaviour"): -3},
    )
    assert counted.per_student == 1.3


@pytest.mark.parametrize(
    ("points", "students", "expected"), [(1, 20, 0.1), (-1, 20, -0.1), (46, 1, 46), (0, 5, 0), (0, 0, 0)]
)
def test_points_per_student_in_tenths(points, students, expected):
    assert awarded(Award(MIA, OKAFOR, "skill", points), students=students).per_student == expected


# --- findings ---


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (0, []),
        (159, []),  # 15.9 a student
        (160, [Finding(Concern.WATCH, amount=16, limit=16)]),
        (320, [Finding(Concern.WATCH, amount=32, limit=16)]),  # as many as four wins of a favourite, not more
        (321, [Finding(Concern.TOO_MUCH, amount=32.1, limit=32)]),
    ],
)
def test_many_points_for_everybody(points, expected):
    told = [finding for finding in found(even(points)) if finding.concern != Concern.STUDENTS]

    assert told == expected


@pytest.mark.parametrize(("points", "told"), [(-15, False), (-16, True)])
def test_points_taken_from_everybody(points, told):
    taken = awarded(*(Award(number, OKAFOR, "behaviour", points) for number in range(10)))

    assert found(taken) == ([Finding(Concern.TAKEN, amount=16, limit=16)] if told else [])


def test_one_student_with_many_points():
    limit = awarded(Award(MIA, OKAFOR, "skill", 25), Award(BEN, LUND, "academic", 20))
    more = awarded(
        Award(MIA, OKAFOR, "skill", 26),
        Award(BEN, OKAFOR, "skill", 20),
        Award(BEN, LUND, "academic", 20),
        Award(CLEO, LUND, "academic", 25),
        students=40,
    )

    assert found(limit) == []
    assert found(more) == [Finding(Concern.STUDENTS, limit=25, wins=3, students=((BEN, 40), (MIA, 26)))]


def test_how_many_wins_such_points_are_depends_on_k():
    many = awarded(Award(MIA, OKAFOR, "skill", 26), students=40)
    [finding] = findings(
        many, limits(Rule(k=40), 800), teachers=1, average=Fraction(800), start=Fraction(800), sources={}
    )

    assert finding.wins == 2  # 10 each


@pytest.mark.parametrize(
    ("skill", "academic", "expected"),
    [
        (75, 25, [Finding(Concern.KIND, kind="skill", amount=75)]),
        (74, 26, []),
        (59, 20, []),  # 75 %, but fewer than 8 points a student
        (100, -10, [Finding(Concern.KIND, kind="skill", amount=100)]),  # of what was given, not of what is left
    ],
)
def test_one_kind_with_most_of_the_points(skill, academic, expected):
    students = [Award(number, OKAFOR + number % 2, "skill", skill // 10) for number in range(10)]
    rest = Award(0, OKAFOR, "skill", skill % 10)

    assert found(awarded(*students, rest, Award(1, LUND, "academic", academic // 2),
                         Award(2, OKAFOR, "academic", academic - academic // 2))) == expected  # fmt: skip


@pytest.mark.parametrize(
    ("teachers", "expected"),
    [(2, [Finding(Concern.TEACHER, teacher=LUND, amount=100)]), (1, [])],
)
def test_one_of_several_teachers_with_most_of_the_points(teachers, expected):
    given = awarded(*(Award(number, LUND, ("skill", "academic")[number % 2], 10) for number in range(10)))

    assert found(given, teachers=teachers) == expected


def test_a_guest_who_gives_with_the_only_teacher_makes_two():
    given = awarded(
        *(Award(number, LUND, ("skill", "academic")[number % 2], 9) for number in range(10)),
        Award(MIA, OKAFOR, "academic", 10),
    )

    assert found(given, teachers=1) == [Finding(Concern.TEACHER, teacher=LUND, amount=90)]


def test_an_average_far_from_its_start_is_explained():
    sources = {Source.AWARDS: 580, Source.SEASON: 0, Source.TOP_UPS: 4, Source.K_DIFFERENCES: -60, Source.OUTSIDE: -10}

    assert found(even(0), above=50, sources=sources) == []
    assert found(even(0), above=51, sources=sources) == [
        Finding(
            Concern.DRIFT,
            amount=51,
            sources=((Source.AWARDS, 58), (Source.K_DIFFERENCES, -6), (Source.OUTSIDE, -1)),
        )
    ]
    assert [finding.amount for finding in found(even(0), above=-51, sources=sources)] == [-51]


def test_the_weightiest_comes_first():
    given = awarded(*(Award(number, LUND, "skill", 60) for number in range(10)))

    concerns = [finding.concern for finding in found(given, above=60, sources={Source.AWARDS: 600})]

    assert concerns == [Concern.TOO_MUCH, Concern.STUDENTS, Concern.KIND, Concern.TEACHER, Concern.DRIFT]


# --- the weekly look ---


@pytest.mark.parametrize(
    ("ago", "days", "due"), [(None, None, True), (0, 0, False), (6, 6, False), (7, 7, True), (30, 30, True)]
)
def test_a_look_lasts_a_week(ago, days, due):
    checked_on = None if ago is None else MONDAY - datetime.timedelta(days=ago)

    assert days_since(checked_on, MONDAY) == days
    assert is_due(checked_on, MONDAY) is due
