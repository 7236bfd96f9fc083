"""Every page: nothing spills at three widths, nothing foreign is asked for, no error in the console, axe is content."""

from __future__ import annotations

import datetime
import uuid
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe

from ratings.models import Adjustment, Game
from ratings.services import keep_practice_set, show_bands
from tests.factories import BLACK, DRAW, WHITE, give_points, list_of, make_game, make_student
from tests.tournaments.makers import boards, entry, make_tournament, pair, play_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDTHS = {"desktop": (1280, 900), "tablet": (820, 1100), "phone": (360, 780)}
PUBLIC = [
    "/", "/privacy/", "/login/", "/login/code/", "/login/badge/nonsense/", "/signup/", "/password/reset/",
    "/help/", "/help/?q=rating", "/help/?q=zzz",
    "/join/nonsense/", "/helper/NONSENSE/",
    "/calculator/", "/calculator/?white=abc", "/calculator/games/?rating=800&opponent1=900&result1=win&more=1",
    "/calculator/fide/", "/calculator/first/", "/calculator/glicko/", "/calculator/us/",
]  # fmt: skip
LEARN = [
    "/learn/", "/learn/expected-score/", "/learn/k-factor/", "/learn/elo-and-glicko/", "/learn/meaning/",
    "/learn/pieces/?piece=rook&level=3&seed=7", "/learn/pieces/?piece=rook&level=3&seed=7&to=e2&to=f3",
]  # fmt: skip
TEACHER = [
    "/classes/", "/classes/new/", "/password/",
    "/classes/{classroom}/", "/classes/{classroom}/edit/", "/classes/{classroom}/delete/",
    "/classes/{classroom}/teachers/",
    "/classes/{classroom}/games/", "/classes/{classroom}/games/?day=1999-01-01",
    "/classes/{classroom}/games/record/", "/classes/{classroom}/games/quick/",
    "/classes/{classroom}/students/", "/classes/{classroom}/students/add/", "/classes/{classroom}/students/import/",
    "/classes/{classroom}/cards/", "/classes/{classroom}/codes/", "/classes/{classroom}/students/{student}/password/",
    "/classes/{classroom}/elo/", "/classes/{classroom}/elo/adjust/", "/classes/{classroom}/elo/adjustments/",
    "/classes/{classroom}/reports/?kinds=skill", "/classes/{classroom}/certificates/?occasion=games&who=all",
    "/students/{student}/", "/students/{student}/edit/", "/students/{student}/delete/", "/students/{student}/move/",
    "/students/{student}/view/", "/students/{student}/export/",
    "/games/{game}/", "/games/{game}/correct/", "/games/{game}/void/", "/adjustments/{adjustment}/void/",
    "/tournaments/", "/school/apart/", "/classes/{classroom}/tournaments/", "/classes/{classroom}/tournaments/new/",
    "/tournaments/{cup}/settings/", "/tournaments/{cup}/cancel/", "/tournaments/{cup}/copy/",
    "/tournaments/{cup}/helper/",
    "/tournaments/{cup}/standings/", "/tournaments/{cup}/crosstable/", "/tournaments/{cup}/players/",
    "/tournaments/{cup}/players/{entry}/", "/tournaments/{cup}/players/{entry}/withdraw/",
    "/tournaments/{cup}/players/enter/", "/classes/{classroom}/students/{student}/leaving/",
    "/tournaments/{cup}/rounds/1/", "/tournaments/{cup}/rounds/2/", "/tournaments/{cup}/rounds/2/change/",
    "/tournaments/{cup}/rounds/2/unpair/", "/tournaments/{cup}/rounds/2/day/", "/tournaments/{cup}/boards/{board}/",
    "/tournaments/{cup}/boards/{board}/?result=01", "/tournaments/{new_cup}/",
    "/tournaments/{cup}/sheets/", "/tournaments/{cup}/projector/boards/", "/tournaments/{cup}/projector/names/",
    "/tournaments/{cup}/projector/standings/", "/tournaments/{new_cup}/projector/boards/",
    "/tournaments/{cup}/rounds/2/print/boards/", "/tournaments/{cup}/rounds/2/print/names/",
    "/tournaments/{cup}/rounds/2/print/slips/", "/tournaments/{cup}/print/standings/",
    "/tournaments/{cup}/print/crosstable/", "/tournaments/{cup}/print/chart/",
]  # fmt: skip
LEAD = [
    "/tournaments/new/",
    "/school/",
    "/school/audit/",
    "/school/retention/",
    "/students/{student}/erase/",
    "/school/backups/",
    "/school/lists/",
    "/school/rollover/",
    "/students/{student}/move/",
    "/students/{student}/merge/",
    "/school/lists/{list}/",
    "/school/teachers/",
    "/school/teachers/invite/",
    "/school/teachers/{colleague}/remove/",
    "/classes/{empty}/",
    "/classes/{empty}/games/quick/",
]
STUDENT = [
    "/me/",
    "/me/games/",
    "/me/classes/{classroom}/",
    "/games/{game}/",
    "/me/tournaments/",
    "/me/tournaments/{cup}/",
]


