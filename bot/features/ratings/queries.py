"""The SQL for results and ratings: write results, rate matches, and look players up.

The results of a match are rows of `results`, and the match itself one of `finishes`, numbered in
the order in which matches ended. Ratings can always be computed again from them.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, TypeVar

import msgspec
from msgspec.structs import asdict, replace

from bot.features.ratings import rules
from bot.features.ratings.records import (
    EVERYWHERE,
    Board,
    Companion,
    Finish,
    Played,
    PlayerRecord,
    Pool,
    Ranked,
    Rated,
    Rating,
    RatingChange,
    Result,
)
from bot.kernel import queries
from bot.kernel.encoding import Games, decode_match
from bot.model import HIDDEN, MatchRecord
from bot.runtime.base import log_error
from bot.store.sql import Command, Database, Select, SelectOne, Statement, as_tuple

T = TypeVar("T", bound=msgspec.Struct)

KNOWN_RULES = "rating_rules"
"""The setting, kept for server 0, with the version of the rules that matches were rated by."""


def _typed(record: type[T]) -> Callable[..., T]:
    """Return a function that builds a record from a row, with enums for its texts."""
    names = record.__struct_fields__
    return lambda *values: msgspec.convert(dict(zip(names, values, strict=True)), record)


LOCK_RATINGS = Command(sqlite="SELECT 1", postgres="LOCK TABLE ratings IN SHARE ROW EXCLUSIVE MODE")
"""Wait until no other process rates matches or deletes data. SQLite has one writer anyway."""

# Write results.

PUT_FINISH = Command("""
    INSERT INTO finishes (match_id, guild, game, seats, finished_at)
    VALUES ({match}, {guild}, {game}, {seats}, {at})
    ON CONFLICT (match_id) DO UPDATE SET is_rated = FALSE
""")

PUT_RESULT = Statement("""
    INSERT INTO results (
        number, seat, user_id, name, level, character, place, score, kind, has_left, came_late,
        counts
    )
    SELECT number, {seat}, {user}, {name}, {level}, {character}, {place}, {score}, {kind},
        {has_left}, {came_late}, {counts}
    FROM finishes WHERE match_id = {match}
""")

DELETE_RESULTS = Command("""
    DELETE FROM results WHERE number = (SELECT number FROM finishes WHERE match_id = {match})
""")

UNRATED = Select(
    Finish,
    """
    SELECT number, match_id, guild, game, seats, finished_at FROM finishes
    WHERE NOT is_rated ORDER BY number LIMIT {most}
    """,
)

RESULTS = Select(
    _typed(Result),
    """
    SELECT seat, user_id, name, level, character, place, score, kind, has_left, came_late, counts
    FROM results WHERE number = {number} ORDER BY seat, user_id
    """,
)

# DISTINCT, because a seat that changed hands has several results, all with the same score.
SCORES_BEFORE = Select(
    as_tuple,
    """
    SELECT DISTINCT earlier.number, results.seat, results.score
    FROM finishes AS this
    JOIN finishes AS earlier
        ON earlier.guild = this.guild AND earlier.game = this.game AND earlier.number < this.number
    JOIN results ON results.number = earlier.number
    WHERE this.match_id = {match} AND EXISTS (
        SELECT 1 FROM results AS proper
        WHERE proper.number = earlier.number AND proper.kind IN ('rated', 'unrated')
    ) ORDER BY earlier.number, results.seat
    """,
)


def put_finish(db: Database, record: MatchRecord, results: Sequence[Result]) -> None:
    """Record that a match has ended, with its results."""
    PUT_FINISH(
        db,
        match=record.id,
        guild=record.place.guild,
        game=record.game,
        seats=len(record.chairs),
        at=record.last_activity_at,
    )
    put_results(db, record.id, results)


def put_results(db: Database, match_id: str, results: Sequence[Result]) -> None:
    """Replace the results of a match that has ended."""
    DELETE_RESULTS(db, match_id)
    db.executemany(PUT_RESULT, [{"match": match_id, **asdict(result)} for result in results])


def scores_before(db: Database, match_id: str) -> list[tuple[float, ...]]:
    """Return the scores of earlier matches of the same game and server, each with all its seats.

    Matches without a proper result are left out.
    """
    by_match = groupby(SCORES_BEFORE(db, match_id), key=lambda row: row[0])
    return [tuple(score for _, _, score in rows) for _, rows in by_match]


# Rate matches.

RATINGS = Select(
    lambda pool, guild, game, user, level, character, *rating: (
        Rated(Pool(pool), guild, game, user, level, character),
        Rating(*rating),
    ),
    """
    SELECT pool, guild, game, user_id, level, character, mu, sigma, matches, wins, name, last_at
    FROM ratings
    WHERE pool IN ('people', 'computers') AND guild IN ({guild}, 0) AND game = {game}
        AND user_id = {user}
    """,
)

PUT_RATING = Command("""
    INSERT INTO ratings (
        pool, guild, game, user_id, level, character, name, mu, sigma, sure, matches, wins, last_at
    )
    VALUES (
        {pool}, {guild}, {game}, {user}, {level}, {character}, {name}, {mu}, {sigma}, {sure},
        {matches}, {wins}, {at}
    )
    ON CONFLICT (pool, guild, game, user_id, level, character) DO UPDATE SET
        name = excluded.name, mu = excluded.mu, sigma = excluded.sigma, sure = excluded.sure,
        matches = excluded.matches, wins = excluded.wins, last_at = excluded.last_at
