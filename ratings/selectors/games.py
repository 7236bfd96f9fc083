"""Games as the pages show them."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils import timezone

from classes.models import Classroom, Student
from classes.selectors import active_students, labels_in, short_labels_in
from ratings.models import Game, LedgerEntry, RatingList
from ratings.selectors.ledger import current_states

QUESTION_AFTER = datetime.timedelta(minutes=10)
LONGEST_ID = 18  # digits that every database takes


@dataclass(frozen=True, slots=True)
class PlayerChoice:
    """A student who can be chosen for a game."""

    id: int
    label: str
    short: str
    rating: int


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game as a list shows it. The moves are None for a voided game."""

    game: Game
    white: str
    black: str
    white_moved: int | None
    black_moved: int | None


def players(classroom: Classroom, rating_list: RatingList) -> list[PlayerChoice]:
    """The active students of a class by name, with their ratings."""
    students = list(active_students(classroom))
    labels, shorts = labels_in(classroom), short_labels_in(classroom)
    states = current_states(rating_list, [student.pk for student in students])
    return [
        PlayerChoice(student.pk, labels[student.pk], shorts[student.pk], states[student.pk].rating)
        for student in students
    ]


def recorded_lately(classroom: Classroom, *, white: Student, black: Student, result: str) -> bool:
    """Was the same result of the same pair recorded in the last ten minutes?"""
    return Game.objects.filter(
        classroom=classroom,
        white=white,
        black=black,
        result=result,
        voided_at=None,
        recorded_at__gt=timezone.now() - QUESTION_AFTER,
    ).exists()


def game_rows(games: Iterable[Game], labels: Mapping[int, str]) -> list[GameRow]:
    """Games with what they did to both, in one query for the entries."""
    games = list(games)
    entries = {
        (entry.game_id, entry.student_id): entry.moved
        for entry in LedgerEntry.objects.filter(game__in=[game.pk for game in games])
    }
    return [
        GameRow(
            game=game,
            white=labels.get(game.white_id) or game.white.full_name,
            black=labels.get(game.black_id) or game.black.full_name,
            white_moved=entries.get((game.pk, game.white_id)),
            black_moved=entries.get((game.pk, game.black_id)),
        )
        for game in games
    ]


def games_of_classroom(
    classroom: Classroom, *, student: int | None = None, day: datetime.date | None = None
) -> QuerySet[Game]:
    """The games recorded in a class, newest first, voided ones too."""
    games = Game.objects.filter(classroom=classroom).select_related("white", "black", "classroom", "rating_list")
    if student is not None:
        games = games.filter(Q(white=student) | Q(black=student))
    if day is not None:
        games = games.filter(day=day)
    return games.order_by("-day", "-sequence")


def games_on(classroom: Classroom, day: datetime.date) -> list[GameRow]:
    """The games of a class on a day that count, newest first."""
    return game_rows(games_of_classroom(classroom, day=day).filter(voided_at=None), labels_in(classroom))


def number_of_games(classroom: Classroom, rating_list: RatingList) -> int:
    """How many games of a class count in a list."""
    return Game.objects.filter(classroom=classroom, rating_list=rating_list, voided_at=None).count()


def sent_id(text: str | None) -> int | None:
    """An id as it came in an address or a form; None for what cannot be one."""
    return int(text) if text and text.isdecimal() and len(text) <= LONGEST_ID else None


def saved_game(classroom: Classroom, pk: str) -> GameRow | None:
    """The game that was just recorded in a class, to be told and undone; None where it is not there or void."""
    game_id = sent_id(pk)
    if game_id is None:
        return None
    games = games_of_classroom(classroom).filter(pk=game_id, voided_at=None)
    rows = game_rows(games, labels_in(classroom))
    return rows[0] if rows else None


def met_on(classroom: Classroom, student: int | None, day: datetime.date) -> set[int]:
    """Whom a student played on a day in a class."""
    if student is None:
        return set()
    pairs = games_of_classroom(classroom, student=student, day=day).filter(voided_at=None)
    return {player for pair in pairs.values_list("white_id", "black_id") for player in pair} - {student}


@dataclass(frozen=True, slots=True)
class Tile:
    """A name to tap. `met`: has played the chosen student of the other side on that day."""

    id: int
    label: str
    rating: int
    chosen: bool
    met: bool


@dataclass(frozen=True, slots=True)
class TileGrid:
    side: str
    tiles: list[Tile]


def tile_grids(
    classroom: Classroom, choices: list[PlayerChoice], day: datetime.date, white: str | None, black: str | None
) -> list[TileGrid]:
    """White's and Black's names with what is chosen (as it was sent) and who met already."""
    chosen = {side: sent_id(sent) for side, sent in (("white", white), ("black", black))}
    met = {"white": met_on(classroom, chosen["black"], day), "black": met_on(classroom, chosen["white"], day)}
    return [
        TileGrid(
            side,
            [
                Tile(player.id, player.short, player.rating, player.id == chosen[side], player.id in met[side])
                for player in choices
            ],
        )
        for side in ("white", "black")
    ]


def opponents_of(student: Student, labels: Mapping[int, str]) -> list[tuple[int, str]]:
    """Everybody a student played, by name: (id, label)."""
    pairs = Game.objects.filter(Q(white=student) | Q(black=student), voided_at=None).values_list("white_id", "black_id")
    ids = {player for pair in pairs for player in pair} - {student.pk}
    named = Student.objects.filter(pk__in=ids)
    return sorted(((one.pk, labels.get(one.pk) or one.full_name) for one in named), key=lambda pair: pair[1].casefold())
