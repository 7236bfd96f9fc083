"""Reading a file of games: text in, rows and sentences out."""

from __future__ import annotations

import csv
import datetime
import json
from pathlib import Path

import pytest

from classes.core.names import match_key
from ratings.core.elo import DRAW, LOSS, WIN
from ratings.core.game_file import FileGame, Player, Problem, UnreadableFile, decode, read_games

DATA = Path(__file__).resolve().parents[4] / "shared" / "data" / "public"
TODAY = datetime.date(2026, 6, 30)
NINTH = datetime.date(2025, 9, 9)
RESULTS = {WIN: "1-0", DRAW: "1/2-1/2", LOSS: "0-1"}

FORFEIT = "A forfeit is not a played game and is not rated."
NO_RESULT = "There is no result."


def read(*lines: str):
    return read_games("\n".join(lines), today=TODAY)


def one_row(*, day: str = "2025-09-09", white: str = "Mia", black: str = "Ben", result: str = "1-0"):
    return read("date;white;black;result", f"{day};{white};{black};{result}")


def problem_of(**cells: str) -> str:
    """The sentence about a file with one bad row."""
    content = one_row(**cells)
    assert content.games == ()
    [problem] = content.problems
    assert problem.line == 2
    return problem.text


def test_a_row_is_read_with_its_line():
    content = read("Date,White,Black,Result,Remark", "2025-09-09,Mia,Ben,1-0,first board")

    assert content.games == (FileGame(2, NINTH, Player("Mia"), Player("Ben"), WIN, "first board"),)
    assert content.problems == ()
    assert content.repeats == ()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiter_is_recognised_from_the_header(delimiter):
    content = read(
        delimiter.join(["Seq", "Day", "White", "Black", "Score", "White_ID", "Black ID", "Event"]),
        delimiter.join(["7", "9 Sep 2025", "Mia", "Ben", "0-1", "P1", "P2", '"Cup, final; one"']),
    )

    assert content.games == (FileGame(2, NINTH, Player("Mia", "P1"), Player("Ben", "P2"), LOSS),)


def test_ids_alone_are_enough():
    content = read("played,white_id,black_id,RESULT", "2025-09-09,P1,P2,draw")

    assert content.games == (FileGame(2, NINTH, Player("", "P1"), Player("", "P2"), DRAW),)


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        ("date,white,black", "There is no column for: result. The headers are: “date”, “white”, “black”."),
        ("Foo;Result", "There is no column for: date, white, black. The headers are: “Foo”, “Result”."),
        (
            "date,day,white,black,result",
            "Two columns are read as the date. The headers are: “date”, “day”, “white”, “black”, “result”.",
        ),
    ],
)
def test_a_header_that_does_not_do_is_one_error(header, sentence):
    with pytest.raises(UnreadableFile) as caught:
        read(header, "x,y,z")

    assert str(caught.value) == sentence


def test_an_empty_file_is_an_error():
    with pytest.raises(UnreadableFile) as caught:
        read("", ",,")

    assert str(caught.value) == "There is no column for: date, white, black, result. The file is empty."


def test_a_quotation_mark_that_is_never_closed_is_an_error_and_swallows_nothing():
    with pytest.raises(UnreadableFile, match="cannot be read as CSV"):
        read("date,white,black,result,note", '2025-09-09,Mia,Ben,1-0,"good', "2025-09-09,Mia,Ben,1-0,")


def test_byte_order_mark_is_left_out_and_other_encodings_are_refused():
    assert decode("\ufeffdate".encode()) == "date"
    with pytest.raises(UnreadableFile) as caught:
        decode("date,white\nZoë".encode("latin-1"))
    assert str(caught.value) == "The file is not UTF-8 text (line 2). Save it as “CSV UTF-8”."


