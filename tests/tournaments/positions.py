"""Positions to pair: from the conformance data, and drawn by a seed."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tournaments.core.pairing import Engine
from tournaments.core.types import Code, Colour, Entrant, NoPairing, Pair, Paired, Played, State, twos

SAMPLE = Path(__file__).parents[1] / "data" / "pairings_sample.json.gz"
NOT_ARRIVED = 10_000  # an id that the data do not use
GAMES = (("1", "0"), ("=", "="), ("0", "1"))
FORFEITS = (("+", "-"), ("-", "+"), ("-", "-"))

Position = dict[str, Any]  # one round of the conformance data, with its tournament's name, rounds and first colour


def read(path: Path) -> list[Position]:
    with gzip.open(path) as file:
        return json.load(file)["rounds"]


def state_of(position: Position) -> State:
    """A position of the conformance data.

    The data leave out whoever has no pairing number; somebody who is still to come is put first, to see that this
    changes nothing.
    """
    ids = {player["no"]: player["id"] for player in position["players"]}

    def entrant(player: dict[str, Any]) -> Entrant:
        history = tuple(
            Played(ids[opponent] if opponent else None, Colour(colour) if colour else None, Code(code))
            for opponent, colour, code in player["history"]
        )
        absent = Code(player["absent"]) if player["absent"] else None
        return Entrant(player["id"], player["rating"], history, absent)

    missed = (Played(None, None, Code.ZERO_BYE),) * (position["round"] - 1)
    not_arrived = Entrant(NOT_ARRIVED, 3000, missed, Code.ZERO_BYE)
    return State(
        entrants=(not_arrived, *map(entrant, position["players"])),
        rounds=position["n_rounds"],
        first_colour=Colour(position["initial_colour"]),
        forbidden=twos((ids[one], ids[two]) for one, two in position["forbidden"]),
        acceleration={
            ids[int(number)]: tuple(int(2 * points) for points in virtual)
            for number, virtual in position["acceleration"].items()
        },
    )


def expected(position: Position) -> tuple[Pair, ...] | None:
    """What the oracle paired, in board order; None for no legal pairing."""
    if position["pairings_2026"] is None:
        return None
    ids = {player["no"]: player["id"] for player in position["players"]}
    return tuple(Pair(ids[white], ids.get(black)) for white, black in position["pairings_2026"])


def history(*rounds: str) -> tuple[Played, ...]:
    """Rounds as a report file writes them: `"2w1"` won with White against 2, `"U"` the bye."""

    def played(text: str) -> Played:
        if len(text) == 1:
            return Played(None, None, Code(text))
        return Played(int(text[:-2]), Colour(text[-2]), Code(text[-1]))

    return tuple(map(played, rounds))


def after(players: int, *rounds: str, **options: Any) -> State:
    """A tournament of players 1, 2, ... after rounds such as `"1-2 4=3 5"`: White, the result, Black.

    The result is `-` White won, `=` drawn, `<` Black won, `+` Black did not come; a single number has the bye. Who is
    not named was absent.
    """
    codes = {"-": ("1", "0"), "=": ("=", "="), "<": ("0", "1"), "+": ("+", "-")}
    histories: dict[int, list[Played]] = {player: [] for player in range(1, players + 1)}
    for number, boards in enumerate(rounds):
        for board in boards.split():
            sign = next((sign for sign in codes if sign in board), None)
            if sign is None:
                histories[int(board)].append(Played(None, None, Code.PAIRING_BYE))
                continue
            white, black = map(int, board.split(sign))
            histories[white].append(Played(black, Colour.WHITE, Code(codes[sign][0])))
            histories[black].append(Played(white, Colour.BLACK, Code(codes[sign][1])))
        for played in histories.values():
            if len(played) == number:
                played.append(Played(None, None, Code.ZERO_BYE))
    absent = options.pop("absent", {})
    options.setdefault("rounds", len(rounds) + 1)
    return State(
        tuple(Entrant(player, 800, tuple(played), absent.get(player)) for player, played in histories.items()),
        **options,
    )


def played_on(state: State, pairs: tuple[Pair, ...], chance: random.Random, *, games: Any = GAMES) -> State:
    """The state after these pairs have been played, with results by chance."""
    played: dict[int, Played] = {}
    for pair in pairs:
        if pair.black is None:
            played[pair.white] = Played(None, None, Code.PAIRING_BYE)
            continue
        white, black = chance.choice(games)
        played[pair.white] = Played(pair.black, Colour.WHITE, Code(white))
        played[pair.black] = Played(pair.white, Colour.BLACK, Code(black))
    entrants = tuple(
        replace(entrant, history=(*entrant.history, played.get(entrant.id, _absent(entrant))))
        for entrant in state.entrants
    )
    return replace(state, entrants=entrants)


def _absent(entrant: Entrant) -> Played:
    return Played(None, None, entrant.absent or Code.ZERO_BYE)


def tournament(
    engine: Engine, players: int, rounds: int, seed: int, *, games: Any = GAMES
) -> Iterator[tuple[State, Paired]]:
    """A tournament to its end, or to the round that cannot be paired: every round before it is played, and its pairs.

    At the very end once more the state, with no pairs.
    """
    chance = random.Random(seed)
    state = State(tuple(Entrant(player, 800) for player in range(1, players + 1)), rounds)
    for _ in range(rounds):
        answer = engine(state)
        if isinstance(answer, NoPairing):
            return
        yield state, answer
        state = played_on(state, answer.pairs, chance, games=games)
    yield state, Paired(())


def random_state(seed: int) -> State:
    """4 to 8 players after some rounds that were paired by chance: repeats, forfeits, absences, keep-apart pairs."""
    chance = random.Random(seed)
    players = chance.randint(4, 8)
    state = State(tuple(Entrant(player, 800) for player in range(1, players + 1)), rounds=99)
    past = chance.randint(0, 7)
    for _ in range(past):
        there = [player for player in range(1, players + 1) if chance.random() > 0.05]
        chance.shuffle(there)
        boards = [Pair(*there[place : place + 2]) for place in range(0, len(there), 2)]
        state = played_on(state, tuple(boards), chance, games=(*GAMES, *GAMES, *FORFEITS))
    couples = [(one, two) for one in range(1, players + 1) for two in range(1, one)]
    entrants = [
        Entrant(entrant.id, 800, entrant.history, Code.ZERO_BYE if chance.random() < 0.1 else None)
        for entrant in state.entrants
    ]
    return State(
        tuple(entrants),
        rounds=past + chance.choice((1, 1, 2, 4)),
        forbidden=twos(chance.sample(couples, chance.choice((0, 0, 0, 1, 2)))),
        apart=twos(chance.sample(couples, chance.choice((0, 0, 1, 2)))),
        bye_halves=chance.choice((0, 1, 2)),
    )
