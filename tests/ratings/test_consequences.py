"""What is announced before a change of history is what is then saved, and the rules of such changes."""

from __future__ import annotations

import datetime
import random
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from classes.models import Enrollment, Student
from classes.selectors import labels_in
from classes.services import set_active
from ratings import services
from ratings.models import Adjustment, Game, LedgerEntry, Rating, RatingRule
from ratings.selectors.audit import violations
from ratings.selectors.consequences import MoveRow, of_correction, of_unvoiding, of_voiding, place_of
from tests.conftest import Cast
from tests.factories import BLACK, DRAW, WHITE, give_points, list_of, make_game, make_student

pytestmark = [pytest.mark.django_db, pytest.mark.database]

ONE_DAY = datetime.timedelta(days=1)


def version_of(cast: Cast) -> int:
    rating_list = list_of(cast.classroom)
    return rating_list.version


def fresh(posting: Game | Adjustment) -> Game | Adjustment:
    """As the next request reads it, with its list."""
    return type(posting).objects.select_related("rating_list").get(pk=posting.pk)


def correction_of(game: Game, **changes: Any) -> dict[str, Any]:
    kept = {"white": game.white, "black": game.black, "result": game.result, "day": game.day, "place": None}
    return kept | changes


def correct(game: Game, by: Any, *, version: int | None = None, note: str = "", **changes: Any) -> Game:
    return services.correct_game(game, **correction_of(game, **changes), note=note, by=by, version=version)


# --- what is announced is what is saved ---


@dataclass(frozen=True)
class Place:
    """One event that counts, as it stands in the order of the list."""

    is_game: bool
    pk: int


def order_of(cast: Cast) -> list[Place]:
    """Everything that counts, in order, read from the tables without the code under test."""
    rating_list = list_of(cast.classroom)
    rows = [
        (game.day, game.sequence, Place(True, game.pk))
        for game in Game.objects.filter(rating_list=rating_list, voided_at=None)
    ]
    rows += [
        (points.day, points.sequence, Place(False, points.pk))
        for points in Adjustment.objects.filter(rating_list=rating_list, voided_at=None)
    ]
    return [place for _day, _sequence, place in sorted(rows, key=lambda row: row[:2])]


def games_replayed(before: list[Place], after: list[Place], changed: Game | Adjustment) -> int:
    """The games that stand after the changed one before the change or after it, whichever is more."""
    is_game = isinstance(changed, Game)
    places = [
        index
        for order in (before, after)
        for index, place in enumerate(order)
        if (place.is_game, place.pk) == (is_game, changed.pk)
    ]
    if not places:
        return 0
    return sum(place.is_game and not (is_game and place.pk == changed.pk) for place in after[min(places) :])


def random_history(cast: Cast, chance: random.Random) -> list[Student]:
    """Games and points of five students on four days, some of them void; the students."""
    students = [cast.mia, cast.ben, cast.cleo, *(make_student(cast.classroom, name) for name in ("Dan", "Eva"))]
    services.set_start_rating(list_of(cast.classroom), students[3], rating=1250)
    today = cast.school.today()
    for _ in range(14):
        white, black = chance.sample(students, 2)
        day = today - ONE_DAY * chance.randrange(4)
        make_game(cast.classroom, white, black, chance.choice((WHITE, DRAW, BLACK)), day=day)
        if chance.random() < 0.4:
            give_points(cast.classroom, chance.choice(students), chance.choice((-30, -2, 3, 25)), day=day)
    for game in chance.sample(list(Game.objects.all()), 3):
        services.void_game(game, by=cast.teacher, reason="Wrong board")
    return students


