"""The list of adjustments of a class: filters, the file, undo, void and back, and who may read the reasons."""

from __future__ import annotations

import csv
import datetime
import io
import uuid
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from classes.models import Classroom, Enrollment, Student, User
from classes.services import archive_classroom, enroll
from ratings import services
from ratings.models import Adjustment, LedgerEntry, Rating
from ratings.selectors.audit import violations
from tests.conftest import Cast
from tests.factories import WHITE, list_of, make_classroom, make_game, make_student
from tests.pages import messages_of, rows_of, words_of

pytestmark = pytest.mark.django_db

FRIDAY = datetime.date(2026, 3, 6)
ONE_DAY = datetime.timedelta(days=1)
STALE = "Somebody recorded something meanwhile. Nothing was saved yet; these are the consequences now."
HUGE = "99999999999999999999"


def list_url(classroom: Classroom) -> str:
    return reverse("ratings:adjustments", args=[classroom.pk])


def csv_url(classroom: Classroom) -> str:
    return reverse("ratings:adjustments_csv", args=[classroom.pk])


def url_of(page: str, adjustment: Adjustment) -> str:
    return reverse(f"ratings:{page}_adjustment", args=[adjustment.pk])


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


def give(cast: Cast, *students: Student, by: User | None = None, **changes: Any) -> list[Adjustment]:
    """Points from the teacher, on a Friday; +3 for a solved puzzle sheet unless something else is said."""
    filled = {
        "rating_list": list_of(cast.classroom),
        "classroom": cast.classroom,
        "students": students or [cast.mia],
        "points": 3,
        "kind": "skill",
        "reason": "Solved the puzzle sheet",
        "day": FRIDAY,
        "by": by or cast.teacher,
    }
    return services.adjust_ratings(**filled | changes)


def table_of(page: HttpResponse) -> list[list[str]]:
    return rows_of(page)


def file_of(answer: HttpResponse) -> list[list[str]]:
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))


def confirmed(page: HttpResponse, **typed: Any) -> dict[str, Any]:
    return {"key": uuid.uuid4(), "version": page.context["consequences"].version, "confirm": "1"} | typed


def everything() -> tuple[Any, ...]:
    models = (Adjustment, LedgerEntry, Rating)
    return *(list(model.objects.order_by("pk").values()) for model in models), Adjustment.history.count()


# --- the list ---


def test_the_list_shows_what_was_given_newest_first_and_what_is_void(cast, teacher):
    give(cast, cast.ben, points=-2, kind="academic", reason="Late again", day=FRIDAY - ONE_DAY)
    [mine] = give(cast, cast.mia)
    [void] = give(cast, cast.cleo, points=5, kind="achievement", reason="Won the cup", by=cast.lead)
    services.void_adjustment(void, by=cast.teacher, reason="Wrong child")

    page = teacher.get(list_url(cast.classroom))

    assert table_of(page) == [
        ["6 Mar 2026", "Cleo Raman", "Achievement", "Won the cup void Wrong child", "+5", "Lead", "Put back"],
        ["6 Mar 2026", "Mia Kowalczyk", "Skill", "Solved the puzzle sheet", "+3", "Ms. Okafor", "Void"],
        ["5 Mar 2026", "Ben Osei", "Academic", "Late again", "−2", "Ms. Okafor", "Void"],
    ]
    assert f'href="{url_of("void", mine)}"' in page.content.decode()


def test_an_empty_list_says_so(cast, teacher):
    page = teacher.get(list_url(cast.classroom))

    assert "No adjustments yet." in words_of(page)
    assert csv_url(cast.classroom) not in page.content.decode()


def test_a_long_list_has_pages(cast, teacher):
    for number in range(26):
        give(cast, cast.mia, reason=f"Reason {number}")

    pages = [table_of(teacher.get(list_url(cast.classroom) + query)) for query in ("", "?page=2", "?page=junk")]

    assert [len(page) for page in pages] == [25, 1, 25]
    assert pages[1][0][3] == "Reason 0"


# --- filters ---


@pytest.fixture
def mixed(cast) -> None:
    give(cast, cast.mia, reason="one", day=FRIDAY - 2 * ONE_DAY)
    give(cast, cast.mia, reason="two", kind="academic", by=cast.lead, day=FRIDAY - ONE_DAY)
    give(cast, cast.ben, reason="three", day=FRIDAY)


def reasons_in(page: HttpResponse) -> list[str]:
    return [row[3] for row in table_of(page)]


