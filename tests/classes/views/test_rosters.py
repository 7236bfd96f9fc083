"""Class lists: what is shown before an import, what it does, and the file that can be imported again."""

from __future__ import annotations

import time
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from classes.core.roster.reading import read_file
from classes.models import Enrollment, Student
from classes.selectors import students_in
from classes.services import enroll, set_active
from tests.factories import make_classroom, make_game, make_student
from tests.pages import messages_of, rows_of, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def empty(cast):
    return make_classroom(cast.school, name="Empty", teacher=cast.teacher.membership)


def paste(client, classroom, text: str, **fields):
    return client.post(f"/classes/{classroom.pk}/students/import/", {"text": text} | fields, follow=True)


def confirm(client, classroom, text: str, *, key: uuid.UUID | None = None, **fields):
    return paste(client, classroom, text, confirm="1", key=str(key or uuid.uuid4()), **fields)


def upload(client, classroom, data: bytes, **fields):
    file = SimpleUploadedFile("list.csv", data)
    return client.post(f"/classes/{classroom.pk}/students/import/", {"file": file} | fields)


def names_in(classroom) -> list[str]:
    return [student.full_name for student in students_in(classroom)]


# Pasting


def test_what_was_understood_is_shown_before_anything_is_saved(cast, client_of):
    page = paste(
        client_of(cast.teacher), cast.classroom, "1. Dana Levi\r\n• Ruiz, Ana\r\nKahanu\r\nmia KOWALCZYK\r\nKahanu"
    )

    assert "Is this right? Nothing is saved yet." in words_of(page)
    assert rows_of(page) == [
        ["1", "Dana", "Levi", "–", "", "new leave out Dana Levi"],
        ["2", "Ana", "Ruiz", "–", "", "new leave out Ana Ruiz"],
        ["3", "Kahanu", "–", "–", "", "new leave out Kahanu"],
        ["4", "mia", "KOWALCZYK", "–", "", "already there another child: add mia KOWALCZYK"],
        ["5", "Kahanu", "–", "–", "", "same as line 3 add all the same Kahanu"],
    ]
    assert names_in(cast.classroom) == ["Ben Osei", "Cleo Raman", "Mia Kowalczyk"]


def test_confirmed_names_are_added_and_counted(cast, empty, client_of):
    answer = confirm(client_of(cast.teacher), empty, "Dana Levi\r\nRuiz, Ana", grade="5")

    assert answer.redirect_chain == [(f"/classes/{empty.pk}/students/?added=1", 302)]
    assert "2 students added." in words_of(answer)
    assert [row[:3] for row in rows_of(answer)] == [["Ana Ruiz", "5", "–"], ["Dana Levi", "5", "–"]]
    assert list(Enrollment.objects.filter(classroom=empty).values_list("active", flat=True)) == [True, True]


def test_names_in_the_class_already_are_left_out_unless_ticked(cast, client_of):
    client = client_of(cast.teacher)
    text = "Mia Kowalczyk\r\nDana\r\nBen Osei\r\nDana"

    confirm(client, cast.classroom, text, also=["1", "4"])

    assert names_in(cast.classroom) == [
        "Ben Osei", "Cleo Raman", "Dana", "Dana", "Mia Kowalczyk", "Mia Kowalczyk",
    ]  # fmt: skip


def test_a_line_that_was_not_read_cannot_be_ticked_into_the_class(cast, empty, client_of):
    confirm(client_of(cast.teacher), empty, "Dana\r\nAna", also=["2", "99"])

    assert names_in(empty) == ["Ana", "Dana"]


def test_the_same_twenty_five_names_pasted_again_add_nobody(cast, empty, client_of):
    client, text = client_of(cast.teacher), "\n".join(f"Student Number{number:02}" for number in range(25))

    confirm(client, empty, text)
    preview = paste(client, empty, text)
    again = confirm(client, empty, text)
    after_again = names_in(empty)
    students_in(empty)[0].delete()
    after_deleting = confirm(client, empty, text)

    assert {row[5].partition(" another")[0] for row in rows_of(preview)} == {"already there"}
    assert messages_of(again) == ["Everybody in this list is in the class already. Nobody was added."]
    assert "students added" not in words_of(again)
    assert len(after_again) == 25
    assert "1 student added. 24 were already there." in words_of(after_deleting)
    assert len(names_in(empty)) == 25


