"""Rating lists with their rules in words, and what another rule would do."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from classes.core.names import full_labels
from classes.models import School, Student
from classes.selectors import names_of
from ratings.core.rules import FROM_THE_BEGINNING, Rules
from ratings.models import Game, RatingList, RatingRule
from ratings.selectors.consequences import ConsequencesPage, consequences
from ratings.selectors.ledger import events_of, rule_of


@dataclass(frozen=True, slots=True)
class RatingListRow:
    """A list with the rule of today in words and its number of games that count."""

    rating_list: RatingList
    rule: str
    games: int


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A dated rule in words. `since` is None from the beginning; `until` is the day before the next rule's."""

    rule: RatingRule
    since: datetime.date | None
    until: datetime.date | None
    words: str
    in_force: bool


def rating_list_rows(school: School) -> list[RatingListRow]:
    """All lists of a school, the default list first, in two queries."""
    played = Game.objects.filter(rating_list=OuterRef("pk"), voided_at=None).order_by().values("rating_list")
    lists = (
        RatingList.objects.filter(school=school)
        .annotate(played=Coalesce(Subquery(played.annotate(number=Count("pk")).values("number")), 0))
        .prefetch_related("rules")
        .order_by("-is_default", "pk")
    )
    today = school.today()
    return [RatingListRow(one, in_words(rule_on(list(one.rules.all()), today)), one.played) for one in lists]


def rule_rows(rating_list: RatingList) -> list[RuleRow]:
    """The rules of a list, oldest first."""
    rules = list(RatingRule.objects.filter(rating_list=rating_list).order_by("from_day"))
    now = rule_on(rules, rating_list.school.today())
    followers = [*rules[1:], None]
    return [
        RuleRow(
            rule=rule,
            since=None if index == 0 else rule.from_day,
            until=follower.from_day - datetime.timedelta(days=1) if follower else None,
            words=in_words(rule),
            in_force=rule == now,
        )
        for index, (rule, follower) in enumerate(zip(rules, followers, strict=True))
    ]


def rule_on(rules: list[RatingRule], day: datetime.date) -> RatingRule:
    """Of rules, oldest first, the one in force on a day; before the first rule's day the first."""
    return [rules[0], *(rule for rule in rules if rule.from_day <= day)][-1]


def in_words(rule: RatingRule) -> str:
    """A rule as a teacher reads it."""
    kind = RatingRule.Kind(rule.kind)
    if kind == RatingRule.Kind.FIDE:
        k = (
            _("FIDE K: 40 below 2300 and in a student’s first 30 games, else 20; 10 for good once 2400 was reached.")
            if rule.players_are_juniors
            else _("FIDE K: 40 in a student’s first 30 games, then 20; 10 for good once 2400 was reached.")
        )
        said = [k, _("Expected scores come from FIDE’s table; a gap of more than 400 points counts as 400.")]
    elif kind == RatingRule.Kind.PROVISIONAL:
        text = ngettext(
            "K = %(first)d in a student’s first game, then K = %(k)d.",
            "K = %(first)d in a student’s first %(games)d games, then K = %(k)d.",
            rule.provisional_games,
        )
        said = [text % {"first": rule.provisional_k, "games": rule.provisional_games, "k": rule.k}]
    else:
        said = [_("K = %(k)d for everybody.") % {"k": rule.k}]
    if rule.floor is not None:
        said.append(_("No rating falls below %(floor)d.") % {"floor": rule.floor})
    return " ".join(said)


def consequences_of_rule(rating_list: RatingList, rule: RatingRule) -> ConsequencesPage:
    """What adding a rule, or replacing the one of the same day, does to today's ratings. Writes nothing."""
    others = list(RatingRule.objects.filter(rating_list=rating_list).exclude(from_day=rule.from_day))
    is_first = all(rule.from_day < other.from_day for other in others)
    return consequences(
        rating_list,
        events_of(rating_list),
        first=(FROM_THE_BEGINNING if is_first else rule.from_day, 0),
        rules=Rules(rule_of(one) for one in [*others, rule]),
        labels=full_labels(names_of(Student.objects.filter(school=rating_list.school_id))),
    )
