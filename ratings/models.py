"""What was played and what it did. Games and adjustments are the record; ledger entries and ratings derive from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.db import connections, models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from classes.models import Classroom, School, Student
from ratings.core import glicko, rules
from ratings.core.elo import DRAW, LOSS, WIN
from ratings.core.practice import LEVELS, Piece
from ratings.core.practice_sets import STREAK

START_RATING = 800
K_FACTOR = 32
LOWEST_START, HIGHEST_START = 0, 4000


class PieceName(models.TextChoices):
    """The pieces as they are called on the pages."""

    PAWN = Piece.PAWN.value, _("Pawn")
    KNIGHT = Piece.KNIGHT.value, _("Knight")
    BISHOP = Piece.BISHOP.value, _("Bishop")
    ROOK = Piece.ROOK.value, _("Rook")
    QUEEN = Piece.QUEEN.value, _("Queen")
    KING = Piece.KING.value, _("King")


class RatingList(models.Model):
    """One number per student of a school. Locked first by everything that writes games, adjustments or rules."""

    school = models.ForeignKey(School, models.PROTECT, related_name="+", verbose_name=_("school"))
    name = models.CharField(_("name"), max_length=60)
    is_default = models.BooleanField(_("used unless another is chosen"), default=True)
    start_rating = models.PositiveSmallIntegerField(_("start rating"), default=START_RATING)
    shows_bands = models.BooleanField(_("a badge beside the rating"), default=False)
    next_sequence = models.BigIntegerField(_("next sequence"), default=1, editable=False)
    version = models.BigIntegerField(
        _("version"), default=0, editable=False, help_text=_("Raised by every write, so that a stale page is noticed.")
    )

    class Meta:
        verbose_name = _("rating list")
        verbose_name_plural = _("rating lists")
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("school", "name"),
                name="rating_list_name_is_free",
                violation_error_message=_("There is already a rating list of this name."),
            ),
            models.UniqueConstraint(
                fields=("school",), condition=Q(is_default=True), name="school_has_one_default_rating_list"
            ),
        )

    def __str__(self) -> str:
        return self.name


class RatingRule(models.Model):
    """A dated rule of a list: how games are rated from a day on."""

    class Kind(models.TextChoices):
        CONSTANT = rules.Kind.CONSTANT.value, _("One K for everybody")
        PROVISIONAL = rules.Kind.PROVISIONAL.value, _("Another K in the first games")
        FIDE = rules.Kind.FIDE.value, _("FIDE K")

    rating_list = models.ForeignKey(RatingList, models.PROTECT, related_name="rules", verbose_name=_("rating list"))
    from_day = models.DateField(_("from"), default=rules.FROM_THE_BEGINNING)
    kind = models.CharField(_("kind"), max_length=12, choices=Kind, default=Kind.CONSTANT)
    k = models.PositiveSmallIntegerField(_("K-factor"), default=K_FACTOR)
    provisional_k = models.PositiveSmallIntegerField(_("K in the first games"), default=K_FACTOR)
    provisional_games = models.PositiveSmallIntegerField(_("number of first games"), default=0)
    players_are_juniors = models.BooleanField(_("players are juniors"), default=True)
    floor = models.PositiveSmallIntegerField(_("floor"), null=True, blank=True)

    class Meta:
        verbose_name = _("rating rule")
        verbose_name_plural = _("rating rules")
        ordering = ("from_day",)
        constraints = (
            models.UniqueConstraint(
                fields=("rating_list", "from_day"),
                name="one_rating_rule_a_day",
                violation_error_message=_("There is already a rule from this day on."),
            ),
            models.CheckConstraint(
                name="k_factor_is_1_to_200",
                condition=Q(k__range=(1, 200), provisional_k__range=(1, 200)),
                violation_error_message=_("K is a number from 1 to 200."),
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()}, {self.from_day}"


class StartRating(models.Model):
    """A student's own start in a list. Without one the list's start holds."""

    student = models.ForeignKey(Student, models.CASCADE, related_name="+", verbose_name=_("student"))
    rating_list = models.ForeignKey(RatingList, models.PROTECT, related_name="+", verbose_name=_("rating list"))
    rating = models.SmallIntegerField(_("start rating"))

    class Meta:
        verbose_name = _("start rating")
        verbose_name_plural = _("start ratings")
        constraints = (
            models.UniqueConstraint(fields=("student", "rating_list"), name="one_start_rating_a_list"),
            models.CheckConstraint(
                name="start_rating_is_0_to_4000",
                condition=Q(rating__range=(LOWEST_START, HIGHEST_START)),
                violation_error_message=_("A start rating is a number from 0 to 4000."),
            ),
        )

    def __str__(self) -> str:
        return f"{self.student}: {self.rating}"


class Rating(models.Model):
    """Where a student stands in a list: the end of the replay, cached. No row means at the start."""

    student = models.ForeignKey(Student, models.CASCADE, related_name="+", verbose_name=_("student"))
    rating_list = models.ForeignKey(RatingList, models.PROTECT, related_name="+", verbose_name=_("rating list"))
    rating = models.IntegerField(_("rating"))
    peak = models.IntegerField(_("best"))
    deviation = models.FloatField(_("deviation"), default=glicko.START)
    entries = models.PositiveIntegerField(_("ledger entries"))
    wins = models.PositiveIntegerField(_("won"), default=0)
    draws = models.PositiveIntegerField(_("drawn"), default=0)
    losses = models.PositiveIntegerField(_("lost"), default=0)
    last_change = models.IntegerField(_("last change"), null=True, blank=True)
    last_game_day = models.DateField(_("last game"), null=True, blank=True)
    recent = models.JSONField(_("last ratings"), default=list)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = (models.UniqueConstraint(fields=("student", "rating_list"), name="one_rating_a_list"),)

    def __str__(self) -> str:
        return f"{self.student}: {self.rating}"


class Posting(models.Model):
    """What games and adjustments share: a place in a list's order, and being voided instead of deleted."""

    rating_list = models.ForeignKey(RatingList, models.PROTECT, related_name="+", verbose_name=_("rating list"))
    day = models.DateField(_("day"))
    sequence = models.BigIntegerField(_("sequence"), editable=False)
    voided_at = models.DateTimeField(_("voided"), null=True, blank=True, editable=False)
    voided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("voided by"),
        editable=False,
    )  # fmt: skip
    void_reason = models.CharField(_("reason for voiding"), max_length=200, blank=True)

    class Meta:
        abstract = True

    @property
    def is_void(self) -> bool:
        return self.voided_at is not None