def test_an_inactive_student_is_known_and_stays_inactive(cast, client_of):
    set_active(cast.mia.enrollments.get(), active=False)

    confirm(client_of(cast.teacher), cast.classroom, "Mia Kowalczyk\nDana")

    assert names_in(cast.classroom) == ["Ben Osei", "Cleo Raman", "Dana", "Mia Kowalczyk"]
    assert cast.mia.enrollments.get().active is False


def test_pressing_confirm_twice_adds_once(cast, empty, client_of):
    client, key = client_of(cast.teacher), uuid.uuid4()

    answers = [confirm(client, empty, "Dana\r\nAna\r\nDana", key=key, also=["3"]) for _ in range(2)]

    assert [answer.redirect_chain for answer in answers] == [[(f"/classes/{empty.pk}/students/?added=1", 302)]] * 2
    assert names_in(empty) == ["Ana", "Dana", "Dana"]
    assert "3 students added." in words_of(answers[1])


def test_a_page_that_was_used_is_not_used_for_another_list(cast, empty, client_of):
    client, key = client_of(cast.teacher), uuid.uuid4()
    confirm(client, empty, "Dana", key=key)

    answer = confirm(client, empty, "Ana", key=key)

    assert (answer.status_code, names_in(empty)) == (409, ["Dana"])
    assert "This page was already used for something else" in words_of(answer)


def test_change_the_list_goes_back_to_what_was_pasted(cast, empty, client_of):
    page = paste(client_of(cast.teacher), empty, "Dana Levi\nAna", grade="5", change="1")

    assert ("<textarea" in page.content.decode(), page.context["form"]["text"].value()) == (True, "Dana Levi\nAna")
    assert names_in(empty) == []


@pytest.mark.parametrize("fields", [{}, {"confirm": "1"}])
def test_a_list_that_cannot_be_read_is_said_and_stays(cast, empty, client_of, fields):
    text = "sep=;\n" + "x;" * 300

    page = paste(client_of(cast.teacher), empty, text, **fields)

    assert page.context["form"].errors == {
        "text": ["A line of this list has more than 200 cells. Save the columns with the names alone as CSV."]
    }
    assert page.context["form"]["text"].value() == text
    assert names_in(empty) == []


# Undo


def test_a_paste_is_taken_back(cast, empty, client_of):
    client = client_of(cast.teacher)
    make_student(empty, "Before")
    confirm(client, empty, "Dana\nAna")

    answer = client.post(f"/classes/{empty.pk}/students/undo/", follow=True)
    again = client.post(f"/classes/{empty.pk}/students/undo/", follow=True)

    assert messages_of(answer) == ["2 students taken back."]
    assert messages_of(again) == []
    assert names_in(empty) == ["Before"]
    assert set(Student.history.values_list("first_name", flat=True)) & {"Dana", "Ana"} == set()


def test_undo_keeps_those_who_played_meanwhile(cast, empty, client_of):
    client = client_of(cast.teacher)
    confirm(client, empty, "Ana\nBea\nDana")
    ana, bea, _ = students_in(empty)
    make_game(empty, ana, bea)

    answer = client.post(f"/classes/{empty.pk}/students/undo/", follow=True)

    assert messages_of(answer) == ["1 student taken back.", "2 have played meanwhile and stay."]
    assert names_in(empty) == ["Ana", "Bea"]


def test_undo_in_another_class_or_browser_takes_nobody_back(cast, empty, client_of):
    client = client_of(cast.teacher)
    confirm(client, empty, "Dana")

    client_of(cast.teacher).post(f"/classes/{empty.pk}/students/undo/")
    client.post(f"/classes/{cast.classroom.pk}/students/undo/")

    assert (names_in(empty), len(names_in(cast.classroom))) == (["Dana"], 3)


def test_undo_is_offered_right_after_adding_only(cast, empty, client_of):
    client = client_of(cast.teacher)
    right_after = confirm(client, empty, "Dana")
    later = client.get(f"/classes/{empty.pk}/students/")
    elsewhere = client.get(f"/classes/{cast.classroom.pk}/students/?added=1")

    assert ["students added" in words_of(page) or "student added" in words_of(page)
            for page in (right_after, later, elsewhere)] == [True, False, False]  # fmt: skip


