"""Stored positions of finished matches are thinned and can be replayed."""

import asyncio
from typing import Any

import pytest

from bot.features import thinning
from bot.features.history.moments import load_timeline
from bot.features.thinning import IDLE_SECONDS, KEEP_EVERY, MIN_AGE_SECONDS, THIN
from bot.kernel import queries
from bot.kernel.room import Room
from bot.model import Job, Status
from bot.runtime.base import BotError, Refused
from bot.store.sqlite import SqliteStore
from engine import GAMES, EngineError, Seat
from engine.players.simple import stand_in
from tests.bot.backend import ALL_GAMES, Backend, match_of
from tests.bot.features.rewind.test_rewind import agree, propose_rewind
from tests.bot.intercept import Run, intercept
from tests.bot.kernel.test_announcements import post_all


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not pause between batches."""
    monkeypatch.setattr(thinning, "PAUSE_SECONDS", 0)


async def end_long_match(backend: Backend, game: str, turns: int = 30) -> Room:
    """Play a long match with rewinds and a stand-in to its end."""
    room = await backend.start_match(game, people=min(3, max(ALL_GAMES[game].seats)))
    others = range(1, len(room.record.chairs))
    for turn in range(turns):
        seat = match_of(room).waiting_for()[0]
        room = await play_turn(backend, room)
        await post_all(backend)
        if turn in (12, 17):
            try:
                room = (await backend.matches.undo(backend.press(room, seat))).room
            except (BotError, EngineError):
                continue  # It revealed a secret.
        if turn == 20:
            await agree(backend, await propose_rewind(backend, room, to=11), *others)
            room = await backend.matches.find(room.record.id)
        if room.record.status is not Status.RUNNING:
            return room
    for seat in others:
        room = (await backend.matches.resign(backend.press(room, seat))).room
    return await backend.matches.find(room.record.id)


async def corrupt(backend: Backend, room: Room, what: str, number: int) -> None:
    """Change stored data of a match."""
    store = backend.matches.store
    assert isinstance(store, SqliteStore)
    sql = f"UPDATE {what} WHERE match_id = ? AND number = ?"
    await store.write(lambda db: db.execute(sql, (room.record.id, number)))


async def play_turn(backend: Backend, room: Room) -> Room:
    """Play one turn of the seat to move."""
    press = backend.press(room, match_of(room).waiting_for()[0])
    return (
        await backend.matches.play(press, lambda room, seat: [stand_in(match_of(room), seat)])
    ).room


async def stored_positions(backend: Backend, room: Room) -> list[int]:
    """Return the commits whose positions are stored."""
    return [
        stored.number
        for stored in await backend.matches.store.read(queries.commits, room.record.id)
        if stored.snapshot
    ]


async def thin_all(backend: Backend) -> None:
    """Thin all matches a day later."""
    await thinning.start(backend.matches.kernel)
    await backend.advance(MIN_AGE_SECONDS + 2 * IDLE_SECONDS)


async def everything_visible(backend: Backend, room: Room) -> dict[str, Any]:
    """Return everything that can be seen of a finished match."""
    matches, match = backend.matches, room.record.id
    room = await matches.find(match)
    timeline = await load_timeline(matches.kernel, room)
    moments = range(len(timeline.numbers))
    return {
        "positions": [await matches.position(match, at) for at in range(match_of(room).number + 1)],
        "commits": await timeline.commits_since(-1, timeline.last),
        "part": await matches.commits(match, 21, 24),
        "rounds": [await timeline.round_at(moment) for moment in moments],
        "told": [await timeline.events_at(moment, Seat(0)) for moment in moments],
        "transcript": await matches.transcript(match),
        "log": await matches.log(match, None),
    }


@pytest.mark.parametrize("game", [*GAMES, "toy"])
async def test_every_twentieth_position_is_stored_and_the_others_are_replayed(
    backend: Backend, game: str
) -> None:
    room = await end_long_match(backend, game, turns=12 if game == "toy" else 30)
    running = await play_turn(backend, await backend.start_match(game))
    before = await everything_visible(backend, room)
    await thin_all(backend)
    last = match_of(room).number
    assert await stored_positions(backend, room) == sorted({*range(0, last + 1, KEEP_EVERY), last})
    assert await stored_positions(backend, running) == list(range(match_of(running).number + 1)), (
        "it may be rewound"
    )
    await backend.restart()
    assert await everything_visible(backend, room) == before
    assert await backend.matches.store.read(thinning.next_to_thin, 1 << 40) is None


async def test_thinning_waits_a_day_and_resumes_after_a_crash(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await end_long_match(backend, "blue_lagoon")
    await thinning.start(backend.matches.kernel)
    await backend.advance(MIN_AGE_SECONDS - IDLE_SECONDS)
    whole = await stored_positions(backend, room)
    assert whole == list(range(match_of(room).number + 1))

    # Stopped after the first piece, it begins again where it was.
    async def crash(run: Run, *_: Any) -> None:
        await run()
        raise asyncio.CancelledError

    intercept(monkeypatch, thinning.delete_positions, crash, backend.matches.store)
    backend.clock.now += 2 * IDLE_SECONDS
    with pytest.raises(asyncio.CancelledError):
        await thinning.thin_next(backend.matches.kernel, Job(THIN, 0))
    assert await stored_positions(backend, room) == [0, *range(KEEP_EVERY, len(whole))]
    await backend.restart()
    await thin_all(backend)
    assert await stored_positions(backend, room) == sorted(
        {*range(0, len(whole), KEEP_EVERY), len(whole) - 1}
    )


async def test_a_position_that_cannot_be_replayed_is_kept(backend: Backend) -> None:
    room = await end_long_match(backend, "blue_lagoon")
    other = await end_long_match(backend, "blue_lagoon", turns=9)
    await corrupt(backend, room, "moves SET events = '[]'", 7)
    await corrupt(backend, other, "moves SET position = '{'", 3)
    await thin_all(backend)
    assert (await stored_positions(backend, room))[:3] == [0, 7, 20]
    assert len(await stored_positions(backend, other)) == match_of(other).number + 1, (
        "what is damaged stays as it is"
    )
    # Once the data is repaired, only positions that are certain are shown.
    await corrupt(backend, room, "moves SET events = '[]'", 23)
    await backend.restart()
    for shown in (22, match_of(room).number):
        await backend.matches.position(room.record.id, shown)
    with pytest.raises(Refused, match="rules have been corrected"):
        await backend.matches.position(room.record.id, 24)
