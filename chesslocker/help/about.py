"""The program itself: its version, its licence, and whose work it stands on."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version

from django.utils.translation import gettext_lazy as _

from chesslocker import __version__
from chesslocker.help.answers import Text


@dataclass(frozen=True, slots=True)
class Library:
    name: str
    use: Text
    licence: str
    version: str = ""


PYTHON = (
    Library("Django", _("the pages and the database"), "BSD-3-Clause"),
    Library("gacrux", _("Swiss pairings and tie-breaks"), "MIT"),
    Library("networkx", _("pairings of small groups"), "BSD-3-Clause"),
    Library("django-crispy-forms", _("forms"), "MIT"),
    Library("crispy-bootstrap5", _("forms"), "MIT"),
    Library("django-htmx", _("pages that answer without a reload, by htmx"), "MIT"),
    Library("whitenoise", _("style sheets and pictures"), "MIT"),
    Library("gunicorn", _("the server"), "MIT"),
    Library("django-csp", _("protection against foreign scripts"), "BSD-3-Clause"),
    Library("django-axes", _("protection against guessed passwords"), "MIT"),
    Library("argon2-cffi", _("storing passwords so that nobody can read them"), "MIT"),
    Library("django-simple-history", _("old values of what was edited"), "BSD-3-Clause"),
    Library("dj-database-url", _("the address of the database"), "BSD-3-Clause"),
    Library("segno", _("the QR codes of login badges"), "BSD-3-Clause"),
    Library("anyascii", _("user names from names in any script"), "ISC"),
    Library("tzdata", _("time zones"), "Apache-2.0"),
)
SERVED = (
    Library("Bootstrap", _("the look"), "MIT", version="5.3.9"),
    Library("Atkinson Hyperlegible Next", _("the font"), "OFL-1.1", version="5.3.0"),
)


def libraries() -> list[Library]:
    """Everything that the program uses, with the version that is installed."""
    return [*(_installed(library) for library in PYTHON), *SERVED]


def _installed(library: Library) -> Library:
    return Library(library.name, library.use, library.licence, version(library.name))


VERSION = __version__
LICENCE = "MIT"
ENGINE = "www.gacrux.no"  # its authors ask for this link; nothing is fetched from there
