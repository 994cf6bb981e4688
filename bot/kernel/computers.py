"""Computer players: they think without locking the match, and move through the pipeline.

Thinking takes a while and must not hold up people, who may draft, take offers or leave meanwhile.
So a computer thinks about the position it found, and its move is discarded if the match has changed
since. A move is not stored before it is made: the same position always gives the same move, so
after a restart the computer simply thinks again.
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
from engine.players import Character, Level, Thought, continue_turn, deal_for, think
from engine.players.simple import stand_in

MAX_LOST_WORKERS = 3
"""After how many deaths of a worker process in one position the simple player moves instead."""
SLOW_SECONDS = 1.0
"""How long a computer thinks before the last post says that it is thinking."""
MAX_CACHED_ADVICE = 64
"""How many pieces of advice to cache.

The coach and the hint button ask about the same position at every step of a turn.
"""


class Thinker(Protocol):
    """Chooses a computer player's move, in this process or in another one."""

    async def __call__(
        self,
        game: Game[Any],
        state: Any,
        seat: Seat,
        seed: str,
        level: Level,
        urgency: Urgency,
        begun: tuple[Answer, ...] = (),
        character: Character | None = None,
    ) -> Thought:
        """Return the seat's move. `state` must hold nothing that the seat may not know.

        If the turn has been `begun` with some answers, return the whole turn with these first.
        """


async def think_here(
    game: Game[Any],
    state: Any,
    seat: Seat,
    seed: str,
    level: Level,
    urgency: Urgency = Urgency.TURN,
    begun: tuple[Answer, ...] = (),
    character: Character | None = None,
) -> Thought:
    """Think in a thread of this process."""
    if begun:
        return await asyncio.to_thread(continue_turn, game, state, seat, seed, begun)
    return await asyncio.to_thread(think, game, state, seat, seed, level, character)


