"""The walks of a teacher and a student, as they click them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from ratings.models import Game, Rating
from tests.factories import PASSWORD, WHITE, make_game, make_student

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_from_nothing_to_the_first_game(open_page):
    page = open_page("/")
    page.get_by_role("link", name="Create your school").click()
    page.get_by_label("Your name").fill("Ms. Okafor")
    page.get_by_label("School or club").fill("Hill School")
    page.get_by_label("E-mail or user name").fill("Okafor")
    page.get_by_label("Password").fill("three-quiet-rooks")
    page.get_by_role("button", name="Create my school").click()

    page.get_by_label("Name").fill("Room 12 Chess")
    page.get_by_role("button", name="Create class").click()
    page.get_by_label("Names").fill("Mia Kowalczyk\nOsei, Ben\n3. Cleo Raman")
    page.get_by_role("button", name="Show what was understood").click()
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("3 students added.")).to_be_visible()

    page.get_by_role("link", name="Leaderboard").click()
    page.get_by_role("link", name="Quick entry").click()
    page.locator("fieldset").nth(0).get_by_text("Mia K.").click()
    page.locator("fieldset").nth(1).get_by_text("Ben O.").click()
    expect(page.get_by_text("Mia +16 · Ben −16")).to_be_visible()
    page.get_by_role("button", name="1–0").click()

    expect(page.get_by_role("status")).to_contain_text("Saved: Mia Kowalczyk 1–0 Ben Osei")
    page.get_by_role("link", name="Room 12 Chess").click()
    expect(page.locator("table.board tbody tr").first).to_contain_text("Mia Kowalczyk")
    expect(page.locator("table.board tbody tr").first).to_contain_text("816")


def test_lists_show_what_each_result_does_and_keep_the_page_for_the_next(cast, open_page, log_in):
    page = log_in(open_page(), "teacher")
    page.goto(f"/classes/{cast.classroom.pk}/games/record/")

    page.locator("select[name=white]").select_option(label="Mia Kowalczyk (800)")
    page.locator("select[name=black]").select_option(label="Ben Osei (800)")
    preview = page.locator("#preview")
    expect(preview.get_by_role("row", name="White wins")).to_contain_text("816")
    page.get_by_text("0–1").click()
    expect(preview.get_by_role("row", name="Black wins")).to_contain_text("chosen")
    page.get_by_role("button", name="Record game and enter the next").click()

    expect(page.get_by_role("status")).to_contain_text("Mia Kowalczyk 0–1 Ben Osei")
    expect(page).to_have_url(re.compile(r"/games/record/\?day="))
    assert page.evaluate("document.activeElement.name") == "white"
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Taken back")).to_be_visible()
    assert list(Rating.objects.values_list("rating")) == []


def test_search_finds_names_without_accents(cast, open_page, log_in):
    for number in range(10):
        make_student(cast.classroom, f"Player {number}")
    make_student(cast.classroom, "Jörg", "Blübaum")
    page = log_in(open_page(), "teacher")
    page.goto(f"/classes/{cast.classroom.pk}/games/record/")

    for typed in ("bluebaum", "blubaum", "Blüb"):
        page.get_by_label("Search by name").first.fill(typed)
        assert page.locator("select[name=white] option:checked").inner_text() == "Jörg Blübaum (800)"


def test_a_game_is_recorded_without_script(cast, open_page, log_in):
    page = log_in(open_page(script=False), "teacher")
    page.goto(f"/classes/{cast.classroom.pk}/games/record/")

    page.locator("select[name=white]").select_option(label="Mia Kowalczyk (800)")
    page.locator("select[name=black]").select_option(label="Cleo Raman (800)")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("#preview")).to_contain_text("816")
    assert not Game.objects.exists()
    page.get_by_label("Draw").check(force=True)
    page.get_by_role("button", name="Record and close").click()

    expect(page.get_by_role("status")).to_contain_text("Mia Kowalczyk ½–½ Cleo Raman")
    expect(page).to_have_url(re.compile(rf"/classes/{cast.classroom.pk}/\?saved="))


def test_quick_entry_works_without_script_and_marks_pairs_of_the_day_with_it(cast, open_page, log_in):
    plain = log_in(open_page(script=False), "teacher")
    plain.goto(f"/classes/{cast.classroom.pk}/games/quick/")
    plain.locator("input[name=white]").first.check(force=True)
    plain.locator("input[name=black]").last.check(force=True)
    plain.get_by_role("button", name="½–½").click()
    expect(plain.get_by_role("status")).to_contain_text("Saved")

    page = log_in(open_page(width=820), "teacher")
    page.goto(f"/classes/{cast.classroom.pk}/games/quick/")
    game = Game.objects.get()
    page.locator(f"label[for=white-{game.white_id}]").click()
    expect(page.locator(f"label[for=black-{game.black_id}]")).to_contain_text("met today")


def test_the_keyboard_is_enough_for_a_game(cast, open_page, log_in):
    page = log_in(open_page(), "teacher")
    page.goto(f"/classes/{cast.classroom.pk}/games/quick/")

    page.locator("input[name=white]").first.focus()
    page.keyboard.press("Space")
    page.wait_for_load_state("networkidle")
    page.locator("input[name=black]").first.focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_load_state("networkidle")
    expect(page.locator(".result-choice small").first).to_be_visible()
    page.get_by_role("button", name="1–0").focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("status")).to_contain_text("Saved")


def test_a_double_click_records_once(cast, open_page, log_in):
    page = log_in(open_page(), "teacher")
    page.goto(f"/classes/{cast.classroom.pk}/games/record/")
    page.locator("select[name=white]").select_option(label="Mia Kowalczyk (800)")
    page.locator("select[name=black]").select_option(label="Ben Osei (800)")
    page.get_by_text("1–0").click()

    page.get_by_role("button", name="Record game and enter the next").dblclick()

    expect(page.get_by_role("status")).to_contain_text("Saved")
    assert Game.objects.count() == 1


def test_a_wrong_result_is_corrected_with_its_consequences_shown_first(cast, open_page, log_in):
    make_game(cast.classroom, cast.mia, cast.ben, WHITE)
    make_game(cast.classroom, cast.ben, cast.cleo, WHITE)
    make_game(cast.classroom, cast.mia, cast.cleo, WHITE)
    page = log_in(open_page(), "teacher")
    page.goto(f"/games/{Game.objects.earliest('sequence').pk}/")

    page.get_by_role("link", name="Correct").click()
    page.get_by_text("0–1").click()
    page.get_by_role("button", name="Show what changes").click()
    expect(page.get_by_text("2 later games are recalculated.")).to_be_visible()
    expect(page.get_by_role("row", name="Mia Kowalczyk")).to_contain_text("830")
    assert Game.objects.earliest("sequence").result == WHITE
    page.get_by_role("button", name="Correct the game").click()

    expect(page.get_by_text("The game is corrected")).to_be_visible()
    ratings = dict(Rating.objects.values_list("student__first_name", "rating"))
    assert ratings == {"Mia": 800, "Ben": 831, "Cleo": 769}


def test_a_student_sees_the_own_chess_and_nothing_after_logging_out(cast, open_page, log_in):
    make_game(cast.classroom, cast.mia, cast.ben, WHITE, note="Nice knight fork")
    page = log_in(open_page(width=360), "mia")

    expect(page.get_by_role("heading", name="Hello, Mia")).to_be_visible()
    expect(page.locator(".big")).to_have_text("816")
    expect(page.get_by_text("Nice knight fork")).to_be_visible()
    expect(page.locator("tr.you")).to_contain_text("Mia K.")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", name="Hello, Mia")).to_have_count(0)
    page.go_back()

    expect(page.get_by_text("Nice knight fork")).to_have_count(0)
    expect(page.get_by_role("button", name="Log in")).to_be_visible()


def test_a_student_logs_in_with_the_password_that_the_teacher_had_suggested(cast, open_page, log_in):
    teacher = log_in(open_page(), "teacher")
    teacher.goto(f"/classes/{cast.classroom.pk}/students/add/")
    teacher.get_by_label("First name").fill("Łucja")
    teacher.get_by_role("button", name="Suggest a password").click()
    password = teacher.get_by_label("Password").input_value()
    teacher.get_by_role("button", name="Add student").click()
    expect(teacher.get_by_text("Łucja can log in as lucja.")).to_be_visible()

    page = open_page("/login/")
    page.get_by_label("User name").fill("Lucja ")
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button", name="Log in").click()

    expect(page.get_by_role("heading", name="Hello, Łucja")).to_be_visible()
    assert password != PASSWORD
