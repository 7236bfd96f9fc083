"""Writing about people and classes, where several rows change or another app calls."""

from __future__ import annotations

import datetime
import functools
import hashlib
import secrets
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from anyascii import anyascii
from axes.models import AccessFailureLog
from axes.utils import reset as clear_failed_logins
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import OperationalError, transaction
from django.db.models import ProtectedError, Q, TextChoices
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from simple_history.utils import bulk_create_with_history

from classes.access import hash_of, school_of
from classes.core.cards import Card
from classes.core.passwords import easy_password, lesson_code
from classes.core.roster.types import Person
from classes.core.usernames import propose
from classes.core.years import school_year_of
from classes.models import (
    AuditEvent,
    Badge,
    Classroom,
    Enrollment,
    LoginCode,
    Membership,
    School,
    Student,
    UsedKey,
    User,
)
from classes.selectors import PERSON_FIELDS, taken_usernames

P = ParamSpec("P")
R = TypeVar("R")

RETRIES = 3
TRY_AGAIN = {"40001", "40P01"}  # PostgreSQL: serialization failure, deadlock
KEYS_ARE_KEPT = datetime.timedelta(days=7)


class HasHistory(Exception):
    """Something with games, adjustments or tournament entries cannot be deleted."""


class AlreadyAnswered(Exception):
    """The one-time key was used by the same form: `url` is the answer that was given."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


class KeyReused(Exception):
    """The one-time key was used by a form with other content, or by somebody else."""


def one_transaction(service: Callable[P, R]) -> Callable[P, R]:
    """Run a service in one transaction; on PostgreSQL again, up to three times, when the database asks for it."""

    @functools.wraps(service)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        for attempt in range(RETRIES):
            outermost = not transaction.get_connection().in_atomic_block
            try:
                with transaction.atomic():
                    return service(*args, **kwargs)
            except OperationalError as error:
                last = attempt == RETRIES - 1
                if last or not outermost or getattr(error.__cause__, "sqlstate", None) not in TRY_AGAIN:
                    raise
                time.sleep(0.05 * (attempt + 1))
        raise AssertionError("unreachable: the last attempt returns or raises")

    return run


@dataclass(frozen=True, slots=True)
class OneTimeKey:
    """The key of one form, asked and kept inside the transaction of the service that does the work.

    `answer`: the address to answer with; `{pk}` in it stands for what was made.
    """

    key: uuid.UUID
    user: User
    action: str
    body_hash: str
    answer: str

    @classmethod
    def of_form(
        cls, *, key: uuid.UUID, user: User, action: str, body: Iterable[tuple[str, str]], answer: str
    ) -> OneTimeKey:
        """`body`: the fields of the form as they were sent."""
        text = "\n".join(f"{name}={value!r}" for name, value in sorted(body))
        return cls(key, user, action, hashlib.sha256(text.encode()).hexdigest(), answer)

    def refuse_second_use(self) -> None:
        """Raise AlreadyAnswered or KeyReused where the key was used before."""
        used = UsedKey.objects.filter(key=self.key).first()
        if used is None:
            return
        if (used.user_id, used.action, used.body_hash) != (self.user.pk, self.action, self.body_hash):
            raise KeyReused
        raise AlreadyAnswered(used.answer_url)

    def keep(self, pk: int) -> None:
        """Remember that the work is done. Old keys go at the same time."""
        UsedKey.objects.filter(created_at__lt=timezone.now() - KEYS_ARE_KEPT).delete()
        UsedKey.objects.create(
            key=self.key, user=self.user, action=self.action, body_hash=self.body_hash, answer_url=self.answer_for(pk)
        )

    def answer_for(self, pk: int) -> str:
        return self.answer.format(pk=pk)


@one_transaction
def create_school(*, name: str, time_zone: str = "UTC", is_demo: bool = False) -> School:
    school = School(name=name, time_zone=time_zone, is_demo=is_demo)
    school.full_clean()
    school.save()
    return school


@one_transaction
def create_teacher(
    *, school: School, username: str, password: str, name: str, email: str = "", role: str = Membership.Role.TEACHER
) -> Membership:
    """A teacher's account in a school."""
    user = User(username=username, name=name, email=email, role=User.Role.TEACHER)
    user.set_password(password)
    user.full_clean()
    user.save()
    return Membership.objects.create(user=user, school=school, role=role)


