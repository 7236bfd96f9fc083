"""`manage.py serve`: what it refuses, what it says, and what it starts."""

from __future__ import annotations

import ipaddress
import os
import socket
import stat
import sys
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command

from chesslocker.management.commands.serve import private_addresses
from classes.models import School, User
from ratings.models import Game
from tests.factories import make_school

pytestmark = pytest.mark.django_db


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def serve(settings, monkeypatch, tmp_path, capsys, port) -> Callable[..., tuple[str, list[str]]]:
    """Run the command up to where the process would become the server: what was printed, and the server's command."""
    started: list[list[str]] = []
    # Replaces the process, so it is the one thing that cannot be run here.
    monkeypatch.setattr(os, "execv", lambda _path, command: started.append(command))
    monkeypatch.setenv("CHESSLOCKER_HOSTS", "")  # the command may write it; it is put back after the test
    settings.DATA_DIR = tmp_path / "data"
    settings.BIND = f"127.0.0.1:{port}"
    umask = os.umask(0o022)

    def run(*arguments: str, bind: str = "", hosts: str = "") -> tuple[str, list[str]]:
        settings.BIND = bind.format(port=port) or settings.BIND
        if hosts:
            monkeypatch.setenv("CHESSLOCKER_HOSTS", hosts)
        call_command("serve", *arguments)
        return capsys.readouterr().out, started.pop()

    yield run
    os.umask(umask)


def test_serve_without_a_school_invites_to_create_one(serve, port, settings):
    out, command = serve()

    assert out.split("\n") == ["", f"Open http://127.0.0.1:{port}/ and create your school.", ""]
    assert command[:4] == [sys.executable, "-m", "gunicorn", "chesslocker.wsgi:application"]
    assert command[command.index("--bind") + 1] == f"127.0.0.1:{port}"
    assert os.environ["CHESSLOCKER_HOSTS"] == ""
    assert stat.S_IMODE(settings.DATA_DIR.stat().st_mode) == 0o700


def test_serve_with_a_school_says_where(serve, port):
    make_school()

    out, _command = serve()

    assert out.split("\n") == ["", f"ChessLocker is open: http://127.0.0.1:{port}/", ""]


def test_demo_tells_the_logins_and_twice_doubles_nothing(serve, port, settings):
    out, _command = serve("--demo")

    assert [line.rstrip() for line in out.split("\n")] == [
        "",
        f"Linden School (demo) is open: http://127.0.0.1:{port}/",
        "",
        "  Teacher   teacher    demo-teacher-2026  Ms. Okafor",
        "  Teacher   lund       demo-teacher-2026  Mr. Lund",
        "  Student   mia        demo-chess-12      Mia Kowalczyk",
        "  Student   siobhan    demo-chess-12      Siobhán O’Neill",
        "",
        "  Every student has the same password. Stop with Ctrl-C; the demo is kept until you delete",
        f"  {settings.DATA_DIR}",
        "",
    ]
    counts = (School.objects.count(), User.objects.count(), Game.objects.count())
    assert counts[:2] == (1, 38)

    again, _command = serve("--demo")

    assert again == out
    assert (School.objects.count(), User.objects.count(), Game.objects.count()) == counts


def test_demo_refuses_a_real_school(serve):
    make_school()

    with pytest.raises(CommandError, match="This database has a real school in it"):
        serve("--demo")

    assert School.objects.filter(is_demo=True).count() == 0


def test_serve_refuses_the_demo(serve):
    School.objects.create(name="Linden School (demo)", is_demo=True)

    with pytest.raises(CommandError, match="This is the demo's data: set CHESSLOCKER_DATA to another folder"):
        serve()


@pytest.mark.parametrize("bind", ["0.0.0.0:{port}", "[::]:{port}"])
def test_open_to_the_network_names_the_addresses_and_lets_them_in(serve, port, bind):
    if bind.startswith("[") and not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    own = private_addresses()

    out, _command = serve(bind=bind)

    assert os.environ["CHESSLOCKER_HOSTS"].split(",") == [
        *own, "localhost", "127.0.0.1", socket.gethostname().lower()
    ]  # fmt: skip
    assert f"Open http://{(own or ['127.0.0.1'])[0]}:{port}/ and create your school." in out
    assert [address for address in own if f"http://{address}:{port}/" not in out] == []
    assert ("No address for the tablets was found" in out) == (not own)


def test_open_to_the_network_keeps_the_names_that_were_set(serve, port):
    out, _command = serve(bind="0.0.0.0:{port}", hosts="chess.school.example, 192.168.1.20")

    assert os.environ["CHESSLOCKER_HOSTS"] == "chess.school.example, 192.168.1.20"
    assert f"Open http://chess.school.example:{port}/ and create your school." in out
    assert f"  http://192.168.1.20:{port}/" in out


def test_behind_https_the_address_is_the_public_one(serve, settings):
    settings.HTTPS = True

    out, _command = serve(hosts="chess.school.example")

    assert "Open https://chess.school.example/ and create your school." in out


def test_https_without_a_name_still_says_where(serve, port, settings):
    settings.HTTPS = True

    out, _command = serve()

    assert f"Open http://127.0.0.1:{port}/ and create your school." in out


def test_demo_open_to_the_network_warns(serve):
    out, _command = serve("--demo", bind="0.0.0.0:{port}")

    assert "Everybody in this network can log in to the demo." in out


def test_private_addresses_are_private():
    addresses = [ipaddress.ip_address(address) for address in private_addresses()]

    assert [address for address in addresses if not address.is_private or address.is_loopback] == []


def test_taken_port_is_said_before_anything_is_done(serve, port):
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()

        with pytest.raises(CommandError, match=f"Port {port} is in use.*PORT=8001.*CHESSLOCKER_BIND="):
            serve("--demo")

    assert School.objects.count() == 0


@pytest.mark.parametrize(
    ("bind", "sentence"),
    [
        ("127.0.0.1:chess", "CHESSLOCKER_BIND is 127.0.0.1:chess; it must be like 127.0.0.1:8000"),
        ("127.0.0.1:99999", "CHESSLOCKER_BIND is 127.0.0.1:99999; the port must be a number from 1 to 65535"),
        ("192.0.2.77:{port}", "Cannot listen on 192.0.2.77, port"),
        ("no.such.host.invalid:{port}", "Cannot listen on no.such.host.invalid, port"),
    ],
)
def test_impossible_address_is_said(serve, bind, sentence):
    with pytest.raises(CommandError, match=sentence):
        serve(bind=bind)


def test_socket_file_for_a_proxy_needs_no_port(serve, tmp_path):
    out, command = serve(bind=f"unix:{tmp_path}/site.sock")

    assert f"Open unix:{tmp_path}/site.sock and create your school." in out
    assert command[command.index("--bind") + 1] == f"unix:{tmp_path}/site.sock"
