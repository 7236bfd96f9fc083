"""A student's own tournaments: whom they play next, what they played so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Max, QuerySet

from classes.models import Student
from tournaments.access import tournaments_of_student
from tournaments.core.tiebreaks import points_text
from tournaments.core.types import Code
from tournaments.mapping import codes_of
from tournaments.models import Entry, Pairing, Tournament
from tournaments.selectors.names import board_labels
from tournaments.selectors.states import Loaded


@dataclass(frozen=True, slots=True)
class OwnRound:
    """A round as the student sees it: White or Black against somebody on a board, or with no opponent a bye.

    `code`: of the own result, None while there is none. `points`: what it brought.
    """

    number: int
    board: int | None
    is_white: bool
    opponent: str
    code: Code | None
    points: str

    @property
    def is_open(self) -> bool:
        return self.code is None

    @property
    def outcome(self) -> str:
        """`w`, `d` or `l` for a game, `+` or `-` for a forfeit, `bye`, or `none` for no game and no points."""
        if self.code is None:
            return ""
        return OUTCOMES.get(self.code, "bye")


OUTCOMES = {
    Code.WIN: "w",
    Code.UNRATED_WIN: "w",
    Code.DRAW: "d",
    Code.UNRATED_DRAW: "d",
    Code.LOSS: "l",
    Code.UNRATED_LOSS: "l",
    Code.FORFEIT_WIN: "+",
    Code.FORFEIT_LOSS: "-",
    Code.ZERO_BYE: "none",
}


@dataclass(frozen=True, slots=True)
class OwnPairing:
    """Where a student is in a running tournament. `round`: the own one in the latest round, if they are in it."""

    tournament: Tournament
    paired: int
    round: OwnRound | None

    @property
    def next(self) -> int | None:
        """The number of the round that is awaited; None after the last one."""
        return self.paired + 1 if self.paired < self.tournament.rounds else None


@dataclass(frozen=True, slots=True)
class OwnTournament:
    """A line of the list. `is_entered`: otherwise it is one of the class, to look at."""

    tournament: Tournament
    paired: int
    is_entered: bool


def own_pairings(student: Student) -> list[OwnPairing]:
    """What the student plays now, in every running tournament. One query, three when there is such a tournament."""
    entries = list(
        Entry.objects.filter(student=student, withdrawn_at=None, tournament__in=_running(student))
        .annotate(paired=Max("tournament__rounds_paired__number"))
        .select_related("tournament__school")
        .order_by("-tournament__day", "-tournament")
    )
    if not entries:
        return []
    pairings = {
        (pairing.round.tournament_id, pairing.round.number): pairing
        for pairing in Pairing.objects.filter(seats__entry__in=entries).select_related("round")
    }
    players: dict[int, list[Entry]] = defaultdict(list)
    tournaments = [entry.tournament_id for entry in entries]
    for player in Entry.objects.filter(tournament__in=tournaments).select_related("student"):
        players[player.tournament_id].append(player)
    found = []
    for entry in entries:
        pairing = pairings.get((entry.tournament_id, entry.paired))
        labels = board_labels(entry.tournament, players[entry.tournament_id])
        own = own_round(pairing, entry, labels, entry.tournament) if pairing else None
        found.append(OwnPairing(entry.tournament, entry.paired or 0, own))
    return found


def _running(student: Student) -> QuerySet[Tournament]:
    return tournaments_of_student(student).filter(finished_at=None, cancelled_at=None)


def own_round(pairing: Pairing, entry: Entry, labels: Mapping[int, str], tournament: Tournament) -> OwnRound:
    is_white = pairing.white_id == entry.pk
    opponent = pairing.black_id if is_white else pairing.white_id
    codes = codes_of(pairing.result)
    code = codes[0 if is_white else 1]
    if pairing.result == Pairing.Result.UNPLAYED:
        code, opponent = Code.ZERO_BYE, None
    return OwnRound(
        number=pairing.round.number,
        board=pairing.board,
        is_white=is_white,
        opponent="" if opponent is None else labels[opponent],
        code=code,
        points="" if code is None else points_text(code.halves(tournament.bye_halves)),
    )


def own_rounds(loaded: Loaded, entry: Entry, labels: Mapping[int, str]) -> list[OwnRound]:
    """Every round in which the student is, the first one first. One query."""
    pairings = Pairing.objects.filter(seats__entry=entry).select_related("round").order_by("round__number")
    return [own_round(pairing, entry, labels, loaded.tournament) for pairing in pairings]


def own_tournaments(student: Student) -> list[OwnTournament]:
    """Those they play in and those of their classes: running ones first, the own before the others. Two queries."""
    entered = set(Entry.objects.filter(student=student).values_list("tournament", flat=True))
    rows = [
        OwnTournament(tournament, tournament.paired or 0, tournament.pk in entered)
        for tournament in tournaments_of_student(student).annotate(paired=Max("rounds_paired__number"))
    ]
    return sorted(rows, key=lambda row: (not row.tournament.is_open, not row.is_entered))