def random_correction(game: Game, students: list[Student], chance: random.Random) -> dict[str, Any]:
    """Changes of one or several things of a game."""
    today = game.rating_list.school.today()
    changes: dict[str, Any] = {}
    if chance.random() < 0.4:
        changes["white"], changes["black"] = chance.sample(students, 2)
    if chance.random() < 0.4:
        changes["result"] = chance.choice((WHITE, DRAW, BLACK)).value
    if chance.random() < 0.4:
        changes["day"] = today - ONE_DAY * chance.randrange(5)
    if not changes or chance.random() < 0.5:
        changes["place"] = chance.randrange(1, 12)
    return changes


RULES = {
    1: {},
    2: {"floor": 780},
    3: {"kind": RatingRule.Kind.PROVISIONAL, "k": 20, "provisional_k": 40, "provisional_games": 3},
    4: {"kind": RatingRule.Kind.FIDE},
}


@pytest.mark.parametrize("seed", RULES)
def test_fifteen_changes_in_a_row_do_to_every_rating_what_was_announced(cast, seed):
    chance = random.Random(seed)
    rating_list = list_of(cast.classroom)
    services.set_rule(rating_list, rule=RatingRule(rating_list=rating_list, **RULES[seed]))
    students = random_history(cast, chance)
    labels = labels_in(cast.classroom)
    starts = {student.pk: 1250 if student == students[3] else 800 for student in students}

    def ratings() -> dict[int, int]:
        return starts | dict(Rating.objects.filter(rating_list=rating_list).values_list("student_id", "rating"))

    for step in range(15):
        turn = ("correct", "void", "correct", "correct", "put back")[step % 5]
        postings = [*Game.objects.all(), *([] if turn == "correct" else Adjustment.objects.all())]
        wanted = {"correct": {True, False}, "void": {False}, "put back": {True}}[turn]
        posting = fresh(chance.choice([posting for posting in postings if posting.is_void in wanted]))
        what = f"{seed}.{step}: {turn} {posting}"
        before, order_before = ratings(), order_of(cast)
        if turn == "correct":
            changes = random_correction(posting, students, chance)
            what += f" {changes}"
            announced = of_correction(posting, **correction_of(posting, **changes), labels=labels)
            correct(posting, cast.teacher, version=announced.version, **changes)
        elif turn == "put back":
            announced = of_unvoiding(posting, labels)
            back = services.unvoid_game if isinstance(posting, Game) else services.unvoid_adjustment
            back(posting, by=cast.teacher, version=announced.version)
        else:
            announced = of_voiding(posting, labels)
            out = services.void_game if isinstance(posting, Game) else services.void_adjustment
            out(posting, by=cast.teacher, reason="Wrong board", version=announced.version)

        after = ratings()
        moved = {
            labels[pk]: MoveRow(labels[pk], before[pk], after[pk], after[pk] - before[pk])
            for pk in before
            if before[pk] != after[pk]
        }
        assert {move.label: move for move in announced.moves} == moved, what
        assert [abs(move.by) for move in announced.moves] == sorted((abs(m.by) for m in moved.values()), reverse=True)
        assert announced.later_games == games_replayed(order_before, order_of(cast), posting), what
        assert violations(rating_list) == [], what


def test_announcing_writes_nothing(cast):
    first = fresh(make_game(cast.classroom, cast.mia, cast.ben))
    make_game(cast.classroom, cast.ben, cast.cleo)
    labels = labels_in(cast.classroom)
    before = [list(model.objects.order_by("pk").values()) for model in (Game, Rating, LedgerEntry)], version_of(cast)

    found = of_correction(first, **correction_of(first, result=BLACK.value, place=2), labels=labels)
    of_voiding(first, labels)

    assert found.moves
    after = [list(model.objects.order_by("pk").values()) for model in (Game, Rating, LedgerEntry)], version_of(cast)
    assert after == before


def test_a_student_of_another_class_whose_rating_follows_is_named_as_on_a_board(cast):
    first = fresh(make_game(cast.classroom, cast.mia, cast.ben))
    make_game_of_two_classes(cast)

    found = of_voiding(first, labels_in(cast.classroom))

    assert [move.label for move in found.moves] == ["Ben Osei", "Mia Kowalczyk", "Noah F."]


