"""Rows about classes and students for the pages."""

from __future__ import annotations

import datetime
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import segno
from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from classes.core.cards import Card, columns_and_lines
from classes.core.names import Name, finds, full_labels, match_key, short_labels
from classes.core.passwords import as_read
from classes.core.roster.matching import Difference, Known, Match, Place, State, matches
from classes.core.roster.plan import ADD, LEAVE_OUT, Choices, Plan, plan
from classes.core.roster.types import Doubt, Person, Reading, Why
from classes.models import Classroom, Enrollment, School, Student, User


@dataclass(frozen=True, slots=True)
class ClassroomRow:
    classroom: Classroom
    students: int
    teachers: str


@dataclass(frozen=True, slots=True)
class RosterRow:
    student: Student
    label: str
    active: bool
    username: str
    last_login: datetime.datetime | None
    has_badge: bool


@dataclass(frozen=True, slots=True)
class QrCode:
    """A square of dark and light modules: how many in a row, with the margin, and the outline of the dark ones."""

    size: int
    path: str


@dataclass(frozen=True, slots=True)
class CardRow:
    """A login card to print."""

    label: str
    username: str
    password: str
    qr: QrCode | None


@dataclass(frozen=True, slots=True)
class CodesPage:
    """The codes of a lesson as they are shown to a class, in lines and columns that fill a screen."""

    rows: list[tuple[str, str]]
    columns: int
    lines: int


def names_of(students: Iterable[Student]) -> list[Name]:
    return [Name(student.pk, student.first_name, student.last_name, student.grade) for student in students]


def students_in(classroom: Classroom) -> QuerySet[Student]:
    """Everybody ever enrolled in a class, by name."""
    return Student.objects.filter(enrollments__classroom=classroom).order_by("first_name", "last_name", "pk")


def active_students(classroom: Classroom) -> QuerySet[Student]:
    """The active students of a class, by name."""
    return Student.objects.filter(enrollments__classroom=classroom, enrollments__active=True).order_by(
        "first_name", "last_name", "pk"
    )


def labels_in(classroom: Classroom) -> dict[int, str]:
    """Full names of everybody in a class, told apart where they are the same."""
    return full_labels(names_of(students_in(classroom)))


def short_labels_in(classroom: Classroom) -> dict[int, str]:
    """Short names of everybody in a class (Mia K.), told apart."""
    return short_labels(names_of(students_in(classroom)))


def short_label_of(student: Student) -> str:
    """The short name of one student, with nobody beside to be told apart from."""
    return short_labels(names_of([student]))[student.pk]


def number_off_boards(classroom: Classroom) -> int:
    """How many active students of a class are left off boards."""
    return active_students(classroom).filter(off_boards=True).count()


def board_labels_in(classroom: Classroom) -> dict[int, str]:
    """Names as the school wants them on boards, projector and print."""
    if classroom.school.name_style == School.NameStyle.FULL:
        return labels_in(classroom)
    return short_labels_in(classroom)


def classroom_rows(classrooms: QuerySet[Classroom]) -> list[ClassroomRow]:
    """Classes with their number of active students and the names of their teachers, in three queries."""
    rows = (
        classrooms.annotate(active_count=Count("enrollments", filter=Q(enrollments__active=True), distinct=True))
        .prefetch_related("teachers__user")
        .order_by("-school_year", "name", "pk")
    )
    return [
        ClassroomRow(
            classroom=classroom,
            students=classroom.active_count,
            teachers=", ".join(sorted(teacher.user.get_full_name() for teacher in classroom.teachers.all())),
        )
        for classroom in rows
    ]


def roster(classroom: Classroom, sought: str = "") -> list[RosterRow]:
    """All students of a class with their accounts: active ones first, each part by name. `sought`: a part of the name.

    Who moved on to another class is there no more; of an archived class everybody who was in it at the end is. Who was
    erased is nowhere to be listed.
    """
    there = (Q(left_at=None) | Q(active=True)) & Q(student__erased_at=None)
    enrollments = (
        Enrollment.objects.filter(there, classroom=classroom)
        .select_related("student__user", "student__badge")
        .order_by("-active", "student__first_name", "student__last_name", "student_id")
    )
    labels = full_labels(names_of(enrollment.student for enrollment in enrollments))
    return [
        RosterRow(
            student=enrollment.student,
            label=labels[enrollment.student_id],
            active=enrollment.active,
            username=enrollment.student.user.username if enrollment.student.user else "",
            last_login=enrollment.student.user.last_login if enrollment.student.user else None,
            has_badge=hasattr(enrollment.student, "badge"),
        )
        for enrollment in enrollments
        if finds(sought, labels[enrollment.student_id])
    ]