@one_transaction
def create_classroom(*, membership: Membership, name: str, school_year: int | None = None) -> Classroom:
    """A class with its first teacher. Without a year the running school year."""
    classroom = Classroom(
        school=membership.school,
        name=name,
        school_year=school_year_of(membership.school.today()) if school_year is None else school_year,
    )
    classroom.full_clean()
    classroom.save()
    classroom.teachers.add(membership)
    return classroom


def archive_classroom(classroom: Classroom) -> None:
    """Close a class: readable, nothing more can be written."""
    classroom.archived_at = timezone.now()
    classroom.save(update_fields=["archived_at"])


def reopen_classroom(classroom: Classroom) -> None:
    """Open an archived class again. ValidationError where its name was taken meanwhile."""
    classroom.archived_at = None
    classroom.full_clean()
    classroom.save(update_fields=["archived_at"])


@one_transaction
def delete_classroom(classroom: Classroom) -> None:
    """Delete a class in which nothing ever happened, with its enrollments; HasHistory otherwise.

    Students who are in no other class go with it, unless they have a history elsewhere.
    """
    students = list(Student.objects.filter(enrollments__classroom=classroom))
    try:
        Enrollment.objects.filter(classroom=classroom).delete()
        classroom.delete()
    except ProtectedError as error:
        raise HasHistory from error
    delete_students(student for student in students if not student.enrollments.exists())


@one_transaction
def add_student(
    *,
    classroom: Classroom,
    first_name: str,
    last_name: str = "",
    grade: str = "",
    email: str = "",
    external_id: str = "",
    username: str = "",
    password: str = "",
) -> Student:
    """A new student, enrolled and active. With a password also an account; without a user name one is proposed."""
    student = Student(
        school=classroom.school,
        first_name=first_name,
        last_name=last_name,
        grade=grade,
        email=email,
        external_id=external_id,
    )
    student.full_clean()
    student.save()
    Enrollment.objects.create(student=student, classroom=classroom)
    if password:
        set_student_login(student, username=username, password=password)
    return student


class ClassChanged(Exception):
    """Since the import was worked out students of the class came or went, or one of its ids was given to somebody."""


@one_transaction
def import_students(
    *,
    classroom: Classroom,
    new: Iterable[Person],
    enroll: Iterable[int] = (),
    changes: Mapping[int, Mapping[str, str]] | None = None,
    enrolled: Collection[int],
    once: OneTimeKey | None = None,
) -> list[int]:
    """Make the new students of a class list, enrol known ones, take over changes; all or nothing. Ids of the new.

    `changes`: student -> field of Person -> value. `enrolled`: who was in the class, active or not, when all this was
    worked out; ClassChanged where that is no longer so, or a new student's id is taken. Nobody is made active again.
    """
    classroom = Classroom.objects.select_for_update().select_related("school").get(pk=classroom.pk)
    if once:
        once.refuse_second_use()
    here = Enrollment.objects.filter(classroom=classroom, left_at=None)
    if set(here.values_list("student_id", flat=True)) != set(enrolled):
        raise ClassChanged
    new = list(new)
    ids = [person.id for person in new if person.id]
    if Student.objects.filter(school_id=classroom.school_id, external_id__in=ids).exists():
        raise ClassChanged
    students = [
        Student(
            school=classroom.school,
            first_name=person.first,
            last_name=person.last,
            grade=person.grade,
            email=person.email,
            external_id=person.id,
        )
        for person in new
    ]
    for student in students:
        # The constraints are left to the database: asking it about each of a thousand takes seconds.
        student.clean_fields(exclude={"school", "user"})
    made = bulk_create_with_history(students, Student)
    joining = list(Student.objects.filter(school_id=classroom.school_id, pk__in=list(enroll)))
    were_here = {one.student_id: one for one in Enrollment.objects.filter(classroom=classroom, student__in=joining)}
    new_here = [*made, *(student for student in joining if student.pk not in were_here)]
    bulk_create_with_history([Enrollment(student=student, classroom=classroom) for student in new_here], Enrollment)
    for enrollment in were_here.values():
        _come_back(enrollment)
    changes = changes or {}
    for student in Student.objects.filter(school_id=classroom.school_id, pk__in=list(changes)).select_related("user"):
        _take_over(student, {PERSON_FIELDS[name][0]: value for name, value in changes[student.pk].items()})
    if once:
        once.keep(classroom.pk)
    return [student.pk for student in made]


