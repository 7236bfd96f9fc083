"""Choosing a rating list: for a game, and on every page that shows ratings."""

from __future__ import annotations

import datetime
import re
import uuid

import pytest
from django.test import Client

from classes.models import School
from ratings import services
from ratings.models import Game, LedgerEntry, RatingList
from tests.conftest import Cast
from tests.factories import DRAW, WHITE, list_of, make_game
from tests.pages import words_of

pytestmark = pytest.mark.django_db

NEW = '<abbr class="chip" title="provisional: fewer than 20 games">new</abbr>'


@pytest.fixture
def rapid(cast) -> RatingList:
    """A second list, in which Mia beat Ben; in the default list they drew."""
    made = services.create_rating_list(school=cast.school, name="Rapid", start_rating=1000)
    make_game(cast.classroom, cast.mia, cast.ben, DRAW)
    record_in(made, cast)
    return made


def record_in(rating_list: RatingList, cast: Cast, *, day: datetime.date | None = None) -> Game:
    return services.record_game(
        rating_list=rating_list,
        classroom=cast.classroom,
        white=cast.mia,
        black=cast.ben,
        result=WHITE,
        day=day or cast.school.today(),
        by=cast.lead,
    )


def pages_of(cast: Cast) -> dict[str, tuple[object, str]]:
    """The pages that switch between lists, with who sees them."""
    return {
        "class": (cast.teacher, f"/classes/{cast.classroom.pk}/"),
        "student": (cast.teacher, f"/students/{cast.mia.pk}/"),
        "me": (cast.mia.user, "/me/"),
        "my games": (cast.mia.user, "/me/games/"),
        "my class": (cast.mia.user, f"/me/classes/{cast.classroom.pk}/"),
    }


PAGES = ["class", "student", "me", "my games", "my class"]
# What each page shows of Mia in the default list and in Rapid.
SHOWN = {
    "class": ("800", "1016"),
    "student": ("800 ±0 = 800", "1000 +16 = 1016"),
    "me": ("800 ±0 = 800", "1000 +16 = 1016"),
    "my games": ("800 ±0 = 800", "1000 +16 = 1016"),
    "my class": ("800", "1016"),
}


def kept_list(page) -> str:
    """What the hidden field of a form that filters by GET sends as the list."""
    (field,) = (tag for tag in re.findall(r"<input\b[^>]*>", page.content.decode()) if 'name="list"' in tag)
    assert 'type="hidden"' in field
    return re.search(r'value="(.*?)"', field)[1]


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


# --- pages ---


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_the_list_that_is_asked_for(cast, client_of, rapid, page):
    user, url = pages_of(cast)[page]
    client = client_of(user)
    standard, fast = SHOWN[page]

    first, second = (words_of(client.get(url, query)) for query in ({}, {"list": rapid.pk}))

    assert (standard in first, fast in first) == (True, False)
    assert (standard in second, fast in second) == (False, True)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_the_lists_and_marks_the_one_it_shows(cast, client_of, rapid, page):
    user, url = pages_of(cast)[page]
    default = list_of(cast.classroom)

    source = client_of(user).get(url, {"list": rapid.pk, "saved": 1, "page": 1}).content.decode()

    nav = re.search(r'<nav class="switch.*?</nav>', source, re.DOTALL)[0]
    assert re.findall(r'<a( class="active" aria-current="true")? href="(.*?)">(.*?)</a>', nav) == [
        ("", f"?list={default.pk}", "Elo"),
        (' class="active" aria-current="true"', f"?list={rapid.pk}", "Rapid"),
    ]


