"""Who may come in, what a browser sees, and trouble with the line."""

import asyncio

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.local import LocalDiscord, point_at
from bot.local.errors import STATUS_AND_TEXT
from bot.local.server import guard
from tests.bot.local.raw import Raw


async def test_whoever_has_no_address_is_told_where_to_find_it(raw: Raw) -> None:
    raw.discord.add_channel("secrets")
    async with raw.session.get(raw.discord.url + "/") as answer:
        text = await answer.text()
        assert answer.status == 200 and "printed where Motu was started" in text
        assert (
            raw.discord.token not in text
            and "secrets" not in text
            and raw.discord.table.capability not in text
        )


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "https://evil.example"}])
async def test_strangers_are_turned_away(raw: Raw, headers: dict[str, str]) -> None:
    for path in ("/", "/api/v10/users/@me", "/gateway"):
        async with raw.session.get(raw.discord.url + path, headers=headers) as answer:
            assert answer.status == 403


async def test_whoever_leaves_before_the_answer_is_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def handler(request: web.Request) -> web.StreamResponse:
        assert request.transport is not None
        request.transport.close()
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        return socket

    app = web.Application(middlewares=[guard])
    app.router.add_get("/", handler)
    async with TestServer(app) as server, aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.ClientConnectionError):
            await session.ws_connect(server.make_url("/"))
    assert caplog.records == []


async def test_an_unknown_route_is_recorded() -> None:
    async with LocalDiscord() as discord, aiohttp.ClientSession() as session:
        async with session.put(f"{discord.url}/api/v10/users/@me") as answer:
            assert answer.status == 404
            assert answer.headers["Content-Type"] == "application/json"
        assert discord.unknown_routes == ["PUT /users/@me"]


async def test_rate_limit_headers_let_requests_run_side_by_side(raw: Raw) -> None:
    headers = {"Authorization": f"Bot {raw.discord.token}"}
    async with raw.session.get(f"{raw.discord.url}/api/v10/users/@me", headers=headers) as answer:
        assert int(answer.headers["X-RateLimit-Remaining"]) > 1
        assert (
            answer.headers["X-RateLimit-Bucket"]
            and answer.headers["Content-Type"] == "application/json"
        )


@pytest.mark.parametrize(
    "url", ["http://example.org", "https://127.0.0.1:1", "http://10.0.0.1:80", "nonsense"]
)
def test_only_this_machine_can_be_pointed_at(url: str) -> None:
    with pytest.raises(ValueError, match="not an address of this machine"):
        point_at(url)


def test_every_code_has_a_status_and_a_sentence() -> None:
    assert all(400 <= status < 500 and sentence for status, sentence in STATUS_AND_TEXT.values())


async def test_a_cut_line_may_hide_that_the_request_was_carried_out(raw: Raw) -> None:
    channel = raw.discord.channel()
    for applied in (False, True):
        raw.discord.faults.cut("POST", "/channels/*/messages", applied=applied)
        with pytest.raises(aiohttp.ClientError):
            await raw.post(channel, {"content": "x"})
        assert len(raw.discord.messages()) == applied


async def test_a_request_may_be_held_before_or_after_it_is_carried_out(raw: Raw) -> None:
    channel = raw.discord.channel()
    for applied in (False, True):
        fault = raw.discord.faults.hold("POST", "/channels/**", applied=applied)
        posting = asyncio.create_task(raw.post(channel, {"content": "x"}))
        await fault.met.wait()
        before = len(raw.discord.messages())
        fault.release()
        assert (await posting)[0] == 200
        assert len(raw.discord.messages()) - before == (not applied)


async def test_trouble_can_be_called_off(raw: Raw) -> None:
    raw.discord.faults.answer("*", "/users/@me", 503, times=9)
    assert (await raw.call("GET", "/users/@me"))[0] == 503
    raw.discord.faults.clear()
    assert (await raw.call("GET", "/users/@me"))[0] == 200
