"""Lobbies on Discord: every command and control."""

import pytest
from msgspec.structs import replace

from bot.features.lobby.rules import character_name, parse_settings
from bot.local.response import Response, Snapshot
from bot.model import Status
from engine import GAMES, BadSettings
from engine.players import CHARACTERS
from tests.bot.world import Player, World


async def test_new_opens_a_lobby_for_everyone(world: World) -> None:
    opened = await world.open_lobby()
    message = world.newest()
    assert message is not None and not opened.ephemeral
    (embed,) = message.embeds
    assert embed["title"] == "Blue Lagoon" and "Ana (host)" in embed["fields"][0]["value"]
    labels = [part["label"] for part in message.components[0]["components"]]
    assert labels == ["Join", "Leave", "Add computer", "Start", "Cancel"]


async def test_players_join_and_leave_with_the_buttons(world: World) -> None:
    message = (await world.open_lobby()).message
    await world.bea.click(message, label="Join")
    await world.cem.click(message, label="Join")
    await world.bea.click(message, label="Leave")
    await world.add_computer(message, "strong")
    (room,) = await world.matches.here(world.channel.id)
    computer = room.record.chairs[2].name
    assert [person.name for person in room.record.chairs] == ["Ana", "Cem", computer]
    shown = world.newest().embeds[0]["fields"][0]["value"]
    assert "Cem" in shown and f"{computer} ⚙ (computer, strong): " in shown and "Bea" not in shown


async def test_the_host_changes_and_removes_computers(world: World) -> None:
    message = (await world.open_lobby()).message
    response = await world.add_computer(message, "easy")
    assert "Computers only know what a player" in response.private.content
    menu = response.private
    (room,) = await world.matches.here(world.channel.id)
    name = room.record.chairs[1].name
    changes = next(part for part in menu.controls if part["custom_id"].endswith(":computers"))
    assert [line["label"] for line in changes["options"]] == [
        f"{name} ⚙: first steps",
        f"{name} ⚙: steady",
        f"{name} ⚙: strong",
        f"{name} ⚙: remove",
    ]
    await world.ana.choose(menu, changes["custom_id"], ["1_strong"])
    assert f"{name} ⚙ (computer, strong)" in world.newest().embeds[0]["fields"][0]["value"]
    stand_in = next(part for part in menu.controls if part["custom_id"].endswith(":stand_in"))
    await world.ana.choose(menu, stand_in["custom_id"], ["easy"])
    (room,) = await world.matches.here(world.channel.id)
    assert room.record.terms.stand_in == "easy" and room.record.chairs[1].level == "strong"
    assert "taken over by a computer (easy)" in world.newest().embeds[0]["fields"][1]["value"]
    await world.ana.choose(menu, changes["custom_id"], ["1_remove"])
    (room,) = await world.matches.here(world.channel.id)
    assert [person.name for person in room.record.chairs] == ["Ana"]


async def test_each_computer_is_another_and_the_host_can_swap_them(world: World) -> None:
    message = (await world.open_lobby()).message
    await world.add_computer(message)
    menu = (await world.add_computer(message)).private
    (room,) = await world.matches.here(world.channel.id)
    _, first, second = room.record.chairs
    assert first.character and second.character and first.character != second.character
    swaps = next(part for part in menu.controls if part["custom_id"].endswith(":characters"))
    by_name = {character_name(character): character for character in CHARACTERS}
    absent = by_name.keys() - {first.name, second.name}
    labels = {line["label"]: line for line in swaps["options"]}
    assert labels.keys() == {
        f"{one.name} ⚙: {other} instead" for one in (first, second) for other in absent
    }
    other = min(absent)
    option = labels[f"{first.name} ⚙: {other} instead"]
    assert option["description"]
    await world.ana.choose(menu, swaps["custom_id"], [option["value"]])
    (room,) = await world.matches.here(world.channel.id)
    swapped = replace(first, name=other, character=by_name[other])
    assert room.record.chairs[1:] == (swapped, second)
    shown = world.newest().embeds[0]["fields"][0]["value"]
    assert f"{other} ⚙ (computer, steady): {option['description']}" in shown
    taken = f"1_{second.character}"
    refused = await world.ana.choose(menu, swaps["custom_id"], [taken], forged=True)
    assert "wasn't one of the choices" in refused.private.content
    assert await world.matches.here(world.channel.id) == [room]


