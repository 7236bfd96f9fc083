"""Tournaments in the admin: to be searched and read. They are changed on the site, through the services."""

from __future__ import annotations

from django.contrib import admin

from classes.admin import ReadOnly, WithHistory
from tournaments.models import Absence, Entry, KeepApart, Pairing, Round, Tournament


@admin.register(Tournament)
class TournamentAdmin(ReadOnly):
    list_display = ("day", "name", "classroom", "school", "system", "rounds", "rated", "finished_at", "cancelled_at")
    list_filter = ("system", "rated", "school")
    search_fields = ("name", "classroom__name", "school__name")
    date_hierarchy = "day"
    list_select_related = ("classroom", "school")


@admin.register(Entry)
class EntryAdmin(ReadOnly):
    list_display = ("tournament", "seed_order", "student", "seed_rating", "withdrawn_at")
    search_fields = ("student__first_name", "student__last_name", "tournament__name")
    list_select_related = ("student", "tournament")


@admin.register(Absence)
class AbsenceAdmin(ReadOnly):
    list_display = ("entry", "number", "kind")
    search_fields = ("entry__student__first_name", "entry__student__last_name", "entry__tournament__name")
    list_select_related = ("entry__student", "entry__tournament")


@admin.register(Round)
class RoundAdmin(ReadOnly):
    list_display = ("tournament", "number", "day", "paired_by", "changed_by_hand", "created_by")
    search_fields = ("tournament__name",)
    list_select_related = ("tournament", "created_by")


@admin.register(Pairing)
class PairingAdmin(ReadOnly, WithHistory):
    list_display = ("round", "board", "white", "sign", "black", "entered_by", "entered_at")
    search_fields = ("white__student__first_name", "black__student__first_name", "round__tournament__name")
    list_select_related = (
        "round__tournament",
        "white__student",
        "white__tournament",
        "black__student",
        "black__tournament",
        "entered_by",
    )


@admin.register(KeepApart)
class KeepApartAdmin(ReadOnly):
    list_display = ("one", "other", "is_hard", "school")
    search_fields = ("one__first_name", "one__last_name", "other__first_name", "other__last_name")
    list_select_related = ("one", "other", "school")
