"""Executes the table of tests/access_table.py: every URL that the resolver knows, for every role, method and object."""

from __future__ import annotations

import fnmatch
import logging
import re
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings as django_settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import connection, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template import Template
from django.test import Client
from django.test.utils import _TestState
from django.urls import URLPattern, URLResolver, get_resolver, path, reverse

from chesslocker import urls
from chesslocker.views import pages as views
from classes import access
from classes.models import Classroom, Enrollment, Membership, Student
from tests.access_table import (
    ADMIN_APPS,
    ADMIN_MODELS,
    ADMIN_ROLES,
    EVERYBODY,
    NEVER_SHOWN,
    PAGES,
    PUBLIC,
    ROLES,
    STAFF,
    VISITORS,
    Cell,
    Page,
    Who,
    World,
    admin_pages,
    begin_session,
    make_world,
)
from tests.test_headers import header_faults

NEVER_OFFERED = ("PUT", "PATCH", "DELETE", "OPTIONS")
WHO_TRIES_THEM = "anonymous student teacher staff"
CATCH_ALL = "admin/(?P<url>.*)$"
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def world(cast) -> World:
    return make_world(cast)


# --- what the resolver knows against what the table says ---


def patterns() -> Iterator[tuple[str, str, URLPattern]]:
    """(full name or "", route, pattern) of everything the resolver knows."""

    def walk(resolver: URLResolver, names: str, route: str) -> Iterator[tuple[str, str, URLPattern]]:
        for pattern in resolver.url_patterns:
            here = route + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                yield from walk(pattern, names + (f"{pattern.namespace}:" if pattern.namespace else ""), here)
            else:
                yield names + pattern.name if pattern.name else "", here, pattern

    yield from walk(get_resolver(), "", "")


def table() -> dict[str, Page]:
    """All rows by name, those of nameless patterns by route."""
    apps = {f"admin:app_list {label}": Page(see={"": who}, do={"": who}, writes=False, may_learn_methods=STAFF)
            for label, who in ADMIN_APPS.items()}  # fmt: skip
    nowhere = Page(see={"": ""}, do={"": ""}, may_learn_methods=STAFF)
    return PAGES | apps | dict(admin_pages()) | {CATCH_ALL: nowhere}


def uncovered() -> list[str]:
    """URLs without a row, rows without a URL, patterns without a name, pages that are public by mistake."""
    known = list(patterns())
    rows = table()
    named_rows = {key.split()[0] for key in rows if "<" not in key}
    by_route = {key for key in rows if "<" in key}
    nameless = {route for name, route, _pattern in known if not name}
    names = [name for name, _route, _pattern in known if name]
    public = {name for name, _route, pattern in known if not getattr(pattern.callback, "login_required", True)}
    return [
        *(f"not in the table: {name}" for name in names if name not in named_rows),
        *(f"no such URL: {name}" for name in named_rows - set(names)),
        *(f"a pattern without a name: {route}" for route in nameless - by_route),
        *(f"no such pattern: {route}" for route in by_route - nameless),
        *(f"twice: {name}" for name in set(names) if names.count(name) > 1),
        *(f"opens without a login: {name}" for name in public - PUBLIC),
        *(f"is not public: {name}" for name in PUBLIC - public),
    ]


# --- one request after the other ---


def address(key: str, objects: str, world: World) -> str:
    if key == CATCH_ALL:
        return "/admin/nonsense/"
    if "<path:object_id>" in key:
        return "/" + key.replace("<path:object_id>", str(world.args(objects)[0]))
    name, _space, label = key.partition(" ")
    return reverse(name, args=[label] if label else world.args(objects))


def tables() -> dict[str, int]:
    """A digest of every table but the sessions; of accounts without the time of the last login."""
    found = {}
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            if name == "django_session":
                continue
            cursor.execute(f'SELECT * FROM "{name}"')
            keep = [place for place, column in enumerate(cursor.description) if column[0] != "last_login"]
            found[name] = hash(frozenset(tuple(str(row[place]) for place in keep) for row in cursor.fetchall()))
    return found


