"""Class lists as programs write them."""

from __future__ import annotations

import pytest

from classes.core.roster.reading import read_file, read_text
from classes.core.roster.types import Heading, Meaning, Person, Refusal, Refused, Shape, Why
from classes.selectors import WHY


def people(text: str) -> list[Person]:
    return read_text(text).students


def left_out(text: str) -> list[tuple[int, str]]:
    return [(line, str(doubt)) for line, doubt in read_text(text).skipped]


def doubts(text: str) -> list[tuple[int, str]]:
    return [(line, str(doubt)) for line, doubt in read_text(text).doubtful]


@pytest.mark.parametrize(
    ("text", "student"),
    [
        # Spreadsheets in several languages
        ("First Name,Last Name,Grade,Email\nMia,Kern,5,m@hill.example", Person("Mia", "Kern", "5", "m@hill.example")),
        ("Nachname;Vorname;Klasse;E-Mail\r\nKern;Mia;5.B;", Person("Mia", "Kern", "5.B")),
        ("Name\tVorname\nKern\tMia", Person("Mia", "Kern")),
        ("NOM;Prénom;Né(e) le;Classe\nLE GOFF--KERN;Maël;03/02/2014;6èmeB", Person("Maël", "LE GOFF--KERN", "6èmeB")),
        ("Nombre;Apellidos;Curso\nAna;Ruiz Peña;4A", Person("Ana", "Ruiz Peña", "4A")),
        ("Cognome|Nome\nDe Luca|Ada", Person("Ada", "De Luca")),
        ('"Student","Grade"\n"de la Cruz, Mateo","4"', Person("Mateo", "de la Cruz", "4")),
        ("Class list of 5B\n\nFirst name,Last name\nMia,Kern", Person("Mia", "Kern")),
        ('sep=;\r\nFirst Name;Last Name;Grade\r\nOmar;"O, Yeo";4', Person("Omar", "O, Yeo", "4")),
        ('Name,Grade\n"Kern, Mia "" Mimi""",5', Person('Mia " Mimi"', "Kern", "5")),
        ("Name,Grade\nO\"Brien,5\n", Person('O"Brien', "", "5")),
        # School systems
        ("sourcedId,status,enabledUser,role,givenName,familyName,identifier,grades,password\n"
         'u1,active,true,student,Mia,Kern,S1,"05,06",secret', Person("Mia", "Kern", "05,06", id="S1")),
        ("School_id,Student_id,Last_name,First_name,Grade,Student_email\n9,000431,Kern,Mia,Kindergarten,",
         Person("Mia", "Kern", "Kindergarten", id="000431")),
        ("Student_Number\tLast_Name\tFirst_Name\tMiddle_Name\tGrade_Level\r0012\tKern\tNull\tP\t0\r",
         Person("Null", "Kern", "0", id="0012")),
        ("SIS ID,School SIS ID,Username,First Name,Last Name,Grade\nS7,9,mkern,Mia,Kern,5",
         Person("Mia", "Kern", "5", id="S7")),
        ("Display name,User principal name\nMia Kern,m@hill.example", Person("Mia", "Kern", email="m@hill.example")),
        ("First Name [Required],Last Name [Required],Email Address [Required],Password\nMia,Kern,m@hill.example,x",
         Person("Mia", "Kern", email="m@hill.example")),
        # Chess programs
        ("#,Name,ID,Rating,Team,Grade,Rd 1\n1,\"Kern, Mia\",NEW,unr.,HILL,K,W5", Person("Mia", "Kern", "K")),
        ("No.;Name;FideID;FED;Rtg\n1;Kern, Mia;12345678;GER;0", Person("Mia", "Kern", id="12345678")),
        ("MEM_NAME\tMEM_ID\tState\tR_LPB_RAT\nKERN, MIA J\t12800\tWA\t745", Person("MIA J", "KERN", id="12800")),
        ("Name=Kern, Mia\r\nI. D.#=31415\r\nRating=825P7\r\nGrade=4\r\n", Person("Mia", "Kern", "4", id="31415")),
        ("0005      Kern, Mia S.                         744  0  2013  U  ", Person("Mia S.", "Kern", id="0005")),
        # No heading
        ("Mia,Kern,4", Person("Mia", "Kern", "4")),
        ("1\tKern, Mia\t5b\tmia@hill.example", Person("Mia", "Kern", "5b", "mia@hill.example")),
    ],
)  # fmt: skip
def test_each_shape_gives_the_student(text, student):
    assert people(text) == [student]


