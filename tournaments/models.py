"""Tournaments: who plays in them, their rounds, and what was paired and came out."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from simple_history.models import HistoricalRecords

from classes.models import Classroom, School, Student
from ratings.models import RatingList
from tournaments.core.tiebreaks import SWISS
from tournaments.core.types import POINT, Code, Colour

MOST_ROUNDS = 30


def default_tie_breaks() -> list[str]:
    return list(SWISS)


class Tournament(models.Model):
    """An event of a class, or of the whole school. Cancelled, never deleted."""

    class System(models.TextChoices):
        SWISS = "swiss", _("Swiss")
        ROUND_ROBIN = "round_robin", _("Round robin")
        DOUBLE_ROUND_ROBIN = "double_round_robin", _("Double round robin")

    class PairingRule(models.TextChoices):
        FIDE = "fide", _("FIDE rules (Dutch system)")
        SMALL_GROUP = "small_group", _("Small group")

    class Seeding(models.TextChoices):
        RATING = "rating", _("By rating")
        RANDOM = "random", _("Drawn by lot")

    class FirstColour(models.TextChoices):
        WHITE = Colour.WHITE.value, _("White")
        BLACK = Colour.BLACK.value, _("Black")

    class ByePoints(models.IntegerChoices):
        """What the pairing-allocated bye is worth, in halves."""

        POINT = 2, _("1 point, as for a win")
        HALF = 1, _("½ point")
        NOTHING = 0, _("0 points")

    school = models.ForeignKey(School, models.PROTECT, related_name="+", verbose_name=_("school"))
    classroom = models.ForeignKey(
        Classroom, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("class")
    )
    name = models.CharField(_("name"), max_length=80)
    day = models.DateField(_("first day"))
    system = models.CharField(_("system"), max_length=20, choices=System, default=System.SWISS)
    pairing_rule = models.CharField(
        _("pairing"),
        max_length=12,
        choices=PairingRule,
        default=PairingRule.FIDE,
        help_text=_("Of a Swiss: strictly by the FIDE rules, or for small groups, where those soon find no pairing."),
    )
    rounds = models.PositiveSmallIntegerField(_("rounds"))
    seeding = models.CharField(_("order at the start"), max_length=10, choices=Seeding, default=Seeding.RATING)
    first_colour = models.CharField(
        _("first colour"),
        max_length=1,
        choices=FirstColour,
        default=FirstColour.WHITE,
        help_text=_("Of the first player in the first round."),
    )
    rated = models.BooleanField(_("rated"), default=True)
    rating_list = models.ForeignKey(RatingList, models.PROTECT, related_name="+", verbose_name=_("rating list"))
    tie_breaks = models.JSONField(_("tie-breaks"), default=default_tie_breaks)
    bye_halves = models.PositiveSmallIntegerField(_("a bye is worth"), choices=ByePoints, default=ByePoints.POINT)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("created by")
    )
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True, editable=False)
    cancelled_at = models.DateTimeField(_("cancelled"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ("-day", "-pk")
        constraints = (
            models.CheckConstraint(name="tournament_has_a_name", condition=~Q(name="")),
            models.CheckConstraint(
                name="tournament_has_rounds",
                condition=Q(rounds__gte=1, rounds__lte=MOST_ROUNDS * 2),
                violation_error_message=_("A tournament has at least one round."),
            ),
            models.CheckConstraint(name="tournament_bye_is_known", condition=Q(bye_halves__lte=POINT)),
        )
        indexes = (models.Index(fields=("classroom", "-day"), name="tournament_of_class"),)

    def __str__(self) -> str:
        return self.name

    @property
    def is_round_robin(self) -> bool:
        return self.system != self.System.SWISS

    @property
    def is_small_group(self) -> bool:
        """A Swiss that is paired by the rules for small groups, not strictly by FIDE's."""
        return not self.is_round_robin and self.pairing_rule == self.PairingRule.SMALL_GROUP

    @property
    def is_open(self) -> bool:
        """Is it set up or being played: neither finished nor cancelled?"""
        return self.finished_at is None and self.cancelled_at is None


class Entry(models.Model):
    """A student in a tournament.

    `seed_rating` is frozen when the student enters. `seed_order` is the pairing order, from 1: by rating or as drawn.
    """

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="entries", verbose_name=_("tournament"))
    student = models.ForeignKey(Student, models.PROTECT, related_name="+", verbose_name=_("student"))
    seed_rating = models.PositiveSmallIntegerField(_("rating at the start"))
    seed_order = models.PositiveSmallIntegerField(_("number at the start"))
    acceleration = models.JSONField(
        _("virtual half-points"),
        default=list,
        blank=True,
        help_text=_("For pairing only, one number a round; only imported tournaments have them."),
    )
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True, editable=False)
    created_at = models.DateTimeField(_("entered"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ("seed_order",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "student"),
                name="student_enters_once",
                violation_error_message=_("This student is already in this tournament."),
            ),
            models.UniqueConstraint(fields=("tournament", "seed_order"), name="entry_order_is_free"),
        )

    def __str__(self) -> str:
        return f"{self.student} · {self.tournament}"

    @property
    def is_withdrawn(self) -> bool:
        return self.withdrawn_at is not None


