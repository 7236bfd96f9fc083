"""Check the books of all rating lists, as they are at this moment."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.models import Adjustment, Game, LedgerEntry, RatingList
from ratings.selectors.audit import database_violations, violations


class Command(BaseCommand):
    help = "Check that ratings, ledger and record agree. Exit code 1 and one line for each violation where they do not."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--list", type=int, dest="rating_list", metavar="ID", help="the id of one rating list; default: all"
        )

    def handle(self, *args: Any, rating_list: int | None = None, **options: Any) -> None:
        lists = RatingList.objects.order_by("pk")
        if rating_list is not None:
            lists = lists.filter(pk=rating_list)
            if not lists:
                raise CommandError(f"There is no rating list {rating_list}.", returncode=2)
        found = database_violations()
        for one in lists:
            found += violations(one)
        for line in found:
            self.stdout.write(line)
        if found:
            raise CommandError("The ratings are not sound.")
        parts = [_counted(len(lists), "rating list")]
        for model, noun, nouns in (
            (Game, "game", ""), (Adjustment, "adjustment", ""), (LedgerEntry, "entry", "entries"),
        ):  # fmt: skip
            parts.append(_counted(model.objects.filter(rating_list__in=lists).count(), noun, nouns))
        self.stdout.write(f"{', '.join(parts)}: no violations")


def _counted(number: int, noun: str, nouns: str = "") -> str:
    return f"{number} {noun if number == 1 else nouns or noun + 's'}"