class Computers:
    """The computer players of all matches. At most one thinks in each match at a time."""

    def __init__(
        self, matches: Matches, pipeline: Pipeline, thinker: Thinker, on_slow: Callable[[str], None]
    ) -> None:
        self._matches = matches
        self._pipeline = pipeline
        self._thinker = thinker
        self._on_slow = on_slow
        self._turns = Chores("computers", self._play)
        self._slow: dict[str, Seat] = {}
        self._advice: LRUCache[
            tuple[str, Seat, int, tuple[Answer, ...]], asyncio.Future[Thought]
        ] = LRUCache(MAX_CACHED_ADVICE)
        """Advice for people, by match, seat, number of commits and the answers drafted so far."""

    async def wake_all(self, store: Store) -> None:
        """Let computers move in all matches that wait for one."""
        for match in await store.read(queries.matches_awaiting_computer, own=store.own):
            self.wake(match)

    def wake(self, match_id: str) -> None:
        """Let a computer move in a match if it is a computer's turn."""
        self._turns.poke(match_id)

    async def wait(self, room: Room, seconds: float) -> Room:
        """Wait, up to a limit, for computers to make their moves; return the match after them."""
        if room.match is None or computer_to_move(room.match) is None:
            return room
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._turns.finish(room.record.id)
        return await self._matches.find(room.record.id)

    def slow_seat(self, match_id: str) -> Seat | None:
        """Return the computer's seat that has been thinking for long in a match, or None."""
        return self._slow.get(match_id)

    def stop(self) -> None:
        """Cancel all thinking, and start no more."""
        self._turns.stop()
        for thought in self._advice.values():
            thought.cancel()

    async def close(self) -> None:
        """Cancel all thinking, and wait until it has ended."""
        self.stop()
        advising = self._advice.values()
        await asyncio.gather(self._turns.close(), *advising, return_exceptions=True)

    async def advise(self, room: Room, seat: Seat, begun: tuple[Answer, ...] = ()) -> Thought:
        """Return a strong player's move for a seat; refuse if the thinking fails.

        With `begun`, the move begins with these answers.
        """
        key = (room.record.id, seat, room.playing().number, begun)
        if key not in self._advice:
            thinking = self._think_about(room, seat, "strong", Urgency.PERSON, begun)
            self._advice[key] = awaited_task(thinking)
        thought = self._advice[key]
        try:
            # Shielded, because several interactions may wait for the same thought: cancelling one
            # of them must not cancel the others.
            return await asyncio.shield(thought)
        except (WorkerLost, JobFailed) as error:
            self._advice.pop(key, None)
            raise Refused("refusal.no_hint") from error
        except asyncio.CancelledError:
            # Either `stop` has cancelled the thought, or only this interaction was cancelled.
            if thought.cancelled():
                raise Refused("refusal.restarting") from None
            raise

    def cached_advice(self, room: Room, seat: Seat) -> Thought | None:
        """Return the advice for a seat's whole turn if it has been worked out, else None."""
        thought = self._advice.get((room.record.id, seat, room.playing().number, ()))
        if thought is None or not thought.done() or thought.cancelled() or thought.exception():
            return None
        return thought.result()

    async def propose_turn(self, room: Room, seat: Seat) -> tuple[Answer, ...]:
        """Return a whole turn to draft for an absent player, at the table's stand-in level."""
        try:
            thought = await self._think_about(
                room, seat, room.record.terms.stand_in, Urgency.NOBODY
            )
        except (WorkerLost, JobFailed) as error:
            log_error(error, "a computer failed to think, so the simple player drafts its move")
            thought = Thought()
        if thought.answers:
            return thought.answers
        # The best move may be to take an offer, which cannot be drafted.
        made = stand_in(room.playing().without_drafts(), seat).last
        return made.answers if made else ()

    async def _think_about(
        self,
        room: Room,
        seat: Seat,
        level: Level,
        urgency: Urgency,
        begun: tuple[Answer, ...] = (),
        character: Character | None = None,
    ) -> Thought:
        """Think about a seat's move, with a seed that makes the thought repeatable."""
        match = room.playing()
        # The seed is the number of the seat's own answers, not of all commits: that one grows when
        # others give standing orders in secret, and a hint that changed would reveal it.
        seed = f"{room.record.id}/{match.answered[seat]}/{seat}"
        known = deal_for(match.game, match.base, seat)
        return await self._thinker(match.game, known, seat, seed, level, urgency, begun, character)

    async def _play(self, match_id: str) -> None:
        """Move for the computers of a match until a person is to move."""
        try:
            while True:
                room = await self._matches.find(match_id)
                position = room.match
                if position is None or room.record.status is not Status.RUNNING:
                    return
                seat = computer_to_move(position)
                if seat is None:
                    return
                if position.moves >= position.game.commit_limit:
                    raise RuntimeError(
                        f"no match of {position.game.id} has more than {position.moves} commits"
                    )
                thought = await self._think_of_move(room, seat)
                await self._pipeline.change(
                    match_id, partial(_move, position=position, seat=seat, thought=thought)
                )
        except Exception as error:
            # A press may be waiting for this task. It was saved already, so it must not fail.
            log_error(error, f"the computer can't move in match {match_id}")

    async def _think_of_move(self, room: Room, seat: Seat) -> Thought | None:
        """Return a computer's move; None if thinking failed and the simple player has to move.

        If it takes long, the players are shown that the computer is thinking.
        """

        def note_slow() -> None:
            self._slow[room.record.id] = seat
            self._on_slow(room.record.id)

        timer = asyncio.get_running_loop().call_later(SLOW_SECONDS, note_slow)
        try:
            for _ in range(MAX_LOST_WORKERS):
                try:
                    return await self._think_about(
                        room,
                        seat,
                        room.level_of(seat),
                        Urgency.TURN,
                        character=room.character_of(seat),
                    )
                except WorkerLost as error:
                    log_error(error, "a worker process died, thinking again in another")
                except JobFailed as error:
                    log_error(error, f"a computer failed to think: {error}")
                    break
            return None
        finally:
            timer.cancel()
            self._slow.pop(room.record.id, None)


def _move(change: Change, position: Match, seat: Seat, thought: Thought | None) -> Change:
    """Make a computer's move, unless the match has moved on from the position it is for."""
    match, status = change.before.match, change.before.record.status
    if match is None or status is not Status.RUNNING or match.number != position.number:
        return change
    # The seat's owner may have come back meanwhile, to play it themselves.
    if seat in match.humans() or seat not in match.waiting_for():
        return change
    if thought is None:
        moved = stand_in(match, seat)
    elif thought.offer is not None:
        moved = match.pick(thought.offer)
    else:
        moved = match.replay_draft(seat, thought.answers).confirm(seat)
    if moved.number != match.number + 1:
        raise RuntimeError(f"a computer made {moved.number - match.number} commits at once")
    return change.play(moved)
