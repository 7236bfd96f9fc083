"""Home, sign-up, and the pages that show more than one app."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chesslocker.access import is_lead, may_export, student_to_change
from chesslocker.forms.pages import StudentWithStartForm
from chesslocker.help.about import ENGINE, LICENCE, VERSION, libraries
from chesslocker.help.answers import search, told
from chesslocker.help.contents import SECTIONS
from chesslocker.help.numbers import numbers
from chesslocker.selectors.pages import LATEST_SETS, own_page
from chesslocker.services import people as services
from classes.access import (
    classroom_for_student,
    classroom_for_teacher,
    classrooms_of_student,
    enrollment_of,
    membership_of,
    open_classroom_for_teacher,
    out_of_sight,
    own_student,
    student_for_teacher,
)
from classes.core.years import term_start
from classes.forms import SignUpForm, cleaned_text
from classes.models import Classroom, School, Student
from classes.selectors import a_school_exists, board_labels_in, enrollments_of, labels_in, number_off_boards
from classes.services import new_easy_password, set_active
from ratings.access import asking_for, list_choice, may_award
from ratings.forms.periods import PeriodForm
from ratings.selectors.boards import average_rating, leaderboard
from ratings.selectors.games import games_on, number_of_games, saved_game
from ratings.selectors.ledger import default_list
from ratings.selectors.performance import performance_of
from ratings.selectors.practice import practice_rows
from ratings.selectors.students import labels_around, student_page
from tournaments.access import tournaments_of_teacher
from tournaments.selectors.events import running_in
from tournaments.selectors.players import entries_to_leave

LATEST_FOR_TEACHER = 20
LONGEST_SEARCH = 100  # letters


@login_not_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Everybody's own home; for visitors what this is, and on a new server the way to sign up."""
    if not request.user.is_authenticated:
        return render(request, "home.html", {"sign_up_is_open": sign_up_is_open()})
    if request.user.is_student:
        return redirect("me")
    if request.school is None and request.user.is_staff:
        return redirect("admin:index")
    return redirect("classes:classroom_list")


def sign_up_is_open() -> bool:
    """Open until the first school exists, unless the server is for many schools."""
    return settings.SIGNUP == "open" or not a_school_exists()


@login_not_required
@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """Questions and answers: all of them, or those that have the words asked for."""
    words = cleaned_text(request.GET.get("q", ""))[:LONGEST_SEARCH]
    sections = told(SECTIONS, numbers())
    context = {
        "contents": sections,
        "words": words,
        "sections": search(sections, words) if words else sections,
        "version": VERSION,
        "licence": LICENCE,
        "libraries": libraries(),
        "engine": ENGINE,
    }
    return render(request, "help/_answers.html" if request.htmx else "help/help.html", context)


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    form = SignUpForm(request.POST or None)
    try:
        if sign_up_is_open() and form.is_valid():
            fields = {
                name: form.cleaned_data.get(name, "")
                for name in ("school_name", "username", "password", "name", "email", "time_zone")
            }
            made = services.sign_up(**fields, only_first=settings.SIGNUP != "open")
            login(request, made.lead.user, backend="django.contrib.auth.backends.ModelBackend")
            messages.success(request, _("Welcome! Your school is there. Make your first class."))
            return redirect("classes:create_classroom")
    except services.SignUpClosed:
        pass
    if not sign_up_is_open():
        return render(request, "signup_closed.html")
    return render(request, "signup.html", {"form": form})


