"""Piece practice as the page shows it: the board, what was right and why, and the sets that were finished."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from classes.models import Student
from ratings.core.practice import LEVELS, NAMES, Exercise, Man, Piece, Position, Why
from ratings.core.practice_sets import STREAK, Progress
from ratings.models import PieceName, PracticeSet

RANKS = tuple(range(7, -1, -1))  # from the top, as one sits behind White
WHITE_MEN = {
    Piece.PAWN: gettext_lazy("white pawn"),
    Piece.KNIGHT: gettext_lazy("white knight"),
    Piece.BISHOP: gettext_lazy("white bishop"),
    Piece.ROOK: gettext_lazy("white rook"),
    Piece.QUEEN: gettext_lazy("white queen"),
    Piece.KING: gettext_lazy("white king"),
}
BLACK_MEN = {
    Piece.PAWN: gettext_lazy("black pawn"),
    Piece.KNIGHT: gettext_lazy("black knight"),
    Piece.BISHOP: gettext_lazy("black bishop"),
    Piece.ROOK: gettext_lazy("black rook"),
    Piece.QUEEN: gettext_lazy("black queen"),
    Piece.KING: gettext_lazy("black king"),
}
WAYS = {
    Piece.PAWN: gettext_lazy("The pawn walks straight ahead, one square; from its first place also two."),
    Piece.KNIGHT: gettext_lazy("The knight leaps: two squares along a line and one to the side."),
    Piece.BISHOP: gettext_lazy("The bishop moves slantwise, as far as the way is free."),
    Piece.ROOK: gettext_lazy("The rook moves along ranks and files, as far as the way is free."),
    Piece.QUEEN: gettext_lazy("The queen moves straight and slantwise, as far as the way is free."),
    Piece.KING: gettext_lazy("The king goes one square in any direction."),
}
WHYS = {
    Why.FREE: gettext_lazy("The way is free."),
    Why.CAPTURE: gettext_lazy("An enemy piece stands there: it can be taken."),
    Why.STEP: gettext_lazy("The square ahead is free."),
    Why.DOUBLE_STEP: gettext_lazy("From its first place a pawn may walk two squares when both are free."),
    Why.STANDS_THERE: gettext_lazy("The piece stands there already."),
    Why.OWN_PIECE: gettext_lazy("A piece of your own stands there; those are never taken."),
    Why.BEHIND: gettext_lazy("Another piece stands in the way; only a knight leaps over others."),
    Why.GUARDED: gettext_lazy("An enemy piece guards this square; a king never moves into check."),
    Why.PAWN_TAKES_SLANTWISE: gettext_lazy("A pawn never takes straight ahead, only slantwise."),
    Why.PAWN_BLOCKED: gettext_lazy("Another piece stands in the pawn’s way."),
    Why.NOTHING_TO_TAKE: gettext_lazy("A pawn moves slantwise only to take, and there is nothing to take."),
    Why.ONLY_ONE_STEP: gettext_lazy("Two squares are for the pawn’s very first move."),
}
LEVEL_NAMES = {
    1: gettext_lazy("an empty board"),
    2: gettext_lazy("own pieces in the way"),
    3: gettext_lazy("own and enemy pieces"),
}


@dataclass(frozen=True, slots=True)
class Square:
    """One square. `piece` is what stands on it, or empty; `label` says all of it in words.

    `rank` and `file` are written on the squares at the left and the lower edge. `verdict`: right, wrong, missed, or
    empty before the answer and for what was rightly left out.
    """

    name: str
    is_dark: bool
    piece: str
    is_white: bool
    is_mover: bool
    rank: str
    file: str
    verdict: str
    label: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Squares with one verdict for one reason."""

    verdict: str
    squares: str
    sentence: str | Promise


@dataclass(frozen=True, slots=True)
class Choice:
    value: str | int
    label: str | Promise
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class PracticePage:
    """An exercise on its page. `is_right` is None before the answer.

    `streak`: right answers in a row; `steps`: one for each that a set needs, whether it is done.
    """

    exercise: Exercise
    piece_label: str
    place: str
    rows: list[list[Square]]
    way: str | Promise
    pieces: list[Choice]
    levels: list[Choice]
    is_right: bool | None
    number_of_moves: int
    remarks: list[Remark]
    streak: int
    steps: list[bool]


