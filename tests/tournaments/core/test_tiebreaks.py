"""Tie-breaks against the official examples, published values and public reports of what went wrong."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.positions import after, history, random_state
from tournaments.core import fide
from tournaments.core.berger import table
from tournaments.core.tiebreaks import (
    ROUND_ROBIN,
    SWISS,
    TIE_BREAKS,
    US_SCHOLASTIC,
    UnknownTieBreak,
    chosen,
    places,
    sort_keys,
    text,
    values,
)
from tournaments.core.types import Code, Colour, Entrant, Played, Rules, State

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "vectors_tiebreaks.json").read_text())
PUBLIC = Path(__file__).parents[4] / "shared" / "data" / "public" / "tiebreaks"
EVENTS = [
    "arbiter_training_swiss14x5",
    "real_swiss15x7_many_byes",
    "tec_roundrobin6",
    "tec_swiss16x5",
    "tec_swiss16x9_direct_encounter",
]
US_NAMES = {"US_MODIFIED_MEDIAN": "MM", "US_SOLKOFF": "SOL", "US_CUMULATIVE": "CUM", "US_CUM_OPP": "CUMO"}
DIRECT_ENCOUNTER = "DE_rank_offset_in_score_group"
NOT_TIE_BREAKS = {"PTS", "ADJUSTED_SCORE_FOR_OPPONENTS"}
COLOURS = {"w": Colour.WHITE, "b": Colour.BLACK, "white": Colour.WHITE, "black": Colour.BLACK}


def state_of(players: Iterable[dict[str, Any]], rounds: int) -> State:
    def entrant(player: dict[str, Any]) -> Entrant:
        played = (
            Played(item["opponent"], COLOURS.get(item["colour"]), Code(item["code"])) for item in player["rounds"]
        )
        return Entrant(player["no"], player.get("rating") or 0, tuple(played))

    return State(tuple(map(entrant, players)), rounds)


def of(
    state: State, code: str, rules: Rules = Rules.OF_2026, *, round_robin: bool = False
) -> dict[int, Decimal | None]:
    """One tie-break's values."""
    return {entrant: row[0] for entrant, row in values(state, chosen([code]), rules, round_robin=round_robin).items()}


def numbers(found: dict[int, Decimal | None]) -> dict[int, float | None]:
    return {entrant: None if value is None else float(value) for entrant, value in found.items()}


# --- the table ---


def test_presets():
    assert SWISS == ("DE", "BH/C1", "BH", "SB", "WON")
    assert ROUND_ROBIN == ("DE", "WIN", "SB", "KS")
    assert US_SCHOLASTIC == ("MM", "SOL", "CUM", "CUMO")
    assert [tie_break.suits(round_robin=False) for tie_break in chosen((*SWISS, *US_SCHOLASTIC))] == [True] * 9
    assert [tie_break.suits(round_robin=True) for tie_break in chosen(ROUND_ROBIN)] == [True] * 4


def test_buchholz_is_not_for_round_robins_and_koya_for_nothing_else():
    assert [code for code, tie_break in TIE_BREAKS.items() if not tie_break.suits(round_robin=True)] == [
        "BH", "BH/C1", "BH/C2", "BH/M1", "BH/M2", "AOB", "FB",
    ]  # fmt: skip
    assert [code for code, tie_break in TIE_BREAKS.items() if not tie_break.suits(round_robin=False)] == ["KS"]


def test_each_has_a_name_and_a_sentence_of_its_own():
    rows = TIE_BREAKS.values()

    assert len({row.name for row in rows}) == len({row.sentence for row in rows}) == len(rows) == 31
    assert f"{TIE_BREAKS['BH'].name}: {TIE_BREAKS['BH'].sentence}" == "Buchholz: the points of your opponents"
    assert [row.code for row in rows if row.sentence[0].isupper() or row.sentence.endswith(".")] == []


def test_codes_are_read_in_capitals_or_not_and_unknown_ones_refused():
    assert [tie_break.code for tie_break in chosen(["bh/c1", " DE"])] == ["BH/C1", "DE"]
    with pytest.raises(UnknownTieBreak, match="There is no tie-break XY"):
        chosen(["BH", "XY"])


