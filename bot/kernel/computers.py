"""Computer players: they think beside the line of presses, and move in it.

A thought takes a while, and nobody is held up by it: people may draft, take offers or leave
meanwhile. It is made of the match as it stood, and dropped if another commit has come before it.
Nothing of it is stored: after a restart the same position is thought about again, and comes to the
same.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

from cachetools import LRUCache

from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.matches import Matches
from bot.kernel.pipeline import Pipeline
from bot.kernel.post_rules import computer_to_move
from bot.kernel.room import Room
from bot.model import Status
from bot.runtime.base import Chores, Refused, awaited_task, log_error
from bot.store.base import Store
from bot.workers.pool import JobFailed, Urgency, WorkerLost
from engine import Answer, Game, Match, Seat
from engine.players import Level, Thought, dealt_for, think
from engine.players.simple import stand_in

TRIES = 3
"""How many workers may die over a position before the plain player moves, who needs none."""
SLOW_SECONDS = 1.0
"""How long a computer may think before people are told that it does."""
ADVISED = 64
"""Positions of which a seat's advice is remembered.

A coach and a hint ask again at every step of a turn, about one position.
"""


class Thinker(Protocol):
    """Thinks for a computer player: here, or in another process."""

    async def __call__(
        self, game: Game[Any], state: Any, seat: Seat, seed: str, level: Level, urgency: Urgency
    ) -> Thought:
        """Return what the seat does; the state holds nothing that it cannot know."""


async def think_here(
    game: Game[Any],
    state: Any,
    seat: Seat,
    seed: str,
    level: Level,
    urgency: Urgency = Urgency.TURN,
) -> Thought:
    """Think in a thread of this process."""
    return await asyncio.to_thread(think, game, state, seat, seed, level)


class Computers:
    """The computer players of all matches. In each match one thinks at a time."""

    def __init__(
        self, matches: Matches, pipeline: Pipeline, thinker: Thinker, on_slow: Callable[[str], None]
    ) -> None:
        self._matches = matches
        self._pipeline = pipeline
        self._thinker = thinker
        self._on_slow = on_slow
        self._playing = Chores("computers", self._play)
        self._slow: dict[str, Seat] = {}
        self._advised: LRUCache[tuple[str, Seat, int], asyncio.Future[Thought]] = LRUCache(ADVISED)
        """Advice by match, seat and number of commits."""

    async def wake_all(self, store: Store) -> None:
        """Let computers move wherever one is to and is not thinking yet."""
        for match in await store.read(queries.matches_awaiting_computer, own=store.own):
            self.wake(match)

    def wake(self, match: str) -> None:
        """Let a computer move in a match if one is to."""
        self._playing.poke(match)

    async def wait(self, room: Room, seconds: float) -> Room:
        """Wait, up to a limit, until no computer has to move in a match, and return that match."""
        if room.match is None or computer_to_move(room.match) is None:
            return room
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._playing.finish(room.record.id)
        return await self._matches.find(room.record.id)

    def thinking(self, match: str) -> Seat | None:
        """Return the seat that has been thinking for so long that people ought to know, or None."""
        return self._slow.get(match)

    def stop(self) -> None:
        """Cancel all thinking, and start no more."""
        self._playing.stop()
        for thought in self._advised.values():
            thought.cancel()

    async def close(self) -> None:
        """Cancel all thinking, and wait until it has ended."""
        self.stop()
        advising = self._advised.values()
        await asyncio.gather(self._playing.close(), *advising, return_exceptions=True)

    async def advice(self, room: Room, seat: Seat) -> Thought:
        """Return what a strong player would do in a seat; refuse if the thinking fails."""
        about = (room.record.id, seat, room.playing().number)
        if about not in self._advised:
            thinking = self._think_about(room, seat, "strong", Urgency.PERSON)
            self._advised[about] = awaited_task(thinking)
        thought = self._advised[about]
        try:
            # Shielded: others may be waiting for a thought about the same position.
            return await asyncio.shield(thought)
        except (WorkerLost, JobFailed) as error:
            self._advised.pop(about, None)
            raise Refused("refusal.no_hint") from error
        except asyncio.CancelledError:
            if thought.cancelled():
                raise Refused("refusal.restarting") from None
            raise

    def known_advice(self, room: Room, seat: Seat) -> Thought | None:
        """Return the advice for a seat if it has been thought out already."""
        thought = self._advised.get((room.record.id, seat, room.playing().number))
        if thought is None or not thought.done() or thought.cancelled() or thought.exception():
            return None
        return thought.result()

    async def proposal(self, room: Room, seat: Seat) -> tuple[Answer, ...]:
        """Return a whole turn for an absent player, at the level of stand-ins, without offers."""
        try:
            thought = await self._think_about(
                room, seat, room.record.terms.stand_in, Urgency.NOBODY
            )
        except (WorkerLost, JobFailed) as error:
            log_error(error, "a thought failed: the plain player drafts")
            thought = Thought()
        if thought.answers:
            return thought.answers
        made = stand_in(room.playing().without_drafts(), seat).last
        return made.answers if made else ()

    async def _think_about(self, room: Room, seat: Seat, level: Level, urgency: Urgency) -> Thought:
        stood = room.playing()
        # The same position comes to the same thought, after a restart too. The number of commits
        # would not do: when others give standing orders in secret it grows, and a hint that changes
        # would tell.
        seed = f"{room.record.id}/{stood.answered[seat]}/{seat}"
        return await self._thinker(
            stood.game, dealt_for(stood.game, stood.base, seat), seat, seed, level, urgency
        )

    async def _play(self, match: str) -> None:
        """Move for the computers of a match until a person is to move."""
        try:
            while True:
                room = await self._matches.find(match)
                stood = room.match
                if stood is None or room.record.status is not Status.RUNNING:
                    return
                seat = computer_to_move(stood)
                if seat is None:
                    return
                if stood.moves >= stood.game.commit_limit:
                    raise RuntimeError(
                        f"no match of {stood.game.id} has more than {stood.moves} commits"
                    )
                thought = await self._think_of_move(room, seat)
                await self._pipeline.change(
                    match, partial(_move, stood=stood, seat=seat, thought=thought)
                )
        except Exception as error:
            # The people's own moves are stored already: none may fail because a computer did.
            log_error(error, f"the computer cannot play on in match {match}")

    async def _think_of_move(self, room: Room, seat: Seat) -> Thought | None:
        """Return what a computer does, None for the plain player's move.

        People hear of it if it thinks for long.
        """

        def note_slow() -> None:
            self._slow[room.record.id] = seat
            self._on_slow(room.record.id)

        timer = asyncio.get_running_loop().call_later(SLOW_SECONDS, note_slow)
        try:
            for _ in range(TRIES):
                try:
                    return await self._think_about(room, seat, room.level_of(seat), Urgency.TURN)
                except WorkerLost as error:
                    log_error(error, "a worker is gone: another thinks again")
                except JobFailed as error:
                    log_error(error, f"a thought failed: {error}")
                    break
            return None
        finally:
            timer.cancel()
            self._slow.pop(room.record.id, None)


def _move(change: Change, stood: Match, seat: Seat, thought: Thought | None) -> Change:
    """Make a computer's move, if the match still stands where it was thought about."""
    match, status = change.before.match, change.before.record.status
    if match is None or status is not Status.RUNNING or match.number != stood.number:
        return change
    if seat in match.humans() or seat not in match.waiting_for():
        return change
    if thought is None:
        moved = stand_in(match, seat)
    elif thought.offer is not None:
        moved = match.pick(thought.offer)
    else:
        moved = match.redrafted(seat, thought.answers).confirm(seat)
    if moved.number != match.number + 1:
        raise RuntimeError(f"a computer made {moved.number - match.number} commits at once")
    return change.play(moved)
