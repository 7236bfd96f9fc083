"""One student per line, as people write and paste it."""

from __future__ import annotations

import re
import unicodedata

from classes.core.names import split_name
from classes.core.roster.types import LONGEST_NAME, Doubt, Person, Row, Why

JOINERS = "\u200c\u200d"  # cannot be seen either, but Persian and Indian names are written with them
IN_FRONT = re.compile(r"^\s*(?:\d{1,3}(?:\s*[.):–-]\s*|\s+)|[-*•·–](?:\s+|$))")  # 1. 2) 3: 4 - • and the like
SYMBOLS_IN_FRONT = re.compile(r"^(?:[\u2190-\u21ff\u25a0-\u27bf\u2b00-\u2bff]\ufe0f?\s*)+")
NUMBERED = r"\d{1,2}(?:st|nd|rd|th)?\.?\s?[^\W\d_]?"
WORDED = r"(?:grade|gr\.?|year|yr\.?|class|klasse|form)\s*\d{1,2}\s?[^\W\d_]?|\d{1,2}(?:st|nd|rd|th)?\s+grade"
SHORT_GRADES = r"K|KG|PK|TK"
# A number at the end is no name; a K (kindergarten) only after a comma or a dash, else it is an initial.
GRADE_BEHIND = re.compile(
    rf"(?:(?:\s*[,;]\s*|\s+[-–—]\s+)(?P<set_off>{WORDED}|{NUMBERED}|{SHORT_GRADES})|\s+(?P<plain>{WORDED}|{NUMBERED}))$",
    re.IGNORECASE,
)
GRADE = re.compile(
    rf"(?:{WORDED}|-?{NUMBERED}|{SHORT_GRADES}|[YPS]\d{{1,2}}|\d{{1,2}}/\d{{1,2}}|Kindergarten|Reception)$",
    re.IGNORECASE,
)
IN_BRACKETS_BEHIND = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*$")
EMAIL_WITHIN = re.compile(r"[<(\[]?\s*(?:mailto:)?([\w.+'-]+@[\w-]+(?:\.[\w-]+)+)\s*[>)\]]?")
SEVERAL = re.compile(r"\s(?:\+|&|and|und)\s", re.IGNORECASE)
ODD = re.compile(r"[!?+&:]|\d{3}|://")
TELEPHONE = re.compile(r"\d{3}[-\s/]?\d{3}")
MOST_WORDS = 7
LONGEST_LINE = 500
# Words of greetings, notes and signatures; none of them is a part of names such as de, la, van, bin.
SENTENCE_WORDS = frozenset(
    "hi hello dear here is are the this list for on our my your from with and also his her their sister brother please "
    "thanks thank you call me sent regards best kind "
    "hallo liebe lieber hier ist sind die das liste für mit auch seine ihre schwester bruder bitte danke viele grüße "
    "freundlichen grüßen gesendet meinem "
    "bonjour voici est sont liste pour avec aussi merci cordialement envoyé mon ma sa soeur sœur frère "
    "hola aquí lista para con también gracias saludos enviado desde mi su hermana hermano".split()
)


def printable(text: str) -> str:
    """Composed letters, single spaces; a control character becomes a space, an invisible mark nothing."""
    seen = "".join(_seen(letter) for letter in text) if not text.isprintable() else text
    return unicodedata.normalize("NFC", " ".join(seen.split()))


def _seen(letter: str) -> str:
    category = unicodedata.category(letter)
    if category in {"Cc", "Zl", "Zp"}:
        return " "
    return "" if category == "Cf" and letter not in JOINERS else letter


def split_grade(text: str) -> tuple[str, str]:
    """`John Smith, 3` and `John Smith 3b` -> name and grade; the grade is empty where the end is no grade."""
    if match := GRADE_BEHIND.search(text):
        return text[: match.start()], match["set_off"] or match["plain"]
    return text, ""


def is_grade(text: str) -> bool:
    return GRADE.fullmatch(text.strip()) is not None


def read_line(line: int, text: str) -> Row:
    """One line: numbers, bullets and symbols in front, a grade, an e-mail and a note behind are told from the name."""
    if len(text) > LONGEST_LINE:
        return Row(line, None, Doubt(Why.TOO_LONG))
    said = _without_bullet(printable(text))
    if not said:
        return Row(line, None, Doubt(Why.EMPTY))
    doubts: list[Doubt] = []
    name, email = _without_email(said)
    name, grade, note = _without_brackets(name)
    if note:
        doubts.append(Doubt(Why.LEFT_OUT, f"({note})"))
    if not grade:
        name, grade = split_grade(name)
    if SEVERAL.search(name):
        return Row(line, None, Doubt(Why.SEVERAL))
    first, last = split_name(name.strip(" ;,").rstrip(" -–"))
    if not first:
        return Row(line, None, Doubt(Why.NO_NAME))
    if is_prose(said):
        fits = max(len(first), len(last)) <= LONGEST_NAME
        return Row(line, Person(first, last, grade, email) if fits else None, Doubt(Why.PROSE))
    if max(len(first), len(last)) > LONGEST_NAME:
        return Row(line, None, Doubt(Why.TOO_LONG))
    return Row(line, Person(first, last, grade, email), doubts=tuple(doubts))


def is_prose(text: str) -> bool:
    """A greeting, a note, a signature: words that no name has, or far too many of them."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    hits = sum(word in SENTENCE_WORDS for word in words)
    return (
        hits >= 2
        or (hits == 1 and ODD.search(text) is not None)
        or len(words) > MOST_WORDS
        or TELEPHONE.search(text) is not None
        or text.endswith(":")
    )


def _without_bullet(text: str) -> str:
    text = IN_FRONT.sub("", text)
    text = SYMBOLS_IN_FRONT.sub("", text).strip(" ;,")
    first, _, rest = text.partition(" ")
    if " " in rest and not any(letter.isalnum() or letter.isascii() for letter in first):
        return rest  # an emoji before first and last name
    return text


def _without_email(text: str) -> tuple[str, str]:
    if match := EMAIL_WITHIN.search(text):
        return f"{text[: match.start()]} {text[match.end() :]}".strip(" ;,").rstrip(" -–"), match[1]
    return text, ""


def _without_brackets(text: str) -> tuple[str, str, str]:
    """Name, grade, note. `=HYPERLINK(1)` and `(Kahanu)` keep their brackets: nothing would be left, or no blank is."""
    match = IN_BRACKETS_BEHIND.search(text)
    if not match or not text[: match.start()].strip() or not match[0].startswith(" "):
        return text, "", ""
    name, within = text[: match.start()].strip(), match[1].strip()
    return (name, within, "") if is_grade(within) else (name, "", within)
