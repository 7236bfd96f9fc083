"""Piece practice: which squares a piece may move to, why, and exercises drawn from a seed.

A square is a number from 0 (a1) over 7 (h1) to 63 (h8). The piece that moves is White's: its pawns walk up the board.
Only one piece moves: nothing can be pinned, there is no castling and no capture in passing.
"""

import random
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

SQUARES = range(64)
FIRST_RANK, PAWN_RANK, LAST_RANK = 0, 1, 7
LEVELS = (1, 2, 3)  # an empty board; own pieces in the way; own and enemy pieces
MOST_SEED = 999_999

Direction = tuple[int, int]  # files to the right, ranks up
STRAIGHT: tuple[Direction, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL: tuple[Direction, ...] = ((1, 1), (-1, 1), (-1, -1), (1, -1))
KNIGHT_LEAPS: tuple[Direction, ...] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


class Piece(StrEnum):
    PAWN = "pawn"
    KNIGHT = "knight"
    BISHOP = "bishop"
    ROOK = "rook"
    QUEEN = "queen"
    KING = "king"


SLIDES = {Piece.BISHOP: DIAGONAL, Piece.ROOK: STRAIGHT, Piece.QUEEN: STRAIGHT + DIAGONAL}
LEAPS = {Piece.KNIGHT: KNIGHT_LEAPS, Piece.KING: STRAIGHT + DIAGONAL}


class Why(StrEnum):
    """Why the piece may move to a square (the first four), or why not."""

    FREE = "free"
    CAPTURE = "capture"
    STEP = "step"
    DOUBLE_STEP = "double step"
    STANDS_THERE = "stands there"
    OWN_PIECE = "own piece"
    BEHIND = "behind"
    GUARDED = "guarded"
    NOT_ITS_WAY = "not its way"
    PAWN_TAKES_SLANTWISE = "pawn takes slantwise"
    PAWN_BLOCKED = "pawn blocked"
    NOTHING_TO_TAKE = "nothing to take"
    ONLY_ONE_STEP = "only one step"


@dataclass(frozen=True, slots=True)
class Man:
    """A piece that stands on the board while another one moves."""

    piece: Piece
    is_own: bool


@dataclass(frozen=True, slots=True)
class Position:
    """A piece of White on its square, and the others on theirs."""

    piece: Piece
    square: int
    men: Mapping[int, Man] = field(default_factory=dict)

    def moves(self) -> frozenset[int]:
        """Every square that the piece may move to by the rules of chess."""
        if self.piece == Piece.PAWN:
            return self._pawn_moves()
        there = attacks(self.piece, self.square, self.men)
        free = {square for square in there if square not in self.men or not self.men[square].is_own}
        return frozenset(free - self.guarded() if self.piece == Piece.KING else free)

    def guarded(self) -> set[int]:
        """The squares that enemy pieces attack. They look through the piece that moves: a king cannot back off."""
        enemies = [(square, man.piece) for square, man in self.men.items() if not man.is_own]
        return {target for square, piece in enemies for target in attacks(piece, square, self.men, up=False)}

    def why(self, square: int) -> Why:
        """Why the piece may move to a square, or why not."""
        man = self.men.get(square)
        if square in self.moves():
            if man:
                return Why.CAPTURE
            if self.piece == Piece.PAWN:
                return Why.STEP if square - self.square == 8 else Why.DOUBLE_STEP
            return Why.FREE
        if square == self.square:
            return Why.STANDS_THERE
        if man and man.is_own:
            return Why.OWN_PIECE
        if self.piece == Piece.PAWN:
            return self._why_no_pawn_move(square)
        if square not in attacks(self.piece, self.square, ()):
            return Why.NOT_ITS_WAY
        return Why.GUARDED if self.piece == Piece.KING else Why.BEHIND

    def _pawn_moves(self) -> frozenset[int]:
        found = {square for square in attacks(Piece.PAWN, self.square, ()) if square in self.men}
        moves = {square for square in found if not self.men[square].is_own}
        for square in pawn_steps(self.square):
            if square in self.men:
                break
            moves.add(square)
        return frozenset(moves)

    def _why_no_pawn_move(self, square: int) -> Why:
        if square in pawn_steps(self.square):
            return Why.PAWN_TAKES_SLANTWISE if square in self.men else Why.PAWN_BLOCKED
        if square in attacks(Piece.PAWN, self.square, ()):
            return Why.NOTHING_TO_TAKE
        return Why.ONLY_ONE_STEP if square - self.square == 16 else Why.NOT_ITS_WAY


def name_of(square: int) -> str:
    """As it is written: a1 to h8."""
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


NAMES = tuple(name_of(square) for square in SQUARES)


def attacks(piece: Piece, square: int, occupied: Collection[int], *, up: bool = True) -> set[int]:
    """The squares that a piece attacks: on a line up to the first piece, that one included. `up`: a pawn of White."""
    if piece == Piece.PAWN:
        steps = ((-1, 1), (1, 1)) if up else ((-1, -1), (1, -1))
        return {target for step in steps for target in _line(square, step, 1)}
    if piece in LEAPS:
        return {target for step in LEAPS[piece] for target in _line(square, step, 1)}
    found = set()
    for direction in SLIDES[piece]:
        for target in _line(square, direction, 7):
            found.add(target)
            if target in occupied:
                break
    return found


def pawn_steps(square: int) -> list[int]:
    """The squares straight ahead of a pawn of White on an empty board: two from where it begins."""
    return list(_line(square, (0, 1), 2 if square // 8 == PAWN_RANK else 1))


def _line(square: int, direction: Direction, longest: int) -> Iterator[int]:
    """The squares from one in a direction, at most so many, as far as the board goes."""
    column, row = square % 8, square // 8
    for _ in range(longest):
        column, row = column + direction[0], row + direction[1]
        if not (0 <= column < 8 and 0 <= row < 8):
            return
        yield row * 8 + column


# --- exercises ---

OTHERS = (Piece.PAWN, Piece.PAWN, Piece.KNIGHT, Piece.BISHOP, Piece.ROOK, Piece.QUEEN)  # no kings, twice as many pawns
NEAR = 0.65  # this share of the others stands where it matters


@dataclass(frozen=True, slots=True)
class Exercise:
    """What an address asks for: the same exercise for everybody, on every machine."""

    piece: Piece
    level: int
    seed: int

    def position(self) -> Position:
        """A position in which the piece has at least one move."""
        chance = random.Random(self.seed)  # noqa: S311  # an exercise, no secret
        while True:
            drawn = _drawn(self.piece, self.level, chance)
            if drawn.moves():
                return drawn


def _drawn(piece: Piece, level: int, chance: random.Random) -> Position:
    def one_of(options: Collection[int]) -> int:
        # Only random() gives the same numbers in every version of Python.
        return sorted(options)[int(chance.random() * len(options))]

    places = set(SQUARES)
    if piece == Piece.PAWN:
        at_home = chance.random() < 0.5
        places = {square for square in SQUARES if FIRST_RANK < square // 8 < LAST_RANK}
        places = {square for square in places if (square // 8 == PAWN_RANK) == at_home}
    square = one_of(places)
    near = attacks(piece, square, ()) | (set(pawn_steps(square)) if piece == Piece.PAWN else set())
    men: dict[int, Man] = {}
    own = 0 if level == 1 else 2 + int(chance.random() * 3)
    enemies = 0 if level < 3 else 2 + int(chance.random() * 3)
    for number in range(own + enemies):
        free = set(SQUARES) - {square} - men.keys()
        wanted = free & near if chance.random() < NEAR else free
        place = one_of(wanted or free)
        other = OTHERS[int(chance.random() * len(OTHERS))]
        is_own = number < own
        if other == Piece.PAWN and place // 8 in (FIRST_RANK, LAST_RANK):
            other = Piece.KNIGHT
        if other == Piece.ROOK and is_own and piece == Piece.KING:
            other = Piece.BISHOP  # nobody shall think of castling
        men[place] = Man(other, is_own)
    return Position(piece, square, men)
