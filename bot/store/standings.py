"""The SQL of results and ratings: plain functions over a database, each run whole."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from bot.matches.rating import EVERYWHERE, Pool, Rated, Rating, Ratings
from bot.matches.results import PLAYED, Finish, Kind, Result
from bot.matches.room import Info
from bot.store.database import Database

PUT_FINISH = """
    INSERT INTO finish (match, guild, game, seats, at) VALUES (:match, :guild, :game, :seats, :at)
    ON CONFLICT (match) DO NOTHING
"""

PUT_RESULT = """
    INSERT INTO result (number, seat, user, name, level, place, score, kind, has_left, came_late, counts)
    VALUES (:number, :seat, :user, :name, :level, :place, :score, :kind, :has_left, :came_late, :counts)
"""

FINISH = "SELECT number, match, guild, game, seats, at FROM finish WHERE match = ?"

FINISHES = "SELECT number, match, guild, game, seats, at FROM finish WHERE number > ? ORDER BY number LIMIT ?"

UNRATED = "SELECT number, match, guild, game, seats, at FROM finish WHERE rated = 0 ORDER BY number LIMIT ?"

RESULTS = """
    SELECT number, seat, user, name, level, place, score, kind, has_left, came_late, counts
    FROM result WHERE number = ? ORDER BY seat, user
"""

SCORES_BEFORE = """
    SELECT earlier.number, result.seat, result.score, result.kind
    FROM finish AS this
    JOIN finish AS earlier ON earlier.guild = this.guild AND earlier.game = this.game AND earlier.number < this.number
    JOIN result ON result.number = earlier.number
    WHERE this.match = ? ORDER BY earlier.number, result.seat
"""

RATING = """
    SELECT mu, sigma, matches, wins, name, at FROM rating
    WHERE pool = :pool AND guild = :guild AND game = :game AND user = :user AND level = :level
"""

PUT_RATING = """
    INSERT INTO rating (pool, guild, game, user, level, name, mu, sigma, sure, matches, wins, at)
    VALUES (:pool, :guild, :game, :user, :level, :name, :mu, :sigma, :sure, :matches, :wins, :at)
    ON CONFLICT (pool, guild, game, user, level) DO UPDATE SET name = excluded.name, mu = excluded.mu,
        sigma = excluded.sigma, sure = excluded.sure, matches = excluded.matches, wins = excluded.wins, at = excluded.at
"""

NOTE_HERE = "UPDATE result SET here_mu = :mu, here_sigma = :sigma WHERE number = :number AND user = :user"

NOTE_EVERYWHERE = "UPDATE result SET mu = :mu, sigma = :sigma WHERE number = :number AND user = :user"


def put_finish(db: Database, info: Info) -> None:
    """A match ends with a result, the last of all so far."""
    facts = {"match": info.id, "guild": info.place.guild, "game": info.game}
    db.execute(PUT_FINISH, {**facts, "seats": len(info.chairs), "at": info.touched})


def put_results(db: Database, results: Mapping[str, Sequence[Result]]) -> None:
    """The results of matches, to be rated."""
    for match, found in results.items():
        ((number,),) = db.execute("SELECT number FROM finish WHERE match = ?", (match,)).fetchall()
        db.execute("UPDATE finish SET rated = 0 WHERE number = ?", (number,))
        db.execute("DELETE FROM result WHERE number = ?", (number,))
        db.executemany(PUT_RESULT, [{"number": number, **msgspec.structs.asdict(result)} for result in found])


def finish(db: Database, match: str) -> Finish | None:
    """A match that has ended, with its results."""
    found = db.execute(FINISH, (match,)).fetchall()
    return _finish(found[0], _results(db, found[0][0])) if found else None


def finishes(db: Database, since: int, most: int) -> list[Finish]:
    """Matches that have ended, without their results."""
    return [_finish(row) for row in db.execute(FINISHES, (since, most)).fetchall()]


def scores_before(db: Database, match: str) -> list[tuple[float, ...]]:
    """The points of all seats of matches of the same game and server that ended before, but for no results proper."""
    found: dict[int, dict[int, float]] = {}
    proper = set()
    # A seat that changed hands has a result for each who sat in it, all with its points.
    for number, seat, score, kind in db.execute(SCORES_BEFORE, (match,)).fetchall():
        found.setdefault(number, {})[seat] = score
        if Kind(kind) in PLAYED:
            proper.add(number)
    return [tuple(scores.values()) for number, scores in found.items() if number in proper]


def unrated(db: Database, most: int) -> list[Finish]:
    """Matches that have ended and are not rated, with their results."""
    return [_finish(row, _results(db, row[0])) for row in db.execute(UNRATED, (most,)).fetchall()]


def ratings(db: Database, whose: Iterable[Rated]) -> dict[Rated, Rating]:
    """Ratings as they stand."""
    found = {}
    for key in whose:
        for row in db.execute(RATING, msgspec.structs.asdict(key)).fetchall():
            found[key] = Rating(*row)
    return found


def put_ratings(db: Database, steps: Iterable[tuple[int, Ratings]]) -> None:
    """The ratings that matches have changed, also beside the results that have changed them."""
    for number, changed in steps:
        for key, rating in changed.items():
            facts = {**msgspec.structs.asdict(key), **msgspec.structs.asdict(rating), "number": number}
            db.execute(PUT_RATING, {**facts, "sure": rating.sure})
            if key.pool is Pool.PEOPLE:
                db.execute(NOTE_EVERYWHERE if key.guild == EVERYWHERE else NOTE_HERE, facts)
        db.execute("UPDATE finish SET rated = 1 WHERE number = ?", (number,))


def drop_ratings(db: Database) -> None:
    """All ratings forgotten. Without a condition SQLite empties the table in one go, however full it is."""
    db.execute("DELETE FROM rating")


def with_setting(db: Database, key: str, players: Iterable[int]) -> frozenset[int]:
    """Those who have chosen something."""
    chosen = "SELECT 1 FROM player_setting WHERE owner = ? AND key = ?"
    return frozenset(player for player in players if db.execute(chosen, (player, key)).fetchone())


def _results(db: Database, number: int) -> tuple[Result, ...]:
    return tuple(_result(row) for row in db.execute(RESULTS, (number,)).fetchall())


def _finish(row: Any, results: tuple[Result, ...] = ()) -> Finish:
    number, match, guild, game, seats, at = row
    return Finish(number=number, match=match, guild=guild, game=game, seats=seats, at=at, results=results)


def _result(row: Any) -> Result:
    _, seat, user, name, level, place, score, kind, has_left, came_late, counts = row
    return Result(
        seat=seat,
        user=user,
        name=name,
        level=level,
        place=place,
        score=score,
        kind=Kind(kind),
        has_left=bool(has_left),
        came_late=bool(came_late),
        counts=bool(counts),
    )