def make_game_of_two_classes(cast: Cast) -> Game:
    return services.record_game(
        rating_list=list_of(cast.classroom),
        classroom=None,
        white=cast.mia,
        black=cast.other,
        result=WHITE,
        day=cast.school.today(),
        by=cast.lead,
    )


def test_points_taken_out_count_every_later_game_even_one_with_the_same_id(cast):
    game = make_game(cast.classroom, cast.mia, cast.ben)
    points = Adjustment.objects.create(
        pk=game.pk,  # ids of games and of points have nothing to do with each other
        rating_list=game.rating_list,
        student=cast.mia,
        points=3,
        kind=Adjustment.Kind.SKILL,
        reason="Solved the puzzle sheet",
        day=game.day - ONE_DAY,
        sequence=99,
        given_by=cast.teacher,
    )

    found = of_voiding(fresh(points), labels_in(cast.classroom))

    assert (found.later_games, found.moves) == (1, [])


@pytest.mark.parametrize("place", [None, 3])
def test_correcting_a_void_game_replays_nothing(cast, place):
    first = make_game(cast.classroom, cast.mia, cast.ben)
    make_game(cast.classroom, cast.ben, cast.cleo)
    make_game(cast.classroom, cast.mia, cast.cleo)
    services.void_game(first, by=cast.teacher, reason="Wrong board")
    first = fresh(first)
    before = dict(Rating.objects.values_list("student_id", "rating"))

    found = of_correction(
        first, **correction_of(first, result=BLACK.value, place=place), labels=labels_in(cast.classroom)
    )
    correct(first, cast.teacher, version=found.version, result=BLACK.value, place=place)

    assert (found.later_games, found.moves) == (0, [])
    assert dict(Rating.objects.values_list("student_id", "rating")) == before
    assert violations(list_of(cast.classroom)) == []


def circle(cast: Cast) -> Game:
    """Mia beats Ben, Ben beats Cleo, Cleo beats Mia; the first of the three games."""
    pairs = [(cast.mia, cast.ben), (cast.ben, cast.cleo), (cast.cleo, cast.mia)]
    return fresh([make_game(cast.classroom, *pair, WHITE) for pair in pairs][0])


def test_a_wrong_result_in_an_old_game_is_taken_out_and_later_games_are_replayed(cast, ratings_of):
    first = circle(cast)
    assert ratings_of(cast.classroom) == {"Mia": 798, "Ben": 801, "Cleo": 801}

    services.void_game(first, by=cast.teacher, reason="Wrong result")

    assert ratings_of(cast.classroom) == {"Mia": 783, "Ben": 816, "Cleo": 801}


def test_a_wrong_result_in_an_old_game_is_changed_and_later_games_are_replayed(cast, ratings_of):
    correct(circle(cast), cast.teacher, result=BLACK.value)

    assert ratings_of(cast.classroom) == {"Mia": 768, "Ben": 831, "Cleo": 801}


def test_a_changed_result_replaces_what_the_first_one_did_and_is_not_added_to_it(cast, ratings_of):
    game = make_game(cast.classroom, cast.mia, cast.ben, WHITE)

    correct(fresh(game), cast.teacher, result=BLACK.value)

    assert ratings_of(cast.classroom) == {"Mia": 784, "Ben": 816}
    rows = Rating.objects.values_list("student", "wins", "losses", "entries")
    assert set(rows) == {(cast.mia.pk, 0, 1, 1), (cast.ben.pk, 1, 0, 1)}


# --- the place within the day ---


def test_a_game_stands_among_all_games_and_points_of_its_day_void_ones_too(cast):
    today = cast.school.today()
    make_game(cast.classroom, cast.mia, cast.cleo, day=today - ONE_DAY)
    first = make_game(cast.classroom, cast.mia, cast.ben)
    give_points(cast.classroom, cast.mia)
    void = make_game(cast.classroom, cast.ben, cast.cleo)
    services.void_game(void, by=cast.teacher, reason="Wrong board")
    last = make_game(cast.classroom, cast.mia, cast.cleo)
    late = make_game(cast.classroom, cast.mia, cast.cleo, day=today - ONE_DAY)

    assert [place_of(game) for game in (first, void, last, late)] == [(1, 4), (3, 4), (4, 4), (2, 2)]


