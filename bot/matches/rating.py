"""The rules of rating: what a finished match changes about the ratings of those who played it.

OpenSkill's Plackett-Luce model: a place each, shared by those who are level. Everybody has a rating for each game, on
each server and over all.

- People are rated among themselves, in the order of their places; computers at the table are passed over.
- Whoever leaves is last, behind all who stayed. For those who stayed it is as if they had not been there.
- Whoever has taken a seat over cannot lose by it: if their rating would fall it stays as it is.
- Computers are rated by their level in a pool of their own, from all matches with them. People have a rating in that
  pool too, by which the computers are measured and which nobody sees. Two of one level move it by half each.
- A match that the table wants unrated changes nothing.

When a rule changes, raise RULES: every bot then works all ratings out anew when it has started.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Any

from msgspec import Struct

from bot.clock import DAY
from bot.matches.results import Finish, Kind, Result
from bot.matches.room import COMPUTER

RULES = 1
HIDDEN = "hidden"
"""The key under which it is kept that a player wants to be in no list."""
EVERYWHERE = 0
"""The server that stands for all."""
MU, SIGMA = 25.0, 25.0 / 3
"""What OpenSkill thinks of somebody who has not played yet."""
SURE = 3
"""How many sigmas below the estimate a rating can be relied on."""
LEAST = 3
"""How many matches somebody must have played to be listed."""
SETTLED = 10
"""With fewer a rating is provisional."""
IDLE = 365 * DAY
"""Seconds without a match after which somebody is listed no more; their rating stays as it is."""


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
NEW = Rating()


def concerned(finish: Finish) -> list[Rated]:
    """Whose ratings have to be known to rate a match."""
    people = [result.user for result in finish.results if result.user != COMPUTER]
    scopes = dict.fromkeys((finish.guild, EVERYWHERE))
    found = [Rated(Pool.PEOPLE, guild, finish.game, user) for guild in scopes for user in people]
    if _computers(finish.results):
        found += [_in_mixed_pool(finish, result) for result in finish.results]
    return list(dict.fromkeys(found))


def after(finish: Finish, known: Ratings) -> dict[Rated, Rating]:
    """The ratings that a match changes, as they are after it."""
    found: dict[Rated, Rating] = {}
    counting = [result for result in finish.results if result.counts]
    for guild in dict.fromkeys((finish.guild, EVERYWHERE)):
        found |= _people(finish, guild, counting, known)
    return found | _mixed(finish, counting, known)


def _people(finish: Finish, guild: int, results: Sequence[Result], known: Ratings) -> dict[Rated, Rating]:
    def key(result: Result) -> Rated:
        return Rated(Pool.PEOPLE, guild, finish.game, result.user)

    def before(result: Result) -> Rating:
        return known.get(key(result), NEW)

    people = [result for result in results if result.user != COMPUTER]
    stayed = [result for result in people if not result.has_left]
    found = {}
    for leaver in (result for result in people if result.has_left):
        *_, last = _rated([*map(before, stayed), before(leaver)], [*(one.place for one in stayed), finish.seats + 1])
        was = before(leaver)
        found[key(leaver)] = Rating(*last, was.matches, was.wins, leaver.name, finish.at)
    played = [result for result in stayed if result.kind is Kind.RATED]
    for result, rated in zip(played, _rated([*map(before, played)], [one.place for one in played]), strict=True):
        was, (mu, sigma) = before(result), rated
        if result.came_late and mu < was.mu:
            mu, sigma = was.mu, was.sigma
        won = result.place == 1
        found[key(result)] = Rating(mu, sigma, was.matches + 1, was.wins + won, result.name, finish.at)
    return found


def _mixed(finish: Finish, results: Sequence[Result], known: Ratings) -> dict[Rated, Rating]:
    """Computers by their level, and people as they are measured by."""
    if not _computers(results):
        return {}
    seats = [result for result in results if not result.has_left]
    before = [known.get(_in_mixed_pool(finish, result), NEW) for result in seats]
    found: dict[Rated, Rating] = {}
    rated = _rated(before, [result.place for result in seats])
    for key in dict.fromkeys(_in_mixed_pool(finish, result) for result in seats):
        own = [number for number, result in enumerate(seats) if _in_mixed_pool(finish, result) == key]
        mu, sigma = (sum(rated[number][part] for number in own) / len(own) for part in (0, 1))
        was, won = before[own[0]], sum(seats[number].place == 1 for number in own)
        found[key] = Rating(mu, sigma, was.matches + len(own), was.wins + won, seats[own[0]].name, finish.at)
    return found


def _computers(results: Sequence[Result]) -> bool:
    return any(result.user == COMPUTER for result in results)


def _in_mixed_pool(finish: Finish, result: Result) -> Rated:
    return Rated(Pool.COMPUTERS, EVERYWHERE, finish.game, result.user, result.level)


def _rated(before: Sequence[Rating], places: Sequence[int]) -> list[tuple[float, float]]:
    """The estimates after a match between these, by OpenSkill; with nobody to play against they stay as they were."""
    if len(before) < 2:
        return [(rating.mu, rating.sigma) for rating in before]
    model = _model()
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    return [(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=[float(place) for place in places])]


@cache
def _model() -> Any:
    # Here, not above: to load it takes 50 ms, and a bot has no need of it before its first match has ended.
    from openskill.models import PlackettLuce

    return PlackettLuce()
