"""Bytes of a text file -> its text and the name of its encoding."""

from __future__ import annotations

import codecs
import itertools
import re
from dataclasses import dataclass

from classes.core.roster.types import MOST_BYTES, Refusal, Refused

MARKS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
BINARY_BEGINNINGS = (
    (b"\xd0\xcf\x11\xe0", Refusal.EXCEL),
    (b"%PDF", Refusal.PDF),
    (b"{\\rtf", Refusal.BINARY),
    (b"\x89PNG", Refusal.BINARY),
    (b"\xff\xd8\xff", Refusal.BINARY),
    (b"GIF8", Refusal.BINARY),
    (b"\x1f\x8b", Refusal.BINARY),
)
LEGACY = ("cp1252", "iso-8859-15", "mac-roman")
TEXT_CONTROLS = b"\t\n\v\f\r\x1a"  # Ctrl-Z: old programs end a file with it
BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
ENOUGH = 5000  # letters to tell an encoding by
FREQUENT = frozenset("äöüßéèêëçñáíóúàâîôûåæøÄÖÜÉÅØÑÇ")
SEEN = FREQUENT | frozenset("ìòùãõœÿýšžðþïÀÁÂÃÆÈÊËÌÍÎÏÐÒÓÔÕÙÚÛÝÞŠŽŒŸªº")
WEST_OF_BOTH = ("cp1252", "latin-1", "iso-8859-15", "mac-roman")


@dataclass(frozen=True, slots=True)
class Decoded:
    """`same_in`: encodings in which these bytes are the very same text, so that its name is a matter of custom."""

    text: str
    encoding: str
    same_in: frozenset[str] = frozenset()


def decode(data: bytes) -> Decoded:
    """The text of a file. Refused for what is no text, or more than a megabyte."""
    if len(data) > MOST_BYTES:
        raise Refused(Refusal.TOO_BIG)
    if data.startswith(b"PK\x03\x04"):
        raise Refused(Refusal.EXCEL if b"xl/" in data or b"opendocument.spreadsheet" in data else Refusal.ZIP)
    for beginning, refusal in BINARY_BEGINNINGS:
        if data.startswith(beginning):
            raise Refused(refusal)
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return Decoded(_strictly(data, encoding).lstrip("\ufeff"), encoding)
    if b"\0" in data:
        encoding = _utf16_without_mark(data)
        return Decoded(_strictly(data, encoding), encoding)
    controls = sum(data.count(code) for code in range(32) if code not in TEXT_CONTROLS)
    if controls > len(data) / 100:
        raise Refused(Refusal.BINARY)
    try:
        text, encoding = data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        encoding = _likeliest(data)
        text = data.decode(encoding)
    if text.lstrip()[:200].lower().startswith(("<html", "<!doctype", "<table", "<?xml")):
        raise Refused(Refusal.WEB_PAGE)
    return Decoded(text, encoding, _same_in(data, text, encoding))


def _strictly(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Refused(Refusal.BINARY) from error
    if "\0" in text:
        raise Refused(Refusal.BINARY)
    return text


def _utf16_without_mark(data: bytes) -> str:
    """Letters of the first 256 codes, line ends and commas have one zero byte of two, always on the same side."""
    even, odd = data[::2].count(0), data[1::2].count(0)
    pairs = max(1, len(data) // 2)
    if max(even, odd) < max(4, pairs / 10) or min(even, odd) > max(even, odd) / 20:
        raise Refused(Refusal.BINARY)
    return "utf-16-le" if odd > even else "utf-16-be"


def _same_in(data: bytes, text: str, encoding: str) -> frozenset[str]:
    same = {encoding}
    for other in ("ascii", *WEST_OF_BOTH):
        try:
            if data.decode(other) == text:
                same.add(other)
        except UnicodeDecodeError:
            continue
    return frozenset(same)


def _likeliest(data: bytes) -> str:
    """The encoding in which the letters beyond ASCII stand where such letters stand in names."""
    scores = {}
    for encoding in LEGACY:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        found = itertools.islice(BEYOND_ASCII.finditer(text), ENOUGH)
        scores[encoding] = sum(
            _score(text[at - 1 : at], text[at], text[at + 1 : at + 2]) for at in (match.start() for match in found)
        )
    # Old Macs end a line with CR alone; what ends lines with CR LF comes from Windows.
    lone_cr = data.count(b"\r") - data.count(b"\r\n")
    custom = "mac-roman" if lone_cr else "cp1252"
    scores[custom] = scores.get(custom, -1_000_000) + (3 if b"\r" in data else 1)
    return max(LEGACY, key=lambda encoding: scores.get(encoding, -2_000_000))


def _score(before: str, char: str, after: str) -> int:
    if char in "\x80\x85" or ord(char) < 0xA0:
        return -10
    if char in "’‘":
        return 2 if after.isupper() else 0
    if not char.isalpha():
        return -3 if before.isalpha() and after.isalpha() else -1
    score = 2 if char in FREQUENT else 1 if char in SEEN else -1
    if char.isupper():
        if before.islower() or (before.isalpha() and after.islower()):
            score -= 3
    elif char.islower() and ((after.islower() and not before.isalpha()) or after.isupper()):
        score -= 2
    return score
