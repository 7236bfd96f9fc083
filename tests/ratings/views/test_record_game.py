"""Recording a game from lists."""

from __future__ import annotations

import datetime
import uuid
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from classes.models import Classroom, Enrollment, UsedKey
from classes.services import archive_classroom, set_active
from ratings.models import Game, LedgerEntry, Rating
from tests.conftest import Cast
from tests.factories import BLACK, DRAW, PASSWORD, WHITE, list_of, make_classroom, make_game, make_school, make_student
from tests.pages import messages_of, rows_of, words_of

pytestmark = pytest.mark.django_db

SAME_PLAYER = "White and Black must be two different students."
NO_PLAYER = "Choose a student."
NOT_ACTIVE = "This student is not active in this class. Choose another."
NO_RESULT = "Choose the result: White wins, draw or Black wins."
FUTURE = "This day lies in the future. Choose today or an earlier day."
TOO_FAR_BACK = "This day lies too far back. Check the year."
QUESTION = "The same result of these two was recorded in the last ten minutes. Did they play again?"
NO_PAIR_YET = "Choose both players to see what each result does to their ratings."
HUGE = "99999999999999999999"
ONE_DAY = datetime.timedelta(days=1)


def url_of(classroom: Classroom, **query: object) -> str:
    url = reverse("ratings:record_game", args=[classroom.pk])
    return f"{url}?{urlencode(query)}" if query else url


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


def body(cast: Cast, **changes: object) -> dict[str, object]:
    """What the form sends: Mia, White, beats Ben today."""
    filled = {
        "key": uuid.uuid4(),
        "white": cast.mia.pk,
        "black": cast.ben.pk,
        "result": WHITE.value,
        "day": cast.school.today().isoformat(),
        "note": "",
        "then": "next",
    }
    return filled | changes


def errors_of(page) -> dict[str, list[str]]:
    return {name: list(errors) for name, errors in page.context["form"].errors.items()}


def nothing_is_written() -> bool:
    return not any(model.objects.exists() for model in (Game, LedgerEntry, Rating, UsedKey))


# --- who may ---


def test_form_offers_the_active_students_with_their_ratings_and_no_result(cast, teacher):
    make_game(cast.classroom, cast.mia, cast.ben, WHITE)
    set_active(Enrollment.objects.get(student=cast.cleo), active=False)

    page = teacher.get(url_of(cast.classroom))

    form = page.context["form"]
    offered = [("", "–"), (cast.ben.pk, "Ben Osei (784)"), (cast.mia.pk, "Mia Kowalczyk (816)")]
    assert page.status_code == 200
    assert [list(form.fields[side].choices) for side in ("white", "black")] == [offered, offered]
    assert "checked" not in page.content.decode()
    assert form["day"].value() == cast.school.today()
    assert NO_PAIR_YET in words_of(page)


@pytest.mark.parametrize("user", ["teacher", "lead"])
def test_teacher_of_the_class_and_lead_record(cast, client_of, user):
    answer = client_of(getattr(cast, user)).post(url_of(cast.classroom), body(cast))

    assert answer.status_code == 302
    assert Game.objects.get().recorded_by == getattr(cast, user)


