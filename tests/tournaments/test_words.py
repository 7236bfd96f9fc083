"""What the core says in English can be translated, and nothing is missing."""

from __future__ import annotations

from tournaments.core.tiebreaks import TIE_BREAKS
from tournaments.core.trf import Problem
from tournaments.core.types import Reason
from tournaments.selectors.words import PROBLEMS, REASONS, TIE_BREAK_NAMES, TIE_BREAK_SENTENCES


def test_every_tie_break_has_its_name_and_sentence():
    assert {code: str(name) for code, name in TIE_BREAK_NAMES.items()} == {
        code: tie_break.name for code, tie_break in TIE_BREAKS.items()
    }
    assert {code: str(sentence) for code, sentence in TIE_BREAK_SENTENCES.items()} == {
        code: tie_break.sentence for code, tie_break in TIE_BREAKS.items()
    }


def test_every_reason_and_problem_is_said():
    assert {reason: str(sentence) for reason, sentence in REASONS.items()} == {one: one.value for one in Reason}
    assert {problem: str(words) for problem, words in PROBLEMS.items()} == {one: one.value for one in Problem}
