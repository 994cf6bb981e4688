"""The results of a finished match, and how they change the ratings of those who played it. Pure.

A match that two people or more have played to its end gives each of them a place, rated or not as
the table has chosen. Everything else is counted apart: playing alone with computers, resigning or
leaving, and being left with nobody to play with.

The model of ratings is OpenSkill's Plackett-Luce: everybody has a place, shared by those who are
level. There is a rating for each game, on each server and over all servers.

- People are rated among themselves, in the order of their places; computers are passed over.
- Somebody who leaves is last, behind all who stayed. Those who stayed are rated without them.
- Somebody who has taken over a seat cannot lose by it: a rating that would fall stays as it is.
- Computers are rated by their level in a pool of their own, from all matches with them. People have
  a rating in that pool too, by which the computers are measured and which nobody sees. Two of one
  level move it by half each.
- An unrated match changes nothing.

When a rule changes, raise RULES: every bot then recomputes all ratings after its next start.
"""

from collections.abc import Iterable
from functools import cache
from math import fsum
from typing import Any

from msgspec.structs import replace

from bot.features.ratings.records import (
    EVERYWHERE,
    Finish,
    Kind,
    Pool,
    Rated,
    Rating,
    Ratings,
    Result,
)
from bot.kernel.room import Room
from bot.model import COMPUTER, USUAL_LEVEL
from bot.runtime.base import DAY
from engine import Seat

RULES = 1
LEAST = 3
"""Matches that somebody must have played to be listed."""
SETTLED = 10
"""Matches from which on a rating is no longer provisional."""
IDLE = 365 * DAY
"""Seconds without a match after which somebody is listed no more; their rating stays as it is."""

NEW = Rating()


# Results.


def results_of(room: Room) -> tuple[Result, ...]:
    """Return the results of a match that has ended, for everybody who sat at its table."""
    record, match = room.record, room.playing()
    assert match.outcome is not None
    scores = match.outcome.scores
    places: dict[int, int] = {}
    for level in match.outcome.ranking:
        places |= dict.fromkeys(level, len(places) + 1)
    # Before everybody has moved nothing was at stake.
    counts = record.terms.rated and not record.terms.lesson and match.moves >= match.seats

    def leave(user: int, name: str, seat: int, has_resigned: bool) -> Result:
        return Result(
            seat=seat,
            user=user,
            name=name,
            place=match.seats,
            score=scores[seat],
            kind=Kind.RESIGNED if has_resigned else Kind.ABANDONED,
            has_left=True,
            counts=counts,
        )

    # Of several seats that somebody left the last is meant.
    left = {
        change.was: leave(change.was, change.was_name, change.seat, change.why == "resigned")
        for change in record.seat_changes
    }
    present = {COMPUTER}
    for seat, person in enumerate(record.chairs):
        if Seat(seat) in match.resigned | match.away:
            left[person.id] = leave(person.id, person.name, seat, Seat(seat) in match.resigned)
        else:
            present.add(person.id)
    leavers = {user: result for user, result in left.items() if user not in present}
    stayed = {person.id for person in record.chairs} - {COMPUTER} - leavers.keys()
    if len(stayed) > 1:
        kind = Kind.RATED if record.terms.rated else Kind.UNRATED
    elif len(stayed) + len(leavers) == 1:
        kind = Kind.SOLO
    else:
        has_resigned = any(result.kind is Kind.RESIGNED for result in leavers.values())
        kind = Kind.RESIGNED if has_resigned else Kind.ABANDONED
    found = []
    for seat, person in enumerate(record.chairs):
        changes = [change for change in record.seat_changes if change.seat == seat]
        result = Result(
            seat=seat,
            user=person.id,
            name=person.name,
            place=places[seat],
            score=scores[seat],
            kind=kind,
            came_late=bool(changes) and changes[0].was != person.id,
            counts=counts,
        )
        if person.id in stayed:
            found.append(result)
        elif Seat(seat) in match.computers and not changes:
            # Where somebody has played before it is no computer's result.
            found.append(replace(result, level=person.level or USUAL_LEVEL))
    return (*found, *leavers.values())


# Ratings.


def after(finish: Finish, known: Ratings) -> dict[Rated, Rating]:
    """Return the ratings that a match changes, as they are after it."""
    counting = [result for result in finish.results if result.counts]
    changed: dict[Rated, Rating] = {}
    for guild in (finish.guild, EVERYWHERE):
        changed |= _rate_people(finish, guild, counting, known)
    return changed | _rate_computers(finish, counting, known)


def _rate_people(
    finish: Finish, guild: int, results: list[Result], known: Ratings
) -> dict[Rated, Rating]:
    """Rate people among themselves, on a server or everywhere."""
    people = {
        Rated(Pool.PEOPLE, guild, finish.game, result.user): result
        for result in results
        if result.user != COMPUTER
    }
    stayed = {key: result.place for key, result in people.items() if not result.has_left}
    played = {key: place for key, place in stayed.items() if people[key].kind is Kind.RATED}
    changed = {}
    for key, rated in zip(played, _rate(played, played.values(), known), strict=True):
        was, result = known.get(key, NEW), people[key]
        changed[key] = replace(
            was if result.came_late and rated.mu < was.mu else rated,
            matches=was.matches + 1,
            wins=was.wins + (result.place == 1),
            name=result.name,
            at=finish.at,
        )
    for key, result in people.items():
        if result.has_left:
            rated = _rate([*stayed, key], [*stayed.values(), finish.seats + 1], known)[-1]
            changed[key] = replace(rated, name=result.name, at=finish.at)
    return changed


def _rate_computers(finish: Finish, results: list[Result], known: Ratings) -> dict[Rated, Rating]:
    """Rate computers by their level, and the people that they are measured by."""
    if all(result.user != COMPUTER for result in results):
        return {}
    stayed = [result for result in results if not result.has_left]
    keys = [
        Rated(Pool.COMPUTERS, EVERYWHERE, finish.game, result.user, result.level)
        for result in stayed
    ]
    rated = _rate(keys, [result.place for result in stayed], known)
    changed = {}
    for key in keys:
        was = known.get(key, NEW)
        own = [number for number, other in enumerate(keys) if other == key]
        # The seats of one level are rated one by one, and the level by their mean.
        changed[key] = Rating(
            mu=fsum(rated[number].mu for number in own) / len(own),
            sigma=fsum(rated[number].sigma for number in own) / len(own),
            matches=was.matches + len(own),
            wins=was.wins + sum(stayed[number].place == 1 for number in own),
            name=stayed[own[0]].name,
            at=finish.at,
        )
    return changed


def _rate(whose: Iterable[Rated], places: Iterable[int], known: Ratings) -> list[Rating]:
    """Return ratings with OpenSkill's estimates after a match; one without opponents stays."""
    before = [known.get(key, NEW) for key in whose]
    if len(before) < 2:
        return before
    model = load_model()
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return [
        replace(was, mu=team[0].mu, sigma=team[0].sigma)
        for was, team in zip(before, rated, strict=True)
    ]


@cache
def load_model() -> Any:
    """Return the model by which everybody is rated."""
    # Here, not above: to load it takes 50 ms, and a bot has no need of it before its first match
    # has ended.
    from openskill.models import PlackettLuce

    return PlackettLuce()