def test_names_that_look_like_code_stay_text(cast, empty, client_of):
    confirm(client_of(cast.teacher), empty, "<b>Max</b> <script>alert(1)</script>\n{{ 7*7 }} Yeo\n=1+1 Orton")

    page = client_of(cast.teacher).get(f"/classes/{empty.pk}/students/")

    assert names_in(empty) == ["<b>Max</b> <script>alert(1)</script>", "=1+1 Orton", "{{ 7*7 }} Yeo"]
    assert [row[0] for row in rows_of(page)] == names_in(empty)
    assert "<script>alert" not in page.content.decode()


# Files


def test_a_file_is_shown_with_how_it_was_read_and_imported_from_the_page(cast, empty, client_of):
    client = client_of(cast.teacher)
    text = "Nachname;Vorname;Klasse;E-Mail\r\nGroß;Jürgen;5.B;j@schule.example\r\n;;;\r\nD’Angelo;Leo;6.A;"
    data = text.encode("cp1252")

    page = upload(client, empty, data)
    words = words_of(page)
    before = names_in(empty)
    confirm(client, empty, page.context["form"].shown_text, encoding="cp1252")

    assert "Read as a table · semicolon · Western European (Windows-1252)" in words
    assert "1 line left out line 3: empty" in words
    assert [row[:5] for row in rows_of(page)] == [
        ["2", "Jürgen", "Groß", "5.B", "j@schule.example"],
        ["4", "Leo", "D’Angelo", "6.A", ""],
    ]
    assert [(column.heading, column.meaning.value) for _, column, _ in page.context["understood"]["columns"]] == [
        ("Nachname", "last"), ("Vorname", "first"), ("Klasse", "grade"), ("E-Mail", "email"),
    ]  # fmt: skip
    assert (before, names_in(empty)) == ([], ["Jürgen Groß", "Leo D’Angelo"])


@pytest.mark.parametrize("data", [b"PK\x03\x04xl/workbook.xml", b"x" * 1_000_001, b"a\n" * 400_000, b"Mia\0Kern", b""])
def test_what_is_no_list_is_refused_in_two_seconds(cast, empty, client_of, data):
    begin = time.perf_counter()
    page = upload(client_of(cast.teacher), empty, data, confirm="1")

    assert time.perf_counter() - begin < 2
    assert (page.status_code, list(page.context["form"].errors), names_in(empty)) == (200, ["file"], [])


def test_the_teacher_changes_what_the_columns_are(cast, empty, client_of):
    text = "First name,Last name,Team\nKern,Mia,5B"
    chosen = {"column-0": "last", "column-1": "first", "column-2": "grade"}

    page = paste(client_of(cast.teacher), empty, text, again="1", **chosen)
    confirm(client_of(cast.teacher), empty, text, **chosen)

    assert rows_of(page) == [["2", "Mia", "Kern", "5B", "", "new leave out Mia Kern"]]
    assert list(students_in(empty).values_list("first_name", "last_name", "grade")) == [("Mia", "Kern", "5B")]


def test_unknown_headings_are_asked_about_and_nothing_is_created_before_the_answer(cast, empty, client_of):
    client, text = client_of(cast.teacher), "Ism,Familiya\nNodira,Karimova"

    asked = confirm(client, empty, text)
    unanswered = names_in(empty)
    confirm(client, empty, text, heading="yes")

    assert "The first line, “Ism,Familiya”, is a heading a student" in words_of(asked)
    assert asked.context["form"].non_field_errors() == ["Say whether the first line is a heading or a student."]
    assert (unanswered, names_in(empty)) == ([], ["Nodira Karimova"])


def test_students_who_are_left_out_are_not_imported(cast, empty, client_of):
    confirm(client_of(cast.teacher), empty, "Ana\nBea\nDana", out=["2"])

    assert names_in(empty) == ["Ana", "Dana"]


