"""Everything about one board, and what another result would change."""

from __future__ import annotations

import copy
import datetime
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from ratings.core.ledger import GameEvent
from ratings.models import Game
from ratings.selectors.consequences import ConsequencesPage, consequences, of_correction, of_unvoiding, of_voiding
from ratings.selectors.game_page import GamePage, game_page
from ratings.selectors.ledger import events_of
from tournaments.core.standings import StandingsRow
from tournaments.core.tiebreaks import points_text
from tournaments.mapping import RESULTS_OF_GAMES
from tournaments.models import Pairing
from tournaments.selectors.states import Loaded
from tournaments.selectors.tables import standings_of, state_for_standings
from tournaments.selectors.why import why

Result = Pairing.Result
NEW = -1  # the id of a game that is not recorded yet


@dataclass(frozen=True, slots=True)
class EditRow:
    at: datetime.datetime
    by: str
    changes: list[str]


@dataclass(frozen=True, slots=True)
class BoardPage:
    """`game`: what was recorded for the ratings, with its numbers; it may be void."""

    pairing: Pairing
    white: str
    black: str
    why: str
    game: GamePage | None
    edits: list[EditRow]


def board_page(loaded: Loaded, pairing: Pairing, labels: Mapping[int, str]) -> BoardPage:
    """A fixed number of queries."""
    by_student = {entry.student_id: labels[entry.pk] for entry in loaded.entries}
    return BoardPage(
        pairing=pairing,
        white=labels[pairing.white_id],
        black=labels[pairing.black_id] if pairing.black_id else "",
        why=why(loaded, pairing, labels),
        game=game_page(pairing.game, by_student) if pairing.game else None,
        edits=_edits(pairing, labels),
    )


def _edits(pairing: Pairing, labels: Mapping[int, str]) -> list[EditRow]:
    """What was entered and changed, newest first. The pairing itself was made without a word in this history."""
    kept = list(pairing.history.select_related("history_user", "entered_by").order_by("history_date", "history_id"))
    rows = []
    for old, new in zip([None, *kept], kept, strict=False):
        changes = []
        was = old.result if old else Result.OPEN
        if was != new.result:
            changes.append(f"{_sign(was)} → {_sign(new.result)}")
        if old and (old.white_id, old.black_id) != (new.white_id, new.black_id):
            changes.append(f"{_players(old, labels)} → {_players(new, labels)}")
        if changes:
            who = new.history_user or new.entered_by
            name = who.get_full_name() if who else _("the server")
            if new.entered_with_id and was != new.result:
                name = _("a helper of %(name)s") % {"name": name}
            rows.append(EditRow(new.history_date, name, changes))
    return rows[::-1]


def _sign(result: str) -> str:
    return Pairing(result=result).sign or "–"


def _players(pairing: Pairing, labels: Mapping[int, str]) -> str:
    return " – ".join(labels.get(entry, "?") for entry in (pairing.white_id, pairing.black_id) if entry)


@dataclass(frozen=True, slots=True)
class StandingMove:
    """Somebody whose place or points change."""

    label: str
    place_before: int
    place_after: int
    points_before: str
    points_after: str


@dataclass(frozen=True, slots=True)
class ResultChange:
    """What another result would do. `ratings`: None where no game is touched. `only_own`: no rating of others moves."""

    ratings: ConsequencesPage | None
    standings: list[StandingMove]
    only_own: bool


def change_of(loaded: Loaded, pairing: Pairing, result: str, labels: Mapping[int, str]) -> ResultChange:
    """What it does to ratings and standings to give a board this result. Writes nothing."""
    by_student = {entry.student_id: labels[entry.pk] for entry in loaded.entries}
    ratings = _ratings(loaded, pairing, result, by_student) if loaded.tournament.rated else None
    own = {entry.student_id for entry in loaded.entries if entry.pk in {pairing.white_id, pairing.black_id}}
    return ResultChange(
        ratings=ratings,
        standings=_standing_moves(loaded, pairing, result, labels),
        only_own=ratings is None or ratings.moved <= own,
    )


def _ratings(loaded: Loaded, pairing: Pairing, result: str, labels: Mapping[int, str]) -> ConsequencesPage | None:
    played = RESULTS_OF_GAMES.get(Result(result))
    game = pairing.game
    if game is None:
        return _of_new(loaded, pairing, played, labels) if played else None
    if played is None:
        return None if game.is_void else of_voiding(game, labels)
    if game.is_void:
        back = copy.copy(game)
        back.result = played
        return of_unvoiding(back, labels)
    if game.result == played:
        return None
    return of_correction(
        game, white=game.white, black=game.black, result=played, day=game.day, place=None, labels=labels
    )


def _of_new(loaded: Loaded, pairing: Pairing, played: Game.Result, labels: Mapping[int, str]) -> ConsequencesPage:
    """A game that was not played and now is: the last one of its day."""
    rating_list = loaded.tournament.rating_list
    players = {entry.pk: entry.student_id for entry in loaded.entries}
    event = GameEvent(
        NEW,
        pairing.round.day,
        rating_list.next_sequence,
        players[pairing.white_id],
        players[pairing.black_id or 0],
        Game.SCORE_HALVES[played],
    )
    return consequences(
        rating_list,
        [*events_of(rating_list), event],
        first=(event.day, event.sequence),
        changed=NEW,
        labels=labels,
    )


def _standing_moves(loaded: Loaded, pairing: Pairing, result: str, labels: Mapping[int, str]) -> list[StandingMove]:
    """Everybody who moves, largest change first. Of rounds that are finished, before and after."""
    place = (pairing.round.number, pairing.white_id)
    boards = [
        replace(board, result=result) if (board.number, board.white) == place else board for board in loaded.boards
    ]
    before, after = (
        {row.id: row for row in standings_of(loaded.tournament, state_for_standings(one)).rows}
        for one in (loaded, replace(loaded, boards=boards))
    )
    moved = [
        (before[entry], row)
        for entry, row in after.items()
        if (before[entry].place, before[entry].score_halves) != (row.place, row.score_halves)
    ]

    def size(move: tuple[StandingsRow, StandingsRow]) -> tuple[int, int, int]:
        old, new = move
        return -abs(new.place - old.place), -abs(new.score_halves - old.score_halves), new.line

    return [
        StandingMove(labels[new.id], old.place, new.place, points_text(old.score_halves), points_text(new.score_halves))
        for old, new in sorted(moved, key=size)
    ]
