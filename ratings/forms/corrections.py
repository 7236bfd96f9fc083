"""Changing a recorded game, and taking games and adjustments out or back."""

from __future__ import annotations

import datetime
from typing import Any

from crispy_forms.layout import Div, Field
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from classes.forms import OneTimeForm, cleaned_text, helper
from ratings.forms.games import PlayerField, side_label
from ratings.models import Game


class CorrectionForm(OneTimeForm):
    """A game as it is, to be changed."""

    white = PlayerField(label=side_label("w", _("White")))
    black = PlayerField(label=side_label("b", _("Black")))
    result = forms.ChoiceField(label=_("Result"), choices=Game.Result.choices, widget=forms.RadioSelect)
    day = forms.DateField(label=_("Played on"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    place = forms.IntegerField(label=_("Place within the day"), min_value=1, required=False)
    note = forms.CharField(label=_("Note (optional)"), max_length=300, required=False)
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        game: Game,
        labels: dict[int, str],
        place: tuple[int, int],
        today: datetime.date,
        **kwargs: Any,
    ) -> None:
        """`labels`: who may be chosen. `place`: where the game stands on its day, and of how many."""
        self.game, self.present_place, self.today = game, place[0], today
        initial = {name: getattr(game, name) for name in ("result", "day", "note")}
        initial |= {"white": game.white_id, "black": game.black_id, "place": self.present_place}
        super().__init__(*args, initial=initial, **kwargs)
        by_name = sorted(labels.items(), key=lambda pair: pair[1].casefold())
        for side in ("white", "black"):
            self.fields[side].offer_names(by_name)
        self.fields["place"].help_text = _(
            "Ratings follow the order of play. This one is number %(place)d of %(number)d on its day."
        ) % {"place": self.present_place, "number": place[1]}
        self.fields["day"].widget.attrs["max"] = today.isoformat()
        self.helper = helper(
            "key",
            Div(
                Div(Field("white", data_search=_("Search by name")), css_class="col-sm-6"),
                Div(Field("black", data_search=_("Search by name")), css_class="col-sm-6"),
                css_class="row g-3",
            ),
            Field("result", template="ratings/_result_choice.html"),
            Div(Div("day", css_class="col-sm-6"), Div("place", css_class="col-sm-6"), css_class="row g-3 mt-0"),
            "note",
            button=_("Show what changes"),
        )

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
        if cleaned.get("white") and cleaned["white"] == cleaned.get("black"):
            self.add_error("black", _("White and Black must be two different students."))
        return cleaned

    @property
    def correction(self) -> dict[str, Any]:
        """What decides about ratings. The place counts only where it was changed."""
        cleaned = self.cleaned_data
        place = cleaned["place"] if cleaned["place"] not in {None, self.present_place} else None
        return {name: cleaned[name] for name in ("white", "black", "result", "day")} | {"place": place}

    @property
    def changes_ratings(self) -> bool:
        """Is anything changed but the note?"""
        chosen = self.correction
        kept = {"white": self.game.white, "black": self.game.black, "result": self.game.result, "day": self.game.day}
        return chosen != kept | {"place": None}


class VoidForm(OneTimeForm):
    """A reason for taking something out of the ratings."""

    SAY_WHY = _("Say why: whoever looks later wants to know.")

    reason = forms.CharField(label=_("Reason"), max_length=200, error_messages={"required": SAY_WHY})
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def clean_reason(self) -> str:
        reason = cleaned_text(self.cleaned_data["reason"])
        if not reason:  # nothing but characters that nobody sees
            raise ValidationError(self.SAY_WHY)
        return reason


class UnvoidForm(OneTimeForm):
    """Putting something back needs no reason."""

    version = forms.IntegerField(required=False, widget=forms.HiddenInput)
