"""`manage.py serve`: everything between a fresh folder and a running server. `make run` and `make demo` call it."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import ipaddress
import os
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import Error, OperationalError, connection
from django.utils import timezone
from gunicorn.util import parse_address

from chesslocker.backups import back_up_before_update
from chesslocker.copies import CopyFailed
from chesslocker.core.backups import Damaged
from chesslocker.demo import DemoSchool, demo_school
from classes.models import School

HIGHEST_PORT = 65535
WORKERS = 2
# Browsers open spare connections and send nothing on them; each holds a thread for up to five seconds. There may be no
# proxy in front that takes them, so there are more threads than a class has tablets.
THREADS = 24


class Command(BaseCommand):
    help = "Prepare the data folder and the database, then serve the site."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--demo", action="store_true", help="serve a demo school with invented people")

    def handle(self, *args: Any, demo: bool, **options: Any) -> None:
        # What this process and the server write (database, journal, key) is for the own account alone.
        os.umask(0o077)
        bind = Bind.read(settings.BIND)
        bind.refuse_taken()
        with prepared_by_one(settings.DATA_DIR):
            refuse_wrong_data(demo=demo)
            if not demo:
                self.back_up()
            call_command("migrate", verbosity=0, interactive=False)
            school = demo_school(today=timezone.now().date()) if demo else None

        named = [host.strip() for host in os.environ.get("CHESSLOCKER_HOSTS", "").split(",") if host.strip()]
        if not named and bind.is_open:
            os.environ["CHESSLOCKER_HOSTS"] = ",".join(bind.hosts())
        addresses = [f"https://{host}/" for host in named] if settings.HTTPS and named else bind.addresses(named)
        self.stdout.write("\n".join(["", *told(addresses, bind=bind, school=school), ""]))
        self.stdout.flush()  # what is still in the buffer is lost when the process is replaced
        os.execv(sys.executable, server_command())  # noqa: S606 no shell is the point

    def back_up(self) -> None:
        """A copy before a new version changes the tables. A server that cannot make one starts all the same."""
        try:
            back_up_before_update()
        except (CopyFailed, Damaged, Error, OSError) as error:
            self.stderr.write(f"No backup was made before the update. {error}")


class Bind:
    """Where to listen: CHESSLOCKER_BIND, read as the server reads it."""

    def __init__(self, host: str, port: int, *, is_address: bool = True) -> None:
        """Not an address: a socket file or an open descriptor, for a proxy on the same machine."""
        self.host, self.port, self.is_address = host, port, is_address

    @classmethod
    def read(cls, bind: str) -> Bind:
        try:
            found = parse_address(bind)
        except RuntimeError as error:
            raise CommandError(f"CHESSLOCKER_BIND is {bind}; it must be like 127.0.0.1:8000.") from error
        if not isinstance(found, tuple):
            return cls(bind, 0, is_address=False)
        if not 0 < found[1] <= HIGHEST_PORT:
            raise CommandError(f"CHESSLOCKER_BIND is {bind}; the port must be a number from 1 to {HIGHEST_PORT}.")
        return cls(*found)

    @property
    def is_everywhere(self) -> bool:
        return self.host in {"0.0.0.0", "::"}  # noqa: S104 the test whether it is, not the wish

    @property
    def is_open(self) -> bool:
        """Whether others than this machine can reach it."""
        if not self.is_address or self.host == "localhost":
            return False
        with contextlib.suppress(ValueError):
            return not ipaddress.ip_address(self.host).is_loopback
        return True

    def refuse_taken(self) -> None:
        """CommandError where nothing can be served there, before anything else is done."""
        if not self.is_address:
            return
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((self.host, self.port))
            except OSError as error:
                raise CommandError(self._why_not(error)) from error

    def _why_not(self, error: OSError) -> str:
        if error.errno == errno.EADDRINUSE:
            return (
                f"Port {self.port} is in use, perhaps by a ChessLocker that is already running. Take another: "
                "PORT=8001 make demo, or CHESSLOCKER_BIND=127.0.0.1:8001 make run."
            )
        if error.errno == errno.EACCES:
            return f"Port {self.port} is not for ordinary accounts. Set CHESSLOCKER_BIND to a port from 1024 on."
        return f"Cannot listen on {self.host}, port {self.port}: {error.strerror or error}. Set CHESSLOCKER_BIND."

    def hosts(self) -> list[str]:
        """The names under which a site that others can reach is asked for."""
        own = private_addresses() if self.is_everywhere else [url_host(self.host)]
        return list(dict.fromkeys([*own, "localhost", "127.0.0.1", socket.gethostname().lower()]))

    def addresses(self, named: list[str]) -> list[str]:
        """What to type into a browser."""
        if not self.is_address:
            return [self.host]
        if named and self.is_open:
            hosts = [host.lstrip(".") for host in named]
        elif self.is_everywhere:
            hosts = private_addresses() or ["127.0.0.1"]
        else:
            hosts = [url_host(self.host)]
        return [f"http://{host}/" if self.port == 80 else f"http://{host}:{self.port}/" for host in hosts]


def url_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def private_addresses() -> list[str]:
    """The machine's addresses in the networks of a house or school, the one towards the router first."""
    found: list[str] = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Connecting a datagram socket sends nothing: the system only chooses the way. The address is a documentation's.
        probe.connect(("198.51.100.1", 9))
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    parsed = [ipaddress.IPv4Address(address) for address in dict.fromkeys(found)]
    return [
        str(address)
        for address in parsed
        if address.is_private and not (address.is_loopback or address.is_link_local or address.is_unspecified)
    ]


