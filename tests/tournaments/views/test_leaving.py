"""A student leaves the class in the middle of a tournament."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from classes.models import Enrollment
from classes.services import set_active
from ratings.models import LedgerEntry, Rating
from ratings.selectors.audit import violations
from tests.pages import messages_of, words_of
from tests.tournaments.makers import R, boards, enter, entry, lead, make_tournament, pair, play_round, said
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def url_of(tournament: Tournament, name: str) -> str:
    return reverse("tournaments:leaving", args=[tournament.classroom_id, entry(tournament, name).student_id])


def lead_in(tournament: Tournament) -> Client:
    client = Client()
    client.force_login(lead(tournament), backend="django.contrib.auth.backends.ModelBackend")
    return client


def leave(tournament: Tournament, name: str, **typed: Any) -> HttpResponse:
    set_active(Enrollment.objects.get(student=entry(tournament, name).student), active=False)
    return lead_in(tournament).post(url_of(tournament, name), typed, follow=True)


def points(tournament: Tournament) -> dict[str, str]:
    page = lead_in(tournament).get(reverse("tournaments:standings", args=[tournament.pk]))
    return {line.label: line.row.points for line in page.context["table"].rows}


@pytest.mark.parametrize("becomes", ["forfeit", "no_game"])
def test_a_pupil_leaves_after_two_rounds_with_the_third_paired(becomes: str):
    """Results, opponents' points and ratings stay; the open game is the teacher's choice; five go on with one bye."""
    tournament = make_tournament(players=6, rounds=4, pairing_rule="small_group")
    play_round(tournament)
    play_round(tournament)
    pair(tournament)
    before, ratings = points(tournament), list(Rating.objects.order_by("pk").values("student", "rating"))
    [open_board] = [board for board in boards(tournament) if "Finn" in str(board)]
    opponent = (open_board.black if open_board.white.student.first_name == "Finn" else open_board.white).student
    leaver = entry(tournament, "Finn")

    page = leave(tournament, "Finn", **{f"leave_{leaver.pk}": "on", f"board_{leaver.pk}": becomes})

    assert messages_of(page) == ["Finn has withdrawn from Friday Swiss. The results so far stay."]
    assert points(tournament) == before
    assert list(Rating.objects.order_by("pk").values("student", "rating")) == ratings
    assert LedgerEntry.objects.count() == 12
    table = lead_in(tournament).get(reverse("tournaments:standings", args=[tournament.pk])).context["table"]
    assert [line.label for line in table.rows if line.is_withdrawn] == ["Finn"]
    third = " ".join(said(tournament))
    if becomes == "forfeit":
        assert f"{opponent.first_name} +- Finn" in third or f"Finn -+ {opponent.first_name}" in third
    else:
        assert f"{opponent.first_name} U" in said(tournament)
        assert "Finn Z" in said(tournament)
    for board in boards(tournament):
        if board.is_open:
            enter(board, R.DRAW)
    pair(tournament)
    fourth = said(tournament)
    assert "Finn Z" in fourth
    assert [text.split()[-1] for text in fourth].count("U") == 1
    assert len([text for text in fourth if " - " in text]) == 2
    assert violations(tournament.rating_list) == []


def test_an_open_board_asks_before_anything_is_done():
    tournament = make_tournament()
    pair(tournament)
    leaver = entry(tournament, "Ada")

    page = leave(tournament, "Ada", **{f"leave_{leaver.pk}": "on"})

    assert "Say what becomes of the game that is not played yet." in words_of(page)
    assert not entry(tournament, "Ada").is_withdrawn


def test_what_is_not_ticked_goes_on():
    tournament = make_tournament()
    pair(tournament)

    page = leave(tournament, "Ada")

    assert page.redirect_chain[-1][0] == reverse("classes:students", args=[tournament.classroom_id])
    assert not entry(tournament, "Ada").is_withdrawn


def test_each_running_tournament_is_offered_and_no_other():
    first = make_tournament(name="Friday Swiss")
    ada = entry(first, "Ada").student
    others = [make_tournament(first.classroom, [ada, entry(first, "Bo").student], name=name) for name in ("Cup", "Old")]
    Tournament.objects.filter(pk=others[1].pk).update(finished_at=first.created_at)

    page = lead_in(first).get(url_of(first, "Ada"))

    assert [one.tournament.name for one in page.context["entries"]] == ["Cup", "Friday Swiss"]
    words = words_of(page)
    assert "Withdraw from Cup" in words
    assert "Withdraw from Old" not in words


def test_a_student_in_no_running_tournament_is_told_so():
    tournament = make_tournament()
    Tournament.objects.update(finished_at=tournament.created_at)

    assert "Ada is in no running tournament." in words_of(lead_in(tournament).get(url_of(tournament, "Ada")))
