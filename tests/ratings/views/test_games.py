"""The list of a class's games."""

from __future__ import annotations

import datetime
import re
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from classes.models import Classroom, Enrollment
from classes.services import archive_classroom, set_active
from ratings import services
from tests.factories import BLACK, DRAW, WHITE, make_game, make_student
from tests.pages import words_of

pytestmark = pytest.mark.django_db

EVERYBODY = ("", "Everybody")
NO_MATCH = "No game fits this choice. Show all games"
HUGE = "99999999999999999999"
ONE_DAY = datetime.timedelta(days=1)


def url_of(classroom: Classroom, **query: object) -> str:
    url = reverse("ratings:games", args=[classroom.pk])
    return f"{url}?{urlencode(query)}" if query else url


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


def lines_of(page: HttpResponse) -> list[str]:
    """The games as they stand on the page, without the words of their links."""
    lines = re.findall(r'<li class="game.*?</li>', page.content.decode(), re.DOTALL)
    return [words_of(line).replace(" open this game", "") for line in lines]


@pytest.fixture
def three_days(cast) -> list[datetime.date]:
    """Mia beats Ben two days ago, Ben draws Cleo yesterday, Cleo loses to Mia today."""
    today = cast.school.today()
    days = [today - 2 * ONE_DAY, today - ONE_DAY, today]
    make_game(cast.classroom, cast.mia, cast.ben, WHITE, day=days[0], note="Back rank")
    make_game(cast.classroom, cast.ben, cast.cleo, DRAW, day=days[1])
    make_game(cast.classroom, cast.cleo, cast.mia, BLACK, day=days[2])
    return days


def test_games_are_listed_newest_first_with_what_they_did(cast, teacher, three_days):
    page = teacher.get(url_of(cast.classroom))

    first, second, third = (f"{day:%-d %b %Y}" for day in three_days)
    assert page.status_code == 200
    assert lines_of(page) == [
        f"White: Cleo Raman ▼ −15 Black: Mia Kowalczyk ▲ +15 0–1 {third}",
        f"White: Ben Osei ▲ +1 Black: Cleo Raman ▼ −1 ½–½ {second}",
        f"White: Mia Kowalczyk ▲ +16 Black: Ben Osei ▼ −16 Back rank 1–0 {first}",
    ]


def test_games_of_one_day_are_listed_with_the_last_recorded_first(cast, teacher):
    results = [WHITE, DRAW, BLACK]
    for result in results:
        make_game(cast.classroom, cast.mia, cast.ben, result)

    assert [row.game.result for row in teacher.get(url_of(cast.classroom)).context["rows"]] == results[::-1]


def test_a_voided_game_is_listed_as_void_with_the_reason_and_no_change(cast, teacher):
    game = make_game(cast.classroom, cast.mia, cast.ben, WHITE)
    services.void_game(game, by=cast.teacher, reason="Wrong board")

    (line,) = lines_of(teacher.get(url_of(cast.classroom)))

    assert line == f"White: Mia Kowalczyk Black: Ben Osei void Wrong board 1–0 {game.day:%-d %b %Y}"


def test_games_of_other_classes_are_not_listed(cast, teacher):
    make_game(cast.other_classroom, cast.other, make_student(cast.other_classroom, "Ida"))

    page = teacher.get(url_of(cast.classroom))

    assert lines_of(page) == []
    assert "No games yet. Record the first one." in words_of(page)


def test_games_of_inactive_students_stay_and_can_be_chosen(cast, teacher, three_days):
    set_active(Enrollment.objects.get(student=cast.ben), active=False)

    page = teacher.get(url_of(cast.classroom, student=cast.ben.pk))

    assert len(lines_of(page)) == 2


def test_students_of_one_name_are_told_apart(cast, teacher):
    twin = make_student(cast.classroom, "Mia", "Kowalczyk", grade="6")
    make_game(cast.classroom, cast.mia, twin)

    page = teacher.get(url_of(cast.classroom))

    (row,) = page.context["rows"]
    assert row.white != row.black
    assert [label for _, label in page.context["form"].fields["student"].choices].count("Mia Kowalczyk") == 0


# --- the filter ---


def test_the_filter_offers_everybody_by_name(cast, teacher):
    page = teacher.get(url_of(cast.classroom))

    assert page.context["form"].fields["student"].choices == [
        EVERYBODY,
        (str(cast.ben.pk), "Ben Osei"),
        (str(cast.cleo.pk), "Cleo Raman"),
        (str(cast.mia.pk), "Mia Kowalczyk"),
    ]


def test_games_of_one_student(cast, teacher, three_days):
    page = teacher.get(url_of(cast.classroom, student=cast.ben.pk))

    assert [(row.white, row.black) for row in page.context["rows"]] == [
        ("Ben Osei", "Cleo Raman"),
        ("Mia Kowalczyk", "Ben Osei"),
    ]


def test_games_of_one_day(cast, teacher, three_days):
    page = teacher.get(url_of(cast.classroom, day=three_days[1].isoformat()))

    assert [row.game.day for row in page.context["rows"]] == [three_days[1]]
    assert f'value="{three_days[1].isoformat()}"' in page.content.decode()


