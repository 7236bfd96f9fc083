"""The school year: a student moves, a year begins, two records of one child become one. Each can be undone."""

from __future__ import annotations

import datetime
import uuid

import pytest
from django.core.exceptions import ValidationError
from django.http import Http404
from django.utils import timezone

from chesslocker.selectors.year import rollover_plan, versions_of
from chesslocker.services.year import (
    PlanChanged,
    merge_students,
    roll_over,
    transfer_student,
    undo_merge,
    undo_rollover,
)
from classes import access
from classes.core.rollover import Choices
from classes.models import AuditEvent, Badge, Classroom, Enrollment, Merge, Rollover, Student, User
from classes.services import AlreadyAnswered, OneTimeKey, archive_classroom, enroll, import_students
from ratings.models import Adjustment, Game, LedgerEntry, PracticeSet, Rating, RatingList, StartRating
from ratings.selectors.audit import violations
from ratings.services import (
    StaleVersion,
    create_rating_list,
    keep_practice_set,
    record_game,
    set_start_rating,
    void_game,
)
from tests.factories import (
    BLACK,
    DRAW,
    give_points,
    lead_of,
    list_of,
    make_classroom,
    make_game,
    make_school,
    make_student,
    make_teacher,
)
from tests.tournaments.makers import make_tournament, play_round
from tournaments.models import Entry, KeepApart, Tournament
from tournaments.selectors.audit import violations as tournament_violations

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def faults(school) -> list[str]:
    lists = RatingList.objects.filter(school=school)
    cups = Tournament.objects.filter(school=school)
    return [
        *(found for one in lists for found in violations(one)),
        *(found for one in cups for found in tournament_violations(one)),
    ]


def rows(model, *without: str) -> list[dict]:
    """All rows of a model as they are stored, in an order that does not depend on when they were written."""
    found = model.objects.values()
    return sorted(({name: one[name] for name in one if name not in without} for one in found), key=repr)


def everything() -> dict[str, list[dict]]:
    """What a merge may touch. Ledger entries and ratings are written anew: they may get other ids."""
    whole = (Game, Adjustment, Enrollment, Entry, KeepApart, Student, StartRating, PracticeSet, User, Badge)
    return {model.__name__: rows(model) for model in whole} | {
        model.__name__: rows(model, "id") for model in (LedgerEntry, Rating)
    }


def once(by: User) -> OneTimeKey:
    return OneTimeKey.of_form(key=uuid.uuid4(), user=by, action="test", body=[], answer="/{pk}/")


# --- moving one student ---


def test_a_transfer_keeps_history_and_rating_and_takes_the_rights_along(cast):
    make_game(cast.classroom, cast.mia, cast.ben)
    give_points(cast.classroom, cast.mia)
    before = rows(Rating)

    transfer_student(
        cast.mia,
        to=cast.other_classroom,
        leaves=cast.mia.enrollments.get(classroom=cast.classroom),
        by=cast.lead,
    )

    assert access.student_for_teacher(cast.colleague, cast.mia.pk) == cast.mia
    with pytest.raises(Http404):
        access.student_for_teacher(cast.teacher, cast.mia.pk)
    assert cast.mia not in access.students_now(cast.teacher.membership)
    assert list(access.classrooms_of_student(cast.mia)) == [cast.other_classroom]
    assert (rows(Rating), faults(cast.school)) == (before, [])
    event = AuditEvent.objects.get(action="student.transferred")
    assert (event.about, event.detail) == (
        f"student:{cast.mia.pk}",
        {"to": cast.other_classroom.pk, "from": cast.classroom.pk},
    )