def card_rows(classroom: Classroom, cards: Iterable[Card], badge_address: Callable[[str], str]) -> list[CardRow]:
    """Cards by short name. `badge_address`: token -> the whole address that a badge leads to."""
    labels = short_labels_in(classroom)
    rows = [
        CardRow(
            label=labels[card.student_id],
            username=card.username,
            password=card.password,
            qr=qr_code(badge_address(card.token)) if card.token else None,
        )
        for card in cards
    ]
    return sorted(rows, key=lambda row: match_key(row.label))


QR_MARGIN = 4  # modules; the standard asks for them


def qr_code(text: str) -> QrCode:
    """A text as a QR code of which 15 % may be dirty."""
    matrix = segno.make_qr(text, error="m", boost_error=False).matrix
    path = []
    for y, row in enumerate(matrix, QR_MARGIN):
        x = QR_MARGIN
        for dark, run in itertools.groupby(row):
            length = len(list(run))
            if dark:
                path.append(f"M{x} {y}h{length}v1h-{length}z")
            x += length
    return QrCode(size=len(matrix) + 2 * QR_MARGIN, path="".join(path))


def codes_page(classroom: Classroom, codes: Mapping[int, str]) -> CodesPage:
    """The codes of a lesson by short name."""
    labels = short_labels_in(classroom)
    rows = [(labels[student], as_read(code)) for student, code in codes.items()]
    columns, lines = columns_and_lines(len(rows))
    return CodesPage(rows=sorted(rows, key=lambda row: match_key(row[0])), columns=columns, lines=lines)


WHY = {
    Why.EMPTY: _("empty"),
    Why.SEPARATOR: _("says how the cells are separated"),
    Why.HEADING: _("a heading"),
    Why.ABOVE_HEADING: _("above the heading"),
    Why.NOT_A_STUDENT_ROW: _("“%(about)s” row, not a student"),
    Why.NO_NAME: _("no name"),
    Why.TOO_LONG: _("too long for a name"),
    Why.PROSE: _("words, not a name"),
    Why.SEVERAL: _("more than one student in one line"),
    Why.ROLE: _("role %(about)s"),
    Why.SWITCHED_OFF: _("switched off in the school’s system"),
    Why.DELETED: _("deleted in the school’s system"),
    Why.LEFT: _("no longer enrolled in the school’s system"),
    Why.OTHER_GRADE: _("another grade"),
    Why.REPEATED: _("same as line %(about)s"),
    Why.MAYBE_HEADING: _("a heading or a student?"),
    Why.BAD_EMAIL: _("“%(about)s” is not an e-mail address"),
    Why.SHARED_EMAIL: _("same e-mail as line %(about)s"),
    Why.SAME_ID: _("same id as line %(about)s, left out"),
    Why.BAD_ID: _("the id is too long, left out"),
    Why.GRADE_IS_DATE: _("“%(about)s” looks like a grade that a spreadsheet took for a day"),
    Why.GRADE_TOO_LONG: _("the grade “%(about)s” is too long, cut"),
    Why.LEFT_OUT: _("“%(about)s” left out"),
    Why.ONE_NAME: _("one name only"),
    Why.MORE_CELLS: _("more cells than columns"),
}
PERSON_FIELDS = {  # field of Person -> field of Student and its label
    "first": ("first_name", _("first name")),
    "last": ("last_name", _("last name")),
    "grade": ("grade", _("grade")),
    "email": ("email", _("e-mail")),
    "id": ("external_id", _("id")),
}


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    label: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class ImportRow:
    """A line of a class list with a person in it: what happens with it, and what the teacher may choose instead."""

    line: str
    person: Person
    state: str
    skipped: str
    doubts: list[str]
    differences: list[DifferenceRow]
    answers: list[tuple[str, str]]  # to "the same child?"
    where: str
    may_be_another: bool
    out: bool
    also: bool
    update: bool
    who: str


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    line: str
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class ImportPage:
    """What an import would do, before it is done. `enrolled`: everybody who was in the class when it was worked out."""

    rows: list[ImportRow]
    left_out: list[LeftOutRow]
    plan: Plan
    enrolled: frozenset[int]
    questions: list[str]
    has_differences: bool


