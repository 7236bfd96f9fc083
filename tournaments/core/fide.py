"""Pairing by the FIDE Dutch rules (C.04.3, in force from 1 February 2026) and FIDE's tie-breaks (C.07).

The one file that knows gacrux.

gacrux pairs a dict, the one that its own TRF reader builds. What it would do silently is seen to here: it drops players
whose numbers are not 1 to N, draws the first colour, goes on beyond the declared rounds, gives players a random number,
and takes a tie-break that it does not know for 0. Its answer is audited like any other.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from gacrux.gacruxexeptions import GacruxNoLegalPairing
from gacrux.pairingdutch import pairing_dutch
from gacrux.tiebreak import tiebreak

from tournaments.core.pairing import answer, obstacle
from tournaments.core.types import Code, Colour, NoPairing, Pair, Paired, Played, Reason, Rules, State

RESULTS = {
    Code.WIN: "W",
    Code.DRAW: "D",
    Code.LOSS: "L",
    Code.UNRATED_WIN: "W",
    Code.UNRATED_DRAW: "D",
    Code.UNRATED_LOSS: "L",
    Code.FORFEIT_WIN: "W",
    Code.FORFEIT_LOSS: "Z",
    Code.PAIRING_BYE: "P",
    Code.FULL_BYE: "W",
    Code.HALF_BYE: "D",
    Code.ZERO_BYE: "Z",
}
QUIET = {"experimental": [], "verbose": 0}
STARTS = {Rules.OF_2024: "2024-09-01", Rules.OF_2026: "2026-03-01"}  # gacrux chooses the text by the first day
ANY_RATING = {"list": "TRF", "rating": 1}  # for who has met nobody and will meet nobody


class WrongStandings(Exception):
    """The engine counted other points than we did, or left somebody out: an internal error, nothing may be shown."""


def pair(state: State) -> Paired | NoPairing:
    """The next round by the Dutch rules, `forbidden` kept; `apart` is not looked at (see `pair_softly`)."""
    if nothing := obstacle(state):
        return nothing
    numbers = state.pairing_numbers()
    engine = pairing_dutch(tournament(state, numbers), state.number, QUIET)
    try:
        brackets = engine.compute_pairing(False, 0)
    except GacruxNoLegalPairing:
        return NoPairing(Reason.NO_LEGAL_PAIRING)
    ids = {number: entrant for entrant, number in numbers.items()}
    pairs = (
        Pair(ids[found["w"]], ids[found["b"]] if found["b"] else None)
        for bracket in brackets
        for found in bracket["pairs"]
    )
    return answer(state, pairs)


def tie_breaks(
    state: State,
    codes: Sequence[str],
    rules: Rules,
    *,
    round_robin: bool = False,
    places: Mapping[int, int] | None = None,
) -> dict[int, tuple[Decimal | None, ...]]:
    """The values of FIDE's tie-breaks (C.07) for every entrant, in the order of the codes; None where there is none.

    `places`: what points and earlier tie-breaks have decided, for the direct encounter (C.07 6); None: points alone.
    Whoever has no pairing number stands in the standings too, after those who have one, with no number for `TPN`; an
    unrated one among them does not take the rating tie-breaks from the others.
    """
    if not state.entrants or not codes:
        return {entrant.id: () for entrant in state.entrants}
    numbers = state.pairing_numbers()
    numbered = set(numbers)
    for entrant in state.entrants:
        numbers.setdefault(entrant.id, len(numbers) + 1)
    data = tournament(state, numbers)
    data["tournamentInfo"] = {"startDate": STARTS[rules]}
    for entrant in state.entrants:
        competitor = data["competitors"][numbers[entrant.id] - 1]
        competitor["rank"] = places[entrant.id] if places else 1
        if entrant.id not in numbered:
            competitor["rating"] = ANY_RATING
    order = ["RANK", "PTS", *codes]
    params = {**QUIET, "tiebreak": order, "check": False, "pre_determined": round_robin, "swiss": not round_robin}
    engine = tiebreak(data, state.number - 1, params)
    if unknown := [code for code in codes if code.split("/")[0] not in engine.tiebreaklist]:
        raise ValueError(f"Tie-breaks that FIDE does not have: {', '.join(unknown)}.")
    found = {row["cid"]: row["tiebreakScore"] for row in engine.compute_tiebreaks(data, params)["competitors"]}
    if {entrant: found[number][1] * 2 for entrant, number in numbers.items()} != state.scores():
        raise WrongStandings(f"The points after round {state.number - 1} are not those of the engine.")
    return {
        entrant.id: tuple(
            None if value is None or (entrant.id not in numbered and code == "TPN") else Decimal(value)
            for code, value in zip(codes, found[numbers[entrant.id]][2:], strict=True)
        )
        for entrant in state.entrants
    }


def tournament(state: State, numbers: Mapping[int, int]) -> dict[str, Any]:
    """The tournament as gacrux's TRF reader would have read it, of those who have one of the numbers 1 to N."""
    return {
        "tournamentNo": 1,
        "tournamentType": "Swiss",
        "tournamentInfo": {},
        "ratingList": "TRF",
        "numRounds": state.rounds,
        "currentRound": state.number - 1,
        "maxMeets": 1,
        "topColor": state.first_colour.upper(),
        "teamTournament": False,
        "teamSize": 0,
        "rankOrder": ["PTS"],
        "competitors": [
            {
                "cid": numbers[entrant.id],
                "profileId": numbers[entrant.id],
                "present": entrant.absent is None,
                "gamePoints": Decimal(entrant.score_halves(state.bye_halves)) / 2,
                "rank": numbers[entrant.id],
                "rating": {"list": "TRF", "rating": entrant.rating} if entrant.rating else None,
                "random": numbers[entrant.id],
            }
            for entrant in sorted(state.entrants, key=lambda entrant: numbers.get(entrant.id, 0))
            if entrant.id in numbers
        ],
        "scoreSystem": {
            "game": {
                "W": Decimal("1.0"),
                "D": Decimal("0.5"),
                "L": Decimal("0.0"),
                "F": "W",
                "H": "D",
                "Z": Decimal("0.0"),
                "P": Decimal(state.bye_halves) / 2,
                "A": "D",
                "U": "Z",
            },
            "match": {},
        },
        "gameList": [game | {"id": number} for number, game in enumerate(_games(state, numbers), start=1)],
        "matchList": [],
        "prohibited": [
            {"firstRound": 1, "lastRound": state.rounds, "competitors": sorted(numbers[player] for player in two)}
            for two in sorted(state.forbidden, key=sorted)
            if two <= numbers.keys()
        ],
        "accelerated": {
            "name": "Acc",
            "values": [
                {
                    "matchPoints": Decimal(0),
                    "gamePoints": Decimal(halves) / 2,
                    "firstRound": number,
                    "lastRound": number,
                    "firstCompetitor": numbers[entrant],
                    "lastCompetitor": numbers[entrant],
                }
                for entrant, virtual in state.acceleration.items()
                if entrant in numbers
                for number, halves in enumerate(virtual, start=1)
                if halves
            ],
        },
    }


def _games(state: State, numbers: Mapping[int, int]) -> Iterator[dict[str, Any]]:
    """Every round so far, a game or forfeit once, from White's side (of a forfeit without colours, the first's)."""
    histories = {entrant.id: entrant.history for entrant in state.entrants}
    for entrant in state.entrants:
        if entrant.id not in numbers:
            continue
        for index, played in enumerate(entrant.history):
            black = None
            if played.opponent is not None:
                other = histories[played.opponent][index]
                if not _is_white(played, numbers[entrant.id], numbers[played.opponent]):
                    continue
                black = {"cid": numbers[played.opponent], "result": RESULTS[other.code]}
            yield {
                "round": index + 1,
                "white": {"cid": numbers[entrant.id], "result": RESULTS[played.code]},
                "black": black,
                "played": played.code.is_played or played.code is Code.PAIRING_BYE,
                "rated": played.code in {Code.WIN, Code.DRAW, Code.LOSS},
            }


def _is_white(played: Played, number: int, opponent: int) -> bool:
    return number < opponent if played.colour is None else played.colour is Colour.WHITE
