"""User names that a child can type."""

from __future__ import annotations

import pytest

from classes.core.usernames import normalise, propose


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        (set(), "mia"),
        ({"mia"}, "miak"),
        ({"mia", "miak"}, "miako"),
        ({"mia", "miak", "miako"}, "miakow"),
        ({"mia", "miak", "miako", "miakow"}, "miakowa"),
        ({"mia", "miak", "miako", "miakow", "miakowa"}, "miak2"),
        ({"mia", "miak", "miako", "miakow", "miakowa", "miak2"}, "miak3"),
    ],
)
def test_the_first_free_name_is_proposed_from_the_shortest_on(taken, expected):
    assert propose("Mia", "Kowalczyk", taken) == expected


@pytest.mark.parametrize(
    ("first", "last", "taken", "expected"),
    [
        ("Anne-Marie", "St. John", set(), "annemarie"),
        ("Chloe", "O'Brien", {"chloe"}, "chloeo"),
        ("Maximilianus", "", set(), "maximilianus"),
        ("Bartholomewson", "Xi", {"bartholomews"}, "bartholomewsx"),
        ("Mia", "", {"mia", "mia2"}, "mia3"),
        ("", "", set(), "player"),
        ("123", "456", {"player"}, "player2"),
        ("Ng", "X", {"ng", "ngx"}, "ngx2"),
    ],
)
def test_names_of_every_kind_give_a_user_name_of_small_letters(first, last, taken, expected):
    assert propose(first, last, taken) == expected


def test_thirty_of_one_name_get_thirty_user_names():
    taken: set[str] = set()
    for _ in range(30):
        taken.add(propose("Mia", "K", taken))

    assert taken == {"mia", "miak", *(f"miak{number}" for number in range(2, 30))}


@pytest.mark.parametrize("typed", ["Mia", " mia ", "MIA\t", "\u00a0Mia", "\uff2d\uff49\uff41"])
def test_however_it_is_typed_a_user_name_has_one_spelling(typed):
    assert normalise(typed) == "mia"
