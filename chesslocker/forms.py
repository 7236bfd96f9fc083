"""Forms that need more than one app."""

from __future__ import annotations

from typing import Any

from crispy_forms.helper import FormHelper
from crispy_forms.layout import Div
from django import forms
from django.contrib.auth import authenticate
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from classes.forms import OneTimeForm, StudentForm, helper
from classes.models import School
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
            raise forms.ValidationError(_("This is not your password."))
        return str(password)
