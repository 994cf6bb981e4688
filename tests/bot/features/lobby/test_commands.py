"""Lobbies on Discord: every command and control of them, against a simulated Discord."""

import pytest

from bot.features.lobby import messages as lobby_message
from bot.features.lobby.rules import parse_settings
from bot.model import Status
from bot.ui.parts import Menu
from engine import GAMES, BadSettings
from tests.bot.world import World


async def test_new_opens_a_lobby_for_everyone(world: World) -> None:
    opened = await world.lobby()
    message = world.newest()
    assert message is not None and not opened.ephemeral
    (embed,) = message.embeds
    assert embed["title"] == "Blue Lagoon" and "Ana (host)" in embed["fields"][0]["value"]
    labels = [part["label"] for part in message.components[0]["components"]]
    assert labels == ["Join", "Leave", "Add computer", "Start", "Cancel"]


async def test_the_buttons_fill_and_empty_the_chairs(world: World) -> None:
    message = (await world.lobby()).message
    await world.bea.click(message, label="Join")
    await world.cem.click(message, label="Join")
    await world.bea.click(message, label="Leave")
    await world.add_computer(message, "strong")
    (room,) = await world.matches.here(world.channel.id)
    assert [person.name for person in room.record.chairs] == ["Ana", "Cem", "Teva"]
    shown = world.newest().embeds[0]["fields"][0]["value"]
    assert "Cem" in shown and "Teva ⚙ (computer, strong)" in shown and "Bea" not in shown


async def test_the_host_changes_computers_and_sends_them_away(world: World) -> None:
    message = (await world.lobby()).message
    asked = await world.add_computer(message, "easy")
    assert "Computers know only what a player" in asked.private.content
    menu = asked.private
    changes = next(part for part in menu.controls if part["custom_id"].endswith(":computers"))
    assert [line["label"] for line in changes["options"]] == [
        "Teva ⚙: steady",
        "Teva ⚙: strong",
        "Teva ⚙: remove",
    ]
    await world.ana.choose(menu, changes["custom_id"], ["1_strong"])
    assert "Teva ⚙ (computer, strong)" in world.newest().embeds[0]["fields"][0]["value"]
    stand_in = next(part for part in menu.controls if part["custom_id"].endswith(":stand_in"))
    await world.ana.choose(menu, stand_in["custom_id"], ["easy"])
    (room,) = await world.matches.here(world.channel.id)
    assert room.record.terms.stand_in == "easy" and room.record.chairs[1].level == "strong"
    assert "played on by a computer, easy" in world.newest().embeds[0]["fields"][1]["value"]
    await world.ana.choose(menu, changes["custom_id"], ["1_remove"])
    (room,) = await world.matches.here(world.channel.id)
    assert [person.name for person in room.record.chairs] == ["Ana"]


async def test_the_host_chooses_whether_the_match_is_rated_and_the_card_says_so(
    world: World,
) -> None:
    message = (await world.lobby()).message
    await world.bea.click(message, label="Join")
    assert "Rated: among people" in world.newest().embeds[0]["fields"][1]["value"]
    assert "Only the host" in (await world.bea.click(message, label="Play unrated")).private.content
    await world.ana.click(message, label="Play unrated")
    assert "Unrated" in world.newest().embeds[0]["fields"][1]["value"]
    assert not (await world.matches.here(world.channel.id))[0].record.terms.rated
    await world.ana.click(message, label="Play rated")
    assert (await world.matches.here(world.channel.id))[0].record.terms.rated


async def test_refusals_of_the_buttons_are_private_and_change_nothing(world: World) -> None:
    message = (await world.lobby()).message
    before = await world.matches.here(world.channel.id)
    assert "already" in (await world.ana.click(message, label="Join")).private.content
    assert "no seat" in (await world.bea.click(message, label="Leave")).private.content
    for label in ("Add computer", "Start", "Cancel"):
        assert "host" in (await world.bea.click(message, label=label)).private.content
    assert "at least 2" in (await world.ana.click(message, label="Start")).private.content
    assert await world.matches.here(world.channel.id) == before


async def test_the_host_chooses_settings_in_the_lobby(world: World) -> None:
    message = (await world.lobby()).message
    (room,) = await world.matches.here(world.channel.id)
    menu = f"l:{room.record.id}:set:first"
    assert "host" in (await world.bea.choose(message, menu, ["2"])).private.content
    await world.ana.choose(message, menu, ["2"])
    (room,) = await world.matches.here(world.channel.id)
    assert room.record.settings["first"] == "2"
    assert "player 2" in world.newest().embeds[0]["fields"][1]["value"]


