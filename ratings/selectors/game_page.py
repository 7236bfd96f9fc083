"""Everything about one game."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils import formats
from django.utils.translation import gettext as _

from classes.models import Student
from classes.selectors import labels_in
from ratings.models import Game, LedgerEntry


@dataclass(frozen=True, slots=True)
class EditRow:
    """One edit: when, by whom, and what it changed in words."""

    at: datetime.datetime
    by: str
    changes: list[str]


@dataclass(frozen=True, slots=True)
class GamePage:
    game: Game
    white: str
    black: str
    white_entry: LedgerEntry | None
    black_entry: LedgerEntry | None
    edits: list[EditRow]


def game_page(game: Game, labels: Mapping[int, str]) -> GamePage:
    """A game with what it did to both and its edits, newest first. A fixed number of queries."""
    entries = {entry.student_id: entry for entry in LedgerEntry.objects.filter(game=game)}
    return GamePage(
        game=game,
        white=labels.get(game.white_id) or game.white.full_name,
        black=labels.get(game.black_id) or game.black.full_name,
        white_entry=entries.get(game.white_id),
        black_entry=entries.get(game.black_id),
        edits=edits_of(game, labels),
    )


def edits_of(game: Game, labels: Mapping[int, str]) -> list[EditRow]:
    """The edits of a game in words, newest first; its recording is not one of them."""
    kept = list(game.history.select_related("history_user").order_by("history_date", "history_id"))
    players = {pk for old in kept for pk in (old.white_id, old.black_id)} - labels.keys()
    names = dict(labels) | {student.pk: student.full_name for student in Student.objects.filter(pk__in=players)}
    rows = []
    for old, new in zip(kept, kept[1:], strict=False):
        if changes := _changes(old, new, names):
            by = new.history_user.get_full_name() if new.history_user else _("the server")
            rows.append(EditRow(new.history_date, by, changes))
    return rows[::-1]


def _changes(old: Game, new: Game, names: Mapping[int, str]) -> list[str]:
    if not old.voided_at and new.voided_at:
        return [_("voided: %(reason)s") % {"reason": new.void_reason or "–"}]
    if old.voided_at and not new.voided_at:
        return [_("put back")]
    pairs = [
        (_("White"), names[old.white_id], names[new.white_id]),
        (_("Black"), names[old.black_id], names[new.black_id]),
        (_("result"), Game.SIGNS[Game.Result(old.result)], Game.SIGNS[Game.Result(new.result)]),
        (_("day"), formats.date_format(old.day), formats.date_format(new.day)),
        (_("note"), old.note or "–", new.note or "–"),
    ]
    said = [f"{what}: {was} → {now}" for what, was, now in pairs if was != now]
    # A new sequence alone tells nothing: it may come from another game that was moved before or behind this one.
    if getattr(new, "history_change_reason", None) == Game.MOVED:
        said.append(_("place within the day"))
    return said


def players_for_correction(game: Game) -> dict[int, str]:
    """Whom a correction may name: the game's own players and everybody ever enrolled in its class, by id."""
    if game.classroom is None:
        labels = {student.pk: student.full_name for student in Student.objects.filter(school=game.rating_list.school)}
    else:
        labels = labels_in(game.classroom)
    return {game.white_id: game.white.full_name, game.black_id: game.black.full_name} | labels