def test_another_place_deals_the_numbers_of_that_day_anew_and_keeps_the_order_of_the_others(cast):
    today = cast.school.today()
    early = make_game(cast.classroom, cast.mia, cast.ben, day=today - ONE_DAY)
    one = make_game(cast.classroom, cast.mia, cast.ben)
    back_dated = make_game(cast.classroom, cast.mia, cast.cleo, day=today - ONE_DAY)
    give_points(cast.classroom, cast.ben)
    points = Adjustment.objects.get()
    three = make_game(cast.classroom, cast.ben, cast.cleo)
    four = make_game(cast.classroom, cast.cleo, cast.mia)
    names = {("game", early.pk): "early", ("game", one.pk): "one", ("game", back_dated.pk): "back-dated",
             ("points", points.pk): "points", ("game", three.pk): "three", ("game", four.pk): "four"}  # fmt: skip

    def dealt() -> dict[str, int]:
        rows = [("game", game.pk, game.sequence) for game in Game.objects.all()]
        rows += [("points", one.pk, one.sequence) for one in Adjustment.objects.all()]
        return {names[kind, pk]: sequence for kind, pk, sequence in sorted(rows, key=lambda row: row[2])}

    assert dealt() == {"early": 1, "one": 2, "back-dated": 3, "points": 4, "three": 5, "four": 6}

    correct(fresh(three), cast.teacher, place=1)
    assert dealt() == {"early": 1, "three": 2, "back-dated": 3, "one": 4, "points": 5, "four": 6}

    correct(fresh(three), cast.teacher, place=3)
    assert dealt() == {"early": 1, "one": 2, "back-dated": 3, "points": 4, "three": 5, "four": 6}

    correct(fresh(one), cast.teacher, place=99)
    assert dealt() == {"early": 1, "points": 2, "back-dated": 3, "three": 4, "four": 5, "one": 6}

    correct(fresh(four), cast.teacher, day=today - ONE_DAY, place=1)
    assert dealt() == {"four": 1, "points": 2, "early": 3, "three": 4, "back-dated": 5, "one": 6}
    assert violations(list_of(cast.classroom)) == []


def test_a_new_day_without_a_place_keeps_the_number(cast):
    today = cast.school.today()
    there = make_game(cast.classroom, cast.mia, cast.ben, day=today - ONE_DAY)
    moved = make_game(cast.classroom, cast.mia, cast.cleo)
    last = make_game(cast.classroom, cast.ben, cast.cleo, day=today - ONE_DAY)

    correct(fresh(moved), cast.teacher, day=today - ONE_DAY)

    assert [fresh(game).sequence for game in (there, moved, last)] == [1, 2, 3]
    assert place_of(fresh(moved)) == (2, 3)


# --- who may stand in a corrected game ---


def test_everybody_ever_enrolled_may_stand_in_a_correction(cast):
    game = make_game(cast.classroom, cast.mia, cast.ben)
    set_active(Enrollment.objects.get(student=cast.cleo), active=False)

    correct(fresh(game), cast.teacher, black=cast.cleo)

    game.refresh_from_db()
    assert (game.white, game.black) == (cast.mia, cast.cleo)


def test_the_players_of_the_game_may_stay_whatever_became_of_them(cast):
    game = make_game(cast.classroom, cast.mia, cast.ben)
    Enrollment.objects.filter(student__in=[cast.mia, cast.ben]).delete()

    correct(fresh(game), cast.teacher, white=cast.ben, black=cast.mia)

    game.refresh_from_db()
    assert (game.white, game.black) == (cast.ben, cast.mia)


