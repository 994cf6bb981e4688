"""Where a match is played: moved to another place, paused while it cannot post, and its end told there."""

from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room
from bot.model.match import Place, Status


class Places:
    """The places of all matches."""

    def __init__(self, kernel: Kernel) -> None:
        self._store = kernel.store
        self._pipeline = kernel.pipeline

    async def move(self, match: str, place: Place) -> Room:
        """Play a match in another place from now on; one that was paused because it could not post goes on there."""

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

        return (await self._pipeline.change(match, move)).after

    async def pause(self, match: str, why: str) -> Room:
        """Pause a match that cannot post where it is played, for a reason of [pause]."""

        def pause(change: Change) -> Change:
            status = change.before.record.status
            return change.update(status=Status.PAUSED if status is Status.RUNNING else status, paused_for=why)

        return (await self._pipeline.change(match, pause)).after

    async def unannounced_results(self) -> list[str]:
        """Return matches that have ended, and whose lobby and thread do not say so yet."""
        return await self._store.read(queries.matches_with_unannounced_result, own=self._store.own)

    async def note_result_announced(self, match: str) -> None:
        """Note that the lobby's message and the thread's name say how a match has ended, or cannot."""
        await self._pipeline.change(match, lambda change: change.update(result_unannounced=False))