def test_a_byte_order_mark_does_not_hide_the_first_column():
    assert read_file(b"\xef\xbb\xbfname,grade\r\nZoe,3").students == [Person("Zoe", grade="3")]


def test_semicolons_are_no_part_of_names():
    text = "name;email\nNodira Karimova;nodira@example.com"

    assert people(text) == [Person("Nodira", "Karimova", email="nodira@example.com")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("name\nAnna", ["Anna"]),
        ("name\r\nMia Li\r\nTom Li\r\n", ["Mia Li", "Tom Li"]),
        ("name\nAnna\nHanna\nJohanna", ["Anna", "Hanna", "Johanna"]),
    ],
)
def test_one_column_is_a_list(text, names):
    reading = read_text(text)

    assert ([one.full for one in reading.students], reading.delimiter) == (names, None)


def test_one_umlaut_in_an_old_encoding_does_not_stop_the_list():
    reading = read_file("Name;Klasse\nMüller, Jörg;5".encode("cp1252"))

    assert (reading.students, reading.encoding) == ([Person("Jörg", "Müller", "5")], "cp1252")


def test_headings_that_nobody_knows_are_asked_about():
    reading = read_text("Ism,Familiya\nNodira,Karimova")

    assert (reading.heading, doubts("Ism,Familiya\nNodira,Karimova")) == (
        Heading.GUESSED, [(1, "a heading or a student?")],
    )  # fmt: skip
    assert read_text("Ism,Familiya\nNodira,Karimova", heading=True).students == [Person("Nodira", "Karimova")]
    assert len(read_text("Ism,Familiya\nNodira,Karimova", heading=False).students) == 2


def test_a_line_unlike_those_below_it_is_taken_for_a_heading_and_asked_about():
    text = "Ism,Familiya,Sinf\nNodira,Karimova,5\nAziz,Olimov,6"

    assert [one.full for one in people(text)] == ["Nodira Karimova", "Aziz Olimov"]
    assert doubts(text) == [(1, "a heading or a student?")]


def test_the_first_student_does_not_vanish_as_the_heading():
    reading = read_text("Mia,Kern,4\nBen,Osei,K")

    assert ([one.full for one in reading.students], reading.heading) == (["Mia Kern", "Ben Osei"], Heading.NONE)


def test_the_teacher_says_what_a_column_is():
    text = "First name,Last name,Team\nMia,Kern,5B"

    chosen = {0: Meaning.LAST, 1: Meaning.FIRST, 2: Meaning.GRADE}
    assert read_text(text, chosen).students == [Person("Kern", "Mia", "5B")]


def test_lines_keep_their_numbers_over_line_ends_in_cells():
    text = 'First Name,Last Name,Notes\r\nMia,Kern,"two\r\nlines"\r\nBen,Osei,\r\n,,\r\n'

    assert [row.line for row in read_text(text).taken] == [2, 4]
    assert left_out(text) == [(5, "empty")]


def test_a_quotation_mark_that_is_never_closed_does_not_swallow_the_list():
    text = "Name,Grade\n" + '"Mia Kern,5\n' + "".join(f"Ben{number} Osei,5\n" for number in range(30))

    assert len(people(text)) == 31


def test_who_is_no_student_of_the_school_now_is_left_out_and_said():
    oneroster = (
        "status,enabledUser,role,givenName,familyName\n,true,teacher,A,B\n,false,student,C,D\n"
        "tobedeleted,true,student,E,F\n,TRUE,Student,G,H\n"
    )
    powerschool = "Last_Name,First_Name,Enroll_Status\nKern,Mia,0\nOsei,Ben,2\nRuiz,Ana,-1\n"

    assert left_out(oneroster) == [
        (2, "role teacher"),
        (3, "switched off in the school’s system"),
        (4, "deleted in the school’s system"),
    ]
    assert left_out(powerschool) == [(3, "no longer enrolled in the school’s system")]


