"""Teachers of a school: inviting, joining, roles, several teachers in a class, removing."""

from __future__ import annotations

import datetime
import re

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from classes import services_colleagues as services
from classes.access import hash_of
from classes.models import AuditEvent, Invitation, Membership, UsedKey, User
from tests.factories import PASSWORD, lead_of, make_classroom, make_school, make_teacher
from tests.pages import messages_of, rows_of, words_of

pytestmark = pytest.mark.django_db
NOT_WORKING = "This invitation does not work"
NEW = {"name": "Ms. Diaz", "username": "Diaz", "password": "four-loud-bishops"}


@pytest.fixture
def lead(cast, client_of) -> Client:
    return client_of(cast.lead)


def invited(lead: Client, **fields: object) -> str:
    """The path of a link, as the page shows it."""
    page = lead.post("/school/teachers/invite/", {"note": "Ms. Diaz", "role": "teacher"} | fields)
    return re.search(r"http://testserver(/join/[^<\"]+)", page.content.decode()).group(1)


def events() -> list[tuple[str, str]]:
    return [(event.action, event.about) for event in AuditEvent.objects.order_by("pk")]


# --- by invitation ---


def test_whoever_opens_the_link_has_an_account_a_membership_and_the_class(cast, lead, client):
    link = invited(lead, classroom=cast.classroom.pk)

    assert "Lead invites you to teach here. You will teach Room 12 Chess." in words_of(client.get(link))
    page = client.post(link, NEW, follow=True)

    joined = Membership.objects.get(user__username="diaz")
    assert messages_of(page) == ["Welcome to Hill School!"]
    assert page.context["user"] == joined.user
    assert (joined.school, joined.role, joined.user.role) == (cast.school, "teacher", "teacher")
    assert {one.user.username for one in cast.classroom.teachers.all()} == {"teacher", "diaz"}
    invitation = Invitation.objects.get()
    assert invitation.used_by == joined.user
    assert events() == [
        ("teacher.invited", f"invitation:{invitation.pk}"),
        ("teacher.joined", f"user:{joined.user_id}"),
    ]


def test_only_the_hash_of_a_link_is_kept_and_the_page_shows_it_once(cast, lead):
    link = invited(lead)

    token = link.split("/")[2]
    assert Invitation.objects.get().token_hash == hash_of(token)
    assert token not in lead.get("/school/teachers/").content.decode()


def test_an_invitation_that_is_sent_twice_is_made_once(lead):
    key = {"key": "5c6d8f4e-7a1b-4f0e-9d3c-1b2a3c4d5e6f", "note": "Mr. Novak", "role": "teacher"}
    lead.post("/school/teachers/invite/", key)

    again = lead.post("/school/teachers/invite/", key)

    assert (again.status_code, again.url) == (302, "/school/teachers/")
    assert (Invitation.objects.count(), UsedKey.objects.count()) == (1, 1)


@pytest.mark.parametrize("spoil", ["used", "old", "taken back", "lead removed", "unknown"])
def test_a_link_that_does_not_work_says_the_same_sentence_whatever_the_reason(cast, lead, client, spoil):
    link = invited(lead)
    if spoil == "used":
        Client().post(link, NEW)
    elif spoil == "old":
        Invitation.objects.update(expires_at=timezone.now())
    elif spoil == "taken back":
        lead.post(f"/school/invitations/{Invitation.objects.get().pk}/revoke/")
    elif spoil == "lead removed":
        other = make_teacher(cast.school)
        Membership.objects.filter(pk=other.pk).update(role="lead")
        services.remove_teacher(cast.lead.membership, by=other.user)
    else:
        link = "/join/never-given-out/"
    accounts = User.objects.count()

    answers = [client.get(link), client.post(link, NEW | {"username": "other"})]

    assert [(page.status_code, NOT_WORKING in words_of(page)) for page in answers] == [(200, True)] * 2
    assert len({words_of(page) for page in answers}) == 1
    assert User.objects.count() == accounts


