"""Writing for the school year: a student moves, a year begins, two records of one child become one.

Every service is one transaction; it locks all rating lists of the school first, then what it changes.
"""

from __future__ import annotations

import uuid
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _
from simple_history.utils import bulk_create_with_history, bulk_update_with_history

from chesslocker.selectors.year import (
    Plan,
    rollover_plan,
    versions_of,
    why_merge_stays,
    why_not_merge,
    why_rollover_stays,
)
from classes.core.rollover import Choices
from classes.core.years import school_year_name
from classes.models import Badge, Classroom, Enrollment, LoginCode, Merge, Rollover, School, Student, User
from classes.services import (
    Action,
    OneTimeKey,
    archive_classroom,
    end_sessions,
    enroll,
    one_transaction,
    record_event,
    reopen_classroom,
)
from ratings.models import Adjustment
from ratings.services import Record, StaleVersion, hand_over, lock_all, start_season, void_together
from tournaments.services.identity import give_back_pairs, hand_over_entries, hand_over_pairs

FILLED = ("last_name", "grade", "email", "external_id")  # taken over where the kept record has none


class PlanChanged(Exception):
    """Since the change of the school year was shown, students, classes or ratings changed."""


@one_transaction
def transfer_student(
    student: Student, *, to: Classroom, leaves: Enrollment | None, by: User, once: OneTimeKey | None = None
) -> Enrollment:
    """Enrol a student in a class, and end the enrollment in another one; None where they stay in all.

    Games, points and rating are the student's and stay. ValidationError where the class is of another school or closed.
    """
    lock_all(student.school)
    if once:
        once.refuse_second_use()
    if to.school_id != student.school_id or to.is_archived or (leaves and leaves.student_id != student.pk):
        raise ValidationError(_("Choose an open class of this school."))
    enrollment = enroll(student, to)
    if not enrollment.active:
        enrollment.active = True
        enrollment.save(update_fields=["active"])
    if leaves and leaves.classroom_id != to.pk:
        leaves.active, leaves.left_at = False, timezone.now()
        leaves.save(update_fields=["active", "left_at"])
    record_event(
        action=Action.STUDENT_TRANSFERRED,
        school=student.school,
        by=by,
        about=f"student:{student.pk}",
        detail={"to": to.pk, "from": leaves.classroom_id if leaves else None},
    )
    if once:
        once.keep(student.pk)
    return enrollment


# --- a new school year ---


@one_transaction
def roll_over(
    school: School,
    *,
    to_year: int,
    choices: Choices,
    share: int = 0,
    by: User,
    seen: str | None = None,
    once: OneTimeKey | None = None,
) -> Rollover | None:
    """Move the students of all earlier years into the classes of a year; None where there is nothing to move.

    `seen`: the fingerprint of the plan that was shown; PlanChanged where it is another one by now. The old classes are
    archived, new ones made with the same teachers, and ratings pulled to the start by `share` per cent.
    """
    lists = lock_all(school)
    if once:
        once.refuse_second_use()
    plan = rollover_plan(school, to_year, choices, share=share)
    if seen is not None and seen != plan.fingerprint:
        raise PlanChanged
    if plan.is_empty:
        return None
    targets = {name: one or _new_class(school, plan, name, by) for name, one in plan.targets.items()}
    made = [targets[name].pk for name, one in plan.targets.items() if one is None]
    wanted = dict.fromkeys((move.student, targets[move.to.lower()].pk) for move in plan.moves if move.to)
    rows = [Enrollment(student_id=pk, classroom_id=to) for pk, to in wanted if (pk, to) not in plan.already]
    enrollments = bulk_create_with_history(rows, Enrollment, default_user=by)
    batch = uuid.uuid4()
    for rating_list in lists:
        if points := plan.points.get(rating_list.pk):
            reason = _("New school year %(year)s") % {"year": school_year_name(to_year)}
            start_season(rating_list, points=points, reason=reason, batch=batch, by=by)
    moved = {
        "students": len({move.student for move in plan.moves}),
        "enrollments": [one.pk for one in enrollments],
        "classes": made,
        "targets": [one.pk for one in targets.values()],
        "left": _leave(plan, by),
        "grades": _change_grades({move.student: move.grade for move in plan.moves}, by),
        "archived": [one.pk for one in plan.classrooms],
    }
    for classroom in plan.classrooms:
        archive_classroom(classroom)
    rollover = Rollover.objects.create(
        school=school, to_year=to_year, moved=moved, batch=batch if plan.points else None, made_by=by
    )
    record_event(
        action=Action.YEAR_ROLLED_OVER,
        school=school,
        by=by,
        about=f"rollover:{rollover.pk}",
        detail={"students": moved["students"], "classes": len(targets), "share": share},
    )
    if once:
        once.keep(rollover.pk)
    return rollover


