"""What is kept about whom, and who sees it."""

from django.utils.translation import gettext_lazy as _

from chesslocker.help.answers import Answer, Section

SECTION = Section(
    "privacy",
    _("Privacy"),
    (
        Answer(
            "what-is-kept",
            _("What is kept about a student?"),
            (
                _(
                    "Name, grade, classes, games, points with their reasons, and the ratings that follow from them. "
                    "E-mail and the school’s own id only if a teacher enters them. Never a birth date, an address or "
                    "a photograph."
                ),
            ),
        ),
        Answer(
            "where",
            _("Where is it kept?"),
            (
                _(
                    "In one database on the school’s own computer. Nothing goes to anybody else: no cloud, no "
                    "advertising, no statistics, no request to another host."
                ),
            ),
        ),
        Answer(
            "who-sees",
            _("Who can see what?"),
            (),
            points=(
                _("A student: the own record, and the boards of the classes the student is active in."),
                _("A teacher: the classes that the teacher teaches."),
                _("A lead teacher: the whole school."),
                _("Other schools on the same server, and visitors: nothing at all. No page of a class is public."),
            ),
        ),
        Answer(
            "parents",
            _("Can parents see a rating?"),
            (
                _(
                    "Together with their child, with the child’s login. What a child sees is made so that it can be "
                    "shown at home."
                ),
            ),
        ),
        Answer(
            "reasons",
            _("What should not stand in a reason or a note?"),
            (_("Anything about health, family or punishment. The student reads it, and it stays in the record."),),
        ),
        Answer(
            "cookies",
            _("Are there cookies?"),
            (
                _(
                    "Two, which the program needs: one while you are logged in, and one that protects forms. The "
                    "session ends when the browser is closed, or after two idle hours (teachers: twelve)."
                ),
            ),
        ),
        Answer(
            "shared-tablets",
            _("Several students use one tablet. Is that safe?"),
            (
                _(
                    "Log out after each. Then not even the Back button brings a page back: browsers are told to keep "
                    "none."
                ),
            ),
        ),
    ),
)
