"""Giving points outside games, to one student or several at once."""

from __future__ import annotations

import datetime
import uuid
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from classes.models import Classroom, Enrollment, UsedKey
from classes.services import archive_classroom, set_active
from ratings.models import Adjustment, LedgerEntry, Rating, RatingRule
from ratings.selectors.audit import violations
from ratings.services import set_rule
from tests.conftest import Cast
from tests.factories import WHITE, list_of, make_classroom, make_game, make_student
from tests.pages import rows_of, words_of

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
ONE_DAY = datetime.timedelta(days=1)
NOTHING_YET = "Tick students and enter points to see what they do."
LARGE = "This is unusually large: +1 to +5 is usual. Tick this if it is meant."
VERY_LARGE = "A strong player needs many wins for so many points. Tick this as well."
NOT_ACTIVE = "One of the students is not active in this class."
FUTURE = "This day lies in the future. Choose today or an earlier day."
NO_MINUS = "Minus points for behaviour are off in this class. “Edit class” switches them on."
HUGE = "99999999999999999999"


def url_of(classroom: Classroom) -> str:
    return reverse("ratings:adjust_ratings", args=[classroom.pk])


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


def body(cast: Cast, **changes: Any) -> dict[str, Any]:
    """What the form sends: +3 for Mia's skill, today."""
    filled = {
        "key": uuid.uuid4(),
        "students": [cast.mia.pk],
        "points": "3",
        "kind": "skill",
        "reason": "Solved the puzzle sheet",
        "day": cast.school.today().isoformat(),
    }
    return filled | changes


def given() -> list[tuple[Any, ...]]:
    """Who was given what, in order."""
    rows = Adjustment.objects.order_by("sequence").select_related("student")
    return [(one.student.first_name, one.points, one.kind, one.reason) for one in rows]


def errors_of(page: HttpResponse) -> dict[str, list[str]]:
    return {name: list(errors) for name, errors in page.context["form"].errors.items()}


def nothing_is_written() -> bool:
    return not any(model.objects.exists() for model in (Adjustment, LedgerEntry, Rating, UsedKey))


# --- giving ---


def test_the_form_offers_the_active_students_with_their_ratings_and_nothing_is_chosen(cast, teacher):
    make_game(cast.classroom, cast.mia, cast.ben, WHITE)
    set_active(Enrollment.objects.get(student=cast.cleo), active=False)

    page = teacher.get(url_of(cast.classroom))

    form = page.context["form"]
    said = words_of(page)
    assert list(form.fields["students"].choices) == [
        (cast.ben.pk, "Ben Osei (784)"),
        (cast.mia.pk, "Mia Kowalczyk (816)"),
    ]
    assert [value for value, _label in form.fields["kind"].choices] == ["academic", "skill", "behaviour", "achievement"]
    assert (form["day"].value(), "checked" in page.content.decode()) == (cast.school.today(), False)
    assert "very_large" not in page.content.decode()
    practice = ("Small for every day.", "Large for the exception.", "Watch the economy.", "Write the reason.")
    assert [words for words in (NOTHING_YET, *practice) if words not in said] == []


def test_points_are_given_and_the_page_says_to_whom(cast, teacher, ratings_of):
    answer = teacher.post(url_of(cast.classroom), body(cast, reason="  Solved the\tpuzzle  sheet "))

    one = Adjustment.objects.get()
    assert answer.url == reverse("ratings:adjustments", args=[cast.classroom.pk]) + f"?given={one.pk}"
    assert given() == [("Mia", 3, "skill", "Solved the puzzle sheet")]
    assert (one.given_by, one.classroom, one.day) == (cast.teacher, cast.classroom, cast.school.today())
    assert ratings_of(cast.classroom) == {"Mia": 803}
    assert "Given: +3 · Skill · Mia Kowalczyk Undo" in words_of(teacher.get(answer.url))
    assert violations(list_of(cast.classroom)) == []


def test_several_students_get_the_same_at_once_as_one_batch(cast, teacher, ratings_of):
    students = [cast.mia.pk, cast.cleo.pk, cast.ben.pk]

    answer = teacher.post(url_of(cast.classroom), body(cast, students=students, points="-2", kind="academic"))

    assert sorted(given()) == [(name, -2, "academic", "Solved the puzzle sheet") for name in ("Ben", "Cleo", "Mia")]
    assert len(set(Adjustment.objects.values_list("batch", flat=True))) == 1
    assert ratings_of(cast.classroom) == {"Mia": 798, "Ben": 798, "Cleo": 798}
    banner = words_of(teacher.get(answer.url))
    assert "Given: −2 · Academic ·" in banner
    assert [name in banner.split("Undo")[0] for name in ("Ben Osei", "Cleo Raman", "Mia Kowalczyk")] == [True] * 3


