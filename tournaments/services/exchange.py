"""A tournament from a report file: entries, rounds and results at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from classes.models import Classroom, Student, User
from classes.services import OneTimeKey, add_student, one_transaction
from ratings import services as ratings_services
from ratings.models import RatingList
from tournaments.core import tiebreaks, trf
from tournaments.core.pairing import in_board_order
from tournaments.core.trf import Cell, Report
from tournaments.core.types import Code, Colour, Pair, State
from tournaments.models import Absence, Entry, KeepApart, Pairing, Round, Tournament
from tournaments.services.rounds import seat

Result = Pairing.Result


@dataclass(frozen=True, slots=True)
class NewStudent:
    """A player of a file who is to become a student."""

    first_name: str
    last_name: str


@one_transaction
def import_tournament(
    report: Report,
    *,
    classroom: Classroom,
    rating_list: RatingList,
    name: str,
    students: Mapping[int, Student | NewStudent],
    by: User | None,
    pairing_rule: str = Tournament.PairingRule.FIDE,
    once: OneTimeKey | None = None,
) -> Tournament:
    """A finished or running tournament as a report file tells it. It is not rated: no game goes to the ledger.

    `students`: by starting number, everybody of the report. New ones are added to the class. Pairs that the file always
    forbids are kept apart in the school from then on. ValidationError where two players are one student.
    """
    rating_list = ratings_services.lock(rating_list)
    if once:
        once.refuse_second_use()
    made = {
        number: student
        if isinstance(student, Student)
        else add_student(classroom=classroom, first_name=student.first_name, last_name=student.last_name)
        for number, student in students.items()
    }
    if len({student.pk for student in made.values()}) != len(report.players):
        raise ValidationError(_("Two players of the file are the same student."))
    tournament = _tournament(report, classroom, rating_list, name, pairing_rule, by)
    tournament.full_clean()
    tournament.save()
    entries = _entries(report, tournament, made)
    _rounds(report, tournament, entries, by)
    Absence.objects.bulk_create(
        Absence(
            entry=entries[bye.player],
            number=bye.round,
            kind=Absence.Kind.FULL if bye.code is Code.PAIRING_BYE else Absence.Kind(bye.code.value),
        )
        for bye in report.byes
    )
    _keep_apart(report, made)
    if once:
        once.keep(tournament.pk)
    return tournament


def _tournament(
    report: Report, classroom: Classroom, rating_list: RatingList, name: str, pairing_rule: str, by: User | None
) -> Tournament:
    system = Tournament.System.SWISS
    if report.is_round_robin:
        system = Tournament.System.DOUBLE_ROUND_ROBIN if report.is_double else Tournament.System.ROUND_ROBIN
    rounds = max(report.rounds or 0, report.past, 1)
    over = report.past >= rounds and not report.open_games
    return Tournament(
        school=classroom.school,
        classroom=classroom,
        name=name,
        day=report.start or classroom.school.today(),
        system=system,
        pairing_rule=pairing_rule,
        rounds=rounds,
        first_colour=report.first_colour or trf.first_colour_drawn(report) or Colour.WHITE,
        rated=False,
        rating_list=rating_list,
        tie_breaks=_tie_breaks(report),
        bye_halves=report.bye_halves,
        created_by=by,
        finished_at=timezone.now() if over else None,
    )


def _tie_breaks(report: Report) -> list[str]:
    """Those of the file that we know, or else the usual ones."""
    named = [code.strip().upper() for code in report.tie_breaks.split(",")]
    known = [
        code
        for code in dict.fromkeys(named)
        if code in tiebreaks.TIE_BREAKS and tiebreaks.TIE_BREAKS[code].suits(round_robin=report.is_round_robin)
    ]
    return known or list(tiebreaks.ROUND_ROBIN if report.is_round_robin else tiebreaks.SWISS)


def _entries(report: Report, tournament: Tournament, students: Mapping[int, Student]) -> dict[int, Entry]:
    """By starting number, in the pairing order of the file."""
    virtual = {each.player: list(each.halves) for each in report.acceleration}
    entries = {
        player.number: Entry(
            tournament=tournament,
            student=students[player.number],
            seed_rating=player.rating,
            seed_order=order,
            acceleration=virtual.get(player.number, []),
        )
        for order, player in enumerate(report.in_order, start=1)
    }
    Entry.objects.bulk_create(entries.values())
    return entries


def _rounds(report: Report, tournament: Tournament, entries: Mapping[int, Entry], by: User | None) -> None:
    whole = trf.state(report)
    for number in range(1, report.past + 1):
        day = report.round_dates[number - 1] if number <= len(report.round_dates) else None
        made = Round.objects.create(
            tournament=tournament,
            number=number,
            day=day or tournament.day,
            paired_by=Round.PairedBy.FILE,
            created_by=by,
        )
        before = replace(
            whole, entrants=tuple(replace(each, history=each.history[: number - 1]) for each in whole.entrants)
        )
        seat(made, _pairings(report, made, entries, before))


def _pairings(report: Report, made: Round, entries: Mapping[int, Entry], before: State) -> list[Pairing]:
    """The boards of a round in the usual order, and its byes."""
    cells = {player.number: player.cells[made.number - 1] for player in report.players}
    games = [
        Pair(number, cell.opponent) for number, cell in cells.items() if cell.opponent and _has_white(number, cell)
    ]
    boards = [
        Pairing(
            round=made,
            board=board,
            white=entries[pair.white],
            black=entries[pair.black],
            result=result_of(cells[pair.white], cells[pair.black]),
        )
        for board, pair in enumerate(in_board_order(before, games), start=1)
        if pair.black is not None
    ]
    byes = [
        Pairing(round=made, white=entries[number], result=(cell.code or Code.ZERO_BYE).value)
        for number, cell in cells.items()
        if cell.opponent is None
    ]
    return boards + sorted(byes, key=lambda bye: bye.result != Result.PAIRING_BYE)


def _has_white(number: int, cell: Cell) -> bool:
    """Of a forfeit without colours the smaller number is written as White."""
    if cell.colour is None:
        return number < (cell.opponent or 0)
    return cell.colour is Colour.WHITE


UNDER_ONE_MOVE = {Code.UNRATED_WIN, Code.UNRATED_DRAW, Code.UNRATED_LOSS}


def result_of(white: Cell, black: Cell) -> str:
    """A board's result from both sides of it. Where one side says that it was not rated, neither was."""
    if white.code is None or black.code is None:
        return Result.OPEN
    if {white.code, black.code} & UNDER_ONE_MOVE:
        halves = white.code.halves(), black.code.halves()
        return {(2, 0): Result.UNRATED_WHITE, (1, 1): Result.UNRATED_DRAW, (0, 2): Result.UNRATED_BLACK}.get(
            halves, Result.BOTH_LOSE
        )
    return Result(white.code + black.code)


def _keep_apart(report: Report, students: Mapping[int, Student]) -> None:
    for group in report.forbidden:
        if group.first > 1 or (group.last is not None and group.last < (report.rounds or 0)):
            continue  # for some rounds only: there is no lasting pair in that
        for one, other in combinations(sorted(students[number].pk for number in group.players), 2):
            KeepApart.objects.update_or_create(
                one_id=one,
                other_id=other,
                defaults={"school_id": students[group.players[0]].school_id, "is_hard": True},
            )
