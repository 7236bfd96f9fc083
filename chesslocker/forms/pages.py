"""Forms that need more than one app."""

from __future__ import annotations

from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div
from django import forms
from django.contrib.auth import authenticate
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from classes.forms import OneTimeForm, StudentForm, cleaned_text, helper, time_zone_choices
from classes.models import School, validate_term_starts
from ratings.models import HIGHEST_START, LOWEST_START, RatingList
from ratings.selectors.ledger import current_states, starts_of


class StudentWithStartForm(OneTimeForm, StudentForm):
    """A student with login and start rating. The start can be changed until the first game or adjustment."""

    start_rating = forms.IntegerField(
        label=_("Starting rating"),
        min_value=LOWEST_START,
        max_value=HIGHEST_START,
        required=False,
        error_messages={
            "invalid": _("A rating is a whole number, such as 800."),
            "min_value": _("A start rating is a number from 0 to 4000."),
            "max_value": _("A start rating is a number from 0 to 4000."),
        },
    )

    def __init__(self, *args: Any, school: School, rating_list: RatingList, **kwargs: Any) -> None:
        super().__init__(*args, school=school, **kwargs)
        self.fields["start_rating"].initial = rating_list.start_rating
        if self.instance.pk:
            state = current_states(rating_list, [self.instance.pk])[self.instance.pk]
            if state.entries:
                del self.fields["start_rating"]
            else:
                start = starts_of(rating_list, [self.instance.pk]).get(self.instance.pk, rating_list.start_rating)
                self.fields["start_rating"].initial = start

    def before(self) -> list[Any]:
        return ["key"]

    def beside_grade(self) -> Any:
        return Div("start_rating", css_class="col-sm-6") if "start_rating" in self.fields else Div()

    def student_fields(self) -> dict[str, Any]:
        """What the services need: everything but the key."""
        return {name: value for name, value in self.cleaned_data.items() if name != "key"}


class OwnPasswordForm(forms.Form):
    """The own password once more, before something that an open browser alone must not give away.

    Wrong tries count as at the login, and too many of them are answered as there.
    """

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )

    def __init__(self, *args: Any, request: HttpRequest, button: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request, self.button = request, button

    @property
    def helper(self) -> FormHelper:
        return helper("password", button=self.button)

    def clean_password(self) -> str:
        password = self.cleaned_data["password"]
        if authenticate(self.request, username=self.request.user.get_username(), password=password) is None:
            raise ValidationError(_("This is not your password."))
        return str(password)


class SchoolForm(forms.ModelForm):
    """What a lead sets for the whole school."""

    time_zone = forms.ChoiceField(label=_("Time zone"))
    term_starts = forms.CharField(
        label=_("Terms start on"),
        max_length=100,
        help_text=_("Month and day of each, separated by commas: 08-01, 02-01."),
    )

    class Meta:
        model = School
        fields = ("name", "time_zone", "term_starts", "name_style", "retention_months", "privacy_contact")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        zones = time_zone_choices()
        if self.instance.time_zone not in dict(zones):
            zones.insert(0, (self.instance.time_zone, self.instance.time_zone))
        self.fields["time_zone"].choices = zones
        self.initial["term_starts"] = ", ".join(self.instance.term_starts)
        self.fields["name"].label = _("School or club")
        self.fields["name_style"].label = _("Names on boards")
        self.fields["retention_months"].label = _("Months to keep the data of those who left")
        self.fields["privacy_contact"].label = _("Contact for privacy (optional)")
        privacy = _("Privacy")
        self.helper = helper(
            "name", "time_zone", "term_starts",
            HTML(f'<h2 class="mt-3">{privacy}</h2>'),
            "name_style", "retention_months", "privacy_contact",
            button=_("Save"),
        )  # fmt: skip

    def clean_name(self) -> str:
        if name := cleaned_text(self.cleaned_data["name"]):
            return name
        raise ValidationError(self.fields["name"].error_messages["required"])

    def clean_privacy_contact(self) -> str:
        return cleaned_text(self.cleaned_data["privacy_contact"])

    def clean_term_starts(self) -> list[str]:
        days = sorted(day.strip() for day in self.cleaned_data["term_starts"].split(",") if day.strip())
        validate_term_starts(days)
        return days

    @property
    def changed(self) -> list[str]:
        """The fields whose value is another than before; a list is compared as a list."""
        return [name for name in self.changed_data if self.cleaned_data[name] != self.before[name]]

    @property
    def before(self) -> dict[str, Any]:
        return {**self.initial, "term_starts": sorted(self.initial["term_starts"].split(", "))}


class EraseForm(forms.Form):
    """Erasing is asked twice: the box, and then once more."""

    sure = forms.BooleanField(
        label=_("I have read this. Nothing of it can be taken back."),
        error_messages={"required": _("Tick the box if you want to erase.")},
    )

    @property
    def helper(self) -> FormHelper:
        return helper(Div("sure", css_class="choices"), button=_("Go on"), css="btn-danger")


class TrailForm(forms.Form):
    """What the audit trail is narrowed to."""

    action = forms.ChoiceField(label=_("What"), required=False)

    def __init__(self, *args: Any, actions: list[tuple[str, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["action"].choices = [("", _("everything")), *sorted(actions, key=lambda pair: str(pair[1]))]
        self.helper = helper("action", button=_("Show"), css="btn-quiet")
        self.helper.form_method = "get"
        self.helper.disable_csrf = True
