"""Copying a whole database out and in again, on SQLite and on PostgreSQL. What a backup is, `backups` knows."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, connection, connections, transaction

from chesslocker.in_use import InUse

T = TypeVar("T")

DEBIAN = Path("/usr/lib/postgresql")
LOCK_WAIT = 2  # seconds
MAGIC = b"SQLite format 3\0"
SIDE_FILES = ("-wal", "-shm", "-journal")


class CopyFailed(Exception):
    """The database could not be copied; the sentence is for who looks after the server."""


class Engine(Protocol):
    """How one kind of database is copied."""

    name: str
    file: str  # of the copy in a backup

    def dump(self, to: Path, inspect: Callable[[], T]) -> T:
        """Copy the database of the site to a file while it is used; the answer of `inspect`, asked about the copy."""

    def is_readable(self) -> bool:
        """Whether there is a database that can be opened at all."""

    def save_damaged(self, to: Path) -> None:
        """Keep what is there of a database that cannot be copied any more, in a folder."""

    @property
    def workplace(self) -> Path:
        """The folder in which a copy is made ready to be put in."""

    def load(self, file: Path) -> contextlib.AbstractContextManager[str]:
        """A new database, made of a copy in a folder of the workplace; its name. It goes where it was not put in."""

    def only_user(self) -> contextlib.AbstractContextManager[None]:
        """InUse where anybody else has the database open."""

    def put_in(self, name: str) -> None:
        """Make the new database the site's, in one step; the old one goes. Within `only_user`."""


@contextlib.contextmanager
def working_on(name: str) -> Iterator[None]:
    """The database of this thread is another one of the same server (or folder), until the end."""
    ours = connections[DEFAULT_DB_ALIAS]
    other = type(ours)(ours.settings_dict | {"NAME": name}, DEFAULT_DB_ALIAS)
    connections[DEFAULT_DB_ALIAS] = other
    try:
        yield
    finally:
        other.close()
        connections[DEFAULT_DB_ALIAS] = ours


