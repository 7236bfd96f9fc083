"""Standings and crosstables, against fifteen published ones and public reports of what went wrong."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ratings.core.performance import Performance
from tests.tournaments.positions import after, history, random_state
from tournaments.core.standings import POINTS, Cell, StandingsRow, crosstable, standings
from tournaments.core.tiebreaks import ROUND_ROBIN, SWISS, TIE_BREAKS, US_SCHOLASTIC, UnknownTieBreak
from tournaments.core.types import POINT, Code, Colour, Entrant, Played, Rules, State

NOW = Rules.OF_2026


def order(state: State, codes: tuple[str, ...] = SWISS, **options: Any) -> list[tuple[int, int, str | None]]:
    """Place, player and what decided, from top to bottom."""
    return [(row.place, row.id, row.decided_by) for row in standings(state, codes, NOW, **options).rows]


def row_of(state: State, player: int, codes: tuple[str, ...] = SWISS) -> StandingsRow:
    return next(row for row in standings(state, codes, NOW).rows if row.id == player)


# --- places ---


def test_points_come_first_and_equal_players_share_a_place():
    state = after(5, "1-2 3=4 5", "5-1 2=3 4")  # 5: 2, 4: 1½, 1 and 3: 1, 2: ½

    assert order(state, ()) == [(1, 5, None), (2, 4, POINTS), (3, 1, POINTS), (3, 3, None), (5, 2, POINTS)]
    assert [(row.line, row.place, row.shared, row.points) for row in standings(state, (), NOW).rows] == [
        (1, 1, False, "2"), (2, 2, False, "1½"), (3, 3, True, "1"), (4, 3, True, "1"), (5, 5, False, "½"),
    ]  # fmt: skip


def test_what_decided_is_the_first_tie_break_that_differs():
    state = after(4, "1-2 3-4", "1<3 2-4")  # 1 beat 2, both have 1 point

    assert order(state, ("DE", "SOL")) == [(1, 3, None), (2, 1, POINTS), (3, 2, "DE"), (4, 4, POINTS)]
    assert order(state, ("WON", "SOL")) == [(1, 3, None), (2, 1, POINTS), (3, 2, "SOL"), (4, 4, POINTS)]
    assert order(state, ("WON",)) == [(1, 3, None), (2, 1, POINTS), (2, 2, None), (4, 4, POINTS)]


def test_the_lower_pairing_number_and_the_lower_direct_encounter_are_better():
    state = after(4, "2-1 4-3")

    assert [player for _, player, _ in order(state, ("TPN",))] == [2, 4, 1, 3]
    assert [row.values for row in standings(after(2, "1=2", "2-1"), ("DE",), NOW).rows] == [(0,), (0,)]


def test_who_has_no_value_comes_last():
    """Nobody's performance can be reckoned from a bye."""
    state = after(3, "1=2", "3", bye_halves=1)

    assert order(state, ("TPR",)) == [(1, 1, None), (1, 2, None), (3, 3, "TPR")]


def test_values_stand_in_the_order_of_the_tie_breaks():
    found = standings(after(4, "1-2 3-4", "1<3 2-4"), ("sol", "BH", "WON"), NOW)

    assert [tie_break.code for tie_break in found.tie_breaks] == ["SOL", "BH", "WON"]
    assert [row.values for row in found.rows if row.id == 1] == [(3, 3, 1)]


def test_an_unknown_tie_break_is_refused():
    with pytest.raises(UnknownTieBreak):
        standings(after(2, "1-2"), ("DE", "SOMETHING"), NOW)


def test_the_rules_of_the_year_count():
    """A forfeit against somebody weak: from 2026 on no more than that one's points (C.07 16.4.1)."""
    state = after(4, "1+4 2=3", "1-2 3-4")

    assert [
        next(row.values for row in standings(state, ("BH",), rules).rows if row.id == 1) for rules in Rules
    ] == [(Decimal("2.5"),), (Decimal("0.5"),)]  # fmt: skip


