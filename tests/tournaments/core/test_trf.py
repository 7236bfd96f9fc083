"""Report files: real ones, every leniency, every refusal, and what is written reads back."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.core import fide, trf
from tournaments.core.trf import Acceleration, BadFile, Bye, Cell, Forbidden, Player, Problem, Report, read
from tournaments.core.types import Code, Colour, NoPairing, Reason, twos

FILES = Path(__file__).resolve().parents[4] / "shared" / "data" / "public" / "trf"
needs_files = pytest.mark.skipif(not FILES.is_dir(), reason=f"no report files in {FILES}")
W, B = Colour.WHITE, Colour.BLACK


def line(number: int, points: object = "", *cells: str, name: str = "Abara, Lio", rank: object = "") -> str:
    """A record 001, by its columns. A cell: `2w1`, a letter for a bye, nothing for a blank."""

    def block(cell: str) -> str:
        if len(cell) > 1:
            return f"  {cell[:-2]:>4} {cell[-2]} {cell[-1]}"
        return f"  0000 - {cell}" if cell else " " * 10

    return (
        f"001 {number:4}      {name:33} {'':4} {'':3} {'':11} {'':10} {points:>4} {rank:>4}{''.join(map(block, cells))}"
    )


def lines(*more: str, ends: str = "\n") -> str:
    return ends.join(more) + ends


FOUR = (line(1, 1.0, "3w1"), line(2, 0.5, "4b="), line(3, 0.0, "1b0"), line(4, 0.5, "2w="))


def refusal(*more: str) -> tuple[Problem, int | None]:
    with pytest.raises(BadFile) as caught:
        read(lines(*more))
    return caught.value.problem, caught.value.line


# --- real files ---


def expected() -> dict[str, Any]:
    if not FILES.is_dir():
        return {}
    return {each["file"]: each for each in json.loads((FILES / "expected.json").read_text())}


GOOD = [name for name in expected() if not name.startswith("3") or name[:2] in {"37", "38"}]


@needs_files
def test_all_files_are_there():
    assert [name[:2] for name in GOOD] == [*(f"{number:02}" for number in range(1, 25)), "37", "38"]


@needs_files
@pytest.mark.parametrize("name", GOOD)
def test_a_real_file_is_read(name):
    wanted = expected()[name]

    report = read((FILES / name).read_bytes())

    points = {row["no"]: row["points_computed"] for row in wanted["standings"]}
    assert {player.number: player.score_halves(report.bye_halves) / 2 for player in report.players} == points
    names = {row["no"]: row["name"] for row in wanted["standings"]}
    assert {player.number: player.name for player in report.players} == names
    assert report.rounds == wanted["rounds_planned"]


@needs_files
@pytest.mark.parametrize("name", GOOD)
def test_a_real_file_reads_back_as_written(name):
    report = read((FILES / name).read_bytes())

    assert read(trf.write_trf26(report).encode()) == report
    assert read(trf.write_trf16(report).encode()) == without_trf26(report)


@needs_files
@pytest.mark.parametrize(
    ("number", "problem", "line"),
    [
        (30, Problem.MISSING_RESULT, 2),
        (31, Problem.INCOMPATIBLE_RESULT, 2),
        (32, Problem.INCOMPATIBLE_COLOUR, 2),
        (33, Problem.WRONG_POINTS, 2),
        (34, Problem.TOO_MANY_RESULTS, 2),
        (35, Problem.INVALID_CODE, 7),
        (36, Problem.MISSING_NUMBER, 7),
    ],
)
def test_a_real_file_that_cannot_be_right(number, problem, line):
    (file,) = FILES.glob(f"{number}_*")

    with pytest.raises(BadFile) as caught:
        read(file.read_bytes())

    assert (caught.value.problem, caught.value.line) == (problem, line)
    assert str(caught.value).startswith(f"line {line}: {problem}: ")


@needs_files
@pytest.mark.parametrize("number", [37, 38])
def test_a_real_file_without_a_legal_next_round(number):
    (file,) = FILES.glob(f"{number}_*")

    assert fide.pair(trf.next_state(read(file.read_bytes()))) == NoPairing(Reason.NO_LEGAL_PAIRING)


@needs_files
def test_what_real_files_say_of_the_event():
    dates = {name[:2]: read((FILES / name).read_bytes()).start for name in GOOD}

    assert dates == {
        "01": date(2020, 5, 29),  # May 29, 2020
        "02": date(2020, 6, 26),
        "03": date(2005, 7, 28),  # 28. 07. 2005
        "04": date(2011, 7, 2),
        "05": date(2011, 7, 2),
        "06": date(2011, 2, 25),  # 25.02.2011
        "07": date(2011, 2, 25),
        "08": date(2008, 2, 1),
        "09": date(2008, 6, 7),
        "10": date(2008, 6, 7),
        "11": date(2011, 9, 26),  # 11.09.26
        "12": date(2010, 9, 13),
        "16": date(2010, 9, 24),  # 24/09/2010
        "18": date(2025, 9, 13),
        "19": date(2026, 5, 29),
        "20": date(2024, 1, 1),
        "21": date(2026, 3, 3),
    } | dict.fromkeys(["13", "14", "15", "17", "22", "23", "24", "37", "38"])


@needs_files
def test_what_is_left_out_of_a_team_file_is_said():
    (file,) = FILES.glob("20_*")

    report = read(file.read_bytes())

    assert report.notices == (
        "Team records are left out (013, 240, 250, 260, 299, 300, 310, 320, 330, 352, 362, 801, 802).",
        "National ratings are left out (FRA).",
    )
    assert (report.byes, report.forbidden, report.acceleration) == ((), (), ())


# --- leniency ---


@pytest.mark.parametrize("ends", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_encodings_and_line_ends(encoding, ends):
    text = lines("012 Läs Végas", line(1, 1.0, "2w1", name="Peña, Gaël"), line(2, 0.0, "1b0"), ends=ends)

    report = read(text.encode(encoding))

    assert (report.name, report.players[0].name) == ("Läs Végas", "Peña, Gaël")
    assert report.past == 1


def test_the_columns_of_a_player():
    text = "001   12 w WF Núñez Béranger,Noémie             1804 ESP    32088692 1990/04/13  0.0    2"

    (player,) = read(lines("XXC rank", text)).players

    assert player == Player(
        12, "Núñez Béranger,Noémie", 1804, (), 0, 2, "w", "WF", "ESP", "32088692", "1990/04/13"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("column", "text", "field", "value"),
    [
        (10, "F", "sex", "w"),
        (10, "M", "sex", "m"),
        (10, "?", "sex", ""),
        (11, "g  ", "title", "g"),
        (49, "   0", "rating", 0),
        (49, "0000", "rating", 0),
        (49, "n.a.", "rating", 0),
        (70, "1969.01.16", "birth", "1969/01/16"),
        (70, "16.01.1969", "birth", "1969/01/16"),
        (70, "1990/00/00", "birth", "1990/00/00"),
        (70, "1990", "birth", "1990/00/00"),
        (70, "  .  .", "birth", ""),
        (70, "soon", "birth", ""),
        (81, "0,0", "points_halves", 0),
        (81, "   0", "points_halves", 0),
        (81, "    ", "points_halves", None),
        (86, " =12", "rank", None),
    ],
)
def test_fields_as_real_files_have_them(column, text, field, value):
    whole = line(1, 0.0).ljust(100)

    (player,) = read(lines(whole[: column - 1] + text + whole[column - 1 + len(text) :])).players

    assert getattr(player, field) == value


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2011/07/02", date(2011, 7, 2)),
        ("2008-02-01", date(2008, 2, 1)),
        ("24/09/2010", date(2010, 9, 24)),
        ("02/10/2010", date(2010, 10, 2)),
        ("28. 07. 2005", date(2005, 7, 28)),
        ("09/24/2010", date(2010, 9, 24)),
        ("May 29, 2020", date(2020, 5, 29)),
        ("3 March 2026", date(2026, 3, 3)),
        ("11.09.26", date(2011, 9, 26)),
        ("11.25.02", date(2011, 2, 25)),
        ("31.12.99", date(1999, 12, 31)),
        ("99/12/31", date(1999, 12, 31)),
        ("2011/13/13", None),
        ("0000/00/00", None),
        ("May 2020", None),
        ("Hello 1, 2020", None),
        ("9" * 5000 + "/1/1", None),
        ("1/1/¼", None),
        ("May ², 2020", None),
        ("May Mar 2020", None),
        ("", None),
    ],
)
def test_dates(text, day):
    assert trf.read_date(text) == day


def test_a_date_that_is_none_leaves_a_notice():
    report = read(lines("042 the 32nd", line(1)))

    assert report.start is None
    assert report.notices == ("Line 1: 'the 32nd' is no date, left out.",)


@pytest.mark.parametrize("shift", [-4, 0, 1, 3])
def test_dates_of_rounds_stand_near_their_columns(shift):
    dates = f"{'132':{101 + shift}}26/03/01            26/03/02"

    assert read(lines(dates, line(1))).round_dates == (None, date(2026, 3, 1), None, date(2026, 3, 2))


@pytest.mark.parametrize(
    ("written", "code"),
    [("=", "H"), ("h", "H"), ("+", "F"), ("-", "Z"), ("F", "F"), ("U", "U"), ("Z", "Z"), (" ", "Z"), ("", "Z")],
)
def test_a_round_without_an_opponent(written, code):
    for cell in (f"0000-{written}", f"    -{written}", f"     {written}") if written else [""]:
        report = read(lines(line(1, "", "2w1", cell, "2b0"), line(2, "", "1b0", "", "1w1")))

        assert report.players[0].cells[1] == Cell(None, None, Code(code))


def test_letters_of_any_case():
    report = read(lines(line(1, 1.0, "2Ww"), line(2, 0.0, "1Bl")))

    assert [player.cells for player in report.players] == [
        (Cell(2, W, Code.UNRATED_WIN),), (Cell(1, B, Code.UNRATED_LOSS),),
    ]  # fmt: skip


def test_comments_rulers_and_blank_lines():
    report = read(
        lines(
            "### comment 001",
            "1234567890" * 3,
            "         1         2",
            "DDD SSSS sTTT NNNNNNNNNNNNNNNN",
            "",
            *FOUR,
            "FRA    1    A                                   2200 IDF      D50113",
            "XXY 1",
            "\x1a",
        )
    )

    assert len(report.players) == 4
    assert report.notices == ("National ratings are left out (FRA).", "Record XXY is left out.")


def test_team_records_are_left_out():
    report = read(lines(*FOUR, "013 A                                   1    2", "XXP 1 2"))

    assert report.notices == ("Team records are left out (013).",)
    assert report.forbidden == (Forbidden((1, 2)),)  # such a file still pairs players


@pytest.mark.parametrize(
    ("mine", "yours"),
    [("2w1", "1b0"), ("2w=", "1b="), ("2w0", "1b0"), ("2wW", "1bL"), ("2w+", "1b-"), ("2w-", "1b-"), ("2-+", "1--")],
)
def test_results_that_go_together(mine, yours):
    report = read(lines(line(1, "", mine), line(2, "", yours)))

    assert [str(player.cells[0].code) for player in report.players] == [mine[-1], yours[-1]]


def test_a_forfeit_with_the_colour_on_one_side():
    report = read(lines(line(1, "", "2-+"), line(2, "", "1b-")))

    assert [player.cells[0].colour for player in report.players] == [W, B]


def test_a_game_without_a_result():
    report = read(lines(line(1, 1.0, "2w1", "2b "), line(2, 0.0, "1b0", "1w "), "XXR 3"))

    assert (report.past, report.open_games) == (2, 1)
    assert trf.state(report).scores() == {1: 2, 2: 0}
    with pytest.raises(trf.ResultsMissing, match="Round 2 is not over: 1 game has no result."):
        trf.next_state(report)


@pytest.mark.parametrize(
    ("points", "cells"),
    [
        ("2.0", ["2w1", "U"]),
        ("1.0", ["2w1", "U"]),  # byes left out
        ("1.0", ["2w1", "H"]),
        ("2.0", ["2w1", ""]),  # a blank worth a point
        ("1.5", ["2w1", ""]),
        ("2.0", ["2w1", "Z"]),
        ("1.5", ["2w1", "Z", "H"]),  # the last one for the round to come
        ("1.0", ["2w1", "Z", "H"]),
        ("2.0", ["2w1", "Z", "F"]),
    ],
)
def test_points_that_may_be(points, cells):
    """2 plays 3 in round 2, so that there is one."""
    report = read(lines(line(1, points, *cells), line(2, 0.0, "1b0", "3w0"), line(3, 1.0, "", "2b1")))

    assert report.past == 2
    assert bool(report.notices) == (int(float(points) * 2) != report.players[0].score_halves())


@pytest.mark.parametrize(
    ("points", "cells"),
    [
        ("1.5", ["2w1", "U"]),
        ("2.5", ["2w1", ""]),
        ("0.5", ["2w1", ""]),
        ("3.0", ["2w1", "H"]),
        ("2.5", ["2w1", "H", "H"]),
    ],
)
def test_points_that_cannot_be(points, cells):
    others = (line(2, 0.0, "1b0", "3w0"), line(3, 1.0, "", "2b1"))

    assert refusal(line(1, points, *cells), *others) == (Problem.WRONG_POINTS, 1)


@pytest.mark.parametrize(("cell", "fits"), [("H", ["1.0", "1.5"]), ("F", ["1.0", "2.0"]), ("Z", ["1.0"])])
def test_points_may_count_a_bye_of_the_next_round(cell, fits):
    found = []
    for points in ("0.5", "1.0", "1.5", "2.0", "2.5"):
        try:
            read(lines(line(1, points, "2w1", cell), line(2, 0.0, "1b0")))
        except BadFile as refused:
            found.append(refused.problem)
        else:
            found.append(points)

    assert [points for points in found if points is not Problem.WRONG_POINTS] == fits


@pytest.mark.parametrize("points", ["1.0", "2.0"])
def test_points_with_acceleration(points):
    text = (line(1, points, "2w1"), line(2, 0.0, "1b0"), "XXR 3", "XXA    1  1.0  1.0")

    assert trf.next_state(read(lines(*text))).pairing_scores() == {1: 4, 2: 0}


@pytest.mark.parametrize(
    ("record", "halves"),
    [
        ("162  W 1.0    D 0.5    L 0.0    P 0.5", 1),
        ("162  P 0.0", 0),
        ("XXS PAB=0.5 WW=1.0 FL=0.0", 1),
        ("BBU  0.5", 1),
    ],
)
def test_what_a_pairing_bye_is_worth(record, halves):
    text = (line(1, 1.0, "2w1"), line(2, 0.0, "1b0"), line(3, halves / 2, "U"), record, "XXR 3")

    assert trf.next_state(read(lines(*text))).scores() == {1: 2, 2: 0, 3: halves}


# --- refusals ---

REFUSED = {
    "no players": (["012 Nothing"], Problem.NO_PLAYERS, None),
    "empty": ([], Problem.NO_PLAYERS, None),
    "unknown record": ([*FOUR, "101    5"], Problem.INVALID_CODE, 5),
    "half a record": ([*FOUR, "x"], Problem.INVALID_CODE, 5),
    "small letters": ([*FOUR, "xxr 5"], Problem.INVALID_CODE, 5),
    "no number": ([*FOUR, "001      m    Somebody"], Problem.MISSING_NUMBER, 5),
    "number 0": ([line(0)], Problem.MISSING_NUMBER, 1),
    "a gap": ([*FOUR, line(6)], Problem.MISSING_NUMBER, 5),
    "no number 1": ([line(2), line(3)], Problem.MISSING_NUMBER, 1),
    "twice": ([*FOUR, line(4)], Problem.REPEATED_NUMBER, 5),
    "unknown opponent": ([line(1, "", "2w1")], Problem.UNKNOWN_NUMBER, 1),
    "points": ([line(1, "1.3")], Problem.UNREADABLE, 1),
    "shifted cell": ([line(1) + "    2 w 1"], Problem.UNREADABLE, 1),
    "letters for an opponent": ([line(1, "", "abw1")], Problem.UNREADABLE, 1),
    "unknown colour": ([line(1, "", "2x1"), line(2, "", "1b0")], Problem.INVALID_CODE, 1),
    "unknown result": ([line(1, "", "2wQ"), line(2, "", "1bQ")], Problem.INVALID_CODE, 1),
    "win against nobody": ([line(1, 1.0, "0000-1")], Problem.INVALID_CODE, 1),
    "loss against nobody": ([line(1, 0.0, "0")], Problem.INVALID_CODE, 1),
    "colour against nobody": ([line(1, 0.0, "0000w ")], Problem.INVALID_CODE, 1),
    "bye against somebody": ([line(1, "", "2wH"), line(2, "", "1bH")], Problem.INVALID_CODE, 1),
    "against oneself": ([line(1, "", "1w1")], Problem.INCOMPATIBLE_RESULT, 1),
    "no round for the opponent": ([line(1, 1.0, "2w1"), line(2, 0.0)], Problem.MISSING_RESULT, 1),
    "a bye for the opponent": ([line(1, 1.0, "2w1"), line(2, 1.0, "U")], Problem.MISSING_RESULT, 1),
    "another opponent": (
        [line(1, 1.0, "2w1"), line(2, 0.0, "3b0"), line(3, 1.0, "2w1")], Problem.MISSING_RESULT, 1,
    ),
    "one result": ([line(1, 1.0, "2w1"), line(2, 0.0, "1b ")], Problem.MISSING_RESULT, 1),
    "no colour": ([line(1, 1.0, "2-1"), line(2, 0.0, "1-0")], Problem.INCOMPATIBLE_COLOUR, 1),
    "both white": ([line(1, 1.0, "2w1"), line(2, 0.0, "1w0")], Problem.INCOMPATIBLE_COLOUR, 1),
    "forfeit, both white": ([line(1, 1.0, "2w+"), line(2, 0.0, "1w-")], Problem.INCOMPATIBLE_COLOUR, 1),
    "both won": ([line(1, 1.0, "2w1"), line(2, 1.0, "1b1")], Problem.INCOMPATIBLE_RESULT, 1),
    "win and draw": ([line(1, 1.0, "2w1"), line(2, 0.5, "1b=")], Problem.INCOMPATIBLE_RESULT, 1),
    "win and forfeit": ([line(1, 1.0, "2w1"), line(2, 0.0, "1b-")], Problem.INCOMPATIBLE_RESULT, 1),
    "both by forfeit": ([line(1, 1.0, "2w+"), line(2, 1.0, "1b+")], Problem.INCOMPATIBLE_RESULT, 1),
    "too many points": ([line(1, 2.0, "2w1"), line(2, 0.0, "1b0")], Problem.WRONG_POINTS, 1),
    "too few points": ([line(1, 0.5, "2w1"), line(2, 0.0, "1b0")], Problem.WRONG_POINTS, 1),
    "more results than rounds": (
        [line(1, 2.0, "2w1", "2b1"), line(2, 0.0, "1b0", "1w0"), "XXR 1"], Problem.TOO_MANY_RESULTS, 1,
    ),
    "a bye after the last round": ([*FOUR, "142 1", "240 H 002    1"], Problem.TOO_MANY_RESULTS, 6),
    "rounds": ([*FOUR, "XXR many"], Problem.UNREADABLE, 5),
    "no rounds": ([*FOUR, "142 0"], Problem.UNREADABLE, 5),
    "first colour": ([*FOUR, "152 X"], Problem.UNREADABLE, 5),
    "three points for a win": ([*FOUR, "162  W 3.0    D 1.0"], Problem.UNSUPPORTED, 5),
    "a bye of two points": ([*FOUR, "XXS PAB=2.0"], Problem.UNSUPPORTED, 5),
    "a point for coming": ([*FOUR, "BBL  0.5"], Problem.UNSUPPORTED, 5),
    "point system": ([*FOUR, "162  W one"], Problem.UNREADABLE, 5),
    "unknown points": ([*FOUR, "XXS ABC=1.0"], Problem.UNREADABLE, 5),
    "points outside the rounds": ([*FOUR, "299 +   2.0   2.5   1    1"], Problem.UNSUPPORTED, 5),
    "absent stranger": ([*FOUR, "XXZ 5"], Problem.UNKNOWN_NUMBER, 5),
    "absent by name": ([*FOUR, "XXZ Lio"], Problem.UNREADABLE, 5),
    "bye for a stranger": ([*FOUR, "240 H 002    9"], Problem.UNKNOWN_NUMBER, 5),
    "unknown bye": ([*FOUR, "240 U 002    1"], Problem.INVALID_CODE, 5),
    "bye without a round": ([*FOUR, "240 H"], Problem.UNREADABLE, 5),
    "forbidden stranger": ([*FOUR, "XXP 1 9"], Problem.UNKNOWN_NUMBER, 5),
    "forbidden without rounds": ([*FOUR, "260"], Problem.UNREADABLE, 5),
    "forbidden backwards": ([*FOUR, "260   3   1    1    2"], Problem.UNREADABLE, 5),
    "acceleration of nobody": ([*FOUR, "XXA"], Problem.UNREADABLE, 5),
    "acceleration of a stranger": ([*FOUR, "XXA    9  1.0"], Problem.UNKNOWN_NUMBER, 5),
    "acceleration backwards": ([*FOUR, "250       1.0   1   1    4    2"], Problem.UNREADABLE, 5),
    "accelerated strangers": ([*FOUR, "250       1.0   1   1    4    9"], Problem.UNKNOWN_NUMBER, 5),
    "by rank, without ranks": ([*FOUR, "XXC rank"], Problem.NO_RANKS, None),
    "by rank, one rank twice": ([line(1, rank=1), line(2, rank=1), "XXC rank"], Problem.NO_RANKS, None),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_cannot_be_right(name):
    text, problem, where = REFUSED[name]

    assert refusal(*text) == (problem, where)


def test_a_refusal_says_line_and_reason():
    with pytest.raises(BadFile) as caught:
        read(lines("012 Winter", line(1, 1.0, "2w1"), line(2, 1.0, "1b1")))

    assert str(caught.value) == "line 2: incompatible result: Round 1: 1 met 2 with results 1 and 1."


# --- to pairing ---


def state_of(*more: str):
    return trf.next_state(read(lines(*more)))


@pytest.mark.parametrize("record", ["XXR 5", "142 5", "142   5"])
def test_rounds(record):
    state = state_of(*FOUR, record)

    assert (state.rounds, state.number) == (5, 2)


def test_without_rounds_there_is_no_pairing():
    report = read(lines(*FOUR))

    with pytest.raises(BadFile, match="XXR or 142") as caught:
        trf.next_state(report)
    assert caught.value.problem is Problem.NO_ROUNDS


@pytest.mark.parametrize(
    ("record", "colour"),
    [("XXC white1", W), ("XXC black1", B), ("XXC BLACK1", B), ("152 W", W), ("152 B", B), ("152 b", B)],
)
def test_the_first_colour_that_is_given(record, colour):
    assert state_of(line(1), line(2), "XXR 3", record).first_colour is colour


@pytest.mark.parametrize(
    ("players", "colour"),
    [
        ([line(1), line(2)], W),  # nothing to go by
        ([line(1, "", "3b1"), line(2, "", "4w1"), line(3, "", "1w0"), line(4, "", "2b0")], B),
        ([line(1, "", "3w1"), line(2, "", "4b1"), line(3, "", "1b0"), line(4, "", "2w0")], W),
        ([line(1, "", "H"), line(2, "", "3w1"), line(3, "", "2b0")], W),  # 1 came later: 2 was the first
        ([line(1, "", "3-+"), line(2, "", "4w1"), line(3, "", "1--"), line(4, "", "2b0")], B),  # 2, the second
        ([line(1, "", "Z", "2w1"), line(2, "", "U", "1b0"), line(3, "", "Z", "")], W),
    ],
)
def test_the_first_colour_from_the_first_games(players, colour):
    assert state_of(*players, "XXR 5").first_colour is colour


def test_histories_are_as_long_for_everybody():
    state = state_of(line(1, 1.0, "2w1", ""), line(2, 0.0, "1b0", "3w0"), line(3, 1.0, "", "2b1"), "XXR 5")

    assert [[str(played.code) for played in entrant.history] for entrant in state.entrants] == [
        ["1", "Z"], ["0", "0"], ["Z", "1"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("record", "absent"),
    [
        ("XXZ 2 4", {2: "Z", 4: "Z"}),
        ("XXZ    2    4", {2: "Z", 4: "Z"}),
        ("240 H 002    2", {2: "H"}),
        ("240 F   2    2    3", {2: "F", 3: "F"}),
        ("240 Z   3    2", {}),  # a later round
        ("240 Z   1    2", {}),  # a past one
    ],
)
def test_who_is_absent(record, absent):
    state = state_of(*FOUR, record, "XXR 5")

    assert {entrant.id: str(entrant.absent) for entrant in state.entrants if entrant.absent} == absent


@pytest.mark.parametrize(("cell", "code"), [("H", "H"), ("F", "F"), ("Z", "Z"), ("-", "Z"), ("=", "H"), ("U", "F")])
def test_who_has_something_in_the_next_column_is_absent(cell, code):
    state = state_of(line(1, 1.0, "3w1", cell), *FOUR[1:], "XXR 5")

    assert state.number == 2
    assert [entrant.absent for entrant in state.entrants] == [Code(code), None, None, None]


def test_a_bye_by_hand_leaves_two_games():
    """bbpPairings 3: a bye that the teacher gave beforehand is no round that has been played, and no third bye."""
    state = state_of(line(1), line(2), line(3, "", "U"), line(4), line(5), "XXR 5")

    found = fide.pair(state)

    assert state.number == 1
    assert (found.bye, [set(pair.players) for pair in found.pairs]) == (None, [{1, 4}, {2, 5}])


def test_a_round_in_which_all_but_one_were_absent_is_a_round():
    report = read(lines(line(1, 1.0, "U"), line(2, 0.0, "Z"), "XXR 3"))

    assert (report.past, report.byes) == (1, ())


def test_a_blank_past_round_is_the_bye_of_its_record():
    report = read(lines(line(1, 0.5, ""), line(2, 1.0, "3w1"), line(3, 0.0, "2b0"), "240 H   1    1"))

    assert report.players[0].cells == (Cell(None, None, Code.HALF_BYE),)
    assert report.notices == ()


@pytest.mark.parametrize(
    ("record", "forbidden"),
    [
        ("XXP 1 2", [(1, 2)]),
        ("XXP 1 2 4", [(1, 2), (1, 4), (2, 4)]),
        ("260   1   5    1    2", [(1, 2)]),
        ("260   2   2    1    2    4", [(1, 2), (1, 4), (2, 4)]),
        ("260   1   1    1    2", []),
        ("260   3   5    1    2", []),
        ("XXP 1", []),
    ],
)
def test_forbidden_pairs_of_the_next_round(record, forbidden):
    assert state_of(*FOUR, record, "XXR 5").forbidden == twos(forbidden)


@pytest.mark.parametrize(
    ("records", "halves"),
    [
        (["XXA    1  1.0  0.5", "XXA    2  0.0  1.0"], {1: (2, 1), 2: (0, 2)}),
        (["XXA 1 1.0 0.5", "XXA 2 0.0 1.0"], {1: (2, 1), 2: (0, 2)}),
        (["XXA    1       1.0"], {1: (0, 2)}),
        (["250       1.0   1   2    1    2", "250       0.5   3   3    1    2"], {1: (2, 2, 1), 2: (2, 2, 1)}),
        (["250       1.0   1   2    1    2", "250       0.5   2   2    2"], {1: (2, 2), 2: (2, 1)}),
        (["250       1.0   4   9    1"], {1: (0, 0, 0, 2, 2)}),  # five rounds
        (["250       1.0   1   3    1    2", "XXA    1  0.5"], {1: (1,), 2: (2, 2, 2)}),
        (["XXA    1  0.0  0.0"], {}),
    ],
)
def test_acceleration(records, halves):
    assert state_of(*FOUR, *records, "XXR 5").acceleration == halves


def test_baku_acceleration_without_its_points_leaves_a_notice():
    assert "Baku" in " ".join(read(lines("192 FIDE_DUTCH_2026_BAKU", *FOUR)).notices)


def test_by_rank():
    state = state_of(line(1, rank=2), line(3, rank=3), line(8, rank=1), "XXR 5", "XXC black1 rank")

    assert [entrant.id for entrant in state.entrants] == [8, 1, 3]


# --- writing ---

TRF26_ONLY = ("ranking", "program", "coded_system", "tie_breaks", "standings_order", "coded_time")


def without_trf26(report: Report) -> Report:
    return replace(report, **dict.fromkeys(TRF26_ONLY, ""))


def full_report() -> Report:
    abaras = (Cell(2, W, Code.WIN), Cell(3, B, None))
    return Report(
        players=(
            Player(1, "Abara, Lio", 1804, abaras, 2, 1, "w", "WFM", "ESP", "32", "1990/04/13"),
            Player(2, "Bexley, Mira", 0, (Cell(1, B, Code.LOSS), Cell(None, None, Code.PAIRING_BYE)), 1, 3),
            Player(3, "Corvan, Tess", 900, (Cell(None, None, Code.HALF_BYE), Cell(1, W, None)), None, 2),
            Player(4, "Dunmore, Kai", 850, (trf.ABSENT, trf.ABSENT), 0),
        ),
        name="Winter Cup",
        start=date(2026, 3, 2),
        round_dates=(date(2026, 3, 2), None, date(2026, 3, 9)),
        deputies=("Ann", "Ben"),
        rounds=5,
        first_colour=B,
        bye_halves=1,
        byes=(Bye(3, 1, Code.HALF_BYE), Bye(3, 2, Code.PAIRING_BYE), Bye(5, 4, Code.ZERO_BYE)),
        forbidden=(Forbidden((1, 2, 4)), Forbidden((3, 4), 2, 4)),
        acceleration=(Acceleration(1, (2, 2, 0, 1)),),
        tie_breaks="BH/C1,SB",
        coded_system="FIDE_DUTCH",
    )  # fmt: skip


PLAYERS_WRITTEN = [
    "001    1 wWFM Abara, Lio                        1804 ESP          32 1990/04/13  1.0    1     2 w 1     3 b",
    "001    2      Bexley, Mira                                                       0.5    3     1 b 0  0000 - U",
    "001    3      Corvan, Tess                       900                                    2  0000 - H     1 w",
    "001    4      Dunmore, Kai                       850                             0.0       0000 - Z  0000 - Z",
]


def test_trf16_as_written():
    text = trf.write_trf16(full_report())

    event, rest = text.split("001    1", 1)
    assert event.split("\r\n")[:9] == [
        "012 Winter Cup", "022", "032", "042 2026/03/02", "052", "062 4", "072 3", "082 0", "092",
    ]  # fmt: skip
    assert event.split("\r\n")[9:-1] == [
        "102", "112 Ann", "112 Ben", "122", f"{'132':91}26/03/02            26/03/09",
        "XXR 5", "XXC black1", "XXS PAB=0.5", "BBU  0.5",
    ]  # fmt: skip
    assert ("001    1" + rest).split("\r\n") == [
        PLAYERS_WRITTEN[0] + "    0000 - H",
        PLAYERS_WRITTEN[1] + "  0000 - U",
        *PLAYERS_WRITTEN[2:],
        "240 Z   5    4",
        "XXP 1    2    4",
        "260   2   4    3    4",
        "XXA    1  1.0  1.0  0.0  0.5",
        "",
    ]


def test_trf26_as_written():
    text = trf.write_trf26(full_report())

    assert text.split("\r\n")[14:] == [
        "142 5", "152 B", "162  W 1.0    D 0.5    L 0.0    P 0.5", "192 FIDE_DUTCH", "202 BH/C1,SB",
        PLAYERS_WRITTEN[0],
        PLAYERS_WRITTEN[1] + "  0000 - U",
        *PLAYERS_WRITTEN[2:],
        "240 H   3    1",
        "240 Z   5    4",
        "250       1.0   1   2    1    1",
        "250       0.5   4   4    1    1",
        "260   1   5    1    2    4",
        "260   2   4    3    4",
        "",
    ]  # fmt: skip


@pytest.mark.parametrize("write", [trf.write_trf16, trf.write_trf26])
def test_byes_are_written_with_their_codes(write):
    """lila 6669, bbpPairings 19: the pairing bye was written as F, and engines gave it to the same player again."""
    byes = {15: Code.PAIRING_BYE, 14: Code.HALF_BYE, 13: Code.ZERO_BYE}
    games = {one: Cell(other, W, Code.DRAW) for one, other in zip(range(1, 7), range(7, 13), strict=True)}
    games |= {other: Cell(one, B, Code.DRAW) for one, other in zip(range(1, 7), range(7, 13), strict=True)}
    rounds = (trf.ABSENT,) * 3
    report = Report(
        tuple(Player(n, cells=(*rounds, games.get(n) or Cell(code=byes[n]))) for n in range(1, 16)), rounds=5
    )

    written = {int(text[4:8]): text for text in write(report).split("\r\n") if text.startswith("001")}

    assert [written[number][121:129] for number in (15, 14, 13)] == ["0000 - U", "0000 - H", "0000 - Z"]
    state = trf.next_state(read(write(report)))
    assert [entrant.id for entrant in state.entrants if entrant.byes] == [15]
    assert fide.pair(state).bye != 15


def test_names_too_long_are_cut():
    long = "Wolfeschlegelsteinhausenbergerdorff, Hubert"

    report = read(trf.write_trf16(Report((Player(1, long),))))

    assert report.players[0].name == long[:33]


def test_there_are_columns_for_9999_players():
    with pytest.raises(ValueError, match="10000"):
        trf.write_trf26(Report((Player(10_000),)))


LETTERS = st.characters(categories=["L", "N", "P"], include_characters=" ")


def words(longest: int) -> st.SearchStrategy[str]:
    return st.text(LETTERS, max_size=longest).map(str.strip)


DATES = st.dates(date(1970, 1, 1), date(2069, 12, 31))
RESULTS = [("1", "0"), ("=", "="), ("0", "1"), ("0", "0"), ("W", "L"), ("D", "D"), ("+", "-"), ("-", "-"), (None, None)]


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Any report that `read` could give."""
    numbers = list(range(1, draw(st.integers(1, 7)) + 1))
    past = draw(st.integers(0, 4)) if len(numbers) > 1 else 0
    cells: dict[int, list[Cell]] = {number: [] for number in numbers}
    for _ in range(past):
        order = draw(st.permutations(numbers))
        games = draw(st.integers(1, len(numbers) // 2))
        for one, other in zip(order[0 : 2 * games : 2], order[1 : 2 * games : 2], strict=True):
            mine, yours = (Code(code) if code else None for code in draw(st.sampled_from(RESULTS)))
            forfeit = mine is not None and mine.is_forfeit
            white = not (forfeit and draw(st.booleans()))  # a forfeit may be without colours
            cells[one].append(Cell(other, W if white else None, mine))
            cells[other].append(Cell(one, B if white else None, yours))
        for number in order[2 * games :]:
            cells[number].append(Cell(code=Code(draw(st.sampled_from("UFHZ")))))
    rounds = draw(st.none() | st.integers(max(past, 1), past + 3))
    limit = rounds or past + 1
    bye_halves = draw(st.integers(0, 2))
    players = tuple(
        Player(
            number,
            draw(words(33)),
            draw(st.integers(0, 9999)),
            tuple(cells[number]),
            draw(st.none() | st.just(Player(0, cells=tuple(cells[number])).score_halves(bye_halves))),
            draw(st.none() | st.integers(1, 9999)),
            draw(st.sampled_from(["", "m", "w"])),
            draw(words(3)),
            draw(words(3)),
            draw(words(11)),
            draw(st.sampled_from(["", "1990/00/00"]) | DATES.map(lambda day: f"{day:%Y/%m/%d}")),
        )
        for number in numbers
    )
    byes = {  # never for number 1, so that no round is left without anybody to pair
        (round_, player): Bye(round_, player, Code(draw(st.sampled_from("UFHZ"))))
        for round_ in range(past + 1, limit + 1)
        for player in draw(st.sets(st.sampled_from(numbers)))
        if player != 1
    }
    groups = st.sets(st.sampled_from(numbers), min_size=2).map(lambda group: tuple(sorted(group)))
    forbidden = set()
    for group in draw(st.lists(groups, max_size=3)) if len(numbers) > 1 else ():
        first = draw(st.integers(1, limit))
        forbidden.add(
            Forbidden(group, first, draw(st.none() | st.integers(first, limit - 1)) if first < limit else None)
        )
    virtual = st.lists(st.integers(0, 4), max_size=limit).filter(lambda halves: halves and halves[-1])
    accelerated = sorted(draw(st.sets(st.sampled_from(numbers))))
    round_dates = draw(st.lists(st.none() | DATES, max_size=4).filter(lambda dates: not dates or dates[-1]))
    return Report(
        players,
        *draw(st.tuples(words(40), words(40), words(9))),
        draw(st.none() | DATES),
        draw(st.none() | DATES),
        *draw(st.tuples(words(40), words(40))),
        deputies=tuple(draw(st.lists(words(20).filter(bool), max_size=2))),
        time_control=draw(words(20)),
        round_dates=tuple(round_dates),
        rounds=rounds,
        first_colour=draw(st.none() | st.sampled_from(Colour)),
        by_rank=len({player.rank for player in players} - {None}) == len(players) and draw(st.booleans()),
        bye_halves=bye_halves,
        byes=tuple(sorted(byes.values())),
        forbidden=tuple(sorted(forbidden, key=lambda group: (group.first, group.last or 999, group.players))),
        acceleration=tuple(Acceleration(number, tuple(draw(virtual))) for number in accelerated),
        **{field: draw(words(20)) for field in TRF26_ONLY},
    )


@settings(max_examples=150, deadline=None)
@given(report=reports(), encoding=st.sampled_from(["utf-8", "utf-8-sig"]))
def test_what_is_written_reads_back(report, encoding):
    assert read(trf.write_trf26(report).encode(encoding)) == report
    assert read(trf.write_trf16(report).encode(encoding)) == without_trf26(report)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_damaged_file_is_refused_or_read(data):
    """Whatever a file holds, the answer is a report that can be paired, or a sentence."""
    text = trf.write_trf26(full_report()) if data.draw(st.booleans()) else trf.write_trf16(full_report())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 3)) :]
    try:
        report = read(text)
        trf.state(report)
        trf.next_state(report)
    except (BadFile, trf.ResultsMissing):
        pass