def engine() -> Engine:
    return SQLite() if connection.vendor == "sqlite" else PostgreSQL()


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the names in a folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def new_file(path: Path) -> Path:
    """An empty file that only the own account can read."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    return path


class SQLite:
    """By the backup interface: it sees one moment of the database, whoever writes meanwhile."""

    name = "sqlite"
    file = "chesslocker.sqlite3"

    @property
    def path(self) -> Path:
        return Path(connection.settings_dict["NAME"])

    def dump(self, to: Path, inspect: Callable[[], T]) -> T:
        if not self.path.exists():
            raise CopyFailed("There is no database yet.")
        new_file(to)
        try:
            with self._opened(self.path) as source, self._opened(to) as copy:
                source.backup(copy)
            with working_on(str(to)):
                answer = inspect()
            self._settle(to)
        except (sqlite3.Error, Error) as error:
            raise CopyFailed(f"The database cannot be copied: {error}.") from error
        return answer

    def is_readable(self) -> bool:
        # Asked of the file itself: SQLite throws away the journal of a file that it does not know.
        with contextlib.suppress(FileNotFoundError), self.path.open("rb") as file:
            return file.read(len(MAGIC)) in {MAGIC, b""}
        return False

    def save_damaged(self, to: Path) -> None:
        for suffix in ("", *SIDE_FILES):
            source = self.path.with_name(self.path.name + suffix)
            if source.exists():
                shutil.copyfile(source, new_file(to / source.name))

    @property
    def workplace(self) -> Path:
        return self.path.parent  # the same disk: there a file is put in its place in one step

    @contextlib.contextmanager
    def load(self, file: Path) -> Iterator[str]:
        yield str(file)

    @contextlib.contextmanager
    def only_user(self) -> Iterator[None]:
        connection.close()
        if not self.is_readable():
            yield
            return
        with self._opened(self.path) as lock:
            # Leaving the WAL asks that nobody else has the file open, and empties it. A damaged file may fail.
            try:
                lock.execute("PRAGMA locking_mode = EXCLUSIVE")
                lock.execute("PRAGMA journal_mode = DELETE")
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                    raise InUse from error
            yield

    def put_in(self, name: str) -> None:
        self._settle(Path(name))
        with contextlib.suppress(FileNotFoundError, PermissionError):  # the server's account, if root restores
            was = self.path.stat()
            os.chown(name, was.st_uid, was.st_gid)
        for suffix in SIDE_FILES:  # before the new file is there: it must never meet the journal of another
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        sync_folder(self.path.parent)
        Path(name).replace(self.path)
        sync_folder(self.path.parent)

    @contextlib.contextmanager
    def _opened(self, path: Path) -> Iterator[sqlite3.Connection]:
        with contextlib.closing(sqlite3.connect(path, timeout=LOCK_WAIT, isolation_level=None)) as opened:
            yield opened

    def _settle(self, path: Path) -> None:
        """All of a database in its one file, and that on the disk."""
        with self._opened(path) as last:
            last.execute("PRAGMA journal_mode = DELETE")
        with path.open("rb") as file:
            os.fsync(file.fileno())


class PostgreSQL:
    """By pg_dump and pg_restore, which belong to the server."""

    name = "postgresql"
    file = "chesslocker.pgdump"

    def dump(self, to: Path, inspect: Callable[[], T]) -> T:
        new_file(to)
        with transaction.atomic(), connection.cursor() as cursor:
            # The audits and pg_dump see the same moment. The audits lock the lists, which in a frozen view fails when
            # somebody wrote since: so whoever writes waits for the few seconds of the copy.
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            cursor.execute("LOCK TABLE ratings_ratinglist IN EXCLUSIVE MODE")
            cursor.execute("SELECT pg_export_snapshot()")
            snapshot = cursor.fetchone()[0]
            answer = inspect()
            self._run("pg_dump", "--format=custom", f"--snapshot={snapshot}", "--file", str(to))
        with to.open("rb") as file:
            os.fsync(file.fileno())
        return answer

    def is_readable(self) -> bool:
        return True  # it is the server's; what is wrong with it is seen when it is copied

    def save_damaged(self, to: Path) -> None:
        raise CopyFailed("The database as it is cannot be copied, so it is not replaced.")

    @property
    def workplace(self) -> Path:
        return Path(settings.DATA_DIR)

    @contextlib.contextmanager
    def load(self, file: Path) -> Iterator[str]:
        name = f"{connection.settings_dict['NAME']}_{uuid.uuid4().hex[:8]}"
        try:
            self._elsewhere(f"CREATE DATABASE \"{name}\" TEMPLATE template0 ENCODING 'UTF8'")
        except Error as error:
            raise CopyFailed(
                f"No database can be made beside the site's: {str(error).strip()}. The account needs that right while "
                "a backup is restored: ALTER ROLE name CREATEDB."
            ) from error
        try:
            self._run(
                "pg_restore", "--exit-on-error", "--no-owner", "--no-privileges", "--dbname", name, str(file), on=name
            )
            yield name
        finally:
            self._elsewhere(f'DROP DATABASE IF EXISTS "{name}"')

    @contextlib.contextmanager
    def only_user(self) -> Iterator[None]:
        patience = time.monotonic() + LOCK_WAIT  # whoever has just left is counted for a moment
        while self._others():
            if time.monotonic() > patience:
                raise InUse
            time.sleep(0.1)
        connection.close()
        yield

    def _others(self) -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
            return int(cursor.fetchone()[0])

    def put_in(self, name: str) -> None:
        ours = connection.settings_dict["NAME"]
        old = f"{ours}_{uuid.uuid4().hex[:8]}"
        try:
            self._elsewhere(f'ALTER DATABASE "{ours}" RENAME TO "{old}"', f'ALTER DATABASE "{name}" RENAME TO "{ours}"')
        except Error as error:  # somebody came in since it was asked
            raise InUse from error
        self._elsewhere(f'DROP DATABASE "{old}"')

    def _elsewhere(self, *orders: str) -> None:
        """Give orders about databases, which cannot be given from inside them; several in one transaction."""
        ours = connection.settings_dict["NAME"]
        with contextlib.ExitStack() as stack:
            stack.enter_context(working_on("template1" if ours == "postgres" else "postgres"))
            cursor = stack.enter_context(connection.cursor())
            if len(orders) > 1:
                stack.enter_context(transaction.atomic())
            for order in orders:
                cursor.execute(order)

    def _run(self, tool: str, *arguments: str, on: str = "") -> None:
        database = connection.settings_dict
        names = {"HOST": "PGHOST", "PORT": "PGPORT", "USER": "PGUSER", "PASSWORD": "PGPASSWORD"}
        options = {"sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT", "sslcert": "PGSSLCERT", "sslkey": "PGSSLKEY"}
        environment = dict(os.environ) | {"PGDATABASE": on or str(database["NAME"])}
        given: dict[str, Any] = {env: database.get(name) for name, env in names.items()}
        given |= {env: database.get("OPTIONS", {}).get(name) for name, env in options.items()}
        environment |= {name: str(value) for name, value in given.items() if value}
        done = subprocess.run(  # noqa: S603 a fixed program; the arguments are ours
            [find_tool(tool), *arguments], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        if done.returncode:
            raise CopyFailed(f"{tool} failed: {done.stderr.strip()[-500:]}")


def find_tool(name: str) -> Path:
    """A program of PostgreSQL: on PATH, or the newest in Debian's folder."""
    if found := shutil.which(name):
        return Path(found)
    there = sorted(DEBIAN.glob(f"*/bin/{name}"), key=lambda path: int(path.parent.parent.name))
    if not there:
        raise CopyFailed(f"{name} is not installed here; it belongs to PostgreSQL (apt install postgresql-client).")
    return there[-1]
