"""The pages where a tournament is run."""

from __future__ import annotations

import datetime

import pytest
from django.test import Client

from ratings.models import Game, LedgerEntry
from ratings.selectors.audit import violations
from tests.pages import messages_of, rows_of, words_of
from tests.tournaments.makers import R, boards, enter, entry, lead, make_tournament, pair, play_round, said
from tournaments.models import Absence, KeepApart, Pairing, Round, Tournament
from tournaments.services.entries import set_absence, withdraw
from tournaments.services.rounds import swap_players, take_off_board

pytestmark = pytest.mark.django_db


@pytest.fixture
def teacher(cast, client_of) -> Client:
    return client_of(cast.teacher)


def url(tournament: Tournament, rest: str = "") -> str:
    return f"/tournaments/{tournament.pk}/{rest}"


def test_before_the_first_round_the_page_says_who_plays_and_offers_to_pair(cast, teacher):
    tournament = make_tournament(cast.classroom, players=3)
    set_absence(entry(tournament, "Bo"), number=1, kind=Absence.Kind.HALF)

    page = teacher.get(url(tournament))

    assert rows_of(page) == [["1", "Ada", "1000"], ["2", "Bo half-point bye", "999"], ["3", "Cleo", "998"]]
    assert "2 players will be paired." in words_of(page)
    assert f'action="{url(tournament, "rounds/1/pair/")}"' in page.content.decode()


def test_with_one_player_there_is_nothing_to_pair_and_the_page_says_why(cast, teacher):
    page = teacher.get(url(make_tournament(cast.classroom, players=1)))

    assert "A round needs at least two players." in words_of(page)
    assert "disabled" in page.content.decode()


def test_pairing_opens_the_round_with_its_boards_and_the_bye(cast, teacher):
    tournament = make_tournament(cast.classroom, players=5)

    page = teacher.post(url(tournament, "rounds/1/pair/"), follow=True)

    assert page.redirect_chain == [(url(tournament, "rounds/1/"), 302)]
    before = "points before the round: 0"
    buttons = (
        "1–0 ½–½ 0–1 ⋯ White wins by forfeit: Black did not come Black wins by forfeit: White did not come "
        "Both lose by forfeit: nobody came Not played, nobody’s fault: 0 points each"
    )
    assert rows_of(page) == [
        ["Board 1", f"Ada {before}", buttons, f"Cleo {before}"],
        ["Board 2", f"Dan {before}", buttons, f"Bo {before}"],
        ["–", f"Eve {before}", "bye · 1 point"],
    ]
    assert "0 of 2 results in" in words_of(page)
    assert "Pair round 2 2 results are missing" in words_of(page)
    assert teacher.get(url(tournament)).url == url(tournament, "rounds/1/")


@pytest.mark.parametrize("players", [2, 6])
def test_a_round_takes_the_same_queries_however_many_boards(cast, teacher, players, django_assert_num_queries):
    tournament = make_tournament(cast.classroom, players=players)
    play_round(tournament)

    with django_assert_num_queries(14):
        teacher.get(url(tournament, "rounds/1/"))


def test_a_second_press_or_teacher_is_told_that_the_round_is_paired(cast, teacher, client_of):
    tournament = make_tournament(cast.classroom)
    teacher.post(url(tournament, "rounds/1/pair/"))

    page = client_of(cast.lead).post(url(tournament, "rounds/1/pair/"), follow=True)

    assert page.redirect_chain == [(url(tournament, "rounds/1/"), 302)]
    assert messages_of(page) == ["Round 1 is already paired."]
    assert Round.objects.count() == 1


def test_two_tabs_send_the_last_result_and_pair_and_there_is_one_of_each(cast, teacher):
    tournament = make_tournament(cast.classroom)
    pair(tournament)
    enter(boards(tournament)[0], R.WHITE)
    last = boards(tournament)[1]

    results = url(tournament, f"boards/{last.pk}/result/")
    teacher.post(results, {"result": R.WHITE, "was": ""})
    second = teacher.post(results, {"result": R.WHITE, "was": ""}, follow=True)
    teacher.post(url(tournament, "rounds/2/pair/"))
    teacher.post(url(tournament, "rounds/2/pair/"))

    assert messages_of(second) == ["Board 2: 1–0 was entered already."]
    assert LedgerEntry.objects.count() == 4
    assert [made.number for made in Round.objects.all()] == [1, 2]
    assert Pairing.objects.filter(round__number=2).count() == 2


def test_a_missing_result_is_a_sentence(cast, teacher):
    tournament = make_tournament(cast.classroom)
    pair(tournament)

    page = teacher.post(url(tournament, "rounds/2/pair/"), follow=True)

    assert messages_of(page) == ["2 results are missing. The next round can be paired when they are in."]


