"""Writing that needs more than one app: a school with its rating list, a student with a start rating."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from classes import services as classes_services
from classes.models import Classroom, Membership, School, Student, User
from classes.services import OneTimeKey, one_transaction
from ratings import services as ratings_services
from ratings.models import RatingList
from ratings.selectors.ledger import default_list, starts_of


class SignUpClosed(Exception):
    """This server has its school; further teachers come by invitation."""


@dataclass(frozen=True, slots=True)
class NewSchool:
    school: School
    lead: Membership
    rating_list: RatingList


@one_transaction
def sign_up(
    *,
    school_name: str,
    username: str,
    password: str,
    name: str,
    email: str = "",
    time_zone: str = "UTC",
    only_first: bool = False,
    is_demo: bool = False,
) -> NewSchool:
    """A school with its lead teacher and its rating list. `only_first`: SignUpClosed where a school exists already."""
    if only_first and School.objects.exists():
        raise SignUpClosed
    school = classes_services.create_school(name=school_name, time_zone=time_zone, is_demo=is_demo)
    lead = classes_services.create_teacher(
        school=school, username=username, password=password, name=name, email=email, role=Membership.Role.LEAD
    )
    rating_list = ratings_services.create_rating_list(school=school, name=_("Elo"), is_default=True)
    return NewSchool(school, lead, rating_list)


@one_transaction
def add_student(
    *, classroom: Classroom, start_rating: int | None = None, once: OneTimeKey | None = None, **fields: Any
) -> Student:
    """A new student of a class, with a start rating of their own where one is given."""
    rating_list = default_list(classroom.school)
    ratings_services.lock(rating_list)
    if once:
        once.refuse_second_use()
    student = classes_services.add_student(classroom=classroom, **fields)
    if start_rating is not None and start_rating != rating_list.start_rating:
        ratings_services.set_start_rating(rating_list, student, rating=start_rating)
    if once:
        once.keep(student.pk)
    return student


@one_transaction
def change_student(
    student: Student,
    *,
    by: User | None = None,
    start_rating: int | None = None,
    username: str = "",
    password: str = "",
    **fields: Any,
) -> Student:
    """Change a student's fields, login and, before the first game, start rating."""
    for name, value in fields.items():
        setattr(student, name, value)
    student.full_clean()
    student.save(update_fields=list(fields))
    if password or student.user_id:
        classes_services.set_student_login(student, username=username, password=password, by=by)
    rating_list = default_list(student.school)
    start = starts_of(rating_list, [student.pk]).get(student.pk, rating_list.start_rating)
    if start_rating is not None and start_rating != start:
        ratings_services.set_start_rating(rating_list, student, rating=start_rating)
    return student
