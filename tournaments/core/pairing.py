"""The port: an engine is a function from a tournament to the pairs of its next round, and no answer is believed."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from tournaments.core.types import NoPairing, Pair, Paired, Reason, State, Two

Engine = Callable[[State], Paired | NoPairing]


class WrongPairing(Exception):
    """An engine gave an answer that breaks a rule: an internal error, nothing may be saved."""


def obstacle(state: State) -> NoPairing | None:
    """Why there is nothing to pair, whatever the engine.

    One player alone, the others absent for this round, is paired: with the bye. One who is left alone is not.
    """
    if not state.present or sum(not entrant.withdrawn for entrant in state.entrants) < 2:
        return NoPairing(Reason.NOT_ENOUGH_PLAYERS)
    if state.number > state.rounds:
        return NoPairing(Reason.ALL_ROUNDS_PAIRED)
    return None


def answer(state: State, pairs: Iterable[Pair], *, strict: bool = True) -> Paired:
    """An engine's pairs, audited, in board order, with a word on each repeat.

    `strict`: nobody meets twice (C.04.1 2), and nobody gets the bye who may not have it (C.04.1 4). WrongPairing where
    a rule is broken.
    """
    pairs = list(pairs)
    problems = _problems(state, pairs, strict=strict)
    if problems:
        raise WrongPairing(f"Round {state.number}: {'; '.join(problems)}.")
    met = _met(state)
    ordered = in_board_order(state, pairs)
    return Paired(
        pairs=ordered,
        repeats=tuple(pair for pair in ordered if frozenset(pair.players) in met),
        together=tuple(pair for pair in ordered if frozenset(pair.players) in state.apart),
    )


def in_board_order(state: State, pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """By the score of the higher ranked, of the other, the number of the higher ranked; the bye last (C.04.2 3.6)."""
    scores = state.scores()
    numbers = state.pairing_numbers()

    def key(pair: Pair) -> tuple[bool, int, int, int]:
        higher, *lower = sorted(pair.players, key=lambda player: (-scores[player], numbers[player]))
        return pair.is_bye, -scores[higher], -scores[lower[0]] if lower else 0, numbers[higher]

    return tuple(sorted(pairs, key=key))


def pair_softly(state: State, engine: Engine) -> Paired | NoPairing:
    """Pair so that `apart` is kept; where that leaves no legal pairing, without it.

    For engines that know only `forbidden`. `Paired.together` says who meets all the same.
    """
    if state.apart:
        kept = engine(replace(state, forbidden=state.forbidden | state.apart))
        if isinstance(kept, Paired):
            return kept
    return engine(state)


def _met(state: State) -> set[Two]:
    return {frozenset((entrant.id, opponent)) for entrant in state.entrants for opponent in entrant.met}


def _problems(state: State, pairs: list[Pair], *, strict: bool) -> list[str]:
    """Every rule that the pairs break."""
    present = {entrant.id for entrant in state.present}
    seats = Counter(player for pair in pairs for player in pair.players)
    problems = [f"{player} is not to be paired" for player in seats if player not in present]
    problems += [f"{player} has no place" for player in sorted(present - seats.keys())]
    problems += [f"{player} stands there {count} times" for player, count in seats.items() if count > 1]
    games = [pair for pair in pairs if not pair.is_bye]
    met = _met(state) if strict else set()
    for pair in games:
        if frozenset(pair.players) in met:
            problems.append(f"{pair.white} and {pair.black} have played before")
        if frozenset(pair.players) in state.forbidden:
            problems.append(f"{pair.white} and {pair.black} may not meet")
    byes = [pair.white for pair in pairs if pair.is_bye]
    if len(byes) > 1:
        problems.append(f"there are {len(byes)} byes")
    if byes and len(present) % 2 == 0:
        problems.append(f"a bye for {byes[0]} with an even number of players")
    if strict:
        barred = {entrant.id for entrant in state.entrants if entrant.byes}
        problems += [f"{player} may not have the bye again" for player in byes if player in barred]
    return problems
