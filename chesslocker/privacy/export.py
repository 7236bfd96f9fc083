"""All that is kept about one student, as a zip: readable HTML, JSON, and a CSV file for each part."""

from __future__ import annotations

import datetime
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, Q
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chesslocker.privacy.people import ATTEMPTS, names_ever, same_child
from chesslocker.privacy.registry import REGISTRY, Personal
from classes.core.csv_cells import csv_text, safe_cell
from classes.core.names import short_labels
from classes.models import AuditEvent, Badge, Enrollment, Merge, Student, User
from classes.selectors import names_of
from classes.services import Action, one_transaction, record_event
from ratings.models import Adjustment, Game, LedgerEntry, PracticeSet, Rating, StartRating
from tournaments.models import Absence, Entry, KeepApart, Pairing

Cell = str | int | float | bool | None
Table = tuple[dict[str, str], Iterable[tuple[Cell, ...]]]  # what JSON and CSV call a column -> its heading; rows

# The parts with their titles, in the order of the file; the registry says which field is in which.
SECTIONS = {
    "student": gettext_lazy("Name and login"),
    "classes": gettext_lazy("Classes"),
    "ratings": gettext_lazy("Ratings"),
    "games": gettext_lazy("Games"),
    "awards": gettext_lazy("Points outside games, with reasons"),
    "ledger": gettext_lazy("What each game and each award did to the rating"),
    "practice": gettext_lazy("Piece practice"),
    "tournaments": gettext_lazy("Tournaments"),
    "rounds": gettext_lazy("Rounds of tournaments"),
    "absences": gettext_lazy("Absences in tournaments"),
    "kept_apart": gettext_lazy("Not to be paired with"),
    "changes": gettext_lazy("Earlier versions"),
    "logins": gettext_lazy("Logins, and what was done with the data"),
    "failed_logins": gettext_lazy("Failed logins"),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A table of the export. `columns`: the names that JSON and CSV use -> what the page says."""

    key: str
    title: str
    columns: dict[str, str]
    rows: list[tuple[Cell, ...]]

    def records(self) -> list[dict[str, Cell]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@one_transaction
def export_student(student: Student, *, by: User) -> bytes:
    """The zip. Noted in the audit trail. Other students appear by their short names, teachers not at all."""
    parts = parts_of(student)
    record_event(action=Action.STUDENT_EXPORTED, school=student.school, by=by, about=f"student:{student.pk}")
    return zipped(student, parts)


def zipped(student: Student, parts: list[Part]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        context = {"student": student, "parts": parts, "made": timezone.now()}
        archive.writestr("index.html", render_to_string("privacy/export.html", context))
        data = {part.key: part.records() for part in parts}
        archive.writestr("data.json", json.dumps(data, ensure_ascii=False, indent=1))
        for part in parts:
            archive.writestr(f"csv/{part.key}.csv", _csv(part))
    return file.getvalue()


def _csv(part: Part) -> str:
    """Text in it can never be run as a formula."""
    rows = ([safe_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in part.rows)
    return csv_text([part.columns, *rows])


def parts_of(student: Student) -> list[Part]:
    """Every part, in a fixed number of queries."""
    return list(_Reader(student).parts())


def _at(moment: datetime.datetime | None) -> str | None:
    """In the time zone that is active: the school's."""
    return None if moment is None else timezone.localtime(moment).isoformat(" ", "seconds")


def _on(day: datetime.date | None) -> str | None:
    return None if day is None else day.isoformat()


class _Reader:
    """Reads what is kept about one child, who may have been two entries once."""

    def __init__(self, student: Student) -> None:
        self.student = student
        self.students = same_child(student)
        self.ids = [one.pk for one in self.students]
        self.games = list(
            Game.objects.filter(Q(white__in=self.ids) | Q(black__in=self.ids)).select_related(
                "rating_list", "classroom"
            )
        )
        self.awards = list(Adjustment.objects.filter(student__in=self.ids).select_related("rating_list", "classroom"))
        self.entries = list(Entry.objects.filter(student__in=self.ids).select_related("tournament"))
        self.pairings = list(
            Pairing.objects.filter(seats__entry__in=self.entries)
            .select_related("round__tournament", "white", "black")
            .order_by("round__tournament", "round__number")
        )
        self.apart = list(KeepApart.objects.filter(Q(one__in=self.ids) | Q(other__in=self.ids)))
        self.versions = dict(self._versions())
        self.labels = self._labels()

    def _versions(self) -> Iterator[tuple[type[Model], list[Any]]]:
        """The old versions of rows, table by table."""
        own, players = self.ids, [entry.pk for entry in self.entries]
        asked: dict[type[Model], Q] = {
            Student: Q(id__in=own),
            Enrollment: Q(student_id__in=own),
            Game: Q(white_id__in=own) | Q(black_id__in=own),
            Adjustment: Q(student_id__in=own),
            Pairing: Q(white_id__in=players) | Q(black_id__in=players),
        }
        for model, query in asked.items():
            yield model, list(model.history.filter(query).order_by("history_date", "history_id"))  # type: ignore[attr-defined]

    def _labels(self) -> dict[int, str]:
        """The child by the full name, everybody else by the short one; entries of tournaments by their students."""
        met = {pk for game in [*self.games, *self.versions[Game]] for pk in (game.white_id, game.black_id)}
        met |= {pk for pair in self.apart for pk in (pair.one_id, pair.other_id)}
        met |= {side.student_id for pairing in self.pairings for side in (pairing.white, pairing.black) if side}
        labels = short_labels(names_of(Student.objects.filter(pk__in=met - set(self.ids))))
        return labels | dict.fromkeys(self.ids, self.student.full_name)

    def parts(self) -> Iterator[Part]:
        readers = {
            "student": self._student,
            "classes": self._classes,
            "ratings": self._ratings,
            "games": self._games,
            "awards": self._awards,
            "ledger": self._ledger,
            "practice": self._practice,
            "tournaments": self._tournaments,
            "rounds": self._rounds,
            "absences": self._absences,
            "kept_apart": self._kept_apart,
            "changes": self._changes,
            "logins": self._logins,
            "failed_logins": self._failed_logins,
        }
        for key, title in SECTIONS.items():
            columns, rows = readers[key]()
            yield Part(key, str(title), columns, [tuple(row) for row in rows])

    def _student(self) -> Table:
        badges = dict(Badge.objects.filter(student__in=self.ids).values_list("student", "made_at"))
        merges = Merge.objects.filter(Q(kept__in=self.ids) | Q(merged__in=self.ids), undone_at=None)
        merged = {merge.merged_id: _at(merge.merged_at) for merge in merges}
        columns = {
            "number": _("Number"), "first_name": _("First name"), "last_name": _("Last name"), "grade": _("Grade"),
            "email": _("E-mail"), "external_id": _("School’s own id"), "off_boards": _("Not on boards"),
            "added": _("Added"), "username": _("User name"), "name": _("Name of the login"),
            "login_email": _("E-mail of the login"), "language": _("Language"), "login_made": _("Login made"),
            "last_login": _("Last login"), "badge_made": _("Badge made"), "merged": _("Merged as the same child"),
        }  # fmt: skip
        rows = []
        for one in self.students:
            user = one.user
            login = (
                (user.username, user.name, user.email, user.language, _at(user.date_joined), _at(user.last_login))
                if user
                else (None,) * 6
            )
            own = (one.pk, one.first_name, one.last_name, one.grade, one.email, one.external_id, one.off_boards)
            rows.append((*own, _at(one.created_at), *login, _at(badges.get(one.pk)), merged.get(one.pk)))
        return columns, rows

    def _classes(self) -> Table:
        enrollments = Enrollment.objects.filter(student__in=self.ids).select_related("classroom")
        columns = {"class": _("Class"), "year": _("School year"), "active": _("Active"), "since": _("Since")}
        return columns, (
            (one.classroom.name, one.classroom.school_year_name, one.active, _at(one.created_at)) for one in enrollments
        )

    def _ratings(self) -> Table:
        own = StartRating.objects.filter(student__in=self.ids).select_related("rating_list")
        starts = {(one.rating_list, one.student_id): one.rating for one in own}
        now = Rating.objects.filter(student__in=self.ids).select_related("rating_list")
        columns = {
            "list": _("List"), "start": _("Start"), "rating": _("Rating"), "best": _("Best"),
            "deviation": _("Deviation"), "entries": _("Games and awards"), "won": _("Won"), "drawn": _("Drawn"),
            "lost": _("Lost"),
        }  # fmt: skip
        rows: list[tuple[Cell, ...]] = [
            (
                one.rating_list.name, starts.pop((one.rating_list, one.student_id), one.rating_list.start_rating),
                one.rating, one.peak, round(one.deviation, 1), one.entries, one.wins, one.draws, one.losses,
            )
            for one in now
        ]  # fmt: skip
        rows += [(one.name, start, start, start, None, 0, 0, 0, 0) for (one, _student), start in starts.items()]
        return columns, rows

    def _games(self) -> Table:
        columns = {
            "number": _("Number"), "day": _("Day"), "white": _("White"), "black": _("Black"), "result": _("Result"),
            "list": _("List"), "class": _("Class"), "origin": _("Kind"), "note": _("Note"), "voided": _("Voided"),
            "void_reason": _("Reason for voiding"),
        }  # fmt: skip
        return columns, (
            (
                game.pk, _on(game.day), self.labels[game.white_id], self.labels[game.black_id], game.sign,
                game.rating_list.name, game.classroom.name if game.classroom else None, game.get_origin_display(),
                game.note, _at(game.voided_at), game.void_reason,
            )
            for game in self.games
        )  # fmt: skip

    def _awards(self) -> Table:
        columns = {
            "number": _("Number"), "day": _("Day"), "points": _("Points"), "kind": _("Kind"), "reason": _("Reason"),
            "list": _("List"), "class": _("Class"), "voided": _("Voided"), "void_reason": _("Reason for voiding"),
        }  # fmt: skip
        return columns, (
            (
                one.pk, _on(one.day), one.points, one.get_kind_display(), one.reason, one.rating_list.name,
                one.classroom.name if one.classroom else None, _at(one.voided_at), one.void_reason,
            )
            for one in self.awards
        )  # fmt: skip

    def _ledger(self) -> Table:
        entries = LedgerEntry.objects.filter(student__in=self.ids).select_related("rating_list")
        columns = {
            "list": _("List"), "day": _("Day"), "game": _("Game"), "award": _("Award"), "before": _("Before"),
            "k": _("K"), "expected": _("Expected score"), "score": _("Score"), "change": _("Change"),
            "top_up": _("Floor top-up"), "after": _("After"), "deviation": _("Deviation"),
        }  # fmt: skip
        return columns, (
            (
                one.rating_list.name, _on(one.day), one.game_id, one.adjustment_id, one.before, one.k, one.expected,
                None if one.score_halves is None else one.score_halves / 2, one.change, one.top_up, one.after,
                round(one.deviation, 1),
            )
            for one in entries.order_by("rating_list", "position")
        )  # fmt: skip

    def _practice(self) -> Table:
        columns = {
            "finished": _("Finished"), "piece": _("Piece"), "level": _("Level"), "exercises": _("Exercises"),
            "mistakes": _("Mistakes"),
        }  # fmt: skip
        return columns, (
            (_at(one.finished_at), one.get_piece_display(), one.level, one.tries, one.mistakes)
            for one in PracticeSet.objects.filter(student__in=self.ids)
        )

    def _tournaments(self) -> Table:
        columns = {
            "tournament": _("Tournament"), "day": _("First day"), "start_rating": _("Rating at the start"),
            "start_number": _("Number at the start"), "entered": _("Entered"), "withdrawn": _("Withdrawn"),
        }  # fmt: skip
        return columns, (
            (
                one.tournament.name, _on(one.tournament.day), one.seed_rating, one.seed_order, _at(one.created_at),
                _at(one.withdrawn_at),
            )
            for one in self.entries
        )  # fmt: skip

    def _rounds(self) -> Table:
        columns = {
            "tournament": _("Tournament"), "round": _("Round"), "day": _("Day"), "board": _("Board"),
            "white": _("White"), "black": _("Black"), "result": _("Result"), "game": _("Game"),
        }  # fmt: skip
        return columns, (
            (
                one.round.tournament.name, one.round.number, _on(one.round.day), one.board,
                self.labels[one.white.student_id], self.labels[one.black.student_id] if one.black else None, one.sign,
                one.game_id,
            )
            for one in self.pairings
        )  # fmt: skip

    def _absences(self) -> Table:
        columns = {"tournament": _("Tournament"), "round": _("Round"), "kind": _("Kind")}
        absences = Absence.objects.filter(entry__in=self.entries).select_related("entry__tournament")
        return columns, ((one.entry.tournament.name, one.number, one.get_kind_display()) for one in absences)

    def _kept_apart(self) -> Table:
        columns = {"student": _("Student"), "never": _("Never")}
        return columns, (
            (self.labels[pair.other_id if pair.one_id in self.ids else pair.one_id], pair.is_hard)
            for pair in self.apart
        )

    def _changes(self) -> Table:
        """The personal fields of every old version; which these are, the registry says."""
        columns = {
            "when": _("When"),
            "about": _("About"),
            "number": _("Number"),
            "field": _("Field"),
            "value": _("Value"),
        }
        rows: list[tuple[Cell, ...]] = []
        for model, versions in self.versions.items():
            fields = _personal_fields(model)
            seen: dict[int, dict[str, Cell]] = {}
            for version in versions:
                values = {name: self._value(model, version, name) for name in fields}
                before = seen.get(version.id, {})
                rows += [
                    (_at(version.history_date), str(model._meta.verbose_name), version.id, name, value)
                    for name, value in values.items()
                    if value not in {None, ""} and before.get(name) != value
                ]
                seen[version.id] = values
        return columns, rows

    def _value(self, model: type[Model], version: Any, name: str) -> Cell:
        """A field of an old version; students by name, other rows by number."""
        field: Any = model._meta.get_field(name)
        value: Any = getattr(version, field.attname)
        if field.related_model is Student:
            return str(self.labels.get(value, value))
        if isinstance(value, datetime.datetime):
            return _at(value)
        cell: Cell = value.isoformat() if isinstance(value, datetime.date) else value
        return cell

    def _logins(self) -> Table:
        accounts = [one.user_id for one in self.students if one.user_id]
        about = [f"student:{pk}" for pk in self.ids] + [f"user:{pk}" for pk in accounts]
        events = AuditEvent.objects.filter(Q(by__in=accounts) | Q(about__in=about))
        words: Mapping[str, Any] = dict(Action.choices)
        columns = {"when": _("When"), "what": _("What"), "by": _("By")}
        own, somebody = _("the student"), _("somebody else, or nobody logged in")
        return columns, (
            (_at(one.at), str(words.get(one.action, one.action)), own if one.by_id in accounts else somebody)
            for one in events
        )

    def _failed_logins(self) -> Table:
        names = names_ever(self.students).usernames
        columns = {"when": _("When"), "username": _("User name"), "address": _("Address"), "times": _("Times")}
        return columns, (
            (_at(one.attempt_time), one.username, one.ip_address, getattr(one, "failures_since_start", 1))
            for model in ATTEMPTS
            for one in model.objects.filter(username__in=names)
        )


def _personal_fields(model: type[Model]) -> list[str]:
    return [
        name
        for entry in REGISTRY[model._meta.label_lower]
        if isinstance(entry, Personal) and entry.export
        for name in entry.fields.split()
    ]
