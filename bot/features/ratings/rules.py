"""How a finished match changes the ratings of those who played it.

The model is OpenSkill's Plackett-Luce: everybody has a place, shared by those who are level. There is a rating for each
game, on each server and over all servers.

- People are rated among themselves, in the order of their places; computers at the table are passed over.
- Somebody who leaves is last, behind all who stayed. For those who stayed it is as if they had not been there.
- Somebody who has taken over a seat cannot lose by it: if their rating would fall it stays as it is.
- Computers are rated by their level in a pool of their own, from all matches with them. People have a rating in that
  pool too, by which the computers are measured and which nobody sees. Two of one level move it by half each.
- An unrated match changes nothing.

When a rule changes, raise RULES: every bot then recomputes all ratings after its next start.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from bot.model.match import COMPUTER
from bot.model.results import EVERYWHERE, Finish, Kind, Pool, Rated, Rating, Ratings, Result
from bot.runtime.clock import DAY

RULES = 1
LEAST = 3
"""Matches that somebody must have played to be listed."""
SETTLED = 10
"""Matches from which on a rating is no longer provisional."""
IDLE = 365 * DAY
"""Seconds without a match after which somebody is listed no more; their rating stays as it is."""


NEW = Rating()


def concerned(finish: Finish) -> list[Rated]:
    """Return whose ratings have to be known to rate a match."""
    people = [result.user for result in finish.results if result.user != COMPUTER]
    scopes = dict.fromkeys((finish.guild, EVERYWHERE))
    found = [Rated(Pool.PEOPLE, guild, finish.game, user) for guild in scopes for user in people]
    if _computers(finish.results):
        found += [_in_mixed_pool(finish, result) for result in finish.results]
    return list(dict.fromkeys(found))


def after(finish: Finish, known: Ratings) -> dict[Rated, Rating]:
    """Return the ratings that a match changes, as they are after it."""
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
    """Rate computers by their level, and the people that they are measured by."""
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
    """Return OpenSkill's estimates after a match; somebody without opponents keeps theirs."""
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
