"""Piece practice: an exercise, its answer, sets of ten, and points for a finished set.

How far somebody is lies in the session, on the server: no form can claim a row of right answers.
"""

from __future__ import annotations

import secrets
import uuid
from dataclasses import asdict
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from classes.access import own_student
from ratings import services
from ratings.access import practice_set_to_award
from ratings.core.practice import MOST_SEED, NAMES, Exercise, Piece
from ratings.core.practice_sets import Progress
from ratings.forms.practice import AnswerForm, AwardForm, ExerciseForm
from ratings.models import PieceName
from ratings.selectors.ledger import default_list
from ratings.selectors.practice import practice_page

KEPT = "practice"  # in the session: one set in the making for each piece and level


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def pieces(request: HttpRequest) -> HttpResponse:
    """The exercise of the address; with ticked squares in it also what was right. Without one a new one is drawn."""
    sent = request.POST if request.method == "POST" else request.GET
    form = ExerciseForm(sent)
    if not form.is_valid():
        return redirect(_address(_next_exercise(request, *form.kind())))
    exercise = form.exercise()
    answer = AnswerForm(sent if request.method == "POST" or "to" in sent else None)
    if request.method == "POST" and answer.is_valid():
        squares = answer.squares()
        _count(request, exercise, right=squares == exercise.position().moves())
        return redirect(_address(exercise, squares))
    ticked = answer.squares() if answer.is_valid() else None
    page = practice_page(exercise, ticked, _progress(request, exercise.piece, exercise.level))
    return render(request, "ratings/learn/pieces.html", {"section": "learn", "page": page, "answer": answer})


def _address(exercise: Exercise, ticked: frozenset[int] = frozenset()) -> str:
    """Where the exercise is, and with ticked squares its answer: the same for everybody."""
    asked = [("piece", exercise.piece.value), ("level", exercise.level), ("seed", exercise.seed)]
    asked += [("to", NAMES[square]) for square in sorted(ticked)]
    return f"{reverse('ratings:pieces')}?{urlencode(asked)}"


def _next_exercise(request: HttpRequest, piece: Piece, level: int) -> Exercise:
    """The exercise that counts next in the visitor's set, or any."""
    progress = _progress(request, piece, level)
    seed = _new_seed() if progress is None or progress.due is None else progress.due
    return Exercise(piece, level, seed)


def _new_seed() -> int:
    return secrets.randbelow(MOST_SEED + 1)


def _progress(request: HttpRequest, piece: Piece, level: int) -> Progress | None:
    """The set in the making; None before the first answer."""
    kept = request.session.get(KEPT, {}).get(f"{piece}-{level}")
    return Progress(**kept) if kept else None


def _count(request: HttpRequest, exercise: Exercise, *, right: bool) -> None:
    """Count the answer of the exercise that is due; the tenth right one in a row finishes the set."""
    progress = _progress(request, exercise.piece, exercise.level) or Progress(str(uuid.uuid4()))
    if not progress.counts(exercise.seed):
        messages.info(request, _("This exercise is marked, but it is not the next of your row: it does not count."))
        return
    progress = progress.after(right=right, due=_new_seed())
    if progress.is_finished:
        _finish(request, exercise, progress)
        progress = Progress(str(uuid.uuid4()), due=progress.due)
    request.session[KEPT] = request.session.get(KEPT, {}) | {f"{exercise.piece}-{exercise.level}": asdict(progress)}


def _finish(request: HttpRequest, exercise: Exercise, progress: Progress) -> None:
    """Tell of a finished set; a student's is kept."""
    what = {"piece": PieceName(exercise.piece).label, "level": exercise.level}
    if not request.user.is_authenticated or not request.user.is_student:
        messages.success(request, _("Ten in a row! The set is finished: %(piece)s, level %(level)d.") % what)
        return
    services.keep_practice_set(
        student=own_student(request.user),
        key=progress.key,
        piece=exercise.piece,
        level=exercise.level,
        tries=progress.tries,
        mistakes=progress.mistakes,
    )
    messages.success(
        request,
        _("Ten in a row! The set is finished and kept: %(piece)s, level %(level)d. Your teacher can see it.") % what,
    )


@require_POST
def award_practice(request: HttpRequest, set_id: int) -> HttpResponse:
    """Turn a finished set into points by one tap. The set is its own one-time key: it gives points once."""
    practice_set = practice_set_to_award(request.user, set_id)
    form = AwardForm(request.POST)
    if form.is_valid():
        given = services.award_practice_set(
            practice_set,
            rating_list=default_list(practice_set.student.school),
            points=form.cleaned_data["points"],
            by=request.user,
        )
        said = {"name": practice_set.student, "points": given.points}
        messages.success(request, _("%(name)s has +%(points)d for this set.") % said)
    else:
        messages.error(request, _("A set is worth +1 to +5 points."))
    return redirect(reverse("student_page", args=[practice_set.student_id]) + "#practice")
