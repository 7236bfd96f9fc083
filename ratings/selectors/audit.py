"""Do the books balance? The rows of a list against its record, its rules and each other."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeVar

from django.db import connection, transaction

from classes.models import Classroom, Enrollment, Student
from ratings.core.elo import WIN, rating_change
from ratings.core.ledger import AdjustmentEvent, Event, GameEvent, Line, replay
from ratings.core.rules import Rules
from ratings.models import Adjustment, Game, LedgerEntry, Rating, RatingList
from ratings.selectors.ledger import rules_of, starts_of

SHOWN = 20  # violations of one kind that are told one by one; the rest is counted
SCORE_HALVES = {result.value: score for result, score in Game.SCORE_HALVES.items()}
LINE_FIELDS = (
    "day", "sequence", "position", "before", "change", "top_up", "after", "k", "expected score", "score_halves",
    "deviation",
)  # fmt: skip
STATE_FIELDS = (
    "rating", "peak", "deviation", "entries", "wins", "draws", "losses", "last_change", "last_game_day", "recent",
)  # fmt: skip
Key = TypeVar("Key")


# --- sums ---


@dataclass(frozen=True, slots=True)
class Balance:
    """Where the points of a group of students come from. In sound books `ratings` is `expected`."""

    students: int
    ratings: int  # the sum of the ratings as they stand; the start of those who have none yet
    starts: int
    adjustments: int
    top_ups: int  # points that lifted somebody to the floor
    k_differences: int  # White's plus Black's change in games within the group where the two had different K
    outside: int  # net points from games against students outside the group

    @property
    def expected(self) -> int:
        """The sum of the ratings as it follows from the entries."""
        return self.starts + self.adjustments + self.top_ups + self.k_differences + self.outside


@dataclass(frozen=True, slots=True)
class Sums:
    """The balance of a list (all students of the school) and of each class by id (active and inactive students)."""

    whole: Balance
    classes: dict[int, Balance]


def sums(rating_list: RatingList) -> Sums:
    """Where the points of a list and of each class come from, by the entries. Six queries, however many classes."""
    return _sums(
        entries=_entries_in(rating_list),
        numbers=dict(Rating.objects.filter(rating_list=rating_list).values_list("student_id", "rating")),
        starts=starts_of(rating_list),
        default_start=rating_list.start_rating,
        students=_students_of(rating_list.school_id),
        classes=_classes_of(rating_list.school_id),
    )


def _sums(
    *,
    entries: list[_Entry],
    numbers: Mapping[int, int],
    starts: Mapping[int, int],
    default_start: int,
    students: Collection[int],
    classes: Mapping[int, frozenset[int]],
) -> Sums:
    by_student = _grouped(entries, lambda entry: entry.student)
    opponents: dict[int, int] = {}  # entry -> the other side of its game
    uneven: set[int] = set()  # games in which the two had different K
    for (kind, event), sides in _grouped(entries, lambda entry: entry.event).items():
        if kind == "game" and len(sides) == 2:
            one, other = sides
            opponents[one.id], opponents[other.id] = other.student, one.student
            if one.k != other.k:
                uneven.add(event)

    def balance(group: Collection[int]) -> Balance:
        adjustments = top_ups = k_differences = outside = 0
        for student in group:
            for entry in by_student.get(student, ()):
                top_ups += entry.top_up
                if entry.game is None:
                    adjustments += entry.change
                elif entry.id in opponents and opponents[entry.id] not in group:
                    outside += entry.change
                elif entry.game in uneven:
                    k_differences += entry.change
                # Every other game is played within the group with one K: what White wins Black loses. Counted
                # nowhere, it unbalances the sum when that is not so.
        own_starts = {student: starts.get(student, default_start) for student in group}
        return Balance(
            students=len(group),
            ratings=sum(numbers.get(student, start) for student, start in own_starts.items()),
            starts=sum(own_starts.values()),
            adjustments=adjustments,
            top_ups=top_ups,
            k_differences=k_differences,
            outside=outside,
        )

    everybody = {*students, *by_student, *numbers}
    return Sums(balance(everybody), {classroom: balance(group) for classroom, group in classes.items()})


# --- what is read ---


class _Game(NamedTuple):
    id: int
    day: datetime.date
    sequence: int
    white: int
    black: int
    result: str
    classroom: int | None
    voided_at: datetime.datetime | None
    voided_by: int | None

    @property
    def name(self) -> str:
        return f"game {self.id}"

    @property
    def players(self) -> tuple[int, ...]:
        return self.white, self.black

    @property
    def counts(self) -> bool:
        """Whether it goes into the replay: not voided. A result that does not exist is told, but cannot be replayed."""
        return self.voided_at is None and self.result in SCORE_HALVES

    @property
    def event(self) -> GameEvent:
        return GameEvent(self.id, self.day, self.sequence, self.white, self.black, SCORE_HALVES[self.result])


class _Adjustment(NamedTuple):
    id: int
    day: datetime.date
    sequence: int
    student: int
    points: int
    classroom: int | None
    voided_at: datetime.datetime | None
    voided_by: int | None

    @property
    def name(self) -> str:
        return f"adjustment {self.id}"

    @property
    def players(self) -> tuple[int, ...]:
        return (self.student,)

    @property
    def counts(self) -> bool:
        """Whether it goes into the replay: not voided."""
        return self.voided_at is None

    @property
    def event(self) -> AdjustmentEvent:
        return AdjustmentEvent(self.id, self.day, self.sequence, self.student, self.points)


_Posting = _Game | _Adjustment


class _Entry(NamedTuple):
    id: int
    student: int
    game: int | None
    adjustment: int | None
    day: datetime.date
    sequence: int
    position: int
    before: int
    change: int
    top_up: int
    after: int
    k: int | None
    expected: float | None
    score_halves: int | None
    deviation: float

    @property
    def event(self) -> tuple[str, int]:
        """Which game or adjustment: the kind of it and its id."""
        return ("game", self.game) if self.game is not None else ("adjustment", self.adjustment or 0)


@dataclass(frozen=True, slots=True)
class _Books:
    """Everything about a list, read at one moment. Plain values: 20,000 games are checked in seconds."""

    rating_list: RatingList
    rules: Rules | None  # None: they cannot be read
    starts: dict[int, int]
    games: dict[int, _Game]
    adjustments: dict[int, _Adjustment]
    entries: list[_Entry]  # by student and position
    ratings: dict[int, dict[str, object]]
    numbers: dict[int, int]  # student -> rating, from the rating rows
    students: set[int]  # of the list's school
    classes: dict[int, frozenset[int]]  # of the list's school: everybody ever enrolled
    by_student: dict[int, list[_Entry]]
    by_event: dict[tuple[str, int], list[_Entry]]

    @property
    def postings(self) -> Iterator[_Posting]:
        yield from self.games.values()
        yield from self.adjustments.values()

    def entries_of(self, posting: _Posting) -> list[_Entry]:
        return self.by_event.get(("game" if isinstance(posting, _Game) else "adjustment", posting.id), [])

    def posting_of(self, entry: _Entry) -> _Posting | None:
        """The entry's game or adjustment; None where it is not in this list."""
        if entry.game is not None:
            return self.games.get(entry.game)
        return self.adjustments.get(entry.adjustment or 0)

    def start_of(self, student: int) -> int:
        return self.starts.get(student, self.rating_list.start_rating)