def _take_over(student: Student, values: Mapping[str, str]) -> None:
    for name, value in values.items():
        setattr(student, name, value)
    student.full_clean()
    student.save(update_fields=list(values))
    if student.user and student.user.name != student.full_name:
        student.user.name = student.full_name
        student.user.save(update_fields=["name"])


@one_transaction
def enroll(student: Student, classroom: Classroom) -> Enrollment:
    """Enrol a student of the school in one more class; who moved on from it comes back.

    Where the student is already, active or not, nothing changes.
    """
    enrollment, made = Enrollment.objects.get_or_create(student=student, classroom=classroom)
    if not made:
        _come_back(enrollment)
    return enrollment


def _come_back(enrollment: Enrollment) -> None:
    """Make somebody who moved on to another class active again; who only was inactive stays so."""
    if enrollment.left_at is not None:
        enrollment.active, enrollment.left_at = True, None
        enrollment.save(update_fields=["active", "left_at"])


@one_transaction
def set_student_login(student: Student, *, username: str = "", password: str = "", by: User | None = None) -> User:
    """Make or change a student's account. A new password ends every session of the student and clears failed tries.

    `by`: who resets the password, for the audit trail; none where that is noted otherwise.
    """
    user = student.user or User(role=User.Role.STUDENT, username=username or proposed_username(student))
    if username:
        user.username = username
    user.name = student.full_name
    if password:
        user.set_password(password)
    elif user.pk is None:
        user.set_unusable_password()
    user.full_clean(exclude=["password"])
    user.save()
    if student.user_id != user.pk:
        student.user = user
        student.save(update_fields=["user"])
    if password:
        clear_failed_logins(username=user.username)
    if password and by:
        record_event(action=Action.LOGIN_RESET, school=student.school, by=by, about=f"student:{student.pk}")
    return user


def proposed_username(student: Student) -> str:
    """A free user name from the student's name."""
    first, last = anyascii(student.first_name), anyascii(student.last_name)
    stem = propose(first, "", ())
    return propose(first, last, taken_usernames(stem))


def set_language(user: User, language: str) -> None:
    """Choose the language that an account's pages are in, whatever the browser asks for."""
    user.language = language
    user.save(update_fields=["language"])


def new_easy_password() -> str:
    """A password that a child can type."""
    return easy_password(secrets.choice)


def set_active(enrollment: Enrollment, *, active: bool) -> None:
    """Make a student active or inactive in a class."""
    enrollment.active = active
    enrollment.save(update_fields=["active"])


@one_transaction
def delete_student(student: Student) -> None:
    """Delete a student who never played and was never given points, with the account; HasHistory otherwise."""
    try:
        _delete_with_account(student)
    except ProtectedError as error:
        raise HasHistory from error


@one_transaction
def delete_students(students: Iterable[Student]) -> int:
    """Delete those of the students who have no history, as the Undo of adding many; the number deleted."""
    deleted = 0
    for student in students:
        try:
            with transaction.atomic():
                _delete_with_account(student)
        except ProtectedError:
            continue
        deleted += 1
    return deleted


def _delete_with_account(student: Student) -> None:
    """The row, its account and what the edit history kept of the name: nothing of a mistyped child remains."""
    user, pk = student.user, student.pk
    enrollments = list(Enrollment.objects.filter(student=student).values_list("pk", flat=True))
    student.delete()
    if user:
        user.delete()
    Student.history.filter(id=pk).delete()
    Enrollment.history.filter(id__in=enrollments).delete()


# --- the audit trail ---


