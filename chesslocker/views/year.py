"""The pages of the school year: a student moves, a year begins, two records of one child become one."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from chesslocker.forms.year import MergeForm, MergeWithForm, RolloverForm, TransferForm, UndoForm
from chesslocker.selectors.year import (
    choices_for_one,
    merge_page,
    merges_of,
    others_in_school,
    proposed_last_grade,
    rollover_page,
    rollover_plan,
    rollover_rows,
    why_merge_stays,
    why_rollover_stays,
    year_to_come,
    years_to_choose,
)
from chesslocker.services import year as services
from classes.access import (
    classrooms_to_move_to,
    enrollments_to_end,
    lead_membership_of,
    membership_of,
    merge_for_lead,
    rollover_for_lead,
    student_for_lead,
    student_for_teacher,
    students_of_teacher,
)
from classes.models import Classroom, School, Student
from classes.selectors import enrollments_of
from ratings.services import StaleVersion
from tournaments.selectors.players import entries_to_leave


@require_http_methods(["GET", "HEAD", "POST"])
def move_student(request: HttpRequest, student_id: int) -> HttpResponse:
    """To another class, or into a second one."""
    student = student_for_teacher(request.user, student_id)
    membership = membership_of(request.user)
    form = TransferForm(
        request.POST if request.method == "POST" else None,
        classrooms=classrooms_to_move_to(membership, student),
        enrollments=enrollments_to_end(membership, student),
    )
    if request.method == "POST":
        once = form.once(request, action="move_student", answer=reverse("student_page", args=[student.pk]))
        if form.is_valid():
            to, leaves = form.cleaned_data["to"], form.leaving()
            services.transfer_student(student, to=to, leaves=leaves, by=request.user, once=once)
            messages.success(request, _("%(name)s is in %(classroom)s now.") % {"name": student, "classroom": to})
            return redirect(_after_moving(request, student, to) if leaves else once.answer_for(student.pk))
        once.refuse_second_use()
    context = {
        "student": student,
        "form": form,
        "enrollments": enrollments_of(student),
        "can_move": form.fields["to"].queryset.exists(),
        "is_lead": membership.is_lead,
        "merges": merges_of(student) if membership.is_lead else [],
    }
    return render(request, "move_student.html", context)


def _after_moving(request: HttpRequest, student: Student, to: Classroom) -> str:
    """Whoever is still in a running tournament is asked whether to leave it."""
    if entries_to_leave(membership_of(request.user), student):
        return reverse("tournaments:leaving", args=[to.pk, student.pk])
    return reverse("student_page", args=[student.pk])


# --- a new school year ---


@require_http_methods(["GET", "HEAD", "POST"])
def rollover(request: HttpRequest) -> HttpResponse:
    """Propose, show everything, do it. Nothing is saved before it was shown as it will be."""
    school = lead_membership_of(request.user).school
    to_year = _year_asked_for(request, school)
    form = RolloverForm(
        request.POST if request.method == "POST" else None, proposed_last=proposed_last_grade(school, to_year)
    )
    if "confirm" in request.POST:
        once = form.once(request, action="rollover", answer=reverse("rollover"))
        if form.is_valid():
            try:
                made = services.roll_over(
                    school,
                    to_year=to_year,
                    choices=form.choices(),
                    share=form.cleaned_data["share"],
                    by=request.user,
                    seen=form.cleaned_data["seen"],
                    once=once,
                )
            except services.PlanChanged:
                form.add_error(None, _("Something changed meanwhile. Nothing was saved yet; this would happen now."))
            except ValidationError as error:
                form.add_error(None, error)
            else:
                _say_what_was_moved(request, made.moved["students"] if made else 0)
                return redirect(f"{reverse('rollover')}?year={to_year}")
        else:
            once.refuse_second_use()
    return _rollover_page(request, school, to_year, form)


def _year_asked_for(request: HttpRequest, school: School) -> int:
    """The school year that is made ready: this one or the next, as asked, else by the time of year."""
    today = school.today()
    asked = request.POST.get("year", request.GET.get("year", ""))
    return next((year for year, _name in years_to_choose(today) if str(year) == asked), year_to_come(today))


def _say_what_was_moved(request: HttpRequest, students: int) -> None:
    said = ngettext("%(count)d student moved.", "%(count)d students moved.", students) % {"count": students}
    messages.success(request, said if students else _("0 changes: nothing was left to move."))


def _rollover_page(request: HttpRequest, school: School, to_year: int, form: RolloverForm) -> HttpResponse:
    faults = list(form.non_field_errors()) if form.is_bound else []
    choices, share = form.to_show()
    plan = rollover_plan(school, to_year, choices, share=share)
    page = rollover_page(school, plan, choices)
    shows = form.can_be_shown and "change" not in request.POST and not plan.is_empty
    context = {
        "form": form,
        "faults": faults,
        "page": page,
        "choices": choices_for_one(page.options),
        "years": years_to_choose(school.today()),
        "rollovers": rollover_rows(school),
    }
    template = "rollover_confirm.html" if shows else "rollover.html"
    return render(request, template, context, status=409 if shows and faults else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def undo_rollover(request: HttpRequest, rollover_id: int) -> HttpResponse:
    found = rollover_for_lead(request.user, rollover_id)
    form = UndoForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        once = form.once(request, action="undo_rollover", answer=reverse("rollover"))
        try:
            services.undo_rollover(found, by=request.user, once=once)
            messages.success(request, _("The change of the school year is undone: everybody is where they were."))
            return redirect(once.answer_for(found.pk))
        except ValidationError as error:
            form.add_error(None, error)
    context = {"rollover": found, "form": form, "why_not": why_rollover_stays(found)}
    return render(request, "undo_rollover.html", context)


# --- two records of one child ---


@require_http_methods(["GET", "HEAD", "POST"])
def merge_student(request: HttpRequest, student_id: int) -> HttpResponse:
    """Choose the other record, see what would happen, merge."""
    kept = student_for_lead(request.user, student_id)
    students = students_of_teacher(lead_membership_of(request.user))
    form = MergeForm(request.POST or request.GET or None, students=students)
    stale = False
    if request.method == "POST":
        once = form.once(request, action="merge_students", answer=reverse("student_page", args=[kept.pk]))
        if form.is_valid():
            try:
                services.merge_students(
                    kept=kept,
                    merged=form.cleaned_data["other"],
                    by=request.user,
                    versions=form.cleaned_data["versions"],
                    once=once,
                )
                messages.success(request, _("The two records are one now."))
                return redirect(once.answer_for(kept.pk))
            except StaleVersion:
                stale = True
            except ValidationError as error:
                form.add_error(None, error)
        else:
            once.refuse_second_use()
    form.is_valid()
    other = getattr(form, "cleaned_data", {}).get("other")
    context = {"student": kept, "form": form, "other": other, "stale": stale}
    if other is None:
        choose = MergeWithForm(request.GET or None, others=others_in_school(kept))
        return render(request, "merge_choose.html", context | {"choose": choose})
    return render(
        request, "merge_student.html", context | {"page": merge_page(kept, other)}, status=409 if stale else 200
    )


@require_http_methods(["GET", "HEAD", "POST"])
def undo_merge(request: HttpRequest, merge_id: int) -> HttpResponse:
    merge = merge_for_lead(request.user, merge_id)
    form = UndoForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        once = form.once(request, action="undo_merge", answer=reverse("move_student", args=[merge.kept_id]))
        try:
            services.undo_merge(merge, by=request.user, once=once)
            messages.success(request, _("The two records are apart again, each with what it had."))
            return redirect(once.answer_for(merge.kept_id))
        except ValidationError as error:
            form.add_error(None, error)
    return render(request, "undo_merge.html", {"merge": merge, "form": form, "why_not": why_merge_stays(merge)})
