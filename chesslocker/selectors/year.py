"""Rows and values for the pages of the school year: moving a student, a new year, two records of one child."""

from __future__ import annotations

import datetime
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classes.core.names import full_labels, match_key
from classes.core.rollover import TO, Choices, Fate, Move, OldClass, Pupil, last_grade, moves, next_class
from classes.core.years import school_year_name, school_year_of
from classes.models import Classroom, Enrollment, Merge, Rollover, School, Student
from classes.selectors import names_of
from ratings.core.seasons import season_points
from ratings.models import Adjustment, Game, RatingList
from ratings.selectors.consequences import ConsequencesPage, of_handing_over
from ratings.selectors.ledger import current_states
from tournaments.models import Entry, Tournament

UNDO_DAYS = 30
MONTHS_AHEAD = 4  # from April on the next school year is proposed


# --- a new school year ---


@dataclass(frozen=True, slots=True)
class Plan:
    """What a change of the school year would do. `targets`: name in small letters -> the class, None where it is made.

    `becomes`: old class -> name of the class that it becomes. `points`: rating list -> student -> points to the start.
    """

    to_year: int
    becomes: dict[int, str]
    classrooms: list[Classroom]
    moves: list[Move]
    targets: dict[str, Classroom | None]
    points: dict[int, dict[int, int]]
    already: frozenset[tuple[int, int]]  # (student, existing target) of those who are enrolled there

    @property
    def is_empty(self) -> bool:
        return not self.classrooms

    @property
    def fingerprint(self) -> str:
        """Changes with everything that the page shows: who goes where, with which grade and points."""
        rows = (self.to_year, [one.pk for one in self.classrooms], self.moves, sorted(self.targets), self.points)
        return hashlib.sha256(repr(rows).encode()).hexdigest()

    def sources_of(self, name: str) -> list[Classroom]:
        """The old classes that become this one; where only single students go there, the one that was called so."""
        becoming = [one for one in self.classrooms if self.becomes[one.pk].lower() == name]
        return becoming or [one for one in self.classrooms if one.name.lower() == name]


def year_to_come(today: datetime.date) -> int:
    """The school year that classes are made ready for: from four months before it begins the next one."""
    return school_year_of(today + datetime.timedelta(days=31 * MONTHS_AHEAD))


def years_to_choose(today: datetime.date) -> list[tuple[int, str]]:
    return [(year, school_year_name(year)) for year in (school_year_of(today), school_year_of(today) + 1)]


def rollover_plan(school: School, to_year: int, choices: Choices, *, share: int = 0) -> Plan:
    """Who goes where when the classes of earlier years become those of a year. Inactive students stay out.

    `share`: per cent of the way to the start by which ratings are pulled. Seven queries and two more a rating list.
    """
    old = Classroom.objects.filter(school=school, archived_at=None, school_year__lt=to_year)
    classrooms = list(old.prefetch_related("teachers").order_by("name", "pk"))
    active = Enrollment.objects.filter(classroom__in=[one.pk for one in classrooms], active=True)
    rows = active.order_by("classroom__name", "classroom", "student__first_name", "student__last_name", "student")
    pupils = [Pupil(*row) for row in rows.values_list("student_id", "classroom_id", "student__grade")]
    made = moves([OldClass(one.pk, one.name) for one in classrooms], pupils, choices)
    there = {one.name.lower(): one for one in _classes_of_year(school, to_year)}
    targets = {move.to.lower(): there.get(move.to.lower()) for move in made if move.to}
    existing = [one.pk for one in targets.values() if one is not None]
    already = Enrollment.objects.filter(classroom__in=existing).values_list("student_id", "classroom_id")
    staying = sorted({move.student for move in made if move.to})
    return Plan(
        to_year=to_year,
        becomes={one.pk: choices.classes.get(one.pk, next_class(one.name)) for one in classrooms},
        classrooms=classrooms,
        moves=made,
        targets=targets,
        points={one.pk: _season_points(one, staying, share) for one in RatingList.objects.filter(school=school)}
        if share
        else {},
        already=frozenset(already),
    )


def _classes_of_year(school: School, year: int) -> list[Classroom]:
    return list(Classroom.objects.filter(school=school, archived_at=None, school_year=year).order_by("name"))


def _season_points(rating_list: RatingList, students: Sequence[int], share: int) -> dict[int, int]:
    """Student -> points; those whose rating stays are left out."""
    states = current_states(rating_list, students)
    points = {one: season_points(states[one].rating, rating_list.start_rating, share) for one in students}
    return {student: number for student, number in points.items() if number}


