"""Piece practice without script, by keyboard, and on paper; questions that open without script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from ratings.core.practice import NAMES, Exercise, Piece

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHOWN = "/learn/pieces/?piece=rook&level=3&seed=7"  # Re3, with Pf3 Ng3 and the enemies qe4 pe7 ne1


def test_a_step_of_a_set_without_script(cast, open_page, log_in):
    page = log_in(open_page(script=False, width=360), "mia")
    page.goto("/learn/pieces/?piece=knight&level=1&seed=113")  # Nb1
    for square in ("d2", "a3", "c3"):
        page.get_by_role("checkbox", name=square, exact=True).check(force=True)
    page.get_by_role("button", name="Check").click()

    expect(page.get_by_text("✓ Right!")).to_be_visible()
    expect(page.get_by_text("1 of 10 right in a row.")).to_be_visible()
    page.get_by_role("link", name="Next exercise").click()
    expect(page.get_by_role("checkbox")).to_have_count(64)
    assert "seed=113" not in page.url


def test_a_square_is_ticked_by_a_click_and_the_answer_says_what_was_wrong(open_page):
    page = open_page(SHOWN, width=360)
    board = page.locator(".chessboard").bounding_box()
    assert board["width"] >= 8 * 44

    page.locator("label", has_text="f3").click()
    page.locator("label", has_text="e7").click()
    page.locator("label", has_text="e7").click()  # off again
    page.get_by_role("button", name="Check").click()

    expect(page.get_by_text("✗ Wrong f3: A piece of your own stands there")).to_be_visible()
    expect(page.get_by_text("○ Missed e1, e4: An enemy piece stands there: it can be taken.")).to_be_visible()
    expect(page.locator(".square.wrong")).to_have_count(1)
    expect(page.locator(".square.missed")).to_have_count(7)


def test_the_keyboard_is_enough(open_page):
    page = open_page(SHOWN)
    focused = "document.activeElement.value"

    page.get_by_role("link", name="own and enemy pieces").focus()
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "e3"  # the board is one stop, at the piece
    for keys in ("ArrowLeft", "ArrowLeft ArrowLeft ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowDown ArrowDown"):
        for key in keys.split():
            page.keyboard.press(key)
        page.keyboard.press("Space")
    assert page.evaluate(focused) == "a1"  # at the edge the arrows go no further
    ticked = [one.input_value() for one in page.get_by_role("checkbox", checked=True).all()]
    assert ticked == ["d3", "a2", "a1"]  # a3 was ticked, and at the edge ticked off
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Check"
    page.keyboard.press("Enter")

    expect(page.get_by_text("✗ Not quite.")).to_be_visible()
    expect(page.locator(".square.right")).to_have_count(1)


def test_an_exercise_can_be_printed_as_a_sheet(open_page):
    page = open_page(SHOWN)

    page.emulate_media(media="print")

    expect(page.get_by_text("click every square it may move to")).to_be_visible()
    expect(page.locator(".chessboard")).to_be_visible()
    expect(page.locator(".topbar")).to_be_hidden()
    expect(page.get_by_role("button", name="Check")).to_be_hidden()
    expect(page.get_by_text("Ten in a row", exact=True)).to_be_hidden()


def test_questions_open_without_script(open_page):
    page = open_page("/learn/elo/", script=False)
    answer = page.get_by_text("The lower rated player, who scored more than expected.")
    expect(answer).to_be_hidden()

    page.get_by_text("In a draw, who gains?").click()

    expect(answer).to_be_visible()


def test_a_teacher_gives_points_for_a_set_with_one_tap(cast, open_page, log_in):
    student = log_in(open_page(), "mia")
    for _ in range(10):
        student.goto("/learn/pieces/?piece=king&level=1")
        seed = int(re.search(r"seed=(\d+)", student.url).group(1))
        for square in Exercise(Piece.KING, 1, seed).position().moves():
            student.locator(f'input[value="{NAMES[square]}"]').check(force=True)
        student.get_by_role("button", name="Check").click()
    expect(student.get_by_text("Ten in a row! The set is finished and kept: King, level 1.")).to_be_visible()

    page = log_in(open_page(width=820), "teacher")
    page.goto(f"/students/{cast.mia.pk}/")
    page.get_by_role("button", name="+3").dblclick()

    expect(page.get_by_text("Mia Kowalczyk has +3 for this set.")).to_be_visible()
    expect(page.locator(".big")).to_have_text("803")
