"""Data protection: the school's settings, the audit trail, retention, export, erasing, and what families read."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from chesslocker.access import student_to_erase, student_to_export
from chesslocker.forms.pages import EraseForm, SchoolForm, TrailForm
from chesslocker.privacy import erase, export, retention, trail
from chesslocker.privacy.school import change_school
from chesslocker.selectors.pages import own_page, school_of_notice
from classes.access import lead_membership_of, membership_of, school_of, student_for_teacher
from classes.services import Action

EVENTS_A_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
def school_settings(request: HttpRequest) -> HttpResponse:
    """What a lead sets for the whole school, and the way to everything else that only leads do."""
    membership = lead_membership_of(request.user)
    form = SchoolForm(request.POST if request.method == "POST" else None, instance=membership.school)
    if request.method == "POST" and form.is_valid():
        change_school(form.instance, changed=form.changed, by=membership.user)
        messages.success(request, _("Saved."))
        return redirect("school")
    return render(request, "privacy/school.html", {"form": form})


@require_safe
def audit_trail(request: HttpRequest) -> HttpResponse:
    """What was done in the school, newest first, of one kind or all."""
    membership = lead_membership_of(request.user)
    form = TrailForm(request.GET, actions=list(Action.choices))
    form.is_valid()  # an action that nobody knows asks for everything
    events = trail.events_for(membership, form.cleaned_data.get("action", ""))
    page = Paginator(events, EVENTS_A_PAGE).get_page(request.GET.get("page"))
    rows = trail.event_rows(membership, page.object_list)
    return render(request, "privacy/audit.html", {"form": form, "page": page, "rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
def due_students(request: HttpRequest) -> HttpResponse:
    """Who has left for longer than the school keeps data; those who are ticked are erased, after a second question."""
    membership = lead_membership_of(request.user)
    rows = retention.due_students(membership.school)
    if request.method != "POST":
        return render(request, "privacy/retention.html", {"rows": rows})
    ticked = set(request.POST.getlist("students"))
    chosen = [row for row in rows if str(row.student.pk) in ticked]
    if not chosen:
        messages.error(request, _("Tick at least one student."))
        return redirect("retention")
    if request.POST.get("confirm") != "1":
        return render(request, "privacy/retention_confirm.html", {"rows": chosen})
    for row in chosen:
        erase.erase_student(row.student, by=membership.user)
    messages.success(
        request,
        ngettext("%(count)d student is erased.", "%(count)d students are erased.", len(chosen))
        % {"count": len(chosen)},
    )
    return redirect("retention")


@require_http_methods(["GET", "HEAD", "POST"])
def export_student(request: HttpRequest, student_id: int) -> HttpResponse:
    """All that is kept about a student, as one file."""
    student = student_to_export(request.user, student_id)
    if request.method != "POST":
        return render(request, "privacy/export_student.html", {"student": student})
    return HttpResponse(
        export.export_student(student, by=membership_of(request.user).user),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="student-{student.pk}.zip"'},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def erase_student(request: HttpRequest, student_id: int) -> HttpResponse:
    """First what it means, then once more whether it is meant, then it is done."""
    student = student_to_erase(request.user, student_id)
    form = EraseForm(request.POST if request.method == "POST" else None)
    sure = request.method == "POST" and form.is_valid()
    if sure and request.POST.get("confirm") == "1":
        erase.erase_student(student, by=lead_membership_of(request.user).user)
        messages.success(request, _("The student is erased. Games and the ratings of the others are as they were."))
        return redirect("student_page", student.pk)
    context = {"student": student, "form": form, "what": erase.consequences_of(student)}
    return render(request, "privacy/erase_confirm.html" if sure else "privacy/erase.html", context)


@require_safe
def view_as_student(request: HttpRequest, student_id: int) -> HttpResponse:
    """What a student sees at home, for the teacher to look at. Nobody is logged in as anybody else."""
    student = student_for_teacher(request.user, student_id)
    return render(request, "me.html", own_page(student, request.GET.get("list")) | {"viewed": True})


@login_not_required
@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept about whom, in plain words, with the school's own settings."""
    return render(request, "privacy/privacy.html", {"notice_of": school_of_notice(school_of(request.user))})
