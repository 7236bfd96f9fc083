"""Who of a list is in the school already, and what an import will do."""

from __future__ import annotations

import itertools

import pytest

from classes.core.roster.matching import Difference, Known, Place, matches
from classes.core.roster.plan import ADD, LEAVE_OUT, Choices, Plan, plan
from classes.core.roster.reading import read_text
from classes.core.roster.types import Person

numbers = itertools.count(1)


def known(
    full: str, grade: str = "", *, email: str = "", id: str = "", place: Place = Place.HERE, pk: int = 0
) -> Known:
    first, _, last = full.partition(" ")
    return Known(pk or next(numbers), first, last, grade, email, id, place)


def states(text: str, *school: Known) -> list[str]:
    return [match.state.value for match in matches(read_text(text).rows, school).values()]


def planned(text: str, *school: Known, **choices) -> Plan:
    rows = read_text(text).rows
    return plan(rows, matches(rows, school), Choices(**choices), {one.external_id for one in school})


TAKEN_OVER = Plan(known=1, changes={7: {"grade": "6", "email": "m@hill.example"}})
HEADER = "Name,Grade,Email,Student ID\n"


@pytest.mark.parametrize(
    ("line", "one", "state"),
    [
        ("Mia Kern,5,,", known("Mia Kern", "5"), "here"),
        ("MIA  kern,,,", known("Mia Kern", "5"), "here"),
        ("Seán O’Brien,,,", known("Seán O'Brien"), "here"),
        ("Mia Kern,5,,", known("Mia Kern", "5", place=Place.INACTIVE), "inactive"),
        ("Mia Kern,5,,", known("Mia Kern", "5", place=Place.ELSEWHERE), "ask"),
        ("Mia Kern,6,,", known("Mia Kern", "5"), "ask"),
        ("Mia Kern,6,m@hill.example,", known("Mia Kern", "5", email="M@hill.example"), "here"),
        ("Mia Kern,5,other@hill.example,", known("Mia Kern", "5", email="m@hill.example"), "ask"),
        ("Mia Ruiz,6,,S1", known("Mia Kern", "5", id="S1"), "here"),
        ("Mia Kern,5,,S1", known("Mia Kern", "5", id="S2"), "new"),
        ("Mia Kern,5,,S1", known("Mia Kern", "5"), "here"),
        ("Mia Kern,5,,S1", known("Ada Lee", id="S1", place=Place.ELSEWHERE), "elsewhere"),
        ("Mia Kern,5,,S1", known("Mia Kern", id="S1", place=Place.UNSEEN), "unseen"),
        ("Mia Kern,5,,", known("Mia Kern", "5", id="S1", place=Place.UNSEEN), "new"),
        ("Jose Pena,5,,", known("José Peña", "5"), "new"),
        ("Sue,5,,", known("Sü", "5"), "new"),
    ],
)
def test_who_is_known(line, one, state):
    assert states(HEADER + line, one) == [state]


def test_nobody_is_two_people():
    john = known("John Smith", "3")

    assert states("John Smith,3\nJohn Smith,4", john) == ["here", "new"]
    assert states("John Smith,4\nJohn Smith,3", john) == ["new", "here"]
    assert states("John Smith,3\nJohn Smith,3", john, known("John Smith", "3")) == ["here", "here"]


def test_who_is_left_out_takes_nobody_from_a_student_of_the_list():
    text = "Name,Active\nMia Kern,no\nMia Kern,yes"

    assert matches(read_text(text).rows, [known("Mia Kern")])[3].state == "here"


def test_what_a_list_leaves_out_is_no_difference():
    one = known("Mia Kern", "5", email="m@hill.example", id="S1", pk=7)

    [match] = matches(read_text(HEADER + "Mia Kern,,n@hill.example,S1").rows, [one]).values()

    assert match.differences == (Difference("email", "m@hill.example", "n@hill.example"),)


def test_a_difference_with_two_of_one_name_asks_whose_it_is():
    twins = known("Mia Kern"), known("Mia Kern")

    assert states(HEADER + "Mia Kern,,m@hill.example,", *twins) == ["ask"]
    assert states(HEADER + "Mia Kern,,,", *twins) == ["here"]


def test_without_a_choice_new_ones_are_added_and_known_ones_left_alone():
    text = HEADER + "Mia Kern,5,,\nBen Osei,5,,\nCleo Raman,6,,S3\nMia Kern,5,,"

    made = planned(text, known("Mia Kern", "5"), known("Cleo R", id="S3", place=Place.ELSEWHERE, pk=9))

    assert made == Plan(new=[Person("Ben", "Osei", "5")], enroll=[9], known=1)


def test_choices_line_by_line():
    text = HEADER + "Mia Kern,5,,\nBen Osei,5,,\nCleo Raman,6,,S3\nMia Kern,5,,\nDana Li,5,,"

    made = planned(
        text,
        known("Mia Kern", "5"),
        known("Cleo R", id="S3", place=Place.ELSEWHERE),
        out={3, 4},
        also={2, 5, 99},
    )

    assert [one.full for one in made.new] == ["Mia Kern", "Mia Kern", "Dana Li"]
    assert made.enroll == []


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        ({}, Plan(unanswered=[2])),
        ({"who": {2: ADD}}, Plan(new=[Person("Mia", "Kern", "6", "m@hill.example")])),
        ({"who": {2: LEAVE_OUT}}, Plan()),
        ({"who": {2: "7"}}, Plan(known=1)),
        ({"who": {2: "8"}}, Plan(unanswered=[2])),
        ({"all_same": True}, Plan(known=1)),
        (
            {"all_same": True, "all_updates": True},
            Plan(known=1, changes={7: {"grade": "6", "email": "m@hill.example"}}),
        ),
        ({"who": {2: "7"}, "update": {2}}, Plan(known=1, changes={7: {"grade": "6", "email": "m@hill.example"}})),
    ],
)
def test_a_question_is_answered_or_nothing_is_done(choices, expected):
    assert planned(HEADER + "Mia Kern,6,m@hill.example,", known("Mia Kern", "5", pk=7), **choices) == expected


def test_an_id_is_never_given_twice():
    made = planned(HEADER + "Mia Kern,5,,S1\nMia Kern,5,,S1", also={3})

    assert [one.id for one in made.new] == ["S1", ""]
