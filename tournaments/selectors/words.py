"""What the core says in plain English, as it is said on pages: translated, and as whole sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.core.standings import POINTS, Standings, StandingsRow
from tournaments.core.tiebreaks import TieBreak
from tournaments.core.trf import Problem
from tournaments.core.types import Reason, Rules

REASONS: dict[Reason, Promise] = {
    Reason.NOT_ENOUGH_PLAYERS: gettext_lazy("There are not enough players to pair a round."),
    Reason.ALL_ROUNDS_PAIRED: gettext_lazy("All rounds of this tournament have been paired."),
    Reason.NO_LEGAL_PAIRING: gettext_lazy(
        "The FIDE rules allow no pairing for this round: every way to pair it breaks a rule."
    ),
    Reason.KEPT_APART: gettext_lazy("The pairs who may never meet leave no way to pair this round."),
}

# What is wrong with a report file.
PROBLEMS: dict[Problem, Promise] = {
    Problem.INVALID_CODE: gettext_lazy("invalid code"),
    Problem.UNREADABLE: gettext_lazy("unreadable"),
    Problem.UNSUPPORTED: gettext_lazy("not supported"),
    Problem.MISSING_NUMBER: gettext_lazy("missing starting number"),
    Problem.REPEATED_NUMBER: gettext_lazy("repeated starting number"),
    Problem.UNKNOWN_NUMBER: gettext_lazy("unknown starting number"),
    Problem.MISSING_RESULT: gettext_lazy("missing result"),
    Problem.INCOMPATIBLE_RESULT: gettext_lazy("incompatible result"),
    Problem.INCOMPATIBLE_COLOUR: gettext_lazy("incompatible colour"),
    Problem.WRONG_POINTS: gettext_lazy("incorrect points"),
    Problem.TOO_MANY_RESULTS: gettext_lazy("too many results"),
    Problem.NO_PLAYERS: gettext_lazy("no players"),
    Problem.NO_RANKS: gettext_lazy("ranks missing"),
    Problem.NO_ROUNDS: gettext_lazy("number of rounds missing"),
}

TIE_BREAK_NAMES: dict[str, Promise] = {
    "DE": gettext_lazy("Direct encounter"),
    "WIN": gettext_lazy("Wins"),
    "WON": gettext_lazy("Games won"),
    "BPG": gettext_lazy("Games with Black"),
    "BWG": gettext_lazy("Wins with Black"),
    "PS": gettext_lazy("Progressive score"),
    "PS/C1": gettext_lazy("Progressive score, cut 1"),
    "REP": gettext_lazy("Rounds ready to play"),
    "STD": gettext_lazy("Standard points"),
    "TPN": gettext_lazy("Pairing number"),
    "BH": gettext_lazy("Buchholz"),
    "BH/C1": gettext_lazy("Buchholz, cut 1"),
    "BH/C2": gettext_lazy("Buchholz, cut 2"),
    "BH/M1": gettext_lazy("Buchholz, median 1"),
    "BH/M2": gettext_lazy("Buchholz, median 2"),
    "AOB": gettext_lazy("Average Buchholz"),
    "FB": gettext_lazy("Fore Buchholz"),
    "SB": gettext_lazy("Sonneborn-Berger"),
    "SB/C1": gettext_lazy("Sonneborn-Berger, cut 1"),
    "SB/C2": gettext_lazy("Sonneborn-Berger, cut 2"),
    "KS": gettext_lazy("Koya"),
    "ARO": gettext_lazy("Average rating"),
    "ARO/C1": gettext_lazy("Average rating, cut 1"),
    "TPR": gettext_lazy("Performance rating"),
    "PTP": gettext_lazy("Perfect performance"),
    "APRO": gettext_lazy("Average performance"),
    "APPO": gettext_lazy("Average perfect performance"),
    "MM": gettext_lazy("Modified median"),
    "SOL": gettext_lazy("Solkoff"),
    "CUM": gettext_lazy("Cumulative"),
    "CUMO": gettext_lazy("Cumulative of opposition"),
}

# Each goes on from its name: "Buchholz: the points of your opponents".
TIE_BREAK_SENTENCES: dict[str, Promise] = {
    "DE": gettext_lazy("the order of the tied players by the games between them"),
    "WIN": gettext_lazy("rounds that brought you the points of a win, also without a game"),
    "WON": gettext_lazy("games that you won over the board"),
    "BPG": gettext_lazy("games that you played with Black"),
    "BWG": gettext_lazy("games that you won with Black"),
    "PS": gettext_lazy("your points after each round, added up"),
    "PS/C1": gettext_lazy("your points after each round but the first, added up"),
    "REP": gettext_lazy("rounds without a bye you asked for and without a game you missed"),
    "STD": gettext_lazy("one for each round with more points than a draw, half for a draw"),
    "TPN": gettext_lazy("the smaller pairing number comes first"),
    "BH": gettext_lazy("the points of your opponents"),
    "BH/C1": gettext_lazy("the points of your opponents without the lowest"),
    "BH/C2": gettext_lazy("the points of your opponents without the two lowest"),
    "BH/M1": gettext_lazy("the points of your opponents without the lowest and the highest"),
    "BH/M2": gettext_lazy("the points of your opponents without the two lowest and the two highest"),
    "AOB": gettext_lazy("the average Buchholz of the opponents you played"),
    "FB": gettext_lazy("the points of your opponents with every game of the last round taken as a draw"),
    "SB": gettext_lazy("the points of the opponents you beat and half the points of those you drew with"),
    "SB/C1": gettext_lazy("as Sonneborn-Berger, without the opponent who counts least"),
    "SB/C2": gettext_lazy("as Sonneborn-Berger, without the two opponents who count least"),
    "KS": gettext_lazy("your points against opponents who made at least half of all the points they could"),
    "ARO": gettext_lazy("the average rating of the opponents you played"),
    "ARO/C1": gettext_lazy("the average rating of the opponents you played without the lowest"),
    "TPR": gettext_lazy("the average rating of the opponents you played, and more or less for your score against them"),
    "PTP": gettext_lazy("the lowest rating that is expected to score what you scored"),
    "APRO": gettext_lazy("the average performance rating of the opponents you played"),
    "APPO": gettext_lazy("the average perfect performance of the opponents you played"),
    "MM": gettext_lazy(
        "the points of your opponents without the lowest (the highest if you have less than half, both at half)"
    ),
    "SOL": gettext_lazy("the points of your opponents, a round they did not play as a draw"),
    "CUM": gettext_lazy("your points after each round, added up, less one for each win without a game"),
    "CUMO": gettext_lazy("the cumulative scores of the opponents you played"),
}


def rules_said(tie_breaks: Sequence[TieBreak], rules: Rules, *, round_robin: bool) -> list[str]:
    """By which rules the tie-breaks of a table are reckoned, and what a round without a game counts."""
    said = []
    if any(not tie_break.us for tie_break in tie_breaks):
        by = _("Tie-breaks by FIDE’s regulations C.07 of %(year)s.") % {"year": rules.value}
        said.append(f"{by} {_unplayed(rules, round_robin=round_robin)}")
    if any(tie_break.us for tie_break in tie_breaks):
        by = _("Modified median, Solkoff and the cumulative scores by rule 34E of US Chess.")
        rest = _("A round that you did not play adds nothing; one that an opponent did not play counts ½ for them.")
        said.append(f"{by} {rest}")
    return said


def _unplayed(rules: Rules, *, round_robin: bool) -> str:
    if round_robin:
        return _("A game lost or won by forfeit counts like one that was played.")
    if rules is Rules.OF_2024:
        return _("A round that you did not play counts as one against a virtual opponent with your own points.")
    return _(
        "A round that you did not play counts as one against a virtual opponent with your own points, but with no "
        "more than half a point for each round; after a forfeit with no more than the opponent has."
    )


def reasons_for_places(standings: Standings, labels: Mapping[int, str]) -> dict[int, str]:
    """For each player in a sentence or two: what put them below the one above, and who shares the place."""
    sharing: dict[int, list[int]] = {}
    for row in standings.rows:
        sharing.setdefault(row.place, []).append(row.id)
    found = {}
    above: StandingsRow | None = None
    for row in standings.rows:
        sentences = []
        if above is None and not row.shared:
            sentences.append(_("Nobody is above."))
        if above is not None and row.decided_by is not None:
            sentences.append(_below(standings, row, above, labels[above.id]))
        if row.shared:
            others = [labels[one] for one in sharing[row.place] if one != row.id]
            sentences.append(_shares(row.place, others))
        found[row.id] = " ".join(sentences)
        above = row
    return found


def _below(standings: Standings, row: StandingsRow, above: StandingsRow, name: str) -> str:
    if row.decided_by == POINTS:
        return _("Fewer points than %(name)s: %(mine)s against %(theirs)s.") % {
            "name": name,
            "mine": row.points,
            "theirs": above.points,
        }
    index, tie_break = next(
        (index, one) for index, one in enumerate(standings.tie_breaks) if one.code == row.decided_by
    )
    values = {
        "name": name,
        "tie_break": TIE_BREAK_NAMES[tie_break.code],
        "mine": tie_break.text(row.values[index]),
        "theirs": tie_break.text(above.values[index]),
    }
    if tie_break.lower_first:
        return (
            _("As many points as %(name)s; %(tie_break)s decides: %(mine)s against %(theirs)s, the lower is better.")
            % values
        )
    return _("As many points as %(name)s; %(tie_break)s decides: %(mine)s against %(theirs)s.") % values


MOST_NAMES = 3


def _shares(place: int, others: Sequence[str]) -> str:
    if len(others) > MOST_NAMES:
        return ngettext(
            "Shares place %(place)d with %(count)d other player: equal in everything.",
            "Shares place %(place)d with %(count)d other players: equal in everything.",
            len(others),
        ) % {"place": place, "count": len(others)}
    return _("Shares place %(place)d with %(names)s: equal in everything.") % {
        "place": place,
        "names": ", ".join(others),
    }
