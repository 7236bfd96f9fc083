"""Writing games, adjustments, rules and starts. Every function here is one transaction that locks the list first."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from simple_history.utils import bulk_create_with_history, bulk_update_with_history

from classes.models import Classroom, Enrollment, School, Student, User
from classes.services import OneTimeKey, one_transaction
from ratings.core.ledger import AdjustmentEvent, Event, GameEvent, Line, State, order, post
from ratings.core.rules import FROM_THE_BEGINNING
from ratings.models import (
    START_RATING,
    Adjustment,
    Game,
    GameImport,
    LedgerEntry,
    PracticeSet,
    Rating,
    RatingList,
    RatingRule,
    StartRating,
)
from ratings.selectors.ledger import current_states, event_of, events_of, replay_of, rules_of


class StaleVersion(Exception):
    """Somebody wrote to the rating list after the consequences were shown."""


BATCH = 2000  # rows a statement
AnyPosting = TypeVar("AnyPosting", Game, Adjustment)


@one_transaction
def create_rating_list(
    *,
    school: School,
    name: str,
    is_default: bool = False,
    start_rating: int = START_RATING,
    once: OneTimeKey | None = None,
) -> RatingList:
    """A rating list with its first rule: K = 32 for everybody. ValidationError where the name is taken."""
    School.objects.select_for_update().get(pk=school.pk)  # there is no list yet to be locked
    if once:
        once.refuse_second_use()
    rating_list = RatingList(school=school, name=name, is_default=is_default, start_rating=start_rating)
    rating_list.full_clean()
    rating_list.save()
    RatingRule.objects.create(rating_list=rating_list)
    if once:
        once.keep(rating_list.pk)
    return rating_list


@one_transaction
def record_game(
    *,
    rating_list: RatingList,
    classroom: Classroom | None,
    white: Student,
    black: Student,
    result: str,
    day: datetime.date,
    by: User | None,
    note: str = "",
    origin: str = Game.Origin.CASUAL,
    once: OneTimeKey | None = None,
) -> Game:
    """Record a game and what it did to both ratings. A game of an earlier day goes where its day puts it.

    ValidationError where the players are the same or not active in the class, or the day lies in the future.
    AlreadyAnswered or KeyReused where the one-time key was used before.
    """
    rating_list = lock(rating_list)
    if once:
        once.refuse_second_use()
    casual = origin == Game.Origin.CASUAL  # a tournament goes on with a student who was made inactive meanwhile
    _refuse_impossible_game(rating_list, classroom, white, black, day, only_active=casual)
    game = Game(
        rating_list=rating_list,
        classroom=classroom,
        white=white,
        black=black,
        result=result,
        day=day,
        sequence=_next_sequence(rating_list),
        note=note,
        origin=origin,
        recorded_by=by,
    )
    _save(game, by)
    _enter(rating_list, [event_of(game)])
    if once:
        once.keep(game.pk)
    return game


@one_transaction
def correct_game(
    game: Game,
    *,
    white: Student,
    black: Student,
    result: str,
    day: datetime.date,
    note: str,
    by: User,
    place: int | None = None,
    version: int | None = None,
    once: OneTimeKey | None = None,
) -> Game:
    """Change a game; every later rating follows, as if it had been entered that way. The old values are kept.

    `place`: where it stands among all games and adjustments of its day, from 1; None keeps its sequence.
    `version`: the list's version when the consequences were shown; StaleVersion where somebody wrote meanwhile.
    ValidationError where White is Black, a player was never in the class, or the day lies in the future.
    """
    rating_list, game = _lock_posting(game)
    if once:
        once.refuse_second_use()
    _refuse_stale(rating_list, version)
    _refuse_impossible_game(rating_list, game.classroom, white, black, day, already=(game.white_id, game.black_id))
    first = min((game.day, game.sequence), (day, game.sequence))
    game.white, game.black, game.result, game.day, game.note = white, black, result, day, note
    if place is not None:
        old_sequence = game.sequence
        first = min(first, _move_within_day(game, place))
        if game.sequence != old_sequence:
            game._change_reason = Game.MOVED  # type: ignore[attr-defined]  # read by django-simple-history
    _save(game, by)
    if not game.is_void or place is not None:  # even a voided game gives others of its day new sequences
        _rewrite(rating_list, first)
    _raise_version(rating_list)
    if once:
        once.keep(game.pk)
    return game


@one_transaction
def change_note(game: Game, *, note: str, by: User) -> Game:
    """Change a game's note, which touches no rating."""
    _rating_list, game = _lock_posting(game)
    game.note = note
    _save(game, by)
    return game


