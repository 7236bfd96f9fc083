"""The Elo page of a class, and "Checked today"."""

from __future__ import annotations

import datetime
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from classes.models import Enrollment
from classes.services import archive_classroom, set_active
from ratings import services
from ratings.models import EconomyCheck, Rating
from tests.conftest import Cast
from tests.factories import give_points, list_of, make_classroom, make_game, make_student
from tests.pages import messages_of, rows_of, words_of

pytestmark = pytest.mark.django_db

CALM = "All calm: awards stay below 16 points per student and term, as many as a win between equals brings."


@pytest.fixture(autouse=True)
def _today(monkeypatch):
    """A Monday in the middle of a term."""
    monkeypatch.setattr(timezone, "now", lambda: datetime.datetime(2026, 11, 30, 12, tzinfo=datetime.UTC))


def ago(days: int) -> datetime.date:
    return datetime.date(2026, 11, 30) - datetime.timedelta(days=days)


def url_of(classroom) -> str:
    return reverse("ratings:economy", args=[classroom.pk])


def check_url_of(classroom) -> str:
    return reverse("ratings:check_economy", args=[classroom.pk])


@pytest.fixture
def look(cast, client_of):
    """The page as the teacher sees it now."""
    client = client_of(cast.teacher)
    return lambda: client.get(url_of(cast.classroom))


def give(cast: Cast, *students, points: int, kind: str = "skill", by=None, day: datetime.date | None = None) -> None:
    services.adjust_ratings(
        rating_list=list_of(cast.classroom),
        classroom=cast.classroom,
        students=list(students),
        points=points,
        kind=kind,
        reason="Solved the puzzle sheet",
        day=day or ago(0),
        by=by or cast.teacher,
    )


# --- the numbers ---


def test_the_page_tells_average_spread_and_both_sums(cast, look):
    make_game(cast.classroom, cast.mia, cast.ben)
    give(cast, cast.cleo, points=5)
    set_active(Enrollment.objects.get(student=cast.ben, classroom=cast.classroom), active=False)

    page = look()

    words = words_of(page)
    assert "811 average Elo of 2 active students Median 811 Lowest to highest 805–816" in words
    assert "Awards this term, per student 2.5 ✓ " + CALM in words
    assert words.count("✓ It adds up.") == 2
    assert "not add up" not in words
    assert rows_of(page) == [
        ["Starts of 3 students", "2400"],
        ["Adjustments", "+5"],
        ["Games among them", "±0"],
        ["Starts of 4 students", "3200"],
        ["Adjustments", "+5"],
        ["Games among them", "±0"],
        ["800–849", "2"],
        ["30 Nov 2026", "810.5", "+5"],
        ["Cleo Raman", "1", "▲ +5"],
        ["Skill", "+5", "+5"],
    ]
    assert "Together 2405 Sum of the ratings 2405" in words
    assert "Together 3205 Sum of the ratings 3205" in words
    assert "+5 points in 1 award, 2.5 per active student." in words
    assert "1 student has none this term." in words


def test_each_term_of_the_sum_leads_to_what_it_is_made_of(cast, look):
    give(cast, cast.cleo, points=5)

    source = look().content.decode()

    room = cast.classroom.pk
    for address, text in (
        (f"/classes/{room}/students/", "Starts of 3 students"),
        (f"/classes/{room}/elo/adjustments/", "Adjustments"),
        (f"/classes/{room}/games/", "Games among them"),
        (f"/classes/{room}/elo/adjustments/?student={cast.cleo.pk}&amp;since=2026-08-01", "<bdi>Cleo Raman</bdi>"),
        (f"/classes/{room}/elo/adjustments/?kind=skill&amp;since=2026-08-01", "Skill"),
    ):
        assert source.count(f'<a href="{address}">{text}</a>') == 1, text


def test_terms_that_are_zero_are_left_out_and_others_shown(cast, look):
    plain = words_of(look())
    services.record_game(
        rating_list=list_of(cast.classroom), classroom=None, white=cast.mia, black=cast.other, result="1-0",
        day=ago(0), by=cast.lead,
    )  # fmt: skip

    rows = rows_of(look())

    assert "students outside" not in plain
    assert "different K" not in plain
    assert "floor" not in plain
    assert rows[:4] == [
        ["Starts of 3 students", "2400"],
        ["Adjustments", "±0"],
        ["Games among them", "±0"],
        ["Games with students outside", "+16"],
    ]
    assert rows[4:7] == [["Starts of 4 students", "3200"], ["Adjustments", "±0"], ["Games among them", "±0"]]


def test_a_sum_that_is_off_is_said_with_whom_to_tell(cast, look):
    make_game(cast.classroom, cast.mia, cast.ben)
    Rating.objects.filter(student=cast.mia).update(rating=820)

    words = words_of(look())

    assert words.count("It does not add up: the ratings are off by +4.") == 2
    assert "tell whoever runs this server: the command manage.py audit_ratings names the entry that is wrong." in words
    assert "✓" not in words
    assert "calm" not in words


