"""What the numbers mean. Where popular explanations are wrong, these say how it is."""

from django.utils.translation import gettext_lazy as _

from chesslocker.help.answers import Answer, Example, Section
from ratings.core.elo import DRAW, LOSS, WIN

SECTION = Section(
    "elo",
    _("Elo"),
    (
        Answer(
            "what-is-elo",
            _("What is Elo?"),
            (
                _(
                    "A number that says how strongly somebody plays at the moment. It rises when you score more than "
                    "was expected of you, and falls when you score less. It says how two people’s games are likely to "
                    "go, and nothing about how clever anybody is."
                ),
                _(
                    "Arpad Elo, a professor of physics and a chess player, worked it out; his name is not short for "
                    "anything."
                ),
            ),
        ),
        Answer(
            "why-800",
            _("Why does everybody start at %(start)s?"),
            (
                _(
                    "Only differences between ratings count, so any start would do. %(start)s leaves room to climb "
                    "and is far enough from 0 that nobody arrives there. It is the choice of this program, not of a "
                    "chess federation, and a teacher can give a student another start."
                ),
            ),
        ),
        Answer(
            "why-32",
            _("Why is K %(k)s?"),
            (
                _(
                    "K is the most that one game can move a rating. With %(k)s a win between equals is worth "
                    "%(between_equals)s points: enough to see progress in a term, too little for one lucky game to "
                    "turn the board upside down."
                ),
                _(
                    "It is not a rule of school chess: FIDE uses 40, 20 and 10, and US Chess a K that depends on the "
                    "rating and the number of games, about %(us_k)s for a player of %(start)s in an event of four "
                    "games. A rating list can have another K."
                ),
            ),
            links=(("ratings:calculator_game", _("Try another K")),),
        ),
        Answer(
            "expected-score",
            _("What is the expected score?"),
            (
                _(
                    "The share of the points that the difference between two ratings promises: %(e0)s between equals, "
                    "%(e100)s for a player 100 ahead, %(e200)s for 200, %(e400)s for 400. Both players’ expected "
                    "scores together are 1."
                ),
                _("It is not the chance of winning: a draw counts as half a point in it."),
            ),
            links=(("ratings:calculator_game", _("See it in the calculator")),),
        ),
        Answer(
            "actual-score",
            _("What is the actual score?"),
            (_("What you made of the game: 1 for a win, ½ for a draw, 0 for a loss."),),
        ),
        Answer(
            "formula",
            _("How is a rating changed?"),
            (
                _(
                    "Change = K × (actual score − expected score), rounded to a whole number. It is worked out once, "
                    "for White; Black gets the same with the other sign. So with one K for both what one gains the "
                    "other loses, to the point."
                ),
                _("The expected score is 1 / (1 + 10 to the power of (opponent − own) / 400)."),
            ),
        ),
        Answer(
            "worked-examples",
            _("Can you show some examples?"),
            (_("Each row is one game with K %(k)s, calculated right now by the code that rates your games."),),
            examples=(
                Example(800, 800, WIN),
                Example(1000, 900, WIN),
                Example(900, 1000, WIN),
                Example(1000, 800, DRAW),
                Example(800, 800, DRAW),
                Example(1000, 900, LOSS),
                Example(1600, 1900, WIN),
                Example(1800, 1400, WIN),
            ),
            links=(("ratings:calculator_game", _("Your own numbers in the calculator")),),
        ),
        Answer(
            "why-a-draw-moves",
            _("Why does a draw move both ratings?"),
            (
                _(
                    "Because a draw is less than was expected of the stronger player and more than was expected of "
                    "the other. 1000 against 800: the stronger loses %(draw_loses)s points, the other gains them."
                ),
                _(
                    "Between equals a draw is just what was expected: nothing moves. It is often said that a draw "
                    "always moves both; that is wrong."
                ),
            ),
        ),
        Answer(
            "why-more",
            _("Why did I gain less for a win than my friend?"),
            (
                _(
                    "A win that was expected is worth little, a surprise is worth much: 1000 beating 900 gains "
                    "%(better_gain)s, 900 beating 1000 gains %(weaker_gain)s."
                ),
            ),
        ),
        Answer(
            "gains-nothing",
            _("Why does a favourite %(gap)s ahead gain nothing?"),
            (
                _(
                    "The expected score is then %(gap_expected)s, so a win is worth %(gap_gain)s points, and ratings "
                    "are whole numbers: that is 0. A loss still costs %(gap_loss)s. The weaker player has something "
                    "to win and nothing to lose."
                ),
                _("With K 40 it begins at a lead of %(gap40)s, with K 20 at %(gap20)s, with K 10 at %(gap10)s."),
            ),
        ),
        Answer(
            "whole-numbers",
            _("Why are ratings whole numbers?"),
            (
                _(
                    "A class reads and adds them more easily. Halves are rounded away from zero, the same way for "
                    "both players, so no point is made or lost by rounding. The calculator shows one decimal place "
                    "more."
                ),
            ),
        ),
        Answer(
            "sum",
            _("Do points get lost, or made?"),
            (_("Not by games: they move points from one player to the other. The sum of a class changes only by"),),
            points=(
                _("points that a teacher gives or takes (adjustments),"),
                _("a floor, where a list has one: what lifts a rating to the floor is new,"),
                _("games between two players with different K,"),
                _("games against students of another class."),
            ),
        ),
        Answer(
            "order",
            _("Does the order of games matter?"),
            (
                _(
                    "A little: every game is rated with the ratings that both players had just before it. Games are "
                    "in order of their day, and within a day in the order in which they were recorded. A game that is "
                    "entered late goes to its own day, and everything after it is recalculated."
                ),
            ),
            links=(("ratings:calculator_games", _("Replay several games")),),
        ),
        Answer(
            "how-sure",
            _("How sure is a rating?"),
            (
                _(
                    "A number from three games is a guess. So a student’s page says between which two numbers the "
                    "strength lies 19 times in 20: wide at first, narrower with every game, wider again after weeks "
                    "without one. It is calculated by Glicko’s method; the number itself is Elo."
                ),
                _(
                    "In Glicko an own number that is unsure moves further: a win between equals of 1500 brings a "
                    "newcomer %(newcomer)s points and an old hand %(old_hand)s. An opponent whose number is unsure "
                    "moves yours less, not more, as is often told: %(unsure)s points instead of %(sure)s."
                ),
            ),
            links=(("ratings:calculator_glicko", _("Glicko in the calculator")),),
        ),
        Answer(
            "performance",
            _("What is a performance rating?"),
            (
                _(
                    "The rating that would have expected just your score from your opponents: their average, and more "
                    "or less for the score by FIDE’s table. It tells about some games only and changes no rating."
                ),
            ),
            links=(("ratings:calculator_games", _("Calculate one")),),
        ),
        Answer(
            "not-fide",
            _("Is this a FIDE rating?"),
            (
                _(
                    "No. Ratings of different groups cannot be compared: a class rating says how you stand among the "
                    "people you play with. Only FIDE and the federations give theirs, from rated tournaments."
                ),
                _(
                    "FIDE does not use the formula but a table of two decimals: at 400 points it says %(fide400)s "
                    "where the formula says %(e400)s. It counts a larger difference as 400 and rounds once for a "
                    "whole period."
                ),
            ),
            links=(("ratings:calculator_fide", _("FIDE in the calculator")),),
        ),
        Answer(
            "fide-k",
            _("Which K does FIDE use?"),
            (_("The first of these that fits:"),),
            points=(
                _("10 for everybody who ever reached 2400, for good,"),
                _("40 until the end of the year of the 18th birthday, below 2300,"),
                _("40 until 30 games are rated,"),
                _("20 for all others."),
            ),
            links=(("ratings:calculator_fide", _("FIDE in the calculator")),),
        ),
        Answer(
            "first-fide",
            _("How does one get a first FIDE rating?"),
            (
                _(
                    "By at least five games against rated players within 26 months. Two more opponents of 1800, both "
                    "drawn, are added; the result is at most 2200, and it is published from 1400 on. One need not "
                    "win: only a first event without half a point is left out."
                ),
            ),
            links=(("ratings:calculator_first", _("Calculate it")),),
        ),
        Answer(
            "us-chess",
            _("What is different at US Chess?"),
            (
                _(
                    "The K has no steps but falls with rating and games; a rating is provisional up to 25 games; a "
                    "good event brings a bonus. A floor is not “the next lower hundred”: from an established peak of "
                    "1400 on it is the peak less 200 with the last two digits set to 0. Peak 1800: floor "
                    "%(floor_1800)s; peak 1400: floor %(floor_1400)s."
                ),
            ),
            links=(("ratings:calculator_us", _("US Chess in the calculator")),),
        ),
        Answer(
            "online",
            _("Why is my rating on a chess site so different?"),
            (
                _(
                    "Other people, another start, other speeds and often another method (Glicko). Neither number is "
                    "wrong. Compare each only with others of the same place."
                ),
            ),
        ),
    ),
)
