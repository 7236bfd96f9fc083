"""The learn pages: their order, and the numbers in their examples, all from ratings/core. No query."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ratings.core import fide, glicko, uschess
from ratings.core.bands import SCHOOL_BANDS, SchoolBand
from ratings.core.elo import DRAW, LOSS, WIN, expected_score, rating_change
from ratings.core.expected_curve import expected_curve
from ratings.core.ledger import NEW_BELOW
from ratings.core.rules import Rule
from ratings.core.time_controls import Pace, minutes, pace
from ratings.models import K_FACTOR, START_RATING, PieceName

USUAL_K = (10, 20, 32, 40)
Numbers = dict[str, object]  # by the names that the page's template uses


@dataclass(frozen=True, slots=True)
class Worked:
    """A game reckoned for one player: the expected score, and the change by each result, in whole points."""

    rating: int
    opponent: int
    k: int
    expected: float
    win: int
    draw: int
    loss: int

    @property
    def after_win(self) -> int:
        return self.rating + self.win

    @property
    def opponent_after_win(self) -> int:
        return self.opponent - self.win


def worked(rating: int, opponent: int, k: int = K_FACTOR) -> Worked:
    expected = expected_score(rating, opponent)
    win, draw, loss = (rating_change(k, halves, expected) for halves in (WIN, DRAW, LOSS))
    return Worked(rating, opponent, k, expected, win, draw, loss)


@dataclass(frozen=True, slots=True)
class Gap:
    """What a player is expected to score who is rated so much higher, by the formula and by FIDE's table."""

    difference: int
    expected: float
    lower: float
    table: float


def gap(difference: int) -> Gap:
    expected = expected_score(difference, 0)
    return Gap(difference, expected, 1 - expected, float(fide.expected_score(difference, 0)))


def _elo() -> Numbers:
    return {"example": worked(1000, 900), "start": START_RATING}


def _expected() -> Numbers:
    return {
        "curve": expected_curve(),
        "gaps": [gap(difference) for difference in (0, 25, 50, 100, 150, 200, 300, 400, 500, 600, 800)],
        "equal": worked(800, 800),
        "far": gap(400),
        "one_hundred": gap(100),
        "hundred": worked(900, 800),
        "higher": worked(1000, 800),
    }


@dataclass(frozen=True, slots=True)
class KRow:
    """What a K does. `nothing_from`: the smallest lead from which a win gains no whole point."""

    k: int
    equal: Worked
    ahead: Worked
    nothing_from: int


def k_row(k: int) -> KRow:
    nothing_from = next(lead for lead in range(4000) if rating_change(k, WIN, expected_score(lead, 0)) == 0)
    return KRow(k, worked(800, 800, k), worked(1000, 800, k), nothing_from)


def _k_factor() -> Numbers:
    return {
        "rows": [k_row(k) for k in USUAL_K],
        "usual": k_row(K_FACTOR),
        "slow": k_row(20),
        "fast": k_row(40),
        "us_event": uschess.rate_event(START_RATING, 26, [(START_RATING, WIN)] * 4).k,
        "us_game": uschess.rate_event(START_RATING, 26, [(START_RATING, WIN)]).k,
        "fide_most": fide.MOST_K_TIMES_GAMES,
        "fide_games": 39,
        "fide_k": fide.k_for_period(20, 39),
    }


@dataclass(frozen=True, slots=True)
class Sureness:
    """How sure a number is after so many games against players whose own numbers are settled."""

    games: int
    low: int
    high: int


def surenesses(*counts: int) -> list[Sureness]:
    """Of somebody who stays at the start, against opponents of the same rating with a deviation of 60."""
    deviations = [glicko.START]
    for _game in range(max(counts)):
        deviations.append(glicko.after_game(deviations[-1], START_RATING, START_RATING, 60))
    return [Sureness(games, *glicko.interval(START_RATING, deviations[games])) for games in counts]