def said(doubt: Doubt) -> str:
    """A doubt in the language of the reader."""
    return str(WHY[doubt.why]) % {"about": doubt.about}


def import_page(classroom: Classroom, visible: QuerySet[Student], reading: Reading, choices: Choices) -> ImportPage:
    """What importing a list into a class would do, in four queries. `visible`: students whom the teacher may see."""
    known = _known(classroom, visible, {row.person.id for row in reading.rows if row.person and row.person.id})
    matched = matches(reading.rows, known)
    named = {one.id for match in matched.values() for one in _named(match)}
    where: dict[int, list[str]] = defaultdict(list)
    for student_id, name in Enrollment.objects.filter(student__in=named).values_list("student_id", "classroom__name"):
        where[student_id].append(name)
    rows = []
    for row in reading.rows:
        if row.person is None:
            continue
        match = matched[row.line]
        rows.append(
            ImportRow(
                line=str(row.line),
                person=row.person,
                state=match.state,
                skipped=said(row.skipped) if row.skipped else "",
                doubts=[said(doubt) for doubt in row.doubts],
                differences=[] if row.skipped else _difference_rows(match.differences),
                answers=[] if row.skipped else _answers(match, where),
                where=", ".join(where[match.known.id]) if match.known else "",
                may_be_another=not match.by_id and match.state in {State.HERE, State.INACTIVE},
                out=row.line in choices.out,
                also=row.line in choices.also,
                update=row.line in choices.update,
                who=choices.who.get(row.line, ""),
            )
        )
    return ImportPage(
        rows=rows,
        left_out=[
            LeftOutRow(str(row.line), row.text, said(row.skipped))
            for row in reading.rows
            if row.person is None and row.skipped
        ],
        plan=plan(reading.rows, matched, choices, {one.external_id for one in known}),
        enrolled=frozenset(one.id for one in known if one.place in {Place.HERE, Place.INACTIVE}),
        questions=[row.line for row in rows if row.answers],
        has_differences=any(row.differences or row.answers for row in rows),
    )


def _known(classroom: Classroom, visible: QuerySet[Student], ids: set[str]) -> list[Known]:
    """Everybody in the class, everybody else whom the teacher may see, and of the rest those with one of the ids."""
    enrolled = Enrollment.objects.filter(classroom=classroom, left_at=None)
    places = {
        student: Place.HERE if active else Place.INACTIVE
        for student, active in enrolled.values_list("student_id", "active")
    }
    known = [_as_known(student, places.get(student.pk, Place.ELSEWHERE)) for student in visible.order_by("pk")]
    seen = {one.id for one in known}
    others = Student.objects.filter(school_id=classroom.school_id, external_id__in=ids)
    return known + [_as_known(student, Place.UNSEEN) for student in others if student.pk not in seen]


def _as_known(one: Student, place: Place) -> Known:
    return Known(one.pk, one.first_name, one.last_name, one.grade, one.email, one.external_id, place)


def _named(match: Match) -> list[Known]:
    """Those whose classes are said: who is in the class itself needs no word."""
    if match.state == State.ELSEWHERE and match.known:
        return [match.known]
    return list(match.candidates)


def _difference_rows(found: Iterable[Difference]) -> list[DifferenceRow]:
    return [DifferenceRow(str(PERSON_FIELDS[one.field][1]), one.old, one.new) for one in found]


def _answers(match: Match, where: Mapping[int, list[str]]) -> list[tuple[str, str]]:
    if match.state != State.ASK:
        return []
    answers = []
    for one in match.candidates:
        marks = ", ".join(mark for mark in (one.grade, *where[one.id], one.email, one.external_id) if mark)
        answers.append((str(one.id), str(_("the same: %(name)s")) % {"name": f"{one.person.full} ({marks})"}))
    return [*answers, (ADD, str(_("another child: add"))), (LEAVE_OUT, str(_("leave out")))]


def enrollments_of(student: Student) -> QuerySet[Enrollment]:
    """The classes of a student, newest first."""
    return (
        Enrollment.objects.filter(student=student)
        .select_related("classroom__school")
        .order_by("-classroom__school_year", "classroom__name")
    )


def a_school_exists() -> bool:
    return School.objects.exists()


def taken_usernames(stem: str) -> set[str]:
    """User names that begin with these letters."""
    return set(User.objects.filter(username__startswith=stem).values_list("username", flat=True))
