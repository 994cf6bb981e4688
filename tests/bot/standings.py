"""Results of simulated matches, written straight into a database."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random

from msgspec.structs import replace

from bot.features.ratings import queries as rating_queries
from bot.features.ratings.records import Finish, Kind, Result
from bot.features.ratings.service import Standing
from bot.kernel import queries
from bot.model import COMPUTER, MatchRecord, Person, Place, Status
from bot.store.sql import Database, Select
from bot.store.sqlite_file import open_file

GUILD, GAME = 1, "blue_lagoon"
DAY = 86_400
BEGAN = 1_700_000_000
"""When the first of them ended."""


def simulate_matches(number: int, players: int, random: Random, game: str = GAME) -> list[Finish]:
    """Return finished matches of people who play better the higher their number is."""
    found = []
    for match in range(number):
        seats = random.randint(2, 4)
        users = random.sample(range(1, players + 1), seats)
        if seats > 2 and random.random() < 0.2:
            users[random.randrange(seats)] = COMPUTER
        scores = [float(round(random.gauss(60 + (user / players) * 20, 10))) for user in users]
        results = tuple(
            Result(
                seat=seat,
                user=user,
                name=f"Player {user}" if user else "Tane",
                level="" if user else "steady",
                place=1 + sum(other > score for other in scores),
                score=score,
                kind=Kind.RATED,
                counts=True,
            )
            for seat, (user, score) in enumerate(zip(users, scores, strict=True))
        )
        facts = {"number": match + 1, "match": f"m{match:07}", "at": BEGAN + match * DAY // 10}
        found.append(Finish(guild=GUILD, game=game, seats=seats, results=results, **facts))
    return found


def fill(path: Path, finishes: Sequence[Finish]) -> None:
    """Write finished, unrated matches into a closed database."""
    with closing(open_file(path)) as database:
        database.execute("BEGIN")
        put(database, finishes)
        database.execute("COMMIT")


FINISH_OF = Select(
    Finish,
    """
    SELECT number, match_id, guild, game, seats, finished_at FROM finishes WHERE match_id = {match}
    """,
)


def find_finish(db: Database, match: str) -> Finish | None:
    """Return a match that has ended, with its results."""
    for finish in FINISH_OF(db, match):
        return replace(finish, results=tuple(rating_queries.RESULTS(db, finish.number)))
    return None


async def rate_all(standing: Standing) -> None:
    """Rate every finished match."""
    while standing._chores.tasks:
        await standing.wait_until_rated()


def put(database: Database, finishes: Sequence[Finish]) -> None:
    """Write finished, unrated matches into an open database."""
    for finish in finishes:
        people = tuple(Person(one.user, one.name) for one in finish.results)
        record = MatchRecord(
            id=finish.match,
            game=finish.game,
            status=Status.FINISHED,
            place=Place(finish.guild, 2),
            host=people[0].id,
            settings={},
            chairs=people,
            last_activity_at=finish.at,
        )
        queries.create_match(database, record)
        rating_queries.put_finish(database, record, finish.results)
