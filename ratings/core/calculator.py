"""What the calculator reckons by Elo's formula: one game with its three results, and a player's games in a row.

`change` and `after` are exact; `whole` is what a rating list keeps.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ratings.core.elo import DRAW, LOSS, WIN, expected_score, game_changes, rating_change
from ratings.core.performance import Performance, linear_performance, performance


@dataclass(frozen=True, slots=True)
class Side:
    """A player in a game that is reckoned: the rating before, the change, and both as a list would keep them."""

    before: int
    change: float
    whole_change: int

    @property
    def after(self) -> float:
        return self.before + self.change

    @property
    def whole_after(self) -> int:
        return self.before + self.whole_change


@dataclass(frozen=True, slots=True)
class Outcome:
    """One of the three results. `score_halves` is White's."""

    score_halves: int
    white: Side
    black: Side


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two ratings and K: what is expected, and what each result does. `favourite_gains`: points of a whole list."""

    white_expected: float
    black_expected: float
    outcomes: tuple[Outcome, ...]
    favourite_gains: int


def compare(white: int, black: int, k: int) -> Comparison:
    """The three results of one game."""
    white_expected, black_expected = expected_score(white, black), expected_score(black, white)
    outcomes = []
    for score_halves in (WIN, DRAW, LOSS):
        change = _exact_change(k, score_halves, white_expected)
        whole_white, whole_black = game_changes(
            k_white=k,
            k_black=k,
            score_halves=score_halves,
            white_expected=white_expected,
            black_expected=black_expected,
        )
        outcomes.append(Outcome(score_halves, Side(white, change, whole_white), Side(black, -change, whole_black)))
    favourite_gains = rating_change(k, WIN, max(white_expected, black_expected))
    return Comparison(white_expected, black_expected, tuple(outcomes), favourite_gains)


@dataclass(frozen=True, slots=True)
class ReplayedGame:
    """A game of a row: the rating before it is the one after the game before."""

    opponent: int
    score_halves: int
    expected: float
    side: Side


@dataclass(frozen=True, slots=True)
class Replay:
    """A player's games in a row. `at_once`: the exact change with every game rated from the rating before the first.

    `linear`: the performance by the linear rule.
    """

    games: tuple[ReplayedGame, ...]
    before: int
    after: int
    expected: float
    at_once: float
    performance: Performance
    linear: int

    @property
    def change(self) -> int:
        return self.after - self.before

    @property
    def score_halves(self) -> int:
        return sum(game.score_halves for game in self.games)


def replay_games(rating: int, k: int, games: Sequence[tuple[int, int]]) -> Replay:
    """A player's games one after the other, each (opponent, score halves); at least one.

    Every game is rounded to a whole number, as a rating list does.
    """
    replayed = []
    now = rating
    for opponent, score_halves in games:
        expected = expected_score(now, opponent)
        side = Side(now, _exact_change(k, score_halves, expected), rating_change(k, score_halves, expected))
        replayed.append(ReplayedGame(opponent, score_halves, expected, side))
        now = side.whole_after
    opponents = [opponent for opponent, _ in games]
    score_halves = sum(halves for _, halves in games)
    expected = sum(expected_score(rating, opponent) for opponent in opponents)
    found = performance(opponents, score_halves)
    if found is None:
        raise ValueError("There is no game.")
    return Replay(
        games=tuple(replayed),
        before=rating,
        after=now,
        expected=expected,
        at_once=_exact_change(k, score_halves, expected),
        performance=found,
        linear=linear_performance(opponents, score_halves),
    )


def _exact_change(k: int, score_halves: int, expected: float) -> float:
    return k * (score_halves / 2 - expected)
