"""Lobbies on Discord: every command and control of them, against a simulated Discord."""

import discord
import pytest

from bot.features.lobby import messages as lobby_message
from bot.features.lobby.rules import parse_settings
from bot.model import Status
from bot.ui.parts import Menu
from engine import GAMES, BadSettings
from tests.bot.answers import answer, labels, parts, said
from tests.bot.conftest import World
from tests.bot.tables import room_of


async def test_new_opens_a_lobby_for_everyone(world: World) -> None:
    opened = await world.lobby()
    message = world.channel.last_message
    assert message is not None and not opened.ephemeral
    (embed,) = message.embeds
    assert embed.title == "Blue Lagoon" and "Ana (host)" in embed.fields[0].value
    labels = [part.label for part in message.components[0].children]
    assert labels == ["Join", "Leave", "Add computer", "Start", "Cancel"]


async def test_the_buttons_fill_and_empty_the_chairs(world: World) -> None:
    message = (await world.lobby()).response.message
    await world.bea.click(message, label="Join")
    await world.cem.click(message, label="Join")
    await world.bea.click(message, label="Leave")
    await world.add_computer(message, "strong")
    (room,) = await world.matches.here(world.channel.id)
    assert [person.name for person in room.record.chairs] == ["Ana", "Cem", "Teva"]
    shown = world.channel.last_message.embeds[0].fields[0].value
    assert "Cem" in shown and "Teva ⚙ (computer, strong)" in shown and "Bea" not in shown


async def test_the_host_changes_computers_and_sends_them_away(world: World) -> None:
    message = (await world.lobby()).response.message
    asked = await world.add_computer(message, "easy")
    assert "Computers know only what a player" in answer(asked).content
    menu = answer(asked)
    changes = next(part for part in parts(menu) if part["custom_id"].endswith(":computers"))
    assert [line["label"] for line in changes["options"]] == [
        "Teva ⚙: steady",
        "Teva ⚙: strong",
        "Teva ⚙: remove",
    ]
    await world.ana.select(menu.message, ["1_strong"], custom_id=changes["custom_id"])
    assert "Teva ⚙ (computer, strong)" in world.channel.last_message.embeds[0].fields[0].value
    stand_in = next(part for part in parts(menu) if part["custom_id"].endswith(":stand_in"))
    await world.ana.select(menu.message, ["easy"], custom_id=stand_in["custom_id"])
    (room,) = await world.matches.here(world.channel.id)
    assert room.record.terms.stand_in == "easy" and room.record.chairs[1].level == "strong"
    assert "played on by a computer, easy" in world.channel.last_message.embeds[0].fields[1].value
    await world.ana.select(menu.message, ["1_remove"], custom_id=changes["custom_id"])
    (room,) = await world.matches.here(world.channel.id)
    assert [person.name for person in room.record.chairs] == ["Ana"]


async def test_the_host_chooses_whether_the_match_is_rated_and_the_card_says_so(
    world: World,
) -> None:
    message = (await world.lobby()).response.message
    await world.bea.click(message, label="Join")
    assert "Rated: among people" in world.channel.last_message.embeds[0].fields[1].value
    assert "Only the host" in said(await world.bea.click(message, label="Play unrated"))
    await world.ana.click(message, label="Play unrated")
    assert "Unrated" in world.channel.last_message.embeds[0].fields[1].value
    assert not (await world.matches.here(world.channel.id))[0].record.terms.rated
    await world.ana.click(message, label="Play rated")
    assert (await world.matches.here(world.channel.id))[0].record.terms.rated


async def test_refusals_of_the_buttons_are_private_and_change_nothing(world: World) -> None:
    message = (await world.lobby()).response.message
    before = await world.matches.here(world.channel.id)
    assert "already" in said(await world.ana.click(message, label="Join"))
    assert "no seat" in said(await world.bea.click(message, label="Leave"))
    for label in ("Add computer", "Start", "Cancel"):
        assert "host" in said(await world.bea.click(message, label=label))
    assert "at least 2" in said(await world.ana.click(message, label="Start"))
    assert await world.matches.here(world.channel.id) == before


async def test_the_host_chooses_settings_in_the_lobby(world: World) -> None:
    message = (await world.lobby()).response.message
    (room,) = await world.matches.here(world.channel.id)
    menu = f"l:{room.record.id}:set:first"
    assert "host" in said(await world.bea.select(message, ["2"], custom_id=menu))
    await world.ana.select(message, ["2"], custom_id=menu)
    (room,) = await world.matches.here(world.channel.id)
    assert room.record.settings["first"] == "2"
    assert "player 2" in world.channel.last_message.embeds[0].fields[1].value


