"""Which rows are one child, and by which names the child was known."""

from __future__ import annotations

from dataclasses import dataclass

from axes.models import AccessAttempt, AccessFailureLog, AccessLog

from classes.models import Student, User

ATTEMPTS = (AccessAttempt, AccessFailureLog, AccessLog)


def same_child(student: Student) -> list[Student]:
    """The student with every entry that was merged into it, and the one into which it was merged, by number."""
    found = {student.pk: student}
    new = [student]
    while new:
        ids = [one.pk for one in new]
        above = [one.merged_into_id for one in new if one.merged_into_id]
        around = Student.objects.filter(merged_into__in=ids) | Student.objects.filter(pk__in=above)
        new = [one for one in around.select_related("user", "school") if one.pk not in found]
        found |= {one.pk: one for one in new}
    return [found[pk] for pk in sorted(found)]


@dataclass(frozen=True, slots=True)
class Names:
    """What a child was ever called: full names, and user names."""

    full: frozenset[str]
    usernames: frozenset[str]


def names_ever(students: list[Student]) -> Names:
    """With the old versions of the names: three queries."""
    ids = [student.pk for student in students]
    versions = Student.history.filter(id__in=ids)
    old = set(versions.values_list("first_name", "last_name"))
    known = {student.user_id for student in students} | set(versions.values_list("user", flat=True))
    accounts = [pk for pk in known if pk is not None]
    users = User.objects.filter(pk__in=accounts, role=User.Role.STUDENT)
    full = {f"{first} {last}".strip() for first, last in old} | {student.full_name for student in students}
    return Names(
        frozenset(full | {user.name for user in users if user.name}), frozenset(user.username for user in users)
    )
