"""Where students ended in tournaments, for reports and certificates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import QuerySet

from tournaments.models import Entry, Tournament
from tournaments.selectors.states import load_all
from tournaments.selectors.tables import standings_of, state_for_standings


@dataclass(frozen=True, slots=True)
class Final:
    """A student's place among `players` after `rounds` finished rounds. `points`: as they are written, 4½."""

    tournament: Tournament
    place: int
    shared: bool
    points: str
    players: int
    rounds: int

    @property
    def is_final(self) -> bool:
        return self.tournament.finished_at is not None


def finals_of(students: Collection[int], tournaments: QuerySet[Tournament]) -> dict[int, list[Final]]:
    """Of these tournaments those in which the students are, oldest first. Three queries.

    Without the cancelled, and none before its first round is finished.
    """
    entered = Entry.objects.filter(student__in=students).values("tournament")
    played = tournaments.filter(pk__in=entered, cancelled_at=None).order_by("day", "pk")
    found: dict[int, list[Final]] = defaultdict(list)
    for loaded in load_all(list(played)):
        if not loaded.finished:
            continue
        student_of = {entry.pk: entry.student_id for entry in loaded.entries}
        for row in standings_of(loaded.tournament, state_for_standings(loaded)).rows:
            if student_of[row.id] in students:
                final = Final(
                    loaded.tournament, row.place, row.shared, row.points, len(loaded.entries), loaded.finished
                )
                found[student_of[row.id]].append(final)
    return found
