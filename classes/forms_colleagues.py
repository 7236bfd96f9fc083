"""What is typed when teachers come, join and hand classes over."""

from __future__ import annotations

from typing import Any

from crispy_forms.layout import Div
from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from classes.forms import OneTimeForm, SignUpForm, cleaned_text, email_is_configured, helper
from classes.models import Classroom, Membership, School


class InviteForm(OneTimeForm):
    """Whom a lead invites, and to what. The e-mail address is asked for where the server can send any."""

    note = forms.CharField(
        label=_("For whom"), max_length=120, help_text=_("So that you know later whose link it is: Mr. Lund.")
    )
    role = forms.ChoiceField(
        label=_("Role"),
        choices=[
            (Membership.Role.TEACHER, _("Teacher: sees the own classes")),
            (Membership.Role.LEAD, _("Lead teacher: sees and changes everything in the school")),
        ],
        initial=Membership.Role.TEACHER,
        widget=forms.RadioSelect,
    )
    email = forms.EmailField(
        label=_("E-mail (optional)"), required=False, help_text=_("The link is sent there. The address is not kept.")
    )

    def __init__(self, *args: Any, school: School, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["classroom"] = forms.ModelChoiceField(
            label=_("Class (optional)"),
            queryset=Classroom.objects.filter(school=school, archived_at=None).order_by("name", "pk"),
            required=False,
            empty_label=_("None yet"),
            help_text=_("The class that your colleague will teach, together with those who teach it now."),
        )
        layout = ["key", "note", Div("role", css_class="choices"), "classroom"]
        if email_is_configured():
            layout.append("email")
        else:
            del self.fields["email"]
        self.helper = helper(*layout, button=_("Make the link"))

    def clean_note(self) -> str:
        if text := cleaned_text(self.cleaned_data["note"]):
            return text
        raise ValidationError(self.fields["note"].error_messages["required"])

    def invitation(self) -> dict[str, Any]:
        """What the service needs."""
        return {name: self.cleaned_data[name] for name in ("note", "role", "classroom")}


class JoinForm(SignUpForm):
    """An invited teacher makes an account: as at sign-up, but the school is there."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["school_name"], self.fields["time_zone"]
        self.helper = helper("name", "username", "password", button=_("Join the school"))

    def account(self) -> dict[str, str]:
        """What the service needs."""
        return {name: self.cleaned_data.get(name, "") for name in ("name", "username", "password", "email")}


class TeacherOfClassForm(forms.Form):
    """A colleague comes to a class, beside those who teach it or instead."""

    TOGETHER, INSTEAD = "together", "instead"

    def __init__(self, *args: Any, colleagues: QuerySet[Membership], teaches: bool, **kwargs: Any) -> None:
        """`teaches`: whoever hands the class over teaches it."""
        super().__init__(*args, **kwargs)
        self.fields["colleague"] = forms.ModelChoiceField(
            label=_("Colleague"), queryset=colleagues, empty_label=_("Choose")
        )
        takes_over = (
            _("takes the class over from me: I leave it")
            if teaches
            else _("takes the class over: those who teach it now leave it")
        )
        self.fields["how"] = forms.ChoiceField(
            label=_("How"),
            choices=[(self.TOGETHER, _("teaches the class too")), (self.INSTEAD, takes_over)],
            initial=self.TOGETHER,
            widget=forms.RadioSelect,
        )
        self.helper = helper("colleague", Div("how", css_class="choices"), button=_("Save"))

    @property
    def hands_over(self) -> bool:
        return bool(self.cleaned_data["how"] == self.INSTEAD)
