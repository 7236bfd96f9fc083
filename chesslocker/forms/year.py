"""What is asked when a student moves, a year begins, or two records are of one child."""

from __future__ import annotations

import re
from typing import Any

from crispy_forms.helper import FormHelper
from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from classes.core.rollover import TO, Choices, Fate
from classes.forms import OneTimeForm, cleaned_text, helper
from classes.models import Classroom, Enrollment, Student
from ratings.core.seasons import SHARES

STAYS = "stays"
HIGHEST_GRADE = 13
LONGEST_NAME = Classroom._meta.get_field("name").max_length or 0
SHARE_LABELS = (
    _("Ratings stay as they are"),
    _("A quarter of the way to the start"),
    _("Half of the way to the start"),
    _("Three quarters of the way to the start"),
    _("Everybody begins at the start again"),
)
CLASS_FIELD = re.compile(r"class-(\d{1,18})")
STUDENT_FIELD = re.compile(r"student-(\d{1,18})-(\d{1,18})")


class TransferForm(OneTimeForm):
    """Into which class, and out of which."""

    to = forms.ModelChoiceField(
        label=_("To the class"),
        queryset=Classroom.objects.none(),
        empty_label="–",
        error_messages={
            "required": _("Choose a class."),
            "invalid_choice": _("Choose one of your open classes in which the student is not yet."),
        },
    )
    leaves = forms.ChoiceField(
        label=_("The student"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Say whether the student leaves a class.")},
    )

    def __init__(
        self, *args: Any, classrooms: QuerySet[Classroom], enrollments: QuerySet[Enrollment], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"].queryset = classrooms.order_by("-school_year", "name", "pk")
        self.enrollments = {str(enrollment.pk): enrollment for enrollment in enrollments}
        choices = [
            (pk, _("leaves %(name)s") % {"name": enrollment.classroom}) for pk, enrollment in self.enrollments.items()
        ]
        stays = _("stays in the other classes too") if choices else _("leaves no class")
        self.fields["leaves"].choices = [*choices, (STAYS, stays)]
        self.fields["leaves"].initial = choices[0][0] if len(choices) == 1 else None
        if not choices:
            self.fields["leaves"].initial = STAYS

    @property
    def helper(self) -> FormHelper:
        return helper("key", "to", "leaves", button=_("Move"))

    def leaving(self) -> Enrollment | None:
        return self.enrollments.get(self.cleaned_data["leaves"])


class RolloverForm(OneTimeForm):
    """The new year: what holds for everybody, and in fields of their own what is chosen for classes and students.

    `class-7`: the name of the class that class 7 becomes; `ends-7`: it ends, all leave; `student-12-7`: what is chosen
    for student 12 of class 7.
    """

    last = forms.IntegerField(
        label=_("Last grade of the school"),
        required=False,
        min_value=1,
        max_value=HIGHEST_GRADE,
        help_text=_("Its students leave. Empty: nobody leaves because of the grade."),
        error_messages={"invalid": _("A grade is a whole number, such as 6.")},
    )
    share = forms.TypedChoiceField(
        label=_("Ratings"),
        coerce=int,
        choices=list(zip(SHARES, SHARE_LABELS, strict=True)),
        initial=0,
        widget=forms.RadioSelect,
        help_text=_("Those of everybody who goes on. They can be brought back for 30 days."),
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, proposed_last: int | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["last"].initial = self.proposed_last = proposed_last
        self.is_right = self.is_valid()  # before a service refuses something

    def clean(self) -> dict[str, Any]:
        for _classroom, name, ends in self._classes():
            if not ends and not 0 < len(name) <= LONGEST_NAME:
                raise ValidationError(_("Every class becomes a class of the new year, or it ends: give it a name."))
        for choice in self._students().values():
            fits = choice in {Fate.UP, Fate.REPEAT, Fate.LEAVE} or (
                choice.startswith(TO) and 0 < len(choice) - len(TO) <= LONGEST_NAME
            )
            if not fits:
                raise ValidationError(_("One of the choices is not there. Choose again."))
        return super().clean() or self.cleaned_data

    def choices(self) -> Choices:
        """What was chosen."""
        return Choices(
            classes={classroom: "" if ends else name for classroom, name, ends in self._classes()},
            students=self._students(),
            last=self.cleaned_data["last"],
        )

    def to_show(self) -> tuple[Choices, int]:
        """What was chosen and the share; before anything was sent, and where it is not right, what is proposed."""
        if not self.can_be_shown:
            return Choices(last=self.proposed_last), 0
        return self.choices(), self.cleaned_data["share"]

    @property
    def can_be_shown(self) -> bool:
        """Is everything filled in? What a service refused afterwards is shown again all the same."""
        return self.is_right

    def sent(self) -> list[tuple[str, str]]:
        """All that was chosen, for the next page to send again."""
        names = [name for name in self.data if name.startswith(("class-", "ends-", "student-")) or name in self.fields]
        return [
            (name, self.data[name])
            for name in names
            if name not in {"key", "seen"} and (self.data[name] or not name.startswith("student-"))
        ]

    def _classes(self) -> list[tuple[int, str, bool]]:
        return [
            (int(found[1]), cleaned_text(self.data[name]), f"ends-{found[1]}" in self.data)
            for name in self.data
            if (found := CLASS_FIELD.fullmatch(name))
        ]

    def _students(self) -> dict[tuple[int, int], str]:
        return {
            (int(found[1]), int(found[2])): cleaned_text(self.data[name])
            for name in self.data
            if (found := STUDENT_FIELD.fullmatch(name)) and cleaned_text(self.data[name])
        }


class MergeWithForm(forms.Form):
    """Which other record is of the same child."""

    other = forms.ChoiceField(label=_("The other record"), error_messages={"required": _("Choose a student.")})

    def __init__(self, *args: Any, others: list[tuple[str, list[tuple[int, str]]]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["other"].choices = [("", "–"), *((name, group) for name, group in others if group)]

    @property
    def helper(self) -> FormHelper:
        made = helper("other", button=_("Look at what would happen"))
        made.form_method = "get"
        return made


class MergeForm(OneTimeForm):
    """Yes, these two are one child."""

    other = forms.ModelChoiceField(queryset=Student.objects.none(), widget=forms.HiddenInput)
    versions = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, students: QuerySet[Student], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["other"].queryset = students


class UndoForm(OneTimeForm):
    """Nothing but a key: undo this once."""