def _void_is_whole(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(
        name=name,
        condition=Q(voided_at=None, voided_by=None, void_reason="")
        | Q(voided_at__isnull=False, voided_by__isnull=False),
    )


class Game(Posting):
    """A played game between two different students. Never deleted: voided."""

    class Result(models.TextChoices):
        WHITE = "1-0", _("White wins")
        DRAW = "1/2-1/2", _("Draw")
        BLACK = "0-1", _("Black wins")

    class Origin(models.TextChoices):
        CASUAL = "casual", _("Casual")
        TOURNAMENT = "tournament", _("Tournament")

    SCORE_HALVES = {Result.WHITE: WIN, Result.DRAW: DRAW, Result.BLACK: LOSS}  # White's
    SIGNS = {Result.WHITE: "1–0", Result.DRAW: "½–½", Result.BLACK: "0–1"}
    MOVED = "place"  # in the history: this edit gave the game another place within its day

    classroom = models.ForeignKey(
        Classroom, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("class")
    )
    white = models.ForeignKey(Student, models.PROTECT, related_name="+", verbose_name=_("White"))
    black = models.ForeignKey(Student, models.PROTECT, related_name="+", verbose_name=_("Black"))
    result = models.CharField(_("result"), max_length=7, choices=Result)
    note = models.CharField(_("note"), max_length=300, blank=True)
    origin = models.CharField(_("origin"), max_length=10, choices=Origin, default=Origin.CASUAL)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("recorded by"),
        help_text=_("Empty for games that were imported on the server."),
    )
    recorded_at = models.DateTimeField(_("recorded"), default=timezone.now)
    history = HistoricalRecords()

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ("day", "sequence")
        constraints = (
            models.CheckConstraint(
                name="game_has_two_students",
                condition=~Q(white=F("black")),
                violation_error_message=_("White and Black must be two different students."),
            ),
            models.CheckConstraint(name="game_result_is_known", condition=Q(result__in=("1-0", "1/2-1/2", "0-1"))),
            models.UniqueConstraint(fields=("rating_list", "sequence"), name="game_sequence_is_free"),
            _void_is_whole("game_void_is_whole"),
        )
        indexes = (
            models.Index(fields=("rating_list", "day", "sequence"), name="game_order"),
            models.Index(fields=("classroom", "day", "sequence"), name="game_of_class"),
        )

    def __str__(self) -> str:
        return f"{self.white} {self.sign} {self.black}, {self.day}"

    @property
    def sign(self) -> str:
        """The result as it is written: 1–0, ½–½, 0–1."""
        return self.SIGNS[self.Result(self.result)]

    @property
    def score_halves(self) -> int:
        """White's score in halves."""
        return self.SCORE_HALVES[self.Result(self.result)]


