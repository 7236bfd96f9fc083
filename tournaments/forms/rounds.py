"""Entering results, and changing a round by hand."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from classes.forms import helper
from tournaments.models import Absence, Pairing, Tournament
from tournaments.selectors.pairing_page import Places
from tournaments.services.results import TO_ENTER


class ResultForm(forms.Form):
    """A result, and what stood there when it was chosen. `version`: the rating list's, once consequences were shown."""

    result = forms.ChoiceField(
        required=False,
        choices=[(result.value, result.label) for result in TO_ENTER],
        error_messages={"invalid_choice": _("Choose a result from the list.")},
    )
    was = forms.ChoiceField(required=False, choices=Pairing.Result.choices)
    version = forms.IntegerField(required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "result" not in self.data:  # an empty one takes the result out, a missing one does not
            raise ValidationError(_("Choose a result from the list."))
        return cleaned


class HelperResultForm(forms.Form):
    """What a helper may enter: how a game ended. Everything else is for the teacher."""

    result = forms.ChoiceField(choices=[(result.value, result.label) for result in Pairing.PLAYED])


class RoundDayForm(forms.Form):
    """The day of a round."""

    day = forms.DateField(label=_("Day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.today = tournament.school.today()
        self.is_rated = tournament.rated
        if self.is_rated:
            self.fields["day"].widget.attrs["max"] = self.today.isoformat()
            self.fields["day"].help_text = _("The games of the round move with it, and every later rating follows.")
        self.helper = helper("day", button=_("Save"))

    def clean_day(self) -> datetime.date:
        day: datetime.date = self.cleaned_data["day"]
        if self.is_rated and day > self.today:
            raise ValidationError(_("This day lies in the future. Choose today or an earlier day."))
        if day.year < 2000:
            raise ValidationError(_("This day lies too far back. Check the year."))
        return day


SWAP, BYE, JOIN = "swap", "bye", "join"


class ChangeForm(forms.Form):
    """One change of a round by hand: two players swapped, a bye given, or somebody let in after all."""

    NEEDS = {SWAP: ("one", "other"), BYE: ("player", "kind"), JOIN: ("newcomer",)}
    CHOOSE = _("Choose a player.")

    do = forms.ChoiceField(choices=[(name, name) for name in NEEDS])
    one = forms.TypedChoiceField(label=_("This player"), coerce=int, required=False)
    other = forms.TypedChoiceField(label=_("and this one"), coerce=int, required=False)
    player = forms.TypedChoiceField(label=_("Player"), coerce=int, required=False)
    kind = forms.ChoiceField(label=_("Bye"), choices=Absence.Kind.choices, required=False)
    newcomer = forms.TypedChoiceField(label=_("Who plays after all"), coerce=int, required=False)

    def __init__(self, *args: Any, places: Places, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        nobody = ("", "–")
        everybody = [(place.entry, place.text) for place in places.players]
        for name in ("one", "other", "player"):
            self.fields[name].choices = [nobody, *everybody]
        self.fields["newcomer"].choices = [nobody, *((place.entry, place.text) for place in places.out)]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name in self.NEEDS.get(cleaned.get("do", ""), ()):
            if not cleaned.get(name) and name not in self.errors:
                self.add_error(name, self.CHOOSE)
        if cleaned.get("do") == SWAP and cleaned.get("one") and cleaned.get("one") == cleaned.get("other"):
            self.add_error("other", _("Choose two different players."))
        return cleaned