def test_two_awards_are_two_batches(cast, teacher):
    for _ in range(2):
        teacher.post(url_of(cast.classroom), body(cast))

    assert len(set(Adjustment.objects.values_list("batch", flat=True))) == 2


def test_points_of_an_earlier_day_stand_at_the_end_of_that_day(cast, teacher, ratings_of):
    make_game(cast.classroom, cast.mia, cast.ben, WHITE)

    teacher.post(url_of(cast.classroom), body(cast, points="5", day=(cast.school.today() - ONE_DAY).isoformat()))

    [first, *_] = LedgerEntry.objects.filter(student=cast.mia).order_by("position")
    assert (first.adjustment_id, first.before, first.after) == (Adjustment.objects.get().pk, 800, 805)
    assert ratings_of(cast.classroom) == {"Mia": 821, "Ben": 784}
    assert violations(list_of(cast.classroom)) == []


def test_a_student_in_a_class_twice_in_the_form_is_given_points_once(cast, teacher):
    teacher.post(url_of(cast.classroom), body(cast, students=[cast.mia.pk, cast.mia.pk]))

    assert given() == [("Mia", 3, "skill", "Solved the puzzle sheet")]


def test_the_form_sent_twice_gives_once(cast, teacher, ratings_of):
    sent = body(cast)

    answers = [teacher.post(url_of(cast.classroom), sent) for _ in range(2)]

    assert answers[0].url == answers[1].url
    assert (len(given()), ratings_of(cast.classroom)) == (1, {"Mia": 803})


def test_the_form_sent_again_when_it_would_be_refused_by_now_is_answered_as_before(cast, teacher):
    sent = body(cast)
    first = teacher.post(url_of(cast.classroom), sent)
    set_active(Enrollment.objects.get(student=cast.mia), active=False)

    again = teacher.post(url_of(cast.classroom), sent)

    assert (again.status_code, again.url, len(given())) == (302, first.url, 1)


def test_a_key_that_was_used_for_other_points_is_409(cast, teacher):
    sent = body(cast)
    teacher.post(url_of(cast.classroom), sent)

    answer = teacher.post(url_of(cast.classroom), sent | {"points": "4"})

    assert (answer.status_code, len(given())) == (409, 1)


# --- what is asked and refused ---


@pytest.mark.parametrize("points", ["5", "-5"])
def test_up_to_five_points_are_not_asked_about(cast, teacher, points):
    teacher.post(url_of(cast.classroom), body(cast, points=points))

    assert [row[1] for row in given()] == [int(points)]


@pytest.mark.parametrize("points", ["6", "25", "-6"])
def test_more_than_five_points_are_asked_about(cast, teacher, points):
    asked = teacher.post(url_of(cast.classroom), body(cast, points=points))

    assert (asked.status_code, errors_of(asked), nothing_is_written()) == (200, {"large": [LARGE]}, True)
    content = asked.content.decode()
    assert ('name="large"' in content, 'name="very_large"' in content, LARGE in words_of(asked)) == (True, False, True)

    teacher.post(url_of(cast.classroom), body(cast, points=points, large="on"))

    assert [row[1] for row in given()] == [int(points)]


