"""Who may see and do what, URL by URL: one literal table, and the people and things that it speaks of.

A row says for each object who may see it (GET, HEAD) and who may change it (POST). Every other account gets the same
404 as for an address that was never given out; visitors are sent to the login page. tests/test_access.py executes it.
"""

from __future__ import annotations

import datetime
import tempfile
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import ANY

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Group
from django.contrib.auth.tokens import default_token_generator
from django.test import Client
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from chesslocker.core.backups import BackupName, Manifest, digest, write_file
from chesslocker.selectors.year import rollover_plan, versions_of
from chesslocker.services.year import merge_students
from classes.access import hash_of
from classes.core.rollover import Choices
from classes.models import (
    AuditEvent,
    Badge,
    Classroom,
    Enrollment,
    Invitation,
    Membership,
    Merge,
    Rollover,
    Student,
    UsedKey,
    User,
)
from classes.services import archive_classroom, enroll, make_login_codes, set_active
from classes.services_colleagues import remove_teacher
from ratings.models import (
    Adjustment,
    EconomyCheck,
    Game,
    GameImport,
    LedgerEntry,
    PracticeSet,
    Rating,
    RatingList,
    RatingRule,
    StartRating,
)
from ratings.services import keep_practice_set, void_adjustment
from ratings.services import void_game as services_void_game
from tests.conftest import Cast
from tests.factories import PASSWORD, give_points, list_of, make_classroom, make_game, make_student, make_teacher
from tests.tournaments.makers import boards, enter, make_tournament, pair
from tests.tournaments.makers import entry as entry_of
from tournaments.access import HELPER
from tournaments.models import Absence, Entry, HelperLink, KeepApart, Pairing, Round, Tournament
from tournaments.services.helper_links import make_helper_link

NEW_PASSWORD = "four-loud-bishops"
UNKNOWN = 987654321

STUDENTS = "student classmate other_student"
TEACHERS = "teacher colleague lead outsider"
STAFF = "staff clerk"
HOST = "staff"  # looks after the server
LOGGED_IN = f"{STUDENTS} {TEACHERS} {STAFF}"
EVERYBODY = f"anonymous {LOGGED_IN}"
# Without an account, and as anonymous wherever a row does not name them: a helper at cup_room, and a teacher who was
# removed while a session was open.
WITHOUT_ACCOUNT = "helper removed"
VISITORS = {"anonymous", *WITHOUT_ACCOUNT.split()}
ROLES = (*EVERYBODY.split(), *WITHOUT_ACCOUNT.split())
ADMIN_ROLES = f"anonymous student lead {STAFF}"  # who asks for the pages of each model there

# The only pages that open without a login.
PUBLIC = {
    "classes:set_language",
    "home",
    "privacy",
    "signup",
    "login",
    "classes:log_in_with_code",
    "classes:log_in_with_badge",
    "classes:join",
    "tournaments:open_helper_link",
    "tournaments:helper_round",
    "tournaments:helper_result",
    "tournaments:leave_helper",
    "password_reset",
    "password_reset_sent",
    "password_reset_confirm",
    "admin:login",  # sends everybody to the one login page
    "ratings:learn",
    "ratings:topic",
    "ratings:pieces",
    "help",
    "ratings:calculator_game",
    "ratings:calculator_games",
    "ratings:calculator_fide",
    "ratings:calculator_first",
    "ratings:calculator_glicko",
    "ratings:calculator_us",
}

# Surnames that a role must never meet, whatever it asks for. Students see each other by short names only.
NEVER_SHOWN = {
    "anonymous": "quill|zander|marsh",
    "student": "(Ben|Cleo|Ada)quill|zander|marsh",
    "classmate": "(Mia|Cleo|Ada)quill|zander|marsh",
    "other_student": "quill|Nilszander|marsh",
    "teacher": "zander|marsh",
    "colleague": "quill|marsh",
    "lead": "marsh",
    "outsider": "quill|zander",
    "clerk": "quill|zander|marsh",
    "helper": "quill|zander|marsh",
    "removed": "quill|zander|marsh",
}


@dataclass
class World:
    """The cast of the tests, with an archived class, games in every class, and one row of every model."""

    users: dict[str, User | None]
    ids: dict[str, Any]
    pairs: dict[str, tuple[int, int]]
    cast: Cast

    def args(self, objects: str) -> list[Any]:
        return [self.ids[name] for name in objects.split()]


def make_world(cast: Cast) -> World:
    archived = make_classroom(cast.school, name="Last year", teacher=cast.teacher.membership)
    club = make_classroom(cast.school, name="Club", teacher=cast.teacher.membership)
    empty = make_classroom(cast.school, name="Nobody yet", teacher=cast.teacher.membership)
    twins = make_classroom(cast.school, name="Twins")
    ada, bo = make_student(archived, "Ada"), make_student(archived, "Bo")
    nils, zed = make_student(cast.other_classroom, "Nils"), make_student(cast.foreign_classroom, "Zed")
    eli = make_student(cast.classroom, "Eli")  # has not played yet and is in no tournament
    enroll(cast.ben, club)
    set_active(enroll(cast.mia, club), active=False)
    surnames = {"quill": (cast.mia, cast.ben, cast.cleo, ada, bo), "zander": (cast.other, nils)}
    for name, students in (surnames | {"marsh": (cast.stranger, zed)}).items():
        for student in students:
            student.last_name = student.first_name + name
            student.save()
            if student.user:
                student.user.name = student.full_name
                student.user.save()
    games = {
        "game_room": make_game(cast.classroom, cast.mia, cast.ben),
        "game_side": make_game(cast.other_classroom, cast.other, nils),
        "game_lake": make_game(cast.foreign_classroom, cast.stranger, zed),
        "game_archived": make_game(archived, ada, bo),
        "game_loose": make_game(cast.classroom, cast.ben, cast.mia),
    }
    Game.objects.filter(pk=games["game_loose"].pk).update(classroom=None)  # as a school-wide tournament leaves it
    for classroom, student in {cast.classroom: cast.mia, cast.other_classroom: cast.other, archived: ada}.items():
        give_points(classroom, student)
    give_points(cast.foreign_classroom, cast.stranger)
    cups = make_cups(
        cup_room=(cast.classroom, [cast.mia, cast.ben, cast.cleo]),
        cup_side=(cast.other_classroom, [cast.other, nils]),
        cup_lake=(cast.foreign_classroom, [cast.stranger, zed]),
        cup_archived=(archived, [ada, bo]),
        cup_school=(cast.classroom, [cast.mia, cast.other]),
    )
    archive_classroom(archived)
    rating_list = list_of(cast.classroom)
    forgetful = make_teacher(cast.school).user  # never logs in: that would end the token of the reset
    gone = make_teacher(cast.school, username="gone")
    helper_link, helper_code = make_helper_link(Tournament.objects.get(pk=cups["cup_room"]), by=cast.teacher)
    invitations = {
        f"invitation_{where}": Invitation.objects.create(
            school=lead.membership.school,
            token_hash=hash_of(f"invitation-{where}"),
            invited_by=lead,
            expires_at=timezone.now() + datetime.timedelta(days=1),
        ).pk
        for where, lead in {"room": cast.lead, "lake": cast.outsider}.items()
    }
    return World(
        cast=cast,
        users={
            "anonymous": None,
            "student": cast.mia.user,
            "classmate": cast.ben.user,
            "other_student": cast.other.user,
            "teacher": cast.teacher,
            "colleague": cast.colleague,
            "lead": cast.lead,
            "outsider": cast.outsider,
            "staff": User.objects.create_superuser("staff", "", PASSWORD),
            "clerk": User.objects.create_user("clerk", "", PASSWORD, is_staff=True),  # staff without any right
            "helper": None,
            "removed": gone.user,
        },
        pairs={
            "room": (cast.mia.pk, cast.ben.pk),
            "side": (cast.other.pk, nils.pk),
            "lake": (cast.stranger.pk, zed.pk),
        },
        ids={name: game.pk for name, game in games.items()}
        | cups
        | invitations
        | {
            "invitation": "invitation-room",
            "helper_link": helper_link.pk,
            "helper_code": helper_code,
            "lead_membership": cast.lead.membership.pk,
            "removed_membership": gone.pk,
            "forgetful_membership": forgetful.membership.pk,
            "lake_membership": make_teacher(cast.foreign_classroom.school).pk,
            "unknown": UNKNOWN,
            "round_one": 1,
            "room": cast.classroom.pk,
            "club": club.pk,
            "empty": empty.pk,
            "archived": archived.pk,
            "side": cast.other_classroom.pk,
            "lake": cast.foreign_classroom.pk,
            "mia": cast.mia.pk,
            "ben": cast.ben.pk,
            "cleo": cast.cleo.pk,
            "eli": eli.pk,
            "ada": ada.pk,
            "noah": cast.other.pk,
            "nils": nils.pk,
            "zed": zed.pk,
            "zoe": cast.stranger.pk,
            "uid": urlsafe_base64_encode(force_bytes(forgetful.pk)),
            "token": default_token_generator.make_token(forgetful),
            "nonsense": "nonsense",
            "trf16": "trf16",
            # One row of every model, for the admin.
            "user": cast.ben.user.pk,
            "group": Group.objects.create(name="Office").pk,
            "school": cast.school.pk,
            "membership": cast.colleague.membership.pk,
            "teacher_membership": cast.teacher.membership.pk,
            "outsider_membership": cast.outsider.membership.pk,
            "enrollment": Enrollment.objects.get(student=cast.mia, classroom=cast.classroom).pk,
            "usedkey": UsedKey.objects.create(key=uuid.uuid4(), user=cast.teacher, action="test").pk,
            "adjustment": Adjustment.objects.get(student=cast.mia).pk,
            "adjustment_side": Adjustment.objects.get(student=cast.other).pk,
            "adjustment_lake": Adjustment.objects.get(student=cast.stranger).pk,
            "adjustment_archived": Adjustment.objects.get(student=ada).pk,
            "ledgerentry": LedgerEntry.objects.filter(rating_list=rating_list)[0].pk,
            "rating": Rating.objects.filter(rating_list=rating_list)[0].pk,
            "startrating": StartRating.objects.create(rating_list=rating_list, student=cast.cleo, rating=900).pk,
            "ratinglist": rating_list.pk,
            "ratinglist_lake": list_of(cast.foreign_classroom).pk,
            "ratingrule": RatingRule.objects.get(rating_list=rating_list).pk,
            "economycheck": EconomyCheck.objects.create(
                classroom=archived, checked_on=cast.school.today(), by=cast.teacher
            ).pk,
            "gameimport": GameImport.objects.create(classroom=cast.classroom, file_hash="0", games=1).pk,
            "elo_page": "elo",
            "rollover": Rollover.objects.create(
                school=cast.school,
                to_year=cast.classroom.school_year,
                moved={"enrollments": [], "classes": [], "targets": [], "left": [], "grades": {}, "archived": []},
                made_by=cast.lead,
            ).pk,
            "merge": merge_students(
                kept=make_student(twins, "Twin"), merged=make_student(twins, "Twinn"), by=cast.lead
            ).pk,
            "backup": make_backup_file(),
            "badge": make_badge(cast.mia, cast.teacher),
            **{
                f"practice_{where}": keep_practice_set(
                    student=student, key=str(uuid.uuid4()), piece="rook", level=1, tries=10, mistakes=0
                ).pk
                for where, student in {"room": cast.mia, "side": cast.other, "lake": cast.stranger, "old": ada}.items()
            },
            "room_version": Classroom.history.filter(id=cast.classroom.pk)[0].pk,
            "mia_version": Student.history.filter(id=cast.mia.pk)[0].pk,
            "enrollment_version": Enrollment.history.filter(student=cast.mia, classroom=cast.classroom)[0].pk,
            "game_version": Game.history.filter(id=games["game_room"].pk)[0].pk,
            "adjustment_version": Adjustment.history.filter(student=cast.mia)[0].pk,
            "content_type": apps.get_model("contenttypes.ContentType").objects.get(model="student").pk,
        },
    )


