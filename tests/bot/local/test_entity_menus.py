"""Menus of people, roles and channels in messages."""

from typing import Any

import pytest

from bot.local import Impossible, Response
from bot.local.model import Channel, Message, Thread
from tests.bot.local.parts import Json, container, entity_menu, layout, row
from tests.bot.local.raw import Raw

USERS, ROLES, MENTIONABLES, CHANNELS = 5, 6, 7, 8


@pytest.fixture(autouse=True)
async def owner(raw: Raw) -> None:
    """The server's owner is neither of those who choose."""
    raw.discord.user("Owner")


async def post(raw: Raw, kind: int, channel: Channel | None = None, **more: Any) -> Message:
    body = layout(container(row(entity_menu(kind, **more))))
    status, answer = await raw.post(channel or raw.discord.channel(), body)
    assert status == 200, answer
    return raw.discord.state.messages[int(answer["id"])]


async def choose(raw: Raw, message: Message, values: Any) -> Json:
    chosen: Response = await raw.discord.user("Ana").choose(message, "m", values, wait="nothing")
    return chosen.interaction.data


async def test_chosen_people_are_resolved_with_their_permissions(raw: Raw) -> None:
    ana, bob = raw.discord.user("Ana"), raw.discord.user("Bob")
    bob.user.roles.append(raw.discord.state.add_role("Referee"))
    data = await choose(raw, await post(raw, USERS, max_values=2), [bob, "Ana"])
    assert (data["custom_id"], data["component_type"], data["id"]) == ("m", USERS, 3)
    assert data["values"] == [str(bob.id), str(ana.id)]
    assert data["resolved"].keys() == {"users", "members"}
    assert [one["username"] for one in data["resolved"]["users"].values()] == ["bob", "ana"]
    member = data["resolved"]["members"][str(bob.id)]
    assert member["roles"] == [str(role) for role in bob.user.roles]
    channel = raw.discord.channel()
    assert member["permissions"] == str(raw.discord.state.permissions(bob.user, channel))
    assert not {"user", "deaf", "mute"} & member.keys()


async def test_chosen_channels_have_the_permissions_of_both_sides(raw: Raw) -> None:
    secret, silent = raw.discord.add_channel("secret"), raw.discord.add_channel("silent")
    ana = raw.discord.user("Ana")
    raw.discord.deny(secret, "view_channel")
    raw.discord.deny(silent, "send_messages", to=ana)
    message = await post(raw, CHANNELS, max_values=3)
    found = (await choose(raw, message, [secret, silent]))["resolved"]["channels"]
    state = raw.discord.state
    for channel in (secret, silent):
        described = found[str(channel.id)]
        assert described["name"] == channel.name
        assert described["permissions"] == str(state.permissions(ana.user, channel))
        assert described["app_permissions"] == str(state.permissions(state.bot, channel))
    assert found[str(secret.id)]["app_permissions"] == "0"


async def test_only_channels_that_the_person_sees_are_offered(raw: Raw) -> None:
    hidden = raw.discord.add_channel("hidden")
    raw.discord.deny(hidden, "view_channel", to=raw.discord.user("Ana"))
    path = f"/channels/{raw.discord.channel().id}/threads"
    threads = [(await raw.call("POST", path, {"name": n, "type": 11}))[1] for n in "ab"]
    old = raw.discord.channel("b")
    assert isinstance(old, Thread)
    raw.discord.archive(old)
    message = await post(raw, CHANNELS)
    for wrong in (hidden, "b", "nowhere"):
        with pytest.raises(Impossible, match="not_listed"):
            await choose(raw, message, wrong)
    assert (await choose(raw, message, "a"))["values"] == [threads[0]["id"]]
    text_only = await post(raw, CHANNELS, channel_types=[0])
    with pytest.raises(Impossible, match="not_listed"):
        await choose(raw, text_only, "a")


async def test_roles_and_mentionables(raw: Raw) -> None:
    role = raw.discord.state.add_role("Referee")
    bob = raw.discord.user("Bob")
    data = await choose(raw, await post(raw, ROLES), "Referee")
    assert data["resolved"]["roles"][str(role)]["name"] == "Referee"
    data = await choose(raw, await post(raw, MENTIONABLES, max_values=2), [role, bob])
    assert data["resolved"].keys() == {"roles", "users", "members"}
    with pytest.raises(Impossible, match="not_listed"):
        await choose(raw, await post(raw, ROLES), "Bob")


async def test_people_who_left_are_not_offered(raw: Raw) -> None:
    raw.discord.user("Bob").user.is_member = False
    with pytest.raises(Impossible, match="not_listed"):
        await choose(raw, await post(raw, USERS), "Bob")


async def test_as_many_are_chosen_as_the_menu_asks_for(raw: Raw) -> None:
    names = ["Ana", "Owner", "Motu"]
    message = await post(raw, USERS, min_values=2, max_values=2)
    for wrong in (names[:1], names):
        with pytest.raises(Impossible, match="number_chosen"):
            await choose(raw, message, wrong)
    data = await choose(raw, await post(raw, USERS, min_values=0), [])
    assert (data["values"], data["resolved"]) == ([], {})


async def test_direct_messages_offer_the_two_who_share_them(raw: Raw) -> None:
    ana = raw.discord.user("Ana")
    message = await post(raw, USERS, raw.discord.dm(ana), max_values=2)
    data = await choose(raw, message, ["Ana", "Motu"])
    assert data["resolved"].keys() == {"users"}
    with pytest.raises(Impossible, match="not_listed"):
        await choose(raw, message, "Owner")
    with pytest.raises(Impossible, match="not_listed"):
        await choose(raw, await post(raw, CHANNELS, raw.discord.dm(ana)), raw.discord.dm(ana))
