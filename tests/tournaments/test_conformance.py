"""FIDE pairing through the database: the oracle's answers, from entries, rounds and results that were stored.

`make prove-pairings` runs this with all the rounds there are (PROVE_PAIRINGS names their folder).
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from tests.factories import make_classroom
from tests.prove_pairings import positions
from tests.tournaments.conformance import answers, make_pool
from tests.tournaments.positions import SAMPLE, read


@pytest.mark.django_db
@pytest.mark.long
def test_stored_tournaments_are_paired_as_the_oracle_pairs_them() -> None:
    folder = os.environ.get("PROVE_PAIRINGS")
    everything = positions(Path(folder)) if folder else read(SAMPLE)
    classroom = make_classroom()
    pool = make_pool(classroom, 2 + max(len(position["players"]) for position in everything))

    counts: Counter[str] = Counter()
    wrong = []
    for answer in answers(everything, classroom, pool):
        counts["paired" if answer.boards else "without a legal pairing"] += 1
        if not answer.is_right:
            wrong.append((answer.position["tournament"], answer.position["round"], answer.boards))
    print(f"Through the database: {len(everything)} rounds, {dict(counts)}, {len(wrong)} wrong")

    assert wrong == []
    assert counts["without a legal pairing"] >= 50
