"""What the teacher sees of a helper's link."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from tournaments.access import live_helper_links
from tournaments.models import Pairing, Tournament


@dataclass(frozen=True, slots=True)
class HelperLinkRow:
    """A link that works. `entered`: results that stand as they were entered with it."""

    made_by: str
    made_at: datetime.datetime
    entered: int


def helper_link_row(tournament: Tournament) -> HelperLinkRow | None:
    link = live_helper_links().filter(tournament=tournament).first()
    if link is None:
        return None
    entered = Pairing.objects.filter(entered_with=link).count()
    return HelperLinkRow(link.made_by.get_full_name(), link.made_at, entered)