def test_who_joins_a_second_class_is_in_both_and_who_comes_back_is_there_once(cast):
    first = cast.mia.enrollments.get()
    transfer_student(cast.mia, to=cast.other_classroom, leaves=None, by=cast.lead)
    assert set(access.classrooms_of_student(cast.mia)) == {cast.classroom, cast.other_classroom}

    transfer_student(cast.mia, to=cast.other_classroom, leaves=first, by=cast.lead)
    second = cast.mia.enrollments.get(classroom=cast.other_classroom)
    transfer_student(cast.mia, to=cast.classroom, leaves=second, by=cast.lead)

    assert list(access.classrooms_of_student(cast.mia)) == [cast.classroom]
    assert access.student_for_teacher(cast.teacher, cast.mia.pk) == cast.mia
    assert Enrollment.objects.filter(student=cast.mia).count() == 2


def test_an_import_of_the_old_class_brings_back_who_moved_on_and_counts_nobody_twice(cast):
    first = cast.mia.enrollments.get()
    transfer_student(cast.mia, to=cast.other_classroom, leaves=first, by=cast.lead)
    here = {cast.ben.pk, cast.cleo.pk}

    import_students(classroom=cast.classroom, new=[], enroll=[cast.mia.pk], enrolled=here)

    first.refresh_from_db()
    assert (first.active, first.left_at) == (True, None)


def test_a_transfer_goes_to_an_open_class_of_the_school(cast):
    archive_classroom(cast.other_classroom)

    for to in (cast.other_classroom, cast.foreign_classroom):
        with pytest.raises(ValidationError):
            transfer_student(cast.mia, to=to, leaves=None, by=cast.lead)
    assert Enrollment.objects.filter(student=cast.mia).count() == 1


# --- a new school year ---


def three_classes():
    """Three classes in which two repeat and three leave, one of them after the last grade; who is who by name."""
    school = make_school(lead="lead")
    rooms = [
        make_classroom(school, name=name, teacher=make_teacher(school, username=f"t{name[0].lower()}"))
        for name in ("3a Chess", "4a Chess", "Room 5")
    ]
    students = {
        f"{name}{number}": make_student(room, f"{name}{number}", grade=grade)
        for room, name, grade in zip(rooms, ("Ada", "Bo", "Cleo"), ("3", "4", "5"), strict=True)
        for number in range(4)
    }
    return school, rooms, students


def chosen(rooms, students) -> Choices:
    one = {
        ("Ada0", 0): "repeat", ("Bo0", 1): "repeat", ("Ada1", 0): "leave", ("Bo1", 1): "leave",
        ("Cleo0", 2): "leave",
    }  # fmt: skip
    return Choices(students={(students[name].pk, rooms[room].pk): choice for (name, room), choice in one.items()})


def classes_now(school) -> dict[str, list[str]]:
    """Open class -> its active students with their grades."""
    found: dict[str, list[str]] = {one.name: [] for one in Classroom.objects.filter(school=school, archived_at=None)}
    active = Enrollment.objects.filter(classroom__school=school, classroom__archived_at=None, active=True)
    for one in active.select_related("student", "classroom").order_by("student__first_name"):
        found[one.classroom.name].append(f"{one.student.first_name} {one.student.grade}")
    return found


def test_a_new_year_puts_each_student_once_into_the_right_class_and_a_second_run_changes_nothing():
    school, rooms, students = three_classes()
    year = rooms[0].school_year + 1
    lead = lead_of(school).user

    rollover = roll_over(school, to_year=year, choices=chosen(rooms, students), by=lead)
    again = roll_over(school, to_year=year, choices=chosen(rooms, students), by=lead)

    assert classes_now(school) == {
        "3a Chess": ["Ada0 3"],
        "4a Chess": ["Ada2 4", "Ada3 4", "Bo0 4"],
        "5a Chess": ["Bo2 5", "Bo3 5"],
        "Room 5": ["Cleo1 6", "Cleo2 6", "Cleo3 6"],
    }
    assert (again, Rollover.objects.count()) == (None, 1)
    new = Classroom.objects.filter(school_year=year)
    assert {one.name: [str(teacher.user) for teacher in one.teachers.all()] for one in new} == {
        "3a Chess": ["t3"], "4a Chess": ["t3"], "5a Chess": ["t4"], "Room 5": ["tr"]
    }  # fmt: skip
    assert all(Classroom.objects.get(pk=room.pk).is_archived for room in rooms)
    assert rollover.moved["students"] == 12
    assert AuditEvent.objects.get(action="year.rolled_over").detail == {"students": 12, "classes": 4, "share": 0}


