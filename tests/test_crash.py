"""The server is killed while it writes: nothing that was acknowledged is lost, nothing is recorded twice."""

from __future__ import annotations

import os

import pytest

from tests import crash

pytestmark = [pytest.mark.database, pytest.mark.long]

POSTGRES = os.environ.get("DATABASE_URL", "")  # empty: SQLite, in a data folder of its own


def test_no_acknowledged_game_is_lost_or_doubled_by_twenty_kills(capsys):
    with capsys.disabled():
        counts = crash.run(trials=20, postgres=POSTGRES)

    assert (counts.trials, counts.lost, counts.doubled, counts.missing, counts.violations) == (20, 0, 0, 0, 0)
    assert counts.acknowledged >= 20 * crash.TABLETS  # the first game of every tablet, at the least
    assert counts.resubmitted > 0


def test_answering_before_the_commit_is_found():
    counts = crash.run(trials=3, application=crash.HASTY, postgres=POSTGRES)

    assert counts.lost > 0


@pytest.mark.prove
def test_forgetting_keys_is_found():
    counts = crash.run(trials=3, application=crash.FORGETFUL, postgres=POSTGRES)

    assert counts.already_there > 0
    assert counts.doubled > 0