def test_the_engine_is_not_asked_for_what_it_does_not_know():
    with pytest.raises(ValueError, match="does not have: MM"):
        fide.tie_breaks(after(2, "1-2"), ["BH", "MM"], Rules.OF_2026)


@pytest.mark.parametrize(
    ("value", "printed"),
    [("0", "0"), ("0.5", "½"), ("7.0", "7"), ("7.5", "7½"), ("12.25", "12.25"), ("13.80", "13.8"), ("100", "100")],
)
def test_values_are_printed_with_halves(value, printed):
    assert text(Decimal(value)) == TIE_BREAKS["BH"].text(Decimal(value)) == printed


def test_a_dash_for_no_value_and_for_nobody_to_part():
    assert TIE_BREAKS["TPR"].text(None) == "–"
    assert [TIE_BREAKS["DE"].text(Decimal(value)) for value in (0, 1)] == ["–", "1"]
    assert TIE_BREAKS["WON"].text(Decimal(0)) == "0"


@pytest.mark.parametrize(
    ("day", "rules"), [((2024, 9, 1), "2024"), ((2026, 2, 28), "2024"), ((2026, 3, 1), "2026"), ((2031, 1, 1), "2026")]
)
def test_the_text_in_force_when_the_tournament_begins(day, rules):
    assert Rules.on(datetime.date(*day)) == rules


# --- official examples ---


@pytest.mark.parametrize("case", VECTORS["sb_cut_cases"], ids=lambda case: case["name"])
def test_cuts_of_unplayed_rounds(case):
    state = state_of(case["players"], case["rounds"])
    rules, player = Rules(case["rules"]), case["player"]

    assert {entrant: halves / 2 for entrant, halves in state.scores().items()} == {
        row["no"]: row["points"] for row in case["players"]
    }
    assert [float(of(state, code, rules)[player]) for code in ("SB", "SB/C1", "SB/C2")] == [
        case["SB"], case["SB_C1"], case["SB_C2"],
    ]  # fmt: skip
    for code, key in (("BH", "bh"), ("BH/C1", "bh_c1")):
        assert numbers(of(state, code, rules)) == {int(no): value for no, value in case[key].items()}