def practice_page(exercise: Exercise, ticked: frozenset[int] | None, progress: Progress | None) -> PracticePage:
    """An exercise, and where it was answered what was right in it. No query."""
    position = exercise.position()
    moves = position.moves()
    verdicts = {} if ticked is None else verdicts_of(ticked, moves)
    streak = progress.streak if progress else 0
    return PracticePage(
        exercise=exercise,
        piece_label=str(PieceName(exercise.piece).label),
        place=NAMES[position.square],
        rows=[[_square(position, row * 8 + column, verdicts) for column in range(8)] for row in RANKS],
        way=WAYS[exercise.piece],
        pieces=[Choice(name.value, name.label, name.value == exercise.piece) for name in PieceName],
        levels=[Choice(level, LEVEL_NAMES[level], level == exercise.level) for level in LEVELS],
        is_right=None if ticked is None else ticked == moves,
        number_of_moves=len(moves),
        remarks=_remarks(position, verdicts),
        streak=streak,
        steps=[number < streak for number in range(STREAK)],
    )


def verdicts_of(ticked: Collection[int], moves: Collection[int]) -> dict[int, str]:
    """right, wrong or missed for every square that was ticked or should have been."""
    return {
        square: "missed" if square not in ticked else "right" if square in moves else "wrong"
        for square in {*ticked, *moves}
    }


def _square(position: Position, square: int, verdicts: dict[int, str]) -> Square:
    is_mover = square == position.square
    man = Man(position.piece, is_own=True) if is_mover else position.men.get(square)
    verdict = verdicts.get(square, "")
    words = [NAMES[square]]
    if man:
        words.append(str((WHITE_MEN if man.is_own else BLACK_MEN)[man.piece]))
    if is_mover:
        words.append(_("to move"))
    if verdict:
        words.append({"right": _("right"), "wrong": _("wrong"), "missed": _("missed")}[verdict])
    return Square(
        name=NAMES[square],
        is_dark=(square % 8 + square // 8) % 2 == 0,
        piece=man.piece if man else "",
        is_white=bool(man and man.is_own),
        is_mover=is_mover,
        rank=NAMES[square][1] if square % 8 == 0 else "",
        file=NAMES[square][0] if square < 8 else "",
        verdict=verdict,
        label=", ".join(words),
    )


def _remarks(position: Position, verdicts: dict[int, str]) -> list[Remark]:
    """What was wrong or missed, square by square, those of one reason together; nothing for what was right."""
    together: dict[tuple[str, Why], list[str]] = {}
    for square in sorted(verdicts):
        if verdicts[square] != "right":
            together.setdefault((verdicts[square], position.why(square)), []).append(NAMES[square])
    ways = WHYS | {Why.NOT_ITS_WAY: WAYS[position.piece]}
    if position.piece == Piece.KNIGHT:
        ways[Why.FREE] = WAYS[Piece.KNIGHT]  # nothing is ever in its way
    return [
        Remark(verdict, ", ".join(squares), ways[why])
        for (verdict, why), squares in sorted(together.items(), key=lambda pair: pair[0][0] != "wrong")
    ]


@dataclass(frozen=True, slots=True)
class PracticeRow:
    """A finished set. `points`: what the teacher gave for it; None for nothing yet. `is_void`: it was taken back."""

    id: int
    piece: str
    level: int
    tries: int
    mistakes: int
    finished_at: datetime.datetime
    points: int | None
    adjustment_id: int | None
    is_void: bool


def practice_rows(student: Student, *, latest: int) -> list[PracticeRow]:
    """The newest sets that a student finished, in one query."""
    sets = PracticeSet.objects.filter(student=student).select_related("adjustment")[:latest]
    return [
        PracticeRow(
            id=one.pk,
            piece=one.get_piece_display(),
            level=one.level,
            tries=one.tries,
            mistakes=one.mistakes,
            finished_at=one.finished_at,
            points=one.adjustment.points if one.adjustment else None,
            adjustment_id=one.adjustment_id,
            is_void=bool(one.adjustment and one.adjustment.is_void),
        )
        for one in sets
    ]
