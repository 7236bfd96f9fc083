"""Logging in and out, passwords, and what happens to somebody who mistypes."""

from __future__ import annotations

import datetime
import re

import pytest
from axes.models import AccessAttempt
from django.core import mail
from django.test import Client
from django.utils import timezone

from classes.models import Membership, User
from classes.services import set_active
from tests.factories import PASSWORD, make_classroom, make_student
from tests.pages import messages_of, words_of

pytestmark = pytest.mark.django_db

WRONG = "User name and password do not fit. Check both; students can ask their teacher for help."
TOO_MANY = (
    "Too many tries for this user name. Wait two minutes, then try again – or ask your teacher for a new password, "
    "which works at once."
)


def log_in(username: str, password: str = PASSWORD, *, address: str = "10.0.0.1", client: Client | None = None):
    """The answer to one try from an address, in a browser of its own."""
    return (client or Client()).post(
        "/login/", {"username": username, "password": password}, REMOTE_ADDR=address, follow=True
    )


def is_in(answer) -> bool:
    return "_auth_user_id" in answer.client.session


def fail(username: str, times: int, *, address: str = "10.0.0.1") -> list[int]:
    return [log_in(username, "wrong", address=address).status_code for _ in range(times)]


# One page for all


@pytest.mark.parametrize(
    ("username", "home"), [("teacher", "/classes/"), ("lead", "/classes/"), ("mia", "/me/"), ("root", "/admin/")]
)
def test_everybody_logs_in_on_one_page_and_lands_on_the_own_home(cast, username, home):
    root = User.objects.create(username="root", is_staff=True, is_superuser=True)
    root.set_password(PASSWORD)
    root.save()

    answer = log_in(username)

    assert (answer.status_code, answer.redirect_chain) == (200, [("/", 302), (home, 302)])


def test_a_student_in_no_active_class_can_log_in(cast):
    set_active(cast.mia.enrollments.get(), active=False)

    answer = log_in("mia")

    assert answer.redirect_chain[-1] == ("/me/", 302)
    assert "You are in no active class at the moment." in words_of(answer)


@pytest.mark.parametrize("typed", ["MIA", " mia ", "Mia", "\tMIA\n"])
def test_capitals_and_spaces_in_the_user_name_are_forgiven(cast, typed):
    assert log_in(typed).redirect_chain[-1] == ("/me/", 302)


@pytest.mark.parametrize("password", [PASSWORD.upper(), f" {PASSWORD}", f"{PASSWORD} ", PASSWORD[:-1]])
def test_the_password_must_be_exact(cast, password):
    assert not is_in(log_in("mia", password))


@pytest.mark.parametrize(("username", "password"), [("mia", "wrong"), ("nobody", PASSWORD), ("ben", "mia")])
def test_a_wrong_password_and_an_unknown_name_get_the_same_sentence(cast, username, password):
    answer = log_in(username, password)

    assert (answer.status_code, is_in(answer)) == (200, False)
    assert answer.context["form"].errors == {"__all__": [WRONG]}
    assert f'value="{username}"' in answer.content.decode()
    assert password not in re.findall(r'value="([^"]*)"', answer.content.decode())[1:]


def test_an_account_that_is_switched_off_gets_no_further_than_a_wrong_password(cast):
    User.objects.filter(username="mia").update(is_active=False)

    answer = log_in("mia")

    assert (is_in(answer), answer.context["form"].errors) == (False, {"__all__": [WRONG]})


def test_the_page_names_the_ways_to_a_new_password(client):
    page = words_of(client.get("/login/"))

    assert "Students: if you forgot your password, your teacher can give you a new one." in page
    assert "Teachers: forgot your password?" in page


@pytest.mark.parametrize(
    ("then", "lands"),
    [("/me/games/", "/me/games/"), ("https://evil.example/", "/me/"), ("//evil.example", "/me/"), ("", "/me/")],
)
def test_after_the_login_the_page_that_was_asked_for_opens_but_never_another_site(cast, then, lands):
    answer = Client().post(f"/login/?next={then}", {"username": "mia", "password": PASSWORD}, follow=True)

    assert answer.redirect_chain[-1] == (lands, 302)


def test_logging_out_is_a_press_of_a_button(cast, client_of):
    client = client_of(cast.mia.user)

    looked_at = client.get("/logout/").status_code
    still_in = "_auth_user_id" in client.session
    answer = client.post("/logout/")

    assert (looked_at, still_in) == (405, True)
    assert (answer.status_code, answer["Location"], "_auth_user_id" in client.session) == (302, "/login/", False)