def event(rounds: int, terms: list[tuple[str, float | None]]) -> State:
    """Player 1 with these rounds, a code and the points of the opponent as others count them.

    The opponents have byes besides, full-point ones last, so that no bye of theirs counts as a draw.
    """
    other = {"1": "0", "=": "=", "0": "1", "+": "-", "-": "+"}
    own: list[str] = []
    entrants = []
    for index, (code, seen) in enumerate(terms):
        if seen is None:
            own.append(code)
            continue
        opponent = len(entrants) + 2
        own.append(f"{opponent}w{code}")
        halves = int(2 * seen) - Code(other[code]).halves()
        fill = ["F"] * (halves // 2) + ["H"] * (halves % 2)
        fill += ["Z"] * (rounds - 1 - len(fill))
        fill.reverse()
        entrants.append(Entrant(opponent, history=history(*fill[:index], f"1b{other[code]}", *fill[index:])))
    return State((Entrant(1, history=history(*own)), *entrants), rounds)


LETTERS = {1: "1", 0.5: "=", 0: "0"}


@pytest.mark.parametrize("case", VECTORS["official_unit_examples"][:2], ids=lambda case: case["rules"])
def test_the_arbiters_manual_on_a_zero_point_bye(case):
    terms = [
        ("Z", None) if term["kind"] == "Z" else (LETTERS[term["result"]], term["opponent_adjusted"])
        for term in case["terms"]
    ]
    state, rules = event(case["rounds"], terms), Rules(case["rules"])

    assert state.scores()[1] == 2 * case["own_points"]
    assert [float(of(state, code, rules)[1]) for code in ("BH", "BH/C1", "SB")] == [
        case["BH"], case["BH_C1"], case["SB"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("example", "terms"),
    [
        (2, [*[("1", 5.5)] * 6, ("+", 5.5), *[("0", 5.5)] * 2]),
        (3, [*[("1", 6.5)] * 6, ("=", 6.5), ("0", 6), ("-", 7), ("Z", None)]),
        (4, [("+", 4.5), *[("1", 7)] * 7, ("1", 8), ("=", 7.5)]),
    ],
    ids=["forfeit win", "forfeit loss and withdrawal", "forfeit win in round 1"],
)
def test_the_arbiters_manual_on_forfeits(example, terms):
    case = VECTORS["official_unit_examples"][example]
    state = event(case["rounds"], terms)

    assert sum(seen for code, seen in terms if seen and code in "1=0") == case["sum_of_played_opponents"]
    assert state.scores()[1] == 2 * case["own_points"]
    assert [float(of(state, "BH", rules)[1]) for rules in Rules] == [case["BH_2024"], case["BH_2026"]]


@pytest.mark.parametrize("code", list(VECTORS["counts_by_code"]))
def test_what_each_code_counts_for(code):
    case = VECTORS["counts_by_code"][code]
    opposite = {"1": "0", "=": "=", "0": "1", "W": "L", "D": "D", "L": "W", "+": "-", "-": "+"}.get(code)
    if opposite:
        entrants = (Entrant(1, history=history(f"2b{code}")), Entrant(2, history=history(f"1w{opposite}")))
    else:
        entrants = (Entrant(1, history=history(code)), Entrant(2, history=history("Z")))
    state = State(entrants, rounds=1)

    found = {key: of(state, key)[1] for key in ("WIN", "WON", "REP", "BPG")}

    assert state.scores()[1] == 2 * case["points"]
    assert found == {
        "WIN": case["WIN"], "WON": case["WON"], "REP": case["REP"], "BPG": case["colour_counts"],
    }  # fmt: skip


def test_cumulative_takes_back_the_point_of_a_bye():
    """Bye, win, loss, draw, win: 11 less 1."""
    entrants = (
        Entrant(1, history=history("U", "2w1", "3b0", "4w=", "5b1")),
        Entrant(2, history=history("Z", "1b0", "Z", "Z", "Z")),
        Entrant(3, history=history("Z", "Z", "1w1", "Z", "Z")),
        Entrant(4, history=history("Z", "Z", "Z", "1b=", "Z")),
        Entrant(5, history=history("Z", "Z", "Z", "Z", "1w0")),
    )
    state = State(entrants, rounds=5)

    assert of(state, "CUM")[1] == VECTORS["us_chess"]["cumulative_example"]["value"] == 10
    assert of(replace(state, bye_halves=1), "CUM")[1] == Decimal("8.5")  # 0.5 1.5 1.5 2 3, nothing to take back


def test_us_opponents_count_with_half_a_point_for_rounds_they_did_not_play():
    """Win, win, loss, withdrawn: 3 points for others."""
    entrants = (
        Entrant(1, history=history("2w1", "3b1", "4w0", "Z", "Z")),
        Entrant(2, history=history("1b0", "Z", "Z", "Z", "Z")),
        Entrant(3, history=history("Z", "1w0", "Z", "Z", "Z")),
        Entrant(4, history=history("Z", "Z", "1b1", "Z", "Z")),
    )

    assert of(State(entrants, rounds=5), "SOL")[4] == VECTORS["us_chess"]["adjusted_score_example"]["adjusted"] == 3


LADDER = after(4, "1-2 3-4", "1-3 2-4", "1-4 2-3")  # 3, 2, 1 and 0 points


def drawn(players: int) -> State:
    """Everybody against everybody, all drawn."""
    rounds = [" ".join(f"{pair.white}={pair.black}" for pair in pairs) for pairs in table(players)]
    return after(players, *rounds)


def test_modified_median_by_the_own_score():
    """34E1: more than half the points: without the lowest; less: without the highest; half: without both."""
    assert numbers(of(LADDER, "SOL")) == {1: 3, 2: 4, 3: 5, 4: 6}
    assert numbers(of(LADDER, "MM")) == {1: 3, 2: 4, 3: 2, 4: 3}
    assert of(drawn(4), "MM")[1] == Decimal("1.5")


def test_modified_median_of_nine_rounds_leaves_out_two_instead_of_one():
    assert of(drawn(8), "MM")[1] == Decimal("3.5") * 5
    assert of(drawn(10), "MM")[1] == Decimal("4.5") * 5


def test_modified_median_after_one_round():
    assert numbers(of(after(4, "1-2 3=4"), "MM")) == {1: 0, 2: 0, 3: 0, 4: 0}


# --- published values of whole events ---


def published(name: str) -> dict[str, Any]:
    path = PUBLIC / f"{name}.json"
    if not path.exists():
        pytest.skip(f"{path.name}: the public data are not beside the repository")
    return json.loads(path.read_text())


def rounded(value: Decimal | None, places_of: Decimal | None) -> Decimal | None:
    """An average in as many decimals as the engine gives (all that can differ in so many rounds)."""
    if value is None or places_of is None:
        return value
    return value.quantize(places_of, rounding=ROUND_HALF_UP)


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("name", EVENTS)
def test_published_events(name, rules):
    data = published(name)
    state = state_of(data["players"], data["rounds"])
    round_robin = data["format"] == "round-robin"
    compared, wrong = 0, []
    for key, wanted in data["expected"].items():
        code, _, only = key.partition("@")
        if code in NOT_TIE_BREAKS or code == DIRECT_ENCOUNTER or only not in {"", rules}:
            continue
        found = of(state, US_NAMES.get(code, code), rules, round_robin=round_robin)
        for player, value in wanted.items():
            exact = None if value is None else Decimal(str(value))
            compared += 1
            if rounded(exact, found[int(player)] if code == "AOB" else None) != found[int(player)]:
                wrong.append((key, player, found[int(player)], exact))

    assert wrong == []
    assert compared >= 96


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("name", EVENTS)
def test_published_direct_encounters(name, rules):
    """The data count from 0 in each group of tied players, the engine from 1, with 0 where it parts nobody."""
    data = published(name)
    state = state_of(data["players"], data["rounds"])
    found = of(state, "DE", rules, round_robin=data["format"] == "round-robin")
    wanted = data["expected"][DIRECT_ENCOUNTER]
    parted = {halves for player, halves in state.scores().items() if wanted[str(player)]}

    assert numbers(found) == {
        player: wanted[str(player)] + (halves in parted) for player, halves in state.scores().items()
    }


@pytest.mark.parametrize("name", EVENTS)
def test_published_final_orders(name):
    """By the text of 2026."""
    data = published(name)
    state = state_of(data["players"], data["rounds"])
    for order, wanted in data["expected_rank"].items():
        tie_breaks = chosen(order.split(" > ")[1:])
        found = values(state, tie_breaks, Rules.OF_2026, round_robin=data["format"] == "round-robin")

        assert places(sort_keys(state, tie_breaks, found)) == {int(no): place for no, place in wanted.items()}, order


def test_rating_tie_breaks_are_dropped_where_somebody_has_no_rating():
    """C.07 10: eight have a rating, seven have none."""
    data = published("real_swiss15x7_many_byes")
    state = state_of(data["players"], data["rounds"])
    codes = [code for code, tie_break in TIE_BREAKS.items() if tie_break.ratings]

    assert codes == ["ARO", "ARO/C1", "TPR", "PTP", "APRO", "APPO"]
    assert set(values(state, chosen(codes), Rules.OF_2026).values()) == {(None,) * 6}


# --- order, and who stands there ---


def test_the_direct_encounter_looks_at_those_still_tied_after_what_comes_before_it():
    """1 beat 2 and has as many points, but the stronger opponents: after Solkoff there is nobody left to part."""
    state = after(4, "1-2 3-4", "1<3 2-4")

    assert values(state, chosen(["DE", "SOL"]), Rules.OF_2026)[2] == (2, 1)
    assert values(state, chosen(["SOL", "DE"]), Rules.OF_2026)[2] == (1, 0)


def test_us_and_fide_tie_breaks_in_any_order_have_the_same_values():
    state = after(6, "1-4 5=2 3-6", "1=3 2-4 6-5", "5<1 2=3 4-6")
    codes = ["BH", "MM", "SB", "CUM", "TPN"]

    forward = values(state, chosen(codes), Rules.OF_2026)
    backward = values(state, chosen(reversed(codes)), Rules.OF_2026)

    assert {entrant: row[::-1] for entrant, row in backward.items()} == forward


def test_who_has_no_pairing_number_has_values_but_no_number_and_takes_no_number_from_others():
    came = after(4, "1-3 2=4", "2-1 4=3")
    never = Entrant(9, 0, history("Z", "Z"), Code.ZERO_BYE, withdrawn=True)
    state = replace(came, entrants=(never, *came.entrants))
    codes = ["TPN", "BH", "SB", "WON", "REP", "ARO", "TPR", "MM", "CUM", "DE"]

    found = values(state, chosen(codes), Rules.OF_2026)

    assert {player: row for player, row in found.items() if player != 9} == values(came, chosen(codes), Rules.OF_2026)
    assert found[9] == (None, 0, 0, 0, 0, None, None, 0, 0, 0)


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("round_robin", [True, False])
def test_before_the_first_round_and_without_players(rules, round_robin):
    codes = chosen(TIE_BREAKS)

    assert values(State((), rounds=5), codes, rules, round_robin=round_robin) == {}
    assert {row[:5] for row in values(after(4, rounds=5), codes, rules, round_robin=round_robin).values()} == {(0,) * 5}


@pytest.mark.parametrize("seed", range(60))
def test_any_history_has_every_tie_break(seed):
    """Odd ones too: repeats, double forfeits, absences, byes of any worth."""
    state = random_state(seed)

    found = values(state, chosen(TIE_BREAKS), Rules.OF_2026)

    assert found.keys() == {entrant.id for entrant in state.entrants}
    assert {len(row) for row in found.values()} == {len(TIE_BREAKS)}


def test_other_points_than_ours_are_an_error(monkeypatch):
    monkeypatch.setitem(fide.RESULTS, Code.DRAW, "W")

    with pytest.raises(fide.WrongStandings, match="after round 1"):
        of(after(2, "1=2"), "BH")


# --- public reports ---


def test_a_bye_in_sonneborn_berger():
    """lila 13694: six wins against players who end with 1, 2, 4, 4, 4.5 and 5.5, and a bye; 21 without the bye.

    FIDE takes the bye for a win against somebody with one's own 7 points, from 2026 on with no more than half of the
    rounds, 3.5 (C.07 16.4).
    """
    state = event(7, [*[("1", points) for points in (1, 2, 4, 4, 4.5, 5.5)], ("U", None)])

    assert [of(state, "SB", rules)[1] for rules in Rules] == [21 + 7, Decimal("24.5")]


def test_the_limit_of_the_koya_system():
    """sharly-chess 1935: half of all the points that could be made, by the final scores."""
    state = after(4, "1-2 3-4", "1-3 2=4", "4-1 2-3")

    assert state.scores() == {1: 4, 2: 3, 3: 2, 4: 3}
    for code, wanted in {
        "KS": (1, 0.5, 1, 1.5),
        "BH": (4, 4.5, 5, 4.5),
        "BH/C1": (3, 3.5, 3.5, 3.5),
        "SB": (2.5, 1.75, 1.5, 2.75),
    }.items():
        assert numbers(of(state, code, round_robin=True)) == dict(enumerate(wanted, start=1)), code


def test_the_limit_of_the_koya_system_in_an_odd_field():
    """Four games each in five rounds: the limit is two points."""
    state = after(5, "2-5 3-4", "5-3 1-2", "3-1 4-5", "1-4 2-3", "4-2 5-1")
    free = Played(None, None, Code.ZERO_BYE)
    assert all(free in entrant.history for entrant in state.entrants)
    assert state.scores() == dict.fromkeys(range(1, 6), 4)

    assert numbers(of(state, "KS", round_robin=True)) == dict.fromkeys(range(1, 6), 2)


def test_double_round_robins_average_the_games_of_the_direct_encounter():
    """C.07 6.1.2: a win and a loss against each other part nobody."""
    state = after(2, "1-2", "2-1")

    assert numbers(of(state, "DE", round_robin=True)) == {1: 0, 2: 0}
