"""The numbers that answers tell: reckoned by the functions that also rate the games, so that they are always right."""

from __future__ import annotations

from functools import cache

from ratings.core import fide, glicko, uschess
from ratings.core.calculator import compare
from ratings.core.economy import ESTABLISHED_GAMES, STUDENT_LIMIT, TOO_MUCH, WATCH, limits
from ratings.core.elo import LOSS, WIN, expected_score, rating_change
from ratings.core.rules import Rule

START = 800
K = 32


@cache
def numbers() -> dict[str, str]:
    """By name, as they are written."""
    one_draw = compare(1000, 800, K).outcomes[1].white.whole_change
    gap = no_gain_from(K)
    sure, unsure = (glicko.rate(1500, 80, [(1500, deviation, WIN)]).change for deviation in (30, 350))
    newcomer, old_hand = (glicko.rate(1500, deviation, [(1500, 80, WIN)]).change for deviation in (350, 80))
    class_event = uschess.rate_event(START, uschess.ESTABLISHED_FROM, [(START, WIN)] * 4)
    return {
        "start": str(START),
        "k": str(K),
        "between_equals": str(rating_change(K, WIN, expected_score(START, START))),
        "e0": f"{expected_score(START, START):.2f}",
        "e100": f"{expected_score(START + 100, START):.2f}",
        "e200": f"{expected_score(START + 200, START):.2f}",
        "e400": f"{expected_score(START + 400, START):.3f}",
        "fide400": f"{float(fide.expected_score(START + 400, START)):.2f}",
        "draw_loses": str(-one_draw),
        "gap": str(gap),
        "gap_expected": f"{expected_score(START + gap, START):.4f}",
        "gap_gain": f"{K * (1 - expected_score(START + gap, START)):.3f}",
        "gap_loss": str(-rating_change(K, LOSS, expected_score(START + gap, START))),
        "gap40": str(no_gain_from(40)),
        "gap20": str(no_gain_from(20)),
        "gap10": str(no_gain_from(10)),
        "us_k": f"{class_event.k:.0f}",
        "sure": f"{sure:.0f}",
        "unsure": f"{unsure:.0f}",
        "newcomer": f"{newcomer:.0f}",
        "old_hand": f"{old_hand:.0f}",
        "favourite_win": str(limits(Rule(), START).favourite_win),
        "watch": str(WATCH),
        "too_much": str(TOO_MUCH),
        "student_limit": str(STUDENT_LIMIT),
        "established": str(ESTABLISHED_GAMES),
        "floor_1800": str(uschess.floor(1800, established=True, wins=50, draws=10, events=20)),
        "floor_1400": str(uschess.floor(1400, established=True, wins=50, draws=10, events=20)),
        "better_gain": str(compare(1000, 900, K).outcomes[0].white.whole_change),
        "weaker_gain": str(compare(900, 1000, K).outcomes[0].white.whole_change),
    }


def no_gain_from(k: int) -> int:
    """How far a favourite must be ahead so that a win is rounded to 0 points."""
    gap = 0
    while rating_change(k, WIN, expected_score(gap, 0)):
        gap += 1
    return gap
