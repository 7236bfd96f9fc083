"""All sections, in the order of the page."""

from chesslocker.help import elo, privacy, students, tips, tournaments, using

SECTIONS = (
    elo.SECTION,
    using.SECTION,
    students.SECTION,
    tournaments.SECTION,
    privacy.SECTION,
    tips.FOR_TEACHERS,
    tips.FOR_STUDENTS,
)
