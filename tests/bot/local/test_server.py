"""Access to the local Discord, and connections that fail."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.local import LocalDiscord, point_at
from bot.local.errors import STATUS_AND_TEXT
from bot.local.server import ACCEPT_STEPS, WAIT_SECONDS, guard
from tests.bot.local.raw import Raw


async def test_a_visitor_without_the_address_is_told_where_to_find_it(raw: Raw) -> None:
    raw.discord.add_channel("secrets")
    async with raw.session.get(raw.discord.url + "/") as answer:
        text = await answer.text()
        assert answer.status == 200 and "that Motu printed when it started" in text
        assert raw.discord.token not in text
        assert "secrets" not in text
        assert raw.discord.table.capability not in text


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Origin": "https://evil.example"}])
async def test_requests_without_the_token_are_refused(raw: Raw, headers: dict[str, str]) -> None:
    for path in ("/", "/api/v10/users/@me", "/gateway"):
        async with raw.session.get(raw.discord.url + path, headers=headers) as answer:
            assert answer.status == 403


async def test_a_client_that_disconnects_early_is_not_an_error(
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
        assert answer.headers["X-RateLimit-Bucket"]
        assert answer.headers["Content-Type"] == "application/json"


@pytest.mark.parametrize(
    "url", ["http://example.org", "https://127.0.0.1:1", "http://10.0.0.1:80", "nonsense"]
)
def test_only_a_local_address_is_accepted(url: str) -> None:
    with pytest.raises(ValueError, match="not an address of this machine"):
        point_at(url)


def test_every_code_has_a_status_and_a_sentence() -> None:
    assert all(400 <= status < 500 and sentence for status, sentence in STATUS_AND_TEXT.values())


async def test_a_cut_connection_may_hide_a_successful_request(raw: Raw) -> None:
    channel = raw.discord.channel()
    for applied in (False, True):
        raw.discord.faults.cut("POST", "/channels/*/messages", applied=applied)
        with pytest.raises(aiohttp.ClientError):
            await raw.post(channel, {"content": "x"})
        assert len(raw.discord.messages()) == applied


async def test_a_request_can_be_held_before_or_after_it_is_applied(raw: Raw) -> None:
    channel = raw.discord.channel()
    for applied in (False, True):
        fault = raw.discord.faults.hold("POST", "/channels/**", applied=applied)
        posting = asyncio.create_task(raw.post(channel, {"content": "x"}))
        await fault.was_hit.wait()
        before = len(raw.discord.messages())
        fault.release()
        assert (await posting)[0] == 200
        assert len(raw.discord.messages()) - before == (not applied)


async def test_faults_can_be_cleared(raw: Raw) -> None:
    raw.discord.faults.respond_with("*", "/users/@me", 503, times=9)
    assert (await raw.call("GET", "/users/@me"))[0] == 503
    raw.discord.faults.clear()
    assert (await raw.call("GET", "/users/@me"))[0] == 200


@contextmanager
def connecting_to(discord: LocalDiscord) -> Iterator[socket.socket]:
    """Connect to a local Discord, without waiting until that accepts it."""
    with socket.socket() as client:
        client.setblocking(False)
        client.connect_ex(("127.0.0.1", discord.port))
        yield client


def is_closed_by_peer(client: socket.socket) -> bool:
    """Whether the other end of a connection was closed."""
    client.settimeout(WAIT_SECONDS)
    try:
        while client.recv(1 << 20):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return True


@pytest.mark.parametrize("steps", range(6))
async def test_a_connection_made_while_it_stops_is_closed(steps: int) -> None:
    errors: list[dict[str, object]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: errors.append(context))
    async with LocalDiscord() as discord:
        await asyncio.sleep(0)
        with connecting_to(discord) as client:
            for _ in range(steps):
                await asyncio.sleep(0)
            await discord.stop()
            assert is_closed_by_peer(client)
    assert errors == []


async def test_it_stops_while_a_client_does_not_read() -> None:
    async with LocalDiscord() as discord:
        with connecting_to(discord) as client:
            assert discord._runner is not None and discord._runner.server is not None
            server = discord._runner.server
            for _ in range(ACCEPT_STEPS):
                await asyncio.sleep(0)
            transport = server.connections[0].transport
            assert isinstance(transport, asyncio.Transport)
            # More than the buffers of the two sockets hold.
            transport.write(bytes(1 << 26))
            await discord.stop()
            await asyncio.sleep(0)
            assert transport.get_write_buffer_size() == 0
            assert is_closed_by_peer(client)