def _provisional() -> Numbers:
    return {
        "new_below": NEW_BELOW,
        "sure": surenesses(1, 5, 10, 20, 40),
        "fast": worked(800, 800, 40),
        "slow": worked(800, 800, 20),
        "us_few": uschess.rate_event(1000, 9, [(1000, WIN)] * 4).k,
        "us_many": uschess.rate_event(1000, 26, [(1000, WIN)] * 4).k,
    }


@dataclass(frozen=True, slots=True)
class PeakFloor:
    peak: int
    floor: int


def peak_floor(peak: int) -> PeakFloor:
    return PeakFloor(peak, uschess.floor(peak, established=True, wins=100, draws=0, events=20))


def _floors() -> Numbers:
    floor, before = 600, 605
    game = worked(before, before)
    rule = Rule(floor=floor)
    return {
        "floor": floor,
        "before": before,
        "loss": -game.loss,
        "without": before + game.loss,
        "top_up": rule.top_up(before + game.loss),
        "peaks": [peak_floor(peak) for peak in (1400, 1499, 1799, 1800, 1941)],
        "example": peak_floor(1800),
        "question": peak_floor(1941),
        "low": uschess.floor(1300, established=True, wins=10, draws=5, events=6),
        "published": fide.LOWEST_PUBLISHED,
    }


def _inflation() -> Numbers:
    students, award = 20, 3
    total = students * START_RATING
    return {
        "students": students,
        "start": START_RATING,
        "total": total,
        "award": award,
        "made": students * award,
        "after": total + students * award,
        "average": START_RATING + award,
        "leaver": 950,
        "left_average": (total - 950) // (students - 1),
        "taken": 950 - START_RATING,
        "fast": rating_change(40, WIN, expected_score(800, 800)),
        "slow": rating_change(20, LOSS, expected_score(800, 800)),
        "difference": rating_change(40, WIN, expected_score(800, 800))
        + rating_change(20, LOSS, expected_score(800, 800)),
    }


@dataclass(frozen=True, slots=True)
class Gain:
    """What a win against an equal brings in Glicko, by one of the two deviations."""

    deviation: int
    change: float


def gain(own: int, opponent: int) -> float:
    return glicko.rate(1500, own, [(1500, opponent, WIN)]).change


def _glicko() -> Numbers:
    return {
        "by_own": [Gain(own, gain(own, 80)) for own in (30, 80, 150, 350)],
        "by_opponent": [Gain(opponent, gain(80, opponent)) for opponent in (30, 80, 150, 350)],
        "own_low": gain(30, 80),
        "own_high": gain(350, 80),
        "opponent_low": gain(80, 30),
        "opponent_high": gain(80, 350),
        "start": int(glicko.START),
        "floor": int(glicko.FLOOR),
        "weeks": 10,
        "widened": glicko.after_idle_weeks(60, 10),
    }


PACES = {
    Pace.TOO_FAST: _("too fast to be rated"),
    Pace.BLITZ: _("blitz"),
    Pace.RAPID: _("rapid"),
    Pace.STANDARD: _("standard"),
}


@dataclass(frozen=True, slots=True)
class TimeControl:
    base: int
    increment: int
    minutes: int
    pace: str | Promise


def time_control(base: int, increment: int) -> TimeControl:
    return TimeControl(base, increment, int(minutes(base, increment)), PACES[pace(base, increment)])


def _time_controls() -> Numbers:
    controls = [(2, 1), (3, 2), (5, 3), (10, 0), (10, 5), (25, 10), (45, 15), (90, 30)]
    return {
        "controls": [time_control(*control) for control in controls],
        "club": time_control(10, 5),
        "lesson": time_control(15, 0),
    }


