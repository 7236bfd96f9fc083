"""What happens around every request: addresses, idle sessions, the school's time, private answers, plain errors."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.db import DataError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone, translation
from django.views.defaults import bad_request

from classes.access import school_of
from classes.services import AlreadyAnswered, KeyReused

GetResponse = Callable[[HttpRequest], HttpResponse]

SEEN = "seen"
WRITE_EVERY = 5 * 60  # seconds


def client_address(request: HttpRequest) -> str:
    """The address of the browser, as far as the trusted proxies vouch for it."""
    return str(request.META.get("REMOTE_ADDR", ""))


class TrustedProxies:
    """Take the client's address from X-Forwarded-For: the entry that the outermost trusted proxy wrote, none else."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.PROXIES:
            hops = [hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if hop.strip()]
            if len(hops) >= settings.PROXIES:
                request.META["REMOTE_ADDR"] = hops[-settings.PROXIES]
        return self.get_response(request)


class PrivateAnswers:
    """Nothing that was shown behind a login may be kept by a cache or come back with the Back button."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        user = getattr(request, "user", None)
        if user is not None and (user.is_authenticated or not is_public(request)):
            response["Cache-Control"] = "no-store, private"
        elif not response.has_header("Cache-Control"):
            response["Cache-Control"] = "no-cache"
        return response


def is_public(request: HttpRequest) -> bool:
    """Does the page of this request need no login?"""
    match = request.resolver_match
    return match is not None and not getattr(match.func, "login_required", True)


class IdleSessions:
    """End a session that was idle too long: students two hours, teachers twelve. Writes at most every five minutes."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            now = int(time.time())
            seen = request.session.get(SEEN, now)
            if now - seen > settings.IDLE_LIMITS["student" if request.user.is_student else "teacher"]:
                logout(request)
                if request.path == resolve_url(settings.LOGIN_URL):
                    return self.get_response(request)
                return redirect_to_login(request.get_full_path() if request.method == "GET" else "")
            if SEEN not in request.session or now - seen > WRITE_EVERY:
                request.session[SEEN] = now
        return self.get_response(request)


class AccountLanguage:
    """Speak the language that an account has chosen; without one the cookie's or the browser's stays."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and request.user.language in dict(settings.LANGUAGES):
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)


class SchoolTime:
    """Show every time in the time zone of the school; the school itself is kept on the request."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.school = school_of(request.user)
        if request.school:
            with timezone.override(request.school.time_zone):
                return self.get_response(request)
        return self.get_response(request)


class ClearAnswers:
    """Answer what services raise: a form sent twice, a key used for something else, a database that stays locked."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, AlreadyAnswered):
            return redirect(exception.url)
        if isinstance(exception, KeyReused):
            return render(request, "409.html", status=409)
        if isinstance(exception, OverflowError | DataError):
            return bad_request(request, exception)  # an id that no database holds: only scripts send such
        if isinstance(exception, OperationalError):
            kept = [
                (name, value)
                for name, values in request.POST.lists()
                for value in values
                if name != "csrfmiddlewaretoken" and "password" not in name
            ]
            response = render(request, "503.html", {"kept": kept, "path": request.get_full_path()}, status=503)
            response["Retry-After"] = "10"
            return response
        return None
