"""Who may see and change games. Built on classes/access.py: rights follow the class."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404

from classes.access import (
    Someone,
    classrooms_of_teacher,
    lead_membership_of,
    membership_of,
    own_student,
    students_now,
)
from classes.models import Classroom, Enrollment, Membership, School, Student
from ratings.models import Adjustment, Game, LedgerEntry, PracticeSet, RatingList


@dataclass(frozen=True, slots=True)
class ListChoice:
    """The rating list that a page is about, among all of the school, the default list first."""

    chosen: RatingList
    lists: list[RatingList]

    @property
    def query(self) -> str:
        """What a link adds to stay in the list: `?list=7`; nothing for the default list."""
        asked = asking_for(self.chosen)
        return f"?{urlencode(asked)}" if asked else ""


def list_choice(school: School, requested: str | None) -> ListChoice:
    """The list that `?list=` asks for; the default list for none, for junk and for a list of another school."""
    lists = list(RatingList.objects.filter(school=school).order_by("-is_default", "pk"))
    return ListChoice(next((one for one in lists if str(one.pk) == requested), lists[0]), lists)


def asking_for(rating_list: RatingList) -> dict[str, int]:
    """What an address carries to ask for a list; nothing for the default list."""
    return {} if rating_list.is_default else {"list": rating_list.pk}


def rating_list_for_lead(user: Someone, pk: int) -> RatingList:
    """A list whose rules may be changed: by a lead of its school."""
    lists = RatingList.objects.filter(school=lead_membership_of(user).school).select_related("school")
    return get_object_or_404(lists, pk=pk)


def games_to_change(membership: Membership) -> QuerySet[Game]:
    """Games of the teacher's open classes; a lead also those without a class."""
    games = Game.objects.filter(rating_list__school=membership.school)
    theirs = Q(classroom__in=classrooms_of_teacher(membership).filter(archived_at=None))
    if membership.is_lead:
        theirs |= Q(classroom=None)
    return games.filter(theirs)


def casual_game_to_change(user: Someone, pk: int) -> Game:
    """A game that is corrected or voided on its own page; those of tournaments are changed in the tournament."""
    games = games_to_change(membership_of(user)).filter(origin=Game.Origin.CASUAL)
    return get_object_or_404(games.select_related("classroom__school", "rating_list__school", "white", "black"), pk=pk)


def game_to_see(user: Someone, pk: int) -> Game:
    """A game to read: a student's own; a teacher's where the class is theirs or either player is theirs now."""
    games = Game.objects.select_related("classroom__school", "rating_list__school", "white", "black", "recorded_by")
    if user.is_authenticated and user.is_student:
        student = own_student(user)
        return get_object_or_404(games.filter(Q(white=student) | Q(black=student)), pk=pk)
    membership = membership_of(user)
    games = games.filter(rating_list__school=membership.school)
    if not membership.is_lead:
        theirs = students_now(membership)
        classes = classrooms_of_teacher(membership)
        games = games.filter(Q(classroom__in=classes) | Q(white__in=theirs) | Q(black__in=theirs))
    return get_object_or_404(games, pk=pk)


def may_change(user: Someone, game: Game) -> bool:
    """May this person correct or void a game that they see?"""
    if not user.is_authenticated or user.is_student or game.origin != Game.Origin.CASUAL:
        return False
    return games_to_change(membership_of(user)).filter(pk=game.pk).exists()


def classroom_if_theirs(user: Someone, classroom: Classroom | None) -> Classroom | None:
    """The class of a game or adjustment where this teacher may open it, archived or not; None otherwise."""
    if classroom is None or not user.is_authenticated or user.is_student:
        return None
    return classrooms_of_teacher(membership_of(user)).filter(pk=classroom.pk).first()


def adjustments_of_classroom(classroom: Classroom) -> QuerySet[Adjustment]:
    """The adjustments whose reasons the teachers of a class see: of the students who are enrolled in it now.

    An archived class keeps what was given in it, also to those who moved on.
    """
    enrolled = Enrollment.objects.filter(classroom=classroom, left_at=None).values("student")
    theirs = Q(student__in=enrolled)
    if classroom.is_archived:
        theirs |= Q(classroom=classroom)
    adjustments = Adjustment.objects.filter(theirs, rating_list__school=classroom.school_id)
    return adjustments.select_related("student", "given_by", "classroom", "rating_list")


def entries_of_classroom(classroom: Classroom, rating_list: RatingList) -> QuerySet[LedgerEntry]:
    """The ledger entries that the teachers of a class see: of the students who are enrolled in it now.

    An archived class keeps what was played and given in it, also of those who moved on.
    """
    enrolled = Enrollment.objects.filter(classroom=classroom, left_at=None).values("student")
    theirs = Q(student__in=enrolled)
    if classroom.is_archived:
        theirs |= Q(game__classroom=classroom) | Q(adjustment__classroom=classroom)
    return LedgerEntry.objects.filter(theirs, rating_list=rating_list)


def adjustment_to_change(user: Someone, pk: int) -> Adjustment:
    """An adjustment to void or put back: of a student of an open class of the teacher; for a lead of anybody."""
    membership = membership_of(user)
    adjustments = Adjustment.objects.filter(rating_list__school=membership.school).exclude(kind=Adjustment.Kind.SEASON)
    if not membership.is_lead:
        adjustments = adjustments.filter(student__in=students_now(membership))
    return get_object_or_404(
        adjustments.select_related("student", "classroom", "rating_list__school", "given_by"), pk=pk
    )


def students_to_award(membership: Membership) -> QuerySet[Student]:
    """Whose practice may be turned into points: of an open class of the teacher; for a lead anybody of the school."""
    if membership.is_lead:
        return Student.objects.filter(school=membership.school, merged_into=None)
    return students_now(membership)


def may_award(user: Someone, student: Student) -> bool:
    """May this person turn the student's practice into points?"""
    return students_to_award(membership_of(user)).filter(pk=student.pk).exists()


def practice_set_to_award(user: Someone, pk: int) -> PracticeSet:
    sets = PracticeSet.objects.filter(student__in=students_to_award(membership_of(user)))
    return get_object_or_404(sets.select_related("student__school"), pk=pk)
