"""How tournaments work. Names and sentences of the tie-breaks are those of the standings."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from chesslocker.help.answers import Answer, Section, Term
from tournaments.core.tiebreaks import ROUND_ROBIN, SWISS, TIE_BREAKS, US_SCHOLASTIC


def _anchor(code: str) -> str:
    return f"tie-break-{code.lower().replace('/', '-')}"


def _names(codes: tuple[str, ...]) -> str:
    return ", ".join(TIE_BREAKS[code].name for code in codes)


SECTION = Section(
    "tournaments",
    _("Tournaments"),
    (
        Answer(
            "swiss",
            _("How does a Swiss tournament work?"),
            (
                _(
                    "Nobody is knocked out. In each round you meet somebody with as many points as you, or nearly, "
                    "whom you have not met yet. So games become even, and a few rounds find the winner among many."
                ),
                _(
                    "Pairings follow FIDE’s Dutch rules of 2026: same points first; the upper half against the lower "
                    "half of each group; White and Black in turn, never three times the same in a row where it can be "
                    "avoided."
                ),
            ),
        ),
        Answer(
            "run-tournament",
            _("How do I run a tournament?"),
            (
                _("Make it, enter the students, pair the first round, enter the results, pair the next round."),
                _("When all results are in, the next round can be paired. A second press does nothing more."),
            ),
        ),
        Answer(
            "enter-results",
            _("Who enters the results?"),
            (
                _(
                    "A teacher, with one tap for each board, also from several tablets at once. If somebody else was "
                    "faster, the page says so and overwrites nothing."
                ),
            ),
        ),
        Answer(
            "helper-link",
            _("Can a parent or an older student enter results?"),
            (
                _(
                    "Yes, without an account. The settings of the tournament have a helper link, to scan or to type on "
                    "the helper’s device. It works until midnight, for this tournament only: the boards of the latest "
                    "round by short names, and how a game ended. To change a result the helper asks you."
                ),
                _(
                    "Results are recorded in your name, and the page of the board says that a helper entered it. End "
                    "the link whenever you like: every device that opened it is out at once."
                ),
            ),
        ),
        Answer(
            "first-round",
            _("How is the first round paired?"),
            (
                _(
                    "By rating: the best of the upper half meets the best of the lower half. Or at random: the order "
                    "is drawn once and kept."
                ),
            ),
        ),
        Answer(
            "rounds",
            _("How many rounds do we need?"),
            (
                _(
                    "Three find a single winner among up to 8 players, four among 16, five among 32: each round "
                    "halves those who have won everything. More rounds make the places behind more just."
                ),
            ),
        ),
        Answer(
            "points",
            _("How do points count?"),
            (_("A win is 1 point, a draw ½, a loss 0. The rating plays no part in the standings."),),
        ),
        Answer(
            "byes",
            _("What is a bye?"),
            (_("A round without an opponent. It is never a game: it moves no rating, and no colour is counted."),),
            terms=(
                Term(
                    "bye-pairing",
                    _("Pairing-allocated bye"),
                    _(
                        "the number of players is odd, and somebody is left over: 1 point unless the tournament says "
                        "otherwise, at most once for each player"
                    ),
                ),
                Term("bye-half", _("Half-point bye"), _("asked for before the round: ½ point")),
                Term("bye-zero", _("Zero-point bye"), _("absent, or not there yet: 0 points")),
            ),
        ),
        Answer(
            "forfeit",
            _("What if somebody does not turn up?"),
            (
                _(
                    "The opponent wins by forfeit: it counts in the standings, never for ratings or colours, and the "
                    "two may be paired again."
                ),
            ),
        ),
        Answer(
            "absent-late",
            _("Can students miss a round, come late or leave?"),
            (
                _(
                    "Yes. Who is absent gets a bye for that round, who comes later gets byes for the missed rounds as "
                    "the teacher chooses (0 or ½), who leaves is not paired any more and can return."
                ),
            ),
        ),
        Answer(
            "tournament-rating",
            _("Does a tournament change ratings?"),
            (
                _(
                    "If it is rated, every game that was played counts like any other game, on the day of its round "
                    "and at once when its result is entered. An unrated tournament changes none."
                ),
            ),
        ),
        Answer(
            "wrong-result",
            _("A result was entered wrong. What now?"),
            (_("Change it. Standings and ratings follow; rounds that are paired already stay as they are."),),
        ),
        Answer(
            "by-hand",
            _("Can I change pairings?"),
            (
                _(
                    "Yes: swap players or colours by hand. The page warns of a repeat or of a third game with one "
                    "colour. A last round without results can also be unpaired and paired anew."
                ),
            ),
        ),
        Answer(
            "keep-apart",
            _("Can two students be kept apart?"),
            (_("Yes, siblings for example: either never, or only if it can be avoided."),),
        ),
        Answer(
            "print-and-projector",
            _("How do students see whom they play?"),
            (
                _(
                    "Print the pairings by board or by name, show them with the projector, or let students look after "
                    "logging in. Names are short unless the school chooses full ones."
                ),
            ),
        ),
        Answer(
            "cancel-tournament",
            _("Can I delete a tournament?"),
            (_("It is cancelled, never deleted. You choose whether its games stay in the ratings or are voided."),),
        ),
        Answer(
            "trf",
            _("What is a TRF file?"),
            (
                _(
                    "The format of FIDE for tournament reports. Other tournament programs read and write it, so a "
                    "tournament can be handed on."
                ),
            ),
        ),
        Answer(
            "small-groups",
            _("Does Swiss work for a small group?"),
            (
                _(
                    "Only for a few rounds: with six players each has five opponents, and already in round 4 there "
                    "may be no pairing without a repeat. For four to eight players a round robin is better."
                ),
                _(
                    "If you still want a Swiss, choose the rule for small groups: it never gets stuck, repeats as few "
                    "games as possible and says when it does. It is not strictly FIDE, and the page says so."
                ),
            ),
        ),
        Answer(
            "round-robin",
            _("What is a round robin?"),
            (
                _(
                    "Everybody meets everybody once, or twice with both colours, by the Berger tables. Six players "
                    "need five rounds; with an odd number everybody has one round off."
                ),
            ),
        ),
        Answer(
            "tie-breaks",
            _("How are ties broken?"),
            (
                _(
                    "Equal points are parted by tie-breaks in an order that is set before the first round. Who is "
                    "still equal shares the place: 1, 2, 2, 4. The standings show every value with its name."
                ),
            ),
            points=(
                format_lazy(_("Swiss: {names}"), names=_names(SWISS)),
                format_lazy(_("Round robin: {names}"), names=_names(ROUND_ROBIN)),
                format_lazy(_("US scholastic: {names}"), names=_names(US_SCHOLASTIC)),
            ),
        ),
        Answer(
            "each-tie-break",
            _("What does each tie-break say?"),
            (_("In short; the number is the article of FIDE’s regulations C.07, or of the rulebook of US Chess."),),
            terms=tuple(
                Term(
                    _anchor(tie_break.code),
                    f"{tie_break.name} ({tie_break.code})",
                    f"{tie_break.sentence} · {'US Chess' if tie_break.us else 'C.07'} {tie_break.article}",
                )
                for tie_break in TIE_BREAKS.values()
            ),
        ),
        Answer(
            "unplayed",
            _("How do unplayed rounds count in tie-breaks?"),
            (
                _(
                    "By FIDE’s rules of 2026: a round you did not play counts in your Buchholz as a round against an "
                    "imagined opponent with your own points, within limits, so that a bye neither helps nor hurts "
                    "much. Average rating, performance and colours leave it out."
                ),
            ),
        ),
        Answer(
            "tournament-performance",
            _("Why is my performance so high when I won everything?"),
            (
                _(
                    "For a full score no rating is high enough; FIDE’s table then adds 800 to the average of the "
                    "opponents. Do not read too much into it."
                ),
            ),
        ),
    ),
)