async def test_the_host_chooses_whether_the_match_is_rated(
    world: World,
) -> None:
    message = (await world.open_lobby()).message
    await world.bea.click(message, label="Join")
    assert "Rated: counts for ratings" in world.newest().embeds[0]["fields"][1]["value"]
    assert "Only the host" in (await world.bea.press(message, label="Play unrated")).content
    await world.ana.click(message, label="Play unrated")
    assert "Unrated" in world.newest().embeds[0]["fields"][1]["value"]
    assert not (await world.matches.here(world.channel.id))[0].record.terms.rated
    await world.ana.click(message, label="Play rated")
    assert (await world.matches.here(world.channel.id))[0].record.terms.rated


async def test_a_button_tapped_twice_says_nothing_the_second_time(world: World) -> None:
    lobby = (await world.open_lobby()).message

    async def tap_twice(who: Player, label: str) -> Response:
        """Press a button again while the first press is being handled."""
        world.waits_for_all = False
        presses = [await who.click(lobby, label=label, wait="nothing") for _ in range(2)]
        for press in presses:
            await press.wait("ack")
        world.waits_for_all = True
        await world.wait_until_idle()
        return presses[1]

    for who, label in ((world.bea, "Join"), (world.ana, "Start")):
        assert not (await tap_twice(who, label)).followups, label
    (room,) = await world.matches.of_user(world.bea.id)
    assert room.record.status is Status.RUNNING and len(room.record.chairs) == 2


async def test_refused_lobby_buttons_answer_privately_and_change_nothing(world: World) -> None:
    message = (await world.open_lobby()).message
    before = await world.matches.here(world.channel.id)
    assert "already" in (await world.ana.press(message, label="Join")).content
    assert "don't have a seat" in (await world.bea.press(message, label="Leave")).content
    for label in ("Add computer", "Start", "Cancel"):
        assert "host" in (await world.bea.press(message, label=label)).content
    assert "at least 2" in (await world.ana.press(message, label="Start")).content
    assert await world.matches.here(world.channel.id) == before


async def test_the_host_chooses_settings_in_a_form(world: World) -> None:
    message = (await world.open_lobby()).message
    assert "Only the host" in (await world.bea.press(message, label="Settings")).content
    opened = await world.ana.click(message, label="Settings")
    assert opened.form.title == "Settings: Blue Lagoon"
    assert opened.form.values["Who goes first"] == ["1"]
    sent = await world.ana.submit(opened, {"Who goes first": "2"})
    assert sent.message is message, "the card shows the result, and nothing else is said"
    (room,) = await world.matches.here(world.channel.id)
    assert room.record.settings["first"] == "2"
    assert "player 2" in world.newest().embeds[0]["fields"][1]["value"]


async def test_the_settings_command_does_the_same(world: World) -> None:
    await world.open_lobby()
    opened = await world.ana.slash("/game settings")
    sent = await world.ana.submit(opened, {"Who goes first": "2"})
    assert "New settings for" in sent.private.content and "player 2" in sent.private.content
    text = (await world.ana.ask("/game settings", settings="first=1")).content
    assert "player 1" in text
    assert "player 1" in world.newest().embeds[0]["fields"][1]["value"]
    assert "first=1" in (await world.ana.autocomplete("/game settings", settings="fir")).values
    assert "Only the host" in (await world.bea.ask("/game settings", settings="first=2")).content
    assert "Only the host" in (await world.bea.ask("/game settings")).content
    assert (
        "I don't understand 'x=1'"
        in (await world.ana.ask("/game settings", settings="x=1")).content
    )


async def test_a_form_that_comes_too_late_is_refused_and_can_be_edited(world: World) -> None:
    message = (await world.open_lobby()).message
    opened = await world.ana.click(message, label="Settings")
    await world.bea.click(message, label="Join")
    await world.ana.click(message, label="Leave")
    refused = await world.ana.submit(opened, {"Who goes first": "2"})
    assert "Only the host" in refused.private.content
    await world.ana.click(message, label="Join")
    await world.bea.click(message, label="Leave")
    again = await world.ana.click(refused.private, label="Edit again")
    assert again.form.values["Who goes first"] == ["2"]
    done = await world.ana.submit(again)
    assert done.message is refused.private and "New settings" in done.private.content
    (room,) = await world.matches.here(world.channel.id)
    assert room.record.settings["first"] == "2"


