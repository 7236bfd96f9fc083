"""Places with ties."""

from collections.abc import Sequence


def shared_ranks(values: Sequence[int]) -> list[int]:
    """The places of values sorted from high to low; equal values share a place: 830 815 815 800 -> 1 2 2 4."""
    ranks: list[int] = []
    for index, value in enumerate(values):
        ranks.append(ranks[-1] if index and value == values[index - 1] else index + 1)
    return ranks
