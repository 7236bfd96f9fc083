"""What manage.py roster prints."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

USERS = (
    "sourcedId,status,enabledUser,role,givenName,familyName,identifier,grades\n"
    "u1,,true,student,Mia,Kern,S1,05\nu2,,true,teacher,Ada,Lee,T1,\nu3,,true,student,Ben,Osei,S3,05\n"
    "u4,,true,student,Cleo,Raman,S4,05\n"
)
ENROLLMENTS = (
    "sourcedId,status,classSourcedId,userSourcedId,role,endDate\n"
    "e1,,c1,u1,student,2026-06-30\ne2,,c1,u2,teacher,2026-06-30\ne3,,c2,u3,student,2026-06-30\n"
    "e4,,c1,u4,student,2025-12-01\ne5,,c1,u9,student,2026-06-30\ne6,,c1,u1,student,2026-06-30\n"
)


def printed(capsys, *args) -> dict:
    call_command("roster", *map(str, args))
    return json.loads(capsys.readouterr().out)


def test_a_reading_is_printed_as_json(tmp_path, capsys):
    file = tmp_path / "list.csv"
    file.write_bytes("Name;Klasse;E-Mail\r\nKern, Mia;5;x@y\r\nJörg;;\r\n;;\r\n".encode("cp1252"))

    assert printed(capsys, file) == {
        "students": [
            {"first": "Mia", "last": "Kern", "grade": "5", "email": None, "id": None},
            {"first": "Jörg", "last": "", "grade": None, "email": None, "id": None},
        ],
        "skipped": [{"line": 4, "why": "empty"}],
        "doubtful": [{"line": 2, "why": "“x@y” is not an e-mail address"}],
        "encoding": "cp1252",
        "delimiter": ";",
    }


def test_a_workbook_is_refused_with_what_to_do(tmp_path, capsys):
    file = tmp_path / "list.xlsx"
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("xl/workbook.xml", "<workbook/>")

    with pytest.raises(CommandError, match="Save as.*CSV UTF-8"):
        call_command("roster", str(file))

    assert json.loads(capsys.readouterr().out)["students"] == []


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(CommandError, match="cannot be read: No such file or directory"):
        call_command("roster", str(tmp_path / "nothing.csv"))


@pytest.mark.parametrize("packed", [False, True])
def test_a_class_of_a_oneroster_folder(tmp_path, capsys, packed):
    files = {"users.csv": USERS, "enrollments.csv": ENROLLMENTS}
    if packed:
        with zipfile.ZipFile(tmp_path / "all.zip", "w") as folder:
            for name, text in files.items():
                folder.writestr(name, text)
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    answer = printed(capsys, tmp_path / "all.zip" if packed else tmp_path, "--classroom", "c1")

    assert [one["id"] for one in answer["students"]] == ["S1"]
    assert answer["doubtful"] == [
        {"line": 5, "user": "u4", "why": "enrolment ended 2025-12-01"},
        {"line": 6, "user": "u9", "why": "enrolment of a user that is not in users.csv"},
    ]


def test_a_zip_that_is_none_is_refused(tmp_path):
    file = io.BytesIO(b"PK\x03\x04 no zip").getvalue()
    (tmp_path / "all.zip").write_bytes(file)

    with pytest.raises(CommandError, match="not a text file"):
        call_command("roster", str(tmp_path / "all.zip"), "--classroom", "c1")
