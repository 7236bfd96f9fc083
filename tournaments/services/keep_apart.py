"""Pairs of students who should not be paired."""

from __future__ import annotations

from classes.services import one_transaction
from tournaments.models import KeepApart


@one_transaction
def remove_pair(pair: KeepApart) -> None:
    """These two may be paired again. Nothing of the pair is kept."""
    pair.delete()