def test_the_last_grade_leaves_inactive_ones_stay_behind_and_an_existing_class_is_used():
    school, rooms, students = three_classes()
    Enrollment.objects.filter(student=students["Ada3"]).update(active=False)
    ready = make_classroom(school, name="Ready")
    Classroom.objects.filter(pk=ready.pk).update(name="4A chess", school_year=ready.school_year + 1)

    roll_over(school, to_year=ready.school_year + 1, choices=Choices(last=5), by=lead_of(school).user)

    assert classes_now(school) == {
        "4A chess": ["Ada0 4", "Ada1 4", "Ada2 4"],
        "5a Chess": ["Bo0 5", "Bo1 5", "Bo2 5", "Bo3 5"],
    }


def test_the_old_teacher_reads_the_archived_class_and_no_longer_who_went_to_another_teacher():
    school, rooms, students = three_classes()
    choices = Choices(students={(students["Ada0"].pk, rooms[0].pk): "to:Room 5"})
    teacher = User.objects.get(username="t3")

    roll_over(school, to_year=rooms[0].school_year + 1, choices=choices, by=lead_of(school).user)

    assert access.classroom_for_teacher(teacher, rooms[0].pk) == rooms[0]
    assert access.student_for_teacher(teacher, students["Ada1"].pk) == students["Ada1"]
    with pytest.raises(Http404):
        access.student_for_teacher(teacher, students["Ada0"].pk)


@pytest.fixture
def played(cast):
    """A year with games, awards, two lists and a tournament; ben leaves the school, mia is in two classes."""
    enroll(cast.mia, cast.other_classroom)
    blitz = create_rating_list(school=cast.school, name="Blitz", start_rating=1000)
    make_game(cast.classroom, cast.mia, cast.ben)
    make_game(cast.classroom, cast.cleo, cast.mia, BLACK)
    give_points(cast.classroom, cast.cleo, 5)
    record_game(
        rating_list=blitz, classroom=cast.classroom, white=cast.mia, black=cast.cleo, result=DRAW,
        day=cast.school.today(), by=cast.lead,
    )  # fmt: skip
    set_start_rating(list_of(cast.classroom), cast.other, rating=901)
    play_round(make_tournament(cast.classroom, [cast.mia, cast.ben, cast.cleo]))
    return cast


def numbers(cast) -> dict[str, int]:
    found = Rating.objects.filter(rating_list=list_of(cast.classroom)).select_related("student")
    return {one.student.first_name: one.rating for one in found}


@pytest.mark.parametrize("share", [0, 50, 100])
def test_ratings_are_pulled_to_the_start_by_the_share_in_one_batch_outside_the_awards(played, share):
    before = numbers(played)
    choices = Choices(students={(played.ben.pk, played.classroom.pk): "leave"})

    rollover = roll_over(
        played.school, to_year=played.classroom.school_year + 1, choices=choices, share=share, by=played.lead
    )

    after = numbers(played)
    given = Adjustment.objects.filter(kind="season", rating_list=list_of(played.classroom))
    assert after["Ben"] == before["Ben"]  # who leaves is not pulled
    for name in ("Mia", "Cleo"):
        assert abs(abs(after[name] - 800) - abs(before[name] - 800) * (100 - share) / 100) <= 0.5, name
    assert set(given.values_list("batch", flat=True)) == ({rollover.batch} if share else set())
    assert after.get("Noah", 901) == {0: 901, 50: 850, 100: 800}[share]  # 901 is pulled by 50.5, rounded away from zero
    assert faults(played.school) == []


