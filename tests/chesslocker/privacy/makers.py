"""A child of whom everything is kept that can be kept, with a word by which it is found again."""

from __future__ import annotations

import json
import uuid

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from chesslocker.services.people import change_student
from classes.models import Badge, LoginCode, Rollover, Student, UsedKey, User
from ratings.models import Adjustment, Game
from ratings.services import adjust_ratings, change_note, keep_practice_set, void_adjustment, void_game
from tests.conftest import Cast
from tests.factories import BLACK, DRAW, PASSWORD, WHITE, list_of, make_game, make_student
from tests.tournaments.makers import make_tournament, play_round
from tournaments.models import KeepApart
from tournaments.services.events import finish_tournament

CANARY = "Kanarienvogel"


def make_canary(cast: Cast) -> Student:
    """In the cast's class: five games, awards, a finished tournament, a login, logs; in each free text CANARY."""
    student = make_student(cast.classroom, f"Old{CANARY}", f"Name{CANARY}", grade="3", external_id=f"id{CANARY}",
                           username=f"user-{CANARY.lower()}")  # fmt: skip
    change_student(
        student, first_name=f"First{CANARY}", last_name=f"Last{CANARY}", grade=f"G{CANARY[:8]}", off_boards=True,
        email=f"{CANARY}@example.org", external_id=f"newid{CANARY}",
    )  # fmt: skip
    student.refresh_from_db()
    for number, result in enumerate((WHITE, DRAW, BLACK, WHITE)):
        make_game(cast.classroom, student, (cast.mia, cast.ben)[number % 2], result, note=f"note {number} {CANARY}")
    game = make_game(cast.classroom, cast.mia, student, WHITE, note=f"old note {CANARY}")
    change_note(game, note="harmless", by=cast.teacher)
    void_game(game, by=cast.teacher, reason=f"void {CANARY}")
    rating_list = list_of(cast.classroom)
    for reason in ("reason", "void me"):
        adjust_ratings(
            rating_list=rating_list, classroom=cast.classroom, students=[student], points=3, kind="skill",
            reason=f"{reason} {CANARY}", day=cast.school.today(), by=cast.teacher,
        )  # fmt: skip
    void_adjustment(Adjustment.objects.get(reason__startswith="void"), by=cast.teacher, reason=f"why {CANARY}")
    keep_practice_set(student=student, key=str(uuid.uuid4()), piece="rook", level=1, tries=12, mistakes=2)
    cup = make_tournament(cast.classroom, [student, cast.mia, cast.ben, cast.cleo], rounds=2)
    play_round(cup)
    play_round(cup)
    finish_tournament(cup)
    first, second = sorted((student, cast.cleo), key=lambda one: one.pk)
    KeepApart.objects.create(school=cast.school, one=first, other=second)
    Badge.objects.create(student=student, token_hash="0" * 64, made_by=cast.teacher)
    LoginCode.objects.create(
        student=student, classroom=cast.classroom, code_hash="1" * 64, expires_at=timezone.now(), made_by=cast.teacher
    )
    Client().post("/login/", {"username": student.user.username, "password": PASSWORD})
    Client().post("/login/", {"username": student.user.username, "password": "wrong"})
    AccessFailureLog.objects.create(username=student.user.username, ip_address="127.0.0.1")
    AccessLog.objects.create(username=student.user.username, ip_address="127.0.0.1")
    assert AccessAttempt.objects.filter(username=student.user.username).exists()
    assert Session.objects.exists()
    LogEntry.objects.create(
        user=cast.lead, content_type=ContentType.objects.get_for_model(Game), object_id=str(game.pk),
        object_repr=f"{student.full_name} 1–0 Mia", action_flag=CHANGE,
        change_message=json.dumps([{"changed": {"name": student.full_name}}]),
    )  # fmt: skip
    LogEntry.objects.create(
        user=cast.lead, content_type=ContentType.objects.get_for_model(User), object_id=str(student.user_id),
        object_repr=student.user.username, action_flag=CHANGE,
    )  # fmt: skip
    Rollover.objects.create(
        school=cast.school, to_year=2026, moved={"grades": {student.pk: [CANARY, "4"], cast.ben.pk: ["5", "6"]}},
        made_by=cast.lead,
    )  # fmt: skip
    UsedKey.objects.create(key=uuid.uuid4(), user=cast.teacher, action="test", body_hash="2" * 64, answer_url="/")
    return Student.objects.select_related("school", "user").get(pk=student.pk)
