"""Broken sockets, rate limits and refusals, met by an unmodified discord.py bot."""

import asyncio

import aiohttp
import pytest

from bot.local import HandClock, LocalDiscord
from bot.local.clock import WallClock
from bot.local.gateway import REPLAY
from bot.local.refusal import MESSAGES
from tests.bot.local.conftest import bot_process

POSTS = "/channels/*/messages"


def asked(discord: LocalDiscord, path_end: str) -> list[int]:
    """The statuses of the requests to a route."""
    return [request.status for request in discord.rest.asked if request.path.endswith(path_end)]


async def test_a_rate_limit_is_waited_out(discord: LocalDiscord) -> None:
    discord.faults.answer("POST", POSTS, 429, retry_after=0.01)
    answer = await discord.user("Ana").slash("/post", text="hello")
    assert answer.content.startswith("posted")
    assert asked(discord, "/messages") == [429, 200]
    assert len(discord.messages()) == 1


async def test_a_rate_limited_callback_is_tried_again(discord: LocalDiscord) -> None:
    discord.faults.answer("POST", "/interactions/*/*/callback", 429, retry_after=0.01)
    assert (await discord.user("Ana").slash("/ping")).content == "pong Ana"


async def test_a_server_error_is_tried_again_and_the_nonce_drops_the_repeat(discord: LocalDiscord) -> None:
    discord.faults.answer("POST", POSTS, 500, applied=True)
    answer = await discord.user("Ana").slash("/post", text="only once")
    (message,) = discord.messages()
    assert answer.content == f"posted {message.id}"
    assert asked(discord, "/messages") == [500, 200]


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (404, 10003), (400, 160006)])
async def test_a_refusal_reaches_the_bot_with_its_code(discord: LocalDiscord, status: int, code: int) -> None:
    discord.faults.answer("POST", POSTS, status, code=code)
    answer = await discord.user("Ana").slash("/post", text="hello")
    assert answer.content == f"{status} {code}"
    assert (await discord.user("Ana").slash("/post", text="hello")).content.startswith("posted")


async def test_missing_permissions_are_refused(discord: LocalDiscord) -> None:
    ana, channel = discord.user("Ana"), discord.channel()
    discord.deny(channel, "send_messages")
    assert (await ana.slash("/post", text="hello")).content == "403 50013"
    discord.deny(channel, "view_channel")
    assert (await ana.slash("/post", text="hello")).content == "403 50001"
    discord.allow(channel, "send_messages", "view_channel")
    assert (await ana.slash("/post", text="hello")).content.startswith("posted")


async def test_an_archived_thread_takes_no_post(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    await ana.slash("/hang")
    thread = (await discord.message("down here")).channel
    fault = discord.faults.hold("POST", POSTS)
    waiting = asyncio.create_task(ana.slash("/post", text="late", channel=thread))
    await fault.met.wait()
    discord.archive(thread)
    fault.release()
    # The answer cannot be shown there either.
    refused = await discord.until(lambda: [r for r in discord.rest.asked if r.code == 50083])
    assert [r.status for r in refused] == [400]
    waiting.cancel()


async def test_a_deleted_channel_is_unknown(discord: LocalDiscord) -> None:
    ana, channel = discord.user("Ana"), discord.add_channel("doomed")
    fault = discord.faults.hold("POST", POSTS)
    waiting = asyncio.create_task(ana.slash("/post", text="late", channel=channel))
    await fault.met.wait()
    discord.delete_channel(channel)
    fault.release()
    refused = await discord.until(lambda: [r for r in discord.rest.asked if r.code == 10003])
    assert refused[0].status == 404
    waiting.cancel()


async def test_events_of_a_broken_connection_are_replayed(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    discord.gateway.hold()
    discord.gateway.drop()
    answer = await ana.slash("/ping", wait="nothing")
    assert not discord.gateway.connected
    discord.gateway.release()
    await answer.settle("answer", 20)
    assert answer.content == "pong Ana"
    assert (discord.gateway.identified, discord.gateway.resumed) == (1, 1)
    assert "resumed" in (await ana.slash("/log")).content


async def test_nothing_is_replayed_twice(discord: LocalDiscord) -> None:
    ana = discord.user("Ana")
    for _ in range(3):
        assert (await ana.slash("/ping")).acknowledged
        resumed = discord.gateway.resumed
        discord.gateway.drop()
        await discord.until(lambda before=resumed: discord.gateway.resumed > before)
    assert (await ana.slash("/ping")).acknowledged
    assert asked(discord, "/callback") == [200] * 4


async def test_op_7_makes_the_bot_resume(discord: LocalDiscord) -> None:
    discord.gateway.ask_reconnect()
    await discord.until(lambda: discord.gateway.resumed == 1)
    assert (await discord.user("Ana").slash("/ping")).content == "pong Ana"
    assert discord.gateway.identified == 1


async def test_op_9_makes_the_bot_log_in_anew(discord: LocalDiscord) -> None:
    discord.gateway.invalidate()
    await discord.until(lambda: discord.gateway.identified == 2)
    assert (await discord.user("Ana").slash("/ping")).content == "pong Ana"
    assert discord.gateway.resumed == 0


async def test_op_9_may_say_that_the_session_goes_on(discord: LocalDiscord) -> None:
    discord.gateway.invalidate(resumable=True)
    await discord.until(lambda: discord.gateway.resumed == 1)
    assert discord.gateway.identified == 1


async def test_a_killed_bot_comes_back_with_a_new_session(clock: HandClock) -> None:
    async with LocalDiscord(clock=clock) as discord:
        ana = discord.user("Ana")
        async with bot_process(discord):
            opened = await ana.slash("/game new", game="go")
        await discord.gone()
        lost = await ana.slash("/ping", wait="nothing")
        clock.advance(3)
        assert lost.expired
        async with bot_process(discord):
            await discord.until(lambda: discord.gateway.identified == 2)
            assert (await ana.click(opened, label="Redraw")).content == "redrawn for Ana"


async def test_the_wall_clock_calls_when_the_time_has_come() -> None:
    clock, called = WallClock(), asyncio.Event()
    clock.call_at(clock.now(), called.set)
    await asyncio.wait_for(called.wait(), 10)


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
        ana, login = discord.user("Ana"), {"token": discord.token, "intents": 1 << 9}
        async with session.ws_connect(f"{discord.url}/gateway") as socket:
            await socket.send_json({"op": 2, "d": login})
            await discord.until(lambda: discord.gateway.connected)
            discord.gateway.drop()
        (kept,) = discord.gateway.sessions.values()
        for number in range(REPLAY):
            ana.say(str(number))
        for seen, op in [(0, 9), (1, 0)]:
            async with session.ws_connect(f"{discord.url}/gateway") as socket:
                assert (await socket.receive_json())["op"] == 10
                await socket.send_json({"op": 6, "d": {**login, "session_id": kept.id, "seq": seen}})
                assert (await socket.receive_json())["op"] == op


async def test_an_unknown_route_is_recorded() -> None:
    async with LocalDiscord() as discord, aiohttp.ClientSession() as session:
        async with session.put(f"{discord.url}/api/v10/users/@me") as answer:
            assert answer.status == 404
            assert answer.headers["Content-Type"] == "application/json"
        assert discord.unknown_routes == ["PUT /users/@me"]


def test_every_code_has_a_status_and_a_sentence() -> None:
    assert all(400 <= status < 500 and sentence for status, sentence in MESSAGES.values())
