"""The gateway: resumed and refused connections of an unmodified discord.py bot."""

import aiohttp
import pytest

from bot.local import LocalDiscord, ManualClock
from bot.local.gateway import REPLAYED_EVENTS
from tests.bot.local.conftest import bot_process

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def discord(shared_discord: LocalDiscord) -> LocalDiscord:
    """Return the shared Discord; each test looks only at the requests that it has caused."""
    shared_discord.rest.requests.clear()
    shared_discord.gateway.identified = shared_discord.gateway.resumed = 0
    return shared_discord


def statuses_of(discord: LocalDiscord, path_end: str) -> list[int]:
    """Return the statuses of the requests to a route."""
    return [request.status for request in discord.rest.requests if request.path.endswith(path_end)]


def sessions(discord: LocalDiscord) -> tuple[int, int]:
    """Return how many sessions were opened, and how many resumed."""
    return discord.gateway.identified, discord.gateway.resumed


async def test_events_of_a_broken_connection_are_replayed(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    discord.gateway.hold()
    discord.gateway.drop()
    answer = await ana.slash("/ping", wait="nothing")
    assert not discord.gateway.connected
    discord.gateway.release()
    await answer.wait()
    assert answer.content == "pong Ana"
    assert sessions(discord) == (0, 1)
    assert "resumed" in (await ana.slash("/log")).content


async def test_nothing_is_replayed_twice(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    for _ in range(3):
        assert (await ana.slash("/ping")).acknowledged
        resumed = discord.gateway.resumed
        discord.gateway.drop()
        await discord.until(lambda before=resumed: discord.gateway.resumed > before)
    assert (await ana.slash("/ping")).acknowledged
    assert statuses_of(discord, "/callback") == [200] * 4


async def test_op_7_makes_the_bot_resume(discord: LocalDiscord) -> None:
    discord.gateway.ask_reconnect()
    await discord.until(lambda: sessions(discord) == (0, 1))
    assert (await discord.user("Ana").slash("/ping")).content == "pong Ana"


async def test_op_9_makes_the_bot_identify_again(discord: LocalDiscord) -> None:
    discord.gateway.invalidate()
    await discord.until(lambda: sessions(discord) == (1, 0))
    assert (await discord.user("Ana").slash("/ping")).content == "pong Ana"


async def test_op_9_may_allow_resuming_the_session(discord: LocalDiscord) -> None:
    discord.gateway.invalidate(resumable=True)
    await discord.until(lambda: sessions(discord) == (0, 1))


async def test_a_killed_bot_comes_back_with_a_new_session(clock: ManualClock) -> None:
    async with LocalDiscord(clock=clock) as discord:
        ana = discord.user("Ana")
        async with bot_process(discord):
            opened = await ana.slash("/game new", game="go")
        await discord.wait_until_disconnected()
        lost = await ana.slash("/ping", wait="nothing")
        clock.advance(3)
        assert lost.expired
        async with bot_process(discord):
            await discord.until(lambda: discord.gateway.identified == 2)
            assert (await ana.click(opened, label="Redraw")).content == "redrawn for Ana"


async def test_a_wrong_token_is_refused() -> None:
    async with LocalDiscord() as discord, aiohttp.ClientSession() as session:
        headers = {"Authorization": "Bot wrong"}
        async with session.get(f"{discord.url}/api/v10/users/@me", headers=headers) as answer:
            assert answer.status == 401
        async with session.ws_connect(f"{discord.url}/gateway") as socket:
            assert (await socket.receive_json())["op"] == 10
            await socket.send_json({"op": 2, "d": {"token": "wrong", "intents": 1}})
            await socket.receive()
            assert socket.close_code == 4004


async def test_frames_are_not_compressed() -> None:
    """aiohttp compresses large frames in a task whose failure nobody sees if the peer leaves."""
    async with LocalDiscord() as discord, aiohttp.ClientSession() as session:
        page = discord.table.address
        sockets = {f"{discord.url}/gateway": None, f"{page}socket": discord.url}
        for url, origin in sockets.items():
            async with session.ws_connect(url, origin=origin, compress=15) as socket:
                assert socket.compress == 0


async def test_privileged_intents_are_refused() -> None:
    async with (
        LocalDiscord() as discord,
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{discord.url}/gateway") as socket,
    ):
        await socket.receive_json()
        await socket.send_json({"op": 2, "d": {"token": discord.token, "intents": 1 << 15}})
        await socket.receive()
        assert socket.close_code == 4014


@pytest.mark.parametrize(("text", "code"), [("{oops", 4002), ('{"op": 99}', 4001)])
async def test_nonsense_ends_the_connection(text: str, code: int) -> None:
    async with (
        LocalDiscord() as discord,
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{discord.url}/gateway") as socket,
    ):
        await socket.receive_json()
        await socket.send_str(text)
        await socket.receive()
        assert socket.close_code == code


async def test_a_session_that_missed_too_much_cannot_be_resumed() -> None:
    async with LocalDiscord() as discord, aiohttp.ClientSession() as session:
        login = {"token": discord.token, "intents": 1}
        async with session.ws_connect(f"{discord.url}/gateway") as socket:
            await socket.send_json({"op": 2, "d": login})
            await discord.until(lambda: discord.gateway.connected)
            discord.gateway.drop()
        (kept,) = discord.gateway.sessions.values()
        # Two events came with the login.
        for number in range(REPLAYED_EVENTS - 1):
            discord.add_channel(str(number))
        for seen, op in [(0, 9), (1, 0)]:
            async with session.ws_connect(f"{discord.url}/gateway") as socket:
                assert (await socket.receive_json())["op"] == 10
                await socket.send_json(
                    {"op": 6, "d": {**login, "session_id": kept.id, "seq": seen}}
                )
                assert (await socket.receive_json())["op"] == op


async def test_two_sessions_of_a_shard_both_receive_events() -> None:
    async with LocalDiscord() as discord, aiohttp.ClientSession() as session:
        login = {"token": discord.token, "intents": 1, "shard": [0, 1]}

        async def logged_in() -> aiohttp.ClientWebSocketResponse:
            number = discord.gateway.identified
            socket = await session.ws_connect(f"{discord.url}/gateway")
            await socket.send_json({"op": 2, "d": login})
            await discord.until(lambda: discord.gateway.identified > number)
            return socket

        async def heard(socket: aiohttp.ClientWebSocketResponse) -> str:
            while (packet := await socket.receive_json()).get("t") != "CHANNEL_CREATE":
                pass
            return str(packet["d"]["name"])

        first, second = await logged_in(), await logged_in()
        discord.add_channel("both")
        assert [await heard(first), await heard(second)] == ["both", "both"]
        await first.close()
        await discord.until(lambda: len(discord.gateway.sessions) == 1)
        discord.add_channel("second alone")
        assert await heard(second) == "second alone"
        # A session whose connection is gone makes way for the next login.
        discord.gateway.drop()
        third = await logged_in()
        assert len(discord.gateway.sessions) == 1
        await third.close()
