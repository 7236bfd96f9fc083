"""Setting a tournament up: what is proposed, what is said about it, and what is made of it."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.utils import formats

from classes.services import enroll, set_active
from ratings.services import create_rating_list
from tests.factories import list_of, make_classroom, make_student
from tests.pages import words_of
from tests.tournaments.makers import make_tournament
from tournaments.core.tiebreaks import ROUND_ROBIN, SWISS, US_SCHOLASTIC
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def classroom(cast):
    return make_classroom(cast.school, name="Room 3", teacher=cast.teacher.membership)


@pytest.fixture
def students(classroom):
    """Ten, the strongest first."""
    return [make_student(classroom, f"Kid{number}", start=1000 - number) for number in range(10)]


@pytest.fixture
def teacher(cast, client_of):
    return client_of(cast.teacher)


@pytest.fixture
def lead(cast, client_of):
    return client_of(cast.lead)


def url_of(classroom) -> str:
    return f"/classes/{classroom.pk}/tournaments/new/"


def typed(page, **changes: Any) -> dict[str, Any]:
    """The form as the browser would send it, with some fields changed; None leaves a field out."""
    form = page.context["form"]
    sent = {name: form[name].value() for name in form.fields if name not in {"students", "rated"}}
    sent |= {"students": sorted(form.ticked()), "rated": "on"} | changes
    return {name: value for name, value in sent.items() if value is not None}


def errors_of(page) -> dict[str, list[str]]:
    return {name: list(errors) for name, errors in page.context["form"].errors.items()}


def advice_of(page) -> str:
    return page.context["form"].advice().sentence


def test_a_five_round_swiss_of_the_class_is_there_with_two_taps(cast, teacher, classroom, students):
    page = teacher.get(url_of(classroom))

    answer = teacher.post(url_of(classroom), typed(page))

    made = Tournament.objects.get()
    today = cast.school.today()
    assert answer.url == f"/tournaments/{made.pk}/"
    assert (made.name, made.day) == (f"{formats.date_format(today, 'l')} tournament", today)
    assert (made.system, made.rounds, made.rated, made.seeding) == ("swiss", 5, True, "rating")
    assert (made.pairing_rule, made.bye_halves, made.tie_breaks) == ("small_group", 2, list(SWISS))
    assert (made.classroom, made.rating_list, made.created_by) == (classroom, list_of(classroom), cast.teacher)
    assert [entry.student for entry in Entry.objects.order_by("seed_order")] == students


def test_who_is_not_ticked_does_not_take_part(teacher, classroom, students):
    here = [student.pk for student in students[:7]]

    teacher.post(url_of(classroom), typed(teacher.get(url_of(classroom)), students=here))

    assert sorted(Entry.objects.values_list("student", flat=True)) == here


def test_who_is_inactive_is_not_offered(teacher, classroom, students):
    set_active(students[0].enrollments.get(), active=False)

    assert len(teacher.get(url_of(classroom)).context["form"].ticked()) == 9


def test_a_student_who_is_sent_twice_is_in_once(teacher, classroom, students):
    twice = [students[0].pk, students[1].pk, students[0].pk]

    teacher.post(url_of(classroom), typed(teacher.get(url_of(classroom)), students=twice))

    assert Entry.objects.count() == 2


def test_a_form_that_is_sent_twice_makes_one_tournament(teacher, classroom, students):
    form = typed(teacher.get(url_of(classroom)), key=uuid.uuid4())

    first, second = teacher.post(url_of(classroom), form), teacher.post(url_of(classroom), form)

    assert first.url == second.url
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize(("players", "rule"), [(10, "small_group"), (11, "fide")])
def test_the_pairing_rule_follows_from_the_number_of_players(teacher, classroom, students, players, rule):
    make_student(classroom, "One more")
    here = teacher.get(url_of(classroom)).context["form"].there[:players]

    teacher.post(url_of(classroom), typed(teacher.get(url_of(classroom)), students=here))

    assert Tournament.objects.get().pairing_rule == rule


def test_the_teacher_may_want_another_rule_and_everything_else(teacher, classroom, students):
    wanted = {"pairing_rule": "fide", "seeding": "random", "bye_halves": 1, "rated": None, "order": "us", "rounds": 3}

    teacher.post(url_of(classroom), typed(teacher.get(url_of(classroom)), **wanted))

    made = Tournament.objects.get()
    assert (made.pairing_rule, made.seeding, made.bye_halves, made.rated) == ("fide", "random", 1, False)
    assert (made.tie_breaks, made.rounds) == (list(US_SCHOLASTIC), 3)


def test_the_tie_breaks_stand_in_the_order_of_their_numbers(teacher, classroom, students):
    own = {f"tie_break_{number}": "" for number in range(1, 7)}
    own |= {"order": "own", "tie_break_1": "SB", "tie_break_3": "BH"}

    teacher.post(url_of(classroom), typed(teacher.get(url_of(classroom)), **own))

    assert Tournament.objects.get().tie_breaks == ["SB", "BH"]


@pytest.mark.parametrize(
    ("system", "first", "second", "sentence"),
    [
        ("swiss", "BH", "BH", "A tie-break stands there twice. Choose each once."),
        ("swiss", "KS", "BH", "Koya says nothing in a Swiss. Choose another tie-break."),
        ("round_robin", "SB", "BH", "Buchholz says nothing in a round robin. Choose another tie-break."),
    ],
)
def test_tie_breaks_that_do_not_suit_are_refused(teacher, classroom, students, system, first, second, sentence):
    own = {f"tie_break_{number}": "" for number in range(1, 7)}
    own |= {"order": "own", "system": system, "tie_break_1": first, "tie_break_2": second}

    page = teacher.post(url_of(classroom), typed(teacher.get(url_of(classroom)), **own))

    assert errors_of(page) == {"order": [sentence]}
    assert '<details class="mb-3" open>' in page.content.decode()


def test_a_round_robin_has_the_rounds_of_its_table_and_is_not_asked_for_them(teacher, classroom, students):
    here = [student.pk for student in students[:5]]
    form = typed(teacher.get(url_of(classroom)), system="round_robin", rounds="", students=here)

    teacher.post(url_of(classroom), form)

    made = Tournament.objects.get()
    assert (made.rounds, made.tie_breaks) == (5, list(ROUND_ROBIN))


@pytest.mark.parametrize(
    ("changes", "errors"),
    [
        ({"name": " \x01"}, {"name": ["Give the tournament a name."]}),
        ({"day": ""}, {"day": ["Say on which day the tournament begins."]}),
        ({"day": "2999-01-01"}, {"day": ["This day is too far away. Check the year."]}),
        ({"system": "knockout"}, {"system": ["Select a valid choice. knockout is not one of the available choices."]}),
        ({"rounds": "0"}, {"rounds": ["Rounds are a whole number from 1 to 30."]}),
        ({"rounds": "many"}, {"rounds": ["Rounds are a whole number from 1 to 30."]}),
        ({"students": []}, {"students": ["Tick at least two players."]}),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(teacher, classroom, students, changes, errors):
    page = teacher.post(url_of(classroom), typed(teacher.get(url_of(classroom)), bye_halves=1, **changes))

    assert errors_of(page) == errors
    assert str(page.context["form"]["bye_halves"].value()) == "1"
    assert Tournament.objects.count() == 0


def test_one_player_is_no_tournament(teacher, classroom, students):
    page = teacher.post(url_of(classroom), typed(teacher.get(url_of(classroom)), students=[students[0].pk]))

    assert errors_of(page) == {"students": ["Tick at least two players."]}


def test_a_class_without_students_says_so(teacher, classroom):
    page = words_of(teacher.get(url_of(classroom)))

    assert "There are no active students yet." in page


def test_too_many_players_for_a_round_robin_are_told(teacher, classroom, students):
    for number in range(52):
        make_student(classroom, f"More{number}")

    page = teacher.post(url_of(classroom), typed(teacher.get(url_of(classroom)), system="round_robin"))

    assert errors_of(page) == {"system": ["That is too many players for a round robin. Choose Swiss."]}


# --- what is said about it ---


def test_six_players_and_five_rounds_are_offered_a_round_robin(teacher, classroom, students):
    here = [student.pk for student in students[:6]]
    form = typed(teacher.get(url_of(classroom)), students=here, rounds=5)

    page = teacher.post(url_of(classroom), form | {"suggest": "1"})

    sentence = "6 players, 5 rounds: a round robin meets everyone once. Swiss may need a repeat in round 4."
    assert advice_of(page) == sentence
    assert f"{sentence} Make it a round robin, 5 rounds" in words_of(page)
    assert Tournament.objects.count() == 0


def test_eight_players_and_seven_rounds_are_offered_a_round_robin_with_one_tap(teacher, classroom, students):
    here = [student.pk for student in students[:8]]
    page = teacher.post(
        url_of(classroom), typed(teacher.get(url_of(classroom)), students=here, rounds=7) | {"suggest": "1"}
    )
    assert advice_of(page) == (
        "8 players, 7 rounds: a round robin meets everyone once. Swiss may need a repeat in round 6."
    )

    [offer] = page.context["form"].advice().offers
    page = teacher.post(url_of(classroom), typed(page) | {"use": offer.value})

    form = page.context["form"]
    assert (form["system"].value(), form.ticked()) == ("round_robin", set(here))
    assert advice_of(page) == "8 players: a round robin takes 7 rounds, and everyone meets everyone."
    teacher.post(url_of(classroom), typed(page))
    assert (Tournament.objects.get().system, Tournament.objects.get().rounds) == ("round_robin", 7)


@pytest.mark.parametrize(
    ("players", "changes", "sentence"),
    [
        (1, {}, "Tick at least two players."),
        (4, {"rounds": 3}, "4 players, 3 rounds: a round robin meets everyone once."),
        (10, {"rounds": 5}, "10 players, 5 rounds: a Swiss fits."),
        (10, {"rounds": ""}, "10 players, 5 rounds: a Swiss fits."),
        (10, {"rounds": "9" * 5000}, "10 players, 5 rounds: a Swiss fits."),
        (10, {"system": "junk"}, "10 players, 5 rounds: a Swiss fits."),
        (
            10,
            {"rounds": 9},
            "10 players, 9 rounds: a round robin meets everyone once. Swiss may need a repeat in the last rounds.",
        ),
        (10, {"rounds": 2}, "10 players, 2 rounds: several players may end with every point."),
        (10, {"system": "double_round_robin"}, "10 players: a round robin takes 18 rounds. That is long."),
        (
            5,
            {"rounds": 4},
            "5 players, 4 rounds: Swiss may need a repeat in round 4. That happens in about 29 of 100 such "
            "tournaments. A round robin meets everyone once in 5 rounds.",
        ),
        (
            4,
            {"rounds": 5},
            "4 players, 5 rounds: from round 4 on some must meet again. A round robin meets everyone once in 3 rounds.",
        ),
    ],
)  # fmt: skip
def test_the_advice_follows_what_is_ticked_and_typed(teacher, classroom, students, players, changes, sentence):
    here = [student.pk for student in students[:players]]
    form = typed(teacher.get(url_of(classroom)), students=here, **changes) | {"suggest": "1"}

    page = teacher.post(url_of(classroom), form, **HTMX)

    assert page.templates[0].name == "tournaments/_advice.html"
    assert advice_of(page) == sentence


# --- several rating lists ---


def test_the_rating_list_is_asked_for_only_where_there_are_several(cast, teacher, classroom, students):
    assert "Rating list" not in words_of(teacher.get(url_of(classroom)))
    blitz = create_rating_list(school=cast.school, name="Blitz", start_rating=700)

    page = teacher.get(url_of(classroom))
    teacher.post(url_of(classroom), typed(page, rating_list=blitz.pk))

    assert "Rating list" in words_of(page)
    assert Tournament.objects.get().rating_list == blitz
    assert set(Entry.objects.values_list("seed_rating", flat=True)) == {700}


# --- the whole school ---


def test_a_lead_sets_up_a_tournament_of_several_classes(cast, lead):
    page = lead.get("/tournaments/new/")
    names = [(group.name, [tick.label for tick in group.ticks]) for group in page.context["form"].tick_groups()]
    assert names == [
        ("Room 12 Chess", ["Ben Osei", "Cleo Raman", "Mia Kowalczyk"]),
        ("Room 14 Chess", ["Noah Fischer"]),
    ]
    assert page.context["form"].ticked() == set()

    lead.post("/tournaments/new/", typed(page, students=[cast.mia.pk, cast.other.pk]))

    made = Tournament.objects.get()
    assert (made.school, made.classroom) == (cast.school, None)
    assert set(Entry.objects.values_list("student", flat=True)) == {cast.mia.pk, cast.other.pk}


def test_a_class_is_ticked_and_unticked_at_once(cast, lead):
    form = typed(lead.get("/tournaments/new/"), students=[cast.other.pk], name="Cup")
    page = lead.post("/tournaments/new/", form | {"tick": cast.classroom.pk})
    everybody = {cast.mia.pk, cast.ben.pk, cast.cleo.pk, cast.other.pk}
    assert (page.context["form"].ticked(), page.context["form"]["name"].value()) == (everybody, "Cup")

    page = lead.post("/tournaments/new/", typed(page) | {"untick": cast.classroom.pk})

    assert page.context["form"].ticked() == {cast.other.pk}


def test_a_student_of_two_classes_stands_there_once(cast, lead):
    enroll(cast.mia, cast.other_classroom)

    groups = lead.get("/tournaments/new/").context["form"].tick_groups()

    assert [[tick.label for tick in group.ticks] for group in groups] == [
        ["Ben Osei", "Cleo Raman", "Mia Kowalczyk"],
        ["Noah Fischer"],
    ]


# --- like an earlier one ---


def test_a_copy_takes_the_settings_and_the_players_who_are_still_active(cast, teacher, classroom, students):
    earlier = make_tournament(
        classroom, students[:6], rounds=4, seeding="random", tie_breaks=["BH", "SB"], bye_halves=1, rated=False
    )
    set_active(students[0].enrollments.get(), active=False)
    page = teacher.get(f"/tournaments/{earlier.pk}/copy/")
    form = page.context["form"]
    assert form.ticked() == {student.pk for student in students[1:6]}
    assert "With the settings of “Friday Swiss”" in words_of(page)

    teacher.post(f"/tournaments/{earlier.pk}/copy/", typed(page, rated=None))

    copy = Tournament.objects.exclude(pk=earlier.pk).get()
    assert (copy.name, copy.rounds, copy.seeding) == ("Friday Swiss", 4, "random")
    assert (copy.bye_halves, copy.rated) == (1, False)
    assert (copy.tie_breaks, copy.classroom, copy.day) == (["BH", "SB"], classroom, cast.school.today())
    assert Entry.objects.filter(tournament=copy).count() == 5


@pytest.mark.parametrize("players", [1, 3])
def test_the_page_takes_eleven_queries_however_many_students(
    cast, teacher, classroom, django_assert_num_queries, players
):
    for number in range(players):
        make_student(classroom, f"Kid{number}")
    teacher.get("/classes/")

    with django_assert_num_queries(11):
        page = teacher.get(url_of(classroom))

    assert len(page.context["form"].ticked()) == players
