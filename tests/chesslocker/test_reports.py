"""Term reports and certificates: what stands on them, for one student and for a class."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from classes.models import Classroom, Enrollment, Student
from classes.services import archive_classroom, enroll
from ratings.services import adjust_ratings
from tests.conftest import Cast
from tests.factories import BLACK, DRAW, give_points, list_of, make_game, make_student
from tests.pages import rows_of, words_of
from tests.tournaments.makers import R, make_tournament, pair, play_round
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

FIRST, LAST = datetime.date(2026, 2, 1), datetime.date(2026, 6, 30)
TERM = {"from_day": FIRST.isoformat(), "to_day": LAST.isoformat()}
Get = Callable[..., HttpResponse]


@pytest.fixture
def get(cast, client_of) -> Get:
    client = client_of(cast.teacher)

    def page(name: str, about: Classroom | Student, **asked: object) -> HttpResponse:
        return client.get(reverse(name, args=[about.pk]), TERM | asked)

    return page


def sheets_of(page: HttpResponse) -> list[str]:
    """The words of each sheet of paper."""
    return [words_of(sheet) for sheet in re.findall(r"<article\b.*?</article>", page.content.decode(), re.DOTALL)]


def figures_of(page: HttpResponse) -> list[list[str]]:
    """The figures of each report: start, end, games, won, drawn, lost, and the performance."""
    lists = re.findall(r"<dl.*?</dl>", page.content.decode(), re.DOTALL)
    return [[words_of(figure) for figure in re.findall(r"<dd>(.*?)</dd>", one)] for one in lists]


def finish(tournament: Tournament) -> Tournament:
    Tournament.objects.filter(pk=tournament.pk).update(finished_at=timezone.now())
    return tournament


def cup(cast: Cast, students: list[Student], **options: object) -> Tournament:
    """A tournament of one round on the first day of the term; its games are of today and do not count in it."""
    tournament = make_tournament(cast.classroom, students, name="Friday Swiss", rounds=3, **options)
    Tournament.objects.filter(pk=tournament.pk).update(day=FIRST)
    return tournament


def test_a_report_has_the_ratings_and_the_games_of_its_term_only(cast, get):
    make_game(cast.classroom, cast.mia, cast.ben, day=FIRST - datetime.timedelta(days=1))
    make_game(cast.classroom, cast.mia, cast.cleo, day=FIRST)
    make_game(cast.classroom, cast.ben, cast.mia, DRAW, day=LAST)
    make_game(cast.classroom, cast.mia, cast.ben, BLACK, day=LAST + datetime.timedelta(days=1))

    page = get("student_report", cast.mia)

    # 816 before the term; 15 won against 800, then half a point lost against 784: 816 -> 831 -> 829
    assert figures_of(page) == [["816", "829", "2", "1", "1", "0", "985"]]
    assert "Hill School" in sheets_of(page)[0]
    assert "Mia Kowalczyk" in sheets_of(page)[0]
    assert "Room 12 Chess" in sheets_of(page)[0]
    assert "Signature of the teacher" in sheets_of(page)[0]


def test_the_running_term_is_proposed_and_a_wrong_period_is_told(cast, client_of, get):
    make_game(cast.classroom, cast.mia, cast.ben)

    answer = client_of(cast.teacher).get(reverse("student_report", args=[cast.mia.pk]))

    assert figures_of(answer)[0][:3] == ["800", "816", "1"]
    wrong = get("student_report", cast.mia, to_day="2025-01-01")
    assert "The last day lies before the first." in words_of(wrong)
    assert sheets_of(wrong) == []


def test_awards_stand_there_only_of_the_kinds_that_are_ticked(cast, get):
    give_points(cast.classroom, cast.mia, day=FIRST)  # skill
    adjust_ratings(
        rating_list=list_of(cast.classroom), classroom=cast.classroom, students=[cast.mia], points=-2,
        kind="behaviour", reason="Shouted", day=FIRST, by=cast.teacher,
    )  # fmt: skip

    [plain] = sheets_of(get("student_report", cast.mia))
    [with_skill] = sheets_of(get("student_report", cast.mia, kinds=["skill"]))

    assert "Solved the puzzle sheet" not in plain
    assert "Solved the puzzle sheet (Skill) +3" in with_skill
    assert "Shouted" not in with_skill


def test_tournaments_stand_there_with_place_and_points(cast, get):
    tournament = cup(cast, [cast.mia, cast.ben, cast.cleo, make_student(cast.classroom, "Dan")])
    play_round(tournament, [R.WHITE, R.DRAW])

    rows = [row for row in rows_of(get("class_reports", cast.classroom)) if "Friday Swiss (after 1 round)" in row]

    assert sorted(row[2:] for row in rows) == [
        ["1 of 4", "1 of 1"], ["2 of 4", "½ of 1"], ["2 of 4", "½ of 1"], ["4 of 4", "0 of 1"],
    ]  # fmt: skip


def test_a_class_is_printed_in_one_run_by_name_without_inactive_students(cast, get):
    Enrollment.objects.filter(student=cast.ben).update(active=False)

    sheets = sheets_of(get("class_reports", cast.classroom))

    assert [sheet.split(" Chess report")[0].removeprefix("Hill School Room 12 Chess ") for sheet in sheets] == [
        f"{cast.classroom.school_year_name} Cleo Raman", f"{cast.classroom.school_year_name} Mia Kowalczyk",
    ]  # fmt: skip


def test_who_moved_on_is_no_longer_reported_on_by_the_old_teacher_but_by_the_lead(cast, client_of, get):
    enroll(cast.mia, cast.other_classroom)
    Enrollment.objects.filter(student=cast.mia, classroom=cast.classroom).update(left_at=timezone.now())
    archive_classroom(cast.classroom)

    assert len(sheets_of(get("class_reports", cast.classroom))) == 2
    answer = client_of(cast.lead).get(reverse("class_reports", args=[cast.classroom.pk]), TERM)
    assert len(sheets_of(answer)) == 3


@pytest.fixture
def played(cast) -> Cast:
    """Mia gains 16 and then nothing in two games, Ben loses 16, Cleo has an award and one draw."""
    make_game(cast.classroom, cast.mia, cast.ben, day=FIRST)
    give_points(cast.classroom, cast.cleo, 25, day=FIRST)
    make_game(cast.classroom, cast.mia, cast.cleo, DRAW, day=LAST)
    return cast


def test_a_tournament_gives_certificates_by_place(cast, get):
    tournament = cup(cast, [cast.mia, cast.ben, cast.cleo, make_student(cast.classroom, "Dan")])
    play_round(tournament, [R.WHITE, R.DRAW])
    finish(tournament)

    sheets = sheets_of(get("class_certificates", cast.classroom, day="2026-06-19"))

    assert len(sheets) == 3
    assert "First place Friday Swiss 1 of 1 points, among 4 players June 19, 2026 Date Signature" in sheets[0]
    assert "Second place, shared" in sheets[1]
    assert len(sheets_of(get("class_certificates", cast.classroom, who="1"))) == 1
    [last] = [sheet for sheet in sheets_of(get("class_certificates", cast.classroom, who="all")) if "Place 4" in sheet]
    assert "0 of 1 points" in last


def test_an_unfinished_or_cancelled_tournament_gives_none(cast, get):
    tournament = cup(cast, [cast.mia, cast.ben])
    pair(tournament)

    answer = get("class_certificates", cast.classroom, occasion=str(tournament.pk))

    assert "Friday Swiss" not in words_of(answer)
    assert sheets_of(answer) == []


def test_progress_is_what_games_brought_and_awards_are_no_part_of_it(played, get):
    sheets = sheets_of(get("class_certificates", played.classroom, occasion="progress"))

    assert len(sheets) == 1
    assert "Mia Kowalczyk Most improved player" in sheets[0]
    assert "16 rating points won in games" in sheets[0]


def test_games_are_counted_and_equal_numbers_share_a_rank(played, get):
    sheets = sheets_of(get("class_certificates", played.classroom, occasion="games", who="all"))

    assert [re.search(r"(\w+ \w+) (Most|Keen).* (\d) games? played", sheet).groups() for sheet in sheets] == [
        ("Mia Kowalczyk", "Keen", "2"), ("Ben Osei", "Keen", "1"), ("Cleo Raman", "Keen", "1"),
    ]  # fmt: skip
    [first] = sheets_of(get("class_certificates", played.classroom, occasion="games", who="1"))
    assert "Most games played" in first


def test_one_student_gets_a_certificate_alone_whatever_the_place(cast, get):
    tournament = cup(cast, [cast.mia, cast.ben, cast.cleo, make_student(cast.classroom, "Dan")])
    play_round(tournament, R.WHITE)
    finish(tournament)

    page = get("student_certificate", cast.cleo)

    [sheet] = sheets_of(page)
    assert "Cleo Raman" in sheet
    assert "place" in sheet.lower()
    assert 'name="who"' not in page.content.decode()


@pytest.mark.parametrize(
    ("name", "anchor"), [("class_reports", "term-reports"), ("class_certificates", "certificates")]
)
def test_the_pages_lead_to_their_answers(cast, client, get, name, anchor):
    assert f'href="/help/#{anchor}"' in get(name, cast.classroom).content.decode()
    assert f'id="{anchor}"' in client.get("/help/").content.decode()


@pytest.mark.parametrize(("name", "queries"), [("class_reports", 13), ("class_certificates", 11)])
def test_a_print_run_takes_the_same_queries_for_one_student_and_for_three(
    cast, client_of, django_assert_num_queries, name, queries
):
    client, url = client_of(cast.teacher), reverse(name, args=[cast.classroom.pk])
    players = [cast.mia, cast.ben]
    play_round(cup(cast, players))
    finish(Tournament.objects.get())
    Enrollment.objects.exclude(student=cast.mia).update(active=False)
    client.get(url, TERM)  # the first answer of a session also writes that
    with django_assert_num_queries(queries):
        assert len(sheets_of(client.get(url, TERM))) == 1
    Enrollment.objects.update(active=True)
    other = cup(cast, [*players, cast.cleo])
    play_round(other)
    finish(other)
    give_points(cast.classroom, cast.cleo, day=FIRST)
    with django_assert_num_queries(queries):
        assert len(sheets_of(client.get(url, TERM))) == 3
