"""Of whom a teacher prints reports and certificates. A miss is 404."""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from classes.access import Someone, membership_of, students_of_teacher
from classes.models import Classroom, Membership, Student


def students_to_report(membership: Membership, classroom: Classroom) -> QuerySet[Student]:
    """The active students of a class that was fetched for the caller, by name; not who was erased.

    Of an archived class those who moved on are their new teachers' to report on, and a lead's.
    """
    students = students_of_teacher(membership).filter(erased_at=None)
    there = classroom.enrollments.filter(active=True).values("student")
    return students.filter(pk__in=there).order_by("first_name", "last_name", "pk")


def student_to_report(user: Someone, pk: int) -> Student:
    return get_object_or_404(students_of_teacher(membership_of(user)).filter(erased_at=None), pk=pk)
