"""How far somebody is in a set of exercises: ten right ones in a row finish it."""

from __future__ import annotations

from dataclasses import dataclass

STREAK = 10


@dataclass(frozen=True, slots=True)
class Progress:
    """A set in the making. `key` names it for good; `tries` counts the exercises answered, `mistakes` the wrong ones.

    `due`: the seed of the exercise that counts next, None while any may be the first. It is drawn by the server: an
    exercise of the own choice, or one that was answered before, is marked but moves nothing.
    """

    key: str
    due: int | None = None
    streak: int = 0
    tries: int = 0
    mistakes: int = 0

    def counts(self, seed: int) -> bool:
        return self.due is None or self.due == seed

    def after(self, *, right: bool, due: int) -> Progress:
        """The set after the exercise that was due; `due` is the next one. A mistake begins the row anew."""
        streak = self.streak + 1 if right else 0
        return Progress(self.key, due, streak, self.tries + 1, self.mistakes + (not right))

    @property
    def is_finished(self) -> bool:
        return self.streak >= STREAK
