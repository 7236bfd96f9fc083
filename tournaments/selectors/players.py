"""The players of a tournament, one of them, and who is about to leave."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from classes.core.names import full_labels
from classes.models import Membership, Student
from classes.selectors import names_of
from ratings.models import LedgerEntry
from ratings.selectors.ledger import current_states
from tournaments.access import students_to_enter, tournaments_to_run
from tournaments.core.tiebreaks import points_text
from tournaments.core.types import Code, Colour
from tournaments.mapping import codes_of
from tournaments.models import Absence, Entry, Pairing, Tournament
from tournaments.selectors.crosstables import MARKS, bye_cell
from tournaments.selectors.states import Loaded
from tournaments.selectors.tables import Table, TableRow


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A line of the list of players. `absences`: those of rounds to come, in words."""

    entry: Entry
    label: str
    absences: list[str]


def entry_rows(loaded: Loaded, labels: Mapping[int, str]) -> list[EntryRow]:
    """Everybody in the order at the start, withdrawn ones too. One query."""
    told: dict[int, list[str]] = {entry.pk: [] for entry in loaded.entries}
    for absence in absences_to_come(loaded, loaded.entries):
        told[absence.entry_id].append(
            _("round %(number)d: %(bye)s") % {"number": absence.number, "bye": absence.get_kind_display()}
        )
    return [EntryRow(entry, labels[entry.pk], told[entry.pk]) for entry in loaded.entries]


def absences_to_come(loaded: Loaded, entries: Iterable[Entry]) -> list[Absence]:
    """What was told of rounds that are not paired yet."""
    return list(
        Absence.objects.filter(entry__in=[entry.pk for entry in entries], number__gt=loaded.paired).order_by("number")
    )


@dataclass(frozen=True, slots=True)
class PlayerRound:
    """One round of one player.

    `colour`: w, b, or nothing for a bye. `mark`: 1, ½, 0, +, –, nothing while the board is open. `points`: made in this
    round, nothing while it is open. `note`: what it was where there was no opponent. `change`: of the rating.
    """

    number: int
    colour: str
    opponent: int | None
    opponent_label: str
    opponent_rating: int
    mark: str
    points: str
    note: str
    game: int | None
    change: int | None


@dataclass(frozen=True, slots=True)
class Player:
    """A player's page. `line`: the own one of the standings. `change`: what the games did to the rating so far."""

    entry: Entry
    label: str
    line: TableRow
    after: int
    rounds: list[PlayerRound]
    change: int | None
    absences: list[Absence]
    to_come: list[int]
    can_join: bool


def player_of(loaded: Loaded, entry: Entry, labels: Mapping[int, str], table: Table) -> Player:
    """Opponents, colours and results of one player, and what can be done. Three queries."""
    tournament = loaded.tournament
    pairings = list(Pairing.objects.filter(seats__entry=entry).select_related("round").order_by("round__number", "pk"))
    changes = _changes(entry, [pairing.game_id for pairing in pairings if pairing.game_id])
    ratings = {one.pk: one.seed_rating for one in loaded.entries}
    rounds = [_round_of(tournament, pairing, entry.pk, labels, ratings, changes) for pairing in pairings]
    return Player(
        entry=entry,
        label=labels[entry.pk],
        line=next(row for row in table.rows if row.entry == entry.pk),
        after=table.after,
        rounds=rounds,
        change=sum(changes.values()) if tournament.rated else None,
        absences=absences_to_come(loaded, [entry]),
        to_come=list(range(loaded.paired + 1, tournament.rounds + 1)),
        can_join=not tournament.is_round_robin and not entry.is_withdrawn and _without_a_game(loaded, entry.pk),
    )


def _changes(entry: Entry, games: Collection[int]) -> dict[int, int]:
    """What each of these games did to the player's rating; a voided one did nothing."""
    entries = LedgerEntry.objects.filter(student=entry.student_id, game__in=games)
    return {game: change + top_up for game, change, top_up in entries.values_list("game", "change", "top_up") if game}


