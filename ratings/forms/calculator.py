"""What is typed into the calculator. All of it stands in the address, so that it can be shared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlencode

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Field, Layout
from django import forms
from django.forms.boundfield import BoundField
from django.utils.text import format_lazy
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from ratings.core.elo import DRAW, LOSS, WIN

HIGHEST = 4000  # rating
HIGHEST_K = 200
HIGHEST_DEVIATION = 350
MOST_GAMES = 80
GAMES_AT_FIRST = 4
USUAL_K = ("40", "32", "20", "10")
OWN = "own"

WIDE = dict.fromkeys(("age", "chapter", "peak_games"), "col-12 col-sm-6")  # lists of words, on a phone

RESULTS = {"win": WIN, "draw": DRAW, "loss": LOSS}
RESULT_CHOICES = [("", "–"), ("win", _("Win")), ("draw", _("Draw")), ("loss", _("Loss"))]


def whole_number(label: Any, low: int = 0, high: int = HIGHEST, **kwargs: Any) -> forms.IntegerField:
    """A number whose mistakes are all told in one sentence. As text: a browser would not give letters back."""
    wanted = format_lazy(_("write a whole number from {low} to {high}."), low=low, high=high)
    return forms.IntegerField(
        label=label,
        min_value=low,
        max_value=high,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), wanted),
        **kwargs,
    )


def choice(label: Any, choices: list[tuple[str, Any]], **kwargs: Any) -> forms.ChoiceField:
    wanted = _("choose one of the list.")
    return forms.ChoiceField(
        label=label, choices=choices, error_messages={"required": wanted, "invalid_choice": wanted}, **kwargs
    )


@dataclass(frozen=True, slots=True)
class Complaint:
    """A mistake in one field; `field` is the id of what is to be changed, "" for the whole."""

    field: str
    label: str
    sentence: str


class CalculatorForm(forms.Form):
    """A part of the calculator: what the address leaves out is an example, so that every part starts with a result."""

    example: ClassVar[dict[str, str]] = {}

    def __init__(self, asked: Mapping[str, str]) -> None:
        super().__init__({**self.proposed(asked), **{name: asked[name] for name in asked}})

    def proposed(self, asked: Mapping[str, str]) -> dict[str, str]:
        return self.example

    def address(self) -> str:
        """What was asked, for the end of an address: without what is empty or means nothing here."""
        return urlencode({name: self.data[name] for name in self.fields if self.data.get(name)})

    def complaints(self) -> list[Complaint]:
        """All mistakes in the order of the fields. They stand with the result, where the page changes live."""
        found = [Complaint("", "", str(error)) for error in self.non_field_errors()]
        for name in self.fields:
            label = str(self[name].label)
            found += [Complaint(self._place_of(name), label, str(error)) for error in self.errors.get(name, [])]
        return found

    def _place_of(self, name: str) -> str:
        """The id of a field, of radio buttons that of the first."""
        return self[name].id_for_label or f"{self[name].auto_id}_0"

    def made_helper(self, *layout: Any, more: tuple[Any, ...] = ()) -> FormHelper:
        made = FormHelper()
        made.form_tag = False
        made.disable_csrf = True
        made.form_show_errors = False  # they stand with the result
        buttons = StrictButton(_("Calculate"), type="submit", css_class="btn-primary"), *more
        made.layout = Layout(*layout, Div(*buttons, css_class="d-flex flex-wrap gap-2 mt-3"))
        return made


class KForm(CalculatorForm):
    """A part with a K: one of the usual, or an own one. The address may say any number: ?k=24."""

    k = choice(
        _("K"),
        [*((k, k) for k in USUAL_K), (OWN, _("own"))],
        widget=forms.RadioSelect(attrs={"class": "form-check-input"}),
    )
    own_k = whole_number(_("Own K"), 1, HIGHEST_K, required=False)

    def __init__(self, asked: Mapping[str, str]) -> None:
        super().__init__(asked)
        self.fields["own_k"].widget.attrs["class"] = "form-control own-k"
        k = self.data["k"].strip()
        if k not in (*USUAL_K, OWN) and k:
            self.data = {**self.data, "k": OWN, "own_k": k}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("k") == OWN and cleaned.get("own_k") is None and "own_k" not in self.errors:
            self.add_error("own_k", self.fields["own_k"].error_messages["required"])
        elif cleaned.get("k") != OWN:
            self.errors.pop("own_k", None)  # not asked for
        return cleaned

    @property
    def chosen_k(self) -> int:
        return self.cleaned_data["own_k"] if self.cleaned_data["k"] == OWN else int(self.cleaned_data["k"])


class OneGameForm(KForm):
    white = whole_number(_("White’s rating"))
    black = whole_number(_("Black’s rating"))
    example = {"white": "1000", "black": "900", "k": "32"}

    field_order = ("white", "black", "k", "own_k")

    @property
    def helper(self) -> FormHelper:
        return self.made_helper(
            Div(Div("white", css_class="col-6"), Div("black", css_class="col-6"), css_class="row g-3"),
            Field("k", template="ratings/_k_choice.html"),
        )

    def numbers(self) -> dict[str, int]:
        return {"white": self.cleaned_data["white"], "black": self.cleaned_data["black"], "k": self.chosen_k}


@dataclass(frozen=True, slots=True)
class Row:
    """The fields of one game."""

    number: int
    opponent: BoundField
    deviation: BoundField | None
    result: BoundField


class GamesForm(CalculatorForm):
    """A part with games against several opponents. Rows that are left empty do not count."""

    least_games = 1
    with_deviations = False
    example_games: ClassVar[dict[str, str]] = {}

    def __init__(self, asked: Mapping[str, str]) -> None:
        super().__init__(asked)
        self.number_of_rows = min(MOST_GAMES, self._asked_rows() + (GAMES_AT_FIRST if "more" in asked else 0))
        for number in range(1, self.number_of_rows + 1):
            self._add_row(number)

    def proposed(self, asked: Mapping[str, str]) -> dict[str, str]:
        return self.example if any(_row_number(name) for name in asked) else self.example | self.example_games

    def _asked_rows(self) -> int:
        return max(GAMES_AT_FIRST, self.least_games, *(_row_number(name) for name in self.data), 0)

    def _add_row(self, number: int) -> None:
        opponent = format_lazy(_("Game {number}, opponent’s rating"), number=number)
        self.fields[f"opponent{number}"] = whole_number(opponent, required=False)
        if self.with_deviations:
            deviation = format_lazy(_("Game {number}, opponent’s deviation"), number=number)
            self.fields[f"deviation{number}"] = whole_number(deviation, 1, HIGHEST_DEVIATION, required=False)
        result = format_lazy(_("Game {number}, your result"), number=number)
        self.fields[f"result{number}"] = choice(result, RESULT_CHOICES, required=False)
        for name in self._names(number):
            css = "form-select" if name.startswith("result") else "form-control"
            self.fields[name].widget.attrs["class"] = css

    def _names(self, number: int) -> list[str]:
        kinds = ("opponent", "deviation", "result") if self.with_deviations else ("opponent", "result")
        return [f"{kind}{number}" for kind in kinds]

    def rows(self) -> Iterator[Row]:
        for number in range(1, self.number_of_rows + 1):
            deviation = self[f"deviation{number}"] if self.with_deviations else None
            yield Row(number, self[f"opponent{number}"], deviation, self[f"result{number}"])

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for number in range(1, self.number_of_rows + 1):
            names = self._names(number)
            empty = [name for name in names if cleaned.get(name) in (None, "") and name not in self.errors]
            if len(empty) < len(names):
                for name in empty:
                    self.add_error(name, _("is missing."))
        if not self.errors and len(self.games()) < self.least_games:
            self.add_error(None, self.too_few())
        return cleaned

    def too_few(self) -> str:
        return _now("Write at least one game: the opponent’s rating and your result.")

    def games(self) -> list[tuple[int, ...]]:
        """(opponent, score halves), with deviations (opponent, deviation, score halves)."""
        found = []
        for number in range(1, self.number_of_rows + 1):
            *numbers, result = (self.cleaned_data.get(name) for name in self._names(number))
            if result:
                found.append((*numbers, RESULTS[result]))
        return found

    def games_layout(self) -> list[Any]:
        return [HTML("{% include 'ratings/_game_rows.html' with form=form only %}")]

    def more_games(self) -> tuple[Any, ...]:
        if self.number_of_rows == MOST_GAMES:
            return ()
        return (StrictButton(_("More games"), type="submit", name="more", value="1", css_class="btn-quiet"),)


def _row_number(name: str) -> int:
    """The row that a name in the address belongs to; 0 for none."""
    found = re.fullmatch(r"(?:opponent|deviation|result)([1-9][0-9]?)", name)
    return min(int(found[1]), MOST_GAMES) if found else 0


class SeveralGamesForm(KForm, GamesForm):
    """A tournament replayed."""

    rating = whole_number(_("Your rating before"))
    example = {"rating": "800", "k": "32"}
    example_games = {
        "opponent1": "790", "result1": "win", "opponent2": "860", "result2": "draw",
        "opponent3": "1010", "result3": "loss", "opponent4": "820", "result4": "win",
    }  # fmt: skip

    field_order = ("rating", "k", "own_k")

    @property
    def helper(self) -> FormHelper:
        return self.made_helper(
            Div(Div("rating", css_class="col-6"), css_class="row g-3"),
            Field("k", template="ratings/_k_choice.html"),
            *self.games_layout(),
            more=self.more_games(),
        )


class FideForm(GamesForm):
    """A FIDE rating period."""

    rating = whole_number(_("Your rating"))
    peak = whole_number(_("Highest rating ever (if higher)"), required=False)
    before = whole_number(_("Rated games before"), 0, 99999)
    age = choice(_("Age this year"), [("junior", _("18 or younger")), ("adult", _("19 or older"))])
    chapter = choice(_("Games"), [("standard", _("standard")), ("rapid", _("rapid or blitz"))])
    example = {"rating": "1500", "peak": "", "before": "40", "age": "junior", "chapter": "standard"}
    example_games = {
        "opponent1": "1450", "result1": "win", "opponent2": "1620", "result2": "draw",
        "opponent3": "1980", "result3": "loss", "opponent4": "1510", "result4": "win",
    }  # fmt: skip

    @property
    def helper(self) -> FormHelper:
        fields = (
            Div(name, css_class=WIDE.get(name, "col-6")) for name in ("rating", "peak", "before", "age", "chapter")
        )
        return self.made_helper(
            Div(*fields, css_class="row g-3 align-items-end"), *self.games_layout(), more=self.more_games()
        )

    def numbers(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        return {
            "rating": cleaned["rating"],
            "games": self.games(),
            "peak": cleaned["peak"] or 0,
            "games_before": cleaned["before"],
            "junior": cleaned["age"] == "junior",
            "always_capped": cleaned["chapter"] == "rapid",
        }


class FirstRatingForm(GamesForm):
    """The games of somebody without a FIDE rating."""

    least_games = 5
    example_games = {
        "opponent1": "1850", "result1": "win", "opponent2": "1900", "result2": "draw", "opponent3": "1950",
        "result3": "loss", "opponent4": "1903", "result4": "draw", "opponent5": "1904", "result5": "win",
    }  # fmt: skip

    @property
    def helper(self) -> FormHelper:
        return self.made_helper(*self.games_layout(), more=self.more_games())

    def too_few(self) -> str:
        return _now("A first rating needs at least five games against players who have a FIDE rating.")


class GlickoForm(GamesForm):
    """A Glicko period; the example is the one of Glickman's paper."""

    with_deviations = True
    rating = whole_number(_("Your rating"))
    deviation = whole_number(_("Your deviation"), 1, HIGHEST_DEVIATION)
    example = {"rating": "1500", "deviation": "200"}
    example_games = {
        "opponent1": "1400", "deviation1": "30", "result1": "win", "opponent2": "1550", "deviation2": "100",
        "result2": "loss", "opponent3": "1700", "deviation3": "300", "result3": "loss",
    }  # fmt: skip

    @property
    def helper(self) -> FormHelper:
        return self.made_helper(
            Div(Div("rating", css_class="col-6"), Div("deviation", css_class="col-6"), css_class="row g-3"),
            *self.games_layout(),
            more=self.more_games(),
        )