@pytest.mark.parametrize("user", ["colleague", "outsider", "mia"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_others_do_not_find_the_page(cast, client_of, user, method):
    someone = cast.mia.user if user == "mia" else getattr(cast, user)

    answer = getattr(client_of(someone), method)(url_of(cast.classroom), body(cast))

    assert (answer.status_code, nothing_is_written()) == (404, True)


def test_visitors_go_to_the_login(cast, client):
    answer = client.post(url_of(cast.classroom), body(cast))

    assert (answer.status_code, answer.url) == (302, f"/login/?next={url_of(cast.classroom)}")
    assert nothing_is_written()


def test_an_archived_class_takes_no_games(cast, teacher):
    archive_classroom(cast.classroom)

    answers = [teacher.get(url_of(cast.classroom)), teacher.post(url_of(cast.classroom), body(cast))]

    assert ([answer.status_code for answer in answers], nothing_is_written()) == ([404, 404], True)


def test_a_class_that_never_was_is_404(cast, teacher):
    assert teacher.get("/classes/999999/games/record/").status_code == 404
    assert teacher.get(f"/classes/{HUGE}/games/record/").status_code == 404


def test_other_methods_are_refused(cast, teacher):
    assert [teacher.put(url_of(cast.classroom)).status_code, teacher.delete(url_of(cast.classroom)).status_code] == [
        405,
        405,
    ]


def test_a_post_without_the_token_of_the_page_is_refused(cast):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.teacher, backend="django.contrib.auth.backends.ModelBackend")

    answer = client.post(url_of(cast.classroom), body(cast))

    assert (answer.status_code, nothing_is_written()) == (403, True)


# --- recording ---


@pytest.mark.parametrize(
    ("result", "mia", "ben", "sign", "banner"),
    [
        (WHITE, 816, 784, "1–0", "▲ +16 / ▼ −16"),
        (DRAW, 800, 800, "½–½", "±0 / ±0"),
        (BLACK, 784, 816, "0–1", "▼ −16 / ▲ +16"),
    ],
    ids=["White wins", "draw", "Black wins"],
)
def test_a_game_is_recorded_and_the_page_says_what_it_did(
    cast, teacher, ratings_of, result, mia, ben, sign, banner
):  # fmt: skip
    answer = teacher.post(url_of(cast.classroom), body(cast, result=result.value))

    game, today = Game.objects.get(), cast.school.today()
    assert (answer.status_code, answer.url) == (302, url_of(cast.classroom, day=today, saved=game.pk))
    assert (game.white, game.black, game.result, game.day, game.note) == (cast.mia, cast.ben, result, today, "")
    assert (game.classroom, game.rating_list, game.origin) == (cast.classroom, list_of(cast.classroom), "casual")
    assert ratings_of(cast.classroom) == {"Mia": mia, "Ben": ben}
    page = teacher.get(answer.url)
    assert f"Saved: Mia Kowalczyk {sign} Ben Osei ( {banner} ) Undo" in words_of(page)
    assert f'action="{reverse("ratings:undo_game", args=[game.pk])}"' in page.content.decode()
    assert not page.context["form"].is_bound


def test_record_and_close_leads_to_the_class(cast, teacher):
    answer = teacher.post(url_of(cast.classroom), body(cast, then="close"))

    assert answer.url == reverse("class_page", args=[cast.classroom.pk]) + f"?saved={Game.objects.get().pk}"
    assert "Saved: Mia Kowalczyk 1–0 Ben Osei ( ▲ +16 / ▼ −16 ) Undo" in words_of(teacher.get(answer.url))


def test_the_day_is_kept_for_the_next_game(cast, teacher):
    yesterday = cast.school.today() - ONE_DAY

    answer = teacher.post(url_of(cast.classroom), body(cast, day=yesterday.isoformat()))

    assert answer.url == url_of(cast.classroom, day=yesterday, saved=Game.objects.get().pk)
    assert f'value="{yesterday.isoformat()}"' in teacher.get(answer.url).content.decode()


def test_a_back_dated_game_goes_where_its_day_puts_it(cast, teacher, ratings_of):
    make_game(cast.classroom, cast.ben, cast.cleo, WHITE)
    make_game(cast.classroom, cast.mia, cast.cleo, WHITE)

    teacher.post(url_of(cast.classroom), body(cast, day=(cast.school.today() - ONE_DAY).isoformat()))

    assert ratings_of(cast.classroom) == {"Mia": 830, "Ben": 801, "Cleo": 769}


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Fork on f7,\tthen\r\nmate  ", "Fork on f7, then mate"),
        ("", ""),
        ("   ", ""),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("Zuga\u0301g", "Zugág"),
    ],
)
def test_a_note_is_kept_without_spaces_around_it(cast, teacher, typed, kept):
    teacher.post(url_of(cast.classroom), body(cast, note=typed))

    assert Game.objects.get().note == kept
    listed = teacher.get(reverse("ratings:games", args=[cast.classroom.pk]))
    assert "<script>alert" not in listed.content.decode()
    assert kept in words_of(listed)


