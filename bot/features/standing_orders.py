"""Standing orders that answer after a delay, because an instant answer would reveal the order.

An example is Conquest's order to declare Victory. Everybody can see from the board who might have
enough points. If a seat with that order were skipped without declaring, it would reveal that its
hidden cards fall short. So it gets the question like any other, and the order answers some minutes
later, as a person might. Until then its owner may still answer by hand.

The delay must not depend on anything secret.
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
"""The kind of job that answers a question by standing order."""
MIN_DELAY_SECONDS, MAX_DELAY_SECONDS = 5 * 60, 30 * 60
"""The shortest and longest delay of an automatic answer."""


def human_delay() -> int:
    """Return a random delay in seconds, such as a person might take to answer."""
    return MIN_DELAY_SECONDS + secrets.randbelow(MAX_DELAY_SECONDS - MIN_DELAY_SECONDS)


def find_ordered_answer(room: Room, seat: Seat) -> Answer | None:
    """Return the answer of a seat's standing order; None if the player has begun to answer."""
    match = room.match
    if match is None or room.record.status is not Status.RUNNING or match.outcome is not None:
        return None
    if seat not in match.humans() or match.draft(seat).answers:
        return None
    return match.game.standing_answer(match.base, seat)


def find_ordered_turns(room: Room) -> dict[Seat, tuple[int, int]]:
    """Return the seats for which a standing order will answer, each with its user and turn."""
    if room.match is None:
        return {}
    turns = {}
    for seat in room.match.waiting_for():
        if find_ordered_answer(room, seat):
            turns[seat] = room.record.chairs[seat].id, room.match.turn(seat)
    return turns


def schedule_answers(change: Change) -> Change:
    """Schedule answers to new questions, and cancel those to questions that are gone."""
    turns_before, turns_now = find_ordered_turns(change.before), find_ordered_turns(change.after)
    for seat, turn in turns_now.items():
        if turns_before.get(seat) != turn:
            # The delay must not depend on the cards or on the answer, or it would reveal them.
            at = change.now + human_delay()
            change = change.schedule(
                Job(ORDERED_ANSWER, at, change.match_id, turn[0], {"seat": seat})
            )
    users_now = {user for user, _ in turns_now.values()}
    for user, _ in turns_before.values():
        if user not in users_now:
            change = change.cancel_jobs((ORDERED_ANSWER, user))
    return change


def build(kernel: Kernel) -> Parts:
    """Create the job and the follower that answer by standing order."""

    async def answer(job: Job) -> None:
        def give_answer(change: Change) -> Change:
            seat = Seat(job.facts["seat"])
            answer = find_ordered_answer(change.before, seat)
            if answer is None:
                return change
            drafted = change.before.playing().pick(answer)
            return change.play(drafted, drafted.confirm(seat))

        await kernel.pipeline.change(job.match, give_answer)

    return Parts(jobs={ORDERED_ANSWER: answer}, followers=(schedule_answers,))


FEATURE = Feature(name="standing_orders", build=build)
