"""Numbers as they are written on the pages."""

from django import template

register = template.Library()


@register.filter
def halves(value: int) -> str:
    """Half-points as a score: 5 -> 2½, 1 -> ½, 4 -> 2."""
    whole, half = divmod(value, 2)
    return f"{whole or ''}½" if half else str(whole)


@register.filter
def signed(value: int) -> str:
    """+12, −6 (with a real minus sign), ±0."""
    if value > 0:
        return f"+{value}"
    return f"−{-value}" if value < 0 else "±0"
