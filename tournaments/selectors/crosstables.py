"""The crosstable of a tournament: everybody's rounds, opponents by their places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tournaments.core.standings import Cell, StandingsRow, crosstable
from tournaments.core.tiebreaks import points_text
from tournaments.core.types import Code, Colour
from tournaments.selectors.states import Loaded
from tournaments.selectors.tables import standings_of, state_for_standings

MARKS = {
    Code.WIN: "1",
    Code.DRAW: "½",
    Code.LOSS: "0",
    Code.UNRATED_WIN: "1",
    Code.UNRATED_DRAW: "½",
    Code.UNRATED_LOSS: "0",
    Code.FORFEIT_WIN: "+",
    Code.FORFEIT_LOSS: "–",
}

SAID: dict[tuple[Colour | None, str], Promise] = {
    (Colour.WHITE, "1"): gettext_lazy("won with White against %(name)s"),
    (Colour.WHITE, "½"): gettext_lazy("drew with White against %(name)s"),
    (Colour.WHITE, "0"): gettext_lazy("lost with White against %(name)s"),
    (Colour.BLACK, "1"): gettext_lazy("won with Black against %(name)s"),
    (Colour.BLACK, "½"): gettext_lazy("drew with Black against %(name)s"),
    (Colour.BLACK, "0"): gettext_lazy("lost with Black against %(name)s"),
    (None, "+"): gettext_lazy("won by forfeit against %(name)s"),
    (None, "–"): gettext_lazy("lost by forfeit against %(name)s"),
}


@dataclass(frozen=True, slots=True)
class CrossCell:
    """One round of one player. `text`: as it stands in the table; `said`: to be read aloud; `code`: in files."""

    text: str
    said: str
    code: str


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A line of the crosstable. `rating`: at the start, 0 for none."""

    entry: int
    label: str
    rating: int
    row: StandingsRow
    cells: list[CrossCell]
    is_withdrawn: bool


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The finished rounds of everybody, in the order of the standings. `rounds`: their numbers."""

    rounds: range
    rows: list[CrossRow]

    @property
    def after(self) -> int:
        return len(self.rounds)


def crosstable_of(loaded: Loaded, labels: Mapping[int, str], *, rounds: int | None = None) -> Crosstable:
    """After the finished rounds, or after the first ones of them. No query."""
    state = state_for_standings(loaded, rounds)
    standings = {row.id: row for row in standings_of(loaded.tournament, state).rows}
    entries = {entry.pk: entry for entry in loaded.entries}
    words = {key: str(sentence) for key, sentence in SAID.items()}
    letters = {
        Colour.WHITE: pgettext("one letter for White", "w"),
        Colour.BLACK: pgettext("one letter for Black", "b"),
        None: "",
    }

    def cell(found: Cell) -> CrossCell:
        if found.opponent is None:
            return bye_cell(found.code, found.score_halves, round_robin=loaded.tournament.is_round_robin)
        mark = MARKS[found.code]
        said = words[None if found.code.is_forfeit else found.colour, mark]
        return CrossCell(
            text=f"{found.place}{letters[found.colour]}{mark}",
            said=said % {"name": labels[found.opponent]},
            code=found.text,
        )

    return Crosstable(
        rounds=range(1, state.number),
        rows=[
            CrossRow(
                entry=row.id,
                label=labels[row.id],
                rating=entries[row.id].seed_rating,
                row=standings[row.id],
                cells=[cell(one) for one in row.cells],
                is_withdrawn=entries[row.id].is_withdrawn,
            )
            for row in crosstable(state, standings.values())
        ],
    )


def bye_cell(code: Code, halves: int, *, round_robin: bool) -> CrossCell:
    """A round without an opponent."""
    if code is Code.ZERO_BYE:
        return CrossCell("–", _("free round") if round_robin else _("not paired"), code)
    points = points_text(halves)
    return CrossCell(_("bye %(points)s") % {"points": points}, _("a bye, %(points)s") % {"points": points}, code)
