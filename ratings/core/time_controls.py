"""What a time control is called (FIDE Rapid and Blitz Rating Regulations, 2024)."""

from enum import StrEnum

MOVES = 60  # the increment is counted for a game of so many moves


class Pace(StrEnum):
    TOO_FAST = "too fast"  # not rated
    BLITZ = "blitz"
    RAPID = "rapid"
    STANDARD = "standard"


def minutes(base: int, increment: int) -> float:
    """Thinking time of one player: `base` minutes, and `increment` seconds for each of 60 moves."""
    return base + increment * MOVES / 60


def pace(base: int, increment: int) -> Pace:
    """Blitz: more than 3 and at most 10 minutes; rapid: more than 10 and less than 60; standard from 60 on."""
    time = minutes(base, increment)
    if time >= 60:
        return Pace.STANDARD
    if time > 10:
        return Pace.RAPID
    return Pace.BLITZ if time > 3 else Pace.TOO_FAST
