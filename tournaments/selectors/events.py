"""Tournaments in lists: how far each of them is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from classes.models import Classroom
from ratings.models import Game
from tournaments.models import Entry, Pairing, Round, Tournament


@dataclass(frozen=True, slots=True)
class EventRow:
    """A tournament in a list. `paired`: the last round; `entered` of its `boards` have a result."""

    tournament: Tournament
    players: int
    paired: int
    boards: int
    entered: int


@dataclass(frozen=True, slots=True)
class EventGroup:
    """The tournaments of a class, or with none those of the whole school."""

    classroom: Classroom | None
    rows: list[EventRow]


@dataclass(frozen=True, slots=True)
class Events:
    """What is being played, and what is over, finished or cancelled; the newest first."""

    running: list[EventRow]
    over: list[EventRow]

    @property
    def over_by_class(self) -> list[EventGroup]:
        """Whole school first, then the classes by name."""
        groups: dict[int | None, EventGroup] = {}
        for row in self.over:
            classroom = row.tournament.classroom
            groups.setdefault(row.tournament.classroom_id, EventGroup(classroom, [])).rows.append(row)
        return sorted(groups.values(), key=lambda group: group.classroom.name if group.classroom else "")


def event_rows(tournaments: Iterable[Tournament]) -> list[EventRow]:
    """In the order given. Two queries besides that of the tournaments."""
    tournaments = list(tournaments)
    ids = [tournament.pk for tournament in tournaments]
    counted = Entry.objects.filter(tournament__in=ids).values_list("tournament")
    players = dict(counted.annotate(count=Count("pk")).order_by())
    on_boards = Q(pairings__board__isnull=False)
    rounds = (
        Round.objects.filter(tournament__in=ids)
        .annotate(
            boards=Count("pairings", filter=on_boards),
            entered=Count("pairings", filter=on_boards & ~Q(pairings__result=Pairing.Result.OPEN)),
        )
        .order_by("number")
    )
    last = {made.tournament_id: made for made in rounds}
    return [
        EventRow(
            tournament=tournament,
            players=players.get(tournament.pk, 0),
            paired=made.number if (made := last.get(tournament.pk)) else 0,
            boards=made.boards if made else 0,
            entered=made.entered if made else 0,
        )
        for tournament in tournaments
    ]


def events_of(tournaments: QuerySet[Tournament]) -> Events:
    """Three queries."""
    rows = event_rows(tournaments.order_by("-day", "-pk"))
    return Events(
        running=[row for row in rows if row.tournament.is_open],
        over=[row for row in rows if not row.tournament.is_open],
    )


def with_students_of(tournaments: QuerySet[Tournament], classroom: Classroom) -> QuerySet[Tournament]:
    """Of these tournaments those of a class, and the school-wide ones in which its students are entered."""
    there = Entry.objects.filter(student__enrollments__classroom=classroom).values("tournament")
    return tournaments.filter(Q(classroom=classroom) | Q(classroom=None, pk__in=there))


def running_in(classroom: Classroom, tournaments: QuerySet[Tournament]) -> list[EventRow]:
    """What is being played in a class now, for its page."""
    return events_of(with_students_of(tournaments, classroom).filter(finished_at=None, cancelled_at=None)).running


def games_that_count(tournament: Tournament) -> int:
    """How many of a tournament's games are in the ratings."""
    games = Pairing.objects.filter(round__tournament=tournament, game__isnull=False).values("game")
    return Game.objects.filter(pk__in=games, voided_at=None).count()
