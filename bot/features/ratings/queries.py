"""Results and ratings: what matches came to, how well people play, and who is listed where."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

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
from bot.store.sql import Database, Statement, first_value

PUT_FINISH = Statement("""
    INSERT INTO finishes (match_id, guild, game, seats, finished_at) VALUES ({match}, {guild}, {game}, {seats}, {at})
    ON CONFLICT (match_id) DO NOTHING
""")

PUT_RESULT = Statement("""
    INSERT INTO results (number, seat, user_id, name, level, place, score, kind, has_left, came_late, counts)
    VALUES (
        {number}, {seat}, {user}, {name}, {level}, {place}, {score}, {kind}, {has_left}, {came_late}, {counts}
    )
""")

DELETE_RESULTS = Statement("DELETE FROM results WHERE number = {number}")

SET_RATED = Statement("UPDATE finishes SET is_rated = {is_rated} WHERE number = {number}")

FINISH = "SELECT number, match_id, guild, game, seats, finished_at FROM finishes"

FINISH_OF_MATCH = Statement(FINISH + " WHERE match_id = {match}")

FINISHES = Statement(FINISH + " WHERE number > {since} ORDER BY number LIMIT {most}")

UNRATED = Statement(FINISH + " WHERE NOT is_rated ORDER BY number LIMIT {most}")

IS_RATED = Statement("SELECT is_rated FROM finishes WHERE number = {number}")

RATING_RULES = "SELECT value FROM server_settings WHERE guild = 0 AND name = 'rating_rules'"

LOCK_RATINGS = Statement(sqlite=RATING_RULES, postgres=RATING_RULES + " FOR UPDATE")

RESULTS = Statement("""
    SELECT seat, user_id, name, level, place, score, kind, has_left, came_late, counts
    FROM results WHERE number = {number} ORDER BY seat, user_id
""")

SCORES_BEFORE = Statement("""
    SELECT earlier.number, results.seat, results.score, results.kind
    FROM finishes AS this
    JOIN finishes AS earlier ON earlier.guild = this.guild AND earlier.game = this.game AND earlier.number < this.number
    JOIN results ON results.number = earlier.number
    WHERE this.match_id = {match} ORDER BY earlier.number, results.seat
""")

RATING = Statement("""
    SELECT mu, sigma, matches, wins, name, last_at FROM ratings
    WHERE pool = {pool} AND guild = {guild} AND game = {game} AND user_id = {user} AND level = {level}
""")

PUT_RATING = Statement("""
    INSERT INTO ratings (pool, guild, game, user_id, level, name, mu, sigma, sure, matches, wins, last_at)
    VALUES ({pool}, {guild}, {game}, {user}, {level}, {name}, {mu}, {sigma}, {sure}, {matches}, {wins}, {at})
    ON CONFLICT (pool, guild, game, user_id, level) DO UPDATE SET
        name = excluded.name,
        mu = excluded.mu,
        sigma = excluded.sigma,
        sure = excluded.sure,
        matches = excluded.matches,
        wins = excluded.wins,
        last_at = excluded.last_at
""")

NOTE_RATING_HERE = Statement("""
    UPDATE results SET here_mu = {mu}, here_sigma = {sigma} WHERE number = {number} AND user_id = {user}
""")

NOTE_RATING_EVERYWHERE = Statement("""
    UPDATE results SET mu = {mu}, sigma = {sigma} WHERE number = {number} AND user_id = {user}
""")

RATINGS_OF = Statement("""
    SELECT game, mu, sigma, matches, wins, name, last_at FROM ratings
    WHERE pool = 'people' AND guild = {guild} AND user_id = {user} ORDER BY matches DESC, game
""")

RANKED = "SELECT user_id, level, sure, mu, sigma, matches, wins, name, last_at FROM ratings"

# Former players have an id below 0. The + 0 keeps SQLite from going by the people, each of which it
# would have to look at, instead of by the ratings in their order: 1 ms instead of 17 for 5,000
# people.
LISTED = """
    pool = {pool} AND guild = {scope} AND game = {game} AND matches >= {least} AND last_at >= {since}
        AND (pool = 'computers' AND user_id + 0 = 0 OR pool = 'people' AND user_id + 0 > 0
            AND NOT EXISTS (
                SELECT 1 FROM player_settings
                WHERE player_settings.user_id = ratings.user_id AND player_settings.name = {hidden}
            ))
"""

# Those who are rated on a server.
LISTED_HERE = (
    LISTED
    + """
    AND user_id IN (
        SELECT here.user_id FROM ratings AS here
        WHERE here.pool = 'people' AND here.guild = {guild} AND here.game = {game}
    )
