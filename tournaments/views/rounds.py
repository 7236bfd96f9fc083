"""The pages where a tournament is run: its rounds, pairing, and changes by hand."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments.access import board_of_game, entry_of, round_of, tournament_to_run, tournament_to_see
from tournaments.core import by_hand
from tournaments.core.types import Code, NoPairing, Pair, Reason
from tournaments.core.warnings import Kind, Warning, warnings
from tournaments.forms.rounds import BYE, JOIN, SWAP, ChangeForm, RoundDayForm
from tournaments.models import Round, Tournament
from tournaments.selectors.pairing_page import (
    choices,
    live,
    more_choices,
    next_step,
    notices,
    pairs_of,
    places,
    since,
    start_rows,
    state_before,
    warning_texts,
)
from tournaments.selectors.rounds import RoundPage, round_page
from tournaments.selectors.states import Loaded, load
from tournaments.selectors.words import REASONS
from tournaments.services import rounds as services
from tournaments.views.frame import frame, labels_for


@require_safe
def tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """The last round; before the first one who plays."""
    found = tournament_to_see(request.user, tournament_id)
    loaded = load(found)
    if loaded.paired:
        return redirect("tournaments:round_detail", found.pk, loaded.paired)
    rows = start_rows(loaded, labels_for(request, found, loaded.entries))
    present = sum(not row.absent for row in rows)
    return render(
        request, "tournaments/start.html", frame(request, loaded, "start") | {"rows": rows, "present": present}
    )


@require_safe
def round_detail(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    """A round with its results. Asked by the page itself now and then, only what is new."""
    found = tournament_to_see(request.user, tournament_id)
    made = round_of(found, number)
    loaded = load(found)
    labels = labels_for(request, found, loaded.entries)
    page = round_page(loaded, made, labels)
    context = frame(request, loaded, f"round-{number}") | round_context(loaded, made, page)
    if request.htmx and "newest" in request.GET:
        changed = context["live"].seating != request.GET.get("seating")
        context |= {"changed": changed, "rows": [] if changed else since(page, request.GET["newest"]).boards}
        return render(request, "tournaments/_round_live.html", context)
    return render(request, "tournaments/round_detail.html", context | {"notices": notices(loaded, made, page, labels)})


def round_context(loaded: Loaded, made: Round, page: RoundPage) -> dict[str, Any]:
    """What the boards of a round are shown with, on its page and in the answers to results."""
    return {
        "round": made,
        "page": page,
        "choices": choices(),
        "more": more_choices(),
        "is_last": made.number == loaded.paired,
        "next": next_step(loaded, made, page),
        "live": live(page),
    }


@require_POST
def pair_round(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    found = tournament_to_run(request.user, tournament_id)
    try:
        answer = services.pair_next_round(
            found,
            number=number,
            day=found.school.today(),
            by=request.user,
            fewest_repeats_instead="fewest" in request.POST,
        )
    except services.AlreadyPaired:
        messages.info(request, _("Round %(number)d is already paired.") % {"number": number})
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("tournaments:tournament", found.pk)
    else:
        if isinstance(answer, NoPairing):
            return _no_pairing(request, found, number, answer)
    return redirect("tournaments:round_detail", found.pk, number)


def _no_pairing(request: HttpRequest, found: Tournament, number: int, answer: NoPairing) -> HttpResponse:
    context = frame(request, load(found), "pair") | {
        "number": number,
        "reason": REASONS[answer.reason],
        "offers_fewest": answer.reason is Reason.NO_LEGAL_PAIRING,
        "offers_players": answer.reason is Reason.NOT_ENOUGH_PLAYERS,
    }
    return render(request, "tournaments/no_pairing.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def unpair_round(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    """Ask, then take back the last round."""
    found = tournament_to_run(request.user, tournament_id)
    made = round_of(found, number)
    if request.method == "POST":
        try:
            services.unpair_round(found, number=number)
        except ValidationError as error:
            messages.error(request, error.messages[0])
            return redirect("tournaments:round_detail", found.pk, number)
        messages.success(request, _("Round %(number)d is taken back.") % {"number": number})
        return redirect("tournaments:tournament", found.pk)
    return render(
        request, "tournaments/unpair_round.html", frame(request, load(found), f"round-{number}") | {"round": made}
    )


@require_http_methods(["GET", "HEAD", "POST"])
def round_day(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    found = tournament_to_run(request.user, tournament_id)
    made = round_of(found, number)
    form = RoundDayForm(request.POST or None, tournament=found, initial={"day": made.day})
    if form.is_valid():
        try:
            services.set_round_day(found, number=number, day=form.cleaned_data["day"], by=request.user)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The day of round %(number)d is saved.") % {"number": number})
            return redirect("tournaments:round_detail", found.pk, number)
    return render(
        request,
        "tournaments/round_day.html",
        frame(request, load(found), f"round-{number}") | {"round": made, "form": form},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def change_pairings(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    """Change the last round by hand. What is unusual about the new pairs is asked about first."""
    found = tournament_to_run(request.user, tournament_id)
    made = round_of(found, number)
    loaded = load(found)
    labels = labels_for(request, found, loaded.entries)
    page = round_page(loaded, made, labels)
    can_move = places(page, labels)
    form = ChangeForm(request.POST or None, places=can_move)
    asks: list[str] = []
    if form.is_valid():
        asks = warning_texts(_unusual(loaded, made, page, form), labels)
        if not asks or "confirm" in request.POST:
            try:
                _change(found, number, form.cleaned_data)
            except ValidationError as error:
                form.add_error(None, error)
                asks = []
            else:
                messages.success(request, _("The pairings are changed."))
                return redirect("tournaments:round_detail", found.pk, number)
    context = frame(request, loaded, f"round-{number}") | {
        "round": made,
        "form": form,
        "places": can_move,
        "asks": asks,
        "is_last": made.number == loaded.paired,
    }
    return render(request, "tournaments/change_pairings.html", context)


def _change(found: Tournament, number: int, wanted: dict[str, Any]) -> None:
    if wanted["do"] == SWAP:
        one, other = entry_of(found, wanted["one"]), entry_of(found, wanted["other"])
        services.swap_players(found, one=one, other=other, number=number)
    elif wanted["do"] == BYE:
        services.take_off_board(found, entry=entry_of(found, wanted["player"]), number=number, bye=Code(wanted["kind"]))
    else:
        services.join_round(found, entry=entry_of(found, wanted["newcomer"]), number=number)


def _unusual(loaded: Loaded, made: Round, page: RoundPage, form: ChangeForm) -> list[Warning]:
    """What is unusual about the pairs that a change would bring."""
    wanted = form.cleaned_data
    present = pairs_of(row.pairing for row in (*page.boards, *page.byes))
    changed: tuple[Pair, ...]
    if wanted["do"] == SWAP:
        changed = by_hand.swapped(present, wanted["one"], wanted["other"])
    elif wanted["do"] == JOIN:
        changed = by_hand.joined(present, wanted["newcomer"])
    else:
        changed = by_hand.without(present, wanted["player"])
    state = state_before(loaded, made.number, changed)
    games = [pair.players for pair in present if not pair.is_bye]
    together = {*games, *(players[::-1] for players in games)}
    found = [
        one
        for one in warnings(state, [pair for pair in changed if pair not in present])
        if one.players not in together  # who meet already are not asked about again
    ]
    if wanted["do"] == BYE and wanted["kind"] == Code.FULL_BYE:
        found += [one for one in warnings(state, [Pair(wanted["player"])]) if one.kind is Kind.SECOND_BYE]
    return found


@require_safe
def game_in_tournament(request: HttpRequest, game_id: int) -> HttpResponse:
    """From a game to its board."""
    pairing = board_of_game(request.user, game_id)
    return redirect("tournaments:board", pairing.round.tournament_id, pairing.pk)
