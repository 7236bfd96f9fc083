"""A board: its page, and entering and changing its result."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from ratings.services import StaleVersion
from tournaments.access import board_for_results, pairing_of, tournament_to_see
from tournaments.forms.rounds import ResultForm
from tournaments.models import Pairing
from tournaments.selectors.board import ResultChange, board_page, change_of
from tournaments.selectors.pairing_page import choices, more_choices
from tournaments.selectors.rounds import round_page
from tournaments.selectors.states import load
from tournaments.services import results as services
from tournaments.views.frame import frame, labels_for
from tournaments.views.rounds import round_context

Result = Pairing.Result


@require_safe
def board(request: HttpRequest, tournament_id: int, pairing_id: int) -> HttpResponse:
    """Everything about a board; with `?result=` what that result would change."""
    found = tournament_to_see(request.user, tournament_id)
    return _board(request, pairing_of(found, pairing_id), request.GET.get("result"))


def _board(request: HttpRequest, pairing: Pairing, result: str | None, *, stale: bool = False) -> HttpResponse:
    """The page of a board; `stale`: somebody wrote meanwhile, these are the new consequences (409)."""
    loaded = load(pairing.round.tournament)
    labels = labels_for(request, loaded.tournament, loaded.entries)
    context = frame(request, loaded, f"round-{pairing.round.number}")
    is_last = pairing.round.number == loaded.paired
    may_ask = context["can_enter"] and not pairing.is_bye and result != pairing.result
    if may_ask and result in services.TO_ENTER and (result != Result.OPEN or is_last):
        context |= {
            "wanted": Pairing(result=result),
            "change": change_of(loaded, pairing, result, labels),
            "stale": stale,
        }
    context |= {
        "page": board_page(loaded, pairing, labels),
        "round": pairing.round,
        "choices": choices(),
        "more": more_choices(),
        "is_last": is_last,
    }
    return render(request, "tournaments/board.html", context, status=409 if stale else 200)


@require_POST
def enter_result(request: HttpRequest, tournament_id: int, pairing_id: int) -> HttpResponse:
    """Enter a result at once. Changing one is asked about where it does more than to move its own two ratings."""
    pairing = board_for_results(request.user, tournament_id, pairing_id)
    form = ResultForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose a result from the list."))
        return _entered(request, pairing)
    result, was, version = (form.cleaned_data[name] for name in ("result", "was", "version"))
    change = None
    if "confirm" not in request.POST and _is_change(pairing, result, was):
        change, at_once = _change(request, pairing, result)
        if not at_once:
            return _go(request, f"{reverse('tournaments:board', args=[tournament_id, pairing_id])}?result={result}")
        version = change.ratings.version if change.ratings else None
    before = pairing.sign
    try:
        pairing = services.enter_result(pairing, result=result, was=was, by=request.user, version=version)
    except services.ResultMeanwhile as meanwhile:
        return _meanwhile(request, meanwhile.pairing, result)
    except StaleVersion:
        if request.htmx:
            return _go(request, f"{reverse('tournaments:board', args=[tournament_id, pairing_id])}?result={result}")
        pairing.round.tournament.rating_list.refresh_from_db()
        return _board(request, pairing, result, stale=True)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        _say(request, pairing, before, was, change)
    return _entered(request, pairing)


def _is_change(pairing: Pairing, result: str, was: str) -> bool:
    """Does this change a result that its sender has seen? Everything else is left to the service."""
    return not pairing.is_open and not pairing.is_bye and pairing.result == was and result != was


def _change(request: HttpRequest, pairing: Pairing, result: str) -> tuple[ResultChange, bool]:
    """What a change would do, and whether it needs no question: in the last round, and no rating of others moves.

    The result of an earlier round is not taken out, which the service says at once.
    """
    loaded = load(pairing.round.tournament)
    labels = labels_for(request, loaded.tournament, loaded.entries)
    change = change_of(loaded, pairing, result, labels)
    is_last = pairing.round.number == loaded.paired
    return change, change.only_own if is_last else result == Result.OPEN


def _say(request: HttpRequest, pairing: Pairing, before: str, was: str, change: ResultChange | None) -> None:
    """What happened, where the page does not show it by itself."""
    values = {"board": pairing.board, "before": before or "–", "sign": pairing.sign or "–"}
    if before == pairing.sign and was != pairing.result:
        messages.info(request, _("Board %(board)d: %(sign)s was entered already.") % values)
    elif was == Result.OPEN or was == pairing.result:
        return
    elif pairing.is_open:
        messages.success(request, _("Board %(board)d: the result %(before)s is taken out.") % values)
    else:
        said = [_("Board %(board)d: %(sign)s instead of %(before)s.") % values]
        if change and change.ratings:
            said += [f"{move.label} {move.before} → {move.after}." for move in change.ratings.moves]
        messages.success(request, " ".join(said))


def _meanwhile(request: HttpRequest, pairing: Pairing, wanted: str) -> HttpResponse:
    """Somebody else entered another result: both are offered, none is lost in silence."""
    who = pairing.entered_by.get_full_name() if pairing.entered_by else _("The server")
    if pairing.entered_by == request.user:
        who = _("You")
    text = (
        _("%(who)s took the result of this board out meanwhile.")
        if pairing.is_open
        else _("%(who)s entered %(sign)s for this board meanwhile.")
    )
    context = {
        "meanwhile": text % {"who": who, "sign": pairing.sign},
        "wanted": Pairing(result=wanted),
    }
    return _entered(request, pairing, status=409, **context)


def _entered(request: HttpRequest, pairing: Pairing, *, status: int = 200, **context: Any) -> HttpResponse:
    """Back to the round at this board; for htmx the row anew, with progress and the next step."""
    made = pairing.round
    if not request.htmx and not context:
        url = reverse("tournaments:round_detail", args=[made.tournament_id, made.number])
        return redirect(f"{url}#board-{pairing.pk}")
    loaded = load(made.tournament)
    page = round_page(loaded, made, labels_for(request, made.tournament, loaded.entries))
    context |= frame(request, loaded, f"round-{made.number}") | round_context(loaded, made, page)
    row = next(row for row in (*page.boards, *page.byes) if row.pairing.pk == pairing.pk)
    template = "tournaments/_entered.html" if request.htmx else "tournaments/result_meanwhile.html"
    return render(request, template, context | {"row": row}, status=status)


def _go(request: HttpRequest, url: str) -> HttpResponse:
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)
