"""Round trips to the database per press."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from bot.store.postgres import PostgresStore
from tests.bot.backend import Backend, match_of
from tests.soak.proxy import Proxy

FAR_AWAY = 0.1
"""Seconds each way."""
MOST_ROUND_TRIPS = 8
MOST_SECONDS = 2.0


async def test_a_confirm_takes_few_round_trips(emptied: Callable[[], str]) -> None:
    proxy = Proxy(emptied())
    await proxy.start()
    backend = Backend(Path("far"))
    await backend.open_on(await PostgresStore.open(proxy.url))
    room = await backend.start_match("blue_lagoon")
    # By now the statements are prepared on this connection.
    room = await backend.play_out(room, limit=8)
    seat = match_of(room).waiting_for()[0]
    while not match_of(room).is_complete(seat):
        room = (await backend.pick(room, seat)).room
    press = backend.press(room, seat, match_of(room).turn(seat))
    proxy.delay(FAR_AWAY)
    proxy.round_trips = 0
    loop = asyncio.get_running_loop()
    began = loop.time()
    update = await backend.matches.confirm(press)
    seconds = loop.time() - began
    assert update.committed
    assert proxy.round_trips <= MOST_ROUND_TRIPS
    assert seconds < MOST_SECONDS
    proxy.mend()
    await backend.matches.close()
    await proxy.close()