def test_without_a_key_the_game_is_recorded_all_the_same(cast, teacher):
    sent = body(cast)
    del sent["key"]

    assert teacher.post(url_of(cast.classroom), sent).status_code == 302
    assert Game.objects.count() == 1


# --- what is refused ---


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"result": ""}, {"result": [NO_RESULT]}),
        ({"result": "2-0"}, {"result": ["Select a valid choice. 2-0 is not one of the available choices."]}),
        ({"white": ""}, {"white": [NO_PLAYER]}),
        ({"white": "", "black": ""}, {"white": [NO_PLAYER], "black": [NO_PLAYER]}),
        ({"white": "abc"}, {"white": [NOT_ACTIVE]}),
        ({"white": HUGE}, {"white": [NOT_ACTIVE]}),
        ({"black": "9" * 5000}, {"black": [NOT_ACTIVE]}),
        ({"black": "-1"}, {"black": [NOT_ACTIVE]}),
        ({"day": ""}, {"day": ["Say on which day the game was played."]}),
        ({"day": "yesterday"}, {"day": ["Enter a valid date."]}),
        ({"day": "1999-12-31"}, {"day": [TOO_FAR_BACK]}),
        ({"day": "0001-01-01"}, {"day": [TOO_FAR_BACK]}),
        ({"note": "x" * 301}, {"note": ["Ensure this value has at most 300 characters (it has 301)."]}),
        ({"note": "a\x00b"}, {"note": ["Null characters are not allowed."]}),
    ],
    ids=lambda part: " ".join(part)[:20] if isinstance(part, dict) else "",
)
def test_what_is_missing_or_wrong_is_said_and_nothing_is_written(cast, teacher, changes, errors):
    page = teacher.post(url_of(cast.classroom), body(cast, **{"note": "Back rank"} | changes))

    assert page.status_code == 200
    assert errors_of(page) == errors
    for sentences in errors.values():
        assert sentences[0] in words_of(page)
    assert nothing_is_written()


def test_nobody_plays_themselves(cast, teacher):
    page = teacher.post(url_of(cast.classroom), body(cast, black=cast.mia.pk))

    assert errors_of(page) == {"black": [SAME_PLAYER]}
    assert SAME_PLAYER in words_of(page)
    assert nothing_is_written()


@pytest.mark.parametrize("who", ["inactive", "of another class", "of another school"])
def test_only_active_students_of_the_class_play(cast, teacher, who):
    set_active(Enrollment.objects.get(student=cast.cleo), active=False)
    student = {"inactive": cast.cleo, "of another class": cast.other, "of another school": cast.stranger}[who]

    page = teacher.post(url_of(cast.classroom), body(cast, black=student.pk))

    assert errors_of(page) == {"black": [NOT_ACTIVE]}
    assert student.first_name not in words_of(page)
    assert nothing_is_written()


def test_tomorrow_is_refused(cast, teacher):
    page = teacher.post(url_of(cast.classroom), body(cast, day=(cast.school.today() + ONE_DAY).isoformat()))

    assert errors_of(page) == {"day": [FUTURE]}
    assert nothing_is_written()


def test_what_was_typed_is_kept(cast, teacher):
    key, day = uuid.uuid4(), (cast.school.today() - ONE_DAY).isoformat()

    page = teacher.post(url_of(cast.classroom), body(cast, key=key, result="", day=day, note="Back <rank>"))

    kept = page.content.decode()
    assert [page.context["form"][name].value() for name in ("white", "black", "day", "note")] == [
        str(cast.mia.pk), str(cast.ben.pk), day, "Back <rank>",
    ]  # fmt: skip
    assert kept.count("selected") == 2
    assert f'value="{key}"' in kept
    assert 'value="Back &lt;rank&gt;"' in kept
    assert f'value="{day}"' in kept
    assert "checked" not in kept


