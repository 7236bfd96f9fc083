"""The rating lists of a school and their dated rules; for leads."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import formats
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from classes.access import lead_membership_of
from ratings import services
from ratings.access import rating_list_for_lead
from ratings.forms.lists import RatingListForm, RatingRuleForm
from ratings.models import RatingList, RatingRule
from ratings.selectors.lists import RuleRow, consequences_of_rule, in_words, rating_list_rows, rule_rows
from ratings.views.corrections import confirm


@require_http_methods(["GET", "HEAD", "POST"])
def rating_lists(request: HttpRequest) -> HttpResponse:
    """All lists of the school, and adding one."""
    school = lead_membership_of(request.user).school
    rows = rating_list_rows(school)
    form = RatingListForm(request.POST or None, lists=[row.rating_list for row in rows])
    if request.method == "POST":
        answer = reverse("ratings:rating_lists") + "{pk}/"
        once = form.once(request, action="create_rating_list", answer=answer)
        if form.is_valid():
            name, start = form.cleaned_data["name"], form.cleaned_data["start_rating"]
            try:
                made = services.create_rating_list(school=school, name=name, start_rating=start, once=once)
            except ValidationError as error:
                form.add_error(None, error)
            else:
                messages.success(request, _("The list is there. Choose it when you record a game."))
                return redirect(once.answer_for(made.pk))
        else:
            once.refuse_second_use()  # sent twice: by now the name is taken, by the first
    return render(request, "ratings/rating_lists.html", {"rows": rows, "form": form})


@require_http_methods(["GET", "HEAD", "POST"])
def rating_list(request: HttpRequest, list_id: int) -> HttpResponse:
    """A list with its rules, and changing the rule from a day on, after the consequences were shown."""
    found = rating_list_for_lead(request.user, list_id)
    rules = rule_rows(found)
    now = next(row.rule for row in rules if row.in_force)
    form = RatingRuleForm(request.POST or None, rating_list=found, now=now)
    if not form.is_valid() or "change" in request.POST:
        return render(request, "ratings/rating_list.html", {"rating_list": found, "rules": rules, "form": form})
    stale = False
    if "confirm" in request.POST:
        once = form.once(request, action="set_rule", answer=request.path)
        version = form.cleaned_data["version"] or 0
        try:
            services.set_rule(found, rule=form.rule(), version=version, once=once)
        except services.StaleVersion:
            stale = True
            found.refresh_from_db()
            rules = rule_rows(found)
        else:
            messages.success(request, _("The rule is changed, and every rating with it."))
            return redirect(once.answer)
    return confirm(
        request,
        title=_("Change the rule?"),
        what=_said(found, form.rule(), rules),
        consequences=consequences_of_rule(found, form.rule()),
        form=form,
        stale=stale,
        button=_("Change the rule"),
        back=request.path,
        can_change=True,
    )


@require_POST
def show_bands(request: HttpRequest, list_id: int) -> HttpResponse:
    """Switch the badge beside every rating of a list on or off."""
    found = rating_list_for_lead(request.user, list_id)
    shown = request.POST.get("shown") == "1"
    services.show_bands(found, shown=shown)
    messages.success(request, _("The badge is shown beside every rating.") if shown else _("The badge is gone."))
    return redirect("ratings:rating_list", found.pk)


def _said(rating_list: RatingList, rule: RatingRule, rules: list[RuleRow]) -> list[str]:
    """What the rule would be, from when and until when, and which one it replaces."""
    followers = [row.rule.from_day for row in rules if row.rule.from_day > rule.from_day]
    is_first = all(rule.from_day <= row.rule.from_day for row in rules)
    span = {"list": rating_list, "day": formats.date_format(rule.from_day)}
    if is_first:
        said = [_("%(list)s, from the beginning:") % span, in_words(rule)]
    else:
        said = [_("%(list)s, from %(day)s on:") % span, in_words(rule)]
    if followers:
        said.append(_("It holds until the rule of %(day)s.") % {"day": formats.date_format(min(followers))})
    said += [_("It replaces: %(rule)s") % {"rule": row.words} for row in rules if row.rule.from_day == rule.from_day]
    return said
