"""Ten right answers in a row finish a set; only the exercise that the server drew counts."""

from __future__ import annotations

from ratings.core.practice_sets import Progress


def answered(progress: Progress, answers: str) -> Progress:
    """After answers that were right (+) or wrong (-)."""
    for number, answer in enumerate(answers):
        progress = progress.after(right=answer == "+", due=number)
    return progress


def test_ten_in_a_row_finish_a_set():
    assert [answered(Progress("k"), "+" * number).is_finished for number in (0, 9, 10)] == [False, False, True]


def test_a_mistake_begins_the_row_anew_and_is_remembered():
    progress = answered(Progress("k"), "+++-++")

    assert progress == Progress("k", due=5, streak=2, tries=6, mistakes=1)
    assert not answered(progress, "+" * 7).is_finished
    assert answered(progress, "+" * 8).is_finished


def test_the_first_exercise_may_be_any_then_only_the_one_that_is_due_counts():
    begun = Progress("k")

    assert begun.counts(7)
    assert [begun.after(right=True, due=9).counts(seed) for seed in (7, 9)] == [False, True]
