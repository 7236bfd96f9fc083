"""A report file, and who its players are."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from classes.core.names import match_key
from classes.forms import OneTimeForm, cleaned_text
from classes.models import Classroom, Student
from classes.selectors import labels_in, students_in
from tournaments.core.trf import BadFile, Report, decode, read
from tournaments.selectors.exchange import PROBLEMS, MatchRow, matches
from tournaments.services.exchange import NewStudent

MOST_BYTES = 1_000_000
NEW = "new"


class ReportFileForm(forms.Form):
    """A Tournament Report File; from the second page on its text, so that nothing is kept on the server."""

    file = forms.FileField(
        label=gettext_lazy("Report file"),
        required=False,
        help_text=gettext_lazy("TRF16 or TRF26, as pairing programs write it (.trf, .trfx, .txt)."),
    )
    text = forms.CharField(widget=forms.Textarea(attrs={"hidden": True}), required=False, strip=False)

    report: Report | None = None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        file = cleaned.get("file")
        if file is None and not cleaned.get("text"):
            raise ValidationError(_("Choose a file."))
        if file is not None and file.size > MOST_BYTES:
            raise ValidationError(_("This file is larger than 1 MB. A report of a tournament is much smaller."))
        try:
            cleaned["text"] = decode(file.read()) if file is not None else cleaned["text"]
            self.report = read(cleaned["text"])
        except BadFile as error:
            raise ValidationError(_said(error)) from error
        return cleaned


def _said(error: BadFile) -> str:
    problem = str(PROBLEMS[error.problem])
    if error.line is None:
        return f"{problem} ({error.sentence})"
    return _("Line %(line)d: %(problem)s") % {"line": error.line, "problem": f"{problem} ({error.sentence})"}


class ImportForm(OneTimeForm):
    """Who the players of a report are: a student of the class, or a new one; and what the tournament is called."""

    name = forms.CharField(label=gettext_lazy("Name of the tournament"), max_length=80)

    def __init__(self, *args: Any, report: Report, classroom: Classroom, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rows: list[MatchRow] = matches(report, classroom)
        self.students = {str(student.pk): student for student in students_in(classroom)}
        self.labels = labels_in(classroom)
        self.fields["name"].initial = report.name[:80] or _("Tournament")
        choices = [(NEW, _("new student")), *((pk, self.labels[int(pk)]) for pk in self.students)]
        for row in self.rows:
            name = f"player_{row.player.number}"
            self.fields[name] = forms.ChoiceField(
                label=f"{row.first} {row.last}".strip(),
                choices=choices,
                initial=str(row.student.pk) if row.student else NEW,
                widget=forms.Select(attrs={"class": "form-select"}),
            )

    def clean_name(self) -> str:
        return cleaned_text(self.cleaned_data["name"])

    @property
    def players(self) -> list[tuple[MatchRow, Any, bool]]:
        """Each player with the field that says who it is, and whether a student has the same name."""
        known = {match_key(label) for label in self.labels.values()}
        return [
            (row, self[f"player_{row.player.number}"], match_key(f"{row.first} {row.last}".strip()) in known)
            for row in self.rows
        ]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        chosen = [cleaned.get(f"player_{row.player.number}") for row in self.rows]
        chosen = [choice for choice in chosen if choice and choice != NEW]
        if twice := {choice for choice in chosen if chosen.count(choice) > 1}:
            names = ", ".join(sorted(self.labels[int(pk)] for pk in twice))
            raise ValidationError(_("Chosen for two players: %(names)s. Each student plays once.") % {"names": names})
        return cleaned

    def chosen(self) -> dict[int, Student | NewStudent]:
        """By starting number."""
        return {
            row.player.number: self.students.get(self.cleaned_data[f"player_{row.player.number}"])
            or NewStudent(row.first[:80], row.last[:80])
            for row in self.rows
        }
