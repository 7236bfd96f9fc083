"""The teachers of a school and of a class: inviting, joining, roles, handing over, leaving."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from classes import services_colleagues as services
from classes.access import (
    colleague_for_lead,
    former_colleague_for_lead,
    invitation_behind,
    invitation_for_lead,
    lead_membership_of,
    membership_of,
    open_classroom_for_teacher,
    teacher_to_take_out,
)
from classes.forms_colleagues import InviteForm, JoinForm, TeacherOfClassForm
from classes.models import Membership
from classes.selectors_colleagues import colleagues_page, colleagues_to_add, teachers_of_class

BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_safe
def teachers(request: HttpRequest) -> HttpResponse:
    """Everybody who teaches at the school, who is invited, and the classes that nobody teaches."""
    page = colleagues_page(lead_membership_of(request.user))
    return render(request, "classes/colleagues.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest) -> HttpResponse:
    """Make an invitation; the answer itself shows the link, this once."""
    school = lead_membership_of(request.user).school
    form = InviteForm(request.POST if request.method == "POST" else None, school=school)
    if form.is_bound:
        once = form.once(request, action="invite", answer=reverse("classes:teachers"))
        if form.is_valid():
            invitation, token = services.invite(school=school, by=request.user, once=once, **form.invitation())
            url = request.build_absolute_uri(reverse("classes:join", args=[token]))
            address = form.cleaned_data.get("email", "")
            sent = bool(address) and services.send_invitation(invitation, address=address, url=url)
            context = {"invitation": invitation, "url": url, "address": address, "sent": sent}
            return render(request, "classes/colleagues_invited.html", context)
        once.refuse_second_use()
    return render(request, "classes/colleagues_invite.html", {"form": form})


@require_POST
def revoke_invitation(request: HttpRequest, invitation_id: int) -> HttpResponse:
    services.revoke_invitation(invitation_for_lead(request.user, invitation_id), by=request.user)
    messages.success(request, _("The invitation is taken back: its link no longer works."))
    return redirect("classes:teachers")


@login_not_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Where an invitation leads: an account for who has none. The same sentence for every link that does not work."""
    if request.user.is_authenticated:
        return render(request, "registration/join.html")
    invitation = invitation_behind(token)
    form = JoinForm(request.POST if request.method == "POST" else None)
    if invitation and form.is_valid():
        try:
            membership = services.accept_invitation(token, **form.account())
        except services.InvitationOver:
            invitation = None
        except ValidationError as error:  # the user name was taken a moment ago
            form.add_error("username", error.messages[0])
        else:
            login(request, membership.user, backend=BACKEND)
            messages.success(request, _("Welcome to %(school)s!") % {"school": membership.school})
            return redirect("home")
    return render(request, "registration/join.html", {"invitation": invitation, "form": form})


@require_POST
def change_role(request: HttpRequest, membership_id: int) -> HttpResponse:
    colleague = colleague_for_lead(request.user, membership_id)
    role = Membership.Role.LEAD if request.POST.get("role") == Membership.Role.LEAD else Membership.Role.TEACHER
    try:
        services.change_role(colleague, role=role, by=request.user)
    except services.NoLongerLead as error:
        raise Http404 from error
    text = (
        _("%(name)s is a lead teacher now, from the next login on.")
        if role == Membership.Role.LEAD
        else _("%(name)s is a teacher now and sees the own classes only, from the next login on.")
    )
    messages.success(request, text % {"name": colleague.user.get_full_name()})
    return redirect("classes:teachers")


@require_http_methods(["GET", "HEAD", "POST"])
def remove_teacher(request: HttpRequest, membership_id: int) -> HttpResponse:
    """End a colleague's access, after saying what that does."""
    colleague = colleague_for_lead(request.user, membership_id)
    if request.method == "POST":
        try:
            services.remove_teacher(colleague, by=request.user)
        except services.NoLongerLead as error:
            raise Http404 from error
        messages.success(request, _("%(name)s can no longer log in.") % {"name": colleague.user.get_full_name()})
        return redirect("classes:teachers")
    return render(request, "classes/colleagues_remove.html", {"colleague": colleague})


@require_POST
def readmit_teacher(request: HttpRequest, membership_id: int) -> HttpResponse:
    colleague = former_colleague_for_lead(request.user, membership_id)
    try:
        services.readmit_teacher(colleague, by=request.user)
    except services.NoLongerLead as error:
        raise Http404 from error
    text = _("%(name)s can log in again, with the old password. Give back the classes below.")
    messages.success(request, text % {"name": colleague.user.get_full_name()})
    return redirect("classes:teachers")


@require_http_methods(["GET", "HEAD", "POST"])
def class_teachers(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Who teaches a class: let a colleague in, or hand it over."""
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    viewer = membership_of(request.user)
    rows = teachers_of_class(classroom, viewer)
    teaches = any(row.is_own for row in rows)
    colleagues = colleagues_to_add(classroom)
    form = TeacherOfClassForm(
        request.POST if request.method == "POST" else None, colleagues=colleagues, teaches=teaches
    )
    if form.is_valid():
        colleague = form.cleaned_data["colleague"]
        values = {"name": colleague.user.get_full_name(), "classroom": classroom}
        if form.hands_over:
            services.hand_over(classroom, to=colleague, by=request.user)
            messages.success(request, _("%(classroom)s is handed over to %(name)s.") % values)
        else:
            services.add_teacher(classroom, colleague, by=request.user)
            messages.success(request, _("%(name)s teaches %(classroom)s too.") % values)
        if teaches and form.hands_over and not viewer.is_lead:
            return redirect("classes:classroom_list")
        return redirect("classes:class_teachers", classroom.pk)
    context = {"classroom": classroom, "rows": rows, "form": form, "nobody_to_add": not colleagues.exists()}
    return render(request, "classes/colleagues_of_class.html", context | {"is_lead": viewer.is_lead})


@require_POST
def take_out_teacher(request: HttpRequest, classroom_id: int, membership_id: int) -> HttpResponse:
    """Leave a class; for a lead also: take a colleague out of it."""
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    teacher = teacher_to_take_out(request.user, classroom, membership_id)
    values = {"name": teacher.user.get_full_name(), "classroom": classroom}
    try:
        services.take_out_teacher(classroom, teacher, by=request.user)
    except services.LastTeacher:
        messages.error(request, _("%(classroom)s needs a teacher. Hand it over instead.") % values)
        return redirect("classes:class_teachers", classroom.pk)
    messages.success(request, _("%(name)s no longer teaches %(classroom)s.") % values)
    if not membership_of(request.user).is_lead:
        return redirect("classes:classroom_list")
    return redirect("classes:class_teachers", classroom.pk)
