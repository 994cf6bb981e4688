"""Compute the results of a finished match, and how they change ratings. Pure functions.

A match that at least two people play to the end gives each of them a place, and if the players
wanted it, a rating. All other results are counted separately: matches against computers only,
resigning or leaving, and being left alone by all others.

Ratings use OpenSkill's Plackett-Luce model, which needs only places; ties are allowed. There is one
rating per game for each server, and one over all servers.

- People are rated against each other, by place; computers are left out.
- A player who leaves is rated as last, behind all who stayed. The others are rated without them.
- A player who took over a seat cannot lose rating in that match.
- Computers are rated by level and character, in a separate pool, from all matches in which they
  played. People have a rating in that pool as well, as a yardstick, which is never shown. Computers
  without a character are rated by level; if a match has several of a level, it gets their average.
- An unrated match changes no rating.

When you change a rule, raise RULES: every bot recomputes all ratings after its next start.
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
from bot.model import COMPUTER, DEFAULT_LEVEL
from bot.runtime.base import DAY
from engine import Seat

RULES = 2
MIN_MATCHES_LISTED = 3
"""How many matches a player needs to be listed."""
LISTED_SECONDS = 365 * DAY
"""How long after their last match players are listed. Their rating is kept."""

NEW = Rating()


# Results.


def results_of(room: Room) -> tuple[Result, ...]:
    """Return the results of a finished match, for everyone who ever had a seat in it."""
    record, match = room.record, room.playing()
    assert match.outcome is not None
    scores = match.outcome.scores
    places: dict[int, int] = {}
    for level in match.outcome.ranking:
        places |= dict.fromkeys(level, len(places) + 1)
    # A match that ends before everyone could move does not count.
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

    # If somebody has left several seats, the last one counts.
    left_results = {
        change.was: leave(change.was, change.was_name, change.seat, change.why == "resigned")
        for change in record.seat_changes
    }
    present = {COMPUTER}
    for seat, person in enumerate(record.chairs):
        if Seat(seat) in match.resigned | match.away:
            left_results[person.id] = leave(
                person.id, person.name, seat, Seat(seat) in match.resigned
            )
        else:
            present.add(person.id)
    leavers = {user: result for user, result in left_results.items() if user not in present}
    stayed = {person.id for person in record.chairs} - {COMPUTER} - leavers.keys()
    if len(stayed) > 1:
        kind = Kind.RATED if record.terms.rated else Kind.UNRATED
    elif len(stayed) + len(leavers) == 1:
        kind = Kind.SOLO
    else:
        has_resigned = any(result.kind is Kind.RESIGNED for result in leavers.values())
        kind = Kind.RESIGNED if has_resigned else Kind.ABANDONED
    results = []
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
            results.append(result)
        elif Seat(seat) in match.computers and not changes:
            # A computer gets a result only if it has played the seat from the start.
            how = {"level": person.level or DEFAULT_LEVEL, "character": person.character or ""}
            results.append(replace(result, **how))
    return (*results, *leavers.values())


# Ratings.


def rate_match(finish: Finish, known: Ratings) -> dict[Rated, Rating]:
    """Return the ratings that a match changes, with their new values."""
    counting = [result for result in finish.results if result.counts]
    changed: dict[Rated, Rating] = {}
    for guild in (finish.guild, EVERYWHERE):
        changed |= _rate_people(finish, guild, counting, known)
    return changed | _rate_computers(finish, counting, known)


def _rate_people(
    finish: Finish, guild: int, results: list[Result], known: Ratings
) -> dict[Rated, Rating]:
    """Rate people against each other, on a server or everywhere."""
    people = {
        Rated(Pool.PEOPLE, guild, finish.game, result.user): result
        for result in results
        if result.user != COMPUTER
    }
    stayed = {key: result.place for key, result in people.items() if not result.has_left}
    played = {key: place for key, place in stayed.items() if people[key].kind is Kind.RATED}
    changed = {}
    for key, new_rating in zip(played, _rate(played, played.values(), known), strict=True):
        old, result = known.get(key, NEW), people[key]
        changed[key] = replace(
            old if result.came_late and new_rating.mu < old.mu else new_rating,
            matches=old.matches + 1,
            wins=old.wins + (result.place == 1),
            name=result.name,
            at=finish.at,
        )
    for key, result in people.items():
        if result.has_left:
            new_rating = _rate([*stayed, key], [*stayed.values(), finish.seats + 1], known)[-1]
            changed[key] = replace(new_rating, name=result.name, at=finish.at)
    return changed


def _rate_computers(finish: Finish, results: list[Result], known: Ratings) -> dict[Rated, Rating]:
    """Rate computers by level and character, together with the people they played with."""
    if all(result.user != COMPUTER for result in results):
        return {}
    stayed = [result for result in results if not result.has_left]
    keys = [
        Rated(Pool.COMPUTERS, EVERYWHERE, finish.game, result.user, result.level, result.character)
        for result in stayed
    ]
    new_ratings = _rate(keys, [result.place for result in stayed], known)
    changed = {}
    for key in keys:
        old = known.get(key, NEW)
        indices = [number for number, other in enumerate(keys) if other == key]
        # Each seat is rated on its own; computers that are alike get the average of their seats.
        changed[key] = Rating(
            mu=fsum(new_ratings[number].mu for number in indices) / len(indices),
            sigma=fsum(new_ratings[number].sigma for number in indices) / len(indices),
            matches=old.matches + len(indices),
            wins=old.wins + sum(stayed[number].place == 1 for number in indices),
            name=stayed[indices[0]].name,
            at=finish.at,
        )
    return changed


def _rate(keys: Iterable[Rated], places: Iterable[int], known: Ratings) -> list[Rating]:
    """Return the new ratings by OpenSkill's model; a single player's stays the same."""
    before = [known.get(key, NEW) for key in keys]
    if len(before) < 2:
        return before
    model = load_model()
    teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
    new_teams = model.rate(teams, ranks=[float(place) for place in places])
    return [
        replace(was, mu=team[0].mu, sigma=team[0].sigma)
        for was, team in zip(before, new_teams, strict=True)
    ]


@cache
def load_model() -> Any:
    """Return OpenSkill's model."""
    # Imported here, because that takes 50 ms and is not needed before a match ends.
    from openskill.models import PlackettLuce

    return PlackettLuce()
