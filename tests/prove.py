"""`make prove-ledger`, `prove-crash`, `prove-backups`: the long runs of tests, on SQLite and on PostgreSQL where found.

PROVE_EXAMPLES, PROVE_STEPS, PROVE_TRIALS, PROVE_BACKUPS and PROVE_DAMAGES make them shorter, PROVE_SEED makes others.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

from tests.run import ROOT, find_postgres, postgres

DEFAULTS = {
    "PROVE_EXAMPLES": "5000",
    "PROVE_STEPS": "50",
    "PROVE_TRIALS": "300",
    "PROVE_BACKUPS": "50",
    "PROVE_DAMAGES": "100",
}


def ledger(environment: dict[str, str]) -> list[list[str]]:
    """The state machine of the services against its oracle; once, the mutants that it takes long to find."""
    mutants = [["-m", "pytest", "-q", "-m", "prove", "tests/ratings/test_mutants.py"]]
    return [
        ["-m", "pytest", "-q", "tests/ratings/test_state_machine.py"],
        *([] if environment["DATABASE_URL"] else mutants),
    ]


def crash(environment: dict[str, str]) -> list[list[str]]:
    """The server is killed and started again; once, the broken servers."""
    numbers = ["--trials", environment["PROVE_TRIALS"], "--seed", environment.get("PROVE_SEED", "1")]
    broken = [["-m", "pytest", "-q", "-k", "found", "tests/test_crash.py"]]
    return [
        ["-m", "tests.crash", *numbers, "--postgres", environment["DATABASE_URL"]],
        *([] if environment["DATABASE_URL"] else broken),
    ]


def backups(environment: dict[str, str]) -> list[list[str]]:
    """Backups made while games are recorded, all restored; damaged ones, all refused."""
    return [["-m", "pytest", "-q", "-k", "under_load", "tests/chesslocker/test_backups.py"]]


PROOFS: dict[str, Callable[[dict[str, str]], list[list[str]]]] = {"ledger": ledger, "crash": crash, "backups": backups}


@contextlib.contextmanager
def databases() -> Iterator[dict[str, str]]:
    """Name -> address. The address of SQLite is empty: a file in the data folder."""
    named = os.environ.pop("DATABASE_URL", "")
    folder = find_postgres()
    if named.startswith("postgres"):
        yield {"SQLite": "", "PostgreSQL": named}
    elif folder:
        with postgres(folder) as url:
            yield {"SQLite": "", "PostgreSQL": url}
    else:
        print("SKIPPED  PostgreSQL: no server found here (apt install postgresql) and none in DATABASE_URL")
        yield {"SQLite": ""}


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in PROOFS:
        print(f"python -m tests.prove {'|'.join(PROOFS)}", file=sys.stderr)
        return 2
    proof, failed = PROOFS[sys.argv[1]], []
    with tempfile.TemporaryDirectory(prefix="chesslocker-prove-") as data, databases() as found:
        for name, url in found.items():
            print(f"\n=== {name} ===", flush=True)
            started = time.monotonic()
            environment = DEFAULTS | os.environ | {"CHESSLOCKER_DATA": data, "DATABASE_URL": url}
            for command in proof(environment):
                if subprocess.run([sys.executable, *command], cwd=ROOT, env=environment).returncode:
                    failed.append(f"{name}, {' '.join(command)}")
            print(f"=== {name}: {time.monotonic() - started:.0f} s ===", flush=True)
    print(f"FAILED: {', '.join(failed)}" if failed else "Proved.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
