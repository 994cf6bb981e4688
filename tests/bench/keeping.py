"""Measure what ended matches cost: looking at their moments, and opening a file full of them."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from statistics import median

from bot.features.history.moments import MAX_DESCRIBED_MOMENTS, load_timeline
from bot.features.thinning import KEEP_EVERY, mark_thinned, thin
from bot.kernel import queries
from bot.store.sqlite import SqliteStore
from tests.bench.growth import EARLY, LATE, copy_match, long_map
from tests.bench.measure import Measured, Row, rounds
from tests.bench.place import on_disk
from tests.bench.tables import Tables
from tests.bot.services import Services, open_services

MANY = 100_000
"""How many ended matches a full file has."""
PLAYED = 8
"""How many moves each of them has."""
MOVES = 20
"""How many moves to time in a row, with or without thinning."""
RESULTS = """
    INSERT INTO results
    SELECT copy.number, seat, user_id + 100 * copy.number, name, level, place, score, kind,
        has_left, came_late, counts, here_mu, here_sigma, mu, sigma, character
    FROM finishes AS copy, results WHERE results.number = 1 AND copy.number != 1
"""


async def _time_moment(matches: Services, match: str, moment: int) -> float:
    """Return the milliseconds to load a moment that is not cached, its round and its events.

    Drawing is left out: a crowded board takes longer to draw than an empty one, cached or not.
    """
    matches._past.clear()
    room = await matches.find(match)
    start = time.process_time()
    timeline = await load_timeline(matches.kernel, room)
    await timeline.room_at(moment)
    await timeline.round_at(moment)
    for number in range(moment - MAX_DESCRIBED_MOMENTS + 1, moment + 1):
        await timeline.events_at(number, None)
    return (time.process_time() - start) * 1000


async def moment(path: Path, quick: bool, thinned: bool) -> Measured:
    """Compare twenty moments from the 300th on with twenty from the 5th on, in turn.

    Twenty in a row cover every distance from a stored position.
    """
    early, late = [], []
    async with Tables(open_services(await SqliteStore.open(path / "motu.db"))) as tables:
        match = await tables.open_match(settings={"board": long_map()})
        for _ in range(LATE + KEEP_EVERY):
            await tables.make_move(match)
        await tables.resign_all(match)
        if thinned:
            await thin(tables.matches.kernel, match)
        for _ in range(rounds(quick)):
            for step in range(KEEP_EVERY):
                early.append(await _time_moment(tables.matches, match, EARLY + step))
                late.append(await _time_moment(tables.matches, match, LATE + step))
    ours = sum(late) / len(late)
    naive = sum(early) / len(early)
    return Measured(
        ours / naive, ours, naive, f"medians {median(late):.2f} and {median(early):.2f} ms"
    )


async def full(path: Path, quick: bool) -> Measured:
    """Compare opening a file full of matches, up to the first move, with opening an empty one."""
    many = MANY // 50 if quick else MANY
    await asyncio.to_thread(
        _fill_file, await _make_ended_match(path / "full.db"), path / "full.db", many
    )
    none, lots = [], []
    await (await SqliteStore.open(path / "empty.db")).close()
    for _ in range(rounds(quick)):
        none.append(await _time_opening(path / "empty.db"))
        lots.append(await _time_opening(path / "full.db"))
    size = (path / "full.db").stat().st_size / 2**20
    return Measured(
        median(lots) / median(none), median(lots), median(none), f"{many:,} matches, {size:.0f} MiB"
    )


async def _make_ended_match(path: Path) -> str:
    """Play a match, end and thin it; it is the only one in its file."""
    async with Tables(open_services(await SqliteStore.open(path))) as tables:
        await tables.matches.recover()
        match = await tables.open_match()
        for _ in range(PLAYED):
            await tables.make_move(match)
        await tables.resign_all(match)
        await tables.matches.pipeline.change(
            match, lambda change: change.update(result_unannounced=False)
        )
        await thin(tables.matches.kernel, match)
        await tables.matches.store.write(mark_thinned, match)
    return match


def _fill_file(match: str, path: Path, many: int) -> None:
    with closing(sqlite3.connect(path)) as database:
        copy_match(database, match, many - 1)
        database.execute("DELETE FROM jobs")
        database.execute(RESULTS)
        database.commit()


async def _time_opening(path: Path) -> float:
    """Return the milliseconds from opening a file to the first move in it, as people wait."""
    start = time.perf_counter()
    matches = open_services(await SqliteStore.open(path))
    # What the bot looks for before it serves anybody.
    await matches.recover()
    await matches.pending_posts()
    await matches.votes.find_matches_voting()
    await matches.select(queries.matches_unable_to_post, own=matches.store.own)
    await matches.unannounced_results()
    await matches.lobbies()
    await matches.select(queries.distinct_board_samples, 16, own=matches.store.own)
    await matches.scheduler.beat()
    async with Tables(matches) as tables:
        match = await tables.open_match()
        await tables.make_move(match)
        spent = (time.perf_counter() - start) * 1000
        await tables.resign_all(match)
    return spent


async def thinning(path: Path, quick: bool) -> Measured:
    """Compare moves while old matches are thinned without a pause with moves otherwise, in turn."""
    peace, beside = [], []
    async with Tables(open_services(await SqliteStore.open(path / "motu.db"))) as tables:
        old = await tables.open_match(settings={"board": long_map()})
        for _ in range(LATE if not quick else KEEP_EVERY * 3):
            await tables.make_move(old)
        await tables.resign_all(old)
        match = await tables.open_match(settings={"board": long_map()})
        for _ in range(2 if quick else 8):
            peace += [await _time_move(tables, match) for _ in range(MOVES)]
            work = asyncio.create_task(_thin_forever(tables.matches, old))
            beside += [await _time_move(tables, match) for _ in range(MOVES)]
            work.cancel()
            await asyncio.wait([work])
    return Measured(median(beside) / median(peace), median(beside), median(peace))


async def _thin_forever(matches: Services, match: str) -> None:
    """Thin a match again and again: after the first time everything is only read and replayed."""
    while True:
        await thin(matches.kernel, match)


async def _time_move(tables: Tables, match: str) -> float:
    move = await tables.choose_move(match)
    start = time.perf_counter()
    await tables.play_move(move)
    return (time.perf_counter() - start) * 1000


ROWS = (
    Row(
        "moment",
        "a look at moment 300 of a match / at moment 5",
        1.05,
        1.1,
        lambda quick: asyncio.run(
            on_disk(lambda path, quick: moment(path, quick, thinned=False), quick)
        ),
    ),
    Row(
        "moment thinned",
        "the same with every 20th position kept",
        1.05,
        1.1,
        lambda quick: asyncio.run(
            on_disk(lambda path, quick: moment(path, quick, thinned=True), quick)
        ),
    ),
    Row(
        "thinning",
        "a move while old matches are thinned / in peace",
        1.1,
        1.3,
        lambda quick: asyncio.run(on_disk(thinning, quick)),
    ),
    Row(
        "full",
        "from opening a file of 100,000 finished matches to a move / an empty one",
        1.1,
        1.5,
        lambda quick: asyncio.run(on_disk(full, quick)),
    ),
)
