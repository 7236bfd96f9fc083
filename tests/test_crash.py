"""The server is killed while it writes: nothing that was acknowledged is lost, nothing is recorded twice."""

from __future__ import annotations

import os

import pytest

from tests import crash

pytestmark = [pytest.mark.database, pytest.mark.long]

POSTGRES = os.environ.get("DATABASE_URL", "")  # empty: SQLite, in a data folder of its own
TRIALS = 5 if POSTGRES else 20  # only the server is killed here: what PostgreSQL does is for PostgreSQL to prove


def test_no_acknowledged_game_is_lost_or_doubled_by_a_kill(capsys):
    with capsys.disabled():
        counts = crash.run(trials=TRIALS, postgres=POSTGRES)

    assert (counts.lost, counts.doubled, counts.missing, counts.violations) == (0, 0, 0, 0)
    assert counts.trials == TRIALS
    assert counts.acknowledged >= TRIALS * crash.TABLETS  # at the least the first game of every tablet
    assert counts.resubmitted > 0


def test_answering_before_the_commit_is_found():
    counts = crash.run(trials=2, tablets=3, application=crash.HASTY)

    assert counts.lost > 0


@pytest.mark.prove
def test_forgetting_keys_is_found():
    counts = crash.run(trials=2, application=crash.FORGETFUL)

    assert counts.already_there > 0
    assert counts.doubled > 0
