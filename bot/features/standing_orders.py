"""Standing orders that answer after a while: an answer at once would give the order away.

Conquest's order to declare Victory is one. Everybody can work out from the table who might win. If
a seat with that order were not asked at all, and did not declare, it would show that its hidden
cards fall short. So it is asked and waited for like any other, and the order answers some minutes
later, as a person would; until then its owner may answer by hand.
"""

import secrets

from bot.kernel.change import Change
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room
from bot.model import Job, Status
from bot.ui import Feature
from engine import Answer, Seat

ORDERED_ANSWER = "standing_order"
"""The job of an order that is to answer what its seat is asked."""
SOONEST, LATEST = 5 * 60, 30 * 60
"""Seconds after which an answer comes that was decided before: as a person's might."""


def human_delay() -> int:
    """Return how many seconds an answer that was decided before waits, by chance alone."""
    return SOONEST + secrets.randbelow(LATEST - SOONEST)


def ordered_answer(room: Room, seat: Seat) -> Answer | None:
    """Return what a standing order answers; None if nothing, or if the player has begun to."""
    match = room.match
    if match is None or room.record.status is not Status.RUNNING or match.outcome is not None:
        return None
    if seat not in match.humans() or match.draft(seat).answers:
        return None
    return match.game.standing_answer(match.base, seat)


def ordered_turns(room: Room) -> dict[Seat, tuple[int, int]]:
    """Return the seats that an order is to answer for, each with its person and its turn."""
    if room.match is None:
        return {}
    seats = [seat for seat in room.match.waiting_for() if ordered_answer(room, seat)]
    return {seat: (room.record.chairs[seat].id, room.match.turn(seat)) for seat in seats}


def schedule_answers(change: Change) -> Change:
    """Schedule answers to questions that are new, and cancel those to questions that are gone."""
    asked_before, asked_now = ordered_turns(change.before), ordered_turns(change.after)
    for seat, asked in asked_now.items():
        if asked_before.get(seat) != asked:
            # The delay depends on nothing but chance: not on the cards, nor on what the order will
            # say.
            at = change.now + human_delay()
            change = change.schedule(
                Job(ORDERED_ANSWER, at, change.match_id, asked[0], {"seat": seat})
            )
    gone = {user for user, _ in asked_before.values()} - {user for user, _ in asked_now.values()}
    return change.cancel_jobs(*((ORDERED_ANSWER, user) for user in gone))


def build(kernel: Kernel) -> Parts:
    """Have standing orders answer in every match."""

    async def answer(job: Job) -> None:
        def give_answer(change: Change) -> Change:
            seat = Seat(job.facts["seat"])
            answer = ordered_answer(change.before, seat)
            if answer is None:
                return change
            drafted = change.before.playing().pick(answer)
            return change.play(drafted, drafted.confirm(seat))

        await kernel.pipeline.change(job.match, give_answer)

    return Parts(jobs={ORDERED_ANSWER: answer}, followers=(schedule_answers,))


FEATURE = Feature(name="standing_orders", build=build)