class Writes:
    """Notices whether a statement could have changed a table other than the sessions."""

    def __init__(self) -> None:
        self.seen = False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip()[:6].upper() in {"INSERT", "UPDATE", "DELETE"} and '"django_session"' not in sql:
            self.seen = True
        return execute(sql, params, many, context)


class Run:
    """Asks for pages as every role and collects what differs from the table."""

    def __init__(self, world: World, *, csrf: bool = False) -> None:
        self.world = world
        self.violations: list[str] = []
        self.refused: set[tuple[str, str]] = set()  # asked once is enough
        self.clients = {role: self.browser(role, csrf=csrf) for role in ROLES}
        self.before = tables()
        self.not_found = {role: self.body(client.get("/no/such/page/")) for role, client in self.clients.items()}

    def browser(self, role: str, *, csrf: bool) -> Client:
        client = Client(enforce_csrf_checks=csrf, raise_request_exception=False)
        if user := self.world.users[role]:
            client.force_login(user, backend=BACKEND)
        begin_session(client, role, self.world)
        return client

    @staticmethod
    def body(response: HttpResponse) -> str:
        """The body without what differs from one answer to the next."""
        text = b"".join(response.streaming_content) if response.streaming else response.content
        return re.sub(r'(name="csrfmiddlewaretoken" value)="\w+"', r"\1", text.decode(errors="replace"))

    @contextmanager
    def cell(self, key: str, role: str, objects: str) -> Iterator[tuple[Cell, Writes]]:
        """A request whose effects are taken back, in the database and in the browser."""
        client = self.clients[role]
        cookies = client.cookies.output(header="", sep=";")
        writes = Writes()
        with transaction.atomic(), connection.execute_wrapper(writes):
            yield Cell(self.world, role, objects, client), writes
            transaction.set_rollback(True)
        client.cookies = SimpleCookie(cookies)

    def page(self, key: str, page: Page) -> None:
        public = key in PUBLIC
        methods = NEVER_OFFERED if page.asked_by == EVERYBODY else NEVER_OFFERED[:1]
        first = True
        for objects in dict.fromkeys([*(page.see or {}), *(page.do or {})]):
            for role in self.who_asks(page, first=first):
                if page.see is None or objects in page.see:
                    self.safe(key, page, role, objects, "GET", public)
                    if first and page.asked_by == EVERYBODY:
                        self.safe(key, page, role, objects, "HEAD", public)
                if page.do is None or objects in page.do:
                    self.post(key, page, role, objects, public)
                for method in methods if first and role in WHO_TRIES_THEM.split() else ():
                    self.wrong_method(key, page, role, objects, method, public)
            first = False

    @staticmethod
    def who_asks(page: Page, *, first: bool) -> list[str]:
        """Everybody. Of students who have no rights in a row at all one is enough; visitors and staff without rights
        are answered before any object is looked for: they ask for the first object only."""
        promised: set[str] = set()
        for who in [*(page.see or {}).values(), *(page.do or {}).values()]:
            promised |= set(who.split() if isinstance(who, str) else " ".join(who).split())
        left_out = {"classmate", "other_student", "clerk"} if page.asked_by == EVERYBODY else set()
        if not first:
            left_out |= {*VISITORS, "staff", "clerk"}
        everybody = ROLES if page.asked_by == EVERYBODY else page.asked_by.split()
        return [role for role in everybody if role in promised or role not in left_out]

    @staticmethod
    def expected(cells: dict[str, Who] | None, objects: str, role: str, answer: int | str) -> int | str | None:
        """What the table promises a role; None for nothing. Visitors of every kind get what anonymous ones get."""
        known_as = {role, "anonymous"} if role in VISITORS else {role}
        who = (cells or {}).get(objects, "")
        for roles, own_answer in ({who: answer} if isinstance(who, str) else who).items():
            if known_as & set(roles.split()):
                return own_answer
        return None

    def refusal(self, page: Page, role: str, public: bool, *, offered: bool) -> int | str:
        """What somebody gets who may not, or asks by a method that is not offered."""
        if role in VISITORS and not public:
            return "login"
        if not offered and (public or role in page.may_learn_methods.split()):
            return 405
        return 404

    def safe(self, key: str, page: Page, role: str, objects: str, method: str, public: bool) -> None:
        wanted = self.expected(page.see, objects, role, 200)
        if wanted is None:
            wanted = self.refusal(page, role, public, offered=page.see is not None)
        with self.cell(key, role, objects) as (cell, writes):
            target = address(key, objects, self.world) + page.query
            response = cell.client.generic(method, target, headers={"Origin": "https://evil.example"})
            self.check(f"{method} {key} [{objects}] as {role}", response, wanted, cell, target, public, writes, False)

    def post(self, key: str, page: Page, role: str, objects: str, public: bool) -> None:
        promised = self.expected(page.do, objects, role, page.answer)
        wanted = promised if promised is not None else self.refusal(page, role, public, offered=page.do is not None)
        target = address(key, objects, self.world)
        who = f"POST {key} [{objects}] as {role}"
        with self.cell(key, role, objects) as (cell, writes):
            if promised is not None and page.before:
                page.before(cell)
            works = promised is not None and page.writes and promised == page.answer
            before = tables() if page.before or works else self.before
            body = page.body(cell) if role not in VISITORS or public else {}
            response = cell.client.post(target, body)
            self.check(who, response, wanted, cell, target, public, writes, works, before)
            if promised is not None and not page.done(cell):
                self.violations.append(f"{who}: it was not done")
        if promised is None or promised != page.answer or (key, objects) in self.refused:
            return
        self.refused.add((key, objects))
        for number, refused in enumerate(page.refuses if objects == next(iter(page.do or {})) else ()):
            with self.cell(key, role, objects) as (cell, writes):
                response = cell.client.post(target, refused(cell))
                self.check(f"{who}, refused body {number}", response, 200, cell, target, public, writes, False)

    def wrong_method(self, key: str, page: Page, role: str, objects: str, method: str, public: bool) -> None:
        wanted = self.refusal(page, role, public, offered=False)
        with self.cell(key, role, objects) as (cell, writes):
            target = address(key, objects, self.world)
            response = cell.client.generic(method, target)
            self.check(f"{method} {key} [{objects}] as {role}", response, wanted, cell, target, public, writes, False)

    def check(
        self,
        who: str,
        response: HttpResponse,
        wanted: int | str,
        cell: Cell,
        target: str,
        public: bool,
        writes: Writes,
        works: bool,
        before: dict[str, int] | None = None,
    ) -> None:
        def wrong(what: str) -> None:
            self.violations.append(f"{who}: {what}")

        location = response.get("Location", "")
        if wanted == "login":
            where = f"/login/?{urlencode({'next': target}, safe='/')}"
            if (response.status_code, location) != (302, where):
                wrong(f"{response.status_code} {location} instead of the way to the login page")
        elif isinstance(wanted, str):
            where = wanted.format(*self.world.args(cell.objects))
            if response.status_code != 302 or not fnmatch.fnmatchcase(location.partition("?")[0], where):
                wrong(f"{response.status_code} {location} instead of 302 {where}")
        elif response.status_code != wanted:
            wrong(f"{response.status_code} {location} instead of {wanted}")

        text = self.body(response)
        method = who.split()[0]
        if wanted == 404 and text != ("" if method == "HEAD" else self.not_found[cell.role]):
            wrong("another body than an address that never was")
        if method == "HEAD" and text:
            wrong("a body")
        if (pattern := NEVER_SHOWN.get(cell.role)) and (leak := re.search(pattern, text + location)):
            wrong(f"shows {leak.group()}")
        for fault in header_faults(response, private=cell.role not in VISITORS or not public):
            wrong(fault)

        after = tables() if writes.seen else self.before
        before = before or self.before
        changed = [name for name in after if after[name] != before[name]]
        if changed and not works:
            wrong(f"writes {', '.join(changed)}")
        if works and not changed:
            wrong("writes nothing")


