"""What a small group's pairing must be, by trying everything; written apart from the engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tests.tournaments.positions import random_state, tournament
from tournaments.core import fewest_repeats
from tournaments.core.types import NoPairing, Pair, Paired, State

Split = list[tuple[int, ...]]  # couples, and at most one alone


def splits(players: list[int]) -> Iterator[Split]:
    """Every way to make couples of them, with one alone if they are odd."""
    if len(players) < 2:
        yield [tuple(players)] if players else []
        return
    first, *others = players
    if len(players) % 2:
        for rest in splits(others):
            yield [(first,), *rest]
    for other in others:
        for rest in splits([player for player in others if player != other]):
            yield [(first, other), *rest]


@dataclass(frozen=True, order=True)
class Value:
    """How good a pairing is, in the order in which it is decided; smaller is better."""

    byes_before: int
    score_of_bye: int
    repeats: int
    meetings: int
    last_games: int
    together: int
    differences: int


def value(state: State, split: Split, *, only_repeats: bool) -> Value | None:
    """None for a pairing of two who may never meet. `only_repeats`: look no further than at these."""
    entrants = {entrant.id: entrant for entrant in state.entrants}
    if any(frozenset(group) in state.forbidden for group in split):
        return None
    scores = state.scores()
    alone = next((group[0] for group in split if len(group) == 1), None)
    couples = [group for group in split if len(group) == 2]
    met = [entrants[one].met.count(two) for one, two in couples]
    bye = (sum(played.code in "UF+" for played in entrants[alone].history), scores[alone]) if alone else (0, 0)
    further = (
        sum(times**2 for times in met),
        sum(entrants[one].met[-1:] == (two,) or entrants[two].met[-1:] == (one,) for one, two in couples),
        sum(frozenset(couple) in state.apart for couple in couples),
        sum((scores[one] - scores[two]) ** 2 for one, two in couples),
    )
    return Value(*bye, sum(times > 0 for times in met), *((0,) * 4 if only_repeats else further))


def differs_from_best(state: State) -> str | None:
    """What is wrong with the engine's pairing, compared with all there are; None if nothing is."""
    answer = fewest_repeats.pair(state)
    looks_ahead = state.rounds > state.number  # then the further criteria come after the rounds to come
    values = [value(state, split, only_repeats=looks_ahead) for split in splits([e.id for e in state.present])]
    best = min((each for each in values if each is not None), default=None)
    if not state.present or best is None:
        return None if isinstance(answer, NoPairing) else f"paired what cannot be paired: {answer}"
    if isinstance(answer, NoPairing):
        return f"gave up: {answer.reason}"
    found = value(state, [pair.players for pair in answer.pairs], only_repeats=looks_ahead)
    if found != best:
        return f"{found} instead of {best}"
    if len(answer.repeats) != best.repeats:
        return f"names {answer.repeats} as repeats"
    return None


def wrong_in_random_states(seeds: range) -> list[str]:
    return [f"seed {seed}: {wrong}" for seed in seeds if (wrong := differs_from_best(random_state(seed)))]


@dataclass(frozen=True)
class Course:
    """How a whole tournament went: repeats, byes of each player (most first), and how many couples met."""

    repeats: int
    byes: tuple[int, ...]
    couples: int


def course(players: int, rounds: int, seed: int) -> Course:
    *played, (end, _) = tournament(fewest_repeats.pair, players, rounds, seed)
    byes = sorted((entrant.byes for entrant in end.entrants), reverse=True)
    met = {frozenset((entrant.id, opponent)) for entrant in end.entrants for opponent in entrant.met}
    return Course(sum(len(answer.repeats) for _, answer in played), tuple(byes), len(met))


def longest_run(colours: tuple[str, ...]) -> int:
    """The most games running with one colour."""
    longest = run = 1 if colours else 0
    for before, now in pairwise(colours):
        run = run + 1 if now == before else 1
        longest = max(longest, run)
    return longest


def pairs_of(answer: Paired | NoPairing) -> set[frozenset[int]]:
    """Who meets whom, without colours and without the bye."""
    assert isinstance(answer, Paired)
    return {frozenset(pair.players) for pair in answer.pairs if not pair.is_bye}


def boards(*texts: str) -> list[Pair]:
    """`"1-2"` is a board, `"5"` the bye."""
    return [Pair(*map(int, text.split("-"))) for text in texts]