"""
)

BOARD = Statement(f"{RANKED} WHERE {LISTED} ORDER BY sure DESC LIMIT {{most}}")

BOARD_EVERYWHERE = Statement(f"{RANKED} WHERE {LISTED_HERE} ORDER BY sure DESC LIMIT {{most}}")

BESIDES = Statement(f"{RANKED} WHERE {LISTED} AND user_id = {{besides}}")

AHEAD = Statement(f"SELECT count(*) FROM ratings WHERE {LISTED} AND sure > {{sure}}")

AHEAD_EVERYWHERE = Statement(
    f"SELECT count(*) FROM ratings WHERE {LISTED_HERE} AND sure > {{sure}}"
)

RATED_PEOPLE = Statement("""
    SELECT user_id, name FROM ratings WHERE pool = 'people' AND guild = {guild} AND user_id > 0
        AND NOT EXISTS (
            SELECT 1 FROM player_settings
            WHERE player_settings.user_id = ratings.user_id AND player_settings.name = {hidden}
        )
    ORDER BY last_at, user_id
""")

WITHIN = "({everywhere} OR guild = {guild}) AND ({all_games} OR game = {game})"
"""Holds for matches of a server or everywhere, of a game or of all."""

RESULTS_OF = Statement(f"""
    SELECT number, game, seats, finished_at, name, place, score, kind, has_left, here_mu, here_sigma, mu, sigma
    FROM results JOIN finishes USING (number)
    WHERE user_id = {{user}} AND user_id != 0 AND {WITHIN} ORDER BY number
""")

COMPANIONS = Statement(f"""
    SELECT number, others.user_id, others.name
    FROM results JOIN finishes USING (number) JOIN results AS others USING (number)
    WHERE results.user_id = {{user}} AND results.user_id != 0 AND others.user_id != 0 AND others.user_id != {{user}}
        AND NOT others.has_left AND {WITHIN} ORDER BY number
""")

DELETE_RATINGS = Statement("DELETE FROM ratings")


def put_finish(db: Database, record: MatchRecord, results: Sequence[Result]) -> None:
    """Keep that a match has ended, as the last of all so far, with its results."""
    finish = {"match": record.id, "guild": record.place.guild, "game": record.game}
    db.execute(PUT_FINISH, {**finish, "seats": len(record.chairs), "at": record.last_activity_at})
    put_results(db, {record.id: results})


def put_results(db: Database, results: Mapping[str, Sequence[Result]]) -> None:
    """The results of matches, to be rated."""
    for match, found in results.items():
        number = first_value(db.execute(FINISH_OF_MATCH, {"match": match}))
        db.execute(SET_RATED, {"number": number, "is_rated": False})
        db.execute(DELETE_RESULTS, {"number": number})
        db.executemany(
            PUT_RESULT, [{"number": number, **msgspec.structs.asdict(result)} for result in found]
        )


def finish(db: Database, match: str) -> Finish | None:
    """A match that has ended, with its results."""
    row = db.execute(FINISH_OF_MATCH, {"match": match}).fetchone()
    return _finish(db, row) if row else None


def finishes(db: Database, since: int, most: int) -> list[Finish]:
    """Matches that have ended, without their results."""
    return [Finish(*row) for row in db.execute(FINISHES, {"since": since, "most": most}).fetchall()]


def scores_before(db: Database, match: str) -> list[tuple[float, ...]]:
    """The points of all seats of matches of the same game and server that ended before, but for
    no results proper.
    """
    found: dict[int, dict[int, float]] = {}
    proper = set()
    # A seat that changed hands has a result for each who sat in it, all with its points.
    for number, seat, score, kind in db.execute(SCORES_BEFORE, {"match": match}).fetchall():
        found.setdefault(number, {})[seat] = score
        if Kind(kind) in PLAYED:
            proper.add(number)
    return [tuple(scores.values()) for number, scores in found.items() if number in proper]


def unrated(db: Database, most: int) -> list[Finish]:
    """Matches that have ended and are not rated, with their results."""
    found = db.execute(UNRATED, {"most": most}).fetchall()
    return [_finish(db, row) for row in found]


def ratings(db: Database, whose: Iterable[Rated]) -> dict[Rated, Rating]:
    """Ratings as they stand."""
    found = {}
    for key in whose:
        for row in db.execute(RATING, msgspec.structs.asdict(key)).fetchall():
            found[key] = Rating(*row)
    return found


def put_ratings(
    db: Database, steps: Iterable[tuple[int, Ratings]], known: Mapping[Rated, Rating]
) -> None:
    """The ratings that matches have changed, also beside the results that have changed them."""
    steps = list(steps)
    # Others who rate wait here for each other: the next one sees what has become of the matches and
    # the ratings.
    db.execute(LOCK_RATINGS).fetchall()
    is_rated = any(first_value(db.execute(IS_RATED, {"number": number})) for number, _ in steps)
    keys = {key for _, changed in steps for key in changed}
    if is_rated or ratings(db, keys) != {key: known[key] for key in keys if key in known}:
        raise Conflict("refusal.conflict")
    for number, changed in steps:
        for key, rating in changed.items():
            facts = {
                **msgspec.structs.asdict(key),
                **msgspec.structs.asdict(rating),
                "number": number,
            }
            db.execute(PUT_RATING, {**facts, "sure": rating.sure})
            if key.pool is Pool.PEOPLE:
                db.execute(
                    NOTE_RATING_EVERYWHERE if key.guild == EVERYWHERE else NOTE_RATING_HERE, facts
                )
        db.execute(SET_RATED, {"number": number, "is_rated": True})


def ratings_of(db: Database, user: int, guild: int) -> dict[str, Rating]:
    """A person's ratings, by game."""
    found = db.execute(RATINGS_OF, {"guild": guild, "user": user}).fetchall()
    return {game: Rating(*rating) for game, *rating in found}