""")

NOTE_RATING_HERE = Statement("""
    UPDATE results SET here_mu = {mu}, here_sigma = {sigma}
    WHERE number = {number} AND user_id = {user}
""")

NOTE_RATING_EVERYWHERE = Statement(
    "UPDATE results SET mu = {mu}, sigma = {sigma} WHERE number = {number} AND user_id = {user}"
)

SET_RATED = Command("UPDATE finishes SET is_rated = TRUE WHERE number = {number}")

has_unrated = SelectOne(bool, "SELECT TRUE FROM finishes WHERE NOT is_rated LIMIT 1")
"""Return whether some ended matches are not rated yet."""

# Without WHERE, SQLite truncates the table instead of deleting row by row.
DELETE_RATINGS = Command("DELETE FROM ratings")

RATE_ALL_AGAIN = Command("UPDATE finishes SET is_rated = FALSE")


def reset_ratings(db: Database, version: str) -> None:
    """Delete all ratings, so that every match is rated again by this version of the rules."""
    LOCK_RATINGS(db)
    DELETE_RATINGS(db)
    RATE_ALL_AGAIN(db)
    queries.put_server_setting(db, 0, KNOWN_RULES, version)


def ratings(db: Database, guild: int, game: str, users: Iterable[int]) -> dict[Rated, Rating]:
    """Return the ratings of some people and computers in a game, on a server and everywhere."""
    return dict(pair for user in users for pair in RATINGS(db, guild, game, user))


def rate_next(db: Database, most: int, games: Games) -> int:
    """Rate some unrated matches, in the order in which they ended; return how many."""
    LOCK_RATINGS(db)
    unrated = UNRATED(db, most)
    for finish in (_recompute_results(db, one, games) for one in unrated):
        users = {result.user for result in finish.results}
        changed = rules.rate_match(finish, ratings(db, finish.guild, finish.game, users))
        for key, rating in changed.items():
            values = {**asdict(key), **asdict(rating), "number": finish.number}
            PUT_RATING(db, **values, sure=rating.sure)
            if key.pool is Pool.PEOPLE:
                is_here = key.guild != EVERYWHERE
                (NOTE_RATING_HERE if is_here else NOTE_RATING_EVERYWHERE).run(db, **values)
        SET_RATED(db, finish.number)
    return len(unrated)


def _recompute_results(db: Database, finish: Finish, games: Games) -> Finish:
    """Recompute the results of a match by the current rules, store them, and return the match."""
    # If the match can no longer be read, its old results are kept.
    results: Sequence[Result] = RESULTS(db, finish.number)
    try:
        stored = queries.load_match(db, finish.match)
        if stored is not None and stored.snapshot:
            results = rules.results_of(decode_match(stored, games))
    except Exception as error:
        log_error(error, f"couldn't recompute the result of match {finish.match}")
    put_results(db, finish.match, results)
    return replace(finish, results=tuple(RESULTS(db, finish.number)))


# List players.

IS_HIDDEN = f"""
    EXISTS (
        SELECT 1 FROM player_settings
        WHERE player_settings.user_id = %s.user_id AND player_settings.name = '{HIDDEN}'
    )
