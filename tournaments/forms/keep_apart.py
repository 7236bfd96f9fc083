"""Which students should not be paired with each other."""

from __future__ import annotations

from typing import Any

from crispy_forms.layout import Div, Field
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from classes.core.names import full_labels
from classes.forms import helper
from classes.models import School, Student
from classes.selectors import names_of
from tournaments.models import KeepApart

CHOOSE = dict.fromkeys(("required", "invalid_choice"), _("Choose two students."))


class KeepApartForm(forms.Form):
    """Two students and how strictly. A pair that is there already gets the new strictness, so sending twice is once."""

    one = forms.ModelChoiceField(label=_("Student"), queryset=Student.objects.none(), error_messages=CHOOSE)
    other = forms.ModelChoiceField(label=_("Other student"), queryset=Student.objects.none(), error_messages=CHOOSE)
    is_hard = forms.BooleanField(
        label=_("Never pair them, even if a round cannot be paired then"),
        required=False,
        help_text=_("Without it they are kept apart wherever the round allows it."),
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )

    def __init__(self, *args: Any, school: School, students: list[Student], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.school = school
        labels = full_labels(names_of(students))
        by_name = sorted(labels.items(), key=lambda pair: pair[1].casefold())
        for name in ("one", "other"):
            self.fields[name].queryset = Student.objects.filter(pk__in=labels)
            self.fields[name].choices = [("", "–"), *by_name]
            self.fields[name].widget.attrs["data-search"] = _("Type part of a name")
        self.helper = helper(
            Div(Div(Field("one"), css_class="col-sm-6"), Div(Field("other"), css_class="col-sm-6"), css_class="row"),
            "is_hard",
            button=_("Keep them apart"),
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("one") and cleaned.get("one") == cleaned.get("other"):
            raise ValidationError(_("Choose two different students."))
        return cleaned

    def save(self) -> KeepApart:
        one, other = sorted((self.cleaned_data["one"], self.cleaned_data["other"]), key=lambda student: student.pk)
        pair, _made = KeepApart.objects.update_or_create(
            one=one, other=other, defaults={"school": self.school, "is_hard": self.cleaned_data["is_hard"]}
        )
        return pair
