"""What must be true of a tournament's rows, and the violations there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ratings.models import Game
from tournaments.mapping import RESULTS_OF_GAMES
from tournaments.models import Entry, Pairing, Round, Seat, Tournament


def violations(tournament: Tournament) -> list[str]:
    """Every rule that a tournament's rows break, in plain English for who looks after the server."""
    return [f"Tournament {tournament.pk}: {found}." for found in _violations(tournament)]


def _violations(tournament: Tournament) -> Iterator[str]:
    entries = list(Entry.objects.filter(tournament=tournament).order_by("seed_order"))
    rounds = list(Round.objects.filter(tournament=tournament).order_by("number"))
    pairings = list(Pairing.objects.filter(round__tournament=tournament).select_related("round", "game"))
    if [entry.seed_order for entry in entries] != list(range(1, len(entries) + 1)):
        yield "the order at the start has gaps"
    if [made.number for made in rounds] != list(range(1, len(rounds) + 1)):
        yield "rounds are missing or there twice"
    yield from _seats(entries, rounds, pairings)
    for made in rounds:
        boards = sorted(pairing.board for pairing in pairings if pairing.round_id == made.pk and pairing.board)
        if boards != list(range(1, len(boards) + 1)):
            yield f"the boards of round {made.number} are {boards}"
        if made != rounds[-1] and any(pairing.is_open for pairing in pairings if pairing.round_id == made.pk):
            yield f"round {made.number} lacks results, and round {made.number + 1} is paired"
    for pairing in pairings:
        yield from _game(tournament, pairing, {entry.pk: entry.student_id for entry in entries})


def _seats(entries: list[Entry], rounds: list[Round], pairings: list[Pairing]) -> Iterator[str]:
    """Everybody has one place in every round, and the seats say the same as the boards."""
    seats = set(Seat.objects.filter(round__in=rounds).values_list("round_id", "entry_id", "pairing_id"))
    seated = {
        (pairing.round_id, player, pairing.pk)
        for pairing in pairings
        for player in (pairing.white_id, pairing.black_id)
        if player is not None
    }
    if seats != seated:
        yield "the seats are not those of the boards"
    places = Counter((made, player) for made, player, _pairing in seated)
    for made in rounds:
        for entry in entries:
            if places[made.pk, entry.pk] != 1:
                yield f"entry {entry.pk} has {places[made.pk, entry.pk]} places in round {made.number}"


def _game(tournament: Tournament, pairing: Pairing, students: dict[int, int]) -> Iterator[str]:
    """What the board says is what the ledger has."""
    game, where = pairing.game, f"board {pairing.board} of round {pairing.round.number}"
    if tournament.cancelled_at is not None:
        return
    if game is None:
        if tournament.rated and pairing.is_played:
            yield f"{where} was played and is not in the ledger"
        return
    if (game.white_id, game.black_id) != (students[pairing.white_id], students.get(pairing.black_id or 0)):
        yield f"{where} has other players than its game {game.pk}"
    if game.is_void == pairing.is_played:
        yield f"{where} and its game {game.pk} do not agree on whether it was played"
    elif pairing.is_played and RESULTS_OF_GAMES[Pairing.Result(pairing.result)] != game.result:
        yield f"{where} has another result than its game {game.pk}"
    if game.day != pairing.round.day or game.rating_list_id != tournament.rating_list_id:
        yield f"{where} has another day or rating list than its game {game.pk}"
    if game.origin != Game.Origin.TOURNAMENT:
        yield f"{where} has a game that says it is casual"
