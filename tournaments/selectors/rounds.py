"""The boards of a round, for pages, projector and print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import F

from tournaments.core.tiebreaks import points_text
from tournaments.core.types import Code
from tournaments.models import Pairing, Round
from tournaments.selectors.states import Loaded


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One side of a board. `points`: before the round."""

    entry: int
    label: str
    points: str
    rating: int


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A board, or with no Black a bye. `bye_points`: what that is worth."""

    pairing: Pairing
    board: int | None
    white: PlayerRow
    black: PlayerRow | None
    result: str
    sign: str
    bye_points: str = ""

    @property
    def is_bye(self) -> bool:
        return self.black is None

    @property
    def is_open(self) -> bool:
        return self.pairing.is_open


@dataclass(frozen=True, slots=True)
class RoundPage:
    """`boards`: with two players, by number; `byes`: the others."""

    round: Round
    boards: list[BoardRow]
    byes: list[BoardRow]

    @property
    def results_in(self) -> int:
        return sum(not row.is_open for row in self.boards)

    @property
    def is_complete(self) -> bool:
        return self.results_in == len(self.boards)


def round_page(loaded: Loaded, made: Round, labels: Mapping[int, str]) -> RoundPage:
    """The boards of a round with everybody's points before it. One query."""
    entries = {entry.pk: entry for entry in loaded.entries}
    scores = loaded.state_after(made.number - 1).scores()

    def player(entry: int) -> PlayerRow:
        return PlayerRow(entry, labels[entry], points_text(scores[entry]), entries[entry].seed_rating)

    rows = [
        BoardRow(
            pairing=pairing,
            board=pairing.board,
            white=player(pairing.white_id),
            black=None if pairing.black_id is None else player(pairing.black_id),
            result=pairing.result,
            sign=pairing.sign,
            bye_points=points_text(Code(pairing.result).halves(loaded.tournament.bye_halves)) if pairing.is_bye else "",
        )
        for pairing in Pairing.objects.filter(round=made).order_by(F("board").asc(nulls_last=True), "pk")
    ]
    return RoundPage(made, [row for row in rows if not row.is_bye], [row for row in rows if row.is_bye])
