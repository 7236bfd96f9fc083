"""The tournaments of the demo school: one that is over and one that is being played, through the services."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from classes.models import Classroom, Student, User
from ratings.models import Game, RatingList
from tournaments.models import Absence, Entry, Pairing, Tournament
from tournaments.services.entries import enter_students, set_absence, withdraw
from tournaments.services.events import create_tournament, finish_tournament
from tournaments.services.results import enter_result
from tournaments.services.rounds import pair_next_round


@dataclass(frozen=True, slots=True)
class CupPlan:
    """A Swiss. Players are numbers in the class's list of students.

    `days`: of each round that is played, counted back from the class's last day, which is 0. `late`: the first round
    of whoever comes late. `absent`: rounds that somebody misses. `left`: after which round somebody withdraws.
    `open_boards`: of the last of these rounds, without a result yet; that of the first player is one.
    """

    classroom: int
    name: str
    players: tuple[int, ...]
    rounds: int
    days: tuple[int, ...]
    late: Mapping[int, int] = field(default_factory=dict)
    absent: Mapping[int, int] = field(default_factory=dict)
    left: Mapping[int, int] = field(default_factory=dict)
    open_boards: int = 0


CUPS = (
    CupPlan(
        classroom=1,
        name="Club Swiss",
        players=tuple(range(12)),
        rounds=5,
        days=(5, 5, 4, 4, 3),
        late={7: 2},
        absent={4: 3},
        left={10: 3},
    ),
    CupPlan(
        classroom=0,
        name="Room 12 Swiss",
        players=tuple(range(14)),
        rounds=5,
        days=(2, 1, 0),
        absent={5: 2},
        open_boards=4,
    ),
)

CODES = {
    Game.Result.WHITE.value: Pairing.Result.WHITE,
    Game.Result.DRAW.value: Pairing.Result.DRAW,
    Game.Result.BLACK.value: Pairing.Result.BLACK,
}
Draw = Callable[[int, int], str]  # White's and Black's rating -> the result of a Game


class Cup:
    """A tournament as it is played, day after day. The same for the same students, ratings and `chance`."""

    def __init__(
        self,
        plan: CupPlan,
        classroom: Classroom,
        students: Sequence[Student],
        days: Sequence[datetime.date],
        *,
        by: User,
        chance: random.Random,
        draw: Draw,
    ) -> None:
        """`days`: those on which the class plays, the last one last."""
        self._plan, self._classroom, self._students = plan, classroom, students
        self._days = [days[-1 - back] for back in plan.days]
        self._by, self._chance, self._draw = by, chance, draw
        self._tournament: Tournament | None = None

    def play(self, day: datetime.date, rating_list: RatingList) -> None:
        """The rounds of a day."""
        for number, its_day in enumerate(self._days, start=1):
            if its_day == day:
                tournament = self._tournament or self._create(rating_list)
                self._tournament = tournament
                self._play_round(tournament, number)

    def _create(self, rating_list: RatingList) -> Tournament:
        there = [self._students[player] for player in self._plan.players if player not in self._plan.late]
        return create_tournament(
            school=self._classroom.school,
            classroom=self._classroom,
            rating_list=rating_list,
            name=self._plan.name,
            day=self._days[0],
            rounds=self._plan.rounds,
            students=there,
            by=self._by,
            chance=self._chance,
        )

    def _play_round(self, tournament: Tournament, number: int) -> None:
        plan = self._plan
        if late := [self._students[player] for player, first in plan.late.items() if first == number]:
            enter_students(tournament, late)
        for player in (player for player, missed in plan.absent.items() if missed == number):
            set_absence(self._entry(tournament, player), number=number, kind=Absence.Kind.ZERO)
        pair_next_round(tournament, number=number, day=self._days[number - 1], by=self._by)
        self._enter_results(tournament, number)
        for player in (player for player, last in plan.left.items() if last == number):
            withdraw(self._entry(tournament, player), by=self._by)
        if number == plan.rounds:
            finish_tournament(tournament)

    def _enter_results(self, tournament: Tournament, number: int) -> None:
        boards = list(
            Pairing.objects.filter(round__tournament=tournament, round__number=number, board__isnull=False)
            .select_related("round__tournament__rating_list__school", "white__student", "black__student", "game")
            .order_by("board")
        )
        if number == len(self._days) and self._plan.open_boards:
            first = self._students[self._plan.players[0]].pk
            boards.sort(key=lambda board: first in {board.white.student_id, board.black and board.black.student_id})
            boards = boards[: -self._plan.open_boards]
        for board in boards:
            if board.black is not None:
                result = self._draw(board.white.seed_rating, board.black.seed_rating)
                enter_result(board, result=CODES[result], was=Pairing.Result.OPEN, by=self._by)

    def _entry(self, tournament: Tournament, player: int) -> Entry:
        return Entry.objects.select_related("tournament__rating_list", "student").get(
            tournament=tournament, student=self._students[player]
        )
