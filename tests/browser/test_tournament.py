"""A tournament as a teacher runs it, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from ratings.models import Game
from ratings.selectors.audit import violations
from tests.factories import make_student
from tests.tournaments.makers import NAMES, R, boards, enter, make_tournament, pair, said
from tournaments.models import Pairing, Round, Tournament
from tournaments.selectors.audit import violations as faults
from tournaments.selectors.rounds import points_text
from tournaments.selectors.states import load

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def row_of(page: Page, board: int) -> Locator:
    return page.locator("table.boards tbody tr").nth(board - 1)


def enter_all(page: Page, signs: list[str]) -> None:
    """Tap a result on every board of the round that is open; all of them are in at the end."""
    for board, sign in enumerate(signs, start=1):
        row_of(page, board).get_by_role("button", name=sign, exact=True).click()
        expect(row_of(page, board).get_by_role("button", name=sign, exact=True)).to_have_attribute(
            "aria-pressed", "true"
        )
    expect(page.locator("#progress")).to_contain_text(f"{len(signs)} of {len(signs)} results in")


def open_round(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Pair round {number}").click()
    expect(page).to_have_url(re.compile(rf"/rounds/{number}/$"))


def tab(page: Page, name: str) -> None:
    page.get_by_role("navigation", name="Tournament").get_by_role("link", name=name, exact=True).click()


def open_player(page: Page, name: str) -> None:
    tab(page, "Players")
    page.get_by_role("link", name=name, exact=True).click()


def test_a_tournament_of_eleven_from_set_up_to_the_last_standings(cast, open_page, log_in):
    for student in (cast.mia, cast.ben, cast.cleo):
        student.enrollments.update(active=False)
    for number, name in enumerate(NAMES[:12]):
        make_student(cast.classroom, name, start=1000 - 10 * number)
    page = log_in(open_page(), "teacher")

    page.goto(f"/classes/{cast.classroom.pk}/tournaments/new/")
    page.get_by_label("Name").fill("Friday Swiss")
    page.get_by_label("Rounds").fill("5")
    page.get_by_label("Leo (890)").uncheck()
    page.get_by_role("button", name="Create the tournament").click()
    page.goto(page.url.split("/tournaments/")[0] + f"/tournaments/{Tournament.objects.get().pk}/")
    open_round(page, 1)
    expect(page.get_by_text("bye · 1 point")).to_be_visible()
    expect(page.get_by_role("button", name="Pair round 2")).to_be_disabled()
    enter_all(page, ["1–0", "0–1", "½–½", "1–0", "0–1"])

    # Leo comes late and is paired from the next round on.
    tab(page, "Players")
    page.get_by_role("link", name="Enter students").click()
    page.get_by_label("Leo (890)").check()
    page.get_by_role("button", name="Enter students").click()
    tab(page, "Round 1")
    open_round(page, 2)
    expect(page.locator("table.boards tbody tr")).to_have_count(6)
    enter_all(page, ["0–1", "1–0", "1–0", "½–½", "1–0", "0–1"])

    # Bo misses round 3.
    open_player(page, "Bo")
    page.locator("select[name=number]").select_option("3")
    page.locator("select[name=kind]").select_option("H")
    page.get_by_role("button", name="Note the absence").click()
    tab(page, "Round 2")
    open_round(page, 3)
    expect(page.get_by_role("row", name=re.compile("^– Bo"))).to_contain_text("half-point bye")
    enter_all(page, ["1–0", "½–½", "1–0", "0–1", "1–0"])

    # Kim goes home.
    open_player(page, "Kim")
    page.get_by_role("link", name="Withdraw").click()
    page.get_by_role("button", name="Withdraw").click()
    tab(page, "Round 3")
    open_round(page, 4)
    expect(page.get_by_role("row", name=re.compile("^– Kim"))).to_contain_text("absent")
    enter_all(page, ["1–0", "0–1", "½–½", "1–0", "1–0"])

    # The first result of round 2 was entered the wrong way round.
    tournament = Tournament.objects.get()
    later = [said(tournament, number) for number in (3, 4)]
    tab(page, "Round 2")
    expect(page.get_by_text("Later rounds stay as they are paired, also when")).to_be_visible()
    row_of(page, 1).get_by_role("button", name="1–0", exact=True).click()
    expect(page.get_by_role("heading", name="1–0 instead of 0–1?")).to_be_visible()
    expect(page.get_by_role("table", name="Ratings that change")).to_be_visible()
    page.get_by_role("button", name="Change it to 1–0").click()
    expect(page.get_by_role("status").first).to_contain_text("Board 1: 1–0 instead of 0–1.")
    assert [said(tournament, number) for number in (3, 4)] == later

    tab(page, "Round 4")
    open_round(page, 5)
    enter_all(page, ["1–0", "1–0", "0–1", "½–½", "1–0"])
    page.get_by_role("button", name="Finish the tournament").click()

    expect(page.get_by_text("finished", exact=True)).to_be_visible()
    loaded = load(Tournament.objects.get())
    scores = sorted(loaded.state_after(5).scores().values(), reverse=True)
    expect(page.locator("table.standings tbody tr")).to_have_count(12)
    shown = [row.split("\t") for row in page.locator("table.standings tbody tr").all_inner_texts()]
    assert [points_text(score) in cells for cells, score in zip(shown, scores, strict=True)] == [True] * 12
    assert [made.paired_by for made in Round.objects.all()] == ["fide"] * 5
    assert Game.objects.filter(voided_at=None).count() == 26
    assert (violations(tournament.rating_list), faults(tournament)) == ([], [])


def test_two_tablets_at_one_round(cast, open_page, log_in):
    tournament = make_tournament(cast.classroom)
    pair(tournament)
    path = f"/tournaments/{tournament.pk}/rounds/1/"
    page = log_in(open_page(), "teacher")
    page.goto(path)
    enter(boards(tournament)[0], R.BLACK)
    row_of(page, 2).get_by_label("More results").click()

    page.evaluate(
        "htmx.ajax('GET', document.querySelector('#live').getAttribute('hx-get'), {target: '#live', swap: 'outerHTML'})"
    )

    expect(row_of(page, 1).get_by_role("button", name="0–1", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#progress")).to_contain_text("1 of 2 results in")
    expect(row_of(page, 2).get_by_role("button", name="Both lose by forfeit: nobody came")).to_be_visible()
    enter(boards(tournament)[1], R.DRAW)
    row_of(page, 2).get_by_role("button", name="1–0", exact=True).click()
    expect(row_of(page, 2)).to_contain_text(
        "Lead entered ½–½ for this board meanwhile. Your 1–0 is not saved. What is right?"
    )
    row_of(page, 2).get_by_role("button", name="1–0", exact=True).click()
    expect(row_of(page, 2).get_by_role("button", name="1–0", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#round-said")).to_contain_text("Board 2: 1–0 instead of ½–½.")
    assert said(tournament) == ["Ada 01 Cleo", "Dan 10 Bo"]
    assert page.evaluate("document.activeElement.id").startswith("white-")


def test_a_result_that_could_not_be_sent_is_told_and_can_be_sent_again(cast, open_page, log_in):
    tournament = make_tournament(cast.classroom, players=2)
    pair(tournament)
    page = log_in(open_page(), "teacher")
    page.goto(f"/tournaments/{tournament.pk}/rounds/1/")

    page.context.set_offline(True)
    row_of(page, 1).get_by_role("button", name="1–0", exact=True).click()
    expect(page.get_by_text("That was not saved.")).to_be_visible()
    page.context.set_offline(False)
    row_of(page, 1).get_by_role("button", name="1–0", exact=True).click()

    expect(page.locator("#progress")).to_contain_text("1 of 1 result in")
    expect(page.get_by_text("That was not saved.")).to_be_hidden()


def test_without_script_a_result_comes_back_to_its_board(cast, open_page, log_in):
    tournament = make_tournament(cast.classroom)
    pair(tournament)
    page = log_in(open_page(script=False), "teacher")
    page.goto(f"/tournaments/{tournament.pk}/rounds/1/")

    row_of(page, 2).get_by_label("More results").click()
    row_of(page, 2).get_by_role("button", name="Both lose by forfeit: nobody came").click()

    expect(page).to_have_url(re.compile(rf"#board-{Pairing.objects.get(board=2).pk}$"))
    expect(row_of(page, 2)).to_contain_text("both forfeit")