@contextlib.contextmanager
def prepared_by_one(folder: Path) -> Iterator[None]:
    """The data folder, made where it is missing; a second start waits here until the first has prepared it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    own = settings.BASE_DIR / "var"
    if own in (folder, *folder.parents):
        own.chmod(0o700)  # a folder of somebody's choice is left as it is
    with (folder / "prepare.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def refuse_wrong_data(*, demo: bool) -> None:
    """CommandError before a demo touches a real school's database, and the other way round."""
    try:
        tables = connection.introspection.table_names()
    except OperationalError as error:
        raise CommandError(f"The database cannot be reached. {error}".strip()) from error
    if School._meta.db_table not in tables:
        return
    if demo and School.objects.filter(is_demo=False).exists():
        raise CommandError(
            "This database has a real school in it; the demo keeps out. Leave DATABASE_URL empty and set "
            "CHESSLOCKER_DATA to an empty folder for the demo."
        )
    if not demo and School.objects.filter(is_demo=True).exists():
        raise CommandError("This is the demo's data: set CHESSLOCKER_DATA to another folder.")


def told(addresses: list[str], *, bind: Bind, school: DemoSchool | None) -> list[str]:
    """The lines to print before the server starts."""
    lines = []
    if school:
        lines += [f"{school.name} is open: {addresses[0]}", ""]
        logins = [("Teacher", login) for login in school.teachers] + [("Student", login) for login in school.students]
        lines += [f"  {role}   {login.username:<10} {login.password:<18} {login.who}" for role, login in logins]
        lines += ["", "  Every student has the same password. Stop with Ctrl-C; the demo is kept until you delete"]
        lines += [f"  {settings.DATA_DIR}"]
        if bind.is_open:
            lines += ["", "Everybody in this network can log in to the demo."]
    elif School.objects.exists():
        lines += [f"ChessLocker is open: {addresses[0]}"]
    else:
        lines += [f"Open {addresses[0]} and create your school."]
    if len(addresses) > 1:
        lines += ["Or, for the tablets, whichever of these answers:", *(f"  {address}" for address in addresses[1:])]
    if bind.is_everywhere and not private_addresses():
        lines += ["No address for the tablets was found. Name it in CHESSLOCKER_HOSTS, for example 192.168.1.20."]
    return lines


def server_command() -> list[str]:
    command = [
        sys.executable,
        *("-m", "gunicorn", "chesslocker.wsgi:application"),
        *("--pythonpath", str(settings.BASE_DIR)),
        *("--bind", settings.BIND),
        *("--worker-class", "gthread", "--workers", str(WORKERS), "--threads", str(THREADS)),
        *("--timeout", "60", "--graceful-timeout", "3"),  # an idle connection does not hold up the end
        *("--log-level", "warning"),  # no access log: it would tell who looked at what
        "--no-control-socket",
    ]
    memory = Path("/dev/shm")  # noqa: S108 the server makes its own files there, safely
    if memory.is_dir() and os.access(memory, os.W_OK):
        # The workers' sign of life is a touched file: in memory it neither waits for a slow card nor wears it out.
        command += ["--worker-tmp-dir", str(memory)]
    return command
