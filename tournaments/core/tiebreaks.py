"""Tie-breaks by code: what each is called, what it says, and its values for everybody in a tournament.

FIDE's are those of the Play-Off and Tie-Break Regulations C.07, reckoned by `tournaments.core.fide`. Those of US Chess
(rule 34E) are reckoned here. Values are exact decimals; None: there is none for this player.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate, groupby

from tournaments.core import fide
from tournaments.core.types import POINT, Entrant, Rules, State

Value = Decimal | None
HALF = Decimal("0.5")


@dataclass(frozen=True, slots=True)
class TieBreak:
    """`sentence` goes on from the name: "Buchholz: the points of your opponents". `article`: of C.07 or of rule 34."""

    code: str
    name: str
    sentence: str
    article: str
    us: bool = False  # by US Chess, not by FIDE
    lower_first: bool = False
    ratings: bool = False  # no values at all where somebody has no rating (C.07 10)
    swiss: bool = True
    round_robin: bool = True

    def suits(self, *, round_robin: bool) -> bool:
        """Is it meant for this kind of tournament? (Buchholz and Fore Buchholz have no sense where all meet all.)"""
        return self.round_robin if round_robin else self.swiss

    def text(self, value: Value) -> str:
        """For pages; a dash where there is nothing to say: no value, or nobody whom the direct encounter could part."""
        if value is None or (self.code == "DE" and value == 0):
            return "–"
        return text(value)


def text(value: Decimal) -> str:
    """A value for pages: 12, 12½, ½, 12.25."""
    whole = int(value)
    if value - whole == HALF:
        return f"{whole or ''}½"
    return decimal(value)


def points_text(halves: int) -> str:
    """Half-points for pages: 0, ½, 1, 2½."""
    return text(Decimal(halves) / POINT)


def decimal(value: Decimal) -> str:
    """A value for files, as every spreadsheet reads it: 4.5, 12, 12.25."""
    return f"{value.normalize():f}"


TIE_BREAKS = {
    tie_break.code: tie_break
    for tie_break in (
        TieBreak(
            "DE",
            "Direct encounter",
            "the order of the tied players by the games between them",
            "6",
            lower_first=True,
        ),
        TieBreak("WIN", "Wins", "rounds that brought you the points of a win, also without a game", "7.1"),
        TieBreak("WON", "Games won", "games that you won over the board", "7.2"),
        TieBreak("BPG", "Games with Black", "games that you played with Black", "7.3"),
        TieBreak("BWG", "Wins with Black", "games that you won with Black", "7.4"),
        TieBreak("PS", "Progressive score", "your points after each round, added up", "7.5"),
        TieBreak("PS/C1", "Progressive score, cut 1", "your points after each round but the first, added up", "7.5"),
        TieBreak(
            "REP", "Rounds ready to play", "rounds without a bye you asked for and without a game you missed", "7.6"
        ),
        TieBreak("STD", "Standard points", "one for each round with more points than a draw, half for a draw", "7.7"),
        TieBreak("TPN", "Pairing number", "the smaller pairing number comes first", "7.8", lower_first=True),
        TieBreak("BH", "Buchholz", "the points of your opponents", "8.1", round_robin=False),
        TieBreak(
            "BH/C1", "Buchholz, cut 1", "the points of your opponents without the lowest", "14.1", round_robin=False
        ),
        TieBreak(
            "BH/C2", "Buchholz, cut 2", "the points of your opponents without the two lowest", "14.2", round_robin=False
        ),
        TieBreak(
            "BH/M1",
            "Buchholz, median 1",
            "the points of your opponents without the lowest and the highest",
            "14.3",
            round_robin=False,
        ),
        TieBreak(
            "BH/M2",
            "Buchholz, median 2",
            "the points of your opponents without the two lowest and the two highest",
            "14.4",
            round_robin=False,
        ),
        TieBreak(
            "AOB", "Average Buchholz", "the average Buchholz of the opponents you played", "8.2", round_robin=False
        ),
        TieBreak(
            "FB",
            "Fore Buchholz",
            "the points of your opponents with every game of the last round taken as a draw",
            "8.3",
            round_robin=False,
        ),
        TieBreak(
            "SB",
            "Sonneborn-Berger",
            "the points of the opponents you beat and half the points of those you drew with",
            "9.1",
        ),
        TieBreak(
            "SB/C1",
            "Sonneborn-Berger, cut 1",
            "as Sonneborn-Berger, without the opponent who counts least",
            "9.1, 14.1",
        ),
        TieBreak(
            "SB/C2",
            "Sonneborn-Berger, cut 2",
            "as Sonneborn-Berger, without the two opponents who count least",
            "9.1, 14.2",
        ),
        TieBreak(
            "KS",
            "Koya",
            "your points against opponents who made at least half of all the points they could",
            "9.2",
            swiss=False,
        ),
        TieBreak("ARO", "Average rating", "the average rating of the opponents you played", "10.1", ratings=True),
        TieBreak(
            "ARO/C1",
            "Average rating, cut 1",
            "the average rating of the opponents you played without the lowest",
            "10.1, 14.1",
            ratings=True,
        ),
        TieBreak(
            "TPR",
            "Performance rating",
            "the average rating of the opponents you played, and more or less for your score against them",
            "10.2",
            ratings=True,
        ),
        TieBreak(
            "PTP",
            "Perfect performance",
            "the lowest rating that is expected to score what you scored",
            "10.3",
            ratings=True,
        ),
        TieBreak(
            "APRO",
            "Average performance",
            "the average performance rating of the opponents you played",
            "10.4",
            ratings=True,
        ),
        TieBreak(
            "APPO",
            "Average perfect performance",
            "the average perfect performance of the opponents you played",
            "10.5",
            ratings=True,
        ),
        TieBreak(
            "MM",
            "Modified median",
            "the points of your opponents without the lowest (the highest if you have less than half, both at half)",
            "34E1",
            us=True,
        ),
        TieBreak(
            "SOL", "Solkoff", "the points of your opponents, a round they did not play as a draw", "34E2", us=True
        ),
        TieBreak(
            "CUM",
            "Cumulative",
            "your points after each round, added up, less one for each win without a game",
            "34E3",
            us=True,
        ),
        TieBreak(
            "CUMO", "Cumulative of opposition", "the cumulative scores of the opponents you played", "34E9", us=True
        ),
    )
}

SWISS = ("DE", "BH/C1", "BH", "SB", "WON")
ROUND_ROBIN = ("DE", "WIN", "SB", "KS")
US_SCHOLASTIC = ("MM", "SOL", "CUM", "CUMO")


class UnknownTieBreak(ValueError):
    """There is no tie-break with this code."""


def chosen(codes: Iterable[str]) -> tuple[TieBreak, ...]:
    """The tie-breaks of these codes, in their order, in capitals or not."""
    found = []
    for code in codes:
        tie_break = TIE_BREAKS.get(code.strip().upper())
        if tie_break is None:
            raise UnknownTieBreak(f"There is no tie-break {code.strip()}.")
        found.append(tie_break)
    return tuple(found)


def values(
    state: State, tie_breaks: Sequence[TieBreak], rules: Rules, *, round_robin: bool = False
) -> dict[int, tuple[Value, ...]]:
    """The values of these tie-breaks for every entrant after the rounds so far, in their order.

    The direct encounter looks at those who are tied on points and on every tie-break before it (C.07 6).
    """
    found: dict[int, tuple[Value, ...]] = {entrant.id: () for entrant in state.entrants}
    for us, several in groupby(tie_breaks, key=lambda tie_break: tie_break.us):
        codes = [tie_break.code for tie_break in several]
        if us:
            more = _us_values(state, codes)
        else:
            so_far = places(sort_keys(state, tie_breaks, found))
            more = fide.tie_breaks(state, codes, rules, round_robin=round_robin, places=so_far)
        found = {entrant: known + more[entrant] for entrant, known in found.items()}
    return found


SortKey = tuple[tuple[bool, Decimal], ...]


def sort_keys(
    state: State, tie_breaks: Sequence[TieBreak], found: Mapping[int, tuple[Value, ...]]
) -> dict[int, SortKey]:
    """What the order is made by: the points, then every value found so far; no value comes last."""

    def key(entrant: int, halves: int) -> SortKey:
        keys = [(False, Decimal(-halves))]
        for tie_break, value in zip(tie_breaks, found[entrant], strict=False):
            if value is None:
                keys.append((True, Decimal(0)))
            else:
                keys.append((False, value if tie_break.lower_first else -value))
        return tuple(keys)

    return {entrant: key(entrant, halves) for entrant, halves in state.scores().items()}


def places(keys: Mapping[int, SortKey]) -> dict[int, int]:
    """Shared places, in their order; whoever shares one stays in the order of the keys: 1 2 2 4."""
    ordered = sorted(keys, key=lambda entrant: keys[entrant])
    found: dict[int, int] = {}
    for index, entrant in enumerate(ordered):
        tied = index > 0 and keys[entrant] == keys[ordered[index - 1]]
        found[entrant] = found[ordered[index - 1]] if tied else index + 1
    return found


# --- US Chess, rule 34E, in half-points ---


def _us_values(state: State, codes: Sequence[str]) -> dict[int, tuple[Value, ...]]:
    reckon = {"MM": _modified_median, "SOL": _solkoff, "CUM": _cumulative, "CUMO": _cumulative_of_opposition}
    columns = [reckon[code](state) for code in codes]
    return {entrant.id: tuple(Decimal(column[entrant.id]) / 2 for column in columns) for entrant in state.entrants}


def _adjusted(state: State) -> dict[int, int]:
    """Scores as others count them: every round that was not played as a draw."""
    return {
        entrant.id: sum(played.code.halves() if played.code.is_played else 1 for played in entrant.history)
        for entrant in state.entrants
    }


def _of_opponents(entrant: Entrant, worth: Mapping[int, int]) -> list[int]:
    """What each round's opponent is worth; 0 for a round that was not played."""
    return [
        worth[played.opponent] if played.code.is_played and played.opponent is not None else 0
        for played in entrant.history
    ]


