"""The page of a round: its boards, what is unusual about them, and which results can be entered."""

from __future__ import annotations

import datetime
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tournaments.core.types import Code, Colour, Pair, State, twos
from tournaments.core.warnings import Kind, Warning, warnings
from tournaments.models import Absence, Pairing, Round
from tournaments.selectors.rounds import BoardRow, PlayerRow, RoundPage
from tournaments.selectors.states import Loaded, kept_apart

Result = Pairing.Result


@dataclass(frozen=True, slots=True)
class Choice:
    """A result that can be entered. `name`: for the id of its button; `sign`: as on the button."""

    value: str
    name: str
    sign: str
    label: str


def choices() -> list[Choice]:
    """One tap each; their words translated once a page and not once a board."""
    return [
        Choice(Result.WHITE, "white", "1–0", str(Result.WHITE.label)),
        Choice(Result.DRAW, "draw", "½–½", str(Result.DRAW.label)),
        Choice(Result.BLACK, "black", "0–1", str(Result.BLACK.label)),
    ]


def more_choices() -> list[Choice]:
    """Behind “more”."""
    return [
        Choice(Result.WHITE_FORFEIT, "white-forfeit", "+ –", _("White wins by forfeit: Black did not come")),
        Choice(Result.BLACK_FORFEIT, "black-forfeit", "– +", _("Black wins by forfeit: White did not come")),
        Choice(Result.DOUBLE_FORFEIT, "double-forfeit", "– –", _("Both lose by forfeit: nobody came")),
        Choice(Result.UNPLAYED, "unplayed", "–", _("Not played, nobody’s fault: 0 points each")),
    ]


@dataclass(frozen=True, slots=True)
class Live:
    """What a page asks the server now and then: the newest result it knows, and who sat where when it was made."""

    newest: str
    seating: str


def live(page: RoundPage) -> Live:
    rows = [row.pairing for row in (*page.boards, *page.byes)]
    newest = max((row.entered_at for row in rows if row.entered_at), default=None)
    seats = ",".join(f"{row.pk}:{row.white_id}:{row.black_id}" for row in rows)
    return Live(newest.isoformat() if newest else "", f"{zlib.crc32(seats.encode()):x}")


def since(page: RoundPage, newest: str) -> RoundPage:
    """Of a round only the boards with a result that came after the newest one that a page knew."""
    try:
        known = datetime.datetime.fromisoformat(newest) if newest else None
    except ValueError:
        known = None
    if known is not None and known.tzinfo is None:
        known = None

    def is_new(at: datetime.datetime | None) -> bool:
        return at is not None and (known is None or at > known)

    return replace(page, boards=[row for row in page.boards if is_new(row.pairing.entered_at)], byes=[])


def pairs_of(pairings: Iterable[Pairing]) -> list[Pair]:
    """The boards of a round and its pairing-allocated bye."""
    return [
        Pair(pairing.white_id, pairing.black_id)
        for pairing in pairings
        if not pairing.is_bye or pairing.result == Result.PAIRING_BYE
    ]


def state_before(loaded: Loaded, number: int, pairs: Iterable[Pair]) -> State:
    """The tournament before one of its rounds, with those present who had a place in it. One query."""
    state = loaded.state_after(number - 1)
    hard, soft = kept_apart(loaded.tournament, loaded.entries)
    there = {player for pair in pairs for player in pair.players}
    entrants = tuple(
        replace(entrant, absent=None if entrant.id in there else Code.ZERO_BYE, withdrawn=False)
        for entrant in state.entrants
    )
    return replace(state, entrants=entrants, forbidden=twos(hard), apart=twos(soft))


def warning_texts(found: Iterable[Warning], labels: Mapping[int, str]) -> list[str]:
    return [_text(warning, labels) for warning in found]


