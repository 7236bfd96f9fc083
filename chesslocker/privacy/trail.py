"""The audit trail as a lead reads it: numbers become names only here, and only those that the lead may know."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from classes.access import classrooms_of_teacher
from classes.models import AuditEvent, Membership, Student, User
from classes.services import Action
from tournaments.access import tournaments_of_teacher

DETAILS: dict[str, str | Promise] = {
    "with": gettext_lazy("with"),
    "students": gettext_lazy("students"),
    "merged": gettext_lazy("merged entries"),
    "passwords": gettext_lazy("passwords"),
    "badges": gettext_lazy("badges"),
    "codes": gettext_lazy("codes"),
}
WAYS: dict[str, str | Promise] = {
    "password": gettext_lazy("password"),
    "badge": gettext_lazy("badge"),
    "code": gettext_lazy("code"),
}


@dataclass(frozen=True, slots=True)
class EventRow:
    """A line of the trail. `url`: the page of what it is about, where there is one."""

    at: datetime.datetime
    what: str
    by: str
    about: str
    url: str
    detail: str


def events_for(membership: Membership, action: str = "") -> QuerySet[AuditEvent]:
    """The events of the lead's school, newest first; of one action, where it is a known one."""
    events = AuditEvent.objects.filter(school=membership.school)
    return events.filter(action=action) if action in Action.values else events


def event_rows(membership: Membership, events: Iterable[AuditEvent]) -> list[EventRow]:
    """The events with names: one query for each kind of thing they are about, and one for the accounts."""
    events = list(events)
    asked: dict[str, set[int]] = defaultdict(set)
    for event in events:
        kind, _colon, pk = event.about.partition(":")
        if pk.isdecimal():
            asked[kind].add(int(pk))
    asked["user"] |= {event.by_id for event in events if event.by_id}
    names = {kind: _names(membership, kind, ids) for kind, ids in asked.items()}
    words: Mapping[str, str | Promise] = dict(Action.choices)
    return [
        EventRow(
            event.at,
            str(words.get(event.action, event.action)),
            names["user"].get(event.by_id, ("", ""))[0] if event.by_id else "",
            *_about(event.about, names),
            _detail(event.detail),
        )
        for event in events
    ]


def _names(membership: Membership, kind: str, ids: set[int]) -> dict[int, tuple[str, str]]:
    """Number -> name and page, of those that the lead may know."""
    if kind == "student":
        return {
            one.pk: (one.full_name, reverse("student_page", args=[one.merged_into_id or one.pk]))
            for one in Student.objects.filter(school=membership.school, pk__in=ids)
        }
    if kind == "classroom":
        return {
            one.pk: (one.name, reverse("class_page", args=[one.pk]))
            for one in classrooms_of_teacher(membership).filter(pk__in=ids)
        }
    if kind == "tournament":
        return {
            one.pk: (one.name, reverse("tournaments:tournament", args=[one.pk]))
            for one in tournaments_of_teacher(membership).filter(pk__in=ids)
        }
    if kind == "user":
        accounts = User.objects.filter(pk__in=ids)
        theirs = accounts.filter(membership__school=membership.school) | accounts.filter(
            student__school=membership.school
        )
        return {one.pk: (one.get_full_name(), "") for one in theirs}
    return {}


def _about(about: str, names: Mapping[str, Mapping[int, tuple[str, str]]]) -> tuple[str, str]:
    """Name and page of what an event is about; where it is gone, what it was."""
    kind, _colon, pk = about.partition(":")
    known = names.get(kind, {}).get(int(pk)) if pk.isdecimal() else None
    if known:
        return known
    if kind == "student":
        return _("a former student"), ""
    if kind == "user":
        return _("a former account"), ""
    return about, ""


def _detail(detail: Mapping[str, object]) -> str:
    """`students 24 · passwords yes`; lists of numbers are counted."""
    said = []
    for key, value in detail.items():
        if isinstance(value, bool):
            text = _("yes") if value else _("no")
        elif isinstance(value, list | dict):
            text = str(len(value))
        else:
            text = str(WAYS.get(str(value), value))
        said.append(f"{DETAILS.get(key, key)} {text}")
    return " · ".join(said)
