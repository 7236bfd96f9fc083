"""The language of the pages: the browser's, or the one that was chosen."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from classes import services

A_YEAR = 365 * 24 * 60 * 60


@login_not_required
@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Choose a language. It sticks to this browser, and to the account of whoever is logged in."""
    chosen = request.POST.get("language", "")
    if chosen not in dict(settings.LANGUAGES):
        raise Http404
    if request.user.is_authenticated:
        services.set_language(request.user, chosen)
    came_from = request.headers.get("Referer", "")
    safe = url_has_allowed_host_and_scheme(came_from, {request.get_host()}, require_https=request.is_secure())
    response = redirect(came_from if safe else resolve_url("home"))
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        chosen,
        max_age=A_YEAR,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
    return response
