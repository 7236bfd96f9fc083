"""The four languages: complete, chosen by the browser and by the switch, and right in dates and plurals."""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import template as templates

from tests.test_translations import ROOT as FOLDER
from tests.test_translations import TEMPLATES

ROOT = FOLDER.parent

LANGUAGES = ["de", "es", "fr"]
APPS = ["chesslocker", "classes", "ratings", "tournaments"]
ONE = {"_", "gettext", "gettext_lazy"}
MANY = {"ngettext", "ngettext_lazy"}


def called(tree: ast.AST) -> Iterator[tuple[str, ...]]:
    """The texts of every call that translates: (text,) or (one, other)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            count = 1 if node.func.id in ONE else 2 if node.func.id in MANY else 0
            texts = [text.value for text in node.args[:count] if isinstance(text, ast.Constant)]
            if count and len(texts) == count:
                yield tuple(texts)


def of_templates() -> Iterator[tuple[str, ...]]:
    string = r"u?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    for name in TEMPLATES:
        # What Django hands to xgettext: gettext('…') and ngettext('…', '…', count) among crossed out text.
        source = templates.templatize((FOLDER / name).read_text(encoding="utf-8"))
        for one in re.findall(rf"\bgettext\({string}\)", source):
            yield (ast.literal_eval(one),)
        for one, other in re.findall(rf"\bngettext\({string},\s*{string},", source):
            yield ast.literal_eval(one), ast.literal_eval(other)


def of_modules() -> Iterator[tuple[str, ...]]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if "migrations" not in path.parts:
                yield from called(ast.parse(path.read_text(encoding="utf-8")))


def catalogue(language: str) -> dict[object, str]:
    with (ROOT / "locale" / language / "LC_MESSAGES" / "django.mo").open("rb") as file:
        return gettext.GNUTranslations(file)._catalog


def holes(text: str) -> set[str]:
    return set(re.findall(r"%\((\w+)\)", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_program_is_translated(language):
    known = catalogue(language)

    missing = {
        texts[0]
        for texts in [*of_modules(), *of_templates()]
        if texts[0].strip() and not (known.get(texts[0]) if len(texts) == 1 else known.get((texts[0], 0)))
    }

    assert sorted(missing) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_a_guess_or_loses_a_placeholder(language):
    source = (ROOT / "locale" / language / "LC_MESSAGES" / "django.po").read_text(encoding="utf-8")
    entries = {key: text for key, text in catalogue(language).items() if isinstance(key, str) and key}
    plurals = {key[0] for key in catalogue(language) if isinstance(key, tuple)}

    assert "#, fuzzy" not in source
    assert "#~" not in source
    assert source.count("\nmsgid ") == len(entries) + len(plurals)  # the compiled file is of this source
    assert [key for key, text in entries.items() if holes(text) != holes(key)] == []


def test_no_text_hides_from_the_extraction():
    """xgettext does not look into f-strings."""
    hidden = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for app in APPS
        for path in sorted((ROOT / app).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr) and list(called(node))
    ]

    assert hidden == []


def test_the_extraction_of_this_test_finds_what_there_is():
    found = set(of_modules()) | set(of_templates())

    assert ("Record game",) in found
    assert ("%(count)d result is missing.", "%(count)d results are missing.") in found
    assert len(found) > 2000


@pytest.mark.parametrize(
    ("asked", "answer"), [("de", "Anmelden"), ("fr-CA,fr;q=0.9", "Se connecter"), ("es", "Entrar"), ("pl", "Log in")]
)
@pytest.mark.django_db
def test_the_browser_chooses_the_language(asked, answer):
    page = Client().get(reverse("home"), headers={"Accept-Language": asked}).content.decode()

    assert answer in page


@pytest.mark.django_db
def test_the_switch_sticks_to_the_account_whatever_the_browser_asks_for(cast, client_of):
    client = client_of(cast.teacher)
    answer = client.post(
        reverse("classes:set_language"), {"language": "fr"}, headers={"Referer": "http://testserver/classes/"}
    )

    elsewhere = client_of(cast.teacher)
    page = elsewhere.get(reverse("classes:classroom_list"), headers={"Accept-Language": "de"}).content.decode()

    assert answer["Location"] == "http://testserver/classes/"
    assert '<html lang="fr">' in page
    assert "Se déconnecter" in page


@pytest.mark.django_db
def test_a_visitor_s_choice_sticks_to_the_browser():
    client = Client()
    client.post(reverse("classes:set_language"), {"language": "es"})

    page = client.get(reverse("home"), headers={"Accept-Language": "de"}).content.decode()

    assert '<html lang="es">' in page


@pytest.mark.parametrize("referer", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
@pytest.mark.django_db
def test_the_switch_leads_nowhere_else(referer):
    answer = Client().post(reverse("classes:set_language"), {"language": "de"}, headers={"Referer": referer})

    assert answer["Location"] == "/"


@pytest.mark.django_db
def test_an_unknown_language_is_not_found():
    assert Client().post(reverse("classes:set_language"), {"language": "xx"}).status_code == 404


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
@pytest.mark.django_db
def test_pages_render_in_every_language(cast, client_of, language):
    """A format that does not fit its translation would fail here."""
    cast.teacher.language = language
    cast.teacher.save()
    client = client_of(cast.teacher)
    room = [cast.classroom.pk]
    names = ["class_page", "ratings:record_game", "ratings:economy", "ratings:adjust_ratings", "classes:students"]
    names += ["tournaments:create_tournament", "classes:import_students"]

    for address in [*(reverse(name, args=room) for name in names), reverse("help"), reverse("ratings:learn")]:
        page = client.get(address)
        assert (page.status_code, f'<html lang="{language}">' in page.content.decode()) == (200, True)
