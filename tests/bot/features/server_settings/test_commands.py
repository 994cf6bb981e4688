"""/settings: who may change them, and where they apply."""

import re
from typing import Any

import pytest

from bot.features import server_settings
from bot.features.server_settings import ServerSettings, Threads
from bot.local import Impossible, Response
from bot.model import Pace, Person, Place, Status
from tests.bot.world import Player, World


def fields(response: Response) -> dict[str, str]:
    """Return the settings that a response shows, by name."""
    return dict(re.findall(r"^\*\*(.+?)\*\*: (.+)$", response.private.text, re.MULTILINE))


async def edit(owner: Player, group: str, given: dict[str, Any]) -> Response:
    """Fill in one of the forms of /settings."""
    shown = await owner.slash("/settings")
    opened = await owner.click(shown, custom_id=f"f:open:s:{group}")
    return await owner.submit(opened, given)


async def test_server_settings_are_saved_shown_and_survive_a_restart(world: World) -> None:
    assert fields(await world.owner.slash("/settings"))["Threads"].startswith("Host's choice")
    given = {"Threads": "Never: matches stay in the channel", "Channels": [world.channel]}
    shown = await edit(world.owner, "place", given)
    assert fields(shown)["Threads"] == "Never: matches stay in the channel"
    assert fields(shown)["Channels"] == f"<#{world.channel.id}>"
    await edit(world.owner, "matches", {"Matches per person": "3"})
    kept = ServerSettings(
        channels=(world.channel.id,), threads=Threads.NEVER, per_player=3, films=False
    )
    assert await world.matches.servers.of(world.guild) == kept
    await world.restart()
    assert await world.matches.servers.of(world.guild) == kept
    shown = await world.owner.slash("/settings")
    opened = await world.owner.click(shown, custom_id="f:open:s:place")
    assert opened.form.values["Channels"] == [str(world.channel.id)]
    sent = await world.owner.submit(opened, {"Channels": []})
    assert sent.message is shown.private and fields(sent)["Channels"] == "Every channel"


async def test_the_command_changes_the_same_settings(world: World) -> None:
    chat = world.discord.add_channel("chat")
    role = world.discord.state.add_role("Game Hosts")
    shown = await world.owner.slash(
        "/settings",
        channels=f"#general <#{chat.id}>",
        threads="always",
        hosts="game hosts",
        results="chat",
        pace="quick",
        per_player="4",
        per_server="20",
        films=True,
    )
    assert fields(shown)["Pace of new matches"].startswith("Quick")
    assert await world.matches.servers.of(world.guild) == ServerSettings(
        channels=(world.channel.id, chat.id),
        threads=Threads.ALWAYS,
        hosts=role,
        chronicle=chat.id,
        pace=Pace.QUICK,
        per_player=4,
        per_server=20,
        films=True,
    )
    for wrong, reason in (
        ({"channels": "#general nowhere"}, "no text channel 'nowhere'"),
        ({"hosts": "Guests"}, "no role 'Guests'"),
        ({"results": "<#123456789012345678>"}, "no text channel"),
    ):
        refused = await world.owner.slash("/settings", pace="none", **wrong)
        assert reason in refused.private.content
    assert (await world.matches.servers.of(world.guild)).pace is Pace.QUICK
    await world.owner.slash("/settings", channels="none", results="none", hosts="everyone")
    kept = await world.matches.servers.of(world.guild)
    assert (kept.channels, kept.chronicle, kept.hosts) == ((), 0, 0)
    offered = await world.owner.autocomplete("/settings", channels="#general ch")
    assert offered.values == ["#general #chat"]
    assert (await world.owner.autocomplete("/settings", hosts="game")).values == ["Game Hosts"]


async def test_a_deleted_channel_does_not_keep_the_form_from_opening(world: World) -> None:
    await world.matches.servers.change(world.guild, channels=(12345, world.channel.id))
    shown = await world.owner.slash("/settings")
    opened = await world.owner.click(shown, custom_id="f:open:s:place")
    assert opened.form.values["Channels"] == [str(world.channel.id)]


async def test_only_server_managers_may_change_settings(world: World) -> None:
    shown = await world.owner.ask("/settings")
    with pytest.raises(Impossible, match="needs_permission"):
        await world.ana.slash("/settings")
    # As if the command had been opened to everybody in the settings of the server.
    world.discord.state.commands[None]["settings"]["default_member_permissions"] = None
    assert "Manage Server" in (await world.ana.ask("/settings")).content
    assert "Manage Server" in (await world.ana.ask("/settings", pace="quick")).content
    assert (
        shown.ephemeral and await world.matches.servers.of(world.guild) == server_settings.DEFAULTS
    )


