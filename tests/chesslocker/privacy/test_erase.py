"""Erasing a student: the person goes from everywhere, and nobody else's numbers change."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import connection
from django.db.models import Q
from django.urls import reverse

from chesslocker.backups import JOURNAL, make_backup
from chesslocker.privacy.erase import ERASED, erase_again, erase_student
from chesslocker.privacy.export import export_student
from chesslocker.privacy.registry import Erase, personal
from classes.models import AuditEvent, Badge, Enrollment, Rollover, Student, UsedKey, User
from ratings.models import Adjustment, Game, LedgerEntry, PracticeSet, Rating
from tests.chesslocker.privacy.makers import CANARY, make_canary
from tests.factories import PASSWORD, make_game, make_student
from tests.pages import messages_of, words_of
from tests.tournaments.makers import boards, enter, make_tournament, pair
from tournaments.models import Entry, KeepApart, Pairing
from tournaments.selectors.names import board_labels
from tournaments.selectors.states import load
from tournaments.selectors.tables import table_of


@pytest.fixture(autouse=True)
def folder(settings, tmp_path) -> Path:
    settings.BACKUP_DIR = tmp_path / "backups"
    return settings.BACKUP_DIR


def numbers(student: Student) -> str:
    """A digest of everything in the books and tournaments but the student's own labels."""
    found = hashlib.sha256()
    for model in (LedgerEntry, Rating, Entry, Pairing):
        found.update(repr(list(model.objects.order_by("pk").values_list())).encode())
    games = Game.objects.order_by("pk").values_list("pk", "white", "black", "result", "day", "sequence", "voided_at")
    points = Adjustment.objects.order_by("pk").values_list("pk", "student", "points", "day", "sequence", "voided_at")
    found.update(repr([list(games), list(points)]).encode())
    for cup in {entry.tournament for entry in Entry.objects.select_related("tournament__school")}:
        loaded = load(cup)
        labels = board_labels(cup, loaded.entries)
        own = {entry.pk for entry in loaded.entries if entry.student_id == student.pk}
        table = table_of(loaded, labels | dict.fromkeys(own, "?"))
        found.update(repr(table.rows).encode())
    return found.hexdigest()


@pytest.mark.database
@pytest.mark.django_db
def test_games_ledger_and_standings_stay_byte_for_byte(cast):
    student = make_canary(cast)
    before = numbers(student)

    erase_student(student, by=cast.lead)

    assert numbers(student) == before
    call_command("audit_ratings", verbosity=0)
    call_command("audit_tournaments", verbosity=0)


