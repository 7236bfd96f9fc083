"""Pairing a round, taking it back, and changing it by hand."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classes.models import User
from classes.services import one_transaction
from ratings import services as ratings_services
from ratings.models import Game
from tournaments.core import berger, fewest_repeats, fide
from tournaments.core.pairing import pair_softly
from tournaments.core.types import Code, NoPairing, Paired, Reason, State
from tournaments.models import Entry, Pairing, Round, Seat, Tournament
from tournaments.selectors.states import Loaded, load, state_to_pair
from tournaments.services.locking import last_round, lock_open, open_boards

Result = Pairing.Result


class AlreadyPaired(Exception):
    """Somebody paired this round a moment ago."""


@one_transaction
def pair_next_round(
    tournament: Tournament,
    *,
    number: int,
    day: datetime.date,
    by: User | None,
    fewest_repeats_instead: bool = False,
) -> Round | NoPairing:
    """Pair a round, from all the rounds before it; or say why it cannot be paired, with nothing saved.

    `number`: the round that was asked for; AlreadyPaired where it is there already. `fewest_repeats_instead`: where the
    FIDE rules allow no pairing. ValidationError while results are missing, and for a day in the future.
    """
    _list, tournament = lock_open(tournament)
    loaded = load(tournament)
    if number <= loaded.paired:
        raise AlreadyPaired
    if number != loaded.paired + 1:
        raise ValidationError(_("Round %(number)d cannot be paired yet.") % {"number": number})
    _refuse_open_boards(tournament)
    _refuse_future(tournament, day)
    if tournament.is_round_robin:
        return _pair_by_table(loaded, number, day, by)
    by_rule, engine = _engine(tournament, fewest_repeats_instead)
    state = state_to_pair(loaded)
    answer = engine(state)
    if isinstance(answer, NoPairing):
        return answer
    made = Round.objects.create(tournament=tournament, number=number, day=day, paired_by=by_rule, created_by=by)
    pairings = [
        Pairing(round=made, board=None if pair.is_bye else board, white_id=pair.white, black_id=pair.black)
        for board, pair in enumerate(answer.pairs, start=1)
    ]
    for pairing in pairings:
        if pairing.black_id is None:
            pairing.result = Result.PAIRING_BYE
    pairings += [
        Pairing(round=made, white_id=entrant.id, result=entrant.absent)
        for entrant in state.entrants
        if entrant.absent is not None
    ]
    seat(made, pairings)
    return made


def _engine(tournament: Tournament, fewest_repeats_instead: bool) -> tuple[str, Callable[[State], Paired | NoPairing]]:
    if tournament.is_small_group or fewest_repeats_instead:
        return Round.PairedBy.FEWEST_REPEATS, fewest_repeats.pair
    return Round.PairedBy.FIDE, lambda state: pair_softly(state, fide.pair)


def _pair_by_table(loaded: Loaded, number: int, day: datetime.date, by: User | None) -> Round | NoPairing:
    """A round of the Berger table. Whoever is left over has a free round, which brings no points.

    A game of somebody who has withdrawn is lost by forfeit; one of somebody absent is not played, and can be later.
    """
    tournament, entries = loaded.tournament, loaded.entries
    if sum(not entry.is_withdrawn for entry in entries) < 2:
        return NoPairing(Reason.NOT_ENOUGH_PLAYERS)
    table = berger.table(len(entries), double=tournament.system == Tournament.System.DOUBLE_ROUND_ROBIN)
    if number > min(len(table), tournament.rounds):
        return NoPairing(Reason.ALL_ROUNDS_PAIRED)
    absent = {entrant.id for entrant in state_to_pair(loaded).entrants if entrant.absent is not None}
    made = Round.objects.create(
        tournament=tournament, number=number, day=day, paired_by=Round.PairedBy.TABLE, created_by=by
    )
    pairings = []
    for board, pair in enumerate(table[number - 1], start=1):
        white = entries[pair.white - 1]
        if pair.black is None:
            pairings.append(Pairing(round=made, white=white, result=Result.ZERO_BYE))
            continue
        black = entries[pair.black - 1]
        result = _result_without_a_game(white, black, absent)
        pairings.append(Pairing(round=made, board=board, white=white, black=black, result=result))
    seat(made, pairings)
    return made


def _result_without_a_game(white: Entry, black: Entry, absent: set[int]) -> str:
    if white.is_withdrawn and black.is_withdrawn:
        return Result.DOUBLE_FORFEIT
    if white.is_withdrawn:
        return Result.BLACK_FORFEIT
    if black.is_withdrawn:
        return Result.WHITE_FORFEIT
    return Result.UNPLAYED if {white.pk, black.pk} & absent else Result.OPEN


def seat(made: Round, pairings: Sequence[Pairing]) -> None:
    """Save pairings, and the seats of everybody in them."""
    Pairing.objects.bulk_create(pairings)
    Seat.objects.bulk_create(
        Seat(round=made, entry_id=entry, pairing=pairing) for pairing in pairings for entry in players_of(pairing)
    )


@one_transaction
def unpair_round(tournament: Tournament, *, number: int) -> None:
    """Take back a round. ValidationError unless it is the last one and no result has been entered."""
    _list, tournament = lock_open(tournament)
    made = last_round(tournament)
    if made is None or made.number != number:
        raise ValidationError(_("Only the last round can be taken back."))
    entered = Pairing.objects.filter(round=made, entered_at__isnull=False).exclude(result=Result.OPEN).count()
    if entered:
        raise ValidationError(
            ngettext(
                "%(count)d result of this round is in. Take it out first.",
                "%(count)d results of this round are in. Take them out first.",
                entered,
            )
            % {"count": entered}
        )
    Pairing.objects.filter(round=made).delete()
    made.delete()


@one_transaction
def set_round_day(tournament: Tournament, *, number: int, day: datetime.date, by: User) -> Round:
    """Give a round another day; the games that it recorded move with it, and every later rating follows."""
    _list, tournament = lock_open(tournament)
    _refuse_future(tournament, day)
    made = Round.objects.get(tournament=tournament, number=number)
    games = [pairing.game for pairing in Pairing.objects.filter(round=made, game__isnull=False).select_related("game")]
    ratings_services.move_games([game for game in games if isinstance(game, Game)], day=day, by=by)
    made.day = day
    made.save(update_fields=["day"])
    return made


# --- by hand ---


@one_transaction
def swap_players(tournament: Tournament, *, one: Entry, other: Entry, number: int) -> None:
    """Exchange two players of the last round; who sit at one board change colours. A player with a bye may be one.

    ValidationError where one of their boards has a result.
    """
    made = _round_to_change(tournament, number)
    first, second = _place_of(made, one), _place_of(made, other)
    for pairing in {first.pk: first, second.pk: second}.values():
        _put(pairing, {one.pk: other.pk, other.pk: one.pk})
    _seat_again(made, [first, second])
    _mark(made)


@one_transaction
def take_off_board(tournament: Tournament, *, entry: Entry, number: int, bye: Code) -> None:
    """Take a player off an open board of the last round and give a bye instead.

    The opponent plays whoever has the pairing-allocated bye, or else gets it. ValidationError where the board has a
    result.
    """
    made = _round_to_change(tournament, number)
    leave_board(made, entry, bye)
    _mark(made)


def leave_board(made: Round, entry: Entry, bye: Code) -> None:
    """As `take_off_board`, for services that have locked the tournament."""
    pairing = _place_of(made, entry)
    if pairing.is_bye:
        pairing.result = bye
        pairing.save(update_fields=["result"])
        return
    left = next(player for player in players_of(pairing) if player != entry.pk)
    waiting = bye_holder(made)
    if waiting is None:
        board_of_the_left = Pairing.objects.create(round=made, white_id=left, result=Result.PAIRING_BYE)
        pairing.seats.filter(entry=left).update(pairing=board_of_the_left)
        pairing.seats.filter(entry=entry).delete()
        _discard(pairing)
    else:
        entry_waiting = waiting.white_id
        waiting.seats.all().delete()
        waiting.delete()
        pairing.seats.filter(entry=entry).delete()
        _put(pairing, {entry.pk: entry_waiting})
        Seat.objects.create(round=made, entry_id=entry_waiting, pairing=pairing)
    gone = Pairing.objects.create(round=made, white=entry, result=bye)
    Seat.objects.create(round=made, entry=entry, pairing=gone)


@one_transaction
def join_round(tournament: Tournament, *, entry: Entry, number: int) -> None:
    """Let somebody without a game in the last round play whoever has the pairing-allocated bye."""
    made = _round_to_change(tournament, number)
    take_the_place_of_the_bye(made, entry)
    _mark(made)


def take_the_place_of_the_bye(made: Round, entry: Entry) -> None:
    """As `join_round`, for services that have locked the tournament. The newcomer has Black."""
    waiting = bye_holder(made)
    if waiting is None or waiting.white_id == entry.pk:
        raise ValidationError(_("Nobody has a bye in this round, so there is no opponent."))
    Pairing.objects.filter(round=made, white=entry, black=None).delete()
    boards = Pairing.objects.filter(round=made, board__isnull=False).count()
    waiting.black, waiting.board, waiting.result = entry, boards + 1, Result.OPEN
    waiting.save(update_fields=["black", "board", "result"])
    Seat.objects.create(round=made, entry=entry, pairing=waiting)


def bye_holder(made: Round) -> Pairing | None:
    """The pairing-allocated bye of a round."""
    return Pairing.objects.filter(round=made, result=Result.PAIRING_BYE).first()


def players_of(pairing: Pairing) -> list[int]:
    """The ids of White's and Black's entries, or of the one with a bye."""
    return [pairing.white_id] if pairing.black_id is None else [pairing.white_id, pairing.black_id]


def _put(pairing: Pairing, instead: Mapping[int, int]) -> None:
    """Change the players of a pairing, each for another one."""
    pairing.white_id = instead.get(pairing.white_id, pairing.white_id)
    if pairing.black_id is not None:
        pairing.black_id = instead.get(pairing.black_id, pairing.black_id)
    pairing.game = None  # one that was taken out again: it stays on record, void, with the players it had
    pairing.save(update_fields=["white", "black", "game"])


def _seat_again(made: Round, pairings: Sequence[Pairing]) -> None:
    Seat.objects.filter(pairing__in=pairings).delete()
    Seat.objects.bulk_create(
        Seat(round=made, entry_id=entry, pairing=pairing)
        for pairing in {pairing.pk: pairing for pairing in pairings}.values()
        for entry in players_of(pairing)
    )


def _discard(pairing: Pairing) -> None:
    """Delete an open board; the boards below it move up."""
    made, board = pairing.round, pairing.board
    pairing.delete()
    for number, below in enumerate(
        Pairing.objects.filter(round=made, board__gt=board).order_by("board"), start=board or 1
    ):
        below.board = number
        below.save(update_fields=["board"])


def _place_of(made: Round, entry: Entry) -> Pairing:
    """Where somebody is in a round. ValidationError where that board has a result."""
    pairing = Pairing.objects.filter(seats__round=made, seats__entry=entry).select_related("round").first()
    if pairing is None:
        raise ValidationError(_("%(name)s is not in this round.") % {"name": entry.student})
    if not pairing.is_bye and not pairing.is_open:
        raise ValidationError(
            _("Board %(board)d has a result. Take it out first, then change the pairing.") % {"board": pairing.board}
        )
    return pairing


def _round_to_change(tournament: Tournament, number: int) -> Round:
    """The last round, locked. The table of a round robin stays as it is."""
    _list, tournament = lock_open(tournament)
    if tournament.is_round_robin:
        raise ValidationError(_("The pairings of a round robin follow from its table and stay as they are."))
    made = last_round(tournament)
    if made is None or made.number != number:
        raise ValidationError(_("Only the pairings of the last round can be changed."))
    return made


def _mark(made: Round) -> None:
    made.changed_by_hand = True
    made.save(update_fields=["changed_by_hand"])


def _refuse_open_boards(tournament: Tournament) -> None:
    missing = open_boards(tournament)
    if missing:
        raise ValidationError(
            ngettext(
                "%(count)d result is missing. The next round can be paired when it is in.",
                "%(count)d results are missing. The next round can be paired when they are in.",
                missing,
            )
            % {"count": missing}
        )


def _refuse_future(tournament: Tournament, day: datetime.date) -> None:
    if tournament.rated and day > tournament.rating_list.school.today():
        raise ValidationError(_("The day lies in the future."))
