"""The learn pages: open to everybody, without a query, with the numbers of the reference."""

from __future__ import annotations

import re

import pytest

from ratings.selectors.learn import TOPICS
from tests.pages import rows_of, words_of

SLUGS = [topic.slug for topic in TOPICS]


def page_of(client, slug: str):
    return client.get(f"/learn/{slug}/")


def test_the_overview_leads_to_every_page_and_to_the_practice(client):
    page = client.get("/learn/").content.decode()

    assert re.findall(r'<a class="panel class-card[^"]*" href="([^"]+)"', page) == [
        "/learn/pieces/",
        *(f"/learn/{slug}/" for slug in SLUGS),
    ]
    assert len(SLUGS) == 10


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/learn/", *(f"/learn/{slug}/" for slug in SLUGS)])
def test_visitors_are_answered_without_a_query(client, django_assert_num_queries, address):
    with django_assert_num_queries(0):
        page = client.get(address)

    assert page.status_code == 200


@pytest.mark.django_db
def test_with_an_account_only_the_session_and_the_school_are_looked_up(cast, client_of, django_assert_num_queries):
    client = client_of(cast.mia.user)
    client.get("/learn/")

    for address in ("/learn/", "/learn/expected-score/", "/learn/pieces/?piece=rook&level=1&seed=7"):
        with django_assert_num_queries(5):  # session, user, student, school; and is it a lead, to be warned of HTTP?
            client.get(address)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_page_ends_with_three_questions_and_their_answers(client, slug):
    page = page_of(client, slug).content.decode()

    questions = re.findall(r'<details class="question"><summary>(.+?)</summary><p>(.+?)</p></details>', page)
    assert len(questions) == 3
    assert all(question.endswith("?") for question, _answer in questions)


def test_the_pages_follow_one_another(client):
    following = {}
    for slug in SLUGS:
        page = page_of(client, slug).content.decode()
        following[slug] = re.search(r'<a class="btn btn-primary" href="([^"]+)"', page).group(1)

    assert list(following.values()) == [*(f"/learn/{slug}/" for slug in SLUGS[1:]), "/learn/pieces/"]


@pytest.mark.django_db
def test_there_are_no_other_pages(client):
    assert client.get("/learn/nonsense/").status_code == 404


@pytest.mark.parametrize(
    ("slug", "sentences"),
    [
        (
            "elo",
            [
                "A player of 1000 meets one of 900. The expected score is 0.64. The stronger player wins, with K = 32: "
                "32 × (1 − 0.64) is +12 in whole points. The new ratings are 1012 and 888.",
                "A draw would have cost the player of 1000 something: −4",
                "A loss: −20.",
            ],
        ),
        (
            "expected-score",
            [
                "100 points ahead: 0.64, about two points of three.",
                "200 points ahead: 0.76, about three points of four.",
                "400 points ahead: 0.91 by the formula, ten points of eleven; FIDE’s table says 0.92.",
            ],
        ),
        (
            "k-factor",
            [
                "So with K = 32 a favourite who is 720 points ahead or more gains nothing by winning",
                "with 39 games and K = 20 it is 17.",
                "a player of 800 with 26 games has about 56 in an event of four rounds, 71 in a single game.",
            ],
        ),
        ("first-games", ["fewer than 20 games", "With K = 40 a win against an equal brings +20, with K = 20 only +10"]),
        (
            "floors",
            [
                "A player of 605 loses to an equal: 16 points are lost, which would make 589. The rating stays at 600; "
                "the missing 11 points are added as a top-up.",
                "Best 1800: floor 1600. Below 1400 there is only a small one, 150 at most",
                "To 1700: take away 200",
            ],
        ),
        (
            "inflation",
            [
                "20 students who start at 800 have 16000 points together",
                "+3 for each of 20 students are 60 new points: 16060 in all, the average is 803.",
                "+20 and −10, together +10.",
                "takes away 150 points won from the others; the average of those who stay sinks to 792.",
            ],
        ),
        (
            "elo-and-glicko",
            ["the same win brings 17.4 against RD 30 and 12.0 against RD 350", "RD 60 has grown to 125"],
        ),
        (
            "time-controls",
            [
                "15 minutes each, would be rapid in FIDE’s sense",
                "10 minutes, and 60 times 5 seconds, which is 5 minutes more: 15. That is rapid.",
            ],
        ),
        (
            "fide-list",
            [
                "Three points of five against 1850, 1880, 1901, 1926, 1950. With the two extra opponents the average "
                "is 1872.43 (without them it would be 1901.4), and four points of seven are 57 %. For that the table "
                "gives 50 points more: the first rating is 1922.",
                "That is below 1400, so it is not published yet",
            ],
        ),
        ("meaning", ["Mia has 860, Ben 845.", "0.52 points a game are expected of her"]),
    ],
)
def test_the_examples_are_reckoned(client, slug, sentences):
    words = words_of(page_of(client, slug))

    assert [sentence for sentence in sentences if sentence not in words] == []


@pytest.mark.parametrize(
    ("slug", "rows"),
    [
        (
            "k-factor",
            [
                ["10", "+5", "+2", "−8", "512"],
                ["20", "+10", "+5", "−15", "637"],
                ["32", "+16", "+8", "−24", "720"],
                ["40", "+20", "+10", "−30", "760"],
            ],
        ),
        ("floors", [["1400", "1200"], ["1499", "1200"], ["1799", "1500"], ["1800", "1600"], ["1941", "1700"]]),
        (
            "time-controls",
            [
                ["2 + 1", "3", "too fast to be rated"],
                ["3 + 2", "5", "blitz"],
                ["5 + 3", "8", "blitz"],
                ["10 + 0", "10", "blitz"],
                ["10 + 5", "15", "rapid"],
                ["25 + 10", "35", "rapid"],
                ["45 + 15", "60", "standard"],
                ["90 + 30", "120", "standard"],
            ],
        ),
    ],
)
def test_the_tables_are_reckoned(client, slug, rows):
    assert rows_of(page_of(client, slug)) == rows


def test_the_curve_stands_beside_its_numbers(client):
    page = page_of(client, "expected-score")

    assert rows_of(page)[:3] + rows_of(page)[-1:] == [
        ["0", "0.500", "0.500", "0.50"],
        ["25", "0.536", "0.464", "0.53"],
        ["50", "0.571", "0.429", "0.57"],
        ["800", "0.990", "0.010", "0.92"],
    ]
    svg = re.search(r"<svg class=\"curve.*?</svg>", page.content.decode(), re.DOTALL).group()
    assert 'role="img" aria-labelledby="expected-title expected-text"' in svg
    assert "At 200 above it reads 76 percent." in svg


def test_gains_fall_with_the_opponents_deviation_and_rise_with_the_own(client):
    own, opponents = rows_of(page_of(client, "elo-and-glicko"))[:4], rows_of(page_of(client, "elo-and-glicko"))[4:]

    assert opponents == [["30", "+17.4"], ["80", "+17.0"], ["150", "+15.9"], ["350", "+12.0"]]
    gains = [float(gain) for _deviation, gain in own]
    assert gains == sorted(gains)


@pytest.mark.django_db
def test_everybody_finds_the_way(cast, client, client_of):
    found = [
        'href="/learn/"' in one.get(address).content.decode()
        for one, address in [
            (client, "/"),
            (client, "/login/"),
            (client_of(cast.teacher), "/classes/"),
            (client_of(cast.mia.user), "/me/"),
        ]
    ]

    assert found == [True] * 4
    assert 'href="/learn/pieces/"' in client.get("/").content.decode()