@contextmanager
def quick() -> Iterator[None]:
    """Without the log of every refusal and without the copies of contexts that the test client collects."""
    collects = Template._render
    logging.disable(logging.CRITICAL)
    Template._render = _TestState.saved_data.template_render
    try:
        yield
    finally:
        Template._render = collects
        logging.disable(logging.NOTSET)


def violations(world: World, *names: str) -> list[str]:
    """What differs from the table. `names`: the rows to execute, all when none is given."""
    rows = table()
    with quick():
        run = Run(world)
        for key in names or rows:
            run.page(key, rows[key])
        if tables() != run.before:
            run.violations.append("something is left in the tables")
    return run.violations


def without_token(world: World, *names: str) -> list[str]:
    """Every unsafe request without its token must get 403 and write nothing."""
    rows = table()
    with quick():
        run = Run(world, csrf=True)
        for key in names or rows:
            page = rows[key]
            objects = next(iter({**(page.do or {}), **(page.see or {})}))
            for role in ("anonymous", "staff") if page.asked_by == ADMIN_ROLES else ("anonymous", "student", "lead"):
                for method in ("POST", "PUT", "PATCH", "DELETE") if role == "anonymous" else ("POST",):
                    with run.cell(key, role, objects) as (cell, writes):
                        target = address(key, objects, world)
                        response = cell.client.generic(method, target, headers={"Origin": "https://evil.example"})
                        who = f"{method} {key} as {role} without a token"
                        run.check(who, response, 403, cell, target, key in PUBLIC, writes, False)
    return run.violations