@pytest.mark.parametrize("who", ["other", "stranger"])
@pytest.mark.parametrize("side", ["white", "black"])
def test_whoever_was_never_in_the_class_is_refused(cast, who, side):
    game = fresh(make_game(cast.classroom, cast.mia, cast.ben))
    version = version_of(cast)

    with pytest.raises(ValidationError) as refused:
        correct(game, cast.teacher, **{side: getattr(cast, who)})

    assert refused.value.messages == ["1 student was never in this class."]
    game.refresh_from_db()
    assert (game.white, game.black, version_of(cast)) == (cast.mia, cast.ben, version)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"day": 1}, "The day lies in the future."),
        ({"day": -60000}, "The day lies too far back."),
        ({"black": "mia"}, "White and Black must be two different students."),
    ],
)
def test_what_cannot_have_been_is_refused(cast, changes, message):
    game = fresh(make_game(cast.classroom, cast.mia, cast.ben))
    wanted = {
        name: cast.mia if value == "mia" else cast.school.today() + value * ONE_DAY for name, value in changes.items()
    }

    with pytest.raises(ValidationError) as refused:
        correct(game, cast.teacher, **wanted)

    assert refused.value.messages == [message]


# --- somebody else writes meanwhile ---


@pytest.mark.parametrize("change", ["correct", "void", "put back", "void points", "put points back"])
def test_what_was_announced_before_somebody_wrote_is_not_saved(cast, change):
    game = make_game(cast.classroom, cast.mia, cast.ben)
    give_points(cast.classroom, cast.mia)
    points = Adjustment.objects.get()
    if "back" in change:
        services.void_game(game, by=cast.lead, reason="Wrong board")
        services.void_adjustment(points, by=cast.lead, reason="Wrong child")
    seen = version_of(cast)
    make_game(cast.classroom, cast.ben, cast.cleo)
    before = ratings_and_history(game, points)

    with pytest.raises(services.StaleVersion):
        {
            "correct": lambda: correct(game, cast.teacher, result=BLACK.value, version=seen),
            "void": lambda: services.void_game(game, by=cast.teacher, reason="No", version=seen),
            "put back": lambda: services.unvoid_game(game, by=cast.teacher, version=seen),
            "void points": lambda: services.void_adjustment(points, by=cast.teacher, reason="No", version=seen),
            "put points back": lambda: services.unvoid_adjustment(points, by=cast.teacher, version=seen),
        }[change]()

    assert ratings_and_history(game, points) == before


def ratings_and_history(game: Game, points: Adjustment) -> tuple[object, ...]:
    return (
        dict(Rating.objects.values_list("student_id", "rating")),
        list(game.history.values()),
        list(points.history.values()),
    )


def test_every_write_raises_the_version(cast):
    rating_list = list_of(cast.classroom)
    today = cast.school.today()
    game = make_game(cast.classroom, cast.mia, cast.ben)
    give_points(cast.classroom, cast.mia)
    points = Adjustment.objects.get()
    new_game = services.NewGame(today, cast.mia.pk, cast.cleo.pk, WHITE)
    writes = {
        "record": lambda: make_game(cast.classroom, cast.ben, cast.cleo),
        "back-date": lambda: make_game(cast.classroom, cast.ben, cast.cleo, day=today - ONE_DAY),
        "give points": lambda: give_points(cast.classroom, cast.ben),
        "correct": lambda: correct(fresh(game), cast.teacher, result=BLACK.value),
        "place": lambda: correct(fresh(game), cast.teacher, place=99),
        "void": lambda: services.void_game(game, by=cast.teacher, reason="Wrong board"),
        "correct a void game": lambda: correct(fresh(game), cast.teacher, result=WHITE.value),
        "put back": lambda: services.unvoid_game(game, by=cast.teacher),
        "void points": lambda: services.void_adjustment(points, by=cast.teacher, reason="Wrong child"),
        "put points back": lambda: services.unvoid_adjustment(points, by=cast.teacher),
        "take points back": lambda: services.void_together([points], by=cast.teacher, reason="Undone"),
        "rule": lambda: services.set_rule(rating_list, rule=RatingRule(rating_list=rating_list, k=20)),
        "start": lambda: services.set_start_rating(rating_list, cast.cleo, rating=900),
        "import": lambda: services.import_games(
            rating_list=rating_list, classroom=cast.classroom, games=[new_game], by=cast.teacher
        ),
    }

    raised = {}
    for name, write in writes.items():
        before = version_of(cast)
        write()
        raised[name] = version_of(cast) > before

    assert raised == dict.fromkeys(writes, True)


