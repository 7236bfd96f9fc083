"""The next school year: grades, class names, and into which class everybody goes."""

from __future__ import annotations

import pytest

from classes.core.rollover import (
    Choices,
    Fate,
    Move,
    OldClass,
    Pupil,
    grade_number,
    last_grade,
    moves,
    next_class,
    next_grade,
)

CLASSES = [OldClass(1, "4b Chess"), OldClass(2, "5b Chess"), OldClass(3, "Club")]


@pytest.mark.parametrize(
    ("grade", "after"),
    [
        ("5", "6"), ("5b", "6b"), ("9", "10"), ("12", "13"), ("Grade 5", "Grade 6"), ("Year 3", "Year 4"),
        ("K", "1"), ("Pre-K", "K"), ("Kindergarten", "1"), ("Q1", "Q2"), ("", ""), ("blue", "blue"),
        ("5/6", "5/6"), ("2031", "2031"),
    ],
)  # fmt: skip
def test_a_grade_moves_on_by_one_or_stays_where_it_is_not_understood(grade, after):
    assert next_grade(grade) == after


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("5b Chess", "6b Chess"), ("5 Chess", "6 Chess"), ("9a", "10a"), ("5", "6"), ("5-B", "6-B"),
        ("1st grade", "2nd grade"), ("2nd grade", "3rd grade"), ("10th graders", "11th graders"),
        ("Room 5", "Room 5"), ("Club", "Club"), ("2026 team", "2026 team"), ("5stars", "5stars"),
    ],
)  # fmt: skip
def test_a_class_that_begins_with_its_grade_is_called_by_the_next(name, after):
    assert next_class(name) == after


def test_the_last_grade_is_the_highest_of_several():
    assert last_grade(["3", "5b", "", "4", "blue"]) == 5
    assert last_grade(["5", "5b"]) is None
    assert grade_number("5/6") is None


def test_everybody_goes_on_with_the_class_and_the_last_grade_leaves():
    pupils = [Pupil(10, 1, "4"), Pupil(11, 2, "5"), Pupil(12, 3, "4"), Pupil(13, 3, "")]

    assert moves(CLASSES, pupils, Choices(last=5)) == [
        Move(10, 1, Fate.UP, "5b Chess", "5"),
        Move(11, 2, Fate.LAST, "", "5"),
        Move(12, 3, Fate.UP, "Club", "5"),
        Move(13, 3, Fate.UP, "Club", ""),
    ]


def test_what_is_chosen_for_a_student_goes_before_what_is_chosen_for_the_class():
    pupils = [Pupil(10, 1, "4"), Pupil(11, 1, "4"), Pupil(12, 1, "4"), Pupil(13, 1, "4"), Pupil(14, 2, "5")]
    chosen = {(11, 1): "repeat", (12, 1): "leave", (13, 1): "to:5c Chess", (14, 2): "up"}

    assert moves(CLASSES, pupils, Choices({1: "Blue"}, chosen, last=5)) == [
        Move(10, 1, Fate.UP, "Blue", "5"),
        Move(11, 1, Fate.REPEAT, "4b Chess", "4"),
        Move(12, 1, Fate.LEAVE, "", "4"),
        Move(13, 1, Fate.UP, "5c Chess", "5"),
        Move(14, 2, Fate.UP, "6b Chess", "6"),
    ]


def test_who_is_in_two_classes_has_one_grade():
    repeats = [Pupil(10, 1, "4"), Pupil(10, 3, "4")]
    leaves_the_club = [Pupil(11, 1, "4"), Pupil(11, 3, "4")]
    chosen = {(10, 1): "repeat", (11, 3): "leave"}

    assert [(move.to, move.grade) for move in moves(CLASSES, [*repeats, *leaves_the_club], Choices({}, chosen))] == [
        ("4b Chess", "4"),
        ("Club", "4"),
        ("5b Chess", "5"),
        ("", "5"),
    ]


def test_a_class_that_ends_lets_everybody_go():
    assert moves(CLASSES, [Pupil(10, 3, "4")], Choices({3: ""})) == [Move(10, 3, Fate.LEAVE, "", "4")]
