"""Backups of the whole server, made while it runs, and the journal of those who were erased."""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import functools
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from chesslocker import __version__
from chesslocker.copies import engine, new_file, sync_folder
from chesslocker.core.backups import (
    BEFORE_RESTORE,
    BEFORE_UPDATE,
    UNSOUND,
    BackupName,
    Damaged,
    Erasure,
    Manifest,
    digest,
    erasures_in,
    outdated,
    peek,
    read_file,
    write_file,
)
from classes.models import School, Student, User
from classes.services import Action, record_event
from ratings.models import RatingList
from ratings.selectors.audit import database_violations
from ratings.selectors.audit import violations as violations_of_list
from tournaments.models import Tournament
from tournaments.selectors.audit import violations as violations_of_tournament

JOURNAL = "erased.jsonl"
ROOM = ".making-"  # a folder to work in; none is left but by a killed process
TOO_OLD = datetime.timedelta(hours=48)


class Unsound(Exception):
    """The audits found something in the database; `lines` says what, `path` where the copy is kept, if it is."""

    def __init__(self, lines: list[str], path: Path | None = None) -> None:
        super().__init__(lines)
        self.lines, self.path = lines, path


class Refused(Exception):
    """The backup is whole, but cannot be restored here; the sentence says why."""


def backup_folder() -> Path:
    return Path(settings.BACKUP_DIR)


# --- making ---


@dataclass(frozen=True, slots=True)
class Found:
    """What was in a copy of the database."""

    rows: dict[str, int]
    migrations: dict[str, str]
    violations: list[str]


def make_backup(*, kind: str = "", keep_all: bool = False, by: User | None = None) -> Path:
    """Copy the database, check the copy, write and read back the file, and let old ones go. The server may run.

    Unsound where the audits find something: the copy is kept under such a name, and no other goes for it.
    CopyFailed and OSError where there is no file.
    """
    with one_at_a_time() as room:
        folder = backup_folder()
        source = engine()
        copy = room / source.file
        found = source.dump(copy, functools.partial(look_around, audits=not kind))
        now = timezone.now()
        manifest = Manifest(
            version=__version__,
            made_at=now.isoformat(),
            engine=source.name,
            sound=not (kind or found.violations),
            migrations=found.migrations,
            rows=found.rows,
            file=source.file,
            size=copy.stat().st_size,
            sha256=digest(copy),
        )
        with _written(free_name(folder, kind=UNSOUND if found.violations else kind, now=now)) as part:
            write_file(part, manifest, copy)
            read_file(part)
        path = part.with_suffix(".zip")
        if found.violations:
            raise Unsound(found.violations, path)
        if not kind:
            note_event(Action.BACKUP_MADE, now, by=by)
        if not keep_all:
            _let_go(folder, now=now)
        return path


def back_up_before_update() -> Path | None:
    """A copy before the tables change, where they will and there is something to lose. Errors as of make_backup."""
    executor = MigrationExecutor(connection)
    if not executor.loader.applied_migrations or not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return None
    return make_backup(kind=BEFORE_UPDATE, keep_all=True)


def copy_backup(path: Path, folder: Path, *, keep_all: bool = False) -> Path:
    """A second copy of a backup in another place, read back there, with the journal of erasures; old ones go there too.

    Damaged and OSError where it did not succeed.
    """
    folder.mkdir(mode=0o700, exist_ok=True)  # not its parent: a stick that is not there must not become a folder
    with _written(folder / path.name) as part:
        shutil.copyfile(path, part)
        with part.open("rb") as file:
            os.fsync(file.fileno())
        read_file(part)
    merge_journal(path.parent, folder)
    if not keep_all:
        _let_go(folder, now=timezone.now())
    return folder / path.name