class Absence(models.Model):
    """A round for which an entry is not to be paired, told beforehand, and the bye that is given for it."""

    class Kind(models.TextChoices):
        ZERO = Code.ZERO_BYE.value, _("absent, 0 points")
        HALF = Code.HALF_BYE.value, _("half-point bye")
        FULL = Code.FULL_BYE.value, _("full-point bye")

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="absences", verbose_name=_("entry"))
    number = models.PositiveSmallIntegerField(_("round"))
    kind = models.CharField(_("bye"), max_length=1, choices=Kind, default=Kind.ZERO)

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        constraints = (models.UniqueConstraint(fields=("entry", "number"), name="one_absence_a_round"),)

    def __str__(self) -> str:
        return f"{self.entry}, {self.number}: {self.get_kind_display()}"


class Round(models.Model):
    """A round that has been paired. Its games are dated with its day."""

    class PairedBy(models.TextChoices):
        FIDE = "fide", _("FIDE rules")
        FEWEST_REPEATS = "fewest_repeats", _("fewest repeats")
        TABLE = "table", _("Berger table")
        FILE = "file", _("read from a file")

    tournament = models.ForeignKey(
        Tournament, models.PROTECT, related_name="rounds_paired", verbose_name=_("tournament")
    )
    number = models.PositiveSmallIntegerField(_("round"))
    day = models.DateField(_("day"))
    paired_by = models.CharField(_("paired by"), max_length=16, choices=PairedBy, default=PairedBy.FIDE)
    changed_by_hand = models.BooleanField(_("changed by hand"), default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("made by")
    )
    created_at = models.DateTimeField(_("made"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="round_is_paired_once"),
            models.CheckConstraint(name="round_counts_from_one", condition=Q(number__gte=1)),
        )

    def __str__(self) -> str:
        return f"{self.tournament}, {self.number}"


