"""What people type, on every page of the table: it stays text; and forms offer nobody of another class."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django import forms
from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

import chesslocker
import classes
import ratings
import tournaments
from classes.access import classrooms_of_teacher
from classes.models import Classroom, Membership, School, Student, User
from ratings.models import Adjustment, Game, RatingList
from tests.access_table import World, make_world
from tests.test_access import Run, address, table
from tests.test_headers import header_faults

# Each breaks out of several places at once: of text, of both kinds of quotes, of titles, scripts and text fields.
PAYLOADS = {
    "markup": "\"' onxssc=1><xssc></title></script></textarea><xssc>",
    "template": "javascript:xssc {{ xssc }}{% xssc %} <!--xssc",
}


@pytest.fixture
def world(cast) -> World:
    return make_world(cast)


def seen_by(world: World, role: str) -> Iterator[tuple[str, HttpResponse]]:
    """Every page that the table lets a role see, as the test client has it: with its contexts."""
    user = world.users[role]
    client = Client()
    if user:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    for key, page in table().items():
        for objects in page.see or {}:
            if Run.expected(page.see, objects, role, 200) == 200:
                target = address(key, objects, world) + page.query
                yield target, client.get(target)


class Inert(HTMLParser):
    """Finds what a payload became if it is more than text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.alive: list[str] = []
        self.texts = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if "xssc" in tag:
            self.alive.append(f"<{tag}>")
        for name, value in attrs:
            if "xssc" in name:
                self.alive.append(f"{name} in <{tag}>")
            if name in {"href", "src", "action"} and (value or "").strip().lower().startswith("javascript:"):
                self.alive.append(f"{name}={value}")

    def handle_comment(self, data: str) -> None:
        if "xssc" in data:
            self.alive.append(f"<!--{data}-->")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script" and "xssc" in data:
            self.alive.append("in a script")
        self.texts += "xssc" in data


def plant(world: World, payload: str) -> None:
    """The payload in every text that people write."""
    for number, student in enumerate(Student.objects.all()):
        student.first_name, student.last_name, student.grade = payload, f"{payload}{number}", payload[:20]
        student.email, student.external_id = payload, f"{number}{payload}"
        student.save()
    for number, user in enumerate(User.objects.all()):
        User.objects.filter(pk=user.pk).update(name=payload, username=f"{payload.lower()}{number}", email=payload)
    for number, classroom in enumerate(Classroom.objects.all()):
        classroom.name = f"{payload}{number}"
        classroom.save()
    School.objects.update(name=payload)
    Game.objects.update(note=payload)
    Adjustment.objects.update(reason=payload)
    Game.objects.filter(pk=world.ids["game_loose"]).update(
        voided_at=timezone.now(), voided_by=world.cast.lead, void_reason=payload
    )
    for number, rating_list in enumerate(RatingList.objects.all()):
        RatingList.objects.filter(pk=rating_list.pk).update(name=f"{payload}{number}")


@pytest.mark.parametrize(("kind", "roles"), [("markup", "lead student staff"), ("template", "lead student")])
def test_what_people_type_stays_text(world, kind, roles):
    plant(world, PAYLOADS[kind])
    texts = 0

    for role in roles.split():
        for target, response in seen_by(world, role):
            assert response.status_code in {200, 302}, target  # 302: what is planted includes a game that is void
            if response["Content-Type"].startswith("text/html"):
                page = Inert()
                page.feed(response.content.decode())
                page.close()
                assert page.alive == [], f"{target} as {role}"
                texts += page.texts

    assert texts > 50  # it was there to be seen


def form_classes() -> set[type[forms.BaseForm]]:
    """Our forms that choose among rows of a table."""
    for package in (chesslocker, classes, ratings, tournaments):
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if ".forms" in module.name:
                importlib.import_module(module.name)

    def below(kind: type) -> Iterator[type]:
        for child in kind.__subclasses__():
            yield child
            yield from below(child)

    return {
        form
        for form in below(forms.BaseForm)
        if form.__module__.split(".")[0] in {"chesslocker", "classes", "ratings", "tournaments"}
        and ".admin" not in form.__module__
        and any(isinstance(field, forms.ModelChoiceField) for field in form.base_fields.values())
    }


