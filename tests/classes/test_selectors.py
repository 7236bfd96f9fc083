"""Rows about classes and students, and how many queries they take."""

from __future__ import annotations

import pytest

from classes import selectors
from classes.access import classrooms_of_teacher
from classes.models import School
from classes.selectors import ClassroomRow, RosterRow
from classes.services import enroll, set_active
from tests.factories import lead_of, make_classroom, make_school, make_student, make_teacher

pytestmark = pytest.mark.django_db


def leave(student, classroom) -> None:
    set_active(student.enrollments.get(classroom=classroom), active=False)


def test_a_class_is_listed_with_its_active_students_and_teachers(cast):
    leave(cast.ben, cast.classroom)
    lead = lead_of(cast.school)
    cast.classroom.teachers.add(lead)
    old = make_classroom(cast.school, name="Aaa")
    old.school_year -= 1
    old.save(update_fields=["school_year"])

    assert selectors.classroom_rows(classrooms_of_teacher(lead)) == [
        ClassroomRow(cast.classroom, students=2, teachers="Lead, Ms. Okafor"),
        ClassroomRow(cast.other_classroom, students=1, teachers="Mr. Lund"),
        ClassroomRow(old, students=0, teachers="Lead"),
    ]


@pytest.mark.parametrize("classes", [1, 3])
def test_the_list_of_classes_takes_three_queries_however_many(django_assert_num_queries, classes):
    school = make_school()
    teachers = [make_teacher(school) for _ in range(classes)]
    for teacher in teachers:
        make_student(make_classroom(school, teacher=teacher))
    found = classrooms_of_teacher(lead_of(school))

    with django_assert_num_queries(3):
        rows = selectors.classroom_rows(found)

    assert len(rows) == classes


def test_the_roster_has_active_students_first_each_part_by_name(cast):
    make_student(cast.classroom, "Ben", "Osei", grade="6")
    leave(cast.ben, cast.classroom)
    leave(cast.cleo, cast.classroom)

    assert [
        (row.label, row.active, row.username) for row in selectors.roster(cast.classroom)
    ] == [
        ("Ben Osei (6)", True, ""),
        ("Mia Kowalczyk", True, "mia"),
        ("Ben Osei (5)", False, "ben"),
        ("Cleo Raman", False, ""),
    ]  # fmt: skip
    assert selectors.roster(cast.other_classroom) == [RosterRow(cast.other, "Noah Fischer", True, "noah", None, False)]


@pytest.mark.parametrize("students", [1, 3])
def test_the_roster_takes_one_query_however_many(django_assert_num_queries, students):
    classroom = make_classroom()
    for number in range(students):
        make_student(classroom, f"Mia{number}", username=f"mia{number}")

    with django_assert_num_queries(1):
        rows = selectors.roster(classroom)

    assert len(rows) == students


def test_active_students_and_everybody_of_a_class_by_name(cast):
    leave(cast.ben, cast.classroom)
    enroll(cast.other, cast.classroom)

    assert list(selectors.active_students(cast.classroom)) == [cast.cleo, cast.mia, cast.other]
    assert list(selectors.students_in(cast.classroom)) == [cast.ben, cast.cleo, cast.mia, cast.other]


def test_names_are_short_or_full_as_the_school_chose(cast):
    short, full = {cast.other.pk: "Noah F."}, {cast.other.pk: "Noah Fischer"}

    assert selectors.short_labels_in(cast.other_classroom) == short
    assert selectors.labels_in(cast.other_classroom) == full
    assert selectors.board_labels_in(cast.other_classroom) == short
    cast.other_classroom.school.name_style = School.NameStyle.FULL
    assert selectors.board_labels_in(cast.other_classroom) == full


def test_a_student_who_left_still_keeps_the_same_names_apart(cast):
    lena, twin = (make_student(cast.other_classroom, "Lena", "Koval", grade=grade) for grade in "35")
    leave(lena, cast.other_classroom)

    assert selectors.labels_in(cast.other_classroom) == {
        lena.pk: "Lena Koval (3)", twin.pk: "Lena Koval (5)", cast.other.pk: "Noah Fischer",
    }  # fmt: skip


def test_the_classes_of_a_student_newest_first(cast):
    last_year = make_classroom(cast.school, name="Last year")
    last_year.school_year -= 1
    last_year.save(update_fields=["school_year"])
    for classroom in (last_year, cast.other_classroom):
        enroll(cast.mia, classroom)
    leave(cast.mia, last_year)

    assert [(row.classroom.name, row.active) for row in selectors.enrollments_of(cast.mia)] == [
        ("Room 12 Chess", True),
        ("Room 14 Chess", True),
        ("Last year", False),
    ]


def test_taken_user_names_are_those_that_begin_alike(cast):
    make_student(cast.foreign_classroom, "Miriam", username="miak")

    assert selectors.taken_usernames("mia") == {"mia", "miak"}