class Adjustment(Posting):
    """Points given by a teacher outside games, with a kind and a reason. Never deleted: voided."""

    class Kind(models.TextChoices):
        ACADEMIC = "academic", _("Academic")
        SKILL = "skill", _("Skill")
        BEHAVIOUR = "behaviour", _("Behaviour")
        ACHIEVEMENT = "achievement", _("Achievement")
        SEASON = "season", _("New season")

    classroom = models.ForeignKey(
        Classroom, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("class")
    )
    student = models.ForeignKey(Student, models.PROTECT, related_name="+", verbose_name=_("student"))
    points = models.SmallIntegerField(_("points"))
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    reason = models.CharField(_("reason"), max_length=300)
    batch = models.UUIDField(_("given together"), null=True, blank=True, db_index=True, editable=False)
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("given by"))
    given_at = models.DateTimeField(_("given"), default=timezone.now)
    history = HistoricalRecords()

    class Meta:
        verbose_name = _("adjustment")
        verbose_name_plural = _("adjustments")
        ordering = ("day", "sequence")
        constraints = (
            models.CheckConstraint(
                name="adjustment_is_not_zero",
                condition=~Q(points=0),
                violation_error_message=_("Zero points change nothing."),
            ),
            models.CheckConstraint(
                name="adjustment_has_a_reason",
                condition=~Q(reason=""),
                violation_error_message=_("Say what the points are for."),
            ),
            models.UniqueConstraint(fields=("rating_list", "sequence"), name="adjustment_sequence_is_free"),
            _void_is_whole("adjustment_void_is_whole"),
        )
        indexes = (models.Index(fields=("rating_list", "day", "sequence"), name="adjustment_order"),)

    def __str__(self) -> str:
        return f"{self.student} {self.points:+d}, {self.day}"


class LedgerEntries(models.Manager["LedgerEntry"]):
    """Ledger entries, and the quick way to write thousands of them."""

    def create_many(self, rows: Sequence[dict[str, Any]]) -> None:
        """Insert rows, each by the names of all columns, in plain SQL.

        A correction of an old game rewrites 40,000 of them: two seconds this way, four times as long with bulk_create.
        """
        if not rows:
            return
        database = connections[self.db]
        quoted, day = database.ops.quote_name, database.ops.adapt_datefield_value
        columns = ", ".join(quoted(column) for column in rows[0])
        places = ", ".join(["%s"] * len(rows[0]))
        insert = f"INSERT INTO {quoted(self.model._meta.db_table)} ({columns}) VALUES ({places})"  # noqa: S608  # names of columns
        with database.cursor() as cursor:
            cursor.executemany(insert, [tuple((row | {"day": day(row["day"])}).values()) for row in rows])


