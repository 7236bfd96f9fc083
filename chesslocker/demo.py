"""The demo school: invented people, and a term of games as a class plays them.

`plan_demo` decides everything, from a day and a seed, without a database; `fill_demo_school` writes it down through
the services, as the site does.
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.utils import timezone

from chesslocker.demo_tournaments import CUPS, Cup
from chesslocker.services.people import NewSchool, sign_up
from classes import services as classes_services
from classes.models import Classroom, Enrollment, School, Student, User
from classes.services import one_transaction
from ratings import services as ratings_services
from ratings.core.elo import expected_score
from ratings.models import Adjustment, Game, RatingList
from ratings.services import NewGame

SEED = 735  # of many tried, one with a lively table: from about 620 to 1050
SCHOOL = "Linden School (demo)"
TEACHER_PASSWORD = "demo-teacher-2026"  # noqa: S105 meant to be known
STUDENT_PASSWORD = "demo-chess-12"  # noqa: S105 meant to be known

WEEKS = 13
TUESDAY, FRIDAY = 1, 4
WHITE_EDGE = 20  # rating points that the first move is worth among children
PRESENT = 0.93
LEFT_WEEKS_AGO = 5  # when the inactive student stopped coming
VOIDED_WEEKS_AGO = 4


@dataclass(frozen=True, slots=True)
class ClassPlan:
    """A class and its habits. Times are minutes after midnight."""

    name: str
    username: str
    teacher: str
    weekdays: tuple[int, ...]
    games_a_day: tuple[int, int]
    games_today: int
    hours: tuple[int, int]
    students: tuple[tuple[str, str, str], ...]  # first name, last name, grade


CLASSES = (
    ClassPlan(
        name="Room 12 Chess",
        username="teacher",
        teacher="Ms. Okafor",
        weekdays=(TUESDAY, FRIDAY),
        games_a_day=(10, 12),
        games_today=6,
        hours=(10 * 60, 12 * 60),
        students=(
            ("Mia", "Kowalczyk", "5"),
            ("Łukasz", "Wiśniewski", "5"),
            ("Aisling", "Ní Bhriain", "5"),
            ("Minh Anh", "Nguyễn", "4"),
            ("Çağla", "Yıldırım", "4"),
            ("Ọlábísí", "Adéyẹmí", "5"),
            ("Анна", "Соколова", "5"),
            ("Олександр", "Шевченко", "4"),
            ("Ελένη", "Παπαδοπούλου", "5"),
            ("ليلى", "حداد", "5"),
            ("נועם", "לוי", "4"),
            ("雨桐", "陈", "5"),
            ("さくら", "田中", "5"),
            ("지우", "김", "4"),
            ("अर्जुन", "शर्मा", "5"),
            ("Þórunn", "Jónsdóttir", "5"),
            ("José", "García", "5"),
            ("Maria", "Silva", "4"),
            ("Maria", "Silva", "5"),
            ("Kwame", "Mensah", "4"),
            ("Wayan", "", "5"),
            ("Émile", "Lefèvre", "4"),
            ("Matěj", "Dvořák", "5"),
            ("Ingrid", "Sørensen", "4"),
        ),
    ),
    ClassPlan(
        name="Chess Club Friday",
        username="lund",
        teacher="Mr. Lund",
        weekdays=(FRIDAY,),
        games_a_day=(8, 9),
        games_today=3,
        hours=(13 * 60 + 30, 15 * 60),
        students=(
            ("Siobhán", "O’Neill", "7"),
            ("Ștefan", "Ionescu", "6"),
            ("Gülşen", "Öztürk", "8"),
            ("Thảo", "Trần", "7"),
            ("Юлія", "Бондаренко", "6"),
            ("Νίκος", "Γεωργίου", "8"),
            ("يوسف", "منصور", "7"),
            ("תמר", "כהן", "6"),
            ("浩然", "王", "8"),
            ("Ẹniọlá", "Balógun", "7"),
            ("Jean-Baptiste", "Moreau", "6"),
            ("Ana María", "de la Cruz", "8"),
        ),
    ),
)
LEFT = ("Kwame", "Mensah", "4")

NOTES = (
    "A lovely fork on the queen's side.",
    "Castled early, and it helped.",
    "Fought on with a rook less.",
    "Mate with queen and king, well done.",
    "Both wrote the whole game down.",
    "Back-rank mate: make a hole for the king!",
    "Very quick. Take more time next time.",
    "Promoted two pawns.",
    "Stalemate in a won position.",
    "Offered a rematch right away.",
    "Good sportsmanship on both sides.",
    "Italian opening, as in our lesson.",
)

ACADEMIC, SKILL = Adjustment.Kind.ACADEMIC.value, Adjustment.Kind.SKILL.value
BEHAVIOUR, ACHIEVEMENT = Adjustment.Kind.BEHAVIOUR.value, Adjustment.Kind.ACHIEVEMENT.value
AWARDS = (  # kind, points, reason, how many students at once, how often
    (ACADEMIC, 3, "Solved the whole sheet of mates in two", 1, 5),
    (ACADEMIC, 2, "Explained the square of the pawn to the class", 1, 3),
    (ACADEMIC, 1, "Wrote down a whole game without a mistake", 1, 3),
    (ACADEMIC, 5, "Finished the endgame workbook", 1, 2),
    (SKILL, 2, "Found a fork that nobody else saw", 1, 3),
    (SKILL, 3, "Mated with king and rook against the clock", 1, 2),
    (SKILL, 4, "Won the puzzle race", 1, 1),
    (BEHAVIOUR, 2, "Comforted a friend after a hard loss", 1, 1),
    (ACHIEVEMENT, 1, "Came to every session this month", 4, 1),
    (ACHIEVEMENT, 10, "Won the under-twelves cup of the town", 1, 1),
)


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """A game of a class. Players are numbers in the class's list of students."""

    day: datetime.date
    at: datetime.time
    white: int
    black: int
    result: str
    note: str = ""
    void_reason: str = ""


