"""What a lead types about rating lists, checked."""

from __future__ import annotations

import datetime
from typing import Any

from crispy_forms.layout import HTML, Div, Field
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from classes.forms import OneTimeForm, cleaned_text, helper
from ratings.core.rules import FROM_THE_BEGINNING
from ratings.models import HIGHEST_START, LOWEST_START, START_RATING, RatingList, RatingRule

USUAL_NAMES = (_("Standard"), _("Rapid"), _("Blitz"))
USUAL_K = (10, 20, 32, 40)
FIRST_YEAR = 2000
AHEAD = datetime.timedelta(days=366)
MOST_FIRST_GAMES = 1000
KINDS = RatingRule.Kind
# Which fields a kind of rule asks for; the others are not looked at.
NEEDED = {
    KINDS.CONSTANT: {"k"},
    KINDS.PROVISIONAL: {"k", "provisional_k", "provisional_games"},
    KINDS.FIDE: {"players_are_juniors"},
}


def number_field(label: Any, lowest: int, highest: int, sentence: Any, **kwargs: Any) -> forms.IntegerField:
    """A whole number within bounds, with one sentence for everything that is wrong with it."""
    errors = dict.fromkeys(("required", "invalid", "min_value", "max_value"), sentence)
    return forms.IntegerField(label=label, min_value=lowest, max_value=highest, error_messages=errors, **kwargs)


def proposals(name: str, values: tuple[Any, ...]) -> HTML:
    """The values that the browser proposes for a field with the attribute `list` of this name."""
    return HTML(f'<datalist id="{name}">{"".join(f"<option>{value}</option>" for value in values)}</datalist>')


class RatingListForm(OneTimeForm):
    """One more rating list of a school."""

    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        help_text=_("Standard, Rapid, Blitz, or a name of your own."),
        error_messages={"required": _("Give the list a name, such as Rapid.")},
        widget=forms.TextInput(attrs={"list": "usual-names", "autocomplete": "off"}),
    )
    start_rating = number_field(
        _("Starting rating"),
        LOWEST_START,
        HIGHEST_START,
        _("A start rating is a number from 0 to 4000."),
        initial=START_RATING,
    )

    def __init__(self, *args: Any, lists: list[RatingList], **kwargs: Any) -> None:
        """`lists`: those that the school has."""
        super().__init__(*args, **kwargs)
        self.taken = {one.name.casefold() for one in lists}
        free = tuple(name for name in USUAL_NAMES if name.casefold() not in self.taken)
        self.helper = helper(
            "key",
            Div(Div("name", css_class="col-sm-8"), Div("start_rating", css_class="col-sm-4"), css_class="row"),
            proposals("usual-names", free),
            button=_("Add the list"),
        )

    def clean_name(self) -> str:
        name = cleaned_text(self.cleaned_data["name"])
        if not name:
            raise ValidationError(self.fields["name"].error_messages["required"])
        if name.casefold() in self.taken:
            raise ValidationError(_("There is already a rating list of this name."))
        return name


