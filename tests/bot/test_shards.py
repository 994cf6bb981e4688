"""A bot in several shards: each hears of its own servers, and a match goes on wherever a shard is interrupted."""

from pathlib import Path
from typing import Any

import pytest

from tests.bot.posts.table import at_table


class Counter:
    """A bucket that is never empty."""

    taken = 0

    async def take(self) -> None:
        """One more."""
        self.taken += 1


async def test_two_shards_serve_their_servers_and_direct_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with at_table(tmp_path, monkeypatch) as table:
        await table.stop()
        state, gateway = table.discord.state, table.discord.gateway
        state.advised_shards = 2
        places: list[Any] = [state.add_channel(f"games-{n}", state.add_guild(n, shards=2)) for n in (0, 1)]
        await table.start()
        await table.discord.until(lambda: len(gateway.sessions) == 2, about="both shards")
        assert [place.guild >> 22 & 1 for place in places] == [0, 1]
        for place in places:
            opened = await table.ana.slash("/game new", channel=place, game="blue_lagoon", settings="first=1")
            await table.bea.click(opened, label="Join")
            await table.ana.click(opened, label="Start")
        await table.caught_up()
        rooms = await table.bot.matches.of_user(table.ana.id)
        assert {room.info.place.guild for room in rooms} == {place.guild for place in places}
        resumed = gateway.resumed
        (second,) = [session for session in gateway.sessions.values() if session.shard == 1]
        assert second.link is not None
        second.link.cut()
        await table.discord.until(lambda: gateway.resumed > resumed, about="the second shard")
        for room in rooms:
            assert (await table.play(table.ana, room, "17!")).content.startswith("Done.")
        # All that is asked of Discord is counted but answers to presses.
        counter, before = Counter(), len(table.discord.rest.asked)
        table.bot._requests = counter  # type: ignore[assignment]
        await table.bea.slash("/play", channel=table.place(rooms[0]), move="14!", match=rooms[0].info.id)
        await table.caught_up()
        asked = [one.path for one in list(table.discord.rest.asked)[before:]]
        assert counter.taken >= len([path for path in asked if path.startswith("/channels/")]) > 0
        assert counter.taken < len(asked)
        private = table.discord.dm(table.ana)
        assert "Blue Lagoon" in (await table.ana.slash("/games", channel=private)).content