class Action(TextChoices):
    """What an audit event can say was done, and how the page for leads says it."""

    LOGIN_OK = "login.ok", _("logged in")
    LOGIN_FAILED = "login.failed", _("login failed")
    LOGIN_REFUSED = "login.refused", _("login refused after too many tries")
    LOGIN_RESET = "login.reset", _("password reset")
    CARDS_MADE = "cards.made", _("login cards made")
    BADGE_VOIDED = "badge.voided", _("badge voided")
    CODES_MADE = "codes.made", _("login codes made")
    TEACHER_INVITED = "teacher.invited", _("teacher invited")
    INVITATION_REVOKED = "invitation.revoked", _("invitation taken back")
    TEACHER_JOINED = "teacher.joined", _("teacher joined by invitation")
    ROLE_CHANGED = "role.changed", _("role of a teacher changed")
    TEACHER_REMOVED = "teacher.removed", _("teacher removed")
    TEACHER_READMITTED = "teacher.readmitted", _("teacher let in again")
    TEACHER_ADDED_TO_CLASS = "class.teacher_added", _("teacher added to a class")
    TEACHER_LEFT_CLASS = "class.teacher_left", _("teacher left a class")
    CLASS_HANDED_OVER = "class.handed_over", _("class handed over")
    HELPER_LINK_MADE = "helper.link_made", _("helper link made")
    HELPER_LINK_REVOKED = "helper.link_revoked", _("helper link ended")
    HELPER_LINK_OPENED = "helper.link_opened", _("helper link opened")
    STUDENT_TRANSFERRED = "student.transferred", _("student moved to another class")
    STUDENTS_MERGED = "students.merged", _("two records of a student merged")
    MERGE_UNDONE = "merge.undone", _("merge undone")
    YEAR_ROLLED_OVER = "year.rolled_over", _("school year changed")
    ROLLOVER_UNDONE = "rollover.undone", _("change of school year undone")
    BACKUP_MADE = "backup.made", _("backup made")
    BACKUP_DOWNLOADED = "backup.downloaded", _("backup downloaded")
    BACKUP_RESTORED = "backup.restored", _("backup restored")
    SCHOOL_CHANGED = "school.changed", _("school settings changed")
    STUDENT_EXPORTED = "student.exported", _("all data of a student exported")
    STUDENT_ERASED = "student.erased", _("student erased")


def record_event(
    *,
    action: Action,
    school: School | None = None,
    by: User | None = None,
    about: str = "",
    detail: Mapping[str, object] | None = None,
) -> AuditEvent:
    """Note what somebody may have to account for, inside the transaction of what was done. Ids and numbers, no names.

    `school`: none for what concerns the whole server. `about`: kind and id, such as `student:12`.
    """
    return AuditEvent.objects.create(action=action, school=school, by=by, about=about, detail=dict(detail or {}))


# --- logging in: passwords, cards, badges and the codes of a lesson ---

CODES_WORK = datetime.timedelta(minutes=10)
MOST_WRONG_CODES = 60  # from one address in the time below: more than a class mistypes, far less than guessing takes
WRONG_CODES_COUNT = datetime.timedelta(minutes=10)
LOGIN_CODE = "login code"  # in place of a user name, which has no blanks, where failed logins are counted


class TooManyWrongCodes(Exception):
    """From this address too many wrong login codes came in the last minutes."""


@one_transaction
def reset_password(student: Student, *, by: User) -> Card:
    """A new password for a student; an account too where there is none. The old one and all sessions end."""
    password = new_easy_password()
    user = set_student_login(student, password=password, by=by)
    return Card(student.pk, user.username, password, "")


@one_transaction
def make_cards(
    *, classroom: Classroom, students: Iterable[int], passwords: bool, badges: bool, by: User, once: OneTimeKey
) -> list[Card]:
    """New passwords, new badges or both for active students of a class, and accounts for those who have none.

    The old ones are void and all sessions of these students end. The cards come in the order of the students.
    """
    classroom = Classroom.objects.select_for_update().select_related("school").get(pk=classroom.pk)
    once.refuse_second_use()
    wanted = Student.objects.filter(enrollments__classroom=classroom, enrollments__active=True).select_related("user")
    found = wanted.in_bulk(list(students))
    cards = [_new_card(student, password=passwords, badge=badges, by=by) for student in found.values()]
    end_sessions(student.user_id for student in found.values() if student.user_id)
    record_event(
        action=Action.CARDS_MADE,
        school=classroom.school,
        by=by,
        about=f"classroom:{classroom.pk}",
        detail={"students": sorted(found), "passwords": passwords, "badges": badges},
    )
    once.keep(classroom.pk)
    return cards