def _modified_median(state: State) -> dict[int, int]:
    """34E1: with more than half the points without the lowest, with less without the highest, with half without both.

    Two instead of one of nine rounds and more.
    """
    adjusted = _adjusted(state)
    found = {}
    for entrant in state.entrants:
        rounds = len(entrant.history)
        score = entrant.score_halves(state.bye_halves)
        cut = 2 if rounds >= 9 else 1
        kept = sorted(_of_opponents(entrant, adjusted))
        if score >= rounds:
            kept = kept[cut:]
        if score <= rounds:
            kept = kept[:-cut]
        found[entrant.id] = sum(kept)
    return found


def _solkoff(state: State) -> dict[int, int]:
    """34E2: all of them."""
    adjusted = _adjusted(state)
    return {entrant.id: sum(_of_opponents(entrant, adjusted)) for entrant in state.entrants}


def _cumulative(state: State) -> dict[int, int]:
    """34E3: the running scores, less a point for each forfeit won and each bye of a full point."""
    found = {}
    for entrant in state.entrants:
        halves = [played.code.halves(state.bye_halves) for played in entrant.history]
        given = sum(
            worth == POINT and not played.code.is_played for worth, played in zip(halves, entrant.history, strict=True)
        )
        found[entrant.id] = sum(accumulate(halves)) - POINT * given
    return found


def _cumulative_of_opposition(state: State) -> dict[int, int]:
    """34E9: the cumulative scores of the opponents."""
    cumulative = _cumulative(state)
    return {entrant.id: sum(_of_opponents(entrant, cumulative)) for entrant in state.entrants}
