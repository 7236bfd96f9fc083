"""A tournament as a report for the Tournament Report File, and who of a class stands in one that was read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from classes.core.names import match_key
from classes.models import Classroom, Student
from classes.selectors import labels_in, students_in
from tournaments.core.trf import Acceleration, Bye, Cell, Forbidden, Player, Problem, Report
from tournaments.core.types import Code, Colour
from tournaments.mapping import Board, codes_of
from tournaments.models import Absence, Entry, Pairing, Round, Tournament
from tournaments.selectors.states import kept_apart, load
from tournaments.selectors.tables import standings_of, state_for_standings

PROGRAM = "ChessLocker"
CODED_SYSTEMS = {
    Tournament.System.SWISS: "FIDE_DUTCH",
    Tournament.System.ROUND_ROBIN: "FIDE_ROUNDROBIN",
    Tournament.System.DOUBLE_ROUND_ROBIN: "FIDE_DOUBLEROUNDROBIN",
}
WORDS = {  # English, as the format has it
    Tournament.System.SWISS: "Individual: Swiss-System",
    Tournament.System.ROUND_ROBIN: "Individual: Round-Robin",
    Tournament.System.DOUBLE_ROUND_ROBIN: "Individual: Double-Round-Robin",
}


def report_of(tournament: Tournament, short: Mapping[int, str] = MappingProxyType({})) -> Report:
    """The whole tournament. Starting numbers are the order at the start; names are written `Last, First`.

    `short`: entries whose name the reader may only know as it stands on boards. Pairs who should be kept apart only if
    possible are not in the report: the format knows forbidden pairs alone.
    """
    loaded = load(tournament)
    numbers = {entry.pk: entry.seed_order for entry in loaded.entries}
    places = {row.id: row.place for row in standings_of(tournament, state_for_standings(loaded)).rows}
    cells = _cells(loaded.boards, numbers)
    hard, _soft = kept_apart(tournament, loaded.entries)
    rounds = Round.objects.filter(tournament=tournament).order_by("number").values_list("day", flat=True)
    state = loaded.state_after(loaded.paired)
    scores = state.scores()
    small = tournament.is_small_group
    return Report(
        players=tuple(
            Player(
                number=entry.seed_order,
                name=short.get(entry.pk) or name_in_file(entry.student),
                rating=entry.seed_rating,
                cells=tuple(cells[entry.seed_order].get(number, Cell()) for number in range(1, loaded.paired + 1)),
                points_halves=scores[entry.pk],
                rank=places.get(entry.pk),
            )
            for entry in loaded.entries
        ),
        name=tournament.name,
        start=tournament.day,
        end=max(rounds, default=tournament.day),
        system=WORDS[Tournament.System(tournament.system)],
        round_dates=tuple(rounds),
        rounds=tournament.rounds,
        first_colour=Colour(tournament.first_colour),
        bye_halves=tournament.bye_halves,
        byes=tuple(sorted(_byes_to_come(tournament, loaded.entries, loaded.paired))),
        forbidden=tuple(Forbidden((numbers[one], numbers[other])) for one, other in hard),
        acceleration=tuple(
            Acceleration(entry.seed_order, tuple(entry.acceleration)) for entry in loaded.entries if entry.acceleration
        ),
        program=PROGRAM,
        coded_system="CUSTOM_SWISS" if small else CODED_SYSTEMS[Tournament.System(tournament.system)],
        tie_breaks=",".join(tournament.tie_breaks),
    )


def name_in_file(student: Student) -> str:
    return f"{student.last_name}, {student.first_name}" if student.last_name else student.first_name


def _cells(boards: Iterable[Board], numbers: Mapping[int, int]) -> dict[int, dict[int, Cell]]:
    """Starting number -> round -> cell."""
    cells: dict[int, dict[int, Cell]] = {number: {} for number in numbers.values()}
    for board in boards:
        white, black = codes_of(board.result)
        if board.black is None:
            cells[numbers[board.white]][board.number] = Cell(code=white)
        elif board.result == Pairing.Result.UNPLAYED:
            cells[numbers[board.white]][board.number] = cells[numbers[board.black]][board.number] = Cell()
        else:
            cells[numbers[board.white]][board.number] = Cell(numbers[board.black], Colour.WHITE, white)
            cells[numbers[board.black]][board.number] = Cell(numbers[board.white], Colour.BLACK, black)
    return cells


def _byes_to_come(tournament: Tournament, entries: Iterable[Entry], paired: int) -> Iterable[Bye]:
    """Absences that are known, and for who has withdrawn every round that is left."""
    absences = Absence.objects.filter(entry__tournament=tournament, number__gt=paired, number__lte=tournament.rounds)
    known = {(absence.entry_id, absence.number): Code(absence.kind) for absence in absences}
    for entry in entries:
        for number in range(paired + 1, tournament.rounds + 1):
            code = Code.ZERO_BYE if entry.is_withdrawn else known.get((entry.pk, number))
            if code is not None:
                yield Bye(number, entry.seed_order, code)


# --- reading ---

PROBLEMS: dict[Problem, Promise] = {
    Problem.INVALID_CODE: _("There is no such record in a report file."),
    Problem.UNREADABLE: _("This cannot be read."),
    Problem.UNSUPPORTED: _("This is not supported."),
    Problem.MISSING_NUMBER: _("A player has no starting number."),
    Problem.REPEATED_NUMBER: _("Two players have one starting number."),
    Problem.UNKNOWN_NUMBER: _("A starting number belongs to nobody."),
    Problem.MISSING_RESULT: _("A result is missing."),
    Problem.INCOMPATIBLE_RESULT: _("The results of two opponents do not fit."),
    Problem.INCOMPATIBLE_COLOUR: _("The colours of two opponents do not fit."),
    Problem.WRONG_POINTS: _("The points are not those of the rounds."),
    Problem.TOO_MANY_RESULTS: _("There are more results than rounds."),
    Problem.NO_PLAYERS: _("There is no player in this file. Is it a report of a tournament?"),
    Problem.NO_RANKS: _("The ranks are missing."),
    Problem.NO_ROUNDS: _("The number of rounds is missing."),
}
"""What is wrong with a file, in the reader's language; the core adds the detail in the format's own English."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A player of a file. `student`: of the class, by the same name; None where there is none or more than one."""

    player: Player
    first: str
    last: str
    student: Student | None
    label: str


def split_file_name(name: str, number: int) -> tuple[str, str]:
    """First and last name of a player in a file: `Last, First` or `First Last`; `Player 7` where there is none."""
    last, comma, first = (part.strip() for part in name.partition(","))
    if comma and first:
        return first, last
    first, _space, last = last.partition(" ")
    return (first, last.strip()) if first else (f"Player {number}", "")


def matches(report: Report, classroom: Classroom) -> list[MatchRow]:
    """The players of a report with the students of a class that have their names. Two queries."""
    by_name: dict[str, list[Student]] = {}
    for known in students_in(classroom):
        by_name.setdefault(match_key(known.full_name), []).append(known)
    labels = labels_in(classroom)
    rows = []
    for player in report.players:
        first, last = split_file_name(player.name, player.number)
        same = by_name.get(match_key(f"{first} {last}".strip()), [])
        student = same[0] if len(same) == 1 else None
        rows.append(MatchRow(player, first, last, student, labels[student.pk] if student else ""))
    taken = sorted(row.student.pk for row in rows if row.student)
    twice = {one for one, other in pairwise(taken) if one == other}  # two players of one name: asked
    return [
        MatchRow(row.player, row.first, row.last, None, "") if row.student and row.student.pk in twice else row
        for row in rows
    ]