def test_games_of_one_student_on_one_day(cast, teacher, three_days):
    found = teacher.get(url_of(cast.classroom, student=cast.mia.pk, day=three_days[2].isoformat()))
    nothing = teacher.get(url_of(cast.classroom, student=cast.mia.pk, day=three_days[1].isoformat()))

    assert [(row.white, row.black) for row in found.context["rows"]] == [("Cleo Raman", "Mia Kowalczyk")]
    assert lines_of(nothing) == []
    assert NO_MATCH in words_of(nothing)


@pytest.mark.parametrize(
    "query",
    [
        {"student": "abc"}, {"student": HUGE}, {"student": "9" * 5000}, {"student": "-1"}, {"student": "\x00"},
        {"day": "xyz"}, {"day": "2026-02-30"}, {"day": HUGE}, {"day": "\x00"},
        {"page": "999"}, {"page": "abc"}, {"page": "-1"}, {"page": HUGE}, {"page": "9" * 5000},
        {"what": "ever"}, {"student": "", "day": ""},
    ],
    ids=lambda query: repr(query)[:30],
)  # fmt: skip
def test_junk_in_the_address_shows_all_games(cast, teacher, three_days, query):
    page = teacher.get(url_of(cast.classroom, **query))

    assert (page.status_code, len(lines_of(page))) == (200, 3)


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_day_without_games_has_none(cast, teacher, three_days, day):
    page = teacher.get(url_of(cast.classroom, day=day))

    assert (page.status_code, lines_of(page)) == (200, [])


@pytest.mark.parametrize("who", ["other", "stranger"])
def test_a_student_of_another_class_cannot_be_chosen(cast, teacher, three_days, who):
    page = teacher.get(url_of(cast.classroom, student=getattr(cast, who).pk))

    assert page.context["form"].errors.keys() == {"student"}
    assert len(lines_of(page)) == 3


# --- pages ---


def test_pages_hold_25_games_and_keep_the_filter(cast, teacher):
    for _ in range(26):
        make_game(cast.classroom, cast.mia, cast.ben, DRAW)

    first = teacher.get(url_of(cast.classroom, student=cast.mia.pk))
    second = teacher.get(url_of(cast.classroom, student=cast.mia.pk, page=2))
    beyond = teacher.get(url_of(cast.classroom, student=cast.mia.pk, page=99))

    assert [len(lines_of(page)) for page in (first, second, beyond)] == [25, 1, 1]
    assert ("Page 1 of 2" in words_of(first), "Page 2 of 2" in words_of(second)) == (True, True)
    assert f'rel="next" href="?student={cast.mia.pk}&amp;page=2"' in first.content.decode()
    assert f'rel="prev" href="?student={cast.mia.pk}&amp;page=1"' in second.content.decode()
    assert ('rel="prev"' in first.content.decode(), 'rel="next"' in second.content.decode()) == (False, False)


def test_25_games_need_no_second_page(cast, teacher):
    for _ in range(25):
        make_game(cast.classroom, cast.mia, cast.ben, DRAW)

    page = teacher.get(url_of(cast.classroom))

    assert (len(lines_of(page)), "Page 1" in words_of(page)) == (25, False)


@pytest.mark.parametrize("games", [1, 3])
def test_number_of_queries_does_not_grow(cast, teacher, games, django_assert_num_queries):
    for number in range(games):
        make_game(cast.classroom, cast.mia, make_student(cast.classroom, f"Pupil {number}"))
        former = make_student(cast.classroom, f"Former pupil {number}")
        make_game(cast.classroom, former, cast.mia)
        former.enrollments.all().delete()
    teacher.get(url_of(cast.classroom))  # the session is written once in a while

    with django_assert_num_queries(9):
        teacher.get(url_of(cast.classroom))


# --- who may ---


@pytest.mark.parametrize("user", ["teacher", "lead"])
def test_teacher_of_the_class_and_lead_see_it(cast, client_of, three_days, user):
    assert len(lines_of(client_of(getattr(cast, user)).get(url_of(cast.classroom)))) == 3


@pytest.mark.parametrize("user", ["colleague", "outsider", "mia"])
def test_others_do_not_find_the_page(cast, client_of, user):
    someone = cast.mia.user if user == "mia" else getattr(cast, user)

    assert client_of(someone).get(url_of(cast.classroom)).status_code == 404


def test_visitors_go_to_the_login(cast, client):
    assert client.get(url_of(cast.classroom)).url == f"/login/?next={url_of(cast.classroom)}"


def test_an_archived_class_can_be_read_but_offers_no_recording(cast, teacher, three_days):
    open_page = teacher.get(url_of(cast.classroom))
    archive_classroom(cast.classroom)
    archived = teacher.get(url_of(cast.classroom))

    assert lines_of(archived) == lines_of(open_page)
    record = reverse("ratings:record_game", args=[cast.classroom.pk])
    assert (record in open_page.content.decode(), record in archived.content.decode()) == (True, False)


def test_a_list_is_only_read(cast, teacher):
    assert teacher.post(url_of(cast.classroom)).status_code == 405
