"""Pairing by the FIDE Dutch rules (C.04.3, in force from 1 February 2026). The one file that knows gacrux.

gacrux pairs a dict, the one that its own TRF reader builds. What it would do silently is seen to here: it drops players
whose numbers are not 1 to N, draws the first colour, goes on beyond the declared rounds, and gives players a random
number. Its answer is audited like any other.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from gacrux.gacruxexeptions import GacruxNoLegalPairing
from gacrux.pairingdutch import pairing_dutch

from tournaments.core.pairing import answer, obstacle
from tournaments.core.types import Code, Colour, NoPairing, Pair, Paired, Played, Reason, State

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


def pair(state: State) -> Paired | NoPairing:
    """The next round by the Dutch rules, `forbidden` kept; `apart` is not looked at (see `pair_softly`)."""
    if nothing := obstacle(state):
        return nothing
    numbers = state.pairing_numbers()
    engine = pairing_dutch(tournament(state), state.number, QUIET)
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


def tournament(state: State) -> dict[str, Any]:
    """The tournament as gacrux's TRF reader would have read it. Numbers are pairing numbers, 1 to N."""
    numbers = state.pairing_numbers()
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
            for entrant in state.entrants
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


def _games(state: State, numbers: dict[int, int]) -> Iterator[dict[str, Any]]:
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
