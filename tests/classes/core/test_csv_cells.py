"""Cells that a spreadsheet must not run."""

import pytest

from classes.core.csv_cells import plain_cell, safe_cell


@pytest.mark.parametrize("text", ["=1+1", "+49 30", "-Mia", "@SUM(A1)", "\t=1", "\r=1"])
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text):
    assert safe_cell(text) == f"'{text}"
    assert plain_cell(safe_cell(text)) == text


@pytest.mark.parametrize("text", ["", "Mia Kowalczyk", "Anne-Sophie", "a=b", "'=1", "P01", " =1"])
def test_other_text_stays_as_it_is(text):
    assert safe_cell(text) == text