def _read(rating_list: RatingList) -> _Books:
    """The books of a list. Locked while they are read, so that a half-written game is not taken for a fault."""
    with transaction.atomic():
        rating_list = RatingList.objects.select_for_update().get(pk=rating_list.pk)
        postings = {"rating_list": rating_list}
        games = Game.objects.filter(**postings).order_by("pk")
        adjustments = Adjustment.objects.filter(**postings).order_by("pk")
        entries = _entries_in(rating_list)
        ratings: dict[int, dict[str, object]] = {}
        numbers: dict[int, int] = {}
        for row in Rating.objects.filter(**postings).order_by("student_id").values("student_id", *STATE_FIELDS):
            ratings[row["student_id"]] = {field: row[field] for field in STATE_FIELDS}
            numbers[row["student_id"]] = row["rating"]
        return _Books(
            rating_list=rating_list,
            rules=_readable_rules(rating_list),
            starts=starts_of(rating_list),
            games={
                row[0]: _Game(*row)
                for row in games.values_list(
                    "pk", "day", "sequence", "white_id", "black_id", "result", "classroom_id", "voided_at",
                    "voided_by_id",
                )
            },
            adjustments={
                row[0]: _Adjustment(*row)
                for row in adjustments.values_list(
                    "pk", "day", "sequence", "student_id", "points", "classroom_id", "voided_at", "voided_by_id"
                )
            },
            entries=entries,
            ratings=ratings,
            numbers=numbers,
            students=_students_of(rating_list.school_id),
            classes=_classes_of(rating_list.school_id),
            by_student=_grouped(entries, lambda entry: entry.student),
            by_event=_grouped(entries, lambda entry: entry.event),
        )  # fmt: skip