class UsChessForm(GamesForm):
    """An event of US Chess, and what the floor depends on."""

    rating = whole_number(_("Your rating"))
    before = whole_number(_("Rated games before"), 0, 99999)
    peak = whole_number(_("Highest rating ever"))
    peak_games = choice(
        _("Reached after"), [("established", _("more than 25 games")), ("provisional", _("25 games or fewer"))]
    )
    wins = whole_number(_("Games won, ever"), 0, 99999)
    draws = whole_number(_("Games drawn, ever"), 0, 99999)
    events = whole_number(_("Events of three games or more"), 0, 99999)
    example = {
        "rating": "800", "before": "26", "peak": "900", "peak_games": "established",
        "wins": "10", "draws": "3", "events": "7",
    }  # fmt: skip
    example_games = {
        "opponent1": "750", "result1": "win", "opponent2": "900", "result2": "win",
        "opponent3": "820", "result3": "win", "opponent4": "1000", "result4": "loss",
    }  # fmt: skip

    @property
    def helper(self) -> FormHelper:
        names = ("peak", "peak_games", "wins", "draws", "events")
        of_floor = (Div(name, css_class=WIDE.get(name, "col-6")) for name in names)
        return self.made_helper(
            Div(Div("rating", css_class="col-6"), Div("before", css_class="col-6"), css_class="row g-3"),
            *self.games_layout(),
            HTML("{% include 'ratings/_floor_heading.html' only %}"),
            Div(*of_floor, css_class="row g-3 align-items-end"),
            more=self.more_games(),
        )

    def of_floor(self) -> dict[str, Any]:
        names = ("peak", "wins", "draws", "events")
        established = self.cleaned_data["peak_games"] == "established"
        return {name: self.cleaned_data[name] for name in names} | {"established": established}