"""

# People whose data was deleted have a negative id. The + 0 keeps SQLite from using an index on
# user_id, so that it uses the one on the rating instead: 1 ms instead of 17 for 5,000 people.
LISTED = f"""
    WITH listed AS NOT MATERIALIZED (
        SELECT * FROM ratings
        WHERE pool = {{pool}} AND guild = {{scope}} AND game = {{game}} AND matches >= {{least}}
            AND last_at >= {{since}}
            AND (
                pool = 'computers' AND user_id + 0 = 0
                OR pool = 'people' AND user_id + 0 > 0 AND NOT {IS_HIDDEN % "ratings"}
            )
            AND (
                NOT {{everywhere}} OR user_id IN (
                    SELECT here.user_id FROM ratings AS here
                    WHERE here.pool = 'people' AND here.guild = {{guild}} AND here.game = {{game}}
                )
            )
    )
    SELECT 1 + (SELECT count(*) FROM listed AS ahead WHERE ahead.sure > listed.sure),
        user_id, level, character, mu, sigma, matches, wins, name, last_at
    FROM listed
"""


def _ranked(place: int, user: int, level: str, character: str, *rating: Any) -> Ranked:
    return Ranked(place, user, level, character, Rating(*rating))


BOARD = Select(_ranked, LISTED + "ORDER BY sure DESC LIMIT {most}")

BESIDES = Select(_ranked, LISTED + "WHERE user_id = {besides}")


def board(db: Database, board: Board) -> list[Ranked]:
    """Return the entries of a leaderboard, best first; equal ratings share a place."""
    values = {**asdict(board), "scope": EVERYWHERE if board.everywhere else board.guild}
    ranked = BOARD(db, **values)
    if board.besides and all(one.user != board.besides for one in ranked):
        ranked += BESIDES(db, **values)
    return ranked


# Show how a match has changed ratings.


def _rating_change(
    name: str, mu: float, sigma: float, was_mu: float | None, was_sigma: float | None
) -> RatingChange:
    was = Rating() if was_mu is None or was_sigma is None else Rating(was_mu, was_sigma)
    return RatingChange(name, was, Rating(mu, sigma))


# People whose data was deleted have a negative id.
rating_changes = Select(
    _rating_change,
    f"""
    SELECT own.name, own.here_mu, own.here_sigma, previous.here_mu, previous.here_sigma
    FROM finishes AS this
    JOIN results AS own ON own.number = this.number
    LEFT JOIN results AS previous
        ON previous.user_id = own.user_id AND previous.user_id != 0 AND previous.number = (
            SELECT max(earlier.number)
            FROM results AS earlier
            JOIN finishes AS finished ON finished.number = earlier.number
            WHERE earlier.user_id = own.user_id AND earlier.user_id != 0
                AND earlier.number < this.number AND earlier.here_mu IS NOT NULL
                AND finished.guild = this.guild AND finished.game = this.game
        )
    WHERE this.match_id = {{match}} AND this.is_rated AND own.user_id > 0
        AND own.here_mu IS NOT NULL AND NOT {IS_HIDDEN % "own"}
    ORDER BY own.has_left, own.place, own.seat
    """,
)
"""Return how a match has changed its players' ratings on its server, best place first.