# Too many tries


def test_five_wrong_passwords_slow_this_name_from_this_address_even_with_the_right_one(cast):
    tries = fail("mia", 5)
    right = log_in("mia")

    assert tries == [200, 200, 200, 200, 429]
    assert (right.status_code, is_in(right)) == (429, False)
    assert TOO_MANY in words_of(right)
    assert 'value="mia"' in right.content.decode()


def test_four_wrong_passwords_slow_nobody_and_a_success_forgets_them(cast):
    for _ in range(3):
        fail("mia", 4)
        assert is_in(log_in("mia"))


def test_another_spelling_of_the_name_is_no_way_around(cast):
    statuses = [log_in(typed, "wrong").status_code for typed in ("mia", "MIA", " mia", "Mia ", "mIa")]

    assert statuses == [200, 200, 200, 200, 429]


def test_another_student_and_another_address_are_not_slowed(cast):
    fail("mia", 6)

    assert is_in(log_in("ben"))
    assert is_in(log_in("mia", address="10.0.0.2"))
    assert not is_in(log_in("mia"))


def test_the_throttle_ends_after_two_minutes(cast):
    fail("mia", 5)

    def ago(seconds: int) -> None:
        AccessAttempt.objects.update(attempt_time=timezone.now() - datetime.timedelta(seconds=seconds))

    ago(110)
    before = is_in(log_in("mia"))
    ago(121)
    after = is_in(log_in("mia"))

    assert (before, after) == (False, True)


def test_tries_while_it_lasts_do_not_make_it_longer(cast):
    fail("mia", 5)
    since = AccessAttempt.objects.get().attempt_time

    fail("mia", 3)

    assert AccessAttempt.objects.get().attempt_time == since


def test_a_new_password_from_the_teacher_works_at_once(cast, client_of):
    fail("mia", 6)

    client_of(cast.teacher).post(
        f"/students/{cast.mia.pk}/edit/",
        {"first_name": "Mia", "last_name": "Kowalczyk", "username": "mia", "password": "olive-robot-42"},
    )

    assert is_in(log_in("mia", "olive-robot-42"))
    assert not is_in(log_in("mia"))


def test_no_password_that_was_typed_is_kept(cast):
    log_in("mia", "my-secret-typo")

    attempt = AccessAttempt.objects.get()
    assert (attempt.username, attempt.ip_address) == ("mia", "10.0.0.1")
    assert [name for name, value in vars(attempt).items() if "my-secret-typo" in str(value)] == []


@pytest.fixture
def pupils(db) -> list[str]:
    classroom = make_classroom()
    usernames = [f"pupil{number}" for number in range(30)]
    for username in usernames:
        make_student(classroom, "Pupil", username=username)
    return usernames


def test_thirty_behind_one_address_get_in_within_a_minute_though_some_mistype_twice(pupils):
    for username in pupils[:8]:
        fail(username, 2)

    assert [username for username in pupils if not is_in(log_in(username))] == []


def test_of_twenty_eight_small_children_six_mistype_and_nobody_waits(pupils):
    mistyping, others = pupils[:6], pupils[6:28]
    for username in mistyping:
        fail(username, 3)

    assert [username for username in others if not is_in(log_in(username))] == []
    assert [username for username in mistyping if not is_in(log_in(username))] == []


def test_a_child_who_tries_the_name_of_another_child_locks_neither_out_elsewhere(cast):
    fail("ben", 6, address="10.0.0.1")

    assert is_in(log_in("ben", address="10.0.0.7"))
    assert is_in(log_in("mia", address="10.0.0.1"))


# Passwords


@pytest.mark.parametrize("who", ["teacher", "mia"])
def test_everybody_changes_the_own_password_and_stays_logged_in(cast, client_of, who):
    user = User.objects.get(username=who)
    here, elsewhere = client_of(user), client_of(user)

    answer = here.post(
        "/password/",
        {"old_password": PASSWORD, "new_password1": "four-loud-bishops", "new_password2": "four-loud-bishops"},
        follow=True,
    )

    assert messages_of(answer) == ["Your password is changed. Other devices are logged out."]
    assert elsewhere.get("/")["Cache-Control"] == "no-cache"  # a visitor's page
    assert "_auth_user_id" in here.session
    assert (is_in(log_in(who, "four-loud-bishops")), is_in(log_in(who))) == (True, False)