class RatingRuleForm(OneTimeForm):
    """How games are rated from a day on."""

    SINCE = (("day", _("From a day on")), ("beginning", _("From the beginning")))

    since = forms.ChoiceField(
        label=_("It holds"),
        choices=SINCE,
        initial="day",
        widget=forms.RadioSelect,
        error_messages={"required": _("Say from when on the rule holds.")},
    )
    from_day = forms.DateField(
        label=_("From"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": _("Write the day as in 2026-09-01.")},
    )
    kind = forms.ChoiceField(
        label=_("Rule"),
        choices=KINDS.choices,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose one of the three rules.")},
    )
    k = number_field(
        _("K"),
        1,
        200,
        _("K is a number from 1 to 200."),
        required=False,
        help_text=_("Usual are 10, 20, 32 and 40. A higher K moves ratings faster."),
    )
    provisional_games = number_field(
        _("Number of first games"),
        1,
        MOST_FIRST_GAMES,
        _("Say for how many first games: a number from 1 to 1000."),
        required=False,
    )
    provisional_k = number_field(_("K in these games"), 1, 200, _("K is a number from 1 to 200."), required=False)
    players_are_juniors = forms.BooleanField(
        label=_("Players are juniors"),
        required=False,
        initial=True,
        help_text=_(
            "FIDE K: for juniors 40 below 2300; otherwise 40 in the first 30 games, then 20; 10 once 2400 was reached. "
            "A gap of more than 400 points counts as 400."
        ),
    )
    floor = number_field(
        _("Floor (optional)"),
        LOWEST_START,
        HIGHEST_START,
        _("A floor is a number from 0 to 4000."),
        required=False,
        help_text=_("No rating falls below it; the points that lift a rating to it are counted as top-up."),
    )
    version = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, rating_list: RatingList, now: RatingRule, **kwargs: Any) -> None:
        """`now`: the rule in force, to begin from."""
        self.rating_list = rating_list
        self.today = rating_list.school.today()
        initial = {"from_day": self.today, "kind": now.kind, "k": now.k, "floor": now.floor}
        initial |= {"provisional_games": 20, "provisional_k": 40}
        if now.kind == KINDS.PROVISIONAL:
            initial |= {"provisional_games": now.provisional_games, "provisional_k": now.provisional_k}
        if now.kind == KINDS.FIDE:
            initial["players_are_juniors"] = now.players_are_juniors
        super().__init__(*args, initial=initial, **kwargs)
        for name in ("k", "provisional_k"):
            self.fields[name].widget.attrs["list"] = "usual-k"
        self.helper = helper(
            "key",
            Field("since"),
            Div(Div("from_day", css_class="col-sm-6"), css_class="row rule-from-day"),
            Field("kind"),
            Div(
                Div("provisional_games", css_class="col-sm-6 rule-provisional"),
                Div("provisional_k", css_class="col-sm-6 rule-provisional"),
                Div("k", css_class="col-sm-6 rule-constant rule-provisional"),
                Div("players_are_juniors", css_class="col-12 rule-fide"),
                css_class="row rule-parts",
            ),
            proposals("usual-k", USUAL_K),
            Div(Div("floor", css_class="col-sm-6"), css_class="row"),
            button=_("Show what changes"),
        )
        self.helper.form_class = "rule-form"

    def clean_from_day(self) -> datetime.date | None:
        day: datetime.date | None = self.cleaned_data["from_day"]
        if day and day.year < FIRST_YEAR:
            raise ValidationError(_("This day lies too far back. Check the year, or choose “From the beginning”."))
        if day and day > self.today + AHEAD:
            raise ValidationError(_("This day lies more than a year ahead. Check the year."))
        return day

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        needed = NEEDED.get(cleaned.get("kind"), set())
        for name in {"k", "provisional_k", "provisional_games"} - needed:
            self.errors.pop(name, None)
        for name in needed - {"players_are_juniors"}:
            if name not in self.errors and cleaned.get(name) is None:
                self.add_error(name, self.fields[name].error_messages["required"])
        if cleaned.get("since") == "beginning":
            self.errors.pop("from_day", None)
        elif "from_day" not in self.errors and not cleaned.get("from_day"):
            self.add_error("from_day", _("Say from which day on the rule holds."))
        return cleaned

    def rule(self) -> RatingRule:
        """The rule that was typed, not saved."""
        cleaned = self.cleaned_data
        needed = NEEDED[KINDS(cleaned["kind"])]
        return RatingRule(
            rating_list=self.rating_list,
            from_day=FROM_THE_BEGINNING if cleaned["since"] == "beginning" else cleaned["from_day"],
            kind=cleaned["kind"],
            floor=cleaned["floor"],
            **{name: cleaned[name] for name in needed},
        )