@pytest.mark.parametrize("game", ["blue_lagoon", "maori", "polynesia", "conquest"])
async def test_a_lobby_says_what_is_as_published_and_what_is_not(world: World, game: str) -> None:
    shown = (await world.ana.slash("/game new", game=game)).message.embeds[0]
    assert ("this project's own design" in shown["description"]) == (game != "blue_lagoon")
    assert "published" in shown["description"]


async def test_more_settings_than_menus_share_the_last_one(world: World) -> None:
    """Discord has room for three menus under two rows of buttons, and Conquest has eight
    settings.
    """
    opened = await world.ana.slash("/game new", game="conquest", settings="last_turn=6")
    (room,) = await world.matches.here(world.channel.id)
    assert "turn 6" in opened.message.embeds[0]["fields"][1]["value"]
    menus = [row for row in lobby_message.rows(room) if isinstance(row, Menu)]
    assert [menu.placeholder for menu in menus][2:] == [
        "Saved Resources, Malaria, The South Island, Kumara, Points to win and Last turn (the host chooses)",
    ]
    shared = {line.label: line.value for line in menus[-1].choices}
    assert len(shared) == 20 and not any(line.chosen for line in menus[-1].choices)
    menu = f"l:{room.record.id}:more"
    for label in ("Kumara: may be sought in South America", "Points to win: 2 more"):
        assert (
            "host"
            in (await world.bea.choose(opened.message, menu, [shared[label]])).private.content
        )
        await world.ana.choose(opened.message, menu, [shared[label]])
    (room,) = await world.matches.here(world.channel.id)
    assert (room.record.settings["kumara"], room.record.settings["goal"]) == ("on", "+2")
    assert "Points to win: 2 more" in world.newest().embeds[0]["fields"][1]["value"]


@pytest.mark.parametrize("line", ["goal", "goal=", "goal=99", "nothing=0", "goal-1"])
def test_a_line_that_no_menu_offers_is_no_setting(line: str) -> None:
    with pytest.raises(BadSettings):
        parse_settings(GAMES["conquest"], line)


async def test_cancel_closes_the_lobby(world: World) -> None:
    message = (await world.lobby()).message
    await world.ana.click(message, label="Cancel")
    assert not world.newest().components
    assert await world.matches.here(world.channel.id) == []


async def test_commands_do_the_same_as_the_buttons(world: World) -> None:
    await world.lobby()
    assert "joined" in (await world.bea.slash("/game join")).private.content
    assert "2. Bea" in world.newest().embeds[0]["fields"][0]["value"]
    assert "left" in (await world.bea.slash("/game leave")).private.content
    await world.cem.slash("/game join")
    assert "host" in (await world.cem.slash("/game start")).private.content
    assert "Started" in (await world.ana.slash("/game start")).private.content
    (room,) = await world.matches.of_user(world.ana.id)
    assert room.record.status is Status.RUNNING and world.place(room) in world.threads()


async def test_cancel_by_command(world: World) -> None:
    await world.lobby()
    (room,) = await world.matches.here(world.channel.id)
    assert "host" in (await world.bea.slash("/game cancel")).private.content
    assert "Cancelled" in (await world.ana.slash("/game cancel")).private.content
    assert (
        "was cancelled" in (await world.ana.slash("/board", match=room.record.id)).private.content
    )
    assert "no lobby here" in (await world.bea.slash("/game join")).private.content


async def test_several_lobbies_are_told_apart(world: World) -> None:
    await world.lobby()
    await world.cem.slash("/game new", game="blue_lagoon")
    first, second = await world.matches.here(world.channel.id)
    unclear = (await world.bea.slash("/game join")).private
    assert "Which one do you mean?" in unclear.content and len(unclear.labels) == 2
    chosen = next(label for label in unclear.labels if first.record.id in label)
    assert "You have joined" in (await world.bea.click(unclear, label=chosen)).private.content
    assert [person.id for person in (await world.matches.find(first.record.id)).record.chairs][
        1:
    ] == [world.bea.id]
    offered = (await world.bea.autocomplete("/game join", match="")).choices
    assert {choice["value"] for choice in offered} == {first.record.id, second.record.id}
    await world.bea.slash("/game join", match=second.record.id)
    assert len((await world.matches.find(second.record.id)).record.chairs) == 2