def _entries_in(rating_list: RatingList) -> list[_Entry]:
    rows = LedgerEntry.objects.filter(rating_list=rating_list).order_by("student_id", "position")
    return [
        _Entry(*row)
        for row in rows.values_list(
            "pk", "student_id", "game_id", "adjustment_id", "day", "sequence", "position", "before", "change", "top_up",
            "after", "k", "expected", "score_halves", "deviation",
        )
    ]  # fmt: skip


def _readable_rules(rating_list: RatingList) -> Rules | None:
    try:
        return rules_of(rating_list)
    except ValueError:  # no rule at all, or one of an unknown kind
        return None


def _students_of(school: int) -> set[int]:
    return set(Student.objects.filter(school=school).order_by().values_list("pk", flat=True))


def _classes_of(school: int) -> dict[int, frozenset[int]]:
    """Everybody ever enrolled, by class, in two queries."""
    enrolled: dict[int, set[int]] = {pk: set() for pk in _classroom_ids(school)}
    pairs = Enrollment.objects.filter(classroom__school=school).values_list("classroom_id", "student_id")
    for classroom, student in pairs:
        enrolled.setdefault(classroom, set()).add(student)
    return {classroom: frozenset(students) for classroom, students in enrolled.items()}


def _classroom_ids(school: int) -> list[int]:
    return list(Classroom.objects.filter(school=school).order_by("pk").values_list("pk", flat=True))


def _grouped(entries: Iterable[_Entry], key: Callable[[_Entry], Key]) -> dict[Key, list[_Entry]]:
    groups: dict[Key, list[_Entry]] = defaultdict(list)
    for entry in entries:
        groups[key(entry)].append(entry)
    return dict(groups)


# --- what is checked ---


def violations(rating_list: RatingList) -> list[str]:
    """What is wrong with a list, one line each, told by ids alone: no names, notes or reasons. Empty for sound books.

    Beyond the first lines of a kind the rest is counted. That a one-time key answers once is left to the database:
    `UsedKey.key` is unique, and no event refers to a key.
    """
    books = _read(rating_list)
    lines = []
    for kind, check in CHECKS.items():
        found = list(check(books))
        lines += [f"list {rating_list.pk}: {kind}: {text}" for text in found[:SHOWN]]
        if len(found) > SHOWN:
            lines.append(f"list {rating_list.pk}: {kind}: and {len(found) - SHOWN} more")
    return lines


def _check_rules(books: _Books) -> Iterator[str]:
    """Without readable rules and results nothing can be recalculated."""
    if books.rules is None:
        yield "the rules cannot be read: none at all, or an unknown kind"
    for game in books.games.values():
        if game.result not in SCORE_HALVES:
            yield f"{game.name}: unknown result"


def _check_ratings(books: _Books) -> Iterator[str]:
    """A rating is the start and everything that the entries did to it."""
    for student, rating in books.numbers.items():
        moved = sum(entry.change + entry.top_up for entry in books.by_student.get(student, ()))
        expected = books.start_of(student) + moved
        if rating != expected:
            yield f"student {student}: rating {rating}, expected {expected} (start {expected - moved} {moved:+d})"


def _check_chain(books: _Books) -> Iterator[str]:
    """A student's entries are numbered 1 to n, and each begins where the one before it ended."""
    for student, entries in books.by_student.items():
        position, rating = 0, books.start_of(student)
        for entry in entries:
            name = f"entry {entry.id} of student {student}"
            if entry.position != position + 1:
                yield f"{name}: position {entry.position}, expected {position + 1}"
            if entry.before != rating:
                yield f"{name}: before {entry.before}, expected {rating}"
            if entry.after != entry.before + entry.change + entry.top_up:
                expected = entry.before + entry.change + entry.top_up
                yield f"{name}: after {entry.after}, expected {expected}"
            position, rating = entry.position, entry.after


def _check_entries(books: _Books) -> Iterator[str]:
    """A game has one entry for each player, an adjustment has one for its student."""
    for posting in books.postings:
        if posting.voided_at is None:
            found = sorted(entry.student for entry in books.entries_of(posting))
            expected = sorted(posting.players)
            if found != expected:
                yield f"{posting.name}: entries of students {_listed(found)}, expected {_listed(expected)}"


