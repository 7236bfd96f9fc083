"""What the set-up page shows: who can take part, and what is said about the number of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classes.core.names import full_labels
from classes.models import Classroom, Enrollment, School
from classes.selectors import names_of
from ratings.models import RatingList
from ratings.selectors.games import players
from ratings.selectors.ledger import current_states
from tournaments.core.advice import Advice, Fit, Offer, System
from tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True)
class Candidate:
    """A student who can be ticked."""

    id: int
    label: str
    rating: int


@dataclass(frozen=True, slots=True)
class CandidateGroup:
    """The students of a class; everybody stands in one group only."""

    classroom: int
    name: str
    players: list[Candidate]


@dataclass(frozen=True, slots=True)
class OfferRow:
    """A button: what it sends and what it says."""

    value: str
    text: str


@dataclass(frozen=True, slots=True)
class AdviceRow:
    sentence: str
    offers: list[OfferRow]


def candidates_of_class(classroom: Classroom, rating_list: RatingList) -> list[CandidateGroup]:
    """The active students of a class, with their ratings; no group where there are none."""
    there = [Candidate(player.id, player.label, player.rating) for player in players(classroom, rating_list)]
    return [CandidateGroup(classroom.pk, classroom.name, there)] if there else []


def candidates_of_school(school: School, rating_list: RatingList) -> list[CandidateGroup]:
    """The active students of all open classes; whoever is in several stands in the first of them by name."""
    enrollments = list(
        Enrollment.objects.filter(student__school=school, active=True, classroom__archived_at=None)
        .select_related("student", "classroom")
        .order_by("classroom__name", "classroom", "student__first_name", "student__last_name", "student")
    )
    students = {enrollment.student_id: enrollment.student for enrollment in enrollments}
    labels, states = full_labels(names_of(students.values())), current_states(rating_list, list(students))
    groups: dict[int, CandidateGroup] = {}
    for enrollment in enrollments:
        student, classroom = students.pop(enrollment.student_id, None), enrollment.classroom
        if student is not None:
            group = groups.setdefault(classroom.pk, CandidateGroup(classroom.pk, classroom.name, []))
            group.players.append(Candidate(student.pk, labels[student.pk], states[student.pk].rating))
    return list(groups.values())


def entered_in(tournament: Tournament) -> set[int]:
    """The ids of the students who play or played in a tournament."""
    return set(Entry.objects.filter(tournament=tournament).values_list("student", flat=True))


def advice_row(advice: Advice) -> AdviceRow:
    return AdviceRow(" ".join(_sentences(advice)), [_offer_row(offer) for offer in advice.offers])


def _offer_row(offer: Offer) -> OfferRow:
    sentences = {
        System.SWISS: _("Make it a Swiss, %(rounds)s"),
        System.ROUND_ROBIN: _("Make it a round robin, %(rounds)s"),
        System.DOUBLE_ROUND_ROBIN: _("Make it a double round robin, %(rounds)s"),
    }
    text = sentences[offer.system] % {"rounds": rounds_text(offer.rounds)}
    return OfferRow(f"{offer.system} {offer.rounds}", text)


def rounds_text(count: int) -> str:
    return ngettext("%(count)d round", "%(count)d rounds", count) % {"count": count}


def players_text(count: int) -> str:
    return ngettext("%(count)d player", "%(count)d players", count) % {"count": count}


def _sentences(advice: Advice) -> Iterable[str]:
    if advice.fit is Fit.TOO_FEW_PLAYERS:
        yield _("Tick at least two players.")
        return
    said = {
        "players": players_text(advice.players),
        "rounds": rounds_text(advice.rounds),
        "all_met": rounds_text(advice.all_met),
        "round": advice.repeat_from,
        "chance": advice.chance,
    }
    if advice.fit is Fit.FITS:
        yield _("%(players)s, %(rounds)s: a Swiss fits.") % said
    elif advice.fit is Fit.MEETS_EVERYONE:
        yield _("%(players)s: a round robin takes %(rounds)s, and everyone meets everyone.") % said
    elif advice.fit is Fit.LONG:
        yield _("%(players)s: a round robin takes %(rounds)s. That is long.") % said
    elif advice.fit is Fit.FEW_ROUNDS:
        yield _("%(players)s, %(rounds)s: several players may end with every point.") % said
    elif advice.fit is Fit.MAY_REPEAT:
        yield _("%(players)s, %(rounds)s: Swiss may need a repeat in round %(round)d.") % said
        yield _("That happens in about %(chance)d of 100 such tournaments.") % said
        yield _("A round robin meets everyone once in %(all_met)s.") % said
    elif advice.fit is Fit.MUST_REPEAT:
        yield _("%(players)s, %(rounds)s: from round %(round)d on some must meet again.") % said
        yield _("A round robin meets everyone once in %(all_met)s.") % said
    else:
        yield _("%(players)s, %(rounds)s: a round robin meets everyone once.") % said
        if advice.repeat_from:
            yield _("Swiss may need a repeat in round %(round)d.") % said
        elif advice.fit is Fit.AS_ROUND_ROBIN_WITH_REPEAT:
            yield _("Swiss may need a repeat in the last rounds.")
