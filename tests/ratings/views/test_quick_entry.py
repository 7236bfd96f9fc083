"""Recording games by tapping names."""

from __future__ import annotations

import datetime
import re
import uuid
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from classes.models import Classroom, Enrollment, UsedKey
from classes.services import archive_classroom, set_active
from ratings.models import Game, LedgerEntry, Rating
from tests.conftest import Cast
from tests.factories import BLACK, DRAW, WHITE, make_classroom, make_game, make_student
from tests.pages import words_of

pytestmark = pytest.mark.django_db

NO_RESULT = "Choose the result: White wins, draw or Black wins."
NOT_ACTIVE = "This student is not active in this class. Choose another."
QUESTION = "The same result of these two was recorded in the last ten minutes. Did they play again?"
HUGE = "99999999999999999999"
ONE_DAY = datetime.timedelta(days=1)
HTMX = {"HX-Request": "true"}


def url_of(classroom: Classroom, **query: object) -> str:
    url = reverse("ratings:quick_entry", args=[classroom.pk])
    return f"{url}?{urlencode(query)}" if query else url


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


def body(cast: Cast, **changes: object) -> dict[str, object]:
    """What the page sends: Mia, White, and Ben were tapped, then the button of the result."""
    filled = {
        "key": uuid.uuid4(),
        "white": cast.mia.pk,
        "black": cast.ben.pk,
        "result": WHITE.value,
        "day": cast.school.today().isoformat(),
    }
    return filled | changes


def tiles_of(page: HttpResponse) -> dict[str, list[str]]:
    """The names of each side as they stand on the page, the chosen one in brackets."""
    found: dict[str, list[str]] = {}
    tiles = re.findall(
        r'<input type="radio" name="(\w+)"[^>]*?( checked)?><label[^>]*>(.*?)</label>', page.content.decode()
    )
    for side, chosen, label in tiles:
        text = words_of(label)
        found.setdefault(side, []).append(f"[{text}]" if chosen else text)
    return found


def buttons_of(page: HttpResponse) -> list[str]:
    buttons = re.findall(r'<button[^>]*name="result"[^>]*>.*?</button>', page.content.decode(), re.DOTALL)
    return [words_of(button) for button in buttons]


def alert_of(page: HttpResponse) -> str:
    alert = re.search(r'<div class="alert wrong" role="alert">(.*?)</div>', page.content.decode(), re.DOTALL)
    return words_of(alert[1]) if alert else ""


def nothing_is_written() -> bool:
    return not any(model.objects.exists() for model in (Game, LedgerEntry, Rating, UsedKey))


# --- who may ---


def test_page_shows_the_active_students_for_both_sides_and_nobody_is_chosen(cast, teacher):
    make_game(cast.classroom, cast.mia, cast.ben, WHITE)
    set_active(Enrollment.objects.get(student=cast.cleo), active=False)

    page = teacher.get(url_of(cast.classroom))

    names = ["Ben O. 784", "Mia K. 816"]
    assert page.status_code == 200
    assert tiles_of(page) == {"white": names, "black": names}
    assert buttons_of(page) == ["1–0 White wins", "½–½ Draw", "0–1 Black wins"]


@pytest.mark.parametrize("user", ["teacher", "lead"])
def test_teacher_of_the_class_and_lead_record(cast, client_of, user):
    answer = client_of(getattr(cast, user)).post(url_of(cast.classroom), body(cast))

    assert (answer.status_code, Game.objects.get().recorded_by) == (302, getattr(cast, user))


