"""Worker processes: jobs are done whatever happens to a process."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.ui.long_jobs import LongJobs
from bot.workers.child import NICENESS, Reply
from bot.workers.jobs import Think
from bot.workers.pool import JobFailed, Thinkers, Urgency, Worker, WorkerLost, Workers
from engine import GAMES, Game, Match, Seat, begin
from engine.players import LEVELS, Level, deal_for, think
from tests.patience import PATIENCE

(NICE, SESSION_NICE), (BACKGROUND_NICE, BACKGROUND_SESSION_NICE) = NICENESS.values()
GAME: Game[object] = GAMES["blue_lagoon"]
SEAT = Seat(0)


@pytest.fixture
async def worker() -> AsyncIterator[Worker]:
    """A worker that is ended with its test."""
    worker = Worker()
    yield worker
    await worker.close()


def opening() -> Match:
    """Return a match in which the first seat is asked."""
    return begin(GAME, 2, {"first": "1"}, 5)


def job(level: Level = "steady") -> Think:
    """Return a job about the opening."""
    return Think(
        GAME.id, msgspec.json.encode(deal_for(GAME, opening().base, SEAT)), SEAT, "seed", level
    )


def _process(worker: Worker) -> int:
    assert worker._process is not None
    return worker._process.pid


def _session_niceness(process: int) -> str:
    """Return the niceness of a process's session as Linux reports it, or nothing elsewhere."""
    file = Path(f"/proc/{process}/autogroup")
    return file.read_text().split()[-1] if file.exists() else ""


async def test_a_thought_is_the_same_in_another_process() -> None:
    thinkers = Thinkers()
    state = deal_for(GAME, opening().base, SEAT)
    for level in LEVELS:
        there = await thinkers(GAME, state, SEAT, "seed", level)
        assert there == think(GAME, state, SEAT, "seed", level) and there.answers
    await thinkers.close()


async def test_one_process_runs_jobs_in_sequence(worker: Worker) -> None:
    first = await worker.do(job())
    pid = _process(worker)
    assert await worker.do(job()) == first
    assert _process(worker) == pid != os.getpid()


@pytest.mark.skipif(sys.platform != "linux", reason="read from Linux's files")
async def test_workers_have_lower_priority_than_the_bot(worker: Worker) -> None:
    await worker.do(job())
    # The tests themselves may have been started with a niceness; the system counts to 19.
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, _process(worker)) == min(ours + NICE, 19)
    # Where processors are shared out by session a niceness counts only within one.
    assert _session_niceness(_process(worker)) in ("", str(SESSION_NICE))


@pytest.mark.skipif(sys.platform != "linux", reason="read from Linux's files")
async def test_reviews_and_films_have_lower_priority_than_thinking() -> None:
    jobs = LongJobs()
    await jobs.result(job())
    made_by = _process(jobs.workers._all[0])
    assert os.getpriority(os.PRIO_PROCESS, made_by) == BACKGROUND_NICE > NICE
    assert _session_niceness(made_by) in ("", str(BACKGROUND_SESSION_NICE))
    await jobs.close()


async def test_a_dead_process_is_replaced(worker: Worker) -> None:
    first = await worker.do(job())
    pid = _process(worker)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(WorkerLost):
        await worker.do(job())
    assert await worker.do(job()) == first and _process(worker) != pid


async def test_a_failing_job_reports_where_but_no_content(worker: Worker) -> None:
    broken = Think(GAME.id, b'{"secret": "in the hand"}', SEAT, "seed", "easy")
    with pytest.raises(JobFailed) as failed:
        await worker.do(broken)
    assert "jobs.py" in str(failed.value) and "secret" not in str(failed.value)
    assert (await worker.do(job())).answers, "it goes on working"
    assert "secret" not in repr(broken)