def _check_changes(books: _Books) -> Iterator[str]:
    """Every change is what the rule of the day makes of the ratings before it.

    This does not lean on the replay: it recalculates each event alone, from the numbers that its entries begin with.
    """
    if books.rules is None:
        return
    past = _past(books)
    for game in books.games.values():
        sides = {entry.student: entry for entry in books.entries_of(game)}
        if not game.counts or len(sides) != 2 or set(sides) != set(game.players):
            continue  # told elsewhere
        white, black = sides[game.white], sides[game.black]
        rule, score = books.rules.on(game.day), SCORE_HALVES[game.result]
        k_white, k_black = (
            rule.k_factor(rating=side.before, peak=past[side.id].peak, games=past[side.id].games)
            for side in (white, black)
        )
        white_change = rating_change(k_white, score, rule.expected_score(white.before, black.before))
        if k_white == k_black:
            black_change = -white_change
        else:
            black_change = rating_change(k_black, WIN - score, rule.expected_score(black.before, white.before))
        for side, k, change in ((white, k_white, white_change), (black, k_black, black_change)):
            yield from _differences(
                f"{game.name}, student {side.student}", ("k", "change"), (side.k, side.change), (k, change)
            )
    for adjustment in books.adjustments.values():
        for entry in books.entries_of(adjustment):
            if entry.change != adjustment.points:
                yield f"{adjustment.name}, student {entry.student}: change {entry.change}, expected {adjustment.points}"
    for entry in books.entries:
        top_up = books.rules.on(entry.day).top_up(entry.before + entry.change)
        if entry.top_up != top_up:
            yield f"entry {entry.id} of student {entry.student}: top_up {entry.top_up}, expected {top_up}"


class _Past(NamedTuple):
    """What a K-factor asks about a player: the highest rating and the number of games before an entry."""

    peak: int
    games: int


def _past(books: _Books) -> dict[int, _Past]:
    past = {}
    for student, entries in books.by_student.items():
        peak, games = books.start_of(student), 0
        for entry in entries:
            past[entry.id] = _Past(peak, games)
            peak = max(peak, entry.after)
            games += entry.game is not None
    return past


def _check_sums(books: _Books) -> Iterator[str]:
    """No point comes from nowhere: the ratings of the list and of every class are accounted for."""
    found = _sums(
        entries=books.entries,
        numbers=books.numbers,
        starts=books.starts,
        default_start=books.rating_list.start_rating,
        students=books.students,
        classes=books.classes,
    )
    groups = {"whole list": found.whole} | {f"class {pk}": balance for pk, balance in found.classes.items()}
    for name, balance in groups.items():
        if balance.ratings != balance.expected:
            yield (
                f"{name}: ratings {balance.ratings}, expected {balance.expected} (starts {balance.starts}, adjustments "
                f"{balance.adjustments:+d}, top-ups {balance.top_ups:+d}, K-differences {balance.k_differences:+d}, "
                f"outside {balance.outside:+d})"
            )


def _check_replay(books: _Books) -> Iterator[str]:
    """Entries and ratings are exactly what a replay of the events gives, in whatever order these are read."""
    if books.rules is None:
        return
    events: list[Event] = [posting.event for posting in books.postings if posting.counts]
    start, rules = books.rating_list.start_rating, books.rules
    lines, states = replay(events, starts=books.starts, default_start=start, rules=rules)
    if (lines, states) != replay(reversed(events), starts=books.starts, default_start=start, rules=rules):
        yield "two replays of the same events differ"
    stored = {(entry.event, entry.student): entry for entry in books.entries}
    for line in lines:
        kind = "game" if isinstance(line.event, GameEvent) else "adjustment"
        name = f"{kind} {line.event.id}, student {line.student}"
        entry = stored.pop(((kind, line.event.id), line.student), None)
        if entry is None:
            yield f"{name}: no entry"
        else:
            yield from _differences(name, LINE_FIELDS, _values(entry), _line_values(line))
    for entry in stored.values():
        yield f"entry {entry.id} of student {entry.student}: not in the replay"
    for student, state in states.items():
        expected = {field: getattr(state, field) for field in STATE_FIELDS} | {"recent": list(state.recent)}
        rating = books.ratings.get(student)
        if rating is None:
            yield f"student {student}: no rating row"
        else:
            yield from _differences(
                f"rating of student {student}", STATE_FIELDS, tuple(rating.values()), tuple(expected.values())
            )


def _values(entry: _Entry) -> tuple[object, ...]:
    return (
        entry.day, entry.sequence, entry.position, entry.before, entry.change, entry.top_up, entry.after, entry.k,
        entry.expected, entry.score_halves, entry.deviation,
    )  # fmt: skip


def _line_values(line: Line) -> tuple[object, ...]:
    return (
        line.event.day, line.event.sequence, line.position, line.before, line.change, line.top_up, line.after, line.k,
        line.expected, line.score_halves, line.deviation,
    )  # fmt: skip