@pytest.mark.parametrize("page", PAGES)
def test_a_school_with_one_list_has_nothing_to_switch(cast, client_of, page):
    user, url = pages_of(cast)[page]

    assert 'class="switch' not in client_of(user).get(url).content.decode()


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("asked", ["", "junk", "0", "-1", "²", "9" * 30, "foreign"])
def test_anything_else_shows_the_default_list(cast, client_of, rapid, page, asked):
    user, url = pages_of(cast)[page]
    if asked == "foreign":
        asked = str(list_of(cast.foreign_classroom).pk)

    answer = client_of(user).get(url, {"list": asked})

    assert answer.status_code == 200
    assert SHOWN[page][0] in words_of(answer)
    assert answer.context["lists"].chosen == list_of(cast.classroom)


def test_links_stay_in_the_list(cast, client_of, teacher, rapid):
    query = f"?list={rapid.pk}"
    room = f"/classes/{cast.classroom.pk}"

    class_page = teacher.get(f"{room}/{query}").content.decode()
    me = client_of(cast.mia.user).get(f"/me/{query}").content.decode()

    for target in (f"/students/{cast.mia.pk}/", f"{room}/games/record/", f"{room}/games/quick/"):
        assert f'href="{target}{query}"' in class_page
    for target in ("/me/games/", f"/me{room}/"):
        assert f'href="{target}{query}"' in me


def test_links_of_the_default_list_stay_plain(cast, teacher, rapid):
    source = teacher.get(f"/classes/{cast.classroom.pk}/").content.decode()

    assert f'href="/students/{cast.mia.pk}/"' in source
    assert f'href="/classes/{cast.classroom.pk}/games/record/"' in source


def test_filtering_the_own_games_stays_in_the_list(cast, client_of, rapid):
    client = client_of(cast.mia.user)

    page = client.get("/me/games/", {"list": rapid.pk, "outcome": "won"})

    assert kept_list(page) == str(rapid.pk)
    assert "1000 +16 = 1016" in words_of(page)
    assert "No game fits this choice." in words_of(client.get("/me/games/", {"list": rapid.pk, "outcome": "lost"}))


def test_a_list_without_games_is_no_filter(cast, client_of, rapid):
    blitz = services.create_rating_list(school=cast.school, name="Blitz")

    page = words_of(client_of(cast.mia.user).get("/me/games/", {"list": blitz.pk}))

    assert "No games yet. They appear here as soon as your teacher records them." in page


def test_the_games_of_a_class_name_another_list_than_the_default(cast, teacher, rapid):
    page = words_of(teacher.get(f"/classes/{cast.classroom.pk}/games/"))

    assert page.count("Rapid") == 1


# --- recording ---


def body(cast: Cast, **changes: object) -> dict[str, object]:
    filled = {"key": uuid.uuid4(), "white": cast.mia.pk, "black": cast.cleo.pk, "result": "1-0", "then": "next"}
    return filled | {"day": cast.school.today().isoformat(), "note": ""} | changes


def entries_of(school: School) -> list[tuple[str, int, int]]:
    """What the ledger holds of Cleo: list, before, change."""
    entries = LedgerEntry.objects.filter(rating_list__school=school, student__first_name="Cleo").order_by("pk")
    return list(entries.values_list("rating_list__name", "before", "change"))


@pytest.mark.parametrize("page", ["record", "quick"])
def test_the_list_is_offered_with_the_default_chosen(cast, teacher, rapid, page):
    source = teacher.get(f"/classes/{cast.classroom.pk}/games/{page}/").content.decode()

    select = re.search(r'<select name="list".*?</select>', source, re.DOTALL)[0]
    assert re.findall(r'<option value="(\d+)"( selected)?>(.*?)</option>', select) == [
        (str(list_of(cast.classroom).pk), " selected", "Elo"),
        (str(rapid.pk), "", "Rapid"),
    ]


@pytest.mark.parametrize("page", ["record", "quick"])
def test_one_list_is_not_offered(cast, teacher, page):
    source = teacher.get(f"/classes/{cast.classroom.pk}/games/{page}/").content.decode()

    field = re.search(r'<input type="hidden" name="list" value="(\d+)"', source)
    assert field[1] == str(list_of(cast.classroom).pk)
    assert '<select name="list"' not in source


