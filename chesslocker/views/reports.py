"""Term reports and certificates to print, of one student or of a class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from chesslocker.access import student_to_report, students_to_report
from chesslocker.forms.reports import CertificateForm, ReportForm
from chesslocker.selectors.reports import (
    Certificate,
    certificates_of_games,
    certificates_of_progress,
    certificates_of_tournament,
    class_names,
    finished_with,
    reports,
)
from classes.access import classroom_for_teacher, membership_of
from classes.core.years import term_start
from classes.models import Classroom, School, Student
from ratings.access import asking_for, list_choice
from ratings.models import RatingList
from tournaments.access import tournaments_of_teacher


@require_safe
def class_reports(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """A report of every active student, each on a sheet of its own."""
    classroom = classroom_for_teacher(request.user, classroom_id)
    return _reports(request, list(students_to_report(membership_of(request.user), classroom)), classroom)


@require_safe
def student_report(request: HttpRequest, student_id: int) -> HttpResponse:
    return _reports(request, [student_to_report(request.user, student_id)])


@require_safe
def class_certificates(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Certificates of the best of a class, or of everybody, each on a sheet of its own."""
    classroom = classroom_for_teacher(request.user, classroom_id)
    return _certificates(request, list(students_to_report(membership_of(request.user), classroom)), classroom)


@require_safe
def student_certificate(request: HttpRequest, student_id: int) -> HttpResponse:
    return _certificates(request, [student_to_report(request.user, student_id)])


def _reports(request: HttpRequest, students: Sequence[Student], classroom: Classroom | None = None) -> HttpResponse:
    school = membership_of(request.user).school
    rating_list = list_choice(school, request.GET.get("list")).chosen
    form = ReportForm(request.GET, **_proposed(school, rating_list))
    days = form.days()
    context: dict[str, Any] = {"form": form, "classroom": classroom, "school": school, "rating_list": rating_list}
    if days:
        first, last = days
        theirs = tournaments_of_teacher(membership_of(request.user))
        context |= {
            "first": first,
            "last": last,
            "reports": reports(
                students, rating_list, first, last, kinds=form.cleaned_data["kinds"], tournaments=theirs
            ),
            "class_name": class_names(students[0], classroom) if students else "",
        }
    return render(request, "report.html", context | {"student": None if classroom else students[0]})


def _certificates(
    request: HttpRequest, students: Sequence[Student], classroom: Classroom | None = None
) -> HttpResponse:
    school = membership_of(request.user).school
    rating_list = list_choice(school, request.GET.get("list")).chosen
    finished = finished_with(students, tournaments_of_teacher(membership_of(request.user)))
    form = CertificateForm(
        request.GET, finished=finished, of_class=classroom is not None, **_proposed(school, rating_list)
    )
    days = form.days()
    context: dict[str, Any] = {"form": form, "classroom": classroom, "school": school}
    if days:
        first, last = days
        context |= {
            "first": first,
            "last": last,
            "day": form.cleaned_data["day"],
            "certificates": _asked_for(request, form, students, rating_list),
        }
    return render(request, "certificate.html", context | {"student": None if classroom else students[0]})


def _asked_for(
    request: HttpRequest, form: CertificateForm, students: Sequence[Student], rating_list: RatingList
) -> list[Certificate]:
    occasion, best = form.cleaned_data["occasion"], form.best()
    first, last = form.cleaned_data["from_day"], form.cleaned_data["to_day"]
    if occasion == CertificateForm.PROGRESS:
        return certificates_of_progress(students, rating_list, first, last, best=best)
    if occasion == CertificateForm.GAMES:
        return certificates_of_games(students, rating_list, first, last, best=best)
    tournament = tournaments_of_teacher(membership_of(request.user)).filter(pk=occasion)
    return certificates_of_tournament(students, tournament, best=best)


def _proposed(school: School, rating_list: RatingList) -> dict[str, Any]:
    """The running term, and the rating list to stay in."""
    today = school.today()
    return {"first": term_start(today, school.term_starts), "last": today, "kept": asking_for(rating_list)}
