from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from simple_history.admin import SimpleHistoryAdmin

from classes.models import Classroom, Enrollment, Membership, School, Student, UsedKey, User


class NoBulkDelete(admin.ModelAdmin):
    """Records are deleted one by one on the site, with its rules, and never by the dozen."""

    def get_actions(self, request: HttpRequest) -> dict[str, object]:
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions


class NoDelete(NoBulkDelete):
    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class WithHistory(NoDelete, SimpleHistoryAdmin):
    """With the old versions of each record. Going back to one is a change, and needs the right to change."""

    def history_form_view(
        self, request: HttpRequest, object_id: str, version_id: str, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        if request.method == "POST":
            record = self.get_object(request, object_id)
            if record is None or not self.has_change_permission(request, record):
                raise PermissionDenied
        return super().history_form_view(request, object_id, version_id, extra_context)


class ReadOnly(NoDelete):
    """To be looked at."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(User)
class UserAdmin(NoDelete, DjangoUserAdmin):
    list_display = ("username", "name", "role", "is_active", "is_staff", "last_login")
    list_filter = ("role", "is_active", "is_staff", "is_superuser")
    search_fields = ("username", "name", "email")
    ordering = ("username",)
    fieldsets = (
        (None, {"fields": ("username", "password", "role")}),
        (_("Person"), {"fields": ("name", "email")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"classes": ("wide",), "fields": ("username", "name", "role", "password1", "password2")}),)


@admin.register(School)
class SchoolAdmin(NoDelete):
    list_display = ("name", "time_zone", "name_style", "is_demo", "created_at")
    search_fields = ("name",)
    ordering = ("name", "pk")


@admin.register(Membership)
class MembershipAdmin(NoBulkDelete):
    list_display = ("user", "school", "role")
    list_filter = ("role", "school")
    search_fields = ("user__username", "user__name", "school__name")
    ordering = ("user__name", "pk")
    autocomplete_fields = ("user", "school")
    list_select_related = ("user", "school")


@admin.register(Classroom)
class ClassroomAdmin(WithHistory):
    list_display = ("name", "school", "school_year", "archived_at")
    list_filter = ("school_year", "school")
    search_fields = ("name", "school__name")
    autocomplete_fields = ("school", "teachers")
    list_select_related = ("school",)


@admin.register(Student)
class StudentAdmin(WithHistory):
    list_display = ("full_name", "grade", "school", "external_id", "user")
    list_filter = ("school",)
    search_fields = ("first_name", "last_name", "external_id", "user__username")
    autocomplete_fields = ("school", "user")
    list_select_related = ("school", "user")


@admin.register(Enrollment)
class EnrollmentAdmin(WithHistory):
    list_display = ("student", "classroom", "active", "created_at")
    list_filter = ("active", "classroom__school")
    search_fields = ("student__first_name", "student__last_name", "classroom__name")
    autocomplete_fields = ("student", "classroom")
    list_select_related = ("student", "classroom")


@admin.register(UsedKey)
class UsedKeyAdmin(ReadOnly):
    list_display = ("action", "user", "created_at")
    search_fields = ("action", "user__username")
    list_select_related = ("user",)
