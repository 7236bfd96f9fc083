"""Kill the server while a class records games, start it again, and count: `make prove-crash`.

Eight tablets post the real form to the real server, each game with a one-time key of its own. At a random moment the
whole process group gets SIGKILL. After a new start every game that was acknowledged must be there exactly once and the
audit must be clean; what was not acknowledged is sent again with its key and must then be there exactly once.

Two broken servers are kept here as well, so that it is seen that the count finds what it looks for. A process that is
killed does not lose what it gave to the kernel: this says nothing about a power cut.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import http.client
import io
import json
import os
import queue
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import django
from django.apps import apps
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.core.management import CommandError, call_command
from django.core.wsgi import get_wsgi_application
from django.db import connection, transaction
from django.utils.module_loading import import_string

ROOT = Path(__file__).resolve().parent.parent
SITE = "chesslocker.wsgi:application"
HASTY = "tests.crash:answers_before_commit()"
FORGETFUL = "tests.crash:forgets_keys()"

TABLETS = 8
STUDENTS = 12
KILL_AFTER = (0.05, 0.5)  # seconds
TRIALS_A_SITE = 20  # then a new data folder, so that a replay stays as short as a class's
BACK_DATED = 0.1  # of the games: these rewrite the tail of the ledger, a longer write to be killed in
LATE_COMMIT = 0.6  # seconds after the answer, of the first broken server: the kill comes before it
LATE_ANSWER = 0.1  # seconds after the commit, of the second
CSRF = "c" * 32
PASSWORD = "three-quiet-rooks"


@dataclass
class Counts:
    trials: int = 0
    acknowledged: int = 0
    lost: int = 0  # acknowledged, and not there after the new start, or another game
    doubled: int = 0  # there more than once
    resubmitted: int = 0  # not acknowledged, and sent again
    already_there: int = 0  # of these: the server had kept them, but could not answer any more
    missing: int = 0  # of these: not there, or another game, after they were sent again
    violations: int = 0  # lines of the audit
    seconds: int = 0

    @property
    def is_sound(self) -> bool:
        return not (self.lost or self.doubled or self.missing or self.violations)

    def __str__(self) -> str:
        return ", ".join(f"{name.replace('_', ' ')} {number}" for name, number in asdict(self).items())


@dataclass
class Sent:
    """One game as a tablet sent it. Its key is also its note, by which it is found again."""

    key: str
    fields: dict[str, str]
    saved: int | None = None  # the id in the answer; None while there is no answer


# --- the site: a data folder, a database, a server ---


class Site:
    """A school on a fresh database, its server, and a process beside it that looks into the database."""

    def __init__(self, folder: Path, *, application: str, database_url: str) -> None:
        self.folder, self.application = folder, application
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        foreign = ("CHESSLOCKER_", "DATABASE_", "SECRET_", "EMAIL_", "GUNICORN_")
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith(foreign)} | {
            "DJANGO_SETTINGS_MODULE": "chesslocker.settings",
            "CHESSLOCKER_DATA": str(folder),
            "CHESSLOCKER_BIND": f"127.0.0.1:{self.port}",
            "DATABASE_URL": database_url,
        }
        self.server: subprocess.Popen[bytes] | None = None
        self.manage("migrate", "--verbosity", "0")
        made = json.loads(
            self.manage("new_school", "Hill School", "--teacher", "okafor", "--classroom", "Room 12", typed=PASSWORD)
        )
        self.path = f"/classes/{made['classroom']}/games/record/"
        self.beside = subprocess.Popen(
            [sys.executable, "-m", "tests.crash", "beside"], cwd=ROOT, env=self.environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        people = self.ask(order="people", classroom=made["classroom"], teacher=made["teacher"])
        self.students: list[int] = people["students"]
        self.sessions: list[str] = people["sessions"]
        self.command: list[str] = people["command"]

    def manage(self, *arguments: str, typed: str = "") -> str:
        return subprocess.run(
            [sys.executable, "manage.py", *arguments], cwd=ROOT, env=self.environment, input=typed + "\n", text=True,
            check=True, stdout=subprocess.PIPE,
        ).stdout  # fmt: skip

    def ask(self, **question: Any) -> dict[str, Any]:
        assert self.beside.stdin
        assert self.beside.stdout
        self.beside.stdin.write(json.dumps(question) + "\n")
        self.beside.stdin.flush()
        answer = self.beside.stdout.readline()
        if not answer:
            raise RuntimeError(f"The process beside the server ended with {self.beside.wait()}.")
        return dict(json.loads(answer))

    def start(self) -> None:
        """Start the server as `serve` does, in a process group of its own."""
        command = [self.application if part == SITE else part for part in self.command]
        with (self.folder / "server.log").open("ab") as log:
            self.server = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self) -> None:
        """SIGKILL for the server and its workers at once; back when the port is free again."""
        if self.server is None:
            return
        os.killpg(self.server.pid, signal.SIGKILL)
        self.server.wait()
        self.server = None
        for _attempt in range(200):
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                with contextlib.suppress(OSError):
                    probe.bind(("127.0.0.1", self.port))
                    return
            time.sleep(0.01)
        raise RuntimeError(f"Port {self.port} is still in use after the kill.")

    def connect(self) -> http.client.HTTPConnection:
        """A connection to the server; waits while it starts."""
        for _attempt in range(600):
            link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            try:
                link.connect()
            except ConnectionRefusedError:
                link.close()
                if self.server is None or self.server.poll() is not None:
                    break
                time.sleep(0.05)
            else:
                return link
        raise RuntimeError(f"The server does not start:\n{(self.folder / 'server.log').read_text()[-2000:]}")

    def post(self, link: http.client.HTTPConnection, sent: Sent, *, session: str) -> None:
        """Send the form of a game and note its answer. OSError or HTTPException where the server dies meanwhile."""
        body = urlencode(sent.fields | {"key": sent.key, "csrfmiddlewaretoken": CSRF})
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"sessionid={session}; csrftoken={CSRF}",
        }
        link.request("POST", self.path, body, headers)
        answer = link.getresponse()
        saved = parse_qs(urlsplit(answer.headers.get("Location", "")).query).get("saved", [])
        if answer.status != 302 or not saved:
            raise RuntimeError(f"{answer.status} instead of an acknowledgement:\n{answer.read()[:2000]!r}")
        sent.saved = int(saved[0])  # from here on it was promised
        answer.read()

    def close(self) -> None:
        self.kill()
        if self.beside.stdin and self.beside.stdout:
            self.beside.stdin.close()
            self.beside.wait(timeout=30)
            self.beside.stdout.close()


@contextlib.contextmanager
def new_site(*, application: str, postgres: str) -> Iterator[Site]:
    """A site in a temporary folder, gone at the end. `postgres`: the address of a server; empty for SQLite."""
    folder = Path(tempfile.mkdtemp(prefix="chesslocker-crash-"))
    try:
        with contextlib.ExitStack() as stack:
            url = stack.enter_context(new_database(postgres)) if postgres else ""
            site = Site(folder, application=application, database_url=url)
            stack.callback(site.close)
            yield site
    finally:
        shutil.rmtree(folder)


@contextlib.contextmanager
def new_database(server: str) -> Iterator[str]:
    """An empty database on a PostgreSQL server; its address."""
    connect = import_string("psycopg.connect")  # the driver is not there where PostgreSQL is not used
    name = f"crash_{os.getpid()}_{uuid.uuid4().hex[:8]}"
    with connect(server, autocommit=True) as link:
        link.execute(f"CREATE DATABASE {name}")
    try:
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
    finally:
        with connect(server, autocommit=True) as link:
            link.execute(f"DROP DATABASE {name} WITH (FORCE)")


# --- a trial ---


class Tablet(threading.Thread):
    """Records one game after the other until the server dies."""

    def __init__(self, site: Site, session: str, chance: random.Random, started: threading.Barrier) -> None:
        super().__init__(daemon=True)
        self.site, self.session, self.chance, self.started = site, session, chance, started
        self.sent: list[Sent] = []
        self.failure: Exception | None = None
        self.killed = threading.Event()

    def run(self) -> None:
        try:
            with contextlib.closing(self.site.connect()) as link:
                self.record(link)  # the first game warms the worker up
                self.started.wait(timeout=120)
                while True:
                    try:
                        self.record(link)
                    except (OSError, http.client.HTTPException):
                        if not self.killed.wait(timeout=5):
                            raise  # the server failed before it was killed
                        return
        except Exception as error:  # handed to the main thread
            self.failure = error
            self.started.abort()

    def record(self, link: http.client.HTTPConnection) -> None:
        white, black = self.chance.sample(self.site.students, 2)
        day = datetime.datetime.now(datetime.UTC).date()
        if self.chance.random() < BACK_DATED:
            day -= datetime.timedelta(days=self.chance.randint(1, 3))
        key = uuid.UUID(int=self.chance.getrandbits(128), version=4).hex
        fields = {
            "white": str(white),
            "black": str(black),
            "result": self.chance.choice(["1-0", "1/2-1/2", "0-1"]),
            "day": day.isoformat(),
            "note": key,
            "again": "on",  # the form asks when the same two play twice in ten minutes
            "then": "next",
        }
        self.sent.append(Sent(key, fields))
        self.site.post(link, self.sent[-1], session=self.session)


def trial(site: Site, earlier: list[Sent], counts: Counts, *, seed: str, tablets: int) -> None:
    """Record, kill, start, look, send again, look. `earlier`: what was sent in the trials before; grows."""
    chance = random.Random(seed)
    started = threading.Barrier(tablets + 1)
    running = [
        Tablet(site, session, random.Random(f"{seed} {number}"), started)
        for number, session in enumerate(site.sessions[:tablets])
    ]
    for tablet in running:
        tablet.start()
    with contextlib.suppress(threading.BrokenBarrierError):
        started.wait(timeout=120)
        time.sleep(chance.uniform(*KILL_AFTER))
    site.kill()
    for tablet in running:
        tablet.killed.set()
    for tablet in running:
        tablet.join(timeout=90)
        if tablet.failure and not isinstance(tablet.failure, threading.BrokenBarrierError):
            raise tablet.failure

    site.start()
    sent = [game for tablet in running for game in tablet.sent]
    earlier += sent
    found = look(site, counts)
    for game in sent:
        if game.saved is not None:
            counts.acknowledged += 1
            counts.lost += found.get(game.key, [])[:1] != [game.saved]
    unanswered = [game for game in sent if game.saved is None]
    with contextlib.closing(site.connect()) as link:
        for game in unanswered:
            site.post(link, game, session=site.sessions[0])
            counts.resubmitted += 1
            counts.already_there += game.key in found
    found = look(site, counts)
    counts.missing += sum(game.saved not in found.get(game.key, []) for game in unanswered)
    counts.doubled += sum(len(found.get(game.key, [])) > 1 for game in sent)
    strangers = found.keys() - {game.key for game in earlier}
    assert not strangers, f"games that nobody sent: {strangers}"
    counts.trials += 1


def look(site: Site, counts: Counts) -> dict[str, list[int]]:
    """The ids of the games in the database, by key; what the audit says is counted."""
    answer = site.ask(order="look")
    for line in answer["violations"]:
        print(line, file=sys.stderr)
    counts.violations += len(answer["violations"])
    found: dict[str, list[int]] = {}
    for pk, key in answer["games"]:
        found.setdefault(key, []).append(pk)
    return found


def run(*, trials: int, seed: int = 1, tablets: int = TABLETS, application: str = SITE, postgres: str = "") -> Counts:
    """So many trials, each with its own seed; after every TRIALS_A_SITE of them the site is a new one."""
    counts, began = Counts(), time.monotonic()
    for first in range(0, trials, TRIALS_A_SITE):
        with new_site(application=application, postgres=postgres) as site:
            earlier: list[Sent] = []
            site.start()
            for number in range(first, min(first + TRIALS_A_SITE, trials)):
                trial(site, earlier, counts, seed=f"{seed} {number}", tablets=tablets)
        counts.seconds = round(time.monotonic() - began)
        print(counts, flush=True)
    return counts


# --- what runs beside the server, with the site's settings ---


def beside() -> None:
    """Answer one question a line: make students and sessions, or look into the database."""
    django.setup()
    orders = {"people": make_people, "look": look_inside}
    for line in sys.stdin:
        question = json.loads(line)
        answer = orders[question.pop("order")](**question)
        connection.close()  # nothing of this process may hold up the server
        print(json.dumps(answer), flush=True)


def make_people(classroom: int, teacher: int) -> dict[str, Any]:
    room = apps.get_model("classes.Classroom").objects.get(pk=classroom)
    user = apps.get_model("classes.User").objects.get(pk=teacher)
    add_student = import_string("classes.services.add_student")
    students = [add_student(classroom=room, first_name=f"Student {number}") for number in range(STUDENTS)]
    sessions = []
    for _tablet in range(TABLETS):
        session = import_string("django.contrib.sessions.backends.db.SessionStore")()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        sessions.append(session.session_key)
    command = import_string("chesslocker.management.commands.serve.server_command")()
    return {"students": [student.pk for student in students], "sessions": sessions, "command": command}


def look_inside() -> dict[str, Any]:
    out = io.StringIO()
    violations = []
    try:
        call_command("audit_ratings", stdout=out)
    except CommandError:
        violations = out.getvalue().splitlines()
    games = apps.get_model("ratings.Game").objects.order_by("pk").values_list("pk", "note")
    return {"games": list(games), "violations": violations}


# --- two broken servers ---


def answers_before_commit() -> Any:
    """A site that acknowledges a game while its transaction is still open: what a kill then takes was promised."""
    application = get_wsgi_application()
    services = import_module("ratings.services")
    record = services.record_game

    def hasty(**values: Any) -> Any:
        made: queue.SimpleQueue[Any] = queue.SimpleQueue()

        def work() -> None:
            try:
                with transaction.atomic():
                    made.put(record(**values))
                    time.sleep(LATE_COMMIT)
            except Exception as error:
                made.put(error)
            finally:
                connection.close()

        threading.Thread(target=work, daemon=True).start()
        game = made.get()
        if isinstance(game, Exception):
            raise game
        return game

    services.record_game = hasty
    return application


def forgets_keys() -> Any:
    """A site that keeps no one-time key and answers late: what is sent again is recorded again."""
    application = get_wsgi_application()
    services = import_module("ratings.services")
    record = services.record_game

    def forgetful(**values: Any) -> Any:
        game = record(**values | {"once": None})
        time.sleep(LATE_ANSWER)
        return game

    services.record_game = forgetful
    return application


def main() -> int:
    if sys.argv[1:] == ["beside"]:
        beside()
        return 0
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--trials", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--postgres", default="", metavar="URL", help="the address of a server; default: SQLite")
    parser.add_argument("--application", default=SITE, help=f"another server, such as {HASTY}")
    counts = run(**vars(parser.parse_args()))
    print("sound" if counts.is_sound else "NOT SOUND")
    return 0 if counts.is_sound else 1


if __name__ == "__main__":
    sys.exit(main())