@dataclass(frozen=True, slots=True)
class PlannedPoints:
    """Points given together to students of a class."""

    day: datetime.date
    students: tuple[int, ...]
    kind: str
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class PlannedClass:
    plan: ClassPlan
    games: tuple[PlannedGame, ...]  # in the order in which they were played
    points: tuple[PlannedPoints, ...]  # by day
    left: frozenset[int]  # students who are inactive by now


def plan_demo(*, today: datetime.date, seed: int = SEED) -> tuple[PlannedClass, ...]:
    """Everything that happened in the demo school in the 13 weeks up to today: the same for the same day and seed."""
    chance = random.Random(seed)
    days = [today - datetime.timedelta(days=back) for back in reversed(range(7 * WEEKS))]
    awards = _share_out_awards(chance)
    planned = []
    for plan, shared in zip(CLASSES, awards, strict=True):
        school_days = [day for day in days if day.weekday() in plan.weekdays or day == today]
        leaves = {
            number: today - datetime.timedelta(weeks=LEFT_WEEKS_AGO)
            for number, student in enumerate(plan.students)
            if student == LEFT
        }
        games = _play_term(chance, plan, school_days, leaves)
        if leaves:
            games = _enter_one_twice(games, today - datetime.timedelta(weeks=VOIDED_WEEKS_AGO))
        staying = [number for number in range(len(plan.students)) if number not in leaves]
        points = sorted(
            (
                PlannedPoints(
                    day=chance.choice(school_days[2:]),
                    students=tuple(sorted(chance.sample(staying, at_once))),
                    kind=kind,
                    points=number_of_points,
                    reason=reason,
                )
                for kind, number_of_points, reason, at_once in shared
            ),
            key=lambda given: given.day,
        )
        planned.append(PlannedClass(plan, tuple(games), tuple(points), frozenset(leaves)))
    return tuple(planned)


def _share_out_awards(chance: random.Random) -> list[list[tuple[str, int, str, int]]]:
    """The awards of each class: every third goes to the smaller one."""
    awards = [
        (kind, points, reason, at_once)
        for kind, points, reason, at_once, times in AWARDS
        for _number in range(times)
    ]  # fmt: skip
    chance.shuffle(awards)
    return [[award for number, award in enumerate(awards) if number % 3], awards[::3]]


