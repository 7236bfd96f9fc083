"""Cards, badges, the codes of a lesson and new passwords: how a class of children gets in."""

from __future__ import annotations

import datetime
import re
import uuid

import pytest
import segno
from axes.models import AccessFailureLog
from django.test import Client
from django.utils import timezone

from classes.models import AuditEvent, Badge, LoginCode, User
from classes.selectors import QR_MARGIN, qr_code
from classes.services import MOST_WRONG_CODES, OneTimeKey, make_cards, make_login_codes, set_active
from tests.factories import PASSWORD, make_classroom, make_student
from tests.pages import messages_of, words_of

pytestmark = pytest.mark.django_db

WRONG_CODE = "This code does not work. Check it, or ask your teacher for a new one."
WRONG_BADGE = "This badge does not work"
SECRET = re.compile(r"[a-z]{3,8}-[a-z]{3,8}-[2-9]{2}")


def is_in(client: Client, student) -> bool:
    return client.session.get("_auth_user_id") == str(student.user_id)


def by_password(username: str, password: str) -> Client:
    client = Client()
    client.post("/login/", {"username": username, "password": password})
    return client


def by_code(code: str, *, address: str = "10.0.0.1"):
    return Client().post("/login/code/", {"code": code}, REMOTE_ADDR=address)


def events() -> list[tuple[str, str, object]]:
    return list(AuditEvent.objects.order_by("pk").values_list("action", "about", "detail"))


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


@pytest.fixture
def print_cards(cast, teacher):
    """The answer to pressing "Make the cards"."""

    def made(*, who: str = "all", what: str = "password", key: str = "", students=()):
        body = {"who": who, "what": what, "key": key or str(uuid.uuid4()), "students": [one.pk for one in students]}
        return teacher.post(f"/classes/{cast.classroom.pk}/cards/", body)

    return made


def cards_of(page) -> dict[str, object]:
    return {card.label: card for card in page.context["cards"]}


# Cards


def test_cards_give_everybody_a_new_password_and_whoever_has_none_an_account(cast, print_cards):
    page = print_cards()
    cards = cards_of(page)
    cast.cleo.refresh_from_db()

    assert [(label, card.username) for label, card in cards.items()] == [
        ("Ben O.", "ben"), ("Cleo R.", "cleo"), ("Mia K.", "mia")
    ]  # fmt: skip
    assert all(SECRET.fullmatch(card.password) for card in cards.values())
    assert is_in(by_password("cleo", cards["Cleo R."].password), cast.cleo)
    assert is_in(by_password("mia", cards["Mia K."].password), cast.mia)
    assert not is_in(by_password("mia", PASSWORD), cast.mia)


def test_a_card_says_name_user_name_password_and_where(print_cards):
    page = print_cards(who="missing")
    (card,) = page.context["cards"]

    assert f"Cleo R. Room 12 Chess User name cleo Password {card.password} testserver/login/" in words_of(page)
    assert page["Cache-Control"] == "no-store, private"


@pytest.mark.parametrize(("who", "names"), [("all", ["Ben O.", "Mia K."]), ("missing", []), ("ticked", ["Mia K."])])
def test_cards_are_for_all_active_ones_those_without_a_login_or_the_ticked(cast, print_cards, who, names):
    set_active(cast.cleo.enrollments.get(), active=False)

    page = print_cards(who=who, students=[cast.mia])

    assert [card.label for card in page.context.get("cards") or []] == names


@pytest.mark.parametrize("ticked", ["nobody", "other", "stranger"])
def test_nobody_outside_the_class_gets_a_card(cast, print_cards, ticked):
    page = print_cards(who="ticked", students=[getattr(cast, ticked)] if ticked != "nobody" else [])

    assert list(page.context["form"].errors) == ["students"]
    assert is_in(by_password("noah", PASSWORD), cast.other)


def test_a_double_press_makes_one_sheet_and_the_second_answer_says_so(cast, print_cards, teacher):
    first = print_cards(key=(key := str(uuid.uuid4())))
    second = print_cards(key=key)

    assert second["Location"] == f"/classes/{cast.classroom.pk}/cards/?made=1"
    assert "This sheet was made already" in words_of(teacher.get(second["Location"]))
    assert is_in(by_password("mia", cards_of(first)["Mia K."].password), cast.mia)


def test_a_double_press_is_told_too_when_by_then_nobody_is_without_a_login(print_cards):
    key = str(uuid.uuid4())

    assert [print_cards(who="missing", key=key).status_code for _ in range(2)] == [200, 302]


@pytest.mark.parametrize("what", ["password", "badge"])
def test_new_cards_end_the_open_sessions_of_these_students_alone(cast, client_of, print_cards, what):
    mia, ben = client_of(cast.mia.user), client_of(cast.ben.user)

    print_cards(who="ticked", what=what, students=[cast.mia])

    assert mia.get("/me/")["Location"] == "/login/?next=/me/"
    assert ben.get("/me/").status_code == 200


