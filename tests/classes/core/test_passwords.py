"""Passwords that a child can type and a stranger cannot guess."""

from __future__ import annotations

import math
import re
import secrets

from classes.core.passwords import CODE_SYMBOLS, WORDS, as_read, as_typed, easy_password, lesson_code


def test_a_password_is_two_words_and_two_digits():
    form = re.compile(r"[a-z]{3,8}-[a-z]{3,8}-[2-9]{2}")

    assert [password for password in (easy_password(secrets.choice) for _ in range(200))
            if not form.fullmatch(password)] == []  # fmt: skip


def test_the_chooser_decides_word_by_word():
    picks = iter(["olive", "robot", "4", "2"])
    offered = []

    def choose(options):
        offered.append(tuple(options))
        return next(picks)

    assert easy_password(choose) == "olive-robot-42"
    assert offered == [WORDS, WORDS, tuple("23456789"), tuple("23456789")]


def test_words_are_different_short_and_in_small_letters():
    assert len(set(WORDS)) == len(WORDS)
    assert [word for word in WORDS if not re.fullmatch(r"[a-z]{3,8}", word)] == []


def test_there_are_twenty_three_bits_to_guess():
    words, digits = [], []
    easy_password(lambda options: (words if options is WORDS else digits).append(len(options)) or options[0])

    assert math.floor(sum(math.log2(count) for count in words + digits)) == 23


def test_every_suggested_password_is_long_enough_for_a_student():
    assert min(len(word) for word in WORDS) * 2 + len("--22") >= 8


def test_a_code_of_a_lesson_has_six_symbols_of_which_no_two_look_alike():
    assert re.fullmatch(r"[CDFHJKMNPQRTVWXY34679]{6}", lesson_code(secrets.choice))
    assert len(set(CODE_SYMBOLS)) == len(CODE_SYMBOLS) == 21
    assert math.floor(6 * math.log2(len(CODE_SYMBOLS))) == 26


def test_a_code_is_read_in_two_halves_and_typed_as_children_type():
    assert as_read("KF7M3C") == "KF7 M3C"
    assert [as_typed(text) for text in ("KF7 M3C", "kf7m3c", " kf7-m3c ", "KF7\u00a0M3C")] == ["KF7M3C"] * 4
