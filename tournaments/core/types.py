"""What a pairing is made from, and what comes out: entrants with their rounds go in, pairs or a reason come out.

People are opaque numbers (`id`). Scores are whole half-points: 2 for a win, 1 for a draw. Articles: FIDE C.04.1 to
C.04.3 as in force from 1 February 2026; codes: FIDE's Tournament Report File.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from types import MappingProxyType

POINT = 2  # in halves


class Colour(StrEnum):
    WHITE = "w"
    BLACK = "b"

    @property
    def other(self) -> "Colour":
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE


class Code(StrEnum):
    """The result of one round for one entrant, as the Tournament Report File writes it."""

    WIN = "1"
    DRAW = "="
    LOSS = "0"
    UNRATED_WIN = "W"  # played, under one move
    UNRATED_DRAW = "D"
    UNRATED_LOSS = "L"
    FORFEIT_WIN = "+"
    FORFEIT_LOSS = "-"
    PAIRING_BYE = "U"  # pairing-allocated: worth what the tournament says
    FULL_BYE = "F"
    HALF_BYE = "H"
    ZERO_BYE = "Z"  # absent, not yet joined, withdrawn

    @property
    def is_played(self) -> bool:
        """Was there a game? Only then has one met, and had a colour (C.04.2 3.4, 3.5)."""
        return self in _PLAYED

    @property
    def is_forfeit(self) -> bool:
        return self in {Code.FORFEIT_WIN, Code.FORFEIT_LOSS}

    @property
    def bars_bye(self) -> bool:
        """Points of a win without a game: whoever has that gets no pairing-allocated bye (C.04.1 4)."""
        return self in {Code.PAIRING_BYE, Code.FULL_BYE, Code.FORFEIT_WIN}

    def halves(self, bye_halves: int = POINT) -> int:
        """The half-points, 0 to 2; `bye_halves`: those of a pairing-allocated bye."""
        return bye_halves if self is Code.PAIRING_BYE else _HALVES[self]


_HALVES = {
    Code.WIN: POINT,
    Code.DRAW: 1,
    Code.LOSS: 0,
    Code.UNRATED_WIN: POINT,
    Code.UNRATED_DRAW: 1,
    Code.UNRATED_LOSS: 0,
    Code.FORFEIT_WIN: POINT,
    Code.FORFEIT_LOSS: 0,
    Code.FULL_BYE: POINT,
    Code.HALF_BYE: 1,
    Code.ZERO_BYE: 0,
}
_PLAYED = frozenset(
    {Code.WIN, Code.DRAW, Code.LOSS, Code.UNRATED_WIN, Code.UNRATED_DRAW, Code.UNRATED_LOSS},
)
ABSENCES = frozenset({Code.HALF_BYE, Code.ZERO_BYE, Code.FULL_BYE})


class Rules(StrEnum):
    """The Play-Off and Tie-Break Regulations C.07, by the year of their text."""

    OF_2024 = "2024"
    OF_2026 = "2026"  # for tournaments that begin on 1 March 2026 or later

    @classmethod
    def on(cls, start: date) -> "Rules":
        """Those for a tournament that begins on this day."""
        return cls.OF_2026 if start >= date(2026, 3, 1) else cls.OF_2024


@dataclass(frozen=True, slots=True)
class Played:
    """One round of one entrant.

    A played game has an opponent and a colour, a forfeit has an opponent and perhaps a colour, a bye has neither.
    """

    opponent: int | None
    colour: Colour | None
    code: Code

    def __post_init__(self) -> None:
        if (self.opponent is not None) != (self.code.is_played or self.code.is_forfeit):
            raise ValueError(f"A round with code {self.code} and opponent {self.opponent}.")
        if self.code.is_played and self.colour is None:
            raise ValueError(f"A game against {self.opponent} without a colour.")


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody in a tournament.

    `rating`: 0 for none. `history`: one item for every round so far, also for those before a late entry.
    `absent`: not to be paired this round, and the bye that is given for it (half-point, zero-point or full-point).
    `withdrawn`: absent for good, as far as is known.
    """

    id: int
    rating: int = 0
    history: tuple[Played, ...] = ()
    absent: Code | None = None
    withdrawn: bool = False

    def __post_init__(self) -> None:
        if self.absent is not None and self.absent not in ABSENCES:
            raise ValueError(f"Entrant {self.id} cannot be absent with code {self.absent}.")
        if self.withdrawn and self.absent is None:
            raise ValueError(f"Entrant {self.id} has withdrawn and cannot be paired.")

    def score_halves(self, bye_halves: int = POINT) -> int:
        return sum(played.code.halves(bye_halves) for played in self.history)

    @property
    def colours(self) -> tuple[Colour, ...]:
        """The colours of the games played, first game first."""
        return tuple(played.colour for played in self.history if played.code.is_played and played.colour)

    @property
    def met(self) -> tuple[int, ...]:
        """The opponents of the games played, in order; somebody met twice stands there twice."""
        return tuple(
            played.opponent for played in self.history if played.code.is_played and played.opponent is not None
        )

    @property
    def byes(self) -> int:
        """Rounds that brought the points of a win without a game (pairing bye, full-point bye, forfeit win)."""
        return sum(played.code.bars_bye for played in self.history)

    @property
    def was_paired(self) -> bool:
        """Ever part of a pairing: a game, a forfeit or a pairing-allocated bye."""
        return any(played.opponent is not None or played.code is Code.PAIRING_BYE for played in self.history)


