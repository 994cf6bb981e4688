"""/review: the course of a finished match, made in a worker, with a way to stop it."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.thinning import EVERY, thin
from bot.kernel import queries
from bot.kernel.room import Room
from bot.model import Status
from bot.runtime.base import Refused
from bot.ui.long_jobs import LongJobs
from engine import Seat
from tests.bot.world import World


async def ended(world: World, game: str, turns: int = 6) -> Room:
    """A match of Ana against a computer that she gave up after some turns."""
    await world.ana.slash("/solo", game=game)
    await world.idle()
    (room,) = await world.matches.of_user(world.ana.id)
    for _ in range(turns):
        match = (await world.room(room)).playing()
        while question := match.question(Seat(0)):
            key = next(
                (option.key for option in question.options if option.ends), question.options[0].key
            )
            await world.ana.slash("/play", channel=world.place(room), move=key)
            match = (await world.room(room)).playing()
        if not match.is_complete(Seat(0)):
            break
        await world.ana.slash("/play", channel=world.place(room), move="!")
    asked = await world.ana.slash("/resign", channel=world.place(room))
    await world.ana.click(asked.private, label="Yes, give up my seat")
    await world.idle()
    return await world.room(room)


async def thinned(world: World, room: Room) -> Room:
    """A match as it is kept a day after its end: of what is between its first and its last
    position nothing is left.
    """
    await thin(world.matches.kernel, room.record.id)
    world.matches._past.clear()
    kept = await world.matches.store.read(queries.commits, room.record.id)
    assert [stored.number for stored in kept if stored.snapshot and stored.number % EVERY] == [
        len(kept) - 1
    ]
    return room


@pytest.mark.parametrize("game", ["blue_lagoon", "conquest"])
async def test_a_finished_match_is_looked_at_again(world: World, game: str) -> None:
    room = await thinned(world, await ended(world, game, 3))
    assert room.record.status is Status.FINISHED
    shown = (await world.ana.slash("/review", channel=world.place(room))).private
    assert "looked at again" in shown.content and shown.attachments[0].filename == "review.png"
    assert "Expected points of each player" in (shown.attachments[0].description or "")
    moments = shown.content.count("\n- Better") + shown.content.count("\n- With it they gained")
    assert len(shown.attachments) == 1 + moments and shown.labels == []
    assert not any("Legal: " in (picture.description or "") for picture in shown.attachments)


async def test_the_last_post_has_a_button_for_it(world: World) -> None:
    room = await ended(world, "blue_lagoon", 1)
    last = world.newest(room)
    assert last is not None
    assert "looked at again" in (await world.ana.click(last, label="Review")).private.content


async def test_a_match_in_play_is_not_reviewed(world: World) -> None:
    room = await world.started()
    refused = await world.ana.slash("/review", channel=world.place(room))
    assert "once it has ended" in refused.private.content


class Asking:
    """Somebody who waits for a job, and what they are shown."""

    def __init__(self, user: int = 1) -> None:
        self.user = SimpleNamespace(id=user)
        self.extras: dict[str, Any] = {}
        self.response = SimpleNamespace(is_done=lambda: True)
        self.shown: list[tuple[str, list[Any]]] = []
        self.seen = asyncio.Event()

    async def edit_original_response(self, content: str, view: Any, **_: Any) -> Any:
        self.shown.append((content, [item.custom_id for item in view.children] if view else []))
        self.seen.set()
        return SimpleNamespace(id=1)


async def test_whoever_waits_sees_how_far_it_is_and_can_stop_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    jobs, asking = LongJobs(), Asking()

    async def never(job: Any, progress: Any) -> None:
        progress(0.4)
        await asyncio.Event().wait()

    monkeypatch.setattr(jobs.workers, "do", never)
    monkeypatch.setattr("bot.ui.long_jobs.EVERY", 0.001)
    waiting = asyncio.create_task(jobs.do(asking, "abcd2345", None, "The review"))  # type: ignore[arg-type]
    while not asking.shown or "40 %" not in asking.shown[-1][0]:
        asking.seen.clear()
        await asking.seen.wait()
    (stop,) = asking.shown[-1][1]
    assert jobs.stop(int(stop.split(":")[-1]))
    with pytest.raises(Exception, match="stopped"):
        await waiting
    assert not jobs.stop(int(stop.split(":")[-1]))
    await jobs.close()


async def test_whoever_asks_twice_waits_twice_for_one_job(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs, done, all_begun = LongJobs(), asyncio.Event(), asyncio.Event()
    begun: list[Any] = []

    async def work(job: Any, progress: Any) -> str:
        begun.append(job)
        if len(begun) == 3:
            all_begun.set()
        await done.wait()
        return f"{job} done"

    monkeypatch.setattr(jobs.workers, "do", work)
    askers = [(Asking(1), "one"), (Asking(1), "one"), (Asking(1), "other"), (Asking(2), "one")]
    waiting = [asyncio.create_task(jobs.do(who, "abcd2345", job, "It")) for who, job in askers]  # type: ignore[arg-type]
    for who, _ in askers:
        await who.seen.wait()
    await all_begun.wait()
    assert begun == ["one", "other", "one"], "each person has jobs of their own"
    with pytest.raises(Refused, match="wait for one of them"):
        await jobs.do(Asking(1), "abcd2345", "third", "It")  # type: ignore[arg-type]
    # One of the two loses their connection: the other waits on.
    waiting[0].cancel()
    done.set()
    assert await asyncio.gather(*waiting[1:]) == ["one done", "other done", "one done"]
    assert not jobs._running
    await jobs.close()
