"""The calculator and the help, with script and without, and on paper."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_calculator_follows_what_is_typed(open_page):
    page = open_page("/calculator/")

    page.get_by_label("White’s rating").fill("1600")
    page.get_by_label("Black’s rating").fill("1900")

    expect(page.get_by_role("row", name="White wins")).to_contain_text("1627.2 ▲ +27.2")
    expect(page).to_have_url(re.compile(r"/calculator/\?.*white=1600.*black=1900"))
    page.get_by_label("own", exact=True).check()
    page.get_by_label("Own K").fill("10")
    expect(page.get_by_role("row", name="White wins")).to_contain_text("▲ +8.5")
    page.get_by_label("White’s rating").fill("x")
    expect(page.locator("#result")).to_contain_text("write a whole number from 0 to 4000.")
    page.locator("#result").get_by_role("link", name="White’s rating").click()
    assert page.evaluate("document.activeElement.name") == "white"


def test_the_calculator_works_by_a_button_without_script(open_page):
    page = open_page("/calculator/games/", script=False)

    page.get_by_label("Your rating before").fill("1000")
    for number in range(1, 5):
        page.get_by_label(f"Game {number}, opponent’s rating").fill("")
        page.get_by_label(f"Game {number}, your result").select_option("")
    page.get_by_role("button", name="More games").click()
    page.get_by_label("Game 7, opponent’s rating").fill("900")
    page.get_by_label("Game 7, your result").select_option(label="Win")
    page.get_by_role("button", name="Calculate").click()

    expect(page.locator("#result .big")).to_have_text("1012")
    expect(page.get_by_label("Game 8, opponent’s rating")).to_be_visible()
    page.get_by_role("link", name="Address of this calculation").click()
    expect(page.locator("#result .big")).to_have_text("1012")
    expect(page).to_have_url(re.compile(r"opponent7=900&result7=win$"))


@pytest.mark.parametrize("script", [True, False])
def test_the_help_is_searched(open_page, script):
    page = open_page("/help/", script=script)

    page.get_by_label("Search").fill("forfeit")
    if not script:
        page.get_by_role("button", name="Find").click()

    expect(page.get_by_text("Answers with “forfeit”.")).to_be_visible()
    expect(page.locator(".answer")).to_have_count(1)


def test_paper_shows_the_result_and_the_answers_alone(open_page):
    page = open_page("/calculator/?white=1000&black=900&k=32")
    page.emulate_media(media="print")

    assert page.get_by_role("row", name="White wins").is_visible()
    assert [page.locator(part).first.is_visible() for part in (".topbar", ".tabs", "form", ".help-link")] == [False] * 4

    page.goto("/help/")
    assert page.locator("#why-800").is_visible()
    assert not page.get_by_label("Search").is_visible()