def test_nothing_of_a_sheet_is_kept(cast, print_cards, teacher):
    card = cards_of(print_cards(what="both"))["Mia K."]
    kept = str([dict(teacher.session), events(), Badge.objects.values(), User.objects.values()])

    assert card.password not in kept
    assert "login/badge" not in kept
    assert card.password not in words_of(teacher.get(f"/classes/{cast.classroom.pk}/cards/"))
    assert events()[-1] == (
        "cards.made",
        f"classroom:{cast.classroom.pk}",
        {"students": sorted([cast.mia.pk, cast.ben.pk, cast.cleo.pk]), "passwords": True, "badges": True},
    )


def test_a_class_without_active_students_has_no_cards(cast, teacher):
    empty = make_classroom(cast.school, teacher=cast.teacher.membership)

    assert "No active students yet." in words_of(teacher.get(f"/classes/{empty.pk}/cards/"))


# Badges


@pytest.fixture
def badges(cast):
    """Makes badges for students of the class: their addresses, in the order of the students."""

    def made(*students) -> list[str]:
        once = OneTimeKey(uuid.uuid4(), cast.teacher, "make_cards", "", "/")
        cards = make_cards(
            classroom=cast.classroom,
            students=[one.pk for one in students],
            passwords=False,
            badges=True,
            by=cast.teacher,
            once=once,
        )
        tokens = {card.student_id: card.token for card in cards}
        return [f"/login/badge/{tokens[one.pk]}/" for one in students]

    return made


def test_the_badge_on_a_card_leads_to_this_site_and_lets_its_student_in(cast, print_cards, monkeypatch):
    monkeypatch.setattr("secrets.token_urlsafe", lambda size: "known" + "0" * size)

    page = print_cards(who="ticked", what="both", students=[cast.mia])
    child = Client()
    child.post(f"/login/badge/known{'0' * 16}/")

    assert cards_of(page)["Mia K."].qr == qr_code(f"http://testserver/login/badge/known{'0' * 16}/")
    assert f'<path fill="#000" d="{cards_of(page)["Mia K."].qr.path}"/>' in page.content.decode()
    assert is_in(child, cast.mia)


def test_a_badge_shows_whose_it_is_and_a_press_logs_in(cast, badges):
    (address,) = badges(cast.mia)
    child = Client()

    looked = child.get(address)
    before = is_in(child, cast.mia)
    answer = child.post(address)

    assert re.fullmatch(r"/login/badge/[\w-]{22}/", address)
    assert "Log in as Mia K.? Yes, log me in" in words_of(looked)
    assert "no-store" in looked["Cache-Control"]
    assert (before, answer["Location"], is_in(child, cast.mia)) == (False, "/", True)
    assert events()[-1] == ("login.ok", f"student:{cast.mia.pk}", {"with": "badge"})


def test_a_badge_leaves_the_password_as_it_is_and_makes_accounts_without_one(cast, badges):
    _mia, cleo = badges(cast.mia, cast.cleo)
    cast.cleo.refresh_from_db()
    child = Client()
    child.post(cleo)

    assert is_in(by_password("mia", PASSWORD), cast.mia)
    assert is_in(child, cast.cleo)
    assert not cast.cleo.user.has_usable_password()


def test_a_new_badge_voids_the_old_one(cast, badges):
    (old,) = badges(cast.mia)
    (new,) = badges(cast.mia)

    assert WRONG_BADGE in words_of(Client().post(old))
    assert Client().post(new).status_code == 302


def test_a_lost_badge_is_voided_on_the_page_of_the_student_with_the_session_it_opened(cast, badges, teacher):
    (lost,), (other,) = badges(cast.mia), badges(cast.ben)
    finder = Client()
    finder.post(lost)

    offered = "Void the badge" in words_of(teacher.get(f"/students/{cast.mia.pk}/"))
    answer = teacher.post(f"/students/{cast.mia.pk}/badge/void/", follow=True)

    assert offered
    assert messages_of(answer) == ["The badge of Mia Kowalczyk is void."]
    assert "Void the badge" not in words_of(answer)
    assert finder.get("/me/").status_code == 302
    assert WRONG_BADGE in words_of(Client().get(lost))
    assert Client().post(other).status_code == 302
    assert ("badge.voided", f"student:{cast.mia.pk}", {}) in events()


def test_wrong_void_and_switched_off_badges_get_the_same_answer(cast, badges, teacher):
    (void,) = badges(cast.mia)
    teacher.post(f"/students/{cast.mia.pk}/badge/void/")
    (switched_off,) = badges(cast.ben)
    User.objects.filter(username="ben").update(is_active=False)
    client = Client()

    answers = {
        (answer.status_code, words_of(answer))
        for address in (void, switched_off, "/login/badge/never-given/")
        for answer in (client.get(address), client.post(address))
    }

    assert len(answers) == 1
    assert not is_in(client, cast.mia)