def test_nobody_and_nothing_played():
    assert standings(State((), rounds=5), SWISS, NOW).rows == ()
    assert order(after(3, rounds=5)) == [(1, 1, None), (1, 2, None), (1, 3, None)]
    assert order(after(3, rounds=3), ROUND_ROBIN, round_robin=True) == [(1, 1, None), (1, 2, None), (1, 3, None)]


def test_entrants_who_never_came_stand_at_the_end():
    came = after(2, "1-2")
    state = replace(came, entrants=(Entrant(9, 0, history("Z"), Code.ZERO_BYE, withdrawn=True), *came.entrants))

    for code in ("REP", "TPN"):
        assert [(place, player) for place, player, _ in order(state, (code,))] == [(1, 1), (2, 2), (3, 9)]


def test_games_colours_and_performance_are_of_games_over_the_board():
    entrants = (
        Entrant(1, 1500, history("2w1", "3b=", "4w+", "5wW", "3wD", "2bL")),
        Entrant(2, 1400, history("1b0", "4w1", "3b-", "U", "Z", "1wW")),
        Entrant(3, 1700, history("H", "1w=", "2w+", "Z", "1bD", "U")),
        Entrant(4, 1300, history("Z", "2b0", "1b-", "Z", "Z", "Z")),
        Entrant(5, 0, history("Z", "Z", "Z", "1bL", "Z", "Z")),
    )
    row = row_of(State(entrants, rounds=6), 1)

    assert (row.games, row.wins, row.draws, row.losses, row.points) == (5, 2, 2, 1, "4")
    assert "".join(row.colours) == "wbwwb"
    # without the opponent who has no rating: 2 of 4 against 1400, 1700, 1700, 1400
    assert row.performance == Performance(4, 4, 1550, 50, 0, 1550)


@pytest.mark.parametrize("seed", range(60))
def test_any_history_gives_an_order(seed):
    state = random_state(seed)
    codes = (SWISS, ROUND_ROBIN, US_SCHOLASTIC, tuple(TIE_BREAKS))[seed % 4]

    rows = standings(state, codes, NOW, round_robin=codes == ROUND_ROBIN).rows

    assert sorted(row.id for row in rows) == sorted(entrant.id for entrant in state.entrants)
    assert [row.line for row in rows] == list(range(1, len(rows) + 1))
    sizes = Counter(row.place for row in rows)
    for above, row in zip(rows, rows[1:], strict=False):
        assert above.score_halves >= row.score_halves
        assert row.place == (above.place if row.decided_by is None else row.line)
        if row.decided_by is None:
            assert (above.score_halves, above.values) == (row.score_halves, row.values)
    assert [row.shared for row in rows] == [sizes[row.place] > 1 for row in rows]
    table = crosstable(state, rows)
    assert [sum(cell.score_halves for cell in row.cells) for row in table] == [row.score_halves for row in rows]


# --- crosstable ---


def test_the_crosstable_names_opponents_by_their_final_places():
    state = after(5, "1-2 3=4 5", "5-1 2+3 4")  # 5: 2, 4: 1½, 1 and 2: 1, 3: ½
    rows = standings(state, (), NOW).rows

    found = crosstable(state, rows)

    assert [(row.id, row.line, row.place, [cell.text for cell in row.cells]) for row in found] == [
        (5, 1, 1, ["U", "3w1"]),
        (4, 2, 2, ["5b=", "U"]),
        (1, 3, 3, ["3w1", "1b0"]),
        (2, 4, 3, ["3b0", "5w+"]),
        (3, 5, 5, ["2w=", "3b-"]),
    ]
    assert found[3].cells[0] == Cell(Code.LOSS, 0, opponent=1, line=3, place=3, colour=Colour.BLACK)
    assert found[1].cells[1] == Cell(Code.PAIRING_BYE, POINT)
    assert found[4].cells[1] == Cell(Code.FORFEIT_LOSS, 0, opponent=2, line=4, place=3, colour=Colour.BLACK)