@pytest.fixture
def school(cast):
    today = cast.school.today()
    long = make_student(cast.classroom, "Maximiliana Florentina", "von und zu Hohenwaldstein-Breitenegg", grade="K")
    make_student(cast.classroom, "נועה", "לוי")
    for days, (white, black, result) in enumerate(
        [(cast.mia, cast.ben, WHITE), (cast.ben, cast.cleo, DRAW), (long, cast.mia, BLACK), (cast.cleo, long, WHITE)]
    ):
        make_game(cast.classroom, white, black, result, day=today - datetime.timedelta(days=days), note="A fork")
    give_points(cast.classroom, cast.mia, 3)
    keep_practice_set(student=cast.mia, key=str(uuid.uuid4()), piece="rook", level=2, tries=12, mistakes=1)
    show_bands(list_of(cast.classroom), shown=True)
    cup = make_tournament(cast.classroom, [cast.mia, cast.ben, cast.cleo, long])
    play_round(cup)
    pair(cup)
    return {
        "classroom": cast.classroom.pk,
        "empty": cast.other_classroom.pk,
        "student": cast.mia.pk,
        "game": Game.objects.filter(white=cast.mia)[0].pk,
        "adjustment": Adjustment.objects.get().pk,
        "list": Game.objects.all()[0].rating_list_id,
        "cup": cup.pk,
        "entry": entry(cup, "Mia").pk,
        "board": boards(cup, 1)[0].pk,
        "colleague": cast.colleague.membership.pk,
        "new_cup": make_tournament(cast.classroom, [cast.mia, long]).pk,
    }


THIRDS = [TEACHER[part::3] for part in range(3)]  # so that several workers can share the work


@pytest.mark.parametrize(
    ("username", "paths"),
    [(None, PUBLIC), (None, LEARN), *(("teacher", third) for third in THIRDS), ("lead", LEAD), ("mia", STUDENT)],
)
def test_pages_are_in_order(school, open_page, log_in, username, paths):
    page = open_page()
    host = urlsplit(page.url).netloc
    foreign: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: foreign.append(request.url) if urlsplit(request.url).netloc != host else None)
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    if username:
        log_in(page, username)
    axe = Axe()

    found = {}
    for path in paths:
        page.set_viewport_size({"width": 1280, "height": 900})
        response = page.goto(path.format(**school))
        spills = {}
        rules = [violation["id"] for violation in axe.run(page).response["violations"]]
        for width, (across, down) in WIDTHS.items():
            page.set_viewport_size({"width": across, "height": down})
            spills[width] = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found[path] = (response.status, spills, rules)

    nothing = dict.fromkeys(WIDTHS, 0)
    assert found == {path: (200, nothing, []) for path in paths}
    assert foreign == []
    assert errors == []


WORDY = [  # the pages with the longest words on buttons and in heads of tables
    "/classes/{classroom}/", "/classes/{classroom}/games/record/", "/classes/{classroom}/elo/",
    "/classes/{classroom}/elo/adjust/", "/classes/{classroom}/students/", "/classes/{classroom}/students/import/",
    "/classes/{classroom}/tournaments/new/", "/tournaments/{cup}/rounds/2/", "/tournaments/{cup}/standings/",
    "/tournaments/{cup}/settings/", "/students/{student}/", "/games/{game}/correct/",
    "/tournaments/{cup}/rounds/2/print/names/", "/learn/k-factor/",
]  # fmt: skip


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_pages_fit_a_phone_in_every_language(school, cast, open_page, log_in, language):
    cast.teacher.language = language
    cast.teacher.save()
    page = log_in(open_page(width=360), "teacher")

    spills = {}
    for path in WORDY:
        page.goto(path.format(**school))
        assert page.evaluate("document.documentElement.lang") == language
        spills[path] = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    assert spills == dict.fromkeys(WORDY, 0)


def test_paper_has_no_navigation(school, open_page, log_in):
    page = log_in(open_page(f"/classes/{school['classroom']}/"), "teacher")
    page.goto(f"/classes/{school['classroom']}/")

    page.emulate_media(media="print")

    assert not page.locator(".topbar").is_visible()
    assert not page.locator(".tabs").is_visible()
    assert page.locator("table.board").is_visible()
