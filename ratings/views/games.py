"""Games of a class: the list, recording, quick entry, undo."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from classes.access import classroom_for_teacher, open_classroom_for_teacher, own_student
from classes.models import Classroom
from classes.selectors import labels_in
from ratings import services
from ratings.access import asking_for, casual_game_to_change, list_choice
from ratings.forms.games import GameFilterForm, GameForm, MyGamesFilterForm
from ratings.models import Game, RatingList
from ratings.selectors.games import (
    game_rows,
    games_of_classroom,
    games_on,
    opponents_of,
    players,
    saved_game,
    tile_grids,
)
from ratings.selectors.ledger import preview_game
from ratings.selectors.students import history_of, history_rows, labels_around

PAGE_SIZE = 25


@require_safe
def games(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = classroom_for_teacher(request.user, classroom_id)
    labels = labels_in(classroom)
    form = GameFilterForm(request.GET or None, labels=labels)
    chosen = form.cleaned_data if form.is_valid() else {}
    found = games_of_classroom(
        classroom, student=int(chosen["student"]) if chosen.get("student") else None, day=chosen.get("day")
    )
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    return render(
        request,
        "ratings/games.html",
        {"classroom": classroom, "form": form, "page": page, "rows": game_rows(page, labels), "tab": "games"},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def record_game(request: HttpRequest, classroom_id: int) -> HttpResponse:
    return _record(request, open_classroom_for_teacher(request.user, classroom_id), page="record_game")


@require_http_methods(["GET", "HEAD", "POST"])
def quick_entry(request: HttpRequest, classroom_id: int) -> HttpResponse:
    return _record(request, open_classroom_for_teacher(request.user, classroom_id), page="quick_entry")


def _record(request: HttpRequest, classroom: Classroom, *, page: str) -> HttpResponse:
    """Recording from lists or from tiles: the same form and service, another template."""
    sent = request.POST if request.method == "POST" else request.GET
    lists = list_choice(classroom.school, sent.get("list"))
    rating_list = lists.chosen
    choices = players(classroom, rating_list)
    only_preview = "preview" in request.POST
    form = GameForm(
        request.POST if request.method == "POST" else None,
        classroom=classroom,
        players=choices,
        lists=lists,
        only_preview=only_preview,
        initial={"day": request.GET.get("day") or classroom.school.today()},
    )
    if request.method == "POST" and not only_preview:
        once = form.once(request, action=page, answer=_answer(request, classroom, page, rating_list))
        if form.is_valid():
            try:
                game = services.record_game(
                    rating_list=rating_list, classroom=classroom, by=request.user, once=once, **form.game()
                )
                return redirect(once.answer_for(game.pk))
            except ValidationError as error:
                form.add_error(None, error)
        else:
            once.refuse_second_use()  # sent twice: the first is answered again, whatever the form asks now
    context = {
        "classroom": classroom,
        "form": form,
        "lists": lists,
        "preview": preview_game(rating_list, **form.pair()) if form.pair() else None,
        "chosen": form.data.get("result", ""),
        "saved": saved_game(classroom, request.GET.get("saved", "")),
        "page": page,
    }
    if page == "quick_entry":
        context["grids"] = tile_grids(
            classroom, choices, form.shown_day(), form.data.get("white"), form.data.get("black")
        )
        context["today"] = games_on(classroom, form.shown_day())
    only_a_piece = request.htmx and request.htmx.target != "main"  # another list changes every rating of the page
    template = f"ratings/_{page}_live.html" if only_a_piece else f"ratings/{page}.html"
    return render(request, template, context)


def _answer(request: HttpRequest, classroom: Classroom, page: str, rating_list: RatingList) -> str:
    """Where a recorded game leads; `{pk}` stands for the game. The page keeps the day and the rating list."""
    kept: dict[str, object] = dict(asking_for(rating_list))
    if request.POST.get("then") == "close":
        address = reverse("class_page", args=[classroom.pk])
    else:
        address = reverse(f"ratings:{page}", args=[classroom.pk])
        kept = {"day": request.POST.get("day", "")} | kept
    query = urlencode(kept) + "&" if kept else ""
    return f"{address}?{query}saved={{pk}}"


@require_POST
def undo_game(request: HttpRequest, game_id: int) -> HttpResponse:
    """Take back a game right after it was recorded."""
    game = casual_game_to_change(request.user, game_id)
    services.void_game(game, by=request.user, reason=_("Undone"))
    messages.success(request, _("Taken back: %(game)s. Every rating is as before it.") % {"game": _spoken(game)})
    if game.classroom_id is None:
        return redirect("classes:classroom_list")
    page, kept = request.POST.get("back"), asking_for(game.rating_list)
    if page in {"record_game", "quick_entry"}:
        query = urlencode({"day": game.day} | kept)
        return redirect(f"{reverse(f'ratings:{page}', args=[game.classroom_id])}?{query}")
    query = f"?{urlencode(kept)}" if kept else ""
    return redirect(reverse("class_page", args=[game.classroom_id]) + query)


def _spoken(game: Game) -> str:
    return f"{game.white.full_name} {game.sign} {game.black.full_name}"


@require_safe
def my_games(request: HttpRequest) -> HttpResponse:
    """A student's complete history."""
    student = own_student(request.user)
    labels = labels_around(student, style=student.school.name_style)
    lists = list_choice(student.school, request.GET.get("list"))
    form = MyGamesFilterForm(
        request.GET or None, opponents=opponents_of(student, labels), kept=asking_for(lists.chosen)
    )
    chosen = form.cleaned_data if form.is_valid() else {}
    found = history_of(
        student,
        lists.chosen,
        opponent=int(chosen["opponent"]) if chosen.get("opponent") else None,
        outcome=chosen.get("outcome", ""),
    )
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    rows = history_rows(page, student, labels)
    return render(
        request,
        "ratings/my_games.html",
        {
            "student": student,
            "form": form,
            "page": page,
            "rows": rows,
            "lists": lists,
            "is_filtered": any(chosen.values()),
        },
    )