def begin_session(client: Client, role: str, world: World) -> None:
    """What happens to the browsers of those without an account after they logged in, or did not."""
    user = world.users[role]
    if role == "helper":
        session = client.session
        session[HELPER] = world.ids["helper_link"]
        session.save()
        client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    elif role == "removed" and user:
        remove_teacher(user.membership, by=world.cast.lead)


def make_backup_file() -> str:
    """A sealed file in the folder of the backups, of a day so late that no other takes its place; its key."""
    name = BackupName(datetime.datetime(2126, 1, 1, tzinfo=datetime.UTC))
    folder = Path(settings.BACKUP_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as room:
        database, made = Path(room) / "chesslocker.sqlite3", Path(room) / "made"
        database.touch()
        made.touch()
        manifest = Manifest("1", name.at.isoformat(), "sqlite", True, {}, {}, database.name, 0, digest(database))
        write_file(made, manifest, database)
        made.replace(folder / name.file)
    return name.key


def make_badge(student: Student, by: User) -> str:
    """The token of a new badge of a student."""
    Badge.objects.update_or_create(
        student=student, defaults={"token_hash": hash_of(f"badge-{student.pk}"), "made_by": by}
    )
    return f"badge-{student.pk}"


def make_cups(**planned: tuple[Classroom, list[Student]]) -> dict[str, int]:
    """The ids of running tournaments and of what hangs on them.

    Of `cup_room`: `entry_room` (the first of its players) and one row each for the admin, `board_room`, open in its
    round 2, `board_room_1` with a result, and the game of that. The others have one round and an open board.
    `cup_school` is of no class: `entry_school` is the first of its players, `entry_school_2` the second.
    """
    ids = {}
    for name, (classroom, students) in planned.items():
        cup, suffix = make_tournament(classroom, students, name=name.title(), pairing_rule="small_group"), name[4:]
        if name == "cup_school":
            cup.classroom = None
            cup.save()
        pair(cup)
        ids |= {name: cup.pk, f"board_{suffix}": boards(cup)[0].pk}
        ids |= {f"entry_{suffix}": entry_of(cup, students[0].first_name).pk}
        ids |= {f"entry_{suffix}_2": entry_of(cup, students[1].first_name).pk}
    cup = Tournament.objects.get(pk=ids["cup_room"])
    done = enter(boards(cup)[0], Pairing.Result.WHITE)
    made = pair(cup)
    KeepApart.objects.bulk_create(
        KeepApart(school=classroom.school, one=students[0], other=students[1])
        for classroom, students in list(planned.values())[:3]
    )
    pairs = KeepApart.objects.order_by("pk").values_list("pk", flat=True)
    absent = Absence.objects.create(entry=entry_of(cup, "Cleo"), number=3)
    return (
        ids
        | dict(zip(("apart_room", "apart_side", "apart_lake"), pairs, strict=True))
        | {"board_room": boards(cup)[0].pk, "board_room_1": done.pk, "game_cup": done.game_id}
        | {"absence": absent.pk, "round": made.pk, "pairing_version": Pairing.history.filter(id=done.pk)[0].pk}
    )


@dataclass
class Cell:
    """One request: who asks, for which objects. `client` is the browser of the role."""

    world: World
    role: str
    objects: str
    client: Client

    @property
    def user(self) -> User:
        user = self.world.users[self.role]
        assert user is not None
        return User.objects.get(pk=user.pk)

    def id(self, place: int = 0) -> Any:
        return self.world.args(self.objects)[place]

    def __getitem__(self, name: str) -> Any:
        return self.world.ids[name]


Body = Callable[[Cell], dict[str, Any]]
# Roles; or what each group of roles gets, a status or the address of a redirect, where it is not what the row says.
Who = str | dict[str, int | str]


@dataclass(frozen=True)
class Page:
    """One row. `see` and `do`: objects -> who; None where the method is not offered (405).

    `answer`: what an allowed POST gets, a status or the address of the redirect: {0} is the id of the first object and
    * stands for anything. `done`: what is true afterwards. `writes`: the tables are changed, except where the table
    names another answer than `answer`. `refuses`: bodies that the allowed get back with a message.
    """

    see: dict[str, Who] | None = None
    do: dict[str, Who] | None = None
    answer: int | str = 200
    body: Body = lambda cell: {}
    before: Callable[[Cell], Any] | None = None
    done: Callable[[Cell], bool] = lambda cell: True
    writes: bool = True
    refuses: list[Body] = field(default_factory=list)
    query: str = ""
    may_learn_methods: str = LOGGED_IN  # who gets 405 for a wrong method; 404 the others
    asked_by: str = EVERYBODY


CLASS = {
    "room": "teacher lead",
    "archived": "teacher lead",
    "club": "teacher lead",
    "side": "colleague lead",
    "lake": "outsider",
    "unknown": "",
}
OPEN_CLASS = CLASS | {"archived": ""}  # to write: not in what is archived
STUDENT_OF_CLASS: dict[str, Who] = {
    "room mia": "teacher lead",
    "room eli": "teacher lead",  # has no account yet
    "side noah": "colleague lead",
    "lake zoe": "outsider",
    # The own class with somebody else's student, and the other way round.
    "room noah": "",
    "side mia": "",
    "archived ada": "",
    "room unknown": "",
    "unknown mia": "",
}
STUDENT = {"mia": "teacher lead", "ada": "teacher lead", "noah": "colleague lead", "zoe": "outsider", "unknown": ""}


def renamed_school() -> dict[str, Any]:
    return {
        "name": "Renamed", "time_zone": "UTC", "name_style": "short", "term_starts": '["09-01"]',
        "retention_months": 12,
    }  # fmt: skip


def day(cell: Cell) -> Any:
    return cell.world.cast.school.today()


def new_year(cell: Cell) -> dict[str, Any]:
    """The next school year as it is proposed to a lead, confirmed."""
    school = getattr(getattr(cell.user if cell.role != "anonymous" else None, "membership", None), "school", None)
    year = cell.world.cast.classroom.school_year + 1
    seen = rollover_plan(school, year, Choices()).fingerprint if school else ""
    return {"year": str(year), "share": "0", "seen": seen, "confirm": "1"}


def new_student(cell: Cell) -> dict[str, Any]:
    return {"first_name": "Newcomer", "last_name": "", "start_rating": "800", "username": "", "password": ""}


def school_settings(cell: Cell) -> dict[str, Any]:
    return {
        "name": "Renamed", "time_zone": "UTC", "term_starts": "08-01, 02-01", "name_style": "short",
        "retention_months": "7", "privacy_contact": "",
    }  # fmt: skip


def no_student_of_the_class(form: Callable[[Cell], dict[str, Any]]) -> list[Body]:
    """A game with somebody of another class, of another school, inactive, unknown; with oneself; on a future day."""
    return [
        lambda cell: form(cell) | {"white": cell["noah"]},
        lambda cell: form(cell) | {"black": cell["noah"]},
        lambda cell: form(cell) | {"white": cell["zoe"]},
        lambda cell: form(cell) | {"white": cell["ada"]},
        lambda cell: form(cell) | {"white": UNKNOWN},
        lambda cell: form(cell) | {"white": form(cell)["black"]},
        lambda cell: form(cell) | {"day": "2999-01-01"},
        lambda cell: form(cell) | {"result": "nobody"},
    ]


def game(cell: Cell) -> dict[str, Any]:
    white, black = cell.world.pairs.get(cell.objects, cell.world.pairs["room"])
    return {"white": white, "black": black, "result": Game.Result.DRAW, "day": day(cell), "note": "A new game"}


def one_more_game(cell: Cell) -> bool:
    return Game.objects.filter(classroom=cell.id(), note="A new game", recorded_by=cell.user).count() == 1


def club_game(cell: Cell) -> dict[str, Any]:
    """Mia is inactive in the club."""
    return game(cell) | {"white": cell["mia"], "black": cell["ben"]}


def version(cell: Cell) -> int:
    """Of the rating list that the cell's game or adjustment belongs to, as the page would send it."""
    model = Adjustment if cell.objects.startswith("adjustment") else Game
    found = model.objects.filter(pk=cell.id()).first()
    return found.rating_list.version if found else 0


def correction(cell: Cell) -> dict[str, Any]:
    found = Game.objects.filter(pk=cell.id()).first() or Game.objects.get(pk=cell["game_room"])
    return {
        "white": found.white_id,
        "black": found.black_id,
        "result": Game.Result.BLACK,
        "day": found.day,
        "note": "",
        "place": "",
        "version": version(cell),
        "confirm": "1",
    }


def voiding(cell: Cell) -> dict[str, Any]:
    return {"reason": "A mistake", "version": version(cell), "confirm": "1"}


def void_first(cell: Cell) -> None:
    adjustment = cell.objects.startswith("adjustment")
    posting = (Adjustment if adjustment else Game).objects.get(pk=cell.id())
    (void_adjustment if adjustment else services_void_game)(posting, by=cell.user, reason="To be put back")


def points(cell: Cell) -> dict[str, Any]:
    students = cell.world.pairs.get(cell.objects, cell.world.pairs["room"])
    return {"students": students, "points": 3, "kind": "skill", "reason": "A new reason", "day": day(cell)}


def rule(cell: Cell) -> dict[str, Any]:
    found = RatingList.objects.filter(pk=cell.id()).first()
    return {
        "since": "day",
        "from_day": day(cell),
        "kind": "constant",
        "k": 10,
        "version": found.version if found else 0,
        "confirm": "1",
    }


GAME_CHANGES: dict[str, Who] = {
    "game_room": "teacher lead",
    "game_side": "colleague lead",
    "game_lake": "outsider",
    "game_archived": "",
    "game_loose": "lead",  # of no class
    "unknown": "",
}
ADJUSTMENT_CHANGES: dict[str, Who] = {
    "adjustment": "teacher lead",
    "adjustment_side": "colleague lead",
    "adjustment_lake": "outsider",
    "adjustment_archived": "lead",  # of a student who is in no open class
    "unknown": "",
}


def instead(cells: dict[str, Who], answer: str) -> dict[str, Who]:
    """The same people, with another answer."""
    return {objects: {who: answer} if who else "" for objects, who in cells.items() if isinstance(who, str)}


CUP: dict[str, Who] = {
    "cup_room": "teacher lead",
    "cup_archived": "teacher lead",
    "cup_side": "colleague lead",
    "cup_school": "teacher colleague lead",  # of whom one student each is in it
    "cup_lake": "outsider",
    "unknown": "",
}
CUP_ROUND: dict[str, Who] = {f"{cup} round_one": who for cup, who in CUP.items()} | {"cup_room unknown": ""}
CUP_TO_RUN = CUP | {"cup_archived": "", "cup_school": "lead"}
ENTRY: dict[str, Who] = {f"{cup} {cup.replace('cup', 'entry')}": who for cup, who in CUP.items()} | {
    "cup_room entry_side": "",
    "cup_side entry_room": "",
    "cup_room unknown": "",
    "unknown entry_room": "",
}
ENTRY_TO_CHANGE = ENTRY | {"cup_archived entry_archived": "", "cup_school entry_school": "lead"}
ROUND_TO_RUN: dict[str, Who] = {f"{cup} round_one": who for cup, who in CUP_TO_RUN.items()} | {"cup_room unknown": ""}
BOARD: dict[str, Who] = {f"{cup} {cup.replace('cup', 'board')}": who for cup, who in CUP.items()} | {
    "cup_room board_side": "",
    "cup_side board_room": "",
    "cup_room unknown": "",
    "unknown board_room": "",
}
LEAVING: dict[str, Who] = {
    "room mia": "teacher lead",
    "side noah": "colleague lead",
    "lake zoe": "outsider",
    "archived ada": "",
    "room noah": "",
    "side mia": "",
    "room unknown": "",
    "unknown mia": "",
}

PLAYABLE = {name: who for name, who in OPEN_CLASS.items() if name != "club"}


def two_of(cell: Cell) -> list[int]:
    """Two students who play where the cell is: in a class, a cup, or for pages of a school in that of who asks."""
    here = cell.objects.removeprefix("cup_") or ("lake" if cell.role == "outsider" else "school")
    across = [cell["mia"], cell["noah"]]
    return across if here == "school" else list(cell.world.pairs.get(here, cell.world.pairs["room"]))


def swap(cell: Cell) -> dict[str, Any]:
    """The colours of the board of a cup exchanged."""
    board = Pairing.objects.filter(pk=cell[cell.objects.split()[0].replace("cup", "board")]).first()
    return {"do": "swap", "one": board.white_id, "other": board.black_id} if board else {}


def cup(cell: Cell) -> dict[str, Any]:
    return {
        "name": "A new cup",
        "day": day(cell),
        "system": "swiss",
        "rounds": 3,
        "pairing_rule": "small_group",
        "seeding": "rating",
        "bye_halves": 2,
        "rated": "on",
        "order": "usual",
        "students": two_of(cell),
    }


def one_more_cup(cell: Cell) -> bool:
    return Tournament.objects.filter(name="A new cup", created_by=cell.user, entries__isnull=False).count() == 2


def apart(cell: Cell) -> dict[str, Any]:
    names = {"teacher": "mia cleo", "colleague": "noah nils", "lead": "mia noah", "outsider": "zoe zed"}
    one, other = names.get(cell.role, "mia ben").split()
    return {"one": cell[one], "other": cell[other], "is_hard": "on"}


def is_mia(cell: Cell) -> bool:
    """Whoever asked is logged in as Mia now."""
    return cell.client.session["_auth_user_id"] == str(cell.world.cast.mia.user_id)


def code_of_mia(cell: Cell) -> str:
    return make_login_codes(cell.world.cast.classroom, by=cell.world.cast.teacher)[cell["mia"]]


COLLEAGUE = {"side": "teacher_membership", "lake": "lake_membership"}  # who could teach a class too
COLLEAGUES: dict[str, Who] = {
    "membership": "lead",
    "lake_membership": "outsider",
    "lead_membership": "",  # nobody does it to oneself
    "removed_membership": "",
    "unknown": "",
}


PAGES: dict[str, Page] = {
    "home": Page(see={"": {"anonymous": 200, STUDENTS: "/me/", TEACHERS: "/classes/", STAFF: "/admin/"}}),
    "signup": Page(  # closed: there is a school already
        see={"": EVERYBODY},
        do={"": EVERYBODY},
        body=lambda cell: {
            "name": "Eve", "school_name": "New", "time_zone": "UTC", "username": "eve", "password": NEW_PASSWORD
        },
        writes=False,
    ),
    "login": Page(
        see={"": EVERYBODY},
        do={"": EVERYBODY},
        answer="/",
        body=lambda cell: {"username": "mia", "password": PASSWORD},
        done=is_mia,  # and it is in the audit trail
    ),
    "classes:log_in_with_code": Page(
        see={"": EVERYBODY},
        do={"": EVERYBODY},
        answer="/",
        before=lambda cell: cell.world.ids.update(code=code_of_mia(cell)),
        body=lambda cell: {"code": cell["code"]},
        done=is_mia,
        refuses=[lambda cell: {"code": ""}],
    ),
    "classes:log_in_with_badge": Page(
        see={"badge": EVERYBODY, "nonsense": EVERYBODY},
        do={"badge": EVERYBODY, "nonsense": {EVERYBODY: 200}},
        answer="/",
        done=lambda cell: cell.objects != "badge" or is_mia(cell),
    ),
    "classes:set_language": Page(
        do={"": {"anonymous": "/*", LOGGED_IN: "/"}},  # of a visitor only the browser remembers it
        answer="/",
        body=lambda cell: {"language": "de"},
        done=lambda cell: cell.client.cookies["django_language"].value == "de",
    ),
    "logout": Page(
        do={"": LOGGED_IN},
        answer="/login/",
        done=lambda cell: "_auth_user_id" not in cell.client.session,
        writes=False,
    ),
    "password_change": Page(
        see={"": LOGGED_IN},
        do={"": LOGGED_IN},
        answer="/",
        body=lambda cell: {
            "old_password": PASSWORD, "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD
        },
        done=lambda cell: cell.user.check_password(NEW_PASSWORD),
        refuses=[
            lambda cell: {"old_password": "wrong", "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
        ],
    ),
    "password_reset": Page(  # no e-mail server here
        see={"": EVERYBODY},
        do={"": EVERYBODY},
        answer="/password/reset/",
        body=lambda cell: {"email": "teacher@example.org"},
        writes=False,
    ),
    "password_reset_sent": Page(see={"": EVERYBODY}),
    "password_reset_confirm": Page(
        see={
            "uid token": {EVERYBODY: "/password/reset/*/set-password/"},
            "nonsense nonsense": EVERYBODY,
            "uid nonsense": EVERYBODY,
        },
        do={
            "uid token": {EVERYBODY: "/password/reset/*/set-password/"},
            "nonsense nonsense": EVERYBODY,
            "uid nonsense": EVERYBODY,
        },
        body=lambda cell: {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD},
        writes=False,
    ),
    "help": Page(see={"": EVERYBODY}),
    "ratings:calculator_game": Page(see={"": EVERYBODY}),
    "ratings:calculator_games": Page(see={"": EVERYBODY}),
    "ratings:calculator_fide": Page(see={"": EVERYBODY}),
    "ratings:calculator_first": Page(see={"": EVERYBODY}),
    "ratings:calculator_glicko": Page(see={"": EVERYBODY}),
    "ratings:calculator_us": Page(see={"": EVERYBODY}),
    "class_page": Page(see=CLASS),
    "add_student": Page(
        see=OPEN_CLASS,
        do=OPEN_CLASS,
        answer="/classes/{0}/students/",
        body=new_student,
        done=lambda cell: Enrollment.objects.filter(student__first_name="Newcomer", classroom=cell.id()).count() == 1,
        refuses=[
            lambda cell: new_student(cell) | {"first_name": ""},
            lambda cell: new_student(cell) | {"username": "noah", "password": NEW_PASSWORD},
        ],
    ),
    "set_student_active": Page(
        do={
            "room eli": "teacher lead",
            "room mia": "teacher lead",
            "side noah": "colleague lead",
            "lake zoe": "outsider",
            # The own class with somebody else's student, and the other way round.
            "room noah": "",
            "room zoe": "",
            "side mia": "",
            "lake mia": "",
            "archived ada": "",
            "room ada": "",
            "room unknown": "",
            "unknown mia": "",
        },
        answer="/classes/{0}/students/*",  # whoever is in a running tournament is asked whether to leave it
        body=lambda cell: {"active": "0"},
        done=lambda cell: Enrollment.objects.filter(student=cell.id(1), classroom=cell.id(), active=False).exists(),
    ),
    "student_page": Page(see=STUDENT),
    "class_reports": Page(see=CLASS),
    "class_certificates": Page(see=CLASS),
    "student_report": Page(see=STUDENT),
    "student_certificate": Page(see=STUDENT),
    "move_student": Page(
        see=STUDENT,
        do={
            "mia": "teacher lead",
            "ada": "teacher lead",
            "noah": {"lead": "/students/{0}/", "colleague": 200},  # who teaches no other class
            "zoe": {"outsider": 200},
            "unknown": "",
        },
        answer="/students/{0}/",
        body=lambda cell: {"to": cell["club"], "leaves": "stays"},
        done=lambda cell: (
            cell.role == "colleague"
            or cell.objects == "zoe"
            or Enrollment.objects.filter(student=cell.id(), classroom=cell["club"], active=True).exists()
        ),
        refuses=[lambda cell: {"to": cell["lake"], "leaves": "stays"}, lambda cell: {"to": cell["archived"]}],
    ),
    "merge_student": Page(
        see={"eli": "lead", "mia": "lead", "noah": "lead", "zoe": "outsider", "unknown": ""},
        do={"eli": "lead", "mia": "lead", "zoe": {"outsider": 200}, "unknown": ""},
        answer="/students/{0}/",
        body=lambda cell: {"other": cell["nils"], "versions": versions_of(cell.world.cast.school)},
        done=lambda cell: cell.objects == "zoe" or Student.objects.get(pk=cell["nils"]).merged_into_id == cell.id(),
        refuses=[lambda cell: {"other": cell["zed"]}, lambda cell: {"other": UNKNOWN}],
    ),
    "undo_merge": Page(
        see={"merge": "lead", "unknown": ""},
        do={"merge": "lead", "unknown": ""},
        answer="/students/*/move/",
        done=lambda cell: Merge.objects.get(pk=cell.id()).undone_at is not None,
    ),
    "rollover": Page(
        see={"": "lead outsider"},
        do={"": "lead outsider"},
        answer="/school/rollover/",
        body=new_year,
        done=lambda cell: Rollover.objects.filter(made_by=cell.user, to_year=int(new_year(cell)["year"])).exists(),
        refuses=[lambda cell: new_year(cell) | {"share": "30"}],
    ),
    "undo_rollover": Page(
        see={"rollover": "lead", "unknown": ""},
        do={"rollover": "lead", "unknown": ""},
        answer="/school/rollover/",
        done=lambda cell: Rollover.objects.get(pk=cell.id()).undone_at is not None,
    ),
    "edit_student": Page(
        see=STUDENT,
        do=STUDENT,
        answer="/students/{0}/",
        body=new_student,
        done=lambda cell: Student.objects.get(pk=cell.id()).first_name == "Newcomer",
        refuses=[lambda cell: {"first_name": ""}, lambda cell: new_student(cell) | {"username": "teacher"}],
    ),
    "backups": Page(see={"": f"lead outsider {HOST}"}),
    "back_up": Page(
        do={"": f"lead outsider {HOST}"},
        answer="/school/backups/",
        done=lambda cell: AuditEvent.objects.filter(action="backup.made", by=cell.user).count() == 1,
    ),
    "privacy": Page(see={"": EVERYBODY}),
    "school": Page(
        see={"": "lead outsider"},
        do={"": "lead outsider"},
        answer="/school/",
        body=school_settings,
        done=lambda cell: cell.user.membership.school.retention_months == 7,
        refuses=[lambda cell: school_settings(cell) | {"retention_months": "0"}],
    ),
    "audit_trail": Page(see={"": "lead outsider"}),
    "retention": Page(  # of the ticked only those of the own school go
        see={"": "lead outsider"},
        do={"": "lead outsider"},
        answer="/school/retention/",
        before=lambda cell: Enrollment.objects.update(left_at=timezone.now() - datetime.timedelta(999), active=False),
        body=lambda cell: {"students": [cell["mia"], cell["zoe"]], "confirm": "1"},
        done=lambda cell: set(Student.objects.exclude(erased_at=None).values_list("school", flat=True))
        == {cell.user.membership.school_id},
    ),
    "export_student": Page(
        see=STUDENT | {"ada": "lead"},
        do=STUDENT | {"ada": "lead"},
        done=lambda cell: AuditEvent.objects.filter(about=f"student:{cell.id()}", by=cell.user).exists(),
    ),
    "erase_student": Page(
        see={"mia": "lead", "ada": "lead", "noah": "lead", "zoe": "outsider", "unknown": ""},
        do={"mia": "lead", "ada": "lead", "noah": "lead", "zoe": "outsider", "unknown": ""},
        answer="/students/{0}/",
        body=lambda cell: {"sure": "on", "confirm": "1"},
        done=lambda cell: Student.objects.get(pk=cell.id()).erased_at is not None,
        refuses=[lambda cell: {}, lambda cell: {"confirm": "1"}, lambda cell: {"sure": "on"}],
    ),
    "view_as_student": Page(see=STUDENT),
    "download_backup": Page(  # there are two schools on this server: only who looks after it may have their backup
        see={"backup": HOST, "unknown": "", "nonsense": ""},
        do={"backup": HOST, "unknown": "", "nonsense": ""},
        body=lambda cell: {"password": PASSWORD},
        done=lambda cell: AuditEvent.objects.filter(action="backup.downloaded", by=cell.user).count() == 1,
    ),
    "me": Page(see={"": STUDENTS}),
    "my_class": Page(
        see={
            "room": "student classmate",
            "club": "classmate",  # Mia is inactive there
            "side": "other_student",
            "archived": "",
            "lake": "",
            "unknown": "",
        }
    ),
    "classes:classroom_list": Page(see={"": TEACHERS}),
    "classes:create_classroom": Page(
        see={"": TEACHERS},
        do={"": TEACHERS},
        answer="/classes/*/students/import/",
        body=lambda cell: {"name": "A new class", "school_year": cell.world.cast.classroom.school_year},
        done=lambda cell: list(
            Classroom.objects.filter(name="A new class").values_list("school", "teachers")
        ) == [(cell.user.membership.school_id, cell.user.membership.pk)],
        refuses=[lambda cell: {"name": "", "school_year": cell.world.cast.classroom.school_year}],
    ),
    "classes:edit_classroom": Page(
        see=OPEN_CLASS,
        do=OPEN_CLASS,
        answer="/classes/{0}/",
        body=lambda cell: {
            "name": "Another name",
            "school_year": cell.world.cast.classroom.school_year,
        },
        done=lambda cell: Classroom.objects.get(pk=cell.id()).name == "Another name",
        refuses=[lambda cell: {"name": "", "school_year": cell.world.cast.classroom.school_year}],
    ),
    "classes:class_teachers": Page(
        see=OPEN_CLASS,
        do=OPEN_CLASS,
        answer="/classes/{0}/teachers/",
        body=lambda cell: {"colleague": cell[COLLEAGUE.get(cell.objects, "membership")], "how": "together"},
        done=lambda cell: Classroom.objects.get(pk=cell.id()).teachers.count() == 2,
        refuses=[
            lambda cell: {"colleague": cell["outsider_membership"], "how": "together"},
            lambda cell: {"colleague": cell["removed_membership"], "how": "together"},
            lambda cell: {"colleague": cell["membership"], "how": ""},
        ],
    ),
    "classes:take_out_teacher": Page(
        do={
            "room teacher_membership": "teacher lead",
            "side membership": "colleague lead",
            "lake outsider_membership": "outsider",
            "club membership": "",  # does not teach it
            "room outsider_membership": "",
            "archived teacher_membership": "",
            "room unknown": "",
            "unknown teacher_membership": "",
        },
        answer="/classes/*",  # a teacher sees the class no more
        before=lambda cell: Classroom.objects.get(pk=cell.id()).teachers.add(cell["forgetful_membership"]),
        done=lambda cell: not Classroom.objects.filter(pk=cell.id(), teachers=cell.id(1)).exists(),
    ),
    "classes:teachers": Page(see={"": "lead outsider"}),
    "classes:invite": Page(
        see={"": "lead outsider"},
        do={"": "lead outsider"},
        body=lambda cell: {"note": "A new one", "role": "lead"},
        done=lambda cell: Invitation.objects.filter(note="A new one", invited_by=cell.user).count() == 1,
        refuses=[
            lambda cell: {"note": "", "role": "teacher"},
            lambda cell: {"note": "A new one", "role": "teacher", "classroom": cell["lake"]},
        ],
    ),
    "classes:revoke_invitation": Page(
        do={"invitation_room": "lead", "invitation_lake": "outsider", "unknown": ""},
        answer="/school/teachers/",
        done=lambda cell: not Invitation.objects.filter(pk=cell.id()).exists(),
    ),
    "classes:change_role": Page(
        do=COLLEAGUES,
        answer="/school/teachers/",
        body=lambda cell: {"role": "lead"},
        done=lambda cell: Membership.objects.get(pk=cell.id()).is_lead,
    ),
    "classes:remove_teacher": Page(
        see=COLLEAGUES,
        do=COLLEAGUES,
        answer="/school/teachers/",
        done=lambda cell: not Membership.objects.get(pk=cell.id()).user.is_active,
    ),
    "classes:readmit_teacher": Page(
        do={"removed_membership": "lead", "membership": "", "outsider_membership": "", "unknown": ""},
        answer="/school/teachers/",
        done=lambda cell: Membership.objects.get(pk=cell.id()).user.is_active,
    ),
    "classes:join": Page(
        see={"invitation": EVERYBODY, "nonsense": EVERYBODY},
        do={"invitation": {"anonymous": "/", LOGGED_IN: 200}, "nonsense": {EVERYBODY: 200}},
        answer="/",
        body=lambda cell: {"name": "Somebody New", "username": "newcomer", "password": NEW_PASSWORD},
        done=lambda cell: User.objects.filter(username="newcomer").exists()
        == (cell.objects == "invitation" and cell.role in VISITORS),
    ),
    "classes:archive_classroom": Page(
        do=OPEN_CLASS,
        answer="/classes/",
        done=lambda cell: Classroom.objects.get(pk=cell.id()).is_archived,
    ),
    "classes:reopen_classroom": Page(
        do={"archived": "teacher lead", "side": "colleague lead", "lake": "outsider", "unknown": ""},
        answer="/classes/{0}/",
        done=lambda cell: not Classroom.objects.get(pk=cell.id()).is_archived,
    ),
    "classes:delete_classroom": Page(
        see=CLASS | {"empty": "teacher lead"},
        do={
            "empty": "teacher lead",
            # Where something happened the class stays; the page says so.
            "room": {"teacher lead": "/classes/{0}/"},
            "archived": {"teacher lead": "/classes/{0}/"},
            "side": {"colleague lead": "/classes/{0}/"},
            "lake": {"outsider": "/classes/{0}/"},
            "unknown": "",
        },
        answer="/classes/",
        done=lambda cell: Classroom.objects.filter(pk=cell.id()).exists() == (cell.objects != "empty"),
    ),
    "classes:students": Page(see=CLASS),
    "classes:cards": Page(
        see=OPEN_CLASS,
        do=OPEN_CLASS,
        body=lambda cell: {"who": "all", "what": "both"},
        done=lambda cell: AuditEvent.objects.filter(action="cards.made", by=cell.user).count() == 1,
        refuses=[lambda cell: {"who": "ticked", "what": "both", "students": [cell["noah"]]}],
    ),
    "classes:codes": Page(
        see=OPEN_CLASS,
        do=OPEN_CLASS,
        done=lambda cell: AuditEvent.objects.filter(action="codes.made", by=cell.user).count() == 1,
    ),
    "classes:new_password": Page(
        see=STUDENT_OF_CLASS,
        do=STUDENT_OF_CLASS,
        done=lambda cell: AuditEvent.objects.filter(action="login.reset", by=cell.user).count() == 1,
    ),
    "classes:void_badge": Page(
        do=STUDENT,
        answer="/students/{0}/",
        before=lambda cell: make_badge(Student.objects.get(pk=cell.id()), cell.user),
        done=lambda cell: not Badge.objects.filter(student=cell.id()).exists(),
    ),
    "classes:import_students": Page(
        see=OPEN_CLASS,
        do=OPEN_CLASS,
        answer="/classes/{0}/students/",
        body=lambda cell: {"text": "Newcomer One\nNewcomer Two", "confirm": "1"},
        done=lambda cell: Enrollment.objects.filter(student__first_name="Newcomer", classroom=cell.id()).count() == 2,
        refuses=[lambda cell: {"text": "", "confirm": "1"}, lambda cell: {"text": "Newcomer One"}],
    ),
    "classes:roster_csv": Page(see=CLASS),
    "classes:undo_import": Page(
        do=OPEN_CLASS,
        answer="/classes/{0}/students/",
        before=lambda cell: cell.client.post(
            f"/classes/{cell.id()}/students/import/", {"text": "Newcomer", "confirm": "1"}
        ),
        done=lambda cell: not Student.objects.filter(first_name="Newcomer").exists(),
    ),
    "classes:delete_student": Page(
        see=STUDENT,
        do={
            "eli": "teacher lead",
            "mia": {"teacher lead": "/students/{0}/"},
            "ada": {"teacher lead": "/students/{0}/"},
            "noah": {"colleague lead": "/students/{0}/"},
            "zoe": {"outsider": "/students/{0}/"},
            "unknown": "",
        },
        answer="/classes/",
        done=lambda cell: Student.objects.filter(pk=cell.id()).exists() == (cell.objects != "eli"),
    ),
    "ratings:games": Page(see=CLASS),
    "ratings:record_game": Page(
        see=OPEN_CLASS,
        do=PLAYABLE,
        answer="/classes/{0}/games/record/",
        body=game,
        done=one_more_game,
        refuses=no_student_of_the_class(game),
    ),
    "ratings:quick_entry": Page(
        see=OPEN_CLASS,
        do=PLAYABLE,
        answer="/classes/{0}/games/quick/",
        body=game,
        done=one_more_game,
        refuses=no_student_of_the_class(game),
    ),
    "ratings:undo_game": Page(
        do=GAME_CHANGES,
        answer="/classes/*",
        done=lambda cell: Game.objects.get(pk=cell.id()).voided_by == cell.user,
    ),
    "ratings:my_games": Page(see={"": STUDENTS}),
    "ratings:game": Page(
        see={
            "game_room": "teacher lead student classmate",
            "game_side": "colleague lead other_student",
            "game_lake": "outsider",
            "game_archived": "teacher lead",
            "game_loose": "teacher lead student classmate",
            "unknown": "",
        }
    ),
    "ratings:correct_game": Page(
        see=GAME_CHANGES,
        do=GAME_CHANGES,
        answer="/games/{0}/",
        body=correction,
        done=lambda cell: Game.objects.get(pk=cell.id()).result == Game.Result.BLACK,
        refuses=[
            lambda cell: correction(cell) | {"white": cell["noah"]},
            lambda cell: correction(cell) | {"black": cell["zoe"]},
            lambda cell: correction(cell) | {"white": correction(cell)["black"]},
            lambda cell: correction(cell) | {"day": "2999-01-01"},
        ],
    ),
    "ratings:void_game": Page(
        see=GAME_CHANGES,
        do=GAME_CHANGES,
        answer="/games/{0}/",
        body=voiding,
        done=lambda cell: Game.objects.get(pk=cell.id()).voided_by == cell.user,
        refuses=[lambda cell: {"reason": "", "version": version(cell), "confirm": "1"}],
    ),
    "ratings:unvoid_game": Page(
        see=instead(GAME_CHANGES, "/games/{0}/"),  # it is not void
        do=GAME_CHANGES,
        answer="/games/{0}/",
        before=void_first,
        body=voiding,
        done=lambda cell: not Game.objects.get(pk=cell.id()).is_void,
    ),
    "ratings:economy": Page(see=CLASS),
    "ratings:check_economy": Page(
        do=OPEN_CLASS,
        answer="/classes/{0}/elo/",
        done=lambda cell: EconomyCheck.objects.filter(classroom=cell.id(), by=cell.user).count() == 1,
    ),
    "ratings:adjust_ratings": Page(
        see=OPEN_CLASS,
        do=PLAYABLE,
        answer="/classes/{0}/elo/adjustments/",
        body=points,
        done=lambda cell: Adjustment.objects.filter(
            classroom=cell.id(), reason="A new reason", given_by=cell.user
        ).count() == 2,
        refuses=[
            lambda cell: points(cell) | {"students": [cell["mia"], cell["noah"]]},
            lambda cell: points(cell) | {"students": [cell["zoe"]]},
            lambda cell: points(cell) | {"students": [cell["ada"]]},
            lambda cell: points(cell) | {"students": [UNKNOWN]},
            lambda cell: points(cell) | {"points": 0},
            lambda cell: points(cell) | {"kind": "season"},
        ],
    ),
    "ratings:adjustments": Page(see=CLASS),
    "ratings:adjustments_csv": Page(see=CLASS),
    "ratings:games_csv": Page(see=CLASS),
    "ratings:ledger_csv": Page(see=CLASS),
    "ratings:leaderboard_csv": Page(see=CLASS),
    "ratings:undo_adjustment": Page(
        do=ADJUSTMENT_CHANGES,
        answer="/classes/*/elo/adjustments/",
        done=lambda cell: Adjustment.objects.get(pk=cell.id()).voided_by == cell.user,
    ),
    "ratings:void_adjustment": Page(
        see=ADJUSTMENT_CHANGES,
        do=ADJUSTMENT_CHANGES,
        answer="/classes/*/elo/adjustments/",
        body=voiding,
        done=lambda cell: Adjustment.objects.get(pk=cell.id()).voided_by == cell.user,
        refuses=[lambda cell: {"reason": "", "version": version(cell), "confirm": "1"}],
    ),
    "ratings:unvoid_adjustment": Page(
        see=instead(ADJUSTMENT_CHANGES, "/classes/*/elo/adjustments/"),
        do=ADJUSTMENT_CHANGES,
        answer="/classes/*/elo/adjustments/",
        before=void_first,
        body=voiding,
        done=lambda cell: not Adjustment.objects.get(pk=cell.id()).is_void,
    ),
    "ratings:rating_lists": Page(
        see={"": "lead outsider"},
        do={"": "lead outsider"},
        answer="/school/lists/*/",
        body=lambda cell: {"name": "Blitz", "start_rating": 900},
        done=lambda cell: RatingList.objects.filter(name="Blitz", school=cell.user.membership.school).count() == 1,
        refuses=[lambda cell: {"name": "", "start_rating": 900}],
    ),
    "ratings:rating_list": Page(
        see={"ratinglist": "lead", "ratinglist_lake": "outsider", "unknown": ""},
        do={"ratinglist": "lead", "ratinglist_lake": "outsider", "unknown": ""},
        answer="/school/lists/{0}/",
        body=rule,
        done=lambda cell: RatingRule.objects.filter(rating_list=cell.id(), k=10).count() == 1,
        refuses=[lambda cell: rule(cell) | {"k": 0}],
    ),
    "ratings:show_bands": Page(
        do={"ratinglist": "lead", "ratinglist_lake": "outsider", "unknown": ""},
        answer="/school/lists/{0}/",
        body=lambda cell: {"shown": "1"},
        done=lambda cell: RatingList.objects.get(pk=cell.id()).shows_bands,
    ),
    "ratings:learn": Page(see={"": EVERYBODY}),
    "ratings:topic": Page(see={"elo_page": EVERYBODY, "nonsense": ""}),
    "ratings:pieces": Page(
        see={"": EVERYBODY},
        query="?piece=rook&level=1&seed=7",
        do={"": EVERYBODY},
        answer="/learn/pieces/",
        body=lambda cell: {"piece": "rook", "level": 1, "seed": 7, "to": ["a1"]},
        done=lambda cell: cell.client.session["practice"]["rook-1"]["tries"] == 1,
        writes=False,
    ),
    "ratings:award_practice": Page(
        do={
            "practice_room": "teacher lead",
            "practice_side": "colleague lead",
            "practice_lake": "outsider",
            "practice_old": "lead",  # of a student who is in no open class
            "unknown": "",
        },
        answer="/students/*/#practice",
        body=lambda cell: {"points": 3},
        done=lambda cell: PracticeSet.objects.get(pk=cell.id()).adjustment.given_by == cell.user,
    ),
    # --- the admin: staff only; what it may not do there is 404 as well ---
    "admin:index": Page(see={"": STAFF}, do={"": STAFF}, writes=False, may_learn_methods=STAFF),
    "admin:login": Page(see={"": {EVERYBODY: "/login/"}}),
    "admin:logout": Page(
        do={"": STAFF},
        answer="/login/",
        done=lambda cell: "_auth_user_id" not in cell.client.session,
        writes=False,
        may_learn_methods=STAFF,
    ),
    "admin:password_change": Page(
        see={"": STAFF},
        do={"": STAFF},
        answer="/admin/password_change/done/",
        body=lambda cell: {
            "old_password": PASSWORD, "new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD
        },
        done=lambda cell: cell.user.check_password(NEW_PASSWORD),
        may_learn_methods=STAFF,
    ),
    "admin:password_change_done": Page(see={"": STAFF}, may_learn_methods=STAFF),
    "admin:autocomplete": Page(
        see={"": "staff"},
        query="?app_label=classes&model_name=student&field_name=school&term=",
        may_learn_methods=STAFF,
    ),
    "admin:jsi18n": Page(see={"": STAFF}, may_learn_methods=STAFF),
    "admin:view_on_site": Page(
        see={"content_type mia": "", "unknown unknown": ""},
        do={"content_type mia": "", "unknown unknown": ""},
        may_learn_methods=STAFF,
    ),
    "admin:auth_user_password_change": Page(
        see={"user": "staff", "unknown": ""},
        do={"user": "staff", "unknown": ""},
        answer="/admin/classes/user/{0}/change/",
        body=lambda cell: {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD},
        done=lambda cell: User.objects.get(pk=cell.id()).check_password(NEW_PASSWORD),
        may_learn_methods=STAFF,
    ),
    "tournaments:tournaments": Page(see={"": TEACHERS}),
    "tournaments:class_tournaments": Page(see=CLASS),
    "tournaments:create_tournament": Page(
        see=OPEN_CLASS,
        do=PLAYABLE,
        answer="/tournaments/*/",
        body=cup,
        done=one_more_cup,
        refuses=[
            lambda cell: cup(cell) | {"name": ""},
            lambda cell: cup(cell) | {"students": [cell["mia"], cell["zoe"]]},
            lambda cell: cup(cell) | {"students": [cell["ben"], cell["noah"]]},
            lambda cell: cup(cell) | {"students": [cell["ada"], UNKNOWN]},
            lambda cell: cup(cell) | {"students": cup(cell)["students"][:1]},
        ],
    ),
    "tournaments:create_school_tournament": Page(
        see={"": "lead outsider"},
        do={"": "lead outsider"},
        answer="/tournaments/*/",
        body=cup,
        done=lambda cell: Tournament.objects.get(name="A new cup", created_by=cell.user).classroom is None,
        refuses=[
            lambda cell: cup(cell) | {"students": [cell["mia"], cell["zoe"]]},
            lambda cell: cup(cell) | {"students": [cell["ada"], cell["nils"]]},
        ],
    ),
    "tournaments:copy_tournament": Page(
        see=CUP_TO_RUN,
        do=CUP_TO_RUN,
        answer="/tournaments/*/",
        body=cup,
        done=one_more_cup,
        refuses=[lambda cell: cup(cell) | {"students": [cell["mia"], cell["zoe"]]}],
    ),
    "tournaments:settings": Page(
        see=CUP_TO_RUN,
        do=CUP_TO_RUN,
        answer="/tournaments/{0}/settings/",
        body=lambda cell: cup(cell) | {"rounds": 4},
        done=lambda cell: Tournament.objects.filter(pk=cell.id(), name="A new cup", rounds=4).exists(),
        refuses=[lambda cell: cup(cell) | {"rounds": 0}, lambda cell: cup(cell) | {"name": ""}],
    ),
    "tournaments:finish_tournament": Page(
        do=CUP_TO_RUN,
        answer="/tournaments/{0}/standings/",
        before=lambda cell: Pairing.objects.filter(round__tournament=cell.id(), result="").update(result="=="),
        done=lambda cell: not Tournament.objects.get(pk=cell.id()).is_open,
    ),
    "tournaments:reopen_tournament": Page(
        do=CUP_TO_RUN,
        answer="/tournaments/{0}/settings/",
        before=lambda cell: Tournament.objects.filter(pk=cell.id()).update(finished_at=timezone.now()),
        done=lambda cell: Tournament.objects.get(pk=cell.id()).is_open,
    ),
    "tournaments:cancel_tournament": Page(
        see=CUP_TO_RUN,
        do=CUP_TO_RUN,
        answer="/tournaments/{0}/settings/",
        body=lambda cell: {"ratings": "keep"},
        done=lambda cell: Tournament.objects.get(pk=cell.id()).cancelled_at is not None,
    ),
    "tournaments:keep_apart": Page(
        see={"": TEACHERS},
        do={"": TEACHERS},
        answer="/school/apart/",
        body=apart,
        done=lambda cell: KeepApart.objects.filter(
            school=cell.user.membership.school, is_hard=True, one=min(apart(cell)["one"], apart(cell)["other"])
        ).count() == 1,
        refuses=[
            lambda cell: apart(cell) | {"other": apart(cell)["one"]},
            lambda cell: apart(cell) | {"one": cell["mia"], "other": cell["zoe"]},
            lambda cell: apart(cell) | {"one": UNKNOWN},
        ],
    ),
    "tournaments:remove_keep_apart": Page(
        do={"apart_room": "teacher lead", "apart_side": "colleague lead", "apart_lake": "outsider", "unknown": ""},
        answer="/school/apart/",
        done=lambda cell: not KeepApart.objects.filter(pk=cell.id()).exists(),
    ),
    "tournaments:sheets": Page(see=CUP),
    "tournaments:projector_boards": Page(see=CUP),
    "tournaments:projector_names": Page(see=CUP),
    "tournaments:projector_standings": Page(see=CUP),
    "tournaments:print_boards": Page(see=CUP_ROUND),
    "tournaments:print_names": Page(see=CUP_ROUND),
    "tournaments:print_slips": Page(see=CUP_ROUND),
    "tournaments:print_standings": Page(see=CUP),
    "tournaments:print_crosstable": Page(see=CUP),
    "tournaments:print_chart": Page(see=CUP),
    "tournaments:my_tournaments": Page(see={"": STUDENTS}),
    "tournaments:my_tournament": Page(
        see={
            "cup_room": "student classmate",
            "cup_school": "student other_student",  # entered in it
            "cup_side": "other_student",
            "cup_archived": "",
            "cup_lake": "",
            "unknown": "",
        }
    ),
    "tournaments:tournament": Page(see=instead(CUP, "/tournaments/{0}/rounds/*/")),
    "tournaments:round_detail": Page(see=CUP_ROUND),
    "tournaments:pair_round": Page(  # all of these have a first round already: the page says so
        do=ROUND_TO_RUN | {"cup_room unknown": {"teacher lead": "/tournaments/{0}/"}},  # not yet
        answer="/tournaments/{0}/rounds/1/",
        writes=False,
    ),
    "tournaments:unpair_round": Page(
        see=ROUND_TO_RUN,
        do=ROUND_TO_RUN | {"cup_room round_one": {"teacher lead": "/tournaments/{0}/rounds/1/"}},  # not the last one
        answer="/tournaments/{0}/",
        done=lambda cell: Round.objects.filter(tournament=cell.id()).exists()
        == (cell.objects == "cup_room round_one"),
    ),
    "tournaments:round_day": Page(
        see=ROUND_TO_RUN,
        do=ROUND_TO_RUN,
        answer="/tournaments/{0}/rounds/1/",
        body=lambda cell: {"day": "2026-01-02"},
        done=lambda cell: Round.objects.get(tournament=cell.id(), number=1).day.isoformat() == "2026-01-02",
        refuses=[lambda cell: {"day": "2999-01-01"}, lambda cell: {"day": ""}],
    ),
    "tournaments:change_pairings": Page(
        see=ROUND_TO_RUN,
        do=ROUND_TO_RUN | {"cup_room round_one": {"teacher lead": 200}},  # not the last one
        answer="/tournaments/{0}/rounds/1/",
        body=swap,
        done=lambda cell: Round.objects.get(tournament=cell.id(), number=1).changed_by_hand
        == (cell.objects != "cup_room round_one"),
        refuses=[lambda cell: {"do": "swap"}, lambda cell: swap(cell) | {"other": cell["entry_lake"]}],
    ),
    "tournaments:game_in_tournament": Page(
        see={
            "game_cup": {"teacher lead": "/tournaments/*/boards/*/"},
            "game_room": "",  # a casual one
            "game_lake": "",
            "unknown": "",
        }
    ),
    "tournaments:board": Page(see=BOARD),
    "tournaments:enter_result": Page(
        do=BOARD | {"cup_archived board_archived": ""},
        answer="/tournaments/{0}/rounds/*/#board-{1}",
        body=lambda cell: {"result": "+-", "was": ""},
        done=lambda cell: Pairing.objects.get(pk=cell.id(1)).entered_by == cell.user,
    ),
    "tournaments:helper_link": Page(
        see=CUP_TO_RUN,
        do=CUP_TO_RUN,
        done=lambda cell: HelperLink.objects.get(tournament=cell.id(), revoked_at=None).made_by == cell.user,
    ),
    "tournaments:end_helper_link": Page(
        do=CUP_TO_RUN,
        answer="/tournaments/{0}/helper/",
        before=lambda cell: make_helper_link(Tournament.objects.get(pk=cell.id()), by=cell.user),
        done=lambda cell: not HelperLink.objects.filter(tournament=cell.id(), revoked_at=None).exists(),
    ),
    "tournaments:open_helper_link": Page(
        see={"helper_code": EVERYBODY, "nonsense": EVERYBODY},
        do={"helper_code": EVERYBODY, "nonsense": {EVERYBODY: 200}},
        answer="/helper/round/",
        done=lambda cell: cell.objects == "nonsense"
        or dict(cell.client.session.items()) == {HELPER: cell["helper_link"], "_session_expiry": ANY},
    ),
    "tournaments:helper_round": Page(see={"": "helper"}),
    "tournaments:helper_result": Page(
        do={"board_room": "helper", "board_room_1": "", "board_side": "", "board_lake": "", "unknown": ""},
        answer="/helper/round/#board-{0}",
        body=lambda cell: {"result": "10"},
        done=lambda cell: Pairing.objects.get(pk=cell.id()).entered_with_id == cell["helper_link"],
    ),
    "tournaments:leave_helper": Page(do={"": "helper"}, answer="/", writes=False),
    "tournaments:export_trf": Page(see={f"{cup} trf16": who for cup, who in CUP.items()} | {"cup_room nonsense": ""}),
    "tournaments:import_trf": Page(
        see=OPEN_CLASS,
        do=OPEN_CLASS,
        answer="/tournaments/*/",
        body=lambda cell: {
            "key": uuid.uuid4(), "confirm": "1", "name": "Read in", "player_1": "new", "player_2": "new",
            "text": "XXR 1\n001    1      Ann\n001    2      Bob\n",
        },
        done=lambda cell: Tournament.objects.filter(name="Read in").exists(),
        refuses=[lambda cell: {"text": "no report", "confirm": "1"}],
    ),
    "tournaments:standings": Page(see=CUP),
    "tournaments:standings_csv": Page(see=CUP),
    "tournaments:crosstable": Page(see=CUP),
    "tournaments:crosstable_csv": Page(see=CUP),
    "tournaments:pairings_csv": Page(see={f"{cup} round_one": who for cup, who in CUP.items()}),
    "tournaments:players": Page(see=CUP),
    "tournaments:player": Page(see=ENTRY),
    "tournaments:enter_students": Page(
        see=CUP_TO_RUN,
        do=CUP_TO_RUN | {  # nobody of another class
            "cup_side": {"colleague lead": 200},
            "cup_lake": {"outsider": 200},
        },
        answer="/tournaments/{0}/players/",
        body=lambda cell: {"students": [cell["eli"]], "missed": "Z"},
        done=lambda cell: Entry.objects.filter(tournament=cell.id(), student=cell["eli"]).exists()
        == (cell.objects not in {"cup_side", "cup_lake"}),
        refuses=[
            lambda cell: {"students": [cell["zoe"]], "missed": "Z"},
            lambda cell: {"students": [cell["mia"]], "missed": "Z"},
            lambda cell: {"missed": "Z"},
        ],
    ),
    "tournaments:remove_entry": Page(  # all of these have begun: the page says so
        do=ENTRY_TO_CHANGE, answer="/tournaments/{0}/players/", writes=False
    ),
    "tournaments:set_absence": Page(
        do=ENTRY_TO_CHANGE,
        answer="/tournaments/{0}/players/{1}/",
        body=lambda cell: {"number": "3", "kind": "H"},
        done=lambda cell: Absence.objects.filter(entry=cell.id(1), number=3, kind="H").count() == 1,
    ),
    "tournaments:withdraw": Page(
        see=ENTRY_TO_CHANGE,
        do=ENTRY_TO_CHANGE,
        answer="/tournaments/{0}/players/{1}/",
        body=lambda cell: {"board": "forfeit"},
        done=lambda cell: Entry.objects.get(pk=cell.id(1)).is_withdrawn,
    ),
    "tournaments:come_back": Page(
        do=ENTRY_TO_CHANGE,
        answer="/tournaments/{0}/players/{1}/",
        before=lambda cell: Entry.objects.filter(pk=cell.id(1)).update(withdrawn_at=timezone.now()),
        done=lambda cell: not Entry.objects.get(pk=cell.id(1)).is_withdrawn,
    ),
    "tournaments:leaving": Page(
        see=LEAVING,
        do=LEAVING,
        answer="/classes/{0}/students/",
        body=lambda cell: {
            f"{field}_{pk}": "forfeit"
            for pk in Entry.objects.filter(student=cell.id(1)).values_list("pk", flat=True)
            for field in ("leave", "board")
        },
        done=lambda cell: set(
            Entry.objects.exclude(withdrawn_at=None).values_list("student", flat=True)
        ) == {cell.id(1)},
    ),
}  # fmt: skip

# What is in the admin's list of apps: the app label is text in the address.
ADMIN_APPS = {"auth": "staff", "classes": "staff", "ratings": "staff", "tournaments": "staff"}

# Patterns without a name, all of the admin. `<path:object_id>/` of each model leads to its change page.
UNNAMED = {"admin/(?P<url>.*)$"}


@dataclass(frozen=True)
class AdminModel:
    """A model in the admin: `row` names one of its objects. `add`, `change`: a body, None where nobody may."""

    row: str
    add: Body | None = None
    change: Body | None = None
    delete: bool = False
    version: str = ""
    revert: bool = False  # may an old version be made the current one?
    action: Body | None = None
    acted: Callable[[Cell], bool] = lambda cell: True


ADMIN_MODELS: dict[str, AdminModel] = {
    "auth.group": AdminModel(
        "group", add=lambda cell: {"name": "Renamed"}, change=lambda cell: {"name": "Renamed"}, delete=True
    ),
    "classes.user": AdminModel(
        "user",
        add=lambda cell: {
            "username": "newcomer",
            "name": "Renamed",
            "role": "teacher",
            "usable_password": "true",
            "password1": NEW_PASSWORD,
            "password2": NEW_PASSWORD,
        },
        change=lambda cell: {
            "username": "ben",
            "name": "Renamed",
            "role": "student",
            "is_active": "on",
            "date_joined_0": "2026-09-01",
            "date_joined_1": "08:00:00",
        },
    ),
    "classes.school": AdminModel(
        "school",
        add=lambda cell: renamed_school(),
        change=lambda cell: renamed_school(),
    ),
    "classes.membership": AdminModel(
        "membership",
        add=lambda cell: {"user": cell.user.pk, "school": cell["school"], "role": "teacher"},
        change=lambda cell: {"user": cell.world.cast.colleague.pk, "school": cell["school"], "role": "lead"},
        delete=True,
    ),
    "classes.classroom": AdminModel(
        "room",
        add=lambda cell: {
            "school": cell["school"], "name": "Renamed", "school_year": 2026, "teachers": [cell["membership"]]
        },
        change=lambda cell: {
            "school": cell["school"], "name": "Renamed", "school_year": 2026, "teachers": [cell["membership"]]
        },
        version="room_version",
        revert=True,
    ),
    "classes.student": AdminModel(
        "mia",
        add=lambda cell: {"school": cell["school"], "first_name": "Renamed"},
        change=lambda cell: {"school": cell["school"], "first_name": "Renamed"},
        version="mia_version",
        revert=True,
    ),
    "classes.enrollment": AdminModel(
        "enrollment",
        add=lambda cell: {"student": cell["cleo"], "classroom": cell["club"]},
        change=lambda cell: {"student": cell["mia"], "classroom": cell["room"]},
        version="enrollment_version",
        revert=True,
    ),
    "classes.usedkey": AdminModel("usedkey"),
    "ratings.game": AdminModel(
        "game_room",
        change=lambda cell: {
            "white": cell["mia"], "black": cell["ben"], "result": Game.Result.DRAW, "day": day(cell), "note": "Renamed"
        },
        version="game_version",
        revert=True,
        action=lambda cell: {"action": "void", "_selected_action": [cell["game_room"]], "index": "0"},
        acted=lambda cell: Game.objects.get(pk=cell["game_room"]).is_void,
    ),
    "ratings.adjustment": AdminModel(
        "adjustment",
        version="adjustment_version",
        action=lambda cell: {"action": "void", "_selected_action": [cell["adjustment"]], "index": "0"},
        acted=lambda cell: Adjustment.objects.get(pk=cell["adjustment"]).is_void,
    ),
    "ratings.ledgerentry": AdminModel("ledgerentry"),
    "ratings.rating": AdminModel("rating"),
    "ratings.startrating": AdminModel("startrating"),
    "ratings.ratinglist": AdminModel("ratinglist"),
    "ratings.ratingrule": AdminModel("ratingrule"),
    "ratings.economycheck": AdminModel("economycheck"),
    "ratings.gameimport": AdminModel("gameimport"),
    "ratings.practiceset": AdminModel("practice_room"),
    "tournaments.tournament": AdminModel("cup_room"),
    "tournaments.entry": AdminModel("entry_room"),
    "tournaments.absence": AdminModel("absence"),
    "tournaments.round": AdminModel("round"),
    "tournaments.pairing": AdminModel("board_room_1", version="pairing_version"),
    "tournaments.keepapart": AdminModel("apart_room"),
}  # fmt: skip


def admin_pages() -> Iterator[tuple[str, Page]]:
    """The rules for each kind of page of a model, written out: (name of the URL, row)."""
    for label, it in ADMIN_MODELS.items():
        app, model = label.split(".")
        name, home = f"admin:{app}_{model}", f"/admin/{app}/{model}/"
        body = it.change or (lambda cell: {})
        gone: Who = {"staff": "/admin/"}  # Django's own answer to staff where there is no such object
        changed = _renamed(label, it.change) if it.change else (lambda cell: True)

        def page(**kwargs: Any) -> Page:
            return Page(may_learn_methods=STAFF, asked_by=ADMIN_ROLES, **kwargs)

        yield (
            f"{name}_changelist",
            page(
                see={"": "staff"},
                do={"": "staff"},
                answer=home if it.action else 200,
                body=it.action or (lambda cell: {}),
                done=it.acted,
                writes=it.action is not None,
            ),
        )
        yield (
            f"{name}_add",
            page(
                see={"": "staff" if it.add else ""},
                do={"": "staff" if it.add else ""},
                answer="/admin/classes/user/*/change/" if label == "classes.user" else home,
                body=it.add or (lambda cell: {}),
                done=_renamed(label, it.add) if it.add else (lambda cell: True),
            ),
        )
        yield (
            f"{name}_change",
            page(
                see={it.row: "staff", "unknown": gone},
                do={it.row: "staff" if it.change else "", "unknown": gone if it.change or it.action else ""},
                answer=home,
                body=body,
                done=lambda cell, changed=changed: cell.objects == "unknown" or changed(cell),
            ),
        )
        yield (
            f"{name}_history",
            page(
                see={it.row: "staff", "unknown": "" if it.version else gone},
                do={it.row: "staff", "unknown": "" if it.version else gone},
                writes=False,
            ),
        )
        yield (
            f"{name}_delete",
            page(
                see={it.row: "staff" if it.delete else "", "unknown": gone if it.delete else ""},
                do={it.row: "staff" if it.delete else "", "unknown": gone if it.delete else ""},
                answer=home,
                body=lambda cell: {"post": "yes"},
                done=lambda cell, label=label: not apps.get_model(label).objects.filter(pk=cell.id()).exists(),
            ),
        )
        if it.version:
            versions = f"{it.row} {it.version}"
            yield (
                f"{name}_simple_history",
                page(
                    see={versions: "staff", f"{it.row} unknown": "", "unknown unknown": ""},
                    do={versions: "staff" if it.revert else "", f"{it.row} unknown": "", "unknown unknown": ""},
                    answer=home,
                    body=body,
                    done=changed,
                ),
            )
        shortcut: dict[str, Who] = {
            it.row: {STAFF: f"{home}{{0}}/change/"}, "unknown": {STAFF: f"{home}{{0}}/change/"}
        }  # fmt: skip
        yield f"{home[1:]}<path:object_id>/", page(see=shortcut, do=shortcut, writes=False)


TOLD_BY = {"name", "first_name", "role", "user", "student", "classroom", "note", "result"}


def _renamed(label: str, body: Body) -> Callable[[Cell], bool]:
    """Is there a row with what was sent?"""

    def check(cell: Cell) -> bool:
        model = apps.get_model(label)
        sent = {key: value for key, value in body(cell).items() if key in TOLD_BY}
        return model.objects.filter(**sent).exists()

    return check