@dataclass(frozen=True, slots=True)
class PupilRow:
    """A student of an old class: the field that asks where they go, what was chosen, and what becomes of them.

    `points`: by rating list, what is done to the rating.
    """

    field: str
    label: str
    grade: str
    chosen: str
    said: str
    is_other: bool  # goes elsewhere than the class
    points: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class ClassSection:
    """An old class. `becomes`: the name of the class of the new year; empty where it ends."""

    classroom: Classroom
    name_field: str
    ends_field: str
    becomes: str
    ends: bool
    pupils: list[PupilRow]
    others: int  # students who do not go on with the class
    has_choices: bool
    summary: str


@dataclass(frozen=True, slots=True)
class PullRow:
    """How many ratings of a list are pulled, and the largest change."""

    name: str
    ratings: int
    largest: int


@dataclass(frozen=True, slots=True)
class RolloverPage:
    """What a change of the school year would do, for the page. The counts are of students, each counted once."""

    plan: Plan
    sections: list[ClassSection]
    options: list[str]  # names of classes that a student can be sent to
    on: int
    repeat: int
    leave: int
    made: list[str]
    joined: list[str]
    pulls: list[PullRow]
    last: int | None
    year_name: str


def proposed_last_grade(school: School, to_year: int) -> int | None:
    """The highest grade of those whose year ends."""
    old = Enrollment.objects.filter(
        classroom__school=school, classroom__archived_at=None, classroom__school_year__lt=to_year, active=True
    )
    return last_grade(old.values_list("student__grade", flat=True).distinct())


def rollover_page(school: School, plan: Plan, choices: Choices) -> RolloverPage:
    students = Student.objects.filter(pk__in={move.student for move in plan.moves})
    labels = full_labels(names_of(students))
    grades = {student.pk: student.grade for student in students}
    by_class: dict[int, list[Move]] = defaultdict(list)
    for move in plan.moves:
        by_class[move.classroom].append(move)
    spelled = {move.to.lower(): move.to for move in reversed(plan.moves) if move.to}
    fates = _fates(plan.moves)
    lists = {one.pk: one.name for one in RatingList.objects.filter(school=school)} if plan.points else {}
    points: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for pk, given in plan.points.items():
        for student, number in given.items():
            points[student].append((lists[pk], number))
    names = {one.name for one in plan.classrooms} | {next_class(one.name) for one in plan.classrooms}
    return RolloverPage(
        plan=plan,
        sections=[_section(one, by_class[one.pk], choices, labels, grades, points) for one in plan.classrooms],
        options=sorted(names | set(spelled.values()), key=match_key),
        on=fates[Fate.UP],
        repeat=fates[Fate.REPEAT],
        leave=fates[Fate.LEAVE],
        made=sorted((spelled[name] for name, one in plan.targets.items() if one is None), key=match_key),
        joined=sorted((one.name for one in plan.targets.values() if one is not None), key=match_key),
        pulls=[
            PullRow(lists[pk], len(given), max(given.values(), key=abs, default=0)) for pk, given in plan.points.items()
        ],
        last=choices.last,
        year_name=school_year_name(plan.to_year),
    )


def _fates(made: Iterable[Move]) -> Counter[Fate]:
    """Students by what becomes of them: who leaves one class and goes on in another goes on."""
    found: dict[int, set[Fate]] = defaultdict(set)
    for move in made:
        found[move.student].add(Fate.LEAVE if move.fate == Fate.LAST else move.fate)
    order = (Fate.REPEAT, Fate.UP, Fate.LEAVE)
    return Counter(next(fate for fate in order if fate in fates) for fates in found.values())


