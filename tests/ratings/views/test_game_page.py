"""Everything about one game on its own page."""

from __future__ import annotations

import datetime

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.dateformat import format as date_format

from classes.models import Enrollment, School, Student
from classes.services import archive_classroom, enroll
from ratings import services
from ratings.models import Game, RatingRule
from tests.factories import BLACK, DRAW, WHITE, list_of, make_game, make_student
from tests.pages import rows_of, words_of

pytestmark = pytest.mark.django_db

FRIDAY = datetime.date(2026, 3, 6)
HUGE = "99999999999999999999"
BUTTONS = ("Correct", "Void", "Put back")


def url_of(game: Game) -> str:
    return reverse("ratings:game", args=[game.pk])


@pytest.fixture
def game(cast) -> Game:
    return make_game(cast.classroom, cast.mia, cast.ben, WHITE, day=FRIDAY, by=cast.teacher, note="Fork on f7")


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


def links_of(page: HttpResponse, game: Game) -> dict[str, bool]:
    """Which of the pages that change a game the page leads to."""
    content = page.content.decode()
    pages = ("correct_game", "void_game", "unvoid_game")
    return {name: f'href="{reverse(f"ratings:{name}", args=[game.pk])}"' in content for name in pages}


NO_LINKS = {"correct_game": False, "void_game": False, "unvoid_game": False}


def edits_of(page: HttpResponse) -> list[tuple[str, list[str]]]:
    return [(edit.by, edit.changes) for edit in page.context["page"].edits]


def correct(game: Game, by, **changes) -> None:
    game.refresh_from_db()
    kept = {"white": game.white, "black": game.black, "result": game.result, "day": game.day, "note": game.note}
    services.correct_game(game, **kept | changes, by=by)


# --- what it shows ---


def test_the_page_shows_what_the_game_did_to_both_and_who_recorded_it(cast, teacher):
    services.set_start_rating(list_of(cast.classroom), cast.mia, rating=1000)
    services.set_start_rating(list_of(cast.classroom), cast.ben, rating=900)
    game = make_game(cast.classroom, cast.mia, cast.ben, WHITE, day=FRIDAY, by=cast.teacher, note="Fork on f7")

    page = teacher.get(url_of(game))

    assert rows_of(page) == [
        ["Rating before", "1000", "900"],
        ["Expected score", "0.64", "0.36"],
        ["K-factor", "32", "32"],
        ["Change", "▲ +12", "▼ −12"],
        ["Rating after", "1012", "888"],
    ]
    said = words_of(page)
    recorded = f"Recorded by Ms. Okafor, {date_format(game.recorded_at, 'j F Y, H:i')}"
    for words in ("Mia Kowalczyk 1–0 Ben Osei", "Friday, 6 March 2026 · Fork on f7", recorded):
        assert words in said
    assert "Edits" not in said
    assert links_of(page, game) == {"correct_game": True, "void_game": True, "unvoid_game": False}


def test_unequal_k_and_a_lift_to_the_floor_are_shown(cast, teacher):
    rating_list = list_of(cast.classroom)
    rule = RatingRule(
        rating_list=rating_list,
        kind=RatingRule.Kind.PROVISIONAL,
        k=20,
        provisional_k=40,
        provisional_games=1,
        floor=795,
    )
    services.set_rule(rating_list, rule=rule)
    make_game(cast.classroom, cast.mia, cast.ben, WHITE, day=FRIDAY)
    game = make_game(cast.classroom, cast.cleo, cast.mia, BLACK, day=FRIDAY)

    assert rows_of(teacher.get(url_of(game))) == [
        ["Rating before", "800", "820"],
        ["Expected score", "0.47", "0.53"],
        ["K-factor", "40", "20"],
        ["Change", "▼ −19", "▲ +9"],
        ["Lifted to the floor", "+14", "±0"],
        ["Rating after", "795", "829"],
    ]


def test_a_void_game_counts_for_nothing_and_says_why(cast, game, teacher):
    services.void_game(game, by=cast.teacher, reason="Wrong board")

    page = teacher.get(url_of(game))

    assert rows_of(page) == []
    assert "This game is void: it counts for no rating. Wrong board" in words_of(page)
    assert links_of(page, game) == {"correct_game": True, "void_game": False, "unvoid_game": True}


