"""What teachers and students type, checked."""

from __future__ import annotations

import unicodedata
import uuid
from dataclasses import replace
from typing import Any

from crispy_forms.bootstrap import StrictButton
from crispy_forms.helper import FormHelper
from crispy_forms.layout import HTML, Div, Field, Layout
from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, PasswordResetForm, SetPasswordForm
from django.contrib.auth.password_validation import password_validators_help_texts, validate_password
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from classes.core.passwords import as_typed
from classes.core.roster.decoding import decode
from classes.core.roster.plan import Choices
from classes.core.roster.reading import read_decoded, read_text
from classes.core.roster.tables import MOST_COLUMNS
from classes.core.roster.types import MOST_BYTES, Heading, Meaning, Reading, Refusal, Refused, Shape
from classes.core.usernames import normalise
from classes.core.years import school_year_name, school_year_of
from classes.models import Classroom, Membership, School, Student, User, time_zones
from classes.selectors import ImportPage, RosterRow
from classes.services import OneTimeKey

STUDENT_PASSWORD_MIN = 8
CONTINENTS = {"Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}


def helper(*layout: Any, button: Any, css: str = "btn-primary", extra: tuple[Any, ...] = ()) -> FormHelper:
    """A form that crispy renders whole, with one main button."""
    made = FormHelper()
    made.html5_required = True
    made.attrs = {"novalidate": True}  # our own sentences, in our own place
    submit = StrictButton(button, type="submit", css_class=css)
    made.layout = Layout(*layout, Div(submit, *extra, css_class="d-flex flex-wrap gap-2 mt-3"))
    return made


class OneTimeForm(forms.Form):
    """A form that does its work once however often it is sent."""

    key = forms.UUIDField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["key"].initial = uuid.uuid4

    def once(self, request: HttpRequest, *, action: str, answer: str) -> OneTimeKey:
        """The one-time key of what was sent; a new one where the sender left it out."""
        try:
            key = uuid.UUID(request.POST.get("key", ""))
        except ValueError:
            key = uuid.uuid4()
        body = [
            (name, value)
            for name, values in request.POST.lists()
            for value in values
            if name not in {"csrfmiddlewaretoken", "key"}
        ]
        return OneTimeKey.of_form(key=key, user=request.user, action=action, body=body, answer=answer)


def cleaned_text(value: str) -> str:
    """Composed letters, single spaces, no control characters."""
    printable = "".join(" " if unicodedata.category(letter) == "Cc" else letter for letter in value)
    return unicodedata.normalize("NFC", " ".join(printable.split()))


class LoginForm(AuthenticationForm):
    """One login for teachers and students."""

    error_messages = {
        "invalid_login": _("User name and password do not fit. Check both; students can ask their teacher for help."),
        "inactive": _("This account is switched off. Ask the lead teacher of your school."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("User name")
        self.fields["username"].help_text = _("Teachers may also have their e-mail address as user name.")
        self.fields["username"].widget.attrs |= {"autocapitalize": "none", "spellcheck": "false", "autofocus": True}
        self.helper = helper("username", "password", button=_("Log in"))

    def clean_username(self) -> str:
        return normalise(self.cleaned_data["username"])


class SignUpForm(forms.Form):
    """A teacher starts a school."""

    name = forms.CharField(label=_("Your name"), max_length=150, help_text=_("As your students know you: Ms. Okafor."))
    username = forms.CharField(
        label=_("E-mail or user name"),
        max_length=150,
        help_text=_("You log in with it. An e-mail address is not needed."),
    )
    password = forms.CharField(
        label=_("Password"), widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), strip=False
    )
    school_name = forms.CharField(label=_("School or club"), max_length=120)
    time_zone = forms.ChoiceField(label=_("Time zone"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = " ".join(str(text) for text in password_validators_help_texts())
        self.fields["time_zone"].choices = time_zone_choices()
        self.fields["time_zone"].initial = "UTC"
        self.fields["time_zone"].widget.attrs["data-time-zone"] = ""
        self.fields["username"].widget.attrs |= {"autocapitalize": "none", "autocomplete": "username"}
        self.helper = helper("name", "school_name", "time_zone", "username", "password", button=_("Create my school"))

    def clean_name(self) -> str:
        return self._written("name")

    def clean_school_name(self) -> str:
        return self._written("school_name")

    def _written(self, field: str) -> str:
        """The text of a field; nothing but control characters is nothing."""
        if text := cleaned_text(self.cleaned_data[field]):
            return text
        raise ValidationError(self.fields[field].error_messages["required"])

    def clean_username(self) -> str:
        username = normalise(self.cleaned_data["username"])
        User.username_validator(username)
        if User.objects.filter(username=username).exists():
            raise ValidationError(_("This user name is taken. Choose another, or log in."))
        return username

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "@" in cleaned.get("username", ""):
            try:
                cleaned["email"] = forms.EmailField().clean(cleaned["username"])
            except ValidationError:
                self.add_error("username", _("This looks like an e-mail address but is not one. Check it."))
        if password := cleaned.get("password"):
            user = User(username=cleaned.get("username", ""), name=cleaned.get("name", ""))
            try:
                validate_password(password, user)
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned


def time_zone_choices() -> list[tuple[str, str]]:
    """The places of the time zone database; its old names of countries (US/Eastern) are left out."""
    zones = {zone for zone in time_zones() if zone.partition("/")[0] in CONTINENTS}
    return [(zone, zone.replace("_", " ")) for zone in ["UTC", *sorted(zones)]]


class NewPasswordForm(PasswordChangeForm):
    """Change the own password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = helper("old_password", "new_password1", "new_password2", button=_("Change password"))


class ResetForm(PasswordResetForm):
    """Ask for a reset by e-mail. Only teachers: a student's password is reset by the teacher."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = helper("email", button=_("Send me a link"))

    def get_users(self, email: str) -> Any:
        return (user for user in super().get_users(email) if user.role == User.Role.TEACHER)


class ResetPasswordForm(SetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.helper = helper("new_password1", "new_password2", button=_("Set password"))


class ClassroomForm(forms.ModelForm):
    """Name and school year of a class. Its teachers have a page of their own."""

    class Meta:
        model = Classroom
        fields = ("name", "school_year", "allows_negative_behaviour")

    def __init__(self, *args: Any, membership: Membership, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.school = membership.school
        this_year = school_year_of(membership.school.today())
        years = sorted({this_year - 1, this_year, this_year + 1, self.instance.school_year or this_year})
        self.fields["school_year"] = forms.TypedChoiceField(
            label=_("School year"),
            choices=[(year, school_year_name(year)) for year in years],
            coerce=int,
            initial=this_year,
        )
        self.fields["name"].help_text = _("For example Room 12 Chess or Club Friday.")
        layout = ["name", "school_year"]
        if self.instance.pk:
            layout.append("allows_negative_behaviour")
        else:
            del self.fields["allows_negative_behaviour"]
        self.helper = helper(*layout, button=_("Save") if self.instance.pk else _("Create class"))

    def clean_name(self) -> str:
        return cleaned_text(self.cleaned_data["name"])

    def _get_validation_exclusions(self) -> set[str]:
        # The school is set above and the class is open: both belong to the rule that names are free in a year.
        return super()._get_validation_exclusions() - {"school", "archived_at"}


class ImportForm(OneTimeForm):
    """A class list, pasted or uploaded. `reading` is what was understood; `shown_text` carries it to the next page."""

    text = forms.CharField(
        label=_("Names"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        help_text=_(
            "One student per line: Mia Kowalczyk, or Kowalczyk, Mia; a grade may follow after a comma. Numbers and "
            "bullets in front are left out. Or the cells of a spreadsheet with their headings, copied and pasted."
        ),
    )
    file = forms.FileField(
        label=_("Or a file"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,text/csv,text/plain"}),
        help_text=_(
            "CSV or text from a spreadsheet or the school’s own system: OneRoster, Clever, PowerSchool, Google "
            "Classroom, Microsoft, SwissSys, Swiss-Manager and others. At most 1 MB and 2,000 students."
        ),
    )
    grade = forms.CharField(
        label=_("Grade (optional)"), max_length=20, required=False, help_text=_("For all who have none in the list.")
    )
    encoding = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)
    heading = forms.ChoiceField(
        choices=[("yes", _("a heading")), ("no", _("a student"))], required=False, widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.reading = Reading.nothing()
        self.shown_text = ""
        self.grades: list[str] = []
        self.helper = helper("key", "text", "file", "grade", button=_("Show what was understood"))

    def clean_grade(self) -> str:
        return cleaned_text(self.cleaned_data["grade"])

    def clean_encoding(self) -> str:
        encoding: str = self.cleaned_data["encoding"]
        return encoding if encoding in ENCODINGS else ""

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if self.errors.keys() & {"text", "file"}:
            return cleaned
        upload = cleaned.get("file")
        try:
            if upload:
                self._read_file(upload)
            else:
                self.shown_text = cleaned.get("text") or ""
                reading = read_text(self.shown_text, self.chosen_meanings(), self.chosen_heading())
                self.reading = replace(reading, encoding=cleaned.get("encoding") or None)
        except Refused as refused:
            self.add_error("file" if upload else "text", REFUSALS[refused.refusal])
            return cleaned
        self.reading = self.reading.with_grade(cleaned.get("grade", ""))
        self.grades = self.reading.grades
        self.reading = self.reading.of_grades(self.data.getlist("only"))
        if not any(row.person for row in self.reading.rows):
            self.add_error(
                "file" if upload else "text", _("There is no student in this list. Write one student per line.")
            )
        return cleaned

    def _read_file(self, upload: UploadedFile) -> None:
        if (upload.size or 0) > MOST_BYTES:
            raise Refused(Refusal.TOO_BIG)
        decoded = decode(upload.read())
        self.shown_text = decoded.text
        self.reading = read_decoded(decoded, self.chosen_meanings(), self.chosen_heading())

    def chosen_heading(self) -> bool | None:
        """Whether the teacher says that the first line is a heading."""
        return {"yes": True, "no": False}.get(self.data.get("heading", ""))

    def chosen_meanings(self) -> dict[int, Meaning]:
        """What the teacher says that columns are: the fields column-0, column-1, ..."""
        found = {}
        for number in range(MOST_COLUMNS):
            value = self.data.get(f"column-{number}")
            if value in list(Meaning):
                found[number] = Meaning(value)
        return found

    def choices(self) -> Choices:
        """What was ticked and answered line by line, as it was sent."""
        who = {
            int(name.removeprefix("who-")): str(self.data[name])
            for name in self.data
            if name.startswith("who-") and name.removeprefix("who-").isdecimal()
        }
        return Choices(
            out=self._lines("out"),
            also=self._lines("also"),
            update=self._lines("update"),
            who=who,
            all_same="all_same" in self.data,
            all_updates="all_updates" in self.data,
        )

    def _lines(self, name: str) -> frozenset[int]:
        return frozenset(int(value) for value in self.data.getlist(name) if value.isdecimal() and len(value) < 8)

    def is_answered(self, page: ImportPage) -> bool:
        """Is every question answered? If not, the form says which is not."""
        if self.reading.heading == Heading.GUESSED:
            self.add_error(None, _("Say whether the first line is a heading or a student."))
        if page.plan.unanswered:
            lines = ", ".join(str(line) for line in page.plan.unanswered[:20])
            self.add_error(None, _("Say of these lines whether they are the same child: %(lines)s.") % {"lines": lines})
        return not self.errors

    def understood(self) -> dict[str, Any]:
        """How the list was read, for the page: encoding, delimiter, columns with what each may be."""
        return {
            "encoding": ENCODINGS.get(self.reading.encoding or "", ""),
            "delimiter": DELIMITERS.get(self.reading.delimiter or "", self.reading.delimiter),
            "shape": SHAPES[self.reading.shape],
            "asks_heading": self.reading.heading == Heading.GUESSED or self.data.get("heading"),
            "heading_is_open": self.reading.heading == Heading.GUESSED,
            "heading": self.data.get("heading", ""),
            "first_line": self.shown_text.strip().splitlines()[0][:80],
            "grades": [(grade, grade in self.data.getlist("only")) for grade in self.grades[:MOST_GRADES]],
            "columns": [
                (number, column, [(meaning.value, label) for meaning, label in meanings_for(column.meaning)])
                for number, column in enumerate(self.reading.columns)
            ],
        }


ENCODINGS = {
    "utf-8": _("Unicode (UTF-8)"),
    "utf-8-sig": _("Unicode (UTF-8 with a mark, as Excel writes it)"),
    "utf-16": _("Unicode (UTF-16)"),
    "utf-16-le": _("Unicode (UTF-16)"),
    "utf-16-be": _("Unicode (UTF-16)"),
    "utf-32": _("Unicode (UTF-32)"),
    "ascii": _("letters A to Z alone (ASCII)"),
    "cp1252": _("Western European (Windows-1252)"),
    "latin-1": _("Western European (ISO-8859-1)"),
    "iso-8859-15": _("Western European (ISO-8859-15)"),
    "mac-roman": _("old Macs (Mac Roman)"),
}
MOST_GRADES = 40  # more of them are no grades to choose from
DELIMITERS = {",": _("comma"), ";": _("semicolon"), "\t": _("tab"), "|": _("vertical bar")}
SHAPES = {
    Shape.TABLE: _("a table"),
    Shape.LINES: _("one student per line"),
    Shape.FIXED: _("columns of blanks, as for Swiss-Manager"),
    Shape.FIELDS: _("a club list of SwissSys"),
}
MEANINGS = {
    Meaning.IGNORED: _("not used"),
    Meaning.NAME: _("whole name"),
    Meaning.FIRST: _("first name"),
    Meaning.LAST: _("last name"),
    Meaning.GRADE: _("grade"),
    Meaning.EMAIL: _("e-mail"),
    Meaning.ID: _("school’s own id"),
}
STATES = {
    Meaning.ROLE: _("role: students alone are taken"),
    Meaning.STATUS: _("state: deleted ones are left out"),
    Meaning.ENABLED: _("switched on: others are left out"),
    Meaning.ENROLLED: _("enrolled: others are left out"),
}
_AS_CSV = _("Open it, choose “Save as” and the kind “CSV UTF-8”, and upload that; or copy the cells and paste them.")
REFUSALS = {
    Refusal.TOO_BIG: _("This is more than 1 MB; a class list is far smaller. Save the list alone as CSV."),
    Refusal.TOO_MANY: _("These are more than 2,000 students. Save them as several CSV files and import one by one."),
    Refusal.TOO_WIDE: _("A line of this list has more than 200 cells. Save the columns with the names alone as CSV."),
    Refusal.EXCEL: format_lazy("{} {}", _("This is a workbook of a spreadsheet program, not CSV."), _AS_CSV),
    Refusal.ZIP: _("This is a packed folder. Unpack it and upload the list in it as CSV; of OneRoster, users.csv."),
    Refusal.PDF: _("This is a PDF, from which no list can be read. Save the list as CSV in the program it comes from."),
    Refusal.BINARY: format_lazy("{} {}", _("This is not a text file."), _AS_CSV),
    Refusal.WEB_PAGE: format_lazy("{} {}", _("This is a web page, even if its name says otherwise."), _AS_CSV),
}


def meanings_for(meaning: Meaning) -> list[tuple[Meaning, Any]]:
    """What a column may be said to be; a column about who is a student may also stay that."""
    return [*MEANINGS.items(), *((name, label) for name, label in STATES.items() if name == meaning)]


class StudentForm(forms.ModelForm):
    """A student with the login. The password is readable: the teacher hands it out."""

    username = forms.CharField(label=_("User name"), max_length=150, required=False)
    password = forms.CharField(label=_("Password"), max_length=128, required=False)

    class Meta:
        model = Student
        fields = ("first_name", "last_name", "grade", "email", "external_id", "off_boards")

    def __init__(self, *args: Any, school: School, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.school = school
        has_login = self.instance.user is not None
        self.fields["username"].help_text = (
            "" if has_login else _("Leave empty to have one made from the name. Needs a password.")
        )
        self.fields["password"].help_text = (
            _("Leave empty to keep the old one. A new one ends all sessions of the student.")
            if has_login
            else _("Leave empty for a student without a login.")
        )
        if has_login:
            self.fields["username"].initial = self.instance.user.username
        for name in ("username", "password"):
            self.fields[name].widget.attrs |= {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        self.fields["last_name"].label = _("Last name (optional)")
        self.fields["grade"].label = _("Grade (optional)")
        self.fields["email"].label = _("E-mail (optional)")
        self.fields["external_id"].label = _("School's own id (optional)")
        self.fields["off_boards"].label = _("Not on boards")
        if not self.instance.pk:
            del self.fields["off_boards"]

    @property
    def helper(self) -> FormHelper:
        suggest = StrictButton(
            _("Suggest a password"),
            type="submit",
            name="suggest",
            value="1",
            css_class="btn-quiet",
            formnovalidate=True,
        )
        who = [
            Div(Div("first_name", css_class="col-sm-6"), Div("last_name", css_class="col-sm-6"), css_class="row"),
            Div(Div("grade", css_class="col-sm-6"), self.beside_grade(), css_class="row"),
        ]
        if self.instance.pk:
            who.append("off_boards")
        heading, more = _("Login"), _("E-mail and the school’s own id")
        login = [
            HTML(f'<h2 class="mt-2">{heading}</h2>'),
            Div(Div("username", css_class="col-sm-6"), Div(Field("password"), css_class="col-sm-6"), css_class="row"),
            Div(suggest, css_class="mb-3"),
            HTML(f'<details class="mb-2"><summary>{more}</summary>'),
            Div(Div("email", css_class="col-sm-6"), Div("external_id", css_class="col-sm-6"), css_class="row mt-2"),
            HTML("</details>"),
        ]
        return helper(*self.before(), *who, *login, button=self.button())

    def before(self) -> list[Any]:
        return []

    def beside_grade(self) -> Any:
        return Div()

    def button(self) -> Any:
        return _("Save") if self.instance.pk else _("Add student")

    def clean_first_name(self) -> str:
        return cleaned_text(self.cleaned_data["first_name"])

    def clean_last_name(self) -> str:
        return cleaned_text(self.cleaned_data["last_name"])

    def clean_grade(self) -> str:
        return cleaned_text(self.cleaned_data["grade"])

    def clean_username(self) -> str:
        username = normalise(self.cleaned_data["username"])
        if username:
            User.username_validator(username)
            if User.objects.filter(username=username).exclude(pk=self.instance.user_id).exists():
                raise ValidationError(_("This user name is taken."))
        return username

    def clean_password(self) -> str:
        password = self.cleaned_data["password"]
        if password and len(password) < STUDENT_PASSWORD_MIN:
            raise ValidationError(
                _("Use at least %(count)d characters, or let one be suggested."), params={"count": STUDENT_PASSWORD_MIN}
            )
        return password

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        has_login = self.instance.user_id is not None
        if cleaned.get("username") and not cleaned.get("password") and not has_login and "password" not in self.errors:
            self.add_error("password", _("A login needs a password too."))
        if cleaned.get("password") and cleaned.get("password") == cleaned.get("username"):
            self.add_error("password", _("The password must differ from the user name."))
        return cleaned

    def _get_validation_exclusions(self) -> set[str]:
        return super()._get_validation_exclusions() - {"school"}


class CardsForm(OneTimeForm):
    """Whose login cards to make, and what they say."""

    ALL, MISSING, TICKED = "all", "missing", "ticked"
    PASSWORD, BADGE, BOTH = "password", "badge", "both"

    who = forms.ChoiceField(
        label=_("Cards for"),
        choices=[
            (MISSING, _("students without a login")),
            (ALL, _("all active students")),
            (TICKED, _("the students ticked below")),
        ],
        widget=forms.RadioSelect,
    )
    students = forms.TypedMultipleChoiceField(
        label=_("Students"), coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    what = forms.ChoiceField(
        label=_("On the card"),
        choices=[
            (PASSWORD, _("user name and a new password")),
            (BADGE, _("user name and a QR badge: held in front of a camera, it logs in without typing")),
            (BOTH, _("both")),
        ],
        initial=PASSWORD,
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, rows: list[RosterRow], **kwargs: Any) -> None:
        """`rows`: the active students of the class."""
        super().__init__(*args, **kwargs)
        self.ids = {
            self.ALL: [row.student.pk for row in rows],
            self.MISSING: [row.student.pk for row in rows if not row.username],
        }
        self.fields["students"].choices = [(row.student.pk, row.label) for row in rows]
        self.fields["who"].initial = self.MISSING if self.ids[self.MISSING] else self.ALL
        self.helper = helper("key", "who", "students", "what", button=_("Make the cards"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        who = cleaned.get("who")
        cleaned["chosen"] = self.ids.get(who or "", cleaned.get("students", []))
        if who == self.TICKED and not cleaned["chosen"] and "students" not in self.errors:
            self.add_error("students", _("Tick at least one student."))
        if who == self.MISSING and not cleaned["chosen"]:
            self.add_error("who", _("Every active student has a login already."))
        return cleaned

    def cards(self) -> dict[str, Any]:
        """What to make, as the service takes it."""
        what = self.cleaned_data["what"]
        return {
            "students": self.cleaned_data["chosen"],
            "passwords": what in {self.PASSWORD, self.BOTH},
            "badges": what in {self.BADGE, self.BOTH},
        }


class CodeForm(forms.Form):
    """The code of a lesson, as it is read off the screen."""

    code = forms.CharField(
        label=_("Code"), max_length=40, help_text=_("The six letters and digits beside your name on the screen.")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs |= {
            "autocapitalize": "characters",
            "autocomplete": "off",
            "spellcheck": "false",
            "autofocus": True,
            "class": "typed-code",
        }
        self.helper = helper("code", button=_("Log in"))

    def clean_code(self) -> str:
        return as_typed(self.cleaned_data["code"])


def email_is_configured() -> bool:
    return bool(settings.EMAIL_CONFIGURED)
