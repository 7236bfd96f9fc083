"""A period, asked for in the address."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.forms.games import filter_helper

NOT_A_DAY = _("Write the day as in 2026-09-01.")


class PeriodForm(forms.Form):
    """Days from and to; what the address leaves out is what is proposed."""

    from_day = forms.DateField(
        label=_("From"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": NOT_A_DAY},
    )
    to_day = forms.DateField(
        label=_("To"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": NOT_A_DAY},
    )

    def __init__(
        self, asked: Mapping[str, str], *, first: datetime.date, last: datetime.date, kept: Mapping[str, Any]
    ) -> None:
        """`asked`: the address. `kept`: what it carries besides, such as the rating list."""
        proposed = {"from_day": first.isoformat(), "to_day": last.isoformat()}
        super().__init__({name: asked.get(name) or day for name, day in proposed.items()})
        self.helper = filter_helper("from_day", "to_day", kept=kept)
        self.helper.form_action = "#performance"

    def days(self) -> tuple[datetime.date, datetime.date] | None:
        """The first and the last day; None where something is wrong with them."""
        return (self.cleaned_data["from_day"], self.cleaned_data["to_day"]) if self.is_valid() else None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("from_day") and cleaned.get("to_day") and cleaned["from_day"] > cleaned["to_day"]:
            self.add_error("to_day", _("The last day lies before the first."))
        return cleaned