class StoppedAtAReply(Worker):
    """A worker whose job is cancelled just as a reply arrives."""

    async def _read_reply(self, process: asyncio.subprocess.Process) -> Reply:
        reply = await super()._read_reply(process)
        self.waiting.cancel()
        return reply

    waiting: asyncio.Task[object]


async def test_work_can_be_cancelled_just_as_a_reply_arrives() -> None:
    worker = StoppedAtAReply()
    worker.waiting = asyncio.create_task(worker.do(job()))
    await asyncio.wait([worker.waiting])
    assert worker.waiting.cancelled()
    await worker.close()


async def test_cancelling_the_wait_stops_the_work(worker: Worker) -> None:
    await worker.do(job())
    pid = _process(worker)
    waiting = asyncio.create_task(worker.do(job("strong")))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert (await worker.do(job())).answers, (
        "and the next job is not answered with the last one's result"
    )


async def test_a_silent_worker_is_abandoned() -> None:
    silent = Worker(silence=0.0)
    with pytest.raises(WorkerLost):
        await silent.do(job())
    assert silent._process is None


async def test_jobs_wait_in_line_for_a_free_worker() -> None:
    workers = Workers(2)
    done = await asyncio.gather(*(workers.do(job()) for _ in range(6)))
    assert len(set(done)) == 1
    await workers.close()


class Recording(Worker):
    """A worker that records its jobs, and does them when released."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []
        self.may_go_on = asyncio.Event()

    async def do(self, job: Any, progress: Any = None) -> None:
        await self.may_go_on.wait()
        self.done.append(job)


async def test_panels_come_before_computers_and_those_before_absent_players() -> None:
    workers, only = Workers(0), Recording()
    workers._idle.append(only)
    line = [
        ("under way", Urgency.NOBODY),
        ("proposal", Urgency.NOBODY),
        ("turn 1", Urgency.TURN),
        ("turn 2", Urgency.TURN),
        ("hint", Urgency.PERSON),
        ("given up", Urgency.PERSON),
    ]
    waiting = [asyncio.create_task(workers.do(name, urgency=urgency)) for name, urgency in line]  # type: ignore[arg-type]
    await asyncio.sleep(0)
    waiting[-1].cancel()
    only.may_go_on.set()
    await asyncio.wait(waiting)
    assert only.done == ["under way", "hint", "turn 1", "turn 2", "proposal"]


async def test_a_worker_given_to_a_cancelled_waiter_serves_the_next() -> None:
    workers, only = Workers(0), Recording()
    only.may_go_on.set()
    first, second = (asyncio.create_task(workers.do(name)) for name in ("first", "second"))  # type: ignore[arg-type]
    await asyncio.sleep(0)
    workers._release(only)
    first.cancel()
    await asyncio.wait([first, second])
    assert first.cancelled() and only.done == ["second"]


async def test_thinking_does_not_wait_for_a_film_that_is_being_made() -> None:
    jobs, thinkers, busy = LongJobs(), Thinkers(), Recording()
    jobs.workers._idle = [busy]
    film = asyncio.create_task(jobs.result(job()))
    state = deal_for(GAME, opening().base, SEAT)
    assert (await thinkers(GAME, state, SEAT, "seed", "easy")).answers
    assert not film.done()
    busy.may_go_on.set()
    await film
    await jobs.close()
    await thinkers.close()


async def test_a_worker_ends_with_the_bot(worker: Worker) -> None:
    await worker.do(job())
    assert worker._process is not None and worker._process.stdin is not None
    worker._process.stdin.close()
    assert await worker._process.wait() == 0


async def test_a_job_that_ends_with_the_bot_is_not_an_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    jobs = LongJobs()
    waiting = [asyncio.create_task(jobs.result(job("strong"))) for _ in range(2)]
    async with asyncio.timeout(PATIENCE):
        while jobs.workers._all[0]._process is None:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
    await jobs.close()
    await asyncio.wait(waiting, timeout=PATIENCE)
    assert all(task.cancelled() for task in waiting) and caplog.text == ""
    await jobs.workers.close()
