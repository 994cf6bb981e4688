"""Seats without a person: thought for outside the line of presses, and moved when it is their turn in it.

A thought takes a while, and nobody is held up by it: people may draft, take offers or leave meanwhile. It is made of
the match as it stood, and dropped if another commit has come before it. Nothing of it is stored: after a restart the
same position is thought about again, and comes to the same.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from cachetools import LRUCache

from bot.kernel import queries
from bot.kernel.change import Change
from bot.kernel.matches import Matches
from bot.kernel.pipeline import Pipeline
from bot.kernel.post_rules import computer_to_move
from bot.kernel.room import Room
from bot.model.match import Status
from bot.runtime.errors import Refused, log_error
from bot.runtime.tasks import awaited_task, track_task
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
"""Seats whose last advice is remembered: a coach and a hint ask again at every step of a turn, about one position."""


class Thinker(Protocol):
    """Thinks for a computer player: here, or in another process."""

    async def __call__(
        self, game: Game[Any], state: Any, seat: Seat, seed: str, level: Level, urgency: Urgency
    ) -> Thought:
        """Return what the seat does; the state holds nothing that it cannot know."""


async def think_here(
    game: Game[Any], state: Any, seat: Seat, seed: str, level: Level, urgency: Urgency = Urgency.TURN
) -> Thought:
    """Think in a thread of this process."""
    return await asyncio.to_thread(think, game, state, seat, seed, level)


class Computers:
    """The computer players of all matches. In each match one thinks at a time."""

    def __init__(
        self, matches: Matches, pipeline: Pipeline, thinker: Thinker, when_slow: Callable[[str], None]
    ) -> None:
        self._matches = matches
        self._pipeline = pipeline
        self._thinks = thinker
        self._when_slow = when_slow
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._slow: dict[str, Seat] = {}
        self._advised: LRUCache[tuple[str, Seat], tuple[Any, asyncio.Future[Thought]]] = LRUCache(ADVISED)
        self._closed = False

    async def wake_all(self, store: Store) -> None:
        """Let computers move wherever one is to and is not thinking yet."""
        for match in await store.read(queries.matches_awaiting_computer, own=store.own):
            self.wake(match)

    def wake(self, match: str) -> None:
        """Let a computer move in a match if one is to."""
        if match not in self._tasks and not self._closed:
            task = track_task(self._play(match), f"computers-{match}")
            self._tasks[match] = task
            task.add_done_callback(lambda _: self._tasks.pop(match, None))

    async def wait(self, room: Room, seconds: float) -> Room:
        """Wait until no computer is to move in a match, at most so long, and return the match as it stands then."""
        if room.match is None or computer_to_move(room.match) is None:
            return room
        self.wake(room.record.id)
        # There is no task once the bot stops.
        if task := self._tasks.get(room.record.id):
            await asyncio.wait([task], timeout=seconds)
        return await self._matches.find(room.record.id)

    def thinking(self, match: str) -> Seat | None:
        """Return the seat that has been thinking for so long that people ought to know; None if there is none."""
        return self._slow.get(match)

    def stop(self) -> None:
        """Cancel all thinking, and start no more."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        for thought in self._advising:
            thought.cancel()

    async def close(self) -> None:
        """Cancel all thinking, and wait until it has ended."""
        self.stop()
        await asyncio.gather(*self._tasks.values(), *self._advising, return_exceptions=True)

    async def advice(self, room: Room, seat: Seat) -> Thought:
        """Return what a strong player would do in a seat; refuse if the thinking fails."""
        who, stood = (room.record.id, seat), room.playing()
        about = (stood.number, stood.base)
        if who not in self._advised or self._advised[who][0] != about:
            self._advised[who] = about, awaited_task(self._asked(room, seat, "strong", Urgency.PERSON))
        thought = self._advised[who][1]
        try:
            # Shielded: others may be waiting for a thought about the same position.
            return await asyncio.shield(thought)
        except (WorkerLost, JobFailed) as error:
            # Forget the failed thought, so that the next request starts a new one.
            self._advised.pop(who, None)
            raise Refused("refusal.no_hint") from error
        except asyncio.CancelledError:
            if thought.cancelled():
                raise Refused("refusal.restarting") from None
            raise

    def known_advice(self, room: Room, seat: Seat) -> Thought | None:
        """Return the advice for a seat if it has been thought out already."""
        stood = room.playing()
        about, thought = self._advised.get((room.record.id, seat), (None, None))
        if thought is None or about != (stood.number, stood.base) or not thought.done():
            return None
        return None if thought.cancelled() or thought.exception() else thought.result()

    @property
    def _advising(self) -> list[asyncio.Future[Thought]]:
        """The thoughts about advice, finished ones included."""
        return [thought for _, thought in self._advised.values()]

    async def proposal(self, room: Room, seat: Seat) -> tuple[Answer, ...]:
        """Return a whole turn for an absent player, at the level of stand-ins; no offer is taken for them."""
        try:
            thought = await self._asked(room, seat, room.record.terms.stand_in, Urgency.NOBODY)
        except (WorkerLost, JobFailed) as error:
            log_error(error, "a thought failed: the plain player drafts")
            thought = Thought()
        if thought.answers:
            return thought.answers
        made = stand_in(room.playing().without_drafts(), seat).last
        return made.answers if made else ()

    async def _asked(self, room: Room, seat: Seat, level: Level, urgency: Urgency) -> Thought:
        stood = room.playing()
        # The same position comes to the same thought, after a restart too. The number of commits would not do: when
        # others give standing orders in secret it grows, and a hint that changes would tell.
        seed = f"{room.record.id}/{stood.answered[seat]}/{seat}"
        return await self._thinks(stood.game, dealt_for(stood.game, stood.base, seat), seat, seed, level, urgency)

    async def _play(self, match: str) -> None:
        try:
            while True:
                room = await self._matches.find(match)
                stood = room.match
                seat = computer_to_move(stood) if stood and room.record.status is Status.RUNNING else None
                if stood is None or seat is None:
                    return
                if stood.moves >= stood.game.commit_limit:
                    raise RuntimeError(f"no match of {stood.game.id} has more than {stood.moves} commits")
                act = await self._thought(room, seat)
                await self._pipeline.change(match, partial(_move, number=stood.number, seat=seat, act=act))
        except Exception as error:
            # The people's own moves are stored already: none may fail because a computer did.
            log_error(error, f"the computer cannot play on in match {match}")

    async def _thought(self, room: Room, seat: Seat) -> Callable[[Match], Match]:
        """Return what a computer does; after a second of thinking people are told that it thinks."""
        told = asyncio.get_running_loop().call_later(SLOW_SECONDS, self._tell, room.record.id, seat)
        try:
            for _ in range(TRIES):
                try:
                    thought = await self._asked(room, seat, room.level_of(seat), Urgency.TURN)
                    return lambda match: _carried_out(match, seat, thought)
                except WorkerLost as error:
                    log_error(error, "a worker is gone: another thinks again")
                except JobFailed as error:
                    log_error(error, f"a thought failed: {error}")
                    break
            return lambda match: stand_in(match, seat)
        finally:
            told.cancel()
            self._slow.pop(room.record.id, None)

    def _tell(self, match: str, seat: Seat) -> None:
        self._slow[match] = seat
        self._when_slow(match)


def _move(change: Change, number: int, seat: Seat, act: Callable[[Match], Match]) -> Change:
    """Make a computer's move, if the match still stands at that commit; otherwise it was thought for nothing."""
    room, match = change.before, change.before.match
    if match is None or room.record.status is not Status.RUNNING or match.number != number:
        return change
    if seat in match.humans() or seat not in match.waiting_for():
        return change
    moved = act(match)
    if moved.number != number + 1:
        raise RuntimeError(f"a computer made {moved.number - number} commits at once")
    return change.play(moved)


def _carried_out(match: Match, seat: Seat, thought: Thought) -> Match:
    """Return the match after a computer's move: an offer taken, or a whole turn."""
    if thought.offer is not None:
        return match.pick(thought.offer)
    return match.redrafted(seat, thought.answers).confirm(seat)
