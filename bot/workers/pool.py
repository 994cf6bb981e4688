"""The processes that work, as the bot sees them."""

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from bot.systems import started_apart
from bot.workers.child import LENGTH, Reply, message
from bot.workers.jobs import Job, Think
from engine import Game, Seat
from engine.players import Level, Thought

log = logging.getLogger("motu.workers")

SILENCE = 120.0
"""Seconds without a word after which a worker is given up: every job says something long before."""


class WorkerLost(Exception):
    """The process died, or was given up, before it was done."""


class JobFailed(Exception):
    """The job cannot be done; the message says where it went wrong, and nothing of what it was about."""


class Worker:
    """A process of its own that does one job at a time."""

    def __init__(self, silence: float = SILENCE) -> None:
        self._silence = silence
        self._process: asyncio.subprocess.Process | None = None

    async def do(self, job: Job, progress: Callable[[float], None] | None = None) -> Any:
        """What comes of a job. Whoever stops waiting for it stops it."""
        try:
            process = await self._running()
            assert process.stdin is not None
            process.stdin.write(message(job))
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

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                # -P: the folder it is started in may hold a bot.py that is somebody else's.
                *(sys.executable, "-P", "-m", "bot.workers.child"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                # What a library may have to say of a position is for nobody's eyes.
                stderr=asyncio.subprocess.DEVNULL,
                **started_apart(in_background=True),
            )
        return self._process

    async def _reply(self, process: asyncio.subprocess.Process) -> Reply:
        assert process.stdout is not None
        length = await process.stdout.readexactly(LENGTH)
        data = await process.stdout.readexactly(int.from_bytes(length, "big"))
        return msgspec.msgpack.decode(data, type=Reply)


class Workers:
    """Some workers; whoever wants a job done waits for one that is free, in line."""

    def __init__(self, number: int = 1) -> None:
        self._all = [Worker() for _ in range(number)]
        # The one that worked last is warm: it has the game loaded.
        self._idle: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        for worker in self._all:
            self._idle.put_nowait(worker)
        self._closed = False

    async def do(self, job: Job, progress: Callable[[float], None] | None = None) -> Any:
        """What comes of a job."""
        worker = await self._idle.get()
        try:
            if self._closed:
                raise WorkerLost
            return await worker.do(job, progress)
        finally:
            self._idle.put_nowait(worker)

    async def close(self) -> None:
        """End all processes; those in line get none."""
        self._closed = True
        await asyncio.gather(*(worker.close() for worker in self._all))


class Thinkers(Workers):
    """Workers that think for computers, as many as leave a processor to the event loop."""

    def __init__(self) -> None:
        super().__init__(max(1, min(4, (os.cpu_count() or 1) - 1)))

    async def __call__(self, game: Game[Any], state: Any, seat: Seat, seed: str, level: Level) -> Thought:
        """What the seat does; the state holds nothing that it cannot know."""
        thought: Thought = await self.do(Think(game.id, msgspec.json.encode(state), seat, seed, level))
        return thought
