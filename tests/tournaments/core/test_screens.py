"""How lists are shared out over the screens of a projector."""

from __future__ import annotations

import pytest

from tournaments.core.screens import LINES, Part, part


def shape(items: int, columns: int, width: int) -> tuple[int, int, int]:
    found = part(items, 1, most_columns=columns, width=width)
    return found.screens, found.columns, found.lines


@pytest.mark.parametrize(
    ("items", "expected"),
    [(0, (1, 1, 1)), (4, (1, 1, 4)), (8, (1, 1, 8)), (12, (1, 2, 6)), (20, (1, 2, 10)), (21, (2, 2, 6)),
     (75, (4, 2, 10)), (150, (8, 2, 10))],
)  # fmt: skip
def test_boards_stand_in_as_many_columns_as_make_them_largest(items, expected):
    assert shape(items, 2, 9) == expected


def test_three_hundred_names_take_ten_screens():
    assert shape(300, 3, 7) == (10, 3, 10)


@pytest.mark.parametrize("items", [1, 9, 21, 76, 151, 300])
def test_everybody_is_on_exactly_one_screen(items):
    first = part(items, 1, most_columns=3, width=7)
    screens = [part(items, number, most_columns=3, width=7) for number in range(1, first.screens + 1)]

    assert [item for screen in screens for item in range(screen.start, screen.stop)] == list(range(items))
    assert all(screen.stop - screen.start <= screen.columns * screen.lines for screen in screens)
    assert all(screen.lines <= LINES for screen in screens)


def test_after_the_last_screen_comes_the_first():
    last = part(75, 4, most_columns=2, width=9)

    assert last == Part(start=56, stop=75, number=4, screens=4, columns=2, lines=10)
    assert last.next == 1
    assert part(75, 5, most_columns=2, width=9).number == 1
    assert part(75, 0, most_columns=2, width=9).number == 4