def test_a_chosen_result_is_kept_when_something_else_is_missing(cast, teacher):
    page = teacher.post(url_of(cast.classroom), body(cast, black="", result=DRAW.value))

    assert page.content.decode().count("checked") == 1
    assert page.context["form"]["result"].value() == DRAW.value


def test_the_sentence_about_a_missing_result_belongs_to_the_choice_of_it(cast, teacher):
    page = teacher.post(url_of(cast.classroom), body(cast, result="")).content.decode()

    assert '<fieldset class="mt-3" aria-describedby="result-error">' in page
    assert f'id="result-error">{NO_RESULT}<' in page


# --- the same again ---


def test_the_same_result_within_ten_minutes_is_asked_about(cast, teacher):
    teacher.post(url_of(cast.classroom), body(cast))

    page = teacher.post(url_of(cast.classroom), body(cast))

    assert (page.status_code, Game.objects.count()) == (200, 1)
    assert errors_of(page) == {"__all__": [QUESTION]}
    assert 'type="checkbox" name="again"' in page.content.decode()


def test_nobody_is_asked_before_there_is_a_reason(cast, teacher):
    assert 'name="again"' not in teacher.get(url_of(cast.classroom)).content.decode()


def test_with_the_tick_the_same_game_is_recorded_again(cast, teacher, ratings_of):
    teacher.post(url_of(cast.classroom), body(cast))
    asked = body(cast)
    teacher.post(url_of(cast.classroom), asked)

    answer = teacher.post(url_of(cast.classroom), asked | {"again": "on"})

    assert answer.status_code == 302
    assert ratings_of(cast.classroom) == {"Mia": 831, "Ben": 769}


@pytest.mark.parametrize("changes", [{"result": "0-1"}, {"swap": True}], ids=["another result", "other colours"])
def test_another_game_of_the_two_is_no_reason_to_ask(cast, teacher, changes):
    teacher.post(url_of(cast.classroom), body(cast))
    if changes.pop("swap", False):
        changes |= {"white": cast.ben.pk, "black": cast.mia.pk}

    assert teacher.post(url_of(cast.classroom), body(cast, **changes)).status_code == 302
    assert Game.objects.count() == 2


def test_after_ten_minutes_or_an_undo_nobody_is_asked(cast, teacher):
    Game.objects.filter(pk=make_game(cast.classroom, cast.mia, cast.ben, WHITE).pk).update(
        recorded_at=timezone.now() - datetime.timedelta(minutes=10, seconds=1)
    )
    undone = make_game(cast.classroom, cast.mia, cast.ben, WHITE)
    teacher.post(reverse("ratings:undo_game", args=[undone.pk]))

    assert teacher.post(url_of(cast.classroom), body(cast)).status_code == 302


# --- the preview ---


@pytest.mark.parametrize("result", [WHITE, DRAW, BLACK])
def test_the_preview_shows_for_each_result_what_is_then_saved(cast, teacher, ratings_of, result):
    make_game(cast.classroom, cast.mia, cast.cleo, WHITE)  # so that the two differ
    page = teacher.post(url_of(cast.classroom), body(cast, result="", preview="1"))
    shown = {
        outcome.result: {"Mia": outcome.white.after, "Ben": outcome.black.after}
        for outcome in page.context["preview"].outcomes
    }

    teacher.post(url_of(cast.classroom), body(cast, result=result.value))

    saved = ratings_of(cast.classroom)
    assert shown[result] == {name: saved[name] for name in ("Mia", "Ben")}