def _play_term(
    chance: random.Random, plan: ClassPlan, days: Sequence[datetime.date], leaves: dict[int, datetime.date]
) -> list[PlannedGame]:
    """A class's games: who is stronger wins more often, and most get better over the term."""
    strengths = [chance.gauss(800, 210) for _student in plan.students]
    gains = [chance.uniform(-30, 130) for _student in plan.students]
    games = []
    for number, day in enumerate(days):
        here = [
            student
            for student in range(len(plan.students))
            if chance.random() < PRESENT and day < leaves.get(student, datetime.date.max)
        ]
        count = plan.games_today if day == days[-1] else chance.randint(*plan.games_a_day)
        minutes = sorted(chance.sample(range(*plan.hours), count))
        for minute, (white, black) in zip(minutes, _pair_off(chance, here, count), strict=True):
            progress = number / len(days)
            white_now, black_now = (round(strengths[player] + progress * gains[player]) for player in (white, black))
            game = PlannedGame(
                day=day,
                at=datetime.time(*divmod(minute, 60)),
                white=white,
                black=black,
                result=_result(chance, white_now, black_now),
                note=chance.choice(NOTES) if chance.random() < 1 / 6 else "",
            )
            # The one note that tells how the game ended goes with no other ending.
            games.append(replace(game, note="") if "Stalemate" in game.note and game.result != "1/2-1/2" else game)
    return games


def _pair_off(chance: random.Random, here: Sequence[int], count: int) -> list[tuple[int, int]]:
    """So many pairs, everybody once before anybody plays again. Nobody meets the same opponent twice on a day."""
    pairs: list[tuple[int, int]] = []
    met: set[frozenset[int]] = set()
    while len(pairs) < count:
        players = list(here)
        chance.shuffle(players)
        for pair in zip(players[::2], players[1::2], strict=False):  # with an odd number one watches
            if frozenset(pair) not in met:
                met.add(frozenset(pair))
                pairs.append(pair)
    return pairs[:count]


def _result(chance: random.Random, white: int, black: int) -> str:
    """A result drawn by the strengths: about one in ten is a draw, most of them between equals."""
    expected = expected_score(white + WHITE_EDGE, black)
    draw = 0.55 * expected * (1 - expected)
    drawn = chance.random()
    if drawn < draw:
        return Game.Result.DRAW.value
    return Game.Result.WHITE.value if drawn < expected + draw / 2 else Game.Result.BLACK.value


def _enter_one_twice(games: list[PlannedGame], around: datetime.date) -> list[PlannedGame]:
    """The first game from a day on is there once more, a moment later, and voided."""
    place = next(number for number, game in enumerate(games) if game.day >= around)
    again = replace(games[place], note="", void_reason="Entered twice by mistake")
    return [*games[: place + 1], again, *games[place + 1 :]]


@dataclass(frozen=True, slots=True)
class Login:
    who: str
    username: str
    password: str


@dataclass(frozen=True, slots=True)
class DemoSchool:
    """What must be told to whoever starts the demo."""

    name: str
    teachers: tuple[Login, ...]
    students: tuple[Login, ...]  # the first of each class


def demo_school(*, today: datetime.date) -> DemoSchool:
    """The demo school, filled where there is none. Two that ask at the same time get the same one."""
    try:
        return _existing_or_filled(today=today)
    except (IntegrityError, ValidationError):
        # PostgreSQL lets two look at the same time; the user names of the first then stop the second.
        if (school := School.objects.filter(is_demo=True).first()) is None:
            raise
        return logins_of(school)


@one_transaction
def _existing_or_filled(*, today: datetime.date) -> DemoSchool:
    school = School.objects.filter(is_demo=True).first()
    return logins_of(school) if school else fill_demo_school(today=today)


@dataclass(frozen=True, slots=True)
class _FilledClass:
    """A class that was made from its plan, with its students in the plan's order and the teacher who records."""

    planned: PlannedClass
    classroom: Classroom
    students: list[Student]
    teacher: User


