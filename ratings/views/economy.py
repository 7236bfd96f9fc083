"""The Elo page of a class: is the economy sound, and when did somebody last look?"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from classes.access import classroom_for_teacher, open_classroom_for_teacher
from ratings.forms.economy import EconomyCheckForm
from ratings.selectors.economy import economy_page
from ratings.selectors.ledger import default_list


@require_safe
def economy(request: HttpRequest, classroom_id: int) -> HttpResponse:
    classroom = classroom_for_teacher(request.user, classroom_id)
    page = economy_page(classroom, default_list(classroom.school), today=classroom.school.today())
    return render(request, "ratings/economy.html", {"classroom": classroom, "page": page, "tab": "elo"})


@require_POST
def check_economy(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Note that the teacher has looked today."""
    classroom = open_classroom_for_teacher(request.user, classroom_id)
    form = EconomyCheckForm(request.POST, classroom=classroom, by=request.user)
    if form.is_valid():
        form.save()
        messages.success(request, _("Noted: checked today. The page reminds in a week."))
    return redirect("ratings:economy", classroom.pk)
