"""The help: everything is answered, can be found, and tells numbers that are right."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from django.conf import settings

import chesslocker
from chesslocker.help import about
from chesslocker.help.answers import Answer, Section, search, told
from chesslocker.help.contents import SECTIONS
from chesslocker.help.numbers import no_gain_from, numbers
from ratings.models import Adjustment
from tests.pages import rows_of, words_of
from tournaments.core.tiebreaks import TIE_BREAKS

pytestmark = pytest.mark.django_db

ROOT = Path(settings.BASE_DIR)
ANSWERS = [answer for section in SECTIONS for answer in section.answers]
ANCHORS = [
    "about",
    *(section.anchor for section in SECTIONS),
    *(answer.anchor for answer in ANSWERS),
    *(term.anchor for answer in ANSWERS for term in answer.terms),
]


def answer_of(page, anchor: str) -> str:
    """The words of one answer."""
    return words_of(
        re.search(rf'<article class="answer" id="{anchor}">(.*?)</article>', page.content.decode(), re.S)[1]
    )


def test_every_anchor_is_there_once(client):
    page = client.get("/help/").content.decode()

    ids = re.findall(r'\bid="([^"]+)"', page)
    assert sorted(set(ANCHORS)) == sorted(ANCHORS)
    assert set(ANCHORS) <= set(ids)
    assert len(ids) == len(set(ids))
    assert "%(" not in words_of(page)


@pytest.mark.parametrize(
    "anchor",
    "what-is-elo why-800 why-32 expected-score actual-score why-a-draw-moves worked-examples add-students logins "
    "record-game inactive what-students-see adjustments adjustment-kinds adjustment-practice economy corrections swiss "
    "byes points each-tie-break small-groups gains-nothing about elo using students tournaments privacy teachers "
    "learners".split(),
)
def test_what_must_be_answered_is(anchor):
    assert anchor in ANCHORS


def test_the_worked_examples_are_reckoned(client):
    page = client.get("/help/")

    assert [row for row in rows_of(page) if re.search("1–0|½–½|0–1", row[0])] == [
        ["800 1–0 800", "0.500", "816 ▲ +16", "784 ▼ −16"],
        ["1000 1–0 900", "0.640", "1012 ▲ +12", "888 ▼ −12"],
        ["900 1–0 1000", "0.360", "920 ▲ +20", "980 ▼ −20"],
        ["1000 ½–½ 800", "0.760", "992 ▼ −8", "808 ▲ +8"],
        ["800 ½–½ 800", "0.500", "800 ±0", "800 ±0"],
        ["1000 0–1 900", "0.640", "980 ▼ −20", "920 ▲ +20"],
        ["1600 1–0 1900", "0.151", "1627 ▲ +27", "1873 ▼ −27"],
        ["1800 1–0 1400", "0.909", "1803 ▲ +3", "1397 ▼ −3"],
    ]


def test_the_numbers_in_the_sentences():
    known = {
        "between_equals": "16", "e0": "0.50", "e100": "0.64", "e200": "0.76", "e400": "0.909", "fide400": "0.92",
        "draw_loses": "8", "gap": "720", "gap_gain": "0.499", "gap_loss": "32", "gap40": "760", "gap20": "637",
        "gap10": "512", "us_k": "56", "sure": "17", "unsure": "12", "newcomer": "175", "favourite_win": "8",
        "floor_1800": "1600", "floor_1400": "1200", "better_gain": "12", "weaker_gain": "20",
    }  # fmt: skip

    assert {name: numbers()[name] for name in known} == known
    assert no_gain_from(16) == 597


def test_a_draw_moves_nothing_between_equals(client):
    words = answer_of(client.get("/help/"), "why-a-draw-moves")

    assert "1000 against 800: the stronger loses 8 points, the other gains them." in words
    assert "Between equals a draw is just what was expected: nothing moves." in words


def test_every_tie_break_is_told_with_the_sentence_of_the_standings(client):
    words = answer_of(client.get("/help/"), "each-tie-break")

    assert len(TIE_BREAKS) > 25
    for tie_break in TIE_BREAKS.values():
        assert f"{tie_break.name} ({tie_break.code}) {tie_break.sentence} ·" in words


def test_every_kind_of_adjustment_is_told():
    told_of = {term.anchor for answer in ANSWERS for term in answer.terms if answer.anchor == "adjustment-kinds"}

    assert told_of == {f"kind-{kind}" for kind in Adjustment.Kind if kind != Adjustment.Kind.SEASON}


# --- search ---

SMALL = [
    Section("one", "Ratings", (Answer("a", "Why a draw?", ("It is even.",)), Answer("b", "Élan", ("Don’t stop",)))),
    Section("two", "Others", (Answer("c", "Draw lots", (), ("a coin",)),)),
]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("draw", ["a", "c"]),
        ("DRAW even", ["a"]),
        ("elan", ["b"]),
        ("don't", ["b"]),
        ("ratings", ["a", "b"]),
        ("coin", ["c"]),
        ("drawing", []),
    ],
)
def test_answers_are_found_by_all_the_words(words, found):
    assert [answer.anchor for section in search(SMALL, words) for answer in section.answers] == found


def test_numbers_are_put_in_their_places_and_found():
    section = Section("s", "S", (Answer("a", "Up to %(most)s?", ("100 % of them", "%(most)s it is")),))

    (said,) = told([section], {"most": "720"})

    assert said.answers[0].question == "Up to 720?"
    assert said.answers[0].paragraphs == ("100 % of them", "720 it is")


def test_a_search_shows_what_fits_and_no_more(client):
    page = client.get("/help/", {"q": " forfeit "})

    assert [answer.anchor for section in page.context["sections"] for answer in section.answers] == ["forfeit"]
    assert "Answers with “forfeit”. Show all answers" in words_of(page)
    assert 'id="why-800"' not in page.content.decode()
    assert 'name="q" value="forfeit"' in page.content.decode()


@pytest.mark.parametrize("words", ["zzz", "<b>", "\x00", "x" * 5000])
def test_a_search_that_finds_nothing_says_so(client, words):
    page = client.get("/help/", {"q": words})

    assert page.status_code == 200
    assert ("There is no answer with" in words_of(page)) == bool(words.strip("\x00"))


def test_htmx_gets_the_answers_alone(client):
    page = client.get("/help/", {"q": "bye"}).content.decode()
    piece = client.get("/help/", {"q": "bye"}, headers={"HX-Request": "true"}).content.decode()

    assert piece.startswith('<div id="answers"')
    assert piece in page


# --- links and lists ---


def test_every_question_mark_leads_to_an_answer():
    asked = [
        (path.name, anchor)
        for path in (ROOT / "templates").rglob("*.html")
        for anchor in re.findall(
            r"includes/help\.html\" with anchor=\"([^\"]+)\"|'help' %}#([a-z0-9-]+)\"", path.read_text()
        )
    ]

    found = {first or second for _, (first, second) in asked}
    assert len(asked) > 15
    assert found <= set(ANCHORS)


@pytest.mark.parametrize(
    ("address", "anchor", "name"),
    [
        ("/classes/{0}/", "class-page", "Help: the class page"),
        ("/classes/{0}/games/", "corrections", "Help: games and corrections"),
        ("/classes/{0}/games/record/", "record-game", "Help: recording a game"),
        ("/classes/{0}/elo/", "economy", "Help: the economy of a class"),
        ("/classes/{0}/elo/adjust/", "adjustment-practice", "Help: giving points"),
        ("/classes/{0}/elo/adjustments/", "adjustments", "Help: adjustments"),
        ("/classes/{0}/students/", "add-students", "Help: students and their logins"),
    ],
)
def test_the_pages_of_a_teacher_link_to_their_answers(cast, client_of, address, anchor, name):
    page = client_of(cast.teacher).get(address.format(cast.classroom.pk)).content.decode()

    links = re.findall(r'<a class="help-link no-print" href="/help/#([^"]+)"[^>]*>(.*?)</a>', page)
    assert [(anchor, words_of(words)) for anchor, words in links] == [(anchor, f"? {name}")]


def test_help_and_calculator_are_in_the_bar_for_everybody(cast, client, client_of):
    for browser, address in (
        (client, "/"), (client, "/login/"), (client_of(cast.mia.user), "/me/"), (client_of(cast.teacher), "/classes/")
    ):  # fmt: skip
        bar = browser.get(address).content.decode().partition("</header>")[0]
        assert ['href="/calculator/"' in bar, 'href="/help/"' in bar] == [True, True], address


def test_the_help_asks_the_database_for_nothing_but_who_is_there(cast, client, client_of, django_assert_num_queries):
    teacher = client_of(cast.teacher)
    teacher.get("/help/")  # the session notes the time
    with django_assert_num_queries(0):
        client.get("/help/?q=elo")
    with django_assert_num_queries(4):  # session, account, membership, school
        teacher.get("/help/")


# --- about ---


def test_version_licence_and_libraries_are_those_of_the_project(client):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.match(r"[\w-]+", line)[0] for line in project["dependencies"]}

    words = words_of(client.get("/help/"))

    assert chesslocker.__version__ == project["version"]
    assert f"ChessLocker {project['version']}, free software under the {project['license']['text']} licence." in words
    assert {library.name.lower() for library in about.PYTHON} == needed


def test_what_is_served_is_told_with_its_version():
    vendored = (ROOT / "static/vendor/VENDORED.md").read_text()

    for library in about.SERVED:
        assert f"| {library.version} | {library.licence} |" in vendored


def test_the_engine_of_fide_is_linked_and_not_asked(client):
    page = client.get("/help/").content.decode()

    assert '<a href="https://www.gacrux.no/" rel="noreferrer">www.gacrux.no</a>' in page
    assert re.findall(r"(?:src|action|data)=\"https?:", page) == []
