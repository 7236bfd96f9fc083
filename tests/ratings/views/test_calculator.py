"""The calculator, through its pages: every example that it covers, what it does with nonsense, and what it asks for.

Most ask for the result alone, as htmx does; that the whole page holds the same piece is tested too.
"""

from __future__ import annotations

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from ratings.core.fide import UPPER_EDGES
from tests.pages import rows_of, words_of

DATA = Path(__file__).parents[2] / "data"
VECTORS = json.loads((DATA / "vectors_calculator.json").read_text())
MORE_VECTORS = json.loads((DATA / "vectors.json").read_text())
RESULT = {2: "win", 1: "draw", 0: "loss"}
SIGN = {2: "1", 1: "½", 0: "0"}

pytestmark = pytest.mark.django_db

PAGES = [f"ratings:calculator_{part}" for part in ("game", "games", "fide", "first", "glicko", "us")]


def ask(client, part: str, *, whole: bool = False, **asked):
    """The page, or its result as htmx gets it (without the form, which takes long to render)."""
    headers = {} if whole else {"HX-Request": "true"}
    return client.get(reverse(f"ratings:calculator_{part}"), asked, headers=headers)


def answer(client, part: str, **asked) -> str:
    """The words of the result."""
    return words_of(ask(client, part, **asked))


def rows(games, **more) -> dict[str, str]:
    """The fields of games, each (opponent, score halves) or with the opponent's deviation between."""
    asked = {name: str(value) for name, value in more.items()}
    for number, (opponent, *deviation, halves) in enumerate(games, 1):
        asked |= {f"opponent{number}": str(opponent), f"result{number}": RESULT[halves]}
        asked |= {f"deviation{number}": str(one) for one in deviation}
    return asked


def spread(opponents, score) -> list[tuple[int, int]]:
    """Games with this score: only the sum counts."""
    halves = int(2 * score)
    return [(opponent, min(2, max(0, halves - 2 * place))) for place, opponent in enumerate(opponents)]


def written(value, places: int, *, signed: bool = False) -> str:
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    sign = "" if not signed else "+" if rounded > 0 else "−" if rounded < 0 else "±"
    return sign + str(abs(rounded))


def whole_change(change: int) -> str:
    return written(change, 0, signed=True)


def arrow(change: str) -> str:
    return {"+": f"▲ {change}", "−": f"▼ {change}", "±": change}[change[0]]


# --- one game ---


def test_every_example_of_single_games(client):
    for row in VECTORS["elo"]["exact"]:
        page = ask(client, "game", white=row["a"], black=row["b"], k=row["k"])

        shown = rows_of(page)[2 - int(2 * row["score_a"])]
        white, black = (
            written(change, 1, signed=True) for change in (Decimal(row["delta_a"]), -Decimal(row["delta_a"]))
        )
        whole = (
            f"{row['new_a_int']} ({whole_change(row['delta_a_int'])})",
            f"{row['new_b_int']} ({whole_change(-row['delta_a_int'])})",
        )
        assert shown[1:] == [
            f"{written(row['new_a'], 1)} {arrow(white)} {whole[0]}",
            f"{written(row['new_b'], 1)} {arrow(black)} {whole[1]}",
        ]
        words = words_of(page)
        for side, name in (("a", "White"), ("b", "Black")):
            assert f"{name}: {row[side]} expected {written(row[f'expected_{side}'], 3)}" in words


def test_all_three_results_stand_side_by_side(client):
    assert answer(client, "game", white="1000", black="900", k="32") == (
        "What each result does If White: 1000 expected 0.640 Black: 900 expected 0.360 "
        "White wins 1011.5 ▲ +11.5 1012 (+12) 888.5 ▼ −11.5 888 (−12) "
        "Draw 995.5 ▼ −4.5 996 (−4) 904.5 ▲ +4.5 904 (+4) "
        "Black wins 979.5 ▼ −20.5 980 (−20) 920.5 ▲ +20.5 920 (+20) "
        "Below each: the whole numbers that a class list keeps. "
        "Address of this calculation to keep or to share"
    )


@pytest.mark.parametrize("row", MORE_VECTORS["elo"]["integer_dead_zone"], ids=lambda row: f"K {row['k']}")
def test_a_favourite_far_ahead_is_told_that_a_win_gains_nothing(client, row):
    told = [
        "a win is rounded to 0 points" in answer(client, "game", white=800 + ahead, black=800, k=row["k"])
        for ahead in (row["gap_at_which_a_win_rounds_to_zero"] - 1, row["gap_at_which_a_win_rounds_to_zero"])
    ]

    assert told == [False, True]


