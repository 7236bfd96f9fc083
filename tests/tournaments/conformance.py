"""Positions of the conformance data in the database: stored as entries, rounds and results, paired from there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.db import transaction

from classes.models import Classroom, Enrollment, Student
from tests.factories import list_of
from tests.tournaments.positions import Position
from tournaments.core.trf import Acceleration, Bye, Cell, Forbidden, Player, Report
from tournaments.core.types import Code, Colour, NoPairing, Reason
from tournaments.models import Pairing, Tournament
from tournaments.services.exchange import import_tournament
from tournaments.services.rounds import pair_next_round

Boards = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """`boards`: White's and Black's number, 0 for the bye, in board order; None where there is no legal pairing."""

    position: Position
    boards: Boards | None

    @property
    def is_right(self) -> bool:
        wanted = self.position["pairings_2026"]
        return self.boards == (None if wanted is None else tuple((white, black) for white, black in wanted))


def make_pool(classroom: Classroom, players: int) -> list[Student]:
    """Students of a class, enough for every position."""
    students = Student.objects.bulk_create(
        Student(school=classroom.school, first_name=f"Player {number}") for number in range(players)
    )
    Enrollment.objects.bulk_create(Enrollment(student=student, classroom=classroom) for student in students)
    return students


def answers(positions: Iterable[Position], classroom: Classroom, pool: list[Student]) -> Iterator[Answer]:
    """Each position paired by the service; nothing of it stays."""
    for position in positions:
        with transaction.atomic():
            yield Answer(position, _paired(position, classroom, pool))
            transaction.set_rollback(True)


def _paired(position: Position, classroom: Classroom, pool: list[Student]) -> Boards | None:
    report = report_of(position)
    tournament = import_tournament(
        report,
        classroom=classroom,
        rating_list=list_of(classroom),
        name=position["tournament"],
        students={player.number: pool[player.number] for player in report.players},
        by=None,
    )
    made = pair_next_round(
        Tournament.objects.get(pk=tournament.pk), number=position["round"], day=tournament.day, by=None
    )
    if isinstance(made, NoPairing):
        assert made.reason is Reason.NO_LEGAL_PAIRING
        return None
    pairings = Pairing.objects.filter(round=made).order_by("board", "pk")
    rows = pairings.values_list("board", "result", "white__seed_order", "black__seed_order")
    boards = sorted(row for row in rows if row[0] is not None)
    byes = [
        (white, 0) for board, result, white, _black in rows if board is None and result == Pairing.Result.PAIRING_BYE
    ]
    absent = {white for board, result, white, _black in rows if board is None and result in ("H", "Z")}
    assert absent == {bye.player for bye in report.byes}
    return (*((white, black) for _board, _result, white, black in boards), *byes)


def report_of(position: Position) -> Report:
    """A position as a report, numbers and all.

    The data leave out whoever has no pairing number; somebody who is still to come is put last.
    """
    players = position["players"]
    to_come = len(players) + 1

    def cell(opponent: int | None, colour: str | None, code: str) -> Cell:
        return Cell(opponent, Colour(colour) if colour else None, Code(code))

    return Report(
        players=(
            *(
                Player(player["no"], rating=player["rating"], cells=tuple(cell(*each) for each in player["history"]))
                for player in players
            ),
            Player(to_come, cells=(Cell(),) * (position["round"] - 1)),
        ),
        rounds=position["n_rounds"],
        first_colour=Colour(position["initial_colour"]),
        byes=(
            *(Bye(position["round"], player["no"], Code(player["absent"])) for player in players if player["absent"]),
            Bye(position["round"], to_come, Code.ZERO_BYE),
        ),
        forbidden=tuple(Forbidden((one, other)) for one, other in position["forbidden"]),
        acceleration=tuple(
            Acceleration(int(number), tuple(int(2 * points) for points in virtual))
            for number, virtual in position["acceleration"].items()
        ),
    )
