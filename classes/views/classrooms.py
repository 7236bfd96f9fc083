"""Making, changing, archiving and deleting classes."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from classes import services
from classes.access import classroom_for_teacher, classrooms_of_teacher, membership_of, open_classroom_for_teacher
from classes.forms import ClassroomForm
from classes.selectors import classroom_rows


@require_safe
def classroom_list(request: HttpRequest) -> HttpResponse:
    membership = membership_of(request.user)
    classrooms = classrooms_of_teacher(membership)
    return render(
        request,
        "classes/classroom_list.html",
        {
            "rows": classroom_rows(classrooms.filter(archived_at=None)),
            "archived": classroom_rows(classrooms.exclude(archived_at=None)),
            "is_lead": membership.is_lead,
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
def create_classroom(request: HttpRequest) -> HttpResponse:
    membership = membership_of(request.user)
    form = ClassroomForm(request.POST or None, membership=membership)
    if form.is_valid():
        classroom = services.create_classroom(
            membership=membership, name=form.cleaned_data["name"], school_year=form.cleaned_data["school_year"]
        )
        messages.success(request, _("The class is there. Now add its students."))
        return redirect("classes:import_students", classroom.pk)
    return render(request, "classes/classroom_form.html", {"form": form})


@require_http_methods(["GET", "HEAD", "POST"])
def edit_classroom(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    form = ClassroomForm(request.POST or None, instance=classroom, membership=membership_of(request.user))
    if form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("class_page", classroom.pk)
    # The form wrote what was typed into its object: the frame of the page shows the class as it is.
    as_it_is = open_classroom_for_teacher(request.user, classroom_id)
    return render(request, "classes/classroom_form.html", {"form": form, "classroom": as_it_is})


@require_POST
def archive_classroom(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    services.archive_classroom(classroom)
    messages.success(
        request,
        _("%(name)s is archived: it can be read, and opened again, but nothing is recorded in it.")
        % {"name": classroom},
    )
    return redirect("classes:classroom_list")


@require_POST
def reopen_classroom(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = classroom_for_teacher(request.user, classroom_id)
    try:
        services.reopen_classroom(classroom)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("classes:classroom_list")
    messages.success(request, _("%(name)s is open again.") % {"name": classroom})
    return redirect("class_page", classroom.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def delete_classroom(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = classroom_for_teacher(request.user, classroom_id)
    if request.method == "POST":
        name = classroom.name
        try:
            services.delete_classroom(classroom)
        except services.HasHistory:
            messages.error(
                request,
                _("%(name)s has games, points or tournaments and cannot be deleted. Archive it instead.")
                % {"name": name},
            )
            return redirect("class_page", classroom_id)
        messages.success(request, _("%(name)s is deleted.") % {"name": name})
        return redirect("classes:classroom_list")
    return render(request, "classes/delete_classroom.html", {"classroom": classroom})
