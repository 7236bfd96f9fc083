"""A game's own page, and changing it later: the consequences are shown before anything is saved."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from classes.selectors import labels_in
from ratings import services
from ratings.access import casual_game_to_change, classroom_if_theirs, game_to_see, may_change
from ratings.forms.corrections import CorrectionForm, UnvoidForm, VoidForm
from ratings.models import Game
from ratings.selectors.consequences import of_correction, of_unvoiding, of_voiding, place_of
from ratings.selectors.game_page import game_page, players_for_correction
from ratings.selectors.students import labels_around


@require_safe
def game(request: HttpRequest, game_id: int) -> HttpResponse:
    """Everything about a game; students see their own."""
    found = game_to_see(request.user, game_id)
    if request.user.is_student:
        labels = labels_around(request.user.student, style=found.rating_list.school.name_style)
    else:
        labels = labels_in(found.classroom) if found.classroom else {}
    return render(
        request,
        "ratings/game.html",
        {
            "page": game_page(found, labels),
            "game": found,
            "may_change": may_change(request.user, found),
            "is_teacher": not request.user.is_student,
            "classroom": classroom_if_theirs(request.user, found.classroom),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
def correct_game(request: HttpRequest, game_id: int) -> HttpResponse:
    """Change players, result, day, place within the day or note."""
    found = casual_game_to_change(request.user, game_id)
    labels = players_for_correction(found)
    form = CorrectionForm(
        request.POST or None,
        game=found,
        labels=labels,
        place=place_of(found),
        today=found.rating_list.school.today(),
    )
    once = form.once(request, action="correct_game", answer=request.path.removesuffix("correct/"))
    if "confirm" in request.POST:
        once.refuse_second_use()  # sent twice: by now the form would find nothing to change
    if not form.is_valid() or "change" in request.POST:
        return render(request, "ratings/correct_game.html", {"game": found, "form": form})
    if not form.changes_ratings:
        services.change_note(found, note=form.cleaned_data["note"], by=request.user)
        messages.success(request, _("Saved. No rating changes."))
        return redirect("ratings:game", found.pk)
    stale = False
    if "confirm" in request.POST:
        try:
            services.correct_game(
                found,
                **form.correction,
                note=form.cleaned_data["note"],
                by=request.user,
                version=form.cleaned_data["version"] or 0,
                once=once,
            )
        except services.StaleVersion:
            stale = True
            found.rating_list.refresh_from_db()
        else:
            messages.success(request, _("The game is corrected, and every later rating with it."))
            return redirect(once.answer_for(found.pk))
    return confirm(
        request,
        title=_("Correct the game?"),
        what=_said(found, form, labels),
        consequences=of_correction(found, **form.correction, labels=labels),
        form=form,
        stale=stale,
        button=_("Correct the game"),
        back=redirect("ratings:game", found.pk).url,
        can_change=True,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def void_game(request: HttpRequest, game_id: int) -> HttpResponse:
    found = casual_game_to_change(request.user, game_id)
    if found.is_void:
        return redirect("ratings:game", found.pk)
    return void(request, found, what=str(found), title=_("Void the game?"), back=redirect("ratings:game", found.pk).url)


@require_http_methods(["GET", "HEAD", "POST"])
def unvoid_game(request: HttpRequest, game_id: int) -> HttpResponse:
    found = casual_game_to_change(request.user, game_id)
    if not found.is_void:
        return redirect("ratings:game", found.pk)
    return unvoid(
        request, found, what=str(found), title=_("Put the game back?"), back=redirect("ratings:game", found.pk).url
    )


def void(request: HttpRequest, posting: Any, *, what: str, title: str, back: str) -> HttpResponse:
    """Ask for a reason, show the consequences, void. For games and adjustments."""
    form = VoidForm(request.POST or None)
    stale = False
    if form.is_valid():
        do = services.void_game if isinstance(posting, Game) else services.void_adjustment
        try:
            do(posting, by=request.user, reason=form.cleaned_data["reason"], version=form.cleaned_data["version"] or 0)
        except services.StaleVersion:
            stale = True
            posting.rating_list.refresh_from_db()
        else:
            messages.success(request, _("It is void and counts no more. It stays on record and can be put back."))
            return redirect(back)
    return confirm(
        request,
        title=title,
        what=[what],
        consequences=of_voiding(posting, _labels(posting)),
        form=form,
        stale=stale,
        button=_("Void"),
        back=back,
    )


def unvoid(request: HttpRequest, posting: Any, *, what: str, title: str, back: str) -> HttpResponse:
    """Show the consequences, put back. For games and adjustments."""
    form = UnvoidForm(request.POST or None)
    stale = False
    if form.is_valid():
        do = services.unvoid_game if isinstance(posting, Game) else services.unvoid_adjustment
        try:
            do(posting, by=request.user, version=form.cleaned_data["version"] or 0)
        except services.StaleVersion:
            stale = True
            posting.rating_list.refresh_from_db()
        else:
            messages.success(request, _("It counts again."))
            return redirect(back)
    return confirm(
        request,
        title=title,
        what=[what],
        consequences=of_unvoiding(posting, _labels(posting)),
        form=form,
        stale=stale,
        button=_("Put back"),
        back=back,
    )


def confirm(request: HttpRequest, *, stale: bool, **context: Any) -> HttpResponse:
    """The page that says what will change. Stale: somebody wrote meanwhile, these are the new consequences (409)."""
    return render(request, "ratings/confirm.html", context | {"stale": stale}, status=409 if stale else 200)


def _labels(posting: Any) -> dict[int, str]:
    return labels_in(posting.classroom) if posting.classroom else {}


def _said(game: Game, form: CorrectionForm, labels: dict[int, str]) -> list[str]:
    """The game as it is and as it will be."""
    cleaned = form.cleaned_data
    before = f"{labels[game.white_id]} {game.sign} {labels[game.black_id]}, {game.day:%Y-%m-%d}"
    sign = Game.SIGNS[Game.Result(cleaned["result"])]
    after = f"{labels[cleaned['white'].pk]} {sign} {labels[cleaned['black'].pk]}, {cleaned['day']:%Y-%m-%d}"
    if place := form.correction["place"]:
        after = _("%(game)s, number %(place)d of its day") % {"game": after, "place": place}
    return [_("Now: %(game)s") % {"game": before}, _("Then: %(game)s") % {"game": after}]
