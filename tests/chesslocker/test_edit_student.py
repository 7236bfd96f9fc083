"""Changing a student: name, login, and before the first game the start rating."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.hashers import check_password

from classes.models import Student, User
from ratings.models import RatingList, StartRating
from ratings.selectors.ledger import current_states
from ratings.services import void_game
from tests.factories import PASSWORD, give_points, list_of, make_game
from tests.pages import messages_of, words_of

pytestmark = pytest.mark.django_db

MIA = {"first_name": "Mia", "last_name": "Kowalczyk", "grade": "5", "username": "mia", "password": ""}
CLEO = {"first_name": "Cleo", "last_name": "Raman", "grade": "6", "username": "", "password": ""}


@pytest.fixture
def edit(cast, client_of):
    """Send the form of a student as the teacher of the class."""
    client = client_of(cast.teacher)

    def sent(student: Student, fields: dict[str, str], **changed: str):
        return client.post(f"/students/{student.pk}/edit/", fields | changed, follow=True)

    return sent


def rating_of(cast, student: Student) -> int:
    return current_states(list_of(cast.classroom), [student.pk])[student.pk].rating


def test_the_form_shows_what_is_kept_but_no_password(cast, client_of):
    form = client_of(cast.teacher).get(f"/students/{cast.mia.pk}/edit/").context["form"]

    shown = {name: form[name].value() for name in form.fields if name != "key"}
    assert shown == {
        "first_name": "Mia", "last_name": "Kowalczyk", "grade": "5", "email": "", "external_id": "",
        "username": "mia", "password": None, "start_rating": 800, "off_boards": False,
    }  # fmt: skip


def test_a_changed_name_is_the_name_of_the_account_too(cast, edit):
    answer = edit(cast.mia, MIA, last_name=" Kowal-Kern ", grade="6", email="mia@example.org", external_id="0007")

    cast.mia.refresh_from_db()
    assert (answer.redirect_chain, messages_of(answer)) == ([(f"/students/{cast.mia.pk}/", 302)], ["Saved."])
    assert (cast.mia.full_name, cast.mia.grade, cast.mia.email, cast.mia.external_id) == (
        "Mia Kowal-Kern", "6", "mia@example.org", "0007",
    )  # fmt: skip
    user = User.objects.get(pk=cast.mia.user_id)
    assert (user.name, user.username, check_password(PASSWORD, user.password)) == ("Mia Kowal-Kern", "mia", True)
    assert list(cast.mia.history.values_list("last_name", "history_user__username"))[0] == ("Kowal-Kern", "teacher")


def test_a_student_gets_a_login_later(cast, edit):
    answer = edit(cast.cleo, CLEO, password="olive-robot-42")

    cast.cleo.refresh_from_db()
    assert messages_of(answer) == ["Cleo Raman can log in as cleo."]
    assert check_password("olive-robot-42", cast.cleo.user.password)
    assert cast.cleo.user.role == User.Role.STUDENT


def test_a_new_user_name_and_password(cast, edit):
    answer = edit(cast.mia, MIA, username="Mia.K", password="olive-robot-42")

    user = User.objects.get(pk=cast.mia.user_id)
    assert messages_of(answer) == ["Mia Kowalczyk can log in as mia.k."]
    assert (user.username, check_password("olive-robot-42", user.password)) == ("mia.k", True)


def test_a_suggested_password_is_shown_and_the_old_one_holds_until_the_form_is_sent(cast, edit):
    page = edit(cast.mia, MIA, last_name="Kern", suggest="1")
    suggested = page.context["form"]["password"].value()
    kept = Student.objects.get(pk=cast.mia.pk)

    assert re.fullmatch(r"[a-z]+-[a-z]+-\d\d", suggested)
    assert f'value="{suggested}"' in page.content.decode()
    assert page.context["form"]["last_name"].value() == "Kern"
    assert (kept.last_name, check_password(PASSWORD, kept.user.password)) == ("Kowalczyk", True)
    edit(cast.mia, MIA, password=suggested)
    assert check_password(suggested, User.objects.get(pk=cast.mia.user_id).password)


@pytest.mark.parametrize(
    ("typed", "errors"),
    [
        ({"first_name": ""}, {"first_name": ["This field is required."]}),
        ({"username": "ben"}, {"username": ["This user name is taken."]}),
        ({"username": " BEN "}, {"username": ["This user name is taken."]}),
        ({"password": "short"}, {"password": ["Use at least 8 characters, or let one be suggested."]}),
        ({"external_id": "0007"}, {"__all__": ["Another student of the school has this id."]}),
        ({"start_rating": "4001"}, {"start_rating": ["A start rating is a number from 0 to 4000."]}),
        ({"start_rating": "x"}, {"start_rating": ["A rating is a whole number, such as 800."]}),
    ],
)
def test_what_is_wrong_is_said_nothing_is_saved_and_the_frame_shows_the_student_as_kept(cast, edit, typed, errors):
    Student.objects.filter(pk=cast.ben.pk).update(external_id="0007")

    page = edit(cast.mia, MIA | {"grade": "9"}, **typed)

    kept = Student.objects.get(pk=cast.mia.pk)
    assert (page.status_code, page.context["form"].errors) == (200, errors)
    assert "Edit Mia Kowalczyk" in words_of(page)
    assert (kept.full_name, kept.grade, kept.user.username) == ("Mia Kowalczyk", "5", "mia")
    assert StartRating.objects.count() == 0


def test_the_start_rating_can_be_changed_until_the_first_game(cast, edit):
    edit(cast.mia, MIA, start_rating="950")
    first = rating_of(cast, cast.mia)
    edit(cast.mia, MIA, start_rating="700")

    assert (first, rating_of(cast, cast.mia)) == (950, 700)
    assert list(StartRating.objects.values_list("student", "rating")) == [(cast.mia.pk, 700)]


def test_a_start_rating_that_is_not_touched_stays_the_lists(cast, edit):
    before = RatingList.objects.get(school=cast.school).version

    edit(cast.mia, MIA, last_name="Kern", start_rating="800")

    assert (StartRating.objects.count(), RatingList.objects.get(school=cast.school).version) == (0, before)


def test_a_start_rating_of_ones_own_can_go_back_to_the_lists(cast, edit):
    edit(cast.mia, MIA, start_rating="950")
    edit(cast.mia, MIA, start_rating="800")

    assert rating_of(cast, cast.mia) == 800


@pytest.mark.parametrize("happened", [make_game, give_points])
def test_after_the_first_game_or_points_the_start_rating_is_gone_from_the_form(cast, edit, client_of, happened):
    happened(cast.classroom, cast.mia, *([cast.ben] if happened is make_game else []))
    before = rating_of(cast, cast.mia)

    page = client_of(cast.teacher).get(f"/students/{cast.mia.pk}/edit/")
    edit(cast.mia, MIA, start_rating="2000", last_name="Kern")

    assert "start_rating" not in page.context["form"].fields
    assert 'name="start_rating"' not in page.content.decode()
    assert (rating_of(cast, cast.mia), Student.objects.get(pk=cast.mia.pk).last_name) == (before, "Kern")
    assert StartRating.objects.count() == 0


def test_after_the_only_game_was_taken_back_the_start_rating_can_be_changed_again(cast, edit):
    void_game(make_game(cast.classroom, cast.mia, cast.ben), by=cast.teacher, reason="Wrong board")

    edit(cast.mia, MIA, start_rating="900")

    assert rating_of(cast, cast.mia) == 900


def test_a_field_that_does_not_belong_to_the_form_changes_nothing(cast, edit):
    edit(cast.mia, MIA, school=str(cast.foreign_classroom.school_id), role="teacher", is_staff="1", user="1")

    mia = Student.objects.get(pk=cast.mia.pk)
    assert (mia.school, mia.user.username, mia.user.role, mia.user.is_staff) == (cast.school, "mia", "student", False)


def test_the_form_leads_to_deleting(cast, client_of):
    page = client_of(cast.teacher).get(f"/students/{cast.mia.pk}/edit/")

    assert f'href="/students/{cast.mia.pk}/delete/"' in page.content.decode()