def test_the_button_previews_without_script_and_writes_nothing(cast, teacher):
    make_game(cast.classroom, cast.mia, cast.cleo, WHITE)

    page = teacher.post(url_of(cast.classroom), body(cast, result=DRAW.value, note="Back rank", preview="1"))

    assert page.status_code == 200
    assert rows_of(page) == [
        ["White wins", "831 ▲ +15", "785 ▼ −15"],
        ["Draw chosen", "815 ▼ −1", "801 ▲ +1"],
        ["Black wins", "799 ▼ −17", "817 ▲ +17"],
    ]
    assert "White: Mia Kowalczyk , 816 expected score 0.52" in words_of(page)
    assert page.context["form"]["note"].value() == "Back rank"
    assert "<!doctype html>" in page.content.decode()
    assert (Game.objects.count(), UsedKey.objects.count()) == (1, 0)


def test_htmx_previews_with_the_piece_of_the_page_alone(cast, teacher):
    page = teacher.post(url_of(cast.classroom), body(cast, result="", preview="1"), headers={"HX-Request": "true"})

    assert page.content.decode().lstrip().startswith('<div class="preview mt-3" id="preview" aria-live="polite">')
    assert rows_of(page) == [
        ["White wins", "816 ▲ +16", "784 ▼ −16"],
        ["Draw", "800 ±0", "800 ±0"],
        ["Black wins", "784 ▼ −16", "816 ▲ +16"],
    ]
    assert "chosen" not in words_of(page)
    assert nothing_is_written()


@pytest.mark.parametrize(
    "changes",
    [{"white": ""}, {"black": ""}, {"white": "", "black": ""}, {"white": HUGE}, {"day": "xyz"}, {"day": ""}],
)
def test_a_preview_waits_for_what_is_missing(cast, teacher, changes):
    page = teacher.post(url_of(cast.classroom), body(cast, preview="1", **changes), headers={"HX-Request": "true"})

    assert (page.status_code, words_of(page)) == (200, NO_PAIR_YET)


def test_a_preview_without_a_result_finds_no_mistake(cast, teacher):
    page = teacher.post(url_of(cast.classroom), body(cast, white="", black="", result="", preview="1"))

    assert errors_of(page) == {}


def test_a_preview_of_a_game_just_recorded_asks_nothing(cast, teacher):
    teacher.post(url_of(cast.classroom), body(cast))

    page = teacher.post(url_of(cast.classroom), body(cast, preview="1"))

    assert errors_of(page) == {}
    assert QUESTION not in words_of(page)


def test_the_preview_of_an_earlier_day_starts_from_that_day_and_tells_of_later_games(cast, teacher):
    today = cast.school.today()
    make_game(cast.classroom, cast.mia, cast.cleo, WHITE, day=today - 3 * ONE_DAY)
    make_game(cast.classroom, cast.ben, cast.cleo, WHITE, day=today)
    later = make_game(cast.classroom, cast.mia, cast.ben, WHITE, day=today)

    def preview(days_ago: int) -> str:
        day = (today - days_ago * ONE_DAY).isoformat()
        return words_of(teacher.post(url_of(cast.classroom), body(cast, preview="1", day=day)))

    sentence = "lie after this day: they are recalculated, so today’s ratings can differ from these."
    assert f"2 games {sentence}" in preview(1)
    assert "White: Mia Kowalczyk , 816" in preview(1)
    assert f"3 games {sentence}" in preview(4)
    assert "White: Mia Kowalczyk , 800" in preview(4)
    assert "after this day" not in preview(0)
    teacher.post(reverse("ratings:undo_game", args=[later.pk]))
    assert "1 game lies after this day: it is recalculated, so today’s ratings can differ from these." in preview(1)


def test_the_preview_of_an_earlier_day_is_what_is_written_on_that_day(cast, teacher):
    yesterday = cast.school.today() - ONE_DAY
    make_game(cast.classroom, cast.mia, cast.ben, BLACK)
    sent = body(cast, day=yesterday.isoformat())
    shown = teacher.post(url_of(cast.classroom), sent | {"preview": "1"}).context["preview"].outcomes[0]

    teacher.post(url_of(cast.classroom), sent)

    entries = Game.objects.get(day=yesterday).entries
    assert (shown.white.after, shown.black.after) == (
        entries.get(student=cast.mia).after,
        entries.get(student=cast.ben).after,
    )