@pytest.mark.parametrize("game", ["blue_lagoon", "maori", "polynesia", "conquest"])
async def test_a_lobby_says_what_is_as_published_and_what_is_not(world: World, game: str) -> None:
    shown = (await world.ana.slash(world.channel, "game new", game=game)).response.message.embeds[0]
    assert ("this project's own design" in shown.description) == (game != "blue_lagoon")
    assert "published" in shown.description


async def test_more_settings_than_menus_share_the_last_one(world: World) -> None:
    """Discord has room for three menus under two rows of buttons, and Conquest has eight
    settings.
    """
    opened = (
        await world.ana.slash(world.channel, "game new", game="conquest", settings="last_turn=6")
    ).response
    (room,) = await world.matches.here(world.channel.id)
    assert "turn 6" in opened.message.embeds[0].fields[1].value
    menus = [row for row in lobby_message.rows(room) if isinstance(row, Menu)]
    assert [menu.placeholder for menu in menus][2:] == [
        "Saved Resources, Malaria, The South Island, Kumara, Points to win and Last turn (the host chooses)",
    ]
    shared = {line.label: line.value for line in menus[-1].choices}
    assert len(shared) == 20 and not any(line.chosen for line in menus[-1].choices)
    menu = f"l:{room.record.id}:more"
    for label in ("Kumara: may be sought in South America", "Points to win: 2 more"):
        assert "host" in said(
            await world.bea.select(opened.message, [shared[label]], custom_id=menu)
        )
        await world.ana.select(opened.message, [shared[label]], custom_id=menu)
    (room,) = await world.matches.here(world.channel.id)
    assert (room.record.settings["kumara"], room.record.settings["goal"]) == ("on", "+2")
    assert "Points to win: 2 more" in world.channel.last_message.embeds[0].fields[1].value


def test_settings_that_find_no_room_in_a_menu_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_message, "CHOICES", 10)
    room = room_of(None, ("Ana", "Bea"), game="conquest", status=Status.LOBBY, settings={})
    shown = lobby_message.embed(room).fields[1].value
    assert shown is not None and shown.endswith("`/game new settings:` alone: goal and last_turn")


@pytest.mark.parametrize("line", ["goal", "goal=", "goal=99", "nothing=0", "goal-1"])
def test_a_line_that_no_menu_offers_is_no_setting(line: str) -> None:
    with pytest.raises(BadSettings):
        parse_settings(GAMES["conquest"], line)


async def test_cancel_closes_the_lobby(world: World) -> None:
    message = (await world.lobby()).response.message
    await world.ana.click(message, label="Cancel")
    assert not world.channel.last_message.components
    assert await world.matches.here(world.channel.id) == []


async def test_commands_do_the_same_as_the_buttons(world: World) -> None:
    await world.lobby()
    assert "joined" in said(await world.bea.slash(world.channel, "game join"))
    assert "2. Bea" in world.channel.last_message.embeds[0].fields[0].value
    assert "left" in said(await world.bea.slash(world.channel, "game leave"))
    await world.cem.slash(world.channel, "game join")
    assert "host" in said(await world.cem.slash(world.channel, "game start"))
    assert "Started" in said(await world.ana.slash(world.channel, "game start"))
    (room,) = await world.matches.of_user(world.ana.id)
    assert room.record.status is Status.RUNNING and world.place(room).is_thread


async def test_cancel_by_command(world: World) -> None:
    await world.lobby()
    (room,) = await world.matches.here(world.channel.id)
    assert "host" in said(await world.bea.slash(world.channel, "game cancel"))
    assert "Cancelled" in said(await world.ana.slash(world.channel, "game cancel"))
    assert "was cancelled" in said(
        await world.ana.slash(world.channel, "board", match=room.record.id)
    )
    assert "no lobby here" in said(await world.bea.slash(world.channel, "game join"))


async def test_several_lobbies_are_told_apart(world: World) -> None:
    await world.lobby()
    await world.cem.slash(world.channel, "game new", game="blue_lagoon")
    first, second = await world.matches.here(world.channel.id)
    unclear = answer(await world.bea.slash(world.channel, "game join"))
    assert "Which one do you mean?" in unclear.content and len(labels(unclear)) == 2
    chosen = next(label for label in labels(unclear) if first.record.id in label)
    assert "You have joined" in said(await world.bea.click(unclear.message, label=chosen))
    assert [person.id for person in (await world.matches.find(first.record.id)).record.chairs][
        1:
    ] == [world.bea.id]
    offered = await world.bea.autocomplete(world.channel, "game join", "match", "")
    assert {choice["value"] for choice in offered} == {first.record.id, second.record.id}
    await world.bea.slash(world.channel, "game join", match=second.record.id)
    assert len((await world.matches.find(second.record.id)).record.chairs) == 2