Two = frozenset[int]
"""Two entrants, in no order."""


def twos(pairs: Iterable[tuple[int, int]]) -> frozenset[Two]:
    """Pairs of ids as a set for `State.forbidden` and `State.apart`."""
    return frozenset(frozenset(pair) for pair in pairs)


@dataclass(frozen=True, slots=True)
class State:
    """A tournament before the pairing of a round.

    `entrants`: in pairing order, strongest first (C.04.2 2.2). `rounds`: as declared. `first_colour`: that of pairing
    number 1 in round 1. `forbidden`: may never meet; `apart`: should not meet if it can be avoided. `bye_halves`: what
    a pairing-allocated bye is worth, 0 to 2. `acceleration`: virtual half-points by id, one number for every round up
    to this one; they count for pairing only (C.04.7).
    """

    entrants: tuple[Entrant, ...]
    rounds: int
    first_colour: Colour = Colour.WHITE
    forbidden: frozenset[Two] = frozenset()
    apart: frozenset[Two] = frozenset()
    bye_halves: int = POINT
    acceleration: Mapping[int, tuple[int, ...]] = field(default_factory=lambda: MappingProxyType({}))

    def __post_init__(self) -> None:
        ids = {entrant.id for entrant in self.entrants}
        if len(ids) != len(self.entrants):
            raise ValueError("Two entrants have one id.")
        if len({len(entrant.history) for entrant in self.entrants}) > 1:
            raise ValueError("Every entrant needs one item for every round so far.")
        opponents = {played.opponent for entrant in self.entrants for played in entrant.history} - {None}
        if opponents - ids:
            raise ValueError(f"Opponents who are no entrants: {sorted(opponents - ids, key=str)}.")

    @property
    def number(self) -> int:
        """The round to be paired, from 1."""
        return len(self.entrants[0].history) + 1 if self.entrants else 1

    @property
    def present(self) -> tuple[Entrant, ...]:
        """Those to be paired, in pairing order."""
        return tuple(entrant for entrant in self.entrants if entrant.absent is None)

    def scores(self) -> dict[int, int]:
        """Half-points by id, without acceleration."""
        return {entrant.id: entrant.score_halves(self.bye_halves) for entrant in self.entrants}

    def pairing_scores(self) -> dict[int, int]:
        """Half-points by id, with this round's acceleration."""
        scores = self.scores()
        for entrant, virtual in self.acceleration.items():
            if entrant in scores and len(virtual) >= self.number:
                scores[entrant] += virtual[self.number - 1]
        return scores

    def pairing_numbers(self) -> dict[int, int]:
        """1 to N by id: those who take part this round or were ever part of a pairing. Nobody else has a number."""
        numbered = [entrant for entrant in self.entrants if entrant.absent is None or entrant.was_paired]
        return {entrant.id: number for number, entrant in enumerate(numbered, start=1)}


@dataclass(frozen=True, slots=True)
class Pair:
    """A board, or with no Black the pairing-allocated bye."""

    white: int
    black: int | None = None

    @property
    def is_bye(self) -> bool:
        return self.black is None

    @property
    def players(self) -> tuple[int, ...]:
        return (self.white,) if self.black is None else (self.white, self.black)


@dataclass(frozen=True, slots=True)
class Paired:
    """A round: its pairs in board order, the bye last.

    `repeats`: those of them who have played each other before; `together`: those who should have been kept apart.
    """

    pairs: tuple[Pair, ...]
    repeats: tuple[Pair, ...] = ()
    together: tuple[Pair, ...] = ()

    @property
    def bye(self) -> int | None:
        return next((pair.white for pair in self.pairs if pair.is_bye), None)


class Reason(StrEnum):
    """Why a round cannot be paired, as a sentence for the teacher."""

    NOT_ENOUGH_PLAYERS = "There are not enough players to pair a round."
    ALL_ROUNDS_PAIRED = "All rounds of this tournament have been paired."
    NO_LEGAL_PAIRING = "The FIDE rules allow no pairing for this round: every way to pair it breaks a rule."
    KEPT_APART = "The pairs who may never meet leave no way to pair this round."


@dataclass(frozen=True, slots=True)
class NoPairing:
    """There is no pairing for this round: an outcome like any other."""

    reason: Reason