Hidden players are left out. Before the match is rated there are none.
"""

# Look a player up: on a server or everywhere (None), in one game or in all (None).

WITHIN = """
    user_id = {user} AND user_id != 0
    AND (CAST({guild} AS BIGINT) IS NULL OR guild = {guild})
    AND (CAST({game} AS TEXT) IS NULL OR game = {game})
"""

played = Select(
    _typed(Played),
    f"""
    SELECT number, game, seats, finished_at, name, place, score, kind, has_left,
        (
            SELECT count(*) FROM results AS anyone
            WHERE anyone.number = finishes.number AND anyone.user_id != 0
        ),
        CASE WHEN CAST({{guild}} AS BIGINT) IS NULL THEN mu ELSE here_mu END,
        CASE WHEN CAST({{guild}} AS BIGINT) IS NULL THEN sigma ELSE here_sigma END
    FROM results JOIN finishes USING (number) WHERE {WITHIN} ORDER BY number
    """,
)
"""Return a person's results, in order."""

# People whose data was deleted have a negative id, and cannot be named.
COMPANIONS = Select(
    Companion,
    f"""
    SELECT number, others.user_id, others.name,
        others.user_id > 0 AND NOT {IS_HIDDEN % "others"}
    FROM (SELECT number FROM results JOIN finishes USING (number) WHERE {WITHIN}) AS own
    JOIN results AS others USING (number)
    WHERE others.user_id != 0 AND others.user_id != {{user}} AND NOT others.has_left
    ORDER BY number
    """,
)

RATINGS_OF = Select(
    as_tuple,
    """
    SELECT game, mu, sigma, matches, wins, name, last_at FROM ratings
    WHERE pool = 'people' AND guild = {guild} AND user_id = {user}
        AND (CAST({game} AS TEXT) IS NULL OR game = {game})
    ORDER BY matches DESC, game
    """,
)

is_known = SelectOne(
    bool,
    f"""
    SELECT TRUE FROM results JOIN finishes USING (number)
    WHERE user_id = {{user}} AND user_id != 0 AND (
        guild = {{guild}} OR number IN (
            SELECT number FROM results WHERE user_id = {{asker}} AND user_id != 0
        )
    ) AND NOT {IS_HIDDEN % "results"} LIMIT 1
    """,
)
"""Return whether a player is not hidden and has a result on a server, or one with the asker."""

has_finished = SelectOne(
    bool,
    """
    SELECT TRUE FROM results WHERE user_id = {user} AND user_id != 0 AND NOT has_left LIMIT 1
    """,
)
"""Whether a person has played a match to its end; None if not."""

RATED_PEOPLE = Select(
    as_tuple,
    f"""
    SELECT user_id, name FROM ratings
    WHERE pool = 'people' AND guild = {{guild}} AND user_id > 0
        AND NOT {IS_HIDDEN % "ratings"}
    ORDER BY last_at, user_id
    """,
)


def load_player(db: Database, user: int, guild: int | None, game: str | None) -> PlayerRecord:
    """Return a player's results and ratings, on a server or everywhere, in one game or all."""
    scope = EVERYWHERE if guild is None else guild
    ratings = RATINGS_OF(db, guild=scope, user=user, game=game)
    return PlayerRecord(
        played=played(db, user=user, guild=guild, game=game),
        ratings={game: Rating(*rating) for game, *rating in ratings},
        companions=COMPANIONS(db, user=user, guild=guild, game=game),
    )


def people_known_to(db: Database, user: int, guild: int | None) -> dict[int, str]:
    """Return the names of the players that a user may look up: met in a match, or rated here."""
    companions = COMPANIONS(db, user=user, guild=None, game=None)
    people = {other.user: other.name for other in companions if other.can_be_named}
    return people | dict(RATED_PEOPLE(db, guild))
