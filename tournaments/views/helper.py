"""A helper without an account: the teacher makes a link, the helper opens it and enters results until midnight.

The helper's pages need no login. Each asks `helper_link_of` for the link of its session, and so for the tournament.
"""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from classes.selectors import qr_code
from tournaments.access import (
    HELPER,
    board_of_helper,
    helper_link_of,
    helper_link_with,
    round_of_helper,
    tournament_to_run,
)
from tournaments.forms.rounds import HelperResultForm
from tournaments.selectors.helper import helper_link_row
from tournaments.selectors.names import short_names
from tournaments.selectors.pairing_page import choices
from tournaments.selectors.rounds import round_page
from tournaments.selectors.states import load
from tournaments.services import helper_links as services
from tournaments.services.results import ResultMeanwhile
from tournaments.views.frame import frame

# --- for the teacher ---


@require_http_methods(["GET", "HEAD", "POST"])
def helper_link(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Make a link; the answer itself shows it, this once."""
    tournament = tournament_to_run(request.user, tournament_id)
    context = {}
    if request.method == "POST":
        try:
            _link, code = services.make_helper_link(tournament, by=request.user)
        except ValidationError as error:
            messages.error(request, error.messages[0])
            return redirect("tournaments:settings", tournament.pk)
        url = request.build_absolute_uri(reverse("tournaments:open_helper_link", args=[code]))
        context = {"url": url, "qr": qr_code(url)}
    context |= frame(request, load(tournament), "settings") | {"link": helper_link_row(tournament)}
    return render(request, "tournaments/helper_link.html", context)


@require_POST
def end_helper_link(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = tournament_to_run(request.user, tournament_id)
    services.end_helper_link(tournament, by=request.user)
    messages.success(request, _("The helper link is ended. What was entered with it stays."))
    return redirect("tournaments:helper_link", tournament.pk)


# --- for the helper ---


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_helper_link(request: HttpRequest, code: str) -> HttpResponse:
    """Where the link leads. Looking does nothing; a press of the button opens it, and logs out who was logged in."""
    link = helper_link_with(code)
    if link and request.method == "POST":
        logout(request)
        request.session[HELPER] = link.pk
        request.session.set_expiry(link.expires_at)
        services.note_opened(link)
        return redirect("tournaments:helper_round")
    return render(request, "tournaments/helper_open.html", {"link": link})


@login_not_required
@never_cache
@require_safe
def helper_round(request: HttpRequest) -> HttpResponse:
    """The boards of the latest round, by short names."""
    link = helper_link_of(request)
    made = round_of_helper(link)
    loaded = load(link.tournament)
    page = round_page(loaded, made, short_names(loaded.entries)) if made else None
    context = {"link": link, "tournament": link.tournament, "page": page, "choices": choices()}
    return render(request, "tournaments/helper_round.html", context)


@login_not_required
@never_cache
@require_POST
def helper_result(request: HttpRequest, pairing_id: int) -> HttpResponse:
    """Enter the result of an open board. What stands there already is changed by the teacher only."""
    link = helper_link_of(request)
    pairing = board_of_helper(link, pairing_id)
    form = HelperResultForm(request.POST)
    try:
        if form.is_valid():
            services.enter_as_helper(link, pairing, result=form.cleaned_data["result"])
        else:
            messages.error(request, _("Choose a result from the list."))
    except ResultMeanwhile as meanwhile:
        values = {"board": meanwhile.pairing.board, "sign": meanwhile.pairing.sign}
        messages.error(
            request, _("Board %(board)d has a result already: %(sign)s. To change it, ask the teacher.") % values
        )
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect(f"{reverse('tournaments:helper_round')}#board-{pairing.pk}")


@login_not_required
@never_cache
@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    """The helper is done on this device."""
    helper_link_of(request)
    request.session.flush()
    messages.success(request, _("Thank you for helping! This device shows the tournament no more."))
    return redirect("home")
