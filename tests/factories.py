"""Plain makers of rows with boring defaults. They go through the services, as the site does."""

from __future__ import annotations

import datetime
import itertools

from chesslocker.services.people import sign_up
from classes.models import Classroom, Membership, School, Student, User
from classes.services import add_student, create_classroom, create_teacher
from ratings import services
from ratings.models import Game, RatingList
from ratings.selectors.ledger import default_list

PASSWORD = "three-quiet-rooks"
_numbers = itertools.count(1)

WHITE, DRAW, BLACK = Game.Result.WHITE, Game.Result.DRAW, Game.Result.BLACK


def make_school(*, name: str = "Hill School", lead: str = "", time_zone: str = "UTC") -> School:
    """A school with a lead teacher and a rating list."""
    username = lead or f"lead{next(_numbers)}"
    return sign_up(
        school_name=name, username=username, password=PASSWORD, name=username.title(), time_zone=time_zone
    ).school


def lead_of(school: School) -> Membership:
    return Membership.objects.get(school=school, role=Membership.Role.LEAD)


def make_teacher(school: School, *, username: str = "", name: str = "Ms. Okafor") -> Membership:
    return create_teacher(school=school, username=username or f"teacher{next(_numbers)}", password=PASSWORD, name=name)


def make_classroom(school: School | None = None, *, name: str = "", teacher: Membership | None = None) -> Classroom:
    school = school or make_school()
    return create_classroom(membership=teacher or lead_of(school), name=name or f"Room {next(_numbers)}")


def make_student(
    classroom: Classroom,
    first_name: str = "Mia",
    last_name: str = "",
    *,
    grade: str = "",
    external_id: str = "",
    username: str = "",
    start: int | None = None,
) -> Student:
    """A student of a class; with a user name also an account with PASSWORD."""
    student = add_student(
        classroom=classroom,
        first_name=first_name,
        last_name=last_name,
        grade=grade,
        external_id=external_id,
        username=username,
        password=PASSWORD if username else "",
    )
    if start is not None:
        services.set_start_rating(default_list(classroom.school), student, rating=start)
    return student


def list_of(classroom: Classroom) -> RatingList:
    return default_list(classroom.school)


def make_game(
    classroom: Classroom,
    white: Student,
    black: Student,
    result: str = WHITE,
    *,
    day: datetime.date | None = None,
    by: User | None = None,
    note: str = "",
) -> Game:
    """A recorded game, today unless another day is given."""
    return services.record_game(
        rating_list=list_of(classroom),
        classroom=classroom,
        white=white,
        black=black,
        result=result,
        day=day or classroom.school.today(),
        note=note,
        by=by or lead_of(classroom.school).user,
    )


def give_points(classroom: Classroom, student: Student, points: int = 3, *, day: datetime.date | None = None) -> None:
    services.adjust_ratings(
        rating_list=list_of(classroom),
        classroom=classroom,
        students=[student],
        points=points,
        kind="skill",
        reason="Solved the puzzle sheet",
        day=day or classroom.school.today(),
        by=lead_of(classroom.school).user,
    )
