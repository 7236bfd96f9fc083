"""The ratings of a class as CSV: `manage.py ratings_csv`."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from classes.models import Enrollment
from classes.services import set_active
from tests.factories import DRAW, make_classroom, make_game, make_student

pytestmark = pytest.mark.django_db


def ratings_csv(classroom_id: int) -> str:
    out = io.StringIO()
    call_command("ratings_csv", classroom=classroom_id, stdout=out)
    return out.getvalue()


def test_everybody_enrolled_is_listed_best_first_then_by_name(cast):
    make_game(cast.classroom, cast.mia, cast.ben)
    make_game(cast.classroom, cast.mia, cast.ben, DRAW)
    make_student(cast.classroom, "adam", "Zuse", external_id="P7")
    set_active(Enrollment.objects.get(student=cast.ben, classroom=cast.classroom), active=False)

    assert ratings_csv(cast.classroom.pk) == (
        "external_id,name,rating,games,wins,draws,losses\n"
        ",Mia Kowalczyk,815,2,1,1,0\n"
        "P7,adam Zuse,800,0,0,0,0\n"
        ",Cleo Raman,800,0,0,0,0\n"
        ",Ben Osei,785,2,0,1,1\n"
    )


def test_text_that_a_spreadsheet_would_run_is_made_harmless_and_numbers_stay(db):
    classroom = make_classroom()
    bad = make_student(classroom, '=HYPERLINK("x")', external_id="-1", start=0)
    make_game(classroom, make_student(classroom, "Mia", start=0), bad)

    assert ratings_csv(classroom.pk) == (
        'external_id,name,rating,games,wins,draws,losses\n,Mia,16,1,1,0,0\n\'-1,"\'=HYPERLINK(""x"")",-16,1,0,0,1\n'
    )


def test_a_class_that_is_not_there_is_told_in_a_sentence(db):
    with pytest.raises(CommandError) as caught:
        ratings_csv(1)

    assert str(caught.value) == "There is no class with the id 1."


def test_the_number_of_queries_does_not_grow_with_the_class(cast, django_assert_num_queries):
    with django_assert_num_queries(5):
        ratings_csv(cast.classroom.pk)
    with django_assert_num_queries(5):
        ratings_csv(cast.other_classroom.pk)