def test_any_k_can_stand_in_the_address(client):
    page = ask(client, "game", whole=True, white="1600", black="1600", k="24")

    assert rows_of(page)[0][1] == "1612.0 ▲ +12.0 1612 (+12)"
    assert 'name="own_k" value="24"' in page.content.decode()
    assert (
        rows_of(ask(client, "game", whole=True, white="1600", black="1600", k="own", own_k="24"))[0][1]
        == "1612.0 ▲ +12.0 1612 (+12)"
    )
    assert (
        rows_of(ask(client, "game", whole=True, white="1600", black="1600", k="32", own_k="abc"))[0][1]
        == "1616.0 ▲ +16.0 1616 (+16)"
    )


# --- several games ---


@pytest.mark.parametrize("row", VECTORS["performance"]["linear_400"], ids=lambda row: f"{row['opponents']}")
def test_performances_by_the_table_and_by_the_linear_rule(client, row):
    shown = answer(client, "games", **rows(spread(row["opponents"], row["score"]), rating=1500, k=32))

    assert f"Opponents on average {row['average']} Performance rating by FIDE’s table {row['TPR']} " in shown
    assert f"Performance rating by the linear rule {row['linear_400']} " in shown


def test_games_in_a_row_and_at_once(client):
    batch = VECTORS["elo"]["batch"]
    a, b, c = batch["a"].values()
    change = written(Decimal(batch["after"]["A"]) - a, 1, signed=True)

    page = ask(client, "games", **rows([(b, 2), (c, 0)], rating=a, k=batch["k"]))

    assert rows_of(page) == [["900", "1", "0.64", "▲ +12", "1012"], ["800", "0", "0.77", "▼ −25", "987"]]
    shown = answer(client, "games", **rows([(b, 2), (c, 0)], rating=a, k=batch["k"]))
    assert "Rating after 987 ▼ −13 1 of 2 points, expected 1.40" in shown
    assert f"All games rated at once from the rating before {change}" in shown


@pytest.mark.parametrize("order", MORE_VECTORS["elo"]["order_dependence"]["orders"], ids=lambda row: str(row["order"]))
def test_a_row_of_games_ends_where_the_class_list_would(client, order):
    """A's two games with the ratings that B and C have by then in whole numbers."""
    ratings = dict(MORE_VECTORS["elo"]["order_dependence"]["start"])
    games = []
    for winner, loser, _ in order["order"]:
        page = ask(client, "game", white=ratings[winner], black=ratings[loser], k=32)
        if winner == "A":
            games.append((ratings[loser], 2))
        elif loser == "A":
            games.append((ratings[winner], 0))
        ratings[winner], ratings[loser] = (
            side.whole_after
            for side in (page.context["result"].outcomes[0].white, page.context["result"].outcomes[0].black)
        )

    shown = answer(client, "games", **rows(games, rating=1000, k=32))

    assert shown.startswith(f"Rating after {int(float(order['sequential_int']['A']))} ")


# --- FIDE ---

SINGLE = MORE_VECTORS["fide"]["game_changes"] + VECTORS["fide"]["game_changes_rapid"]


def fide_player(k: int) -> dict[str, str]:
    """Somebody who has this K."""
    return {
        10: {"peak": "2500", "age": "adult", "before": "100"},
        20: {"peak": "", "age": "adult", "before": "100"},
        40: {"peak": "", "age": "adult", "before": "0"},
    }[k]


@pytest.mark.parametrize("row", SINGLE, ids=lambda row: f"{row['own']}-{row['opp']}-{row['score']}")
def test_fide_changes_of_single_games(client, row):
    player = fide_player(row["K"]) | {"chapter": row.get("chapter", "standard")}

    page = ask(client, "fide", **rows([(row["opp"], int(2 * row["score"]))], rating=row["own"], **player))

    assert rows_of(page)[0][3] == written(str(row["PD"]), 2)
    assert f"{written(str(row['change']), 2, signed=True)}, rounded once K = {row['K']} :" in words_of(page)
    assert ("counts as" in words_of(page)) == (row["D"] != row["D_used"])


@pytest.mark.parametrize("row", MORE_VECTORS["fide"]["k_factor"], ids=lambda row: row["desc"])
def test_fide_k_with_its_reason(client, row):
    asked = rows([(row["rating"], 1)], rating=row["rating"], before=row["games"], chapter="standard")
    asked["peak"] = "2400" if row["ever_published_2400"] else ""
    asked["age"] = "junior" if row["list_year"] - row["birth_year"] <= 18 else "adult"

    shown = answer(client, "fide", **asked)

    reasons = ["2400 was reached", "18 or younger", "fewer than 30", "at least 30"]
    assert f"K = {row['K']} :" in shown
    assert sum(reason in shown for reason in reasons) == 1


