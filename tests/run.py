"""`make test`: the legs of the test suite, one after the other, and a word about those that could not run.

1. Everything but the browser on SQLite.
2. What is marked `database` on PostgreSQL: DATABASE_URL names one, or a server found here is started for the run.
3. What is marked `browser`, where Chromium is found.

With CHESSLOCKER_ALL_LEGS=1 a leg that cannot run is a failure.
"""

from __future__ import annotations

import contextlib
import glob
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
QUICK = "not browser and not prove"
IN_PARALLEL = ("-n", str(min(os.cpu_count() or 1, 8)), "--dist", "worksteal")
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_postgres() -> Path | None:
    """The folder with initdb and postgres: on PATH, or Debian's."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    folders = [Path(path).parent for path in glob.glob("/usr/lib/postgresql/*/bin/initdb")]
    return max(folders, key=lambda folder: int(folder.parent.name), default=None)


def find_chromium() -> str | None:
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUMS)), None)


@contextlib.contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """A PostgreSQL server in a temporary folder, gone at the end; its address."""
    user = None
    if os.geteuid() == 0:  # initdb and postgres refuse root
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam("postgres").pw_name
        user = user or "nobody"
    room = Path(tempfile.mkdtemp(prefix="chesslocker-pg-"))
    try:
        if user:
            shutil.chown(room, user)
        run = {"check": True, "user": user, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "cwd": room}
        data = room / "data"
        subprocess.run(
            [folder / "initdb", "-D", data, "-A", "trust", "-U", "chesslocker", "-E", "UTF8", "--locale=C", "-N"], **run
        )
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        options = f"-p {port} -k {room} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=100"
        subprocess.run([folder / "pg_ctl", "-D", data, "-w", "-o", options, "-l", room / "log", "start"], **run)
        try:
            yield f"postgres://chesslocker@127.0.0.1:{port}/postgres"
        finally:
            subprocess.run([folder / "pg_ctl", "-D", data, "-m", "immediate", "stop"], **run)
    finally:
        shutil.rmtree(room, ignore_errors=True)


def pytest(title: str, *arguments: str, **environment: str) -> bool:
    print(f"\n=== {title} ===", flush=True)
    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *IN_PARALLEL, *arguments, *sys.argv[1:]],
        cwd=ROOT,
        env=os.environ | environment,
    )
    print(f"=== {title}: {time.monotonic() - started:.0f} s ===", flush=True)
    return done.returncode == 0


def main() -> int:
    failed: list[str] = []
    skipped: list[str] = []
    with tempfile.TemporaryDirectory(prefix="chesslocker-test-") as data:
        os.environ["CHESSLOCKER_DATA"] = data
        database_url = os.environ.pop("DATABASE_URL", "")

        if not pytest("SQLite", "-m", QUICK):
            failed.append("SQLite")

        folder = find_postgres()
        if database_url.startswith("postgres"):
            if not pytest("PostgreSQL", "-m", f"database and not long and {QUICK}", DATABASE_URL=database_url):
                failed.append("PostgreSQL")
        elif folder:
            with postgres(folder) as url:
                if not pytest("PostgreSQL", "-m", f"database and not long and {QUICK}", DATABASE_URL=url):
                    failed.append("PostgreSQL")
        else:
            skipped.append("PostgreSQL: no server found here (apt install postgresql) and none in DATABASE_URL")

        if chromium := find_chromium():
            if not pytest("Browser", "-m", "browser", CHROMIUM=chromium, DJANGO_ALLOW_ASYNC_UNSAFE="true"):
                failed.append("Browser")
        else:
            skipped.append("Browser: no Chromium found here (apt install chromium) and none in CHROMIUM")

    print()
    for reason in skipped:
        print(f"SKIPPED LEG  {reason}")
    if skipped and os.environ.get("CHESSLOCKER_ALL_LEGS") == "1":
        failed += [reason.split(":")[0] for reason in skipped]
    if failed:
        print(f"FAILED: {', '.join(failed)}")
        return 1
    print("All legs passed." if not skipped else "Passed, but for the skipped legs above.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
