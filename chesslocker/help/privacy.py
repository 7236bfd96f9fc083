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
            "off-boards",
            _("A child should not be on the board. What can I do?"),
            (
                _(
                    "On the student’s page choose “Edit student” and tick “Not on boards”. The row is left out of the "
                    "leaderboards, for everybody and in the places too; the child still sees the own number and curve."
                ),
                _(
                    "In tournaments such a child plays like everybody else. On the projector, on paper and on the "
                    "pages of the other students it is called “Player 7”, after its number at the start; on your pages "
                    "it has its name."
                ),
            ),
        ),
        Answer(
            "view-as",
            _("How do I see what a student sees?"),
            (
                _(
                    "On the student’s page choose “View as this student”: the student’s own home, to look at. You are "
                    "not logged in as the student, and nothing can be changed there."
                ),
            ),
        ),
        Answer(
            "export-student",
            _("A family asks what is kept about their child. What do I give them?"),
            (
                _(
                    "On the student’s page choose “Take out all data”. One file has everything: a page to read, and "
                    "the same for programs. Other students appear by their short names. Teachers of the class and lead "
                    "teachers can do it; that it was done is noted."
                ),
            ),
        ),
        Answer(
            "erase",
            _("How do I erase a student?"),
            (
                _(
                    "A lead teacher chooses “Erase this student” on the student’s page, reads what it means, and "
                    "answers twice. The name, login, grade, notes, reasons and practice go, in old versions and logs "
                    "too. The games stay as those of a “Former student”, because they are part of the ratings and "
                    "results of others, which do not change."
                ),
                _(
                    "It cannot be taken back. A restored backup erases the student again, and backups go after 35 "
                    "days. The name of a class or tournament, and a note on a game of others, are not searched: do not "
                    "write names there."
                ),
            ),
        ),
        Answer(
            "retention",
            _("How long are data kept?"),
            (
                _(
                    "As many months as a lead teacher sets on the page “School”, counted from the day on which a "
                    "student was last active in an open class; twelve unless it was changed. Who is past it stands on "
                    "“Who is due to be erased”, to be ticked and erased. Whoever looks after the server can have it "
                    "done every night: manage.py retention --do."
                ),
            ),
        ),
        Answer(
            "audit-trail",
            _("Can I see who did what?"),
            (
                _(
                    "Lead teachers can: “School”, then “Audit trail”. Logins, new passwords and cards, what was taken "
                    "out or erased, changed settings, backups. It keeps numbers and no names, and nobody can change a "
                    "line; after 24 months it is deleted. Games and points have their own record on their pages."
                ),
            ),
        ),
        Answer(
            "school-settings",
            _("What can a lead teacher set for the school?"),
            (
                _(
                    "On the page “School”: its name and time zone, the days on which terms start, whether boards show "
                    "short or full names, how long data are kept, and whom families can ask. The public page “Privacy” "
                    "tells families so in plain words."
                ),
            ),
            links=(("privacy", _("Privacy")),),
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