def _section(
    classroom: Classroom,
    made: Sequence[Move],
    choices: Choices,
    labels: Mapping[int, str],
    grades: Mapping[int, str],
    points: Mapping[int, list[tuple[str, int]]],
) -> ClassSection:
    becomes = choices.classes.get(classroom.pk, next_class(classroom.name))
    pupils = [
        PupilRow(
            field=f"student-{move.student}-{classroom.pk}",
            label=labels[move.student],
            grade=grades[move.student],
            chosen=choices.students.get((move.student, classroom.pk), ""),
            said=_said(move),
            is_other=move.fate != Fate.UP or move.to != becomes,
            points=points.get(move.student, []),
        )
        for move in made
    ]
    others = sum(pupil.is_other for pupil in pupils)
    count = len(pupils)
    summary = ngettext("%(count)d student", "%(count)d students", count) % {"count": count}
    if others:
        summary += " · " + ngettext("%(count)d not with the class", "%(count)d not with the class", others) % {
            "count": others
        }
    return ClassSection(
        classroom=classroom,
        name_field=f"class-{classroom.pk}",
        ends_field=f"ends-{classroom.pk}",
        becomes=becomes,
        ends=classroom.pk in choices.classes and not becomes,
        pupils=pupils,
        others=others,
        has_choices=any(pupil.chosen for pupil in pupils),
        summary=summary,
    )


def _said(move: Move) -> str:
    if move.fate == Fate.LAST:
        return _("leaves after the last grade")
    if not move.to:
        return _("leaves")
    if move.fate == Fate.REPEAT:
        return _("repeats: %(name)s") % {"name": move.to}
    grade = _("grade %(grade)s") % {"grade": move.grade}
    return f"{move.to} · {grade}" if move.grade else move.to


def choices_for_one(options: Iterable[str]) -> list[tuple[str, str]]:
    """What can be chosen for one student."""
    return [
        ("", _("as proposed")),
        (Fate.UP.value, _("goes on with the class")),
        (Fate.REPEAT.value, _("repeats")),
        (Fate.LEAVE.value, _("leaves")),
        *((TO + name, f"→ {name}") for name in options),
    ]


@dataclass(frozen=True, slots=True)
class RolloverRow:
    """A change of the school year that was made. `why_not`: why it cannot be undone; empty where it can."""

    rollover: Rollover
    year_name: str
    students: int
    why_not: str


def rollover_rows(school: School) -> list[RolloverRow]:
    """The latest changes of the school year; whether one can be undone is asked for the last alone."""
    rows = list(Rollover.objects.filter(school=school).select_related("school", "made_by").order_by("-pk")[:5])
    return [
        RolloverRow(
            rollover=one,
            year_name=school_year_name(one.to_year),
            students=one.moved.get("students", 0),
            why_not=why_rollover_stays(one) if place == 0 or one.undone_at else _("A later one came after it."),
        )
        for place, one in enumerate(rows)
    ]


def why_rollover_stays(rollover: Rollover) -> str:
    """Why a change of the school year cannot be undone any more, as a sentence; empty where it can."""
    if rollover.undone_at:
        return _("It was undone already.")
    if timezone.now() - rollover.made_at > datetime.timedelta(days=UNDO_DAYS):
        return _("It can be undone for 30 days, and these are over.")
    if Rollover.objects.filter(school=rollover.school_id, undone_at=None, pk__gt=rollover.pk).exists():
        return _("A later change of the school year came after it. Undo that one first.")
    classes = rollover.moved["targets"]
    if Game.objects.filter(classroom__in=classes, recorded_at__gte=rollover.made_at).exists():
        return _("Games were recorded in the new classes since.")
    if Adjustment.objects.filter(classroom__in=classes, given_at__gte=rollover.made_at).exists():
        return _("Points were given in the new classes since.")
    if Tournament.objects.filter(classroom__in=classes, created_at__gte=rollover.made_at).exists():
        return _("A tournament was set up in the new classes since.")
    return ""


