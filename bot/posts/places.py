"""Where a match is played: moved to another place, paused while it cannot post."""

from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room
from bot.model.match import Place, Status


async def move_match(kernel: Kernel, match: str, place: Place) -> Room:
    """Play a match in another place from now on; one that was paused because it could not post
    goes on there.
    """

    def move(change: Change) -> Change:
        record = change.before.record
        change = change.update(
            place=place,
            status=Status.RUNNING if record.status is Status.PAUSED else record.status,
            paused_for="",
            last_activity_at=change.now if record.paused_for else record.last_activity_at,
        )
        if record.turn_message and place.posts_to != record.place.posts_to:
            # The last board stays where it was: nothing in the new place may be taken for it.
            change = change.update(turn_message=0).post_again()
        return change

    return (await kernel.pipeline.change(match, move)).after


async def pause_match(kernel: Kernel, match: str, why: str) -> Room | None:
    """Pause a match that cannot post where it is played, for a reason of [pause]; None if it is
    paused already.
    """

    def pause(change: Change) -> Change:
        record = change.before.record
        if record.paused_for:
            return change
        status = Status.PAUSED if record.status is Status.RUNNING else record.status
        return change.update(status=status, paused_for=why)

    change = await kernel.pipeline.change(match, pause)
    return change.after if change.after is not change.before else None
