"""Why a pairing is as it is: the facts of core/why.py in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.tiebreaks import points_text
from tournaments.core.types import Colour
from tournaments.core.why import Colours, Float, WhyBye, WhyGame, why_bye, why_game
from tournaments.models import Pairing, Round
from tournaments.selectors.pairing_page import pairs_of, state_before
from tournaments.selectors.states import Loaded

Labels = Mapping[int, str]


def why(loaded: Loaded, pairing: Pairing, labels: Labels) -> str:
    """One short text on a board or bye. Two queries at most."""
    made = pairing.round
    if made.paired_by == Round.PairedBy.FILE:
        return _("The round was read from a file, with its pairings as they were made there.")
    if made.paired_by == Round.PairedBy.TABLE:
        return _by_table(loaded, pairing, labels)
    if pairing.is_bye and pairing.result != Pairing.Result.PAIRING_BYE:
        return _("%(name)s was not to be paired in this round: %(bye)s.") % {
            "name": labels[pairing.white_id],
            "bye": pairing.get_result_display(),
        }
    pairs = pairs_of(Pairing.objects.filter(round=made))
    state = state_before(loaded, made.number, pairs)
    if pairing.black_id is None:
        said = _bye(why_bye(state, pairing.white_id), made, labels)
    else:
        pair = next(pair for pair in pairs if pairing.white_id in pair.players)
        said = _game(why_game(state, pair, pairs), made, labels)
    if made.changed_by_hand:
        return " ".join([_("This round was changed by hand, so the rules alone do not explain it."), said])
    return said


def _by_table(loaded: Loaded, pairing: Pairing, labels: Labels) -> str:
    numbers = {entry.pk: number for number, entry in enumerate(loaded.entries, start=1)}
    values = {
        "white": labels[pairing.white_id],
        "one": numbers[pairing.white_id],
        "round": pairing.round.number,
        "players": len(loaded.entries),
    }
    if pairing.black_id is None:
        return (
            _("In round %(round)d of the Berger table for %(players)d players number %(one)d, %(white)s, is free.")
            % values
        )
    values |= {"black": labels[pairing.black_id], "other": numbers[pairing.black_id]}
    return (
        _(
            "Round %(round)d of the Berger table for %(players)d players: number %(one)d, %(white)s, has White against "
            "number %(other)d, %(black)s."
        )
        % values
    )


def _game(found: WhyGame, made: Round, labels: Labels) -> str:
    said = [_meeting(found, made, labels)]
    if found.meetings:
        said.append(_repeat(found, made))
    if found.kept_apart:
        said.append(_("They are on the list of pairs to keep apart."))
    elif found.apart_there:
        said.append(
            _("%(name)s is kept apart from %(others)s.")
            % {"name": labels[found.higher], "others": _listed(found.apart_there, labels)}
        )
    if found.float is Float.NONE and found.met_there and not found.meetings:
        said.append(
            _("%(name)s has met %(others)s of this score before.")
            % {"name": labels[found.higher], "others": _listed(found.met_there, labels)}
        )
    if colours := _colours(found, labels):
        said.append(colours)
    return " ".join(said)


def _meeting(found: WhyGame, made: Round, labels: Labels) -> str:
    """Why these two: their scores."""
    high, low = points_text(found.higher_score), points_text(found.lower_score)
    names = {"name": labels[found.higher], "other": labels[found.lower], "high": high, "low": low}
    if found.float is Float.NONE:
        if made.number == 1:
            return _("In the first round the upper half of the order plays the lower half.")
        singular = found.higher_score in {1, 2}  # in halves: ½ point, 1 point
        return ngettext("Both have %(high)s point.", "Both have %(high)s points.", 1 if singular else 2) % names
    if found.float is Float.ALONE:
        why = _("nobody else has %(high)s.")
    elif found.float is Float.MET_ALL:
        why = _("all others with %(high)s have been met before or are kept apart.")
    elif found.float is Float.ODD:
        why = ngettext(
            "with %(high)s there is %(count)d player, an odd number, so one plays down.",
            "with %(high)s there are %(count)d players, an odd number, so one plays down.",
            found.group,
        )
    else:
        why = _("those with %(high)s could not all be paired with each other.")
    start = _("%(name)s has %(high)s and plays %(other)s, who has %(low)s:")
    return f"{start % names} {why % (names | {'count': found.group})}"


def _repeat(found: WhyGame, made: Round) -> str:
    rounds = ", ".join(str(number) for number in found.meetings)
    said = ngettext(
        "They have met before, in round %(rounds)s.", "They have met before, in rounds %(rounds)s.", len(found.meetings)
    ) % {"rounds": rounds}
    if made.paired_by == Round.PairedBy.FEWEST_REPEATS and not made.changed_by_hand:
        said += " " + _("With a fair bye there is no pairing of this round with fewer repeats.")
    return said


def _colours(found: WhyGame, labels: Labels) -> str:
    """Why these colours; nothing where the rules did not give them."""
    white, black = found.pair.players
    if found.colours is Colours.NUMBER:
        return _("Neither has played a game yet: the colours alternate down the list.")
    if found.colours is Colours.EACH_DUE:
        claims = [player for player in (white, black) if found.due[player].colour is not None]
        if len(claims) == 2:
            return _("Each gets the colour that is due.")
        return _was_due(labels[claims[0]], found.due[claims[0]].colour)
    if found.served is None:
        return ""
    colour = found.due[found.served].colour
    both = _("Both were due White;") if colour is Colour.WHITE else _("Both were due Black;")
    reasons = {
        Colours.STRONGER: _("%(name)s more urgently."),
        Colours.LAST_DIFFERENT: _("%(name)s had the other colour when theirs last differed."),
        Colours.HIGHER: _("%(name)s stands higher."),
    }
    return f"{both} {reasons[found.colours] % {'name': labels[found.served]}}"


def _was_due(name: str, colour: Colour | None) -> str:
    text = _("%(name)s was due White.") if colour is Colour.WHITE else _("%(name)s was due Black.")
    return text % {"name": name}


def _bye(found: WhyBye, made: Round, labels: Labels) -> str:
    names = {
        "name": labels[found.player],
        "count": found.players,
        "points": points_text(found.score),
    }
    start = _("%(count)d players are an odd number, and %(name)s has the bye:") % names
    if found.byes == 0 and found.lowest:
        reason = _("of those without a bye or a win by forfeit nobody has fewer points.")
    elif found.byes == 0:
        reason = _("whoever has fewer points has had one, or the others could not be paired without them.")
    elif found.fewest_byes and found.lowest:
        reason = _("everybody has had one; nobody with as few has fewer points.")
    else:
        reason = _("with another choice the others could not be paired.")
    return f"{start} {reason}"


def _listed(players: Sequence[int], labels: Labels) -> str:
    return ", ".join(labels[player] for player in players)