def _fide_list() -> Numbers:
    opponents = [1850, 1880, 1901, 1926, 1950]
    weaker = [1420, 1450, 1480, 1500, 1530]
    return {
        "opponents": opponents,
        "first": fide.first_rating(opponents, 6),
        "average": float(fide.first_rating(opponents, 6).average),
        "without": sum(opponents) / len(opponents),
        "weaker": weaker,
        "weak": fide.first_rating(weaker, 1),
        "least_games": fide.GAMES_FOR_FIRST,
        "hypothetical": fide.HYPOTHETICAL,
        "lowest": fide.LOWEST_PUBLISHED,
        "highest": fide.HIGHEST_FIRST,
    }


@dataclass(frozen=True, slots=True)
class BandRow:
    band: SchoolBand
    label: str


def band_label(band: SchoolBand) -> str:
    return str(PieceName(band.piece).label)


def _meaning() -> Numbers:
    return {
        "bands": [BandRow(band, band_label(band)) for band in SCHOOL_BANDS],
        "world": WORLD_BANDS,
        "near": worked(860, 845),
        "start": START_RATING,
        "far": gap(400),
    }


WORLD_BANDS = (
    (
        "1400–1599",
        _("The FIDE list begins at 1400. Whoever is on it plays tournaments and knows how to win won games."),
    ),
    ("1600–1799", _("A steady club player: few pieces left hanging, openings and simple endgames known.")),
    ("1800–1999", _("A strong club player, who often wins the championship of a school or a small club.")),
    ("2000–2199", _("Among the best of a town. US Chess calls this class Expert.")),
    ("2200–2299", _("Master strength. FIDE’s Candidate Master is given at 2200, and US Chess’s National Master.")),
    ("2300–2399", _("FIDE Master is given at 2300.")),
    ("2400–2499", _("International Master: 2400 once, and good results in strong tournaments (norms).")),
    ("2500+", _("Grandmaster: 2500 once, and norms. The best players of the world stand near 2800.")),
)


@dataclass(frozen=True, slots=True)
class Topic:
    """One page: its address, its title, what it answers, and the numbers of its examples."""

    slug: str
    title: str | Promise
    summary: str | Promise
    numbers: Callable[[], Numbers]

    @property
    def template(self) -> str:
        return f"ratings/learn/{self.slug.replace('-', '_')}.html"


TOPICS = (
    Topic("elo", _("Where Elo comes from"), _("A physicist, a guess at the result, and what is done about it."), _elo),
    Topic("expected-score", _("The expected score"), _("What a gap between two ratings says."), _expected),
    Topic("k-factor", _("The K-factor"), _("How far one game moves a rating, and why 32."), _k_factor),
    Topic("first-games", _("The first games"), _("Why a new number is called provisional."), _provisional),
    Topic("floors", _("Floors"), _("Ratings that cannot fall further, and what that costs."), _floors),
    Topic("inflation", _("Inflation"), _("Where points come from and where they go."), _inflation),
    Topic("elo-and-glicko", _("Elo and Glicko"), _("A number, and how sure it is."), _glicko),
    Topic("time-controls", _("Standard, rapid, blitz"), _("Three ways to play, three ratings."), _time_controls),
    Topic("fide-list", _("Getting onto the FIDE list"), _("Five games, and two that nobody played."), _fide_list),
    Topic("meaning", _("What the number means"), _("From the first steps to Grandmaster."), _meaning),
)  # fmt: skip
BY_SLUG = {topic.slug: topic for topic in TOPICS}


@dataclass(frozen=True, slots=True)
class TopicPage:
    """A page with its neighbours; `place` counts from 1."""

    topic: Topic
    place: int
    count: int
    before: Topic | None
    after: Topic | None


def topic_page(slug: str) -> TopicPage | None:
    """None where there is no such page."""
    if slug not in BY_SLUG:
        return None
    place = TOPICS.index(BY_SLUG[slug])
    before = TOPICS[place - 1] if place else None
    after = TOPICS[place + 1] if place + 1 < len(TOPICS) else None
    return TopicPage(BY_SLUG[slug], place + 1, len(TOPICS), before, after)
