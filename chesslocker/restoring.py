"""Restoring a backup: everything is done in a new database, which is put in the place of the old one at the end."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import Error, connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from chesslocker import __version__
from chesslocker.backups import (
    Refused,
    Unsound,
    audit,
    backup_folder,
    count_rows,
    free_name,
    make_backup,
    merge_journal,
    note_event,
    noted,
    one_at_a_time,
)
from chesslocker.copies import CopyFailed, engine, new_file, working_on
from chesslocker.core.backups import BEFORE_RESTORE, DAMAGED, Damaged, Erasure, Manifest, extract, read_file
from chesslocker.in_use import no_server
from classes.models import Invitation, LoginCode, Student
from classes.services import Action
from ratings.selectors.audit import database_violations

RESTORING = ".restoring-"  # a folder to work in; none is left but by a killed process

Erase = Callable[[Student], object]


def restore_backup(path: Path, *, erase: Erase, check: bool = False) -> Manifest:
    """Put a backup in the place of the database; with `check` everything but that. The server must not run.

    `erase`: the service that erases a student, for those who were erased since the backup was made.
    Damaged, Refused, Unsound, CopyFailed, InUse: the database is as it was.
    """
    manifest = read_file(path)
    _refuse_foreign(manifest)
    target = engine()
    with contextlib.ExitStack() as stack:
        if not check:
            stack.enter_context(no_server())
            with target.only_user():
                pass  # before anything is done; asked again at the end
            for left in target.workplace.glob(f"{RESTORING}*"):
                shutil.rmtree(left)
            merge_journal(path.parent, backup_folder())
        room = stack.enter_context(tempfile.TemporaryDirectory(dir=target.workplace, prefix=RESTORING))
        copy = new_file(Path(room) / manifest.file)
        extract(path, manifest, copy)
        new = stack.enter_context(target.load(copy))
        with working_on(new):
            _renew(manifest, erased={*noted(backup_folder()), *noted(path.parent)}, erase=erase)
            note_event(Action.BACKUP_RESTORED, manifest.at)
        if not check:
            _safety_copy()
            with target.only_user():
                target.put_in(new)
    return manifest


def _refuse_foreign(manifest: Manifest) -> None:
    if manifest.engine != engine().name:
        raise Refused(f"The backup is one of {manifest.engine}, and the database here is {engine().name}.")
    known = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    unknown = [f"{app} {name}" for app, name in manifest.migrations.items() if (app, name) not in known]
    if unknown:
        raise Refused(
            f"The backup is of a newer ChessLocker ({manifest.version}; this is {__version__}): it knows "
            f"{', '.join(unknown)}. Install that version first."
        )


def _renew(manifest: Manifest, *, erased: set[Erasure], erase: Erase) -> None:
    """Bring the database that this thread works on up to today: its tables, the erasures since, nobody logged in."""
    try:
        if count_rows() != manifest.rows:
            raise Damaged("The database in the backup has other numbers of rows than the manifest says.")
        if lines := database_violations():
            raise Unsound(lines)
        ContentType.objects.clear_cache()
        call_command("migrate", verbosity=0, interactive=False)
        for student in _still_there(erased):
            erase(student)
        # Whoever was logged in then may not be allowed to any more; links and codes that were used are open again.
        Session.objects.all().delete()
        LoginCode.objects.all().delete()
        Invitation.objects.filter(used_at=None).delete()
        if lines := audit():
            raise Unsound(lines)
        ContentType.objects.clear_cache()
    except Error as error:
        raise CopyFailed(f"The database in the backup cannot be used: {error}.") from error


def _safety_copy() -> None:
    """The database as it is now, before it goes; of one that cannot be copied any more its files."""
    source = engine()
    with contextlib.suppress(CopyFailed, Error):
        if source.is_readable():
            if connection.introspection.table_names():
                make_backup(kind=BEFORE_RESTORE, keep_all=True)
            return
    connection.close()
    with one_at_a_time() as room:
        source.save_damaged(room)
        if any(room.iterdir()):
            path = free_name(backup_folder(), kind=DAMAGED, now=timezone.now())
            with zipfile.ZipFile(new_file(path), "w", zipfile.ZIP_DEFLATED) as archive:
                for file in room.iterdir():
                    archive.write(file, file.name)


def _still_there(erased: set[Erasure]) -> list[Student]:
    """Who was erased and is in the database of this thread with all data."""
    known = {(note.school, note.student, note.created_at) for note in erased}
    students = Student.objects.filter(pk__in={note.student for note in erased}, erased_at=None).order_by("pk")
    return [one for one in students if (one.school_id, one.pk, one.created_at.isoformat()) in known]
