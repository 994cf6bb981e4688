"""Rate limits, errors and refusals, as an unmodified discord.py bot meets them."""

import asyncio

import pytest

from bot.local import LocalDiscord

POSTS = "/channels/*/messages"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def discord(shared_discord: LocalDiscord) -> LocalDiscord:
    """Return the shared Discord; each test looks only at the requests that it has caused."""
    shared_discord.rest.requests.clear()
    return shared_discord


def statuses_of(discord: LocalDiscord, path_end: str) -> list[int]:
    """Return the statuses of the requests to a route."""
    return [request.status for request in discord.rest.requests if request.path.endswith(path_end)]


async def test_a_rate_limit_is_waited_out(discord: LocalDiscord) -> None:
    discord.faults.respond_with("POST", POSTS, 429, retry_after=0.01)
    answer = await discord.user("Ana").slash("/post", text="be patient")
    assert answer.content.startswith("posted")
    assert statuses_of(discord, "/messages") == [429, 200]
    assert len([m for m in discord.messages() if m.content == "be patient"]) == 1


async def test_a_rate_limited_callback_is_tried_again(discord: LocalDiscord) -> None:
    discord.faults.respond_with("POST", "/interactions/*/*/callback", 429, retry_after=0.01)
    assert (await discord.user("Ana").slash("/ping")).content == "pong Ana"


async def test_a_server_error_is_tried_again_and_the_nonce_drops_the_repeat(
    discord: LocalDiscord,
) -> None:
    discord.faults.respond_with("POST", POSTS, 500, applied=True)
    answer = await discord.user("Ana").slash("/post", text="only once")
    (message,) = [m for m in discord.messages() if m.content == "only once"]
    assert answer.content == f"posted {message.id}"
    assert statuses_of(discord, "/messages") == [500, 200]


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (404, 10003), (400, 160006)])
async def test_a_refusal_reaches_the_bot_with_its_code(
    discord: LocalDiscord, status: int, code: int
) -> None:
    discord.faults.respond_with("POST", POSTS, status, code=code)
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
    await fault.was_hit.wait()
    discord.archive(thread)
    fault.release()
    # The answer cannot be shown there either.
    refused = await discord.until(lambda: [r for r in discord.rest.requests if r.code == 50083])
    assert [r.status for r in refused] == [400]
    waiting.cancel()


async def test_a_deleted_channel_is_unknown(discord: LocalDiscord) -> None:
    ana, channel = discord.user("Ana"), discord.add_channel("doomed")
    fault = discord.faults.hold("POST", POSTS)
    waiting = asyncio.create_task(ana.slash("/post", text="late", channel=channel))
    await fault.was_hit.wait()
    discord.delete_channel(channel)
    fault.release()
    refused = await discord.until(lambda: [r for r in discord.rest.requests if r.code == 10003])
    assert refused[0].status == 404
    waiting.cancel()
