"""The pairs to keep apart, as a page lists them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from classes.core.names import full_labels
from classes.selectors import names_of
from tournaments.models import KeepApart


@dataclass(frozen=True, slots=True)
class KeepApartRow:
    pk: int
    one: str
    other: str
    is_hard: bool


def keep_apart_rows(pairs: Iterable[KeepApart]) -> list[KeepApartRow]:
    """With full names, told apart where they are the same."""
    pairs = list(pairs)
    students = {student.pk: student for pair in pairs for student in (pair.one, pair.other)}
    labels = full_labels(names_of(students.values()))
    return [KeepApartRow(pair.pk, labels[pair.one_id], labels[pair.other_id], pair.is_hard) for pair in pairs]
