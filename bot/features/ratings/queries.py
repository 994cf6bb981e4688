"""The SQL of results and ratings: plain functions over a database, each run whole."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from bot.model.match import MatchRecord
from bot.model.results import (
    EVERYWHERE,
    HIDDEN,
    PLAYED,
    Board,
    Finish,
    Kind,
    Played,
    Pool,
    Ranked,
    Rated,
    Rating,
    Ratings,
    Result,
)
from bot.runtime.errors import Conflict
from bot.store.sql import Database

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

ONE_AT_A_TIME = "SELECT value FROM server_setting WHERE owner = 0 AND key = 'rating_rules' /* FOR UPDATE */"

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

RATINGS_OF = """
    SELECT game, mu, sigma, matches, wins, name, at FROM rating
    WHERE pool = 'people' AND guild = ? AND user = ? ORDER BY matches DESC, game
"""

# Who is nobody any more has a user below 0.
LISTED = """
    pool = :pool AND guild = :scope AND game = :game AND matches >= :least AND at >= :since
        AND (pool = 'computers' AND rating.user = 0 OR pool = 'people' AND rating.user > 0
            AND NOT EXISTS (SELECT 1 FROM player_setting WHERE owner = rating.user AND key = :hidden))
"""

# The + 0 keeps SQLite from going by the users, all of whom it would have to look at, instead of by the ratings in their
# order: 1 ms instead of 17 for 5,000 people.
IN_ORDER = LISTED.replace("rating.user", "(rating.user + 0)")

BOARD = f"""
    SELECT user, level, sure, mu, sigma, matches, wins, name, at FROM rating
    WHERE {IN_ORDER} ORDER BY sure DESC LIMIT :most
"""

HERE = "SELECT user FROM rating WHERE pool = 'people' AND guild = :guild AND game = :game"

BOARD_EVERYWHERE = f"""
    SELECT user, level, sure, mu, sigma, matches, wins, name, at FROM rating
    WHERE {LISTED} AND rating.user IN ({HERE}) ORDER BY sure DESC LIMIT :most
"""

BESIDES = f"""
    SELECT user, level, sure, mu, sigma, matches, wins, name, at FROM rating
    WHERE {LISTED} AND rating.user = :besides
"""

BEFORE = f"SELECT count(*) FROM rating WHERE {LISTED} AND sure > :sure"

BEFORE_EVERYWHERE = f"SELECT count(*) FROM rating WHERE {LISTED} AND sure > :sure AND rating.user IN ({HERE})"

RATED_PEOPLE = """
    SELECT user, name FROM rating WHERE pool = 'people' AND guild = ? AND user > 0
        AND NOT EXISTS (SELECT 1 FROM player_setting WHERE owner = rating.user AND key = ?)
    ORDER BY at, user
"""

RESULTS_OF = """
    SELECT number, game, seats, at, name, place, score, kind, has_left, here_mu, here_sigma, mu, sigma
    FROM result JOIN finish USING (number)
    WHERE user = :user AND user != 0 AND (guild = :guild OR :everywhere = 1) AND (game = :game OR :all_games = 1)
    ORDER BY number
"""

COMPANIONS = """
    SELECT number, others.user, others.name
    FROM result JOIN finish USING (number) JOIN result AS others USING (number)
    WHERE result.user = :user AND result.user != 0 AND others.user != 0 AND others.user != :user
        AND others.has_left = 0 AND (guild = :guild OR :everywhere = 1) AND (game = :game OR :all_games = 1)
    ORDER BY number