def test_undoing_a_new_year_brings_everything_back(played):
    before, standing = everything(), numbers(played)
    choices = Choices(students={(played.ben.pk, played.classroom.pk): "repeat"}, last=6)
    rollover = roll_over(
        played.school, to_year=played.classroom.school_year + 1, choices=choices, share=75, by=played.lead
    )
    assert numbers(played) != standing

    undo_rollover(rollover, by=played.lead)

    after = everything()
    assert {one["kind"] for one in after["Adjustment"] if one["voided_at"]} == {"season"}
    after["Adjustment"] = [one for one in after["Adjustment"] if one["kind"] != "season"]
    assert {name: after[name] == before[name] for name in before} == dict.fromkeys(before, True)
    assert not Classroom.objects.filter(school=played.school, school_year__gt=played.classroom.school_year).exists()
    assert not Classroom.objects.filter(school=played.school).exclude(archived_at=None).exists()
    assert faults(played.school) == []
    with pytest.raises(ValidationError, match="undone already"):
        undo_rollover(rollover, by=played.lead)


def test_a_new_year_is_not_undone_after_a_game_or_thirty_days_or_a_later_one(played):
    year = played.classroom.school_year + 1
    rollover = roll_over(played.school, to_year=year, choices=Choices(), by=played.lead)
    Rollover.objects.filter(pk=rollover.pk).update(made_at=timezone.now() - datetime.timedelta(days=31))
    with pytest.raises(ValidationError, match="30 days"):
        undo_rollover(rollover, by=played.lead)
    Rollover.objects.filter(pk=rollover.pk).update(made_at=timezone.now())

    later = roll_over(played.school, to_year=year + 1, choices=Choices(), by=played.lead)
    with pytest.raises(ValidationError, match="later change"):
        undo_rollover(rollover, by=played.lead)
    undo_rollover(later, by=played.lead)

    make_game(Classroom.objects.get(name="Room 12 Chess", archived_at=None), played.mia, played.cleo)
    with pytest.raises(ValidationError, match="Games were recorded"):
        undo_rollover(rollover, by=played.lead)


def test_a_new_year_is_made_as_it_was_shown_and_once(played):
    year, choices = played.classroom.school_year + 1, Choices()
    seen = rollover_plan(played.school, year, choices, share=50).fingerprint
    make_game(played.classroom, played.mia, played.ben)
    with pytest.raises(PlanChanged):
        roll_over(played.school, to_year=year, choices=choices, share=50, by=played.lead, seen=seen)

    seen, key = rollover_plan(played.school, year, choices, share=50).fingerprint, once(played.lead)
    roll_over(played.school, to_year=year, choices=choices, share=50, by=played.lead, seen=seen, once=key)
    with pytest.raises(AlreadyAnswered):
        roll_over(played.school, to_year=year, choices=choices, share=50, by=played.lead, seen=seen, once=key)


@pytest.mark.parametrize("students", [1, 3])
def test_the_plan_takes_the_same_queries_however_many_students(django_assert_num_queries, cast, students):
    for number in range(students):
        make_student(cast.classroom, f"S{number}")

    with django_assert_num_queries(7):
        rollover_plan(cast.school, cast.classroom.school_year + 1, Choices(), share=25)


# --- two records of one child ---