class Pairing(models.Model):
    """One board of a round, or a bye: White alone, no board.

    `result` holds the codes of the Tournament Report File, White's and then Black's; one for a bye, none while it is
    open. `game`: what a rated tournament recorded; it stays, voided, when the result becomes a forfeit.
    `entered_with`: the link of the helper who entered it in the name of `entered_by`.
    """

    class Result(models.TextChoices):
        OPEN = "", _("no result yet")
        WHITE = "10", _("White wins")
        DRAW = "==", _("Draw")
        BLACK = "01", _("Black wins")
        WHITE_FORFEIT = "+-", _("White wins by forfeit")
        BLACK_FORFEIT = "-+", _("Black wins by forfeit")
        DOUBLE_FORFEIT = "--", _("both forfeit")
        UNPLAYED = "ZZ", _("not played, 0 points each")
        # The rest come from files only: what an arbiter decided, and games that ended before the first move.
        BOTH_LOSE = "00", _("0 points each")
        WHITE_HALF = "=0", _("½ point for White, 0 for Black")
        BLACK_HALF = "0=", _("0 points for White, ½ for Black")
        UNRATED_WHITE = "WL", _("White wins, not rated")
        UNRATED_DRAW = "DD", _("Draw, not rated")
        UNRATED_BLACK = "LW", _("Black wins, not rated")
        PAIRING_BYE = "U", _("bye")
        FULL_BYE = "F", _("full-point bye")
        HALF_BYE = "H", _("half-point bye")
        ZERO_BYE = "Z", _("absent")

    BYES: ClassVar = (Result.PAIRING_BYE, Result.FULL_BYE, Result.HALF_BYE, Result.ZERO_BYE)
    PLAYED: ClassVar = (Result.WHITE, Result.DRAW, Result.BLACK)  # what is recorded as a game
    SIGNS: ClassVar[dict[str, Any]] = {
        Result.OPEN: "",
        Result.WHITE: "1–0",
        Result.DRAW: "½–½",
        Result.BLACK: "0–1",
        Result.WHITE_FORFEIT: "+ –",
        Result.BLACK_FORFEIT: "– +",
        Result.DOUBLE_FORFEIT: "– –",
        Result.UNPLAYED: _("not played"),
        Result.BOTH_LOSE: "0–0",
        Result.WHITE_HALF: "½–0",
        Result.BLACK_HALF: "0–½",
        Result.UNRATED_WHITE: "1–0",
        Result.UNRATED_DRAW: "½–½",
        Result.UNRATED_BLACK: "0–1",
    }

    round = models.ForeignKey(Round, models.PROTECT, related_name="pairings", verbose_name=_("round"))
    board = models.PositiveSmallIntegerField(_("board"), null=True, blank=True)
    white = models.ForeignKey(Entry, models.PROTECT, related_name="+", verbose_name=_("White"))
    black = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("Black"))
    result = models.CharField(_("result"), max_length=2, choices=Result, blank=True, default=Result.OPEN)
    game = models.OneToOneField(
        "ratings.Game", models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("game")
    )
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("entered by")
    )
    entered_at = models.DateTimeField(_("entered"), null=True, blank=True, editable=False)
    entered_with = models.ForeignKey(
        "HelperLink",
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        verbose_name=_("entered by a helper"),
    )
    history = HistoricalRecords()

    class Meta:
        verbose_name = _("pairing")
        verbose_name_plural = _("pairings")
        ordering = ("round", F("board").asc(nulls_last=True), "pk")
        constraints = (
            models.CheckConstraint(name="pairing_has_two_players", condition=Q(black=None) | ~Q(white=F("black"))),
            models.CheckConstraint(
                name="pairing_is_a_board_or_a_bye",
                condition=Q(black=None, board=None, game=None, result__in=("U", "F", "H", "Z"))
                | Q(
                    black__isnull=False,
                    board__isnull=False,
                    result__in=(
                        "", "10", "==", "01", "+-", "-+", "--", "ZZ", "00", "=0", "0=", "WL", "DD", "LW",
                    ),
                ),
            ),
            models.UniqueConstraint(fields=("round", "board"), name="board_is_used_once"),
        )  # fmt: skip

    def __str__(self) -> str:
        return f"{self.white} {self.sign or '–'} {self.black}" if self.black_id else f"{self.white}: {self.result}"

    @property
    def is_bye(self) -> bool:
        return self.black_id is None

    @property
    def is_open(self) -> bool:
        return self.result == self.Result.OPEN

    @property
    def is_played(self) -> bool:
        """Is it a game for the ratings?"""
        return self.result in self.PLAYED

    @property
    def sign(self) -> str:
        """The result as it is written: 1–0, ½–½, + –."""
        return str(self.SIGNS.get(self.result, self.get_result_display()))


class HelperLink(models.Model):
    """Lets a helper without an account enter the results of one tournament, in the name of who made it, for a day.

    The code itself is only in the link; its hash is here.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="+", verbose_name=_("tournament"))
    token_hash = models.CharField(_("hash of the code"), max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name=_("made by"))
    made_at = models.DateTimeField(_("made"), default=timezone.now)
    expires_at = models.DateTimeField(_("expires"))
    revoked_at = models.DateTimeField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("helper link")
        verbose_name_plural = _("helper links")
        ordering = ("-made_at",)

    def __str__(self) -> str:
        return f"{self.tournament}: {self.made_at:%Y-%m-%d %H:%M}"


class Seat(models.Model):
    """Where an entry is in a round. The row exists so that the database itself allows one place a round, never two."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="+", verbose_name=_("round"))
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="+", verbose_name=_("entry"))
    pairing = models.ForeignKey(Pairing, models.CASCADE, related_name="seats", verbose_name=_("pairing"))

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = (models.UniqueConstraint(fields=("round", "entry"), name="one_seat_a_round"),)

    def __str__(self) -> str:
        return f"{self.entry}, {self.round_id}"


class KeepApart(models.Model):
    """Two students of a school who should not be paired, such as siblings; `is_hard`: may never be."""

    school = models.ForeignKey(School, models.PROTECT, related_name="+", verbose_name=_("school"))
    one = models.ForeignKey(Student, models.CASCADE, related_name="+", verbose_name=_("student"))
    other = models.ForeignKey(Student, models.CASCADE, related_name="+", verbose_name=_("other student"))
    is_hard = models.BooleanField(
        _("never, even if a round cannot be paired"),
        default=False,
    )

    class Meta:
        verbose_name = _("pair to keep apart")
        verbose_name_plural = _("pairs to keep apart")
        constraints = (
            models.UniqueConstraint(
                fields=("one", "other"),
                name="kept_apart_once",
                violation_error_message=_("These two are already kept apart."),
            ),
            models.CheckConstraint(
                name="kept_apart_in_order",  # the smaller id first, so that a pair is there once
                condition=Q(one__lt=F("other")),
                violation_error_message=_("Choose two different students."),
            ),
        )

    def __str__(self) -> str:
        return f"{self.one} / {self.other}"
