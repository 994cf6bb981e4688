"""Channels, threads, permissions and files, request by request."""

import pytest

from bot.local.model import Message
from bot.local.objects import FILE_LIMIT, REQUEST_LIMIT
from tests.bot.local.raw import Raw


async def post_message(raw: Raw, content: str = "x") -> Message:
    """Post a message as the bot; return its path."""
    _, body = await raw.post(raw.discord.channel(), {"content": content})
    return raw.discord.state.messages[int(body["id"])]


async def open_thread(raw: Raw, name: str = "Table") -> str:
    """Open a thread and return its path."""
    path = f"/channels/{raw.discord.channel().id}/threads"
    status, body = await raw.call("POST", path, {"name": name, "type": 11})
    assert status == 200, body
    return f"/channels/{body['id']}"


# Nonces


async def test_repeating_an_enforced_nonce_returns_the_existing_message(raw: Raw) -> None:
    body = {"content": "x", "nonce": "7", "enforce_nonce": True}
    channel = raw.discord.channel()
    other = raw.discord.add_channel("other")
    _, first = await raw.post(channel, body)
    assert (await raw.post(channel, body))[1]["id"] == first["id"]
    assert (await raw.post(other, body))[1]["id"] == first["id"]
    assert len(raw.discord.messages()) == 1


async def test_a_nonce_that_is_not_enforced_is_ignored(raw: Raw) -> None:
    for _ in range(2):
        await raw.post(raw.discord.channel(), {"content": "x", "nonce": "7"})
    assert len(raw.discord.messages()) == 2


async def test_a_nonce_is_forgotten_after_some_minutes(raw: Raw) -> None:
    body = {"content": "x", "nonce": "7", "enforce_nonce": True}
    await raw.post(raw.discord.channel(), body)
    raw.clock.advance(120)
    await raw.post(raw.discord.channel(), body)
    assert len(raw.discord.messages()) == 1
    raw.clock.advance(600)
    await raw.post(raw.discord.channel(), body)
    assert len(raw.discord.messages()) == 2


# Permissions


@pytest.mark.parametrize(
    ("denied", "body", "code"),
    [
        ("view_channel", {"content": "x"}, 50001),
        ("send_messages", {"content": "x"}, 50013),
        ("embed_links", {"embeds": [{"title": "x"}]}, 50013),
        ("attach_files", {"attachments": [{"id": 0, "filename": "a"}]}, 50013),
    ],
)
async def test_a_post_without_permission_is_refused(
    raw: Raw, denied: str, body: dict[str, object], code: int
) -> None:
    channel = raw.discord.channel()
    files = {"files[0]": b"x"} if "attachments" in body else None
    assert (await raw.post(channel, body, files))[0] == 200
    raw.discord.deny(channel, denied)
    path = f"/channels/{channel.id}/messages"
    assert await raw.refused("POST", path, body, files) == (403, code)
    raw.discord.allow(channel, denied)
    assert (await raw.post(channel, body, files))[0] == 200


async def test_threads_need_permissions_of_their_own(raw: Raw) -> None:
    channel = raw.discord.channel()
    thread = await open_thread(raw)
    raw.discord.deny(channel, "send_messages_in_threads", "create_public_threads")
    assert await raw.refused("POST", f"{thread}/messages", {"content": "x"}) == (403, 50013)
    assert await raw.refused(
        "POST", f"/channels/{channel.id}/threads", {"name": "T", "type": 11}
    ) == (403, 50013)
    assert await raw.refused("POST", f"/channels/{channel.id}/threads", {"name": "T"}) == (
        403,
        50013,
    )
    assert (await raw.post(channel, {"content": "x"}))[0] == 200


async def test_only_own_messages_can_be_changed(raw: Raw) -> None:
    message = raw.discord.user("Ana").say("mine")
    path = f"/channels/{message.channel.id}/messages/{message.id}"
    assert await raw.refused("PATCH", path, {"content": "yours"}) == (403, 50005)
    assert message.content == "mine"


async def test_a_person_with_closed_direct_messages_gets_none(raw: Raw) -> None:
    ana = raw.discord.user("Ana")
    ana.user.takes_dms = False
    _, dm = await raw.call("POST", "/users/@me/channels", {"recipient_id": ana.id})
    assert await raw.refused("POST", f"/channels/{dm['id']}/messages", {"content": "x"}) == (
        403,
        50007,
    )


# Messages


async def test_deleted_things_are_unknown(raw: Raw) -> None:
    message = await post_message(raw)
    path = f"/channels/{message.channel.id}"
    raw.discord.delete_message(message)
    assert await raw.refused("PATCH", f"{path}/messages/{message.id}", {"content": "y"}) == (
        404,
        10008,
    )
    raw.discord.delete_channel(message.channel)
    assert await raw.refused("GET", path) == (404, 10003)
    assert await raw.refused("POST", f"{path}/messages", {"content": "x"}) == (404, 10003)
    assert await raw.refused("POST", "/users/@me/channels", {"recipient_id": "1"}) == (404, 10013)