@pytest.mark.parametrize("row", VECTORS["fide"]["k_times_n"], ids=lambda row: f"{row['K']} x {row['n']}")
def test_k_falls_in_a_period_of_many_games(client, row):
    asked = rows([(2000, 1)] * row["n"], rating=2000, chapter="standard", **fide_player(row["K"]))

    shown = answer(client, "fide", **asked)

    less = f"With {row['n']} games in one period it is only {row['K_used']}: K times games may be at most 700."
    assert (less in shown) == (row["K_used"] != row["K"])


def games_with_sum(hundredths: int, rating: int) -> list[tuple[int, int]]:
    """Draws whose scores less what the table expects come to so many hundredths."""
    games = []
    while hundredths:
        gained = max(-42, min(42, hundredths))
        ahead = UPPER_EDGES[abs(gained)]
        games.append((rating + ahead if gained > 0 else rating - ahead, 1))
        hundredths -= gained
    return games


@pytest.mark.parametrize(
    "row", MORE_VECTORS["fide"]["period_rounding"], ids=lambda row: f"{row['K']} x {row['sum_delta_R']}"
)
def test_a_period_is_rounded_once(client, row):
    hundredths = Fraction(row["sum_delta_R"]) * 100
    if hundredths.denominator != 1:
        return  # no games come to a part of a hundredth
    rating = 2000

    shown = answer(
        client,
        "fide",
        **rows(games_with_sum(int(hundredths), rating), rating=rating, chapter="standard", **fide_player(row["K"])),
    )

    change = written(row["published"], 0, signed=True)
    assert shown.startswith(f"Rating after {rating + row['published']} {arrow(change)} ")


FIRST = VECTORS["fide"]["initial_rating"]


@pytest.mark.parametrize("row", FIRST, ids=lambda row: f"{row['score']} from {row['opponents'][0]} x {row['n']}")
def test_first_fide_ratings(client, row):
    shown = answer(client, "first", **rows(spread(row["opponents"], row["score"])))

    if row["n"] < 5:
        assert shown == "A first rating needs at least five games against players who have a FIDE rating."
        return
    start = (
        f"First rating {row['after_2200_cap']}" if row["publishable"] else f"No rating yet: it would be {row['Ru']},"
    )
    assert shown.startswith(start)
    assert f"It would be {row['Ru']}, but a first rating is at most 2200." in shown or row["Ru"] <= 2200
    assert (
        f"two of 1800 {written(row['Ra'], 2)} Score with two draws more, in hundredths {row['p_hundredths']} " in shown
    )
    assert f"Worth by table 8.1.1 {written(row['dp'], 0, signed=True)} " in shown


def test_a_first_event_without_half_a_point_gives_no_rating(client):
    shown = answer(client, "first", **rows([(1900, 0)] * 5))

    assert shown.startswith("No rating yet: a first event without half a point is left out.")


def test_the_first_rating_that_the_page_shows_at_first_was_published(client):
    assert answer(client, "first").startswith(
        f"First rating {VECTORS['fide']['initial_rating_published_fixture']['Ru']} "
    )


# --- Glicko ---

PERIODS = [MORE_VECTORS["glicko"]["example"], *MORE_VECTORS["glicko"]["uncertain_opponent"]]


@pytest.mark.parametrize("row", PERIODS, ids=lambda row: f"{row['rd']} in {len(row['games'])}")
def test_glicko_periods(client, row):
    games = [(game["rj"], game["rdj"], 2 * game["s"]) for game in row["games"]]
    asked = rows(games, rating=row["r"], deviation=row["rd"])

    page, shown = ask(client, "glicko", **asked), answer(client, "glicko", **asked)

    low, high = (written(edge, 0) for edge in row["interval95"])
    change = written(row["r_new"] - row["r"], 1, signed=True)
    assert shown.startswith(
        f"Rating after {written(row['r_new'], 1)} {arrow(change)} deviation {row['rd']} → {written(row['rd_new'], 1)} "
        f"Between {low} and {high} :"
    )
    assert rows_of(page) == [
        [str(game["rj"]), str(game["rdj"]), SIGN[2 * game["s"]], written(game["g"], 4), written(game["E"], 3)]
        for game in row["games"]
    ]


