"""Piece practice: exercises for everybody, sets of students, and points for a set."""

from __future__ import annotations

import re
import uuid
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import IntegrityError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from classes.models import Student
from ratings.core.practice import NAMES, Exercise, Piece
from ratings.models import Adjustment, PracticeSet, Rating
from ratings.services import keep_practice_set
from tests.pages import messages_of, words_of

pytestmark = pytest.mark.django_db

PIECES = "/learn/pieces/"
SHOWN = f"{PIECES}?piece=rook&level=3&seed=7"  # Re3, with Pf3 Ng3 and the enemies qe4 pe7 ne1
MOVES = ["a3", "b3", "c3", "d3", "e2", "e1", "e4"]


def due(client: Client, piece: str = "rook", level: int = 1) -> dict[str, object]:
    """The exercise that comes next, as its form would send it."""
    address = client.get(f"{PIECES}?piece={piece}&level={level}").url
    return {"piece": piece, "level": level, "seed": int(parse_qs(urlsplit(address).query)["seed"][0])}


def answer(client: Client, exercise: dict[str, object], *, right: bool = True):
    position = Exercise(Piece(exercise["piece"]), exercise["level"], exercise["seed"]).position()
    squares = position.moves() if right else {position.square}
    return client.post(PIECES, exercise | {"to": [NAMES[square] for square in squares]}, follow=True)


def finish(client: Client, piece: str = "rook", level: int = 1):
    """Ten right answers; the page after the last."""
    return [answer(client, due(client, piece, level)) for _ in range(10)][-1]


def streak_of(page) -> int:
    return page.context["page"].streak


def make_set(student: Student, **changes: object) -> PracticeSet:
    values = {"key": str(uuid.uuid4()), "piece": "rook", "level": 2, "tries": 12, "mistakes": 1}
    return keep_practice_set(student=student, **values | changes)


# --- an exercise ---


@pytest.mark.parametrize(
    ("asked", "piece", "level"),
    [
        ("", "rook", "1"),
        ("?piece=king", "king", "1"),
        ("?piece=pawn&level=2", "pawn", "2"),
        ("?piece=pawn&level=2&seed=-1", "pawn", "2"),
        ("?piece=pawn&level=2&seed=1000000", "pawn", "2"),
        ("?piece=pawn&level=2&seed=x", "pawn", "2"),
        ("?piece=dragon&level=9&seed=7", "rook", "1"),
    ],
)
def test_an_address_that_names_no_exercise_leads_to_one(client, asked, piece, level):
    page = client.get(PIECES + asked)

    found = parse_qs(urlsplit(page.url).query)
    assert (page.status_code, found["piece"], found["level"]) == (302, [piece], [level])
    assert client.get(page.url).status_code == 200


def test_the_board_has_64_squares_that_are_named(client):
    page = client.get(SHOWN).content.decode()

    assert re.findall(r'type="checkbox" name="to" value="(\w\d)"', page) == [
        f"{file}{rank}" for rank in "87654321" for file in "abcdefgh"
    ]
    labels = re.findall(r'<span class="visually-hidden">(\w\d[^<]*)</span>', page)
    assert [label for label in labels if "," in label] == [
        "e7, black pawn", "e4, black queen", "e3, white rook, to move", "f3, white pawn", "g3, white knight",
        "e1, black knight",
    ]  # fmt: skip
    assert len(labels) == 64


def test_the_address_brings_back_the_same_exercise(client):
    assert [client.get(SHOWN).context["page"].rows for _ in range(2)] == [client.get(SHOWN).context["page"].rows] * 2
    assert client.get(SHOWN.replace("=7", "=8")).context["page"].rows != client.get(SHOWN).context["page"].rows


# --- the answer ---


