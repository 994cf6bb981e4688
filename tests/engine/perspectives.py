"""Perspectives of seats on matches, for tests of labels and typed turns."""

from engine import Match, Seat
from engine.core.escape import escape_text
from engine.core.perspective import Perspective
from engine.core.words import Names, words_of

ANA_AND_BEA = ("Ana", "Bea")


def perspective_of(match: Match, seat: Seat, names: Names = ANA_AND_BEA) -> Perspective:
    """Return a seat's perspective on a match, with players' names."""
    marked = tuple(escape_text(name) for name in names)
    return Perspective(match, seat, words_of(match.game.id), names, marked)
