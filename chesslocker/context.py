"""What every template may use."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """The school of whoever is logged in, and whether the site runs without HTTPS."""
    return {"school": getattr(request, "school", None), "https": settings.HTTPS}