def _new_class(school: School, plan: Plan, name: str, by: User) -> Classroom:
    """A class of the new year with the teachers of those that become it; where there are none, of who makes it."""
    spelled = next(move.to for move in plan.moves if move.to.lower() == name)
    classroom = Classroom(school=school, name=spelled, school_year=plan.to_year)
    sources = plan.sources_of(name)
    classroom.allows_negative_behaviour = any(one.allows_negative_behaviour for one in sources)
    classroom.full_clean()
    classroom.save()
    teachers = {teacher for one in sources for teacher in one.teachers.all()}
    classroom.teachers.set(teachers or {by.membership})
    return classroom


def _leave(plan: Plan, by: User) -> list[int]:
    """Note in the old classes who went on to another one; ids of these enrollments."""
    going = {(move.student, move.classroom) for move in plan.moves if move.to}
    old = Enrollment.objects.filter(classroom__in=[one.pk for one in plan.classrooms], active=True).order_by("pk")
    left = [one for one in old if (one.student_id, one.classroom_id) in going]
    for one in left:
        one.left_at = timezone.now()
    bulk_update_with_history(left, Enrollment, ["left_at"], default_user=by)
    return [one.pk for one in left]


def _change_grades(wanted: dict[int, str], by: User) -> dict[str, list[str]]:
    """Give students their new grades; student -> grade before and after, of those that changed."""
    changed = {}
    students = [one for one in Student.objects.filter(pk__in=wanted).order_by("pk") if one.grade != wanted[one.pk]]
    for student in students:
        changed[str(student.pk)] = [student.grade, wanted[student.pk]]
        student.grade = wanted[student.pk]
    bulk_update_with_history(students, Student, ["grade"], default_user=by)
    return changed


@one_transaction
def undo_rollover(rollover: Rollover, *, by: User, once: OneTimeKey | None = None) -> None:
    """Put everybody back where they were, and the ratings too. ValidationError, with the reason, where it is too late.

    A new class in which something else was done meanwhile stays, without those who were moved.
    """
    lock_all(rollover.school)
    if once:
        once.refuse_second_use()
    rollover = Rollover.objects.select_for_update(of=("self",)).select_related("school").get(pk=rollover.pk)
    if why_not := why_rollover_stays(rollover):
        raise ValidationError(why_not)
    moved = rollover.moved
    for enrollment in Enrollment.objects.filter(pk__in=moved["enrollments"]):
        enrollment.delete()
    for classroom in Classroom.objects.filter(pk__in=moved["classes"], enrollments=None):
        try:
            with transaction.atomic():
                classroom.delete()
        except ProtectedError:
            pass
    for classroom in Classroom.objects.filter(pk__in=moved["archived"]).exclude(archived_at=None):
        reopen_classroom(classroom)
    back = list(Enrollment.objects.filter(pk__in=moved["left"]).order_by("pk"))
    for enrollment in back:
        enrollment.left_at = None
    bulk_update_with_history(back, Enrollment, ["left_at"], default_user=by)
    grades = {int(pk): before for pk, (before, _after) in moved["grades"].items()}
    after = {int(pk): after for pk, (_before, after) in moved["grades"].items()}
    same = Student.objects.filter(pk__in=grades)
    _change_grades({one.pk: grades[one.pk] for one in same if one.grade == after[one.pk]}, by)
    if rollover.batch:
        for rating_list in lock_all(rollover.school):
            given = Adjustment.objects.filter(rating_list=rating_list, batch=rollover.batch)
            void_together(list(given), by=by, reason=_("Change of the school year undone"))
    rollover.undone_at = timezone.now()
    rollover.save(update_fields=["undone_at"])
    record_event(action=Action.ROLLOVER_UNDONE, school=rollover.school, by=by, about=f"rollover:{rollover.pk}")
    if once:
        once.keep(rollover.pk)