@pytest.mark.parametrize("points", ["26", "-26", "500"])
def test_more_than_twenty_five_need_a_second_tick(cast, teacher, points):
    refused = [
        errors_of(teacher.post(url_of(cast.classroom), body(cast, points=points) | ticks))
        for ticks in ({}, {"large": "on"}, {"very_large": "on"})
    ]

    assert refused == [
        {"large": [LARGE], "very_large": [VERY_LARGE]},
        {"very_large": [VERY_LARGE]},
        {"large": [LARGE]},
    ]
    assert nothing_is_written()

    teacher.post(url_of(cast.classroom), body(cast, points=points, large="on", very_large="on"))

    assert [row[1] for row in given()] == [int(points)]


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"points": "0"}, {"points": ["Zero points change nothing. Give or take at least one."]}),
        ({"points": ""}, {"points": ["How many points? +1 to +5 is usual."]}),
        ({"points": "three"}, {"points": ["Points are a whole number, such as 3 or −2."]}),
        ({"points": "2.5"}, {"points": ["Points are a whole number, such as 3 or −2."]}),
        ({"points": "501"}, {"points": ["At most 500 points can be given at once."]}),
        ({"points": "-501"}, {"points": ["At most 500 points can be taken at once."]}),
        ({"reason": ""}, {"reason": ["Say what the points are for. The student reads it."]}),
        ({"reason": "  "}, {"reason": ["Say what the points are for. The student reads it."]}),
        ({"reason": "\x01"}, {"reason": ["Say what the points are for. The student reads it."]}),
        ({"reason": "x" * 301}, {"reason": ["Ensure this value has at most 300 characters (it has 301)."]}),
        ({"kind": ""}, {"kind": ["Choose what the points are for."]}),
        ({"kind": "season"}, {"kind": ["Select a valid choice. season is not one of the available choices."]}),
        ({"students": []}, {"students": ["Tick at least one student."]}),
        ({"students": ["Mia"]}, {"students": [NOT_ACTIVE]}),
        ({"day": "2199-01-01"}, {"day": [FUTURE]}),
        ({"day": "1999-12-31"}, {"day": ["This day lies too far back. Check the year."]}),
        ({"day": ""}, {"day": ["This field is required."]}),
        ({"points": "-1", "kind": "behaviour"}, {"points": [NO_MINUS]}),
    ],
    ids=lambda value: "=".join(str(part)[:14] for part in next(iter(value.items()))) if isinstance(value, dict) else "",
)
def test_what_is_missing_or_wrong_is_said_and_nothing_is_written(cast, teacher, changes, errors):
    page = teacher.post(url_of(cast.classroom), body(cast) | changes)

    assert (page.status_code, errors_of(page), nothing_is_written()) == (200, errors, True)
    assert [message for messages in errors.values() for message in messages if message not in words_of(page)] == []


def test_what_was_typed_is_kept(cast, teacher):
    typed = body(cast, students=[cast.mia.pk, cast.ben.pk], points="0", kind="achievement", reason="Won the cup",
                 day=(cast.school.today() - ONE_DAY).isoformat())  # fmt: skip

    form = teacher.post(url_of(cast.classroom), typed).context["form"]

    shown = {name: form[name].value() for name in ("students", "points", "kind", "reason", "day")}
    assert shown == {
        "students": [str(cast.mia.pk), str(cast.ben.pk)], "points": "0", "kind": "achievement",
        "reason": "Won the cup", "day": typed["day"],
    }  # fmt: skip


@pytest.mark.parametrize(("kind", "points"), [("behaviour", "1"), ("academic", "-1"), ("skill", "-1")])
def test_only_minus_points_for_behaviour_are_off(cast, teacher, kind, points):
    teacher.post(url_of(cast.classroom), body(cast, kind=kind, points=points))

    assert [row[1:3] for row in given()] == [(int(points), kind)]


def test_a_class_may_allow_minus_points_for_behaviour(cast, teacher):
    Classroom.objects.filter(pk=cast.classroom.pk).update(allows_negative_behaviour=True)

    teacher.post(url_of(cast.classroom), body(cast, kind="behaviour", points="-2"))

    assert [row[1:3] for row in given()] == [(-2, "behaviour")]


@pytest.mark.parametrize("who", ["inactive", "of another class", "of another school"])
def test_only_active_students_of_the_class_are_given_points(cast, teacher, who):
    someone = {"inactive": cast.cleo, "of another class": cast.other, "of another school": cast.stranger}[who]
    set_active(Enrollment.objects.get(student=cast.cleo), active=False)

    page = teacher.post(url_of(cast.classroom), body(cast, students=[cast.mia.pk, someone.pk]))

    assert (page.status_code, errors_of(page), nothing_is_written()) == (200, {"students": [NOT_ACTIVE]}, True)


@pytest.mark.parametrize("step", [{}, {"preview": "1"}], ids=["giving", "previewing"])
def test_an_id_that_no_database_takes_writes_nothing(cast, teacher, step):
    answer = teacher.post(url_of(cast.classroom), body(cast, students=[HUGE]) | step)

    assert (answer.status_code, nothing_is_written()) == (400, True)


# --- the preview ---


def test_the_preview_shows_for_each_what_is_then_saved(cast, teacher, ratings_of):
    rating_list = list_of(cast.classroom)
    set_rule(rating_list, rule=RatingRule(rating_list=rating_list, floor=790))
    make_game(cast.classroom, cast.mia, cast.ben, WHITE)  # Ben is lifted to 790
    sent = body(cast, students=[cast.mia.pk, cast.ben.pk], points="-4")

    shown = rows_of(teacher.post(url_of(cast.classroom), sent | {"preview": "1"}))
    teacher.post(url_of(cast.classroom), sent)

    assert shown == [["Ben Osei", "790", "±0", "790"], ["Mia Kowalczyk", "816", "▼ −4", "812"]]
    assert ratings_of(cast.classroom) == {"Ben": 790, "Mia": 812}


