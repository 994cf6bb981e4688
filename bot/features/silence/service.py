"""Matches in which nothing happens: after two weeks without a clock the table is asked, once, what to do.

It is asked again only after something has happened, and then nothing for as long again. Players with a clock are
reminded by that. Time in which the bot was down does not count.
"""

from contextlib import suppress

from msgspec.structs import replace

from bot.features.votes import kinds, rules
from bot.features.votes.absence import PlayerAbsence
from bot.features.votes.rules import Kind
from bot.features.votes.service import Votes
from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.kernel.room import SILENT, Room
from bot.model.clocks import Pace
from bot.model.jobs import Job
from bot.model.match import BOT, OPEN, Status
from bot.model.votes import Vote
from bot.runtime.clock import DAY
from bot.runtime.errors import Refused
from bot.text import say

LOOK_FOR_SILENCE = "silence"
"""The job that looks whether a match is silent."""


class Silence:
    """Looks at every running match now and then."""

    def __init__(self, kernel: Kernel) -> None:
        self._cache = kernel.cache
        self._scheduler = kernel.scheduler
        self._services = kernel.services
        self._now = kernel.now
        self._absence = PlayerAbsence(kernel)

    def watch(self, change: Change) -> Change:
        """Schedule the first look at a match that begins."""
        if change.before.match is None and change.after.match is not None:
            change = change.schedule(Job(LOOK_FOR_SILENCE, change.now + SILENT, change.match_id))
        return change

    async def look(self, job: Job) -> None:
        """Ask the table what to do if nothing has happened for long, and schedule the next look."""
        room = await self._cache.find(job.match)
        if room.match is None or room.record.status not in OPEN:
            return
        silent, wait = self._absence.silent_seconds(room), SILENT
        if silent < SILENT:
            wait = SILENT - silent
        elif room.record.status is Status.RUNNING and room.record.terms.time.pace is Pace.NONE:
            # Refused if it has just gone on, cannot post, or there are no votes.
            with suppress(Refused):
                await self._ask(room)
        await self._scheduler.set(Job(LOOK_FOR_SILENCE, int(self._now()) + wait, job.match))

    async def _ask(self, room: Room) -> None:
        """Ask the table, once for each silence."""
        votes = self._services.require(Votes)
        asked = [vote.opened for vote in await votes.all(room.record.id) if vote.kind == SILENCE.name]
        if max(asked, default=0) <= room.record.touched:
            await votes.propose(room.record.id, BOT, SILENCE.name)


def _note_commit(room: Room, vote: Vote) -> Vote:
    return replace(vote, facts={"number": room.playing().number})


def _must_be_silent(room: Room, vote: Vote) -> None:
    """Refuse to ask about a match that goes on."""
    if room.record.status is not Status.RUNNING or room.playing().number > vote.facts["number"]:
        raise Refused(say("vote.goes_on"))


def _pause_or_end(change: Change, vote: Vote, loaded: None) -> Change:
    return kinds.pause(change, vote) if vote.outcome == rules.PAUSE else kinds.call_off(change, vote)


SILENCE = Kind(
    name="silence",
    rule=rules.what_now,
    carry_out=_pause_or_end,
    prepare=_note_commit,
    check=_must_be_silent,
    options=(rules.GO_ON, rules.PAUSE, rules.END),
    lasts=7 * DAY,
)
