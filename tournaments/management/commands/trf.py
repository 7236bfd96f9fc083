"""Pairings and standings from Tournament Report Files, without the database."""

from __future__ import annotations

import csv
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from classes.core.csv_cells import safe_cell
from tournaments.core import fide, trf
from tournaments.core.standings import standings
from tournaments.core.tiebreaks import ROUND_ROBIN, SWISS, UnknownTieBreak, decimal
from tournaments.core.types import NoPairing, Paired, Rules

NO_PAIRING = 1
BAD_FILE = 2


class Command(BaseCommand):
    help = (
        "Tournament Report Files (TRF16, TRF26). pair: the next round by the FIDE Dutch rules, as the number of pairs "
        "and White and Black of each, 0 for the bye; exit code 1 if it cannot be paired, 2 for a bad file. "
        "standings: CSV."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        pair = actions.add_parser("pair", help="the pairings of the next round")
        pair.add_argument("files", nargs="+", metavar="FILE")
        table = actions.add_parser("standings", help="the standings as CSV")
        table.add_argument("file", metavar="FILE")
        table.add_argument("--tie-breaks", metavar="CODES", help="comma-separated, such as BH/C1,BH,SB")
        table.add_argument(
            "--rules", choices=[str(rules) for rules in Rules], help="of unplayed rounds; default: by the start day"
        )

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        code = self.pair(options["files"]) if action == "pair" else self.standings(**options)
        if code:
            sys.exit(code)

    def pair(self, names: list[str]) -> int:
        """The worst exit code."""
        worst = 0
        for name in names:
            if len(names) > 1:
                self.stdout.write(name)
            worst = max(worst, self.pair_file(name))
        return worst

    def pair_file(self, name: str) -> int:
        try:
            found = fide.pair(trf.next_state(self.read(name)))
        except (OSError, trf.BadFile) as error:
            return self.say(name, error, BAD_FILE)
        except trf.ResultsMissing as error:
            return self.say(name, error, NO_PAIRING)
        if isinstance(found, NoPairing):
            return self.say(name, found.reason, NO_PAIRING)
        for line in lines_of(found):
            self.stdout.write(line)
        return 0

    def standings(self, *, file: str, tie_breaks: str | None, rules: str | None, **options: Any) -> int:
        try:
            report = self.read(file)
        except (OSError, trf.BadFile) as error:
            return self.say(file, error, BAD_FILE)
        if report.open_games:
            self.say(file, f"Round {report.past} is not over: its games without a result bring no points.", 0)
        round_robin = report.is_round_robin
        codes = tie_breaks.split(",") if tie_breaks else ROUND_ROBIN if round_robin else SWISS
        by = Rules(rules) if rules else Rules.on(report.start or date.max)
        try:
            table = standings(trf.state(report), codes, by, round_robin=round_robin)
        except UnknownTieBreak as error:
            raise CommandError(str(error), returncode=BAD_FILE) from None
        names = {player.number: player.name for player in report.players}
        writer = csv.writer(self.stdout, lineterminator="\n")
        writer.writerow(["rank", "number", "name", "points", *(tie_break.code for tie_break in table.tie_breaks)])
        for row in table.rows:
            values = [
                "" if value is None or (tie_break.code == "DE" and not value) else decimal(value)
                for tie_break, value in zip(table.tie_breaks, row.values, strict=True)
            ]  # a direct encounter of 0: there was nobody whom it could part
            points = decimal(Decimal(row.score_halves) / 2)
            writer.writerow([row.place, row.id, safe_cell(names[row.id]), points, *values])
        return 0

    def read(self, name: str) -> trf.Report:
        report = trf.read(Path(name).read_bytes())
        for notice in report.notices:
            self.say(name, notice, 0)
        return report

    def say(self, name: str, sentence: object, code: int) -> int:
        self.stderr.write(f"{name}: {sentence}")
        return code


def lines_of(paired: Paired) -> Iterator[str]:
    yield str(len(paired.pairs))
    yield from (f"{pair.white} {pair.black or 0}" for pair in paired.pairs)
