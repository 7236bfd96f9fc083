"""Points given outside games."""

from __future__ import annotations

import datetime
from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Field, Layout
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from classes.forms import OneTimeForm, cleaned_text
from classes.models import Classroom, Student
from ratings.forms.games import filter_helper
from ratings.models import Adjustment
from ratings.selectors.games import PlayerChoice

LARGE = 5  # more than this asks
VERY_LARGE = 25  # more than this asks twice
MOST = 500
KINDS = [(kind.value, kind.label) for kind in Adjustment.Kind if kind != Adjustment.Kind.SEASON]


class AdjustmentForm(OneTimeForm):
    """One number, one kind and one reason for one or several students of a class."""

    students = forms.ModelMultipleChoiceField(
        label=_("Students"),
        queryset=Student.objects.none(),
        widget=forms.CheckboxSelectMultiple(attrs={"class": "form-check-input"}),
        error_messages={
            "required": _("Tick at least one student."),
            "invalid_choice": _("One of the students is not active in this class."),
            "invalid_pk_value": _("One of the students is not active in this class."),
        },
    )
    points = forms.IntegerField(
        label=_("Points"),
        min_value=-MOST,
        max_value=MOST,
        error_messages={
            "required": _("How many points? +1 to +5 is usual."),
            "invalid": _("Points are a whole number, such as 3 or −2."),
            "min_value": _("At most %(limit)d points can be taken at once.") % {"limit": MOST},
            "max_value": _("At most %(limit)d points can be given at once.") % {"limit": MOST},
        },
    )
    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=KINDS,
        widget=forms.RadioSelect(attrs={"class": "form-check-input"}),
        error_messages={"required": _("Choose what the points are for.")},
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=300,
        error_messages={"required": _("Say what the points are for. The student reads it.")},
        help_text=_("The student reads it, and the teachers of the student’s classes. Nothing about health or family."),
    )
    day = forms.DateField(label=_("Day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    large = forms.BooleanField(label=_("Yes, more than 5 points at once"), required=False)
    very_large = forms.BooleanField(label=_("Yes, really more than 25 points: this is exceptional"), required=False)

    def __init__(
        self, *args: Any, classroom: Classroom, players: list[PlayerChoice], only_preview: bool = False, **kwargs: Any
    ) -> None:
        """`only_preview`: what is not filled in yet is no mistake."""
        super().__init__(*args, **kwargs)
        self.classroom = classroom
        self.today = classroom.school.today()
        self.only_preview = only_preview
        self.asks: set[str] = set()
        self.fields["students"].queryset = Student.objects.filter(pk__in=[player.id for player in players])
        self.fields["students"].choices = [(player.id, f"{player.label} ({player.rating})") for player in players]
        self.fields["day"].initial = self.today
        self.fields["day"].widget.attrs["max"] = self.today.isoformat()
        if only_preview:
            for name in ("students", "points", "kind", "reason", "day"):
                self.fields[name].required = False

    @property
    def helper(self) -> FormHelper:
        made = FormHelper()
        made.form_tag = False
        made.layout = Layout(
            "key",
            Field("students", template="ratings/_student_ticks.html"),
            Div(Div("points", css_class="col-sm-4"), Div("day", css_class="col-sm-4"), css_class="row g-3"),
            Field("kind", template="ratings/_kind_choice.html"),
            "reason",
            HTML("{% include 'ratings/_adjustment_preview.html' %}"),
            *sorted(self.asks),
            Div(
                StrictButton(_("Give the points"), type="submit", css_class="btn-primary flex-grow-1"),
                StrictButton(_("Preview"), type="submit", name="preview", value="1", css_class="btn-quiet no-script"),
                css_class="d-flex flex-wrap gap-2 mt-3 in-reach",
            ),
        )
        return made

    def clean_points(self) -> int | None:
        points: int | None = self.cleaned_data["points"]
        if points == 0:
            raise ValidationError(_("Zero points change nothing. Give or take at least one."))
        return points

    def clean_reason(self) -> str:
        reason = cleaned_text(self.cleaned_data["reason"])
        if not reason and self.fields["reason"].required:  # nothing but characters that nobody sees
            raise ValidationError(self.fields["reason"].error_messages["required"])
        return reason

    def clean_day(self) -> datetime.date | None:
        day: datetime.date | None = self.cleaned_data["day"]
        if day and day > self.today:
            raise ValidationError(_("This day lies in the future. Choose today or an earlier day."))
        if day and day.year < 2000:
            raise ValidationError(_("This day lies too far back. Check the year."))
        return day

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        points = cleaned.get("points")
        minus_for_behaviour = points and points < 0 and cleaned.get("kind") == Adjustment.Kind.BEHAVIOUR
        if minus_for_behaviour and not self.classroom.allows_negative_behaviour:
            self.add_error(
                "points", _("Minus points for behaviour are off in this class. “Edit class” switches them on.")
            )
        if points and not self.only_preview:
            self._ask_about_size(abs(points), cleaned)
        return cleaned

    def _ask_about_size(self, size: int, cleaned: dict[str, Any]) -> None:
        if size > LARGE:
            self.asks.add("large")
            if not cleaned.get("large"):
                self.add_error("large", _("This is unusually large: +1 to +5 is usual. Tick this if it is meant."))
        if size > VERY_LARGE:
            self.asks.add("very_large")
            if not cleaned.get("very_large"):
                self.add_error(
                    "very_large", _("A strong player needs many wins for so many points. Tick this as well.")
                )

    def to_preview(self) -> dict[str, Any]:
        """Whom, how many points and when, as far as a preview needs it; empty while something is missing or wrong."""
        if not self.is_bound or self.errors.keys() & {"students", "points", "day"}:
            return {}
        cleaned = self.cleaned_data
        if not cleaned.get("students") or not cleaned.get("points") or not cleaned.get("day"):
            return {}
        return {name: cleaned[name] for name in ("students", "points", "day")}

    def adjustment(self) -> dict[str, Any]:
        """What the service needs."""
        wanted = {name: self.cleaned_data[name] for name in ("points", "kind", "reason", "day")}
        return wanted | {"students": list(self.cleaned_data["students"])}


class AdjustmentFilterForm(forms.Form):
    """Which adjustments of a class to list."""

    student = forms.ChoiceField(label=_("Student"), required=False)
    kind = forms.ChoiceField(label=_("Kind"), required=False, choices=[("", _("All")), *KINDS])
    teacher = forms.ChoiceField(label=_("Given by"), required=False)
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, *args: Any, labels: dict[int, str], teachers: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        by_name = sorted(labels.items(), key=lambda pair: pair[1].casefold())
        self.fields["student"].choices = [("", _("Everybody")), *((str(pk), label) for pk, label in by_name)]
        self.fields["teacher"].choices = [("", _("Everybody")), *((str(pk), name) for pk, name in teachers)]
        self.helper = filter_helper("student", "kind", "teacher", "since", "until")

    def chosen(self) -> dict[str, Any]:
        """What the selector filters by; nothing where the form makes no sense."""
        if not self.is_valid():
            return {}
        cleaned = self.cleaned_data
        return {
            "student": int(cleaned["student"]) if cleaned["student"] else None,
            "kind": cleaned["kind"],
            "teacher": int(cleaned["teacher"]) if cleaned["teacher"] else None,
            "since": cleaned["since"],
            "until": cleaned["until"],
        }