def test_without_a_legal_pairing_the_fewest_repeats_are_offered_and_told(cast, teacher):
    tournament = make_tournament(cast.classroom, players=2)
    play_round(tournament)

    page = teacher.post(url(tournament, "rounds/2/pair/"))
    assert "The FIDE rules allow no pairing for this round" in words_of(page)
    assert "Pair with the fewest repeats" in words_of(page)
    page = teacher.post(url(tournament, "rounds/2/pair/"), {"fewest": "1"}, follow=True)

    assert "This round was paired with the fewest repeats, not strictly by the FIDE rules." in words_of(page)
    assert "Bo and Ada have played each other before." in words_of(page)


def test_everybody_gone_is_a_sentence_without_an_offer(cast, teacher):
    tournament = make_tournament(cast.classroom, players=2)
    withdraw(entry(tournament, "Ada"), by=lead(tournament))

    page = teacher.post(url(tournament, "rounds/1/pair/"))

    assert "There are not enough players to pair a round." in words_of(page)
    assert "fewest" not in page.content.decode()


def test_after_the_last_round_the_tournament_is_finished(cast, teacher):
    tournament = make_tournament(cast.classroom, rounds=1)
    play_round(tournament)

    page = teacher.get(url(tournament, "rounds/1/"))

    assert f'action="{url(tournament, "finish/")}"' in page.content.decode()
    assert "Finish the tournament" in words_of(page)


def test_five_players_with_a_requested_bye_make_two_games_and_no_other_bye(cast, teacher):
    tournament = make_tournament(cast.classroom, players=5)
    set_absence(entry(tournament, "Cleo"), number=1, kind=Absence.Kind.HALF)

    teacher.post(url(tournament, "rounds/1/pair/"))

    assert said(tournament) == ["Ada - Dan", "Eve - Bo", "Cleo H"]


def test_a_bye_set_by_hand_leaves_two_games_in_the_same_round(cast, teacher):
    tournament = make_tournament(cast.classroom, players=5)
    pair(tournament)
    cleo = entry(tournament, "Cleo").pk

    page = teacher.post(url(tournament, "rounds/1/change/"), {"do": "bye", "player": cleo, "kind": "F"}, follow=True)

    assert said(tournament) == ["Ada - Eve", "Dan - Bo", "Cleo F"]
    assert messages_of(page) == ["The pairings are changed."]
    assert "This round was changed by hand." in words_of(page)
    assert Round.objects.count() == 1


def test_changing_by_hand_asks_about_a_repeat_and_a_third_colour(cast, teacher):
    tournament = make_tournament(cast.classroom)
    play_round(tournament)
    made = pair(tournament)
    before = said(tournament)
    change = {"do": "swap", "one": entry(tournament, "Dan").pk, "other": entry(tournament, "Cleo").pk}

    asked = teacher.post(url(tournament, f"rounds/{made.number}/change/"), change)

    assert "Nothing is changed yet." in words_of(asked)
    assert "have played each other before." in words_of(asked)
    assert said(tournament) == before
    teacher.post(url(tournament, f"rounds/{made.number}/change/"), change | {"confirm": "1"})
    assert said(tournament) != before


def test_swapping_colours_needs_no_question_and_nobody_is_missing_from_the_form(cast, teacher):
    tournament = make_tournament(cast.classroom)
    pair(tournament)
    ada, cleo = entry(tournament, "Ada").pk, entry(tournament, "Cleo").pk

    nobody = teacher.post(url(tournament, "rounds/1/change/"), {"do": "swap", "one": ada})
    teacher.post(url(tournament, "rounds/1/change/"), {"do": "swap", "one": ada, "other": cleo})

    assert "Choose a player." in words_of(nobody)
    assert said(tournament) == ["Cleo - Ada", "Dan - Bo"]


def test_who_comes_after_all_plays_who_has_the_bye(cast, teacher):
    tournament = make_tournament(cast.classroom)
    set_absence(entry(tournament, "Dan"), number=1, kind=Absence.Kind.ZERO)
    pair(tournament)

    teacher.post(url(tournament, "rounds/1/change/"), {"do": "join", "newcomer": entry(tournament, "Dan").pk})

    assert said(tournament) == ["Ada - Bo", "Cleo - Dan"]