@pytest.mark.parametrize(
    ("text", "score_halves"),
    [
        *[(text, WIN) for text in ("1-0", "1–0", "1 — 0", "1‑0", "1−0", "1:0", "1", "W", "w", "White", "WHITE WINS")],
        *[(text, WIN) for text in ("white won", " 1 : 0 ", "1\u00a0-\u00a00")],
        *[(text, LOSS) for text in ("0-1", "0 – 1", "0:1", "0", "b", "B", "black", "Black wins", "black won")],
        *[(text, DRAW) for text in ("1/2-1/2", "½-½", "½ – ½", "½", "1/2", "=", "0.5", "0.5-0.5", "0,5:0,5")],
        *[(text, DRAW) for text in ("draw", "Drawn", "tie", "REMIS")],
    ],
)
def test_results_as_people_write_them(text, score_halves):
    [game] = one_row(result=text).games

    assert game.score_halves == score_halves


@pytest.mark.parametrize(
    "text", ["1F-0F", "0f-1f", "0F-0F", "1F", "1-0F", "+ -", "+:-", "-:+", "+/−", "- -", "forfeit"]
)
def test_a_forfeit_is_refused(text):
    assert problem_of(result=text) == FORFEIT


@pytest.mark.parametrize("text", ["", "?", " ", "*"])
def test_a_missing_result_is_refused(text):
    assert problem_of(result=text) == NO_RESULT


@pytest.mark.parametrize("text", ["0-0", "1-1", "2-0", "1-½", "maybe", "2", "won"])
def test_any_other_result_is_refused(text):
    assert problem_of(result=text) == f"“{text}” is not a result that can be read; write 1-0, 1/2-1/2 or 0-1."


@pytest.mark.parametrize(
    "text",
    ["2025-09-09", "2025-9-9", "9.9.2025", "09.09.2025", "09/09/2025", "9-9-2025", "9 Sep 2025", "9 September 2025",
     "9. sept. 2025", "9-SEP-2025", "9\u00a0Sep 2025"],
)  # fmt: skip
def test_dates_as_people_write_them(text):
    [game] = one_row(day=text).games

    assert game.day == NINTH


def test_the_day_stands_before_the_month():
    [game] = one_row(day="03/04/2026").games

    assert game.day == datetime.date(2026, 4, 3)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("31.2.2026", "“31.2.2026” is not a day of the calendar (the day is read before the month)."),
        ("04/25/2026", "“04/25/2026” is not a day of the calendar (the day is read before the month)."),
        ("9.9.25", "“9.9.25” is not a date that can be read; write it like 2025-09-09."),
        ("9 Foo 2025", "“9 Foo 2025” is not a date that can be read; write it like 2025-09-09."),
        ("2026-07-01", "“2026-07-01” lies in the future."),
        ("1899-12-31", "“1899-12-31” lies too far back."),
        ("", "There is no date, and none above that can be read."),
    ],
)
def test_a_date_that_does_not_do_is_refused(text, sentence):
    assert problem_of(day=text) == sentence


def test_today_is_not_the_future():
    assert [game.day for game in one_row(day="2026-06-30").games] == [TODAY]


def test_an_empty_date_is_that_of_the_row_above_over_empty_and_bad_rows():
    rows = ["2025-09-09,Mia,Ben,1-0", "", ",,,", ",Ben,Mia,0-1", "2025-09-12,Mia,Ben,?", ",Ben,Mia,="]

    content = read("date,white,black,result", *rows)

    assert [(game.line, game.day) for game in content.games] == [
        (2, NINTH),
        (5, NINTH),
        (7, datetime.date(2025, 9, 12)),
    ]
    assert content.problems == (Problem(6, NO_RESULT),)


def test_an_empty_date_below_one_that_cannot_be_read_is_refused():
    content = read("date,white,black,result", "2025-09-09,Mia,Ben,1-0", "31.2.2026,Mia,Ben,1-0", ",Ben,Mia,0-1")

    assert [game.line for game in content.games] == [2]
    assert [problem.line for problem in content.problems] == [3, 4]