def test_the_example_of_the_paper_is_there_at_first(client):
    printed = VECTORS["glicko"]["paper_printed"]

    assert answer(client, "glicko").startswith(f"Rating after {printed['r_new']}.1 ")
    assert f"→ {printed['rd_new']} " in answer(client, "glicko")
    assert [row[3:] for row in rows_of(ask(client, "glicko"))] == [
        [str(g), f"{e:.3f}"] for g, e in zip(printed["g"], printed["E"], strict=True)
    ]


# --- US Chess ---

US = {"peak": 900, "peak_games": "established", "wins": 10, "draws": 3, "events": 7}


@pytest.mark.parametrize(
    "row", VECTORS["uschess"]["standard"], ids=lambda row: f"{row['score']} from {row['opponents']}"
)
def test_us_events(client, row):
    shown = answer(
        client,
        "us",
        **rows(spread(row["opponents"], row["score"]), rating=row["pre"], before=row["games_before"], **US),
    )

    assert shown.startswith(f"Rating after, about {row['post_rounded']} ")
    assert (
        f"exactly {written(row['post'], 1)} K = 800 / ({written(row['N_eff'], 2)} + {len(row['opponents'])}) "
        f"{written(row['K'], 2)} Expected points {written(row['expected'], 2)} Bonus {written(row['bonus'], 1)} "
    ) in shown


@pytest.mark.parametrize("row", VECTORS["uschess"]["special_exact"], ids=lambda row: f"{row['opponents']}")
def test_us_first_games(client, row):
    shown = answer(
        client,
        "us",
        **rows(spread(row["opponents"], row["score"]), rating=row["pre"], before=row["games_before"], **US),
    )

    assert f"exactly {written(row['post'], 1)} First eight games: the special formula, no K" in shown


def test_the_published_example_of_us_chess(client):
    row = VECTORS["uschess"]["published_vector"]

    shown = answer(
        client, "us", **rows(zip(row["opponents"], (2, 0, 1), strict=True), rating=row["pre"], before=row["N"], **US)
    )

    assert shown.startswith(f"Rating after, about {row['post']} ")


@pytest.mark.parametrize(
    "row", VECTORS["uschess"]["k_for_classroom"], ids=lambda row: f"{row['rating']} in {row['event_games']}"
)
def test_us_k_of_a_class(client, row):
    games = [(row["rating"], 1)] * row["event_games"]

    shown = answer(client, "us", **rows(games, rating=row["rating"], before=26, **US))

    assert f"+ {row['event_games']}) {written(str(row['K']), 2)} " in shown


@pytest.mark.parametrize("row", VECTORS["uschess"]["n_star"], ids=lambda row: str(row["rating"]))
def test_us_effective_games(client, row):
    shown = answer(client, "us", **rows([(row["rating"], 1)], rating=row["rating"], before=1000, **US))

    told = float(re.search(r"Games that the old rating is worth ([\d.]+) ", shown)[1])
    assert told == pytest.approx(row["n_star"], abs=0.006)  # two decimals


FLOORS = [*VECTORS["uschess"]["floors"], *VECTORS["uschess"]["published_floor_examples"]]


@pytest.mark.parametrize("row", FLOORS, ids=lambda row: str(row["peak"]))
def test_us_floors(client, row):
    asked = {
        "peak": row["peak"],
        "peak_games": "established" if row.get("established", True) else "provisional",
        "wins": row.get("wins", 0),
        "draws": row.get("draws", 0),
        "events": row.get("events3", 0),
    }

    shown = answer(client, "us", **rows([(1000, 1)], rating=1000, before=30, **asked))

    assert f"Floor {row['floor']} The rating never falls below it." in shown


@pytest.mark.parametrize(("before", "word"), [(21, "provisional"), (22, "established")])
def test_a_us_rating_is_provisional_up_to_25_games(client, before, word):
    assert f" Rating {word} " in answer(client, "us", **rows([(1000, 1)] * 4, rating=1000, before=before, **US))


# --- nonsense ---

NONSENSE = ["", " ", "abc", "-1", "99999", "4001", "NaN", "inf", "1e3", "10.5", "9" * 6000, "１０x", "\x00", "🐴", "½"]


@pytest.mark.parametrize("value", NONSENSE, ids=lambda value: repr(value)[:12])
def test_nonsense_gets_a_sentence_and_the_form_back(client, value):
    page = ask(client, "game", whole=True, white=value, black="900", k="32")

    assert page.status_code == 200
    assert "White’s rating : write a whole number from 0 to 4000." in words_of(page)
    assert 'name="black" value="900"' in page.content.decode()


