"""/settings: chosen by those who may manage the server, refused to strangers, and held wherever
it matters.
"""

import discord
import pytest

from bot.features.server_settings import USUAL, ServerSettings, Threads
from bot.model import Pace, Person, Place, Status
from tests.bot.answers import answer, labels, said
from tests.bot.conftest import World


@pytest.fixture
def owner(world: World):
    """Somebody who may manage the server."""
    role = world.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    return world.guild.add_member(world.env.create_user("Mia"), roles=[role])


def fields(result) -> dict[str, str]:
    (embed,) = answer(result).embeds
    return {field.name: field.value for field in embed.fields}


async def chosen(world: World, who, what: str, *values: str, page: int = 0):
    """A setting chosen by its menu."""
    shown = answer(await who.slash(world.channel, "settings"))
    shown = answer(await who.select(shown.message, values=[what], custom_id="s:choose:0"))
    return await who.select(shown.message, values=list(values), custom_id=f"s:{what}:{page}")


async def test_a_choice_is_kept_shown_and_outlives_a_restart(world: World, owner) -> None:
    assert fields(await owner.slash(world.channel, "settings"))["Threads"].startswith(
        "As whoever opens"
    )
    assert (
        fields(await chosen(world, owner, "threads", "never"))["Threads"]
        == "Never: in the channel itself"
    )
    await chosen(world, owner, "per_player", "3")
    await chosen(world, owner, "channels", str(world.channel.id))
    kept = ServerSettings(channels=(world.channel.id,), threads=Threads.NEVER, per_player=3)
    assert await world.matches.servers.of(world.guild.id) == kept
    await world.restart()
    assert await world.matches.servers.of(world.guild.id) == kept
    shown = answer(await chosen(world, owner, "channels", str(world.channel.id)))
    await owner.click(shown.message, label="Every channel")
    assert (await world.matches.servers.of(world.guild.id)).channels == ()


async def test_whoever_may_not_manage_the_server_is_refused(world: World, owner) -> None:
    shown = answer(await owner.slash(world.channel, "settings"))
    with pytest.raises(Exception, match="default-member-permissions"):
        await world.ana.slash(world.channel, "settings")
    (command,) = [one for one in await world.bot.tree.fetch_commands() if one.name == "settings"]
    world.guild.set_command_permissions(command, {world.guild.default_role: True})
    assert "Manage Server" in said(await world.ana.slash(world.channel, "settings"))
    assert shown.ephemeral and await world.matches.servers.of(world.guild.id) == USUAL


async def test_channels_and_roles_beyond_a_menu_come_in_pages(world: World, owner) -> None:
    for number in range(60):
        world.guild.create_text_channel(f"room-{number}")
    first = str(world.bot.get_guild(world.guild.id).text_channels[0].id)
    shown = answer(await chosen(world, owner, "channels", first))
    assert "Next page (2 of 3)" in labels(shown)
    shown = answer(await owner.click(shown.message, label="Next page (2 of 3)"))
    second = str(world.bot.get_guild(world.guild.id).text_channels[30].id)
    await owner.select(shown.message, values=[second], custom_id="s:channels:1")
    assert (await world.matches.servers.of(world.guild.id)).channels == (int(first), int(second))


async def test_matches_are_opened_only_in_the_channels_chosen(world: World, owner) -> None:
    other = world.guild.create_text_channel("chat")
    await world.matches.servers.change(world.guild.id, channels=(other.id,))
    for command, options in (
        ("game new", {"game": "maori"}),
        ("solo", {"game": "maori"}),
        ("learn", {"game": "maori"}),
    ):
        assert f"<#{other.id}>" in said(await world.ana.slash(world.channel, command, **options))
    assert await world.matches.of_user(world.ana.id) == []
    assert (await world.ana.slash(other, "game new", game="maori")).response is not None
    await world.matches.servers.change(world.guild.id, channels=(12345,))
    assert "/settings" in said(await world.ana.slash(world.channel, "solo", game="maori"))


