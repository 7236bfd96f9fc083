"""How the pages of a teacher work."""

from django.utils.translation import gettext_lazy as _

from chesslocker.help.answers import Answer, Section, Term

SECTION = Section(
    "using",
    _("Using ChessLocker"),
    (
        Answer(
            "first-steps",
            _("How do I begin?"),
            (
                _(
                    "Create your school, make a class, paste the names, record a game. The first teacher is the lead: "
                    "sees the whole school and can change everything in it."
                ),
            ),
        ),
        Answer(
            "colleagues",
            _("How does a colleague get an account?"),
            (
                _(
                    "By invitation. A lead teacher makes a link under Classes, Teachers, and hands it over in any way: "
                    "copied, printed, or by e-mail where the server sends any. It works once, within seven days. The "
                    "link is shown only once; the list of open invitations takes one back."
                ),
                _(
                    "Leads see and change the whole school, teachers the classes they teach. A lead can make others "
                    "lead and remove them; nobody does it to oneself, so one lead always remains."
                ),
                _(
                    "Who is removed is logged out at once and cannot log in any more. What they recorded stays, with "
                    "their name, and classes that nobody else teaches stay with the leads. They can be let in again."
                ),
            ),
        ),
        Answer(
            "class-teachers",
            _("Can several teachers share a class, or one hand it over?"),
            (
                _(
                    "Yes: edit the class and choose “Teachers of the class”. A colleague of the school teaches it "
                    "beside you or takes it over; you can leave while somebody else stays. Games, ratings and "
                    "tournaments stay with the class."
                ),
            ),
        ),
        Answer(
            "class-page",
            _("What does the class page show?"),
            (
                _(
                    "The leaderboard of the active students with their last change and a small curve, and today’s "
                    "games. Equal ratings share a place. “new” marks a rating of fewer than 20 games."
                ),
            ),
        ),
        Answer(
            "record-game",
            _("How do I record a game?"),
            (
                _(
                    "Choose White, Black and the result. Before you save, the page shows what each of the three "
                    "results would do to both ratings. After saving you can undo it with one tap."
                ),
                _(
                    "The result is never chosen beforehand. The same two with the same result within ten minutes: the "
                    "page asks whether it is really another game."
                ),
            ),
        ),
        Answer(
            "quick-entry",
            _("What is quick entry?"),
            (_("Three taps on a tablet: White, Black, result. The three buttons say what each would do."),),
        ),
        Answer(
            "late-game",
            _("Can I enter a game of last week?"),
            (
                _(
                    "Yes, with its day. It is put where it belongs, and the games after it are recalculated. The "
                    "page says beforehand how many those are."
                ),
            ),
        ),
        Answer(
            "corrections",
            _("How do I correct a wrong result?"),
            (
                _(
                    "Open the game and choose “Correct”. Players, result, day and place within the day can be "
                    "changed. Before anything is saved the page says how many later games are recalculated and "
                    "whose rating becomes what. Then all is as if it had been entered right at once."
                ),
                _("The old values are kept: the page of the game lists every edit, who made it and when."),
            ),
        ),
        Answer(
            "void",
            _("How do I delete a game?"),
            (
                _(
                    "Games are not deleted but voided, with a reason: they stop counting, stay visible, and can be "
                    "put back. So nobody needs to wonder where a game went."
                ),
            ),
        ),
        Answer(
            "adjustments",
            _("What are adjustments?"),
            (
                _(
                    "Points that a teacher gives (or takes) outside games, for one student or many at once, with a "
                    "kind and a reason. The student reads the reason, and the teachers of the student’s classes; "
                    "nobody else."
                ),
                _("They can be undone right away, and voided and put back later, like games."),
            ),
        ),
        Answer(
            "adjustment-kinds",
            _("Which kinds of adjustments are there?"),
            (_("The kind says what the points are for, and the Elo page adds them up by kind:"),),
            terms=(
                Term("kind-academic", _("Academic"), _("homework, a puzzle sheet, a written analysis")),
                Term("kind-skill", _("Skill"), _("something new that was shown: a mate with rook and king")),
                Term(
                    "kind-behaviour",
                    _("Behaviour"),
                    _("helping, fairness; minus points only where the class allows them"),
                ),
                Term("kind-achievement", _("Achievement"), _("a cup, a title, a good place in a tournament outside")),
            ),
        ),
        Answer(
            "adjustment-practice",
            _("How many points should I give?"),
            (
                _(
                    "+1 to +5. A strong player, 200 ahead, gains %(favourite_win)s by a win: five points for a sheet "
                    "are most of a game. More than 5 is asked about, more than 25 twice. Write a reason that you will "
                    "still understand in a month."
                ),
            ),
        ),
        Answer(
            "economy",
            _("What is the economy of a class?"),
            (
                _(
                    "Games only move points, adjustments make new ones. If there are many, the ratings say who was "
                    "given points and no longer who plays well. The Elo page of a class shows where every point came "
                    "from and that the sum comes out."
                ),
                _(
                    "With K %(k)s it warns from %(watch)s points per student and term, more loudly beyond "
                    "%(too_much)s, and for a student with more than %(student_limit)s. A look once a week is enough; "
                    "the page reminds you."
                ),
            ),
        ),
        Answer(
            "rating-lists",
            _("What are rating lists for?"),
            (
                _(
                    "A list is one number for each student. Most schools need one. Standard, rapid and blitz can have "
                    "their own. Each has rules with a day from which they hold: the start, K, another K in the first "
                    "games, FIDE K, a floor. Changing a rule shows first whose rating it changes."
                ),
            ),
        ),
        Answer(
            "fide-k-list",
            _("What is “FIDE K” in a rating list?"),
            (
                _(
                    "K and expected scores as FIDE has them (table and 400-point rule), rounded after each game. It "
                    "is still a rating of your school, not a FIDE rating."
                ),
            ),
        ),
        Answer(
            "provisional",
            _("Should newcomers have a higher K?"),
            (
                _(
                    "It brings them faster to where they belong. The price: in their games with others the two "
                    "changes differ, so points are made or lost. The Elo page counts them as K differences."
                ),
            ),
        ),
        Answer(
            "calculator",
            _("What can the calculator do?"),
            (
                _(
                    "It shows what a game would do to any two ratings, replays a tournament, and calculates as FIDE, "
                    "Glicko and US Chess do. It saves nothing; the address keeps the numbers, to be shared."
                ),
            ),
            links=(("ratings:calculator_game", _("Open the calculator")),),
        ),
        Answer(
            "learn",
            _("What is under “Learn”?"),
            (
                _(
                    "Short pages about Elo, with questions to check yourself, and piece practice. They are open to "
                    "everybody, without an account."
                ),
            ),
            links=(("ratings:learn", _("Learn")),),
        ),
        Answer(
            "piece-practice",
            _("How does piece practice work?"),
            (
                _(
                    "Click every square that the piece may move to, then press Check. Ten right in a row finish a set. "
                    "Sets of students who are logged in are kept; a teacher can give 1 to 5 points for one. Nothing is "
                    "given by itself."
                ),
            ),
            links=(("ratings:pieces", _("Practise with the pieces")),),
        ),
        Answer(
            "badges",
            _("What are the pieces beside ratings?"),
            (
                _(
                    "Names for stretches of a school’s scale, from Pawn to King, if a rating list shows them. They are "
                    "for fun and change nothing."
                ),
            ),
        ),
        Answer(
            "term-reports",
            _("How do I print a term report?"),
            (
                _(
                    "Choose “Term report” on a student’s page, or “Term reports” below the leaderboard for the whole "
                    "class: every student on a sheet of A4 or Letter. It has the rating before and after the term with "
                    "its curve, the games won, drawn and lost, the performance, the tournaments with place and points, "
                    "and room for your remark and signature. The running term is proposed; choose other days at will."
                ),
                _(
                    "Awards stand in it with their reasons only where you tick their kind: think of who reads the "
                    "sheet at home."
                ),
            ),
        ),
        Answer(
            "certificates",
            _("How do I print certificates?"),
            (
                _(
                    "Choose “Certificates” below the leaderboard: for the places of a finished tournament, for "
                    "progress or for games played in the term. The first, the first three or everybody get one, each "
                    "on a sheet of its own; equal places share. “Certificate” on a student’s page prints a single one, "
                    "whatever the place."
                ),
                _(
                    "Progress is the rating points won in games; awards and a higher start are no part of it. Nobody "
                    "gets a certificate for having lost points."
                ),
            ),
        ),
        Answer(
            "csv-files",
            _("Can I take lists to a spreadsheet?"),
            (
                _(
                    "Yes, as CSV files: the students, the games, the leaderboard, the adjustments, the ledger (every "
                    "game and award with what it did), and of a tournament its standings, crosstable and pairings. The "
                    "links are on these pages. Days are written as 2026-09-01; a text that a spreadsheet would run as "
                    "a formula begins with an apostrophe, which is no part of it."
                ),
                _(
                    "The file of games has those of the school’s usual rating list that count. “manage.py "
                    "import_games” reads it back: in an empty class with the same students and starts it gives the "
                    "same ratings, awards apart. Two students of one name are told apart by their ids; without ids "
                    "the file is refused."
                ),
            ),
        ),
        Answer(
            "archive",
            _("What happens at the end of the year?"),
            (
                _(
                    "Archive the class: it leaves the lists and can only be read. Ratings belong to the students and "
                    "go with them into their next class."
                ),
            ),
        ),
        Answer(
            "offline",
            _("Does it need the internet?"),
            (
                _(
                    "No. It runs on one computer of the school; tablets reach it over the school’s network. It asks "
                    "no other computer for anything."
                ),
            ),
        ),
    ),
)
