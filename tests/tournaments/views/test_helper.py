"""A helper without an account: the link, the session until midnight, and what can be done with it."""

from __future__ import annotations

import datetime
import re

import pytest
from django.test import Client
from django.utils import timezone

from classes.access import hash_of
from classes.models import AuditEvent, School
from classes.services_colleagues import hand_over, remove_teacher
from ratings.models import Game
from tests.factories import make_student
from tests.pages import messages_of, rows_of, words_of
from tests.tournaments.makers import R, boards, enter, make_tournament, pair
from tournaments.models import HelperLink, Pairing, Tournament
from tournaments.services.events import cancel_tournament
from tournaments.services.helper_links import midnight

pytestmark = pytest.mark.django_db
NOT_WORKING = "This link does not work"


@pytest.fixture
def cup(cast) -> Tournament:
    tournament = make_tournament(cast.classroom)
    pair(tournament)
    return tournament


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


def link_of(teacher: Client, tournament: Tournament) -> str:
    """The path of a new link, as the page shows it."""
    page = teacher.post(f"/tournaments/{tournament.pk}/helper/")
    return re.search(r"http://testserver(/helper/[^<\"]+)", page.content.decode()).group(1)


@pytest.fixture
def helper(teacher, cup) -> Client:
    """A browser in which the link was opened."""
    client = Client()
    client.post(link_of(teacher, cup))
    return client


def result(helper: Client, board: Pairing, result: str = R.WHITE):
    return helper.post(f"/helper/boards/{board.pk}/result/", {"result": result}, follow=True)


def test_the_link_is_shown_once_and_only_its_hash_is_kept(teacher, cup):
    link = link_of(teacher, cup)

    code = link.split("/")[2]
    assert HelperLink.objects.get().token_hash == hash_of(code)
    page = teacher.get(f"/tournaments/{cup.pk}/helper/")
    assert code not in page.content.decode()
    assert "works until midnight. 0 results were entered with it." in words_of(page)


def test_looking_at_a_link_opens_nothing_and_a_press_does(teacher, cup):
    link, client = link_of(teacher, cup), Client()

    looked = client.get(link)
    assert "Enter results of Friday Swiss" in words_of(looked)
    assert client.get("/helper/round/").status_code == 404
    assert client.post(link).url == "/helper/round/"
    assert client.get("/helper/round/").status_code == 200
    events = AuditEvent.objects.order_by("pk").values_list("action", "about", "by")
    assert list(events) == [
        ("helper.link_made", f"tournament:{cup.pk}", HelperLink.objects.get().made_by_id),
        ("helper.link_opened", f"tournament:{cup.pk}", None),
    ]


def test_a_code_may_be_typed_in_small_letters_and_with_dashes(teacher, cup):
    code = link_of(teacher, cup).split("/")[2].lower()

    assert Client().post(f"/helper/{code[:5]}-{code[5:]}/").url == "/helper/round/"


def test_whoever_was_logged_in_on_the_device_is_logged_out(cast, client_of, teacher, cup):
    student, link = client_of(cast.mia.user), link_of(teacher, cup)

    assert "Mia Kowalczyk is logged in on this device and will be logged out." in words_of(student.get(link))
    student.get("/me/")
    student.post(link)

    assert student.get("/me/").url == "/login/?next=/me/"
    assert student.get("/helper/round/").status_code == 200


def test_logging_in_afterwards_ends_the_helping(cast, helper):
    helper.force_login(cast.mia.user, backend="django.contrib.auth.backends.ModelBackend")

    assert helper.get("/helper/round/").status_code == 404


def test_a_helper_sees_the_latest_round_by_short_names_even_where_the_school_wants_full_ones(cast, teacher):
    School.objects.update(name_style="full")
    cast.cleo.off_boards = True
    cast.cleo.save()
    dan = make_student(cast.classroom, "Dan", "Okoro")
    cup = make_tournament(cast.classroom, [cast.mia, cast.ben, cast.cleo, dan])
    pair(cup)
    client = Client()
    client.post(link_of(teacher, cup))

    rows = rows_of(client.get("/helper/round/"))

    assert rows == [["1", "Mia K.", "1–0 ½–½ 0–1", "Player 3"], ["2", "Dan O.", "1–0 ½–½ 0–1", "Ben O."]]


def test_a_result_is_recorded_in_the_name_of_the_teacher_and_marked(cast, teacher, helper, cup):
    board = boards(cup)[0]

    page = result(helper, board)

    assert page.redirect_chain == [(f"/helper/round/#board-{board.pk}", 302)]
    assert rows_of(page)[0][2] == "1–0"
    board.refresh_from_db()
    assert (board.result, board.entered_by, board.entered_with) == (R.WHITE, cast.teacher, HelperLink.objects.get())
    assert Game.objects.get().recorded_by == cast.teacher
    shown = words_of(teacher.get(f"/tournaments/{cup.pk}/boards/{board.pk}/"))
    assert "entered by a helper in the name of Ms. Okafor" in shown
    assert "a helper of Ms. Okafor: – → 1–0" in shown
    assert "1 result was entered with it." in words_of(teacher.get(f"/tournaments/{cup.pk}/helper/"))