def test_lines_are_those_of_the_file_where_a_row_has_several():
    content = read("date,white,black,result,note", '2025-09-09,Mia,Ben,1-0,"two', 'lines"', "2025-09-09,Mia,Ben,?,")

    assert [(game.line, game.note) for game in content.games] == [(3, "two lines")]
    assert content.problems == (Problem(4, NO_RESULT),)


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("2025-09-09,,,1-0,", "There are no players in this row."),
        ("2025-09-09,,Ben,1-0,", "White is missing."),
        ("2025-09-09,Mia,,1-0,", "Black is missing."),
        ("2025-09-09,Mia  Kowalczyk,mia kowalczyk,1-0,", "White and Black must be two different students."),
        ('2025-09-09,"Kowalczyk, Mia",Mia Kowalczyk,1-0,', "White and Black must be two different students."),
        (
            "2025-09-09,Hamlin, Jonas,Mia,1-0,a note",
            "The row has more cells than the header; put a name with a comma in quotation marks.",
        ),
        ("31.2.2026,Mia,Ben,?,", "“31.2.2026” is not a day of the calendar (the day is read before the month). "
         "There is no result."),
        (f"2025-09-09,Mia,Ben,1-0,{'x' * 301}", "The note is longer than 300 characters."),
    ],
)  # fmt: skip
def test_a_row_that_is_no_game_is_an_error(row, sentence):
    content = read("date,white,black,result,note", row)

    assert content.games == ()
    assert content.problems == (Problem(2, sentence),)


def test_two_of_the_same_name_with_other_ids_play_each_other():
    content = read("date,white,black,result,white_id,black_id", "2025-09-09,Zoë Redfern,Zoë Redfern,1-0,S1,S2")

    assert content.problems == ()
    assert [game.white for game in content.games] == [Player("Zoë Redfern", "S1")]


def test_the_same_row_twice_is_two_games_and_is_told():
    row = "2025-09-09,Mia,Ben,1-0"

    content = read("date,white,black,result", row, row, "2025-09-09,Ben,Mia,1-0", row)

    assert [game.line for game in content.games] == [2, 3, 4, 5]
    assert content.repeats == (3,)


def test_names_are_compared_as_written_and_with_the_last_name_first():
    assert Player("Kowalczyk, Mia").first_and_last == ("Mia", "Kowalczyk")
    assert Player("Kowalczyk, Mia").keys == ("kowalczyk, mia", "mia kowalczyk")


@pytest.fixture
def kept_by_the_teacher():
    """A real season as a teacher keeps it: the text, what it says, and the pupils' ids by name."""
    folder = DATA / "season_60"
    if not folder.is_dir():
        pytest.skip("the season files are not beside the project")
    text = decode((folder / "season_60_as_kept_by_the_teacher.csv").read_bytes())
    expected = json.loads((folder / "season_60_as_kept_by_the_teacher_expected.json").read_text("utf-8"))["rows"]
    with (folder / "season_60_pupils.csv").open(encoding="utf-8", newline="") as file:
        ids = {match_key(f"{row['first_name']} {row['last_name']}"): row["pupil_id"] for row in csv.DictReader(file)}
    return text, expected, ids


def test_every_game_that_a_teacher_wrote_down_is_read(kept_by_the_teacher):
    text, expected, ids = kept_by_the_teacher

    content = read_games(text, today=TODAY)

    def pupil(player: Player) -> str | None:
        return next((ids[key] for key in player.keys if key in ids), None)

    told = {
        game.line: (pupil(game.white), pupil(game.black), RESULTS[game.score_halves], game.day.isoformat())
        for game in content.games
    }
    known = {line: game for line, game in told.items() if None not in game}
    assert known == {
        row["line"]: (row["white"], row["black"], row["result"], row["date"]) for row in expected if "white" in row
    }
    # Somebody New, and Jose Peña who is neither José Peña nor Jose Pena: read, but nobody of the class.
    assert sorted(set(told) - set(known)) == [66, 88]


def test_every_row_of_a_teacher_that_is_no_game_is_an_error(kept_by_the_teacher):
    text, _, _ = kept_by_the_teacher

    content = read_games(text, today=TODAY)

    assert content.problems == (
        Problem(55, "White and Black must be two different students."),
        Problem(77, NO_RESULT),
        Problem(99, "“31.2.2026” is not a day of the calendar (the day is read before the month)."),
        Problem(110, FORFEIT),
    )
    assert content.repeats == (121,)
    assert content.headings == (39,)