@pytest.mark.parametrize("game", ["blue_lagoon", "maori", "polynesia", "conquest"])
async def test_a_lobby_says_which_parts_of_a_game_are_as_published(world: World, game: str) -> None:
    shown = (await world.ana.slash("/game new", game=game)).message.embeds[0]
    assert ("this project's own design" in shown["description"]) == (game != "blue_lagoon")
    assert "published" in shown["description"]


async def test_settings_that_exceed_a_form_have_another(world: World) -> None:
    """A form has room for five fields, and Conquest has eight settings."""
    opened = await world.ana.slash("/game new", game="conquest", settings="last_turn=6")
    assert "turn 6" in opened.message.embeds[0]["fields"][1]["value"]
    first = await world.ana.click(opened, label="Settings")
    more = await world.ana.click(opened, label="More settings")
    assert len(first.form.labels) == 5 and len(more.form.labels) == 3
    await world.ana.submit(first, {"Malaria": "strikes Melanesia"})
    await world.ana.submit(more, {"Points to win": "2 more", "Kumara": "on"})
    (room,) = await world.matches.here(world.channel.id)
    assert room.record.settings["malaria"] == room.record.settings["kumara"] == "on"
    assert room.record.settings["goal"] == "+2"
    assert "Points to win: 2 more" in world.newest().embeds[0]["fields"][1]["value"]


@pytest.mark.parametrize("line", ["goal", "goal=", "goal=99", "nothing=0", "goal-1"])
def test_a_line_that_no_menu_offers_is_refused(line: str) -> None:
    with pytest.raises(BadSettings):
        parse_settings(GAMES["conquest"], line)


async def test_cancel_closes_the_lobby(world: World) -> None:
    message = (await world.open_lobby()).message
    await world.ana.click(message, label="Cancel")
    assert not world.newest().components
    assert await world.matches.here(world.channel.id) == []


async def test_lobby_commands_do_the_same_as_the_buttons(world: World) -> None:
    await world.open_lobby()
    assert "You're in" in (await world.bea.ask("/game join")).content
    assert "2. Bea" in world.newest().embeds[0]["fields"][0]["value"]
    assert "left" in (await world.bea.ask("/game leave")).content
    await world.cem.slash("/game join")
    assert "host" in (await world.cem.ask("/game start")).content
    assert "Started" in (await world.ana.ask("/game start")).content
    (room,) = await world.matches.of_user(world.ana.id)
    assert room.record.status is Status.RUNNING and world.place(room) in world.threads()


async def test_cancel_by_command(world: World) -> None:
    await world.open_lobby()
    (room,) = await world.matches.here(world.channel.id)
    assert "host" in (await world.bea.ask("/game cancel")).content
    assert "Cancelled" in (await world.ana.ask("/game cancel")).content
    assert "was cancelled" in (await world.ana.ask("/board", match=room.record.id)).content
    assert "no lobby here" in (await world.bea.ask("/game join")).content


async def test_a_player_chooses_among_several_lobbies(world: World) -> None:
    await world.open_lobby()
    await world.cem.slash("/game new", game="blue_lagoon")
    first, second = await world.matches.here(world.channel.id)
    unclear = await world.bea.ask("/game join")
    assert "Which one?" in unclear.content and len(unclear.labels) == 2
    chosen = next(label for label in unclear.labels if first.record.id in label)
    assert "You're in" in (await world.bea.press(unclear, label=chosen)).content
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
async def test_impossible_lobbies_are_refused_with_a_reason(
    world: World, options: dict[str, str]
) -> None:
    text = (await world.ana.ask("/game new", **options)).content
    assert 0 < len(text) < 400 and "@everyone" not in text
    assert await world.matches.here(world.channel.id) == []
    assert world.posts() == []


async def test_settings_can_be_typed(world: World) -> None:
    await world.open_lobby(settings="first=draw, map=default")
    (room,) = await world.matches.here(world.channel.id)
    assert room.record.settings["first"] == "draw"


async def test_a_match_can_be_played_in_the_channel_itself(world: World) -> None:
    room = await world.start_match(place="channel")
    assert room.record.place.thread == 0 and world.threads() == []
    assert "place a piece" in world.newest().content


