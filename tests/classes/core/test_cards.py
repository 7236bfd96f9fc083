"""How login codes are shared out on a screen."""

from __future__ import annotations

import pytest

from classes.core.cards import columns_and_lines


@pytest.mark.parametrize(
    ("codes", "columns", "lines"),
    [
        (0, 1, 0),
        (1, 1, 1),
        (8, 1, 8),
        (9, 2, 5),
        (20, 2, 10),
        (21, 3, 7),
        (28, 3, 10),
        (42, 3, 14),
        (43, 4, 11),
        (90, 4, 20),
    ],
)
def test_codes_fill_the_screen(codes, columns, lines):
    assert columns_and_lines(codes) == (columns, lines)