@one_transaction
def fill_demo_school(*, today: datetime.date, seed: int = SEED) -> DemoSchool:
    """Write the planned school down, day by day, so that the order of the ledger is the order of the term."""
    planned = plan_demo(today=today, seed=seed)
    lead = planned[0].plan
    new = sign_up(
        school_name=SCHOOL, username=lead.username, password=TEACHER_PASSWORD, name=lead.teacher, is_demo=True
    )
    days = sorted({game.day for part in planned for game in part.games})
    # The school's term is the one that is played here, so that "this term" is full whatever the day.
    new.school.term_starts = sorted({f"{day:%m-%d}" for day in (days[0], days[0] + datetime.timedelta(weeks=26))})
    new.school.privacy_contact = lead.teacher
    new.school.save(update_fields=["term_starts", "privacy_contact"])
    filled = [_fill_class(part, new) for part in planned]
    cups = _cups(filled, seed)
    for day in days:
        for part in filled:
            _fill_day(part, day, new.rating_list)
        for cup in cups:
            cup.play(day, new.rating_list)
    for part in filled:
        _fill_exceptions(part)
    return logins_of(new.school)


def _cups(filled: Sequence[_FilledClass], seed: int) -> list[Cup]:
    """The tournaments of the classes, each with its own chance."""
    cups = []
    for number, plan in enumerate(CUPS, start=1):
        part, chance = filled[plan.classroom], random.Random(seed + number)
        days = sorted({game.day for game in part.planned.games})
        draw = partial(_result, chance)
        cups.append(Cup(plan, part.classroom, part.students, days, by=part.teacher, chance=chance, draw=draw))
    return cups


def _fill_class(part: PlannedClass, new: NewSchool) -> _FilledClass:
    plan = part.plan
    member = new.lead
    if plan.username != new.lead.user.username:
        member = classes_services.create_teacher(
            school=new.school, username=plan.username, password=TEACHER_PASSWORD, name=plan.teacher
        )
    classroom = classes_services.create_classroom(membership=member, name=plan.name)
    students = [
        classes_services.add_student(
            classroom=classroom, first_name=first, last_name=last, grade=grade, password=STUDENT_PASSWORD
        )
        for first, last, grade in plan.students
    ]
    return _FilledClass(part, classroom, students, member.user)


def _fill_day(part: _FilledClass, day: datetime.date, rating_list: RatingList) -> None:
    ratings_services.import_games(
        rating_list=rating_list,
        classroom=part.classroom,
        games=[_new_game(game, part.students) for game in part.planned.games if game.day == day],
        by=part.teacher,
    )
    for given in part.planned.points:
        if given.day == day:
            ratings_services.adjust_ratings(
                rating_list=rating_list,
                classroom=part.classroom,
                students=[part.students[number] for number in given.students],
                points=given.points,
                kind=given.kind,
                reason=given.reason,
                day=day,
                by=part.teacher,
            )


def _new_game(game: PlannedGame, students: Sequence[Student]) -> NewGame:
    played = datetime.datetime.combine(game.day, game.at, tzinfo=datetime.UTC)
    return NewGame(
        day=game.day,
        white=students[game.white].pk,
        black=students[game.black].pk,
        result=game.result,
        note=game.note,
        recorded_at=min(played, timezone.now()),  # a demo started early in the morning knows no afternoon yet
    )


def _fill_exceptions(part: _FilledClass) -> None:
    """What went wrong in the term: the voided game and the student who left."""
    for game in part.planned.games:
        if game.void_reason:
            white, black = part.students[game.white], part.students[game.black]
            row = Game.objects.filter(classroom=part.classroom, day=game.day, white=white, black=black).latest(
                "sequence"
            )
            ratings_services.void_game(row, by=part.teacher, reason=game.void_reason)
    for number in part.planned.left:
        enrollment = Enrollment.objects.get(classroom=part.classroom, student=part.students[number])
        classes_services.set_active(enrollment, active=False)


def logins_of(school: School) -> DemoSchool:
    """Who can log in to a demo school: its teachers, and the first student of each class."""
    teachers = User.objects.filter(membership__school=school).order_by("pk")
    students = User.objects.filter(student__school=school).order_by("student__pk")
    first_of_class = [
        students.filter(student__enrollments__classroom=classroom)[:1]
        for classroom in Classroom.objects.filter(school=school).order_by("pk")
    ]
    return DemoSchool(
        name=school.name,
        teachers=tuple(Login(user.name, user.username, TEACHER_PASSWORD) for user in teachers),
        students=tuple(Login(user.name, user.username, STUDENT_PASSWORD) for users in first_of_class for user in users),
    )