def test_of_the_list_of_a_whole_school_only_some_grades_are_taken(cast, empty, client_of):
    client, text = client_of(cast.teacher), "Name,Grade\nAna,10\nBea,2\nCleo,5B\nDana,5B\nEla,\n"

    page = paste(client, empty, text, only=["5B"])
    confirm(client, empty, text, only=["5B"], also=["2"], out=["5"])

    assert page.context["understood"]["grades"] == [("2", False), ("5B", True), ("10", False)]
    assert [row[5].partition(" add")[0] for row in rows_of(page)] == [
        "another grade", "another grade", "new leave out Cleo", "new leave out Dana", "another grade",
    ]  # fmt: skip
    assert names_in(empty) == ["Ana", "Cleo"]


# The second time


LIST = (
    "First Name,Last Name,Grade,Email\nSiân,ap Rhys,Year 6,sian@hill.example\nAna,Đorđević,Year 6,\nIñaki,Núñez,Year 5,"
)


def test_the_same_file_with_one_more_student_adds_one(cast, empty, client_of):
    client = client_of(cast.teacher)
    confirm(client, empty, LIST)
    sian, ana = Student.objects.get(first_name="Siân"), Student.objects.get(first_name="Ana")
    make_game(empty, sian, ana)
    set_active(ana.enrollments.get(), active=False)

    preview = paste(client, empty, LIST + "\nIda,Winslow,Year 5,")
    answer = confirm(client, empty, LIST + "\nIda,Winslow,Year 5,")

    assert [row[5].partition(" another")[0] for row in rows_of(preview)] == [
        "already there", "already there, inactive; stays inactive", "already there", "new leave out Ida Winslow",
    ]  # fmt: skip
    assert "1 student added. 3 were already there." in words_of(answer)
    assert len(names_in(empty)) == 4
    assert ana.enrollments.get().active is False


def test_what_differs_is_shown_and_taken_over_only_where_ticked(cast, empty, client_of):
    client = client_of(cast.teacher)
    mia = make_student(empty, "Mia", "Kern", grade="5", external_id="S1")
    ben = make_student(empty, "Ben", "Osei", grade="5", external_id="S2")
    text = "First name,Last name,Grade,Student ID\nMia,Kern-Ruiz,6,S1\nBen,Osei,6,S2"

    page = paste(client, empty, text)
    confirm(client, empty, text)
    untouched = list(students_in(empty).values_list("last_name", "grade"))
    answer = confirm(client, empty, text, update=["2"])

    assert [row[5] for row in rows_of(page)] == [
        "already there differs; take over: grade 5 → 6 , last name Kern → Kern-Ruiz",
        "already there differs; take over: grade 5 → 6",
    ]
    assert untouched == [("Osei", "5"), ("Kern", "5")]
    assert "1 student changed." in messages_of(answer)
    mia.refresh_from_db(), ben.refresh_from_db()
    assert (mia.full_name, mia.grade, ben.grade) == ("Mia Kern-Ruiz", "6", "5")
    assert Student.history.filter(id=mia.pk).count() == 2


def test_a_name_with_another_grade_is_asked_about(cast, empty, client_of):
    client = client_of(cast.teacher)
    make_student(empty, "John", "Smith", grade="3")

    asked = confirm(client, empty, "John Smith,4")
    before = names_in(empty)
    same = confirm(client, empty, "John Smith,4", all_same="1")
    after_same = names_in(empty)
    confirm(client, empty, "John Smith,4", **{"who-1": "add"})

    assert asked.context["form"].non_field_errors() == ["Say of these lines whether they are the same child: 1."]
    assert [label for _, label in asked.context["page"].rows[0].answers] == [
        "the same: John Smith (3, Empty)", "another child: add", "leave out",
    ]  # fmt: skip
    assert messages_of(same) == ["Everybody in this list is in the class already. Nobody was added."]
    assert (len(before), len(after_same), len(names_in(empty))) == (1, 1, 2)


def test_a_student_of_another_class_of_the_teacher_joins_when_the_teacher_says_so(cast, empty, client_of):
    client = client_of(cast.teacher)

    asked = paste(client, empty, "Mia Kowalczyk, 5")
    answer = confirm(client, empty, "Mia Kowalczyk, 5", **{"who-1": str(cast.mia.pk)})

    assert "the same: Mia Kowalczyk (5, Room 12 Chess)" in words_of(asked)
    assert messages_of(answer) == ["1 student of the school joined."]
    assert (names_in(empty), Student.objects.filter(first_name="Mia").count()) == (["Mia Kowalczyk"], 1)