def test_a_note_changes_no_rating_and_spoils_no_page_that_somebody_has_open(cast):
    game = make_game(cast.classroom, cast.mia, cast.ben, note="Fork")
    other = make_game(cast.classroom, cast.ben, cast.cleo)
    announced = of_voiding(fresh(other), labels_in(cast.classroom))
    before = list(LedgerEntry.objects.order_by("pk").values()), list(Rating.objects.order_by("pk").values())

    services.change_note(game, note="Pin", by=cast.teacher)

    game.refresh_from_db()
    assert game.note == "Pin"
    assert [(old.note, old.history_user) for old in game.history.order_by("history_id")] == [
        ("Fork", cast.lead),
        ("Pin", cast.teacher),
    ]
    assert (
        list(LedgerEntry.objects.order_by("pk").values()),
        list(Rating.objects.order_by("pk").values()),
    ) == before
    services.void_game(other, by=cast.teacher, reason="Wrong board", version=announced.version)
    assert fresh(other).is_void


# --- what stays on record ---


def test_a_correction_keeps_the_old_values_and_who_changed_them(cast):
    game = make_game(cast.classroom, cast.mia, cast.ben, WHITE, note="Fork")
    yesterday = game.day - ONE_DAY

    correct(fresh(game), cast.teacher, black=cast.cleo, result=DRAW.value, day=yesterday, note="Pin")

    kept = [
        (old.white, old.black, old.result, old.day, old.note, old.history_user)
        for old in game.history.order_by("history_id")
    ]
    assert kept == [
        (cast.mia, cast.ben, WHITE, game.day, "Fork", cast.lead),
        (cast.mia, cast.cleo, DRAW, yesterday, "Pin", cast.teacher),
    ]


def test_voiding_twice_keeps_the_first_reason_and_raises_nothing(cast):
    game = make_game(cast.classroom, cast.mia, cast.ben)
    services.void_game(game, by=cast.teacher, reason="Wrong board")
    version = version_of(cast)

    services.void_game(game, by=cast.lead, reason="Another reason")

    game.refresh_from_db()
    assert (game.voided_by, game.void_reason, version_of(cast)) == (cast.teacher, "Wrong board", version)
    assert game.history.count() == 2


def test_putting_back_what_counts_changes_nothing(cast):
    game = make_game(cast.classroom, cast.mia, cast.ben)
    version = version_of(cast)

    services.unvoid_game(game, by=cast.teacher)

    assert (version_of(cast), game.history.count()) == (version, 1)


@pytest.mark.parametrize("action", ["correct_game", "void_game", "unvoid_game"])
def test_games_of_tournaments_are_changed_in_the_tournament(cast, client_of, action):
    game = make_game(cast.classroom, cast.mia, cast.ben)
    casual = client_of(cast.teacher).get(reverse(f"ratings:{action}", args=[game.pk])).status_code
    Game.objects.filter(pk=game.pk).update(origin=Game.Origin.TOURNAMENT)

    answers = [client_of(user).get(reverse(f"ratings:{action}", args=[game.pk])) for user in (cast.teacher, cast.lead)]

    assert (casual, [answer.status_code for answer in answers]) == (302 if action == "unvoid_game" else 200, [404, 404])