# --- addresses ---


@pytest.mark.parametrize(
    "query",
    [
        {"saved": "abc"}, {"saved": HUGE}, {"saved": "-1"}, {"saved": "9" * 5000}, {"saved": "²"}, {"saved": ""},
        {"day": "xyz"}, {"day": "2026-02-30"}, {"day": "0001-01-01"}, {"day": "{pk}"}, {"day": HUGE},
    ],
    ids=lambda query: " ".join(query.items().__iter__().__next__())[:20],
)  # fmt: skip
def test_junk_in_the_address_does_no_harm(cast, teacher, query):
    make_game(cast.classroom, cast.mia, cast.ben)

    page = teacher.get(url_of(cast.classroom, **query))

    assert page.status_code == 200
    assert "Saved:" not in words_of(page)


def test_junk_days_never_reach_the_address_that_is_answered(cast, teacher):
    page = teacher.post(url_of(cast.classroom), body(cast, day="{pk}{0}{x.y}"))

    assert errors_of(page) == {"day": ["Enter a valid date."]}


def test_a_game_of_another_class_is_not_told_as_saved(cast, teacher):
    foreign = make_game(cast.other_classroom, cast.other, make_student(cast.other_classroom, "Ida"))

    assert "Saved:" not in words_of(teacher.get(url_of(cast.classroom, saved=foreign.pk)))


@pytest.mark.parametrize("games", [1, 3])
def test_number_of_queries_does_not_grow(cast, teacher, games, django_assert_num_queries):
    for number in range(games):
        student = make_student(cast.classroom, f"Pupil {number}")
        saved = make_game(cast.classroom, cast.mia, student)
    teacher.get(url_of(cast.classroom))  # the session is written once in a while

    with django_assert_num_queries(14):
        teacher.get(url_of(cast.classroom, saved=saved.pk))


# --- days ---


def test_today_is_the_day_of_the_school_and_not_of_the_server(client_of, monkeypatch):
    """Friday evening in Los Angeles is already Saturday in Greenwich."""
    evening = datetime.datetime(2024, 3, 16, 2, 30, tzinfo=datetime.UTC)
    school = make_school(name="West School", lead="west", time_zone="America/Los_Angeles")
    room = make_classroom(school, name="Room 1")
    ana, bo = make_student(room, "Ana"), make_student(room, "Bo")
    monkeypatch.setattr(timezone, "now", lambda: evening)
    client = client_of(room.teachers.get().user)
    friday, saturday = datetime.date(2024, 3, 15), datetime.date(2024, 3, 16)
    sent = {"white": ana.pk, "black": bo.pk, "result": WHITE.value, "then": "close"}

    form = client.get(url_of(room))
    refused = client.post(url_of(room), sent | {"day": saturday.isoformat()})
    answer = client.post(url_of(room), sent | {"day": friday.isoformat()})

    assert form.context["form"]["day"].value() == friday
    assert 'max="2024-03-15"' in form.content.decode()
    assert errors_of(refused) == {"day": [FUTURE]}
    assert LedgerEntry.objects.filter(day=friday).count() == 2
    class_page = client.get(answer.url)
    assert [row.game.day for row in class_page.context["games_today"]] == [friday]
    listed = client.get(reverse("ratings:games", args=[room.pk]))
    assert "15 Mar 2024" in words_of(listed)
    ana_page = client.get(reverse("student_page", args=[ana.pk]))
    assert [point.day for point in ana_page.context["page"].points] == [friday]


# --- a walk through a real login ---


def test_a_teacher_logs_in_records_and_sees_the_message_once(cast, client):
    client.post(reverse("login"), {"username": "teacher", "password": PASSWORD})

    page = client.post(url_of(cast.classroom), body(cast), follow=True)

    assert page.redirect_chain == [(url_of(cast.classroom, day=cast.school.today(), saved=Game.objects.get().pk), 302)]
    assert messages_of(page) == []
    assert words_of(page).count("Saved:") == 1
