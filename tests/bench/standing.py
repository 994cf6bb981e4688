"""Measure the leaderboard of a server with ten thousand results."""

import asyncio
import time
from pathlib import Path
from random import Random
from statistics import median

from bot.features.ratings import queries as rating_queries
from bot.features.ratings import rules
from bot.features.ratings.records import Board, Pool
from bot.features.ratings.statistics import draw_leaderboard
from bot.kernel import queries
from bot.store.sqlite import SqliteStore
from bot.ui.pictures import Pictures
from tests.bench.measure import Measured, Row, rounds
from tests.bench.place import on_disk
from tests.bot.services import open_services
from tests.bot.standings import BEGAN, DAY, GAME, GUILD, fill, rate_all, simulate_matches

RESULTS, QUICK_RESULTS = 10_000, 500
PLAYERS = 1_000


async def leaderboard(path: Path, quick: bool) -> Measured:
    """Return the milliseconds to its picture, for somebody far down in the list."""
    many = QUICK_RESULTS if quick else RESULTS
    finishes = simulate_matches(many, players=many * PLAYERS // RESULTS, random=Random(1))
    fill(path / "motu.db", finishes)
    matches = open_services(
        await SqliteStore.open(path / "motu.db"), now=lambda: BEGAN + many * DAY // 10
    )
    pictures = Pictures()
    try:
        await matches.store.write(
            queries.put_server_setting, 0, rating_queries.KNOWN_RULES, str(rules.RULES)
        )
        await matches.recover()
        await rate_all(matches.standing)
        asked, drawn = [], []
        for _ in range(rounds(quick)):
            start = time.process_time()
            ranked = await matches.store.read(
                rating_queries.board, Board(game=GAME, guild=GUILD, besides=1)
            )
            asked.append((time.process_time() - start) * 1000)
            start = time.process_time()
            await pictures.draw(
                draw_leaderboard, [(GAME, ranked)], "bench", "bench", Pool.PEOPLE, 1
            )
            drawn.append((time.process_time() - start) * 1000)
    finally:
        pictures.close()
        await matches.close()
    found, made = median(asked), median(drawn)
    note = f"{many:,} matches; {found:.1f} ms for the list, {made:.1f} for its picture"
    return Measured(found + made, found + made, None, note)


ROWS = (
    Row(
        "leaderboard",
        "milliseconds for the leaderboard of a server with 10,000 results",
        15,
        20,
        lambda quick: asyncio.run(on_disk(leaderboard, quick)),
    ),
)