async def test_the_thread_is_named_after_the_game_and_players(world: World) -> None:
    room = await world.start_match()
    assert world.place(room).name == f"Blue Lagoon: Ana and Bea · {room.record.id}"


async def test_missing_permissions_are_named_when_a_lobby_is_opened(world: World) -> None:
    quiet = world.discord.add_channel("quiet")
    for missing in ("Send Messages", "Embed Links", "Attach Files", "View Channel"):
        permission = missing.lower().replace(" ", "_")
        world.discord.deny(quiet, permission)
        answer = await world.ana.ask("/game new", channel=quiet, game="blue_lagoon")
        assert missing in answer.content
        world.discord.allow(quiet, permission)
    assert await world.matches.here(quiet.id) == []


async def test_commands_answer_privately_where_the_bot_may_not_post(world: World) -> None:
    silent = world.discord.add_channel("silent")
    world.discord.deny(silent, "send_messages", "view_channel", "embed_links")
    await world.start_match()
    for command in ("/play", "/board", "/log", "/games", "/rules", "/undo", "/game join"):
        assert (await world.ana.ask(command, channel=silent)).content


async def test_without_thread_permissions_a_match_can_use_the_channel(world: World) -> None:
    flat = world.discord.add_channel("flat")
    world.discord.deny(flat, "create_public_threads")
    answer = (await world.ana.ask("/game new", channel=flat, game="blue_lagoon")).content
    assert "Create Public Threads" in answer
    opened = await world.ana.slash("/game new", channel=flat, game="blue_lagoon", place="channel")
    assert not opened.ephemeral


async def test_old_lobby_buttons_work_after_a_restart(world: World) -> None:
    message = (await world.open_lobby()).message
    await world.restart()
    await world.bea.click(message, label="Join")
    (room,) = await world.matches.here(world.channel.id)
    assert [person.name for person in room.record.chairs] == ["Ana", "Bea"]


async def test_resume_without_a_paused_match_says_so(world: World) -> None:
    assert "None of your matches is paused" in (await world.ana.ask("/game resume")).content


RUDE_NAMES = (
    "@everyone **x** `y` ~~z~~",
    "<@1> [a](http://e.x) ||s||",
    "# Title\n> quote\n- item @here",
    "\u202egnp.exe\u200b ```js",
)


async def test_markdown_and_mentions_in_names_are_escaped(world: World) -> None:
    people = [world.add_person(name) for name in RUDE_NAMES]
    host = people[0]
    message = (await host.slash("/game new", game="blue_lagoon", settings="first=1")).message
    for person in people[1:]:
        await person.click(message, label="Join")
    await host.click(message, label="Start")
    (room,) = await world.matches.of_user(host.id)
    for person, move in zip(people, ("17!", "18!", "19!", "nonsense"), strict=True):
        await world.play(person, room, move)
    for command in ("/games", "/log", "/board", "/hand"):
        await host.slash(command, channel=world.place(room))
    players = {person.id for person in people}
    for sight in world.discord.snapshots:
        check_is_escaped(sight, players)
    mentioned = [post.pings for post in world.boards(room)]
    assert mentioned == [[person.user] for person in people]


def check_is_escaped(sight: Snapshot, players: set[int]) -> None:
    """Check that no name came through as a mention, a link, a heading or other markdown."""
    embeds = [str(embed) for embed in sight.data.get("embeds", [])]
    shown = "\n".join([sight.data.get("content", ""), *embeds])
    # The bot's own links lead to Discord.
    shown = shown.replace("](https://discord.com/", "")
    for markup in ("@everyone", "@here", "<@1>", "](http", "\u202e", "||s||", "```js"):
        assert markup not in shown
    assert not any(line.startswith(("# ", "> ")) for line in shown.splitlines())
    assert {int(user["id"]) for user in sight.data.get("mentions", [])} <= players
    assert sight.data.get("mention_everyone") is not True


async def test_the_lobby_says_what_becomes_of_hints_when_somebody_joins(world: World) -> None:
    card = (await world.open_lobby()).message
    assert "Hints: on; once others join, only if everyone allows them" in str(card.embeds)
    await world.bea.click(card, label="Join")
    assert "Hints: off until everyone allows them" in str(card.embeds)
    for person, agreed in ((world.ana, 0), (world.bea, 1)):
        await person.click(card, label=f"Allow hints ({agreed} of 2 agree)")
    assert "Hints: on\\n" in str(card.embeds)