def test_pictures_are_named_and_described(cast, look):
    make_game(cast.classroom, cast.mia, cast.ben)

    source = look().content.decode()

    pictures = re.findall(r'<svg [^>]*role="img" aria-labelledby="([\w-]+) ([\w-]+)">(.*?)</svg>', source, re.DOTALL)
    assert [title for title, _text, _inside in pictures] == ["spread-title", "average-title", "given-title"]
    for title, text, inside in pictures:
        assert re.search(rf'<title id="{title}">[^<]+</title>', inside)
        assert re.search(rf'<desc id="{text}">[^<]+The numbers are in the table below.</desc>', inside)
    assert source.count('<details class="numbers">') == 2
    assert "style=" not in source
    assert "3 students from 784 to 816, most of them between 800 and 849." in source


def test_names_are_told_apart_and_escaped(cast, look):
    evil = make_student(cast.classroom, "<b>Eve</b>", "O’Neill")
    give(cast, evil, points=26)

    source = look().content.decode()

    assert source.count("<bdi>&lt;b&gt;Eve&lt;/b&gt; O’Neill</bdi>") == 2
    assert "<b>Eve" not in source


# --- the verdict ---


def test_no_awards_is_calm_in_other_words(look):
    words = words_of(look())

    assert "✓ All calm: no awards this term, every point was won at the board." in words
    assert "None yet this term." in words
    assert "Nothing has moved yet. The first game or award begins the curve." in words


