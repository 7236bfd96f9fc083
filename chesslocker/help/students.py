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
            _("How do I give students logins?"),
            (
                _(
                    "For the whole class choose “Login cards” on the students page: whoever has no login gets one. For "
                    "one student choose “Make a login” there, or “Edit student” to set user name and password "
                    "yourself. The user name is made from the name; a password is two short words and two digits. No "
                    "e-mail address is needed."
                ),
            ),
        ),
        Answer(
            "login-cards",
            _("What are login cards and badges?"),
            (
                _(
                    "A sheet to print and cut out, with a card for each student: short name, user name, a new password "
                    "or a QR badge, or both. A badge held in front of a camera opens “Log in as Mia K.?”; one tap, and "
                    "the student is in without typing. Whoever has a badge can use it, like a key: keep the badges of "
                    "small children in a box."
                ),
                _(
                    "The sheet is shown once, because nobody can read a password afterwards. A new card replaces the "
                    "old one. The badge of one student is made void on the student’s page, when it is lost; the "
                    "password stays. Badges lead to the address by which you opened the site: open it by the one that "
                    "the tablets use before you print."
                ),
            ),
        ),
        Answer(
            "login-codes",
            _("How does a class log in without passwords?"),
            (
                _(
                    "With login codes: on the students page choose “Login codes” and put the page on the projector. It "
                    "has every name with six letters and digits. Students choose “I have a code from the screen” on "
                    "the login page and type theirs. A code works once, for ten minutes; new ones replace the old. "
                    "Only students who have a login get one."
                ),
            ),
        ),
        Answer(
            "forgot-password",
            _("A student forgot the password. What now?"),
            (
                _(
                    "On the students page choose “New password” beside the name, and once more to confirm. It is shown "
                    "once, works at once and ends all sessions of the student. Old passwords cannot be shown: nobody "
                    "can read them, the program neither."
                ),
                _(
                    "Whoever mistypes five times waits two minutes. That slows only this student on this network; "
                    "the others get in, and a new password or a login code works at once."
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
            "move-student",
            _("How do I move a student to another class?"),
            (
                _(
                    "At the foot of the student’s page choose “Move to another class”: a class that you teach, and "
                    "whether the student leaves another one or is in both. A lead teacher can move anybody in the "
                    "school. Games, points and rating go along. The teachers of the class that was left keep its games "
                    "and its board, but no longer see the student’s page."
                ),
            ),
        ),
        Answer(
            "new-year",
            _("How do I begin a new school year?"),
            (
                _(
                    "The lead teacher chooses “New school year” on the page of the classes. Each class becomes a class "
                    "of the new year: 5b becomes 6b, “Room 5” stays, grades go up by one, the last grade leaves. For "
                    "each class and each student something else can be chosen. The next page shows all that would "
                    "happen, and only then is anything saved. The old classes are archived and can be read for ever."
                ),
                _(
                    "Ratings stay, or go a share of the way back to the start of the list. That is done with points of "
                    "their own kind, which do not count as awards. The whole change can be undone for 30 days, as long "
                    "as nothing was recorded in the new classes. Doing it twice does no harm: there is nothing left to "
                    "move."
                ),
            ),
        ),
        Answer(
            "merge-students",
            _("One child is in the school twice. What now?"),
            (
                _(
                    "The lead teacher opens the record that is to stay, “Move to another class”, “Merge with another "
                    "record”. Games, awards, tournaments and classes of the other record go to it, and every rating is "
                    "worked out again; the page shows beforehand whose rating changes. Two who ever played against "
                    "each other, or were entered in one tournament, cannot be one child. It can be undone until "
                    "another game or award follows."
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
