"""The audit of tournaments: silent on what the services made, and each kind of damage is found."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F

from ratings.models import Game
from ratings.services import void_game
from tests.tournaments.makers import R, boards, enter, entry, lead, make_tournament, pair, play_round
from tournaments.core.types import Code
from tournaments.models import Entry, Pairing, Round, Seat, Tournament
from tournaments.selectors.audit import violations
from tournaments.services.entries import remove_entry, withdraw
from tournaments.services.rounds import swap_players, take_off_board

pytestmark = pytest.mark.django_db


def test_what_the_services_made_is_sound(capsys):
    tournament = make_tournament(players=9, rounds=5)
    remove_entry(entry(tournament, "Ida"))
    play_round(tournament, [R.WHITE, R.WHITE_FORFEIT, R.DRAW, R.UNPLAYED])
    enter(boards(tournament)[0], R.BLACK_FORFEIT, was=R.WHITE)
    pair(tournament)
    swap_players(tournament, one=entry(tournament, "Ada"), other=entry(tournament, "Bo"), number=2)
    take_off_board(tournament, entry=entry(tournament, "Cleo"), number=2, bye=Code.HALF_BYE)
    withdraw(entry(tournament, "Dan"), by=lead(tournament), forfeits=False)

    assert violations(tournament) == []
    call_command("audit_tournaments")
    assert capsys.readouterr().out == "1 tournament: no violations\n"


DAMAGE: dict[str, tuple[str, Callable[[Tournament], object]]] = {
    "a gap in the order": (
        "gaps",
        lambda t: Entry.objects.filter(tournament=t, seed_order=4).update(seed_order=9),
    ),
    "a missing round": ("rounds are missing", lambda t: Round.objects.filter(tournament=t, number=1).update(number=3)),
    "a lost seat": ("the seats are not", lambda t: Seat.objects.first().delete()),
    "a lost board": ("has 0 places", lambda t: Pairing.objects.filter(round__number=2)[0].delete()),
    "a board number twice": ("the boards of round 2", lambda t: Pairing.objects.filter(board=2).update(board=3)),
    "a result taken out under a later round": (
        "lacks results",
        lambda t: Pairing.objects.filter(round__number=1).update(result="", game=None),
    ),
    "a game lost": ("is not in the ledger", lambda t: Pairing.objects.filter(board=1).update(game=None)),
    "a game voided by itself": (
        "do not agree",
        lambda t: void_game(Game.objects.first(), by=lead(t), reason="Wrong page"),
    ),
    "a result changed by itself": (
        "another result",
        lambda t: Pairing.objects.filter(round__number=1).update(result=R.DRAW),
    ),
    "players exchanged": (
        "other players",
        lambda t: Game.objects.filter(pk=Game.objects.first().pk).update(white=F("black"), black=F("white")),
    ),
    "a day changed": (
        "another day",
        lambda t: Round.objects.filter(number=1).update(day=datetime.date(2020, 1, 1)),
    ),
    "a game let go": ("casual", lambda t: Game.objects.update(origin="casual")),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_found(damage: str):
    tournament = make_tournament(players=4)
    play_round(tournament)
    pair(tournament)
    sentence, do = DAMAGE[damage]

    do(tournament)

    assert any(sentence in line for line in violations(tournament)), violations(tournament)
    with pytest.raises(CommandError, match="not sound"):
        call_command("audit_tournaments")
