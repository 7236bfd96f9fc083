"""A student's own games."""

from __future__ import annotations

import datetime
import re
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from classes.models import School, User
from classes.services import enroll
from ratings import services
from tests.factories import DRAW, WHITE, give_points, make_game, make_student
from tests.pages import words_of

pytestmark = pytest.mark.django_db

EVERYBODY = ("", "Everybody")
NO_MATCH = "No game fits this choice. Show all games"
HUGE = "99999999999999999999"
ONE_DAY = datetime.timedelta(days=1)


def url_of(**query: object) -> str:
    url = reverse("ratings:my_games")
    return f"{url}?{urlencode(query)}" if query else url


@pytest.fixture
def mia(cast, client_of) -> Client:
    return client_of(cast.mia.user)


@pytest.fixture
def three_games(cast) -> list[datetime.date]:
    """Mia beats Ben, draws with Cleo a day later and loses to Ben today; a game of the other two in between."""
    today = cast.school.today()
    days = [today - 2 * ONE_DAY, today - ONE_DAY, today]
    make_game(cast.classroom, cast.mia, cast.ben, WHITE, day=days[0], note="Back rank")
    make_game(cast.classroom, cast.ben, cast.cleo, DRAW, day=days[0])
    make_game(cast.classroom, cast.cleo, cast.mia, DRAW, day=days[1])
    make_game(cast.classroom, cast.ben, cast.mia, WHITE, day=days[2])
    return days


def lines_of(page: HttpResponse) -> list[str]:
    """The games as they stand on the page, without the words of their links."""
    lines = re.findall(r'<li class="game.*?</li>', page.content.decode(), re.DOTALL)
    return [words_of(line).replace(" open this game", "") for line in lines]


def test_own_games_are_listed_newest_first_with_what_they_did(mia, three_games):
    page = mia.get(url_of())

    first, second, third = (f"{day:%-d %b %Y}" for day in three_games)
    assert page.status_code == 200
    assert lines_of(page) == [
        f"White: Ben O. ▲ +17 Black: You ▼ −17 815 −17 = 798 1–0 {third}",
        f"White: Cleo R. ▲ +1 Black: You ▼ −1 816 −1 = 815 ½–½ {second}",
        f"White: You ▲ +16 Black: Ben O. ▼ −16 Back rank 800 +16 = 816 1–0 {first}",
    ]


def test_a_win_over_a_higher_rated_player_is_praised(cast, mia):
    make_game(cast.classroom, cast.ben, cast.cleo, WHITE)
    make_game(cast.classroom, cast.mia, cast.ben, WHITE)

    (line,) = lines_of(mia.get(url_of()))

    assert "You beat someone rated 16 above you." in line


def test_a_teacher_s_award_stands_among_the_games_with_its_reason(cast, mia):
    make_game(cast.classroom, cast.mia, cast.ben, WHITE)
    give_points(cast.classroom, cast.mia, 3)

    award, game = lines_of(mia.get(url_of()))

    today = f"{cast.school.today():%-d %b %Y}"
    assert award == f"Teacher’s award ▲ +3 Solved the puzzle sheet 816 +3 = 819 {today}"
    assert game == f"White: You ▲ +16 Black: Ben O. ▼ −16 800 +16 = 816 1–0 {today}"
    assert lines_of(mia.get(url_of(outcome="won"))) == [game]
    assert lines_of(mia.get(url_of(opponent=cast.ben.pk))) == [game]


def test_an_award_to_somebody_else_is_not_shown(cast, mia):
    give_points(cast.classroom, cast.ben, 3)

    page = mia.get(url_of())

    assert (lines_of(page), "puzzle" in words_of(page)) == ([], False)


def test_a_voided_game_is_gone(cast, mia):
    services.void_game(make_game(cast.classroom, cast.mia, cast.ben), by=cast.teacher, reason="Wrong board")

    page = mia.get(url_of())

    assert lines_of(page) == []
    assert "No games yet. They appear here as soon as your teacher records them." in words_of(page)


def test_games_of_all_classes_are_listed(cast, mia):
    make_game(cast.classroom, cast.mia, cast.ben)
    enroll(cast.mia, cast.other_classroom)
    make_game(cast.other_classroom, cast.other, cast.mia)

    assert [row.opponent for row in mia.get(url_of()).context["rows"]] == ["Noah F.", "Ben O."]


def test_a_game_of_an_opponent_who_left_still_names_them(cast, mia):
    make_game(cast.classroom, cast.mia, cast.ben)
    cast.ben.enrollments.all().delete()

    assert [row.opponent for row in mia.get(url_of()).context["rows"]] == ["Ben O."]


