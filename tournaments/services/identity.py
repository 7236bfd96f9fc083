"""Two records of one child: their entries, and the pairs in which they are kept apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext as _

from classes.models import Student
from classes.services import one_transaction
from ratings.services import lock_all
from tournaments.models import Entry, KeepApart


@one_transaction
def hand_over_entries(*, giver: Student, taker: Student, entries: Sequence[int] | None = None) -> list[int]:
    """Give a student's places in tournaments to another one; ids of those that were handed over.

    The games in them have to go at the same time. `entries`: only these. ValidationError where both are in one.
    """
    lock_all(giver.school)
    handed = Entry.objects.filter(student=giver)
    if entries is not None:
        handed = handed.filter(pk__in=entries)
    if Entry.objects.filter(student=taker, tournament__in=handed.values("tournament")).exists():
        raise ValidationError(_("Both are entered in one tournament."))
    ids = list(handed.order_by("pk").values_list("pk", flat=True))
    Entry.objects.filter(pk__in=ids).update(student=taker)
    return ids


@one_transaction
def hand_over_pairs(*, giver: Student, taker: Student) -> dict[str, list[Any]]:
    """Keep a student apart from whom another one was; ids and what else it takes to give them back.

    `moved`: pairs that changed; `dropped`: [id, one, other, is hard] of those that were there already or would be of
    one child alone; `hardened`: pairs of the taker that became hard.
    """
    lock_all(giver.school)
    done: dict[str, list[Any]] = {"moved": [], "dropped": [], "hardened": []}
    for pair in KeepApart.objects.filter(Q(one=giver) | Q(other=giver)).order_by("pk"):
        friend = pair.other_id if pair.one_id == giver.pk else pair.one_id
        same = KeepApart.objects.filter(one=min(friend, taker.pk), other=max(friend, taker.pk)).first()
        if friend != taker.pk and same is None:
            _write(pair, friend, taker.pk)
            done["moved"].append(pair.pk)
            continue
        done["dropped"].append([pair.pk, pair.one_id, pair.other_id, pair.is_hard])
        pair.delete()
        if same and friend != taker.pk and done["dropped"][-1][3] and not same.is_hard:
            same.is_hard = True
            same.save(update_fields=["is_hard"])
            done["hardened"].append(same.pk)
    return done


@one_transaction
def give_back_pairs(*, giver: Student, taker: Student, done: Mapping[str, Sequence[Any]]) -> None:
    """Take back what `hand_over_pairs` did, as far as those pairs are still there. `taker`: who had them first."""
    lock_all(giver.school)
    for pair in KeepApart.objects.filter(Q(one=giver) | Q(other=giver), pk__in=done["moved"]):
        _write(pair, pair.other_id if pair.one_id == giver.pk else pair.one_id, taker.pk)
    KeepApart.objects.filter(pk__in=done["hardened"]).update(is_hard=False)
    there = set(Student.objects.filter(school=taker.school_id).values_list("pk", flat=True))
    KeepApart.objects.bulk_create(
        KeepApart(pk=pk, school_id=taker.school_id, one_id=one, other_id=other, is_hard=is_hard)
        for pk, one, other, is_hard in done["dropped"]
        if {one, other} <= there
    )


def _write(pair: KeepApart, one: int, other: int) -> None:
    pair.one_id, pair.other_id = min(one, other), max(one, other)
    pair.save(update_fields=["one", "other"])
