"""Rows about classes and students for the pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from classes.core.names import Name, full_labels, short_labels
from classes.models import Classroom, Enrollment, School, Student, User


@dataclass(frozen=True, slots=True)
class ClassroomRow:
    classroom: Classroom
    students: int
    teachers: str


@dataclass(frozen=True, slots=True)
class RosterRow:
    student: Student
    label: str
    active: bool
    username: str


def names_of(students: Iterable[Student]) -> list[Name]:
    return [Name(student.pk, student.first_name, student.last_name, student.grade) for student in students]


def students_in(classroom: Classroom) -> QuerySet[Student]:
    """Everybody ever enrolled in a class, by name."""
    return Student.objects.filter(enrollments__classroom=classroom).order_by("first_name", "last_name", "pk")


def active_students(classroom: Classroom) -> QuerySet[Student]:
    """The active students of a class, by name."""
    return Student.objects.filter(enrollments__classroom=classroom, enrollments__active=True).order_by(
        "first_name", "last_name", "pk"
    )


def labels_in(classroom: Classroom) -> dict[int, str]:
    """Full names of everybody in a class, told apart where they are the same."""
    return full_labels(names_of(students_in(classroom)))


def short_labels_in(classroom: Classroom) -> dict[int, str]:
    """Short names of everybody in a class (Mia K.), told apart."""
    return short_labels(names_of(students_in(classroom)))


def board_labels_in(classroom: Classroom) -> dict[int, str]:
    """Names as the school wants them on boards, projector and print."""
    if classroom.school.name_style == School.NameStyle.FULL:
        return labels_in(classroom)
    return short_labels_in(classroom)


def classroom_rows(classrooms: QuerySet[Classroom]) -> list[ClassroomRow]:
    """Classes with their number of active students and the names of their teachers, in three queries."""
    rows = (
        classrooms.annotate(active_count=Count("enrollments", filter=Q(enrollments__active=True), distinct=True))
        .prefetch_related("teachers__user")
        .order_by("-school_year", "name", "pk")
    )
    return [
        ClassroomRow(
            classroom=classroom,
            students=classroom.active_count,
            teachers=", ".join(sorted(teacher.user.get_full_name() for teacher in classroom.teachers.all())),
        )
        for classroom in rows
    ]


def roster(classroom: Classroom) -> list[RosterRow]:
    """All students of a class with their accounts: active ones first, each part by name."""
    enrollments = (
        Enrollment.objects.filter(classroom=classroom)
        .select_related("student__user")
        .order_by("-active", "student__first_name", "student__last_name", "student_id")
    )
    labels = full_labels(names_of(enrollment.student for enrollment in enrollments))
    return [
        RosterRow(
            student=enrollment.student,
            label=labels[enrollment.student_id],
            active=enrollment.active,
            username=enrollment.student.user.username if enrollment.student.user else "",
        )
        for enrollment in enrollments
    ]


def enrollments_of(student: Student) -> QuerySet[Enrollment]:
    """The classes of a student, newest first."""
    return (
        Enrollment.objects.filter(student=student)
        .select_related("classroom__school")
        .order_by("-classroom__school_year", "classroom__name")
    )


def a_school_exists() -> bool:
    return School.objects.exists()


def taken_usernames(stem: str) -> set[str]:
    """User names that begin with these letters."""
    return set(User.objects.filter(username__startswith=stem).values_list("username", flat=True))