def test_a_student_of_a_class_of_others_is_never_pulled_in(cast, empty, client_of):
    """By name nothing is said about such a student; the id, which is unique in the school, asks for the lead."""
    Student.objects.filter(pk=cast.other.pk).update(external_id="S9", grade="7")
    text = "Name,Student ID\nNoah Fischer,S9"

    page = paste(client_of(cast.teacher), empty, text)
    confirm(client_of(cast.teacher), empty, text, **{"who-2": str(cast.other.pk)}, also=["2"])
    refused = names_in(empty)
    by_lead = confirm(client_of(cast.lead), empty, text)
    confirm(client_of(cast.teacher), cast.classroom, "Noah Fischer")

    assert [row[5] for row in rows_of(page)] == [
        "A student with this id is in a class that you do not teach. Left out; ask the lead teacher."
    ]
    assert (refused, messages_of(by_lead), names_in(empty)) == (
        [], ["1 student of the school joined."], ["Noah Fischer"],
    )  # fmt: skip
    assert Student.objects.filter(first_name="Noah").count() == 1


def test_two_of_one_name_both_exist_and_are_told_apart(cast, empty, client_of):
    client = client_of(cast.teacher)
    text = "First_name,Last_name,Grade,Student_id\nLena,Koval,3,000611\nLena,Koval,3,000612\n"

    confirm(client, empty, text)
    again = paste(client, empty, text)

    assert [row[0] for row in rows_of(client.get(f"/classes/{empty.pk}/students/"))] == [
        "Lena Koval (3, #1)", "Lena Koval (3, #2)",
    ]  # fmt: skip
    assert [row[5] for row in rows_of(again)] == ["already there", "already there"]


# Size


@pytest.mark.parametrize("students", [1, 3])
def test_looking_at_a_list_takes_eight_queries_however_many_students(
    cast, empty, client_of, django_assert_num_queries, students
):
    client = client_of(cast.teacher)
    client.get("/classes/")
    lines = [f"Mia{number},Kern,5,{number}" for number in range(students)]

    with django_assert_num_queries(8):
        page = paste(client, empty, "First name,Last name,Grade,Student ID\n" + "\n".join(lines))

    assert len(rows_of(page)) == students


def test_two_thousand_students_are_shown_and_imported_in_a_few_queries(
    cast, empty, client_of, django_assert_max_num_queries
):
    client = client_of(cast.teacher)
    client.get("/classes/")
    text = "First Name,Last Name,Grade\n" + "".join(f"Ana{number},Ruiz,{number % 9}\n" for number in range(2000))

    begin = time.perf_counter()
    page = paste(client, empty, text)
    shown = time.perf_counter() - begin
    with django_assert_max_num_queries(150):
        client.post(f"/classes/{empty.pk}/students/import/", {"text": text, "confirm": "1"})

    assert (page.status_code, Enrollment.objects.filter(classroom=empty).count()) == (200, 2000)
    assert shown < 4  # 1.3 s on a quiet machine


# The file


def test_the_file_of_a_class_reads_back_as_the_class(cast, empty, client_of):
    make_student(empty, "Thị Hạnh", "Nguyễn", grade="5", external_id="007")
    make_student(empty, "=1+1", "-Kai", grade="-1")
    set_active(enroll(cast.mia, empty), active=False)

    answer = client_of(cast.teacher).get(f"/classes/{empty.pk}/students.csv")
    reading = read_file(answer.content)

    assert answer.content.decode() == (
        "\ufefffirst_name,last_name,grade,email,external_id,active\r\n"
        "'=1+1,'-Kai,'-1,,,yes\r\nThị Hạnh,Nguyễn,5,,007,yes\r\nMia,Kowalczyk,5,,,no\r\n"
    )
    assert answer["Content-Disposition"] == 'attachment; filename="Empty-students.csv"'
    assert [(one.first, one.last, one.grade, one.email, one.id) for one in reading.students] == [
        ("=1+1", "-Kai", "-1", "", ""), ("Thị Hạnh", "Nguyễn", "5", "", "007"),
    ]  # fmt: skip
    assert [(line, str(doubt)) for line, doubt in reading.skipped] == [(4, "switched off in the school’s system")]
