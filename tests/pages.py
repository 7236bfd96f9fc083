"""What a person sees of a page: its words, and its tables cell by cell."""

from __future__ import annotations

import html
import re

from django.http import HttpResponse


def words_of(page: HttpResponse | str) -> str:
    """The text of a page or a piece of one, with single spaces."""
    source = page if isinstance(page, str) else page.content.decode()
    source = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", source, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", source)).split())


def rows_of(page: HttpResponse) -> list[list[str]]:
    """The body rows of the tables of a page, each as the words of its cells."""
    return [
        [words_of(cell) for cell in re.findall(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", row, re.DOTALL)]
        for body in re.findall(r"<tbody>(.*?)</tbody>", page.content.decode(), re.DOTALL)
        for row in re.findall(r"<tr\b.*?</tr>", body, re.DOTALL)
    ]


def board_of(page: HttpResponse) -> list[list[str]]:
    """The rows of a leaderboard, without the mark of those who have played few games."""
    return [[rank, name.removesuffix(" new"), *rest] for rank, name, *rest in rows_of(page)]


def messages_of(page: HttpResponse) -> list[str]:
    """The sentences that a page says at its top after something was done."""
    return [str(message) for message in page.context["messages"]]