async def test_game_and_settings_are_completed(world: World, caplog) -> None:
    (game,) = (await world.ana.autocomplete("/game new", game="blue")).choices
    assert game == {"name": "Blue Lagoon", "value": "blue_lagoon"}
    offered = (
        await world.ana.autocomplete("/game new", game="blue_lagoon", settings="fir")
    ).choices
    assert "first=draw" in [choice["value"] for choice in offered]
    more = (
        await world.ana.autocomplete("/game new", game="blue_lagoon", settings="first=2 ")
    ).choices
    assert [choice["value"] for choice in more] == ["first=2 map=default"]
    assert (await world.ana.autocomplete("/game new", game="chess", settings="")).choices == []
    assert (await world.ana.autocomplete("/game new", settings="f")).choices == []
    assert caplog.text == "", "who has not named a game yet is no error"


@pytest.mark.parametrize(
    "options",
    [
        {"game": "chess"},
        {"game": "x" * 6000},
        {"game": "@everyone"},
        {"game": "blue_lagoon", "settings": "nonsense"},
        {"game": "blue_lagoon", "settings": "first=9"},
        {"game": "blue_lagoon", "settings": "speed=fast"},
        {"game": "blue_lagoon", "settings": "first=" + "1" * 5000},
        {"game": "blue_lagoon", "settings": "<@1>=**x**"},
    ],
)
async def test_what_no_lobby_can_have_is_said(world: World, options: dict[str, str]) -> None:
    told = (await world.ana.slash("/game new", **options)).private.content
    assert 0 < len(told) < 400 and "@everyone" not in told
    assert await world.matches.here(world.channel.id) == [] and world.posts() == []


async def test_settings_are_taken_from_the_text(world: World) -> None:
    await world.lobby(settings="first=draw, map=default")
    (room,) = await world.matches.here(world.channel.id)
    assert room.record.settings["first"] == "draw"


async def test_a_match_can_live_in_the_channel_itself(world: World) -> None:
    room = await world.started(place="channel")
    assert room.record.place.thread == 0 and world.threads() == []
    assert "places a piece" in world.newest().content


async def test_the_thread_is_named_for_game_and_players(world: World) -> None:
    room = await world.started()
    assert world.place(room).name == f"Blue Lagoon: Ana and Bea · {room.record.id}"


async def test_in_a_channel_where_the_bot_cannot_post_it_says_what_is_missing(world: World) -> None:
    deaf = world.discord.add_channel("quiet")
    world.discord.deny(deaf, "send_messages", "attach_files")
    answer = (await world.ana.slash("/game new", channel=deaf, game="blue_lagoon")).private.content
    assert "permissions Send Messages and Attach Files" in answer and "Embed Links" not in answer
    assert await world.matches.here(deaf.id) == []


async def test_without_thread_permissions_the_channel_itself_still_does(world: World) -> None:
    flat = world.discord.add_channel("flat")
    world.discord.deny(flat, "create_public_threads")
    answer = (await world.ana.slash("/game new", channel=flat, game="blue_lagoon")).private.content
    assert "Create Public Threads" in answer
    opened = await world.ana.slash("/game new", channel=flat, game="blue_lagoon", place="channel")
    assert not opened.ephemeral


async def test_old_lobby_buttons_work_after_a_restart(world: World) -> None:
    message = (await world.lobby()).message
    await world.restart()
    await world.bea.click(message, label="Join")
    (room,) = await world.matches.here(world.channel.id)
    assert [person.name for person in room.record.chairs] == ["Ana", "Bea"]


async def test_resume_without_a_paused_match_says_so(world: World) -> None:
    assert (
        "None of your matches is paused" in (await world.ana.slash("/game resume")).private.content
    )


async def test_names_full_of_markdown_and_mentions_harm_nothing(world: World) -> None:
    troll = world.person("**x**")
    crowd = world.person("<@1> @everyone # [a](b)")
    message = (await troll.slash("/game new", game="blue_lagoon", settings="first=1")).message
    await crowd.click(message, label="Join")
    await troll.click(message, label="Start")
    (room,) = await world.matches.of_user(troll.id)
    shown = next(message for message in world.posts() if message.embeds)
    for post in (shown.embeds[0]["fields"][0]["value"], world.newest(room).content):
        assert "@everyone" not in post and "<@1>" not in post and "\\*\\*x" in post
    assert len(world.newest(room).mentions) <= 1
