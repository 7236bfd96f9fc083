"""What fits how many players: which system, how many rounds, and where a Swiss would soon need a repeat."""

from dataclasses import dataclass
from enum import StrEnum

from tournaments.core import berger

USUAL_ROUNDS = 5  # they leave one winner of up to 32 players
SMALL_GROUP = 10  # up to here a Swiss is paired by the rules for small groups, unless the teacher wants FIDE's
LONG_ROUND_ROBIN = 9  # rounds; a longer one is no longer an afternoon's or a term's
# Players -> the first round for which a Swiss often has no pairing without a repeat, and in how many of 100
# tournaments, with everybody there in every round.
TROUBLE = {5: (4, 29), 6: (4, 32), 7: (6, 12), 8: (6, 20)}


class System(StrEnum):
    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    DOUBLE_ROUND_ROBIN = "double_round_robin"


class Fit(StrEnum):
    """How a system and a number of rounds suit the players."""

    TOO_FEW_PLAYERS = "too few players"
    MEETS_EVERYONE = "a round robin: everyone meets everyone"
    LONG = "a round robin of many rounds"
    FITS = "a Swiss without a repeat, with one winner"
    AS_ROUND_ROBIN = "as many rounds as a round robin, without trouble"
    AS_ROUND_ROBIN_WITH_REPEAT = "as many rounds as a round robin, but a repeat may come"
    MAY_REPEAT = "a repeat may come"
    MUST_REPEAT = "more rounds than opponents"
    FEW_ROUNDS = "several players may end with every point"


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that fits better, to be taken with one tap."""

    system: System
    rounds: int


@dataclass(frozen=True, slots=True)
class Advice:
    """`rounds`: as asked for, or of the table. `repeat_from`: the round in which a repeat may come, or must come.

    `chance`: in how many of 100 tournaments; 0 where it was never counted. `all_met`: the rounds in which everyone can
    meet everyone once.
    """

    players: int
    rounds: int
    fit: Fit
    repeat_from: int = 0
    chance: int = 0
    all_met: int = 0
    offers: tuple[Offer, ...] = ()


def rounds_until_all_met(players: int) -> int:
    """The rounds of a round robin: in so many everyone can meet everyone once."""
    return max(players - 1 + players % 2, 1) if players > 1 else 0


def rounds_for_one_winner(players: int) -> int:
    """After so many rounds of a Swiss without draws only one player can have every point."""
    return max((players - 1).bit_length(), 1)


def usual_rounds(players: int) -> int:
    """The rounds to propose for a Swiss: five, more for more than 32 players, never more than there are opponents."""
    wanted = max(USUAL_ROUNDS, rounds_for_one_winner(players))
    return max(min(wanted, rounds_until_all_met(players)), 1)


def is_small_group(players: int) -> bool:
    """Is a Swiss of so many better paired by the rules for small groups?"""
    return players <= SMALL_GROUP


def advise(players: int, *, system: System, rounds: int) -> Advice:
    """How a system suits so many players. `rounds` (from 1): of a Swiss; a round robin has those of its table."""
    all_met = rounds_until_all_met(players)
    if players < 2:
        return Advice(players, rounds, Fit.TOO_FEW_PLAYERS)
    if system is not System.SWISS:
        length = len(berger.table(players, double=system is System.DOUBLE_ROUND_ROBIN))
        if length > LONG_ROUND_ROBIN:
            shorter = _shorter_than_a_table(players, system, all_met)
            return Advice(players, length, Fit.LONG, all_met=all_met, offers=shorter)
        return Advice(players, length, Fit.MEETS_EVERYONE, all_met=all_met)
    return _advise_swiss(players, rounds, all_met)


def _shorter_than_a_table(players: int, system: System, all_met: int) -> tuple[Offer, ...]:
    if system is System.DOUBLE_ROUND_ROBIN and all_met <= LONG_ROUND_ROBIN:
        return (Offer(System.ROUND_ROBIN, all_met),)
    return (Offer(System.SWISS, usual_rounds(players)),)


def _advise_swiss(players: int, rounds: int, all_met: int) -> Advice:
    round_robin = Offer(System.ROUND_ROBIN, all_met)
    first, chance = TROUBLE.get(players, (0, 0))
    in_trouble = 0 < first <= rounds
    if rounds > all_met:
        twice = Offer(System.DOUBLE_ROUND_ROBIN, len(berger.table(players, double=True)))
        offers = (round_robin, twice) if rounds >= twice.rounds else (round_robin,)
        return Advice(players, rounds, Fit.MUST_REPEAT, repeat_from=all_met + 1, all_met=all_met, offers=offers)
    if rounds == all_met:
        fit = Fit.AS_ROUND_ROBIN_WITH_REPEAT if players > min(TROUBLE) - 1 else Fit.AS_ROUND_ROBIN
        return Advice(players, rounds, fit, first if in_trouble else 0, chance, all_met, (round_robin,))
    if in_trouble:
        return Advice(players, rounds, Fit.MAY_REPEAT, first, chance, all_met, (round_robin,))
    if rounds < rounds_for_one_winner(players):
        usual = usual_rounds(players)
        more = round_robin if usual == all_met else Offer(System.SWISS, usual)
        return Advice(players, rounds, Fit.FEW_ROUNDS, all_met=all_met, offers=(more,))
    return Advice(players, rounds, Fit.FITS, all_met=all_met)
