"""Students: adding them, their logins, and what they see."""

from django.utils.translation import gettext_lazy as _

from chesslocker.help.answers import Answer, Section

SECTION = Section(
    "students",
    _("Students"),
    (
        Answer(
            "add-students",
            _("How do I add students?"),
            (
                _(
                    "Paste the list of names, one in a line; a grade may follow after a comma. The page shows what it "
                    "understood before it adds anybody, and you can undo it. Single students are added by “Add "
                    "student”."
                ),
            ),
        ),
        Answer(
            "logins",
            _("How do I give a student a login?"),
            (
                _(
                    "On the student’s page choose “Edit student” and set a password, or let one be suggested: easy to "
                    "type, hard to guess. The user name is made from the name. No e-mail address is needed."
                ),
            ),
        ),
        Answer(
            "forgot-password",
            _("A student forgot the password. What now?"),
            (
                _(
                    "Give a new one in the same place. It ends all sessions of the student. Old passwords cannot be "
                    "shown: nobody can read them, the program neither."
                ),
            ),
        ),
        Answer(
            "inactive",
            _("What are active and inactive students?"),
            (
                _(
                    "An inactive student is out of the lists, the leaderboard, new tournaments and the figures of the "
                    "class. Games and rating are kept; one tap makes the student active again. A student can be "
                    "inactive in one class and active in another."
                ),
            ),
        ),
        Answer(
            "delete-student",
            _("How do I delete a student?"),
            (
                _(
                    "Who was added by mistake and never played can be deleted. Who has played is made inactive "
                    "instead: the games are part of the opponents’ ratings too."
                ),
            ),
        ),
        Answer(
            "what-students-see",
            _("What do students see?"),
            (_("After logging in, and nothing of it can they change:"),),
            points=(
                _("their rating, their best, their curve and the last ten games,"),
                _("all their games, with both changes,"),
                _("points they were given, with the reasons,"),
                _("the board of the classes they are active in, with short names and the own row marked."),
            ),
        ),
        Answer(
            "what-others-see",
            _("Do students see each other’s games or points?"),
            (
                _(
                    "Only the board. Games are seen by the two who played them and their teachers, reasons for points "
                    "by the student they were given to and the student’s teachers."
                ),
            ),
        ),
        Answer(
            "start-rating",
            _("Can a student start with another rating?"),
            (
                _(
                    "Yes, when you add the student: somebody who comes from a club with 1100 need not beat everybody "
                    "first. Choose it with care: it brings points into the class."
                ),
            ),
        ),
        Answer(
            "names",
            _("How are names shown?"),
            (
                _(
                    "Short on boards (“Mia K.”), with more letters where two would look the same, unless the school "
                    "chooses full names. Teachers see full names."
                ),
            ),
        ),
    ),
)