async def test_game_and_settings_are_completed(world: World, caplog) -> None:
    (game,) = await world.ana.autocomplete(world.channel, "game new", "game", "blue")
    assert game == {"name": "Blue Lagoon", "value": "blue_lagoon"}
    offered = await world.ana.autocomplete(
        world.channel, "game new", "settings", "fir", game="blue_lagoon"
    )
    assert "first=draw" in [choice["value"] for choice in offered]
    more = await world.ana.autocomplete(
        world.channel, "game new", "settings", "first=2 ", game="blue_lagoon"
    )
    assert [choice["value"] for choice in more] == ["first=2 map=default"]
    assert (
        await world.ana.autocomplete(world.channel, "game new", "settings", "", game="chess") == []
    )
    assert await world.ana.autocomplete(world.channel, "game new", "settings", "f") == []
    assert caplog.text == "", "who has not named a game yet is no error"


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("chess", ""),
        ("x" * 6000, ""),
        ("@everyone", ""),
        ("blue_lagoon", "nonsense"),
        ("blue_lagoon", "first=9"),
        ("blue_lagoon", "speed=fast"),
        ("blue_lagoon", "first=" + "1" * 5000),
        ("blue_lagoon", "<@1>=**x**"),
    ],
)
async def test_what_no_lobby_can_have_is_said(world: World, game: str, settings: str) -> None:
    answer = await world.ana.slash(world.channel, "game new", game=game, settings=settings)
    assert 0 < len(said(answer)) < 400 and "@everyone" not in said(answer)
    assert await world.matches.here(world.channel.id) == [] and world.channel.last_message is None


async def test_settings_are_taken_from_the_text(world: World) -> None:
    await world.lobby(settings="first=draw, map=default")
    (room,) = await world.matches.here(world.channel.id)
    assert room.record.settings["first"] == "draw"


async def test_a_match_can_live_in_the_channel_itself(world: World) -> None:
    room = await world.started(place="channel")
    assert room.record.place.thread == 0 and world.channel.threads == []
    assert "places a piece" in world.channel.last_message.content


async def test_the_thread_is_named_for_game_and_players(world: World) -> None:
    room = await world.started()
    assert world.place(room).name == f"Blue Lagoon: Ana and Bea · {room.record.id}"


async def test_in_a_channel_where_the_bot_cannot_post_it_says_what_is_missing(world: World) -> None:
    everyone = world.guild.default_role
    deaf = world.guild.create_text_channel(
        "quiet",
        overwrites={everyone: discord.PermissionOverwrite(send_messages=False, attach_files=False)},
    )
    answer = said(await world.ana.slash(deaf, "game new", game="blue_lagoon"))
    assert "permissions Send Messages and Attach Files" in answer and "Embed Links" not in answer
    assert await world.matches.here(deaf.id) == []


async def test_without_thread_permissions_the_channel_itself_still_does(world: World) -> None:
    everyone = world.guild.default_role
    flat = world.guild.create_text_channel(
        "flat", overwrites={everyone: discord.PermissionOverwrite(create_public_threads=False)}
    )
    answer = said(await world.ana.slash(flat, "game new", game="blue_lagoon"))
    assert "Create Public Threads" in answer
    opened = await world.ana.slash(flat, "game new", game="blue_lagoon", place="channel")
    assert not opened.ephemeral


async def test_old_lobby_buttons_work_after_a_restart(world: World) -> None:
    message = (await world.lobby()).response.message
    await world.restart()
    await world.bea.click(message, label="Join")
    (room,) = await world.matches.here(world.channel.id)
    assert [person.name for person in room.record.chairs] == ["Ana", "Bea"]


async def test_resume_without_a_paused_match_says_so(world: World) -> None:
    assert "None of your matches is paused" in said(
        await world.ana.slash(world.channel, "game resume")
    )


async def test_names_full_of_markdown_and_mentions_harm_nothing(world: World) -> None:
    troll = world.person("**x**")
    member = world.env.create_user("mention", global_name="<@1> @everyone # [a](b)")
    crowd = world.guild.add_member(member)
    message = (
        await troll.slash(world.channel, "game new", game="blue_lagoon", settings="first=1")
    ).response.message
    await crowd.click(message, label="Join")
    await troll.click(message, label="Start")
    (room,) = await world.matches.of_user(troll.id)
    shown = next(message for message in world.channel.history() if message.embeds)
    for post in (shown.embeds[0].fields[0].value, world.place(room).last_message.content):
        assert "@everyone" not in post and "<@1>" not in post and "\\*\\*x" in post
    assert len(world.place(room).last_message.mentions) <= 1
