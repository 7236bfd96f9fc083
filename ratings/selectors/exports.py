"""The games, the ledger and the leaderboard of a class as rows of a file.

Every text cell is one that a spreadsheet shows and never runs; numbers are numbers, days are ISO.
"""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterable
from typing import TypeAlias

from classes.core.csv_cells import safe_cell
from classes.core.names import full_labels
from classes.models import Classroom, Student
from classes.selectors import labels_in, names_of, students_in
from ratings.access import entries_of_classroom
from ratings.core.elo import WIN
from ratings.models import Game, RatingList
from ratings.selectors.boards import leaderboard

Row: TypeAlias = list[str | int | float]

GAMES = ["date", "white", "white_id", "black", "black_id", "result", "note", "origin", "recorded"]
LEDGER = [
    "date", "student", "student_id", "what", "colour", "opponent", "score",
    "before", "expected", "k", "change", "top_up", "after", "reason",
]  # fmt: skip
LEADERBOARD = ["rank", "student", "grade", "rating", "last_change", "games", "won", "drawn", "lost"]


def game_file_rows(classroom: Classroom, rating_list: RatingList) -> list[Row]:
    """The games of a class that count in a list, oldest first, as `import_games` reads them. Two queries.

    `recorded` is the time in the school's zone.
    """
    games = list(
        Game.objects.filter(classroom=classroom, rating_list=rating_list, voided_at=None)
        .select_related("white", "black")
        .order_by("day", "sequence")
    )
    labels = _labels(classroom, (player for game in games for player in (game.white, game.black)))
    zone = zoneinfo.ZoneInfo(classroom.school.time_zone)
    return [
        [
            game.day.isoformat(),
            safe_cell(labels[game.white_id]),
            safe_cell(game.white.external_id),
            safe_cell(labels[game.black_id]),
            safe_cell(game.black.external_id),
            game.result,
            safe_cell(game.note),
            game.origin,
            game.recorded_at.astimezone(zone).strftime("%Y-%m-%d %H:%M"),
        ]
        for game in games
    ]


def ledger_rows(classroom: Classroom, rating_list: RatingList) -> list[Row]:
    """What every game and adjustment did to the students of a class, oldest first, White before Black. Two queries."""
    found = entries_of_classroom(classroom, rating_list)
    entries = sorted(
        found.select_related("student", "game__white", "game__black", "adjustment"),
        key=lambda entry: (entry.day, entry.sequence, entry.game and entry.game.black_id == entry.student_id),
    )
    people = [entry.student for entry in entries]
    people += [player for entry in entries if entry.game for player in (entry.game.white, entry.game.black)]
    labels = _labels(classroom, people)
    rows: list[Row] = []
    for entry in entries:
        what, colour, opponent, reason = "", "", "", ""
        if entry.game:
            is_white = entry.game.white_id == entry.student_id
            what, colour = "game", "white" if is_white else "black"
            opponent = labels[entry.game.black_id if is_white else entry.game.white_id]
        elif entry.adjustment:
            what, reason = entry.adjustment.kind, entry.adjustment.reason
        rows.append(
            [
                entry.day.isoformat(),
                safe_cell(labels[entry.student_id]),
                safe_cell(entry.student.external_id),
                what,
                colour,
                safe_cell(opponent),
                "" if entry.score_halves is None else entry.score_halves / WIN,
                entry.before,
                "" if entry.expected is None else f"{entry.expected:.4f}",
                "" if entry.k is None else entry.k,
                entry.change,
                entry.top_up,
                entry.after,
                safe_cell(reason),
            ]
        )
    return rows


def leaderboard_rows(classroom: Classroom, rating_list: RatingList) -> list[Row]:
    """The board of a class with its shared places: 1, 2, 2, 4."""
    return [
        [
            row.rank,
            safe_cell(row.label),
            safe_cell(row.grade),
            row.rating,
            "" if row.last_change is None else row.last_change,
            row.wins + row.draws + row.losses,
            row.wins,
            row.draws,
            row.losses,
        ]
        for row in leaderboard(classroom, rating_list, labels_in(classroom))
    ]


def _labels(classroom: Classroom, others: Iterable[Student]) -> dict[int, str]:
    """Full names of a class and of whom it met, told apart: two of one name are never read back as one."""
    people = {student.pk: student for student in (*students_in(classroom), *others)}
    return full_labels(names_of(people.values()))
