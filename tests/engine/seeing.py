"""Matches as seats see them, for tests of what is said to a player."""

from engine import Match, Seat
from engine.core.escape import escaped
from engine.core.perspective import Perspective
from engine.core.words import Names, words_of

ANA_AND_BEA = ("Ana", "Bea")


def seen_by(match: Match, seat: Seat, names: Names = ANA_AND_BEA) -> Perspective:
    """A match as that seat sees it."""
    marked = tuple(escaped(name) for name in names)
    return Perspective(match, seat, words_of(match.game.id), names, marked)
