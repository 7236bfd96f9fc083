"""The file of a backup, and which backups are kept.

A backup is a zip with a manifest and one copy of the database. Its comment, the last 64 bytes of the file, is the
SHA-256 of all bytes before it: one changed bit anywhere, or one missing byte, and the file is refused. This finds
damage, not forgery: whoever can write the file can write a new sum.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FORMAT = 1
MANIFEST = "manifest.json"
SEAL_LENGTH = 64  # hexadecimal digits
CHUNK = 1 << 20  # bytes

NEWEST = 3  # are kept in any case, so that "back up now" does not take the place of last night's
DAYS = 7
WEEKS = 4  # full ones before the running one: with it 35 days at most


class Damaged(Exception):
    """The file is not a backup, or not all of it, or not as it was written; the sentence says what was found."""


# --- names ---


@dataclass(frozen=True, slots=True, order=True)
class BackupName:
    """`chesslocker-20261130T190102Z.zip`; where it is no ordinary one with what it is, and a number from 2 on."""

    at: datetime.datetime
    number: int = 1  # of those made in the same second
    kind: str = ""  # one of KINDS; empty: an ordinary one

    @property
    def key(self) -> str:
        """The name without its ending."""
        kind = f"-{self.kind}" if self.kind else ""
        return f"chesslocker-{self.at:%Y%m%dT%H%M%SZ}{kind}" + (f"-{self.number}" if self.number > 1 else "")

    @property
    def file(self) -> str:
        return f"{self.key}.zip"

    @classmethod
    def of(cls, file: str) -> BackupName | None:
        """None for any other file."""
        found = NAME.fullmatch(file)
        if not found:
            return None
        try:
            at = datetime.datetime.strptime(found["at"], "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.UTC)
        except ValueError:
            return None
        return cls(at, int(found["number"] or 1), found["kind"] or "")


UNSOUND = "unsound"  # the audits found something
BEFORE_RESTORE = "before-restore"  # what a restore replaced
BEFORE_UPDATE = "before-update"  # before a new version changed the tables
DAMAGED = "damaged"  # the files of a database that could not be copied any more: no backup, but all there is
KINDS = (UNSOUND, BEFORE_RESTORE, BEFORE_UPDATE, DAMAGED)
NAME = re.compile(
    rf"chesslocker-(?P<at>\d{{8}}T\d{{6}}Z)(?:-(?P<kind>{'|'.join(KINDS)}))?(?:-(?P<number>[1-9]\d*))?\.zip"
)


def outdated(names: Iterable[BackupName], *, now: datetime.datetime) -> set[BackupName]:
    """Those that may go: all but the newest three, the newest of each of seven days and of each of five weeks.

    Copies of another kind stay 35 days. Of what is older nothing stays, so that the erased do not live on in copies;
    only the newest good backup stays however old it is. `now` and the days are UTC.
    """
    names = sorted(names, reverse=True)
    good = [name for name in names if not name.kind]
    kept = set(good[:1])
    recent = [name for name in names if now - name.at <= datetime.timedelta(days=DAYS * (WEEKS + 1))]
    kept |= {name for name in recent if name.kind}
    recent = [name for name in recent if not name.kind]
    kept |= set(recent[:NEWEST])
    monday = now.date() - datetime.timedelta(days=now.weekday())
    days: dict[datetime.date, BackupName] = {}
    weeks: dict[datetime.date, BackupName] = {}
    for name in recent:
        day = name.at.date()
        if day > now.date() - datetime.timedelta(days=DAYS):
            days.setdefault(day, name)
        week = day - datetime.timedelta(days=day.weekday())
        if week >= monday - datetime.timedelta(weeks=WEEKS):
            weeks.setdefault(week, name)
    return set(names) - kept - set(days.values()) - set(weeks.values())


# --- the file ---


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says about itself."""

    version: str  # of ChessLocker
    made_at: str  # ISO 8601, UTC
    engine: str  # `sqlite` or `postgresql`
    sound: bool  # whether the database's own check and the audits found nothing
    migrations: dict[str, str]  # app -> the last migration
    rows: dict[str, int]  # table -> number of rows
    file: str  # of the database in the zip
    size: int  # bytes
    sha256: str
    format: int = FORMAT

    @property
    def at(self) -> datetime.datetime:
        return datetime.datetime.fromisoformat(self.made_at)

    def text(self) -> str:
        return json.dumps(asdict(self), indent=2, sort_keys=True) + "\n"

    @classmethod
    def read(cls, text: bytes) -> Manifest:
        """Damaged where anything is missing, too much, or of another kind."""
        try:
            values: dict[str, Any] = json.loads(text)
            manifest = cls(**values)
            moment = manifest.at
        except (ValueError, TypeError) as error:
            raise Damaged("The manifest cannot be read.") from error
        kinds = {"version": str, "engine": str, "sound": bool, "file": str, "size": int, "sha256": str, "format": int}
        right = (
            moment.tzinfo is not None
            and all(type(values.get(name, FORMAT)) is kind for name, kind in kinds.items())
            and _maps(manifest.migrations, str)
            and _maps(manifest.rows, int)
            and manifest.size >= 0
        )
        if not right:
            raise Damaged("The manifest cannot be read.")
        return manifest


