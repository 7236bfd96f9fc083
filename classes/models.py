"""Who is here: accounts, schools, classes, students. Knows nothing of chess."""

from __future__ import annotations

import datetime
import functools
import zoneinfo
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from classes.core.usernames import normalise
from classes.core.years import DEFAULT_TERM_STARTS, school_year_name


@functools.cache
def time_zones() -> frozenset[str]:
    """The names of all time zones. Asking for them walks through hundreds of files, so it is done once."""
    return frozenset(zoneinfo.available_timezones())


def validate_time_zone(value: str) -> None:
    if value not in time_zones():
        raise ValidationError(
            _("“%(value)s” is not a time zone; an example is Europe/Berlin."), params={"value": value}
        )


def validate_term_starts(value: list[str]) -> None:
    """A list of days of the year as `MM-DD`, in which the terms of a school year begin."""
    try:
        days = [datetime.date.fromisoformat(f"2000-{day}") for day in value]
    except (TypeError, ValueError) as error:
        raise ValidationError(_("Each term needs a start day like 09-01 (month-day).")) from error
    if not days or len(set(days)) != len(days):
        raise ValidationError(_("Give at least one term; no two may start on the same day."))


def default_term_starts() -> list[str]:
    return list(DEFAULT_TERM_STARTS)


class User(AbstractUser):
    """An account. A student account can never be staff."""

    class Role(models.TextChoices):
        TEACHER = "teacher", _("Teacher")
        STUDENT = "student", _("Student")

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    name = models.CharField(_("name"), max_length=150, blank=True)
    role = models.CharField(_("role"), max_length=10, choices=Role, default=Role.TEACHER)
    language = models.CharField(
        _("language"), max_length=10, blank=True, help_text=_("Empty: the one that the browser asks for.")
    )

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        constraints = (
            models.CheckConstraint(
                name="user_name_is_lower_case",
                condition=Q(username=Lower("username")),
                violation_error_message=_("User names are written in lower case."),
            ),
            models.CheckConstraint(
                name="student_account_is_never_staff",
                condition=~Q(role="student") | Q(is_staff=False, is_superuser=False),
                violation_error_message=_("A student account cannot be staff."),
            ),
        )

    def clean(self) -> None:
        super().clean()
        self.username = normalise(self.username)

    def get_full_name(self) -> str:
        return self.name or self.username

    def get_short_name(self) -> str:
        return self.get_full_name()

    @property
    def is_student(self) -> bool:
        return self.role == self.Role.STUDENT