@require_safe
def class_page(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """The class at a glance: leaderboard and today's games."""
    classroom = classroom_for_teacher(request.user, classroom_id)
    lists = list_choice(classroom.school, request.GET.get("list"))
    board = leaderboard(classroom, lists.chosen, labels_in(classroom))
    off_boards = number_off_boards(classroom)
    return render(
        request,
        "class_page.html",
        {
            "classroom": classroom,
            "lists": lists,
            "board": board,
            "out_of_sight": out_of_sight(request.user, classroom),
            "games_today": games_on(classroom, classroom.school.today()),
            "number_of_games": number_of_games(classroom, lists.chosen),
            "average": average_rating(board),
            "off_boards": off_boards,
            "students": len(board) + off_boards,
            "saved": saved_game(classroom, request.GET.get("saved", "")),
            "running": running_in(classroom, tournaments_of_teacher(membership_of(request.user))),
            "tab": "leaderboard",
        },
    )


@require_http_methods(["GET", "HEAD", "POST"])
def add_student(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    suggest = "suggest" in request.POST
    form = StudentWithStartForm(
        _with_password(request) if suggest else request.POST or None,
        school=classroom.school,
        rating_list=default_list(classroom.school),
    )
    if request.method == "POST" and not suggest:
        again = reverse("add_student", args=[classroom.pk]) if "another" in request.POST else None
        answer = again or reverse("classes:students", args=[classroom.pk])
        once = form.once(request, action="add_student", answer=answer)
        if form.is_valid():
            student = services.add_student(classroom=classroom, once=once, **form.student_fields())
            messages.success(
                request, _login_sentence(student) if student.user else _("%(name)s is added.") % {"name": student}
            )
            return redirect(once.answer_for(student.pk))
        once.refuse_second_use()  # sent twice: the first is answered again, whose user name is taken by now
    return render(request, "add_student.html", {"classroom": classroom, "form": form, "tab": "students"})


@require_http_methods(["GET", "HEAD", "POST"])
def edit_student(request: HttpRequest, student_id: int) -> HttpResponse:
    student = student_to_change(request.user, student_id)
    suggest = "suggest" in request.POST
    form = StudentWithStartForm(
        _with_password(request) if suggest else request.POST or None,
        instance=student,
        school=student.school,
        rating_list=default_list(student.school),
    )
    if not suggest and form.is_valid():
        student = services.change_student(student, by=request.user, **form.student_fields())
        new_login = bool(form.cleaned_data["password"])
        messages.success(request, _login_sentence(student) if new_login else _("Saved."))
        return redirect("student_page", student.pk)
    return render(request, "edit_student.html", {"student": student_to_change(request.user, student_id), "form": form})


def _with_password(request: HttpRequest) -> dict[str, object]:
    """What was typed, with a suggested password in its place."""
    typed = request.POST.copy()
    typed["password"] = new_easy_password()
    return typed


def _login_sentence(student: object) -> str:
    return _("%(name)s can log in as %(username)s.") % {"name": student, "username": student.user.username}


@require_POST
def set_student_active(request: HttpRequest, classroom_id: int, student_id: int) -> HttpResponse:
    """Make a student inactive in a class, or active again."""
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    enrollment = enrollment_of(classroom, student_id)
    active = request.POST.get("active") == "1"
    set_active(enrollment, active=active)
    if active:
        messages.success(request, _("%(name)s is active again.") % {"name": enrollment.student})
    else:
        messages.success(
            request,
            _("%(name)s is inactive: not in lists and boards. Games and rating are kept.")
            % {"name": enrollment.student},
        )
        if _plays_on(request, classroom, enrollment.student):
            return redirect("tournaments:leaving", classroom.pk, student_id)
    return redirect("classes:students", classroom.pk)


def _plays_on(request: HttpRequest, classroom: Classroom, student: Student) -> bool:
    """Is a student entered in a running tournament of the class, or of the whole school, that this teacher runs?"""
    entries = entries_to_leave(membership_of(request.user), student)
    return any(entry.tournament.classroom_id in {None, classroom.pk} for entry in entries)


@require_safe
def student_for_class(request: HttpRequest, student_id: int) -> HttpResponse:
    """A student's page for the teacher."""
    student = student_for_teacher(request.user, student_id)
    school = student.school
    lists = list_choice(school, request.GET.get("list"))
    labels = labels_around(student, style=School.NameStyle.FULL)
    today = school.today()
    period = PeriodForm(
        request.GET, first=term_start(today, school.term_starts), last=today, kept=asking_for(lists.chosen)
    )
    days = period.days()
    return render(
        request,
        "student_page.html",
        {
            "student": student,
            "label": labels[student.pk],
            "lists": lists,
            "page": student_page(student, lists.chosen, labels, latest=LATEST_FOR_TEACHER),
            "period": period,
            "performance": performance_of(student, lists.chosen, *days) if days else None,
            "enrollments": enrollments_of(student),
            "practice": practice_rows(student, latest=LATEST_SETS),
            "may_award": may_award(request.user, student),
            "may_export": may_export(request.user, student),
            "is_lead": is_lead(request.user),
        },
    )


@require_safe
def me(request: HttpRequest) -> HttpResponse:
    """A student's own home: whom they play now, the own progress, then the board of the class."""
    return render(request, "me.html", own_page(own_student(request.user), request.GET.get("list")))


@require_safe
def my_class(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """The board of a class the student is in, with the own row marked."""
    classroom = classroom_for_student(request.user, classroom_id)
    student = own_student(request.user)
    lists = list_choice(classroom.school, request.GET.get("list"))
    board = leaderboard(classroom, lists.chosen, board_labels_in(classroom))
    others = classrooms_of_student(student).order_by("-school_year", "name")
    return render(
        request,
        "my_class.html",
        {"student": student, "classroom": classroom, "board": board, "others": others, "lists": lists},
    )