"""


def put_finish(db: Database, record: MatchRecord, results: Sequence[Result]) -> None:
    """Keep that a match has ended, as the last of all so far, with its results."""
    finish = {"match": record.id, "guild": record.place.guild, "game": record.game}
    db.execute(PUT_FINISH, {**finish, "seats": len(record.chairs), "at": record.last_activity_at})
    put_results(db, {record.id: results})


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


def put_ratings(db: Database, steps: Iterable[tuple[int, Ratings]], known: Mapping[Rated, Rating]) -> None:
    """The ratings that matches have changed, also beside the results that have changed them."""
    steps = list(steps)
    # Others who rate wait here for each other: the next one sees what has become of the matches and the ratings.
    db.execute(ONE_AT_A_TIME).fetchall()
    rated = [db.execute("SELECT rated FROM finish WHERE number = ?", (number,)).fetchone() for number, _ in steps]
    keys = {key for _, changed in steps for key in changed}
    if (1,) in [tuple(row) for row in rated if row] or ratings(db, keys) != {k: known[k] for k in keys if k in known}:
        raise Conflict("refusal.conflict")
    for number, changed in steps:
        for key, rating in changed.items():
            facts = {**msgspec.structs.asdict(key), **msgspec.structs.asdict(rating), "number": number}
            db.execute(PUT_RATING, {**facts, "sure": rating.sure})
            if key.pool is Pool.PEOPLE:
                db.execute(NOTE_EVERYWHERE if key.guild == EVERYWHERE else NOTE_HERE, facts)
        db.execute("UPDATE finish SET rated = 1 WHERE number = ?", (number,))


def ratings_of(db: Database, user: int, guild: int) -> dict[str, Rating]:
    """A person's ratings, by game."""
    found = db.execute(RATINGS_OF, (guild, user)).fetchall()
    return {game: Rating(*rating) for game, *rating in found}


def board(db: Database, board: Board) -> list[Ranked]:
    """Those who are listed, the best first; those of one rating share a place."""
    facts = msgspec.structs.asdict(board) | {"hidden": HIDDEN, "scope": EVERYWHERE if board.everywhere else board.guild}
    rows = db.execute(BOARD_EVERYWHERE if board.everywhere else BOARD, facts).fetchall()
    if board.besides and board.besides not in {row[0] for row in rows}:
        rows = [*rows, *db.execute(BESIDES, facts).fetchall()]
    found: list[Ranked] = []
    for user, level, sure, *rating in rows:
        place = len(found) + 1
        if place > board.most:
            before = BEFORE_EVERYWHERE if board.everywhere else BEFORE
            ((ahead,),) = db.execute(before, {**facts, "sure": sure}).fetchall()
            place = ahead + 1
        elif found and found[-1].rating.sure == sure:
            place = found[-1].place
        found.append(Ranked(place, user, level, Rating(*rating)))
    return found


def rated_people(db: Database, guild: int) -> list[tuple[int, str]]:
    """People who have a rating on a server, by the names that they had last."""
    return list(dict(db.execute(RATED_PEOPLE, (guild, HIDDEN)).fetchall()).items())


def played(db: Database, user: int, guild: int | None, game: str | None) -> list[Played]:
    """A person's results, in order."""
    found = db.execute(RESULTS_OF, _within(user, guild, game))
    return [_played(row, guild is None) for row in found.fetchall()]


def companions(db: Database, user: int, guild: int | None, game: str | None) -> list[tuple[int, int, str]]:
    """Who else was at a person's tables to the end."""
    found = db.execute(COMPANIONS, _within(user, guild, game))
    return [(number, other, name) for number, other, name in found.fetchall()]


def together(db: Database, one: int, other: int, guild: int | None, game: str | None) -> list[tuple[Played, Played]]:
    """The results of two people in the same matches, in order."""
    theirs = {result.number: result for result in played(db, other, guild, game)}
    return [(own, theirs[own.number]) for own in played(db, one, guild, game) if own.number in theirs]


def drop_ratings(db: Database) -> None:
    """All ratings forgotten. Without a condition SQLite empties the table in one go, however full it is."""
    db.execute("DELETE FROM rating")


def _within(user: int, guild: int | None, game: str | None) -> dict[str, Any]:
    """Whose matches are meant: of a server or everywhere, of a game or of all."""
    all_games = {"game": game or "", "all_games": int(game is None)}
    return {"user": user, "guild": guild or 0, "everywhere": int(guild is None), **all_games}


def _played(row: Any, everywhere: bool) -> Played:
    number, game, seats, at, name, place, score, kind, has_left, here_mu, here_sigma, mu, sigma = row
    return Played(
        number=number,
        game=game,
        seats=seats,
        at=at,
        name=name,
        place=place,
        score=score,
        kind=Kind(kind),
        has_left=bool(has_left),
        mu=mu if everywhere else here_mu,
        sigma=sigma if everywhere else here_sigma,
    )


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
