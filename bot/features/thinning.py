"""Save space by deleting most positions of ended matches: all but the first, last and every 20th.

The log is kept whole, so a deleted position can be replayed from the one before it. A position is
deleted only after replaying it gave exactly the same result. If the rules were corrected during a
match, the positions that replaying no longer reproduces are kept.

This runs long after the end, in steps so small that nobody notices: some twenty positions are read,
replayed in a thread, and deleted in one transaction. An interrupted step is simply repeated.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from bot.kernel import encoding, queries
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.model import Job, StoredCommit
from bot.runtime.base import DAY, NotFound, Refused, log_error
from bot.store.sql import Command, Database, SelectOne, Statement
from bot.ui import Feature
from engine import EngineError, Match

KEEP_EVERY = 20
"""Keep one position in this many."""
THIN = "thin"
"""The kind of job that thins the next match. There is only one such job."""
MIN_AGE_SECONDS = DAY
"""How long to leave a match alone after its end: that is when people look at it most."""
IDLE_SECONDS = 600
"""How long to wait if there is no match to thin."""
PAUSE_SECONDS = 0.1
"""The pause between two steps."""

next_to_thin = SelectOne(
    str,
    """
    SELECT id FROM matches WHERE NOT is_open AND NOT thinned AND last_activity_at < {before}
    ORDER BY last_activity_at LIMIT 1
    """,
)
"""Return the oldest match that ended before a time and was not thinned yet."""

last_position = SelectOne(
    int,
    """
    SELECT number FROM moves WHERE match_id = {match} AND position IS NOT NULL
    ORDER BY number DESC LIMIT 1
    """,
)
"""Return the last commit of a match whose position is stored."""

# An open match is never thinned, because it may be rewound.
DELETE_POSITION = Statement("""
    UPDATE moves SET position = NULL WHERE match_id = {match} AND number = {number}
        AND EXISTS (SELECT 1 FROM matches WHERE id = {match} AND NOT is_open)
""")

MARK_THINNED = Statement("UPDATE matches SET thinned = TRUE WHERE id = {match} AND NOT is_open")

DELETE_CLOCKS = Command(
    "UPDATE moves SET clocks = NULL WHERE match_id = {match} AND clocks IS NOT NULL"
)


def delete_positions(db: Database, match_id: str, numbers: Iterable[int]) -> None:
    """Delete the positions after these commits of a match."""
    db.executemany(DELETE_POSITION, [{"match": match_id, "number": number} for number in numbers])


def mark_thinned(db: Database, match_id: str) -> None:
    """Mark a match as thinned, and delete its clocks, which only a rewind would need."""
    if MARK_THINNED.run(db, match_id).rowcount:
        DELETE_CLOCKS(db, match_id)


async def start(kernel: Kernel) -> None:
    """Schedule the job, unless it is scheduled already."""
    if not await kernel.store.read(queries.find_job, THIN):
        await kernel.scheduler.set(Job(THIN, int(kernel.now()) + IDLE_SECONDS))


async def thin_next(kernel: Kernel, job: Job) -> None:
    """Thin the match that ended first, if there is one, and schedule the job again."""
    match = await kernel.store.read(next_to_thin, int(kernel.now()) - MIN_AGE_SECONDS)
    if match is not None:
        try:
            await thin(kernel, match)
        except (Refused, NotFound, EngineError) as error:
            # Leave a match alone that cannot be read, but mark it, or it would be next for ever.
            log_error(error, f"couldn't thin out the saved positions of match {match}")
        await kernel.store.write(mark_thinned, match)
    await kernel.scheduler.set(Job(THIN, int(kernel.now()) + (1 if match else IDLE_SECONDS)))


async def thin(kernel: Kernel, match_id: str) -> None:
    """Delete the positions of a match that can be replayed, KEEP_EVERY commits at a time."""
    last = await kernel.store.read(last_position, match_id) or 0
    for first in range(0, last, KEEP_EVERY):
        stored_commits, positions = await kernel.matches.replay(
            match_id, first, min(first + KEEP_EVERY, last)
        )
        restorable = await asyncio.to_thread(
            restorable_positions, stored_commits[1:], positions, last
        )
        await kernel.store.write(delete_positions, match_id, restorable)
        await asyncio.sleep(PAUSE_SECONDS)


def restorable_positions(
    stored_commits: Sequence[StoredCommit], positions: Mapping[int, Match], last: int
) -> list[int]:
    """Return the numbers of the positions that replaying from the one before reproduces exactly."""
    restorable = []
    for stored in stored_commits:
        if not stored.snapshot or stored.number % KEEP_EVERY == 0 or stored.number == last:
            continue
        try:
            played = encoding.replay_commit(positions[stored.number - 1], stored, positions)
        except Refused:
            # The rules have changed since, so only the stored position shows how it was.
            continue
        if played == positions[stored.number]:
            restorable.append(stored.number)
    return restorable


def build(kernel: Kernel) -> Parts:
    """Connect the job that thins matches."""
    return Parts(jobs={THIN: partial(thin_next, kernel)}, on_start=(partial(start, kernel),))


FEATURE = Feature(name="thinning", build=build)