def test_names_are_full_where_the_school_wants_them_so(cast, mia):
    make_game(cast.classroom, cast.mia, cast.ben)
    School.objects.filter(pk=cast.school.pk).update(name_style=School.NameStyle.FULL)

    assert [row.opponent for row in mia.get(url_of()).context["rows"]] == ["Ben Osei"]


# --- the filter ---


def test_the_filter_offers_the_opponents_by_name(cast, mia, three_games):
    page = mia.get(url_of())

    assert page.context["form"].fields["opponent"].choices == [
        EVERYBODY,
        (str(cast.ben.pk), "Ben O."),
        (str(cast.cleo.pk), "Cleo R."),
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"outcome": "won"}, ["Ben O. 1-0"]),
        ({"outcome": "drawn"}, ["Cleo R. 1/2-1/2"]),
        ({"outcome": "lost"}, ["Ben O. 1-0"]),
        ({"opponent": "ben"}, ["Ben O. 1-0", "Ben O. 1-0"]),
        ({"opponent": "ben", "outcome": "lost"}, ["Ben O. 1-0"]),
        ({"opponent": "cleo", "outcome": "lost"}, []),
    ],
)
def test_games_by_opponent_and_result(cast, mia, three_games, query, found):
    if "opponent" in query:
        query = query | {"opponent": getattr(cast, query["opponent"]).pk}

    page = mia.get(url_of(**query))

    assert [f"{row.opponent} {row.entry.game.result}" for row in page.context["rows"]] == found
    assert (NO_MATCH in words_of(page)) == (not found)


@pytest.mark.parametrize(
    "query",
    [
        {"opponent": "abc"}, {"opponent": HUGE}, {"opponent": "9" * 5000}, {"opponent": "\x00"}, {"outcome": "abc"},
        {"page": "abc"}, {"page": "999"}, {"page": HUGE}, {"what": "ever"}, {"opponent": "", "outcome": ""},
    ],
    ids=lambda query: repr(query)[:30],
)  # fmt: skip
def test_junk_in_the_address_shows_all_games(mia, three_games, query):
    page = mia.get(url_of(**query))

    assert (page.status_code, len(lines_of(page))) == (200, 3)


def test_somebody_whom_one_never_played_cannot_be_chosen(cast, mia, three_games):
    page = mia.get(url_of(opponent=cast.other.pk))

    assert page.context["form"].errors.keys() == {"opponent"}
    assert "Noah" not in words_of(page)


# --- pages ---


def test_pages_hold_25_games_and_keep_the_filter(cast, mia):
    for _ in range(26):
        make_game(cast.classroom, cast.mia, cast.ben, DRAW)

    first, second = mia.get(url_of(outcome="drawn")), mia.get(url_of(outcome="drawn", page=2))

    assert [len(lines_of(page)) for page in (first, second)] == [25, 1]
    assert 'rel="next" href="?outcome=drawn&amp;page=2"' in first.content.decode()
    assert second.context["rows"][0].entry.position == 1


@pytest.mark.parametrize("games", [1, 3])
def test_number_of_queries_does_not_grow(cast, mia, games, django_assert_num_queries):
    for number in range(games):
        make_game(cast.classroom, cast.mia, make_student(cast.classroom, f"Pupil {number}"))
    mia.get(url_of())  # the session is written once in a while

    with django_assert_num_queries(14):
        mia.get(url_of())


# --- who may ---


def test_everybody_sees_only_the_own_games(cast, client_of, three_games):
    make_game(cast.other_classroom, cast.other, make_student(cast.other_classroom, "Ida"), WHITE)

    ben, noah = client_of(cast.ben.user).get(url_of()), client_of(cast.other.user).get(url_of())

    assert [row.opponent for row in ben.context["rows"]] == ["Mia K.", "Cleo R.", "Mia K."]
    assert [row.opponent for row in noah.context["rows"]] == ["Ida"]


@pytest.mark.parametrize("user", ["teacher", "lead", "outsider"])
def test_teachers_have_no_own_games(cast, client_of, user):
    assert client_of(getattr(cast, user)).get(url_of()).status_code == 404


def test_an_account_without_a_student_has_no_games(db, client_of):
    nobody = User.objects.create_user("nobody", password="", role=User.Role.STUDENT)  # of a student who was erased

    assert client_of(nobody).get(url_of()).status_code == 404


def test_visitors_go_to_the_login(db, client):
    assert client.get(url_of()).url == f"/login/?next={url_of()}"


def test_games_are_only_read(mia):
    assert mia.post(url_of()).status_code == 405
