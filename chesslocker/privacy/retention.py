"""Who has left for longer than the school keeps data, and what else has had its time."""

from __future__ import annotations

import datetime
import zoneinfo
from collections import defaultdict
from dataclasses import dataclass

from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db.models import Max, Model, QuerySet
from django.utils import timezone

from chesslocker.core.retention import due_on, months_later
from chesslocker.privacy.people import ATTEMPTS
from classes.core.names import full_labels
from classes.models import AuditEvent, Enrollment, LoginCode, School, Student, UsedKey
from classes.selectors import names_of
from classes.services import KEYS_ARE_KEPT

EVENTS_ARE_KEPT = 24  # months
ATTEMPTS_ARE_KEPT = datetime.timedelta(days=30)


@dataclass(frozen=True, slots=True)
class DueRow:
    """A student who is due to be erased. `since`: in no open class since this day."""

    student: Student
    label: str
    classes: str
    since: datetime.date
    due_on: datetime.date


def due_students(school: School) -> list[DueRow]:
    """Those who are due today, the longest due first. Three queries."""
    gone = (
        Student.objects.filter(school=school, erased_at=None, merged_into=None)
        .exclude(enrollments__in=Enrollment.objects.filter(active=True, classroom__archived_at=None))
        .order_by("pk")
    )
    students = list(gone)
    enrollments = Enrollment.objects.filter(student__in=gone).select_related("classroom")
    changed = dict(
        Enrollment.history.filter(id__in=enrollments.values("pk"))
        .values("id")
        .annotate(at=Max("history_date"))
        .values_list("id", "at")
    )
    left: dict[int, list[datetime.date]] = defaultdict(list)
    classes: dict[int, list[str]] = defaultdict(list)
    for one in enrollments:
        ended = one.left_at or (one.classroom.archived_at if one.active else changed.get(one.pk))
        left[one.student_id].append(_day(ended or one.created_at, school))
        classes[one.student_id].append(f"{one.classroom.name} ({one.classroom.school_year_name})")
    labels = full_labels(names_of(students))
    today, rows = school.today(), []
    for student in students:
        joined = _day(student.created_at, school)
        due = due_on(left[student.pk], joined=joined, months=school.retention_months)
        if due <= today:
            since = max(left[student.pk], default=joined)
            rows.append(DueRow(student, labels[student.pk], ", ".join(classes[student.pk]), since, due))
    return sorted(rows, key=lambda row: (row.due_on, row.label))


def _day(moment: datetime.datetime, school: School) -> datetime.date:
    return moment.astimezone(zoneinfo.ZoneInfo(school.time_zone)).date()


def outdated() -> dict[str, QuerySet[Model]]:
    """What the server itself keeps for a time only: what it is -> the rows whose time is over."""
    now = timezone.now()
    months_ago = datetime.datetime.combine(
        months_later(now.date(), -EVENTS_ARE_KEPT), datetime.time(), tzinfo=datetime.UTC
    )
    rows: dict[str, QuerySet[Model]] = {
        "sessions that have ended": Session.objects.filter(expire_date__lt=now),
        "keys of forms": UsedKey.objects.filter(created_at__lt=now - KEYS_ARE_KEPT),
        "login codes": LoginCode.objects.filter(expires_at__lt=now),
        "lines of the audit trail": AuditEvent.objects.filter(at__lt=months_ago),
        "lines of the admin's log": LogEntry.objects.filter(action_time__lt=months_ago),
    }
    for model in ATTEMPTS:
        old = model.objects.filter(attempt_time__lt=now - ATTEMPTS_ARE_KEPT)
        rows[f"failed logins ({model._meta.model_name})"] = old
    return rows
