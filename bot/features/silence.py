"""Silent matches: after two weeks without a move, the players vote on what to do.

There is another vote only after somebody has moved and two more weeks have passed. Matches with a
clock are left out, since the clock already deals with silence. Time in which the bot was down does
not count.
"""

from contextlib import suppress
from functools import partial

from bot.features.votes import rules
from bot.features.votes.rules import Kind
from bot.features.votes.service import Votes
from bot.kernel.change import Change
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.kernel.room import SILENCE_SECONDS, Room
from bot.model import BOT, OPEN, Job, Pace, Status, Vote
from bot.runtime.base import DAY, Refused
from bot.ui import Feature

CHECK_SILENCE = "silence"
"""The kind of job that checks whether a match is silent."""
WHAT_NOW = "silence"
"""The kind of vote on what to do with a silent match."""


def schedule_first_check(change: Change) -> Change:
    """Schedule the first check of a match that begins."""
    if change.before.match is None and change.after.match is not None:
        return change.schedule(Job(CHECK_SILENCE, change.now + SILENCE_SECONDS, change.match_id))
    return change


async def check_silence(kernel: Kernel, job: Job) -> None:
    """Start a vote if the match has been silent for too long, and schedule the next check."""
    room = await kernel.matches.find(job.match)
    if room.match is None or room.record.status not in OPEN:
        return
    silent_seconds = kernel.clocks.silent_seconds(room)
    is_silent = silent_seconds >= SILENCE_SECONDS
    if (
        is_silent
        and room.record.status is Status.RUNNING
        and room.record.terms.time.pace is Pace.NONE
    ):
        # It is refused if somebody has just moved, the match cannot post, or there are no votes.
        with suppress(Refused):
            votes = kernel.services.require(Votes)
            earlier_votes = [
                vote.opened for vote in await votes.all(job.match) if vote.kind == WHAT_NOW
            ]
            if max(earlier_votes, default=0) <= room.record.last_activity_at:
                await votes.propose(job.match, BOT, WHAT_NOW, {"number": room.match.number})
    wait = SILENCE_SECONDS if is_silent else SILENCE_SECONDS - silent_seconds
    await kernel.scheduler.set(Job(CHECK_SILENCE, int(kernel.now()) + wait, job.match))


def must_be_silent(room: Room, vote: Vote) -> None:
    """Refuse the vote once somebody has moved."""
    if room.record.status is not Status.RUNNING or room.playing().number > vote.facts["number"]:
        raise Refused("vote.goes_on")


def pause_or_end(change: Change, vote: Vote) -> Change:
    """Pause or end the match, as the vote has decided."""
    if vote.outcome == rules.PAUSE:
        return rules.pause(change, vote)
    return rules.call_off(change, vote)


def build(kernel: Kernel) -> Parts:
    """Create the job that checks running matches, and register the vote."""
    if votes := kernel.services.get(Votes):
        kind = Kind(
            name=WHAT_NOW,
            rule=rules.what_now,
            apply=pause_or_end,
            check=must_be_silent,
            options=(rules.GO_ON, rules.PAUSE, rules.END),
            duration_seconds=7 * DAY,
        )
        votes.register(kind)
    return Parts(
        jobs={CHECK_SILENCE: partial(check_silence, kernel)}, followers=(schedule_first_check,)
    )


FEATURE = Feature(name="silence", build=build)