def test_right_wrong_and_missed_are_marked_and_explained(client):
    page = client.post(
        PIECES, {"piece": "rook", "level": 3, "seed": 7, "to": ["a3", "e2", "f3", "e7", "d4"]}, follow=True
    )

    assert page.redirect_chain == [(f"{SHOWN}&to=e2&to=a3&to=f3&to=d4&to=e7", 302)]
    words = words_of(page)
    assert "✗ Not quite. The piece has 7 squares to go to." in words
    assert "✗ Wrong f3: A piece of your own stands there; those are never taken." in words
    assert "✗ Wrong d4: The rook moves along ranks and files, as far as the way is free." in words
    assert "✗ Wrong e7: Another piece stands in the way; only a knight leaps over others." in words
    assert "○ Missed e1, e4: An enemy piece stands there: it can be taken." in words
    assert "○ Missed b3, c3, d3: The way is free." in words
    squares = {square.name: square.verdict for row in page.context["page"].rows for square in row if square.verdict}
    assert squares == dict.fromkeys(["a3", "e2"], "right") | dict.fromkeys(["f3", "e7", "d4"], "wrong") | dict.fromkeys(
        ["e1", "e4", "b3", "c3", "d3"], "missed"
    )
    assert "a3, right" in words
    assert "e7, black pawn, wrong" in words
    assert "e1, black knight, missed" in words


def test_all_of_them_is_right(client):
    page = client.post(PIECES, {"piece": "rook", "level": 3, "seed": 7, "to": MOVES}, follow=True)

    assert "✓ Right! These are all 7 squares." in words_of(page)
    assert "1 of 10 right in a row." in words_of(page)


def test_an_answer_in_the_address_is_marked_and_counts_nothing(client):
    page = client.get(f"{SHOWN}&to=" + "&to=".join(MOVES))

    assert page.context["page"].is_right is True
    assert streak_of(client.get(SHOWN)) == 0


@pytest.mark.parametrize(
    ("ticked", "sentence"),
    [
        ([], "Tick at least one square, then press Check: the piece can always move."),
        (["e9"], "There is no such square on the board."),
    ],
)
def test_an_answer_without_a_square_is_asked_for_again(client, ticked, sentence):
    page = client.post(PIECES, {"piece": "rook", "level": 3, "seed": 7, "to": ticked})

    assert sentence in words_of(page)
    assert 'type="checkbox"' in page.content.decode()
    assert not client.session.get("practice")


# --- a set ---


def test_a_student_who_has_ten_right_in_a_row_has_a_set(cast, client_of):
    client = client_of(cast.mia.user)
    answer(client, due(client), right=True)
    answer(client, due(client), right=False)

    page = finish(client)

    kept = PracticeSet.objects.get()
    assert (kept.student, kept.piece, kept.level, kept.tries, kept.mistakes) == (cast.mia, "rook", 1, 12, 1)
    assert kept.adjustment is None
    assert messages_of(page) == ["Ten in a row! The set is finished and kept: Rook, level 1. Your teacher can see it."]
    assert streak_of(page) == 0
    assert "Rook, level 1 12 exercises, 1 mistake" in words_of(client.get("/me/"))


def test_visitors_and_teachers_practise_without_a_trace(cast, client, client_of):
    pages = [finish(client), finish(client_of(cast.teacher))]

    assert [messages_of(page) for page in pages] == [["Ten in a row! The set is finished: Rook, level 1."]] * 2
    assert not PracticeSet.objects.exists()


def test_pieces_and_levels_have_rows_of_their_own(client):
    for _ in range(3):
        answer(client, due(client, "king", 2))
    answer(client, due(client, "pawn", 2), right=False)

    assert streak_of(answer(client, due(client, "king", 2))) == 4
    assert streak_of(answer(client, due(client, "king", 1))) == 1


def test_a_row_cannot_be_claimed_nor_one_exercise_answered_again_and_again(cast, client_of):
    client = client_of(cast.mia.user)
    exercise = due(client)
    client.post(PIECES, exercise | {"streak": 10, "finished": 1, "tries": 10, "is_finished": "true"})
    for _ in range(11):
        page = answer(client, exercise)

    assert streak_of(page) == 1
    assert messages_of(page) == ["This exercise is marked, but it is not the next of your row: it does not count."]
    for seed in range(10):  # exercises of one's own choice
        answer(client, exercise | {"seed": seed})
    assert not PracticeSet.objects.exists()
    assert due(client)["seed"] == due(client)["seed"] != exercise["seed"]


def test_a_double_click_keeps_one_set(cast, client_of):
    client = client_of(cast.mia.user)
    for _ in range(9):
        answer(client, due(client))
    session = client.session
    before, exercise = dict(session["practice"]), due(client)
    answer(client, exercise)
    session = client.session
    session["practice"] = before  # the second click was on its way at the same time
    session.save()

    answer(client, exercise)

    assert PracticeSet.objects.count() == 1


