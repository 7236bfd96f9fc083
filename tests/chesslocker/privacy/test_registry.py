"""Every field of every table is in the register of personal data."""

from __future__ import annotations

from django.db import models

from chesslocker.privacy.export import SECTIONS
from chesslocker.privacy.registry import REGISTRY, Erase, Personal, faults, personal, tables
from classes.models import Student


def test_every_field_of_every_table_is_in_the_registry_once():
    assert faults(tables()) == []


def test_a_new_field_a_new_table_and_a_new_relation_are_noticed(monkeypatch):
    without = tuple(entry for entry in REGISTRY["classes.student"] if "last_name" not in entry.fields)
    monkeypatch.setitem(REGISTRY, "classes.student", (*without, Personal("birthday", "", "", Erase.KEPT)))
    monkeypatch.delitem(REGISTRY, "classes.badge")

    assert faults(tables()) == [
        *(f"classes.badge.{name} is not in the registry" for name in ("id", "made_at", "made_by", "student")),
        "classes.badge.token_hash is not in the registry",
        "classes.student.birthday is in the registry, and is not there",
        "classes.student.last_name is not in the registry",
    ]  # fmt: skip


def test_whatever_points_at_a_student_or_at_an_account_says_so():
    """A relation to a person is personal, unless it is one of a teacher or repeats another."""
    known = {(label, name) for label, name, _entry in personal()}
    to_students = {
        (model._meta.label_lower, field.name)
        for model in tables()
        for field in model._meta.fields
        if isinstance(field, models.ForeignKey) and field.related_model is Student
    }

    assert to_students - known == set()


def test_what_is_not_exported_says_why_and_the_rest_is_in_a_part_of_the_export():
    assert {entry.export for _label, _name, entry in personal()} - {""} == set(SECTIONS)
    assert [
        (label, name)
        for label, name, entry in personal()
        if not entry.export and "not exported" not in entry.purpose and entry.erase is not Erase.EXPIRES
    ] == []