async def test_a_match_is_not_moved_to_a_channel_without_matches_nor_its_rematch_opened_there(
    world: World,
) -> None:
    room = await world.started()
    other = world.guild.create_text_channel("chat")
    await world.matches.servers.change(world.guild.id, channels=(world.channel.id,))
    assert f"<#{world.channel.id}>" in said(
        await world.ana.slash(other, "game move", match=room.record.id)
    )
    await world.matches.servers.change(world.guild.id, channels=(other.id,))
    asked = answer(await world.bea.slash(world.place(room), "resign"))
    await world.bea.click(asked.message, label="Yes, give up my seat")
    await world.env.settle()
    refused = await world.ana.click(world.place(room).last_message, label="Rematch")
    assert f"<#{other.id}>" in said(refused)


async def test_threads_always_never_or_as_asked(world: World) -> None:
    await world.matches.servers.change(world.guild.id, threads=Threads.NEVER)
    assert "without threads" in said(await world.lobby(place="thread"))
    room = await world.started()
    assert not room.record.place.wants_thread and world.place(room).id == world.channel.id
    await world.matches.servers.change(world.guild.id, threads=Threads.ALWAYS)
    assert "thread of its own" in said(await world.lobby(place="channel"))
    assert (await world.started()).record.place.wants_thread


async def test_new_tables_begin_with_the_pace_of_the_server(world: World, owner) -> None:
    shown = fields(await chosen(world, owner, "pace", "steady"))
    assert shown["Pace of new matches"] == "Steady: 72 h, and 12 h more for a turn, up to 120 h"
    await world.lobby()
    (room,) = await world.matches.of_user(world.ana.id)
    assert room.record.terms.time.pace is Pace.STEADY


async def test_only_people_of_the_chosen_role_and_managers_open_matches(
    world: World, owner
) -> None:
    role = world.guild.create_role("Hosts")
    dora = world.guild.add_member(world.env.create_user("Dora"), roles=[role])
    await chosen(world, owner, "hosts", str(role.id))
    for command in ("game new", "solo"):
        assert f"<@&{role.id}>" in said(await world.ana.slash(world.channel, command, game="maori"))
    for who in (dora, owner):
        opened = (await who.slash(world.channel, "game new", game="maori")).response
        await world.ana.click(opened.message, label="Join")
    assert len(await world.matches.of_user(world.ana.id)) == 2, "a guest needs no role"


async def test_limits_of_a_server_are_told_with_numbers(world: World) -> None:
    await world.matches.servers.change(world.guild.id, per_player=1, per_server=2)
    assert not (await world.lobby()).ephemeral
    assert "1 match at once, and you are in 1" in said(await world.lobby())
    opened = (await world.bea.slash(world.channel, "game new", game="maori")).response.message
    assert "1 match at once" in said(await world.ana.click(opened, label="Join"))
    refused = said(await world.cem.slash(world.channel, "solo", game="maori"))
    assert "2 matches open, and 2 are the most" in refused


async def test_what_the_bot_lacks_is_named_in_the_settings_and_before_a_start_from_anywhere(
    world: World, owner
) -> None:
    everyone = world.guild.default_role
    denied = {everyone: discord.PermissionOverwrite(create_public_threads=False)}
    flat = world.guild.create_text_channel("flat", overwrites=denied)
    await world.matches.servers.change(world.guild.id, channels=(flat.id,))
    assert (
        "Create Public Threads"
        in fields(await owner.slash(world.channel, "settings"))["What I lack"]
    )
    # It was opened before the permission was taken away.
    ana, place = Person(world.ana.id, "Ana"), Place(world.guild.id, flat.id)
    room = await world.matches.open_lobby("maori", {}, place, ana, None, ["easy"])
    refused = said(await world.ana.slash(world.channel, "game start", match=room.record.id))
    assert f"in <#{flat.id}> I lack the permission Create Public Threads" in refused
    assert (await world.room(room)).record.status is Status.LOBBY
