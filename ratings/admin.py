"""The record in the admin: to be searched and read; a game or adjustment is changed only through the services."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from classes.admin import ReadOnly, WithHistory
from ratings import services
from ratings.models import (
    Adjustment,
    EconomyCheck,
    Game,
    GameImport,
    LedgerEntry,
    PracticeSet,
    Rating,
    RatingList,
    RatingRule,
    StartRating,
)


class ThroughServices(WithHistory):
    """Void and un-void from the list, one by one or several; each through its service. Nothing is added here."""

    actions = ("void", "unvoid")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.display(boolean=True, description=_("counts"))
    def counts(self, posting: Game | Adjustment) -> bool:
        return not posting.is_void


@admin.register(Game)
class GameAdmin(ThroughServices):
    list_display = ("day", "white", "sign", "black", "classroom", "rating_list", "counts")
    list_filter = ("origin", "result", ("voided_at", admin.EmptyFieldListFilter), "rating_list")
    search_fields = (
        "white__first_name", "white__last_name", "black__first_name", "black__last_name", "note", "classroom__name",
    )  # fmt: skip
    date_hierarchy = "day"
    list_select_related = ("white", "black", "classroom", "rating_list")
    autocomplete_fields = ("white", "black")
    fields = ("white", "black", "result", "day", "note")

    @admin.action(description=_("Void"), permissions=["change"])
    def void(self, request: HttpRequest, queryset: Any) -> None:
        for game in queryset:
            services.void_game(game, by=request.user, reason=_("Voided in the administration"))

    @admin.action(description=_("Count again"), permissions=["change"])
    def unvoid(self, request: HttpRequest, queryset: Any) -> None:
        for game in queryset:
            services.unvoid_game(game, by=request.user)

    def get_form(self, request: HttpRequest, obj: Game | None = None, change: bool = False, **kwargs: Any) -> Any:
        class CorrectionForm(forms.ModelForm):
            def clean_day(self) -> Any:
                if self.cleaned_data["day"] > self.instance.rating_list.school.today():
                    raise ValidationError(_("The day lies in the future."))
                return self.cleaned_data["day"]

            def clean(self) -> dict[str, Any]:
                cleaned = super().clean() or {}
                for side in ("white", "black"):
                    player = cleaned.get(side)
                    if player and player.school_id != self.instance.rating_list.school_id:
                        self.add_error(side, _("This student belongs to another school."))
                return cleaned

        return super().get_form(request, obj, change, form=CorrectionForm, **kwargs)

    def save_model(self, request: HttpRequest, obj: Game, form: Any, change: bool) -> None:
        values = {name: form.cleaned_data[name] for name in ("white", "black", "result", "day", "note")}
        services.correct_game(Game.objects.get(pk=obj.pk), by=request.user, **values)


@admin.register(Adjustment)
class AdjustmentAdmin(ThroughServices):
    list_display = ("day", "student", "points", "kind", "reason", "given_by", "counts")
    list_filter = ("kind", ("voided_at", admin.EmptyFieldListFilter), "rating_list")
    search_fields = ("student__first_name", "student__last_name", "reason")
    date_hierarchy = "day"
    list_select_related = ("student", "given_by")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        # The list may be acted on; a single adjustment is voided and given anew, never edited.
        return obj is None and super().has_change_permission(request, obj)

    @admin.action(description=_("Void"), permissions=["change"])
    def void(self, request: HttpRequest, queryset: Any) -> None:
        for adjustment in queryset:
            services.void_adjustment(adjustment, by=request.user, reason=_("Voided in the administration"))

    @admin.action(description=_("Count again"), permissions=["change"])
    def unvoid(self, request: HttpRequest, queryset: Any) -> None:
        for adjustment in queryset:
            services.unvoid_adjustment(adjustment, by=request.user)


@admin.register(LedgerEntry)
class LedgerEntryAdmin(ReadOnly):
    list_display = ("day", "student", "before", "change", "top_up", "after", "rating_list")
    search_fields = ("student__first_name", "student__last_name")
    list_filter = ("rating_list",)
    list_select_related = ("student", "rating_list")


@admin.register(Rating)
class RatingAdmin(ReadOnly):
    list_display = ("student", "rating", "peak", "wins", "draws", "losses", "rating_list")
    search_fields = ("student__first_name", "student__last_name")
    list_filter = ("rating_list",)
    list_select_related = ("student", "rating_list")


@admin.register(StartRating)
class StartRatingAdmin(ReadOnly):
    list_display = ("student", "rating", "rating_list")
    search_fields = ("student__first_name", "student__last_name")
    list_select_related = ("student", "rating_list")


@admin.register(RatingList)
class RatingListAdmin(ReadOnly):
    list_display = ("name", "school", "start_rating", "is_default")
    search_fields = ("name", "school__name")
    list_select_related = ("school",)


@admin.register(RatingRule)
class RatingRuleAdmin(ReadOnly):
    list_display = ("rating_list", "from_day", "kind", "k", "floor")
    search_fields = ("rating_list__name", "rating_list__school__name")
    list_select_related = ("rating_list",)


@admin.register(EconomyCheck)
class EconomyCheckAdmin(ReadOnly):
    list_display = ("classroom", "checked_on", "by")
    search_fields = ("classroom__name",)
    list_select_related = ("classroom", "by")


@admin.register(GameImport)
class GameImportAdmin(ReadOnly):
    list_display = ("classroom", "games", "imported_at")
    search_fields = ("classroom__name",)
    list_select_related = ("classroom",)


@admin.register(PracticeSet)
class PracticeSetAdmin(ReadOnly):
    list_display = ("finished_at", "student", "piece", "level", "tries", "mistakes", "adjustment")
    search_fields = ("student__first_name", "student__last_name")
    list_select_related = ("student", "adjustment__student")