SITE = [key for key in table() if not key.startswith("admin")]
ADMIN = [key for key in table() if key.startswith("admin")]
PARTS = 4  # so that several workers can share the work


def test_every_url_has_a_row():
    assert uncovered() == []


def test_every_model_of_the_admin_has_a_row():
    assert set(ADMIN_MODELS) == {model._meta.label_lower for model in admin.site._registry}


@pytest.mark.parametrize("part", range(PARTS))
def test_pages_answer_as_the_table_says(world, part):
    assert violations(world, *SITE[part::PARTS]) == []


def test_the_admin_answers_as_the_table_says(world):
    assert violations(world, *ADMIN) == []


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_is_done_without_a_token(world, part):
    assert without_token(world, *list(table())[part::PARTS]) == []


# --- faults that the table must notice: without these tests nobody would know that it still looks ---


def without(*parts: str) -> list[str]:
    return [name for name in django_settings.MIDDLEWARE if not name.endswith(parts)]


def extended(monkeypatch: pytest.MonkeyPatch, *more: URLPattern) -> None:
    """The URLs of the site and some more."""
    module = types.ModuleType("tests.more_urls")
    module.urlpatterns = [*urls.urlpatterns, *more]
    monkeypatch.setitem(sys.modules, "tests.more_urls", module)
    monkeypatch.setattr(django_settings, "ROOT_URLCONF", "tests.more_urls")


