"""Adjustments as the pages show them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from classes.models import Classroom, Student, User
from ratings.access import adjustments_of_classroom
from ratings.core.ledger import AdjustmentEvent, post
from ratings.models import Adjustment, RatingList
from ratings.selectors.ledger import later_games, rules_of, states_on


@dataclass(frozen=True, slots=True)
class AdjustmentRow:
    adjustment: Adjustment
    label: str


@dataclass(frozen=True, slots=True)
class PreviewRow:
    label: str
    before: int
    moved: int
    after: int


@dataclass(frozen=True, slots=True)
class AdjustmentPreview:
    """What the points would do to each. `later`: games after that day, which are recalculated."""

    rows: list[PreviewRow]
    later: int


@dataclass(frozen=True, slots=True)
class GivenTogether:
    """Adjustments that were just given, to be told and undone."""

    first: Adjustment
    names: list[str]


def adjustments(
    classroom: Classroom,
    *,
    student: int | None = None,
    kind: str = "",
    teacher: int | None = None,
    since: datetime.date | None = None,
    until: datetime.date | None = None,
) -> QuerySet[Adjustment]:
    """The adjustments that a class's teachers see, newest first, voided ones too."""
    found = adjustments_of_classroom(classroom)
    if student is not None:
        found = found.filter(student=student)
    if kind:
        found = found.filter(kind=kind)
    if teacher is not None:
        found = found.filter(given_by=teacher)
    if since is not None:
        found = found.filter(day__gte=since)
    if until is not None:
        found = found.filter(day__lte=until)
    return found.order_by("-day", "-sequence")


def adjustment_rows(found: Iterable[Adjustment], labels: Mapping[int, str]) -> list[AdjustmentRow]:
    return [AdjustmentRow(one, labels.get(one.student_id) or one.student.full_name) for one in found]


def givers(classroom: Classroom) -> list[tuple[int, str]]:
    """Who gave adjustments that a class's teachers see, by name: (id, name)."""
    ids = adjustments_of_classroom(classroom).order_by().values("given_by")
    return [(user.pk, user.get_full_name()) for user in User.objects.filter(pk__in=ids).order_by("name", "username")]


def given_together(classroom: Classroom, pk: str, labels: Mapping[int, str]) -> GivenTogether | None:
    """The batch of an adjustment that was just given; None where it is not there or void."""
    if not pk.isdecimal() or len(pk) > 18:
        return None
    first = adjustments_of_classroom(classroom).filter(pk=int(pk), voided_at=None).first()
    if first is None:
        return None
    batch = batch_of(first)
    return GivenTogether(first, [labels.get(one.student_id) or one.student.full_name for one in batch])


def batch_of(adjustment: Adjustment) -> list[Adjustment]:
    """The adjustments that were given together with one, itself among them."""
    if adjustment.batch is None:
        return [adjustment]
    together = Adjustment.objects.filter(rating_list=adjustment.rating_list_id, batch=adjustment.batch)
    return list(together.select_related("student", "rating_list").order_by("sequence"))


def preview_adjustment(
    rating_list: RatingList, *, students: Sequence[Student], points: int, day: datetime.date, labels: Mapping[int, str]
) -> AdjustmentPreview:
    """What the points would do, by the function that also writes the ledger."""
    states = states_on(rating_list, [student.pk for student in students], day)
    rules = rules_of(rating_list)
    rows = []
    for student in students:
        event = AdjustmentEvent(0, day, rating_list.next_sequence, student.pk, points)
        [(line, _state)] = post(event, states, rules)
        rows.append(PreviewRow(labels[student.pk], line.before, line.after - line.before, line.after))
    rows.sort(key=lambda row: row.label.casefold())
    return AdjustmentPreview(rows, later_games(rating_list, day))
