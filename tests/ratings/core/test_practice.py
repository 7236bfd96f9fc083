"""Where one piece may move, compared with a second implementation that shares no line with the first."""

from __future__ import annotations

import pytest

from ratings.core.practice import LEVELS, MOST_SEED, NAMES, Exercise, Man, Piece, Position, Why

KINDS = [(piece, level) for piece in Piece for level in LEVELS]
LETTERS = dict(zip("PNBRQK", Piece, strict=True))


def at(name: str) -> int:
    return NAMES.index(name)


def position(mover: str, *others: str) -> Position:
    """Re4 moves; others stand: a capital letter is an own piece, a small one an enemy."""
    men = {at(other[1:]): Man(LETTERS[other[0].upper()], other[0].isupper()) for other in others}
    return Position(LETTERS[mover[0]], at(mover[1:]), men)


def moves_of(found: Position) -> str:
    return " ".join(NAMES[square] for square in sorted(found.moves()))


# --- the second implementation: a 0x88 board of letters, on which every move is made and then looked at ---

OFFSETS = {
    "N": (33, 31, 18, 14, -33, -31, -18, -14),
    "B": (17, 15, -17, -15),
    "R": (16, 1, -16, -1),
    "Q": (17, 15, -17, -15, 16, 1, -16, -1),
    "K": (17, 15, -17, -15, 16, 1, -16, -1),
}


def second_opinion(found: Position) -> set[str]:
    letters = {piece: letter for letter, piece in LETTERS.items()}
    board = [""] * 128
    for square, man in found.men.items():
        letter = letters[man.piece]
        board[cell(square)] = letter if man.is_own else letter.lower()
    start, mover = cell(found.square), letters[found.piece]
    return {
        name
        for name in NAMES
        if reaches(board, mover, start, end := cell(at(name))) and not (mover == "K" and in_check(board, end))
    }


def cell(square: int) -> int:
    return square + (square & ~7)


def reaches(board: list[str], mover: str, start: int, end: int) -> bool:
    if start == end or board[end].isupper():
        return False
    if mover == "P":
        if end - start in (15, 17):
            return board[end] != ""
        once = end - start == 16 and not board[end]
        return once or (end - start == 32 and start >> 4 == 1 and not board[start + 16] and not board[end])
    if mover in "NK":
        return end - start in OFFSETS[mover]
    for offset in OFFSETS[mover]:
        place = start + offset
        while not place & 0x88:
            if place == end:
                return True
            if board[place]:
                break
            place += offset
    return False


def in_check(board: list[str], king: int) -> bool:
    """Looks from the king's square outwards, as each enemy piece would move."""
    if any(not king + up & 0x88 and board[king + up] == "p" for up in (15, 17)):
        return True
    if any(not king + leap & 0x88 and board[king + leap] == "n" for leap in OFFSETS["N"]):
        return True
    for offset in OFFSETS["Q"]:
        sliders = "bq" if offset in OFFSETS["B"] else "rq"
        place = king + offset
        while not place & 0x88:
            if board[place]:
                if board[place] in sliders:
                    return True
                break
            place += offset
    return False


def test_5000_exercises_have_the_moves_that_a_second_implementation_finds():
    exercises = [Exercise(piece, level, 7 * seed) for seed in range(278) for piece, level in KINDS]

    differing = [
        exercise
        for exercise in exercises
        if set(moves_of(drawn := exercise.position()).split()) != second_opinion(drawn)
    ]

    assert (len(exercises), differing) == (5004, [])


# --- the rules, one by one ---


@pytest.mark.parametrize(
    ("found", "moves"),
    [
        (position("Ra1"), "b1 c1 d1 e1 f1 g1 h1 a2 a3 a4 a5 a6 a7 a8"),
        (position("Ra1", "Pa3", "nc1"), "b1 c1 a2"),
        (position("Bh1", "pe4", "Nd5"), "g2 f3 e4"),
        (position("Qa8", "pb7", "pa7", "Pb8"), "a7 b7"),
        (position("Na1", "Pb3", "qc2"), "c2"),
        (position("Pe2"), "e3 e4"),
        (position("Pe2", "ne4"), "e3"),
        (position("Pe2", "ne3", "pd3", "Pf3"), "d3"),
        (position("Pe3"), "e4"),
        (position("Pa7", "rb8"), "a8 b8"),
        (position("Ph4", "ra5", "pg5"), "g5 h5"),
        (position("Ke1"), "d1 f1 d2 e2 f2"),
        (position("Ke1", "re8"), "d1 f1 d2 f2"),
        (position("Ke2", "re8"), "d1 f1 d2 f2 d3 f3"),  # straight back is on the same line
        (position("Ka1", "nb1", "ra2"), "b1 a2"),  # neither guards the other
        (position("Ka1", "nb1", "ra2", "pb3"), "b1"),  # now the pawn guards the rook
    ],
)
def test_a_piece_moves_by_the_rules(found, moves):
    assert moves_of(found) == moves
    assert set(moves.split()) == second_opinion(found)


@pytest.mark.parametrize(
    ("found", "square", "why"),
    [
        (position("Ra1"), "a8", Why.FREE),
        (position("Ra1", "na8"), "a8", Why.CAPTURE),
        (position("Ra1"), "a1", Why.STANDS_THERE),
        (position("Ra1"), "b2", Why.NOT_ITS_WAY),
        (position("Ra1", "Pa4"), "a4", Why.OWN_PIECE),
        (position("Ra1", "pa4"), "a5", Why.BEHIND),
        (position("Ke1", "rd8"), "d1", Why.GUARDED),
        (position("Pe2"), "e3", Why.STEP),
        (position("Pe2"), "e4", Why.DOUBLE_STEP),
        (position("Pe2", "pd3"), "d3", Why.CAPTURE),
        (position("Pe2"), "d3", Why.NOTHING_TO_TAKE),
        (position("Pe2", "pe3"), "e3", Why.PAWN_TAKES_SLANTWISE),
        (position("Pe2", "pe3"), "e4", Why.PAWN_BLOCKED),
        (position("Pe3"), "e5", Why.ONLY_ONE_STEP),
        (position("Pe3"), "e2", Why.NOT_ITS_WAY),
    ],
)
def test_the_reason_is_named(found, square, why):
    assert found.why(at(square)) == why


@pytest.mark.parametrize(("piece", "level"), KINDS)
def test_an_exercise_can_be_solved_and_has_the_pieces_of_its_level(piece, level):
    for seed in range(60):
        drawn = Exercise(piece, level, MOST_SEED - seed).position()

        assert drawn.moves()
        assert drawn.square not in drawn.men
        assert {man.is_own for man in drawn.men.values()} == {1: set(), 2: {True}, 3: {True, False}}[level]
        assert all(0 < square // 8 < 7 for square, man in drawn.men.items() if man.piece == Piece.PAWN)
        assert Piece.KING not in {man.piece for man in drawn.men.values()}


def test_the_same_seed_draws_the_same_exercise_for_ever():
    drawn = Exercise(Piece.KNIGHT, 3, 123).position()

    assert drawn == position("Nd1", "Pe3", "Qb2", "nf2", "nc3", "pa6")
    assert drawn != Exercise(Piece.KNIGHT, 3, 124).position()
