"""Pairs who should not be paired: who sees them, adds them, takes them away."""

from __future__ import annotations

import pytest

from tests.factories import make_student
from tests.pages import messages_of, rows_of, words_of
from tests.tournaments.makers import boards, make_tournament, pair
from tests.tournaments.views.test_setup import errors_of
from tournaments.models import KeepApart

pytestmark = pytest.mark.django_db

PAGE = "/school/apart/"


@pytest.fixture
def teacher(cast, client_of):
    return client_of(cast.teacher)


def keep(cast, one, other, *, hard: bool = False) -> KeepApart:
    first, second = sorted((one, other), key=lambda student: student.pk)
    return KeepApart.objects.create(school=cast.school, one=first, other=second, is_hard=hard)


def test_a_pair_is_kept_apart_softly_unless_said_otherwise(cast, teacher):
    page = teacher.post(PAGE, {"one": cast.ben.pk, "other": cast.mia.pk}, follow=True)

    assert messages_of(page) == ["Mia Kowalczyk and Ben Osei are kept apart."]
    assert [row[:2] for row in rows_of(page)] == [["Mia Kowalczyk – Ben Osei", "not paired if it can be avoided"]]


def test_a_pair_that_is_sent_again_is_there_once_and_as_strict_as_was_said_last(cast, teacher):
    teacher.post(PAGE, {"one": cast.ben.pk, "other": cast.mia.pk})

    page = teacher.post(PAGE, {"one": cast.mia.pk, "other": cast.ben.pk, "is_hard": "on"}, follow=True)

    assert [row[:2] for row in rows_of(page)] == [["Mia Kowalczyk – Ben Osei", "never paired"]]


def test_kept_apart_is_what_the_next_round_does(cast, teacher):
    """By the order at the start Mia would play Cleo."""
    cup = make_tournament(cast.classroom, [cast.mia, cast.ben, cast.cleo, make_student(cast.classroom, "Dan")])
    teacher.post(PAGE, {"one": cast.mia.pk, "other": cast.cleo.pk})

    pair(cup)

    assert all({board.white.student_id, board.black.student_id} != {cast.mia.pk, cast.cleo.pk} for board in boards(cup))


def test_two_different_students_are_needed(cast, teacher):
    page = teacher.post(PAGE, {"one": cast.mia.pk, "other": cast.mia.pk})
    assert errors_of(page) == {"__all__": ["Choose two different students."]}

    assert errors_of(teacher.post(PAGE, {"one": cast.mia.pk, "other": ""})) == {"other": ["Choose two students."]}
    assert KeepApart.objects.count() == 0


def test_a_teacher_sees_the_pairs_of_the_own_students_and_a_lead_all(cast, teacher, client_of):
    nils = make_student(cast.other_classroom, "Nils")
    keep(cast, cast.mia, cast.ben)
    keep(cast, cast.mia, cast.other)
    keep(cast, cast.other, nils)

    assert [row[0] for row in rows_of(teacher.get(PAGE))] == ["Mia Kowalczyk – Ben Osei"]
    assert len(rows_of(client_of(cast.lead).get(PAGE))) == 3
    assert "Nobody is kept apart." in words_of(client_of(cast.outsider).get(PAGE))


def test_a_pair_is_taken_away(cast, teacher):
    pair_kept = keep(cast, cast.mia, cast.ben)

    page = teacher.post(f"{PAGE}{pair_kept.pk}/remove/", follow=True)

    assert messages_of(page) == ["Mia Kowalczyk and Ben Osei may be paired again."]
    assert KeepApart.objects.count() == 0


@pytest.mark.parametrize("rows", [1, 3])
def test_the_page_takes_six_queries_however_many_pairs(cast, teacher, django_assert_num_queries, rows):
    dan = make_student(cast.classroom, "Dan")
    for one, other in [(cast.mia, cast.ben), (cast.mia, cast.cleo), (cast.ben, dan)][:rows]:
        keep(cast, one, other)
    teacher.get("/classes/")

    with django_assert_num_queries(6):
        page = teacher.get(PAGE)

    assert len(page.context["rows"]) == rows
