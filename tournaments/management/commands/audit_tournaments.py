"""Check the rounds and boards of all tournaments, as they are at this moment."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.models import Tournament
from tournaments.selectors.audit import violations


class Command(BaseCommand):
    help = "Check that boards, seats and games agree. Exit code 1 and one line for each violation where they do not."

    def handle(self, *args: Any, **options: Any) -> None:
        tournaments = list(Tournament.objects.order_by("pk"))
        found = [line for tournament in tournaments for line in violations(tournament)]
        for line in found:
            self.stdout.write(line)
        if found:
            raise CommandError("The tournaments are not sound.")
        count = len(tournaments)
        self.stdout.write(f"{count} {'tournament' if count == 1 else 'tournaments'}: no violations")
