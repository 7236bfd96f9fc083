"""`manage.py restore`: put a backup in the place of the database, or with --check try whether that would work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error

from chesslocker.backups import Refused, Unsound, backup_folder
from chesslocker.copies import CopyFailed
from chesslocker.core.backups import Damaged
from chesslocker.in_use import InUse
from chesslocker.privacy.erase import erase_again
from chesslocker.restoring import restore_backup


class Command(BaseCommand):
    help = "Restore a backup. Stop the server first. The database as it is now is backed up before."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--check", action="store_true", help="only try it, in another database; nothing changes")

    def handle(self, *args: Any, file: Path, check: bool, **options: Any) -> None:
        try:
            manifest = restore_backup(file, erase=erase_again, check=check)
        except FileNotFoundError as error:
            raise CommandError(f"There is no file {file}.") from error
        except InUse as error:
            raise CommandError("The database is in use. Stop the server, then restore.") from error
        except Unsound as error:
            for line in error.lines:
                self.stdout.write(line)
            raise CommandError("The database in the backup is not sound. Nothing was changed.") from error
        except (Damaged, Refused, CopyFailed, Error, OSError) as error:
            raise CommandError(f"{error} Nothing was changed.") from error
        rows = sum(manifest.rows.values())
        made = f"the backup of {manifest.at:%Y-%m-%d %H:%M} UTC, {rows} rows, ChessLocker {manifest.version}"
        if check:
            self.stdout.write(f"Sound: {made}. It can be restored; nothing was changed.")
        else:
            self.stdout.write(f"Restored: {made}. The database as it was before is in {backup_folder()}.")
            self.stdout.write("Everybody has to log in again. Start the server.")