def test_an_imported_game_names_nobody_as_the_recorder(cast, teacher):
    new_game = services.NewGame(FRIDAY, cast.mia.pk, cast.ben.pk, WHITE)
    services.import_games(rating_list=list_of(cast.classroom), classroom=cast.classroom, games=[new_game])
    game = Game.objects.get()

    said = words_of(teacher.get(url_of(game)))

    assert f"Imported on the server, {date_format(game.recorded_at, 'j F Y, H:i')}" in said
    assert "Recorded by" not in said


def test_every_edit_is_told_in_words_newest_first(cast, game, teacher):
    correct(game, cast.teacher, black=cast.cleo, result=DRAW, day=datetime.date(2026, 3, 5), note="Pin")
    correct(game, cast.lead, white=cast.cleo, black=cast.mia)
    services.change_note(game, note="", by=cast.teacher)
    services.void_game(game, by=cast.lead, reason="Wrong board")
    services.unvoid_game(game, by=cast.teacher)

    page = teacher.get(url_of(game))

    assert edits_of(page) == [
        ("Ms. Okafor", ["put back"]),
        ("Lead", ["voided: Wrong board"]),
        ("Ms. Okafor", ["note: Pin → –"]),
        ("Lead", ["White: Mia Kowalczyk → Cleo Raman", "Black: Cleo Raman → Mia Kowalczyk"]),
        (
            "Ms. Okafor",
            [
                "Black: Ben Osei → Cleo Raman",
                "result: 1–0 → ½–½",
                "day: March 6, 2026 → March 5, 2026",
                "note: Fork on f7 → Pin",
            ],
        ),
    ]
    said = words_of(page)
    told = [", ".join((by, ""))[:-2] + ": " + "; ".join(changes) for by, changes in edits_of(page)]
    assert [said.count(one) for one in told] == [1] * 5
    assert [said.index(one) for one in told] == sorted(said.index(one) for one in told)


def test_another_place_within_the_day_is_an_edit_of_the_game_that_was_moved_alone(cast, game, teacher):
    moved = make_game(cast.classroom, cast.ben, cast.cleo, DRAW, day=FRIDAY)
    correct(moved, cast.lead, place=1)
    services.change_note(game, note="Pin", by=cast.teacher)

    assert edits_of(teacher.get(url_of(moved))) == [("Lead", ["place within the day"])]
    assert edits_of(teacher.get(url_of(game))) == [("Ms. Okafor", ["note: Fork on f7 → Pin"])]


def test_a_former_player_who_left_the_class_is_still_named_in_the_edits(cast, game, teacher):
    correct(game, cast.teacher, black=cast.cleo)
    Enrollment.objects.get(student=cast.ben).delete()

    assert edits_of(teacher.get(url_of(game))) == [("Ms. Okafor", ["Black: Ben Osei → Cleo Raman"])]


def test_names_and_notes_are_text_and_no_markup(cast, teacher):
    tag = make_student(cast.classroom, "<b>Tag</b>")
    game = make_game(cast.classroom, tag, cast.ben, day=FRIDAY, note="<i>note</i>")
    services.change_note(game, note="<u>new</u>", by=cast.teacher)

    content = teacher.get(url_of(game)).content.decode()

    assert [mark in content for mark in ("<b>Tag", "<i>note", "<u>new", "&lt;b&gt;Tag")] == [False, False, False, True]


def test_a_game_of_a_tournament_says_where_it_is_changed(game, teacher):
    Game.objects.filter(pk=game.pk).update(origin=Game.Origin.TOURNAMENT)

    page = teacher.get(url_of(game))

    assert "This game belongs to a tournament and is changed there." in words_of(page)
    assert links_of(page, game) == NO_LINKS


# --- who sees it ---


@pytest.mark.parametrize("user", ["teacher", "lead"])
def test_teachers_of_the_class_and_leads_may_change_it(cast, game, client_of, user):
    page = client_of(getattr(cast, user)).get(url_of(game))

    assert page.status_code == 200
    assert links_of(page, game) == {"correct_game": True, "void_game": True, "unvoid_game": False}
    assert reverse("ratings:games", args=[cast.classroom.pk]) in page.content.decode()