FILTERS = [
    ("", ["three", "two", "one"]),
    ("student={mia}", ["two", "one"]),
    ("student={cleo}", []),
    ("kind=skill", ["three", "one"]),
    ("kind=behaviour", []),
    ("teacher={lead}", ["two"]),
    ("since=2026-03-05", ["three", "two"]),
    ("until=2026-03-05", ["two", "one"]),
    ("since=2026-03-05&until=2026-03-05", ["two"]),
    ("since=2026-03-06&until=2026-03-04", []),
    ("student={mia}&kind=skill&teacher={teacher}&since=2026-03-01&until=2026-03-31", ["one"]),
    ("student=&kind=&teacher=&since=&until=", ["three", "two", "one"]),
]


def filled_in(cast: Cast, query: str) -> str:
    return query.format(mia=cast.mia.pk, cleo=cast.cleo.pk, lead=cast.lead.pk, teacher=cast.teacher.pk)


@pytest.mark.parametrize(("query", "reasons"), FILTERS)
def test_the_list_and_the_file_are_filtered_alike(cast, mixed, teacher, query, reasons):
    query = filled_in(cast, query)

    page = teacher.get(f"{list_url(cast.classroom)}?{query}")
    file = teacher.get(f"{csv_url(cast.classroom)}?{query}")

    assert reasons_in(page) == reasons
    assert [row[4] for row in file_of(file)[1:]] == reasons
    assert ("No adjustment fits this choice." in words_of(page)) == (not reasons)
    assert (f'{csv_url(cast.classroom)}?{query.replace("&", "&amp;")}"' in page.content.decode()) == bool(reasons)


JUNK = [
    "student=Mia", f"student={HUGE}", "student=-1", "student=%00", "student={stranger}", "student={other}",
    "kind=season", "kind=%F0%9F%92%A5", "teacher=x", f"teacher={HUGE}", "teacher={outsider}",
    "since=yesterday", "since=2026-02-30", "since=0000-00-00", "until=99999-01-01",
    "page=0", "page=-1", f"page={HUGE}", "page=%00",
    "given=x", f"given={HUGE}", "given=%C2%B2", "given=-1", "given=",
]  # fmt: skip


@pytest.mark.parametrize("query", JUNK)
def test_junk_in_the_address_does_no_harm(cast, mixed, teacher, query):
    query = query.format(stranger=cast.stranger.pk, other=cast.other.pk, outsider=cast.outsider.pk)

    pages = [teacher.get(f"{address(cast.classroom)}?{query}") for address in (list_url, csv_url)]

    assert [page.status_code for page in pages] == [200, 200]
    assert (reasons_in(pages[0]), len(file_of(pages[1]))) == (["three", "two", "one"], 4)
    assert "Given:" not in words_of(pages[0])


def test_the_filter_offers_everybody_ever_enrolled_and_whoever_gave_points(cast, mixed, teacher):
    form = teacher.get(list_url(cast.classroom)).context["form"]

    assert [label for _value, label in form.fields["student"].choices] == [
        "Everybody", "Ben Osei", "Cleo Raman", "Mia Kowalczyk",
    ]  # fmt: skip
    assert [label for _value, label in form.fields["teacher"].choices] == ["Everybody", "Lead", "Ms. Okafor"]


# --- the file ---


def test_the_file_has_a_mark_of_its_encoding_a_header_and_a_row_for_each(cast, teacher):
    zoe = make_student(cast.classroom, "Zoë", "Ñandú")
    [void] = give(cast, zoe, points=5, kind="achievement", reason="Won, “twice”\nin a row", by=cast.lead)
    services.void_adjustment(void, by=cast.lead, reason="Wrong child")
    give(cast, cast.mia, points=-3)

    answer = teacher.get(csv_url(cast.classroom))

    assert answer.content.startswith(b"\xef\xbb\xbfday,student,")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert file_of(answer) == [
        ["day", "student", "kind", "points", "reason", "given_by", "void"],
        ["2026-03-06", "Mia Kowalczyk", "skill", "-3", "Solved the puzzle sheet", "Ms. Okafor", ""],
        ["2026-03-06", "Zoë Ñandú", "achievement", "5", "Won, “twice”\nin a row", "Lead", "yes"],
    ]


