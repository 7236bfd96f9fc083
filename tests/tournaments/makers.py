"""Plain makers of tournaments, through the services as on the site."""

from __future__ import annotations

import random
from typing import Any

from classes.models import Classroom, Student, User
from tests.factories import lead_of, list_of, make_classroom, make_student
from tournaments.models import Entry, Pairing, Round, Tournament
from tournaments.services.events import create_tournament
from tournaments.services.results import enter_result
from tournaments.services.rounds import pair_next_round

R = Pairing.Result
NAMES = ("Ada", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ida", "Jon", "Kim", "Leo", "May", "Ned")


def make_tournament(classroom: Classroom | None = None, players: int | list[Student] = 4, **options: Any) -> Tournament:
    """A rated Swiss of this many new students (or of these), in the order of their names."""
    classroom = classroom or make_classroom()
    if isinstance(players, int):
        players = [
            make_student(classroom, NAMES[n % len(NAMES)] + ("" if n < len(NAMES) else str(n)), start=1000 - n)
            for n in range(players)
        ]
    fields = {"name": "Friday Swiss", "rounds": 3, "first_colour": "w", "chance": random.Random(1)}
    return create_tournament(
        school=classroom.school,
        classroom=classroom,
        rating_list=list_of(classroom),
        day=classroom.school.today(),
        students=players,
        by=lead_of(classroom.school).user,
        **fields | options,
    )


def lead(tournament: Tournament) -> User:
    return lead_of(tournament.school).user


def pair(tournament: Tournament, number: int | None = None, **options: Any) -> Any:
    """Pair the next round, today."""
    number = number or Round.objects.filter(tournament=tournament).count() + 1
    return pair_next_round(tournament, number=number, day=tournament.school.today(), by=lead(tournament), **options)


def boards(tournament: Tournament, number: int | None = None) -> list[Pairing]:
    """The boards of the last round, or of another; byes last."""
    rounds = Round.objects.filter(tournament=tournament)
    made = rounds.get(number=number) if number else rounds.order_by("number").last()
    pairings = Pairing.objects.filter(round=made).select_related(
        "round__tournament__rating_list", "white__student", "black__student", "game"
    )
    return sorted(pairings, key=lambda pairing: (pairing.board is None, pairing.board or 0, pairing.pk))


def enter(pairing: Pairing, result: str, was: str = R.OPEN, **options: Any) -> Pairing:
    tournament = pairing.round.tournament
    return enter_result(pairing, result=result, was=was, by=lead(tournament), **options)


def play_round(tournament: Tournament, results: str | list[str] = R.WHITE) -> Any:
    """Pair the next round and enter its results, board by board; one result for all boards, or a list."""
    answer = pair(tournament)
    there = [pairing for pairing in boards(tournament) if not pairing.is_bye]
    for pairing, result in zip(there, [results] * len(there) if isinstance(results, str) else results, strict=True):
        enter(pairing, result)
    return answer


def said(tournament: Tournament, number: int | None = None) -> list[str]:
    """A round in short: `Ada 10 Bo`, `Cleo U`."""

    def text(pairing: Pairing) -> str:
        if pairing.black is None:
            return f"{pairing.white.student.first_name} {pairing.result}"
        return f"{pairing.white.student.first_name} {pairing.result or '-'} {pairing.black.student.first_name}"

    return [text(pairing) for pairing in boards(tournament, number)]


def entry(tournament: Tournament, first_name: str) -> Entry:
    return Entry.objects.select_related("tournament__rating_list", "student").get(
        tournament=tournament, student__first_name=first_name
    )