@pytest.mark.parametrize("page", ["record", "quick"])
def test_a_game_goes_to_the_chosen_list_which_is_kept_for_the_next(cast, teacher, rapid, page):
    url = f"/classes/{cast.classroom.pk}/games/{page}/"

    answer = teacher.post(url, body(cast, list=rapid.pk))

    game = Game.objects.latest("pk")
    assert game.rating_list == rapid
    assert entries_of(cast.school) == [("Rapid", 1000, -15)]
    assert answer.url == f"{url}?day={cast.school.today()}&list={rapid.pk}&saved={game.pk}"
    following = teacher.get(answer.url)
    assert f'<option value="{rapid.pk}" selected>' in following.content.decode()
    assert "Saved: Mia Kowalczyk 1–0 Cleo Raman" in words_of(following)


def test_recording_and_closing_shows_the_board_of_the_list(cast, teacher, rapid):
    answer = teacher.post(f"/classes/{cast.classroom.pk}/games/record/", body(cast, list=rapid.pk, then="close"))

    assert answer.url == f"/classes/{cast.classroom.pk}/?list={rapid.pk}&saved={Game.objects.latest('pk').pk}"


@pytest.mark.parametrize("sent", [{}, {"list": ""}])
def test_without_a_list_the_default_one_is_meant(cast, teacher, rapid, sent):
    answer = teacher.post(f"/classes/{cast.classroom.pk}/games/record/", body(cast, **sent))

    assert entries_of(cast.school) == [("Elo", 800, -16)]
    assert "list=" not in answer.url


@pytest.mark.parametrize("asked", ["junk", "foreign"])
def test_a_game_is_not_recorded_in_a_list_that_is_not_there(cast, teacher, rapid, asked):
    if asked == "foreign":
        asked = str(list_of(cast.foreign_classroom).pk)

    page = teacher.post(f"/classes/{cast.classroom.pk}/games/record/", body(cast, list=asked))

    assert page.status_code == 200
    assert page.context["form"].errors == {"list": ["There is no such rating list. Choose another."]}
    assert entries_of(cast.school) == []


def test_the_preview_and_the_names_carry_the_ratings_of_the_list(cast, teacher, rapid):
    url = f"/classes/{cast.classroom.pk}/games/record/"

    page = words_of(teacher.post(url, body(cast, list=rapid.pk, preview="1")))

    assert "Mia Kowalczyk (1016)" in page
    assert "Cleo Raman , 1000 expected score" in page


def test_another_list_renews_the_whole_page_another_player_only_the_preview(cast, teacher, rapid):
    url = f"/classes/{cast.classroom.pk}/games/record/"
    sent = body(cast, list=rapid.pk, preview="1")

    whole = teacher.post(url, sent, headers={"HX-Request": "true", "HX-Target": "main"}).content.decode()
    piece = teacher.post(url, sent, headers={"HX-Request": "true", "HX-Target": "preview"}).content.decode()

    assert 'id="main"' in whole
    assert "<form" not in piece


def test_undoing_goes_back_to_the_list(cast, teacher, rapid):
    game = Game.objects.get(rating_list=rapid)

    answers = [teacher.post(f"/games/{game.pk}/undo/", {"back": back}).url for back in ("class_page", "record_game")]

    assert answers == [
        f"/classes/{cast.classroom.pk}/?list={rapid.pk}",
        f"/classes/{cast.classroom.pk}/games/record/?day={game.day}&list={rapid.pk}",
    ]


# --- new numbers, and how sure a number is ---


@pytest.fixture
def twenty_games(cast) -> None:
    """Mia and Ben with twenty games, Cleo with none; the last one today."""
    services.import_games(
        rating_list=list_of(cast.classroom),
        classroom=cast.classroom,
        games=[services.NewGame(cast.school.today(), cast.mia.pk, cast.ben.pk, "1/2-1/2") for _ in range(20)],
    )


