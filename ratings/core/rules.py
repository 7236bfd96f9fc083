"""The dated rules of a rating list: which K, which expected score, which floor on a day."""

import datetime
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from ratings.core import elo, fide

FROM_THE_BEGINNING = datetime.date(1900, 1, 1)


class Kind(StrEnum):
    CONSTANT = "constant"
    PROVISIONAL = "provisional"
    FIDE = "fide"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a list, in force from a day on.

    `k`: the K-factor (constant and provisional). `provisional_k` holds for a player's first `provisional_games` games.
    `floor`: no rating falls below it; None for no floor. `juniors`: for FIDE K, all players are under 18.
    """

    from_day: datetime.date = FROM_THE_BEGINNING
    kind: Kind = Kind.CONSTANT
    k: int = 32
    provisional_k: int = 32
    provisional_games: int = 0
    juniors: bool = True
    floor: int | None = None

    def k_factor(self, *, rating: int, peak: int, games: int) -> int:
        """K for a player with this rating, highest rating and number of games before this one."""
        if self.kind == Kind.FIDE:
            return fide.k_factor(rating=rating, peak=peak, games=games, juniors=self.juniors)
        if self.kind == Kind.PROVISIONAL and games < self.provisional_games:
            return self.provisional_k
        return self.k

    def expected_score(self, rating: int, opponent: int) -> float | Fraction:
        """The expected score, 0 to 1, by Elo's formula or by FIDE's table."""
        if self.kind == Kind.FIDE:
            return fide.expected_score(rating, opponent)
        return elo.expected_score(rating, opponent)

    def top_up(self, rating: int) -> int:
        """The points that lift a rating to the floor; 0 above it."""
        return 0 if self.floor is None else max(0, self.floor - rating)


class Rules:
    """The rules of a list, asked by day."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        """At least one rule; no two from the same day."""
        self._rules = sorted(rules, key=lambda rule: rule.from_day)
        self._days = [rule.from_day for rule in self._rules]
        if not self._rules or len(set(self._days)) != len(self._days):
            raise ValueError("A rating list needs rules, each from another day.")

    def on(self, day: datetime.date) -> Rule:
        """The rule in force on a day; before the first rule's day the first rule."""
        return self._rules[max(0, bisect_right(self._days, day) - 1)]