def test_byes_in_the_crosstable_are_worth_what_the_tournament_says():
    state = after(3, "1-2 3", bye_halves=1)

    assert [[cell.score_halves for cell in row.cells] for row in crosstable(state, standings(state, (), NOW).rows)] == [
        [2], [1], [0],
    ]  # fmt: skip


# --- public reports ---


def test_a_bye_is_a_point_but_no_game():
    """phase 6349: three pupils, A beats B, C has the bye."""
    rows = standings(after(3, "1-2 3"), SWISS, NOW).rows

    assert {row.id: (row.points, row.games) for row in rows} == {1: ("1", 1), 2: ("0", 1), 3: ("1", 0)}


def test_a_bye_is_no_win_and_no_performance():
    """llm-arena 47: two losses and a bye."""
    row = row_of(after(3, "2-1", "3-1", "1"), 1)

    assert (row.points, row.wins, row.games) == ("1", 0, 2)
    assert row.performance == Performance(2, 0, 800, 0, -800, 0)


def test_the_winner_of_their_game_is_above_if_the_direct_encounter_comes_first():
    """lila 7426: equal on points and Sonneborn-Berger, the second of the list has won."""
    state = after(4, "2-1 3=4", "1-3 4-2", "1=4 2=3")  # 1 and 2 have 1½
    tied = ("WIN", "WON")

    assert [row.id for row in standings(state, ("DE", *tied), NOW).rows if row.score_halves == 3] == [2, 1]
    assert {row.place for row in standings(state, tied, NOW).rows if row.score_halves == 3} == {2}


def test_a_result_corrected_after_the_next_round():
    """Four pupils; A's win over C in round 2 had been entered the wrong way round. Round 3 stays as it was paired."""
    state = after(4, "1-2 3-4", "1<3 2-4", "3-2 1-4")
    corrected = after(4, "1-2 3-4", "1-3 2-4", "3-2 1-4")

    assert [(row.id, row.points) for row in standings(state, (), NOW).rows] == [(3, "3"), (1, "2"), (2, "1"), (4, "0")]
    assert [(row.id, row.points) for row in standings(corrected, (), NOW).rows] == [
        (1, "3"), (3, "2"), (2, "1"), (4, "0"),
    ]  # fmt: skip


# --- fifteen published standings ---

PUBLIC = Path(__file__).parents[4] / "shared" / "data" / "public" / "tournaments"
RESULTS = {
    "1 - 0": "10", "0 - 1": "01", "½ - ½": "==", "0 - 0": "00", "1F-0F": "+-", "0F-1F": "-+", "0F-0F": "--",
}  # fmt: skip
BYES = {"bye_half": "H", "not_paired": "Z", "bye_full": "U", "bye_full_requested": "F"}
SWISSES = ["01", "02", "03", "04", "05", "06", "07", "09", "10", "11", "12", "13", "14", "15"]
VOLUNTARY = {Code.HALF_BYE, Code.ZERO_BYE, Code.FORFEIT_LOSS}

# What the pages of a tournament do differently from the text in force when it began.
VIRTUAL_OPPONENT = {"05"}  # July 2024: the text that was in force until August 2023
TEXT_OF_2024 = {"09", "11"}  # of spring 2026: no caps on the dummy yet (16.4.1, 16.4.2)
NO_BYE_IN_SB = {"09", "11"}  # a pairing-allocated bye counts nothing for Sonneborn-Berger (against 16.4 and 9.1)
FORFEIT_ENDS_BYES = {"03", "06"}  # a bye before a lost forfeit at the end is not taken as a draw (against 16.3)


