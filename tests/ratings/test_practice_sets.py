"""A finished set gives points once, whoever asks at the same time; its points stay, and it goes with its student."""

from __future__ import annotations

import uuid

import pytest
from django.db.models import ProtectedError

from classes.services import HasHistory, delete_student
from ratings import services
from ratings.models import Adjustment, PracticeSet, Rating
from tests.factories import list_of
from tests.ratings.test_concurrency import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


def make_set(student, key: str = "") -> PracticeSet:
    return services.keep_practice_set(
        student=student, key=key or str(uuid.uuid4()), piece="king", level=3, tries=11, mistakes=1
    )


def award(practice_set: PracticeSet, cast, points: int = 5) -> Adjustment:
    return services.award_practice_set(
        practice_set, rating_list=list_of(cast.classroom), points=points, by=cast.teacher
    )


def test_eight_taps_at_once_give_points_once(cast):
    done = make_set(cast.mia)

    given = at_once(*(lambda points=points: award(done, cast, points) for points in (1, 2, 3, 4, 5, 1, 2, 3)))

    assert Adjustment.objects.count() == 1
    assert {adjustment.pk for adjustment in given} == {Adjustment.objects.get().pk}
    assert Rating.objects.get(student=cast.mia).rating == 800 + Adjustment.objects.get().points


def test_eight_answers_at_once_keep_one_set(cast):
    key = str(uuid.uuid4())

    kept = at_once(*(lambda: make_set(cast.mia, key) for _ in range(8)))

    assert len({one.pk for one in kept}) == PracticeSet.objects.count() == 1


def test_points_that_a_set_gave_cannot_be_deleted_under_it(cast):
    done = make_set(cast.mia)
    award(done, cast)

    with pytest.raises(ProtectedError):
        Adjustment.objects.get().delete()
    with pytest.raises(HasHistory):
        delete_student(cast.mia)


def test_a_student_who_only_practised_can_be_deleted(cast):
    make_set(cast.ben)

    delete_student(cast.ben)

    assert not PracticeSet.objects.exists()
