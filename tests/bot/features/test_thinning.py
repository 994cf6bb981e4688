"""Matches that have ended: their positions are thinned, and every one of them is found again."""

import asyncio
from typing import Any

import pytest

from bot.features import thinning
from bot.features.history.moments import load_timeline
from bot.features.thinning import EVERY, IDLE, REST, THIN
from bot.kernel import queries
from bot.kernel.room import Room
from bot.model import Job, Status
from bot.runtime.base import BotError, Refused
from bot.store.sqlite import SqliteStore
from engine import GAMES, EngineError, Seat
from engine.players.simple import stand_in
from tests.bot.features.rewind.test_rewind import agreed, asked
from tests.bot.intercept import Run, intercept
from tests.bot.kernel.test_announcements import post_all
from tests.bot.seating import ALL_GAMES, House, playing


@pytest.fixture(autouse=True)
def out_of_breath(monkeypatch: pytest.MonkeyPatch) -> None:
    """No rest between the pieces."""
    monkeypatch.setattr(thinning, "PAUSE_SECONDS", 0)


async def ended(house: House, game: str, turns: int = 30) -> Room:
    """A long match with turns that were taken back, a rewind across many, a stand-in for a
    while, and an end.
    """
    room = await house.started(game, people=min(3, max(ALL_GAMES[game].seats)))
    others = range(1, len(room.record.chairs))
    for turn in range(turns):
        seat = playing(room).waiting_for()[0]
        room = await moved(house, room)
        await post_all(house)
        if turn in (12, 17):
            try:
                room = (await house.matches.undo(house.press(room, seat))).room
            except (BotError, EngineError):
                continue  # It has told a secret.
        if turn == 20:
            await agreed(house, await asked(house, room, to=11), *others)
            room = await house.matches.find(room.record.id)
        if room.record.status is not Status.RUNNING:
            return room
    for seat in others:
        room = (await house.matches.resign(house.press(room, seat))).room
    return await house.matches.find(room.record.id)


async def spoilt(house: House, room: Room, what: str, number: int) -> None:
    """Something else in the database than what was played."""
    store = house.matches.store
    assert isinstance(store, SqliteStore)
    sql = f"UPDATE {what} WHERE match_id = ? AND number = ?"
    await store.write(lambda db: db.execute(sql, (room.record.id, number)))


async def moved(house: House, room: Room) -> Room:
    """One turn of whoever is awaited."""
    press = house.press(room, playing(room).waiting_for()[0])
    return (await house.matches.play(press, lambda now, seat: [stand_in(playing(now), seat)])).room


async def numbers(house: House, room: Room) -> list[int]:
    """The commits of a match whose positions are kept."""
    return [
        stored.number
        for stored in await house.matches.store.read(queries.commits, room.record.id)
        if stored.snapshot
    ]


async def thinned(house: House) -> None:
    """A day later, all done that is to be done."""
    await thinning.start(house.matches.kernel)
    await house.later(REST + 2 * IDLE)


async def all_of(house: House, room: Room) -> dict[str, Any]:
    """All that can be seen of a match that is over."""
    matches, match = house.matches, room.record.id
    room = await matches.find(match)
    timeline = await load_timeline(matches.kernel, room)
    moments = range(len(timeline.numbers))
    return {
        "positions": [await matches.position(match, at) for at in range(playing(room).number + 1)],
        "commits": await timeline.commits_since(-1, timeline.last),
        "part": await matches.commits(match, 21, 24),
        "rounds": [await timeline.round_at(moment) for moment in moments],
        "told": [await timeline.events_at(moment, Seat(0)) for moment in moments],
        "transcript": await matches.transcript(match),
        "log": await matches.log(match, None),
    }


@pytest.mark.parametrize("game", [*GAMES, "toy"])
async def test_every_twentieth_position_is_kept_and_all_others_are_found_again(
    house: House, game: str
) -> None:
    room = await ended(house, game, turns=12 if game == "toy" else 30)
    running = await moved(house, await house.started(game))
    before = await all_of(house, room)
    await thinned(house)
    last = playing(room).number
    assert await numbers(house, room) == sorted({*range(0, last + 1, EVERY), last})
    assert await numbers(house, running) == list(range(playing(running).number + 1)), (
        "it may be rewound"
    )
    await house.restart()
    assert await all_of(house, room) == before
    assert await house.matches.store.read(thinning.next_to_thin, 1 << 40) is None


async def test_it_is_left_alone_for_a_day_and_goes_on_after_a_crash(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await ended(house, "blue_lagoon")
    await thinning.start(house.matches.kernel)
    await house.later(REST - IDLE)
    whole = await numbers(house, room)
    assert whole == list(range(playing(room).number + 1))

    # Stopped after the first piece, it begins again where it was.
    async def crash(run: Run, *_: Any) -> None:
        await run()
        raise asyncio.CancelledError

    intercept(monkeypatch, thinning.delete_positions, crash, house.matches.store)
    house.clock.now += 2 * IDLE
    with pytest.raises(asyncio.CancelledError):
        await thinning.thin_next(house.matches.kernel, Job(THIN, 0))
    assert await numbers(house, room) == [0, *range(EVERY, len(whole))]
    await house.restart()
    await thinned(house)
    assert await numbers(house, room) == sorted({*range(0, len(whole), EVERY), len(whole) - 1})


async def test_a_position_that_the_rules_would_not_lead_to_any_more_is_kept(house: House) -> None:
    room = await ended(house, "blue_lagoon")
    other = await ended(house, "blue_lagoon", turns=9)
    await spoilt(house, room, "moves SET events = '[]'", 7)
    await spoilt(house, other, "moves SET position = '{'", 3)
    await thinned(house)
    assert (await numbers(house, room))[:3] == [0, 7, 20]
    assert len(await numbers(house, other)) == playing(other).number + 1, (
        "what is damaged stays as it is"
    )
    # And of what was mended later, only what can be vouched for is shown.
    await spoilt(house, room, "moves SET events = '[]'", 23)
    await house.restart()
    for shown in (22, playing(room).number):
        await house.matches.position(room.record.id, shown)
    with pytest.raises(Refused, match="rules of this game were mended"):
        await house.matches.position(room.record.id, 24)
