"""The projector: it renews itself, with and without script, and everybody is on the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.tournaments.makers import make_tournament, pair, play_round
from tournaments.views import screens

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("script", [True, False])
def test_a_new_round_appears_by_itself(cast, open_page, log_in, monkeypatch, script):
    monkeypatch.setattr(screens, "SECONDS", 1)
    tournament = make_tournament(cast.classroom)
    play_round(tournament)
    page = log_in(open_page(script=script), "teacher")
    page.goto(f"/tournaments/{tournament.pk}/projector/boards/")
    expect(page.get_by_role("heading", name="Friday Swiss · Round 1")).to_be_visible()

    pair(tournament)

    expect(page.get_by_role("heading", name="Friday Swiss · Round 2")).to_be_visible()
    assert page.title() == "Friday Swiss · ChessLocker"


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1024, 768)])
def test_a_full_screen_fits_and_is_large(cast, open_page, log_in, width, height):
    tournament = make_tournament(cast.classroom, players=41)
    pair(tournament)
    page = log_in(open_page(width=width, height=height), "teacher")

    for view, lines in (("boards", 11), ("names", 21), ("standings", 21)):
        page.goto(f"/tournaments/{tournament.pk}/projector/{view}/")
        line = page.locator(".screen > li")
        assert line.count() in {lines - 1, lines}
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        size = float(line.first.evaluate("one => getComputedStyle(one).fontSize.slice(0, -2)"))
        assert size >= height / 36
