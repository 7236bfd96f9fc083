"""Rows about the teachers of a school."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from classes.access import colleagues
from classes.models import Classroom, Invitation, Membership, School


@dataclass(frozen=True, slots=True)
class ColleagueRow:
    """A teacher of the school, with the open classes."""

    membership: Membership
    name: str
    username: str
    is_lead: bool
    is_own: bool
    classrooms: list[Classroom]
    last_login: datetime.datetime | None


@dataclass(frozen=True, slots=True)
class ColleaguesPage:
    """`former`: who cannot log in any more. `untaught`: open classes that only leads look after."""

    teachers: list[ColleagueRow]
    former: list[Membership]
    invitations: list[Invitation]
    untaught: list[Classroom]


def colleagues_page(lead: Membership) -> ColleaguesPage:
    """Everybody who teaches at a school, in five queries."""
    school = lead.school
    open_classes = Classroom.objects.filter(archived_at=None).order_by("name", "pk")
    teachers = colleagues(school).prefetch_related(Prefetch("classrooms", open_classes))
    former = Membership.objects.filter(school=school, user__is_active=False).select_related("user")
    return ColleaguesPage(
        teachers=[
            ColleagueRow(
                membership=teacher,
                name=teacher.user.get_full_name(),
                username=teacher.user.username,
                is_lead=teacher.is_lead,
                is_own=teacher.pk == lead.pk,
                classrooms=list(teacher.classrooms.all()),
                last_login=teacher.user.last_login,
            )
            for teacher in teachers
        ],
        former=list(former.order_by("user__name", "pk")),
        invitations=list(unused_invitations(school)),
        untaught=list(open_classes.filter(school=school, teachers=None)),
    )


def unused_invitations(school: School) -> QuerySet[Invitation]:
    """Those that nobody used, also when they are too old by now: they say so until the next one is made."""
    return Invitation.objects.filter(school=school, used_at=None).select_related("classroom", "invited_by")


@dataclass(frozen=True, slots=True)
class TeacherOfClass:
    """`may_leave`: whoever looks at the page may take this one out, and somebody stays."""

    membership: Membership
    name: str
    is_own: bool
    may_leave: bool


def teachers_of_class(classroom: Classroom, viewer: Membership) -> list[TeacherOfClass]:
    teachers = list(classroom.teachers.select_related("user").order_by("user__name", "pk"))
    return [
        TeacherOfClass(
            membership=teacher,
            name=teacher.user.get_full_name(),
            is_own=teacher.pk == viewer.pk,
            may_leave=len(teachers) > 1 and (viewer.is_lead or teacher.pk == viewer.pk),
        )
        for teacher in teachers
    ]


def colleagues_to_add(classroom: Classroom) -> QuerySet[Membership]:
    """Who could teach a class as well."""
    return colleagues(classroom.school).exclude(classrooms=classroom)