def published(number: str) -> dict[str, Any]:
    found = sorted(PUBLIC.glob(f"{number}_*.json"))
    if not found:
        pytest.skip(f"tournament {number}: the public data are not beside the repository")
    return json.loads(found[0].read_text())


def begin(data: dict[str, Any]) -> date:
    return datetime.strptime(data["begin"], "%d/%m/%Y").date()  # noqa: DTZ007


def state_of(data: dict[str, Any]) -> State:
    histories: dict[int, list[Played]] = {player["no"]: [] for player in data["players"]}
    for number, each in enumerate(data["rounds"]):
        for game in each["games"]:
            white, black = RESULTS[game["result"]]
            histories[game["white"]].append(Played(game["black"], Colour.WHITE, Code(white)))
            histories[game["black"]].append(Played(game["white"], Colour.BLACK, Code(black)))
        for bye in each["not_playing"]:
            histories[bye["player"]].append(Played(None, None, Code(BYES[bye["kind"]])))
        for played in histories.values():
            if len(played) == number:
                played.append(Played(None, None, Code.ZERO_BYE))
    entrants = (Entrant(each["no"], each["rating"] or 0, tuple(histories[each["no"]])) for each in data["players"])
    return State(tuple(entrants), data["rounds_planned"])


def printed(row: dict[str, str], code: str) -> Decimal | None:
    """A published value; the column is called BH/C1 or BH-C1."""
    found = row.get(code, row.get(code.replace("/", "-")))
    return Decimal(found) if found else None


def agree(value: Decimal | None, wanted: Decimal | None) -> bool:
    """The pages print one decimal: 11.25 as 11.2, 18.75 as 18.8."""
    return wanted is None or (value is not None and abs(value - wanted) <= Decimal("0.05"))


@pytest.mark.parametrize("number", [*SWISSES, "08"])
def test_published_points(number):
    data = published(number)
    scores = state_of(data).scores()

    assert {row["no"]: Decimal(row["Pts"]) * 2 for row in data["published_standings"]} == {
        row["no"]: scores[row["no"]] for row in data["published_standings"]
    }


def test_published_round_robin():
    """The direct encounter is printed as points there, Sonneborn-Berger and games with Black as here."""
    data = published("08")
    found = standings(state_of(data), ("DE", "SB", "SB/C1", "BPG"), Rules.on(begin(data)), round_robin=True).rows

    assert [(row.place, row.id) for row in found] == [(row["Pos"], row["no"]) for row in data["published_standings"]]
    for row, wanted in zip(found, data["published_standings"], strict=True):
        assert all(
            agree(value, printed(wanted, code))
            for value, code in zip(row.values[1:], ("SB", "SB/C1", "BPG"), strict=True)
        )


class Reckoned:
    """Buchholz and Sonneborn-Berger by C.07 16 once more, with no engine, and with what some pages do differently."""

    def __init__(self, state: State, rules: Rules, *, virtual=False, late=False, without_bye=False) -> None:
        self.rules, self.virtual, self.late, self.without_bye = rules, virtual, late, without_bye
        self.entrants = {entrant.id: entrant for entrant in state.entrants}
        self.seen = {entrant.id: self.as_seen(entrant) for entrant in state.entrants}

    def as_seen(self, entrant: Entrant) -> int:
        """A score as opponents count it (16.3): byes that only voluntarily unplayed rounds follow are draws."""
        if self.virtual:
            return sum(played.code.halves() if played.code.is_played else 1 for played in entrant.history)
        total, only = 0, True
        for played in reversed(entrant.history):
            forfeit = played.code is Code.FORFEIT_LOSS
            only = only and played.code in VOLUNTARY and not (forfeit and self.late)
            total += 1 if only and not forfeit else played.code.halves()
        return total

    def terms(self, entrant: Entrant) -> list[tuple[int, int, bool, bool]]:
        """Of each round: the opponent's half-points, one's own, was it voluntarily unplayed, was it the pairing bye."""
        own, rounds, so_far, found = entrant.score_halves(), len(entrant.history), 0, []
        for number, played in enumerate(entrant.history, start=1):
            halves = played.code.halves()
            if played.code.is_played:
                worth = self.seen[played.opponent]
            elif self.virtual:
                worth = so_far + (POINT - halves) + (rounds - number)
            elif self.rules is Rules.OF_2026:  # 16.4.1, 16.4.2
                worth = min(own, self.seen[played.opponent] if played.opponent else rounds)
            else:
                worth = own
            so_far += halves
            found.append((worth, halves, played.code in VOLUNTARY, played.code is Code.PAIRING_BYE))
        return found

    def values(self, player: int) -> dict[str, Decimal]:
        terms = self.terms(self.entrants[player])
        worths = [worth for worth, *_ in terms]
        voluntary = [] if self.virtual else [worth for worth, _, unplayed, _ in terms if unplayed]
        products = [worth * halves for worth, halves, _, bye in terms if not (bye and self.without_bye)]
        return {
            "BH": Decimal(sum(worths)) / 2,
            "BH/C1": Decimal(sum(worths) - min(voluntary or worths)) / 2,  # 16.5
            "SB": Decimal(sum(products)) / 4,
        }