@pytest.mark.parametrize("value", ["abc", "-1", "9" * 6000, "\x00"], ids=lambda value: repr(value)[:12])
@pytest.mark.parametrize("name", PAGES)
def test_nonsense_everywhere_is_no_error(client, name, value):
    names = [
        *client.get(reverse(name)).context["form"].fields,
        "opponent0",
        "result-1",
        "nothing",
    ]

    page = client.get(reverse(name), dict.fromkeys(names, value))

    assert page.status_code == 200
    assert page.context["result"] is None
    assert page.context["form"].complaints()


def test_what_was_typed_stays(client):
    page = ask(client, "games", whole=True, rating="800", k="32", opponent1="abc", result1="win").content.decode()

    assert 'name="opponent1" value="abc"' in page
    assert '<option value="win" selected>' in page


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"opponent1": "900"}, "Game 1, your result : is missing."),
        ({"result2": "win"}, "Game 2, opponent’s rating : is missing."),
        ({"opponent1": ""}, "Write at least one game: the opponent’s rating and your result."),
        ({"opponent1": "900", "result1": "nobody"}, "Game 1, your result : choose one of the list."),
        ({"opponent1": "900", "result1": "win", "k": "0"}, "Own K : write a whole number from 1 to 200."),
        ({"opponent1": "900", "result1": "win", "k": "own"}, "Own K : write a whole number from 1 to 200."),
        ({"opponent1": "900", "result1": "win", "k": ""}, "K : choose one of the list."),
    ],
)
def test_what_is_missing_is_named(client, asked, sentence):
    assert answer(client, "games", **asked) == sentence


@pytest.mark.parametrize("rating", ["0", "4000"])
@pytest.mark.parametrize("part", ["game", "games", "fide", "glicko", "us"])
def test_the_ends_of_the_scale_are_reckoned(client, part, rating):
    games = rows(
        [(4000 - int(rating), 0, 350, 2)[::3] if part != "glicko" else (4000 - int(rating), 350, 2)], rating=rating
    )

    page = ask(client, part, **games, white=rating, black=4000 - int(rating))

    assert page.context["result"] is not None


# --- rows, addresses, htmx ---


@pytest.mark.parametrize(
    ("asked", "number"),
    [
        ({}, 4),
        ({"opponent6": "900"}, 6),
        ({"opponent6": "900", "more": "1"}, 10),
        ({"opponent99": "1", "more": "1"}, 80),
    ],
)
def test_there_are_as_many_rows_as_asked_for(client, asked, number):
    page = ask(client, "games", whole=True, **asked).content.decode()

    assert page.count('class="game-row"') == number
    assert ('name="more"' in page) == (number < 80)


def test_the_address_keeps_what_means_something(client):
    asked = {"rating": "800", "k": "32", "opponent1": "900", "result1": "win", "opponent2": "", "more": "1", "x": "y"}

    page = ask(client, "games", **asked)

    kept = urlencode({"k": "32", "rating": "800", "opponent1": "900", "result1": "win"})
    address = page.context["form"].address()
    assert sorted(address.split("&")) == sorted(kept.split("&"))
    assert [row[0] for row in rows_of(client.get(f"/calculator/games/?{address}"))] == ["900"]


@pytest.mark.parametrize("name", PAGES)
def test_htmx_gets_the_result_alone_and_the_page_holds_the_same(client, name):
    page = client.get(reverse(name)).content.decode()
    piece = client.get(reverse(name), headers={"HX-Request": "true"}).content.decode()

    assert piece.startswith('<section class="panel calculated" id="result" aria-live="polite"')
    assert piece in page


@pytest.mark.parametrize("name", PAGES)
def test_the_calculator_asks_the_database_for_nothing_but_who_is_there(
    cast, client, client_of, name, django_assert_num_queries
):
    teacher = client_of(cast.teacher)
    teacher.get("/help/")  # the session notes the time
    with django_assert_num_queries(0):
        client.get(reverse(name))
    with django_assert_num_queries(4):  # session, account, membership, school
        teacher.get(reverse(name))


def test_every_part_is_linked_from_every_other(client):
    page = ask(client, "fide", whole=True).content.decode()

    assert [f'href="{reverse(name)}"' in page for name in PAGES] == [True] * len(PAGES)
    assert '<a class="nav-link active" aria-current="page" href="/calculator/fide/">' in page


@pytest.mark.parametrize(
    ("part", "ends"),
    [
        ("games", "From 800 with K 32."),
        ("fide", "From 1500."),
        ("glicko", "From 1500."),
        ("us", "From 800 after 26 games."),
    ],
)
def test_the_result_says_where_it_started_because_paper_has_no_form(client, part, ends):
    assert answer(client, part).endswith(f"{ends} Address of this calculation to keep or to share")
