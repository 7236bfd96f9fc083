"""Term reports and certificates as rows for print pages."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from classes.models import Classroom, Student
from classes.selectors import enrollments_of
from ratings.core.ranks import shared_ranks
from ratings.models import Adjustment, RatingList
from ratings.selectors.terms import Term, awards_in, terms_of
from tournaments.models import Entry, Tournament
from tournaments.selectors.finals import Final, finals_of

PLACES = {1: gettext_lazy("First place"), 2: gettext_lazy("Second place"), 3: gettext_lazy("Third place")}


@dataclass(frozen=True, slots=True)
class Report:
    """A student's term. `awards`: those of the kinds that the teacher ticked."""

    student: Student
    term: Term
    awards: list[Adjustment]
    finals: list[Final]


@dataclass(frozen=True, slots=True)
class Certificate:
    """What stands on it: whom it is for, what for, and how that was reached. `event`: empty for the whole period."""

    name: str
    title: str
    event: str
    how: str


def reports(
    students: Sequence[Student],
    rating_list: RatingList,
    first: datetime.date,
    last: datetime.date,
    *,
    kinds: Collection[str],
    tournaments: QuerySet[Tournament],
) -> list[Report]:
    """One report a student, in the order given. `tournaments`: those that the caller may see. Seven queries."""
    ids = {student.pk for student in students}
    terms = terms_of(ids, rating_list, first, last)
    awards = awards_in(ids, rating_list, first, last, kinds)
    finals = finals_of(ids, tournaments.filter(day__range=(first, last)))
    return [
        Report(student, terms[student.pk], awards.get(student.pk, []), finals.get(student.pk, []))
        for student in students
    ]


def class_names(student: Student, classroom: Classroom | None) -> str:
    """The class of a report: that which is printed, or the open ones that the student is active in."""
    if classroom:
        return f"{classroom.name} {classroom.school_year_name}"
    rooms = [enrollment.classroom for enrollment in enrollments_of(student) if enrollment.active]
    return ", ".join(f"{room.name} {room.school_year_name}" for room in rooms if not room.is_archived)


def finished_with(students: Sequence[Student], tournaments: QuerySet[Tournament]) -> list[Tournament]:
    """The finished ones of these tournaments in which the students were, the newest first."""
    entered = Entry.objects.filter(student__in=students).values("tournament")
    return list(
        tournaments.filter(pk__in=entered, finished_at__isnull=False, cancelled_at=None).order_by("-day", "-pk")
    )


def certificates_of_tournament(
    students: Sequence[Student], tournament: QuerySet[Tournament], *, best: int | None
) -> list[Certificate]:
    """Of the one tournament, by place. `best`: the last place that gets one; None for everybody. Three queries."""
    finals = finals_of({student.pk for student in students}, tournament)
    placed = [(finals[student.pk][0], student) for student in students if student.pk in finals]
    placed.sort(key=lambda one: one[0].place)
    return [
        Certificate(student.full_name, _place(final), final.tournament.name, _score(final))
        for final, student in placed
        if best is None or final.place <= best
    ]


def certificates_of_progress(
    students: Sequence[Student],
    rating_list: RatingList,
    first: datetime.date,
    last: datetime.date,
    *,
    best: int | None,
) -> list[Certificate]:
    """For rating points won in games; awards are no part of it, and nobody gets one for none. Three queries."""
    terms = terms_of({student.pk for student in students}, rating_list, first, last)
    gained = {student.pk: term.gained for student in students if (term := terms[student.pk]).gained > 0}
    return [
        Certificate(
            student.full_name,
            _("Most improved player") if rank == 1 and best else _("Great progress in chess"),
            "",
            ngettext("%(count)d rating point won in games", "%(count)d rating points won in games", gained[student.pk])
            % {"count": gained[student.pk]},
        )
        for rank, student in _ranked(students, gained, best)
    ]


def certificates_of_games(
    students: Sequence[Student],
    rating_list: RatingList,
    first: datetime.date,
    last: datetime.date,
    *,
    best: int | None,
) -> list[Certificate]:
    """For games played; nobody gets one for none. Three queries."""
    terms = terms_of({student.pk for student in students}, rating_list, first, last)
    played = {student.pk: term.games for student in students if (term := terms[student.pk]).games}
    return [
        Certificate(
            student.full_name,
            _("Most games played") if rank == 1 and best else _("Keen chess player"),
            "",
            ngettext("%(count)d game played", "%(count)d games played", played[student.pk])
            % {"count": played[student.pk]},
        )
        for rank, student in _ranked(students, played, best)
    ]


def _ranked(students: Sequence[Student], figures: dict[int, int], best: int | None) -> list[tuple[int, Student]]:
    """Who has a figure, from high to low, with their ranks; equal figures share one. `best`: the last rank."""
    those = sorted((one for one in students if one.pk in figures), key=lambda student: -figures[student.pk])
    ranks = shared_ranks([figures[student.pk] for student in those])
    return [(rank, student) for rank, student in zip(ranks, those, strict=True) if best is None or rank <= best]


def _place(final: Final) -> str:
    place = str(PLACES[final.place]) if final.place in PLACES else _("Place %(place)d") % {"place": final.place}
    return _("%(place)s, shared") % {"place": place} if final.shared else place


def _score(final: Final) -> str:
    said = {"points": final.points, "rounds": final.rounds, "players": final.players}
    return _("%(points)s of %(rounds)d points, among %(players)d players") % said
