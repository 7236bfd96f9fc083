"""Whether a server is running on this data folder: every process that serves holds a lock for as long as it lives."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from django.conf import settings


class InUse(Exception):
    """A server is running."""


_held: list[IO[str]] = []  # an open file keeps its lock; it goes with the process, however that ends


def tell_that_it_serves() -> None:
    """Take the lock; waits while a backup is being restored."""
    # Where the data folder cannot be written the database is not in it: then the database's server tells who is there.
    with contextlib.suppress(OSError):
        lock = _lock_file().open("w")
        fcntl.flock(lock, fcntl.LOCK_SH)
        _held.append(lock)


@contextlib.contextmanager
def no_server() -> Iterator[None]:
    """InUse where a server is running; one that is started meanwhile waits until the end."""
    with _lock_file().open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InUse from error
        yield


def _lock_file() -> Path:
    folder = Path(settings.DATA_DIR)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / "serving.lock"