def _check_order(books: _Books) -> Iterator[str]:
    """One order for games and adjustments together, and the entries stand in it."""
    at: dict[int, list[str]] = defaultdict(list)
    for posting in books.postings:
        at[posting.sequence].append(posting.name)
    for sequence, names in at.items():
        if len(names) > 1:
            yield f"sequence {sequence}: used by {_listed(names)}"
    if at and books.rating_list.next_sequence <= max(at):
        yield f"next sequence {books.rating_list.next_sequence}, expected more than {max(at)}"
    for entry in books.entries:
        cause = books.posting_of(entry)
        if cause is not None and (entry.day, entry.sequence) != (cause.day, cause.sequence):
            yield (
                f"entry {entry.id} of {cause.name}: at {entry.day}, {entry.sequence}, "
                f"expected {cause.day}, {cause.sequence}"
            )
    for student, entries in books.by_student.items():
        for one, following in pairwise(entries):
            if (one.day, one.sequence) >= (following.day, following.sequence):
                yield f"student {student}: entry {one.id} is numbered before entry {following.id}, but lies after it"


def _check_voids(books: _Books) -> Iterator[str]:
    """What is voided does nothing, and it is known when and by whom it was voided."""
    for posting in books.postings:
        if (posting.voided_at is None) != (posting.voided_by is None):
            missing = "when" if posting.voided_at is None else "by whom"
            yield f"{posting.name}: voided, but not known {missing}"
        entries = books.entries_of(posting)
        if posting.voided_at is not None and entries:
            yield f"{posting.name}: voided, but has entries {_listed(entry.id for entry in entries)}"


def _check_people(books: _Books) -> Iterator[str]:
    """Nobody plays against themselves, and everybody belongs to the school and to the class of the game."""
    for posting in books.postings:
        if len(set(posting.players)) < len(posting.players):
            yield f"{posting.name}: student {posting.players[0]} on both sides"
        for student in sorted(set(posting.players) - books.students):
            yield f"{posting.name}: student {student} is not of school {books.rating_list.school_id}"
        if posting.classroom is None:
            continue
        if posting.classroom not in books.classes:
            yield f"{posting.name}: class {posting.classroom} is not of school {books.rating_list.school_id}"
        elif isinstance(posting, _Game):
            for student in sorted(set(posting.players) - books.classes[posting.classroom]):
                yield f"{posting.name}: student {student} is not enrolled in class {posting.classroom}"
    for student in sorted(set(books.starts) - books.students):
        yield f"start of student {student}: not of school {books.rating_list.school_id}"


def _check_orphans(books: _Books) -> Iterator[str]:
    """No entry without a game or adjustment of this list, no rating without an entry."""
    for entry in books.entries:
        if (entry.game is None) == (entry.adjustment is None):
            yield f"entry {entry.id}: needs either a game or an adjustment"
        elif books.posting_of(entry) is None:
            kind, event = entry.event
            yield f"entry {entry.id}: {kind} {event} is not in this list"
    for student in sorted(set(books.ratings) - set(books.by_student)):
        yield f"rating of student {student}: there is no entry"


def _differences(
    name: str, fields: Sequence[str], found: Sequence[object], expected: Sequence[object]
) -> Iterator[str]:
    """One line with every field that differs, none if none does."""
    if found != expected:
        yield f"{name}: " + "; ".join(
            f"{field} {ours}, expected {theirs}"
            for field, ours, theirs in zip(fields, found, expected, strict=True)
            if ours != theirs
        )


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values)) or "none"


CHECKS: dict[str, Callable[[_Books], Iterator[str]]] = {
    "rules": _check_rules,
    "ratings": _check_ratings,
    "chain": _check_chain,
    "entries": _check_entries,
    "changes": _check_changes,
    "sums": _check_sums,
    "replay": _check_replay,
    "order": _check_order,
    "voids": _check_voids,
    "people": _check_people,
    "orphans": _check_orphans,
}


def database_violations() -> list[str]:
    """What the database finds wrong with itself: broken references, damaged pages, rows that break a constraint.

    Only SQLite can be asked, and only there it is needed: a file can be copied half-way or written with checks off.
    """
    if connection.vendor != "sqlite":
        return []
    with connection.cursor() as cursor:
        references = [
            f"table {table}, row {row}: points at nothing in {parent}"
            for table, row, parent, _number in cursor.execute("PRAGMA foreign_key_check").fetchall()
        ]
        damage = [text for (text,) in cursor.execute("PRAGMA integrity_check").fetchall() if text != "ok"]
    lines = []
    for kind, found in (("references", references), ("integrity", damage)):
        lines += [f"database: {kind}: {text}" for text in found[:SHOWN]]
        if len(found) > SHOWN:
            lines.append(f"database: {kind}: and {len(found) - SHOWN} more")
    return lines
