"""What to print of a period: asked for in the address, so that a sheet can be printed again."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from crispy_forms.bootstrap import InlineCheckboxes, StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div, Hidden, Layout
from django import forms
from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from ratings.forms.periods import NOT_A_DAY, PeriodForm
from ratings.models import Adjustment
from tournaments.models import Tournament

KINDS = [kind for kind in Adjustment.Kind.choices if kind[0] != Adjustment.Kind.SEASON]


class SheetForm(PeriodForm):
    """A period, and what else the sheet needs. What the address leaves out is what is proposed."""

    def __init__(
        self, asked: QueryDict, *, first: datetime.date, last: datetime.date, kept: dict[str, Any], **proposed: str
    ) -> None:
        super().__init__(asked, first=first, last=last, kept=kept)
        self.data = {**self.data, **{name: asked.get(name) or one for name, one in proposed.items()}}
        self.helper = FormHelper()
        self.helper.form_method = "get"
        self.helper.disable_csrf = True
        self.helper.attrs = {"novalidate": True}
        self.helper.layout = Layout(
            *(Hidden(name, value) for name, value in kept.items()),
            Div(*self.fields_in_line(), css_class="row g-2 align-items-end"),
            *self.below(),
            StrictButton(_("Show"), type="submit", css_class="btn-quiet"),
        )

    def fields_in_line(self) -> list[Any]:
        return [Div(name, css_class="col-6 col-sm-auto") for name in ("from_day", "to_day")]

    def below(self) -> list[Any]:
        return []


class ReportForm(SheetForm):
    """Which awards stand in a report is the teacher's choice: none, unless they are ticked."""

    kinds = forms.MultipleChoiceField(
        label=_("Awards, with their reasons"), choices=KINDS, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, asked: QueryDict, **options: Any) -> None:
        super().__init__(asked, **options)
        self.data = {**self.data, "kinds": asked.getlist("kinds")}

    def below(self) -> list[Any]:
        return [InlineCheckboxes("kinds")]


class CertificateForm(SheetForm):
    """What the certificates are for. `who` is asked of a class only."""

    PROGRESS, GAMES = "progress", "games"

    who = forms.ChoiceField(
        label=_("Who"), choices=[("1", _("The first")), ("3", _("The first three")), ("all", _("Everybody"))]
    )
    day = forms.DateField(
        label=_("Date on the certificate"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": NOT_A_DAY},
    )

    def __init__(self, asked: QueryDict, *, finished: Sequence[Tournament], of_class: bool, **options: Any) -> None:
        """`finished`: the tournaments to choose from, the one that is proposed first."""
        choices = [
            *((str(one.pk), f"{one.name}, {date_format(one.day, 'j M Y')}") for one in finished),
            (self.PROGRESS, _("Progress: most rating points won in games of the period")),
            (self.GAMES, _("Games: most games played in the period")),
        ]
        self.of_class = of_class
        super().__init__(asked, occasion=choices[0][0], who="3", day=options["last"].isoformat(), **options)
        self.fields["occasion"] = forms.ChoiceField(label=_("For"), choices=choices)
        if not of_class:
            del self.fields["who"]

    def fields_in_line(self) -> list[Any]:
        first = [Div("occasion", css_class="col-12")]
        who = [Div("who", css_class="col-6 col-sm-auto")] if self.of_class else []
        return [*first, *super().fields_in_line(), *who, Div("day", css_class="col-6 col-sm-auto")]

    def best(self) -> int | None:
        """How many places get one; None for everybody."""
        who = self.cleaned_data.get("who", "all")
        return None if who == "all" else int(who)
