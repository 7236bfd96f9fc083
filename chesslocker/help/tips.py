"""What helps in the classroom and on the board."""

from django.utils.translation import gettext_lazy as _

from chesslocker.help.answers import Answer, Section

FOR_TEACHERS = Section(
    "teachers",
    _("Tips for teachers"),
    (
        Answer(
            "talk-about-ratings",
            _("How do I talk about ratings with children?"),
            (
                _(
                    "As a thermometer, not as a mark: it shows how it went lately, and it moves. Praise the curve and "
                    "the brave game before the place. A loss against somebody stronger costs little, say so."
                ),
            ),
        ),
        Answer(
            "hunting-points",
            _("Some only play against weaker classmates. What can I do?"),
            (
                _(
                    "It does not pay: a favourite far ahead gains 1 point or none and risks about %(gap_loss)s. Show "
                    "them the preview before the game. Pair by neighbours on the board, or run a Swiss."
                ),
            ),
        ),
        Answer(
            "afraid-to-lose",
            _("A student no longer plays, for fear of losing points. What now?"),
            (
                _(
                    "Let unrated friendly games be possible: not every game must be recorded. And show the "
                    "arithmetic: who plays as well as before has the points back soon, whatever one game did."
                ),
            ),
        ),
        Answer(
            "routine",
            _("What is a good weekly routine?"),
            (),
            points=(
                _("Record games at once, from the result slips or on the tablet in the room."),
                _("Look at the board together once a week: who climbed, who was brave."),
                _("Give points for work on the day of the work, small, with a reason."),
                _("Look at the Elo page once a week and note it as checked."),
            ),
        ),
        Answer(
            "how-many-games",
            _("After how many games does a rating mean something?"),
            (
                _(
                    "After about twenty it is useful; until then it is marked “new”. The range on the student’s page "
                    "says how sure it is."
                ),
            ),
        ),
    ),
)

FOR_STUDENTS = Section(
    "learners",
    _("Tips for students"),
    (
        Answer(
            "rating-up",
            _("How do I get a higher rating?"),
            (),
            points=(
                _("Play, also against stronger players: you risk little and learn much."),
                _("Look at your lost games: where was the moment?"),
                _("Before each move ask: what does the other one want?"),
                _("Solve a few small puzzles every day. A few minutes are enough."),
            ),
        ),
        Answer(
            "lost-points",
            _("I lost many points. Is that bad?"),
            (
                _(
                    "No. If you play as well as before, the expected scores are lower now, and the points come back. "
                    "Everybody’s curve goes up and down."
                ),
            ),
        ),
        Answer(
            "wrong-game",
            _("One of my games is wrong. What can I do?"),
            (_("Tell your teacher. Games can be corrected weeks later, and all ratings follow."),),
        ),
        Answer(
            "fair-play",
            _("What is good manners at the board?"),
            (
                _(
                    "Shake hands, touch a piece and move it, be quiet, and stop the clock when the game is over. "
                    "Report the result together."
                ),
            ),
        ),
        Answer(
            "my-password",
            _("How do I keep my password safe?"),
            (_("Tell nobody but your teacher, change it under your name at the top, and log out on a shared tablet."),),
        ),
    ),
)
