"""Every word on a page can be translated: it stands in a translate or blocktranslate tag."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings
from django.template.base import Lexer, TokenType

ROOT = Path(settings.BASE_DIR) / "templates"
TEMPLATES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.suffix in {".html", ".txt"})
NAMES = {"ChessLocker", "TRF"}  # the same in every language
READ_ALOUD = {"alt", "aria-description", "aria-label", "placeholder", "title"}
START = {"blocktranslate", "blocktrans", "comment"}
CSS = {"block main_class"}  # a class of the page, never shown
END = {"endblocktranslate", "endblocktrans", "endcomment", "endblock"}


def untranslated(source: str) -> list[str]:
    """The visible words of a template outside translate tags: text, and attributes that are shown or read aloud."""
    reader = _Words()
    reader.feed(_without_tags(source))
    reader.close()
    return [word for text in reader.texts for word in re.findall(r"[^\W\d_]{2,}", text) if word not in NAMES]


def _without_tags(source: str) -> str:
    """A template without its variables and tags, nor what stands in blocktranslate."""
    kept, inside = [], False
    for token in Lexer(source).tokenize():
        tag = token.contents if token.token_type == TokenType.BLOCK else ""
        word = tag.partition(" ")[0]
        inside = (inside or word in START or tag in CSS) and word not in END
        if token.token_type == TokenType.TEXT and not inside:
            kept.append(token.contents)
    return "".join(kept)


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.hidden = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "style", "code"}:
            self.hidden = tag
        self.texts += [value for name, value in attrs if name in READ_ALOUD and value]

    def handle_endtag(self, tag: str) -> None:
        if tag == self.hidden:
            self.hidden = ""

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.texts.append(data)


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_word_of_a_template_can_be_translated(name):
    assert untranslated((ROOT / name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>Hello</p>", ["Hello"]),
        ("<p>{% translate 'Hello' %}, {{ name }} · ChessLocker</p>", []),
        ("{% blocktranslate count n=1 %}{{ n }} game{% plural %}{{ n }} games{% endblocktranslate %} today", ["today"]),
        ('<img alt="A board"><a title="{% translate "Back" %}" class="btn" href="/x/">»</a>', ["board"]),
        ('<input placeholder="Search {% translate "White" %}"><script>var x = "y";</script>', ["Search"]),
        ("<p>{% if white %}Schwarz{% else %}{% translate 'White' %}{% endif %}</p>", ["Schwarz"]),
        ("{% comment %}A note{% endcomment %}{# another #}<!-- and a third --><p>#</p>", []),
        ("{% block main_class %}container{% endblock %}{% block title %}Games{% endblock %}", ["Games"]),
        ("<p>משחק</p>", ["משחק"]),
    ],
)
def test_a_word_outside_the_tags_is_found(source, found):
    assert untranslated(source) == found
