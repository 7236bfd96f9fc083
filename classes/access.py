"""Who may see and do what with classes and students. The permission is the query: a miss is 404."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TypeAlias

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from classes.models import Classroom, Enrollment, Invitation, Membership, Merge, Rollover, School, Student, User

Someone: TypeAlias = User | AnonymousUser


def membership_of(user: Someone) -> Membership:
    """The membership of a teacher; 404 for everybody else."""
    if not user.is_authenticated or user.is_student:
        raise Http404
    try:
        return user.membership
    except Membership.DoesNotExist as error:
        raise Http404 from error


def lead_membership_of(user: Someone) -> Membership:
    """The membership of a lead; 404 for everybody else."""
    membership = membership_of(user)
    if not membership.is_lead:
        raise Http404
    return membership


def school_of(user: Someone) -> School | None:
    """The school of a teacher or student; None for visitors and for staff without a school."""
    if not user.is_authenticated:
        return None
    try:
        return user.student.school if user.is_student else user.membership.school
    except (Student.DoesNotExist, Membership.DoesNotExist):
        return None


def classrooms_of_teacher(membership: Membership) -> QuerySet[Classroom]:
    """The classes a teacher teaches; all of the school for a lead. Archived ones too."""
    classrooms = Classroom.objects.filter(school=membership.school).select_related("school")
    return classrooms if membership.is_lead else classrooms.filter(teachers=membership)


def classroom_for_teacher(user: Someone, pk: int) -> Classroom:
    """A class to read, archived or not."""
    return get_object_or_404(classrooms_of_teacher(membership_of(user)), pk=pk)


def open_classroom_for_teacher(user: Someone, pk: int) -> Classroom:
    """A class to write in: not archived."""
    return get_object_or_404(classrooms_of_teacher(membership_of(user)).filter(archived_at=None), pk=pk)


def students_of_teacher(membership: Membership) -> QuerySet[Student]:
    """Everybody in a class of the teacher, active or not; all of the school for a lead.

    Not those who moved on to another class, and nobody whose record was merged into another one.
    """
    students = Student.objects.filter(school=membership.school, merged_into=None)
    students = students.select_related("school", "user", "badge")
    if membership.is_lead:
        return students
    return students.filter(enrollments__classroom__teachers=membership, enrollments__left_at=None).distinct()


def students_now(membership: Membership) -> QuerySet[Student]:
    """Everybody who is enrolled in an open class of the teacher now."""
    classrooms = classrooms_of_teacher(membership).filter(archived_at=None)
    return Student.objects.filter(
        enrollments__classroom__in=classrooms, enrollments__left_at=None, merged_into=None
    ).distinct()


def student_for_teacher(user: Someone, pk: int) -> Student:
    return get_object_or_404(students_of_teacher(membership_of(user)), pk=pk)


def out_of_sight(user: Someone, classroom: Classroom) -> frozenset[int]:
    """Who is still read of in an archived class, and moved on to where this teacher no longer sees them."""
    membership = membership_of(user)
    if membership.is_lead or not classroom.is_archived:
        return frozenset()
    gone = Student.objects.filter(enrollments__classroom=classroom, enrollments__left_at__isnull=False)
    return frozenset(gone.exclude(pk__in=students_of_teacher(membership).values("pk")).values_list("pk", flat=True))


def students_among(classroom: Classroom, ids: Iterable[int]) -> QuerySet[Student]:
    """Those of the ids that are students of a class that was fetched for the caller."""
    return Student.objects.filter(pk__in=ids, enrollments__classroom=classroom).select_related("user")


def enrollment_of(classroom: Classroom, student_id: int) -> Enrollment:
    """A student’s enrollment in a class fetched for the caller, active or not; not who moved on or was erased."""
    enrollments = Enrollment.objects.filter(left_at=None, student__erased_at=None)
    enrollments = enrollments.select_related("student", "classroom")
    return get_object_or_404(enrollments, classroom=classroom, student_id=student_id)


def classrooms_to_move_to(membership: Membership, student: Student) -> QuerySet[Classroom]:
    """The open classes of the teacher, for a lead of the school, in which a student is not active."""
    there = Enrollment.objects.filter(student=student, active=True).values("classroom")
    return classrooms_of_teacher(membership).filter(archived_at=None).exclude(pk__in=there)


def enrollments_to_end(membership: Membership, student: Student) -> QuerySet[Enrollment]:
    """Where a student is active, of the open classes of the teacher."""
    classrooms = classrooms_of_teacher(membership).filter(archived_at=None)
    enrollments = Enrollment.objects.filter(student=student, active=True, classroom__in=classrooms)
    return enrollments.select_related("classroom").order_by("classroom__name", "pk")


def student_for_lead(user: Someone, pk: int) -> Student:
    return get_object_or_404(students_of_teacher(lead_membership_of(user)), pk=pk)


def rollover_for_lead(user: Someone, pk: int) -> Rollover:
    """A change of the school year, undone or not."""
    rollovers = Rollover.objects.select_related("school", "made_by")
    return get_object_or_404(rollovers, school=lead_membership_of(user).school, pk=pk)


def merge_for_lead(user: Someone, pk: int) -> Merge:
    """A merge of two students, undone or not."""
    merges = Merge.objects.select_related("kept__school", "merged", "merged_by")
    return get_object_or_404(merges, kept__school=lead_membership_of(user).school, pk=pk)


def own_student(user: Someone) -> Student:
    """The student of a student account; 404 for everybody else."""
    if not user.is_authenticated or not user.is_student:
        raise Http404
    try:
        return user.student
    except Student.DoesNotExist as error:
        raise Http404 from error


def classrooms_of_student(student: Student) -> QuerySet[Classroom]:
    """The classes whose board a student may see: those they are active in, not archived."""
    return Classroom.objects.filter(
        Q(enrollments__student=student, enrollments__active=True), archived_at=None
    ).select_related("school")


def classroom_for_student(user: Someone, pk: int) -> Classroom:
    return get_object_or_404(classrooms_of_student(own_student(user)), pk=pk)


def hash_of(token: str) -> str:
    """What is kept of a secret token or code."""
    return hashlib.sha256(token.encode()).hexdigest()


def student_with_badge(token: str) -> Student | None:
    """The student whom a badge lets in; None where it is void, was never given out, or the account is switched off."""
    students = Student.objects.filter(user__is_active=True, user__role=User.Role.STUDENT)
    return students.filter(badge__token_hash=hash_of(token)).select_related("user", "school").first()


def account_named(username: str) -> User | None:
    """The account that somebody tried to log in with, for the audit trail alone."""
    return User.objects.filter(username=username).select_related("student", "membership").first()


def colleagues(school: School) -> QuerySet[Membership]:
    """The teachers of a school who can log in, by name."""
    teachers = Membership.objects.filter(school=school, user__is_active=True)
    return teachers.select_related("user", "school").order_by("user__name", "pk")


def colleague_for_lead(user: Someone, pk: int) -> Membership:
    """Another teacher of the school, to change the role or to remove. The own one is changed by another lead."""
    lead = lead_membership_of(user)
    return get_object_or_404(colleagues(lead.school).exclude(pk=lead.pk), pk=pk)


def former_colleague_for_lead(user: Someone, pk: int) -> Membership:
    """A removed teacher of the school, to be let in again."""
    former = Membership.objects.filter(school=lead_membership_of(user).school, user__is_active=False)
    return get_object_or_404(former.select_related("user", "school"), pk=pk)


def teacher_to_take_out(user: Someone, classroom: Classroom, pk: int) -> Membership:
    """A teacher of a class that was fetched for the caller: a lead takes out anybody, a teacher only leaves."""
    membership = membership_of(user)
    teachers = classroom.teachers.select_related("user")
    return get_object_or_404(teachers if membership.is_lead else teachers.filter(pk=membership.pk), pk=pk)


def open_invitations() -> QuerySet[Invitation]:
    """Those that still let somebody in."""
    invitations = Invitation.objects.filter(used_at=None, expires_at__gt=timezone.now())
    return invitations.select_related("school", "classroom", "invited_by")


def invitation_behind(token: str) -> Invitation | None:
    """What a link invites to; None where it was used, is too old, was taken back or never given out."""
    return open_invitations().filter(token_hash=hash_of(token)).first()


def invitation_for_lead(user: Someone, pk: int) -> Invitation:
    """An invitation that nobody used, to take back."""
    unused = Invitation.objects.filter(school=lead_membership_of(user).school, used_at=None)
    return get_object_or_404(unused, pk=pk)
