"""The games, the ledger and the leaderboard of a class as files for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from classes.access import classroom_for_teacher
from classes.core.csv_cells import csv_text
from classes.models import Classroom
from ratings.access import list_choice
from ratings.selectors import exports


@require_safe
def games_csv(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """As `manage.py import_games` reads them."""
    classroom = classroom_for_teacher(request.user, classroom_id)
    chosen = list_choice(classroom.school, request.GET.get("list")).chosen
    return _file(classroom, "games", exports.GAMES, exports.game_file_rows(classroom, chosen))


@require_safe
def ledger_csv(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = classroom_for_teacher(request.user, classroom_id)
    chosen = list_choice(classroom.school, request.GET.get("list")).chosen
    return _file(classroom, "ledger", exports.LEDGER, exports.ledger_rows(classroom, chosen))


@require_safe
def leaderboard_csv(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = classroom_for_teacher(request.user, classroom_id)
    chosen = list_choice(classroom.school, request.GET.get("list")).chosen
    return _file(classroom, "leaderboard", exports.LEADERBOARD, exports.leaderboard_rows(classroom, chosen))


def _file(classroom: Classroom, what: str, head: list[str], rows: Iterable[exports.Row]) -> HttpResponse:
    """The text cells are safe already."""
    response = HttpResponse(csv_text([head, *rows]), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{classroom.name}-{what}.csv")
    return response