def _text(warning: Warning, labels: Mapping[int, str]) -> str:
    names = {"one": labels[warning.players[0]], "other": labels[warning.players[-1]]}
    if warning.kind is Kind.REPEAT:
        return _("%(one)s and %(other)s have played each other before.") % names
    if warning.kind is Kind.KEPT_APART:
        return _("%(one)s and %(other)s should be kept apart.") % names
    if warning.kind is Kind.SECOND_BYE:
        return _("%(one)s has had a bye or a win by forfeit already.") % names
    if warning.colour is Colour.WHITE:
        return _("%(one)s has White for the third time running.") % names
    return _("%(one)s has Black for the third time running.") % names


def notices(loaded: Loaded, made: Round, page: RoundPage, labels: Mapping[int, str]) -> list[str]:
    """What a teacher should know about a round: repeats, third colours, changes by hand. One query."""
    said = []
    if made.paired_by == Round.PairedBy.FEWEST_REPEATS and not loaded.tournament.is_small_group:
        said.append(_("This round was paired with the fewest repeats, not strictly by the FIDE rules."))
    if made.changed_by_hand:
        said.append(_("This round was changed by hand."))
    if not loaded.tournament.is_round_robin:
        pairs = pairs_of(row.pairing for row in (*page.boards, *page.byes))
        said += warning_texts(warnings(state_before(loaded, made.number, pairs), pairs), labels)
    if made.number < loaded.paired:
        said.append(_("Later rounds stay as they are paired, also when a result of this one is changed."))
    return said


@dataclass(frozen=True, slots=True)
class NextStep:
    """What follows the last round: `pair` the round `number`, or with None finish. `missing`: results still to come."""

    number: int | None
    missing: int


def next_step(loaded: Loaded, made: Round, page: RoundPage) -> NextStep | None:
    """None for an earlier round, and when the tournament is over."""
    if made.number < loaded.paired or not loaded.tournament.is_open:
        return None
    number = made.number + 1 if made.number < loaded.tournament.rounds else None
    return NextStep(number, len(page.boards) - page.results_in)


@dataclass(frozen=True, slots=True)
class StartRow:
    """Somebody who takes part, before the first round. `absent`: in words, where they miss it."""

    label: str
    rating: int
    absent: str


def start_rows(loaded: Loaded, labels: Mapping[int, str]) -> list[StartRow]:
    """Who plays, in pairing order. One query."""
    absences = Absence.objects.filter(entry__tournament=loaded.tournament, number=1)
    absent = {absence.entry_id: absence.get_kind_display() for absence in absences}
    withdrawn = _("withdrawn")
    return [
        StartRow(
            labels[entry.pk], entry.seed_rating, withdrawn if entry.is_withdrawn else str(absent.get(entry.pk, ""))
        )
        for entry in loaded.entries
    ]


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A player of a round that can be changed by hand, and where they are: `Mia (board 2, White)`."""

    entry: int
    text: str


@dataclass(frozen=True, slots=True)
class Places:
    """`open_boards`: whose colours can be exchanged; `players`: to swap or to give a bye; `out`: who could still play.

    `waiting`: whoever has the pairing-allocated bye.
    """

    open_boards: list[BoardRow]
    players: list[PlaceRow]
    out: list[PlaceRow]
    waiting: str


def places(page: RoundPage, labels: Mapping[int, str]) -> Places:
    """Who can be moved in a round. No query."""
    players = []
    for row in page.boards:
        if row.is_open and row.black is not None:
            players.append(PlaceRow(row.white.entry, _("%(name)s (board %(board)d, White)") % _place(row.white, row)))
            players.append(PlaceRow(row.black.entry, _("%(name)s (board %(board)d, Black)") % _place(row.black, row)))
    byes = [PlaceRow(row.white.entry, f"{row.white.label} ({row.pairing.get_result_display()})") for row in page.byes]
    waiting = [row for row in page.byes if row.result == Result.PAIRING_BYE]
    return Places(
        open_boards=[row for row in page.boards if row.is_open],
        players=[*players, *byes],
        out=[place for place, row in zip(byes, page.byes, strict=True) if row not in waiting],
        waiting=labels[waiting[0].white.entry] if waiting else "",
    )


def _place(player: PlayerRow, row: BoardRow) -> dict[str, object]:
    return {"name": player.label, "board": row.board}
