"""How students get in: cards, badges, the codes of a lesson, a new password. What is made is shown once, never kept."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from classes import services
from classes.access import enrollment_of, open_classroom_for_teacher, student_for_teacher, student_with_badge
from classes.forms import CardsForm, CodeForm
from classes.middleware import client_address
from classes.models import User
from classes.selectors import card_rows, codes_page, roster, short_label_of
from classes.services import Action, record_login

BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_http_methods(["GET", "HEAD", "POST"])
def cards(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Choose the students; the sheet is the answer itself and comes only once."""
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    rows = [row for row in roster(classroom) if row.active]
    form = CardsForm(request.POST if request.method == "POST" else None, rows=rows)
    if request.method == "POST":
        answer = reverse("classes:cards", args=[classroom.pk]) + "?made=1"
        once = form.once(request, action="make_cards", answer=answer)
        if form.is_valid():
            made = services.make_cards(classroom=classroom, by=request.user, once=once, **form.cards())
            sheet = card_rows(classroom, made, lambda token: badge_address(request, token))
            host = request.get_host()
            return render(request, "classes/cards_sheet.html", {"classroom": classroom, "cards": sheet, "host": host})
        once.refuse_second_use()  # sent twice: by now nobody is without a login
    context = {"classroom": classroom, "form": form, "rows": rows, "made": "made" in request.GET, "tab": "students"}
    return render(request, "classes/cards.html", context)


def badge_address(request: HttpRequest, token: str) -> str:
    """Where the badge leads: this site, as the teacher reaches it."""
    return request.build_absolute_uri(reverse("classes:log_in_with_badge", args=[token]))


@require_POST
def void_badge(request: HttpRequest, student_id: int) -> HttpResponse:
    student = student_for_teacher(request.user, student_id)
    if services.void_badge(student, by=request.user):
        messages.success(request, _("The badge of %(name)s is void.") % {"name": student})
    return redirect("student_page", student.pk)


@require_http_methods(["GET", "HEAD", "POST"])
def new_password(request: HttpRequest, classroom_id: int, student_id: int) -> HttpResponse:
    """A new password in two clicks: asked first, shown once."""
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    student = enrollment_of(classroom, student_id).student
    card = services.reset_password(student, by=request.user) if request.method == "POST" else None
    context = {"classroom": classroom, "student": student, "card": card, "tab": "students"}
    return render(request, "classes/new_password.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def codes(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Codes for this lesson, on the projector as soon as they are made."""
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    if request.method == "POST":
        page = codes_page(classroom, services.make_login_codes(classroom, by=request.user))
        context = {"page": page, "until": timezone.now() + services.CODES_WORK, "host": request.get_host()}
        return render(request, "classes/codes_shown.html", {"classroom": classroom, **context})
    rows = [row for row in roster(classroom) if row.active]
    context = {"with_login": sum(bool(row.username) for row in rows), "students": len(rows)}
    return render(request, "classes/codes.html", {"classroom": classroom, "tab": "students", **context})


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def log_in_with_code(request: HttpRequest) -> HttpResponse:
    form = CodeForm(request.POST if request.method == "POST" else None)
    status = 200
    if form.is_valid():
        try:
            user = services.use_login_code(form.cleaned_data["code"], address=client_address(request))
            if user:
                return _let_in(request, user, way="code")
            form.add_error("code", _("This code does not work. Check it, or ask your teacher for a new one."))
        except services.TooManyWrongCodes:
            form.add_error(None, _("Too many wrong codes came from here. Wait ten minutes, or use your password."))
            status = 429
    return render(request, "registration/log_in_with_code.html", {"form": form}, status=status)


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def log_in_with_badge(request: HttpRequest, token: str) -> HttpResponse:
    """Where a QR badge leads. Looking does nothing; a press of the button logs in."""
    student = student_with_badge(token)
    if student and student.user and request.method == "POST":
        return _let_in(request, student.user, way="badge")
    context = {"label": short_label_of(student) if student else ""}
    return render(request, "registration/log_in_with_badge.html", context)


def _let_in(request: HttpRequest, user: User, *, way: str) -> HttpResponse:
    login(request, user, backend=BACKEND)
    record_login(user, action=Action.LOGIN_OK, way=way)
    return redirect("home")
