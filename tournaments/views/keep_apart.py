"""Pairs of students who should not be paired, for all tournaments of a school."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from classes.access import membership_of
from tournaments.access import kept_apart_to_change, pairs_kept_apart, students_to_keep_apart
from tournaments.forms.keep_apart import KeepApartForm
from tournaments.selectors.keep_apart import keep_apart_rows
from tournaments.services.keep_apart import remove_pair


@require_http_methods(["GET", "HEAD", "POST"])
def keep_apart(request: HttpRequest) -> HttpResponse:
    """The pairs that a teacher sees, and adding one."""
    membership = membership_of(request.user)
    students = list(students_to_keep_apart(membership))
    form = KeepApartForm(request.POST or None, school=membership.school, students=students)
    if form.is_valid():
        pair = form.save()
        messages.success(request, _("%(one)s and %(other)s are kept apart.") % {"one": pair.one, "other": pair.other})
        return redirect("tournaments:keep_apart")
    rows = keep_apart_rows(pairs_kept_apart(membership))
    return render(request, "tournaments/keep_apart.html", {"form": form, "rows": rows})


@require_POST
def remove_keep_apart(request: HttpRequest, pair_id: int) -> HttpResponse:
    pair = kept_apart_to_change(request.user, pair_id)
    remove_pair(pair)
    messages.success(request, _("%(one)s and %(other)s may be paired again.") % {"one": pair.one, "other": pair.other})
    return redirect("tournaments:keep_apart")
