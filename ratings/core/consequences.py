"""What rewriting a piece of history does, before it is done."""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ratings.core.ledger import Event, GameEvent, State, order


@dataclass(frozen=True, slots=True)
class Move:
    """A student whose rating becomes another one."""

    student: int
    before: int
    after: int

    @property
    def by(self) -> int:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Consequences:
    """`later_games`: games after the first changed place, which are replayed. `moves`: largest first."""

    later_games: int
    moves: tuple[Move, ...]


def consequences(
    *,
    before: Mapping[int, int],
    after: Mapping[int, State],
    starts: Mapping[int, int],
    default_start: int,
    events: Iterable[Event],
    first: tuple[datetime.date, int],
    changed: int | None = None,
) -> Consequences:
    """Compare the ratings as they are with those after a replay of changed events.

    `before`: rating of everybody who has one; `after`: states of the replay; who is in neither stands at the start.
    `events`: those of the replay; `first`: the place in order from which on they differ; `changed`: the id of the game
    that is changed itself, which is not a later one.
    """
    moves = []
    for student in before.keys() | after.keys():
        start = starts.get(student, default_start)
        old = before.get(student, start)
        new = after[student].rating if student in after else start
        if old != new:
            moves.append(Move(student, old, new))
    later = sum(1 for event in events if isinstance(event, GameEvent) and event.id != changed and order(event) >= first)
    return Consequences(later, tuple(sorted(moves, key=lambda move: (-abs(move.by), move.student))))