def test_cells_that_a_spreadsheet_would_run_are_text_and_numbers_stay_numbers(cast, teacher):
    evil = '=HYPERLINK("http://x","y")'
    student = make_student(cast.classroom, evil)
    User.objects.filter(pk=cast.teacher.pk).update(name="@SUM(A1)")
    give(cast, student, points=-3, reason="+1+1")

    [_header, row] = file_of(teacher.get(csv_url(cast.classroom)))

    assert row == ["2026-03-06", f"'{evil}", "skill", "-3", "'+1+1", "'@SUM(A1)", ""]


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("Room 12 Chess", 'attachment; filename="Room 12 Chess-adjustments.csv"'),
        ('a"; filename="x.exe', 'attachment; filename="a\\"; filename=\\"x.exe-adjustments.csv"'),
        ("Klasse Ä", "attachment; filename*=utf-8''Klasse%20%C3%84-adjustments.csv"),
        ("a\r\nSet-Cookie: x=1", "attachment; filename*=utf-8''a%0D%0ASet-Cookie%3A%20x%3D1-adjustments.csv"),
    ],
    ids=["plain", "quotes", "umlaut", "new line"],
)
def test_the_file_is_saved_under_the_name_of_the_class_and_nothing_else(cast, teacher, name, header):
    Classroom.objects.filter(pk=cast.classroom.pk).update(name=name)

    answer = teacher.get(csv_url(cast.classroom))

    assert (answer.status_code, answer["Content-Disposition"], "Set-Cookie" in answer) == (200, header, False)


# --- undo ---


def test_undo_takes_back_the_whole_batch_and_nothing_else(cast, teacher, ratings_of):
    give(cast, cast.mia, points=1)
    batch = give(cast, cast.mia, cast.ben, cast.cleo, points=5)

    answer = teacher.post(url_of("undo", batch[1]))

    assert answer.url == list_url(cast.classroom)
    assert messages_of(teacher.get(answer.url)) == ["3 adjustments taken back."]
    assert ratings_of(cast.classroom) == {"Mia": 801}
    undone = Adjustment.objects.filter(voided_by=cast.teacher, void_reason="Undone")
    assert sorted(undone.values_list("pk", flat=True)) == sorted(one.pk for one in batch)
    assert violations(list_of(cast.classroom)) == []


def test_a_second_undo_changes_nothing(cast, teacher):
    [one] = give(cast, cast.mia)
    teacher.post(url_of("undo", one))
    before = everything()

    answer = teacher.post(url_of("undo", one))

    assert (answer.status_code, everything()) == (302, before)
    assert messages_of(teacher.get(answer.url))[-1] == "0 adjustments taken back."


def test_the_banner_is_gone_after_the_undo(cast, teacher):
    [one] = give(cast, cast.mia)
    address = f"{list_url(cast.classroom)}?given={one.pk}"
    before = words_of(teacher.get(address))

    teacher.post(url_of("undo", one))

    assert ("Given: +3" in before, "Given:" in words_of(teacher.get(address))) == (True, False)


def test_points_given_in_another_class_are_not_told_as_given_here(cast, teacher):
    [foreign] = services.adjust_ratings(
        rating_list=list_of(cast.classroom), classroom=cast.other_classroom, students=[cast.other], points=3,
        kind="skill", reason="Secret", day=FRIDAY, by=cast.colleague,
    )  # fmt: skip

    assert "Given:" not in words_of(teacher.get(f"{list_url(cast.classroom)}?given={foreign.pk}"))


# --- void and back ---


def test_points_are_voided_after_their_consequences_were_shown(cast, teacher, ratings_of):
    [one] = give(cast, cast.mia, points=100)
    make_game(cast.classroom, cast.mia, cast.ben, WHITE, day=FRIDAY)
    before, rated = everything(), ratings_of(cast.classroom)

    asked = teacher.get(url_of("void", one))

    said = words_of(asked)
    assert (everything(), rated) == (before, {"Mia": 912, "Ben": 788})
    for words in (
        "Void the adjustment?",
        "Mia Kowalczyk: +100 (Skill), Solved the puzzle sheet",
        "1 later game is recalculated.",
    ):
        assert words in said
    assert rows_of(asked) == [["Mia Kowalczyk", "912", "816", "▼ −96"], ["Ben Osei", "788", "784", "▼ −4"]]

    answer = teacher.post(url_of("void", one), confirmed(asked, reason="Wrong child"))

    one.refresh_from_db()
    assert (answer.url, one.is_void, one.voided_by, one.void_reason) == (
        list_url(cast.classroom), True, cast.teacher, "Wrong child",
    )  # fmt: skip
    assert ratings_of(cast.classroom) == {"Mia": 816, "Ben": 784}
    assert violations(list_of(cast.classroom)) == []

    asked = teacher.get(url_of("unvoid", one))
    answer = teacher.post(url_of("unvoid", one), confirmed(asked))

    one.refresh_from_db()
    assert rows_of(asked) == [["Mia Kowalczyk", "816", "912", "▲ +96"], ["Ben Osei", "784", "788", "▲ +4"]]
    assert (answer.url, one.is_void, one.void_reason) == (list_url(cast.classroom), False, "")
    assert ratings_of(cast.classroom) == rated
    assert violations(list_of(cast.classroom)) == []