def test_rows_of_a_gradebook_above_the_students_are_no_students():
    rows = "Date,,,9/12\nPoints,,,10\nClass Average,,,8\nKern,Mia,m@hill.example,7"
    text = f"Last Name,First Name,Email Address,Quiz\n{rows}"

    assert people(text) == [Person("Mia", "Kern", email="m@hill.example")]
    assert [line for line, _ in left_out(text)] == [2, 3, 4]


def test_a_value_that_cannot_be_kept_never_costs_the_student():
    text = (
        "First Name,Last Name,Grade,Email,Student ID\n"
        "Mia,Kern,6-May,x@y,1\n"
        f"Ben,Osei,{'5' * 30},ben@hill.example,{'9' * 70}\n"
        "Ana,Ruiz,5,ben@hill.example,1\n"
        ",Kahanu,5,,2\n"
        "Cleo,Raman,5,,3,and,more\n"
    )

    assert people(text) == [
        Person("Mia", "Kern", "6-May", id="1"),
        Person("Ben", "Osei", "5" * 20, "ben@hill.example"),
        Person("Ana", "Ruiz", "5", "ben@hill.example"),
        Person("Kahanu", "", "5", id="2"),
        Person("Cleo", "Raman", "5", id="3"),
    ]
    assert doubts(text) == [
        (2, "“x@y” is not an e-mail address"),
        (2, "“6-May” looks like a grade that a spreadsheet took for a day"),
        (3, f"the grade “{'5' * 30}” is too long, cut"),
        (3, "the id is too long, left out"),
        (4, "same id as line 2, left out"),
        (4, "same e-mail as line 3"),
        (5, "one name only"),
        (6, "more cells than columns"),
    ]


def test_two_of_one_name_with_two_ids_or_addresses_are_two_children():
    text = "Name,ID,Email\nLena Koval,1,\nLena Koval,2,\nLena Koval,,l@hill.example\nLena  KOVAL ,2,\n"

    assert [one.id for one in people(text)] == ["1", "2"]
    assert left_out(text) == [(4, "same as line 2"), (5, "same as line 3")]


def test_names_that_look_like_code_stay_text():
    text = "First Name,Last Name\n=1+1,Kern\n'-Kai,Udall\n<b>Max</b>,{{ 7*7 }}\n"

    assert [one.full for one in people(text)] == ["=1+1 Kern", "-Kai Udall", "<b>Max</b> {{ 7*7 }}"]


@pytest.mark.parametrize("text", ["", "\n", "First Name,Last Name\r\n", "sep=;\n"])
def test_no_student_is_no_fault(text):
    assert people(text) == []


def test_more_than_two_thousand_students_or_two_hundred_cells_are_refused():
    with pytest.raises(Refused) as many:
        read_text("".join(f"Student{number} Of Many\n" for number in range(2001)))
    with pytest.raises(Refused) as wide:
        read_text("Name" + ",x" * 300)

    assert (many.value.refusal, wide.value.refusal) == (Refusal.TOO_MANY, Refusal.TOO_WIDE)


def test_a_club_list_and_fixed_columns_are_known_by_their_shape():
    club = read_text("Name=Kern, Mia\nGrade=4\nName=Osei, Ben\nI. D.#=77\n")
    fixed = read_text(
        "ID      Name\n0005      Kern, Mia      744\n0006    Osei, Ben\n1234  Ruiz, Ana  \n88888   Li, Bo   9\n"
    )

    assert (club.shape, [row.line for row in club.taken]) == (Shape.FIELDS, [1, 3])
    assert (fixed.shape, [one.id for one in fixed.students]) == (Shape.FIXED, ["0005", "0006", "1234", "88888"])


def test_every_reason_is_said_in_the_same_words_on_the_page():
    assert {why: str(text) for why, text in WHY.items()} == {why: why.value for why in Why}
