"""Names are written so that no two students of a class look the same."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classes.core.names import Name, finds, full_labels, match_key, short_labels


def named(*names: str | tuple[str, str] | tuple[str, str, str]) -> list[Name]:
    """Names with the ids 1, 2, 3, ...; each `First`, (first, last) or (first, last, grade)."""
    parts = [(name, "") if isinstance(name, str) else name for name in names]
    return [Name(number, *part) for number, part in enumerate(parts, start=1)]


def labels(told_apart, *names) -> list[str]:
    found = told_apart(named(*names))
    return [found[number] for number in range(1, len(names) + 1)]


def test_full_labels_are_first_and_last_name():
    assert labels(full_labels, ("Mia", "Kowalczyk"), ("Ben", "Osei"), "Kahanu") == [
        "Mia Kowalczyk",
        "Ben Osei",
        "Kahanu",
    ]


@pytest.mark.parametrize("told_apart", [full_labels, short_labels])
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([("Lena", "Koval", "3"), ("Lena", "Koval", "5")], ["Lena Koval (3)", "Lena Koval (5)"]),
        ([("Lena", "Koval", ""), ("Lena", "Koval", "5")], ["Lena Koval", "Lena Koval (5)"]),
        ([("Lena", "Koval", "5"), ("Lena", "Koval", "5")], ["Lena Koval (5, #1)", "Lena Koval (5, #2)"]),
        ([("Lena", "Koval", ""), ("Lena", "Koval", "")], ["Lena Koval (#1)", "Lena Koval (#2)"]),
        (
            [("Lena", "Koval", "5"), ("Lena", "Koval", "3"), ("Lena", "Koval", "5")],
            ["Lena Koval (5, #1)", "Lena Koval (3)", "Lena Koval (5, #2)"],
        ),
        ([("Mia", "", "4"), ("Mia", "", "5")], ["Mia (4)", "Mia (5)"]),
    ],
)
def test_two_of_the_same_name_are_told_apart_by_grade_and_else_by_number(told_apart, names, expected):
    assert labels(told_apart, *names) == expected


def test_names_that_differ_only_in_case_spaces_or_apostrophe_count_as_the_same():
    assert labels(full_labels, ("Seán", "O'Brien", "4"), ("SEÁN", "O’Brien", "5")) == [
        "Seán O'Brien (4)",
        "SEÁN O’Brien (5)",
    ]


def test_short_labels_show_the_first_letter_of_the_last_name():
    assert labels(short_labels, ("Mia", "Kowalczyk"), ("Mia", "Larsen"), ("Ben", "Osei")) == [
        "Mia K.",
        "Mia L.",
        "Ben O.",
    ]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([("Mia", "Kowalczyk"), ("Mia", "Kern"), ("Mia", "Larsen")], ["Mia Ko.", "Mia Ke.", "Mia L."]),
        ([("Mia", "Keller"), ("Mia", "Kern"), ("Mia", "Kowalczyk")], ["Mia Kel.", "Mia Ker.", "Mia Ko."]),
        ([("Mia", "K"), ("Mia", "Kern")], ["Mia K", "Mia Ke."]),
        ([("Tim", "Ng"), ("Tim", "Nguyen")], ["Tim Ng", "Tim Ngu."]),
        ([("José", "Peña"), ("Jose", "Pena")], ["José P.", "Jose P."]),
    ],
)
def test_where_short_labels_would_look_the_same_more_letters_are_shown(names, expected):
    assert labels(short_labels, *names) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (("Mia", ""), "Mia"),
        (("Ng", "Xi"), "Ng X."),
        (("Xi", "O"), "Xi O"),
        (("Борис", "Иванов"), "Борис И."),
        (("小龍", "李"), "小龍 李"),
        (("נועה", "לוי"), "נועה ל."),
        (("محمد", "علي"), "محمد ع."),
        (("Łukasz", "Łaski"), "Łukasz Ł."),
        (("Mateo", "de la Cruz"), "Mateo d."),
    ],
)
def test_short_labels_of_single_short_and_foreign_names(name, expected):
    assert labels(short_labels, name) == [expected]


def test_a_single_name_and_one_with_a_last_name_keep_their_short_labels():
    assert labels(short_labels, "Mia", ("Mia", "Kowalczyk")) == ["Mia", "Mia K."]


def test_last_names_of_several_words_never_end_in_a_space():
    assert labels(short_labels, ("Ana", "de la Cruz"), ("Ana", "Dell")) == ["Ana de.", "Ana Del."]


def test_nobody_has_no_labels():
    assert (full_labels([]), short_labels([])) == ({}, {})


A_NAME = st.tuples(st.sampled_from(["Mia", "mia", "Ben"]), st.sampled_from(["", "K", "Ke", "Kern", "Kerr"]),
                   st.sampled_from(["", "5", "6"]))  # fmt: skip


@given(st.lists(A_NAME, max_size=12), st.sampled_from([full_labels, short_labels]))
def test_no_two_students_ever_get_labels_that_look_the_same(names, told_apart):
    found = labels(told_apart, *names)

    assert len({match_key(label).rstrip(".") for label in found}) == len(names)
    assert [label.startswith(first) for label, (first, *_) in zip(found, names, strict=True)] == [True] * len(names)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("José Peña", "Jose\u0301 Pen\u0303a"),
        ("JOSÉ PEÑA", "josé peña"),
        ("Mia  Kowalczyk ", " Mia\tKowalczyk"),
        ("Mia\u00a0Kowalczyk", "Mia Kowalczyk"),
        ("Straße", "STRASSE"),
        *itertools.combinations(["Seán O'Brien", "Seán O’Brien", "Seán O‘Brien", "Seán OʼBrien", "Seán O`Brien"], 2),
    ],
)
def test_spellings_of_one_name_match(one, other):
    assert match_key(one) == match_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("José Peña", "Jose Pena"), ("Mia K", "Mia Ke"), ("Anna Maria", "Annamaria"), ("Müller", "Mueller")],
)
def test_different_names_do_not_match(one, other):
    assert match_key(one) != match_key(other)


@pytest.mark.parametrize("sought", ["blübaum", "bluebaum", "blubaum", "BLÜB", "mia b"])
def test_a_name_is_found_with_and_without_its_accents(sought):
    assert finds(sought, "Mia Blübaum")


@pytest.mark.parametrize(
    ("sought", "name", "found"),
    [
        ("lukasz", "Łukasz", True),
        ("sorensen", "Sørensen", True),
        ("soerensen", "Sørensen", True),
        ("ben", "Mia", False),
    ],
)
def test_letters_with_a_stroke_are_found(sought, name, found):
    assert finds(sought, name) is found


def test_finding_is_not_being_the_same():
    assert finds("sue", "Sü")
    assert match_key("Sue") != match_key("Sü")
