"""The processes that work, as the bot sees them."""

import asyncio
import contextlib
import logging
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count
from typing import Any

import msgspec

from bot.runtime.logs import measure
from bot.runtime.systems import Priority, started_apart
from bot.workers.child import LENGTH, Reply, message
from bot.workers.jobs import Think, WorkerJob
from engine import Game, Seat
from engine.core.words import spoken_language
from engine.players import Level, Thought

log = logging.getLogger("motu.workers")

SILENCE = 120.0
"""Seconds without a word after which a worker is given up: every job says something long before."""


class WorkerLost(Exception):
    """The process died, or was given up, before it was done."""


class JobFailed(Exception):
    """The job cannot be done; the message says where it went wrong, and nothing of its content."""


class Worker:
    """A process of its own that does one job at a time."""

    def __init__(self, silence: float = SILENCE, priority: Priority = "low") -> None:
        self._silence = silence
        self._priority: Priority = priority
        self._process: Process | None = None

    async def do(self, job: WorkerJob, progress: Callable[[float], None] | None = None) -> Any:
        """Return the result of a job; cancelling the call stops the job."""
        try:
            process = await self._start()
            assert process.stdin is not None
            process.stdin.write(message((spoken_language(), job)))
            await process.stdin.drain()
            while True:
                async with asyncio.timeout(self._silence):
                    reply = await self._reply(process)
                if reply.failed:
                    raise JobFailed(reply.failed)
                if reply.done:
                    return msgspec.msgpack.decode(reply.done, type=job.result)
                if progress is not None:
                    progress(reply.progress)
        except JobFailed:
            raise
        except (OSError, EOFError, TimeoutError, msgspec.MsgspecError) as error:
            await self.close()
            raise WorkerLost from error
        except BaseException:
            # It would go on with a job that nobody waits for, and answer the next one with it.
            await self.close()
            raise

    async def close(self) -> None:
        """End the process, whatever it is at."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    async def _start(self) -> Process:
        """Start the process, unless it runs already."""
        if self._process is None or self._process.returncode is not None:
            # -P: the folder it is started in may hold a bot.py that is somebody else's.
            command = [sys.executable, "-P", "-m", "bot.workers.child", self._priority]
            self._process = await asyncio.create_subprocess_exec(
                *command,
                stdin=PIPE,
                stdout=PIPE,
                # What a library may have to say of a position is for nobody's eyes.
                stderr=DEVNULL,
                **started_apart(self._priority),
            )
        return self._process

    async def _reply(self, process: Process) -> Reply:
        assert process.stdout is not None
        length = await process.stdout.readexactly(LENGTH)
        data = await process.stdout.readexactly(int.from_bytes(length, "big"))
        return msgspec.msgpack.decode(data, type=Reply)


class Urgency(IntEnum):
    """Who waits for a job; of those in line the lowest comes first."""

    PERSON = 0
    """Somebody looks at a panel that waits for it."""
    TURN = 1
    """A computer's turn, after which a match goes on."""
    NOBODY = 2
    """It is wanted some time, such as a turn drafted for somebody who is away."""


class Workers:
    """Several workers; jobs wait in line for a free one."""

    def __init__(self, number: int = 1, priority: Priority = "low") -> None:
        self._all = [Worker(priority=priority) for _ in range(number)]
        # The one that worked last is taken first: it is warm, and has the game loaded.
        self._idle = [*self._all]
        self._line: list[tuple[Urgency, int, asyncio.Future[Worker]]] = []
        """A heap of those who wait, the most urgent and then the oldest first."""
        self._numbers = count()
        self._closed = False

    async def do(
        self,
        job: WorkerJob,
        progress: Callable[[float], None] | None = None,
        urgency: Urgency = Urgency.TURN,
    ) -> Any:
        """Return the result of a job, once a worker is free to do it."""
        worker = await self._next_worker(urgency)
        try:
            if self._closed:
                raise WorkerLost
            with measure("think") if isinstance(job, Think) else measure("job", type(job).__name__):
                return await worker.do(job, progress)
        finally:
            self._release(worker)

    async def _next_worker(self, urgency: Urgency) -> Worker:
        if self._idle:
            return self._idle.pop()
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        heappush(self._line, (urgency, next(self._numbers), turn))
        try:
            return await turn
        except asyncio.CancelledError:
            # It may have been handed a worker just before it was cancelled.
            if turn.done() and not turn.cancelled():
                self._release(turn.result())
            raise

    def _release(self, worker: Worker) -> None:
        """Hand a worker to the next job in line."""
        while self._line:
            *_, turn = heappop(self._line)
            if not turn.done():
                turn.set_result(worker)
                return
        self._idle.append(worker)

    async def close(self) -> None:
        """End all processes; those in line get none."""
        self._closed = True
        await asyncio.gather(*(worker.close() for worker in self._all))


class Thinkers(Workers):
    """Workers that think for computers, as many as leave a processor to the event loop."""

    def __init__(self) -> None:
        super().__init__(max(1, min(4, (os.cpu_count() or 1) - 1)))

    async def __call__(
        self,
        game: Game[Any],
        state: Any,
        seat: Seat,
        seed: str,
        level: Level,
        urgency: Urgency = Urgency.TURN,
    ) -> Thought:
        """Return what the seat does; the state holds nothing that it cannot know."""
        job = Think(game.id, msgspec.json.encode(state), seat, seed, level)
        thought: Thought = await self.do(job, urgency=urgency)
        return thought
