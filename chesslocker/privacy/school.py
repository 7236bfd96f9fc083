"""The settings of a school."""

from __future__ import annotations

from collections.abc import Iterable

from classes.models import School, User
from classes.services import Action, one_transaction, record_event


@one_transaction
def change_school(school: School, *, changed: Iterable[str], by: User) -> School:
    """Save the fields of a checked school that were changed, and note it. ValidationError where one is not right."""
    fields = sorted(changed)
    if not fields:
        return school
    school.full_clean()
    school.save(update_fields=fields)
    record_event(
        action=Action.SCHOOL_CHANGED, school=school, by=by, about=f"school:{school.pk}", detail={"fields": fields}
    )
    return school
