"""`manage.py backup`: a copy of the whole server, while it runs. Meant for every night: docs/backup.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error

from chesslocker.backups import Unsound, copy_backup, make_backup
from chesslocker.copies import CopyFailed
from chesslocker.core.backups import Damaged


class Command(BaseCommand):
    help = "Back up the whole server into one file, checked and audited. The server may run."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--to", type=Path, metavar="DIR", help="put a second copy there, such as on a USB stick")
        parser.add_argument(
            "--keep-all",
            action="store_true",
            help="let no backup go; without it the newest three stay, and one of each of 7 days and of 4 weeks",
        )

    def handle(self, *args: Any, to: Path | None = None, keep_all: bool = False, **options: Any) -> None:
        try:
            path = make_backup(keep_all=keep_all)
        except Unsound as error:
            for line in error.lines:
                self.stdout.write(line)
            raise CommandError(f"The database is not sound. A copy is kept, not as a backup: {error.path}") from error
        except (CopyFailed, Damaged, Error, OSError) as error:
            raise CommandError(f"No backup was made. {error}") from error
        self.stdout.write(str(path))
        if to:
            try:
                self.stdout.write(str(copy_backup(path, to, keep_all=keep_all)))
            except (Damaged, OSError) as error:
                raise CommandError(f"The backup was made, but there is no copy of it in {to}. {error}") from error