# --- two records of one child ---


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a merge does to the ratings of one list."""

    name: str
    page: ConsequencesPage


@dataclass(frozen=True, slots=True)
class MergePage:
    """What merging two students would do. `why_not`: why it cannot be; `what`: sentences about what moves."""

    why_not: str
    what: list[str]
    lists: list[Consequence]
    versions: str


def others_in_school(student: Student) -> list[tuple[str, list[tuple[int, str]]]]:
    """Whom a student can be merged with, as groups of (id, name with classes): same name first. Two queries."""
    students = Student.objects.filter(school=student.school_id, merged_into=None, erased_at=None).order_by(
        "first_name", "last_name", "pk"
    )
    classes: dict[int, list[str]] = defaultdict(list)
    enrolled = Enrollment.objects.filter(classroom__school=student.school_id).order_by("classroom__name")
    for pk, name in enrolled.values_list("student_id", "classroom__name"):
        classes[pk].append(name)
    groups: tuple[list[tuple[int, str]], list[tuple[int, str]]] = ([], [])
    for other in students:
        if other.pk != student.pk:
            marks = ", ".join([other.grade, *classes[other.pk]] if other.grade else classes[other.pk])
            same = match_key(other.first_name) == match_key(student.first_name)
            groups[0 if same else 1].append((other.pk, f"{other.full_name} ({marks})" if marks else other.full_name))
    return [(_("Same first name"), groups[0]), (_("Everybody else"), groups[1])]


def why_not_merge(kept: Student, merged: Student) -> str:
    """Why two students cannot be one child, as a sentence; empty where they can."""
    if kept.pk == merged.pk:
        return _("Choose two different students.")
    if kept.school_id != merged.school_id or any(
        one.merged_into_id or one.erased_at is not None for one in (kept, merged)
    ):
        return _("One of the two is not there any more.")
    met = Game.objects.filter(Q(white=kept, black=merged) | Q(white=merged, black=kept)).order_by("voided_at").first()
    if met and met.is_void:
        return _("They are entered as opponents in a game, though it is void: they cannot be one child.")
    if met:
        return _("The two played against each other: they cannot be one child.")
    entered = Entry.objects.filter(student=kept).values("tournament")
    both = Entry.objects.filter(student=merged, tournament__in=entered).select_related("tournament").first()
    if both:
        return _("Both are entered in the tournament “%(name)s”: they cannot be one child.") % {"name": both.tournament}
    return ""


def versions_of(school: School) -> str:
    """The versions of all rating lists of a school: another one as soon as anybody wrote."""
    lists = RatingList.objects.filter(school=school).order_by("pk")
    return ",".join(f"{pk}:{version}" for pk, version in lists.values_list("pk", "version"))


def merge_page(kept: Student, merged: Student) -> MergePage:
    """What merging would do, before it is done. Writes nothing."""
    versions = versions_of(kept.school)
    why_not = why_not_merge(kept, merged)
    if why_not:
        return MergePage(why_not, [], [], versions)
    labels = full_labels(names_of([kept]))
    lists = []
    for rating_list in RatingList.objects.filter(school=kept.school_id).select_related("school").order_by("pk"):
        if page := of_handing_over(rating_list, giver=merged, taker=kept, labels=labels):
            lists.append(Consequence(rating_list.name, page))
    return MergePage("", _what_moves(kept, merged), lists, versions)


def _what_moves(kept: Student, merged: Student) -> list[str]:
    games = Game.objects.filter(Q(white=merged) | Q(black=merged)).count()
    awards = Adjustment.objects.filter(student=merged).count()
    entries = Entry.objects.filter(student=merged).count()
    classes = [one.classroom.name for one in merged.enrollments.select_related("classroom").order_by("classroom__name")]
    counted = (
        (games, ngettext("%(count)d game", "%(count)d games", games)),
        (awards, ngettext("%(count)d award", "%(count)d awards", awards)),
        (entries, ngettext("%(count)d tournament", "%(count)d tournaments", entries)),
    )
    said = [words % {"count": count} for count, words in counted if count]
    if classes:
        said.append(_("classes: %(names)s") % {"names": ", ".join(classes)})
    if merged.user and kept.user:
        said.append(
            _("the login %(kept)s stays, %(merged)s is switched off")
            % {"kept": kept.user.username, "merged": merged.user.username}
        )
    elif merged.user:
        said.append(_("the login %(merged)s is taken over") % {"merged": merged.user.username})
    return said


def merges_of(student: Student) -> list[Merge]:
    """What was merged into a student and is not undone, newest first."""
    return list(
        Merge.objects.filter(kept=student, undone_at=None).select_related("merged", "merged_by").order_by("-pk")
    )


def why_merge_stays(merge: Merge) -> str:
    """Why a merge cannot be undone any more, as a sentence; empty where it can."""
    if merge.undone_at:
        return _("It was undone already.")
    if merge.kept.merged_into_id or Merge.objects.filter(kept=merge.kept_id, undone_at=None, pk__gt=merge.pk).exists():
        return _("A later merge came after it. Undo that one first.")
    if merge.kept.erased_at or merge.merged.erased_at:
        return _("The student was erased since.")
    own = Q(white=merge.kept_id) | Q(black=merge.kept_id)
    if Game.objects.filter(own, recorded_at__gte=merge.merged_at).exists():
        return _("Games of this student were recorded since.")
    if Adjustment.objects.filter(student=merge.kept_id, given_at__gte=merge.merged_at).exists():
        return _("Points were given to this student since.")
    return ""
