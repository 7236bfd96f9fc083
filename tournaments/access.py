"""Who may see and run tournaments. Built on classes/access.py: rights follow the class."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils import timezone

from classes.access import (
    Someone,
    classrooms_of_student,
    classrooms_of_teacher,
    hash_of,
    lead_membership_of,
    membership_of,
    own_student,
    students_now,
)
from classes.core.passwords import as_typed
from classes.models import Membership, Student
from tournaments.models import Entry, HelperLink, KeepApart, Pairing, Round, Tournament

HELPER = "helper"  # in a session: the link with which a helper without an account came
AROUND = ("school", "classroom__school", "rating_list__school")


def tournaments_of_teacher(membership: Membership) -> QuerySet[Tournament]:
    """Those of the teacher's classes, and school-wide ones in which a student of theirs is entered; a lead's: all."""
    tournaments = Tournament.objects.filter(school=membership.school).select_related(*AROUND)
    if membership.is_lead:
        return tournaments
    entered = Entry.objects.filter(student__in=students_now(membership)).values("tournament")
    return tournaments.filter(Q(classroom__in=classrooms_of_teacher(membership)) | Q(classroom=None, pk__in=entered))


def tournaments_to_run(membership: Membership) -> QuerySet[Tournament]:
    """Those that a teacher runs: of their open classes; for a lead also school-wide ones."""
    open_classes = classrooms_of_teacher(membership).filter(archived_at=None)
    theirs = Q(classroom__in=open_classes)
    if membership.is_lead:
        theirs |= Q(classroom=None)
    return tournaments_of_teacher(membership).filter(theirs)


def tournament_to_see(user: Someone, pk: int) -> Tournament:
    """A tournament to read, for teachers; students have pages of their own."""
    return get_object_or_404(tournaments_of_teacher(membership_of(user)), pk=pk)


def tournament_to_run(user: Someone, pk: int) -> Tournament:
    """A tournament to pair and to change."""
    return get_object_or_404(tournaments_to_run(membership_of(user)), pk=pk)


def tournament_for_lead(user: Someone, pk: int) -> Tournament:
    return get_object_or_404(tournaments_of_teacher(lead_membership_of(user)), pk=pk)


def may_run(user: Someone, tournament: Tournament) -> bool:
    """May this teacher pair and change a tournament that they see?"""
    return tournaments_to_run(membership_of(user)).filter(pk=tournament.pk).exists()


def board_for_results(user: Someone, tournament_pk: int, pairing_pk: int) -> Pairing:
    """A board to enter the result of: by who runs the tournament, and by teachers of those in a school-wide one."""
    membership = membership_of(user)
    tournaments = tournaments_of_teacher(membership).filter(Q(classroom=None) | Q(classroom__archived_at=None))
    pairings = Pairing.objects.select_related(
        *(f"round__tournament__{name}" for name in AROUND), "white__student", "black__student", "game", "entered_by"
    )
    return get_object_or_404(
        pairings, round__tournament__in=tournaments, round__tournament=tournament_pk, pk=pairing_pk
    )


def may_enter_results(user: Someone, tournament: Tournament) -> bool:
    """May this teacher enter results of a tournament that they see? Of an archived class nobody does."""
    membership_of(user)
    return tournament.is_open and (tournament.classroom is None or not tournament.classroom.is_archived)


def round_of(tournament: Tournament, number: int) -> Round:
    """A round of a tournament that was fetched for the caller."""
    rounds = Round.objects.select_related("tournament")
    return get_object_or_404(rounds, tournament=tournament, number=number)


def entry_of(tournament: Tournament, pk: int) -> Entry:
    """An entry of a tournament that was fetched for the caller."""
    return get_object_or_404(Entry.objects.select_related("student", "tournament"), tournament=tournament, pk=pk)


def pairing_of(tournament: Tournament, pk: int) -> Pairing:
    """A board or bye of a tournament that was fetched for the caller."""
    pairings = Pairing.objects.select_related("round", "white__student", "black__student", "game", "entered_by")
    return get_object_or_404(pairings, round__tournament=tournament, pk=pk)


def board_of_game(user: Someone, game_pk: int) -> Pairing:
    """The board whose game this is, for who may see its tournament."""
    tournaments = tournaments_of_teacher(membership_of(user))
    pairings = Pairing.objects.select_related("round").filter(round__tournament__in=tournaments)
    return get_object_or_404(pairings, game=game_pk)


def tournaments_of_student(student: Student) -> QuerySet[Tournament]:
    """What a student may see: tournaments of the classes they are active in, and all in which they are entered."""
    entered = Entry.objects.filter(student=student).values("tournament")
    return (
        Tournament.objects.filter(school=student.school_id)
        .filter(Q(classroom__in=classrooms_of_student(student)) | Q(classroom=None, pk__in=entered))
        .select_related(*AROUND)
    )


def tournament_for_student(user: Someone, pk: int) -> Tournament:
    return get_object_or_404(tournaments_of_student(own_student(user)), pk=pk)


def students_to_enter(membership: Membership, tournament: Tournament) -> QuerySet[Student]:
    """Who can be entered: the active students of the home class; of a school-wide tournament those of open classes."""
    students = Student.objects.filter(school=tournament.school_id, enrollments__active=True)
    if tournament.classroom_id:
        students = students.filter(enrollments__classroom=tournament.classroom_id)
    else:
        students = students.filter(enrollments__classroom__archived_at=None)
    return students.distinct().order_by("first_name", "last_name", "pk")


def students_to_keep_apart(membership: Membership) -> QuerySet[Student]:
    """Whom a teacher can keep apart: the students of their open classes."""
    return students_now(membership).order_by("first_name", "last_name", "pk")


def pairs_kept_apart(membership: Membership) -> QuerySet[KeepApart]:
    """The pairs that a teacher sees: both are their students now; a lead sees all of the school."""
    pairs = KeepApart.objects.filter(school=membership.school).select_related("one", "other")
    if not membership.is_lead:
        theirs = students_now(membership)
        pairs = pairs.filter(one__in=theirs, other__in=theirs)
    return pairs.order_by("one__first_name", "one__last_name", "pk")


def kept_apart_to_change(user: Someone, pk: int) -> KeepApart:
    return get_object_or_404(pairs_kept_apart(membership_of(user)), pk=pk)


def live_helper_links() -> QuerySet[HelperLink]:
    """Links that were not ended, for today, of tournaments that go on, made by who can still log in."""
    links = HelperLink.objects.filter(
        revoked_at=None,
        expires_at__gt=timezone.now(),
        tournament__finished_at=None,
        tournament__cancelled_at=None,
        made_by__is_active=True,
        made_by__membership__isnull=False,
    )
    return links.select_related("made_by__membership__school", *(f"tournament__{name}" for name in AROUND))


def helper_link_with(code: str) -> HelperLink | None:
    """The link of a code; None for one that does not work, for whatever reason."""
    return _that_works(live_helper_links().filter(token_hash=hash_of(as_typed(code))).first())


def helper_link_of(request: HttpRequest) -> HelperLink:
    """The link, and with it the one tournament, of a helper's session; 404 for everybody else.

    Rights follow the class here too: it works as long as who made it runs the tournament.
    """
    came_with = None if request.user.is_authenticated else request.session.get(HELPER)
    link = _that_works(live_helper_links().filter(pk=came_with).first()) if came_with else None
    if link is None:
        raise Http404
    return link


def _that_works(link: HelperLink | None) -> HelperLink | None:
    if link is None or not tournaments_to_run(link.made_by.membership).filter(pk=link.tournament_id).exists():
        return None
    return link


def round_of_helper(link: HelperLink) -> Round | None:
    """The latest round, the only one that a helper sees."""
    return Round.objects.filter(tournament=link.tournament_id).order_by("-number").first()


def board_of_helper(link: HelperLink, pk: int) -> Pairing:
    boards = Pairing.objects.filter(round=round_of_helper(link), black__isnull=False)
    return get_object_or_404(boards.select_related("round__tournament__rating_list"), pk=pk)