async def test_every_chosen_channel_is_checked_and_many_problems_are_counted(world: World) -> None:
    rooms = [world.discord.add_channel(f"room-{number}") for number in range(24)]
    for room in rooms[:-1]:
        world.discord.deny(room, "embed_links")
    world.discord.deny(rooms[-1], "attach_files")
    await world.matches.servers.change(world.guild, channels=tuple(one.id for one in rooms[:-1]))
    text = (await world.owner.slash("/settings", threads="never")).private.content
    assert text.count("Embed Links") == 10 and "and in 13 more channels" in text
    chosen = {"Channels": [*rooms[:20], rooms[-1]]}
    text = (await edit(world.owner, "place", chosen)).private.content
    assert text.index("Attach Files") < text.index("Embed Links")


async def test_matches_open_only_in_the_chosen_channels(world: World) -> None:
    other = world.discord.add_channel("chat")
    await world.matches.servers.change(world.guild, channels=(other.id,))
    for command, options in (
        ("game new", {"game": "maori"}),
        ("solo", {"game": "maori"}),
        ("learn", {"game": "maori"}),
    ):
        assert f"<#{other.id}>" in (await world.ana.ask(command, **options)).content
    assert await world.matches.of_user(world.ana.id) == []
    opened = await world.ana.slash("/game new", channel=other, game="maori")
    assert not opened.ephemeral
    await world.matches.servers.change(world.guild, channels=(12345,))
    assert "/settings" in (await world.ana.ask("/solo", game="maori")).content


async def test_matches_and_rematches_are_not_moved_to_excluded_channels(
    world: World,
) -> None:
    room = await world.start_match()
    other = world.discord.add_channel("chat")
    await world.matches.servers.change(world.guild, channels=(world.channel.id,))
    assert (
        f"<#{world.channel.id}>"
        in (await world.ana.ask("/game move", channel=other, match=room.record.id)).content
    )
    await world.matches.servers.change(world.guild, channels=(other.id,))
    answer = await world.bea.ask("/resign", channel=world.place(room))
    await world.bea.click(answer, label="Yes, give up my seat")
    await world.wait_until_idle()
    refused = await world.ana.click(world.newest(room), label="Rematch")
    assert f"<#{other.id}>" in refused.private.content


async def test_threads_always_never_or_by_choice(world: World) -> None:
    await world.matches.servers.change(world.guild, threads=Threads.NEVER)
    assert "without threads" in (await world.open_lobby(place="thread")).private.content
    room = await world.start_match()
    assert not room.record.place.wants_thread
    assert world.place(room).id == world.channel.id
    await world.matches.servers.change(world.guild, threads=Threads.ALWAYS)
    assert "its own thread" in (await world.open_lobby(place="channel")).private.content
    assert (await world.start_match()).record.place.wants_thread


async def test_new_lobbies_start_with_the_server_s_pace(world: World) -> None:
    shown = fields(await edit(world.owner, "matches", {"Pace of new matches": "steady"}))
    assert shown["Pace of new matches"] == "Steady: 72 h, plus 12 h per turn, up to 120 h"
    await world.open_lobby()
    (room,) = await world.matches.of_user(world.ana.id)
    assert room.record.terms.time.pace is Pace.STEADY


async def test_only_the_chosen_role_and_managers_open_matches(
    world: World,
) -> None:
    role = world.discord.state.add_role("Hosts")
    dora = world.add_person("Dora")
    dora.user.roles.append(role)
    await edit(world.owner, "place", {"Who can open matches": ["Hosts"]})
    for command in ("game new", "solo"):
        assert f"<@&{role}>" in (await world.ana.ask(command, game="maori")).content
    for who in (dora, world.owner):
        opened = await who.slash("/game new", game="maori")
        await world.ana.click(opened.message, label="Join")
    assert len(await world.matches.of_user(world.ana.id)) == 2, "a guest needs no role"


async def test_server_limits_are_explained_with_numbers(world: World) -> None:
    await world.matches.servers.change(world.guild, per_player=1, per_server=2)
    assert not (await world.open_lobby()).ephemeral
    assert "1 match at once, and you're in 1" in (await world.open_lobby()).private.content
    opened = (await world.bea.slash("/game new", game="maori")).message
    assert "1 match at once" in (await world.ana.press(opened, label="Join")).content
    refused = (await world.cem.ask("/solo", game="maori")).content
    assert "2 matches open, and its limit is 2" in refused


async def test_missing_permissions_are_named_in_the_settings_and_before_a_start(
    world: World,
) -> None:
    flat = world.discord.add_channel("flat")
    world.discord.deny(flat, "create_public_threads")
    await world.matches.servers.change(world.guild, channels=(flat.id,))
    assert "Create Public Threads" in (await world.owner.slash("/settings")).private.text
    # It was opened before the permission was taken away.
    ana = Person(world.ana.id, "Ana")
    place = Place(world.guild, flat.id)
    room = await world.matches.open_lobby("maori", {}, place, ana, None, ["easy"])
    refused = (await world.ana.ask("/game start", match=room.record.id)).content
    assert f"I need the permission Create Public Threads in <#{flat.id}>" in refused
    assert (await world.reload(room)).record.status is Status.LOBBY
