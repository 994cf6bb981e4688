"""Thins matches that have ended: the log is kept whole, of the positions the first, the last and
every 20th.

Any other position is found again by playing on from the one before it. It is deleted only after
that was tried and gave exactly the same: if the rules were corrected in the midst of a match, the
positions that this changed are kept.

It is done long after the end, in pieces so small that nobody notices: some twenty positions are
read, played through in a thread, and deleted in a transaction of their own. Whatever is interrupted
is done again.
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

EVERY = 20
"""One position in this many is kept."""
THIN = "thin"
"""The job that looks for the next match; there is one for all matches."""
REST = DAY
"""Seconds after its end in which a match is left as it is: people look at it most then."""
IDLE = 600
"""Seconds until matches are looked for again, if there was none."""
PAUSE_SECONDS = 0.1
"""Between two pieces of work."""

next_to_thin = SelectOne(
    str,
    """
    SELECT id FROM matches WHERE NOT is_open AND NOT thinned AND last_activity_at < {before}
    ORDER BY last_activity_at LIMIT 1
    """,
)
"""Return the match that ended first of those that ended before a time and were not thinned."""

last_position = SelectOne(
    int,
    """
    SELECT number FROM moves WHERE match_id = {match} AND position IS NOT NULL
    ORDER BY number DESC LIMIT 1
    """,
)
"""Return the last commit of a match whose position is kept."""

# A match that is open is never thinned: it may be rewound.
DELETE_POSITION = Statement("""
    UPDATE moves SET position = NULL WHERE match_id = {match} AND number = {number}
        AND EXISTS (SELECT 1 FROM matches WHERE id = {match} AND NOT is_open)
""")

MARK_THINNED = Statement("UPDATE matches SET thinned = TRUE WHERE id = {match} AND NOT is_open")

DELETE_CLOCKS = Command(
    "UPDATE moves SET clocks = NULL WHERE match_id = {match} AND clocks IS NOT NULL"
)


def delete_positions(db: Database, match: str, numbers: Iterable[int]) -> None:
    """Delete the positions after these commits of a match."""
    db.executemany(DELETE_POSITION, [{"match": match, "number": number} for number in numbers])


def mark_thinned(db: Database, match: str) -> None:
    """Note that a match was thinned, and delete its clocks: nothing goes back to them any more."""
    if MARK_THINNED.run(db, match).rowcount:
        DELETE_CLOCKS(db, match)


async def start(kernel: Kernel) -> None:
    """Schedule the job, unless it is scheduled."""
    if not await kernel.store.read(queries.find_job, THIN):
        await kernel.scheduler.set(Job(THIN, int(kernel.now()) + IDLE))


async def thin_next(kernel: Kernel, job: Job) -> None:
    """Thin the match that has waited longest, if there is one, and schedule the next."""
    match = await kernel.store.read(next_to_thin, int(kernel.now()) - REST)
    if match is not None:
        try:
            await thin(kernel, match)
        except (Refused, NotFound, EngineError) as error:
            # A match that cannot be read stays as it is, and holds up no other.
            log_error(error, f"match {match} is not thinned")
        await kernel.store.write(mark_thinned, match)
    await kernel.scheduler.set(Job(THIN, int(kernel.now()) + (1 if match else IDLE)))


async def thin(kernel: Kernel, match: str) -> None:
    """Delete the positions of a match that can be restored, from one that is kept to the next."""
    last = await kernel.store.read(last_position, match) or 0
    for first in range(0, last, EVERY):
        kept, stood = await kernel.matches.replay(match, first, min(first + EVERY, last))
        spare = await asyncio.to_thread(restorable_positions, kept[1:], stood, last)
        await kernel.store.write(delete_positions, match, spare)
        await asyncio.sleep(PAUSE_SECONDS)


def restorable_positions(
    kept: Sequence[StoredCommit], stood: Mapping[int, Match], last: int
) -> list[int]:
    """Return the numbers of the positions that playing on from the one before gives again."""
    spare = []
    for stored in kept:
        if not stored.snapshot or stored.number % EVERY == 0 or stored.number == last:
            continue
        try:
            played = encoding.played_on(stood[stored.number - 1], stored, stood)
        except Refused:
            # The rules have changed since: this position is the only witness.
            continue
        if played == stood[stored.number]:
            spare.append(stored.number)
    return spare


def build(kernel: Kernel) -> Parts:
    """Have old matches thinned for as long as the bot runs."""
    return Parts(jobs={THIN: partial(thin_next, kernel)}, on_start=(partial(start, kernel),))


FEATURE = Feature(name="thinning", build=build)
