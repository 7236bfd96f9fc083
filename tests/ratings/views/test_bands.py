"""A piece beside the rating, where the lead teacher wants it."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from ratings.models import RatingList
from tests.factories import list_of, make_game, make_student
from tests.pages import messages_of

pytestmark = pytest.mark.django_db


def switch(client, rating_list: RatingList, shown: str):
    return client.post(reverse("ratings:show_bands", args=[rating_list.pk]), {"shown": shown}, follow=True)


def badge_of(page) -> str | None:
    found = re.search(r'<a class="chip" href="/learn/meaning/#bands">(\w+)</a>', page.content.decode())
    return found and found.group(1)


def test_the_badge_is_off_until_a_lead_wants_it(cast, client_of):
    lead, mia, teacher = client_of(cast.lead), client_of(cast.mia.user), client_of(cast.teacher)
    student = f"/students/{cast.mia.pk}/"
    assert [badge_of(mia.get("/me/")), badge_of(teacher.get(student))] == [None, None]

    page = switch(lead, list_of(cast.classroom), "1")

    assert messages_of(page) == ["The badge is shown beside every rating."]
    assert [badge_of(mia.get("/me/")), badge_of(teacher.get(student))] == ["Knight", "Knight"]
    assert messages_of(switch(lead, list_of(cast.classroom), "0")) == ["The badge is gone."]
    assert badge_of(mia.get("/me/")) is None


@pytest.mark.parametrize(("start", "badge"), [(650, "Pawn"), (950, "Bishop"), (1700, "King")])
def test_the_badge_follows_the_rating(cast, client_of, start, badge):
    switch(client_of(cast.lead), list_of(cast.classroom), "1")
    student = make_student(cast.classroom, "Dana", start=start)

    assert badge_of(client_of(cast.teacher).get(f"/students/{student.pk}/")) == badge


def test_the_switch_changes_nothing_else(cast, client_of):
    make_game(cast.classroom, cast.mia, cast.ben)
    before = RatingList.objects.filter(pk=list_of(cast.classroom).pk).values().get()

    switch(client_of(cast.lead), list_of(cast.classroom), "1")

    assert RatingList.objects.filter(pk=before["id"]).values().get() == before | {"shows_bands": True}
