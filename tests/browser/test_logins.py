"""Logging in with what a teacher hands out, as a class does it."""

from __future__ import annotations

import re
import uuid

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from classes.services import OneTimeKey, make_cards

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def faults(page: Page) -> tuple[int, list[str]]:
    spill = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return spill, [violation["id"] for violation in Axe().run(page).response["violations"]]


def test_a_child_types_a_code_from_the_screen_without_script(cast, open_page, log_in):
    teacher = log_in(open_page(width=360), "teacher")
    teacher.goto(f"/classes/{cast.classroom.pk}/students/")
    teacher.get_by_role("link", name="Login codes").click()
    teacher.get_by_role("button", name="Make and show the codes").click()
    code = teacher.locator("li", has_text="Mia K.").locator(".code").inner_text()
    shown = faults(teacher)

    child = open_page("/login/", script=False, width=360)
    child.get_by_role("link", name="I have a code from the screen").click()
    child.get_by_label("Code").fill(code.lower())
    child.get_by_role("main").get_by_role("button", name="Log in").click()

    expect(child).to_have_url(re.compile("/me/$"))
    expect(child.get_by_role("banner")).to_contain_text("Mia Kowalczyk")
    assert shown == (0, [])


def test_a_sheet_of_cards_is_printed_once_and_its_password_works(cast, open_page, log_in):
    teacher = log_in(open_page(width=360), "teacher")
    teacher.goto(f"/classes/{cast.classroom.pk}/students/")
    teacher.get_by_role("link", name="Login cards").click()
    teacher.get_by_label("both").check()
    teacher.get_by_role("button", name="Make the cards").click()
    card = teacher.get_by_role("listitem").filter(has_text="Cleo R.")
    username, password = card.locator(".typed").all_inner_texts()
    on_screen = faults(teacher)
    teacher.emulate_media(media="print")
    on_paper = (teacher.get_by_role("button", name="Print").is_visible(), card.is_visible())

    child = open_page("/login/", script=False)
    child.get_by_label("User name").fill(username)
    child.get_by_label("Password").fill(password)
    child.get_by_role("main").get_by_role("button", name="Log in").click()

    expect(child).to_have_url(re.compile("/me/$"))
    expect(card.get_by_role("img", name="Badge of Cleo R.")).to_be_visible()
    assert (on_screen, on_paper) == ((0, []), (False, True))


def test_a_badge_asks_who_it_is_and_one_tap_is_enough(cast, open_page):
    (card,) = make_cards(
        classroom=cast.classroom,
        students=[cast.mia.pk],
        passwords=False,
        badges=True,
        by=cast.teacher,
        once=OneTimeKey(uuid.uuid4(), cast.teacher, "make_cards", "", "/"),
    )
    child = open_page(f"/login/badge/{card.token}/", width=360)

    asked = faults(child)
    child.get_by_role("button", name="Yes, log me in").click()

    expect(child).to_have_url(re.compile("/me/$"))
    assert asked == (0, [])
