"""Entering and changing the results of boards. Played games of rated tournaments go to the ledger at once."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from classes.models import User
from classes.services import one_transaction
from ratings import services as ratings_services
from ratings.models import Game
from tournaments.mapping import RESULTS_OF_GAMES
from tournaments.models import HelperLink, Pairing, Tournament
from tournaments.services.locking import last_round, lock_open

TO_ENTER = (
    Pairing.Result.WHITE,
    Pairing.Result.DRAW,
    Pairing.Result.BLACK,
    Pairing.Result.WHITE_FORFEIT,
    Pairing.Result.BLACK_FORFEIT,
    Pairing.Result.DOUBLE_FORFEIT,
    Pairing.Result.UNPLAYED,
    Pairing.Result.OPEN,
)


class ResultMeanwhile(Exception):
    """Somebody entered another result for this board a moment ago: `pairing` as it is now."""

    def __init__(self, pairing: Pairing) -> None:
        super().__init__(str(pairing))
        self.pairing = pairing


@one_transaction
def enter_result(
    pairing: Pairing,
    *,
    result: str,
    was: str,
    by: User,
    version: int | None = None,
    helper: HelperLink | None = None,
) -> Pairing:
    """Enter the result of a board, change it, or take it out (OPEN). The same result twice changes nothing.

    `was`: what stood there when it was chosen; ResultMeanwhile where something else stands there now. `version`: the
    rating list's when the consequences were shown; StaleVersion of the ratings where somebody wrote meanwhile.
    `helper`: the link with which it is entered in the name of `by`.
    A played game of a rated tournament is recorded, corrected, voided or put back with it. ValidationError for a bye,
    for a result that cannot be entered, for taking out a result of an earlier round, and when the tournament is over.
    """
    _list, tournament = lock_open(pairing.round.tournament)
    pairing = Pairing.objects.select_related("round", "game", "white__student", "black__student").get(pk=pairing.pk)
    if pairing.is_bye or result not in TO_ENTER:
        raise ValidationError(_("Choose a result from the list."))
    if pairing.result == result:
        return pairing
    if pairing.result != was:
        raise ResultMeanwhile(pairing)
    if result == Pairing.Result.OPEN and last_round(tournament) != pairing.round:
        raise ValidationError(_("Later rounds were paired with this result. Change it, but do not take it out."))
    if tournament.rated:
        _record(tournament, pairing, result, by, version)
    pairing.result, pairing.entered_by, pairing.entered_at, pairing.entered_with = result, by, timezone.now(), helper
    pairing.save(update_fields=["result", "game", "entered_by", "entered_at", "entered_with"])
    return pairing


def _record(tournament: Tournament, pairing: Pairing, result: str, by: User, version: int | None) -> None:
    """Bring the ledger to what the board says now, by the services of the ratings."""
    if version is not None and version != tournament.rating_list.version:
        raise ratings_services.StaleVersion
    game = pairing.game
    played = RESULTS_OF_GAMES.get(Pairing.Result(result))
    if played is None:
        if game is not None and not game.is_void:
            ratings_services.void_game(game, by=by, reason=_("Not played in the tournament"))
        return
    if game is None and pairing.black is not None:
        pairing.game = ratings_services.record_game(
            rating_list=tournament.rating_list,
            classroom=tournament.classroom,
            white=pairing.white.student,
            black=pairing.black.student,
            result=played,
            day=pairing.round.day,
            by=by,
            origin=Game.Origin.TOURNAMENT,
        )
        return
    if game is None:
        return
    if game.result != played:
        ratings_services.correct_game(
            game,
            white=game.white,
            black=game.black,
            result=played,
            day=game.day,
            note=game.note,
            by=by,
        )
    if game.is_void:
        ratings_services.unvoid_game(game, by=by)
