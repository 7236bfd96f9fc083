"""What a teacher types to set a tournament up, and to change it."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Field, Layout
from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import formats
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from classes.forms import OneTimeForm, cleaned_text, helper
from classes.models import School, Student
from ratings.models import RatingList
from tournaments.core import berger
from tournaments.core.advice import Advice, System, advise, is_small_group, usual_rounds
from tournaments.core.tiebreaks import ROUND_ROBIN, SWISS, TIE_BREAKS, US_SCHOLASTIC
from tournaments.models import MOST_ROUNDS, Tournament
from tournaments.selectors.set_up import AdviceRow, CandidateGroup, advice_row
from tournaments.selectors.words import TIE_BREAK_NAMES
from tournaments.services.entries import LONGEST_TABLE
from tournaments.services.events import FIXED_ONCE_PAIRED

MOST_TIE_BREAKS = 6
FIRST_YEAR = 2000
AHEAD = datetime.timedelta(days=366)
USUAL, US, OWN = "usual", "us", "own"
ORDERS = [
    (USUAL, _("Usual for the system")),
    (US, _("As in US scholastic events")),
    (OWN, _("My own order")),
]


def tie_break_choices() -> list[Any]:
    """None, those of FIDE, those of US Chess: each by its name and code."""

    def named(us: bool) -> list[tuple[str, str]]:
        found = [tie_break for tie_break in TIE_BREAKS.values() if tie_break.us is us]
        return [(tie_break.code, f"{TIE_BREAK_NAMES[tie_break.code]} ({tie_break.code})") for tie_break in found]

    return [("", "–"), (now("FIDE"), named(us=False)), (now("US Chess"), named(us=True))]


class TournamentForm(forms.Form):
    """What a tournament is, apart from who takes part."""

    name = forms.CharField(
        label=_("Name"), max_length=80, error_messages={"required": _("Give the tournament a name.")}
    )
    day = forms.DateField(
        label=_("First day"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": _("Say on which day the tournament begins.")},
    )
    system = forms.ChoiceField(
        label=_("System"),
        choices=Tournament.System.choices,
        widget=forms.RadioSelect(attrs={"class": "form-check-input"}),
        initial=Tournament.System.SWISS,
        error_messages={"required": _("Choose a system.")},
    )
    rounds = forms.IntegerField(
        label=_("Rounds"),
        min_value=1,
        max_value=MOST_ROUNDS,
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            _("Rounds are a whole number from 1 to %(most)d.") % {"most": MOST_ROUNDS},
        ),
    )
    pairing_rule = forms.ChoiceField(
        label=_("Pairing of a Swiss"),
        choices=Tournament.PairingRule.choices,
        help_text=_(
            "FIDE rules never pair two players twice, and in a small group soon find no pairing. "
            "The small-group rules always find one, with as few repeats as can be."
        ),
    )
    seeding = forms.ChoiceField(
        label=_("Order at the start"), choices=Tournament.Seeding.choices, initial=Tournament.Seeding.RATING
    )
    bye_halves = forms.TypedChoiceField(
        label=_("A bye is worth"),
        choices=Tournament.ByePoints.choices,
        coerce=int,
        initial=Tournament.ByePoints.POINT,
        help_text=_("For whoever is left over in a round with an odd number of players."),
    )
    rated = forms.BooleanField(
        label=_("Rated: the games count for the ratings"),
        required=False,
        initial=True,
        widget=forms.CheckboxInput(attrs={"class": "form-check-input"}),
    )
    order = forms.ChoiceField(
        label=_("Tie-breaks"),
        choices=ORDERS,
        initial=USUAL,
        widget=forms.RadioSelect(attrs={"class": "form-check-input"}),
    )

    def __init__(
        self, *args: Any, school: School, lists: Sequence[RatingList], tie_breaks: int = 0, **kwargs: Any
    ) -> None:
        """`tie_breaks`: so many there are already; a file may bring more than are usual."""
        super().__init__(*args, **kwargs)
        self.today = school.today()
        self.lists = lists
        self.fields["rating_list"] = forms.ModelChoiceField(
            label=_("Rating list"),
            queryset=RatingList.objects.filter(pk__in=[one.pk for one in lists]),
            initial=lists[0],
            empty_label=None,
            required=len(lists) > 1,
        )
        self.numbers = range(1, max(MOST_TIE_BREAKS, tie_breaks) + 1)
        for number in self.numbers:
            self.fields[f"tie_break_{number}"] = forms.ChoiceField(
                label=now("Tie-break %(number)d") % {"number": number},
                choices=tie_break_choices(),
                required=False,
                initial=SWISS[number - 1] if number <= len(SWISS) else "",
            )

    def clean_name(self) -> str:
        name = cleaned_text(self.cleaned_data["name"])
        if not name:
            raise ValidationError(self.fields["name"].error_messages["required"])
        return name

    def clean_day(self) -> datetime.date:
        day: datetime.date = self.cleaned_data["day"]
        if day.year < FIRST_YEAR or day > self.today + AHEAD:
            raise ValidationError(_("This day is too far away. Check the year."))
        return day

    @property
    def own_order(self) -> list[str]:
        """The codes of the numbered tie-breaks, in their order, without the empty ones."""
        codes = [self.cleaned_data.get(f"tie_break_{number}") for number in self.numbers]
        return [code for code in codes if code]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if cleaned.get("system", Tournament.System.SWISS) != Tournament.System.SWISS:
            self.errors.pop("rounds", None)  # those of its table; the field is not asked for
        if cleaned.get("order") == OWN and cleaned.get("system"):
            self._check_own_order(round_robin=cleaned["system"] != Tournament.System.SWISS)
        return cleaned

    def _check_own_order(self, *, round_robin: bool) -> None:
        codes = self.own_order
        if len(set(codes)) < len(codes):
            self.add_error("order", _("A tie-break stands there twice. Choose each once."))
        for code in codes:
            if not TIE_BREAKS[code].suits(round_robin=round_robin):
                sentence = (
                    _("%(name)s says nothing in a round robin. Choose another tie-break.")
                    if round_robin
                    else _("%(name)s says nothing in a Swiss. Choose another tie-break.")
                )
                self.add_error("order", ValidationError(sentence, params={"name": TIE_BREAK_NAMES[code]}))

    def chosen_tie_breaks(self) -> list[str]:
        """The codes, in their order."""
        if self.cleaned_data["order"] == OWN:
            return self.own_order
        if self.cleaned_data["order"] == US:
            return list(US_SCHOLASTIC)
        return list(SWISS if self.cleaned_data["system"] == Tournament.System.SWISS else ROUND_ROBIN)

    def tournament(self) -> dict[str, Any]:
        """The fields of the tournament, but its rounds."""
        names = ("name", "day", "system", "pairing_rule", "seeding", "bye_halves", "rated")
        found = {name: self.cleaned_data[name] for name in names}
        rating_list = self.cleaned_data.get("rating_list") or self.lists[0]
        return found | {"rating_list": rating_list, "tie_breaks": self.chosen_tie_breaks()}

    def more(self) -> list[Any]:
        """The parts of the layout that are needed less often."""
        own = [Div(f"tie_break_{number}", css_class="col-sm-6") for number in self.numbers]
        return [
            Div(
                Div("seeding", css_class="col-sm-6"),
                Div("bye_halves", css_class="col-sm-6 swiss-only"),
                *([Div("rating_list", css_class="col-sm-6")] if len(self.lists) > 1 else []),
                css_class="row mt-2",
            ),
            Div("pairing_rule", css_class="swiss-only"),
            Field("order", template="ratings/_kind_choice.html"),
            Div(*own, css_class="row own-order"),
        ]


def initial_of(tournament: Tournament) -> dict[str, Any]:
    """A tournament as the fields of the form."""
    names = ("name", "day", "system", "rounds", "pairing_rule", "seeding", "bye_halves", "rated", "rating_list")
    codes = list(tournament.tie_breaks)
    usual = ROUND_ROBIN if tournament.is_round_robin else SWISS
    order = USUAL if codes == list(usual) else US if codes == list(US_SCHOLASTIC) else OWN
    numbered = {f"tie_break_{n}": code for n, code in enumerate([*codes, *[""] * MOST_TIE_BREAKS], start=1)}
    return {name: getattr(tournament, name) for name in names} | {"order": order} | numbered


@dataclass(frozen=True, slots=True)
class Tick:
    id: int
    label: str
    rating: int
    ticked: bool


@dataclass(frozen=True, slots=True)
class TickGroup:
    classroom: int
    name: str
    ticks: list[Tick]


class SetUpForm(OneTimeForm, TournamentForm):
    """A new tournament and who takes part."""

    students = forms.ModelMultipleChoiceField(
        label=_("Who takes part"),
        queryset=Student.objects.none(),
        error_messages={
            "required": _("Tick at least two players."),
            "invalid_choice": _("One of the students is not active any more. The list below is the present one."),
            "invalid_pk_value": _("One of the students is not active any more. The list below is the present one."),
        },
    )

    def __init__(self, *args: Any, groups: list[CandidateGroup], all_ticked: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.groups = groups
        self.there = [player.id for group in groups for player in group.players]
        self.fields["students"].queryset = Student.objects.filter(pk__in=self.there)
        self.fields["students"].initial = self.there if all_ticked else []
        self.fields["pairing_rule"].choices = [
            ("", _("By size: small group for up to 10 players")),
            *Tournament.PairingRule.choices,
        ]
        self.fields["pairing_rule"].required = False
        self.fields["day"].initial = self.today
        self.fields["name"].initial = now("%(weekday)s tournament") % {"weekday": formats.date_format(self.today, "l")}
        self.fields["rounds"].initial = usual_rounds(len(self.ticked()) or len(self.there))

    @property
    def helper(self) -> FormHelper:
        made = FormHelper()
        made.form_tag = False
        made.layout = Layout(
            "key",
            Div(Div("name", css_class="col-sm-8"), Div("day", css_class="col-sm-4"), css_class="row"),
            Div(
                Div(Field("system", template="ratings/_kind_choice.html"), css_class="col-sm-8"),
                Div("rounds", css_class="col-sm-4 swiss-only"),
                css_class="row",
            ),
            HTML("{% include 'tournaments/_advice.html' %}"),
            Field("students", template="tournaments/_ticks.html"),
            "rated",
            HTML(f'<details class="mb-3"{self.opened()}><summary>{now("More settings")}</summary>'),
            *self.more(),
            HTML("{% include 'tournaments/_keep_apart_link.html' %}</details>"),
            Div(
                StrictButton(_("Create the tournament"), type="submit", css_class="btn-primary flex-grow-1"),
                css_class="d-flex flex-wrap gap-2 in-reach",
            ),
        )
        return made

    def opened(self) -> str:
        """Open where something in there is wrong."""
        inside = {"seeding", "bye_halves", "rating_list", "pairing_rule", "order"}
        return " open" if self.is_bound and inside & self.errors.keys() else ""

    def ticked(self) -> set[int]:
        """The ids of the ticked students, as they were sent or are proposed."""
        sent = {str(getattr(one, "pk", one)) for one in self["students"].value() or ()}
        return {pk for pk in self.there if str(pk) in sent}

    def tick_groups(self) -> list[TickGroup]:
        ticked = self.ticked()
        return [
            TickGroup(
                group.classroom,
                group.name,
                [Tick(player.id, player.label, player.rating, player.id in ticked) for player in group.players],
            )
            for group in self.groups
        ]

    def advice(self) -> AdviceRow:
        """What is said about the ticked students, the system and the rounds, as far as they can be read."""
        return advice_row(self._advice())

    def _advice(self) -> Advice:
        players, system, rounds = len(self.ticked()), str(self["system"].value()), str(self["rounds"].value())
        known = system in Tournament.System.values
        fits = rounds.isdecimal() and 1 <= int(rounds[:3]) <= MOST_ROUNDS
        return advise(
            players,
            system=System(system) if known else System.SWISS,
            rounds=int(rounds) if fits else usual_rounds(players),
        )

    def clean_students(self) -> list[Student]:
        students = list(self.cleaned_data["students"])
        if len(students) < 2:
            raise ValidationError(self.fields["students"].error_messages["required"])
        return students

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        too_long = cleaned.get("students") and self._table_length(cleaned) > LONGEST_TABLE
        if too_long:
            self.add_error("system", _("That is too many players for a round robin. Choose Swiss."))
        return cleaned

    def _table_length(self, cleaned: dict[str, Any]) -> int:
        system = cleaned.get("system", Tournament.System.SWISS)
        if system == Tournament.System.SWISS:
            return 0
        return len(berger.table(len(cleaned["students"]), double=system == Tournament.System.DOUBLE_ROUND_ROBIN))

    def tournament(self) -> dict[str, Any]:
        """What the service needs."""
        found, students = super().tournament(), self.cleaned_data["students"]
        small = Tournament.PairingRule.SMALL_GROUP if is_small_group(len(students)) else Tournament.PairingRule.FIDE
        return found | {
            "students": students,
            "pairing_rule": found["pairing_rule"] or small,
            "rounds": self._table_length(self.cleaned_data) or self.cleaned_data["rounds"],
        }


def typed(form_class: type[forms.Form], data: MultiValueDict[str, Any], **kwargs: Any) -> Any:
    """A form that shows what was typed and finds nothing wrong with it yet."""
    blank = form_class(**kwargs)
    shown = {
        name: field.widget.value_from_datadict(data, {}, name)
        for name, field in blank.fields.items()
        if name != "students"
    }
    return form_class(**kwargs | {"initial": shown | {"students": data.getlist("students")}})


def wished(data: QueryDict, groups: Iterable[CandidateGroup]) -> QueryDict:
    """What was typed, changed as the pressed button says: `use` a system and rounds, `tick` or `untick` a class."""
    changed = data.copy()
    system, _space, rounds = data.get("use", "").partition(" ")
    if system in Tournament.System.values and rounds.isdecimal():
        changed["system"], changed["rounds"] = system, rounds
    for group in groups:
        members = [str(player.id) for player in group.players]
        if data.get("tick") == str(group.classroom):
            changed.setlist("students", sorted({*changed.getlist("students"), *members}))
        elif data.get("untick") == str(group.classroom):
            changed.setlist("students", [pk for pk in changed.getlist("students") if pk not in members])
    return changed


class SettingsForm(TournamentForm):
    """A tournament that is there already. What the first round was paired by stays once it is paired."""

    def __init__(self, *args: Any, tournament: Tournament, paired: int, **kwargs: Any) -> None:
        known = len(tournament.tie_breaks)
        initial = initial_of(tournament)
        super().__init__(*args, initial=initial, school=tournament.school, tie_breaks=known, **kwargs)
        self.instance = tournament
        self.paired = paired
        if paired:
            for name in FIXED_ONCE_PAIRED:
                self.fields[name].disabled = True
                self.fields[name].required = False
            self.fields["rounds"].help_text = _("%(count)d of them are paired.") % {"count": paired}

    @property
    def helper(self) -> FormHelper:
        return helper(
            Div(Div("name", css_class="col-sm-8"), Div("day", css_class="col-sm-4"), css_class="row"),
            Div(
                Div(Field("system", template="ratings/_kind_choice.html"), css_class="col-sm-8"),
                Div("rounds", css_class="col-sm-4 swiss-only"),
                css_class="row",
            ),
            "rated",
            *self.more(),
            button=_("Save"),
        )

    def clean_rounds(self) -> int:
        rounds: int = self.cleaned_data["rounds"]
        if rounds < self.paired and not self.instance.is_round_robin:
            raise ValidationError(_("%(count)d rounds are paired already."), params={"count": self.paired})
        return rounds

    def tournament(self) -> dict[str, Any]:
        """The fields as they are to be; a round robin keeps the rounds of its table."""
        is_swiss = self.cleaned_data["system"] == Tournament.System.SWISS
        rounds = {"rounds": self.cleaned_data["rounds"]} if is_swiss else {}
        return super().tournament() | rounds


class CancelForm(forms.Form):
    """What becomes of the games of a cancelled tournament. Nothing is chosen beforehand."""

    KEEP, TAKE_BACK = "keep", "back"

    ratings = forms.ChoiceField(
        label=_("What becomes of the ratings?"),
        choices=[
            (KEEP, _("Keep them: the games stay, as games of the class")),
            (TAKE_BACK, _("Take them back: the games are voided, and every later rating follows")),
        ],
        widget=forms.RadioSelect(attrs={"class": "form-check-input"}),
        error_messages={"required": _("Choose what becomes of the ratings.")},
    )

    def __init__(self, *args: Any, games: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not games:
            del self.fields["ratings"]

    @property
    def keeps(self) -> bool:
        return self.cleaned_data.get("ratings") == self.KEEP
