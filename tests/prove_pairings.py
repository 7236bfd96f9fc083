"""`python -m tests.prove_pairings`: every pairing there is to compare with, which takes minutes.

1. FIDE pairing: all rounds of the conformance data against their oracle, in pairs, colours, bye and board order.
2. The same rounds stored in the database, and paired from there.
3. Small groups: 1,000 random positions against trying everything.
4. Small groups: 200 tournaments each of 5 x 5, 5 x 7, 6 x 5 and 8 x 7 to their ends.

The data are looked for in `shared/data/pairings` beside the repository, or in the folder that is named. `--sample`
only writes the sample that the tests use.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from tests.tournaments.positions import SAMPLE, Position, expected, state_of
from tests.tournaments.small_groups import course, wrong_in_random_states
from tournaments.core import fide
from tournaments.core.types import NoPairing, Paired

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data" / "pairings"
KEPT = ("round", "players", "forbidden", "acceleration", "pairings_2026")
SAMPLE_OF = {"tiny": 75, "small": 115, "class": 60}  # rounds with a legal pairing; without one: NO_LEGAL
NO_LEGAL = 50


def positions(folder: Path) -> list[Position]:
    """Every round of the data, on its own."""
    found = []
    for path in sorted(folder.glob("*.json.gz")):
        with gzip.open(path) as file:
            document = json.load(file)
        for tournament in document["tournaments"]:
            of_tournament = {key: tournament[key] for key in ("tournament", "n_rounds", "initial_colour")}
            for number in tournament["rounds"]:
                found.append({"group": document["group"]} | of_tournament | {key: number[key] for key in KEPT})
    return found


def write_sample(everything: list[Position]) -> None:
    """300 rounds: of every band and option some, and NO_LEGAL without a legal pairing."""
    chance = random.Random(64)
    impossible = [position for position in everything if position["pairings_2026"] is None]
    chosen = [position for position in impossible if not position["group"].startswith("tiny")]
    chosen += chance.sample([position for position in impossible if position not in chosen], NO_LEGAL - len(chosen))
    for band, count in SAMPLE_OF.items():
        legal = [p for p in everything if p["group"].startswith(band) and p["pairings_2026"] is not None]
        groups = sorted({position["group"] for position in legal})
        for turn in range(count):
            group = groups[turn % len(groups)]
            position = chance.choice([p for p in legal if p["group"] == group])
            legal.remove(position)
            chosen.append(position)
    chosen.sort(key=everything.index)
    text = json.dumps({"rounds": chosen}, separators=(",", ":"))
    SAMPLE.write_bytes(gzip.compress(text.encode(), mtime=0))


def prove_fide(everything: list[Position]) -> bool:
    counts: Counter[str] = Counter()
    slowest = 0.0
    for position in everything:
        started = time.perf_counter()
        answer = fide.pair(state_of(position))
        slowest = max(slowest, time.perf_counter() - started)
        wanted = expected(position)
        right = isinstance(answer, NoPairing) if wanted is None else answer == Paired(wanted)
        counts["without a legal pairing" if wanted is None else "paired", "right" if right else "WRONG"] += 1
        if not right:
            print(f"{position['group']} {position['tournament']} round {position['round']}: {answer}, not {wanted}")
    print(f"FIDE: {len(everything)} rounds, slowest {slowest:.2f} s")
    for (kind, outcome), count in sorted(counts.items()):
        print(f"  {kind}, {outcome}: {count}")
    return all(outcome == "right" for _, outcome in counts)


def prove_stored(folder: Path) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-s", "tests/tournaments/test_conformance.py"]
    return subprocess.run(command, cwd=ROOT, env=os.environ | {"PROVE_PAIRINGS": str(folder)}).returncode == 0


def prove_small_groups() -> bool:
    wrong = wrong_in_random_states(range(1000))
    print(f"Small groups: 1000 positions, {len(wrong)} wrong", *wrong, sep="\n  ")
    for players, rounds in ((5, 5), (5, 7), (6, 5), (7, 7), (8, 7)):
        courses = Counter(course(players, rounds, seed) for seed in range(200))
        print(f"{players} players, {rounds} rounds:", *(f"{n} x {each}" for each, n in courses.items()), sep="\n  ")
    return not wrong


def main(arguments: list[str]) -> int:
    folder = next((Path(argument).resolve() for argument in arguments if not argument.startswith("-")), DATA)
    everything = positions(folder)
    if not everything:
        print("No conformance data found. Name their folder.")
        return 2
    if "--sample" in arguments:
        write_sample(everything)
        return 0
    started = time.perf_counter()
    right = prove_fide(everything)
    print(f"  {time.perf_counter() - started:.0f} s", flush=True)
    right = prove_stored(folder) and right
    print(f"  {time.perf_counter() - started:.0f} s", flush=True)
    right = prove_small_groups() and right
    print(f"{time.perf_counter() - started:.0f} s in all")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
