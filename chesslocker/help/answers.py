"""What an answer is made of, and how it is found."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ratings.core.calculator import compare

Text = Any  # a lazy translation; %(name)s stands for a number from chesslocker.help.numbers


@dataclass(frozen=True, slots=True)
class Term:
    """A word and what it means; reached by its own anchor."""

    anchor: str
    name: Text
    sentence: Text


@dataclass(frozen=True, slots=True)
class Example:
    """A game between two ratings with K 32, reckoned when it is shown. `score_halves` is White's."""

    white: int
    black: int
    score_halves: int

    def reckoned(self) -> dict[str, Any]:
        compared = compare(self.white, self.black, 32)
        (outcome,) = [one for one in compared.outcomes if one.score_halves == self.score_halves]
        return {"expected": compared.white_expected, "outcome": outcome}


@dataclass(frozen=True, slots=True)
class Answer:
    """`anchor`: for /help/#anchor, never changed once given. `points`: a list under the paragraphs.

    `links`: URL names that open without a login, with their words.
    """

    anchor: str
    question: Text
    paragraphs: tuple[Text, ...]
    points: tuple[Text, ...] = ()
    terms: tuple[Term, ...] = ()
    examples: tuple[Example, ...] = ()
    links: tuple[tuple[str, Text], ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    anchor: str
    title: Text
    answers: tuple[Answer, ...]


def told(sections: Iterable[Section], numbers: Mapping[str, str]) -> list[Section]:
    """The sections in the language of the reader, with the numbers in their places."""

    def said(text: Text) -> str:
        return str(text) % numbers if "%(" in str(text) else str(text)

    return [
        Section(
            section.anchor,
            str(section.title),
            tuple(
                Answer(
                    answer.anchor,
                    said(answer.question),
                    tuple(said(text) for text in answer.paragraphs),
                    tuple(said(text) for text in answer.points),
                    tuple(Term(term.anchor, said(term.name), said(term.sentence)) for term in answer.terms),
                    answer.examples,
                    answer.links,
                )
                for answer in section.answers
            ),
        )
        for section in sections
    ]


def search(sections: Iterable[Section], words: str) -> list[Section]:
    """The answers that have all the words, or their beginnings within others; case and accents do not matter."""
    wanted = _plain(words).split()
    found = []
    for section in sections:
        fitting = tuple(answer for answer in section.answers if _has(section, answer, wanted))
        if fitting:
            found.append(Section(section.anchor, section.title, fitting))
    return found


def _has(section: Section, answer: Answer, wanted: list[str]) -> bool:
    terms = [text for term in answer.terms for text in (term.name, term.sentence)]
    text = _plain(" ".join([section.title, answer.question, *answer.paragraphs, *answer.points, *terms]))
    return all(word in text for word in wanted)


def _plain(text: str) -> str:
    """Small letters without accents, and one kind of apostrophe."""
    spread = unicodedata.normalize("NFKD", str(text).replace("’", "'"))
    return "".join(letter for letter in spread if not unicodedata.combining(letter)).casefold()
