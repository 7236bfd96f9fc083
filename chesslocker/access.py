"""Who may see and do what with the whole server, and with all that is kept of a student. A miss is 404."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from chesslocker.backups import BackupRow, find_backup
from classes.access import Someone, lead_membership_of, membership_of, students_now, students_of_teacher
from classes.models import Classroom, Membership, School, Student, User


def keeper_of_backups(user: Someone) -> User:
    """The account of a lead, or of whoever looks after the server; 404 for everybody else."""
    if isinstance(user, User) and is_host(user):
        return user
    return lead_membership_of(user).user


def may_download_backups(user: Someone) -> bool:
    """A backup has all schools of the server in it: where there are several, none of their leads may have it."""
    return is_host(user) or School.objects.count() == 1


def backup_to_download(user: Someone, key: str) -> BackupRow:
    keeper_of_backups(user)
    row = find_backup(key)
    if row is None or not may_download_backups(user):
        raise Http404
    return row


def is_host(user: Someone) -> bool:
    """Whoever looks after the server and could read its disk as well."""
    return user.is_active and user.is_superuser


def student_to_change(user: Someone, pk: int) -> Student:
    """Whose name and login a teacher may change: nobody's who was erased."""
    return get_object_or_404(students_of_teacher(membership_of(user)).filter(erased_at=None), pk=pk)


def student_to_export(user: Someone, pk: int) -> Student:
    """Of whom all data may be taken out: a student of an open class of the teacher; for a lead anybody."""
    membership = membership_of(user)
    students = students_of_teacher(membership) if membership.is_lead else students_now(membership)
    return get_object_or_404(students.filter(erased_at=None).select_related("school", "user"), pk=pk)


def may_export(user: Someone, student: Student) -> bool:
    """May all data of a student whom this teacher sees be taken out by them?"""
    membership = membership_of(user)
    return student.erased_at is None and (membership.is_lead or students_now(membership).filter(pk=student.pk).exists())


def student_to_erase(user: Someone, pk: int) -> Student:
    """Only a lead erases, and nobody twice."""
    students = students_of_teacher(lead_membership_of(user)).filter(erased_at=None)
    return get_object_or_404(students, pk=pk)


def is_lead(user: Someone) -> bool:
    return membership_of(user).is_lead


def students_to_report(membership: Membership, classroom: Classroom) -> QuerySet[Student]:
    """The active students of a class that was fetched for the caller, by name; not who was erased.

    Of an archived class those who moved on are their new teachers' to report on, and a lead's.
    """
    students = students_of_teacher(membership).filter(erased_at=None)
    there = classroom.enrollments.filter(active=True).values("student")
    return students.filter(pk__in=there).order_by("first_name", "last_name", "pk")


def student_to_report(user: Someone, pk: int) -> Student:
    return get_object_or_404(students_of_teacher(membership_of(user)).filter(erased_at=None), pk=pk)
