"""Lists of tournaments, setting one up, its settings, and its end."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from classes.access import classroom_for_teacher, lead_membership_of, membership_of, open_classroom_for_teacher
from classes.models import Classroom, School
from ratings.access import list_choice
from tournaments.access import tournament_to_run, tournaments_of_teacher
from tournaments.forms.setup import CancelForm, SettingsForm, SetUpForm, initial_of, typed, wished
from tournaments.models import Tournament
from tournaments.selectors.events import events_of, games_that_count, with_students_of
from tournaments.selectors.set_up import candidates_of_class, candidates_of_school, entered_in
from tournaments.selectors.states import load
from tournaments.services import events as services
from tournaments.views.frame import frame

ONLY_SHOWN = {"suggest", "use", "tick", "untick"}  # buttons that change the form and save nothing


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """All tournaments that a teacher sees."""
    membership = membership_of(request.user)
    context = {"events": events_of(tournaments_of_teacher(membership)), "is_lead": membership.is_lead}
    return render(request, "tournaments/tournaments.html", context)


@require_safe
def class_tournaments(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """The tournaments of a class, and the school-wide ones that its students play in."""
    classroom = classroom_for_teacher(request.user, classroom_id)
    seen = tournaments_of_teacher(membership_of(request.user))
    context = {"classroom": classroom, "events": events_of(with_students_of(seen, classroom)), "tab": "tournaments"}
    return render(request, "tournaments/class_tournaments.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def create_tournament(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    return _set_up(request, classroom.school, classroom)


@require_http_methods(["GET", "HEAD", "POST"])
def create_school_tournament(request: HttpRequest) -> HttpResponse:
    """A tournament of students of several classes."""
    return _set_up(request, lead_membership_of(request.user).school, None)


@require_http_methods(["GET", "HEAD", "POST"])
def copy_tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """A new tournament with the settings of an earlier one and those of its players who are still active."""
    earlier = tournament_to_run(request.user, tournament_id)
    initial = initial_of(earlier) | {"day": earlier.school.today(), "students": entered_in(earlier)}
    return _set_up(request, earlier.school, earlier.classroom, initial=initial, earlier=earlier)


def _set_up(
    request: HttpRequest,
    school: School,
    classroom: Classroom | None,
    *,
    initial: dict[str, Any] | None = None,
    earlier: Tournament | None = None,
) -> HttpResponse:
    lists = list_choice(school, None)
    groups = candidates_of_class(classroom, lists.chosen) if classroom else candidates_of_school(school, lists.chosen)
    fields = {
        "school": school,
        "lists": lists.lists,
        "groups": groups,
        "all_ticked": classroom is not None,
        "tie_breaks": len(earlier.tie_breaks) if earlier else 0,
    }
    if ONLY_SHOWN & request.POST.keys():
        form = typed(SetUpForm, wished(request.POST, groups), **fields)
    else:
        form = SetUpForm(request.POST or None, initial=initial, **fields)
    if form.is_bound:
        once = form.once(request, action="create_tournament", answer=reverse("tournaments:tournaments") + "{pk}/")
        if form.is_valid():
            try:
                made = services.create_tournament(
                    school=school, classroom=classroom, by=request.user, once=once, **form.tournament()
                )
                return redirect(once.answer_for(made.pk))
            except ValidationError as error:
                form.add_error(None, error)
        else:
            once.refuse_second_use()
    context = {"form": form, "classroom": classroom, "earlier": earlier}
    template = "tournaments/_advice.html" if request.htmx else "tournaments/create_tournament.html"
    return render(request, template, context)


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Change a tournament; finish, reopen, copy or cancel it."""
    tournament = tournament_to_run(request.user, tournament_id)
    loaded = load(tournament)
    lists = list_choice(tournament.school, None).lists
    form = SettingsForm(request.POST or None, tournament=tournament, paired=loaded.paired, lists=lists)
    if form.is_valid():
        try:
            services.change_tournament(tournament, fields=form.tournament())
            messages.success(request, _("Saved."))
            return redirect("tournaments:settings", tournament.pk)
        except ValidationError as error:
            form.add_error(None, error)
    context = frame(request, loaded, "settings") | {
        "form": form,
        "games": games_that_count(tournament),
        "finished_rounds": loaded.finished,
    }
    return render(request, "tournaments/settings.html", context)


@require_POST
def finish_tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = tournament_to_run(request.user, tournament_id)
    try:
        services.finish_tournament(tournament)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("tournaments:settings", tournament.pk)
    messages.success(request, _("The tournament is finished. These are the final standings."))
    return redirect("tournaments:standings", tournament.pk)


@require_POST
def reopen_tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = tournament_to_run(request.user, tournament_id)
    try:
        services.reopen_tournament(tournament)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    else:
        messages.success(request, _("The tournament is open again."))
    return redirect("tournaments:settings", tournament.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def cancel_tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Cancel a tournament for good, after asking what becomes of its games."""
    tournament = tournament_to_run(request.user, tournament_id)
    if tournament.cancelled_at is not None:
        return redirect("tournaments:settings", tournament.pk)
    games = games_that_count(tournament)
    form = CancelForm(request.POST if request.method == "POST" else None, games=games)
    if form.is_valid():
        services.cancel_tournament(tournament, keep_ratings=form.keeps, by=request.user)
        messages.success(request, _("The tournament is cancelled. It stays on record."))
        return redirect("tournaments:settings", tournament.pk)
    context = {"tournament": tournament, "form": form, "games": games}
    return render(request, "tournaments/cancel_tournament.html", context)