def test_of_two_who_open_a_link_at_once_the_second_is_told(cast, lead, monkeypatch):
    link = invited(lead)
    services.accept_invitation(link.split("/")[2], name="A", username="first", password=NEW["password"])

    with pytest.raises(services.InvitationOver):
        services.accept_invitation(link.split("/")[2], name="B", username="second", password=NEW["password"])


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ({"username": "teacher"}, "This user name is taken. Choose another, or log in."),
        ({"password": "short"}, "This password is too short. It must contain at least 10 characters."),
        ({"name": ""}, "This field is required."),
    ],
)
def test_what_is_wrong_with_a_new_account_is_said_and_the_link_works_still(lead, client, typed, error):
    link = invited(lead)

    page = client.post(link, NEW | typed)

    assert page.context["form"].errors == {next(iter(typed)): [error]}
    assert client.post(link, NEW).status_code == 302


def test_whoever_is_logged_in_is_told_to_log_out(cast, lead, client_of):
    link = invited(lead)

    for method in ("get", "post"):
        page = getattr(client_of(cast.mia.user), method)(link, NEW)
        assert "You are logged in already" in words_of(page)
    assert Invitation.objects.get().used_at is None


def test_a_class_that_was_archived_meanwhile_is_left_out(cast, lead, client):
    link = invited(lead, classroom=cast.classroom.pk)
    cast.classroom.archived_at = timezone.now()
    cast.classroom.save()

    client.post(link, NEW)

    assert [one.user.username for one in cast.classroom.teachers.all()] == ["teacher"]


def test_the_list_tells_how_old_an_invitation_is_and_that_it_is_over(cast, lead):
    invited(lead)
    Invitation.objects.update(invited_at=timezone.now() - datetime.timedelta(days=8), expires_at=timezone.now())

    page = words_of(lead.get("/school/teachers/"))

    assert "1 week, 1 day ago by Lead too old: no longer works" in page.replace("\xa0", " ")
    invited(lead, note="Mr. Novak")
    assert [invitation.note for invitation in Invitation.objects.all()] == ["Mr. Novak"]


def test_the_link_goes_by_e_mail_where_the_server_sends_any(cast, lead, settings):
    assert "email" not in lead.get("/school/teachers/invite/").context["form"].fields
    settings.EMAIL_CONFIGURED = True

    link = invited(lead, email="diaz@hill.example")

    assert [(message.to, message.subject) for message in mail.outbox] == [
        (["diaz@hill.example"], "Your invitation to Hill School on ChessLocker")
    ]
    assert link in mail.outbox[0].body
    assert "diaz@hill.example" not in str(Invitation.objects.values())


def test_a_mail_server_that_is_away_is_said_and_the_link_is_there(lead, settings):
    settings.EMAIL_CONFIGURED = True
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = (
        "django.core.mail.backends.smtp.EmailBackend", "127.0.0.1", 9
    )  # fmt: skip

    page = lead.post("/school/teachers/invite/", {"note": "Ms. Diaz", "role": "teacher", "email": "diaz@hill.example"})

    assert "could not be sent" in words_of(page)
    assert "http://testserver/join/" in words_of(page)


@pytest.mark.parametrize("name", ["classroom", "archived"])
def test_an_invitation_is_to_open_classes_of_the_school(cast, lead, name):
    if name == "archived":
        cast.classroom.archived_at = timezone.now()
        cast.classroom.save()
    wrong = cast.classroom if name == "archived" else cast.foreign_classroom

    page = lead.post("/school/teachers/invite/", {"note": "X", "role": "teacher", "classroom": wrong.pk})

    assert list(page.context["form"].errors) == ["classroom"]


# --- roles and removing ---


