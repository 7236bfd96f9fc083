"""FIDE's Tournament Report File: TRF16, TRF26 and JaVaFo's TRF(x), read leniently, checked strictly, written back.

Columns are counted from 1, as FIDE counts them. A file that cannot be right raises BadFile, with the line and the
reason; what is right but not kept (teams, national ratings) leaves a notice.

A player, record 001: 5-8 starting number, 10 sex, 11-13 title, 15-47 name, 49-52 rating, 54-56 federation, 58-68 FIDE
id, 70-79 birth, 81-84 points, 86-89 rank; round r: 92-95 opponent, 97 colour, 99 result, each moved by 10(r-1).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from itertools import combinations, count, groupby, takewhile
from types import MappingProxyType

from tournaments.core.types import POINT, Code, Colour, Entrant, Played, State, twos

NAME_WIDTH = 33
MOST_PLAYERS = 9999  # the widths of the columns
MOST_ROUNDS = 999
FIRST_ROUND_COLUMN = 92
ROUND_WIDTH = 10


class Problem(StrEnum):
    """What is wrong with a file."""

    INVALID_CODE = "invalid code"
    UNREADABLE = "unreadable"
    UNSUPPORTED = "not supported"
    MISSING_NUMBER = "missing starting number"
    REPEATED_NUMBER = "repeated starting number"
    UNKNOWN_NUMBER = "unknown starting number"
    MISSING_RESULT = "missing result"
    INCOMPATIBLE_RESULT = "incompatible result"
    INCOMPATIBLE_COLOUR = "incompatible colour"
    WRONG_POINTS = "incorrect points"
    TOO_MANY_RESULTS = "too many results"
    NO_PLAYERS = "no players"
    NO_RANKS = "ranks missing"
    NO_ROUNDS = "number of rounds missing"


class BadFile(Exception):
    """The file cannot be right, or says what we cannot do. `line`: from 1; None where no one line is to blame."""

    def __init__(self, problem: Problem, sentence: str, line: int | None = None) -> None:
        self.problem = problem
        self.sentence = sentence
        self.line = line
        place = f"line {line}: " if line else ""
        super().__init__(f"{place}{problem}: {sentence}")


class ResultsMissing(Exception):
    """The file is right, but its last round is not over: the next one cannot be paired yet."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A round of a player: like `Played`, but without a code where a pairing has no result yet."""

    opponent: int | None = None
    colour: Colour | None = None
    code: Code | None = Code.ZERO_BYE

    @property
    def is_pairing(self) -> bool:
        """Was this made by pairing a round? Byes that were asked for, and absences, are not."""
        return self.opponent is not None or self.code is Code.PAIRING_BYE


ABSENT = Cell()


@dataclass(frozen=True, slots=True)
class Player:
    """Record 001. `points_halves`: the column, None where it is blank. `cells`: one for every round so far."""

    number: int
    name: str = ""
    rating: int = 0
    cells: tuple[Cell, ...] = ()
    points_halves: int | None = None
    rank: int | None = None
    sex: str = ""  # "m", "w" or nothing
    title: str = ""
    federation: str = ""
    fide_id: str = ""
    birth: str = ""  # YYYY/MM/DD, months and days perhaps 00

    def score_halves(self, bye_halves: int = POINT) -> int:
        """Half-points from the rounds, whatever the column says."""
        return sum(cell.code.halves(bye_halves) for cell in self.cells if cell.code)


@dataclass(frozen=True, slots=True, order=True)
class Bye:
    """A round to come for which a player is not to be paired."""

    round: int
    player: int
    code: Code


@dataclass(frozen=True, slots=True)
class Forbidden:
    """Players of whom no two may meet, from one round to another; `last`: None for the last of the tournament."""

    players: tuple[int, ...]
    first: int = 1
    last: int | None = None

    def holds_in(self, number: int) -> bool:
        return self.first <= number and (self.last is None or number <= self.last)