async def test_an_edit_keeps_fields_that_it_does_not_name(raw: Raw) -> None:
    body = {"content": "x", "embeds": [{"title": "t"}], "attachments": [{"id": 0, "filename": "a"}]}
    _, made = await raw.post(raw.discord.channel(), body, {"files[0]": b"data"})
    message = raw.discord.state.messages[int(made["id"])]
    path = f"/channels/{message.channel.id}/messages/{message.id}"
    await raw.call("PATCH", path, {"content": "y"})
    assert message.content == "y"
    assert message.embeds == [{"title": "t"}]
    assert message.files == {"a": b"data"}
    everything = {"content": "", "embeds": [], "attachments": []}
    assert await raw.refused("PATCH", path, everything) == (400, 50006)
    assert message.content == "y"


async def test_old_messages_allow_few_edits(raw: Raw) -> None:
    message = await post_message(raw)
    path = f"/channels/{message.channel.id}/messages/{message.id}"
    raw.clock.advance(3601)
    statuses = [(await raw.call("PATCH", path, {"content": str(n)}))[0] for n in range(6)]
    assert statuses == [200] * 5 + [429]
    _, body = await raw.call("PATCH", path, {"content": "z"})
    assert body["code"] == 30046 and body["retry_after"] > 0
    raw.clock.advance(600)
    assert (await raw.call("PATCH", path, {"content": "z"}))[0] == 200


async def test_only_allowed_mentions_notify(raw: Raw) -> None:
    ana = raw.discord.user("Ana")
    bob = raw.discord.user("Bob")
    text = f"{ana.mention} {bob.mention} `{bob.mention}`"
    for allowed, pinged in [
        (None, [ana.user, bob.user]),
        ({"parse": []}, []),
        ({"parse": ["users"]}, [ana.user, bob.user]),
        ({"parse": [], "users": [str(bob.id)]}, [bob.user]),
    ]:
        _, body = await raw.post(
            raw.discord.channel(), {"content": text, "allowed_mentions": allowed}
        )
        assert raw.discord.state.messages[int(body["id"])].pings == pinged
    assert len(ana.pings()) == 2


async def test_an_edit_changes_no_notifications(raw: Raw) -> None:
    ana = raw.discord.user("Ana")
    bob = raw.discord.user("Bob")
    message = await post_message(raw, f"Your turn {ana.mention}")
    path = f"/channels/{message.channel.id}/messages/{message.id}"
    _, body = await raw.call("PATCH", path, {"content": f"Your turn {bob.mention}"})
    assert [user["id"] for user in body["mentions"]] == [str(bob.id)]
    assert message.pings == [ana.user]
    assert bob.pings() == []


async def test_history_is_newest_first(raw: Raw) -> None:
    messages = [await post_message(raw, str(n)) for n in range(5)]
    path = f"/channels/{raw.discord.channel().id}/messages"
    _, page = await raw.call("GET", f"{path}?limit=2")
    assert [m["content"] for m in page] == ["4", "3"]
    _, page = await raw.call("GET", f"{path}?before={messages[2].id}")
    assert [m["content"] for m in page] == ["1", "0"]
    _, page = await raw.call("GET", f"{path}?after={messages[2].id}&limit=1")
    assert [m["content"] for m in page] == ["3"]


async def test_a_body_that_is_not_json_is_refused(raw: Raw) -> None:
    url = f"{raw.discord.url}/api/v10/channels/{raw.discord.channel().id}/messages"
    headers = {"Authorization": f"Bot {raw.discord.token}", "Content-Type": "application/json"}
    async with raw.session.post(url, data=b"{oops", headers=headers) as answer:
        assert answer.status == 400 and (await answer.json())["code"] == 50109


# Threads


async def test_the_number_of_active_threads_is_capped(raw: Raw) -> None:
    channel = raw.discord.channel()
    first = await open_thread(raw)
    await open_thread(raw)
    path = f"/channels/{channel.id}/threads"
    assert await raw.refused("POST", path, {"name": "T", "type": 11}) == (400, 160006)
    message = await post_message(raw)
    hanging = f"/channels/{channel.id}/messages/{message.id}/threads"
    assert await raw.refused("POST", hanging, {"name": "T"}) == (400, 160006)
    assert message.thread is None
    await raw.call("PATCH", first, {"archived": True})
    assert (await raw.call("POST", path, {"name": "T", "type": 11}))[0] == 200
    assert await raw.refused("PATCH", first, {"archived": False}) == (400, 160006)


async def test_a_message_can_have_only_one_thread(raw: Raw) -> None:
    message = await post_message(raw)
    path = f"/channels/{message.channel.id}/messages/{message.id}/threads"
    _, thread = await raw.call("POST", path, {"name": "T"})
    assert thread["id"] == str(message.id)
    assert await raw.refused("POST", path, {"name": "T"}) == (400, 160004)