class LedgerEntry(models.Model):
    """What one game or adjustment did to one student. Derived: written by replay alone, nothing points at it."""

    rating_list = models.ForeignKey(RatingList, models.PROTECT, related_name="+", verbose_name=_("rating list"))
    student = models.ForeignKey(Student, models.PROTECT, related_name="+", verbose_name=_("student"))
    game = models.ForeignKey(
        Game, models.PROTECT, null=True, blank=True, related_name="entries", verbose_name=_("game")
    )
    adjustment = models.ForeignKey(
        Adjustment, models.PROTECT, null=True, blank=True, related_name="entries", verbose_name=_("adjustment")
    )
    day = models.DateField(_("day"))
    sequence = models.BigIntegerField(_("sequence"))
    position = models.PositiveIntegerField(
        _("position"), help_text=_("Counts the student's entries in the list from 1.")
    )
    before = models.IntegerField(_("before"))
    k = models.PositiveSmallIntegerField(_("K"), null=True, blank=True)
    expected = models.FloatField(_("expected score"), null=True, blank=True)
    score_halves = models.PositiveSmallIntegerField(_("score in halves"), null=True, blank=True)
    change = models.IntegerField(_("change"))
    top_up = models.PositiveSmallIntegerField(_("floor top-up"), default=0)
    after = models.IntegerField(_("after"))
    deviation = models.FloatField(_("deviation"))

    objects = LedgerEntries()

    class Meta:
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        ordering = ("day", "sequence")
        constraints = (
            models.CheckConstraint(name="entry_adds_up", condition=Q(after=F("before") + F("change") + F("top_up"))),
            models.CheckConstraint(
                name="entry_has_one_cause",
                condition=Q(game__isnull=False, adjustment=None) | Q(game=None, adjustment__isnull=False),
            ),
            models.UniqueConstraint(fields=("game", "student"), name="one_entry_a_game_and_student"),
            models.UniqueConstraint(fields=("adjustment",), name="one_entry_an_adjustment"),
            models.UniqueConstraint(fields=("rating_list", "student", "position"), name="entry_position_is_free"),
        )
        indexes = (models.Index(fields=("rating_list", "day", "sequence"), name="entry_order"),)

    def __str__(self) -> str:
        return f"{self.student}: {self.before} → {self.after}"

    @property
    def moved(self) -> int:
        """The change with the floor top-up: after - before."""
        return self.change + self.top_up


class GameImport(models.Model):
    """A file of games that was read into a class, so that the same file is not read twice by accident."""

    classroom = models.ForeignKey(Classroom, models.PROTECT, related_name="+", verbose_name=_("class"))
    file_hash = models.CharField(_("hash of the file"), max_length=64)
    games = models.PositiveIntegerField(_("games"))
    imported_at = models.DateTimeField(_("imported"), default=timezone.now)

    class Meta:
        verbose_name = _("game import")
        verbose_name_plural = _("game imports")
        indexes = (models.Index(fields=("classroom", "file_hash"), name="import_of_class"),)

    def __str__(self) -> str:
        return f"{self.classroom}: {self.games}"


class EconomyCheck(models.Model):
    """A day on which a teacher looked at a class's Elo page and said so. One a day: the last to say so stands."""

    classroom = models.ForeignKey(Classroom, models.CASCADE, related_name="+", verbose_name=_("class"))
    checked_on = models.DateField(_("checked on"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("checked by"))

    class Meta:
        verbose_name = _("check of the Elo page")
        verbose_name_plural = _("checks of the Elo page")
        constraints = (models.UniqueConstraint(fields=("classroom", "checked_on"), name="one_economy_check_a_day"),)

    def __str__(self) -> str:
        return f"{self.classroom}: {self.checked_on}"


class PracticeSet(models.Model):
    """A set of exercises that a student finished: ten right ones in a row. A teacher may turn it into points, once."""

    student = models.ForeignKey(Student, models.CASCADE, related_name="+", verbose_name=_("student"))
    key = models.UUIDField(_("key"), unique=True, help_text=_("Named when the set was begun, so that it is kept once."))
    piece = models.CharField(_("piece"), max_length=6, choices=PieceName)
    level = models.PositiveSmallIntegerField(_("level"))
    tries = models.PositiveIntegerField(_("exercises answered"))
    mistakes = models.PositiveIntegerField(_("wrong answers"))
    finished_at = models.DateTimeField(_("finished"), default=timezone.now)
    adjustment = models.OneToOneField(
        Adjustment, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("points given for it")
    )

    class Meta:
        verbose_name = _("practice set")
        verbose_name_plural = _("practice sets")
        ordering = ("-finished_at", "-pk")
        constraints = (
            models.CheckConstraint(name="practice_piece_is_known", condition=Q(piece__in=PieceName.values)),
            models.CheckConstraint(name="practice_level_is_known", condition=Q(level__in=LEVELS)),
            models.CheckConstraint(name="practice_set_was_finished", condition=Q(tries__gte=F("mistakes") + STREAK)),
        )
        indexes = (models.Index(fields=("student", "-finished_at"), name="practice_of_student"),)

    def __str__(self) -> str:
        return f"{self.student}: {self.get_piece_display()} {self.level}"
