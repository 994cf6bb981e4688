"""Results of finished matches, and the ratings worked out from them."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

EVERYWHERE = 0
"""The server that stands for all."""


MU, SIGMA = 25.0, 25.0 / 3
"""What OpenSkill thinks of somebody who has not played yet."""


SURE = 3
"""How many sigmas below the estimate a rating can be relied on."""


class Pool(StrEnum):
    """Who is compared with whom."""

    PEOPLE = "people"
    COMPUTERS = "computers"


class Rated(Struct, frozen=True):
    """Whose rating it is, in what."""

    pool: Pool
    guild: int
    game: str
    user: int
    level: str = ""


class Rating(Struct, frozen=True):
    """How well somebody plays: the estimate, and how uncertain it is."""

    mu: float = MU
    sigma: float = SIGMA
    matches: int = 0
    """How many have counted, and how many of them were won."""
    wins: int = 0
    name: str = ""
    """As they were called in the last of them."""
    at: int = 0
    """When that was."""

    @property
    def sure(self) -> float:
        """The rating that people are ranked by: so well they play at least."""
        return self.mu - SURE * self.sigma


class Board(Struct, frozen=True, kw_only=True):
    """Which ratings are listed: those of a game on a server, of people or of computers."""

    game: str
    guild: int
    pool: Pool = Pool.PEOPLE
    everywhere: bool = False
    """The people of that server by their ratings over all."""
    least: int = 0
    """How many matches somebody must have played to be listed."""
    since: int = 0
    """When the last of them must have been."""
    most: int = 15
    """How many are listed."""
    besides: int = 0
    """Somebody who is listed besides, with their place, if only too many are before them."""


class Ranked(Struct, frozen=True):
    """Somebody in a list."""

    place: int
    user: int
    level: str
    rating: Rating


Ratings = Mapping[Rated, Rating]


class Kind(StrEnum):
    """How a result is counted."""

    RATED = "rated"
    UNRATED = "unrated"
    """As good as any, but the table wanted no rating."""
    RESIGNED = "resigned"
    """Somebody resigned; or all others did."""
    ABANDONED = "abandoned"
    """Somebody left their seat to another or to a computer; or all others did."""
    SOLO = "solo"
    """Nobody else but computers was ever at the table."""


PLAYED = (Kind.RATED, Kind.UNRATED)
"""The kinds that are a person's results proper: places, wins and scores are taken from them."""


class Result(Struct, frozen=True, kw_only=True):
    """What came of a match for one person or computer.

    In a seat that changed hands there are several.
    """

    seat: int
    user: int
    name: str
    level: str = ""
    """Of a computer."""
    place: int
    """From 1 on; those who are level share theirs. A player who leaves is last."""
    score: float
    kind: Kind
    has_left: bool = False
    """They left before the end."""
    came_late: bool = False
    """They took over what another had begun."""
    counts: bool = False
    """Whether a rating may change by it."""


class Finish(Struct, frozen=True):
    """A match that has ended with a result."""

    number: int
    """The how-manieth of all."""
    match: str
    guild: int
    game: str
    seats: int
    at: int
    """When it ended, in seconds since 1970."""
    results: tuple[Result, ...] = ()


class Played(Struct, frozen=True):
    """A match of somebody's, and what came of it for them."""

    number: int
    game: str
    seats: int
    at: int
    name: str
    place: int
    score: float
    kind: Kind
    has_left: bool
    mu: float | None = None
    """Their rating from then on, if it has changed."""
    sigma: float | None = None

    @property
    def is_proper(self) -> bool:
        """Whether they played it to its end, among people."""
        return self.kind in PLAYED and not self.has_left


class Companion(Struct, frozen=True):
    """Somebody who sat at a player's table to the end of a match."""

    number: int
    """That of the match."""
    user: int
    name: str
    can_be_named: bool
    """Some are hidden, some wanted to be forgotten."""


class PlayerRecord(Struct, frozen=True, kw_only=True):
    """All that is kept of a player, on a server or everywhere, in one game or all."""

    played: list[Played]
    """In order."""
    ratings: dict[str, Rating]
    """By game, the most played first."""
    companions: list[Companion]
    """Who else was at their tables to the end, in order."""

    @property
    def proper(self) -> list[Played]:
        """The matches that give places."""
        return [one for one in self.played if one.is_proper]

    @property
    def wins(self) -> int:
        """How many of these they won."""
        return sum(one.place == 1 for one in self.proper)
