"""Bytes of a class list."""

from __future__ import annotations

import contextlib
import time

import pytest

from classes.core.roster.decoding import decode
from classes.core.roster.reading import read_file
from classes.core.roster.types import MOST_BYTES, Refusal, Refused

NAMES = "Name;Klasse\r\nMüller, Jörg;5\r\nPeña, Zoë;6\r\n"


@pytest.mark.parametrize(
    ("text", "written", "read"),
    [
        (NAMES, "utf-8", "utf-8"),
        (NAMES, "utf-8-sig", "utf-8-sig"),
        (NAMES, "utf-16", "utf-16"),
        ("\ufeff" + NAMES, "utf-16-be", "utf-16"),
        (NAMES, "utf-16-le", "utf-16-le"),
        (NAMES, "utf-16-be", "utf-16-be"),
        (NAMES, "utf-32", "utf-32"),
        (NAMES, "cp1252", "cp1252"),
        ("Müller, Jörg", "cp1252", "cp1252"),
        ("Šimunek;Žofie;D’Angelo", "cp1252", "cp1252"),
        ("Nom;Prénom\nCœur;Noé\n", "iso-8859-15", "iso-8859-15"),
        ("Ševčíková".replace("č", "c") + ";Žofie", "iso-8859-15", "iso-8859-15"),
        ("Müller;Jörg\rPeña;José\rSiân;Zoë\r", "mac-roman", "mac-roman"),
        ("Zoë\rAna\r", "mac-roman", "mac-roman"),
        ("García;María\nFrançois;Hélène", "mac-roman", "mac-roman"),
    ],
)
def test_letters_come_out_as_they_were_written(text, written, read):
    decoded = decode(text.encode(written))

    assert (decoded.text, decoded.encoding) == (text.removeprefix("\ufeff"), read)


def test_where_the_bytes_do_not_tell_the_custom_of_the_program_does():
    french = "Nom;Prénom;Classe\r\nRuiz;Noé;6e\r\n".encode("iso-8859-15")
    federation = "0007      Ruiz, Noé                 700  0  2013\r\n".encode("latin-1")

    assert read_file(french).encoding == "iso-8859-15"
    assert read_file(federation).encoding == "latin-1"
    assert read_file(b"Name=Ruiz, Ana\nGrade=4\n").encoding == "ascii"


@pytest.mark.parametrize(
    ("data", "refusal"),
    [
        (b"PK\x03\x04" + b"..." * 20 + b"xl/workbook.xml", Refusal.EXCEL),
        (b"PK\x03\x04" + b"users.csv" * 3, Refusal.ZIP),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100, Refusal.EXCEL),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", Refusal.PDF),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", Refusal.BINARY),
        (b"Mia\0Kern\nBen\n", Refusal.BINARY),
        (b"Mia\0Kern", Refusal.BINARY),
        (b"\xff\xfeM", Refusal.BINARY),
        (bytes(range(1, 256)) * 20, Refusal.BINARY),
        (b"  <html><table><tr><td>Mia</td></tr></table>", Refusal.WEB_PAGE),
        (b"M" * (MOST_BYTES + 1), Refusal.TOO_BIG),
    ],
)
def test_what_is_no_text_is_refused(data, refusal):
    with pytest.raises(Refused) as refused:
        decode(data)

    assert refused.value.refusal == refusal


MEGABYTE = MOST_BYTES - 10


@pytest.mark.parametrize(
    "data",
    [
        b"\n" * MEGABYTE, b"a\n" * (MEGABYTE // 2), b"," * MEGABYTE, b"a" * MEGABYTE, b" " * MEGABYTE,
        b'"' * MEGABYTE, b"(" * MEGABYTE, b"name\n" + b'"a,' * (MEGABYTE // 3), b"a@" * (MEGABYTE // 2),
        b"a=" + b" " * MEGABYTE, b"1  a," + b"b " * (MEGABYTE // 2), b"name,email\nA,a@" + b"." * MEGABYTE,
        b"First Name,Last Name\n" + b"Lena,Koval\n" * (MEGABYTE // 11), b"\xe9" * MEGABYTE, b"\xe9(" * (MEGABYTE // 2),
    ],
)  # fmt: skip
def test_a_megabyte_made_to_be_slow_is_read_or_refused_in_two_seconds(data):
    begin = time.perf_counter()
    with contextlib.suppress(Refused):
        read_file(data)

    assert time.perf_counter() - begin < 2