def test_a_badge_never_lets_a_teacher_in(cast, badges):
    (address,) = badges(cast.mia)
    User.objects.filter(pk=cast.mia.user_id).update(role=User.Role.TEACHER)

    assert WRONG_BADGE in words_of(Client().post(address))


def test_a_badge_on_a_tablet_where_somebody_else_is_logged_in_changes_who_it_is(cast, badges, client_of):
    (address,) = badges(cast.mia)
    tablet = client_of(cast.ben.user)
    key = tablet.session.session_key

    tablet.post(address)

    assert is_in(tablet, cast.mia)
    assert not tablet.session.exists(key)


def test_the_drawing_of_a_badge_has_the_modules_of_its_code():
    text = "http://192.168.1.20:8000/login/badge/0123456789abcdefghijkl/"
    drawn = qr_code(text)
    dark = {
        (int(x) + step, int(y))
        for x, y, length, back in re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", drawn.path)
        for step in range(int(length))
        if length == back
    }
    code = segno.make_qr(text, error="m", boost_error=False)

    assert drawn.size == code.symbol_size(border=QR_MARGIN)[0] == 41
    wanted = list(code.matrix_iter(border=QR_MARGIN))
    assert dark == {(x, y) for y, row in enumerate(wanted) for x, bit in enumerate(row) if bit}


# The codes of a lesson


def test_codes_are_shown_with_short_names_to_active_students_with_an_account(cast, teacher):
    set_active(cast.ben.enrollments.get(), active=False)

    page = teacher.post(f"/classes/{cast.classroom.pk}/codes/")

    ((label, code),) = page.context["page"].rows
    assert label == "Mia K."
    assert "testserver/login/code/ once each, until" in words_of(page)
    assert f"Mia K. {code}" in words_of(page)
    assert page["Cache-Control"] == "no-store, private"
    assert events() == [("codes.made", f"classroom:{cast.classroom.pk}", {"codes": 1})]


def test_the_page_before_says_how_many_get_one(cast, teacher):
    page = words_of(teacher.get(f"/classes/{cast.classroom.pk}/codes/"))

    assert "2 of 3 active students have a login and get a code. Make logins for the others" in page
    assert not LoginCode.objects.exists()


@pytest.mark.parametrize("typed", [str, str.lower, lambda code: f" {code[:3]} {code[3:]} ", "-".join])
def test_a_code_lets_its_student_in_however_it_is_typed(cast, typed):
    codes = make_login_codes(cast.classroom, by=cast.teacher)

    answer = by_code(typed(codes[cast.mia.pk]))

    assert (answer["Location"], is_in(answer.client, cast.mia)) == ("/", True)
    assert events()[-1] == ("login.ok", f"student:{cast.mia.pk}", {"with": "code"})


def test_wrong_used_old_and_replaced_codes_get_the_same_sentence(cast):
    replaced = make_login_codes(cast.classroom, by=cast.teacher)[cast.mia.pk]
    codes = make_login_codes(cast.classroom, by=cast.teacher)
    by_code(codes[cast.mia.pk])
    LoginCode.objects.filter(student=cast.ben).update(expires_at=timezone.now())

    answers = [by_code(code) for code in ("CCCCCC", codes[cast.mia.pk], codes[cast.ben.pk], replaced)]

    assert [answer.context["form"].errors for answer in answers] == [{"code": [WRONG_CODE]}] * 4
    assert len({words_of(answer) for answer in answers}) == 1


def test_a_code_works_for_ten_minutes_and_only_its_hash_is_kept(cast):
    code = make_login_codes(cast.classroom, by=cast.teacher)[cast.mia.pk]
    kept = LoginCode.objects.get(student=cast.mia)

    left = kept.expires_at - timezone.now()
    assert datetime.timedelta(minutes=9, seconds=50) < left <= datetime.timedelta(minutes=10)
    assert code not in str(LoginCode.objects.filter(pk=kept.pk).values())


def test_a_code_works_while_the_password_is_slowed_down(cast):
    for _ in range(6):
        by_password("mia", "wrong")
    slowed = not is_in(by_password("mia", PASSWORD), cast.mia)
    code = make_login_codes(cast.classroom, by=cast.teacher)[cast.mia.pk]

    assert slowed
    assert is_in(by_code(code).client, cast.mia)


