"""The command on report files: pairings in the usual form, standings as CSV, exit codes."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments.positions import SAMPLE, Position, read

FILES = Path(__file__).resolve().parents[3] / "shared" / "data" / "public" / "trf"
needs_files = pytest.mark.skipif(not FILES.is_dir(), reason=f"no report files in {FILES}")

POSITIONS = read(SAMPLE)
# Two of every kind and size that can be paired, and a fifth of those that cannot.
GROUPS = sorted({position["group"] for position in POSITIONS})
PAIRED = [
    position
    for group in GROUPS
    for position in [each for each in POSITIONS if each["group"] == group and each["pairings_2026"]][-2:]
]
NOT_PAIRED = [position for position in POSITIONS if position["pairings_2026"] is None][::5]


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, list[str], list[str]]:
    """Exit code, lines of the answer, lines of complaint."""
    code = 0
    try:
        call_command("trf", *map(str, args))
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    return code, out.splitlines(), err.splitlines()


def text_of(position: Position, *, trf26: bool) -> str:
    """A position as a report file, by the columns of the format and without our own writer."""

    def halves(code: str) -> int:
        return {"1": 2, "+": 2, "U": 2, "=": 1, "H": 1}.get(code, 0)

    lines = [f"142 {position['n_rounds']}"] if trf26 else [f"XXR {position['n_rounds']}"]
    first = position["initial_colour"]
    lines.append(f"152 {first.upper()}" if trf26 else f"XXC {'white1' if first == 'w' else 'black1'}")
    for player in position["players"]:
        points = sum(halves(code) for _, _, code in player["history"]) / 2
        cells = "".join(
            f"  {opponent or 0:{'4' if opponent else '04'}} {colour or '-'} {code}"
            for opponent, colour, code in player["history"]
        )
        if player["absent"] == "H" and not trf26:
            cells += "  0000 - H"
        name = f"Player {player['id']}"
        lines.append(f"001 {player['no']:4}      {name:33} {player['rating'] or '':>4}{'':28}{points:4} {'':4}{cells}")
    for code in "HZ":
        absent = [player["no"] for player in position["players"] if player["absent"] == code]
        if absent and trf26:
            lines.append(f"240 {code} {position['round']:3}" + "".join(f" {number:4}" for number in absent))
        elif absent and code == "Z":
            lines.append(f"XXZ {' '.join(map(str, absent))}")
    for one, two in position["forbidden"]:
        lines.append(f"260   1 {position['n_rounds']:3} {one:4} {two:4}" if trf26 else f"XXP {one} {two}")
    for number, virtual in position["acceleration"].items():
        if not trf26:
            lines.append(f"XXA {int(number):4}" + "".join(f" {points:4}" for points in virtual))
            continue
        for round_, points in enumerate(virtual, start=1):
            lines.append(f"250      {points:4} {round_:3} {round_:3} {int(number):4} {int(number):4}")
    return "\r\n".join(lines) + "\r\n"


def answer(position: Position) -> list[str]:
    pairs = position["pairings_2026"]
    return [str(len(pairs)), *(f"{white} {black}" for white, black in pairs)]


def files(folder: Path, positions: list[Position], *, trf26: bool) -> list[Path]:
    paths = []
    for index, position in enumerate(positions):
        path = folder / f"{index:02}-{position['tournament']}-{position['round']}.trf"
        path.write_bytes(text_of(position, trf26=trf26).encode())
        paths.append(path)
    return paths


# --- pair ---


def test_the_sample_is_what_it_should_be():
    assert (len(GROUPS), len(PAIRED), len(NOT_PAIRED)) == (30, 60, 10)
    assert any(position["forbidden"] for position in PAIRED)
    assert any(position["acceleration"] for position in PAIRED)
    assert any(player["absent"] for position in PAIRED for player in position["players"])


@pytest.mark.parametrize("trf26", [False, True], ids=["trf16", "trf26"])
def test_the_pairings_are_those_of_the_oracle(tmp_path, capsys, trf26):
    paths = files(tmp_path, PAIRED, trf26=trf26)

    code, out, err = run(capsys, "pair", *paths)

    wanted = [text for path, position in zip(paths, PAIRED, strict=True) for text in (str(path), *answer(position))]
    assert (code, out, err) == (0, wanted, [])


def test_one_file_is_answered_without_its_name(tmp_path, capsys):
    (path,) = files(tmp_path, PAIRED[:1], trf26=False)

    assert run(capsys, "pair", path) == (0, answer(PAIRED[0]), [])


@pytest.mark.parametrize("trf26", [False, True], ids=["trf16", "trf26"])
def test_where_there_is_no_legal_pairing(tmp_path, capsys, trf26):
    for path in files(tmp_path, NOT_PAIRED, trf26=trf26):
        code, out, err = run(capsys, "pair", path)

        assert (code, out) == (1, [])
        assert err == [f"{path}: The FIDE rules allow no pairing for this round: every way to pair it breaks a rule."]


@pytest.fixture
def of_each_kind(tmp_path) -> dict[str, Path]:
    """A file that can be paired, one that cannot, one that is not right."""
    good, *_ = files(tmp_path, PAIRED[:1], trf26=False)
    without, *_ = files(tmp_path / ".", NOT_PAIRED[:1], trf26=False)
    bad = tmp_path / "bad.trf"
    bad.write_text("XXR 5\n101    1\n")
    return {"good": good, "without": without, "bad": bad}


@pytest.mark.parametrize(
    ("kinds", "worst"),
    [
        (["good", "good"], 0),
        (["good", "without"], 1),
        (["without", "good"], 1),
        (["bad", "without", "good"], 2),
        (["good", "without", "bad", "good"], 2),
    ],
)
def test_several_files_exit_with_the_worst(of_each_kind, capsys, kinds, worst):
    code, out, err = run(capsys, "pair", *(of_each_kind[kind] for kind in kinds))

    blocks = {kind: [str(path)] for kind, path in of_each_kind.items()}
    blocks["good"] += answer(PAIRED[0])
    assert code == worst
    assert out == [text for kind in kinds for text in blocks[kind]]
    assert len(err) == sum(kind != "good" for kind in kinds)


def test_a_bad_file_with_line_and_reason(of_each_kind, capsys):
    bad = of_each_kind["bad"]

    assert run(capsys, "pair", bad) == (2, [], [f"{bad}: line 2: invalid code: There is no record '101'."])


@pytest.mark.parametrize("action", ["pair", "standings"])
def test_a_file_that_is_not_there(tmp_path, capsys, action):
    code, out, err = run(capsys, action, tmp_path / "nothing.trf")

    assert (code, out) == (2, [])
    assert "No such file" in err[0]


def player(number: int, name: str, points: float, *cells: str) -> str:
    return f"001 {number:4}      {name:33}{'':33}{points:4}     {''.join(cells)}"


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["XXR 1"], "All rounds of this tournament have been paired."),
        (["XXR 3", "XXZ 1 2"], "There are not enough players to pair a round."),
    ],
)
def test_a_round_that_is_not_to_be(tmp_path, capsys, more, sentence):
    path = tmp_path / "two.trf"
    path.write_text("\n".join([player(1, "Abara", 1.0, "     2 w 1"), player(2, "Bexley", 0.0, "     1 b 0"), *more]))

    assert run(capsys, "pair", path) == (1, [], [f"{path}: {sentence}"])


def test_a_round_that_is_not_over(tmp_path, capsys):
    path = tmp_path / "two.trf"
    path.write_text("\n".join([player(1, "Abara", 0.0, "     2 w"), player(2, "Bexley", 0.0, "     1 b"), "XXR 3"]))

    assert run(capsys, "pair", path) == (1, [], [f"{path}: Round 1 is not over: 1 game has no result."])


def test_a_file_that_does_not_say_how_many_rounds(tmp_path, capsys):
    path = tmp_path / "two.trf"
    path.write_text("\n".join([player(1, "Abara", 0.0), player(2, "Bexley", 0.0)]))

    code, out, err = run(capsys, "pair", path)

    assert (code, out) == (2, [])
    assert "XXR or 142" in err[0]


def expected() -> dict[str, Any]:
    if not FILES.is_dir():
        return {}
    return {each["file"]: each for each in json.loads((FILES / "expected.json").read_text())}


@needs_files
def test_the_real_files_that_cannot_be_right(capsys):
    bad = sorted(FILES.glob("3[0-6]_*"))

    code, out, err = run(capsys, "pair", *bad)

    assert (code, out) == (2, [str(path) for path in bad])
    reasons = [complaint.removeprefix(f"{path}: ").split(": ")[:2] for path, complaint in zip(bad, err, strict=True)]
    assert reasons == [
        ["line 2", "missing result"],
        ["line 2", "incompatible result"],
        ["line 2", "incompatible colour"],
        ["line 2", "incorrect points"],
        ["line 2", "too many results"],
        ["line 7", "invalid code"],
        ["line 7", "missing starting number"],
    ]


@needs_files
@pytest.mark.parametrize("number", [37, 38])
def test_the_real_files_without_a_legal_next_round(capsys, number):
    (path,) = FILES.glob(f"{number}_*")

    code, out, err = run(capsys, "pair", path)

    assert (code, out, len(err)) == (1, [], 1)


@needs_files
def test_who_has_withdrawn_is_not_paired(capsys):
    (path,) = FILES.glob("16_*")  # 22, 28 and 43 are absent

    code, out, _ = run(capsys, "pair", path)

    seated = sorted(int(number) for text in out[1:] for number in text.split())
    assert (code, out[0]) == (0, "25")
    assert seated == [0, *(number for number in range(1, 53) if number not in {22, 28, 43})]


# --- standings ---


def table(out: list[str]) -> list[list[str]]:
    return list(csv.reader(out))


@needs_files
@pytest.mark.parametrize("name", [name for name in expected() if not name.startswith("3") or name[:2] in {"37", "38"}])
def test_the_points_of_a_real_file(capsys, name):
    code, out, _ = run(capsys, "standings", FILES / name, "--tie-breaks", "CUM")

    head, *rows = table(out)
    points = {row["no"]: row["points_computed"] for row in expected()[name]["standings"]}
    assert (code, head) == (0, ["rank", "number", "name", "points", "CUM"])
    assert {int(row[1]): float(row[3]) for row in rows} == points
    assert [float(row[3]) for row in rows] == sorted(points.values(), reverse=True)


FOUR = "\n".join(
    [
        player(1, "Abara, Lio", 1.5, "     3 w 1", "     2 b ="),
        player(2, "=1+1", 1.5, "     4 b 1", "     1 w ="),
        player(3, "Corvan", 0.5, "     1 b 0", "     4 w ="),
        player(4, "Dunmore", 0.5, "     2 w 0", "     3 b ="),
    ]
)


@pytest.fixture
def four(tmp_path) -> Path:
    path = tmp_path / "four.trf"
    path.write_text(FOUR)
    return path


def test_standings_as_csv(four, capsys):
    """Buchholz of 1: 0.5 + 1.5; Sonneborn-Berger: 0.5 and half of 1.5. Equal in all: a shared rank."""
    assert run(capsys, "standings", four, "--tie-breaks", "BH,SB") == (
        0,
        [
            "rank,number,name,points,BH,SB",
            '1,1,"Abara, Lio",1.5,2,1.25',
            "1,2,'=1+1,1.5,2,1.25",
            "3,3,Corvan,0.5,2,0.25",
            "3,4,Dunmore,0.5,2,0.25",
        ],
        [],
    )


@pytest.mark.parametrize(
    ("system", "codes"),
    [
        ("092 Individual: Swiss-System", ["DE", "BH/C1", "BH", "SB", "WON"]),
        ("092 Round Robin", ["DE", "WIN", "SB", "KS"]),
        ("192 FIDE_ROUNDROBIN", ["DE", "WIN", "SB", "KS"]),
        ("192 FIDE_DOUBLEROUNDROBIN", ["DE", "WIN", "SB", "KS"]),
    ],
)
def test_tie_breaks_where_none_are_named(four, capsys, system, codes):
    four.write_text(f"{system}\n{FOUR}")

    _, out, _ = run(capsys, "standings", four)

    assert table(out)[0][4:] == codes


BYES = "\n".join(
    [
        player(1, "Abara", 2.5, "  0000 - H", "     2 w 1", "     3 b 1"),
        player(2, "Bexley", 1.0, "     3 w 1", "     1 b 0", "  0000 - Z"),
        player(3, "Corvan", 1.0, "     2 b 0", "  0000 - U", "     1 w 0"),
    ]
)


@pytest.mark.parametrize(
    ("day", "rules", "buchholz"),
    [
        ("", "2024", "5"),
        ("", "2026", "4"),
        ("042 2026/02/28", None, "5"),
        ("042 2026/03/01", None, "4"),
        ("", None, "4"),
    ],
)
def test_the_rules_are_those_named_or_of_the_start(four, capsys, day, rules, buchholz):
    """1's bye counts against a dummy with 1's own score, 2.5; from 2026 with no more than a draw a round, 1.5.

    2 is seen with 1.5, the last round a draw.
    """
    four.write_text(f"{day}\n{BYES}")

    _, out, _ = run(capsys, "standings", four, "--tie-breaks", "BH", *(["--rules", rules] if rules else []))

    assert table(out)[1][4] == buchholz


def test_games_without_a_result_bring_nothing_yet(four, capsys):
    four.write_text("\n".join([player(1, "Abara", 0.0, "     2 w"), player(2, "Bexley", 0.0, "     1 b"), "XXR 3"]))

    code, out, err = run(capsys, "standings", four, "--tie-breaks", "WON")

    assert (code, out[1:]) == (0, ["1,1,Abara,0,0", "1,2,Bexley,0,0"])
    assert err == [f"{four}: Round 1 is not over: its games without a result bring no points."]


def test_a_tie_break_that_is_none(four):
    with pytest.raises(CommandError, match="no tie-break XY") as caught:
        call_command("trf", "standings", str(four), "--tie-breaks", "BH,XY")

    assert caught.value.returncode == 2


def test_standings_of_a_bad_file(of_each_kind, capsys):
    code, out, err = run(capsys, "standings", of_each_kind["bad"])

    assert (code, out, len(err)) == (2, [], 1)
