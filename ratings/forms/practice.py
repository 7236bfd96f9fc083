"""Piece practice: which exercise an address asks for, what was ticked, and what a set is worth."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from ratings.core.practice import LEVELS, MOST_SEED, NAMES, Exercise, Piece
from ratings.models import PieceName

MOST_POINTS = 5


class ExerciseForm(forms.Form):
    """The exercise: from the address, or from the hidden fields of an answer."""

    piece = forms.ChoiceField(choices=PieceName.choices)
    level = forms.TypedChoiceField(choices=[(level, level) for level in LEVELS], coerce=int)
    seed = forms.IntegerField(min_value=0, max_value=MOST_SEED)

    def exercise(self) -> Exercise:
        cleaned = self.cleaned_data
        return Exercise(Piece(cleaned["piece"]), cleaned["level"], cleaned["seed"])

    def kind(self) -> tuple[Piece, int]:
        """Piece and level as far as they make sense; the rook on an empty board where they do not."""
        self.is_valid()
        return Piece(self.cleaned_data.get("piece") or Piece.ROOK), self.cleaned_data.get("level") or LEVELS[0]


class AnswerForm(forms.Form):
    """The squares that were ticked."""

    to = forms.MultipleChoiceField(
        choices=[(name, name) for name in NAMES],
        error_messages={
            "required": _("Tick at least one square, then press Check: the piece can always move."),
            "invalid_choice": _("There is no such square on the board."),
            "invalid_list": _("There is no such square on the board."),
        },
    )

    def squares(self) -> frozenset[int]:
        return frozenset(NAMES.index(name) for name in self.cleaned_data["to"])


class AwardForm(forms.Form):
    """The points for a finished set: one of five buttons."""

    points = forms.IntegerField(min_value=1, max_value=MOST_POINTS)