def differences(data: dict[str, Any], values_of: Callable[[int], dict[str, Any]]) -> list[tuple[int, str]]:
    return [
        (row["no"], code)
        for row in data["published_standings"]
        for code, value in values_of(row["no"]).items()
        if not agree(value, printed(row, code))
    ]


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("number", SWISSES)
def test_the_engine_and_the_text_agree(number, rules):
    state = state_of(published(number))
    codes = ("BH", "BH/C1", "SB")
    reckoned = Reckoned(state, rules)

    found = standings(state, codes, rules).rows

    assert {row.id: dict(zip(codes, row.values, strict=True)) for row in found} == {
        row.id: reckoned.values(row.id) for row in found
    }


@pytest.mark.parametrize("number", SWISSES)
def test_published_tie_breaks(number):
    """Every published value is ours, or what the difference in the rules makes of it."""
    data = published(number)
    state = state_of(data)
    rules = Rules.OF_2024 if number in TEXT_OF_2024 else Rules.on(begin(data))
    codes = ("BH", "BH/C1", "SB")
    ours = {row.id: dict(zip(codes, row.values, strict=True)) for row in standings(state, codes, rules).rows}
    theirs = Reckoned(
        state,
        rules,
        virtual=number in VIRTUAL_OPPONENT,
        late=number in FORFEIT_ENDS_BYES,
        without_bye=number in NO_BYE_IN_SB,
    )

    differ = differences(data, ours.__getitem__)

    assert differences(data, theirs.values) == []
    assert len(differ) == {"03": 9, "05": 71, "06": 17, "09": 4, "11": 2}.get(number, 0)


@pytest.mark.parametrize("number", ["01", "04", "07", "10", "12", "13", "14", "15"])
def test_published_places(number):
    """Where every value is the same: nobody above somebody who is higher here. The pages share no places."""
    data = published(number)
    codes = tuple(data["tie_breaks"].replace("-", "/").split())
    found = standings(state_of(data), codes, Rules.on(begin(data))).rows
    places = {row.id: row.place for row in found}

    in_their_order = [places[row["no"]] for row in sorted(data["published_standings"], key=lambda row: row["Pos"])]

    assert in_their_order == sorted(places.values())


def test_what_is_left_out_of_the_published_pages():
    """One row has no tie-breaks, one tournament no Sonneborn-Berger; everything else was compared."""
    compared = Counter(
        (number, code)
        for number in SWISSES
        for row in published(number)["published_standings"]
        for code in ("BH", "BH/C1", "SB")
        if printed(row, code) is not None
    )

    assert sum(compared.values()) == 2081
    assert ("06", "SB") not in compared
