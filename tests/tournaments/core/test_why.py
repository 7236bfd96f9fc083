"""Why a pairing is as it is: facts that the pages turn into sentences."""

from __future__ import annotations

from dataclasses import replace

from tournaments.core.types import Code, Colour, Entrant, Pair, Played, State, twos
from tournaments.core.why import Colours, Float, why_bye, why_game

W, B = Colour.WHITE, Colour.BLACK


def won(opponent: int, colour: Colour = W) -> Played:
    return Played(opponent, colour, Code.WIN)


def lost(opponent: int, colour: Colour = B) -> Played:
    return Played(opponent, colour, Code.LOSS)


BYE = Played(None, None, Code.PAIRING_BYE)


def state(*histories: tuple[Played, ...], **options: object) -> State:
    """Entrants 1, 2, 3, ... with these rounds behind them."""
    entrants = tuple(Entrant(number, history=history) for number, history in enumerate(histories, start=1))
    return replace(State(entrants, rounds=5), **options)


def test_in_the_first_round_the_colours_go_by_number():
    pairs = [Pair(1, 3), Pair(4, 2)]

    found = why_game(state((), (), (), ()), pairs[1], pairs)

    assert (found.higher, found.lower, found.float, found.colours) == (2, 4, Float.NONE, Colours.NUMBER)


def test_two_of_one_score_get_the_colours_that_are_due():
    after = state((won(3),), (won(4, B),), (lost(1),), (lost(2, W),))
    pairs = [Pair(2, 1), Pair(3, 4)]

    found = why_game(after, pairs[0], pairs)

    assert (found.higher_score, found.lower_score, found.group) == (2, 2, 2)
    assert (found.colours, found.served) == (Colours.EACH_DUE, None)


def test_of_two_who_are_due_the_same_the_higher_gets_it():
    after = state((won(3),), (won(4),), (lost(1),), (lost(2),))
    pairs = [Pair(2, 1), Pair(3, 4)]

    assert (why_game(after, pairs[0], pairs).colours, why_game(after, pairs[0], pairs).served) == (Colours.HIGHER, 1)
    assert why_game(after, Pair(1, 2), [Pair(1, 2)]).colours is Colours.OTHERWISE


def test_the_stronger_claim_and_the_last_different_colours_decide():
    after = state((won(3), won(4, W)), (won(4, B), won(3, W)), (lost(1), lost(2)), (lost(2, W), lost(1)))

    found = why_game(after, Pair(2, 1), [Pair(2, 1)])

    assert (found.colours, found.served) == (Colours.STRONGER, 1)
    three = state(
        (won(3), won(4, B), won(5)),
        (won(4), won(3), won(6, B)),
        (lost(1), lost(2), BYE),
        (lost(2), lost(1, W), BYE),
        (BYE, BYE, lost(1)),
        (BYE, BYE, lost(2, W)),
    )
    found = why_game(three, Pair(2, 1), [Pair(2, 1)])
    assert (found.colours, found.served) == (Colours.LAST_DIFFERENT, 1)


def test_who_plays_down_has_a_reason():
    odd = state((won(4),), (won(5),), (won(6),), (lost(1),), (lost(2),), (lost(3),))
    pairs = [Pair(2, 1), Pair(4, 3), Pair(5, 6)]
    assert why_game(odd, pairs[1], pairs).float is Float.ODD

    alone = state((won(2),), (lost(1),), (Played(4, W, Code.DRAW),), (Played(3, B, Code.DRAW),))
    pairs = [Pair(3, 1), Pair(2, 4)]
    assert why_game(alone, pairs[0], pairs).float is Float.ALONE

    met = state(
        (won(2), Played(2, B, Code.LOSS)), (lost(1), won(1)), (lost(4), Played(None, None, Code.ZERO_BYE)),
        (Played(3, W, Code.LOSS), Played(None, None, Code.ZERO_BYE)),
    )  # fmt: skip
    pairs = [Pair(1, 3), Pair(2, 4)]
    found = why_game(met, pairs[0], pairs)
    assert (found.float, found.met_there) == (Float.MET_ALL, (2,))


def test_earlier_meetings_and_pairs_to_keep_apart_are_told():
    after = state((won(2),), (lost(1),), (won(4),), (lost(3),), forbidden=twos([(1, 2)]), apart=twos([(1, 3)]))
    pairs = [Pair(1, 2), Pair(4, 3)]

    found = why_game(after, pairs[0], pairs)

    assert (found.meetings, found.kept_apart, found.apart_there) == ((1,), True, (3,))


def test_a_bye_goes_to_the_lowest_score_of_those_with_the_fewest():
    after = state((won(2),), (lost(1),), (BYE,))

    fair, again = why_bye(after, 2), why_bye(after, 3)

    assert (fair.players, fair.byes, fair.fewest_byes, fair.lowest) == (3, 0, True, True)
    assert (again.byes, again.fewest_byes) == (1, False)
    assert not why_bye(after, 1).lowest