@pytest.mark.parametrize("action", ["void", "unvoid"])
def test_with_a_stale_page_nothing_is_saved_until_it_is_confirmed_again(cast, teacher, action):
    [one] = give(cast, cast.mia)
    if action == "unvoid":
        services.void_adjustment(one, by=cast.lead, reason="Wrong child")
    asked = teacher.get(url_of(action, one))
    make_game(cast.classroom, cast.mia, cast.ben, WHITE, day=FRIDAY)
    before = everything()

    again = teacher.post(url_of(action, one), confirmed(asked, reason="Wrong child"))

    assert (again.status_code, everything(), STALE in words_of(again)) == (409, before, True)
    assert "1 later game is recalculated." in words_of(again)
    saved = teacher.post(url_of(action, one), confirmed(again, reason="Wrong child"))
    one.refresh_from_db()
    assert (saved.status_code, one.is_void) == (302, action == "void")


def test_voiding_without_a_reason_or_a_version_saves_nothing(cast, teacher):
    [one] = give(cast, cast.mia)
    asked = teacher.get(url_of("void", one))
    before = everything()

    answers = [
        teacher.post(url_of("void", one), sent).status_code
        for sent in ({}, confirmed(asked, reason=" "), {"reason": "Wrong child"})
    ]

    assert (answers, everything()) == ([200, 200, 409], before)


def test_what_is_already_so_leads_back_to_the_list(cast, teacher):
    [counts] = give(cast, cast.mia)
    [void] = give(cast, cast.mia)
    services.void_adjustment(void, by=cast.lead, reason="Wrong child")
    before = everything()

    answers = [teacher.post(url_of("unvoid", counts)).url, teacher.post(url_of("void", void), {"reason": "No"}).url]

    assert (answers, everything()) == ([list_url(cast.classroom)] * 2, before)


@pytest.mark.parametrize("action", ["undo", "void"])
def test_points_that_another_class_gave_to_a_student_of_this_one_lead_to_the_page_of_the_student(cast, teacher, action):
    enroll(cast.mia, cast.other_classroom)
    [one] = give(cast, cast.mia, classroom=cast.other_classroom, by=cast.colleague)
    sent = {"reason": "Wrong child", "version": list_of(cast.classroom).version}

    answer = teacher.post(url_of(action, one), sent)

    one.refresh_from_db()
    assert (one.is_void, answer.url) == (True, reverse("student_page", args=[cast.mia.pk]))
    assert teacher.get(answer.url).status_code == 200


def test_points_of_no_class_lead_to_the_page_of_the_student(cast, client_of):
    [one] = give(cast, cast.mia, classroom=None, by=cast.lead)

    answer = client_of(cast.lead).post(url_of("undo", one))

    assert answer.url == reverse("student_page", args=[cast.mia.pk])


def test_points_of_a_new_season_stay_as_they_are(cast, teacher, client_of):
    [one] = give(cast, cast.mia)
    Adjustment.objects.filter(pk=one.pk).update(kind=Adjustment.Kind.SEASON)
    before = everything()

    answers = [
        client.post(url_of(page, one), {"reason": "No", "version": list_of(cast.classroom).version}).status_code
        for client in (teacher, client_of(cast.lead))
        for page in ("undo", "void", "unvoid")
    ]

    assert (answers, everything()) == ([404] * 6, before)
    assert [row[2::4] for row in table_of(teacher.get(list_url(cast.classroom)))] == [["New season", ""]]


# --- who may ---

SECRET = "Helped after the fire drill"


@pytest.mark.parametrize("user", ["teacher", "lead"])
def test_teachers_of_the_class_and_leads_read_the_reasons(cast, client_of, user):
    give(cast, cast.mia, reason=SECRET)
    client = client_of(getattr(cast, user))

    pages = [client.get(address(cast.classroom)).content.decode() for address in (list_url, csv_url)]

    assert [SECRET in page for page in pages] == [True, True]


@pytest.mark.parametrize("user", ["colleague", "outsider", "mia", "ben"])
def test_others_do_not_find_the_list_nor_the_file(cast, client_of, user):
    give(cast, cast.mia, reason=SECRET)
    client = client_of(getattr(cast, user).user if user in {"mia", "ben"} else getattr(cast, user))

    assert [client.get(address(cast.classroom)).status_code for address in (list_url, csv_url)] == [404, 404]


