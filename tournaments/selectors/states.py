"""A tournament's rows as the core's State. A fixed number of queries, however many players and rounds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import F

from tournaments.core.types import State
from tournaments.mapping import Board, among, state_of
from tournaments.models import Absence, Entry, KeepApart, Pairing, Tournament


@dataclass(frozen=True, slots=True)
class Loaded:
    """Everybody and every board of a tournament. `paired`: how many rounds there are."""

    tournament: Tournament
    entries: list[Entry]
    boards: list[Board]

    @property
    def paired(self) -> int:
        return max((board.number for board in self.boards), default=0)

    @property
    def finished(self) -> int:
        """How many rounds have all their results; the rounds after the first open board do not count."""
        open_rounds = {board.number for board in self.boards if board.result == Pairing.Result.OPEN}
        return min(open_rounds, default=self.paired + 1) - 1

    def state_after(self, rounds: int) -> State:
        """The tournament after its first rounds, for standings."""
        return state_of(self.tournament, self.entries, self.boards, rounds=rounds)


def load(tournament: Tournament) -> Loaded:
    """Two queries."""
    [loaded] = load_all([tournament])
    return loaded


def load_all(tournaments: Sequence[Tournament]) -> list[Loaded]:
    """Several at once, in the order given: entries in pairing order, boards by round and board, byes last.

    Two queries.
    """
    entries: dict[int, list[Entry]] = defaultdict(list)
    for entry in Entry.objects.filter(tournament__in=tournaments).select_related("student").order_by("seed_order"):
        entries[entry.tournament_id].append(entry)
    boards: dict[int, list[Board]] = defaultdict(list)
    rows = (
        Pairing.objects.filter(round__tournament__in=tournaments)
        .order_by("round__number", F("board").asc(nulls_last=True), "pk")
        .values_list("round__tournament_id", "round__number", "white_id", "black_id", "result")
    )
    for tournament, number, white, black, result in rows:
        boards[tournament].append(Board(number, white, black, result))
    return [Loaded(one, entries[one.pk], boards[one.pk]) for one in tournaments]


def entries_of(tournament: Tournament) -> list[Entry]:
    """All entries with their students, in pairing order."""
    return list(Entry.objects.filter(tournament=tournament).select_related("student").order_by("seed_order"))


def state_to_pair(loaded: Loaded) -> State:
    """The tournament before its next round, with absences and pairs to keep apart. Two queries more."""
    tournament, entries = loaded.tournament, loaded.entries
    absences = Absence.objects.filter(entry__tournament=tournament)
    hard, soft = kept_apart(tournament, entries)
    return state_of(
        tournament, entries, loaded.boards, rounds=loaded.paired, absences=absences, forbidden=hard, apart=soft
    )


def kept_apart(tournament: Tournament, entries: Sequence[Entry]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The pairs of entries who may never meet, and those who should not."""
    pairs = list(KeepApart.objects.filter(school=tournament.school_id).values_list("one_id", "other_id", "is_hard"))

    def of(hard: bool) -> Iterable[tuple[int, int]]:
        return ((one, other) for one, other, is_hard in pairs if is_hard is hard)

    return among(of(True), entries), among(of(False), entries)
