"""The students of a class: the roster, pasting many names, deleting one who never played."""

from __future__ import annotations

import uuid

import pytest

from classes.models import Enrollment, Student
from classes.selectors import students_in
from classes.services import set_active
from tests.factories import make_classroom, make_game, make_student
from tests.pages import messages_of, rows_of, words_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def empty(cast):
    return make_classroom(cast.school, name="Empty", teacher=cast.teacher.membership)


def paste(client, classroom, names: str, **fields):
    return client.post(f"/classes/{classroom.pk}/students/paste/", {"names": names} | fields, follow=True)


def confirm(client, classroom, names: str, *, key: uuid.UUID | None = None, **fields):
    return paste(client, classroom, names, confirm="1", key=str(key or uuid.uuid4()), **fields)


def names_in(classroom) -> list[str]:
    return [student.full_name for student in students_in(classroom)]


# The roster


def test_the_roster_shows_name_grade_and_login_with_the_inactive_ones_last(cast, client_of):
    set_active(cast.ben.enrollments.get(), active=False)

    page = client_of(cast.teacher).get(f"/classes/{cast.classroom.pk}/students/")

    assert rows_of(page) == [
        ["Cleo Raman", "6", "–", "Edit Cleo Raman Make inactive Cleo Raman"],
        ["Mia Kowalczyk", "5", "mia", "Edit Mia Kowalczyk Make inactive Mia Kowalczyk"],
        ["Ben Osei inactive", "5", "ben", "Edit Ben Osei Make active Ben Osei"],
    ]


def test_an_empty_roster_says_what_to_do(empty, cast, client_of):
    page = words_of(client_of(cast.teacher).get(f"/classes/{empty.pk}/students/"))

    assert "No students yet. Paste the names of your class, or add them one by one." in page


@pytest.mark.parametrize("students", [1, 3])
def test_the_roster_takes_six_queries_however_many_students(
    cast, empty, client_of, django_assert_num_queries, students
):
    for number in range(students):
        make_student(empty, f"Mia{number}", username=f"mia{number}")
    client = client_of(cast.teacher)
    client.get("/classes/")

    with django_assert_num_queries(6):
        page = client.get(f"/classes/{empty.pk}/students/")

    assert len(rows_of(page)) == students


def test_names_that_look_like_code_stay_text(cast, empty, client_of):
    confirm(client_of(cast.teacher), empty, "<b>Max</b> <script>alert(1)</script>\n{{ 7*7 }} Yeo\n=1+1 Orton")

    page = client_of(cast.teacher).get(f"/classes/{empty.pk}/students/")

    assert names_in(empty) == ["<b>Max</b> <script>alert(1)</script>", "=1+1 Orton", "{{ 7*7 }} Yeo"]
    assert [row[0] for row in rows_of(page)] == names_in(empty)
    assert "<script>alert" not in page.content.decode()


def test_making_a_student_inactive_and_active_again(cast, client_of):
    make_game(cast.classroom, cast.mia, cast.ben)
    client, address = client_of(cast.teacher), f"/classes/{cast.classroom.pk}/students/{cast.ben.pk}/active/"

    gone = client.post(address, {"active": "0"}, follow=True)
    board = [row.label for row in client.get(f"/classes/{cast.classroom.pk}/").context["board"]]
    back = client.post(address, {"active": "1"}, follow=True)

    assert messages_of(gone) == ["Ben Osei is inactive: not in lists and boards. Games and rating are kept."]
    assert board == ["Mia Kowalczyk", "Cleo Raman"]
    assert messages_of(back) == ["Ben Osei is active again."]
    assert [
        (row.label, row.rating) for row in client.get(f"/classes/{cast.classroom.pk}/").context["board"]
    ] == [("Mia Kowalczyk", 816), ("Cleo Raman", 800), ("Ben Osei", 784)]  # fmt: skip


# Pasting


def test_what_was_understood_is_shown_before_anything_is_saved(cast, client_of):
    page = paste(
        client_of(cast.teacher), cast.classroom, "1. Dana Levi\r\n• Ruiz, Ana\r\nKahanu\r\nmia KOWALCZYK\r\nKahanu"
    )

    assert "Is this right? Nothing is saved yet." in words_of(page)
    assert rows_of(page) == [
        ["Dana", "Levi", "–", ""],
        ["Ana", "Ruiz", "–", ""],
        ["Kahanu", "–", "–", ""],
        ["mia", "KOWALCZYK", "–", "already in the class – another child"],
        ["Kahanu", "–", "–", "twice in the list – another child"],
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

    assert {row[3] for row in rows_of(preview)} == {"already in the class – another child"}
    assert messages_of(again) == ["Everybody in this list is in the class already. Nobody was added."]
    assert "students added" not in words_of(again)
    assert len(after_again) == 25
    assert "1 student added." in words_of(after_deleting)
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

    assert ("<textarea" in page.content.decode(), page.context["form"]["names"].value()) == (True, "Dana Levi\nAna")
    assert names_in(empty) == []


@pytest.mark.parametrize("fields", [{}, {"confirm": "1"}])
def test_a_list_that_cannot_be_read_is_said_and_stays(cast, empty, client_of, fields):
    page = paste(client_of(cast.teacher), empty, "Dana\n" + "x" * 81, **fields)

    assert page.context["form"].errors == {"names": ["Line 2 is too long for a name. Write one student per line."]}
    assert page.context["form"]["names"].value() == "Dana\n" + "x" * 81
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


# Deleting


def test_a_mistyped_student_is_deleted_after_a_question(cast, client_of):
    client, address = client_of(cast.teacher), f"/students/{cast.cleo.pk}/delete/"

    question = words_of(client.get(address))
    answer = client.post(address, follow=True)

    assert "Delete Cleo Raman? Only a student without any game or adjustment can be deleted" in question
    assert (answer.redirect_chain, messages_of(answer)) == ([("/classes/", 302)], ["Cleo Raman is deleted."])
    assert names_in(cast.classroom) == ["Ben Osei", "Mia Kowalczyk"]


def test_a_student_who_played_is_kept(cast, client_of):
    make_game(cast.classroom, cast.mia, cast.ben)

    answer = client_of(cast.teacher).post(f"/students/{cast.mia.pk}/delete/", follow=True)

    assert answer.redirect_chain == [(f"/students/{cast.mia.pk}/", 302)]
    assert messages_of(answer) == [
        "Mia Kowalczyk has games or adjustments and cannot be deleted. Make the student inactive instead."
    ]
    assert answer.context["page"].state.rating == 816
