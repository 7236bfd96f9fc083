"""What a login card says, and how many codes a screen holds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Card:
    """The login of one student, to be shown once: nothing of it is kept. Empty: not on this card."""

    student_id: int
    username: str
    password: str
    token: str


MOST_LINES = 20


def columns_and_lines(codes: int) -> tuple[int, int]:
    """How to share out codes on a screen: one column up to 8, then two, from 21 on three, from 43 on four."""
    columns = 1 + sum(codes > most for most in (8, 20, 42))
    return columns, min(-(-codes // columns), MOST_LINES)