@contextlib.contextmanager
def _written(path: Path) -> Iterator[Path]:
    """A new file to write to, which gets its name at the end: under that name it is whole or not there."""
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    try:
        yield new_file(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def free_name(folder: Path, *, kind: str, now: datetime.datetime) -> Path:
    at, number = now.astimezone(datetime.UTC).replace(microsecond=0), 1
    while (path := folder / BackupName(at, number, kind).file).exists():
        number += 1
    return path


def _let_go(folder: Path, *, now: datetime.datetime) -> None:
    for name in outdated((row.name for row in _named(folder)), now=now):
        (folder / name.file).unlink(missing_ok=True)


def note_event(action: Action, at: datetime.datetime, *, by: User | None = None) -> None:
    """A line in the audit trail: of the school, where there is only one; else of the server."""
    schools = School.objects.all()[:2]
    record_event(
        action=action,
        school=schools[0] if len(schools) == 1 else None,
        by=by,
        about=f"backup:{at:%Y%m%dT%H%M%SZ}",
    )


def look_around(*, audits: bool) -> Found:
    """What a backup says about the database that this thread works on. The audits need tables of today's shape."""
    recorded: dict[str, str] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        recorded[app] = name  # sorted: the last one stays
    return Found(count_rows(), recorded, audit() if audits else [])


def count_rows() -> dict[str, int]:
    """Table -> number of rows."""
    with connection.cursor() as cursor:
        tables = sorted(connection.introspection.table_names(cursor))
        counts = {}
        for table in tables:
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608 names of tables
            counts[table] = int(cursor.fetchone()[0])
    return counts


def audit() -> list[str]:
    """Everything wrong with the database: damage, the books of the ratings, the boards of the tournaments."""
    lines = database_violations()
    for rating_list in RatingList.objects.order_by("pk"):
        lines += violations_of_list(rating_list)
    for tournament in Tournament.objects.order_by("pk"):
        lines += violations_of_tournament(tournament)
    return lines


@contextlib.contextmanager
def one_at_a_time() -> Iterator[Path]:
    """A room of one's own to work in; a second backup waits. What a killed one left behind goes."""
    folder = backup_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for left in [*folder.glob(f"{ROOM}*"), *folder.glob("*.part")]:
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        with tempfile.TemporaryDirectory(dir=folder, prefix=ROOM) as room:
            yield Path(room)


# --- what is there ---


@dataclass(frozen=True, slots=True)
class BackupRow:
    """One backup in the folder."""

    name: BackupName
    path: Path
    size: int  # bytes

    @property
    def key(self) -> str:
        return self.name.key

    @property
    def at(self) -> datetime.datetime:
        return self.name.at

    @property
    def is_good(self) -> bool:
        return not self.name.kind

    @property
    def is_unsound(self) -> bool:
        return self.name.kind == UNSOUND

    @property
    def is_before_restore(self) -> bool:
        return self.name.kind == BEFORE_RESTORE


def _named(folder: Path) -> list[BackupRow]:
    """The files that are named as backups are, the newest first."""
    rows = []
    for path in folder.glob("*.zip"):
        if name := BackupName.of(path.name):
            with contextlib.suppress(FileNotFoundError):  # another backup has let it go just now
                rows.append(BackupRow(name, path, path.stat().st_size))
    return sorted(rows, key=lambda row: row.name, reverse=True)


def backups() -> list[BackupRow]:
    """The backups in the server's folder, the newest first; those whose manifest cannot be read are left out."""
    rows = []
    for row in _named(backup_folder()):
        with contextlib.suppress(Damaged):
            peek(row.path)
            rows.append(row)
    return rows


def find_backup(key: str) -> BackupRow | None:
    """The backup of this name in the server's folder."""
    return next((row for row in backups() if row.key == key), None)


def last_good(rows: list[BackupRow]) -> BackupRow | None:
    return next((row for row in rows if row.is_good), None)


def is_too_old(last: BackupRow | None) -> bool:
    return last is None or timezone.now() - last.at > TOO_OLD


# --- the journal of erasures ---


def note_erasure(school_id: int, student_id: int, at: datetime.datetime) -> None:
    """Write down that a student was erased, so that a restored backup erases them again. Waits for the disk.

    Called as the last step inside the transaction of the erasure: no confirmed erasure may lack its line. A line whose
    transaction was lost after all erases, at the next restore, whom a lead had asked to be erased.
    """
    created = Student.objects.values_list("created_at", flat=True).get(pk=student_id)
    _append(backup_folder(), [Erasure(school_id, student_id, created.isoformat(), at.isoformat())])


def _append(folder: Path, notes: Iterable[Erasure]) -> None:
    """Add to a journal what is not in it yet."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(folder / JOURNAL, os.O_RDWR | os.O_CREAT, 0o600), "r+") as journal:
        fcntl.flock(journal, fcntl.LOCK_EX)
        text = journal.read()
        there = {(one.school, one.student, one.created_at) for one in erasures_in(text)}
        new = [note for note in notes if (note.school, note.student, note.created_at) not in there]
        if not new:
            return
        whole = text[: text.rfind("\n") + 1]  # without a line that a power cut left unfinished
        journal.seek(len(whole))
        journal.truncate()
        journal.writelines(note.line() for note in new)
        journal.flush()
        os.fsync(journal.fileno())
    sync_folder(folder)


def merge_journal(source: Path, target: Path) -> None:
    """The journal belongs to the backups, wherever they are taken and wherever they come from."""
    if notes := noted(source):
        _append(target, sorted(notes, key=lambda note: note.at))


def noted(folder: Path) -> list[Erasure]:
    try:
        return erasures_in((folder / JOURNAL).read_text())
    except FileNotFoundError:
        return []
    except ValueError as error:
        raise Refused(f"{folder / JOURNAL} cannot be read. Without it the erased would come back.") from error
