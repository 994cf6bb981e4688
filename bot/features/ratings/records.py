"""Records of the results of finished matches, and of the ratings computed from them.

Results and ratings are stored in tables whose columns are these fields (queries.py).
"""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from bot.features.ratings import scale

EVERYWHERE = 0
"""The id that stands for all servers together."""


MU, SIGMA = 25.0, 25.0 / 3
"""OpenSkill's estimate for a newcomer."""


SURE = 3
"""How many sigmas to subtract from the estimate for the cautious rating, as OpenSkill suggests."""


class Pool(StrEnum):
    """The group within which ratings are compared."""

    PEOPLE = "people"
    COMPUTERS = "computers"


class Rated(Struct, frozen=True):
    """The key of a rating: whose it is, in which game and on which server."""

    pool: Pool
    guild: int
    game: str
    user: int
    level: str = ""
    character: str = ""


class Rating(Struct, frozen=True):
    """How well somebody plays: an estimate, mu, with its uncertainty, sigma."""

    mu: float = MU
    sigma: float = SIGMA
    matches: int = 0
    """How many matches have counted."""
    wins: int = 0
    name: str = ""
    """The name of the player in the last match."""
    at: int = 0
    """When the last match ended."""

    @property
    def sure(self) -> float:
        """The cautious rating by which players are ranked."""
        return self.mu - SURE * self.sigma

    @property
    def shown(self) -> int:
        """The rating as people see it."""
        return scale.shown_rating(self.sure)

    @property
    def is_provisional(self) -> bool:
        """Whether it may still change a lot."""
        return scale.is_provisional(self.sigma)


class Board(Struct, frozen=True, kw_only=True):
    """Which ratings a leaderboard lists: those of a game on a server, of people or computers."""

    game: str
    guild: int
    pool: Pool = Pool.PEOPLE
    everywhere: bool = False
    """Whether to list the server's people by their ratings over all servers."""
    least: int = 0
    """List only players with at least this many matches."""
    since: int = 0
    """List only players whose last match was since then."""
    most: int = 15
    """How many players to list."""
    besides: int = 0
    """A user to list in addition, if their rank is too low for the list."""


class RatingChange(Struct, frozen=True):
    """How a match has changed a player's rating."""

    name: str
    was: Rating
    now: Rating


class Ranked(Struct, frozen=True):
    """An entry of a leaderboard."""

    place: int
    user: int
    level: str
    character: str
    rating: Rating


Ratings = Mapping[Rated, Rating]


class Kind(StrEnum):
    """How a result counts."""

    RATED = "rated"
    UNRATED = "unrated"
    """Played to the end, but the players wanted no rating."""
    RESIGNED = "resigned"
    """The player resigned; or all others did."""
    ABANDONED = "abandoned"
    """The player left their seat to another or to a computer; or all others did."""
    SOLO = "solo"
    """There were only computers to play against."""


PLAYED = (Kind.RATED, Kind.UNRATED)
"""The kinds of proper results, from which ranks, wins and scores are taken."""


class Result(Struct, frozen=True, kw_only=True):
    """The result of a match for one person or computer. A seat that changed hands has several."""

    seat: int
    user: int
    name: str
    level: str = ""
    """The level of a computer."""
    character: str = ""
    """The character of a computer, '' if it has none."""
    place: int
    """From 1; tied players share a place. A player who leaves is last."""
    score: float
    kind: Kind
    has_left: bool = False
    """Whether they left before the end."""
    came_late: bool = False
    """Whether they took the seat over from somebody else."""
    counts: bool = False
    """Whether it may change ratings."""


class Finish(Struct, frozen=True):
    """A match that has ended with a result."""

    number: int
    """Counts all finished matches, in the order in which they ended."""
    match: str
    guild: int
    game: str
    seats: int
    at: int
    """When it ended, in seconds since 1970."""
    results: tuple[Result, ...] = ()


class Played(Struct, frozen=True):
    """A match that a player has played, with their result."""

    number: int
    game: str
    seats: int
    at: int
    name: str
    place: int
    score: float
    kind: Kind
    has_left: bool
    people: int
    """How many people ever had a seat in it, the player included."""
    mu: float | None = None
    """Their rating after the match, if it has changed."""
    sigma: float | None = None

    @property
    def is_proper(self) -> bool:
        """Whether they played it to the end, with other people."""
        return self.kind in PLAYED and not self.has_left

    @property
    def is_solo(self) -> bool:
        """Whether they played it to the end against computers only."""
        return self.kind is Kind.SOLO and not self.has_left

    @property
    def is_left_alone(self) -> bool:
        """Whether everyone else left before the end."""
        return self.kind in (Kind.RESIGNED, Kind.ABANDONED) and not self.has_left

    @property
    def has_left_others(self) -> bool:
        """Whether they left before the end and other people played with them."""
        return self.has_left and self.people > 1


class Companion(Struct, frozen=True):
    """Somebody who played a match to the end together with a player."""

    number: int
    """The number of the match."""
    user: int
    name: str
    can_be_named: bool
    """False if they are hidden or had their data deleted."""


class PlayerRecord(Struct, frozen=True, kw_only=True):
    """A player's results and ratings, on a server or everywhere, in one game or all."""

    played: list[Played]
    """In the order in which they ended."""
    ratings: dict[str, Rating]
    """By game, the most played first."""
    companions: list[Companion]
    """The other people in these matches, in the same order."""

    @property
    def proper(self) -> list[Played]:
        """The matches that count for places and wins."""
        return [one for one in self.played if one.is_proper]

    @property
    def solo(self) -> list[Played]:
        """The matches against computers only."""
        return [one for one in self.played if one.is_solo]

    @property
    def wins(self) -> int:
        """How many of the proper matches they won."""
        return sum(one.place == 1 for one in self.proper)
