"""Rows and values of pages that show more than one app."""

from __future__ import annotations

from typing import Any

from classes.access import classrooms_of_student
from classes.models import School, Student
from classes.selectors import board_labels_in
from ratings.access import list_choice
from ratings.selectors.boards import leaderboard
from ratings.selectors.practice import practice_rows
from ratings.selectors.students import labels_around, student_page
from tournaments.selectors.students import own_pairings

LATEST_FOR_STUDENT = 8
LATEST_SETS = 5


def own_page(student: Student, requested_list: str | None) -> dict[str, Any]:
    """What a student's own home shows: whom they play now, the own progress, the board of the newest class."""
    lists = list_choice(student.school, requested_list)
    labels = labels_around(student, style=student.school.name_style)
    classroom = classrooms_of_student(student).order_by("-school_year", "name").first()
    return {
        "student": student,
        "pairings": own_pairings(student),
        "page": student_page(student, lists.chosen, labels, latest=LATEST_FOR_STUDENT),
        "classroom": classroom,
        "board": leaderboard(classroom, lists.chosen, board_labels_in(classroom)) if classroom else [],
        "lists": lists,
        "practice": practice_rows(student, latest=LATEST_SETS),
    }


def school_of_notice(school: School | None) -> School | None:
    """Whose privacy notice to show: the visitor's own school; without one the only school of the server, if it is."""
    if school is not None:
        return school
    schools = School.objects.all()[:2]
    return schools[0] if len(schools) == 1 else None
