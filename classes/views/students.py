"""The students of a class: the roster, pasting many names, deleting one who never played."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from classes import services
from classes.access import classroom_for_teacher, open_classroom_for_teacher, student_for_teacher, students_among
from classes.forms import PasteForm, same_names
from classes.selectors import roster, students_in

ADDED = "added_students"  # in the session: those of the last paste, for its Undo


@require_safe
def students(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = classroom_for_teacher(request.user, classroom_id)
    added = request.session.get(ADDED, {})
    return render(
        request,
        "classes/students.html",
        {
            "classroom": classroom,
            "rows": roster(classroom),
            "tab": "students",
            "can_undo": len(added.get("ids", ()))
            if "added" in request.GET and added.get("classroom") == classroom.pk
            else 0,
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
def paste_students(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Paste, see what was understood, confirm."""
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    form = PasteForm(request.POST or None, known=same_names(students_in(classroom)))
    if form.is_valid() and "confirm" in request.POST:
        answer = reverse("classes:students", args=[classroom.pk]) + "?added=1"
        once = form.once(request, action="paste_students", answer=answer)
        ids = services.add_students(
            classroom=classroom,
            names=[(name.first, name.last, name.grade) for name in form.chosen()],
            grade=form.cleaned_data["grade"],
            once=once,
        )
        request.session[ADDED] = {"classroom": classroom.pk, "ids": ids}
        if not ids:
            messages.info(request, _("Everybody in this list is in the class already. Nobody was added."))
        return redirect(answer)
    show = (
        "classes/paste_confirm.html"
        if form.is_bound and form.is_valid() and "change" not in request.POST
        else "classes/paste.html"
    )
    return render(request, show, {"classroom": classroom, "form": form, "tab": "students"})


@require_POST
def undo_paste(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Take back the students of the last paste, as long as they have not played."""
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    added = request.session.pop(ADDED, {})
    if added.get("classroom") == classroom.pk:
        deleted = services.delete_students(students_among(classroom, added["ids"]))
        kept = len(added["ids"]) - deleted
        messages.success(
            request,
            ngettext("%(count)d student taken back.", "%(count)d students taken back.", deleted) % {"count": deleted},
        )
        if kept:
            messages.info(
                request,
                ngettext("%(count)d has played meanwhile and stays.", "%(count)d have played meanwhile and stay.", kept)
                % {"count": kept},
            )
    return redirect("classes:students", classroom.pk)


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
                _("%(name)s has games or adjustments and cannot be deleted. Make the student inactive instead.")
                % {"name": name},
            )
            return redirect("student_page", student_id)
        messages.success(request, _("%(name)s is deleted.") % {"name": name})
        return redirect("classes:classroom_list")
    return render(request, "classes/delete_student.html", {"student": student})