# --- two records of one child ---


@one_transaction
def merge_students(
    *, kept: Student, merged: Student, by: User, versions: str | None = None, once: OneTimeKey | None = None
) -> Merge:
    """Make two records of one child one: all that the second has goes to the first, whose start and login stay.

    `versions`: of the rating lists when the consequences were shown; StaleVersion where somebody wrote meanwhile.
    ValidationError, with the reason, where the two cannot be one child. What moved is kept for `undo_merge`.
    """
    lock_all(kept.school)
    if once:
        once.refuse_second_use()
    if versions is not None and versions != versions_of(kept.school):
        raise StaleVersion
    kept, merged = _locked(kept, merged)
    if why_not := why_not_merge(kept, merged):
        raise ValidationError(why_not)
    moved = {
        "record": asdict(hand_over(giver=merged, taker=kept, by=by)),
        "entries": hand_over_entries(giver=merged, taker=kept),
        "pairs": hand_over_pairs(giver=merged, taker=kept),
        "enrollments": _move_enrollments(kept, merged, by),
        "account": _move_account(kept, merged),
        "filled": _fill(kept, merged),
    }
    merged.merged_into = kept
    kept.save(update_fields=["user", "off_boards", *FILLED])
    merged.save(update_fields=["merged_into"])
    merge = Merge.objects.create(kept=kept, merged=merged, moved=moved, merged_by=by)
    record_event(
        action=Action.STUDENTS_MERGED,
        school=kept.school,
        by=by,
        about=f"student:{kept.pk}",
        detail={"merge": merge.pk, "merged": merged.pk},
    )
    if once:
        once.keep(kept.pk)
    return merge


def _locked(*students: Student) -> list[Student]:
    found = Student.objects.select_for_update(of=("self",)).select_related("school", "user").order_by("pk")
    rows = found.in_bulk([student.pk for student in students])
    return [rows[student.pk] for student in students]


def _move_enrollments(kept: Student, merged: Student, by: User) -> dict[str, list[Any]]:
    """Move the classes; where both are in one, one of the two enrollments is enough, active if either was.

    `changed`: [id, active, left] of the kept one's, as they were; `dropped`: what it takes to make the others again.
    """
    done: dict[str, list[Any]] = {"moved": [], "changed": [], "dropped": []}
    own = {one.classroom_id: one for one in Enrollment.objects.filter(student=kept)}
    for one in Enrollment.objects.filter(student=merged).order_by("pk"):
        there = own.get(one.classroom_id)
        if there is None:
            one.student = kept
            one.save(update_fields=["student"])
            done["moved"].append(one.pk)
            continue
        done["dropped"].append([one.pk, one.classroom_id, one.active, _written(one.left_at), _written(one.created_at)])
        one.delete()
        if one.active and not there.active:
            done["changed"].append([there.pk, there.active, _written(there.left_at)])
            there.active, there.left_at = True, None
            there.save(update_fields=["active", "left_at"])
    return done