@pytest.mark.parametrize("user", ["colleague", "outsider", "mia"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_others_do_not_find_the_page(cast, client_of, user, method):
    someone = cast.mia.user if user == "mia" else getattr(cast, user)

    answer = getattr(client_of(someone), method)(url_of(cast.classroom), body(cast))

    assert (answer.status_code, nothing_is_written()) == (404, True)


def test_visitors_go_to_the_login(cast, client):
    answer = client.post(url_of(cast.classroom), body(cast))

    assert (answer.url, nothing_is_written()) == (f"/login/?next={url_of(cast.classroom)}", True)


def test_an_archived_class_takes_no_games(cast, teacher):
    archive_classroom(cast.classroom)

    answers = [teacher.get(url_of(cast.classroom)), teacher.post(url_of(cast.classroom), body(cast))]

    assert ([answer.status_code for answer in answers], nothing_is_written()) == ([404, 404], True)


def test_other_methods_are_refused(cast, teacher):
    assert [teacher.put(url_of(cast.classroom)).status_code, teacher.patch(url_of(cast.classroom)).status_code] == [
        405
    ] * 2


@pytest.mark.parametrize("students", [0, 1])
def test_a_class_without_two_students_is_told_so(cast, teacher, students):
    empty = make_classroom(cast.school, teacher=cast.teacher.membership)
    for _ in range(students):
        make_student(empty, "Ida")

    page = teacher.get(url_of(empty))

    assert "A game needs two active students. Add students" in words_of(page)
    assert '<form method="post" novalidate' not in page.content.decode()


# --- recording ---


@pytest.mark.parametrize(
    ("result", "mia", "ben", "banner"),
    [
        (WHITE, 816, 784, "1–0 Ben Osei ( ▲ +16 / ▼ −16 )"),
        (DRAW, 800, 800, "½–½ Ben Osei ( ±0 / ±0 )"),
        (BLACK, 784, 816, "0–1 Ben Osei ( ▼ −16 / ▲ +16 )"),
    ],
    ids=["White wins", "draw", "Black wins"],
)
def test_the_button_of_a_result_records_the_game(cast, teacher, ratings_of, result, mia, ben, banner):
    answer = teacher.post(url_of(cast.classroom), body(cast, result=result.value))

    game, today = Game.objects.get(), cast.school.today()
    assert (answer.status_code, answer.url) == (302, url_of(cast.classroom, day=today, saved=game.pk))
    assert (game.white, game.black, game.result, game.day) == (cast.mia, cast.ben, result, today)
    assert ratings_of(cast.classroom) == {"Mia": mia, "Ben": ben}
    page = teacher.get(answer.url)
    assert f"Saved: Mia Kowalczyk {banner} Undo" in words_of(page)
    assert 'name="back" value="quick_entry"' in page.content.decode()


def test_the_day_is_kept_for_the_next_game(cast, teacher):
    yesterday = cast.school.today() - ONE_DAY

    answer = teacher.post(url_of(cast.classroom), body(cast, day=yesterday.isoformat()))
    page = teacher.get(answer.url)

    assert Game.objects.get().day == yesterday
    assert f'name="day" value="{yesterday.isoformat()}"' in page.content.decode()
    assert f"The result button records the game for {yesterday:%A, %-d %B}." in words_of(page)


def test_games_of_the_day_are_listed_without_voided_ones(cast, teacher):
    today = cast.school.today()
    make_game(cast.classroom, cast.mia, cast.ben, DRAW)
    undone = make_game(cast.classroom, cast.cleo, cast.ben, WHITE)
    make_game(cast.classroom, cast.cleo, cast.ben, WHITE, day=today - ONE_DAY)
    teacher.post(reverse("ratings:undo_game", args=[undone.pk]))

    page = teacher.get(url_of(cast.classroom))

    assert [(row.white, row.black, row.game.result) for row in page.context["today"]] == [
        ("Mia Kowalczyk", "Ben Osei", DRAW)
    ]


def test_who_met_that_day_is_marked_once_the_other_is_chosen(cast, teacher):
    make_game(cast.classroom, cast.ben, cast.mia, DRAW)
    make_game(cast.classroom, cast.cleo, cast.mia, DRAW, day=cast.school.today() - ONE_DAY)

    page = teacher.post(url_of(cast.classroom), body(cast, black="", result="", preview="1"), headers=HTMX)

    assert tiles_of(page) == {
        "white": ["Ben O. 800", "Cleo R. 800", "[Mia K. 800]"],
        "black": ["Ben O. 800 · met today", "Cleo R. 800", "Mia K. 800"],
    }


# --- the preview ---


@pytest.mark.parametrize("result", [WHITE, DRAW, BLACK])
def test_the_buttons_say_for_each_result_what_is_then_saved(cast, teacher, ratings_of, result):
    make_game(cast.classroom, cast.mia, cast.cleo, WHITE)
    page = teacher.post(url_of(cast.classroom), body(cast, result="", preview="1"), headers=HTMX)
    shown = {outcome.result: (outcome.white.after, outcome.black.after) for outcome in page.context["preview"].outcomes}

    teacher.post(url_of(cast.classroom), body(cast, result=result.value))

    saved = ratings_of(cast.classroom)
    assert shown[result] == (saved["Mia"], saved["Ben"])


def test_htmx_gets_the_piece_of_the_page_alone_and_nothing_is_written(cast, teacher):
    page = teacher.post(url_of(cast.classroom), body(cast, result="", preview="1"), headers=HTMX)

    assert page.content.decode().lstrip().startswith('<div id="quick">')
    assert buttons_of(page) == [
        "1–0 White wins Mia +16 · Ben −16",
        "½–½ Draw Mia ±0 · Ben ±0",
        "0–1 Black wins Mia −16 · Ben +16",
    ]
    assert tiles_of(page)["white"][-1] == "[Mia K. 800]"
    assert tiles_of(page)["black"][0] == "[Ben O. 800]"
    assert nothing_is_written()


def test_a_preview_without_script_is_a_whole_page_and_writes_nothing(cast, teacher):
    page = teacher.post(url_of(cast.classroom), body(cast, result="", preview="1"))

    assert "<!doctype html>" in page.content.decode()
    assert buttons_of(page)[0] == "1–0 White wins Mia +16 · Ben −16"
    assert nothing_is_written()


@pytest.mark.parametrize(
    "changes",
    [{"white": ""}, {"white": "abc"}, {"white": HUGE}, {"black": "9" * 5000}, {"black": "-1"}, {"day": "xyz"}],
    ids=lambda changes: " ".join(*changes.items())[:20],
)
@pytest.mark.parametrize("extra", [{}, {"preview": "1"}], ids=["sent", "preview"])
def test_junk_does_no_harm_and_shows_no_numbers(cast, teacher, changes, extra):
    page = teacher.post(url_of(cast.classroom), body(cast, **changes, **extra))

    assert page.status_code == 200
    assert buttons_of(page) == ["1–0 White wins", "½–½ Draw", "0–1 Black wins"]
    assert nothing_is_written()


@pytest.mark.parametrize(
    "query",
    [{"saved": "abc"}, {"saved": HUGE}, {"day": "xyz"}, {"day": "0001-01-01"}, {"day": "9999-12-31"}, {"day": HUGE}],
    ids=lambda query: " ".join(*query.items())[:20],
)
def test_junk_in_the_address_does_no_harm(cast, teacher, query):
    make_game(cast.classroom, cast.mia, cast.ben)

    page = teacher.get(url_of(cast.classroom, **query))

    assert (page.status_code, "Saved:" in words_of(page)) == (200, False)


# --- what is refused ---


@pytest.mark.parametrize(
    ("changes", "alert"),
    [
        ({"white": "", "black": ""}, "White: Choose a student. Black: Choose a student."),
        ({"result": ""}, NO_RESULT),
        ({"black": HUGE}, f"Black: {NOT_ACTIVE}"),
        ({"day": "1999-12-31"}, "This day lies too far back. Check the year."),
        ({"day": "9999-12-31"}, "This day lies in the future. Choose today or an earlier day."),
    ],
)  # fmt: skip
def test_what_is_missing_or_wrong_is_said_above_the_names(cast, teacher, changes, alert):
    page = teacher.post(url_of(cast.classroom), body(cast, **changes))

    assert (page.status_code, alert_of(page), nothing_is_written()) == (200, alert, True)


def test_nobody_plays_themselves_and_both_stay_chosen(cast, teacher):
    key = uuid.uuid4()

    page = teacher.post(url_of(cast.classroom), body(cast, key=key, black=cast.mia.pk))

    assert alert_of(page) == "Black: White and Black must be two different students."
    assert tiles_of(page) == {side: ["Ben O. 800", "Cleo R. 800", "[Mia K. 800]"] for side in ("white", "black")}
    assert f'value="{key}"' in page.content.decode()
    assert nothing_is_written()


@pytest.mark.parametrize("who", ["inactive", "of another class", "of another school"])
def test_only_active_students_of_the_class_play(cast, teacher, who):
    set_active(Enrollment.objects.get(student=cast.cleo), active=False)
    student = {"inactive": cast.cleo, "of another class": cast.other, "of another school": cast.stranger}[who]

    page = teacher.post(url_of(cast.classroom), body(cast, white=student.pk))

    assert (alert_of(page), nothing_is_written()) == (f"White: {NOT_ACTIVE}", True)


def test_the_same_result_within_ten_minutes_is_asked_about_and_recorded_with_the_tick(cast, teacher, ratings_of):
    teacher.post(url_of(cast.classroom), body(cast))
    again = body(cast)

    asked = teacher.post(url_of(cast.classroom), again)
    answer = teacher.post(url_of(cast.classroom), again | {"again": "on"})

    assert alert_of(asked) == f"{QUESTION} Yes, they played again: record this game too"
    assert (asked.status_code, answer.status_code) == (200, 302)
    assert ratings_of(cast.classroom) == {"Mia": 831, "Ben": 769}


def test_a_form_sent_twice_is_answered_as_before(cast, teacher):
    sent = body(cast)

    answers = [teacher.post(url_of(cast.classroom), sent) for _ in range(2)]

    assert (answers[0].url, Game.objects.count()) == (answers[1].url, 1)


def test_a_key_of_the_other_page_is_409(cast, teacher):
    sent = body(cast)
    teacher.post(url_of(cast.classroom), sent)

    answer = teacher.post(reverse("ratings:record_game", args=[cast.classroom.pk]), sent)

    assert (answer.status_code, Game.objects.count()) == (409, 1)


@pytest.mark.parametrize("games", [1, 3])
def test_number_of_queries_does_not_grow(cast, teacher, games, django_assert_num_queries):
    for number in range(games):
        student = make_student(cast.classroom, f"Pupil {number}")
        saved = make_game(cast.classroom, cast.mia, student)
    teacher.get(url_of(cast.classroom))  # the session is written once in a while

    with django_assert_num_queries(17):
        teacher.get(url_of(cast.classroom, saved=saved.pk))
