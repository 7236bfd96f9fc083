"""The calculator: open to everybody, without the database. Every address can be shared."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from ratings.core import fide, glicko, uschess
from ratings.core.calculator import compare, replay_games
from ratings.forms.calculator import (
    CalculatorForm,
    FideForm,
    FirstRatingForm,
    GlickoForm,
    OneGameForm,
    SeveralGamesForm,
    UsChessForm,
)

PARTS = {
    "game": _("One game"),
    "games": _("Several games"),
    "fide": _("FIDE"),
    "first": _("First FIDE rating"),
    "glicko": _("Glicko"),
    "us": _("US Chess"),
}


@login_not_required
@require_safe
def game(request: HttpRequest) -> HttpResponse:
    form = OneGameForm(request.GET)
    result = compare(**form.numbers()) if form.is_valid() else None
    return _answer(request, "game", form, result)


@login_not_required
@require_safe
def games(request: HttpRequest) -> HttpResponse:
    form = SeveralGamesForm(request.GET)
    result = replay_games(form.cleaned_data["rating"], form.chosen_k, form.games()) if form.is_valid() else None
    return _answer(request, "games", form, result)


@login_not_required
@require_safe
def fide_period(request: HttpRequest) -> HttpResponse:
    form = FideForm(request.GET)
    result = fide.rate_period(**form.numbers()) if form.is_valid() else None
    return _answer(request, "fide", form, result)


@login_not_required
@require_safe
def first_rating(request: HttpRequest) -> HttpResponse:
    form = FirstRatingForm(request.GET)
    result = None
    if form.is_valid():
        opponents, halves = zip(*form.games(), strict=True)
        result = fide.first_rating(opponents, sum(halves))
    return _answer(request, "first", form, result)


@login_not_required
@require_safe
def glicko_period(request: HttpRequest) -> HttpResponse:
    form = GlickoForm(request.GET)
    cleaned = form.cleaned_data if form.is_valid() else None
    result = glicko.rate(cleaned["rating"], cleaned["deviation"], form.games()) if cleaned else None
    return _answer(request, "glicko", form, result)


@login_not_required
@require_safe
def us_event(request: HttpRequest) -> HttpResponse:
    form = UsChessForm(request.GET)
    if not form.is_valid():
        return _answer(request, "us", form, None)
    event = uschess.rate_event(form.cleaned_data["rating"], form.cleaned_data["before"], form.games())
    return _answer(request, "us", form, event, floor=uschess.floor(**form.of_floor()))


def _answer(request: HttpRequest, part: str, form: CalculatorForm, result: Any, **more: Any) -> HttpResponse:
    """The page, or for htmx its result alone. Mistakes stand where the result would."""
    context = {
        "part": part,
        "parts": [(f"ratings:calculator_{name}", name, label) for name, label in PARTS.items()],
        "title": PARTS[part],
        "form": form,
        "result": result,
        "about": f"ratings/_calculator_{part}_about.html",
        "answer": f"ratings/_calculator_{part}.html",
        **more,
    }
    template = "ratings/_calculator_result.html" if request.htmx else "ratings/calculator.html"
    return render(request, template, context)
