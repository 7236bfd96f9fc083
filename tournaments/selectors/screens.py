"""What goes to the projector and onto paper: a round by board and by name, the crosstable in parts, the wall chart."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext_lazy as _

from classes.core.names import match_key
from tournaments.core.tiebreaks import points_text
from tournaments.core.types import Code
from tournaments.mapping import Board, codes_of
from tournaments.models import Entry, Pairing, Round, Tournament
from tournaments.selectors.crosstables import MARKS, CrossRow, Crosstable, bye_cell, crosstable_of
from tournaments.selectors.rounds import BoardRow, RoundPage, round_page
from tournaments.selectors.states import Loaded

ROUNDS_TO_READ = 14  # side by side on a sheet
ROUNDS_TO_FILL_IN = 10  # so that a cell is wide enough to write in

BYES = {
    Pairing.Result.PAIRING_BYE: _("has a bye"),
    Pairing.Result.FULL_BYE: _("has a full-point bye"),
    Pairing.Result.HALF_BYE: _("has a half-point bye"),
    Pairing.Result.ZERO_BYE: _("has no game"),
}


@dataclass(frozen=True, slots=True)
class ByeLine:
    """Somebody without an opponent, for the end of the list by board. `points`: what it is worth."""

    entry: int
    label: str
    words: str
    points: str


@dataclass(frozen=True, slots=True)
class NameLine:
    """Where a player sits: `Aisha B. – board 4, Black`. With no board, `bye` says what there is instead."""

    label: str
    board: int | None
    is_white: bool
    opponent: str
    bye: str


@dataclass(frozen=True, slots=True)
class RoundSheet:
    """A round as everybody in the room may see it. Whoever has withdrawn is not in it."""

    round: Round
    boards: list[BoardRow]
    byes: list[ByeLine]
    names: list[NameLine]

    @property
    def slips(self) -> list[BoardRow]:
        """The boards at which there is or was something to play."""
        return [row for row in self.boards if row.is_open or row.pairing.is_played]


def latest_round(tournament: Tournament) -> Round | None:
    """One query."""
    return Round.objects.filter(tournament=tournament).order_by("number").last()


def round_sheet(loaded: Loaded, made: Round, labels: Mapping[int, str]) -> RoundSheet:
    """The boards by number, the byes after them, and everybody by name. One query."""
    page = round_page(loaded, made, labels)
    withdrawn = {entry.pk for entry in loaded.entries if entry.is_withdrawn}
    byes = [row for row in page.byes if not (row.result == Pairing.Result.ZERO_BYE and row.white.entry in withdrawn)]
    return RoundSheet(
        round=made,
        boards=page.boards,
        byes=[ByeLine(row.white.entry, row.white.label, words_of_bye(row.result), row.bye_points) for row in byes],
        names=sorted(_name_lines(page, byes), key=lambda line: alphabetical(line.label)),
    )


def _name_lines(page: RoundPage, byes: Iterable[BoardRow]) -> Iterator[NameLine]:
    for row in page.boards:
        if row.black is not None:
            yield NameLine(row.white.label, row.board, True, row.black.label, "")
            yield NameLine(row.black.label, row.board, False, row.white.label, "")
    for row in byes:
        yield NameLine(row.white.label, None, True, "", words_of_bye(row.result))


def words_of_bye(result: str) -> str:
    """`Hana S.` … `has a bye`."""
    return str(BYES[Pairing.Result(result)])


def alphabetical(label: str) -> tuple[str, str]:
    """To sort names as a person looks for them: Çağla stands among the Cs. Letters of other alphabets come after z."""
    key = match_key(label)
    plain = "".join(letter for letter in unicodedata.normalize("NFD", key) if not unicodedata.combining(letter))
    return plain.replace("ł", "l").replace("ø", "o"), key


# --- side by side ---


def parts(rounds: int, most: int) -> list[range]:
    """The numbers of the rounds for each sheet, at most so many and about equally many: 11 of 10 -> 1 to 5, 6 to 11."""
    sheets = max(1, -(-rounds // most))
    return [range(rounds * n // sheets + 1, rounds * (n + 1) // sheets + 1) for n in range(sheets)]


def crosstable_parts(loaded: Loaded, labels: Mapping[int, str]) -> list[Crosstable]:
    """The crosstable, cut where it is too wide for a sheet. No query."""
    table = crosstable_of(loaded, labels)

    def cut(row: CrossRow, numbers: range) -> CrossRow:
        return replace(row, cells=row.cells[numbers.start - 1 : numbers.stop - 1])

    return [
        Crosstable(numbers, [cut(row, numbers) for row in table.rows]) for numbers in parts(table.after, ROUNDS_TO_READ)
    ]


@dataclass(frozen=True, slots=True)
class ChartCell:
    """A round of a player on the wall chart; empty where it is not paired yet.

    `opponent`: the number of their line. `mark` and `total`, the points so far, are empty until the result is in.
    """

    opponent: int | None = None
    is_white: bool = True
    mark: str = ""
    total: str = ""


@dataclass(frozen=True, slots=True)
class ChartRow:
    number: int
    label: str
    rating: int
    is_withdrawn: bool
    cells: list[ChartCell]


@dataclass(frozen=True, slots=True)
class Chart:
    """Some of the rounds of everybody, in the order of the start."""

    rounds: range
    rows: list[ChartRow]


def wall_charts(loaded: Loaded, labels: Mapping[int, str]) -> list[Chart]:
    """All rounds that are planned, also those to come, as sheets to pin up and to fill in. No query."""
    tournament = loaded.tournament
    rounds = max(loaded.paired, tournament.rounds if tournament.finished_at is None else 0)
    boards = {(entry, board.number): board for board in loaded.boards for entry in (board.white, board.black) if entry}
    lines = {entry.pk: entry.seed_order for entry in loaded.entries}
    cells = {entry.pk: _chart_cells(entry, boards, lines, loaded, rounds) for entry in loaded.entries}
    return [
        Chart(
            numbers,
            [
                ChartRow(
                    entry.seed_order,
                    labels[entry.pk],
                    entry.seed_rating,
                    entry.is_withdrawn,
                    cells[entry.pk][numbers.start - 1 : numbers.stop - 1],
                )
                for entry in loaded.entries
            ],
        )
        for numbers in parts(rounds, ROUNDS_TO_FILL_IN)
    ]


def _chart_cells(
    entry: Entry, boards: Mapping[tuple[int, int], Board], lines: Mapping[int, int], loaded: Loaded, rounds: int
) -> list[ChartCell]:
    cells: list[ChartCell] = []
    halves: int | None = 0  # None from the first open board on
    for number in range(1, rounds + 1):
        board = boards.get((entry.pk, number))
        if board is None and number > loaded.paired:
            cells.append(ChartCell())
            continue
        cell, code = _chart_cell(entry, board, lines, loaded.tournament)
        halves = None if code is None or halves is None else halves + code.halves(loaded.tournament.bye_halves)
        cells.append(replace(cell, total="" if halves is None else points_text(halves)))
    return cells


def _chart_cell(
    entry: Entry, board: Board | None, lines: Mapping[int, int], tournament: Tournament
) -> tuple[ChartCell, Code | None]:
    """The cell without its total, and the code of the result; None while it is open."""
    if board is None or board.black is None or board.result == Pairing.Result.UNPLAYED:
        bye = Code.ZERO_BYE if board is None or board.black is not None else Code(board.result)
        text = bye_cell(bye, bye.halves(tournament.bye_halves), round_robin=tournament.is_round_robin).text
        return ChartCell(mark=text), bye
    is_white = board.white == entry.pk
    code = codes_of(board.result)[0 if is_white else 1]
    opponent = lines[board.black if is_white else board.white]
    return ChartCell(opponent, is_white, MARKS[code] if code else ""), code