def no_login(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(django_settings, "MIDDLEWARE", without("LoginRequiredMiddleware"))


def no_policy(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(django_settings, "MIDDLEWARE", without("CSPMiddleware"))


def kept_by_caches(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(django_settings, "MIDDLEWARE", without("PrivateAnswers"))


def in_frames(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(django_settings, "MIDDLEWARE", without("XFrameOptionsMiddleware"))


def any_school(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        access,
        "classrooms_of_teacher",
        lambda membership: Classroom.objects.all() if membership.is_lead else membership.classrooms.all(),
    )


def any_class_of_the_school(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(access, "classrooms_of_teacher", lambda member: Classroom.objects.filter(school=member.school))


def any_student_of_any_class(patch: pytest.MonkeyPatch) -> None:
    """The seeded fault that only the rows with ids of two owners find."""
    patch.setattr(
        views, "enrollment_of", lambda classroom, pk: Enrollment.objects.filter(student=pk).first() or not_found()
    )


def student_as_teacher(patch: pytest.MonkeyPatch) -> None:
    honest = access.membership_of

    def membership_of(user: Any) -> Membership:
        if user.is_authenticated and user.is_student:
            return Membership.objects.filter(school=user.student.school)[0]
        return honest(user)

    patch.setattr(access, "membership_of", membership_of)


def archived_classes_are_written(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(views, "open_classroom_for_teacher", access.classroom_for_teacher)


def forbidden_instead_of_not_found(patch: pytest.MonkeyPatch) -> None:
    def refuse(queryset: Any, **kwargs: Any) -> Any:
        found = queryset.filter(**kwargs).first()
        if found is None:
            raise PermissionDenied
        return found

    patch.setattr(access, "get_object_or_404", refuse)


def foreign_is_not_unknown(patch: pytest.MonkeyPatch) -> None:
    """Another sentence where the class exists: it tells that there is one."""

    def tell(queryset: Any, **kwargs: Any) -> Any:
        if Classroom.objects.filter(**kwargs).exists() and not queryset.filter(**kwargs).exists():
            raise SuspiciousOperation
        return get_object_or_404(queryset, **kwargs)

    patch.setattr(access, "get_object_or_404", tell)


def writing_by_get(patch: pytest.MonkeyPatch) -> None:
    honest = views.number_of_games

    def counted(classroom: Classroom, *args: Any) -> int:
        Classroom.objects.filter(pk=classroom.pk).update(name="Seen")
        return honest(classroom, *args)

    patch.setattr(views, "number_of_games", counted)


def a_foreign_name_on_a_page(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(views, "average_rating", lambda board: Student.objects.get(first_name="Noah").full_name)


def broken_page(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(views, "average_rating", lambda board: 1 // 0)


def nothing_is_saved(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(views, "set_active", lambda enrollment, active: None)


def admin_for_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(admin.site, "has_permission", lambda request: request.user.is_active)


def not_found() -> Any:
    raise Http404


@pytest.mark.parametrize(
    ("fault", "row"),
    [
        (no_login, "me"),
        (no_login, "classes:classroom_list"),
        (no_policy, "home"),
        (kept_by_caches, "class_page"),
        (in_frames, "me"),
        (any_school, "class_page"),
        (any_class_of_the_school, "class_page"),
        (any_student_of_any_class, "set_student_active"),
        (student_as_teacher, "classes:students"),
        (archived_classes_are_written, "set_student_active"),
        (forbidden_instead_of_not_found, "class_page"),
        (foreign_is_not_unknown, "class_page"),
        (writing_by_get, "class_page"),
        (a_foreign_name_on_a_page, "class_page"),
        (broken_page, "class_page"),
        (nothing_is_saved, "set_student_active"),
        (admin_for_all, "admin:index"),
    ],
)
def test_the_table_notices_faults(world, monkeypatch, fault, row):
    fault(monkeypatch)

    assert violations(world, row)


def test_the_table_notices_a_missing_token(world, monkeypatch):
    monkeypatch.setattr(django_settings, "MIDDLEWARE", without("CsrfViewMiddleware"))

    assert without_token(world, "set_student_active")


def test_an_unlisted_url_is_noticed(monkeypatch):
    def page(request: HttpRequest) -> HttpResponse:
        return HttpResponse()

    before = uncovered()
    extended(monkeypatch, path("extra/", page, name="extra"), path("more/", page), path("me/too/", page, name="me"))

    more = ["not in the table: extra", "a pattern without a name: more/", "twice: me"]
    assert [fault for fault in uncovered() if fault not in before] == more


def test_a_page_that_opened_by_mistake_is_noticed(monkeypatch):
    before = uncovered()
    monkeypatch.setattr(views.class_page, "login_required", False, raising=False)

    assert [fault for fault in uncovered() if fault not in before] == ["opens without a login: class_page"]