def test_sixty_wrong_codes_from_one_address_slow_that_address_for_ten_minutes(cast):
    codes = make_login_codes(cast.classroom, by=cast.teacher)
    AccessFailureLog.objects.bulk_create(
        AccessFailureLog(username="login code", ip_address="10.0.0.1") for _ in range(MOST_WRONG_CODES - 1)
    )

    wrong, right = by_code("CCCCCC"), by_code(codes[cast.mia.pk])
    elsewhere = by_code(codes[cast.mia.pk], address="10.0.0.2")
    with_password = by_password("ben", PASSWORD)
    AccessFailureLog.objects.update(attempt_time=timezone.now() - datetime.timedelta(minutes=11))
    later = by_code(codes[cast.ben.pk])

    assert (wrong.status_code, right.status_code) == (200, 429)
    assert "Too many wrong codes came from here." in words_of(right)
    assert is_in(elsewhere.client, cast.mia)
    assert is_in(with_password, cast.ben)
    assert is_in(later.client, cast.ben)
    assert not AccessFailureLog.objects.exists()
    assert ("login.refused", "", {"with": "code"}) in events()


def test_thirty_children_who_all_mistype_once_get_in_with_their_codes(cast):
    classroom = make_classroom(cast.school, teacher=cast.teacher.membership)
    students = [make_student(classroom, "Pupil", username=f"pupil{number}") for number in range(30)]
    codes = make_login_codes(classroom, by=cast.teacher)

    for code in codes.values():
        by_code(code[:-1])
    clients = {pk: by_code(code).client for pk, code in codes.items()}

    assert [one for one in students if not is_in(clients[one.pk], one)] == []


def test_codes_of_another_class_stay(cast):
    theirs = make_login_codes(cast.other_classroom, by=cast.colleague)[cast.other.pk]
    make_login_codes(cast.classroom, by=cast.teacher)

    assert is_in(by_code(theirs).client, cast.other)


# A new password


def test_a_new_password_is_two_clicks_away_and_shown_once(cast, teacher, client_of):
    mia = client_of(cast.mia.user)
    roster = teacher.get(f"/classes/{cast.classroom.pk}/students/")
    address = f"/classes/{cast.classroom.pk}/students/{cast.mia.pk}/password/"

    asked = words_of(teacher.get(address))
    still_works = is_in(by_password("mia", PASSWORD), cast.mia)
    shown = teacher.post(address)
    password = SECRET.search(words_of(shown))[0]

    assert address in roster.content.decode()
    assert "A new password for Mia Kowalczyk?" in asked
    assert still_works
    assert f"User name mia Password {password}" in words_of(shown)
    assert shown["Cache-Control"] == "no-store, private"
    assert is_in(by_password("mia", password), cast.mia)
    assert not is_in(by_password("mia", PASSWORD), cast.mia)
    assert mia.get("/me/").status_code == 302
    assert ("login.reset", f"student:{cast.mia.pk}", {}) in events()


def test_whoever_has_no_login_gets_one_the_same_way(cast, teacher):
    address = f"/classes/{cast.classroom.pk}/students/{cast.cleo.pk}/password/"

    asked, shown = words_of(teacher.get(address)), words_of(teacher.post(address))
    cast.cleo.refresh_from_db()

    assert "A login for Cleo Raman?" in asked
    assert is_in(by_password("cleo", SECRET.search(shown)[0]), cast.cleo)


def test_a_new_password_ends_the_slowing_down(cast, teacher):
    for _ in range(6):
        by_password("mia", "wrong")

    shown = words_of(teacher.post(f"/classes/{cast.classroom.pk}/students/{cast.mia.pk}/password/"))

    assert is_in(by_password("mia", SECRET.search(shown)[0]), cast.mia)


# The audit trail


def test_logins_mistakes_and_slowing_down_are_noted_without_names(cast):
    by_password("mia", "wrong")
    by_password("mia", PASSWORD)
    by_password("nobody", PASSWORD)
    by_password("teacher", PASSWORD)

    mia, teacher = f"student:{cast.mia.pk}", f"user:{cast.teacher.pk}"
    assert events() == [
        ("login.failed", mia, {"with": "password"}),
        ("login.ok", mia, {"with": "password"}),
        ("login.ok", teacher, {"with": "password"}),
    ]
    assert set(AuditEvent.objects.values_list("school", flat=True)) == {cast.school.pk}
    assert list(AuditEvent.objects.order_by("pk").values_list("by", flat=True)) == [
        None, cast.mia.user_id, cast.teacher.pk
    ]  # fmt: skip


def test_slowing_down_is_noted_once_however_often_it_is_tried(cast):
    for _ in range(8):
        by_password("mia", "wrong")

    assert [action for action, _about, _detail in events()] == ["login.failed"] * 4 + ["login.refused"]


def test_a_password_typed_on_the_page_of_a_student_is_noted_too(cast, teacher):
    body = {"first_name": "Mia", "last_name": "Kowalczyk", "username": "mia", "password": "olive-robot-42"}
    teacher.post(f"/students/{cast.mia.pk}/edit/", body)

    assert events() == [("login.reset", f"student:{cast.mia.pk}", {})]
