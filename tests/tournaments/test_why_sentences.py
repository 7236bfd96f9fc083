"""Why this pairing? The sentences, short and true for each way of pairing."""

from __future__ import annotations

import pytest

from tests.tournaments.makers import R, boards, enter, entry, make_tournament, pair, play_round, said
from tournaments.models import Absence, Round, Tournament
from tournaments.selectors.names import teacher_labels
from tournaments.selectors.states import load
from tournaments.selectors.why import why
from tournaments.services.entries import set_absence
from tournaments.services.rounds import swap_players

pytestmark = pytest.mark.django_db


def sentences(tournament: Tournament) -> list[str]:
    """Of the last round, board by board."""
    loaded = load(tournament)
    labels = teacher_labels(loaded.entries)
    return [why(loaded, pairing, labels) for pairing in boards(tournament)]


def test_the_rounds_of_a_swiss_by_the_fide_rules():
    tournament = make_tournament(players=5)
    set_absence(entry(tournament, "Dan"), number=2, kind=Absence.Kind.HALF)
    pair(tournament)
    assert said(tournament) == ["Ada - Cleo", "Dan - Bo", "Eve U"]
    upper = "In the first round the upper half of the order plays the lower half."
    assert sentences(tournament) == [
        f"{upper} Neither has played a game yet: the colours alternate down the list.",
        f"{upper} Neither has played a game yet: the colours alternate down the list.",
        "5 players are an odd number, and Eve has the bye: of those without a bye or a win by forfeit nobody has fewer "
        "points.",
    ]
    enter(boards(tournament)[0], R.WHITE)
    enter(boards(tournament)[1], R.BLACK)

    pair(tournament)

    assert said(tournament) == ["Eve - Ada", "Bo - Cleo", "Dan H"]
    assert sentences(tournament) == [
        "Both have 1 point. Ada was due Black.",
        "Bo has 1 and plays Cleo, who has 0: with 1 there are 3 players, an odd number, so one plays down. "
        "Both were due White; Bo stands higher.",
        "Dan was not to be paired in this round: half-point bye.",
    ]


def test_a_repeat_in_a_small_group():
    tournament = make_tournament(players=2, pairing_rule="small_group")
    play_round(tournament)
    pair(tournament)

    assert sentences(tournament) == [
        "Ada has 1 and plays Bo, who has 0: nobody else has 1. They have met before, in round 1. With a fair bye "
        "there is no pairing of this round with fewer repeats. Each gets the colour that is due."
    ]


def test_a_round_robin_goes_by_its_table():
    tournament = make_tournament(players=5, system=Tournament.System.ROUND_ROBIN)
    pair(tournament)

    assert sentences(tournament)[0] == (
        "Round 1 of the Berger table for 5 players: number 2, Bo, has White against number 5, Eve."
    )
    assert sentences(tournament)[-1] == ("In round 1 of the Berger table for 5 players number 1, Ada, is free.")


def test_what_was_changed_by_hand_or_read_from_a_file_is_not_explained_by_rules():
    tournament = make_tournament()
    made = pair(tournament)
    swap_players(tournament, one=entry(tournament, "Ada"), other=entry(tournament, "Cleo"), number=1)

    assert sentences(tournament)[0].startswith("This round was changed by hand, so the rules alone do not explain it.")
    assert "alternate" not in sentences(tournament)[0]
    Round.objects.filter(pk=made.pk).update(paired_by=Round.PairedBy.FILE)
    assert sentences(tournament)[0] == "The round was read from a file, with its pairings as they were made there."