def test_a_pair_to_keep_apart_is_told_on_the_page_when_it_meets(cast, teacher):
    tournament = make_tournament(cast.classroom, players=2)
    one, other = (entry(tournament, name).student for name in ("Ada", "Bo"))
    KeepApart.objects.create(school=cast.school, one=one, other=other)
    pair(tournament)

    assert "Ada and Bo should be kept apart." in words_of(teacher.get(url(tournament, "rounds/1/")))


def test_a_round_is_taken_back_after_a_question(cast, teacher):
    tournament = make_tournament(cast.classroom)
    pair(tournament)

    asked = teacher.get(url(tournament, "rounds/1/unpair/"))
    assert "Take round 1 back?" in words_of(asked)
    assert Round.objects.count() == 1
    page = teacher.post(url(tournament, "rounds/1/unpair/"), follow=True)

    assert messages_of(page) == ["Round 1 is taken back."]
    assert Round.objects.count() == 0


def test_a_round_with_a_result_is_not_taken_back(cast, teacher):
    tournament = make_tournament(cast.classroom)
    pair(tournament)
    enter(boards(tournament)[0], R.WHITE)

    page = teacher.post(url(tournament, "rounds/1/unpair/"), follow=True)

    assert messages_of(page) == ["1 result of this round is in. Take it out first."]
    assert Round.objects.count() == 1


def test_the_day_of_a_round_moves_its_games(cast, teacher):
    tournament = make_tournament(cast.classroom, players=2)
    play_round(tournament)
    yesterday = cast.school.today() - datetime.timedelta(days=1)

    late = teacher.post(url(tournament, "rounds/1/day/"), {"day": "2999-01-01"})
    teacher.post(url(tournament, "rounds/1/day/"), {"day": yesterday})

    assert "This day lies in the future." in words_of(late)
    assert Game.objects.get().day == yesterday
    assert violations(tournament.rating_list) == []


def test_a_colleague_in_a_school_wide_tournament_enters_results_but_does_not_pair(cast, teacher):
    tournament = make_tournament(cast.classroom, players=[cast.mia, cast.other])
    Tournament.objects.filter(pk=tournament.pk).update(classroom=None)
    pair(tournament)

    page = teacher.get(url(tournament, "rounds/1/"))

    assert "Noah F." in words_of(page)
    assert "Mia Kowalczyk" in words_of(page)
    assert "Pair round 2" not in words_of(page)
    assert 'value="10"' in page.content.decode()


def test_the_page_asks_only_for_what_other_tablets_entered(cast, teacher):
    tournament = make_tournament(cast.classroom)
    pair(tournament)
    page = teacher.get(url(tournament, "rounds/1/"))
    live = page.context["live"]

    def asked():
        query = {"newest": live.newest, "seating": live.seating}
        return teacher.get(url(tournament, "rounds/1/"), query, headers={"HX-Request": "true"})

    assert rows_ids(asked()) == []
    done = enter(boards(tournament)[1], R.DRAW)
    assert rows_ids(asked()) == [f"board-{done.pk}"]
    assert "1 of 2 results in" in words_of(asked())
    swap_players(tournament, one=entry(tournament, "Ada"), other=entry(tournament, "Cleo"), number=1)
    assert "The pairings of this round were changed." in words_of(asked())


def rows_ids(page) -> list[str]:
    return [part.split('"')[0] for part in page.content.decode().split('<tr id="')[1:]]


def test_from_a_game_to_its_board(cast, teacher, client_of):
    tournament = make_tournament(cast.classroom, players=2)
    play_round(tournament)
    game = Game.objects.get()

    link = f"/games/{game.pk}/tournament/"

    assert link in teacher.get(f"/games/{game.pk}/").content.decode()
    assert teacher.get(link).url == url(tournament, f"boards/{boards(tournament)[0].pk}/")
    assert client_of(cast.colleague).get(link).status_code == 404
    assert client_of(cast.mia.user).get(link).status_code == 404


def test_three_players_the_bye_counts_a_point_and_is_no_game(cast, teacher):
    tournament = make_tournament(cast.classroom, players=3)
    play_round(tournament)
    pair(tournament)

    rows = rows_of(teacher.get(url(tournament, "rounds/2/")))

    points = {cell.split()[0]: cell.split()[-1] for row in rows for cell in row if "points before" in cell}
    assert points == {"Ada": "1", "Bo": "0", "Cleo": "1"}
    assert Game.objects.count() == 1


def test_taking_somebody_off_gives_the_opponent_the_bye(cast, teacher):
    tournament = make_tournament(cast.classroom)
    pair(tournament)
    take_off_board(tournament, entry=entry(tournament, "Dan"), number=1, bye="Z")

    page = teacher.get(url(tournament, "rounds/1/"))

    assert rows_of(page)[1][2] == "bye · 1 point"