def board(db: Database, board: Board) -> list[Ranked]:
    """Those who are listed, the best first; those of one rating share a place."""
    facts = msgspec.structs.asdict(board) | {
        "hidden": HIDDEN,
        "scope": EVERYWHERE if board.everywhere else board.guild,
    }
    rows = db.execute(BOARD_EVERYWHERE if board.everywhere else BOARD, facts).fetchall()
    if board.besides and board.besides not in {row[0] for row in rows}:
        rows = [*rows, *db.execute(BESIDES, facts).fetchall()]
    found: list[Ranked] = []
    for user, level, sure, *rating in rows:
        place = len(found) + 1
        if place > board.most:
            ahead = AHEAD_EVERYWHERE if board.everywhere else AHEAD
            place = first_value(db.execute(ahead, {**facts, "sure": sure})) + 1
        elif found and found[-1].rating.sure == sure:
            place = found[-1].place
        found.append(Ranked(place, user, level, Rating(*rating)))
    return found


def rated_people(db: Database, guild: int) -> list[tuple[int, str]]:
    """People who have a rating on a server, by the names that they had last."""
    return list(
        dict(db.execute(RATED_PEOPLE, {"guild": guild, "hidden": HIDDEN}).fetchall()).items()
    )


def played(db: Database, user: int, guild: int | None, game: str | None) -> list[Played]:
    """A person's results, in order."""
    found = db.execute(RESULTS_OF, _within(user, guild, game))
    return [_played(row, guild is None) for row in found.fetchall()]


def companions(
    db: Database, user: int, guild: int | None, game: str | None
) -> list[tuple[int, int, str]]:
    """Who else was at a person's tables to the end."""
    found = db.execute(COMPANIONS, _within(user, guild, game))
    return [(number, other, name) for number, other, name in found.fetchall()]


def together(
    db: Database, one: int, other: int, guild: int | None, game: str | None
) -> list[tuple[Played, Played]]:
    """The results of two people in the same matches, in order."""
    theirs = {result.number: result for result in played(db, other, guild, game)}
    return [
        (own, theirs[own.number]) for own in played(db, one, guild, game) if own.number in theirs
    ]


def drop_ratings(db: Database) -> None:
    """All ratings forgotten.

    Without a condition SQLite empties the table in one go, however full it is.
    """
    db.execute(DELETE_RATINGS)


def _within(user: int, guild: int | None, game: str | None) -> dict[str, Any]:
    """Whose matches are meant: of a server or everywhere, of a game or of all."""
    all_games = {"game": game or "", "all_games": game is None}
    return {"user": user, "guild": guild or 0, "everywhere": guild is None, **all_games}


def _played(row: Any, everywhere: bool) -> Played:
    number, game, seats, at, name, place, score, kind, has_left, here_mu, here_sigma, mu, sigma = (
        row
    )
    return Played(
        number=number,
        game=game,
        seats=seats,
        at=at,
        name=name,
        place=place,
        score=score,
        kind=Kind(kind),
        has_left=has_left,
        mu=mu if everywhere else here_mu,
        sigma=sigma if everywhere else here_sigma,
    )


def _finish(db: Database, row: Any) -> Finish:
    return replace(Finish(*row), results=_results(db, row[0]))


def _results(db: Database, number: int) -> tuple[Result, ...]:
    names = Result.__struct_fields__
    rows = db.execute(RESULTS, {"number": number}).fetchall()
    return tuple(msgspec.convert(dict(zip(names, row, strict=True)), Result) for row in rows)