@dataclass(frozen=True, slots=True)
class Acceleration:
    """Virtual half-points of a player for pairing: one number a round, from round 1."""

    player: int
    halves: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A tournament as its report tells it.

    `rounds`: as declared. `byes`: for rounds after the last paired one, wherever the file has them. `by_rank`: the
    ranks are the pairing order, not the numbers. The fields from `ranking` to `coded_time` are new in TRF26.
    """

    players: tuple[Player, ...] = ()
    name: str = ""
    city: str = ""
    federation: str = ""
    start: date | None = None
    end: date | None = None
    system: str = ""
    arbiter: str = ""
    deputies: tuple[str, ...] = ()
    time_control: str = ""
    round_dates: tuple[date | None, ...] = ()
    rounds: int | None = None
    first_colour: Colour | None = None
    by_rank: bool = False
    bye_halves: int = POINT
    byes: tuple[Bye, ...] = ()
    forbidden: tuple[Forbidden, ...] = ()
    acceleration: tuple[Acceleration, ...] = ()
    ranking: str = ""
    program: str = ""
    coded_system: str = ""
    tie_breaks: str = ""
    standings_order: str = ""
    coded_time: str = ""
    notices: tuple[str, ...] = field(default=(), compare=False)

    @property
    def past(self) -> int:
        """How many rounds have been paired."""
        return len(self.players[0].cells) if self.players else 0

    @property
    def open_games(self) -> int:
        """How many games have no result."""
        return sum(cell.code is None for player in self.players for cell in player.cells) // 2

    @property
    def is_round_robin(self) -> bool:
        """By the coded system (FIDE_ROUNDROBIN, FIDE_DOUBLEROUNDROBIN), or else the words of record 092."""
        return "roundrobin" in self._system_in_letters

    @property
    def is_double(self) -> bool:
        """A round robin in which all meet twice."""
        return self.is_round_robin and "double" in self._system_in_letters

    @property
    def _system_in_letters(self) -> str:
        return re.sub("[^a-z]", "", (self.coded_system or self.system).lower())

    @property
    def in_order(self) -> tuple[Player, ...]:
        """The players in pairing order."""
        return tuple(sorted(self.players, key=lambda p: p.rank or 0 if self.by_rank else p.number))


# --- to pairing ---


def next_state(report: Report) -> State:
    """The tournament before its next round; ids are starting numbers.

    Absent is whoever has a bye for that round. ResultsMissing while the last round lacks results, BadFile where nothing
    says how many rounds there are.
    """
    if report.rounds is None:
        raise BadFile(Problem.NO_ROUNDS, "The file does not say how many rounds there are (record XXR or 142).")
    if report.open_games:
        games = "1 game has" if report.open_games == 1 else f"{report.open_games} games have"
        raise ResultsMissing(f"Round {report.past} is not over: {games} no result.")
    number = report.past + 1
    return replace(
        state(report, {bye.player: bye.code for bye in report.byes if bye.round == number}),
        first_colour=report.first_colour or first_colour_drawn(report) or Colour.WHITE,
        forbidden=twos(
            two for group in report.forbidden if group.holds_in(number) for two in combinations(group.players, 2)
        ),
        acceleration=MappingProxyType({each.player: each.halves for each in report.acceleration}),
    )


def state(report: Report, absent: Mapping[int, Code] = MappingProxyType({})) -> State:
    """The tournament after its rounds so far, for standings: a game without a result is an absence on both sides."""
    return State(
        entrants=tuple(
            Entrant(
                player.number, player.rating, tuple(map(_played, player.cells)), _absence(absent.get(player.number))
            )
            for player in report.in_order
        ),
        rounds=max(report.rounds or 0, report.past),
        bye_halves=report.bye_halves,
    )


def _played(cell: Cell) -> Played:
    return Played(None, None, Code.ZERO_BYE) if cell.code is None else Played(cell.opponent, cell.colour, cell.code)


def _absence(code: Code | None) -> Code | None:
    """A pairing-allocated bye given beforehand keeps away from the pairing like a full-point bye."""
    return Code.FULL_BYE if code is Code.PAIRING_BYE else code


def first_colour_drawn(report: Report) -> Colour | None:
    """The colour of pairing number 1 in the first round with colours; only those paired by then have numbers."""
    for index in range(report.past):
        numbered = [player for player in report.in_order if any(cell.is_pairing for cell in player.cells[: index + 1])]
        for place, player in enumerate(numbered):
            colour = player.cells[index].colour
            if colour:
                return colour if place % 2 == 0 else colour.other
    return None


# --- reading ---


def read(data: bytes | str) -> Report:
    """A report from the bytes of its file: UTF-8, with or without a byte order mark, else Latin-1; or from its text."""
    text = data if isinstance(data, str) else decode(data)
    lines = enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), start=1)
    return _Reader((number, line.rstrip("\x1a \t")) for number, line in lines).report()


def decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


TEXTS = {  # record: field, text from column 5
    "012": "name",
    "022": "city",
    "032": "federation",
    "092": "system",
    "102": "arbiter",
    "122": "time_control",
    "172": "ranking",
    "182": "program",
    "192": "coded_system",
    "202": "tie_breaks",
    "212": "standings_order",
    "222": "coded_time",
}
COUNTED = {"062", "072", "082"}  # players, rated players, teams: we count ourselves
TEAMS_26 = {"300", "310", "320", "330", "352", "362", "801", "802"}
TEAMS = TEAMS_26 | {"013"}
OF_TEAMS_TOO = {"162", "240", "250", "260", "299"}  # with TRF26's team records these speak of teams, not of players
BYE_CODES = {code.value: code for code in (Code.FULL_BYE, Code.HALF_BYE, Code.ZERO_BYE)}
POINT_SYSTEM = {  # what each letter of a point system must be worth, in halves; None: the pairing-allocated bye
    "162": {"W": 2, "D": 1, "L": 0, "A": 0, "P": None},
    "XXS": {
        "W": 2, "WW": 2, "BW": 2, "D": 1, "WD": 1, "BD": 1, "L": 0, "WL": 0, "BL": 0,
        "ZPB": 0, "HPB": 1, "FPB": 2, "FW": 2, "FL": 0, "PAB": None, "P": None,
    },
    "BB": {"W": 2, "D": 1, "L": 0, "Z": 0, "F": 0, "U": None},
}  # fmt: skip


@dataclass(slots=True)
class _Row:
    """A player with the line it stands in; `cells`: None where blank, as many as the line has."""

    line: int
    player: Player
    cells: list[Cell | None]

    def cell(self, index: int) -> Cell | None:
        return self.cells[index] if index < len(self.cells) else None


@dataclass(frozen=True, slots=True)
class _Run:
    """Virtual half-points for players and rounds, from and to."""

    one: int
    other: int
    first: int
    last: int
    halves: int


class _Reader:
    def __init__(self, lines: Iterable[tuple[int, str]]) -> None:
        self.lines = [(number, line) for number, line in lines if line.strip()]
        self.texts: dict[str, str] = {}
        self.dates: dict[str, date | None] = {}
        self.deputies: list[str] = []
        self.round_dates: tuple[date | None, ...] = ()
        self.rounds: int | None = None
        self.first_colour: Colour | None = None
        self.by_rank = False
        self.bye_halves = POINT
        self.rows: dict[int, _Row] = {}
        self.absent_next: list[tuple[int, int]] = []  # line, player
        self.byes: list[tuple[int, Bye]] = []
        self.forbidden: list[tuple[int, Forbidden]] = []
        self.runs: list[_Run] = []
        self.numbers_named: list[tuple[int, int]] = []  # line, player
        self.notices: list[str] = []
        self.known: dict[str, Callable[[int, str], None]] = {
            "001": self.player,
            "132": self.dates_of_rounds,
            "142": self.number_of_rounds,
            "XXR": self.number_of_rounds,
            "152": self.colour_drawn,
            "XXC": self.configuration,
            "162": self.point_system,
            "XXS": self.point_system,
            "XXZ": self.absent_next_round,
            "240": self.byes_ahead,
            "XXP": self.forbidden_always,
            "260": self.forbidden_rounds,
            "XXA": self.accelerated_player,
            "250": self.accelerated_range,
        }

    def report(self) -> Report:
        teams = {line[:3] for _, line in self.lines} & TEAMS
        left_out = teams | (OF_TEAMS_TOO if teams & TEAMS_26 else set())
        there = sorted({line[:3] for _, line in self.lines} & left_out)
        if there:
            self.notices.append(f"Team records are left out ({', '.join(there)}).")
        for number, line in self.lines:
            if line[:3] not in left_out:
                self.record(number, line)
        if not self.rows:
            raise BadFile(Problem.NO_PLAYERS, "There is no player in the file (record 001).")
        self.check_numbers()
        past = self.paired_rounds()
        byes = self.byes_to_come(past)
        self.check_length()
        grid = self.grid(past)
        self.check_pairs(grid)
        grid = {number: _with_colours(number, cells, grid) for number, cells in grid.items()}
        acceleration = self.accelerations(past)
        self.check_points(past, grid, byes, acceleration)
        if self.texts.get("coded_system", "").endswith("_BAKU") and not acceleration and not teams & TEAMS_26:
            self.notices.append("The system says Baku acceleration, but no record gives its points (250): without it.")
        return Report(
            players=tuple(replace(self.rows[number].player, cells=tuple(grid[number])) for number in sorted(self.rows)),
            start=self.dates.get("042"),
            end=self.dates.get("052"),
            deputies=tuple(self.deputies),
            round_dates=self.round_dates,
            rounds=self.rounds,
            first_colour=self.first_colour,
            by_rank=self.by_rank,
            bye_halves=self.bye_halves,
            byes=tuple(sorted(byes)),
            forbidden=self.forbidden_groups(),
            acceleration=acceleration,
            notices=tuple(dict.fromkeys(self.notices)),
            **self.texts,
        )

    # one line

    def record(self, number: int, line: str) -> None:
        code, text = line[:3], line[4:].strip()
        if not code.strip() or code == "###" or _is_ruler(line):
            return
        if code in self.known:
            self.known[code](number, line)
        elif code in TEXTS:
            if text:
                self.texts.setdefault(TEXTS[code], _printable(text))
        elif code in {"042", "052"}:
            self.dates[code] = self.a_date(number, text)
        elif code == "112":
            if text:
                self.deputies.append(_printable(text))
        elif code[:2] == "BB" and code[2:] in POINT_SYSTEM["BB"]:
            self.worth(number, "BB", code[2], text)
        elif code == "299":
            raise BadFile(Problem.UNSUPPORTED, "Points other than the rounds give (record 299).", number)
        elif code in COUNTED:
            return
        elif re.fullmatch("[A-Z]{3}", code):  # national ratings, somebody's own records, or letters over the columns
            if re.match(r" [ \d]{3}\d ", line[3:9]):
                self.notices.append(f"National ratings are left out ({code}).")
            elif code.startswith("XX"):
                self.notices.append(f"Record {code} is left out.")
        else:
            raise BadFile(Problem.INVALID_CODE, f"There is no record {code!r}.", number)

    def player(self, line: int, text: str) -> None:
        text = text.ljust(FIRST_ROUND_COLUMN)
        number = _whole(text[4:8])
        if not number:
            raise BadFile(Problem.MISSING_NUMBER, "A player without a starting number (columns 5-8).", line)
        if number in self.rows:
            raise BadFile(Problem.REPEATED_NUMBER, f"There are two players {number}.", line)
        points = text[80:84].strip()
        halves = _halves(points)
        if points and halves is None:
            raise BadFile(Problem.UNREADABLE, f"{points!r} are no points (columns 81-84).", line)
        sex = text[9].strip().lower()
        player = Player(
            number=number,
            name=_printable(text[14:47]),
            rating=self.whole_or_none(line, text[48:52], "rating") or 0,
            points_halves=halves,
            rank=self.whole_or_none(line, text[85:89], "rank") or None,
            sex={"m": "m", "w": "w", "f": "w"}.get(sex, ""),
            title=_printable(text[10:13]),
            federation=_printable(text[53:56]),
            fide_id=_printable(text[57:68]),
            birth=self.birth(line, text[69:79].strip()),
        )
        rest = text[FIRST_ROUND_COLUMN - 1 :]
        cells = [
            self.cell(line, number, place // ROUND_WIDTH + 1, rest[place : place + ROUND_WIDTH].ljust(ROUND_WIDTH))
            for place in range(0, len(rest.rstrip()), ROUND_WIDTH)
        ]
        self.rows[number] = _Row(line, player, cells)

    def cell(self, line: int, number: int, round_: int, text: str) -> Cell | None:
        """A round: opponent in 1-4, colour in 6, result in 8 of its ten columns."""
        if not text.strip():
            return None
        where = f"Player {number}, round {round_}: "
        opponent_text, colour_text, result = text[:4].strip(), text[5].strip().lower(), text[7].strip().upper()
        opponent = _whole(opponent_text or "0")
        if opponent is None or (text[4] + text[6] + text[8:]).strip():
            raise BadFile(Problem.UNREADABLE, f"{where}{text.strip()!r} is not in its columns.", line)
        if colour_text not in {"", "-", "w", "b"}:
            raise BadFile(Problem.INVALID_CODE, f"{where}there is no colour {colour_text!r}.", line)
        colour = Colour(colour_text) if colour_text in {"w", "b"} else None
        try:
            code = Code(result) if result else None
        except ValueError:
            raise BadFile(Problem.INVALID_CODE, f"{where}there is no result {result!r}.", line) from None
        if not opponent:
            alone = _ALONE.get(code)
            if alone is None or (code is None and colour is not None):
                raise BadFile(Problem.INVALID_CODE, f"{where}{_said(code, colour)} without an opponent.", line)
            return Cell(None, None, alone)
        if opponent == number:
            raise BadFile(Problem.INCOMPATIBLE_RESULT, f"{where}against oneself.", line)
        if code is not None and not (code.is_played or code.is_forfeit):
            raise BadFile(Problem.INVALID_CODE, f"{where}a bye ({code}) against {opponent}.", line)
        if code is not None and code.is_played and colour is None:
            raise BadFile(Problem.INCOMPATIBLE_COLOUR, f"{where}a game against {opponent} without a colour.", line)
        return Cell(opponent, colour, code)

    def whole_or_none(self, line: int, text: str, what: str) -> int | None:
        number = _whole(text)
        if number is None and text.strip():
            self.notices.append(f"Line {line}: {text.strip()!r} is no {what}, left out.")
        return number

    def a_date(self, line: int, text: str) -> date | None:
        found = read_date(text)
        if found is None and any(char.isdigit() for char in text):
            self.notices.append(f"Line {line}: {text!r} is no date, left out.")
        return found

    def birth(self, line: int, text: str) -> str:
        """YYYY/MM/DD; a year alone, or with month and day 00, stays one."""
        if re.fullmatch(r"\d{4}([./-]00([./-]00)?)?", text):
            return f"{text[:4]}/00/00" if text[:4] != "0000" else ""
        found = self.a_date(line, text)
        return f"{found:%Y/%m/%d}" if found else ""

    def dates_of_rounds(self, line: int, text: str) -> None:
        """132: the date of round r in columns 92-99, moved by 10(r-1); a few columns off is near enough."""
        dates: list[date | None] = []
        for word in re.finditer(r"\S+", text[FIRST_ROUND_COLUMN - 1 :]):
            index = (word.start() + ROUND_WIDTH // 2) // ROUND_WIDTH
            dates += [None] * (index + 1 - len(dates))
            dates[index] = self.a_date(line, word[0])
        while dates and dates[-1] is None:
            dates.pop()
        self.round_dates = tuple(dates)

    def number_of_rounds(self, line: int, text: str) -> None:
        rounds = _whole(text[3:])
        if not rounds or rounds > MOST_ROUNDS:
            raise BadFile(Problem.UNREADABLE, f"{text[3:].strip()!r} is no number of rounds.", line)
        self.rounds = rounds

    def colour_drawn(self, line: int, text: str) -> None:
        """152: W or B in column 5."""
        letter = text[3:].strip().lower()
        if letter not in {"w", "b"}:
            raise BadFile(Problem.UNREADABLE, f"{letter!r} is no colour, W or B.", line)
        self.first_colour = Colour(letter)

    def configuration(self, line: int, text: str) -> None:
        """XXC: white1, black1, rank."""
        for word in text[3:].lower().split():
            if word in {"white1", "black1"}:
                self.first_colour = Colour(word[0])
            elif word == "rank":
                self.by_rank = True
            else:
                self.notices.append(f"Line {line}: {word!r} is left out.")

    def point_system(self, line: int, text: str) -> None:
        """162: a letter in column 6, its points in 7-10, the next in 15 and 16-19, ...; XXS: NAME=points."""
        code = text[:3]
        parts = (
            r"([WDLAPX])\s*(\d+(?:[.,]\d)?)(?=\s|$)" if code == "162" else r"([A-Z]+)\s*=\s*(\d*(?:[.,]\d)?)(?=\s|$)"
        )
        if re.sub(parts, "", text[3:]).strip():
            raise BadFile(Problem.UNREADABLE, f"{text[3:].strip()!r} is no point system.", line)
        for letter, points in re.findall(parts, text[3:]):
            if code == "162" and letter == "X":
                continue
            self.worth(line, code, letter, points)

    def worth(self, line: int, system: str, letter: str, points: str) -> None:
        halves = _halves(points)
        if letter not in POINT_SYSTEM[system] or halves is None:
            raise BadFile(Problem.UNREADABLE, f"{letter!r} worth {points!r} points.", line)
        standard = POINT_SYSTEM[system][letter]
        if standard is None and halves <= POINT:
            self.bye_halves = halves
        elif halves != standard:
            raise BadFile(Problem.UNSUPPORTED, f"Points other than 1, 1/2 and 0: {letter} is worth {points}.", line)

    def players_named(self, line: int, text: str) -> tuple[int, ...]:
        found = [_whole(word) for word in text.split()]
        numbers = tuple(number for number in found if number)
        if None in found:
            raise BadFile(Problem.UNREADABLE, f"{text.strip()!r} are no starting numbers.", line)
        self.numbers_named += ((line, number) for number in numbers)
        return numbers

    def absent_next_round(self, line: int, text: str) -> None:
        self.absent_next += ((line, number) for number in self.players_named(line, text[3:]))

    def byes_ahead(self, line: int, text: str) -> None:
        """240: 5 the type, F, H or Z; 7-9 the round; 11-14, 16-19, ... the players."""
        code = BYE_CODES.get(text[4:5].upper())
        if code is None:
            raise BadFile(Problem.INVALID_CODE, f"There is no bye {text[4:5]!r}.", line)
        words = text[5:].split(maxsplit=1)
        round_ = _whole(words[0]) if words else None
        if not round_:
            raise BadFile(Problem.UNREADABLE, "A bye without a round (columns 7-9).", line)
        for player in self.players_named(line, words[1] if len(words) > 1 else ""):
            self.byes.append((line, Bye(round_, player, code)))

    def forbidden_always(self, line: int, text: str) -> None:
        self.forbidden.append((line, Forbidden(tuple(sorted(set(self.players_named(line, text[3:])))))))

    def forbidden_rounds(self, line: int, text: str) -> None:
        """260: 5-7 the first round, 9-11 the last; 13-16, 18-21, ... the players."""
        words = text[3:].split(maxsplit=2)
        first, last = (_whole(word) for word in (*words, "", "")[:2])
        if not first or not last or first > last:
            raise BadFile(Problem.UNREADABLE, "Forbidden pairings without their rounds (columns 5-11).", line)
        players = self.players_named(line, words[2] if len(words) > 2 else "")
        self.forbidden.append((line, Forbidden(tuple(sorted(set(players))), first, last)))

    def accelerated_player(self, line: int, text: str) -> None:
        """XXA: 5-8 the player; 10-13, 15-18, ... the points of round 1, 2, ..."""
        number = _whole(text[4:8])
        words = [text[at : at + 4].strip() for at in range(9, len(text), 5)]
        points = [_halves(word) if word else 0 for word in words]
        if not number or None in points:  # not in its columns: by words
            first, *others = text[3:].split() or [""]
            number, points = _whole(first), [_halves(word) for word in others]
        if not number or None in points:
            raise BadFile(Problem.UNREADABLE, f"{text[3:].strip()!r} is no acceleration.", line)
        self.numbers_named.append((line, number))
        self.runs.append(_Run(number, number, 1, MOST_ROUNDS, 0))
        self.runs += (
            _Run(number, number, round_, round_, halves or 0) for round_, halves in enumerate(points, start=1)
        )

    def accelerated_range(self, line: int, text: str) -> None:
        """250: 10-13 the points, 15-17 and 19-21 the rounds from and to, 23-26 and 28-31 the players from and to."""
        text = text.ljust(31)
        halves = _halves(text[9:13].strip())
        first, last, one, other = (_whole(text[a:b]) for a, b in ((14, 17), (18, 21), (22, 26), (27, 31)))
        last, other = last or first, other or one
        if halves is None or not first or not last or not one or not other or first > last or one > other:
            raise BadFile(Problem.UNREADABLE, f"{text[3:].strip()!r} is no acceleration.", line)
        self.numbers_named += ((line, one), (line, other))
        self.runs.append(_Run(one, other, first, last, halves))

    # the whole

    def check_numbers(self) -> None:
        numbers = sorted(self.rows)
        if self.by_rank:
            if len({row.player.rank for row in self.rows.values()} - {None}) < len(numbers):
                raise BadFile(Problem.NO_RANKS, "Pairing by rank (XXC), but not everybody has a rank of their own.")
        else:
            missing = next((there for there, number in zip(count(1), numbers, strict=False) if there != number), None)
            if missing:
                after = next(number for number in numbers if number > missing)
                raise BadFile(Problem.MISSING_NUMBER, f"There is no player {missing}.", self.rows[after].line)
        for row in self.rows.values():
            for index, cell in enumerate(row.cells, start=1):
                if cell and cell.opponent and cell.opponent not in self.rows:
                    sentence = f"Player {row.player.number}, round {index}: there is no player {cell.opponent}."
                    raise BadFile(Problem.UNKNOWN_NUMBER, sentence, row.line)
        for line, number in self.numbers_named:
            if number not in self.rows:
                raise BadFile(Problem.UNKNOWN_NUMBER, f"There is no player {number}.", line)

    def paired_rounds(self) -> int:
        """How many rounds were paired: to the last in which somebody has an opponent.

        A pairing-allocated bye alone is a round too, but only if nobody is left who could be paired in it.
        """
        columns = max(len(row.cells) for row in self.rows.values())
        past = 0
        for index in range(columns):
            cells = [row.cell(index) for row in self.rows.values()]
            has_bye = any(cell and cell.is_pairing for cell in cells)
            if any(cell and cell.opponent for cell in cells) or (has_bye and all(self.said(past, index))):
                past = index + 1
        return past

    def said(self, past: int, index: int) -> Iterator[bool]:
        """For everybody: is there anything for this round?"""
        named = {bye.player for _, bye in self.byes if bye.round == index + 1}
        if index == past:
            named |= {player for _, player in self.absent_next}
        return (row.cell(index) is not None or number in named for number, row in self.rows.items())

    def byes_to_come(self, past: int) -> list[Bye]:
        """Those of the records and those in the columns of rounds to come, which go first."""
        byes = {(bye.round, bye.player): bye for _, bye in self.byes if bye.round > past}
        if self.rounds is None or past < self.rounds:
            for _, player in self.absent_next:
                byes[past + 1, player] = Bye(past + 1, player, Code.ZERO_BYE)
        for number, row in self.rows.items():
            for round_, cell in enumerate(row.cells[past:], start=past + 1):
                if cell and cell.code:
                    byes[round_, number] = Bye(round_, number, cell.code)
        return list(byes.values())

    def check_length(self) -> None:
        if self.rounds is None:
            return
        for row in self.rows.values():
            if any(cell for cell in row.cells[self.rounds :]):
                sentence = f"Player {row.player.number} has more results than the {self.rounds} rounds."
                raise BadFile(Problem.TOO_MANY_RESULTS, sentence, row.line)
        for line, bye in self.byes:
            if bye.round > self.rounds:
                raise BadFile(Problem.TOO_MANY_RESULTS, f"A bye after the {self.rounds} rounds.", line)

    def grid(self, past: int) -> dict[int, list[Cell]]:
        """The cells of the past rounds; a blank one is what a bye record says, else an absence."""
        said = {(bye.player, bye.round): Cell(code=bye.code) for _, bye in self.byes}
        return {
            number: [row.cell(index) or said.get((number, index + 1), ABSENT) for index in range(past)]
            for number, row in self.rows.items()
        }

    def check_pairs(self, grid: dict[int, list[Cell]]) -> None:
        for number, row in self.rows.items():
            for index, mine in enumerate(grid[number]):
                if mine.opponent is None:
                    continue
                yours = grid[mine.opponent][index]
                met = f"Round {index + 1}: {number} met {mine.opponent}"
                if yours.opponent != number:
                    has = "a bye or nothing" if yours.opponent is None else f"a game against {yours.opponent}"
                    raise BadFile(Problem.MISSING_RESULT, f"{met}, who has {has}.", row.line)
                if (mine.code is None) != (yours.code is None):
                    raise BadFile(Problem.MISSING_RESULT, f"{met}, and only one of them has a result.", row.line)
                if mine.colour is not None and mine.colour is yours.colour:
                    raise BadFile(Problem.INCOMPATIBLE_COLOUR, f"{met}, both with {mine.colour.name}.", row.line)
                if mine.code and yours.code and not _can_be(mine.code, yours.code):
                    results = f"with results {mine.code} and {yours.code}"
                    raise BadFile(Problem.INCOMPATIBLE_RESULT, f"{met} {results}.", row.line)

    def accelerations(self, past: int) -> tuple[Acceleration, ...]:
        """By player, up to the last round; a later record goes before an earlier one."""
        rounds = self.rounds or past + 1
        halves = {number: [0] * rounds for number in self.rows} if self.runs else {}
        for run in self.runs:
            for number in range(run.one, run.other + 1):
                if number in halves:
                    halves[number][run.first - 1 : run.last] = [run.halves] * (min(run.last, rounds) - run.first + 1)
        return tuple(
            Acceleration(number, tuple(values[: rounds - _zeros_at_end(values)]))
            for number, values in sorted(halves.items())
            if any(values)
        )

    def forbidden_groups(self) -> tuple[Forbidden, ...]:
        groups = set()
        for line, group in self.forbidden:
            if len(group.players) < 2:
                self.notices.append(f"Line {line}: a forbidden pairing of fewer than two is left out.")
                continue
            last = None if group.last is None or group.last >= (self.rounds or MOST_ROUNDS) else group.last
            groups.add(replace(group, last=last))
        return tuple(sorted(groups, key=lambda group: (group.first, group.last or MOST_ROUNDS, group.players)))

    def check_points(
        self, past: int, grid: dict[int, list[Cell]], byes: list[Bye], acceleration: tuple[Acceleration, ...]
    ) -> None:
        """The column may leave byes out, count one already written for the next round or the acceleration, and give
        up to a point for every round without a pairing; nothing else.
        """
        to_come = {bye.player: bye.code.halves(self.bye_halves) for bye in byes if bye.round == past + 1}
        virtual = {each.player: each.halves[past] for each in acceleration if len(each.halves) > past}
        differ = []
        for number, row in self.rows.items():
            column = row.player.points_halves
            if column is None:
                continue
            codes = [cell.code for cell in grid[number] if cell.code]
            score = sum(code.halves(self.bye_halves) for code in codes)
            left_out = sum(code.halves(self.bye_halves) for code in codes if code in _BYES)
            unpaired = sum(code is Code.ZERO_BYE for code in codes)
            bases = {score, score - left_out, score + to_come.get(number, 0)}
            bases |= {base + virtual.get(number, 0) for base in bases}
            if not any(base <= column <= base + POINT * unpaired for base in bases):
                sentence = f"Player {number} has {_points(column)} points, but {_points(score)} from the rounds."
                raise BadFile(Problem.WRONG_POINTS, sentence, row.line)
            if column != score:
                differ.append(number)
        if differ:
            self.notices.append(
                f"The points of {', '.join(map(str, differ))} are not those of the rounds: the rounds count."
            )


_BYES = {Code.PAIRING_BYE, Code.FULL_BYE, Code.HALF_BYE}
_ALONE: dict[Code | None, Code] = {  # what a result means where there is no opponent
    None: Code.ZERO_BYE,
    Code.DRAW: Code.HALF_BYE,
    Code.FORFEIT_WIN: Code.FULL_BYE,
    Code.FORFEIT_LOSS: Code.ZERO_BYE,
    Code.HALF_BYE: Code.HALF_BYE,
    Code.FULL_BYE: Code.FULL_BYE,
    Code.PAIRING_BYE: Code.PAIRING_BYE,
    Code.ZERO_BYE: Code.ZERO_BYE,
}


def _said(code: Code | None, colour: Colour | None) -> str:
    return f"result {code}" if code else f"colour {colour}"


def _can_be(mine: Code, yours: Code) -> bool:
    """Both played or both forfeited, and together no more than one point (an arbiter may give both nothing)."""
    return (
        mine.is_played == yours.is_played
        and mine.halves() + yours.halves() <= POINT
        and (mine.is_played or mine is Code.FORFEIT_LOSS or yours is Code.FORFEIT_LOSS)
    )


def _with_colours(number: int, cells: list[Cell], grid: dict[int, list[Cell]]) -> list[Cell]:
    """A colour that only the opponent's side has, on both."""
    filled = []
    for index, cell in enumerate(cells):
        if cell.opponent is not None and cell.colour is None:
            theirs = grid[cell.opponent][index].colour
            cell = replace(cell, colour=theirs.other if theirs else None)
        filled.append(cell)
    return filled


