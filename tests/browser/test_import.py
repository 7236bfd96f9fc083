"""A class list from file to class, on a phone."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from classes.selectors import students_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LIST = (
    "First name,Last name,Grade,Email,Student ID\r\nMia,Kowalczyk,6,mia@hill.example,S1\r\nIda,Winslow,4,,S2\r\n"
    "Maximiliana Florentina,von und zu Hohenwaldstein-Breitenegg,4,m.hohenwaldstein@students.hill.example,S3\r\n"
    "Ida,Winslow,4,,S2\r\n,,,,\r\nBen,Osei,5,,\r\n"
)


def test_a_file_is_looked_at_and_imported(cast, open_page, log_in, tmp_path):
    file = tmp_path / "list.csv"
    file.write_text(LIST, encoding="utf-16")
    page = log_in(open_page(width=360, height=780), "teacher")
    page.goto(f"/classes/{cast.classroom.pk}/students/import/")

    page.get_by_label("Or a file").set_input_files(file)
    page.get_by_role("button", name="Show what was understood").click()
    page.get_by_text("Is this right?").wait_for()
    for details in page.locator("main details").all():
        details.locator("summary").click()
    spill = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    faults = [violation["id"] for violation in Axe().run(page).response["violations"]]
    page.get_by_label("The same child? Mia Kowalczyk").select_option(label="the same: Mia Kowalczyk (5, Room 12 Chess)")
    page.get_by_role("button", name="Import").click()
    page.get_by_text("2 students added. 2 were already there.").wait_for()

    assert (spill, faults) == (0, [])
    assert [student.full_name for student in students_in(cast.classroom)] == [
        "Ben Osei", "Cleo Raman", "Ida Winslow", "Maximiliana Florentina von und zu Hohenwaldstein-Breitenegg",
        "Mia Kowalczyk",
    ]  # fmt: skip
