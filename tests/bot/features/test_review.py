"""/review: the analysis of a finished match, made in a worker."""

import asyncio
import re
from types import SimpleNamespace
from typing import Any

import pytest
from discord import ui

from bot.features.review import describe_chances
from bot.features.thinning import KEEP_EVERY, thin
from bot.kernel import queries
from bot.kernel.room import Room
from bot.model import Status
from bot.runtime.base import Refused
from bot.ui.long_jobs import LongJobs
from engine import Seat
from engine.players.review import Review
from tests.bot.world import World

SENTENCE = re.compile(
    r"\*\*\d\.\*\* Move \d+, [^:]+: [^{}]+ "
    r"(was (worth about \d+ points? more|.*better)|gained about) .+\."
)
"""A moment of a review."""


async def end_solo_match(world: World, game: str, turns: int = 6) -> Room:
    """Return a solo match that Ana resigned after some turns."""
    await world.ana.slash("/solo", game=game)
    await world.wait_until_idle()
    (room,) = await world.matches.of_user(world.ana.id)
    for _ in range(turns):
        match = (await world.reload(room)).playing()
        while question := match.question(Seat(0)):
            key = next(
                (option.key for option in question.options if option.ends), question.options[0].key
            )
            await world.ana.slash("/play", channel=world.place(room), move=key)
            match = (await world.reload(room)).playing()
        if not match.is_complete(Seat(0)):
            break
        await world.ana.slash("/play", channel=world.place(room), move="!")
    response = await world.ana.slash("/resign", channel=world.place(room))
    await world.ana.click(response.private, label="Yes, give up my seat")
    await world.wait_until_idle()
    return await world.reload(room)


async def thin_match(world: World, room: Room) -> Room:
    """Thin a finished match, as happens a day after its end."""
    await thin(world.matches.kernel, room.record.id)
    world.matches._past.clear()
    stored_commits = await world.matches.store.read(queries.commits, room.record.id)
    assert [
        stored.number for stored in stored_commits if stored.snapshot and stored.number % KEEP_EVERY
    ] == [len(stored_commits) - 1]
    return room


@pytest.mark.parametrize("game", ["blue_lagoon", "conquest"])
async def test_a_finished_match_can_be_reviewed(world: World, game: str) -> None:
    room = await thin_match(world, await end_solo_match(world, game, 3))
    assert room.record.status is Status.FINISHED
    shown = await world.ana.ask("/review", channel=world.place(room))
    assert "reviewed" in shown.content and shown.attachments[0].filename == "review.png"
    assert "Expected points of each player" in (shown.attachments[0].description or "")
    _, *moments = shown.content.splitlines()
    if moments != ["No single move decided it: nobody gave much away."]:
        assert all(SENTENCE.fullmatch(moment) for moment in moments), moments
        assert len(shown.attachments) == 1 + len(moments)
        assert all(label.startswith("See moment") for label in shown.labels)
        looked = await world.ana.press(shown, label=shown.labels[0])
        assert ", move " in looked.content and "Step ›" in looked.labels
    assert not any("You can choose: " in (file.description or "") for file in shown.attachments)


async def test_chances_are_told_in_steps_and_never_as_certain(world: World) -> None:
    room = await world.start_match()
    made = Review((), (), ((0.617, 0.383), (0.999, 0.001)))
    assert describe_chances(room, made) == (
        "Chances to win, halfway: Ana 60% and Bea 40%. "
        "With a quarter left to play: Ana 95% and Bea 5%."
    )


async def test_the_last_post_has_a_review_button(world: World) -> None:
    room = await end_solo_match(world, "blue_lagoon", 1)
    last = world.newest(room)
    assert last is not None
    assert "reviewed" in (await world.ana.press(last, label="Review")).content


async def test_a_match_in_play_is_not_reviewed(world: World) -> None:
    room = await world.start_match()
    refused = await world.ana.slash("/review", channel=world.place(room))
    assert "played to the end" in refused.private.content


class Asking:
    """Somebody who waits for a job, and the answers they are shown."""

    def __init__(self, user: int = 1) -> None:
        self.user = SimpleNamespace(id=user)
        self.extras: dict[str, Any] = {}
        self.response = SimpleNamespace(is_done=lambda: True)
        self.shown: list[tuple[str, list[Any]]] = []
        self.seen = asyncio.Event()

    async def edit_original_response(self, view: Any, **_: Any) -> Any:
        parts = list(view.walk_children())
        text = "\n".join(part.content for part in parts if isinstance(part, ui.TextDisplay))
        buttons = [part.custom_id for part in parts if isinstance(part, ui.Button)]
        self.shown.append((text, buttons))
        self.seen.set()
        return SimpleNamespace(id=1)


async def test_a_review_shows_its_progress_and_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    jobs, asking = LongJobs(), Asking()

    async def never(job: Any, progress: Any) -> None:
        progress(0.4)
        await asyncio.Event().wait()

    monkeypatch.setattr(jobs.workers, "do", never)
    monkeypatch.setattr("bot.ui.long_jobs.PROGRESS_SECONDS", 0.001)
    waiting = asyncio.create_task(jobs.do(asking, "abcd2345", None, "The review"))  # type: ignore[arg-type]
    while not asking.shown or "40%" not in asking.shown[-1][0]:
        asking.seen.clear()
        await asking.seen.wait()
    (stop,) = asking.shown[-1][1]
    assert jobs.stop(int(stop.split(":")[-1]))
    with pytest.raises(Exception, match="cancelled"):
        await waiting
    assert not jobs.stop(int(stop.split(":")[-1]))
    await jobs.close()


async def test_two_requests_for_a_review_share_one_job(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = LongJobs()
    done = asyncio.Event()
    all_begun = asyncio.Event()
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
    with pytest.raises(Refused, match="Wait for one of them"):
        await jobs.do(Asking(1), "abcd2345", "third", "It")  # type: ignore[arg-type]
    # One of the two loses their connection: the other waits on.
    waiting[0].cancel()
    done.set()
    assert await asyncio.gather(*waiting[1:]) == ["one done", "other done", "one done"]
    assert not jobs._running
    await jobs.close()
