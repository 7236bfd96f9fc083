"""Every field that can say something about a person: what it is for, and what becomes of it.

The table names all fields of all tables. A new field, table or relation that is not here fails a test, so that nobody
forgets to export or to erase it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from django.apps import apps
from django.db.models import Model


class Erase(StrEnum):
    """What erasing a student does with the field in the rows that are about them."""

    ROW = "the row is deleted"
    EMPTIED = "emptied"
    REPLACED = "replaced by words that say nothing about anybody"
    KEPT = "kept: it is part of what others did, and names nobody"
    EXPIRES = "ends by itself"


@dataclass(frozen=True, slots=True)
class Personal:
    """Fields that are about a person. `export`: the part of the export in which they are; empty: see `purpose`."""

    fields: str
    purpose: str
    export: str
    erase: Erase


@dataclass(frozen=True, slots=True)
class NotPersonal:
    """Fields that say nothing about a student."""

    fields: str
    reason: str


Entry = Personal | NotPersonal

KEY = NotPersonal("id", "a number")
_VERSION = NotPersonal(
    "history_id history_date history_type history_change_reason history_user",
    "when a row was changed, by which teacher, and how",
)


def _versions(table: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """The table of the old versions of rows: the same fields, treated in the same way, and when they were changed."""
    old = [
        replace(entry, export=entry.export and "changes") if isinstance(entry, Personal) else entry for entry in table
    ]
    return (*old, _VERSION)


STUDENT: tuple[Entry, ...] = (
    NotPersonal("id created_at", "number and age of the row, by which a restored backup knows who was erased"),
    NotPersonal("school", "which school it is"),
    Personal("first_name", "to call and to pair the student", "student", Erase.REPLACED),
    Personal("last_name", "to tell two students of one first name apart", "student", Erase.EMPTIED),
    Personal("grade", "to tell students apart and to sort them into classes", "student", Erase.EMPTIED),
    Personal("email", "only if a teacher enters it: to know the student again in a list", "student", Erase.EMPTIED),
    Personal("external_id", "only if a teacher enters it: to know the student again", "student", Erase.EMPTIED),
    Personal("user", "the student's login", "student", Erase.EMPTIED),
    Personal("off_boards", "that the name is not shown on boards", "student", Erase.EMPTIED),
    Personal("merged_into", "that two entries were one child; both are erased together", "student", Erase.KEPT),
    NotPersonal("erased_at", "when the data were erased"),
)
ENROLLMENT: tuple[Entry, ...] = (
    KEY,
    Personal("student classroom active left_at created_at", "who is in which class", "classes", Erase.KEPT),
)
GAME: tuple[Entry, ...] = (
    NotPersonal("id rating_list sequence recorded_by recorded_at voided_by", "the game's place, and teachers"),
    Personal("white black result day classroom origin voided_at", "what was played", "games", Erase.KEPT),
    Personal("note", "what the teacher wrote about the game", "games", Erase.REPLACED),
    Personal("void_reason", "why the teacher voided it", "games", Erase.REPLACED),
)
ADJUSTMENT: tuple[Entry, ...] = (
    NotPersonal("id rating_list sequence given_by given_at voided_by batch", "the place in the list, and teachers"),
    Personal("student points kind day classroom voided_at", "points outside games", "awards", Erase.KEPT),
    Personal("reason", "what the points are for; teachers and the student read it", "awards", Erase.REPLACED),
    Personal("void_reason", "why the teacher took them back", "awards", Erase.REPLACED),
)
PAIRING: tuple[Entry, ...] = (
    NotPersonal(
        "id entered_by entered_with entered_at game", "teachers and helpers, and the game, exported with the games"
    ),
    Personal("round board white black result", "who played whom in a tournament", "rounds", Erase.KEPT),
)
CLASSROOM: tuple[Entry, ...] = (
    NotPersonal("id school name school_year allows_negative_behaviour archived_at created_at", "about the class"),
)
ATTEMPT = "the name and address of a failed login, so that guessing is slowed down"

REGISTRY: dict[str, tuple[Entry, ...]] = {
    "classes.user": (
        KEY,
        Personal("username", "to log in", "student", Erase.ROW),
        Personal("name", "the name of a teacher; of a student the same as on the student's page", "student", Erase.ROW),
        Personal("password", "a hash: cannot be read, and is not exported", "", Erase.ROW),
        Personal("email", "of teachers, to reset a password; students have none", "student", Erase.ROW),
        Personal("last_login date_joined", "to see whether the login is used", "student", Erase.ROW),
        Personal("language", "to show the pages in it", "student", Erase.ROW),
        NotPersonal("role is_active is_staff is_superuser groups user_permissions", "what the account may do"),
    ),
    "classes.user_groups": (NotPersonal("id user group", "rights of staff; a student is never staff"),),
    "classes.user_user_permissions": (NotPersonal("id user permission", "rights of staff; a student is never staff"),),
    "classes.school": (
        NotPersonal("id name time_zone name_style term_starts retention_months is_demo created_at", "about the school"),
        NotPersonal("privacy_contact", "whom to ask at the school; chosen by the school and shown on its privacy page"),
    ),
    "classes.membership": (NotPersonal("id user school role", "which teacher is in which school"),),
    "classes.classroom": (*CLASSROOM, NotPersonal("teachers", "who teaches the class")),
    "classes.historicalclassroom": _versions(CLASSROOM),
    "classes.classroom_teachers": (NotPersonal("id classroom membership", "who teaches which class"),),
    "classes.student": STUDENT,
    "classes.historicalstudent": _versions(STUDENT),
    "classes.enrollment": ENROLLMENT,
    "classes.historicalenrollment": _versions(ENROLLMENT),
    "classes.usedkey": (
        NotPersonal("id key user action answer_url created_at", "that a form was sent; gone after seven days"),
        Personal("body_hash", "to know the same form again; cannot be read, and is not exported", "", Erase.EMPTIED),
    ),
    "classes.badge": (
        KEY,
        Personal("student made_at", "that the student has a badge to log in with", "student", Erase.ROW),
        Personal("token_hash", "a hash: cannot be read, and is not exported", "", Erase.ROW),
        NotPersonal("made_by", "a teacher"),
    ),
    "classes.logincode": (
        NotPersonal("id classroom made_by", "the class, and a teacher"),
        Personal(
            "student expires_at", "a code for one lesson; gone after ten minutes, and not exported", "", Erase.ROW
        ),
        Personal("code_hash", "a hash: cannot be read, and is not exported", "", Erase.ROW),
    ),
    "classes.invitation": (
        NotPersonal(
            "id school classroom role note token_hash invited_by invited_at expires_at used_at used_by",
            "of teachers; students are not invited",
        ),
    ),
    "classes.rollover": (
        NotPersonal("id school to_year batch made_by made_at undone_at", "about the school, and a teacher"),
        Personal("moved", "old grades, for the undo; not exported: they are among the changes", "", Erase.EMPTIED),
    ),
    "classes.merge": (
        Personal("kept merged merged_at undone_at", "that two entries were one child", "student", Erase.KEPT),
        NotPersonal("id moved merged_by", "numbers of rows, and a teacher"),
    ),
    "classes.auditevent": (
        Personal("at action about by", "logins, and what teachers did with the student's data", "logins", Erase.KEPT),
        NotPersonal("id school detail", "numbers only"),
    ),
    "ratings.ratinglist": (
        NotPersonal("id school name is_default start_rating shows_bands next_sequence version", "about the list"),
    ),
    "ratings.ratingrule": (
        NotPersonal(
            "id rating_list from_day kind k provisional_k provisional_games players_are_juniors floor", "about the list"
        ),
    ),
    "ratings.startrating": (
        KEY,
        Personal("student rating_list rating", "where the student began", "ratings", Erase.KEPT),
    ),
    "ratings.rating": (
        KEY,
        Personal("student rating_list rating peak", "how strong the student is", "ratings", Erase.KEPT),
        Personal("deviation entries wins draws losses", "how sure the number is", "ratings", Erase.KEPT),
        NotPersonal("last_change last_game_day recent", "repeats the end of the games"),
    ),
    "ratings.game": GAME,
    "ratings.historicalgame": _versions(GAME),
    "ratings.adjustment": ADJUSTMENT,
    "ratings.historicaladjustment": _versions(ADJUSTMENT),
    "ratings.ledgerentry": (
        NotPersonal("id sequence position", "the place in the list"),
        Personal("student rating_list game adjustment day", "what each game or award did", "ledger", Erase.KEPT),
        Personal(
            "before k expected score_halves change top_up after deviation", "the arithmetic", "ledger", Erase.KEPT
        ),
    ),
    "ratings.gameimport": (NotPersonal("id classroom file_hash games imported_at", "that a file was read"),),
    "ratings.economycheck": (NotPersonal("id classroom checked_on by", "that a teacher looked"),),
    "ratings.practiceset": (
        NotPersonal("id key adjustment", "numbers; the award is exported with the awards"),
        Personal("student piece level tries mistakes finished_at", "what was practised", "practice", Erase.ROW),
    ),
    "tournaments.tournament": (
        NotPersonal(
            "id school classroom name day system pairing_rule rounds seeding first_colour rated rating_list tie_breaks "
            "bye_halves created_by created_at finished_at cancelled_at",
            "about the event",
        ),
    ),
    "tournaments.entry": (
        NotPersonal("id acceleration", "a number, and how the pairing was made"),
        Personal("tournament student seed_rating seed_order", "that the student took part", "tournaments", Erase.KEPT),
        Personal("withdrawn_at created_at", "since and until when", "tournaments", Erase.KEPT),
    ),
    "tournaments.absence": (
        KEY,
        Personal("entry number kind", "a round in which the student was not there", "absences", Erase.KEPT),
    ),
    "tournaments.round": (
        NotPersonal("id tournament number day paired_by changed_by_hand created_by created_at", "about the event"),
    ),
    "tournaments.pairing": PAIRING,
    "tournaments.historicalpairing": _versions(PAIRING),
    "tournaments.seat": (NotPersonal("id round entry pairing", "repeats the pairing"),),
    "tournaments.helperlink": (
        NotPersonal("id tournament token_hash made_by made_at expires_at revoked_at", "about the event, and a teacher"),
    ),
    "tournaments.keepapart": (
        NotPersonal("id school", "numbers"),
        Personal("one other is_hard", "two who should not be paired, such as siblings", "kept_apart", Erase.ROW),
    ),
    # What the libraries keep.
    "axes.accessattempt": (
        KEY,
        Personal("username ip_address attempt_time failures_since_start", ATTEMPT, "failed_logins", Erase.ROW),
        NotPersonal("user_agent http_accept path_info get_data post_data", "the browser; goes with the row"),
    ),
    "axes.accessattemptexpiration": (NotPersonal("access_attempt expires_at", "goes with the attempt"),),
    "axes.accessfailurelog": (
        KEY,
        Personal("username ip_address attempt_time locked_out", ATTEMPT, "failed_logins", Erase.ROW),
        NotPersonal("user_agent http_accept path_info", "the browser; goes with the row"),
    ),
    "axes.accesslog": (
        KEY,
        Personal("username ip_address attempt_time logout_time", ATTEMPT, "failed_logins", Erase.ROW),
        NotPersonal("user_agent http_accept path_info session_hash", "switched off; goes with the row"),
    ),
    "sessions.session": (
        Personal("session_key session_data", "who is logged in on which device; not exported", "", Erase.ROW),
        Personal("expire_date", "twelve hours at most", "", Erase.EXPIRES),
    ),
    "admin.logentry": (
        NotPersonal("id action_time user content_type object_id action_flag", "what staff changed in the admin"),
        Personal("object_repr change_message", "how the changed row was called; not exported", "", Erase.REPLACED),
    ),
    "auth.group": (NotPersonal("id name permissions", "rights of staff"),),
    "auth.permission": (NotPersonal("id name content_type codename", "rights of staff"),),
    "auth.group_permissions": (NotPersonal("id group permission", "rights of staff"),),
    "contenttypes.contenttype": (NotPersonal("id app_label model", "names of tables"),),
}


def tables() -> list[type[Model]]:
    """Every table of the program, those of many-to-many fields and of old versions too."""
    return list(apps.get_models(include_auto_created=True))


def faults(models: list[type[Model]]) -> list[str]:
    """What the registry does not say about these tables, says twice, or says about what is not there."""
    found = [f"no such table: {label}" for label in REGISTRY.keys() - {model._meta.label_lower for model in models}]
    for model in models:
        label = model._meta.label_lower
        told = list(_names(REGISTRY.get(label, ())))
        real = {field.name for field in [*model._meta.fields, *model._meta.many_to_many]}
        found += [f"{label}.{name} is not in the registry" for name in real - set(told)]
        found += [f"{label}.{name} is in the registry, and is not there" for name in set(told) - real]
        found += [f"{label}.{name} is in the registry twice" for name in set(told) if told.count(name) > 1]
    return sorted(found)


def _names(entries: tuple[Entry, ...]) -> Iterator[str]:
    for entry in entries:
        yield from entry.fields.split()


def personal() -> Iterator[tuple[str, str, Personal]]:
    """Table, field and what is said of it, for every field about a person."""
    for label, entries in REGISTRY.items():
        for entry in entries:
            if isinstance(entry, Personal):
                for name in entry.fields.split():
                    yield label, name, entry
