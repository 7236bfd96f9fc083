"""A list of names as a teacher pastes it."""

from __future__ import annotations

import pytest

from classes.core.names import match_key
from classes.core.pasted_names import LONGEST, PastedName, Verdict, read_names, split_name


def read(text: str, *known: str) -> list[tuple[str, str]]:
    return [(name.first, name.last) for name in read_names(text, {match_key(name) for name in known})]


def verdicts(text: str, *known: str) -> list[tuple[int, str, Verdict]]:
    return [(name.line, name.full, name.verdict) for name in read_names(text, {match_key(name) for name in known})]


def test_one_student_per_line():
    assert read_names("Mia Kowalczyk\nBen Osei\n", ()) == [
        PastedName(1, "Mia", "Kowalczyk", Verdict.NEW),
        PastedName(2, "Ben", "Osei", Verdict.NEW),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mia Kowalczyk", ("Mia", "Kowalczyk")),
        ("Kowalczyk, Mia", ("Mia", "Kowalczyk")),
        ("de la Cruz, Mateo", ("Mateo", "de la Cruz")),
        ("Quist III,Otis", ("Otis", "Quist III")),
        ("Mateo de la Cruz", ("Mateo", "de la Cruz")),
        ("Kahanu", ("Kahanu", "")),
        ("Kahanu,", ("Kahanu", "")),
        ("  Mia   Kowalczyk  ", ("Mia", "Kowalczyk")),
        ("Jose\u0301 Pen\u0303a", ("José", "Peña")),
    ],
)
def test_first_and_last_name_are_told_apart(text, expected):
    assert split_name(text) == expected


@pytest.mark.parametrize(
    "line",
    ["1. Mia Kowalczyk", "2) Mia Kowalczyk", "3: Mia Kowalczyk", "12.Mia Kowalczyk", "3 - Mia Kowalczyk",
     "4\tMia Kowalczyk", "5 Mia Kowalczyk", "- Mia Kowalczyk", "* Mia Kowalczyk", "• Mia Kowalczyk",
     "· Mia Kowalczyk", "– Mia Kowalczyk", "  •\tMia Kowalczyk", "Mia\tKowalczyk", "Mia Kowalczyk;", "Mia Kowalczyk,",
     "1.\tKowalczyk, Mia", "Mia\u00a0Kowalczyk", "\ufeffMia Kowalczyk", "\u200eMia Kowalczyk\u200f",
     "Mia Kowal\u00adczyk", "\u202aMia\u202c Kowalczyk", "\x07Mia\x00Kowalczyk\x1b"],
)  # fmt: skip
def test_numbers_bullets_tabs_and_marks_that_cannot_be_seen_are_left_out(line):
    assert read(line) == [("Mia", "Kowalczyk")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n", "\r\n \t\r\n", "\u2028", "\n•\n- \n3.\n"])
def test_every_kind_of_line_end_and_empty_lines(end):
    assert read(f"{end}Mia Kowalczyk{end}Ben Osei{end}") == [("Mia", "Kowalczyk"), ("Ben", "Osei")]


def test_a_name_keeps_the_number_of_its_line():
    assert [name.line for name in read_names("\n\nMia\r\n\r\nBen", ())] == [3, 5]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Борис Иванов", ("Борис", "Иванов")),
        ("נועה לוי", ("נועה", "לוי")),
        ("李小龍", ("李小龍", "")),
        ("علی\u200cرضا کریمی", ("علی\u200cرضا", "کریمی")),
        ("Seán O’Brien", ("Seán", "O’Brien")),
        ("-Kai Udall", ("-Kai", "Udall")),
        ("=HYPERLINK(1) Orton", ("=HYPERLINK(1)", "Orton")),
        ("<b>Max</b> Webb", ("<b>Max</b>", "Webb")),
        ("Mia 🦊", ("Mia", "🦊")),
        ("👩\u200d🚀 Star", ("👩\u200d🚀", "Star")),
    ],
)
def test_names_of_every_script_and_names_that_look_like_code_stay_as_they_are(text, expected):
    assert read(text) == [expected]


def test_a_name_that_is_in_the_class_already_is_known():
    assert verdicts("MIA  kowalczyk\nKowalczyk, Mia\nMia Kowal", "Mia Kowalczyk") == [
        (1, "MIA kowalczyk", Verdict.KNOWN),
        (2, "Mia Kowalczyk", Verdict.KNOWN),
        (3, "Mia Kowal", Verdict.NEW),
    ]


def test_a_line_that_comes_again_is_asked_about_and_never_dropped():
    assert verdicts("John Smith\nMia\nJohn Smith\nSmith, John\n") == [
        (1, "John Smith", Verdict.NEW),
        (2, "Mia", Verdict.NEW),
        (3, "John Smith", Verdict.REPEATED),
        (4, "John Smith", Verdict.REPEATED),
    ]


def test_near_duplicates_are_the_same_but_for_accents():
    text = "José Peña\nJose\u0301 Pen\u0303a\nJose Pena\nJOSÉ PEÑA\nSeán O'Brien\nSeán O’Brien\nTim Ng\nTom Ng"

    assert [verdict for _, _, verdict in verdicts(text)] == [
        Verdict.NEW, Verdict.REPEATED, Verdict.NEW, Verdict.REPEATED,
        Verdict.NEW, Verdict.REPEATED, Verdict.NEW, Verdict.NEW,
    ]  # fmt: skip


def test_a_list_pasted_again_has_nothing_new():
    names = [f"Student Number{number}" for number in range(25)]

    assert {verdict for _, _, verdict in verdicts("\n".join(names), *names)} == {Verdict.KNOWN}


@pytest.mark.parametrize(
    ("line", "verdict"),
    [
        ("A" * LONGEST, Verdict.NEW),
        ("A" * (LONGEST + 1), Verdict.TOO_LONG),
        ("Mia " + "K" * LONGEST, Verdict.NEW),
        ("Mia " + "K" * (LONGEST + 1), Verdict.TOO_LONG),
    ],
)
def test_a_name_longer_than_a_name_can_be_is_too_long(line, verdict):
    assert [found for _, _, found in verdicts(line)] == [verdict]


def test_very_long_input_is_read_line_by_line():
    text = "\n".join(f"{number % 1000}. Student{number} Of Many" for number in range(5000))

    assert read(text) == [(f"Student{number}", "Of Many") for number in range(5000)]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\ufeff", "\u200b\n\u200e", "•\n- \n1.", ",;\t,"])
def test_nothing_to_read(text):
    assert read(text) == []


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("John Smith,3", ("John", "Smith", "3")),
        ("Smith, John, 3b", ("John", "Smith", "3b")),
        ("Mia\t3", ("Mia", "", "3")),
        ("Mia K", ("Mia", "K", "")),
        ("Mia, K", ("Mia", "", "K")),
        ("Kowalczyk, Mia", ("Mia", "Kowalczyk", "")),
        ("Ng, Xi", ("Xi", "Ng", "")),
    ],
)
def test_a_grade_may_follow_the_name(line, name):
    [read] = read_names(line, known=())

    assert (read.first, read.last, read.grade) == name


def test_two_of_one_name_in_two_grades_are_two_children():
    verdicts = [name.verdict for name in read_names("John Smith,3\nJohn Smith,4\nJohn Smith,4", known=())]

    assert verdicts == [Verdict.NEW, Verdict.NEW, Verdict.REPEATED]
