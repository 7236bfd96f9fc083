"""Who takes part: entering, absence, withdrawal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Field, Layout
from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from classes.forms import OneTimeForm, helper
from classes.models import Student
from tournaments.core.types import Code
from tournaments.models import Absence, Entry, Pairing
from tournaments.selectors.players import StudentChoice

FORFEIT, NO_GAME = "forfeit", "no_game"
TICKS = forms.CheckboxSelectMultiple(attrs={"class": "form-check-input"})
RADIO = {"class": "form-check-input"}


class EnterStudentsForm(OneTimeForm):
    """Students of the class, before the first round or late."""

    students = forms.ModelMultipleChoiceField(
        label=_("Students"),
        queryset=Student.objects.none(),
        widget=TICKS,
        error_messages={
            "required": _("Tick at least one student."),
            "invalid_choice": _("One of the students cannot be entered: not active in this class, or entered already."),
            "invalid_pk_value": _("One of the students cannot be entered."),
        },
    )
    missed = forms.ChoiceField(
        label=_("Each round that they missed"),
        choices=[(Code.ZERO_BYE.value, _("0 points")), (Code.HALF_BYE.value, _("½ point"))],
        initial=Code.ZERO_BYE.value,
        widget=forms.RadioSelect(attrs=RADIO),
    )
    takes_bye = forms.BooleanField(required=False)

    def __init__(
        self, *args: Any, choices: Sequence[StudentChoice], rounds: int, waiting: str | None, **kwargs: Any
    ) -> None:
        """`rounds`: paired so far. `waiting`: the label of whoever has the bye of the round that is up."""
        super().__init__(*args, **kwargs)
        self.fields["students"].queryset = Student.objects.filter(pk__in=[choice.id for choice in choices])
        self.fields["students"].choices = [(one.id, f"{one.label} ({one.rating})") for one in choices]
        if not rounds:
            del self.fields["missed"]
        if waiting is None:
            del self.fields["takes_bye"]
        else:
            self.fields["takes_bye"].label = _now("Plays %(name)s, who has the bye in round %(number)d") % {
                "name": waiting,
                "number": rounds,
            }
            self.fields["takes_bye"].help_text = _("With several students: the first of those ticked.")

    @property
    def helper(self) -> FormHelper:
        rest = [name for name in ("missed", "takes_bye") if name in self.fields]
        return helper(
            "key", Field("students", template="ratings/_student_ticks.html"), *rest, button=_("Enter students")
        )

    def entered(self) -> dict[str, Any]:
        """What the service needs; the students in the order of the list."""
        order = [pk for pk, _label in self.fields["students"].choices]
        return {
            "students": sorted(self.cleaned_data["students"], key=lambda student: order.index(student.pk)),
            "missed": Code(self.cleaned_data.get("missed", Code.ZERO_BYE)),
            "takes_bye": self.cleaned_data.get("takes_bye", False),
        }


class AbsenceForm(forms.Form):
    """A round to come that somebody misses, and the bye for it; without a bye they are there after all."""

    number = forms.TypedChoiceField(
        label=_("Round"),
        coerce=int,
        error_messages={
            "invalid_choice": _("This round is paired already, or there is none with this number."),
            "required": _("Choose a round."),
        },
    )
    kind = forms.ChoiceField(
        label=_("Gets"), choices=[("", _("is there after all")), *Absence.Kind.choices], required=False
    )

    def __init__(self, *args: Any, rounds: Sequence[int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["number"].choices = [(number, str(number)) for number in rounds]
        self.fields["kind"].initial = Absence.Kind.ZERO

    @property
    def helper(self) -> FormHelper:
        made = FormHelper()
        made.form_tag = False
        made.layout = Layout(
            Div(Div("number", css_class="col-4"), Div("kind", css_class="col-8"), css_class="row g-3"),
            StrictButton(_now("Note the absence"), type="submit", css_class="btn-quiet"),
        )
        return made

    def absence(self) -> dict[str, Any]:
        return {"number": self.cleaned_data["number"], "kind": self.cleaned_data["kind"] or None}


def _board_field(entry: Entry, board: Pairing) -> forms.ChoiceField:
    """What becomes of a game that has not been played."""
    opponent = board.black if board.white_id == entry.pk else board.white
    name = str(opponent.student) if opponent else ""
    return forms.ChoiceField(
        label=_now("The game of round %(number)d against %(name)s") % {"number": board.round.number, "name": name},
        choices=[
            (FORFEIT, _now("lost by forfeit: %(name)s gets the point, no rating changes") % {"name": name}),
            (NO_GAME, _now("no game: %(name)s plays whoever has the bye, or gets it") % {"name": name}),
        ],
        widget=forms.RadioSelect(attrs=RADIO),
        error_messages={"required": _("Say what becomes of the game that is not played yet.")},
    )


def _forfeits(entry: Entry, chosen: str | None) -> bool | None:
    """For the service: in a round robin an unplayed game is always lost; None where nothing was asked."""
    if entry.tournament.is_round_robin:
        return True
    return None if chosen is None else chosen == FORFEIT


class WithdrawForm(forms.Form):
    """Leaving a tournament; where a board is open, what becomes of it."""

    def __init__(self, *args: Any, entry: Entry, board: Pairing | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entry = entry
        if board is not None and not entry.tournament.is_round_robin:
            self.fields["board"] = _board_field(entry, board)
        asked = [Field(name, wrapper_class="choices") for name in self.fields]
        self.helper = helper(*asked, button=_("Withdraw"))

    def forfeits(self) -> bool | None:
        return _forfeits(self.entry, self.cleaned_data.get("board"))


class LeavingForm(forms.Form):
    """Which running tournaments a student leaves."""

    def __init__(self, *args: Any, entries: Sequence[Entry], boards: Mapping[int, Pairing], **kwargs: Any) -> None:
        """`boards`: the open ones, by entry."""
        super().__init__(*args, **kwargs)
        self.entries = entries
        parts = []
        for entry in entries:
            leave = f"leave_{entry.pk}"
            self.fields[leave] = forms.BooleanField(
                label=_now("Withdraw from %(name)s") % {"name": entry.tournament.name}, required=False, initial=True
            )
            board = boards.get(entry.pk)
            asked: list[Any] = [leave]
            if board is not None and not entry.tournament.is_round_robin:
                self.fields[f"board_{entry.pk}"] = _board_field(entry, board)
                self.fields[f"board_{entry.pk}"].required = self.is_bound and leave in self.data
                asked.append(Field(f"board_{entry.pk}", wrapper_class="choices"))
            parts.append(Div(*asked, css_class="mb-3"))
        keep = HTML('<a class="btn btn-quiet" href="{{ back }}">{{ stays }}</a>')
        self.helper = helper(*parts, button=_("Withdraw from the ticked ones"), extra=(keep,))

    def leaving(self) -> list[tuple[Entry, bool | None]]:
        """The entries that are ticked, each with what becomes of an open board."""
        return [
            (entry, _forfeits(entry, self.cleaned_data.get(f"board_{entry.pk}")))
            for entry in self.entries
            if self.cleaned_data[f"leave_{entry.pk}"]
        ]
