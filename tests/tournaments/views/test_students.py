"""What a student sees of the tournaments they play in."""

from __future__ import annotations

import pytest

from classes.services import set_active
from tests.factories import make_classroom, make_student
from tests.pages import rows_of, words_of
from tests.tournaments.makers import R, boards, enter, entry, lead, make_tournament, pair, play_round
from tournaments.models import Absence, Tournament
from tournaments.services.entries import set_absence, withdraw
from tournaments.services.events import finish_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(cast) -> Tournament:
    """Mia, Ben, Cleo, in this order."""
    return make_tournament(cast.classroom, [cast.mia, cast.ben, cast.cleo], pairing_rule="small_group")


@pytest.fixture
def seen(client_of):
    """The words of a page for a student."""
    return lambda student, address="/me/": words_of(client_of(student.user).get(address))


def test_the_pairing_stands_on_top_of_the_own_home(cast, cup, seen):
    waiting = seen(cast.mia)
    pair(cup)

    assert "Waiting for the pairing of round 1." in waiting
    assert "Round 1: You have White against Ben O. on board 1." in seen(cast.mia)
    assert "Round 1: You have Black against Mia K. on board 1." in seen(cast.ben)


@pytest.mark.parametrize(
    ("result", "hers", "his"),
    [
        (R.WHITE, "You won against Ben O. in round 1.", "You lost to Mia K. in round 1."),
        (R.DRAW, "You drew with Ben O. in round 1.", "You drew with Mia K. in round 1."),
        (R.WHITE_FORFEIT, "You won round 1 without a game: Ben O. was not there.",
         "You lost round 1 without a game against Mia K. , who was there."),
        (R.UNPLAYED, "You have no game in round 1.", "You have no game in round 1."),
    ],
)  # fmt: skip
def test_when_the_result_is_in_the_next_round_is_awaited(cast, cup, seen, result, hers, his):
    pair(cup)
    enter(boards(cup)[0], result)

    assert f"{hers} Waiting for the pairing of round 2." in seen(cast.mia)
    assert f"{his} Waiting for the pairing of round 2." in seen(cast.ben)


def test_a_bye_says_what_it_brings(cast, cup, seen):
    set_absence(entry(cup, "Mia"), number=1, kind=Absence.Kind.HALF)
    pair(cup)

    assert "You have a bye in round 1: ½. Waiting for the pairing of round 2." in seen(cast.mia)


def test_after_the_last_round_nothing_is_awaited(cast, seen):
    cup = make_tournament(cast.classroom, [cast.mia, cast.ben], rounds=1)
    play_round(cup)

    assert "You won against Ben O. in round 1. That was the last round." in seen(cast.mia)
    finish_tournament(cup)
    assert "Friday Swiss" not in seen(cast.mia)


def test_who_has_withdrawn_has_no_pairing(cast, cup, seen):
    withdraw(entry(cup, "Mia"), by=lead(cup))
    pair(cup)

    assert "Friday Swiss" not in seen(cast.mia)
    assert "You have left this tournament." in seen(cast.mia, f"/me/tournaments/{cup.pk}/")


def test_the_own_rounds_the_boards_and_the_standings_with_the_own_row_marked(cast, cup, client_of):
    play_round(cup, R.WHITE)
    pair(cup)

    page = client_of(cast.mia.user).get(f"/me/tournaments/{cup.pk}/")

    assert rows_of(page) == [
        ["1", "with White against Ben O.", "1"],
        ["2", "with Black against Cleo R.", "open"],
        ["1", "Cleo R.", "Mia K. you", ""],
        ["–", "Ben O. has a bye", "1"],
        ["1", "Cleo R.", "1"],
        ["2", "Mia K. you", "1"],
        ["3", "Ben O.", "0"],
    ]
    assert "Round 2: You have Black against Cleo R. on board 1." in words_of(page)


def test_a_classmate_who_does_not_play_may_watch(cast, seen):
    cup = make_tournament(cast.classroom, [cast.ben, cast.cleo])
    pair(cup)

    page = seen(cast.mia, f"/me/tournaments/{cup.pk}/")

    assert ("Ben O." in page, "Your rounds" in page) == (True, False)
    assert "Friday Swiss" not in seen(cast.mia)
    assert "Friday Swiss 1 of 3" in seen(cast.mia, "/me/tournaments/")


def test_who_is_no_longer_active_in_the_class_does_not_see_it(cast, cup, client_of):
    set_active(cast.mia.enrollments.get(), active=False)
    client = client_of(cast.mia.user)

    assert client.get(f"/me/tournaments/{cup.pk}/").status_code == 404
    assert "Friday Swiss" not in words_of(client.get("/me/tournaments/")) + words_of(client.get("/me/"))


def test_running_tournaments_come_first_and_the_own_before_the_others(cast, client_of):
    done = make_tournament(cast.classroom, [cast.mia, cast.ben], name="Done", rounds=1)
    play_round(done)
    finish_tournament(done)
    make_tournament(cast.classroom, [cast.mia, cast.ben], name="Mine")
    make_tournament(cast.classroom, [cast.ben, cast.cleo], name="Theirs")

    page = client_of(cast.mia.user).get("/me/tournaments/")

    assert [row[0] for row in rows_of(page)] == ["Mine you play", "Theirs", "Done finished you play"]


def test_without_a_tournament_the_list_says_what_will_be_there(cast, seen):
    assert "No tournaments yet." in seen(cast.mia, "/me/tournaments/")


@pytest.mark.parametrize("rows", [1, 3])
def test_the_pages_take_the_same_queries_however_many_rows(cast, client_of, django_assert_num_queries, rows):
    classroom = make_classroom(cast.school)
    mia = make_student(classroom, "Mia", username="mia-2")
    others = [make_student(classroom, f"Ben{number}") for number in range(2 * rows - 1)]
    cups = [make_tournament(classroom, [mia, *others]) for _ in range(rows)]
    for cup in cups:
        play_round(cup)
    client = client_of(mia.user)
    client.get("/me/games/")

    with django_assert_num_queries(10):
        listed = client.get("/me/tournaments/")
    with django_assert_num_queries(11):
        page = client.get(f"/me/tournaments/{cups[0].pk}/")

    assert (len(listed.context["pairings"]), len(listed.context["rows"])) == (rows, rows)
    assert len(rows_of(page)) == 1 + rows + 2 * rows
