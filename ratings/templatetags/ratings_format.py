"""Numbers as they are written on the pages."""

import math
from fractions import Fraction

from django import template
from django.utils.formats import number_format

from ratings.core.elo import round_half_away

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


@register.filter
def places(value: float | Fraction, digits: int) -> str:
    """A number with so many decimal places, halves away from zero: 0.640, 1011.5; ∞ for no end."""
    if math.isinf(value):
        return "∞"
    return number_format(round_half_away(value * 10**digits) / 10**digits, digits).replace("-", "−")


@register.filter
def signed_places(value: float | Fraction, digits: int) -> str:
    """The same with its sign: +11.5, −8.3, ±0.0."""
    rounded = round_half_away(value * 10**digits)
    sign = "+" if rounded > 0 else "−" if rounded < 0 else "±"
    return sign + places(-value if value < 0 else value, digits)