@pytest.fixture
def twice(played):
    """Mia is there a second time, as Mia K. of the other class, with games, awards, a start, a login and a badge."""
    second = make_student(played.other_classroom, "Mia", "K", external_id="X7", username="mia2", start=900)
    enroll(second, played.classroom)
    enroll(second, make_classroom(played.school, name="Club"))
    Enrollment.objects.filter(student=played.mia, classroom=played.classroom).update(active=False)
    game = make_game(played.other_classroom, second, played.other, day=datetime.date(2024, 3, 1))
    void_game(make_game(played.other_classroom, played.other, second), by=played.lead, reason="Test")
    give_points(played.other_classroom, second, 4)
    keep_practice_set(student=second, key=str(uuid.uuid4()), piece="rook", level=1, tries=10, mistakes=0)
    play_round(make_tournament(played.other_classroom, [second, played.other, make_student(played.classroom, "Ida")]))
    low, high = sorted((second.pk, played.ben.pk))
    KeepApart.objects.create(school=played.school, one_id=low, other_id=high, is_hard=True)
    low, high = sorted((played.mia.pk, played.ben.pk))
    KeepApart.objects.create(school=played.school, one_id=low, other_id=high)
    KeepApart.objects.create(school=played.school, one=played.mia, other=second)
    KeepApart.objects.create(school=played.school, one=played.other, other=second)
    Badge.objects.create(student=second, token_hash="x", made_by=played.lead)
    return second, game


@pytest.mark.parametrize("has_login", [True, False])
def test_a_merge_moves_everything_and_its_undo_brings_everything_back(played, twice, has_login):
    second, game = twice
    if not has_login:
        Student.objects.filter(pk=played.mia.pk).update(user=None)
        User.objects.filter(pk=played.mia.user_id).delete()
    kept = Student.objects.get(pk=played.mia.pk)
    before = everything()

    merge = merge_students(kept=kept, merged=second, by=played.lead)

    assert faults(played.school) == []
    game.refresh_from_db()
    shell = Student.objects.get(pk=second.pk)
    kept.refresh_from_db()
    assert (game.white, shell.merged_into, shell.external_id, kept.external_id) == (kept, kept, "", "X7")
    assert kept.user.username == ("mia" if has_login else "mia2")
    assert not User.objects.filter(student=second, is_active=True).exists()
    for model in (Enrollment, Adjustment, Entry, PracticeSet, LedgerEntry, Rating):
        assert not model.objects.filter(student=second).exists(), model
    assert not any(second.pk in (pair.one_id, pair.other_id) for pair in KeepApart.objects.all())
    assert second not in access.students_of_teacher(played.lead.membership)
    assert Enrollment.objects.get(student=kept, classroom=played.classroom).active
    assert {one.action for one in AuditEvent.objects.filter(about=f"student:{kept.pk}")} == {"students.merged"}

    undo_merge(merge, by=played.lead)

    after = everything()
    assert {name: after[name] == before[name] for name in before} == dict.fromkeys(before, True)
    assert faults(played.school) == []
    with pytest.raises(ValidationError, match="undone already"):
        undo_merge(merge, by=played.lead)


def test_two_who_met_or_were_in_one_tournament_are_two_children(played):
    def refused(kept: Student, merged: Student) -> str:
        with pytest.raises(ValidationError) as refusal:
            merge_students(kept=kept, merged=merged, by=played.lead)
        return refusal.value.messages[0]

    eve, fay = make_student(played.classroom, "Eve"), make_student(played.classroom, "Fay")
    void_game(make_game(played.classroom, eve, fay), by=played.lead, reason="Test")
    gus = make_student(played.classroom, "Gus")
    make_tournament(played.classroom, [eve, gus])

    assert "played against each other" in refused(played.mia, played.ben)
    assert "though it is void" in refused(fay, eve)
    assert "Friday Swiss" in refused(eve, gus)
    assert "two different" in refused(eve, eve)
    assert "not there" in refused(eve, played.stranger)
    assert Merge.objects.count() == 0


def test_a_merge_is_saved_as_it_was_shown_and_undone_until_another_game_follows(played, twice):
    second, _game = twice
    shown = versions_of(played.school)
    make_game(played.classroom, played.cleo, played.ben)
    with pytest.raises(StaleVersion):
        merge_students(kept=played.mia, merged=second, by=played.lead, versions=shown)
    merge = merge_students(kept=played.mia, merged=second, by=played.lead, versions=versions_of(played.school))

    make_game(played.classroom, played.mia, played.cleo)

    with pytest.raises(ValidationError, match="recorded since"):
        undo_merge(merge, by=played.lead)
