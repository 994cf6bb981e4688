"""The data that pictures of standings show: plain records that the bot fills in.

Nothing here is saved, so fields may change together with the bot's code that fills them in.
"""

from msgspec import Struct


class Entry(Struct, frozen=True, kw_only=True):
    """A player in a list, with their rating."""

    rank: int
    name: str
    rating: int
    matches: int
    wins: int
    is_provisional: bool = False
    """Whether the rating may still change a lot."""
    is_own: bool = False
    """Whether this is the viewer's own entry."""


class GameLine(Struct, frozen=True, kw_only=True):
    """A player's results in a game, in matches with other people."""

    title: str
    ranks: tuple[int, ...]
    """How often the player finished with each rank, beginning with the first."""
    best: float
    mean: float
    rating: Entry | None = None


class SoloLine(Struct, frozen=True, kw_only=True):
    """A player's results in a game, in matches against computers only."""

    title: str
    played: int
    won: int
    best: float


class Curve(Struct, frozen=True):
    """A player's rating over time."""

    name: str
    points: tuple[tuple[int, int], ...]
    """Unix time and rating after each match."""


class PlayerSheet(Struct, frozen=True, kw_only=True):
    """Everything on the sheet of a player."""

    name: str
    scope: str
    """Where the matches were played, in words."""
    facts: tuple[tuple[str, str], ...]
    """Further facts, each as a label and a text."""
    games: tuple[GameLine, ...]
    solo: tuple[SoloLine, ...] = ()
    curve_game: str = ""
    """The title of the game whose ratings the curve shows."""
    curve: Curve | None = None


class VersusLine(Struct, frozen=True, kw_only=True):
    """How two players compare in a game: how often each was ahead, and their mean scores."""

    title: str
    ahead: int
    level: int
    behind: int
    means: tuple[float, float] | None = None
    """None in the line that adds up all games, whose scores cannot be compared."""


class MeetingLine(Struct, frozen=True):
    """A match of two players; `at` is the Unix time of its end."""

    title: str
    at: int
    ranks: tuple[int, int]
    scores: tuple[float, float]


class PairSheet(Struct, frozen=True, kw_only=True):
    """Everything on the sheet of two players."""

    names: tuple[str, str]
    scope: str
    """Where the matches were played, in words."""
    facts: tuple[tuple[str, str], ...]
    """Further facts, each as a label and a text."""
    games: tuple[VersusLine, ...]
    meetings: tuple[MeetingLine, ...]
    """The latest matches, newest first."""
    curve_game: str = ""
    """The title of the game whose ratings the curves show."""
    curves: tuple[Curve, ...] = ()


class RatingList(Struct, frozen=True):
    """The ratings in a game, best first."""

    title: str
    entries: tuple[Entry, ...]
