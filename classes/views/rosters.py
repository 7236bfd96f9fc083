"""Class lists: import with a look before, its Undo, and the file that can be imported again."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from classes import services
from classes.access import (
    classroom_for_teacher,
    membership_of,
    open_classroom_for_teacher,
    students_among,
    students_of_teacher,
)
from classes.core.csv_cells import csv_text, safe_cell
from classes.forms import ImportForm
from classes.models import Classroom
from classes.selectors import ImportPage, import_page, roster

ADDED = "added_students"  # in the session: those of the last import, for its Undo
HEADER = ("first_name", "last_name", "grade", "email", "external_id", "active")  # the import knows these words


@require_http_methods(["GET", "HEAD", "POST"])
def import_students(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Paste or upload, see what was understood, confirm."""
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    form = ImportForm(request.POST or None, request.FILES or None)
    if not form.is_valid() or "change" in request.POST:
        return render(request, "classes/import.html", {"classroom": classroom, "form": form, "tab": "students"})
    visible = students_of_teacher(membership_of(request.user))
    page = import_page(classroom, visible, form.reading, form.choices())
    if "confirm" in request.POST and form.is_answered(page):
        answer = reverse("classes:students", args=[classroom.pk]) + "?added=1"
        once = form.once(request, action="import_students", answer=answer)
        try:
            ids = services.import_students(
                classroom=classroom,
                new=page.plan.new,
                enroll=page.plan.enroll,
                changes=page.plan.changes,
                enrolled=page.enrolled,
                once=once,
            )
        except services.ClassChanged:
            form.add_error(None, _("Somebody changed the students of this class meanwhile. Look at the list again."))
            page = import_page(classroom, visible, form.reading, form.choices())
        except ValidationError as error:
            form.add_error(None, error)
        else:
            _say_what_was_done(request, classroom, page, ids)
            return redirect(answer)
    context = {"classroom": classroom, "form": form, "page": page, "understood": form.understood(), "tab": "students"}
    return render(request, "classes/import_confirm.html", context)


def _say_what_was_done(request: HttpRequest, classroom: Classroom, page: ImportPage, ids: list[int]) -> None:
    """The new ones are said on the next page, beside their Undo; here the rest."""
    done = page.plan
    request.session[ADDED] = {"classroom": classroom.pk, "ids": ids, "known": done.known}
    if not ids and not done.enroll:
        messages.info(request, _("Everybody in this list is in the class already. Nobody was added."))
    if done.enroll:
        count = len(done.enroll)
        said = ngettext("%(count)d student of the school joined.", "%(count)d students of the school joined.", count)
        messages.success(request, said % {"count": count})
    if done.changes:
        count = len(done.changes)
        messages.success(
            request, ngettext("%(count)d student changed.", "%(count)d students changed.", count) % {"count": count}
        )


@require_POST
def undo_import(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Take back the new students of the last import, as long as they have not played."""
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


@require_safe
def roster_csv(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """The students as a file for a spreadsheet and for the import: UTF-8 with a byte order mark, safe cells."""
    classroom = classroom_for_teacher(request.user, classroom_id)
    rows: list[list[str]] = [list(HEADER)]
    for row in roster(classroom):
        one = row.student
        cells = (one.first_name, one.last_name, one.grade, one.email, one.external_id)
        rows.append([*(safe_cell(cell) for cell in cells), "yes" if row.active else "no"])
    response = HttpResponse(csv_text(rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{classroom.name}-students.csv")
    return response
