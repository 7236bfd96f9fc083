"""Logging in and passwords. The pages that need no login are marked here, each by hand."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from classes.access import account_named
from classes.forms import LoginForm, NewPasswordForm, ResetForm, ResetPasswordForm, email_is_configured
from classes.services import Action, record_login

FORM_METHODS = ("get", "head", "post")  # Django's own views would also take PUT


class Login(auth_views.LoginView):
    """One page for teachers and students; each lands on the own home."""

    http_method_names = FORM_METHODS
    form_class = LoginForm
    template_name = "registration/login.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"email_is_configured": email_is_configured()}

    def form_valid(self, form: LoginForm) -> HttpResponse:
        response = super().form_valid(form)
        record_login(form.get_user(), action=Action.LOGIN_OK, way="password")
        return response

    def form_invalid(self, form: LoginForm) -> HttpResponse:
        if not getattr(self.request, "axes_locked_out", False):
            _note_failure(form.cleaned_data.get("username", ""), Action.LOGIN_FAILED)
        return super().form_invalid(form)


def _note_failure(username: str, action: Action) -> None:
    """Of accounts that exist; a name that is nobody's concerns no school."""
    if user := account_named(username):
        record_login(user, action=action, way="password")


login = Login.as_view()
logout = auth_views.LogoutView.as_view(http_method_names=["post"])


class ChangePassword(auth_views.PasswordChangeView):
    http_method_names = FORM_METHODS
    form_class = NewPasswordForm
    template_name = "registration/password_change.html"
    success_url = reverse_lazy("home")

    def form_valid(self, form: NewPasswordForm) -> HttpResponse:
        messages.success(self.request, _("Your password is changed. Other devices are logged out."))
        return super().form_valid(form)


change_password = ChangePassword.as_view()


@method_decorator(login_not_required, name="dispatch")
class AskReset(auth_views.PasswordResetView):
    """By e-mail where the server can send any; otherwise the page says whom to ask."""

    http_method_names = FORM_METHODS
    form_class = ResetForm
    template_name = "registration/password_reset.html"
    email_template_name = "registration/password_reset_email.txt"
    subject_template_name = "registration/password_reset_subject.txt"
    success_url = reverse_lazy("password_reset_sent")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not email_is_configured():
            return redirect("password_reset")
        return super().post(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"email_is_configured": email_is_configured()}


ask_reset = AskReset.as_view()


@login_not_required
@require_safe
def reset_sent(request: HttpRequest) -> HttpResponse:
    return render(request, "registration/password_reset_sent.html")


@method_decorator([login_not_required, require_http_methods(["GET", "HEAD", "POST"])], name="dispatch")
class ResetPassword(auth_views.PasswordResetConfirmView):
    form_class = ResetPasswordForm
    template_name = "registration/password_reset_confirm.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: ResetPasswordForm) -> HttpResponse:
        messages.success(self.request, _("Your new password is set. Log in with it."))
        return super().form_valid(form)


reset_password = ResetPassword.as_view()


def too_many_tries(request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any]) -> HttpResponse:
    """The login page with a sentence, after five wrong passwords for one name from one address."""
    username = credentials.get("username", "")
    if request.axes_failures_since_start:  # the try that filled the measure; those after it are not counted
        _note_failure(username, Action.LOGIN_REFUSED)
    form = LoginForm(request, initial={"username": username})
    context = {"form": form, "too_many_tries": True, "email_is_configured": email_is_configured()}
    return render(request, "registration/login.html", context, status=429)
