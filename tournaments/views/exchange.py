"""Tournaments to and from other programs, as Tournament Report Files."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from classes.access import open_classroom_for_teacher
from ratings.selectors.ledger import default_list
from tournaments.access import tournament_to_see
from tournaments.core.trf import write_trf16, write_trf26
from tournaments.forms.exchange import ImportForm, ReportFileForm
from tournaments.models import Tournament
from tournaments.selectors.exchange import report_of
from tournaments.selectors.names import teacher_labels
from tournaments.selectors.states import entries_of
from tournaments.services.exchange import import_tournament
from tournaments.views.frame import known_by_name

WRITERS = {"trf16": write_trf16, "trf26": write_trf26}


@require_safe
def export_trf(request: HttpRequest, tournament_id: int, form: str) -> HttpResponse:
    """The tournament as a report file for other pairing programs and for federations."""
    tournament = tournament_to_see(request.user, tournament_id)
    writer = WRITERS.get(form)
    if writer is None:
        raise Http404
    response = HttpResponse(
        writer(report_of(tournament, strangers(request, tournament))), content_type="text/plain; charset=utf-8"
    )
    response["Content-Disposition"] = content_disposition_header(True, f"{tournament.name}.{form}.trf")
    return response


def strangers(request: HttpRequest, tournament: Tournament) -> dict[int, str]:
    """The players of a school-wide tournament whom the reader does not teach, as their names stand on boards."""
    known = known_by_name(request, tournament)
    if known is None:
        return {}
    entries = entries_of(tournament)
    labels = teacher_labels(entries, known)
    return {entry.pk: labels[entry.pk] for entry in entries if entry.student_id not in known}


@require_http_methods(["GET", "HEAD", "POST"])
def import_trf(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Choose a file, see who its players are, confirm. Nothing is saved before that."""
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    file_form = ReportFileForm(request.POST or None, request.FILES or None)
    context = {"classroom": classroom, "file_form": file_form, "tab": "tournaments"}
    if not file_form.is_valid() or file_form.report is None or "change" in request.POST:
        return render(request, "tournaments/import_trf.html", context)
    report = file_form.report
    form = ImportForm(request.POST if "confirm" in request.POST else None, report=report, classroom=classroom)
    once = form.once(request, action="import_trf", answer=reverse("tournaments:tournaments") + "{pk}/")
    if form.is_valid():
        small = report.coded_system == "CUSTOM_SWISS"
        tournament = import_tournament(
            report,
            classroom=classroom,
            rating_list=default_list(classroom.school),
            name=form.cleaned_data["name"],
            students=form.chosen(),
            by=request.user,
            pairing_rule=Tournament.PairingRule.SMALL_GROUP if small else Tournament.PairingRule.FIDE,
            once=once,
        )
        messages.success(request, _("The tournament is there. It is not rated."))
        return redirect(once.answer_for(tournament.pk))
    return render(request, "tournaments/import_trf_confirm.html", context | {"report": report, "form": form})
