"""/settings: chosen by those who may manage the server, refused to strangers, and held wherever
it matters.
"""

import pytest

from bot.features import server_settings
from bot.features.server_settings import ServerSettings, Threads
from bot.local import Impossible, Response
from bot.model import Pace, Person, Place, Status
from tests.bot.world import Player, World


def fields(response: Response) -> dict[str, str]:
    (embed,) = response.private.embeds
    return {field["name"]: field["value"] for field in embed["fields"]}


async def chosen(owner: Player, what: str, *values: str) -> Response:
    """A setting chosen by its menu."""
    shown = (await owner.slash("/settings")).private
    shown = (await owner.choose(shown, "s:choose:0", [what])).private
    return await owner.choose(shown, f"s:{what}:0", list(values))


async def test_a_choice_is_kept_shown_and_outlives_a_restart(world: World) -> None:
    assert fields(await world.owner.slash("/settings"))["Threads"].startswith("As whoever opens")
    assert (
        fields(await chosen(world.owner, "threads", "never"))["Threads"]
        == "Never: in the channel itself"
    )
    await chosen(world.owner, "per_player", "3")
    await chosen(world.owner, "channels", str(world.channel.id))
    kept = ServerSettings(
        channels=(world.channel.id,), threads=Threads.NEVER, per_player=3, films=False
    )
    assert await world.matches.servers.of(world.guild) == kept
    await world.restart()
    assert await world.matches.servers.of(world.guild) == kept
    shown = (await chosen(world.owner, "channels", str(world.channel.id))).private
    await world.owner.click(shown, label="Every channel")
    assert (await world.matches.servers.of(world.guild)).channels == ()


async def test_whoever_may_not_manage_the_server_is_refused(world: World) -> None:
    shown = (await world.owner.slash("/settings")).private
    with pytest.raises(Impossible, match="no_command"):
        await world.ana.slash("/settings")
    # As if the command had been opened to everybody in the settings of the server.
    world.discord.state.commands[None]["settings"]["default_member_permissions"] = None
    assert "Manage Server" in (await world.ana.slash("/settings")).private.content
    assert shown.ephemeral and await world.matches.servers.of(world.guild) == server_settings.USUAL


async def test_channels_and_roles_beyond_a_menu_come_in_pages(world: World) -> None:
    for number in range(60):
        world.discord.add_channel(f"room-{number}")
    first = str(world.bot.get_guild(world.guild).text_channels[0].id)
    shown = (await chosen(world.owner, "channels", first)).private
    assert "Next page (2 of 3)" in shown.labels
    shown = (await world.owner.click(shown, label="Next page (2 of 3)")).private
    second = str(world.bot.get_guild(world.guild).text_channels[30].id)
    await world.owner.choose(shown, "s:channels:1", [second])
    assert (await world.matches.servers.of(world.guild)).channels == (int(first), int(second))


async def test_matches_are_opened_only_in_the_channels_chosen(world: World) -> None:
    other = world.discord.add_channel("chat")
    await world.matches.servers.change(world.guild, channels=(other.id,))
    for command, options in (
        ("game new", {"game": "maori"}),
        ("solo", {"game": "maori"}),
        ("learn", {"game": "maori"}),
    ):
        assert f"<#{other.id}>" in (await world.ana.slash(command, **options)).private.content
    assert await world.matches.of_user(world.ana.id) == []
    opened = await world.ana.slash("/game new", channel=other, game="maori")
    assert not opened.ephemeral
    await world.matches.servers.change(world.guild, channels=(12345,))
    assert "/settings" in (await world.ana.slash("/solo", game="maori")).private.content


async def test_a_match_is_not_moved_to_a_channel_without_matches_nor_its_rematch_opened_there(
    world: World,
) -> None:
    room = await world.started()
    other = world.discord.add_channel("chat")
    await world.matches.servers.change(world.guild, channels=(world.channel.id,))
    assert (
        f"<#{world.channel.id}>"
        in (
            await world.ana.slash("/game move", channel=other, match=room.record.id)
        ).private.content
    )
    await world.matches.servers.change(world.guild, channels=(other.id,))
    asked = (await world.bea.slash("/resign", channel=world.place(room))).private
    await world.bea.click(asked, label="Yes, give up my seat")
    await world.idle()
    refused = await world.ana.click(world.newest(room), label="Rematch")
    assert f"<#{other.id}>" in refused.private.content


async def test_threads_always_never_or_as_asked(world: World) -> None:
    await world.matches.servers.change(world.guild, threads=Threads.NEVER)
    assert "without threads" in (await world.lobby(place="thread")).private.content
    room = await world.started()
    assert not room.record.place.wants_thread and world.place(room).id == world.channel.id
    await world.matches.servers.change(world.guild, threads=Threads.ALWAYS)
    assert "thread of its own" in (await world.lobby(place="channel")).private.content
    assert (await world.started()).record.place.wants_thread


async def test_new_tables_begin_with_the_pace_of_the_server(world: World) -> None:
    shown = fields(await chosen(world.owner, "pace", "steady"))
    assert shown["Pace of new matches"] == "Steady: 72 h, and 12 h more for a turn, up to 120 h"
    await world.lobby()
    (room,) = await world.matches.of_user(world.ana.id)
    assert room.record.terms.time.pace is Pace.STEADY


async def test_only_people_of_the_chosen_role_and_managers_open_matches(
    world: World,
) -> None:
    role = world.discord.state.add_role("Hosts")
    dora = world.person("Dora")
    dora.user.roles.append(role)
    await chosen(world.owner, "hosts", str(role))
    for command in ("game new", "solo"):
        assert f"<@&{role}>" in (await world.ana.slash(command, game="maori")).private.content
    for who in (dora, world.owner):
        opened = await who.slash("/game new", game="maori")
        await world.ana.click(opened.message, label="Join")
    assert len(await world.matches.of_user(world.ana.id)) == 2, "a guest needs no role"


async def test_limits_of_a_server_are_told_with_numbers(world: World) -> None:
    await world.matches.servers.change(world.guild, per_player=1, per_server=2)
    assert not (await world.lobby()).ephemeral
    assert "1 match at once, and you are in 1" in (await world.lobby()).private.content
    opened = (await world.bea.slash("/game new", game="maori")).message
    assert "1 match at once" in (await world.ana.click(opened, label="Join")).private.content
    refused = (await world.cem.slash("/solo", game="maori")).private.content
    assert "2 matches open, and 2 are the most" in refused


async def test_what_the_bot_lacks_is_named_in_the_settings_and_before_a_start_from_anywhere(
    world: World,
) -> None:
    flat = world.discord.add_channel("flat")
    world.discord.deny(flat, "create_public_threads")
    await world.matches.servers.change(world.guild, channels=(flat.id,))
    assert "Create Public Threads" in fields(await world.owner.slash("/settings"))["What I lack"]
    # It was opened before the permission was taken away.
    ana, place = Person(world.ana.id, "Ana"), Place(world.guild, flat.id)
    room = await world.matches.open_lobby("maori", {}, place, ana, None, ["easy"])
    refused = (await world.ana.slash("/game start", match=room.record.id)).private.content
    assert f"in <#{flat.id}> I lack the permission Create Public Threads" in refused
    assert (await world.room(room)).record.status is Status.LOBBY