def test_leads_see_everybody_with_role_classes_and_last_login(cast, lead):
    make_teacher(cast.school, username="novak", name="Mr. Novak")

    rows = [row[:3] for row in rows_of(lead.get("/school/teachers/"))]

    today = date_format(timezone.localdate())
    assert [row[:2] for row in rows] == [
        ["Lead lead you lead", "no class"],
        ["Mr. Lund colleague", "Room 14 Chess"],
        ["Mr. Novak novak", "no class"],
        ["Ms. Okafor teacher", "Room 12 Chess"],
    ]
    assert (rows[0][2], rows[2][2]) == (today, "never logged in")


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_as_many_queries_for_one_as_for_three(client_of, django_assert_num_queries, count):
    school = make_school()
    lead = lead_of(school)
    for number in range(count):
        make_classroom(school, teacher=make_teacher(school))
        make_classroom(school).teachers.clear()
        services.remove_teacher(make_teacher(school), by=lead.user)
        Invitation.objects.create(
            school=school, token_hash=str(number), invited_by=lead.user, expires_at=timezone.now()
        )
    client = client_of(lead.user)
    client.get("/school/teachers/")

    with django_assert_num_queries(9):
        page = client.get("/school/teachers/").context["page"]

    assert [len(page.teachers), len(page.former), len(page.invitations), len(page.untaught)] == [
        count + 1,
        *[count] * 3,
    ]


def test_a_new_role_holds_from_the_next_login_on(cast, lead, client_of):
    colleague = client_of(cast.colleague)
    assert colleague.get("/school/teachers/").status_code == 404

    page = lead.post(f"/school/teachers/{cast.colleague.membership.pk}/role/", {"role": "lead"}, follow=True)

    assert messages_of(page) == ["Mr. Lund is a lead teacher now, from the next login on."]
    assert colleague.get("/classes/").url == "/login/?next=/classes/"  # the session ended
    again = client_of(cast.colleague)
    assert again.get("/school/teachers/").status_code == 200
    lead.post(f"/school/teachers/{cast.colleague.membership.pk}/role/", {"role": "teacher"})
    assert again.get("/school/teachers/").url.startswith("/login/")
    assert [action for action, _about in events()] == ["role.changed"] * 2


def test_a_removed_teacher_is_out_at_once_and_cannot_log_in_any_more(cast, lead, client_of):
    session = client_of(cast.teacher)
    assert "Open sessions end at once" in words_of(lead.get(f"/school/teachers/{cast.teacher.membership.pk}/remove/"))

    page = lead.post(f"/school/teachers/{cast.teacher.membership.pk}/remove/", follow=True)

    assert messages_of(page) == ["Ms. Okafor can no longer log in."]
    assert session.get(f"/classes/{cast.classroom.pk}/").status_code == 302
    login = Client().post("/login/", {"username": "teacher", "password": PASSWORD})
    assert login.status_code == 200
    assert "Room 12 Chess" in words_of(page).partition("Classes without a teacher")[2]
    assert "no teacher: the leads look after it" in words_of(lead.get("/classes/"))
    assert lead.get(f"/classes/{cast.classroom.pk}/").status_code == 200
    assert events()[0] == ("teacher.removed", f"user:{cast.teacher.pk}")


def test_a_removed_teacher_is_let_in_again_as_a_teacher_without_classes(cast, lead, client_of):
    services.change_role(cast.colleague.membership, role="lead", by=cast.lead)
    services.remove_teacher(cast.colleague.membership, by=cast.lead)

    lead.post(f"/school/teachers/{cast.colleague.membership.pk}/readmit/")

    back = Membership.objects.get(user=cast.colleague)
    assert (back.role, back.user.is_active, back.classrooms.count()) == ("teacher", True, 0)
    assert client_of(back.user).get("/classes/").status_code == 200


def test_nobody_changes_or_removes_oneself(cast, lead):
    pk = cast.lead.membership.pk

    answers = [lead.post(f"/school/teachers/{pk}/{what}/", {"role": "teacher"}) for what in ("role", "remove")]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert Membership.objects.get(pk=pk).is_lead


@pytest.mark.parametrize(
    "what", [services.remove_teacher, lambda one, by: services.change_role(one, role="teacher", by=by)]
)
def test_two_leads_who_end_each_other_at_once_leave_one(cast, what):
    services.change_role(cast.colleague.membership, role="lead", by=cast.lead)
    first, second = (Membership.objects.get(user=user) for user in (cast.lead, cast.colleague))
    what(second, by=first.user)

    with pytest.raises(services.NoLongerLead):
        what(first, by=second.user)

    assert [one.user for one in Membership.objects.filter(school=cast.school, role="lead")] == [cast.lead]