def test_forms_offer_nobody_of_others(world):
    seen = set()

    for role in ("teacher", "lead", "outsider"):
        user = world.users[role]
        assert user is not None
        for target, response in seen_by(world, role):
            for form in forms_of(response):
                for name, field in form.fields.items():
                    if isinstance(field, forms.ModelChoiceField):
                        offered = {row.pk for row in field.queryset}
                        assert offered - allowed(user, field.queryset) == set(), f"{name} on {target} as {role}"
                        seen |= {type(form)} if offered else set()

    assert form_classes() - seen == set()  # each form was met, and offered something


def forms_of(response: HttpResponse) -> list[forms.BaseForm]:
    found: dict[int, forms.BaseForm] = {}
    for context in response.context or ():
        for layer in getattr(context, "dicts", ()):
            found |= {id(value): value for value in layer.values() if isinstance(value, forms.BaseForm)}
    return list(found.values())


def allowed(user: User, offered: QuerySet) -> set[int]:
    """The rows that a teacher may know of."""
    member = user.membership
    if offered.model is Student:
        students = Student.objects.filter(school=member.school)
        if not member.is_lead:
            students = students.filter(enrollments__classroom__teachers=member)
        return set(students.values_list("pk", flat=True))
    if offered.model is Classroom:
        return set(classrooms_of_teacher(member).values_list("pk", flat=True))
    assert offered.model in {Membership, RatingList}, offered.model
    return set(offered.model.objects.filter(school=member.school).values_list("pk", flat=True))


def test_a_list_of_another_school_is_not_asked_for(world, client_of):
    """?list= with a foreign id is answered like junk: with the own default list."""
    client = client_of(world.users["teacher"])
    RatingList.objects.filter(pk=world.ids["ratinglist_lake"]).update(name="Lakecanary")

    page = client.get(f"/classes/{world.ids['room']}/?list={world.ids['ratinglist_lake']}")

    assert page.status_code == 200
    assert "Lakecanary" not in page.content.decode()


@pytest.mark.parametrize("checks_token", [False, True])
def test_too_many_fields(world, checks_token):
    client = Client(enforce_csrf_checks=checks_token, raise_request_exception=False)
    client.force_login(world.users["teacher"], backend="django.contrib.auth.backends.ModelBackend")

    client.get("/password/")  # a form: now there is a token
    fields = {f"field{number}": "1" for number in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)}
    answers = [
        client.post(f"/classes/{world.ids['room']}/{page}", fields)
        for page in ("games/record/", "students/add/", "students/import/", "edit/")
    ]

    assert [answer.status_code for answer in answers] == [400] * 4
    assert [header_faults(answer, private=True) for answer in answers] == [[]] * 4


@pytest.mark.parametrize(
    "junk",
    ["abc", "-1", "99999999999999999999999999", "١", "\x00", "½"],
)
def test_junk_in_place_of_ids_and_days_is_no_fault(world, client_of, junk):
    room = world.ids["room"]
    teacher, student = client_of(world.users["teacher"]), client_of(world.users["student"])
    for client in (teacher, student):
        client.raise_request_exception = False
    query = dict.fromkeys(("student", "day", "page", "saved", "list", "opponent", "outcome", "added", "given"), junk)
    query |= dict.fromkeys(("since", "until", "teacher", "kind", "first", "last", "from", "to"), junk)
    pages = ["", "games/", "games/record/", "games/quick/", "students/", "elo/", "elo/adjustments/", "elo/adjust/"]
    fields = "white black result day note key list again preview students points kind reason version place text also"
    fields += " encoding heading grade out update who-1 column-0 confirm"
    body = dict.fromkeys(fields.split(), junk)

    answers = [teacher.get(f"/classes/{room}/{page}", query).status_code for page in pages]
    answers += [student.get(page, query).status_code for page in ("/me/", "/me/games/", f"/me/classes/{room}/")]
    answers += [teacher.get(f"/students/{world.ids['mia']}/", query).status_code]
    posted = ["games/record/", "games/quick/", "elo/adjust/", "students/add/", "students/import/"]
    answers += [teacher.post(f"/classes/{room}/{page}", body).status_code for page in posted]
    answers += [
        teacher.post(f"/games/{world.ids['game_room']}/{what}/", body).status_code for what in ("correct", "void")
    ]

    assert [status for status in answers if status not in {200, 302, 400, 404, 409}] == []
