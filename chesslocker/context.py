"""What every template may use."""

from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port

LOOPBACK = {"localhost", "127.0.0.1", "[::1]"}


def site(request: HttpRequest) -> dict[str, object]:
    """The school of whoever is logged in; and for leads whether passwords cross the network unencrypted."""
    host, _ = split_domain_port(request.META.get("HTTP_HOST", ""))
    membership = (
        getattr(getattr(request, "user", None), "membership", None) if getattr(request, "school", None) else None
    )
    return {
        "school": getattr(request, "school", None),
        "languages": settings.LANGUAGES,
        "warn_of_http": bool(membership and membership.is_lead and not settings.HTTPS and host not in LOOPBACK),
    }