# --- the teachers of a class ---


def test_a_teacher_lets_a_colleague_into_the_class(cast, client_of):
    page = client_of(cast.teacher).post(
        f"/classes/{cast.classroom.pk}/teachers/",
        {"colleague": cast.colleague.membership.pk, "how": "together"},
        follow=True,
    )

    assert messages_of(page) == ["Mr. Lund teaches Room 12 Chess too."]
    for user in (cast.teacher, cast.colleague):
        assert client_of(user).get(f"/classes/{cast.classroom.pk}/").status_code == 200


def test_a_teacher_hands_the_class_over_and_leaves_it(cast, client_of):
    teacher = client_of(cast.teacher)

    page = teacher.post(
        f"/classes/{cast.classroom.pk}/teachers/",
        {"colleague": cast.colleague.membership.pk, "how": "instead"},
        follow=True,
    )

    assert page.redirect_chain == [("/classes/", 302)]
    assert messages_of(page) == ["Room 12 Chess is handed over to Mr. Lund."]
    assert teacher.get(f"/classes/{cast.classroom.pk}/").status_code == 404
    assert client_of(cast.colleague).get(f"/classes/{cast.classroom.pk}/").status_code == 200
    assert events() == [("class.handed_over", f"classroom:{cast.classroom.pk}")]


def test_who_hands_a_class_over_leaves_and_who_teaches_it_too_stays(cast, client_of):
    third = make_teacher(cast.school, username="third")
    cast.classroom.teachers.add(third)

    client_of(cast.teacher).post(
        f"/classes/{cast.classroom.pk}/teachers/", {"colleague": cast.colleague.membership.pk, "how": "instead"}
    )

    assert {one.user.username for one in cast.classroom.teachers.all()} == {"third", "colleague"}


def test_a_lead_gives_a_class_to_another_teacher(cast, lead):
    lead.post(f"/classes/{cast.classroom.pk}/teachers/", {"colleague": cast.colleague.membership.pk, "how": "instead"})

    assert list(cast.classroom.teachers.all()) == [cast.colleague.membership]


@pytest.mark.parametrize("who", ["outsider", "teacher"])
def test_a_class_is_given_to_colleagues_who_do_not_teach_it_only(cast, lead, who):
    page = lead.post(
        f"/classes/{cast.classroom.pk}/teachers/",
        {"colleague": getattr(cast, who).membership.pk, "how": "together"},
    )

    assert list(page.context["form"].errors) == ["colleague"]


def test_a_removed_colleague_is_not_offered(cast, client_of):
    services.remove_teacher(cast.colleague.membership, by=cast.lead)

    page = client_of(cast.teacher).get(f"/classes/{cast.classroom.pk}/teachers/")

    assert "Mr. Lund" not in words_of(page)


def test_a_teacher_leaves_a_class_while_another_stays_and_not_before(cast, client_of):
    teacher, pk = client_of(cast.teacher), cast.teacher.membership.pk
    address = f"/classes/{cast.classroom.pk}/teachers/{pk}/out/"

    refused = teacher.post(address, follow=True)
    cast.classroom.teachers.add(cast.colleague.membership)
    left = teacher.post(address, follow=True)

    assert messages_of(refused) == ["Room 12 Chess needs a teacher. Hand it over instead."]
    assert messages_of(left) == ["Ms. Okafor no longer teaches Room 12 Chess."]
    assert list(cast.classroom.teachers.all()) == [cast.colleague.membership]


def test_a_teacher_takes_nobody_else_out_and_a_lead_does(cast, lead, client_of):
    cast.classroom.teachers.add(cast.colleague.membership)
    address = f"/classes/{cast.classroom.pk}/teachers/{cast.colleague.membership.pk}/out/"

    assert client_of(cast.teacher).post(address).status_code == 404
    assert lead.post(address).url == f"/classes/{cast.classroom.pk}/teachers/"
    assert list(cast.classroom.teachers.all()) == [cast.teacher.membership]