def void_game(game: Game, *, by: User, reason: str, version: int | None = None) -> Game:
    """Take a game out of the ratings, with a reason; it stays on record. Voiding a void game changes nothing."""
    return _void(game, by=by, reason=reason, version=version)


def unvoid_game(game: Game, *, by: User, version: int | None = None) -> Game:
    """Put a voided game back where it was."""
    return _unvoid(game, by=by, version=version)


@one_transaction
def adjust_ratings(
    *,
    rating_list: RatingList,
    classroom: Classroom | None,
    students: Sequence[Student],
    points: int,
    kind: str,
    reason: str,
    day: datetime.date,
    by: User,
    once: OneTimeKey | None = None,
) -> list[Adjustment]:
    """Give the same points to one or several students, with one kind and one reason.

    ValidationError where a student was never in the class (or, without a class, is not of the school).
    """
    rating_list = lock(rating_list)
    if once:
        once.refuse_second_use()
    _refuse_future(rating_list, day)
    _refuse_strangers(rating_list, classroom, {student.pk for student in students})
    batch = uuid.uuid4()
    adjustments = []
    for student in students:
        adjustment = Adjustment(
            rating_list=rating_list,
            classroom=classroom,
            student=student,
            points=points,
            kind=kind,
            reason=reason,
            batch=batch,
            day=day,
            sequence=_next_sequence(rating_list),
            given_by=by,
        )
        _save(adjustment, by)
        adjustments.append(adjustment)
    _enter(rating_list, [event_of(adjustment) for adjustment in adjustments])
    if once and adjustments:
        once.keep(adjustments[0].pk)
    return adjustments


@one_transaction
def start_season(rating_list: RatingList, *, points: Mapping[int, int], reason: str, batch: uuid.UUID, by: User) -> int:
    """Give each student their own points for a new season, today, as one batch; how many were given any.

    `points`: student -> points; who gets 0 is left out. Outside the award figures. One pass for all of them.
    """
    rating_list = lock(rating_list)
    _refuse_strangers(rating_list, None, set(points))
    rows = []
    for student, number in points.items():
        if number:
            rows.append(
                Adjustment(
                    rating_list_id=rating_list.pk,
                    student_id=student,
                    points=number,
                    kind=Adjustment.Kind.SEASON,
                    reason=reason,
                    batch=batch,
                    day=rating_list.school.today(),
                    sequence=rating_list.next_sequence,
                    given_by=by,
                )
            )
            rating_list.next_sequence += 1
    if rows:
        made = bulk_create_with_history(rows, Adjustment, batch_size=BATCH, default_user=by)
        _enter(rating_list, [event_of(adjustment) for adjustment in made])
        _raise_version(rating_list)
    return len(rows)


@dataclass(frozen=True, slots=True)
class Record:
    """Games, adjustments and practice sets of one student, by id."""

    white: tuple[int, ...]
    black: tuple[int, ...]
    adjustments: tuple[int, ...]
    practice: tuple[int, ...]


@one_transaction
def hand_over(*, giver: Student, taker: Student, record: Record | None = None, by: User) -> Record:
    """Give what one student played and was given to another of the school; every later rating follows.

    `record`: only these, as far as they are still the giver's; None for all. What was handed over. The start ratings of
    both stay. ValidationError where the two met in one of the games.
    """
    lists = {rating_list.pk: rating_list for rating_list in lock_all(giver.school)}
    handed = _common(record_of(giver), record) if record else record_of(giver)
    games = list(Game.objects.filter(pk__in=handed.white + handed.black).order_by("pk"))
    adjustments = list(Adjustment.objects.filter(pk__in=handed.adjustments).order_by("pk"))
    if any(taker.pk in {game.white_id, game.black_id} for game in games):
        raise ValidationError(_("The two played against each other."))
    for game in games:
        if game.pk in handed.white:
            game.white_id = taker.pk
        else:
            game.black_id = taker.pk
    for adjustment in adjustments:
        adjustment.student_id = taker.pk
    bulk_update_with_history(games, Game, ["white", "black"], batch_size=BATCH, default_user=by)
    bulk_update_with_history(adjustments, Adjustment, ["student"], batch_size=BATCH, default_user=by)
    PracticeSet.objects.filter(pk__in=handed.practice).update(student=taker)
    first: dict[int, tuple[datetime.date, int]] = {}
    for posting in sorted([*games, *adjustments], key=lambda one: (one.day, one.sequence)):
        first.setdefault(posting.rating_list_id, (posting.day, posting.sequence))
    for pk, place in first.items():
        _rewrite(lists[pk], place)
        _raise_version(lists[pk])
    return handed


