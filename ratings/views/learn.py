"""How ratings work, for everybody: an overview and one page a topic."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ratings.core.practice import Piece
from ratings.selectors.learn import TOPICS, topic_page


@login_not_required
@require_safe
def learn(request: HttpRequest) -> HttpResponse:
    return render(request, "ratings/learn/overview.html", {"section": "learn", "topics": TOPICS, "pieces": list(Piece)})


@login_not_required
@require_safe
def topic(request: HttpRequest, slug: str) -> HttpResponse:
    page = topic_page(slug)
    if page is None:
        raise Http404
    return render(request, page.topic.template, {"section": "learn", "page": page} | page.topic.numbers())