def test_numbers_below_20_games_are_new_on_boards(cast, client_of, teacher, twenty_games):
    board = teacher.get(f"/classes/{cast.classroom.pk}/").content.decode()
    own = client_of(cast.mia.user).get(f"/me/classes/{cast.classroom.pk}/").content.decode()

    for source, names in ((board, ("Mia Kowalczyk", "Ben Osei", "Cleo Raman")), (own, ("Mia K.", "Ben O.", "Cleo R."))):
        rows = {name: next(row for row in source.split("<tr") if f"<bdi>{name}</bdi>" in row) for name in names}
        assert [NEW in row for row in rows.values()] == [False, False, True]


def test_new_is_said_of_the_list_that_is_shown(cast, client_of, teacher, twenty_games, rapid):
    for client, url in ((teacher, f"/students/{cast.mia.pk}/"), (client_of(cast.mia.user), "/me/")):
        numbers = [client.get(url, query).content.decode().split("<table")[0] for query in ({}, {"list": rapid.pk})]
        assert [NEW in piece for piece in numbers] == [False, True]


def test_how_sure_a_number_is_stands_beside_it(cast, client_of, teacher):
    make_game(cast.classroom, cast.mia, cast.ben, day=datetime.date(2024, 3, 11))
    sentence = (
        "Between 130 and 1502 : in this range the strength behind the number lies 19 times in 20; "
        "every game narrows it, weeks without a game widen it."
    )

    pages = [words_of(teacher.get(f"/students/{cast.mia.pk}/")), words_of(client_of(cast.mia.user).get("/me/"))]

    assert [sentence in page for page in pages] == [True, True]
    assert "Between" not in words_of(teacher.get(f"/students/{cast.cleo.pk}/"))


# --- performance ---


def test_performance_of_the_term_is_proposed(cast, teacher):
    make_game(cast.classroom, cast.mia, cast.ben)
    make_game(cast.classroom, cast.ben, cast.mia, DRAW, day=datetime.date(2020, 1, 6))

    page = teacher.get(f"/students/{cast.mia.pk}/")

    assert (
        "1600 Score 1 in 1 game against an opponent rated 800; what a score is worth comes from FIDE’s table 8.1.1."
        in words_of(page)
    )
    assert page.context["period"]["to_day"].value() == cast.school.today().isoformat()


def test_performance_of_another_period_stays_in_the_list(cast, teacher, rapid):
    record_in(rapid, cast, day=datetime.date(2024, 3, 11))
    period = {"from_day": "2024-03-01", "to_day": "2024-03-31"}

    in_rapid = teacher.get(f"/students/{cast.mia.pk}/", period | {"list": rapid.pk})
    in_default = words_of(teacher.get(f"/students/{cast.mia.pk}/", period))

    assert "1800 Score 1 in 1 game against an opponent rated 1000" in words_of(in_rapid)
    assert kept_list(in_rapid) == str(rapid.pk)
    assert "No games in this period." in in_default


@pytest.mark.parametrize(
    ("asked", "errors"),
    [
        ({"from_day": "junk"}, {"from_day": ["Write the day as in 2026-09-01."]}),
        ({"to_day": "2024-02-30"}, {"to_day": ["Write the day as in 2026-09-01."]}),
        ({"from_day": "2024-03-02", "to_day": "2024-03-01"}, {"to_day": ["The last day lies before the first."]}),
    ],
)
def test_a_bad_period_is_said_and_what_was_typed_stays(cast, teacher, asked, errors):
    make_game(cast.classroom, cast.mia, cast.ben)

    page = teacher.get(f"/students/{cast.mia.pk}/", asked)

    assert page.status_code == 200
    form = page.context["period"]
    assert form.errors == errors
    assert {name: form[name].value() for name in asked} == asked
    assert page.context["performance"] is None
    assert "No games in this period." not in words_of(page)