@pytest.mark.parametrize(("name", "status"), [("x" * 100, 200), ("x" * 101, 400), ("", 400)])
async def test_a_thread_name_has_a_limit(raw: Raw, name: str, status: int) -> None:
    path = f"/channels/{raw.discord.channel().id}/threads"
    found, body = await raw.call("POST", path, {"name": name, "type": 11})
    assert found == status
    assert status == 200 or (body["code"], list(body["errors"])) == (50035, ["name"])


async def test_an_archived_thread_refuses_posts(raw: Raw) -> None:
    thread = await open_thread(raw)
    _, message = await raw.call("POST", f"{thread}/messages", {"content": "x"})
    await raw.call("PATCH", thread, {"archived": True})
    one = f"{thread}/messages/{message['id']}"
    assert await raw.refused("POST", f"{thread}/messages", {"content": "x"}) == (400, 50083)
    assert await raw.refused("PATCH", one, {"content": "y"}) == (400, 50083)
    assert await raw.refused("PATCH", thread, {"name": "new"}) == (400, 50083)
    assert (await raw.call("PATCH", thread, {"archived": False}))[0] == 200
    assert (await raw.call("PATCH", one, {"content": "y"}))[0] == 200


async def test_a_locked_thread_stays_closed(raw: Raw) -> None:
    thread = await open_thread(raw)
    raw.discord.archive(raw.discord.channel("Table"), locked=True)
    assert await raw.refused("PATCH", thread, {"archived": False}) == (403, 50013)


async def test_a_quiet_thread_archives_itself(raw: Raw) -> None:
    path = f"/channels/{raw.discord.channel().id}/threads"
    _, made = await raw.call("POST", path, {"name": "T", "type": 11, "auto_archive_duration": 60})
    thread = f"/channels/{made['id']}"
    raw.clock.advance(59 * 60)
    await raw.call("POST", f"{thread}/messages", {"content": "x"})
    raw.clock.advance(59 * 60)
    assert (await raw.call("GET", thread))[1]["thread_metadata"]["archived"] is False
    raw.clock.advance(60)
    assert (await raw.call("GET", thread))[1]["thread_metadata"]["archived"] is True


async def test_a_thread_is_deleted_with_its_channel(raw: Raw) -> None:
    thread = await open_thread(raw)
    raw.discord.delete_channel(raw.discord.channel())
    assert await raw.refused("POST", f"{thread}/messages", {"content": "x"}) == (404, 10003)


# Files


async def test_a_file_and_all_files_of_a_request_have_a_limit(raw: Raw) -> None:
    channel = raw.discord.channel()
    path = f"/channels/{channel.id}/messages"
    body = {"attachments": [{"id": number, "filename": "a"} for number in range(3)]}
    last = REQUEST_LIMIT - 2 * FILE_LIMIT
    for sizes, is_accepted in (
        ((FILE_LIMIT, FILE_LIMIT, last), True),
        ((FILE_LIMIT, FILE_LIMIT, last + 1), False),
        ((FILE_LIMIT + 1, 1, 1), False),
    ):
        files = {f"files[{number}]": b"x" * size for number, size in enumerate(sizes)}
        if is_accepted:
            assert (await raw.post(channel, body, files))[0] == 200
        else:
            assert await raw.refused("POST", path, body, files) == (413, 40005)


@pytest.mark.parametrize("wrong", ["x", "9" * 5000])
async def test_an_invalid_id_is_refused(raw: Raw, wrong: str) -> None:
    assert await raw.refused("GET", f"/channels/{wrong}") == (400, 50035)
    async with raw.session.get(f"{raw.discord.url}/attachments/1/{wrong}/a.png") as answer:
        assert answer.status == 404


@pytest.mark.parametrize("part", ["file", "files", "files[a]", "upload0"])
async def test_a_file_part_must_be_numbered(raw: Raw, part: str) -> None:
    body = {"attachments": [{"id": 0, "filename": "a"}]}
    status, answer = await raw.post(raw.discord.channel(), body, {part: b"x"})
    assert status == 400
    assert answer["code"] == 50035
    assert list(answer["errors"]) == [part]


async def test_the_address_of_a_file_is_secret_and_expires(raw: Raw) -> None:
    body = {"attachments": [{"id": 0, "filename": "a b.txt"}]}
    _, message = await raw.post(raw.discord.channel(), body, {"files[0]": b"hello"})
    url = message["attachments"][0]["url"]
    async with raw.session.get(url) as answer:
        assert (answer.status, await answer.read()) == (200, b"hello")
    async with raw.session.get(url.split("?")[0]) as answer:
        assert answer.status == 404
    raw.clock.advance(86_401)
    async with raw.session.get(url) as answer:
        assert answer.status == 404
