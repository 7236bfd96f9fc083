"""The players of a tournament: the list, one of them, entering, absence, withdrawal and return."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from classes.access import enrollment_of, membership_of, open_classroom_for_teacher
from tournaments.access import entry_of, tournament_to_run, tournament_to_see
from tournaments.forms.players import AbsenceForm, EnterStudentsForm, LeavingForm, WithdrawForm
from tournaments.models import Entry
from tournaments.selectors.players import (
    entries_to_leave,
    entry_rows,
    open_boards_of,
    player_of,
    students_left,
    who_waits,
)
from tournaments.selectors.states import load
from tournaments.selectors.tables import table_of
from tournaments.services import entries as services
from tournaments.views.frame import frame, labels_for


@require_safe
def players(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = tournament_to_see(request.user, tournament_id)
    loaded = load(tournament)
    context = {
        "rows": entry_rows(loaded, labels_for(request, tournament, loaded.entries)),
        "can_enter_students": not (tournament.is_round_robin and loaded.paired),
    }
    return render(request, "tournaments/players.html", frame(request, loaded, "players") | context)


@require_safe
def player(request: HttpRequest, tournament_id: int, entry_id: int) -> HttpResponse:
    tournament = tournament_to_see(request.user, tournament_id)
    entry = entry_of(tournament, entry_id)
    loaded = load(tournament)
    labels = labels_for(request, tournament, loaded.entries)
    found = player_of(loaded, entry, labels, table_of(loaded, labels))
    context = {"player": found, "form": AbsenceForm(rounds=found.to_come)}
    return render(request, "tournaments/player.html", frame(request, loaded, "players") | context)


@require_http_methods(["GET", "HEAD", "POST"])
def enter_students(request: HttpRequest, tournament_id: int) -> HttpResponse:
    tournament = tournament_to_run(request.user, tournament_id)
    loaded = load(tournament)
    labels = labels_for(request, tournament, loaded.entries)
    choices = students_left(membership_of(request.user), tournament, loaded.entries)
    waiting = who_waits(loaded)
    form = EnterStudentsForm(
        request.POST if request.method == "POST" else None,
        choices=choices,
        rounds=loaded.paired,
        waiting=None if waiting is None else labels[waiting],
    )
    if request.method == "POST":
        answer = reverse("tournaments:players", args=[tournament.pk])
        once = form.once(request, action="enter_students", answer=answer)
        if form.is_valid():
            try:
                entered = services.enter_students(tournament, **form.entered(), once=once)
                said = ngettext("%(count)d student entered.", "%(count)d students entered.", len(entered))
                messages.success(request, said % {"count": len(entered)})
                return redirect(answer)
            except ValidationError as error:
                form.add_error(None, error)
        else:
            once.refuse_second_use()  # sent twice: the students are entered by now and cannot be chosen again
    context = {"form": form, "choices": choices}
    return render(request, "tournaments/enter_students.html", frame(request, loaded, "players") | context)


@require_POST
def remove_entry(request: HttpRequest, tournament_id: int, entry_id: int) -> HttpResponse:
    tournament = tournament_to_run(request.user, tournament_id)
    entry = entry_of(tournament, entry_id)
    try:
        services.remove_entry(entry)
        messages.success(request, _("%(name)s does not take part.") % {"name": entry.student})
    except ValidationError as error:
        _say(request, error)
    return redirect("tournaments:players", tournament.pk)


@require_POST
def set_absence(request: HttpRequest, tournament_id: int, entry_id: int) -> HttpResponse:
    """Note an absence from a round to come, or take it back."""
    tournament = tournament_to_run(request.user, tournament_id)
    entry = entry_of(tournament, entry_id)
    form = AbsenceForm(request.POST, rounds=range(1, tournament.rounds + 1))
    if form.is_valid():
        try:
            services.set_absence(entry, **form.absence())
            messages.success(request, _("Noted."))
        except ValidationError as error:
            _say(request, error)
    else:
        _say(request, ValidationError([error for errors in form.errors.as_data().values() for error in errors]))
    return redirect("tournaments:player", tournament.pk, entry.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, tournament_id: int, entry_id: int) -> HttpResponse:
    tournament = tournament_to_run(request.user, tournament_id)
    entry = entry_of(tournament, entry_id)
    if entry.is_withdrawn:
        return redirect("tournaments:player", tournament.pk, entry.pk)
    board = open_boards_of([entry]).get(entry.pk)
    form = WithdrawForm(request.POST if request.method == "POST" else None, entry=entry, board=board)
    if form.is_valid():
        try:
            services.withdraw(entry, by=request.user, forfeits=form.forfeits())
            messages.success(request, _withdrawn(entry))
            return redirect("tournaments:player", tournament.pk, entry.pk)
        except ValidationError as error:
            form.add_error(None, error)
    context = {"entry": entry, "form": form, "board": board}
    return render(request, "tournaments/withdraw.html", frame(request, load(tournament), "players") | context)


@require_POST
def come_back(request: HttpRequest, tournament_id: int, entry_id: int) -> HttpResponse:
    tournament = tournament_to_run(request.user, tournament_id)
    entry = entry_of(tournament, entry_id)
    try:
        services.come_back(entry)
        messages.success(
            request, _("%(name)s is back, and is paired from the next round on.") % {"name": entry.student}
        )
    except ValidationError as error:
        _say(request, error)
    return redirect("tournaments:player", tournament.pk, entry.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def leaving(request: HttpRequest, classroom_id: int, student_id: int) -> HttpResponse:
    """Offer to withdraw a student, just made inactive in a class, from the running tournaments they are in."""
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    student = enrollment_of(classroom, student_id).student
    entries = entries_to_leave(membership_of(request.user), student)
    form = LeavingForm(
        request.POST if request.method == "POST" else None, entries=entries, boards=open_boards_of(entries)
    )
    back = reverse("classes:students", args=[classroom.pk])
    if form.is_valid():
        try:
            for entry, forfeits in form.leaving():
                services.withdraw(entry, by=request.user, forfeits=forfeits)
                messages.success(request, _withdrawn(entry))
            return redirect(back)
        except ValidationError as error:
            form.add_error(None, error)
    context = {"classroom": classroom, "student": student, "entries": entries, "form": form, "back": back}
    return render(request, "tournaments/leaving.html", context | {"stays": _("Stays in all of them")})


def _withdrawn(entry: Entry) -> str:
    return _("%(name)s has withdrawn from %(tournament)s. The results so far stay.") % {
        "name": entry.student,
        "tournament": entry.tournament.name,
    }


def _say(request: HttpRequest, error: ValidationError) -> None:
    for sentence in error.messages:
        messages.error(request, sentence)