def _is_ruler(line: str) -> bool:
    """A line for the eye, 1234567890..., and no record."""
    return len(line) > 3 and ("1234567890" * (len(line) // 10 + 1)).startswith(line)


def _zeros_at_end(values: list[int]) -> int:
    return sum(1 for _ in takewhile(lambda value: not value, reversed(values)))


def _whole(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 5 else None


def _halves(text: str) -> int | None:
    """Half-points from `11.5`, `11,5`, `11` or `.5`."""
    found = re.fullmatch(r"(\d{0,3})(?:[.,]([05])0?)?", text.strip(), re.ASCII)
    if not found or not text.strip():
        return None
    return POINT * int(found[1] or 0) + (found[2] == "5")


def _points(halves: int) -> str:
    return f"{halves // POINT}.{5 * (halves % POINT)}"


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text).strip()


MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def read_date(text: str) -> date | None:
    """A date in any of the orders that real files have; None where it is none.

    Year first (2011/07/02, 11.07.02, and 11.25.02 with the day in the middle), day first (02/10/2010, 28. 07. 2005),
    or the month as a word (May 29, 2020).
    """
    words = re.findall(r"[0-9]+|[^\W\d_]+", text.lower())
    if len(words) != 3 or not all(re.fullmatch("[0-9]{1,4}", word) or word.isalpha() for word in words):
        return None
    month = next((word for word in words if word.isalpha()), None)
    if month:
        numbers = [int(word) for word in words if word is not month and word.isdigit()]
        if len(numbers) != 2 or month[:3] not in MONTHS:
            return None
        day, year = sorted(numbers)
        orders = [(year, MONTHS.index(month[:3]) + 1, day)]
    else:
        one, two, three = (int(word) for word in words)
        if len(words[2]) == 4:
            orders = [(three, two, one), (three, one, two)]
        elif len(words[0]) == 4:
            orders = [(one, two, three), (one, three, two)]
        else:
            orders = [(_year(one), two, three), (_year(one), three, two), (_year(three), two, one)]
    for order in orders:
        try:
            return date(*order)
        except ValueError:
            continue
    return None


def _year(two_digits: int) -> int:
    return two_digits + (2000 if two_digits < 70 else 1900)


# --- writing ---


def write_trf16(report: Report) -> str:
    """TRF16 with JaVaFo's records (XXR, XXC, XXP, XXA); what only TRF26 knows of the event itself is left out.

    Byes for the next round stand in its column. Those for later rounds, and pairings forbidden in some rounds only,
    have no other record than 240 and 260.
    """
    number = report.past + 1
    lines = list(_event(report))
    if report.rounds:
        lines.append(f"XXR {report.rounds}")
    colour = {Colour.WHITE: "white1", Colour.BLACK: "black1"}.get(report.first_colour) if report.first_colour else None
    words = [word for word in (colour, "rank" if report.by_rank else None) if word]
    if words:
        lines.append(f"XXC {' '.join(words)}")
    if report.bye_halves != POINT:
        lines += [f"XXS PAB={_points(report.bye_halves)}", f"BBU {_points(report.bye_halves):>4}"]
    lines += _players(report, [bye for bye in report.byes if bye.round == number or bye.code is Code.PAIRING_BYE])
    lines += _byes(bye for bye in report.byes if bye.round != number and bye.code is not Code.PAIRING_BYE)
    for group in report.forbidden:
        always = group.first == 1 and group.last is None
        lines.append(f"XXP {_numbers(group.players).lstrip()}" if always else _forbidden(report, group))
    for each in report.acceleration:
        lines.append(f"XXA {each.player:4} {' '.join(f'{_points(halves):>4}' for halves in each.halves)}")
    return _text(lines)


def write_trf26(report: Report) -> str:
    lines = list(_event(report))
    if report.rounds:
        lines.append(f"142 {report.rounds}")
    if report.first_colour:
        lines.append(f"152 {report.first_colour.upper()}")
    if report.by_rank:
        lines.append("XXC rank")
    if report.bye_halves != POINT:
        lines.append(f"162  W 1.0    D 0.5    L 0.0    P {_points(report.bye_halves)}")
    for code in ("172", "182", "192", "202", "212", "222"):
        text = getattr(report, TEXTS[code])
        if text:
            lines.append(f"{code} {text}")
    lines += _players(report, [bye for bye in report.byes if bye.code is Code.PAIRING_BYE])
    lines += _byes(bye for bye in report.byes if bye.code is not Code.PAIRING_BYE)
    for each in report.acceleration:
        rounds = enumerate(each.halves, start=1)
        for halves, run in groupby(rounds, key=lambda item: item[1]):
            numbers = [number for number, _ in run]
            if halves:
                span = f"{numbers[0]:3} {numbers[-1]:3} {each.player:4} {each.player:4}"
                lines.append(f"250      {_points(halves):>4} {span}")
    lines += (_forbidden(report, group) for group in report.forbidden)
    return _text(lines)


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line.rstrip()}\r\n" for line in lines)


def _event(report: Report) -> Iterator[str]:
    yield f"012 {report.name}"
    yield f"022 {report.city}"
    yield f"032 {report.federation}"
    yield f"042 {_day(report.start)}"
    yield f"052 {_day(report.end)}"
    yield f"062 {len(report.players)}"
    yield f"072 {sum(player.rating > 0 for player in report.players)}"
    yield "082 0"
    yield f"092 {report.system}"
    yield f"102 {report.arbiter}"
    yield from (f"112 {deputy}" for deputy in report.deputies)
    yield f"122 {report.time_control}"
    if report.round_dates:
        dates = "  ".join(f"{day:%y/%m/%d}" if day else " " * 8 for day in report.round_dates)
        yield f"{'132':{FIRST_ROUND_COLUMN - 1}}{dates}"


def _day(day: date | None) -> str:
    return f"{day:%Y/%m/%d}" if day else ""


def _players(report: Report, byes: list[Bye]) -> Iterator[str]:
    ahead: dict[int, dict[int, Cell]] = {}
    for bye in byes:
        ahead.setdefault(bye.player, {})[bye.round] = Cell(code=bye.code)
    for player in report.players:
        if player.number > MOST_PLAYERS:
            raise ValueError(f"A report has no columns for player {player.number}.")
        points = "" if player.points_halves is None else _points(player.points_halves)
        to_come = ahead.get(player.number, {})
        blank = " " * ROUND_WIDTH
        yield (
            f"001 {player.number:4} {player.sex:1}{player.title[:3]:>3} {player.name[:NAME_WIDTH]:{NAME_WIDTH}} "
            f"{player.rating or '':>4} {player.federation[:3]:3} {player.fide_id[:11]:>11} {player.birth:10} "
            f"{points:>4} {player.rank or '':>4}"
            + "".join(map(_cell, player.cells))
            + "".join(
                _cell(to_come[number]) if number in to_come else blank
                for number in range(report.past + 1, max(to_come, default=0) + 1)
            )
        )


def _cell(cell: Cell) -> str:
    return f"  {cell.opponent or 0:{'4' if cell.opponent else '04'}} {cell.colour or '-'} {cell.code or ' '}"


def _byes(byes: Iterable[Bye]) -> Iterator[str]:
    for (number, code), same in groupby(
        sorted(byes, key=lambda bye: (bye.round, bye.code, bye.player)), key=lambda bye: (bye.round, bye.code)
    ):
        yield f"240 {code} {number:3}{_numbers(bye.player for bye in same)}"


def _forbidden(report: Report, group: Forbidden) -> str:
    last = group.last or report.rounds or MOST_ROUNDS
    return f"260 {group.first:3} {last:3}{_numbers(group.players)}"


def _numbers(numbers: Iterable[int]) -> str:
    return "".join(f" {number:4}" for number in numbers)
