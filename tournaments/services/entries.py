"""Who takes part: entering, absence, withdrawal and return."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classes.models import Student, User
from classes.services import OneTimeKey, one_transaction
from ratings.selectors.ledger import current_states
from tournaments.core import berger
from tournaments.core.types import Code
from tournaments.models import MOST_ROUNDS, Absence, Entry, Pairing, Round, Tournament
from tournaments.services.locking import last_round, lock_open
from tournaments.services.results import enter_result
from tournaments.services.rounds import leave_board, seat, take_the_place_of_the_bye

LONGEST_TABLE = 2 * MOST_ROUNDS
ASIDE = 10_000  # added to pairing orders while they are dealt anew: an order is taken once, at every moment


@one_transaction
def enter_students(
    tournament: Tournament,
    students: Sequence[Student],
    *,
    missed: Code = Code.ZERO_BYE,
    takes_bye: bool = False,
    once: OneTimeKey | None = None,
) -> list[Entry]:
    """Enter students, before the first round or late. Who is entered already stays as they are.

    `missed`: what each round they were not there for counts, ZERO_BYE or HALF_BYE. `takes_bye`: in a round that is up
    already, the first of them plays whoever has the pairing-allocated bye. ValidationError for a late entry in a round
    robin, and for students of another school.
    """
    _list, tournament = lock_open(tournament)
    if once:
        once.refuse_second_use()
    rounds = list(Round.objects.filter(tournament=tournament).order_by("number"))
    if rounds and tournament.is_round_robin:
        raise ValidationError(_("In a round robin everybody takes part from the first round on."))
    there = set(Entry.objects.filter(tournament=tournament).values_list("student_id", flat=True))
    new = [student for student in students if student.pk not in there]
    if any(student.school_id != tournament.school_id for student in new):
        raise ValidationError(_("A student of another school cannot take part."))
    entries = add_entries(tournament, new)
    for entry in entries:
        for made in rounds:
            seat(made, [Pairing(round=made, white=entry, result=missed)])
    if entries and rounds and takes_bye:
        take_the_place_of_the_bye(rounds[-1], entries[0])
    keep_table_length(tournament)
    if once:
        once.keep(tournament.pk)
    return entries


def add_entries(
    tournament: Tournament, students: Sequence[Student], *, chance: random.Random | None = None
) -> list[Entry]:
    """Entries for students, each at the place of their rating or as drawn by lot; for services that have the lock.

    `chance`: what a random order is drawn by; by default the system's.
    """
    states = current_states(tournament.rating_list, [student.pk for student in students])
    known = list(Entry.objects.filter(tournament=tournament).order_by("seed_order"))
    new = [Entry(tournament=tournament, student=student, seed_rating=states[student.pk].rating) for student in students]
    if tournament.seeding == Tournament.Seeding.RANDOM:
        (chance or secrets.SystemRandom()).shuffle(new)
        order = [*known, *new]
    else:
        order = sorted([*known, *new], key=lambda entry: -entry.seed_rating)  # equal ones: who was there first
    deal_order(tournament, order)
    return new


def deal_order(tournament: Tournament, order: Sequence[Entry]) -> None:
    """Give entries their pairing order from 1; those that are not saved yet are saved."""
    Entry.objects.filter(tournament=tournament).update(seed_order=F("seed_order") + ASIDE)
    for number, entry in enumerate(order, start=1):
        entry.seed_order = number
    Entry.objects.bulk_update([entry for entry in order if entry.pk], ["seed_order"])
    Entry.objects.bulk_create([entry for entry in order if not entry.pk])


def keep_table_length(tournament: Tournament) -> None:
    """A round robin that has not begun has as many rounds as its table. ValidationError where those are too many."""
    if not tournament.is_round_robin or last_round(tournament) is not None:
        return
    double = tournament.system == Tournament.System.DOUBLE_ROUND_ROBIN
    players = Entry.objects.filter(tournament=tournament).count()
    tournament.rounds = max(len(berger.table(players, double=double)), 1)
    if tournament.rounds > LONGEST_TABLE:
        raise ValidationError(_("That is too many players for a round robin. Choose Swiss."))
    tournament.save(update_fields=["rounds"])


@one_transaction
def remove_entry(entry: Entry) -> None:
    """Take out who was entered by mistake. ValidationError once a round has been paired: then they withdraw."""
    _list, tournament = lock_open(entry.tournament)
    if last_round(tournament) is not None:
        raise ValidationError(_("The tournament has begun. Whoever leaves now withdraws and stays in the table."))
    entry.delete()
    deal_order(tournament, list(Entry.objects.filter(tournament=tournament).order_by("seed_order")))
    keep_table_length(tournament)


@one_transaction
def withdraw(entry: Entry, *, by: User, forfeits: bool | None = None) -> Entry:
    """Not paired any more; results so far stay. Withdrawing twice changes nothing.

    Where they sit at a board without a result: `forfeits` True scores it for the opponent, False makes it no game: the
    opponent plays whoever has the bye, or gets it. None raises ValidationError there.
    """
    _list, tournament = lock_open(entry.tournament)
    entry = Entry.objects.select_related("student", "tournament").get(pk=entry.pk)
    if entry.is_withdrawn:
        return entry
    board = open_board_of(entry)
    if board is not None:
        if forfeits is None:
            raise ValidationError(_("Say what becomes of the game that is not played yet."))
        if forfeits or tournament.is_round_robin:
            lost_by_white = board.white_id == entry.pk
            result = Pairing.Result.BLACK_FORFEIT if lost_by_white else Pairing.Result.WHITE_FORFEIT
            enter_result(board, result=result, was=Pairing.Result.OPEN, by=by)
        else:
            leave_board(board.round, entry, Code.ZERO_BYE)
    entry.withdrawn_at = timezone.now()
    entry.save(update_fields=["withdrawn_at"])
    return entry


def open_board_of(entry: Entry) -> Pairing | None:
    """The board without a result at which somebody sits."""
    boards = Pairing.objects.filter(seats__entry=entry, result=Pairing.Result.OPEN)
    return boards.select_related("round__tournament__rating_list").order_by("round__number").last()


@one_transaction
def come_back(entry: Entry) -> Entry:
    """Paired again from the next round on."""
    lock_open(entry.tournament)
    entry.withdrawn_at = None
    entry.save(update_fields=["withdrawn_at"])
    return entry


@one_transaction
def set_absence(entry: Entry, *, number: int, kind: str | None) -> None:
    """Note that somebody misses a round to come, and the bye for it (an Absence.Kind); None: they are there after all.

    ValidationError for a round that is paired already, and for one beyond the last.
    """
    _list, tournament = lock_open(entry.tournament)
    made = last_round(tournament)
    if made is not None and number <= made.number:
        raise ValidationError(_("Round %(number)d is paired already.") % {"number": number})
    if number > tournament.rounds:
        raise ValidationError(
            ngettext("This tournament has %(count)d round.", "This tournament has %(count)d rounds.", tournament.rounds)
            % {"count": tournament.rounds}
        )
    if kind is None:
        Absence.objects.filter(entry=entry, number=number).delete()
    else:
        Absence.objects.update_or_create(entry=entry, number=number, defaults={"kind": Absence.Kind(kind)})
