"""What teachers type about games, checked."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Field, Hidden, Layout
from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from classes.forms import OneTimeForm, cleaned_text
from classes.models import Classroom, Student
from ratings.access import ListChoice
from ratings.models import Game
from ratings.selectors.games import PlayerChoice, recorded_lately


class PlayerField(forms.ModelChoiceField):
    """A choice among the students of a class, told apart and with their ratings."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(queryset=Student.objects.none(), **kwargs)

    def offer_names(self, names: list[tuple[int, str]]) -> None:
        """Offer students by id and name."""
        self.queryset = Student.objects.filter(pk__in=[pk for pk, _name in names])
        self.choices = names

    def offer(self, players: list[PlayerChoice]) -> None:
        self.queryset = Student.objects.filter(pk__in=[player.id for player in players])
        self.choices = [("", "–"), *((player.id, f"{player.label} ({player.rating})") for player in players)]


def side_label(side: str, text: Any) -> Any:
    """White and Black as a light and a dark square beside the word."""
    return format_html_lazy('<span class="{}piece" aria-hidden="true"></span>{}', side, text)


format_html_lazy = lazy(format_html, str)


class GameForm(OneTimeForm):
    """A game between two active students of a class. No result is chosen beforehand."""

    white = PlayerField(label=side_label("w", _("White")))
    black = PlayerField(label=side_label("b", _("Black")))
    result = forms.ChoiceField(
        label=_("Result"),
        choices=Game.Result.choices,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose the result: White wins, draw or Black wins.")},
    )
    day = forms.DateField(
        label=_("Played on"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": _("Say on which day the game was played.")},
    )
    note = forms.CharField(
        label=_("Note (optional)"),
        max_length=300,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": _("A tactic or a teaching moment")}),
    )
    again = forms.BooleanField(label=_("Yes, they played again: record this game too"), required=False)

    template_result = "ratings/_result_choice.html"

    def __init__(
        self,
        *args: Any,
        classroom: Classroom,
        players: list[PlayerChoice],
        lists: ListChoice,
        only_preview: bool = False,
        **kwargs: Any,
    ) -> None:
        """`lists`: the rating list of the game and the others. `only_preview`: what is not chosen yet is no mistake."""
        super().__init__(*args, **kwargs)
        self.fields["list"] = forms.ChoiceField(
            label=_("Rating list"),
            choices=[(one.pk, one.name) for one in lists.lists],
            initial=lists.chosen.pk,
            required=False,  # an older page or program that leaves it out means the default list
            error_messages={"invalid_choice": _("There is no such rating list. Choose another.")},
        )
        if len(lists.lists) == 1:
            self.fields["list"].widget = forms.HiddenInput()
        self.classroom = classroom
        self.only_preview = only_preview
        self.today = classroom.school.today()
        self.asks_again = False
        for side in ("white", "black"):
            self.fields[side].offer(players)
            self.fields[side].error_messages = {
                "required": _("Choose a student."),
                "invalid_choice": _("This student is not active in this class. Choose another."),
            }
        for name in ("white", "black", "result") if only_preview else ():
            self.fields[name].required = False
        self.fields["white"].widget.attrs["autofocus"] = True
        self.fields["day"].initial = self.today
        self.fields["day"].widget.attrs["max"] = self.today.isoformat()

    @property
    def helper(self) -> FormHelper:
        made = FormHelper()
        made.attrs = {"novalidate": True}
        made.form_tag = False
        buttons = Div(
            StrictButton(_("Record game and enter the next"), type="submit", name="then", value="next",
                         css_class="btn-primary flex-grow-1"),
            StrictButton(_("Record and close"), type="submit", name="then", value="close", css_class="btn-quiet"),
            StrictButton(_("Preview"), type="submit", name="preview", value="1", css_class="btn-quiet no-script"),
            css_class="d-flex flex-wrap gap-2 mt-3 in-reach",
        )  # fmt: skip
        made.layout = Layout(
            "key",
            Field("list", hx_post="", hx_trigger="change consume", hx_target="#main", hx_select="#main"),
            Div(
                Div(Field("white", css_class="form-select-lg", data_search=_("Search by name")), css_class="col-sm-6"),
                Div(Field("black", css_class="form-select-lg", data_search=_("Search by name")), css_class="col-sm-6"),
                css_class="row g-3",
            ),
            Field("result", template=self.template_result),
            HTML("{% include 'ratings/_preview.html' %}"),
            Div(Div("day", css_class="col-sm-4"), Div("note", css_class="col-sm-8"), css_class="row g-3 mt-0"),
            *(["again"] if self.asks_again else []),
            buttons,
        )
        return made

    def clean_day(self) -> datetime.date:
        day: datetime.date = self.cleaned_data["day"]
        if day > self.today:
            raise ValidationError(_("This day lies in the future. Choose today or an earlier day."))
        if day.year < 2000:
            raise ValidationError(_("This day lies too far back. Check the year."))
        return day

    def clean_note(self) -> str:
        return cleaned_text(self.cleaned_data["note"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        white, black, result = cleaned.get("white"), cleaned.get("black"), cleaned.get("result")
        if white and white == black:
            self.add_error("black", _("White and Black must be two different students."))
        elif (
            white
            and black
            and result
            and not cleaned.get("again")
            and not self.only_preview
            and recorded_lately(self.classroom, white=white, black=black, result=result)
        ):
            self.asks_again = True
            raise ValidationError(
                _("The same result of these two was recorded in the last ten minutes. Did they play again?")
            )
        return cleaned

    def pair(self) -> dict[str, Any]:
        """Who plays and when, as far as a preview needs it; empty while something is missing or wrong."""
        cleaned = self.cleaned_data if self.is_bound and not self.errors.keys() & {"white", "black", "day"} else {}
        if not cleaned.get("white") or not cleaned.get("black"):
            return {}
        return {name: cleaned[name] for name in ("white", "black", "day")}

    def shown_day(self) -> datetime.date:
        """The day that the form is about."""
        cleaned = getattr(self, "cleaned_data", {}) if self.is_bound else {}
        try:
            return cleaned.get("day") or self.fields["day"].to_python(
                self.get_initial_for_field(self.fields["day"], "day")
            )
        except ValidationError:
            return self.today

    def game(self) -> dict[str, Any]:
        """What the service needs to record the game."""
        return {name: self.cleaned_data[name] for name in ("white", "black", "result", "day", "note")}


class GameFilterForm(forms.Form):
    """Which games of a class to list."""

    student = forms.ChoiceField(label=_("Student"), required=False)
    day = forms.DateField(
        label=_("Day"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, *args: Any, labels: dict[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        by_name = sorted(labels.items(), key=lambda pair: pair[1].casefold())
        self.fields["student"].choices = [("", _("Everybody")), *((str(pk), label) for pk, label in by_name)]
        self.helper = filter_helper("student", "day")


class MyGamesFilterForm(forms.Form):
    """Which of the own games to list."""

    opponent = forms.ChoiceField(label=_("Opponent"), required=False)
    outcome = forms.ChoiceField(
        label=_("Result"),
        required=False,
        choices=[
            ("", _("All")),
            ("won", _("Won")),
            ("drawn", _("Drawn")),
            ("lost", _("Lost")),
            ("awards", _("Teacher’s awards")),
        ],
    )

    def __init__(
        self,
        *args: Any,
        opponents: list[tuple[int, str]],
        kept: Mapping[str, Any] = MappingProxyType({}),
        **kwargs: Any,
    ) -> None:
        """`kept`: what the address carries besides, such as the rating list."""
        super().__init__(*args, **kwargs)
        self.fields["opponent"].choices = [("", _("Everybody")), *((str(pk), label) for pk, label in opponents)]
        self.helper = filter_helper("opponent", "outcome", kept=kept)


def filter_helper(*fields: str, kept: Mapping[str, Any] = MappingProxyType({})) -> FormHelper:
    """A form of one line that filters a list by GET. `kept`: what the address carries besides."""
    made = FormHelper()
    made.form_method = "get"
    made.disable_csrf = True
    made.attrs = {"novalidate": True}
    made.layout = Layout(
        *(Hidden(name, value) for name, value in kept.items()),
        Div(
            *(Div(field, css_class="col-6 col-sm-auto") for field in fields),
            Div(StrictButton(_("Show"), type="submit", css_class="btn-quiet mb-3"), css_class="col-sm-auto"),
            css_class="row g-2 align-items-end",
        ),
    )
    return made