@pytest.mark.parametrize(
    "impossible", [{"tries": 9, "mistakes": 0}, {"tries": 12, "mistakes": 3}, {"level": 4}, {"piece": "dragon"}]
)
def test_a_set_that_nobody_can_have_finished_is_refused_by_the_database(cast, impossible):
    with pytest.raises(IntegrityError):
        make_set(cast.mia, **impossible)


# --- no query for visitors ---


def test_visitors_are_answered_without_a_query(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        client.get(PIECES)
        client.get(SHOWN)
        client.get(f"{SHOWN}&to=a3")


def test_a_visitors_answer_touches_nothing_but_the_session(client):
    with CaptureQueriesContext(connection) as asked:
        answer(client, due(client))

    assert len(asked) > 0
    assert [query["sql"] for query in asked if not re.search("django_session|SAVEPOINT|BEGIN", query["sql"])] == []


# --- points for a set ---


def award_url(practice_set: PracticeSet) -> str:
    return reverse("ratings:award_practice", args=[practice_set.pk])


def test_a_teacher_turns_a_set_into_points_once(cast, client_of):
    done = make_set(cast.mia)
    client = client_of(cast.teacher)
    assert "Rook, level 2 12 exercises, 1 mistake" in words_of(client.get(f"/students/{cast.mia.pk}/"))

    page = client.post(award_url(done), {"points": 3}, follow=True)
    again = client.post(award_url(done), {"points": 5}, follow=True)

    assert page.redirect_chain == [(f"/students/{cast.mia.pk}/#practice", 302)]
    assert [messages_of(one) for one in (page, again)] == [["Mia Kowalczyk has +3 for this set."]] * 2
    given = Adjustment.objects.get()
    assert (given.student, given.points, given.kind, given.reason, given.given_by) == (
        cast.mia, 3, "skill", "Piece practice: ten in a row, Rook, level 2", cast.teacher,
    )  # fmt: skip
    done.refresh_from_db()
    assert done.adjustment == given
    assert Rating.objects.get(student=cast.mia).rating == 803
    assert 'name="points"' not in page.content.decode()


@pytest.mark.parametrize("points", ["0", "6", "-3", "many", ""])
def test_a_set_is_worth_one_to_five_points(cast, client_of, points):
    done = make_set(cast.mia)

    page = client_of(cast.teacher).post(award_url(done), {"points": points}, follow=True)

    assert messages_of(page) == ["A set is worth +1 to +5 points."]
    assert not Adjustment.objects.exists()


def test_points_that_were_taken_back_are_not_given_again(cast, client_of):
    done = make_set(cast.mia)
    client = client_of(cast.teacher)
    client.post(award_url(done), {"points": 3})
    undo = reverse("ratings:undo_adjustment", args=[Adjustment.objects.get().pk])

    page = client.post(undo, follow=True)
    client.post(award_url(done), {"points": 5})

    assert page.redirect_chain[-1][0] == f"/students/{cast.mia.pk}/"
    assert "Rook, level 2 12 exercises, 1 mistake" in words_of(page)
    assert "taken back" in words_of(page)
    assert Rating.objects.filter(student=cast.mia, rating__gt=800).count() == 0


def test_the_student_sees_the_points_and_cannot_give_them(cast, client_of):
    done = make_set(cast.mia)
    mia = client_of(cast.mia.user)
    assert mia.post(award_url(done), {"points": 3}).status_code == 404
    assert 'name="points"' not in mia.get("/me/").content.decode()

    client_of(cast.teacher).post(award_url(done), {"points": 3})

    assert "12 exercises, 1 mistake" in words_of(mia.get("/me/"))
    assert "▲ +3" in words_of(mia.get("/me/"))


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("role", ["mia", "teacher"])
def test_the_sets_take_one_query_however_many(cast, client_of, role, rows):
    for _ in range(rows):
        make_set(cast.mia)
    client = client_of(cast.mia.user if role == "mia" else cast.teacher)

    with CaptureQueriesContext(connection) as asked:
        page = client.get("/me/" if role == "mia" else f"/students/{cast.mia.pk}/")

    assert len(page.context["practice"]) == rows
    assert len([query for query in asked if "ratings_practiceset" in query["sql"]]) == 1
