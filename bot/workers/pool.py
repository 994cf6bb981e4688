"""The bot's side of worker processes: start them, queue jobs, and replace workers that die.

The other side, which runs the jobs, is child.py.
"""

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
from bot.runtime.systems import Priority, detached_process_options
from bot.workers.child import LENGTH_BYTES, Reply, pack_message
from bot.workers.jobs import Think, WorkerJob
from engine import Answer, Game, Seat
from engine.core.words import spoken_language
from engine.players import Character, Level, Thought

log = logging.getLogger("motu.workers")

SILENCE_TIMEOUT_SECONDS = 120.0
"""How long a worker may send nothing before it is killed. Every job sends progress much sooner."""


class WorkerLost(Exception):
    """The worker died, or was killed, before its job was done."""


class JobFailed(Exception):
    """The job raised an error. The message is its traceback, without anything secret."""


class Worker:
    """A process that runs one job at a time."""

    def __init__(self, silence: float | None = None, priority: Priority = "low") -> None:
        self._silence = SILENCE_TIMEOUT_SECONDS if silence is None else silence
        self._priority: Priority = priority
        self._process: Process | None = None

    async def do(self, job: WorkerJob, progress: Callable[[float], None] | None = None) -> Any:
        """Run a job and return its result; cancelling this call stops the job."""
        try:
            process = await self._start()
            assert process.stdin is not None
            process.stdin.write(pack_message((spoken_language(), job)))
            await process.stdin.drain()
            while True:
                async with asyncio.timeout(self._silence):
                    reply = await self._read_reply(process)
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
            # Kill the process: it would finish this job, and its reply would be taken for the
            # reply to the next one.
            await self.close()
            raise

    async def close(self) -> None:
        """Kill the process, whatever it is doing."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    async def _start(self) -> Process:
        """Start the process unless it is running; return it."""
        if self._process is None or self._process.returncode is not None:
            # -P keeps the current folder out of sys.path: it may contain somebody else's bot.py.
            command = [sys.executable, "-P", "-m", "bot.workers.child", self._priority]
            self._process = await asyncio.create_subprocess_exec(
                *command,
                stdin=PIPE,
                stdout=PIPE,
                # A library might print something about a position, which is secret.
                stderr=DEVNULL,
                **detached_process_options(self._priority),
            )
        return self._process

    async def _read_reply(self, process: Process) -> Reply:
        assert process.stdout is not None
        length = await process.stdout.readexactly(LENGTH_BYTES)
        data = await process.stdout.readexactly(int.from_bytes(length, "big"))
        return msgspec.msgpack.decode(data, type=Reply)


class Urgency(IntEnum):
    """How urgent a job is; the lowest number comes first."""

    PERSON = 0
    """Somebody is looking at a panel that waits for it."""
    TURN = 1
    """The match waits for it: a computer's turn."""
    NOBODY = 2
    """Nobody is waiting, as for a turn drafted for an absent player."""


class Workers:
    """A pool of workers, with a queue of jobs for when all are busy."""

    def __init__(self, number: int = 1, priority: Priority = "low") -> None:
        self._all = [Worker(priority=priority) for _ in range(number)]
        # A stack: the worker that was used last has already loaded the game.
        self._idle = [*self._all]
        self._queue: list[tuple[Urgency, int, asyncio.Future[Worker]]] = []
        """A heap of waiting calls, the most urgent first, then the oldest."""
        self._numbers = count()
        self._closed = False

    async def do(
        self,
        job: WorkerJob,
        progress: Callable[[float], None] | None = None,
        urgency: Urgency = Urgency.TURN,
    ) -> Any:
        """Run a job as soon as a worker is free, and return its result."""
        worker = await self._next_worker(urgency)
        try:
            if self._closed:
                raise WorkerLost
            with measure("think") if isinstance(job, Think) else measure("job", type(job).__name__):
                return await worker.do(job, progress)
        finally:
            self._release(worker)

    async def _next_worker(self, urgency: Urgency) -> Worker:
        """Return an idle worker, or wait for one in the queue."""
        if self._idle:
            return self._idle.pop()
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        heappush(self._queue, (urgency, next(self._numbers), turn))
        try:
            return await turn
        except asyncio.CancelledError:
            # This call may have got a worker just before it was cancelled: pass it on.
            if turn.done() and not turn.cancelled():
                self._release(turn.result())
            raise

    def _release(self, worker: Worker) -> None:
        """Give a worker to the next call in the queue, or make it idle."""
        while self._queue:
            *_, turn = heappop(self._queue)
            if not turn.done():
                turn.set_result(worker)
                return
        self._idle.append(worker)

    async def close(self) -> None:
        """Kill all workers. Jobs that are queued or running raise WorkerLost."""
        self._closed = True
        await asyncio.gather(*(worker.close() for worker in self._all))


class Thinkers(Workers):
    """Workers that think for computer players; one processor is left for the event loop."""

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
        begun: tuple[Answer, ...] = (),
        character: Character | None = None,
    ) -> Thought:
        """Return the seat's move. `state` holds nothing that the seat may not know."""
        job = Think(game.id, msgspec.json.encode(state), seat, seed, level, begun, character)
        thought: Thought = await self.do(job, urgency=urgency)
        return thought
