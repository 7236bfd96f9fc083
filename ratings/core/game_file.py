"""A file of games as teachers keep it: text in, rows and sentences about what cannot be read out."""

import csv
import datetime
import io
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from classes.core.csv_cells import plain_cell
from classes.core.names import match_key, split_name
from ratings.core.elo import DRAW, LOSS, WIN
from ratings.core.rules import FROM_THE_BEGINNING

LONGEST_NOTE = 300
DELIMITERS = (",", ";", "\t")

HEADERS = {
    "date": ("date", "day", "played", "played on", "game date"),
    "white": ("white", "white name", "white player", "name white"),
    "black": ("black", "black name", "black player", "name black"),
    "white_id": ("white id", "whiteid", "id white"),
    "black_id": ("black id", "blackid", "id black"),
    "result": ("result", "score"),
    "note": ("note", "notes", "remark", "remarks", "comment", "comments"),
}
COLUMN_OF = {header: column for column, headers in HEADERS.items() for header in headers}
NEEDED = ("date", "white", "black", "result")  # an id stands in for a name

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
MONTH_OF = {name: number for names in (MONTHS, MONTH_NAMES) for number, name in enumerate(names, start=1)} | {"sept": 9}

YEAR_FIRST = re.compile(r"(?P<year>\d{4})\s?[-/.]\s?(?P<month>\d{1,2})\s?[-/.]\s?(?P<day>\d{1,2})", re.ASCII)
DAY_FIRST = re.compile(r"(?P<day>\d{1,2})\s?[-/.]\s?(?P<month>\d{1,2})\s?[-/.]\s?(?P<year>\d{4})", re.ASCII)
WITH_MONTH_NAME = re.compile(r"(?P<day>\d{1,2})[\s.-]{1,2}(?P<month>[a-z]+)[\s.,-]{1,2}(?P<year>\d{4})", re.ASCII)

DASHES = {ord(dash): "-" for dash in "‐‑‒–—―−﹘﹣－"}
POINTS = {"1": 2, "1.0": 2, "1/2": 1, "0.5": 1, ".5": 1, "=": 1, "0": 0, "0.0": 0}  # of one side, in halves
WORDS = (
    dict.fromkeys(("1", "w", "white", "whitewin", "whitewins", "whitewon"), WIN)
    | dict.fromkeys(("1/2", "0.5", ".5", "=", "d", "draw", "drawn", "tie", "tied", "remis"), DRAW)
    | dict.fromkeys(("0", "b", "black", "blackwin", "blackwins", "blackwon"), LOSS)
)
NO_RESULT = {"", "?", "??", "?-?", "*", "-"}
FORFEIT = re.compile(r".*\+.*|[-:/]{2,3}|(?=.*f)[01/2]*f?[-:]?[01/2]*f?|.*(forfeit|walkover|default|no-?show).*")


class UnreadableFile(ValueError):
    """The file as a whole cannot be read; the message is a sentence for the teacher."""


class _Unreadable(ValueError):
    """One cell cannot be read; the message is a sentence for the teacher."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player as the file names them: by the school's own id, by name, or both."""

    name: str = ""
    external_id: str = ""

    @property
    def first_and_last(self) -> tuple[str, str]:
        """First and last name, from `Mia Kowalczyk` or `Kowalczyk, Mia`."""
        return split_name(self.name)

    @property
    def keys(self) -> tuple[str, str]:
        """What to compare names by: as it is written, and with what stands before a comma put last."""
        return match_key(self.name), match_key(" ".join(self.first_and_last))

    @property
    def label(self) -> str:
        return self.name or self.external_id


@dataclass(frozen=True, slots=True)
class FileGame:
    """A game of the file. `line` is where its row ends; `score_halves` is White's: 2 won, 1 drawn, 0 lost."""

    line: int
    day: datetime.date
    white: Player
    black: Player
    score_halves: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with the row that ends in a line, in sentences."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class GameFile:
    """What a file holds.

    `repeats`: lines of games that say the same as the game just above them. `headings`: lines with neither players nor
    a result, such as “Autumn half term”; they are left out.
    """

    games: tuple[FileGame, ...]
    problems: tuple[Problem, ...]
    repeats: tuple[int, ...]
    headings: tuple[int, ...]


