"""Links with which somebody without an account enters the results of one tournament until midnight."""

from __future__ import annotations

import datetime
import secrets
import zoneinfo

from django.utils import timezone

from classes.access import hash_of
from classes.core.passwords import helper_code
from classes.models import School, User
from classes.services import Action, one_transaction, record_event
from tournaments.models import HelperLink, Pairing, Tournament
from tournaments.services.locking import lock_open
from tournaments.services.results import enter_result


@one_transaction
def make_helper_link(tournament: Tournament, *, by: User) -> tuple[HelperLink, str]:
    """A link and its code, which is kept nowhere. An earlier link of the tournament ends.

    ValidationError when the tournament is over.
    """
    _list, tournament = lock_open(tournament)
    now = timezone.now()
    HelperLink.objects.filter(tournament=tournament, revoked_at=None).update(revoked_at=now)
    code = helper_code(secrets.choice)
    link = HelperLink.objects.create(
        tournament=tournament,
        token_hash=hash_of(code),
        made_by=by,
        made_at=now,
        expires_at=midnight(tournament.school),
    )
    _note(Action.HELPER_LINK_MADE, link, by)
    return link, code


def midnight(school: School) -> datetime.datetime:
    """The end of the school's day."""
    tomorrow = school.today() + datetime.timedelta(days=1)
    return datetime.datetime.combine(tomorrow, datetime.time(), zoneinfo.ZoneInfo(school.time_zone))


@one_transaction
def end_helper_link(tournament: Tournament, *, by: User) -> None:
    """End the link of a tournament, and with it what is open on any device."""
    for link in HelperLink.objects.filter(tournament=tournament, revoked_at=None).select_for_update():
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])
        _note(Action.HELPER_LINK_REVOKED, link, by)


def note_opened(link: HelperLink) -> None:
    """Somebody, nobody knows who, opened the link on a device."""
    _note(Action.HELPER_LINK_OPENED, link, None)


def enter_as_helper(link: HelperLink, pairing: Pairing, *, result: str) -> Pairing:
    """Enter the result of an open board in the name of who made the link. As `enter_result` for all else."""
    return enter_result(pairing, result=result, was=Pairing.Result.OPEN, by=link.made_by, helper=link)


def _note(action: Action, link: HelperLink, by: User | None) -> None:
    record_event(
        action=action,
        school=link.tournament.school,
        by=by,
        about=f"tournament:{link.tournament_id}",
        detail={"link": link.pk},
    )
