"""The consequences of a change, shown before it is saved: a replay that writes nothing."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from classes.core.names import short_labels
from classes.models import Student
from classes.selectors import names_of
from ratings.core import consequences as core
from ratings.core.ledger import Event, GameEvent, order, replay
from ratings.core.rules import Rules
from ratings.models import Adjustment, Game, Rating, RatingList
from ratings.selectors.ledger import event_of, events_of, rules_of, starts_of

NEVER = (datetime.date.max, 0)  # a place after everything: nothing is replayed


@dataclass(frozen=True, slots=True)
class MoveRow:
    label: str
    before: int
    after: int
    by: int


@dataclass(frozen=True, slots=True)
class ConsequencesPage:
    """What will change. `version`: of the list when this was computed; saving asks for the same. `moved`: ids."""

    later_games: int
    moves: list[MoveRow]
    version: int
    moved: frozenset[int]


def consequences(
    rating_list: RatingList,
    events: Sequence[Event],
    *,
    first: tuple[datetime.date, int],
    changed: int | None = None,
    rules: Rules | None = None,
    labels: Mapping[int, str] | None = None,
    unseen: int | None = None,
) -> ConsequencesPage:
    """What the list becomes if these were its events (and its rules), from the place `first` on. Writes nothing.

    `unseen`: a student who is no more afterwards, and whose move is not told.
    """
    starts = starts_of(rating_list)
    _lines, states = replay(
        events, starts=starts, default_start=rating_list.start_rating, rules=rules or rules_of(rating_list)
    )
    found = core.consequences(
        before=dict(Rating.objects.filter(rating_list=rating_list).values_list("student_id", "rating")),
        after=states,
        starts=starts,
        default_start=rating_list.start_rating,
        events=events,
        first=first,
        changed=changed,
    )
    moves = [move for move in found.moves if move.student != unseen]
    names = dict(labels or {})
    # Who is not in the caller's class is shown as on a board: that a rating moves must be told, the surname need not.
    strangers = Student.objects.filter(pk__in=[move.student for move in moves if move.student not in names])
    names |= short_labels(names_of(strangers))
    return ConsequencesPage(
        later_games=found.later_games,
        moves=[MoveRow(names[move.student], move.before, move.after, move.by) for move in moves],
        version=rating_list.version,
        moved=frozenset(move.student for move in moves),
    )


def of_correction(
    game: Game,
    *,
    white: Student,
    black: Student,
    result: str,
    day: datetime.date,
    place: int | None,
    labels: Mapping[int, str],
) -> ConsequencesPage:
    """What correcting a game does."""
    rating_list = game.rating_list
    events = [event for event in events_of(rating_list) if not _is(event, game)]
    corrected = GameEvent(game.pk, day, game.sequence, white.pk, black.pk, Game.SCORE_HALVES[Game.Result(result)])
    if place is not None:
        events, corrected = _placed(events, corrected, place, rating_list)
    first = min(order(corrected), (game.day, game.sequence))
    if game.is_void:
        first = NEVER
    else:
        events.append(corrected)
    return consequences(rating_list, events, first=first, changed=game.pk, labels=labels)


def of_voiding(posting: Game | Adjustment, labels: Mapping[int, str]) -> ConsequencesPage:
    """What taking a game or adjustment out does."""
    events = [event for event in events_of(posting.rating_list) if not _is(event, posting)]
    return consequences(
        posting.rating_list, events, first=(posting.day, posting.sequence), changed=_game_id(posting), labels=labels
    )


def of_unvoiding(posting: Game | Adjustment, labels: Mapping[int, str]) -> ConsequencesPage:
    """What putting a voided game or adjustment back does."""
    events = [*events_of(posting.rating_list), event_of(posting)]
    return consequences(
        posting.rating_list, events, first=(posting.day, posting.sequence), changed=_game_id(posting), labels=labels
    )


def of_handing_over(
    rating_list: RatingList, *, giver: Student, taker: Student, labels: Mapping[int, str]
) -> ConsequencesPage | None:
    """What giving all games and points of one student to another does; None where there are none in this list."""
    events = events_of(rating_list)
    handed = [_handed(event, giver.pk, taker.pk) for event in events]
    places = [order(event) for event, before in zip(handed, events, strict=True) if event != before]
    if not places:
        return None
    return consequences(rating_list, handed, first=min(places), labels=labels, unseen=giver.pk)


def _handed(event: Event, giver: int, taker: int) -> Event:
    if isinstance(event, GameEvent):
        white, black = (taker if player == giver else player for player in (event.white, event.black))
        return replace(event, white=white, black=black)
    return replace(event, student=taker) if event.student == giver else event


def place_of(game: Game) -> tuple[int, int]:
    """Where a game stands among all games and adjustments of its day, from 1, and how many there are."""
    sequences = _sequences_on(game.rating_list, game.day)
    return sum(1 for sequence in sequences if sequence <= game.sequence), len(sequences)


def _sequences_on(rating_list: RatingList, day: datetime.date) -> list[int]:
    """The sequences of a day, of voided ones too, in order."""
    return sorted(
        sequence
        for model in (Game, Adjustment)
        for sequence in model._default_manager.filter(rating_list=rating_list, day=day).values_list(
            "sequence", flat=True
        )
    )


def _is(event: Event, posting: Game | Adjustment) -> bool:
    return event.id == posting.pk and isinstance(event, GameEvent) == isinstance(posting, Game)


def _game_id(posting: Game | Adjustment) -> int | None:
    return posting.pk if isinstance(posting, Game) else None


def _placed(events: list[Event], game: GameEvent, place: int, rating_list: RatingList) -> tuple[list[Event], GameEvent]:
    """The events with the game at a place of its day: the same dealing as when it is saved."""
    others = [sequence for sequence in _sequences_on(rating_list, game.day) if sequence != game.sequence]
    sequences = sorted([game.sequence, *others])
    old = [*others[: place - 1], game.sequence, *others[place - 1 :]]
    dealt = dict(zip(old, sequences, strict=True))
    placed = [replace(event, sequence=dealt[event.sequence]) if event.day == game.day else event for event in events]
    return placed, replace(game, sequence=dealt[game.sequence])