def test_a_password_is_not_changed_without_the_old_one(cast, client_of):
    answer = client_of(cast.teacher).post(
        "/password/",
        {"old_password": "wrong", "new_password1": "four-loud-bishops", "new_password2": "four-loud-bishops"},
    )

    assert list(answer.context["form"].errors) == ["old_password"]
    assert is_in(log_in("teacher"))


def test_a_new_password_from_the_teacher_ends_the_open_session_of_the_student(cast, client_of):
    mia, teacher = client_of(cast.mia.user), client_of(cast.teacher)
    before = mia.get("/me/").status_code

    teacher.post(
        f"/students/{cast.mia.pk}/edit/",
        {"first_name": "Mia", "last_name": "Kowalczyk", "username": "mia", "password": "olive-robot-42"},
    )

    after = mia.get("/me/")
    assert (before, after.status_code, after["Location"]) == (200, 302, "/login/?next=/me/")
    assert teacher.get("/classes/").status_code == 200


def test_editing_a_student_without_a_new_password_leaves_the_session_open(cast, client_of):
    mia = client_of(cast.mia.user)

    client_of(cast.teacher).post(
        f"/students/{cast.mia.pk}/edit/", {"first_name": "Mia", "last_name": "Kern", "username": "mia"}
    )

    assert mia.get("/me/").status_code == 200


# Reset by e-mail


@pytest.fixture
def with_email(settings, cast):
    settings.EMAIL_CONFIGURED = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    User.objects.filter(username="teacher").update(email="okafor@example.org")
    User.objects.filter(username="mia").update(email="mia@example.org")


def test_without_a_mail_server_the_page_says_whom_to_ask_and_sends_nothing(cast, client):
    User.objects.filter(username="teacher").update(email="okafor@example.org")

    page = client.get("/password/reset/")
    answer = client.post("/password/reset/", {"email": "okafor@example.org"})

    assert "Teachers: this server sends no e-mail. Ask whoever runs it to set a new password for you." in words_of(page)
    assert '<input type="email"' not in page.content.decode()
    assert (answer.status_code, answer["Location"], mail.outbox) == (302, "/password/reset/", [])


def test_a_teacher_sets_a_new_password_by_e_mail(with_email, client):
    asked = client.post("/password/reset/", {"email": "Okafor@example.org"}, follow=True)
    (letter,) = mail.outbox
    link = re.search(r"http://testserver(/password/reset/\S+)", letter.body)[1]
    form = client.get(link, follow=True)
    done = client.post(
        form.redirect_chain[-1][0],
        {"new_password1": "four-loud-bishops", "new_password2": "four-loud-bishops"},
        follow=True,
    )

    assert "If a teacher’s account has this address, a link is on its way. It works for one hour." in words_of(asked)
    assert (letter.to, letter.subject) == (["okafor@example.org"], "A new password for ChessLocker")
    assert letter.body.startswith("Hello Ms. Okafor,\n\nsomebody asked for a new password")
    assert messages_of(done) == ["Your new password is set. Log in with it."]
    assert is_in(log_in("teacher", "four-loud-bishops"))
    assert "This link was used already or is too old." in words_of(client.get(link, follow=True))


@pytest.mark.parametrize("address", ["mia@example.org", "nobody@example.org"])
def test_students_and_strangers_get_the_same_page_and_no_letter(with_email, client, address):
    answer = client.post("/password/reset/", {"email": address}, follow=True)

    assert answer.redirect_chain == [("/password/reset/sent/", 302)]
    assert mail.outbox == []


def test_a_link_works_for_one_hour(with_email, client, settings):
    client.post("/password/reset/", {"email": "okafor@example.org"})
    link = re.search(r"http://testserver(/password/reset/\S+)", mail.outbox[0].body)[1]

    assert settings.PASSWORD_RESET_TIMEOUT == 3600
    settings.PASSWORD_RESET_TIMEOUT = -1  # as if the hour were over
    assert "This link was used already or is too old." in words_of(client.get(link, follow=True))


def test_a_staff_account_without_a_school_finds_no_classes(db, client_of):
    root = User.objects.create(username="root", is_staff=True, is_superuser=True)

    assert not Membership.objects.filter(user=root).exists()
    assert client_of(root).get("/classes/").status_code == 404