@pytest.mark.parametrize("user", ["colleague", "outsider"])
def test_other_teachers_do_not_find_it(cast, game, client_of, user):
    assert client_of(getattr(cast, user)).get(url_of(game)).status_code == 404


def test_a_teacher_of_a_player_reads_it_and_is_led_nowhere_that_is_closed(cast, game, client_of):
    enroll(cast.ben, cast.other_classroom)

    page = client_of(cast.colleague).get(url_of(game))

    assert page.status_code == 200
    assert rows_of(page)[0] == ["Rating before", "800", "800"]
    assert links_of(page, game) == NO_LINKS
    assert f'href="{reverse("class_page", args=[cast.classroom.pk])}"' not in page.content.decode()


@pytest.mark.parametrize(("style", "names"), [("short", "Mia K. 1–0 Ben O."), ("full", "Mia Kowalczyk 1–0 Ben Osei")])
@pytest.mark.parametrize("player", ["mia", "ben"])
def test_a_student_reads_the_own_game_with_the_names_of_the_boards(cast, game, client_of, player, style, names):
    correct(game, cast.teacher, note="Pin")
    School.objects.filter(pk=cast.school.pk).update(name_style=style)

    page = client_of(getattr(cast, player).user).get(url_of(game))

    said = words_of(page)
    assert (page.status_code, names in said, "Pin" in said) == (200, True, True)
    assert rows_of(page)[0] == ["Rating before", "800", "800"]
    hidden = (
        "Recorded by",
        "Ms. Okafor",
        "Edits",
        "Fork on f7",
        "Correct",
        "Void",
        "Put back",
        "Room 12 Chess / Games",
    )
    assert [words for words in hidden if words in said] == []
    assert links_of(page, game) == NO_LINKS


def test_a_student_does_not_find_the_games_of_others(cast, client_of):
    others = make_game(cast.classroom, cast.ben, cast.cleo)

    answers = [client_of(user).get(url_of(others)).status_code for user in (cast.mia.user, cast.other.user)]

    assert (answers, client_of(cast.ben.user).get(url_of(others)).status_code) == ([404, 404], 200)


@pytest.mark.parametrize("action", ["correct_game", "void_game", "unvoid_game"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_student_changes_no_own_game(cast, game, client_of, action, method):
    if action == "unvoid_game":
        services.void_game(game, by=cast.teacher, reason="Wrong board")
    before = list(game.history.values())

    answer = getattr(client_of(cast.mia.user), method)(
        reverse(f"ratings:{action}", args=[game.pk]), {"reason": "I lost", "version": list_of(cast.classroom).version}
    )

    assert (answer.status_code, list(game.history.values())) == (404, before)


def test_games_of_an_archived_class_are_read_only(cast, game, teacher):
    archive_classroom(cast.classroom)

    page = teacher.get(url_of(game))

    assert (page.status_code, links_of(page, game)) == (200, NO_LINKS)


def test_visitors_go_to_the_login(game, client):
    assert client.get(url_of(game)).url == f"/login/?next={url_of(game)}"


def test_a_game_that_never_was_is_404(cast, teacher):
    foreign = make_game(cast.foreign_classroom, cast.stranger, make_student(cast.foreign_classroom, "Ida"))

    answers = [teacher.get(address) for address in ("/games/999999/", f"/games/{HUGE}/", url_of(foreign))]

    assert [answer.status_code for answer in answers] == [404, 404, 404]


def test_the_page_is_only_read(game, teacher):
    assert [getattr(teacher, method)(url_of(game)).status_code for method in ("post", "put", "delete")] == [405] * 3


@pytest.mark.parametrize("edits", [1, 3])
def test_number_of_queries_does_not_grow(cast, game, teacher, edits, django_assert_num_queries):
    for number in range(edits):
        left = Student.objects.get(pk=make_student(cast.classroom, f"Guest {number}").pk)
        correct(game, cast.teacher, black=left)
        Enrollment.objects.filter(student=left).delete()
        make_game(cast.classroom, cast.mia, cast.ben)
    teacher.get(url_of(game))

    with django_assert_num_queries(QUERIES):
        teacher.get(url_of(game))


QUERIES = 11