def test_what_the_teacher_changes_is_the_teachers(cast, teacher, helper, cup):
    board = boards(cup)[0]
    result(helper, board)

    teacher.post(f"/tournaments/{cup.pk}/boards/{board.pk}/result/", {"result": R.DRAW, "was": R.WHITE})

    board.refresh_from_db()
    assert (board.result, board.entered_with) == (R.DRAW, None)
    shown = words_of(teacher.get(f"/tournaments/{cup.pk}/boards/{board.pk}/"))
    assert "Ms. Okafor: 1–0 → ½–½" in shown
    assert "a helper of Ms. Okafor: – → 1–0" in shown


def test_a_helper_changes_nothing_that_stands(helper, cup):
    board = enter(boards(cup)[0], R.BLACK)

    page = result(helper, board)

    assert messages_of(page) == ["Board 1 has a result already: 0–1. To change it, ask the teacher."]
    assert boards(cup)[0].result == R.BLACK


@pytest.mark.parametrize("sent", ["", "+-", "--", "ZZ", "nonsense"])
def test_a_helper_enters_how_games_ended_and_nothing_else(helper, cup, sent):
    page = result(helper, boards(cup)[0], sent)

    assert messages_of(page) == ["Choose a result from the list."]
    assert boards(cup)[0].is_open


def test_a_helper_reaches_no_other_round_no_other_tournament_and_no_other_page(cast, helper, cup):
    other = make_tournament(cast.classroom)
    pair(other)
    first = boards(cup, 1)
    for board in first:
        enter(board, R.WHITE)
    pair(cup)

    assert result(helper, boards(other)[0]).status_code == 404
    assert result(helper, first[0]).status_code == 404
    assert helper.get(f"/tournaments/{cup.pk}/").url.startswith("/login/")
    assert helper.get("/classes/").url.startswith("/login/")


def end(cast, cup: Tournament, way: str) -> None:
    if way == "midnight":
        HelperLink.objects.update(expires_at=timezone.now())
    elif way == "over":
        cancel_tournament(cup, keep_ratings=True, by=cast.teacher)
    elif way == "removed":
        remove_teacher(cast.teacher.membership, by=cast.lead)
    elif way == "class given away":
        hand_over(cast.classroom, to=cast.colleague.membership, by=cast.teacher)


@pytest.mark.parametrize("way", ["ended", "a new one", "midnight", "over", "removed", "class given away"])
def test_the_link_and_every_open_device_end_with(cast, teacher, cup, way):
    link, helper = link_of(teacher, cup), Client()
    helper.post(link)
    board = boards(cup)[0]
    if way == "ended":
        teacher.post(f"/tournaments/{cup.pk}/helper/end/")
    elif way == "a new one":
        link_of(teacher, cup)
    end(cast, cup, way)

    assert helper.get("/helper/round/").status_code == 404
    assert result(helper, board).status_code == 404
    assert boards(cup)[0].is_open
    for answer in (Client().get(link), Client().post(link), Client().get("/helper/NEVERGIVEN/")):
        assert (answer.status_code, NOT_WORKING in words_of(answer)) == (200, True)


def test_a_tournament_that_is_over_gets_no_link(cast, teacher, cup):
    cancel_tournament(cup, keep_ratings=True, by=cast.teacher)

    page = teacher.post(f"/tournaments/{cup.pk}/helper/", follow=True)

    assert messages_of(page) == ["This tournament was cancelled."]
    assert not HelperLink.objects.exists()


def test_done_is_done_on_this_device_alone(teacher, cup):
    link = link_of(teacher, cup)
    first, second = Client(), Client()
    for client in (first, second):
        client.post(link)

    assert "Thank you for helping!" in messages_of(first.post("/helper/leave/", follow=True))[0]

    assert first.get("/helper/round/").status_code == 404
    assert second.get("/helper/round/").status_code == 200


def test_before_the_first_round_there_is_nothing_to_enter(cast, teacher):
    client = Client()
    client.post(link_of(teacher, make_tournament(cast.classroom)))

    assert "No round is paired yet." in words_of(client.get("/helper/round/"))


@pytest.mark.parametrize(
    ("zone", "hours"), [("UTC", 0), ("Pacific/Auckland", 13), ("America/New_York", -5), ("Asia/Kolkata", 5.5)]
)
def test_midnight_is_that_of_the_school(monkeypatch, zone, hours):
    now = datetime.datetime(2026, 11, 30, 15, 30, tzinfo=datetime.UTC)
    monkeypatch.setattr(timezone, "now", lambda: now)

    end = midnight(School(time_zone=zone))

    local = now + datetime.timedelta(hours=hours)
    assert end.astimezone(datetime.UTC) == datetime.datetime(
        local.year, local.month, local.day, tzinfo=datetime.UTC
    ) + datetime.timedelta(days=1, hours=-hours)


@pytest.mark.parametrize("players", [2, 6])
def test_the_round_takes_as_many_queries_for_one_board_as_for_three(cast, teacher, django_assert_num_queries, players):
    cup, client = make_tournament(cast.classroom, players), Client()
    pair(cup)
    client.post(link_of(teacher, cup))

    with django_assert_num_queries(7):
        page = client.get("/helper/round/")

    assert len(rows_of(page)) == players // 2
