"""The students of a class: the roster, deleting one who never played."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from classes import services
from classes.access import classroom_for_teacher, out_of_sight, student_for_teacher
from classes.selectors import roster
from classes.views.rosters import ADDED

LONGEST_SEARCH = 100  # letters


@require_safe
def students(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = classroom_for_teacher(request.user, classroom_id)
    added = request.session.get(ADDED, {}) if "added" in request.GET else {}
    if added.get("classroom") != classroom.pk:
        added = {}
    sought = request.GET.get("q", "")[:LONGEST_SEARCH].strip()
    return render(
        request,
        "classes/students.html",
        {
            "classroom": classroom,
            "rows": roster(classroom, sought),
            "sought": sought,
            "out_of_sight": out_of_sight(request.user, classroom),
            "tab": "students",
            "can_undo": len(added.get("ids", ())),
            "known": added.get("known", 0),
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
def delete_student(request: HttpRequest, student_id: int) -> HttpResponse:
    student = student_for_teacher(request.user, student_id)
    if request.method == "POST":
        name = student.full_name
        try:
            services.delete_student(student)
        except services.HasHistory:
            messages.error(
                request,
                _("%(name)s has games, points or tournaments and cannot be deleted. Make the student inactive instead.")
                % {"name": name},
            )
            return redirect("student_page", student_id)
        messages.success(request, _("%(name)s is deleted.") % {"name": name})
        return redirect("classes:classroom_list")
    return render(request, "classes/delete_student.html", {"student": student})