class School(models.Model):
    """The tenant: a school or a club. Owns everything below it."""

    class NameStyle(models.TextChoices):
        SHORT = "short", _("Short (Mia K.)")
        FULL = "full", _("Full (Mia Kowalczyk)")

    name = models.CharField(_("name"), max_length=120)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[validate_time_zone])
    name_style = models.CharField(
        _("names on boards"),
        max_length=10,
        choices=NameStyle,
        default=NameStyle.SHORT,
        help_text=_("How names are written on boards, projector and print."),
    )
    term_starts = models.JSONField(_("terms start on"), default=default_term_starts, validators=[validate_term_starts])
    retention_months = models.PositiveSmallIntegerField(
        _("months to keep"),
        default=12,
        validators=[MinValueValidator(1), MaxValueValidator(60)],
        help_text=_("How long data of students who are in no open class are kept, before they are due to be erased."),
    )
    privacy_contact = models.CharField(
        _("contact for privacy"), max_length=200, blank=True, help_text=_("Who answers questions of parents.")
    )
    is_demo = models.BooleanField(_("demo school"), default=False, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("school")
        verbose_name_plural = _("schools")
        constraints = (models.CheckConstraint(name="school_has_a_name", condition=~Q(name="")),)

    def __str__(self) -> str:
        return self.name

    def today(self) -> datetime.date:
        """The calendar day in the school's time zone."""
        return timezone.now().astimezone(zoneinfo.ZoneInfo(self.time_zone)).date()


class Membership(models.Model):
    """A teacher in a school. One school per account."""

    class Role(models.TextChoices):
        LEAD = "lead", _("Lead teacher")
        TEACHER = "teacher", _("Teacher")

    user = models.OneToOneField(User, models.CASCADE, related_name="membership", verbose_name=_("account"))
    school = models.ForeignKey(School, models.PROTECT, related_name="memberships", verbose_name=_("school"))
    role = models.CharField(_("role"), max_length=10, choices=Role, default=Role.TEACHER)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")

    def __str__(self) -> str:
        return f"{self.user.get_full_name()} ({self.get_role_display()})"

    @property
    def is_lead(self) -> bool:
        return self.role == self.Role.LEAD


class Classroom(models.Model):
    """A class, a group, a club evening: whose games and leaderboard belong together."""

    school = models.ForeignKey(School, models.PROTECT, related_name="classrooms", verbose_name=_("school"))
    name = models.CharField(_("name"), max_length=80)
    school_year = models.PositiveSmallIntegerField(_("school year"), help_text=_("The year in which it begins."))
    teachers = models.ManyToManyField(Membership, related_name="classrooms", verbose_name=_("teachers"))
    allows_negative_behaviour = models.BooleanField(
        _("minus points for behaviour"), default=False, help_text=_("Most classes do better without them.")
    )
    archived_at = models.DateTimeField(_("archived"), null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    history = HistoricalRecords()

    class Meta:
        verbose_name = _("class")
        verbose_name_plural = _("classes")
        ordering = ("name", "pk")
        constraints = (
            models.CheckConstraint(name="classroom_has_a_name", condition=~Q(name="")),
            models.UniqueConstraint(
                "school",
                "school_year",
                Lower("name"),
                condition=Q(archived_at=None),
                name="classroom_name_is_free",
                violation_error_message=_("There is already a class of this name in this school year."),
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None

    @property
    def school_year_name(self) -> str:
        return school_year_name(self.school_year)


class Student(models.Model):
    """A pupil of a school. No birth date: the grade is enough."""

    school = models.ForeignKey(School, models.PROTECT, related_name="students", verbose_name=_("school"))
    first_name = models.CharField(_("first name"), max_length=80)
    last_name = models.CharField(_("last name"), max_length=80, blank=True)
    grade = models.CharField(_("grade"), max_length=20, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    external_id = models.CharField(
        _("school's own id"),
        max_length=64,
        blank=True,
        help_text=_("The id in the school's own system, if it has one."),
    )
    user = models.OneToOneField(
        User, models.SET_NULL, null=True, blank=True, related_name="student", verbose_name=_("account")
    )
    off_boards = models.BooleanField(
        _("not on boards"), default=False, help_text=_("Left off leaderboards, projector and print.")
    )
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, editable=False, related_name="+", verbose_name=_("same child as")
    )
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    history = HistoricalRecords()

    class Meta:
        verbose_name = _("student")
        verbose_name_plural = _("students")
        ordering = ("first_name", "last_name", "pk")
        constraints = (
            models.CheckConstraint(name="student_has_a_first_name", condition=~Q(first_name="")),
            models.UniqueConstraint(
                fields=("school", "external_id"),
                condition=~Q(external_id=""),
                name="student_external_id_is_free",
                violation_error_message=_("Another student of the school has this id."),
            ),
        )

    def __str__(self) -> str:
        return self.full_name

    @property
    def full_name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()


class Enrollment(models.Model):
    """A student in a classroom. Inactive: out of lists and boards, history kept.

    `left_at`: moved on to another class. From then on the teachers of this one see what happened here, and no more.
    """

    student = models.ForeignKey(Student, models.CASCADE, related_name="enrollments", verbose_name=_("student"))
    classroom = models.ForeignKey(Classroom, models.PROTECT, related_name="enrollments", verbose_name=_("class"))
    active = models.BooleanField(_("active"), default=True)
    left_at = models.DateTimeField(_("moved to another class"), null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    history = HistoricalRecords()

    class Meta:
        verbose_name = _("enrollment")
        verbose_name_plural = _("enrollments")
        constraints = (
            models.UniqueConstraint(
                fields=("student", "classroom"),
                name="student_is_enrolled_once",
                violation_error_message=_("This student is already in this class."),
            ),
        )

    def __str__(self) -> str:
        return f"{self.student} · {self.classroom}"


class UsedKey(models.Model):
    """A one-time key of a form, with the answer that was given to it. Purged after seven days."""

    key = models.UUIDField(_("key"), unique=True)
    user = models.ForeignKey(User, models.CASCADE, related_name="+", verbose_name=_("account"))
    action = models.CharField(_("action"), max_length=40)
    body_hash = models.CharField(_("hash of the form"), max_length=64)
    answer_url = models.CharField(_("answer"), max_length=300)
    created_at = models.DateTimeField(_("used"), default=timezone.now, db_index=True)

    class Meta:
        verbose_name = _("used key")
        verbose_name_plural = _("used keys")

    def __str__(self) -> str:
        return f"{self.action} {self.key}"


class Badge(models.Model):
    """A student's QR badge: whoever shows it is logged in. The token itself is only on the card, its hash is here."""

    student = models.OneToOneField(Student, models.CASCADE, related_name="badge", verbose_name=_("student"))
    token_hash = models.CharField(_("hash of the token"), max_length=64, unique=True)
    made_by = models.ForeignKey(User, models.PROTECT, related_name="+", verbose_name=_("made by"))
    made_at = models.DateTimeField(_("made"), default=timezone.now)

    class Meta:
        verbose_name = _("badge")
        verbose_name_plural = _("badges")

    def __str__(self) -> str:
        return str(self.student)


class LoginCode(models.Model):
    """A short code that logs a student in once, within ten minutes of this lesson."""

    student = models.OneToOneField(Student, models.CASCADE, related_name="login_code", verbose_name=_("student"))
    classroom = models.ForeignKey(Classroom, models.CASCADE, related_name="+", verbose_name=_("class"))
    code_hash = models.CharField(_("hash of the code"), max_length=64, unique=True)
    expires_at = models.DateTimeField(_("expires"), db_index=True)
    made_by = models.ForeignKey(User, models.PROTECT, related_name="+", verbose_name=_("made by"))

    class Meta:
        verbose_name = _("login code")
        verbose_name_plural = _("login codes")

    def __str__(self) -> str:
        return str(self.student)


class Invitation(models.Model):
    """A link by which a colleague joins the school. It works once, for seven days."""

    school = models.ForeignKey(School, models.CASCADE, related_name="+", verbose_name=_("school"))
    classroom = models.ForeignKey(
        Classroom, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("class")
    )
    role = models.CharField(_("role"), max_length=10, choices=Membership.Role, default=Membership.Role.TEACHER)
    note = models.CharField(_("for whom"), max_length=120, blank=True)
    token_hash = models.CharField(_("hash of the token"), max_length=64, unique=True)
    invited_by = models.ForeignKey(User, models.CASCADE, related_name="+", verbose_name=_("invited by"))
    invited_at = models.DateTimeField(_("invited"), default=timezone.now)
    expires_at = models.DateTimeField(_("expires"))
    used_at = models.DateTimeField(_("used"), null=True, blank=True)
    used_by = models.ForeignKey(
        User, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("used by")
    )

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ("-invited_at",)

    def __str__(self) -> str:
        return f"{self.school}: {self.note or self.pk}"

    @property
    def is_over(self) -> bool:
        """Is it too old to be used?"""
        return self.expires_at <= timezone.now()


class Rollover(models.Model):
    """A change of the school year, and what it moved, so that it can be undone for thirty days."""

    school = models.ForeignKey(School, models.PROTECT, related_name="+", verbose_name=_("school"))
    to_year = models.PositiveSmallIntegerField(_("to the school year"))
    moved = models.JSONField(_("what was moved"), help_text=_("Ids only."))
    batch = models.UUIDField(_("adjustments given with it"), null=True, blank=True)
    made_by = models.ForeignKey(User, models.PROTECT, related_name="+", verbose_name=_("made by"))
    made_at = models.DateTimeField(_("made"), default=timezone.now)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        verbose_name = _("change of school year")
        verbose_name_plural = _("changes of school year")
        ordering = ("-made_at",)

    def __str__(self) -> str:
        return f"{self.school}: {self.to_year}"


class Merge(models.Model):
    """Two students who were one child, and what moved from one to the other, so that it can be undone."""

    kept = models.ForeignKey(Student, models.PROTECT, related_name="+", verbose_name=_("kept"))
    merged = models.ForeignKey(Student, models.PROTECT, related_name="+", verbose_name=_("merged"))
    moved = models.JSONField(_("what was moved"), help_text=_("Ids only."))
    merged_by = models.ForeignKey(User, models.PROTECT, related_name="+", verbose_name=_("merged by"))
    merged_at = models.DateTimeField(_("merged on"), default=timezone.now)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        verbose_name = _("merge")
        verbose_name_plural = _("merges")
        ordering = ("-merged_at",)

    def __str__(self) -> str:
        return f"{self.merged_id} → {self.kept_id}"


class AuditEvent(models.Model):
    """Something that a lead may have to account for. Append-only: ids and no names, kept for 24 months."""

    school = models.ForeignKey(
        School, models.CASCADE, null=True, blank=True, related_name="+", verbose_name=_("school")
    )
    at = models.DateTimeField(_("at"), default=timezone.now, db_index=True)
    by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by"))
    action = models.CharField(_("action"), max_length=40)
    about = models.CharField(_("about"), max_length=40, blank=True, help_text=_("Kind and id, such as student:12."))
    detail = models.JSONField(_("detail"), default=dict, blank=True, help_text=_("Numbers and ids only."))

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit events")
        ordering = ("-at", "-pk")
        indexes = (models.Index(fields=("school", "-at"), name="audit_of_school"),)

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action} {self.about}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Only new rows: an event is never changed."""
        if not self._state.adding:
            raise TypeError("An audit event is never changed.")
        super().save(*args, **kwargs)
