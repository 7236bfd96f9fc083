"""Setting a tournament up, changing it, and bringing it to an end."""

from __future__ import annotations

import datetime
import random
import secrets
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classes.models import Classroom, School, Student, User
from classes.services import OneTimeKey, one_transaction
from ratings import services as ratings_services
from ratings.models import Game, RatingList
from tournaments.models import Entry, Pairing, Tournament
from tournaments.services.entries import add_entries, keep_table_length
from tournaments.services.locking import last_round, lock, lock_open, open_boards


@one_transaction
def create_tournament(
    *,
    school: School,
    classroom: Classroom | None,
    rating_list: RatingList,
    name: str,
    day: datetime.date,
    students: Sequence[Student],
    by: User | None,
    first_colour: str | None = None,
    chance: random.Random | None = None,
    once: OneTimeKey | None = None,
    **options: Any,
) -> Tournament:
    """A tournament with those who take part, in their order at the start.

    `options`: further fields of Tournament. `first_colour`: drawn by lot where none is given. `chance`: what lots are
    drawn by; by default the system's. ValidationError where a field is not right.
    """
    rating_list = ratings_services.lock(rating_list)
    if once:
        once.refuse_second_use()
    chance = chance or secrets.SystemRandom()
    tournament = Tournament(
        school=school,
        classroom=classroom,
        rating_list=rating_list,
        name=name,
        day=day,
        first_colour=first_colour or chance.choice(Tournament.FirstColour.values),
        created_by=by,
        **options,
    )
    tournament.full_clean()
    tournament.save()
    add_entries(tournament, students, chance=chance)
    keep_table_length(tournament)
    if once:
        once.keep(tournament.pk)
    return tournament


FIXED_ONCE_PAIRED = ("system", "seeding", "rated", "rating_list", "bye_halves")


@one_transaction
def change_tournament(
    tournament: Tournament, *, fields: dict[str, Any], chance: random.Random | None = None
) -> Tournament:
    """Change a tournament's fields. What the first round was paired by stays once it is paired.

    A new way of seeding deals the order at the start anew. ValidationError where a field is not right any more.
    """
    _list, tournament = lock_open(tournament)
    made = last_round(tournament)
    changed = {name: value for name, value in fields.items() if getattr(tournament, name) != value}
    if made is not None and changed.keys() & set(FIXED_ONCE_PAIRED):
        raise ValidationError(
            _(
                "Once the first round is paired, the system, the order, the rating list and what a bye is worth stay "
                "as they are."
            )
        )
    if made is not None and fields.get("rounds", tournament.rounds) < made.number:
        raise ValidationError(
            ngettext("%(count)d round is paired already.", "%(count)d rounds are paired already.", made.number)
            % {"count": made.number}
        )
    for name, value in changed.items():
        setattr(tournament, name, value)
    tournament.full_clean()
    tournament.save(update_fields=list(changed))
    if "seeding" in changed or "rating_list" in changed:
        students = [entry.student for entry in Entry.objects.filter(tournament=tournament).select_related("student")]
        Entry.objects.filter(tournament=tournament).delete()
        add_entries(tournament, students, chance=chance)
    keep_table_length(tournament)
    return tournament


@one_transaction
def finish_tournament(tournament: Tournament) -> Tournament:
    """Declare a tournament over, also before its last round. ValidationError while results are missing."""
    _list, tournament = lock_open(tournament)
    if last_round(tournament) is None:
        raise ValidationError(_("No round has been played yet. A tournament that does not take place is cancelled."))
    missing = open_boards(tournament)
    if missing:
        raise ValidationError(
            ngettext("%(count)d result is missing.", "%(count)d results are missing.", missing) % {"count": missing}
        )
    tournament.finished_at = timezone.now()
    tournament.save(update_fields=["finished_at"])
    return tournament


@one_transaction
def reopen_tournament(tournament: Tournament) -> Tournament:
    """Take a finished tournament up again. ValidationError for one that was cancelled."""
    _list, tournament = lock(tournament)
    if tournament.cancelled_at is not None:
        raise ValidationError(_("This tournament was cancelled."))
    tournament.finished_at = None
    tournament.save(update_fields=["finished_at"])
    return tournament


@one_transaction
def cancel_tournament(tournament: Tournament, *, keep_ratings: bool, by: User) -> Tournament:
    """Cancel a tournament for good; it stays on record.

    `keep_ratings`: its games stay in the ratings as casual ones, each changed on its own page from now on. Otherwise
    they are voided. Cancelling twice changes nothing.
    """
    _list, tournament = lock(tournament)
    if tournament.cancelled_at is not None:
        return tournament
    games = list(
        Game.objects.filter(
            pk__in=Pairing.objects.filter(round__tournament=tournament, game__isnull=False).values("game")
        )
    )
    if keep_ratings:
        ratings_services.make_casual(games, by=by)
    else:
        ratings_services.void_together(games, by=by, reason=_("The tournament was cancelled"))
    tournament.cancelled_at = timezone.now()
    tournament.save(update_fields=["cancelled_at"])
    return tournament
