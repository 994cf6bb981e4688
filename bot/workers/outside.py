"""A user's own computer player: a command that is asked for each answer of a seat's turn.

A question is a line of JSON on its standard input, and the answer a line on its standard output;
docs/own-computer.md describes both. The command must get only what its seat may know: hidden cards
are dealt anew before each question, and of Motu's environment variables it gets only those that
programs need to run.
"""

import asyncio
import os
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from bot.runtime.base import BotError
from bot.text import say
from bot.workers.pool import JobFailed, Thinkers, Urgency
from engine import Answer, EngineError, Game, Seat, View
from engine.core.decision import Decision
from engine.core.escape import one_line
from engine.players import Character, Level, Thought, deal_for
from engine.players.mind import forced_answer, ignore_event, question_for

ENVIRONMENT = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    # For Windows.
    "COMSPEC",
    "PATHEXT",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERPROFILE",
)
"""The environment variables that the command gets; others may contain tokens."""
ANSWER_SECONDS = 10
"""How long the command may take for an answer, unless another limit is given."""
MAX_LINE_BYTES = 1 << 16
"""The longest line that is accepted as an answer."""
MAX_ANSWERS_PER_TURN = 400
"""After this many answers, the command must be going in circles."""
MAX_QUOTED = 80
"""How many characters of a wrong answer are quoted in the error."""


class Question(Struct, frozen=True):
    """A question to the command, sent as a line of JSON."""

    number: int
    """Counts the questions; the answer repeats it."""
    game: str
    seat: Seat
    view: View
    """What the seat sees, with what it has answered in this turn so far."""
    decision: Decision
    offers: tuple[Decision, ...]
    """The offers it may take instead, at the beginning of a turn."""
    seconds: float


class Reply(Struct, frozen=True):
    """The command's answer, sent as a line of JSON."""

    number: int
    keys: tuple[str, ...]
    offer: str = ""
    """The kind of the offer that it takes instead of answering."""


class PlayerFailed(JobFailed):
    """The command gave no legal answer. The message says why, to the person who runs it."""


class OutsidePlayer:
    """Runs the command, and starts it again after a failure."""

    def __init__(self, command: str, seconds: float | None = None) -> None:
        self._seconds = ANSWER_SECONDS if seconds is None else seconds
        if self._seconds <= 0:
            raise BotError("play.no_time")
        try:
            self._words = shlex.split(command, posix=sys.platform != "win32")
        except ValueError as error:
            raise BotError("play.unreadable_command", why=str(error)) from error
        if not self._words:
            raise BotError("play.no_command")
        self._number = 0
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def start(self) -> None:
        """Start the command; refuse if that is not possible."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env=clean_environment(os.environ),
                limit=MAX_LINE_BYTES,
                start_new_session=True,
            )
        except OSError as error:
            raise BotError("play.no_start", why=error.strerror or str(error)) from error

    async def choose_turn(self, game: Game[Any], state: Any, seat: Seat) -> Thought:
        """Return what the command does in a position; raise PlayerFailed if it gives no answer."""
        # Ask one question at a time, even if several matches are waiting.
        async with self._turn:
            try:
                return await self._choose_turn(game, deal_for(game, state, seat), seat)
            except BotError as error:
                # It could be started earlier, so its file has been moved or deleted since.
                raise PlayerFailed(str(error)) from None
            except BaseException:
                # Stop it, because it may still answer this question when it gets the next one.
                await self.close()
                raise

    async def close(self) -> None:
        """Stop the command, with all that it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            if sys.platform == "win32":
                process.kill()
            else:
                # It leads a process group of its own.
                os.killpg(process.pid, signal.SIGKILL)
        await process.wait()

    async def _choose_turn(self, game: Game[Any], state: Any, seat: Seat) -> Thought:
        offers = tuple(offer for offer in game.offers(state) if offer.seat == seat)
        answers: list[Answer] = []
        while (question := question_for(game, state, seat)) is not None:
            answer = forced_answer(game, question) if answers else None
            if answer is None:
                reply, decision = await self._ask(game, state, question, offers)
                answer = Answer(seat, decision.kind, reply.keys)
                if reply.offer:
                    return Thought(offer=answer)
            answers.append(answer)
            if len(answers) > MAX_ANSWERS_PER_TURN:
                raise PlayerFailed(say("play.endless", answers=MAX_ANSWERS_PER_TURN))
            state = game.apply(state, answer, ignore_event)
            offers = ()
        return Thought(answers=tuple(answers))

    async def _ask(
        self, game: Game[Any], state: Any, decision: Decision, offers: Sequence[Decision]
    ) -> tuple[Reply, Decision]:
        """Return a legal reply, and the decision that it is for."""
        self._number += 1
        seat = decision.seat
        view = game.view(state, seat)
        question = Question(
            self._number, game.id, seat, view, decision, tuple(offers), self._seconds
        )
        line = await self._exchange(msgspec.json.encode(question) + b"\n")
        quoted = one_line(line.decode(errors="replace"))[:MAX_QUOTED]
        try:
            reply = msgspec.json.decode(line, type=Reply)
        except msgspec.DecodeError as error:
            raise PlayerFailed(say("play.no_json", line=quoted, why=str(error))) from None
        if reply.number != self._number:
            raise PlayerFailed(say("play.other_number", given=reply.number, number=self._number))
        if reply.offer:
            offered = [offer for offer in offers if offer.kind == reply.offer]
            if not offered:
                raise PlayerFailed(say("play.no_offer", line=quoted))
            decision = offered[0]
        try:
            decision.check(reply.keys)
        except EngineError as error:
            raise PlayerFailed(say("play.illegal", kind=decision.kind, why=str(error))) from None
        return reply, decision

    async def _exchange(self, line: bytes) -> bytes:
        """Write a line to the command and return the one that it writes back."""
        if self._process is None:
            await self.start()
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        try:
            async with asyncio.timeout(self._seconds):
                process.stdin.write(line)
                await process.stdin.drain()
                answer = await process.stdout.readline()
        except TimeoutError:
            raise PlayerFailed(say("play.silent", seconds=self._seconds)) from None
        except ValueError:
            # asyncio raises this for a line beyond the limit.
            raise PlayerFailed(say("play.flood", bytes=MAX_LINE_BYTES)) from None
        except OSError:
            answer = b""
        if not answer.endswith(b"\n"):
            raise PlayerFailed(say("play.ended"))
        return answer


class OutsideThinkers:
    """Lets a command take the turns of all computers, and Motu's own workers do everything else."""

    def __init__(self, player: OutsidePlayer, thinkers: Thinkers) -> None:
        self._player = player
        self._thinkers = thinkers

    async def __call__(
        self,
        game: Game[Any],
        state: Any,
        seat: Seat,
        seed: str,
        level: Level,
        urgency: Urgency = Urgency.TURN,
        begun: tuple[Answer, ...] = (),
        character: Character | None = None,
    ) -> Thought:
        """Return the seat's move. `state` holds nothing that the seat may not know."""
        if urgency is Urgency.TURN:
            return await self._player.choose_turn(game, state, seat)
        return await self._thinkers(game, state, seat, seed, level, urgency, begun, character)


def clean_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the part of an environment that has no secrets in it."""
    return {name: environment[name] for name in ENVIRONMENT if name in environment}
