"""Backing up and restoring a server, on both databases. `make prove-backups` runs the load test with large numbers."""

from __future__ import annotations

import datetime
import os
import random
import sqlite3
import stat
import threading
import zipfile
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from chesslocker import backups, in_use
from chesslocker.backups import (
    JOURNAL,
    Refused,
    Unsound,
    audit,
    back_up_before_update,
    copy_backup,
    count_rows,
    make_backup,
    note_erasure,
)
from chesslocker.copies import engine
from chesslocker.core.backups import BackupName, Damaged, Manifest, write_file
from chesslocker.restoring import restore_backup
from classes.models import School, Student
from ratings.models import Game, Rating
from tests.factories import make_classroom, make_game, make_student

pytestmark = pytest.mark.django_db(transaction=True)

BACKUPS = int(os.environ.get("PROVE_BACKUPS", "3"))
DAMAGES = int(os.environ.get("PROVE_DAMAGES", "12"))
WRITERS = 3


@pytest.fixture(autouse=True)
def folder(settings, tmp_path) -> Path:
    """Where the backups are. The database stays where the tests have it."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    settings.BACKUP_DIR = settings.DATA_DIR / "backups"
    return settings.BACKUP_DIR


@pytest.fixture
def classroom():
    """A class with a game."""
    classroom = make_classroom()
    make_game(classroom, make_student(classroom, "Mia"), make_student(classroom, "Ben"))
    return classroom


def no_erasing(student: Student) -> None:
    raise AssertionError("nobody was erased")


def restore(path: Path, *, erase=no_erasing, check: bool = False) -> Manifest:
    return restore_backup(path, erase=erase, check=check)


def with_one_more_event(rows: dict[str, int]) -> dict[str, int]:
    """A restore is noted in the audit trail."""
    return rows | {"classes_auditevent": rows["classes_auditevent"] + 1}


def anonymise(student: Student) -> None:
    student.first_name, student.erased_at = "[erased]", timezone.now()
    student.save()


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != ".lock")


@pytest.mark.database
def test_a_backup_brings_everything_back(classroom):
    rows = count_rows()
    path = make_backup()
    mia, ben = Student.objects.order_by("pk")
    make_game(classroom, ben, mia)
    Student.objects.update(first_name="Wrong")

    manifest = restore(path)

    assert manifest.rows == rows
    assert count_rows() == with_one_more_event(rows)
    assert list(Student.objects.order_by("pk").values_list("first_name", flat=True)) == ["Mia", "Ben"]
    assert Game.objects.count() == 1
    assert audit() == []
    make_game(classroom, mia, ben)  # and it is a database to go on with
    assert Game.objects.count() == 2


def test_a_backup_is_one_file_for_the_own_account_alone(classroom, folder):
    path = make_backup()

    assert names_in(folder) == [path.name]
    assert BackupName.of(path.name)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_second_copy_goes_elsewhere_with_the_journal(classroom, folder, tmp_path, capsys):
    note_erasure(classroom.school_id, Student.objects.latest("pk").pk, timezone.now())

    call_command("backup", to=tmp_path / "stick")

    first, second = map(Path, capsys.readouterr().out.split())
    assert (first.parent, second.parent) == (folder, tmp_path / "stick")
    assert first.read_bytes() == second.read_bytes()
    assert names_in(folder) == names_in(second.parent) == [first.name, JOURNAL]
    assert stat.S_IMODE(second.stat().st_mode) == 0o600


def test_a_stick_that_is_not_there_is_said_and_the_backup_stays(classroom, folder, tmp_path):
    with pytest.raises(CommandError, match="The backup was made, but there is no copy"):
        call_command("backup", to=tmp_path / "not mounted" / "stick", verbosity=0)

    assert len(names_in(folder)) == 1


def test_old_backups_go_when_a_new_one_is_made(classroom, folder):
    first = make_backup()
    old = BackupName(timezone.now().replace(microsecond=0) - datetime.timedelta(days=40))
    first.rename(folder / old.file)

    call_command("backup", keep_all=True, verbosity=0)
    assert old.file in names_in(folder)
    make_backup()
    assert old.file not in names_in(folder)


def test_before_an_update_changes_the_tables_there_is_a_backup(classroom, folder):
    assert back_up_before_update() is None
    row = MigrationRecorder.Migration.objects.filter(app="classes").order_by("name").last()
    row.delete()
    try:
        path = back_up_before_update()
    finally:
        MigrationRecorder.Migration.objects.create(app=row.app, name=row.name)

    assert names_in(folder) == [path.name]
    assert path.stem.endswith("-before-update")


def test_what_a_killed_backup_left_behind_goes(classroom, folder):
    (folder / ".making-dead").mkdir(parents=True)
    (folder / "chesslocker-20261130T120000Z.part").touch()

    path = make_backup()

    assert names_in(folder) == [path.name]


def test_a_drill_changes_nothing(classroom, folder, capsys):
    path = make_backup()
    Student.objects.update(first_name="Later")
    before = names_in(folder)

    call_command("restore", path, check=True)

    assert "Sound" in capsys.readouterr().out
    assert set(Student.objects.values_list("first_name", flat=True)) == {"Later"}
    assert names_in(folder) == before
    assert list(Path(folder.parent).glob(".restoring-*")) == []


@pytest.mark.database
def test_restoring_keeps_a_copy_of_what_was_there(classroom, folder):
    path = make_backup()
    Student.objects.update(first_name="Later")

    restore(path)
    safety = next(row for row in backups.backups() if row.name.kind == "before-restore")
    assert set(Student.objects.values_list("first_name", flat=True)) == {"Mia", "Ben"}

    restore(safety.path)
    assert set(Student.objects.values_list("first_name", flat=True)) == {"Later"}


def test_what_a_killed_restore_left_behind_goes(classroom):
    path = make_backup()
    left = engine().workplace / ".restoring-dead"
    left.mkdir()

    restore(path)

    assert not left.exists()


def test_restoring_ends_every_session(classroom, client):
    client.force_login(classroom.teachers.get().user, backend="django.contrib.auth.backends.ModelBackend")
    assert Session.objects.count() == 1
    path = make_backup()

    restore(path)

    assert Session.objects.count() == 0
    assert client.get("/classes/").status_code == 302


def test_whoever_was_erased_since_is_erased_again(classroom, folder):
    path = make_backup()
    mia, ben = Student.objects.order_by("pk")
    anonymise(mia)
    note_erasure(mia.school_id, mia.pk, timezone.now())
    note_erasure(mia.school_id, mia.pk, timezone.now())

    restore(path, erase=anonymise)

    assert list(Student.objects.order_by("pk").values_list("first_name", flat=True)) == ["[erased]", "Ben"]
    assert len((folder / JOURNAL).read_text().splitlines()) == 1
    assert stat.S_IMODE((folder / JOURNAL).stat().st_mode) == 0o600
    assert "Mia" not in (folder / JOURNAL).read_text()


def test_a_journal_beside_the_backup_counts_too(classroom, folder, tmp_path):
    mia = Student.objects.get(first_name="Mia")
    note_erasure(mia.school_id, mia.pk, timezone.now())  # and the power goes before it is done
    path = copy_backup(make_backup(), tmp_path / "stick")
    (folder / JOURNAL).unlink()  # another machine

    restore(path, erase=anonymise)

    assert set(Student.objects.values_list("first_name", flat=True)) == {"[erased]", "Ben"}
    assert (folder / JOURNAL).exists()


def test_a_number_in_the_journal_that_is_somebody_elses_here_erases_nobody(classroom):
    mia = Student.objects.get(first_name="Mia")
    note_erasure(mia.school_id, mia.pk, timezone.now())
    Student.objects.filter(pk=mia.pk).update(created_at=timezone.now())  # another child under the same number

    restore(make_backup(), erase=no_erasing)


def test_without_a_readable_journal_nothing_is_restored(classroom, folder):
    path = make_backup()
    (folder / JOURNAL).write_text("{]\n")

    with pytest.raises(Refused, match="the erased would come back"):
        restore(path)


def test_a_backup_of_a_newer_version_is_refused(classroom, tmp_path):
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('classes', '9999_later', %s)", [timezone.now()]
        )
    try:
        path = make_backup()
        with pytest.raises(Refused, match="newer ChessLocker"):
            restore(path)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE name = '9999_later'")


@pytest.mark.database
def test_unsound_books_are_told_and_are_no_good_backup(classroom):
    Rating.objects.filter(rating=816).update(rating=817)

    with pytest.raises(Unsound) as caught:
        make_backup()
    assert caught.value.lines
    assert backups.last_good(backups.backups()) is None
    assert caught.value.path

    with pytest.raises(Unsound):
        restore(caught.value.path)
    with pytest.raises(CommandError, match="not sound"):
        call_command("backup", verbosity=0)


def test_nothing_is_restored_while_a_server_runs(classroom):
    path = make_backup()
    in_use.tell_that_it_serves()

    with pytest.raises(CommandError, match="Stop the server"):
        call_command("restore", path)
    call_command("restore", path, check=True, verbosity=0)
    in_use._held.pop().close()
    restore(path)


@pytest.mark.database
def test_nothing_is_restored_while_somebody_has_the_database_open(classroom):
    path = make_backup()
    opened, close = threading.Event(), threading.Event()

    def look() -> None:
        School.objects.count()
        opened.set()
        close.wait(timeout=60)
        connections.close_all()

    other = threading.Thread(target=look)
    other.start()
    opened.wait(timeout=60)
    with pytest.raises(CommandError, match="Stop the server"):
        call_command("restore", path)
    close.set()
    other.join()
    restore(path)


def test_a_damaged_database_is_replaced_and_its_files_kept(classroom, folder):
    path = make_backup()
    connection.close()
    live = Path(connection.settings_dict["NAME"])
    live.write_bytes(b"not a database any more" * 1000)
    live.with_name(live.name + "-wal").write_bytes(b"stale")

    restore(path)

    assert not live.with_name(live.name + "-wal").exists()  # it would be read into the new file
    assert Game.objects.count() == 1
    [kept] = folder.glob("*-damaged.zip")
    with zipfile.ZipFile(kept) as archive:
        assert sorted(archive.namelist()) == [live.name, f"{live.name}-wal"]
    assert kept.stem not in {row.key for row in backups.backups()}


def test_a_journal_of_another_database_is_never_met(classroom):
    path = make_backup()
    live = Path(connection.settings_dict["NAME"])

    restore(path)

    assert not live.with_name(live.name + "-wal").exists()
    assert not live.with_name(live.name + "-shm").exists()
    with sqlite3.connect(live) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    opened.close()


def test_a_backup_of_the_other_database_is_refused(classroom, tmp_path):
    dump = tmp_path / "chesslocker.pgdump"
    dump.write_bytes(b"PGDMP")
    path = tmp_path / "backup.zip"
    path.touch()
    manifest = Manifest("1", timezone.now().isoformat(), "postgresql", True, {}, {}, dump.name, 5, "")
    write_file(path, manifest, dump)

    with pytest.raises(CommandError, match="postgresql"):
        call_command("restore", path)


def test_there_must_be_a_file(tmp_path):
    with pytest.raises(CommandError, match="There is no file"):
        call_command("restore", tmp_path / "nothing.zip")


# --- under load ---


def keep_recording(classroom, students: list[Student], stop: threading.Event, failures: list[Exception]) -> None:
    chance = random.Random(threading.get_ident())
    try:
        while not stop.is_set():
            white, black = chance.sample(students, 2)
            make_game(classroom, white, black, chance.choice(["1-0", "1/2-1/2", "0-1"]))
    except Exception as error:
        failures.append(error)
    finally:
        connections.close_all()


@pytest.mark.database
def test_backups_under_load_restore_and_damaged_ones_are_refused(capsys):
    classroom = make_classroom()
    students = [make_student(classroom, f"Student {number}") for number in range(8)]
    stop, failures = threading.Event(), []
    load = [threading.Thread(target=keep_recording, args=(classroom, students, stop, failures)) for _ in range(WRITERS)]
    for thread in load:
        thread.start()
    made = [make_backup(keep_all=True) for _ in range(BACKUPS)]
    stop.set()
    for thread in load:
        thread.join()
    recorded = Game.objects.count()

    restored, games = 0, []
    for path in made:
        manifest = restore(path)
        rows = count_rows()
        games.append(rows["ratings_game"])
        restored += rows == with_one_more_event(manifest.rows) and audit() == []

    refused, chance, whole = 0, random.Random(3), made[-1].read_bytes()
    damaged = made[-1].with_name("damaged.zip")
    for number in range(DAMAGES):
        bits = bytearray(whole)
        if number % 3 == 0:
            del bits[chance.randrange(len(bits)) :]
        elif number % 3 == 1:
            bits[chance.randrange(len(bits))] ^= 1 << chance.randrange(8)
        else:  # the manifest is at the beginning
            bits[chance.randrange(600)] ^= 1 << chance.randrange(8)
        damaged.write_bytes(bits)
        try:
            restore(damaged)
        except Damaged:
            refused += 1

    with capsys.disabled():
        print(f"\n{restored} of {BACKUPS} restored, {recorded} games written meanwhile; {refused} of {DAMAGES} refused")
    assert failures == []
    assert games == sorted(games)
    assert games[0] < games[-1]
    assert (restored, refused) == (BACKUPS, DAMAGES)
    assert Game.objects.count() == games[-1]