def test_the_button_previews_without_script_writes_nothing_and_keeps_what_was_typed(cast, teacher):
    sent = body(cast, points="30", reason="", kind="", preview="1")

    page = teacher.post(url_of(cast.classroom), sent)

    assert (page.status_code, errors_of(page), nothing_is_written()) == (200, {}, True)
    assert rows_of(page) == [["Mia Kowalczyk", "800", "▲ +30", "830"]]
    assert [page.context["form"][name].value() for name in ("students", "points")] == [[str(cast.mia.pk)], "30"]
    assert "What works well" in words_of(page)


def test_htmx_previews_with_the_piece_of_the_page_alone_and_writes_nothing(cast, teacher):
    answer = teacher.post(url_of(cast.classroom), body(cast, preview="1"), headers=HTMX)

    content = answer.content.decode().strip()
    assert (content.startswith('<div class="preview'), "<form" in content, nothing_is_written()) == (True, False, True)
    assert rows_of(answer) == [["Mia Kowalczyk", "800", "▲ +3", "803"]]


MISSING = [
    {"students": []}, {"points": ""}, {"points": "0"}, {"points": "x"}, {"day": ""}, {"day": "2199-01-01"},
    {"points": "-1", "kind": "behaviour"},
]  # fmt: skip


@pytest.mark.parametrize("changes", MISSING)
def test_a_preview_waits_for_what_is_missing(cast, teacher, changes):
    answer = teacher.post(url_of(cast.classroom), body(cast, preview="1") | changes, headers=HTMX)

    assert (answer.status_code, words_of(answer), nothing_is_written()) == (200, NOTHING_YET, True)


def test_the_preview_of_an_earlier_day_starts_from_that_day_and_tells_of_later_games(cast, teacher):
    make_game(cast.classroom, cast.mia, cast.ben, WHITE)
    yesterday = (cast.school.today() - ONE_DAY).isoformat()

    page = teacher.post(url_of(cast.classroom), body(cast, day=yesterday, preview="1"))

    assert rows_of(page) == [["Mia Kowalczyk", "800", "▲ +3", "803"]]
    later = "1 game lies after this day: it is recalculated, so today’s ratings can differ from these."
    assert later in words_of(page)


# --- who may ---


@pytest.mark.parametrize("user", ["teacher", "lead"])
def test_teacher_of_the_class_and_lead_give_points(cast, client_of, user):
    client_of(getattr(cast, user)).post(url_of(cast.classroom), body(cast))

    assert Adjustment.objects.get().given_by == getattr(cast, user)


@pytest.mark.parametrize("user", ["colleague", "outsider", "mia"])
def test_others_do_not_find_the_page(cast, client_of, user):
    client = client_of(cast.mia.user if user == "mia" else getattr(cast, user))

    answers = [
        client.get(url_of(cast.classroom)),
        client.post(url_of(cast.classroom), body(cast)),
        client.post(url_of(cast.classroom), body(cast, preview="1"), headers=HTMX),
    ]

    assert ([answer.status_code for answer in answers], nothing_is_written()) == ([404] * 3, True)


def test_an_archived_class_takes_no_points(cast, teacher):
    archive_classroom(cast.classroom)

    answers = [teacher.get(url_of(cast.classroom)), teacher.post(url_of(cast.classroom), body(cast))]

    assert ([answer.status_code for answer in answers], nothing_is_written()) == ([404, 404], True)


def test_visitors_go_to_the_login(cast, client):
    answer = client.post(url_of(cast.classroom), body(cast))

    assert (answer.url, nothing_is_written()) == (f"/login/?next={url_of(cast.classroom)}", True)


def test_a_post_without_the_token_of_the_page_is_refused(cast):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.teacher, backend="django.contrib.auth.backends.ModelBackend")

    assert (client.post(url_of(cast.classroom), body(cast)).status_code, nothing_is_written()) == (403, True)


def test_other_methods_are_refused(cast, teacher):
    assert [getattr(teacher, method)(url_of(cast.classroom)).status_code for method in ("put", "delete")] == [405, 405]


@pytest.mark.parametrize("students", [1, 3])
def test_number_of_queries_does_not_grow(cast, teacher, students, django_assert_num_queries):
    room = make_classroom(cast.school, teacher=cast.teacher.membership)
    ids = [make_student(room, f"Student {number}").pk for number in range(students)]
    teacher.get(url_of(room))

    with django_assert_num_queries(QUERIES):
        teacher.get(url_of(room))
    with django_assert_num_queries(PREVIEW_QUERIES):
        teacher.post(url_of(room), body(cast, students=ids, preview="1"), headers=HTMX)


QUERIES = 11
PREVIEW_QUERIES = 18
