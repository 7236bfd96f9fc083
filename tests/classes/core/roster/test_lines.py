"""A list of names as a teacher pastes it."""

from __future__ import annotations

import pytest

from classes.core.names import split_name
from classes.core.roster.reading import read_text
from classes.core.roster.types import LONGEST_NAME, Person


def read(text: str) -> list[tuple[str, str]]:
    return [(one.first, one.last) for one in read_text(text).students]


def remarks(text: str) -> list[tuple[int, str]]:
    return [(line, str(doubt)) for line, doubt in read_text(text).skipped]


def test_one_student_per_line():
    reading = read_text("Mia Kowalczyk\nBen Osei\n")

    assert [(row.line, row.person) for row in reading.taken] == [
        (1, Person("Mia", "Kowalczyk")),
        (2, Person("Ben", "Osei")),
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
    assert [row.line for row in read_text("\n\nMia\r\n\r\nBen").taken] == [3, 5]


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


def test_a_line_that_comes_again_is_asked_about_and_never_dropped():
    reading = read_text("John Smith\nMia\nJohn Smith\nSmith, John\n")

    assert [(row.line, row.person and row.person.full) for row in reading.rows] == [
        (1, "John Smith"), (2, "Mia"), (3, "John Smith"), (4, "John Smith"),
    ]  # fmt: skip
    assert [(line, str(doubt)) for line, doubt in reading.doubtful] == [(3, "same as line 1"), (4, "same as line 1")]


def test_near_duplicates_are_the_same_but_for_accents():
    text = "José Peña\nJose\u0301 Pen\u0303a\nJose Pena\nJOSÉ PEÑA\nSeán O'Brien\nSeán O’Brien\nTim Ng\nTom Ng\nSü\nSue"

    assert remarks(text) == [(2, "same as line 1"), (4, "same as line 1"), (6, "same as line 5")]


@pytest.mark.parametrize(
    ("line", "left_out"),
    [
        ("A" * LONGEST_NAME, []),
        ("A" * (LONGEST_NAME + 1), [(1, "too long for a name")]),
        ("Mia " + "K" * LONGEST_NAME, []),
        ("Mia " + "K" * (LONGEST_NAME + 1), [(1, "too long for a name")]),
        ("Mia " * 1000, [(1, "too long for a name")]),
    ],
)
def test_a_name_longer_than_a_name_can_be_is_too_long(line, left_out):
    assert remarks(line) == left_out


def test_very_long_input_is_read_line_by_line():
    text = "\n".join(f"{number % 1000}. Student{number} Of Many" for number in range(2000))

    assert read(text) == [(f"Student{number}", "Of Many") for number in range(2000)]


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
    [read] = read_text(line).students

    assert (read.first, read.last, read.grade) == name


def test_two_of_one_name_in_two_grades_are_two_children():
    reading = read_text("John Smith,3\nJohn Smith,4\nJohn Smith,4")

    assert [(one.full, one.grade) for one in reading.students] == [("John Smith", "3"), ("John Smith", "4")]
    assert [(line, str(doubt)) for line, doubt in reading.doubtful] == [(3, "same as line 2")]


@pytest.mark.parametrize(
    ("line", "person"),
    [
        ("1. Mia Kern (5B)", Person("Mia", "Kern", "5B")),
        ("2) Ben Osei - 6a", Person("Ben", "Osei", "6a")),
        ("• Ana Ruiz, 3rd grade", Person("Ana", "Ruiz", "3rd grade")),
        ("✅ Ana Ruiz Grade 3", Person("Ana", "Ruiz", "Grade 3")),
        ("🙂 Ana Ruiz", Person("Ana", "Ruiz")),
        ("Ana Ruiz <ana@hill.example>", Person("Ana", "Ruiz", email="ana@hill.example")),
        ("Ana Ruiz (ana@hill.example), 4", Person("Ana", "Ruiz", "4", "ana@hill.example")),
        ("王小明 4А", Person("王小明", "", "4А")),
    ],
)
def test_what_stands_around_a_name_is_told_from_it(line, person):
    assert read_text(line).students == [person]


def test_a_note_behind_a_name_is_left_out_and_said():
    reading = read_text("Ana Ruiz (since May!)")

    assert reading.students == [Person("Ana", "Ruiz")]
    assert [str(doubt) for _, doubt in reading.doubtful] == ["“(since May!)” left out"]


def test_greetings_and_signatures_are_no_students_but_may_be_taken():
    text = "Hello, here is my list!\nAna Ruiz\nBen and Cleo\nthanks, call me 555-0199\nSent from my phone\nClass 5B:"

    reading = read_text(text)

    assert read(text) == [("Ana", "Ruiz")]
    assert [line for line, _ in reading.skipped] == [1, 3, 4, 5, 6]
    assert [(row.line, row.text) for row in reading.rows if not row.person] == [(3, "Ben and Cleo")]
    assert [line for line, _ in reading.doubtful] == [3]