def _maps(value: object, kind: type) -> bool:
    return isinstance(value, dict) and all(type(one) is kind for one in value.values())


def digest(path: Path) -> str:
    """SHA-256 of a whole file."""
    return _digest(path, path.stat().st_size)


def write_file(path: Path, manifest: Manifest, database: Path) -> None:
    """Write a sealed backup to `path`, an empty file, and wait until the disk has it."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, manifest.text())
        archive.write(database, manifest.file)
        archive.comment = b"0" * SEAL_LENGTH
    seal = _digest(path, path.stat().st_size - SEAL_LENGTH)
    with path.open("r+b") as file:
        file.seek(-SEAL_LENGTH, os.SEEK_END)
        file.write(seal.encode())
        file.flush()
        os.fsync(file.fileno())


def read_file(path: Path) -> Manifest:
    """The manifest of a backup of which every byte is as it was written; Damaged otherwise."""
    length = path.stat().st_size - SEAL_LENGTH
    if length <= 0:
        raise Damaged("The file is too short to be a backup.")
    with path.open("rb") as file:
        file.seek(length)
        seal = file.read()
    if _digest(path, length).encode() != seal:
        raise Damaged("The file is damaged, cut off, or not a backup of ChessLocker: its checksum is not right.")
    return peek(path)


def peek(path: Path) -> Manifest:
    """The manifest without the look at every byte: for lists, not for restoring."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = Manifest.read(archive.read(MANIFEST))
            names = archive.namelist()
    except (zipfile.BadZipFile, KeyError, OSError, EOFError, NotImplementedError, RuntimeError) as error:
        raise Damaged("The file is not a backup of ChessLocker.") from error
    if manifest.format > FORMAT:
        raise Damaged("The backup is of a newer kind than this ChessLocker can read.")
    if names != [MANIFEST, manifest.file]:
        raise Damaged("The file has other things in it than a backup.")
    return manifest


def extract(path: Path, manifest: Manifest, to: Path) -> None:
    """Write the database of a backup to `to`, an empty file; Damaged where it is not what the manifest says."""
    found, size = hashlib.sha256(), 0
    try:
        with zipfile.ZipFile(path) as archive, archive.open(manifest.file) as source, to.open("wb") as target:
            for chunk in iter(lambda: source.read(CHUNK), b""):
                size += len(chunk)
                if size > manifest.size:
                    break
                found.update(chunk)
                target.write(chunk)
    except (zipfile.BadZipFile, EOFError) as error:
        raise Damaged("The database in the backup is damaged.") from error
    if (size, found.hexdigest()) != (manifest.size, manifest.sha256):
        raise Damaged("The database in the backup is not the one that was put in.")


def _digest(path: Path, length: int) -> str:
    """SHA-256 of the first `length` bytes."""
    found = hashlib.sha256()
    for chunk in _chunks(path, length):
        found.update(chunk)
    return found.hexdigest()


def _chunks(path: Path, length: int) -> Iterator[bytes]:
    with path.open("rb") as file:
        while length > 0 and (chunk := file.read(min(CHUNK, length))):
            length -= len(chunk)
            yield chunk


# --- the journal of erasures ---


@dataclass(frozen=True, slots=True)
class Erasure:
    """A student who was erased: one line of the journal. Ids and times, no names."""

    school: int
    student: int
    created_at: str  # of the student, to know it again: a number alone may be somebody else's in another database
    at: str

    def line(self) -> str:
        return json.dumps(asdict(self), sort_keys=True) + "\n"


def erasures_in(text: str) -> list[Erasure]:
    """The lines of a journal; ValueError where one cannot be read, but for a last one that was cut off."""
    lines = text.splitlines(keepends=True)
    found = []
    for line in lines:
        if not line.strip():
            continue
        try:
            found.append(Erasure(**json.loads(line)))
        except (ValueError, TypeError) as error:
            if line is lines[-1] and not line.endswith("\n"):
                break  # the power went while it was written: that erasure was never confirmed
            raise ValueError("The journal of erasures cannot be read.") from error
    return found