def test_a_student_reads_the_own_reasons_and_nobody_else_s(cast, client_of):
    give(cast, cast.mia, reason=SECRET)
    make_game(cast.classroom, cast.mia, cast.ben, day=FRIDAY)
    pages = ("me", "ratings:my_games")

    seen = {
        name: [SECRET in client_of(student.user).get(reverse(page)).content.decode() for page in pages]
        for name, student in (("mia", cast.mia), ("ben", cast.ben), ("noah", cast.other))
    }

    assert seen == {"mia": [True, True], "ben": [False, False], "noah": [False, False]}


def test_the_reason_follows_the_student_into_another_class_and_leaves_with_the_student(cast, client_of):
    give(cast, cast.mia, reason=SECRET)
    colleague = client_of(cast.colleague)
    before = SECRET in words_of(colleague.get(list_url(cast.other_classroom)))

    enroll(cast.mia, cast.other_classroom)
    enrolled = SECRET in words_of(colleague.get(list_url(cast.other_classroom)))
    Enrollment.objects.get(student=cast.mia, classroom=cast.other_classroom).delete()
    after = SECRET in words_of(colleague.get(list_url(cast.other_classroom)))

    assert (before, enrolled, after) == (False, True, False)


@pytest.mark.parametrize("action", ["undo", "void", "unvoid"])
@pytest.mark.parametrize("user", ["colleague", "outsider", "mia", "visitor"])
def test_others_change_nothing(cast, client, client_of, user, action):
    [one] = give(cast, cast.mia)
    if action == "unvoid":
        services.void_adjustment(one, by=cast.lead, reason="Wrong child")
    if user != "visitor":
        client = client_of(cast.mia.user if user == "mia" else getattr(cast, user))
    before = everything()

    answer = client.post(url_of(action, one), {"reason": "No", "version": list_of(cast.classroom).version})

    assert (answer.status_code, everything()) == (302 if user == "visitor" else 404, before)
    if user == "visitor":
        assert answer.url == f"/login/?next={url_of(action, one)}"


def test_an_archived_class_is_read_and_nothing_in_it_is_changed(cast, teacher):
    [one] = give(cast, cast.mia)
    archive_classroom(cast.classroom)

    page = teacher.get(list_url(cast.classroom))
    answers = [teacher.post(url_of(name, one), {"reason": "No"}).status_code for name in ("undo", "void")]

    assert [row[-1] for row in table_of(page)] == [""]
    assert reverse("ratings:adjust_ratings", args=[cast.classroom.pk]) not in page.content.decode()
    assert answers == [404, 404]


def test_what_never_was_is_404(cast, teacher):
    addresses = [f"/adjustments/{pk}/{page}/" for pk in ("999999", HUGE) for page in ("undo", "void", "back")]

    assert {teacher.post(address).status_code for address in addresses} == {404}
    assert {teacher.get(f"/classes/{pk}/elo/adjustments/").status_code for pk in ("999999", HUGE)} == {404}


def test_other_methods_are_refused(cast, teacher):
    [one] = give(cast, cast.mia)

    answers = [
        teacher.get(url_of("undo", one)),
        teacher.put(url_of("void", one)),
        teacher.delete(url_of("unvoid", one)),
        teacher.post(list_url(cast.classroom)),
        teacher.post(csv_url(cast.classroom)),
    ]

    assert [answer.status_code for answer in answers] == [405] * 5


@pytest.mark.parametrize("action", ["undo", "void", "unvoid"])
def test_a_post_without_the_token_of_the_page_is_refused(cast, action):
    [one] = give(cast, cast.mia)
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.teacher, backend="django.contrib.auth.backends.ModelBackend")
    before = everything()

    assert (client.post(url_of(action, one), {"reason": "No"}).status_code, everything()) == (403, before)


@pytest.mark.parametrize("rows", [1, 3])
def test_number_of_queries_does_not_grow(cast, teacher, rows, django_assert_num_queries):
    room = make_classroom(cast.school, teacher=cast.teacher.membership)
    for number in range(rows):
        give(cast, make_student(room, f"Student {number}"), classroom=room)
    teacher.get(list_url(room))

    with django_assert_num_queries(QUERIES):
        teacher.get(list_url(room))
    with django_assert_num_queries(FILE_QUERIES):
        teacher.get(csv_url(room))


QUERIES = 9
FILE_QUERIES = 8