def _new_card(student: Student, *, password: bool, badge: bool, by: User) -> Card:
    new_password = new_easy_password() if password else ""
    user = set_student_login(student, password=new_password) if password or student.user is None else student.user
    token = secrets.token_urlsafe(16) if badge else ""  # 128 bits
    if badge:
        values = {"token_hash": hash_of(token), "made_by": by, "made_at": timezone.now()}
        Badge.objects.update_or_create(student=student, defaults=values)
    return Card(student.pk, user.username, new_password, token)


@one_transaction
def void_badge(student: Student, *, by: User) -> bool:
    """End a student's badge and whatever session it opened; whether there was one."""
    voided, _kinds = Badge.objects.filter(student=student).delete()
    if voided and student.user_id:
        end_sessions([student.user_id])
        record_event(action=Action.BADGE_VOIDED, school=student.school, by=by, about=f"student:{student.pk}")
    return bool(voided)


@one_transaction
def make_login_codes(classroom: Classroom, *, by: User) -> dict[int, str]:
    """A code for this lesson for every active student with an account: student -> code. Older ones are void."""
    now = timezone.now()
    students = Student.objects.filter(
        enrollments__classroom=classroom, enrollments__active=True, user__is_active=True
    ).values_list("pk", flat=True)
    LoginCode.objects.filter(Q(classroom=classroom) | Q(student__in=students) | Q(expires_at__lte=now)).delete()
    given = set(LoginCode.objects.values_list("code_hash", flat=True))
    codes: dict[int, str] = {}
    for student_id in students:
        code = lesson_code(secrets.choice)
        while hash_of(code) in given:
            code = lesson_code(secrets.choice)
        given.add(hash_of(code))
        codes[student_id] = code
    LoginCode.objects.bulk_create(
        LoginCode(
            student_id=student_id,
            classroom=classroom,
            code_hash=hash_of(code),
            expires_at=now + CODES_WORK,
            made_by=by,
        )
        for student_id, code in codes.items()
    )
    record_event(
        action=Action.CODES_MADE,
        school=classroom.school,
        by=by,
        about=f"classroom:{classroom.pk}",
        detail={"codes": len(codes)},
    )
    return codes


@one_transaction
def use_login_code(code: str, *, address: str) -> User | None:
    """The account that a code lets in, once; None for one that is wrong, used or old. TooManyWrongCodes.

    `address`: from where it was typed; the tries are counted there, apart from those with passwords.
    """
    now = timezone.now()
    wrong = AccessFailureLog.objects.filter(username=LOGIN_CODE)
    wrong.filter(attempt_time__lte=now - WRONG_CODES_COUNT).delete()
    tries = wrong.filter(ip_address=address or None).count()
    if tries >= MOST_WRONG_CODES:
        raise TooManyWrongCodes
    codes = LoginCode.objects.filter(
        code_hash=hash_of(code),
        expires_at__gt=now,
        student__user__is_active=True,
        student__user__role=User.Role.STUDENT,
    )
    found = codes.select_related("student__user").first()
    if found and codes.filter(pk=found.pk).delete()[0]:  # of two at the same moment the second deletes nothing
        return found.student.user
    AccessFailureLog.objects.create(username=LOGIN_CODE, ip_address=address or None)
    if tries + 1 == MOST_WRONG_CODES:
        record_event(action=Action.LOGIN_REFUSED, detail={"with": "code"})
    return None


def end_sessions(users: Iterable[int]) -> None:
    """Log accounts out on every device, whether their password changed or not."""
    ids = {str(user) for user in users}
    sessions = Session.objects.filter(expire_date__gt=timezone.now())
    ended = [session.pk for session in sessions if session.get_decoded().get(SESSION_KEY) in ids]
    Session.objects.filter(pk__in=ended).delete()


def record_login(user: User, *, action: Action, way: str) -> None:
    """Note that somebody logged in, mistyped or was slowed down. `way`: password, badge or code."""
    about = f"student:{user.student.pk}" if hasattr(user, "student") else f"user:{user.pk}"
    by = user if action == Action.LOGIN_OK else None
    record_event(action=action, school=school_of(user), by=by, about=about, detail={"with": way})