def _common(record: Record, wanted: Record) -> Record:
    """What of a record is wanted; a game also where its colours were changed meanwhile."""

    def of(ids: tuple[int, ...], among: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(pk for pk in ids if pk in set(among))

    games = wanted.white + wanted.black
    return Record(
        of(record.white, games),
        of(record.black, games),
        of(record.adjustments, wanted.adjustments),
        of(record.practice, wanted.practice),
    )


@one_transaction
def keep_practice_set(*, student: Student, key: str, piece: str, level: int, tries: int, mistakes: int) -> PracticeSet:
    """Keep a set of exercises that a student finished; the one that is there where the key was kept before."""
    kept, _created = PracticeSet.objects.get_or_create(
        key=key, defaults={"student": student, "piece": piece, "level": level, "tries": tries, "mistakes": mistakes}
    )
    return kept


@one_transaction
def award_practice_set(practice_set: PracticeSet, *, rating_list: RatingList, points: int, by: User) -> Adjustment:
    """Turn a finished set into points, once: a set that was turned before keeps what was given then."""
    rating_list = lock(rating_list)
    practice_set = PracticeSet.objects.select_for_update().get(pk=practice_set.pk)
    if practice_set.adjustment is not None:
        return practice_set.adjustment
    [practice_set.adjustment] = adjust_ratings(
        rating_list=rating_list,
        classroom=None,
        students=[practice_set.student],
        points=points,
        kind=Adjustment.Kind.SKILL,
        reason=_("Piece practice: ten in a row, %(piece)s, level %(level)d")
        % {"piece": practice_set.get_piece_display(), "level": practice_set.level},
        day=rating_list.school.today(),
        by=by,
    )
    practice_set.save(update_fields=["adjustment"])
    return practice_set.adjustment


def void_adjustment(adjustment: Adjustment, *, by: User, reason: str, version: int | None = None) -> Adjustment:
    """Take an adjustment back, with a reason; it stays on record."""
    return _void(adjustment, by=by, reason=reason, version=version)


def unvoid_adjustment(adjustment: Adjustment, *, by: User, version: int | None = None) -> Adjustment:
    """Put a voided adjustment back where it was."""
    return _unvoid(adjustment, by=by, version=version)


@one_transaction
def void_together(postings: Sequence[AnyPosting], *, by: User, reason: str) -> int:
    """Take back games or adjustments of one list, such as a batch given by mistake or the games of a tournament.

    The number that were not void before.
    """
    if not postings:
        return 0
    rating_list = lock(postings[0].rating_list)
    open_ones: list[AnyPosting] = list(
        type(postings[0])
        ._default_manager.filter(rating_list=rating_list, pk__in=[posting.pk for posting in postings], voided_at=None)
        .order_by("day", "sequence")
    )
    for posting in open_ones:
        posting.voided_at, posting.voided_by, posting.void_reason = timezone.now(), by, reason
        _save(posting, by)
    if open_ones:
        _rewrite(rating_list, (open_ones[0].day, open_ones[0].sequence))
        _raise_version(rating_list)
    return len(open_ones)


@one_transaction
def make_casual(games: Sequence[Game], *, by: User) -> None:
    """Let go of games whose tournament no longer stands for them: from now on each is changed on its own page."""
    if not games:
        return
    rating_list = lock(games[0].rating_list)
    for game in Game.objects.filter(rating_list=rating_list, pk__in=[game.pk for game in games]):
        game.origin = Game.Origin.CASUAL
        _save(game, by)


@one_transaction
def move_games(games: Sequence[Game], *, day: datetime.date, by: User) -> None:
    """Give games of one list another day, such as those of a round; every later rating follows."""
    if not games:
        return
    rating_list = lock(games[0].rating_list)
    _refuse_future(rating_list, day)
    moved = list(Game.objects.filter(rating_list=rating_list, pk__in=[game.pk for game in games]).exclude(day=day))
    first = min(((min(game.day, day), 0) for game in moved), default=None)
    for game in moved:
        game.day = day
        _save(game, by)
    if first:
        _rewrite(rating_list, first)
        _raise_version(rating_list)


@one_transaction
def set_rule(
    rating_list: RatingList, *, rule: RatingRule, version: int | None = None, once: OneTimeKey | None = None
) -> RatingRule:
    """Add a rule or change the one of the same day; every rating from that day on follows.

    `version`: the list's version when the consequences were shown; StaleVersion where somebody wrote meanwhile.
    """
    rating_list = lock(rating_list)
    if once:
        once.refuse_second_use()
    _refuse_stale(rating_list, version)
    same_day = RatingRule.objects.filter(rating_list=rating_list, from_day=rule.from_day).first()
    rule.pk, rule._state.adding = (same_day.pk, False) if same_day else (None, True)
    rule.rating_list = rating_list
    rule.full_clean()
    rule.save()
    # Before the first rule's day the first rule holds, so a new first rule reaches back to the beginning.
    first = RatingRule.objects.filter(rating_list=rating_list).order_by("from_day")[0]
    _rewrite(rating_list, (FROM_THE_BEGINNING if first == rule else rule.from_day, 0))
    _raise_version(rating_list)
    if once:
        once.keep(rating_list.pk)
    return rule


@one_transaction
def show_bands(rating_list: RatingList, *, shown: bool) -> None:
    """Show the badge of the school's bands beside every rating of a list, or no longer."""
    rating_list = lock(rating_list)
    rating_list.shows_bands = shown
    rating_list.save(update_fields=["shows_bands"])


@one_transaction
def set_start_rating(rating_list: RatingList, student: Student, *, rating: int) -> None:
    """Give a student a start of their own; where they already played, every rating follows."""
    rating_list = lock(rating_list)
    _refuse_strangers(rating_list, None, {student.pk})
    start = StartRating.objects.filter(rating_list=rating_list, student=student).first() or StartRating(
        rating_list=rating_list, student=student
    )
    start.rating = rating
    start.full_clean()
    start.save()
    if Rating.objects.filter(rating_list=rating_list, student=student).exists():
        _rewrite(rating_list, (FROM_THE_BEGINNING, 0))
    _raise_version(rating_list)


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to import. Students are given by id."""

    day: datetime.date
    white: int
    black: int
    result: str
    note: str = ""
    recorded_at: datetime.datetime | None = None


@one_transaction
def import_games(
    *,
    rating_list: RatingList,
    classroom: Classroom,
    games: Sequence[NewGame],
    by: User | None = None,
    file_hash: str = "",
) -> int:
    """Record many games at once, in the given order within a day, and build the ledger in one pass.

    The players must be enrolled in the class, active or not.
    """
    rating_list = lock(rating_list)
    _refuse_strangers(rating_list, classroom, {player for game in games for player in (game.white, game.black)})
    if any(game.white == game.black for game in games):
        raise ValidationError(_("White and Black must be two different students."))
    for day in {game.day for game in games}:
        _refuse_future(rating_list, day)
    now = timezone.now()
    rows = []
    for game in games:
        row = Game(
            rating_list_id=rating_list.pk,  # ids where there are thousands of rows: setting objects takes its time
            classroom_id=classroom.pk,
            white_id=game.white,
            black_id=game.black,
            result=game.result,
            day=game.day,
            sequence=rating_list.next_sequence,
            note=game.note,
            recorded_by_id=by.pk if by else None,
            recorded_at=game.recorded_at or now,
        )
        rating_list.next_sequence += 1
        rows.append(row)
    if not rows:
        return 0
    first_day = min(row.day for row in rows)
    bulk_create_with_history(rows, Game, batch_size=BATCH, default_user=by)
    if file_hash:
        GameImport.objects.create(classroom=classroom, file_hash=file_hash, games=len(rows))
    _rewrite(rating_list, (first_day, 0))
    _raise_version(rating_list)
    return len(rows)


# --- the parts that the services share; all of them expect the list to be locked ---


def lock(rating_list: RatingList) -> RatingList:
    """The list, locked until the end of the transaction, and read after the lock."""
    return RatingList.objects.select_for_update().select_related(None).get(pk=rating_list.pk)


def lock_all(school: School) -> list[RatingList]:
    """All lists of a school, locked in one order, for what touches more than one of them."""
    return list(RatingList.objects.select_for_update().select_related(None).filter(school=school).order_by("pk"))


def record_of(student: Student) -> Record:
    """All that a student played, was given and practised, in every list; voided ones too."""

    def ids(model: type[Game] | type[Adjustment] | type[PracticeSet], **theirs: Student) -> tuple[int, ...]:
        return tuple(model._default_manager.filter(**theirs).order_by("pk").values_list("pk", flat=True))

    return Record(
        white=ids(Game, white=student),
        black=ids(Game, black=student),
        adjustments=ids(Adjustment, student=student),
        practice=ids(PracticeSet, student=student),
    )


def _next_sequence(rating_list: RatingList) -> int:
    sequence = rating_list.next_sequence
    rating_list.next_sequence += 1
    _raise_version(rating_list)
    return sequence


def _raise_version(rating_list: RatingList) -> None:
    rating_list.version += 1
    rating_list.save(update_fields=["next_sequence", "version"])


def _save(posting: Game | Adjustment, by: User | None) -> None:
    """Save a game or adjustment, with its history in the name of who did it."""
    posting._history_user = by  # type: ignore[union-attr]  # read by django-simple-history
    posting.clean_fields(exclude=[field.name for field in posting._meta.fields if field.is_relation])
    posting.save()


def _refuse_stale(rating_list: RatingList, version: int | None) -> None:
    if version is not None and version != rating_list.version:
        raise StaleVersion


def _refuse_future(rating_list: RatingList, day: datetime.date) -> None:
    if day > rating_list.school.today():
        raise ValidationError(_("The day lies in the future."))
    if day < FROM_THE_BEGINNING:
        raise ValidationError(_("The day lies too far back."))


def _refuse_strangers(
    rating_list: RatingList, classroom: Classroom | None, students: set[int], *, only_active: bool = False
) -> None:
    """Everybody must be in the class, or without a class in the school of the list."""
    there: set[int]
    if classroom is None:
        there = set(Student.objects.filter(school=rating_list.school_id, pk__in=students).values_list("pk", flat=True))
    else:
        enrollments = Enrollment.objects.filter(
            classroom=classroom, classroom__school=rating_list.school_id, student__in=students
        )
        if only_active:
            enrollments = enrollments.filter(active=True)
        there = set(enrollments.values_list("student_id", flat=True))
    if strangers := students - there:
        raise ValidationError(
            ngettext(
                "%(count)d student is not active in this class.",
                "%(count)d students are not active in this class.",
                len(strangers),
            )
            % {"count": len(strangers)}
            if only_active
            else ngettext(
                "%(count)d student was never in this class.",
                "%(count)d students were never in this class.",
                len(strangers),
            )
            % {"count": len(strangers)}
        )


def _refuse_impossible_game(
    rating_list: RatingList,
    classroom: Classroom | None,
    white: Student,
    black: Student,
    day: datetime.date,
    *,
    only_active: bool = False,
    already: tuple[int, ...] = (),
) -> None:
    """`already`: players whom the game has had so far; they may stay whatever became of them."""
    if white == black:
        raise ValidationError(_("White and Black must be two different students."))
    _refuse_future(rating_list, day)
    _refuse_strangers(rating_list, classroom, {white.pk, black.pk} - set(already), only_active=only_active)


def _move_within_day(game: Game, place: int) -> tuple[datetime.date, int]:
    """Deal the sequences of the game's day anew with the game at a place; the first place in order that changed.

    Games and adjustments of the day keep their order among themselves. `place` counts from 1; too high means last.
    """
    others: list[Game | Adjustment] = [
        *Game.objects.filter(rating_list=game.rating_list_id, day=game.day).exclude(pk=game.pk),
        *Adjustment.objects.filter(rating_list=game.rating_list_id, day=game.day),
    ]
    others.sort(key=lambda posting: posting.sequence)
    sequences = sorted([game.sequence, *(posting.sequence for posting in others)])
    postings = [*others[: place - 1], game, *others[place - 1 :]]
    moved = [
        (posting, sequence)
        for posting, sequence in zip(postings, sequences, strict=True)
        if posting.sequence != sequence
    ]
    # Twice, by way of negative numbers: a sequence is taken once in a list, at every moment.
    for sign in (-1, 1):
        for posting, sequence in moved:
            if posting is not game:
                type(posting).objects.filter(pk=posting.pk).update(sequence=sign * sequence)
            elif sign < 0:
                Game.objects.filter(pk=game.pk).update(sequence=-sequence)
    for posting, sequence in moved:
        posting.sequence = sequence
    return game.day, min((sequence for _posting, sequence in moved), default=game.sequence)


def _enter(rating_list: RatingList, events: Sequence[Event]) -> None:
    """Post new events of one day: at the end of the ledger line by line, otherwise the tail from there is rewritten."""
    if not events:
        return
    if LedgerEntry.objects.filter(rating_list=rating_list, day__gt=events[0].day).exists():
        _rewrite(rating_list, order(events[0]))
        return
    students = {
        student
        for event in events
        for student in ([event.white, event.black] if isinstance(event, GameEvent) else [event.student])
    }
    states = current_states(rating_list, students)
    rules = rules_of(rating_list)
    lines: list[Line] = []
    for event in events:
        for line, state in post(event, states, rules):
            lines.append(line)
            states[line.student] = state
    _write_lines(rating_list, lines)
    _write_states(rating_list, states)


def _rewrite(rating_list: RatingList, first: tuple[datetime.date, int]) -> None:
    """Replay the list and write the entries from an event's place on anew; what lies before stays as it is."""
    lines, states = replay_of(rating_list, events_of(rating_list))
    day, sequence = first
    tail = LedgerEntry.objects.filter(rating_list=rating_list)
    tail.filter(day__gt=day).delete()
    tail.filter(day=day, sequence__gte=sequence).delete()
    _write_lines(rating_list, [line for line in lines if order(line.event) >= first])
    Rating.objects.filter(rating_list=rating_list).exclude(student__in=states).delete()
    _write_states(rating_list, states)


def _write_lines(rating_list: RatingList, lines: Iterable[Line]) -> None:
    """The one place where lines become ledger entries."""
    LedgerEntry.objects.create_many(
        [
            {
                "rating_list_id": rating_list.pk,
                "student_id": line.student,
                "game_id": line.event.id if isinstance(line.event, GameEvent) else None,
                "adjustment_id": line.event.id if isinstance(line.event, AdjustmentEvent) else None,
                "day": line.event.day,
                "sequence": line.event.sequence,
                "position": line.position,
                "before": line.before,
                "k": line.k,
                "expected": line.expected,
                "score_halves": line.score_halves,
                "change": line.change,
                "top_up": line.top_up,
                "after": line.after,
                "deviation": line.deviation,
            }
            for line in lines
        ]
    )


def _write_states(rating_list: RatingList, states: dict[int, State]) -> None:
    fields = (
        "rating", "peak", "deviation", "entries", "wins", "draws", "losses", "last_change", "last_game_day", "recent",
    )  # fmt: skip
    Rating.objects.bulk_create(
        [
            Rating(
                rating_list=rating_list,
                student_id=student,
                **{field: getattr(state, field) for field in fields if field != "recent"},
                recent=list(state.recent),
            )
            for student, state in states.items()
        ],
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["student", "rating_list"],
        update_fields=fields,
    )


@one_transaction
def _void(posting: AnyPosting, *, by: User, reason: str, version: int | None) -> AnyPosting:
    rating_list, posting = _lock_posting(posting)
    _refuse_stale(rating_list, version)
    if not posting.is_void:
        posting.voided_at, posting.voided_by, posting.void_reason = timezone.now(), by, reason
        _save(posting, by)
        _rewrite(rating_list, (posting.day, posting.sequence))
        _raise_version(rating_list)
    return posting


@one_transaction
def _unvoid(posting: AnyPosting, *, by: User, version: int | None) -> AnyPosting:
    rating_list, posting = _lock_posting(posting)
    _refuse_stale(rating_list, version)
    if posting.is_void:
        posting.voided_at, posting.voided_by, posting.void_reason = None, None, ""
        _save(posting, by)
        _rewrite(rating_list, (posting.day, posting.sequence))
        _raise_version(rating_list)
    return posting


def _lock_posting(posting: AnyPosting) -> tuple[RatingList, AnyPosting]:
    """The locked list, and the posting as it is after the lock."""
    rating_list = lock(posting.rating_list)
    return rating_list, type(posting).objects.get(pk=posting.pk)
