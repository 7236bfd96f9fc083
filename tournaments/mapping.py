"""Rows of the database as the values that the pure core works on, and back."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ratings.models import Game
from tournaments.core.types import Code, Colour, Entrant, Played, State, twos
from tournaments.models import Absence, Entry, Pairing, Tournament

RESULTS_OF_GAMES = {
    Pairing.Result.WHITE: Game.Result.WHITE,
    Pairing.Result.DRAW: Game.Result.DRAW,
    Pairing.Result.BLACK: Game.Result.BLACK,
}
ABSENT = Played(None, None, Code.ZERO_BYE)


@dataclass(frozen=True, slots=True)
class Board:
    """A pairing as plain values: ids of entries and the result's codes."""

    number: int  # of the round
    white: int
    black: int | None
    result: str


def codes_of(result: str) -> tuple[Code | None, Code | None]:
    """White's and Black's code; None for a board without a result, and for who is not there."""
    white, black = (*result, "", "")[:2]
    return Code(white) if white else None, Code(black) if black else None


def played_by(board: Board) -> dict[int, Played]:
    """The round of both players of a board, or of the one with a bye; an open board is not in it."""
    white, black = codes_of(board.result)
    if white is None:
        return {}
    if board.black is None or black is None:
        return {board.white: Played(None, None, white)}
    if board.result == Pairing.Result.UNPLAYED:  # neither was at fault: for both as if they had not been paired
        return {board.white: ABSENT, board.black: ABSENT}
    return {
        board.white: Played(board.black, Colour.WHITE, white),
        board.black: Played(board.white, Colour.BLACK, black),
    }


def state_of(
    tournament: Tournament,
    entries: Sequence[Entry],
    boards: Iterable[Board],
    *,
    rounds: int,
    absences: Iterable[Absence] = (),
    forbidden: Collection[tuple[int, int]] = (),
    apart: Collection[tuple[int, int]] = (),
) -> State:
    """The tournament after its first `rounds` rounds, with who is absent from the next one.

    `entries`: all of them, by `seed_order`. `boards`: any; those of later rounds and open ones are left out, so that
    whoever has no result stands as absent. `forbidden`, `apart`: pairs of entries.
    """
    histories: dict[int, list[Played]] = {entry.pk: [ABSENT] * rounds for entry in entries}
    for board in boards:
        if board.number <= rounds:
            for entry, played in played_by(board).items():
                histories[entry][board.number - 1] = played
    absent = {absence.entry_id: Code(absence.kind) for absence in absences if absence.number == rounds + 1}
    accelerated = {entry.pk: tuple(entry.acceleration) for entry in entries if entry.acceleration}
    declared = tournament.rounds if tournament.finished_at is None else rounds  # one that ended early has no more
    return State(
        entrants=tuple(
            Entrant(
                id=entry.pk,
                rating=entry.seed_rating,
                history=tuple(histories[entry.pk]),
                absent=Code.ZERO_BYE if entry.is_withdrawn else absent.get(entry.pk),
                withdrawn=entry.is_withdrawn,
            )
            for entry in entries
        ),
        rounds=declared,
        first_colour=Colour(tournament.first_colour),
        forbidden=twos(forbidden),
        apart=twos(apart),
        bye_halves=tournament.bye_halves,
        acceleration=MappingProxyType(accelerated),
    )


def among(pairs: Iterable[tuple[int, int]], entries: Iterable[Entry]) -> list[tuple[int, int]]:
    """Pairs of students as pairs of entries; those of whom one is not entered are left out."""
    by_student: Mapping[int, int] = {entry.student_id: entry.pk for entry in entries}
    return [(by_student[one], by_student[other]) for one, other in pairs if one in by_student and other in by_student]
