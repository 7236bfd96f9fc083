"""The teacher's word that the Elo page was looked at."""

from __future__ import annotations

from typing import Any

from django import forms

from classes.models import Classroom, User
from ratings.models import EconomyCheck


class EconomyCheckForm(forms.Form):
    """The button “Checked today”, without fields. Pressed twice on a day, the last to press it stands."""

    def __init__(self, *args: Any, classroom: Classroom, by: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.classroom = classroom
        self.by = by

    def save(self) -> EconomyCheck:
        check, _created = EconomyCheck.objects.update_or_create(
            classroom=self.classroom, checked_on=self.classroom.school.today(), defaults={"by": self.by}
        )
        return check
