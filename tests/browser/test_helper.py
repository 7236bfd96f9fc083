"""A helper's way on a phone: the link, the boards, a result."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.tournaments.makers import boards, make_tournament, pair

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_helper_opens_the_link_and_enters_a_result(cast, open_page, log_in):
    cup = make_tournament(cast.classroom)
    pair(cup)
    teacher = log_in(open_page(), "teacher")
    teacher.goto(f"/tournaments/{cup.pk}/helper/")
    teacher.get_by_role("button", name="Make a link for today").click()
    link = teacher.locator(".handed-out").inner_text()
    phone = open_page(link, width=360, height=780)
    seen = [teacher, phone]
    found = [Axe().run(page).response["violations"] for page in seen]

    phone.get_by_role("button", name="Begin").click()
    phone.get_by_role("button", name="Board 1: White wins").click()

    expect(phone.get_by_text("1 of 2 results in")).to_be_visible()
    found.append(Axe().run(phone).response["violations"])
    assert found == [[], [], []]
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    assert [board.sign for board in boards(cup)] == ["1–0", ""]
