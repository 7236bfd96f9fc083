"""Why a pairing is as it is: facts from the tournament before the round, for a sentence on the page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tournaments.core.colours import Due, Side, Strength, due, first_has_white
from tournaments.core.types import Colour, Entrant, Pair, State


class Colours(StrEnum):
    """Which rule of C.04.3 5.2 gave the colours."""

    EACH_DUE = "each_due"  # nobody got the one that the other was due
    STRONGER = "stronger"  # both were due the same: the stronger claim, or the wider difference
    LAST_DIFFERENT = "last_different"  # the other way round than the last time they differed
    HIGHER = "higher"  # the higher ranked got it
    NUMBER = "number"  # nobody has played: by the pairing number
    OTHERWISE = "otherwise"  # not by these rules: set by hand, or read from a file


class Float(StrEnum):
    """Why the two have different scores."""

    NONE = "none"
    ALONE = "alone"  # nobody else had the higher score
    MET_ALL = "met_all"  # the higher one has met, or is kept apart from, everybody else there
    ODD = "odd"  # an odd number had the higher score
    NO_PLACE = "no_place"  # the rest of the higher group could not be paired otherwise


@dataclass(frozen=True, slots=True)
class WhyGame:
    """Facts about a board.

    `higher`, `lower`: by score and pairing number; scores in halves. `group`: how many players of the round have the
    higher one's score. `met_there`: whom of them the higher one has met; `apart_there`: is kept apart from.
    `meetings`: the rounds in which these two played. `served`: who got the colour that both were due.
    """

    pair: Pair
    higher: int
    lower: int
    higher_score: int
    lower_score: int
    group: int
    float: Float
    met_there: tuple[int, ...]
    apart_there: tuple[int, ...]
    meetings: tuple[int, ...]
    kept_apart: bool
    due: Mapping[int, Due]
    colours: Colours
    served: int | None


@dataclass(frozen=True, slots=True)
class WhyBye:
    """Facts about the pairing-allocated bye. `players`: in the round. `byes`: of its holder before this one.

    `fewest_byes`: nobody in the round had fewer. `lowest`: of those with as few byes nobody had fewer points.
    """

    player: int
    score: int
    players: int
    byes: int
    fewest_byes: bool
    lowest: bool


def why_game(state: State, pair: Pair, pairs: Iterable[Pair]) -> WhyGame:
    """Facts about a board of a round. `state`: before it, with those present who are in `pairs`, all of the round."""
    by_id = {entrant.id: entrant for entrant in state.entrants}
    scores, numbers = state.pairing_scores(), state.pairing_numbers()
    higher, lower = sorted(pair.players, key=lambda player: (-scores[player], numbers[player]))
    group = {entrant.id for entrant in state.present if scores[entrant.id] == scores[higher]}
    others = group - {higher}
    colours, served = _colours(state, pair, scores, numbers)
    kept = state.forbidden | state.apart
    met_there = tuple(player for player in dict.fromkeys(by_id[higher].met) if player in others)
    apart_there = tuple(sorted(player for player in others if frozenset((higher, player)) in kept))
    return WhyGame(
        pair=pair,
        higher=higher,
        lower=lower,
        higher_score=scores[higher],
        lower_score=scores[lower],
        group=len(group),
        float=_float(scores, pair, pairs, higher, others - {*met_there, *apart_there}, group),
        met_there=met_there,
        apart_there=tuple(player for player in apart_there if player not in met_there),
        meetings=_meetings(by_id[higher], lower),
        kept_apart=frozenset(pair.players) in kept,
        due={player: due(by_id[player].colours) for player in pair.players},
        colours=colours,
        served=served,
    )


def why_bye(state: State, player: int) -> WhyBye:
    """Facts about the pairing-allocated bye of a round; `state` as for `why_game`."""
    scores = state.scores()
    byes = {entrant.id: entrant.byes for entrant in state.present}
    fewest = min(byes.values())
    alike = [other for other in byes if byes[other] == byes[player]]
    return WhyBye(
        player=player,
        score=scores[player],
        players=len(byes),
        byes=byes[player],
        fewest_byes=byes[player] == fewest,
        lowest=scores[player] == min(scores[other] for other in alike),
    )


def _meetings(entrant: Entrant, opponent: int) -> tuple[int, ...]:
    return tuple(
        number
        for number, played in enumerate(entrant.history, start=1)
        if played.code.is_played and played.opponent == opponent
    )


def _float(
    scores: Mapping[int, int], pair: Pair, pairs: Iterable[Pair], higher: int, possible: set[int], group: set[int]
) -> Float:
    """Why the higher one plays down. `possible`: those of the same score whom the higher one could have met."""
    if len({scores[player] for player in pair.players}) == 1:
        return Float.NONE
    if len(group) == 1:
        return Float.ALONE
    if not possible:
        return Float.MET_ALL
    mixed = [
        {scores[player] for player in other.players} for other in pairs if not other.is_bye and {*other.players} & group
    ]
    from_above = any(max(found) > scores[higher] for found in mixed)
    down = sum(len(found) > 1 and max(found) == scores[higher] for found in mixed)
    return Float.ODD if len(group) % 2 and not from_above and down == 1 else Float.NO_PLACE


def _colours(
    state: State, pair: Pair, scores: Mapping[int, int], numbers: Mapping[int, int]
) -> tuple[Colours, int | None]:
    """By which rule the colours were given, and where both were due the same, who got it."""
    by_id = {entrant.id: entrant for entrant in state.entrants}
    on_white, on_black = pair.players
    white, black = (Side(by_id[player].colours, scores[player], numbers[player]) for player in (on_white, on_black))
    if not first_has_white(white, black, state.first_colour):
        return Colours.OTHERWISE, None
    due_white, due_black = due(white.colours), due(black.colours)
    if due_white.strength is Strength.NONE and due_black.strength is Strength.NONE:
        return Colours.NUMBER, None
    if due_white.colour is not due_black.colour:
        return Colours.EACH_DUE, None
    served = on_white if due_white.colour is Colour.WHITE else on_black
    if due_white.strength != due_black.strength or due_white.difference != due_black.difference:
        return Colours.STRONGER, served
    if any(mine is not yours for mine, yours in zip(white.colours[::-1], black.colours[::-1], strict=False)):
        return Colours.LAST_DIFFERENT, served
    return Colours.HIGHER, served