def _written(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _move_account(kept: Student, merged: Student) -> dict[str, Any]:
    """The kept one's login stays, the other is switched off; without one the other's is taken over, badge included."""
    LoginCode.objects.filter(student=merged).delete()
    user = merged.user
    if user is None:
        return {}
    end_sessions([user.pk])
    if kept.user_id:
        was_active = user.is_active
        user.is_active = False
        user.save(update_fields=["is_active"])
        return {"switched_off": user.pk if was_active else None}
    merged.user, kept.user = None, user
    merged.save(update_fields=["user"])  # first: an account belongs to one student
    user.name = kept.full_name
    user.save(update_fields=["name"])
    Badge.objects.filter(student=kept).delete()  # without an account it let nobody in
    Badge.objects.filter(student=merged).update(student=kept)
    return {"taken_over": user.pk}


def _fill(kept: Student, merged: Student) -> dict[str, Any]:
    """What the kept record does not say is taken from the other; which fields, and whether it was off the boards."""
    names = [name for name in FILLED if not getattr(kept, name) and getattr(merged, name)]
    done = {"fields": names, "off_boards": merged.off_boards and not kept.off_boards}
    for name in names:
        setattr(kept, name, getattr(merged, name))
    if "external_id" in names:
        _clear_id(merged)
    kept.off_boards = kept.off_boards or merged.off_boards
    return done


def _clear_id(student: Student) -> None:
    """Free the school's own id of a student for another one, before that is saved: it is there once."""
    student.external_id = ""
    student.save(update_fields=["external_id"])


@one_transaction
def undo_merge(merge: Merge, *, by: User, once: OneTimeKey | None = None) -> None:
    """Make one record two again, each with what it had. ValidationError, with the reason, where it is too late."""
    lock_all(merge.kept.school)
    if once:
        once.refuse_second_use()
    merge = Merge.objects.select_for_update(of=("self",)).get(pk=merge.pk)
    kept, merged = merge.kept, merge.merged = _locked(merge.kept, merge.merged)
    if why_not := why_merge_stays(merge):
        raise ValidationError(why_not)
    moved = merge.moved
    record = Record(**{name: tuple(ids) for name, ids in moved["record"].items()})
    hand_over(giver=kept, taker=merged, record=record, by=by)
    hand_over_entries(giver=kept, taker=merged, entries=moved["entries"])
    give_back_pairs(giver=kept, taker=merged, done=moved["pairs"])
    _give_back_enrollments(kept, merged, moved["enrollments"])
    _empty(kept, merged, moved["filled"])
    kept.save(update_fields=["off_boards", *FILLED])
    merged.merged_into = None
    merged.save(update_fields=["merged_into", "external_id"])
    _give_back_account(kept, merged, moved["account"])
    merge.undone_at = timezone.now()
    merge.save(update_fields=["undone_at"])
    record_event(
        action=Action.MERGE_UNDONE,
        school=kept.school,
        by=by,
        about=f"student:{kept.pk}",
        detail={"merge": merge.pk, "merged": merged.pk},
    )
    if once:
        once.keep(kept.pk)


def _give_back_enrollments(kept: Student, merged: Student, done: dict[str, list[Any]]) -> None:
    for one in Enrollment.objects.filter(pk__in=done["moved"], student=kept):
        one.student = merged
        one.save(update_fields=["student"])
    for pk, active, left in done["changed"]:
        for one in Enrollment.objects.filter(pk=pk, student=kept):
            one.active, one.left_at = active, _read(left)
            one.save(update_fields=["active", "left_at"])
    for pk, classroom, active, left, created in done["dropped"]:
        if Classroom.objects.filter(pk=classroom).exists():
            Enrollment.objects.create(
                pk=pk,
                student=merged,
                classroom_id=classroom,
                active=active,
                left_at=_read(left),
                created_at=_read(created) or timezone.now(),
            )


def _read(moment: str | None) -> datetime | None:
    return datetime.fromisoformat(moment) if moment else None


def _give_back_account(kept: Student, merged: Student, done: dict[str, Any]) -> None:
    if done.get("switched_off"):
        User.objects.filter(pk=done["switched_off"]).update(is_active=True)
    if kept.user and kept.user.pk == done.get("taken_over"):
        user, kept.user = kept.user, None
        end_sessions([user.pk])
        kept.save(update_fields=["user"])
        merged.user = user
        merged.save(update_fields=["user"])
        user.name = merged.full_name
        user.save(update_fields=["name"])
        Badge.objects.filter(student=kept).update(student=merged)


def _empty(kept: Student, merged: Student, done: dict[str, Any]) -> None:
    """Take back what was filled in from the other record, where it was not changed since."""
    for name in done["fields"]:
        if name == "external_id":
            merged.external_id = kept.external_id
            kept.external_id = ""
        elif getattr(kept, name) == getattr(merged, name):
            setattr(kept, name, "")
    if done["off_boards"]:
        kept.off_boards = False
