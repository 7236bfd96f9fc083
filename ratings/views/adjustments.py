"""Points outside games: giving, the list, undo, void and back."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from classes.access import Someone, classroom_for_teacher, open_classroom_for_teacher
from classes.core.csv_cells import csv_text, safe_cell
from classes.selectors import labels_in
from ratings import services
from ratings.access import adjustment_to_change, classroom_if_theirs
from ratings.forms.adjustments import AdjustmentFilterForm, AdjustmentForm
from ratings.models import Adjustment
from ratings.selectors.adjustments import (
    adjustment_rows,
    batch_of,
    given_together,
    givers,
    preview_adjustment,
)
from ratings.selectors.adjustments import adjustments as adjustments_of
from ratings.selectors.games import players
from ratings.selectors.ledger import default_list
from ratings.views.corrections import unvoid, void

PAGE_SIZE = 25


@require_safe
def adjustments(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = classroom_for_teacher(request.user, classroom_id)
    labels = labels_in(classroom)
    form = AdjustmentFilterForm(request.GET or None, labels=labels, teachers=givers(classroom))
    page = Paginator(adjustments_of(classroom, **form.chosen()), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "classroom": classroom,
        "form": form,
        "page": page,
        "rows": adjustment_rows(page, labels),
        "given": given_together(classroom, request.GET.get("given", ""), labels),
        "tab": "elo",
    }
    return render(request, "ratings/adjustments.html", context)


@require_safe
def adjustments_csv(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """The same list as a file for a spreadsheet: UTF-8 with a byte order mark, no cell that a spreadsheet would run."""
    classroom = classroom_for_teacher(request.user, classroom_id)
    labels = labels_in(classroom)
    form = AdjustmentFilterForm(request.GET or None, labels=labels, teachers=givers(classroom))
    rows: list[list[object]] = [["day", "student", "kind", "points", "reason", "given_by", "void"]]
    for row in adjustment_rows(adjustments_of(classroom, **form.chosen()), labels):
        one = row.adjustment
        text = [safe_cell(cell) for cell in (row.label, one.kind)]
        more = [safe_cell(cell) for cell in (one.reason, one.given_by.get_full_name())]
        rows.append([one.day.isoformat(), *text, one.points, *more, "yes" if one.is_void else ""])
    response = HttpResponse(csv_text(rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{classroom.name}-adjustments.csv")
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def adjust_ratings(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    rating_list = default_list(classroom.school)
    only_preview = "preview" in request.POST
    form = AdjustmentForm(
        request.POST if request.method == "POST" else None,
        classroom=classroom,
        players=players(classroom, rating_list),
        only_preview=only_preview,
    )
    if request.method == "POST" and not only_preview:
        answer = reverse("ratings:adjustments", args=[classroom.pk]) + "?given={pk}"
        once = form.once(request, action="adjust_ratings", answer=answer)
        if form.is_valid():
            try:
                given = services.adjust_ratings(
                    rating_list=rating_list, classroom=classroom, by=request.user, once=once, **form.adjustment()
                )
                return redirect(once.answer_for(given[0].pk))
            except ValidationError as error:
                form.add_error(None, error)
        else:
            once.refuse_second_use()
    preview = form.to_preview()
    context = {
        "classroom": classroom,
        "form": form,
        "preview": preview_adjustment(rating_list, **preview, labels=labels_in(classroom)) if preview else None,
    }
    template = "ratings/_adjustment_preview.html" if request.htmx else "ratings/adjust_ratings.html"
    return render(request, template, context)


@require_POST
def undo_adjustment(request: HttpRequest, adjustment_id: int) -> HttpResponse:
    """Take back what was just given, with all that was given together with it."""
    adjustment = adjustment_to_change(request.user, adjustment_id)
    undone = services.void_together(batch_of(adjustment), by=request.user, reason=_("Undone"))
    messages.success(
        request,
        ngettext("%(count)d adjustment taken back.", "%(count)d adjustments taken back.", undone) % {"count": undone},
    )
    return redirect(_list_of(request.user, adjustment))


@require_http_methods(["GET", "HEAD", "POST"])
def void_adjustment(request: HttpRequest, adjustment_id: int) -> HttpResponse:
    adjustment = adjustment_to_change(request.user, adjustment_id)
    if adjustment.is_void:
        return redirect(_list_of(request.user, adjustment))
    return void(
        request,
        adjustment,
        what=_said(adjustment),
        title=_("Void the adjustment?"),
        back=_list_of(request.user, adjustment),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def unvoid_adjustment(request: HttpRequest, adjustment_id: int) -> HttpResponse:
    adjustment = adjustment_to_change(request.user, adjustment_id)
    if not adjustment.is_void:
        return redirect(_list_of(request.user, adjustment))
    return unvoid(
        request,
        adjustment,
        what=_said(adjustment),
        title=_("Put the adjustment back?"),
        back=_list_of(request.user, adjustment),
    )


def _list_of(user: Someone, adjustment: Adjustment) -> str:
    """Where the adjustment is listed: in its class where that is the teacher's, else on the student's page."""
    if classroom := classroom_if_theirs(user, adjustment.classroom):
        return reverse("ratings:adjustments", args=[classroom.pk])
    return reverse("student_page", args=[adjustment.student_id])


def _said(adjustment: Adjustment) -> str:
    return f"{adjustment.student}: {adjustment.points:+d} ({adjustment.get_kind_display()}), {adjustment.reason}"