@pytest.mark.database
@pytest.mark.django_db
def test_the_person_is_gone_from_every_table(cast):
    student = make_canary(cast)
    account = student.user_id

    erased = erase_student(student, by=cast.lead)

    assert (erased.first_name, erased.full_name) == (f"Former student {student.pk}",) * 2
    assert (erased.last_name, erased.grade, erased.email, erased.external_id, erased.user) == ("", "", "", "", None)
    assert not erased.off_boards
    assert not User.objects.filter(pk=account).exists()
    assert set(Student.history.filter(id=student.pk).values_list("first_name", "last_name", "grade", "email")) == {
        (erased.first_name, "", "", "")
    }
    assert set(Enrollment.objects.filter(student=student).values_list("active", flat=True)) == {False}
    own = Game.objects.filter(Q(white=student) | Q(black=student), origin="casual").order_by("pk")
    assert [(game.note, game.void_reason) for game in own] == [*[(ERASED, "")] * 4, (ERASED, ERASED)]
    assert [(one.reason, one.void_reason) for one in Adjustment.objects.order_by("pk")] == [(ERASED, ""), (ERASED,) * 2]
    for model in (Badge, PracticeSet, KeepApart):
        assert not model.objects.exists()
    assert not any(session.get_decoded().get("_auth_user_id") == str(account) for session in Session.objects.all())
    assert set(LogEntry.objects.values_list("object_repr", "change_message")) == {(ERASED, "")}
    assert UsedKey.objects.get(action="test").body_hash == ""
    assert Rollover.objects.get().moved == {"grades": {str(cast.ben.pk): ["5", "6"]}}
    event = AuditEvent.objects.latest("at")
    assert (event.action, event.by, event.about, event.detail) == (
        "student.erased", cast.lead, f"student:{student.pk}", {},
    )  # fmt: skip


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_the_name_is_nowhere_in_database_journal_logs_and_exports(cast, folder, caplog, client_of):
    """In the files themselves, as somebody would find it who takes the disk."""
    student = make_canary(cast)
    file = Path(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else None
    if file:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert CANARY.encode() in file.read_bytes()
    lead, url = client_of(cast.lead), reverse("erase_student", args=[student.pk])
    for path in (f"/students/{student.pk}/", f"/students/{student.pk}/edit/", f"/students/{student.pk}/view/"):
        lead.get(path)

    lead.post(url, {"sure": "on", "confirm": "1"})

    assert CANARY.casefold() not in caplog.text.casefold()
    assert CANARY.casefold() not in (folder / JOURNAL).read_text().casefold()
    others = (cast.mia, cast.ben, cast.cleo, Student.objects.get(pk=student.pk))
    for one in others:
        with zipfile.ZipFile(io.BytesIO(export_student(one, by=cast.lead))) as archive:
            for name in archive.namelist():
                assert CANARY.casefold() not in archive.read(name).decode().casefold(), name
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            assert CANARY.casefold() not in repr(cursor.fetchall()).casefold(), table
    if file:
        for path in (file, file.with_name(f"{file.name}-wal")):
            content = path.read_bytes() if path.exists() else b""
            assert CANARY.lower().encode() not in content.lower(), path.name


@pytest.mark.django_db
def test_what_the_registry_says_is_emptied_was_full_before(cast):
    """The canary test finds only what the maker plants: each field of text that erasing treats has the word in it."""
    make_canary(cast)
    treated = {Erase.EMPTIED, Erase.REPLACED, Erase.ROW}
    found = set()
    for label, name, entry in personal():
        values = apps.get_model(label).objects.values_list(name, flat=True) if entry.erase in treated else []
        if any(CANARY[:8].casefold() in str(value).casefold() for value in values):
            found.add(f"{label}.{name}")

    texts = "first_name last_name grade email external_id".split()
    assert found == {
        *(f"classes.student.{name}" for name in texts),
        *(f"classes.historicalstudent.{name}" for name in texts),
        "classes.user.username", "classes.user.name",
        "ratings.game.note", "ratings.game.void_reason", "ratings.historicalgame.note",
        "ratings.historicalgame.void_reason", "ratings.adjustment.reason", "ratings.adjustment.void_reason",
        "ratings.historicaladjustment.reason", "ratings.historicaladjustment.void_reason",
        "axes.accessattempt.username", "axes.accessfailurelog.username", "axes.accesslog.username",
        "classes.rollover.moved", "admin.logentry.object_repr", "admin.logentry.change_message",
    }  # fmt: skip


@pytest.mark.django_db
def test_after_erasing_a_student_with_five_games_the_others_pages_work(cast, client_of):
    dana = make_student(cast.classroom, "Dana", "Quist")
    for _number in range(5):
        make_game(cast.classroom, dana, cast.mia)
    before = words_of(client_of(cast.mia.user).get("/me/"))

    erase_student(dana, by=cast.lead)

    former = f"Former student {dana.pk}"
    after = words_of(client_of(cast.mia.user).get("/me/games/"))
    assert after.count(former) >= 5
    assert "Dana" not in after
    page = words_of(client_of(cast.teacher).get(f"/students/{cast.mia.pk}/"))
    assert f"{former} 5 0-0-5" in page
    assert Rating.objects.get(student=cast.mia).rating == int(before.split("Your Elo ")[1].split()[0])
    assert former not in words_of(client_of(cast.teacher).get(f"/classes/{cast.classroom.pk}/")).split("Today’s")[0]


@pytest.mark.django_db
def test_a_running_tournament_goes_on_without_the_erased(cast):
    cup = make_tournament(cast.classroom, [cast.mia, cast.ben, cast.cleo, make_student(cast.classroom, "Dana")])
    pair(cup)
    board = next(board for board in boards(cup) if cast.cleo.pk in {board.white.student_id, board.black.student_id})

    erase_student(cast.cleo, by=None)

    board.refresh_from_db()
    assert board.result in {"+-", "-+"}
    assert Entry.objects.get(tournament=cup, student=cast.cleo).is_withdrawn
    enter(next(one for one in boards(cup) if one.is_open), "10")
    pair(cup)
    assert len([one for one in boards(cup) if not one.is_bye]) == 1


@pytest.mark.django_db
def test_all_entries_of_one_child_are_erased_together(cast, folder):
    twin = make_student(cast.classroom, "Mya", "Kowalczyk", username="mya")
    Student.objects.filter(pk=twin.pk).update(merged_into=cast.mia)

    erase_student(Student.objects.get(pk=twin.pk), by=cast.lead)

    assert {one.erased_at is None for one in Student.objects.filter(pk__in=[twin.pk, cast.mia.pk])} == {False}
    lines = [json.loads(line) for line in (folder / JOURNAL).read_text().splitlines()]
    assert {line["student"] for line in lines} == {twin.pk, cast.mia.pk}
    assert AuditEvent.objects.get(action="student.erased").detail == {"merged": [cast.mia.pk]}


@pytest.mark.django_db
def test_erasing_twice_changes_nothing_and_a_restored_one_is_not_noted_again(cast, folder):
    first = erase_student(cast.mia, by=cast.lead)
    assert erase_student(first, by=cast.lead).erased_at == first.erased_at
    erase_again(cast.ben)

    assert len((folder / JOURNAL).read_text().splitlines()) == 1
    assert AuditEvent.objects.filter(action="student.erased").count() == 2


@pytest.mark.django_db
def test_erasing_is_asked_twice(cast, client_of):
    give = client_of(cast.lead)
    url = reverse("erase_student", args=[cast.mia.pk])
    make_game(cast.classroom, cast.mia, cast.ben)

    page = words_of(give.get(url))
    assert "1 game · points given 0 times" in page
    assert "Still active in: Room 12 Chess" in page
    assert "Tick the box if you want to erase." in words_of(give.post(url, {"confirm": "1"}))
    assert "Really erase Mia Kowalczyk?" in words_of(give.post(url, {"sure": "on"}))
    assert Student.objects.get(pk=cast.mia.pk).erased_at is None
    done = give.post(url, {"sure": "on", "confirm": "1"}, follow=True)

    assert messages_of(done) == ["The student is erased. Games and the ratings of the others are as they were."]
    assert "Edit student" not in words_of(done)
    assert f"/students/{cast.mia.pk}/" not in give.get(f"/classes/{cast.classroom.pk}/students/").content.decode()
    again = give.post(f"/classes/{cast.classroom.pk}/students/{cast.mia.pk}/active/", {"active": "1"})
    assert again.status_code == 404
    assert give.get(url).status_code == 404
    assert give.get(f"/students/{cast.mia.pk}/edit/").status_code == 404


@pytest.mark.django_db
def test_the_erased_are_logged_out_and_cannot_come_back(cast, client_of):
    student = client_of(cast.mia.user)
    assert student.get("/me/").status_code == 200

    erase_student(cast.mia, by=cast.lead)

    assert student.get("/me/").status_code == 302
    answer = student.post("/login/", {"username": "mia", "password": PASSWORD})
    assert answer.status_code == 200


@pytest.mark.django_db(transaction=True)
def test_an_old_backup_does_not_bring_the_erased_back(cast, settings, tmp_path):
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    student = make_canary(cast)
    path = make_backup()
    erase_student(student, by=cast.lead)

    call_command("restore", path, verbosity=0)

    restored = Student.objects.get(pk=student.pk)
    assert (restored.full_name, restored.user) == (f"Former student {student.pk}", None)
    assert not User.objects.filter(username__startswith="user-").exists()
    assert set(Adjustment.objects.values_list("reason", flat=True)) == {ERASED}
