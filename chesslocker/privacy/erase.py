"""Erasing a student: the person goes, what was played stays, and nobody else's numbers change."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from chesslocker.backups import note_erasure
from chesslocker.privacy.people import ATTEMPTS, Names, names_ever, same_child
from classes.models import Badge, Classroom, Enrollment, LoginCode, Rollover, Student, UsedKey, User
from classes.services import Action, end_sessions, one_transaction, record_event
from ratings.models import Adjustment, Game, PracticeSet
from ratings.services import lock_all
from tournaments.models import Entry, KeepApart
from tournaments.services.entries import withdraw

ERASED = "[erased]"


@dataclass(frozen=True, slots=True)
class Consequences:
    """What erasing a student means, to be said before it is done. `running`: tournaments that are being played."""

    games: int
    awards: int
    practice: int
    classes: list[str]
    running: list[str]
    entries: int  # of the same child, merged into this one


def consequences_of(student: Student) -> Consequences:
    """A fixed number of queries."""
    students = same_child(student)
    classes = Classroom.objects.filter(enrollments__student__in=students, enrollments__active=True)
    return Consequences(
        games=_games_of(students).count(),
        awards=Adjustment.objects.filter(student__in=students).count(),
        practice=PracticeSet.objects.filter(student__in=students).count(),
        classes=list(classes.order_by("name").values_list("name", flat=True).distinct()),
        running=[entry.tournament.name for entry in _running(students)],
        entries=len(students),
    )


def erase_student(student: Student, *, by: User | None) -> Student:
    """Make a student nobody: account, names, notes and reasons go; games, ledger and tournaments stay as they are.

    Cannot be taken back. Written into the journal beside the backups, so that a restored one erases again. Erasing
    twice changes nothing.
    """
    return _erase(student, by=by, noted=False)


def erase_again(student: Student) -> Student:
    """As `erase_student`, of a student whom the journal names already: after a backup was restored."""
    return _erase(student, by=None, noted=True)


@one_transaction
def _erase(student: Student, *, by: User | None, noted: bool) -> Student:
    lock_all(student.school)
    student = Student.objects.select_for_update(of=("self",)).select_related("school", "user").get(pk=student.pk)
    if student.erased_at is not None:
        return student
    students = same_child(student)
    names = names_ever(students)
    for entry in _running(students):
        withdraw(entry, by=by, forfeits=True)  # type: ignore[arg-type]  # by nobody, when the server does it by itself
    _empty_texts(students)
    _end_logins(students, names)
    _empty_logs(students, names)
    KeepApart.objects.filter(Q(one__in=students) | Q(other__in=students)).delete()
    PracticeSet.objects.filter(student__in=students).delete()
    Enrollment.objects.filter(student__in=students).update(active=False)
    _forget_grades(students)
    _rename(students)
    now = timezone.now()
    Student.objects.filter(pk__in=[one.pk for one in students]).update(erased_at=now)
    others = [one.pk for one in students if one.pk != student.pk]
    record_event(
        action=Action.STUDENT_ERASED,
        school=student.school,
        by=by,
        about=f"student:{student.pk}",
        detail={"merged": others} if others else None,
    )
    transaction.on_commit(_empty_journal_of_database)
    if not noted:
        for one in students:
            note_erasure(one.school_id, one.pk, now)
    return Student.objects.select_related("school").get(pk=student.pk)


def _running(students: list[Student]) -> QuerySet[Entry]:
    entries = Entry.objects.filter(student__in=students, withdrawn_at=None)
    return (
        entries.filter(tournament__finished_at=None, tournament__cancelled_at=None)
        .select_related("tournament__rating_list", "student")
        .order_by("tournament")
    )


def _games_of(students: list[Student]) -> QuerySet[Game]:
    return Game.objects.filter(Q(white__in=students) | Q(black__in=students))


def _empty_texts(students: list[Student]) -> None:
    """What teachers wrote about the games and the awards, in old versions too, and in games that were theirs once."""
    ids = [one.pk for one in students]
    once = Game.history.filter(Q(white_id__in=ids) | Q(black_id__in=ids)).values_list("id", flat=True)
    games = {*_games_of(students).values_list("pk", flat=True), *once}
    for rows in (Game.objects.filter(pk__in=games), Game.history.filter(id__in=games)):
        rows.exclude(note="").update(note=ERASED)
        rows.exclude(void_reason="").update(void_reason=ERASED)
    for rows in (Adjustment.objects.filter(student__in=ids), Adjustment.history.filter(student_id__in=ids)):
        rows.update(reason=ERASED)
        rows.exclude(void_reason="").update(void_reason=ERASED)


def _end_logins(students: list[Student], names: Names) -> None:
    """Account, sessions, badge and codes; the account's failed logins; what could tell a form that was sent."""
    accounts = [one.user_id for one in students if one.user_id]
    end_sessions(accounts)
    Session.objects.filter(expire_date__lt=timezone.now()).delete()
    Badge.objects.filter(student__in=students).delete()
    LoginCode.objects.filter(student__in=students).delete()
    for model in ATTEMPTS:
        model.objects.filter(username__in=names.usernames).delete()
    # A key still works once, but whose form it was can no longer be tried out.
    UsedKey.objects.filter(user__membership__school=students[0].school_id).update(body_hash="")
    Student.objects.filter(pk__in=[one.pk for one in students]).update(user=None)
    User.objects.filter(pk__in=accounts).delete()


def _empty_logs(students: list[Student], names: Names) -> None:
    """What the admin's log calls the student. Rather a line of somebody else of this name than one too few."""
    about = Q(
        content_type__app_label="classes", content_type__model="student", object_id__in=[one.pk for one in students]
    )
    accounts = [one.user_id for one in students if one.user_id]
    about |= Q(content_type__app_label="classes", content_type__model="user", object_id__in=accounts)
    for name in names.full:
        about |= Q(object_repr__contains=name) | Q(change_message__contains=name)
    LogEntry.objects.filter(about).update(object_repr=ERASED, change_message="")


def _forget_grades(students: list[Student]) -> None:
    """What a change of the school year keeps for its undo."""
    ids = {str(one.pk) for one in students}
    for rollover in Rollover.objects.filter(school=students[0].school_id):
        grades = rollover.moved.get("grades", {})
        if ids & grades.keys():
            kept = {student: grade for student, grade in grades.items() if student not in ids}
            rollover.moved = rollover.moved | {"grades": kept}
            rollover.save(update_fields=["moved"])


def _rename(students: list[Student]) -> None:
    """`Former student 17`, in old versions too; everything else of the person is empty."""
    for one in students:
        empty = {
            "first_name": _("Former student %(number)s") % {"number": one.pk},
            "last_name": "",
            "grade": "",
            "email": "",
            "external_id": "",
            "off_boards": False,
        }
        Student.objects.filter(pk=one.pk).update(**empty)
        Student.history.filter(id=one.pk).update(**empty, user=None)


def _empty_journal_of_database() -> None:
    """Bring what SQLite has written aside into its file, where the old bytes are overwritten (secure_delete)."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