def _round_of(
    tournament: Tournament,
    pairing: Pairing,
    own: int,
    labels: Mapping[int, str],
    ratings: Mapping[int, int],
    changes: Mapping[int, int],
) -> PlayerRound:
    is_white = pairing.white_id == own
    code = codes_of(pairing.result)[0 if is_white else 1]
    opponent = pairing.black_id if is_white else pairing.white_id
    halves = None if code is None else code.halves(tournament.bye_halves)
    mark, note = "", ""
    if opponent is None and code is not None and halves is not None:
        cell = bye_cell(code, halves, round_robin=tournament.is_round_robin)
        mark, note = "–" if code is Code.ZERO_BYE else points_text(halves), cell.said
    elif pairing.result == Pairing.Result.UNPLAYED:
        mark, note = "–", _("not played")
    elif code is not None:
        mark = MARKS[code]
        note = _("by forfeit") if code.is_forfeit else ""
    return PlayerRound(
        number=pairing.round.number,
        colour="" if opponent is None else (Colour.WHITE if is_white else Colour.BLACK).value,
        opponent=opponent,
        opponent_label="" if opponent is None else labels[opponent],
        opponent_rating=0 if opponent is None else ratings[opponent],
        mark=mark,
        points="" if halves is None else points_text(halves),
        note=note,
        game=pairing.game_id if pairing.is_played else None,
        change=changes.get(pairing.game_id) if pairing.game_id else None,
    )


def _without_a_game(loaded: Loaded, own: int) -> bool:
    """Does somebody wait with the bye in the last round, in which this player is left out?"""
    last = [board for board in loaded.boards if board.number == loaded.paired and board.black is None]
    left_out = any(board.white == own and board.result != Pairing.Result.PAIRING_BYE for board in last)
    return left_out and any(board.result == Pairing.Result.PAIRING_BYE for board in last)


@dataclass(frozen=True, slots=True)
class StudentChoice:
    """Somebody who can be entered, with the rating of today."""

    id: int
    label: str
    rating: int


def students_left(membership: Membership, tournament: Tournament, entries: Sequence[Entry]) -> list[StudentChoice]:
    """Who could take part and is not entered yet, by name."""
    there = {entry.student_id for entry in entries}
    students: list[Student] = [one for one in students_to_enter(membership, tournament) if one.pk not in there]
    labels = full_labels(names_of(students))
    states = current_states(tournament.rating_list, [student.pk for student in students])
    found = [StudentChoice(one.pk, labels[one.pk], states[one.pk].rating) for one in students]
    return sorted(found, key=lambda choice: choice.label.casefold())


def who_waits(loaded: Loaded) -> int | None:
    """The entry that has the pairing-allocated bye of the last round."""
    waiting = [board.white for board in loaded.boards if board.number == loaded.paired and board.result == "U"]
    return waiting[0] if waiting else None


def open_boards_of(entries: Collection[Entry]) -> dict[int, Pairing]:
    """Entry id -> the board without a result at which they sit; whoever sits at none is not in it. One query."""
    ids = {entry.pk for entry in entries}
    boards = Pairing.objects.filter(seats__entry__in=ids, result=Pairing.Result.OPEN).distinct()
    found: dict[int, Pairing] = {}
    for board in boards.select_related("round", "white__student", "black__student"):
        found |= {one: board for one in (board.white_id, board.black_id) if one in ids}
    return found


def entries_to_leave(membership: Membership, student: Student) -> list[Entry]:
    """The running tournaments that a student is in and this teacher runs."""
    running = tournaments_to_run(membership).filter(finished_at=None, cancelled_at=None)
    return list(
        Entry.objects.filter(student=student, withdrawn_at=None, tournament__in=running)
        .select_related("student", "tournament__rating_list__school", "tournament__school", "tournament__classroom")
        .order_by("-tournament__day", "-tournament__pk")
    )