@pytest.mark.parametrize(
    ("points", "said", "not_said"),
    [
        (15, CALM, "this term. A win"),
        (16, "Awards added 16 points per student this term. A win between equals brings 16: ", "All calm"),
        (33, "Awards added 33 points per student this term. That is more than a strong player wins in four games (32):",
         "A win between equals"),
        (-16, "Adjustments took 16 points per student this term. A loss between equals costs 16: ", "All calm"),
    ],
)  # fmt: skip
def test_many_points_are_said_in_plain_words(cast, look, points, said, not_said):
    for kind, by in (("academic", cast.teacher), ("skill", cast.lead), ("achievement", cast.teacher)):
        give(cast, cast.mia, cast.ben, cast.cleo, points=points // 3, kind=kind, by=by)
    if points % 3:
        give(cast, cast.mia, cast.ben, cast.cleo, points=points % 3, kind="behaviour", by=cast.lead)

    words = words_of(look())

    assert said in words
    assert not_said not in words


def test_each_finding_says_what_it_means_and_what_to_do(cast, look):
    for number in range(3):
        make_student(cast.classroom, f"Quiet {number}")
    cast.classroom.teachers.add(cast.lead.membership)
    for student, points in ((cast.ben, 120), (cast.cleo, 110), (cast.mia, 100)):
        give(cast, student, points=points)

    words = words_of(look())

    assert (
        "More than 25 points this term from awards alone: Ben Osei (+120), Cleo Raman (+110), Mia Kowalczyk (+100). "
        "That is more than a strong player gains by 3 wins. Read the reasons."
    ) in words
    assert "100 % of the awards are of one kind , Skill. " in words
    assert "Look for something to praise in the other kinds, or make these awards smaller." in words
    assert "100 % of the awards come from one teacher , Ms. Okafor . The same work then counts differently" in words
    assert "Agree among you what +1 and what +5 stand for." in words
    assert (
        "The average is 55 points above its start . Games within the class cannot do that: what one wins the other "
        "loses. Per student it came from: awards +55. That is no fault."
    ) in words


def test_a_fallen_average_is_explained_too(cast, look):
    give(cast, cast.mia, cast.ben, cast.cleo, points=-60, kind="season")

    assert "The average is 60 points below its start . " in words_of(look())
    assert "Per student it came from: a new season −60." in words_of(look())


# --- the weekly look ---


def test_checked_today_is_noted_with_name_and_day(cast, client_of, look):
    make_game(cast.classroom, cast.mia, cast.ben)
    before = words_of(look())

    answer = client_of(cast.teacher).post(check_url_of(cast.classroom), follow=True)

    assert "Time for the weekly look. Not checked yet. Checked today" in before
    assert answer.redirect_chain == [(url_of(cast.classroom), 302)]
    assert messages_of(answer) == ["Noted: checked today. The page reminds in a week."]
    assert "Last checked on 30 Nov 2026 (today), by Ms. Okafor ." in words_of(answer)
    assert check_url_of(cast.classroom) not in answer.content.decode()
    assert "Time for the weekly look" not in words_of(answer)
    check = EconomyCheck.objects.get()
    assert (check.classroom, check.checked_on, check.by) == (cast.classroom, ago(0), cast.teacher)


def test_pressed_twice_on_a_day_is_one_check_of_the_last(cast, client_of):
    client_of(cast.teacher).post(check_url_of(cast.classroom))
    client_of(cast.lead).post(check_url_of(cast.classroom))

    assert list(EconomyCheck.objects.values_list("checked_on", "by")) == [(ago(0), cast.lead.pk)]


@pytest.mark.parametrize(("days", "since", "reminds"), [(1, "1 day", False), (6, "6 days", False), (7, "7 days", True)])
def test_the_page_reminds_after_a_week(cast, look, days, since, reminds):
    make_game(cast.classroom, cast.mia, cast.ben)
    EconomyCheck.objects.create(classroom=cast.classroom, checked_on=ago(days), by=cast.lead)

    words = words_of(look())

    assert f"({since} ago), by Lead ." in words
    assert ("Time for the weekly look." in words) is reminds


def test_the_day_is_that_of_the_school(cast, client_of):
    cast.school.time_zone = "Pacific/Auckland"  # where it is Tuesday already
    cast.school.save()

    client_of(cast.teacher).post(check_url_of(cast.classroom))

    assert EconomyCheck.objects.get().checked_on == datetime.date(2026, 12, 1)


# --- who may ---


@pytest.mark.parametrize("role", ["teacher", "lead"])
def test_the_teachers_of_the_class_may(cast, client_of, role):
    client = client_of(getattr(cast, role))

    assert client.get(url_of(cast.classroom)).status_code == 200
    assert client.post(check_url_of(cast.classroom)).status_code == 302


@pytest.mark.parametrize("role", ["colleague", "outsider", "mia", "other"])
def test_nobody_else_may(cast, client_of, role):
    person = getattr(cast, role)
    client = client_of(getattr(person, "user", person))

    assert client.get(url_of(cast.classroom)).status_code == 404
    assert client.post(check_url_of(cast.classroom)).status_code == 404
    assert not EconomyCheck.objects.exists()


def test_visitors_log_in_first(cast, client):
    for answer in (client.get(url_of(cast.classroom)), client.post(check_url_of(cast.classroom))):
        assert answer.status_code == 302
        assert answer["Location"].startswith("/login/")


def test_a_class_that_does_not_exist_is_404(cast, client_of):
    client = client_of(cast.teacher)

    assert client.get("/classes/987654/elo/").status_code == 404
    assert client.post("/classes/987654/elo/checked/").status_code == 404


def test_wrong_methods_are_refused(cast, client_of):
    client = client_of(cast.teacher)

    assert client.post(url_of(cast.classroom)).status_code == 405
    assert client.get(check_url_of(cast.classroom)).status_code == 405


def test_an_archived_class_is_read_and_not_checked(cast, client_of):
    make_game(cast.classroom, cast.mia, cast.ben)
    archive_classroom(cast.classroom)
    client = client_of(cast.teacher)

    page = client.get(url_of(cast.classroom))
    answer = client.post(check_url_of(cast.classroom))

    assert page.status_code == 200
    assert "Not checked yet." in words_of(page)
    for absent in ("Time for the weekly look", "Checked today", "Adjust ratings"):
        assert absent not in words_of(page)
    assert answer.status_code == 404
    assert not EconomyCheck.objects.exists()


def test_the_tab_leads_here(cast, client_of):
    source = client_of(cast.teacher).get(reverse("ratings:games", args=[cast.classroom.pk])).content.decode()
    page = client_of(cast.teacher).get(url_of(cast.classroom)).content.decode()

    assert f'href="{url_of(cast.classroom)}">Elo</a>' in source
    assert f'<a class="nav-link active" aria-current="page" href="{url_of(cast.classroom)}">Elo</a>' in page
    assert page.count("btn-primary") == 1


def test_an_empty_class_says_what_to_do_first(cast, client_of):
    empty = make_classroom(cast.school, teacher=cast.teacher.membership)

    page = client_of(cast.teacher).get(url_of(empty))

    words = words_of(page)
    assert "No active students. Add the names of the class, and its ratings are shown here." in words
    assert rows_of(page)[0] == ["Starts of 0 students", "0"]
    assert '<svg class="curve' not in page.content.decode()


# --- how many queries ---


def test_the_number_of_queries_is_fixed(cast, client_of, django_assert_num_queries):
    client = client_of(cast.teacher)

    def one_more(number: int) -> None:
        first, second = (make_student(cast.classroom, f"{name} {number}") for name in ("Ada", "Bo"))
        make_game(cast.classroom, first, second, day=ago(9 * number))
        give(cast, first, points=26, day=ago(9 * number))
        give(cast, second, points=2, kind="academic", by=cast.lead, day=ago(9 * number))
        EconomyCheck.objects.create(classroom=cast.classroom, checked_on=ago(9 * number), by=cast.teacher)

    one_more(1)
    client.get(url_of(cast.classroom))
    with django_assert_num_queries(19):
        client.get(url_of(cast.classroom))
    one_more(2)
    one_more(3)
    give_points(cast.classroom, cast.mia)
    with django_assert_num_queries(19):
        client.get(url_of(cast.classroom))
