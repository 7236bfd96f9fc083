"""Names for stretches of the scale: of the school, after the pieces."""

from dataclasses import dataclass

from ratings.core.practice import Piece


@dataclass(frozen=True, slots=True)
class SchoolBand:
    """`lowest`: the first rating of the band; `highest`: the last, None for the top one."""

    piece: Piece
    lowest: int
    highest: int | None


SCHOOL_BANDS = (
    SchoolBand(Piece.PAWN, 100, 699),
    SchoolBand(Piece.KNIGHT, 700, 899),
    SchoolBand(Piece.BISHOP, 900, 1099),
    SchoolBand(Piece.ROOK, 1100, 1299),
    SchoolBand(Piece.QUEEN, 1300, 1599),
    SchoolBand(Piece.KING, 1600, None),
)


def school_band(rating: int) -> SchoolBand:
    """The band of a rating; whoever is below the first is in it."""
    return next((band for band in reversed(SCHOOL_BANDS) if rating >= band.lowest), SCHOOL_BANDS[0])
