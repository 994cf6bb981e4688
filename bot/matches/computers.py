"""Seats without a person: thought for outside the line of presses, and moved when it is their turn in it.

A thought takes a while, and nobody is held up by it: people may draft, take offers or leave meanwhile. It is made of
the match as it stood, and dropped if another commit has come before it. Nothing of it is stored: after a restart the
same position is thought about again, and comes to the same.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from cachetools import LRUCache

from bot.errors import Refused, log_error
from bot.matches.room import Room, Status
from bot.tasks import awaited_task, track_task
from bot.text import say
from bot.workers.pool import JobFailed, Urgency, WorkerLost
from engine import Answer, Game, Match, Seat
from engine.players import Level, Thought, dealt_for, think
from engine.players.simple import stand_in

TRIES = 3
"""Workers that may die over a position before the plain player answers, who needs none."""
SHORT = 1.0
"""Seconds of thought that nobody need be told of."""
ADVISED = 64
"""Seats whose last advice is remembered: a coach and a hint ask again at every step of a turn, about one position."""


class Thinks(Protocol):
    """Whoever thinks for a computer: here, or in a process of its own."""

    async def __call__(
        self, game: Game[Any], state: Any, seat: Seat, seed: str, level: Level, urgency: Urgency
    ) -> Thought:
        """What the seat does; the state holds nothing that it cannot know."""


async def think_here(
    game: Game[Any], state: Any, seat: Seat, seed: str, level: Level, urgency: Urgency = Urgency.TURN
) -> Thought:
    """A thought in a thread of this process, for who has no other."""
    return await asyncio.to_thread(think, game, state, seat, seed, level)


def computer_to_move(match: Match) -> Seat | None:
    """The first seat without a person that owes a decision."""
    people = match.humans()
    return next((seat for seat in match.waiting_for() if seat not in people), None)


class Computers:
    """The computers of all matches. In each match one thinks at a time."""

    def __init__(
        self,
        find: Callable[[str], Awaitable[Room]],
        move: Callable[[str, int, Seat, Callable[[Match], Match]], Awaitable[None]],
        thinks: Thinks,
        when_long: Callable[[str], None],
    ) -> None:
        self._find = find
        self._move = move
        """Given a match, the commit it stood at, a seat and what it does: does it, if the match still stands there."""
        self._thinks = thinks
        self._when_long = when_long
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._long: dict[str, Seat] = {}
        self._advised: LRUCache[tuple[str, Seat], tuple[Any, asyncio.Future[Thought]]] = LRUCache(ADVISED)
        self._closed = False

    def wake(self, match: str) -> None:
        """A computer may be to move in that match."""
        if match not in self._tasks and not self._closed:
            task = track_task(self._play(match), f"computers-{match}")
            self._tasks[match] = task
            task.add_done_callback(lambda _: self._tasks.pop(match, None))

    async def rest(self, match: str, seconds: float) -> None:
        """Wait until no computer is to move in that match, but not for ever."""
        if task := self._tasks.get(match):
            await asyncio.wait([task], timeout=seconds)

    def thinking(self, match: str) -> Seat | None:
        """Who has been thinking there for so long that people ought to be told."""
        return self._long.get(match)

    def stop(self) -> None:
        """Drop all thoughts, and begin none."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        for thought in self._advising:
            thought.cancel()

    async def close(self) -> None:
        """The same, and wait until the last is dropped."""
        self.stop()
        await asyncio.gather(*self._tasks.values(), *self._advising, return_exceptions=True)

    async def advice(self, room: Room, seat: Seat) -> Thought:
        """What a strong player would do in that seat; refused where no thought comes of it."""
        who, stood = (room.info.id, seat), room.playing()
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
            raise Refused(say("refusal.no_hint")) from error
        except asyncio.CancelledError:
            if thought.cancelled():
                raise Refused(say("refusal.restarting")) from None
            raise

    def known_advice(self, room: Room, seat: Seat) -> Thought | None:
        """Return what `advice` would, if that has been thought out already."""
        stood = room.playing()
        about, thought = self._advised.get((room.info.id, seat), (None, None))
        if thought is None or about != (stood.number, stood.base) or not thought.done():
            return None
        return None if thought.cancelled() or thought.exception() else thought.result()

    @property
    def _advising(self) -> list[asyncio.Future[Thought]]:
        """What is being thought about for people, or was."""
        return [thought for _, thought in self._advised.values()]

    async def proposal(self, room: Room, seat: Seat) -> tuple[Answer, ...]:
        """A whole turn for somebody who is away, played as the table's stand-ins are; no offer is taken for them."""
        try:
            thought = await self._asked(room, seat, room.info.terms.stand_in, Urgency.NOBODY)
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
        seed = f"{room.info.id}/{stood.answered[seat]}/{seat}"
        return await self._thinks(stood.game, dealt_for(stood.game, stood.base, seat), seat, seed, level, urgency)

    async def _play(self, match: str) -> None:
        try:
            while True:
                room = await self._find(match)
                stood = room.match
                seat = computer_to_move(stood) if stood and room.info.status is Status.RUNNING else None
                if stood is None or seat is None:
                    return
                if stood.moves >= stood.game.commit_limit:
                    raise RuntimeError(f"no match of {stood.game.id} has more than {stood.moves} commits")
                act = await self._thought(room, seat)
                await self._move(match, stood.number, seat, act)
        except Exception as error:
            # The people's own moves are stored already: none may fail because a computer did.
            log_error(error, f"the computer cannot play on in match {match}")

    async def _thought(self, room: Room, seat: Seat) -> Callable[[Match], Match]:
        """What the seat does; after a second of thought everybody is told that it thinks."""
        told = asyncio.get_running_loop().call_later(SHORT, self._tell, room.info.id, seat)
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
            self._long.pop(room.info.id, None)

    def _tell(self, match: str, seat: Seat) -> None:
        self._long[match] = seat
        self._when_long(match)


def _carried_out(match: Match, seat: Seat, thought: Thought) -> Match:
    """The match after what was thought: an offer taken, or a whole turn."""
    if thought.offer is not None:
        return match.pick(thought.offer)
    return match.redrafted(seat, thought.answers).confirm(seat)
