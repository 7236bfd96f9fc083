"""The admin site: only for staff, and what the ledger holds is only changed through the services."""

from __future__ import annotations

from functools import update_wrapper
from typing import Any

from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

METHODS = ("GET", "HEAD", "POST")


class ChessLockerAdminSite(admin.AdminSite):
    site_header = _("ChessLocker administration")
    site_title = _("ChessLocker")
    index_title = _("All records")

    def get_urls(self) -> list[Any]:
        urls = super().get_urls()
        for url in urls:
            if url.callback and hasattr(url.callback, "login_url"):
                url.callback.login_url = None  # Django names a login page of its own here
        return urls

    @method_decorator(login_not_required)
    @method_decorator(require_safe)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """There is one login page for all, where wrong tries are counted."""
        return redirect_to_login(reverse("admin:index", current_app=self.name))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """What somebody may not do here is 404, as everywhere: it says nothing of what exists."""
        inner = super().admin_view(view, cacheable)
        owner = getattr(view, "__self__", None)

        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.user.is_authenticated and not self.has_permission(request):
                raise Http404
            if request.method not in METHODS:
                return HttpResponseNotAllowed(METHODS)
            # Before the object is looked for, whose absence Django would tell.
            if isinstance(owner, admin.ModelAdmin) and not any(owner.get_model_perms(request).values()):
                raise Http404
            try:
                return inner(request, *args, **kwargs)
            except PermissionDenied as error:
                raise Http404 from error

        return update_wrapper(guarded, view)
