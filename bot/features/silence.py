"""Matches in which nothing happens: after two weeks without a clock the table is asked once.

It is asked again only after something has happened, and then nothing for as long again. Players
with a clock are reminded by that. Time in which the bot was down does not count.
"""

from contextlib import suppress
from functools import partial

from bot.features.votes import rules
from bot.features.votes.rules import Kind
from bot.features.votes.service import Votes
from bot.kernel.change import Change
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.kernel.room import SILENT, Room
from bot.model import BOT, OPEN, Job, Pace, Status, Vote
from bot.runtime.base import DAY, Refused
from bot.ui import Feature

LOOK_FOR_SILENCE = "silence"
"""The job that looks whether a match is silent."""
WHAT_NOW = "silence"
"""The kind of the vote that asks the table what to do."""


def schedule_first_look(change: Change) -> Change:
    """Schedule the first look at a match that begins."""
    if change.before.match is None and change.after.match is not None:
        return change.schedule(Job(LOOK_FOR_SILENCE, change.now + SILENT, change.match_id))
    return change


async def look(kernel: Kernel, job: Job) -> None:
    """Ask the table what to do if nothing has happened for long, and schedule the next look."""
    room = await kernel.matches.find(job.match)
    if room.match is None or room.record.status not in OPEN:
        return
    silent_seconds = kernel.clocks.silent_seconds(room)
    is_silent = silent_seconds >= SILENT
    if (
        is_silent
        and room.record.status is Status.RUNNING
        and room.record.terms.time.pace is Pace.NONE
    ):
        # Refused if it has just gone on, cannot post, or there are no votes.
        with suppress(Refused):
            votes = kernel.services.require(Votes)
            asked = [vote.opened for vote in await votes.all(job.match) if vote.kind == WHAT_NOW]
            if max(asked, default=0) <= room.record.last_activity_at:
                await votes.propose(job.match, BOT, WHAT_NOW, {"number": room.match.number})
    wait = SILENT if is_silent else SILENT - silent_seconds
    await kernel.scheduler.set(Job(LOOK_FOR_SILENCE, int(kernel.now()) + wait, job.match))


def check_silent(room: Room, vote: Vote) -> None:
    """Refuse to ask about a match that goes on."""
    if room.record.status is not Status.RUNNING or room.playing().number > vote.facts["number"]:
        raise Refused("vote.goes_on")


def pause_or_end(change: Change, vote: Vote) -> Change:
    """Do what the table has decided."""
    return (
        rules.pause(change, vote) if vote.outcome == rules.PAUSE else rules.call_off(change, vote)
    )


def build(kernel: Kernel) -> Parts:
    """Have running matches looked at now and then; without votes nobody is asked about them."""
    if votes := kernel.services.get(Votes):
        kind = Kind(
            name=WHAT_NOW,
            rule=rules.what_now,
            carry_out=pause_or_end,
            check=check_silent,
            options=(rules.GO_ON, rules.PAUSE, rules.END),
            lasts=7 * DAY,
        )
        votes.register(kind)
    return Parts(jobs={LOOK_FOR_SILENCE: partial(look, kernel)}, followers=(schedule_first_look,))


FEATURE = Feature(name="silence", build=build)