def decode(data: bytes) -> str:
    """The text of a file in UTF-8, with or without a byte order mark; UnreadableFile for other encodings."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnreadableFile(f"The file is not UTF-8 text (line {line}). Save it as “CSV UTF-8”.") from error


def read_games(text: str, *, today: datetime.date) -> GameFile:
    """The games of a CSV text in the order of the file, and a sentence for each row that is none.

    Columns are found by their headers. An empty row is left out; an empty date is that of the row above.
    UnreadableFile where a needed column is missing or the text is no CSV.
    """
    games: list[FileGame] = []
    problems: list[Problem] = []
    repeats: list[int] = []
    headings: list[int] = []
    rows = _rows(text)
    _, header = next(rows, (0, []))
    columns = _columns(header)
    above: datetime.date | None = None
    for line, cells in rows:
        if len(cells) > len(header) and any(cells[len(header) :]):
            problems.append(
                Problem(line, "The row has more cells than the header; put a name with a comma in quotation marks.")
            )
            continue
        row = {column: cells[index] if index < len(cells) else "" for column, index in columns.items()}
        white = Player(row.get("white", ""), row.get("white_id", ""))
        black = Player(row.get("black", ""), row.get("black_id", ""))
        if not white.label and not black.label:
            if row["result"]:
                problems.append(Problem(line, "There are no players in this row."))
            else:
                headings.append(line)
            continue
        wrong = _wrong_players(white, black)
        day, score_halves = None, None
        try:
            day = read_day(row["date"], above=above, today=today)
        except _Unreadable as error:
            wrong.append(str(error))
        above = day
        try:
            score_halves = read_result(row["result"])
        except _Unreadable as error:
            wrong.append(str(error))
        note = row.get("note", "")
        if len(note) > LONGEST_NOTE:
            wrong.append(f"The note is longer than {LONGEST_NOTE} characters.")
        if wrong or day is None or score_halves is None:
            problems.append(Problem(line, " ".join(wrong)))
            continue
        game = FileGame(line, day, white, black, score_halves, note)
        if games and _said(games[-1]) == _said(game):
            repeats.append(line)
        games.append(game)
    return GameFile(tuple(games), tuple(problems), tuple(repeats), tuple(headings))


def read_day(text: str, *, above: datetime.date | None, today: datetime.date) -> datetime.date:
    """A day as 2025-09-09, 9.9.2025, 09/09/2025 (the day first) or 9 Sep 2025; empty: the day `above`."""
    plain = " ".join(unicodedata.normalize("NFKC", text).translate(DASHES).lower().split())
    if not plain:
        if above is None:
            raise _Unreadable("There is no date, and none above that can be read.")
        return above
    match = next(filter(None, (form.fullmatch(plain) for form in (YEAR_FIRST, DAY_FIRST, WITH_MONTH_NAME))), None)
    if match is None or not (match["month"].isdecimal() or match["month"] in MONTH_OF):
        raise _Unreadable(f"“{text}” is not a date that can be read; write it like 2025-09-09.")
    month = MONTH_OF.get(match["month"]) or int(match["month"])
    try:
        day = datetime.date(int(match["year"]), month, int(match["day"]))
    except ValueError as error:
        raise _Unreadable(f"“{text}” is not a day of the calendar (the day is read before the month).") from error
    if day > today:
        raise _Unreadable(f"“{text}” lies in the future.")
    if day < FROM_THE_BEGINNING:
        raise _Unreadable(f"“{text}” lies too far back.")
    return day


def read_result(text: str) -> int:
    """White's score in halves from 1-0, ½-½, 0:1, 1, =, draw, black wins and their like, in any case and dash."""
    plain = unicodedata.normalize("NFKC", text).translate(DASHES).replace("⁄", "/").replace(",", ".")
    plain = "".join(plain.casefold().split())
    if plain in WORDS:
        return WORDS[plain]
    white, _, black = plain.replace(":", "-").partition("-")
    if white in POINTS and black in POINTS and POINTS[white] + POINTS[black] == WIN:
        return POINTS[white]
    if plain in NO_RESULT:
        raise _Unreadable("There is no result.")
    if FORFEIT.fullmatch(plain):
        raise _Unreadable("A forfeit is not a played game and is not rated.")
    raise _Unreadable(f"“{text}” is not a result that can be read; write 1-0, 1/2-1/2 or 0-1.")


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty with the line in which they end; the first is the header."""
    # Strict: a quotation mark that is never closed would otherwise swallow the games after it without a word.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        for row in reader:
            cells = [_cell(cell) for cell in row]
            if any(cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise UnreadableFile(f"The file cannot be read as CSV: {error} (line {reader.line_num}).") from error


def _delimiter(text: str) -> str:
    """Comma, semicolon or tab: that which finds the most columns in the header line, else the most cells."""
    header = next((line for line in text.splitlines() if line.strip(" ,;\t")), "")

    def found(delimiter: str) -> tuple[int, int]:
        cells = next(csv.reader([header], delimiter=delimiter), [])
        return sum(_header(cell) in COLUMN_OF for cell in cells), len(cells)

    return max(DELIMITERS, key=found)


def _cell(text: str) -> str:
    """Composed letters, single spaces, no control characters, and none of the apostrophes of our own files."""
    text = plain_cell(text)
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()  # most cells of a long file
    printable = "".join(" " if unicodedata.category(letter) == "Cc" else letter for letter in text)
    return unicodedata.normalize("NFC", " ".join(printable.split()))


def _header(text: str) -> str:
    return " ".join(match_key(text).replace("_", " ").replace("-", " ").split())


def _columns(header: Sequence[str]) -> dict[str, int]:
    """Which column stands where."""
    columns: dict[str, int] = {}
    seen = ", ".join(f"“{cell}”" for cell in header if cell)
    for index, cell in enumerate(header):
        column = COLUMN_OF.get(_header(cell))
        if column in columns:
            raise UnreadableFile(f"Two columns are read as the {column.replace('_', ' ')}. The headers are: {seen}.")
        if column:
            columns[column] = index
    missing = [column for column in NEEDED if column not in columns and f"{column}_id" not in columns]
    if missing:
        headers = f"The headers are: {seen}." if seen else "The file is empty."
        raise UnreadableFile(f"There is no column for: {', '.join(missing)}. {headers}")
    return columns


def _wrong_players(white: Player, black: Player) -> list[str]:
    if not white.label:
        return ["White is missing."]
    if not black.label:
        return ["Black is missing."]
    if white.external_id and black.external_id:
        same = white.external_id == black.external_id
    else:
        same = not white.external_id and not black.external_id and white.keys[1] == black.keys[1]
    return ["White and Black must be two different students."] if same else []


def _said(game: FileGame) -> tuple[datetime.date, Player, Player, int]:
    return game.day, game.white, game.black, game.score_halves
