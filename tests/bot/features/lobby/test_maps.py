"""Custom maps: uploaded, checked with reasons, drawn in the lobby, and played."""

import json

import pytest

from bot.local import Response
from bot.local.model import Upload
from bot.model import Status
from engine import Seat
from engine.blue_lagoon.mapdata import canonical
from tests.bot.features.play.driver import presses_for
from tests.bot.world import World
from tests.engine.blue_lagoon.maps import published
from tests.engine.blue_lagoon.test_picture import EXAMPLE

LARGE = "\n".join(
    ("  " if row % 2 == 0 else "") + "  ".join(["~~"] * (29 + row % 2)) for row in range(28)
)
LARGE += "\n  " + "  ".join([*(["Ao"] * 16), "~~", *(["Bo"] * 12)])
"""29 rows with 840 spaces of sea: far more than any message of Discord has buttons."""


def a_file(text: str | bytes, name: str = "map.txt") -> Upload:
    return Upload(name, text if isinstance(text, bytes) else text.encode())


async def open_with_map(world: World, text: str | bytes, game: str = "blue_lagoon") -> Response:
    """Have Ana open a lobby with a map."""
    return await world.ana.slash("/game new", game=game, map=a_file(text), place="channel")


@pytest.mark.parametrize(
    "text", [EXAMPLE, json.dumps(published()), LARGE.replace("Ao", "A.", 12) + "\nitems: C 2"]
)
async def test_a_map_is_drawn_in_the_lobby_and_played(world: World, text: str) -> None:
    card = (await open_with_map(world, text)).message
    assert card.files["board.png"].startswith(b"\x89PNG") and card.attachments[0].description
    assert "Custom map: in use" in json.dumps(card.embeds)
    await world.bea.click(card, label="Join")
    assert card.files["board.png"], "the picture stays when the message is edited"
    await world.ana.click(card, label="Start")
    await world.wait_until_posted()
    (room,) = await world.matches.of_user(world.ana.id)
    match = room.playing()
    assert match.base.map == canonical(text)
    seat = match.waiting_for()[0]
    question = match.question(seat)
    assert question is not None
    for option in (
        question.options[0],
        question.options[-1],
        question.options[len(question.options) // 2],
    ):
        assert presses_for(match, Seat(seat), (option.key,)) <= 4
    panel = await world.ana.slash("/play") if seat == 0 else await world.bea.slash("/play")
    assert panel.message.buttons and panel.files["board.png"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("  Ao  Bo\n~~  ~~  ~~", "touch"),
        ("{", "That's not a map"),
        (b"\xff\xfe\x00~", "isn't plain text"),
        ("  \n ", "is empty"),
        ("~" * 200_001, "too large"),
        ("hello", "There's no map 'hello'"),
    ],
)
async def test_a_bad_map_is_refused_with_its_reason_and_nothing_is_opened(
    world: World, text: str | bytes, why: str
) -> None:
    refused = await open_with_map(world, text)
    assert refused.ephemeral and why in refused.content
    assert await world.matches.lobbies() == [] and world.discord.messages() == []


async def test_other_games_take_no_map(world: World) -> None:
    assert "doesn't take custom maps" in (await open_with_map(world, EXAMPLE, game="maori")).content


async def test_with_several_lobbies_a_map_needs_the_match_option(
    world: World,
) -> None:
    for _ in range(2):
        await world.ana.slash("/game new", game="blue_lagoon")
    response = await world.ana.slash("/game map", file=a_file(EXAMPLE))
    assert response.ephemeral and "Which one? Add `match:`" in response.content


async def test_the_host_changes_the_map_in_the_lobby(world: World) -> None:
    card = (await world.ana.slash("/game new", game="blue_lagoon")).message
    refused = await world.bea.slash("/game map", file=a_file(EXAMPLE))
    assert "Only the host" in refused.content and not card.attachments
    assert "uses your map now" in (await world.ana.slash("/game map", file=a_file(EXAMPLE))).content
    await world.discord.until(lambda: card.attachments, about="the map")
    assert (
        "touch" in (await world.ana.slash("/game map", file=a_file("  Ao  Bo\n~~  ~~  ~~"))).content
    )
    (room,) = await world.matches.lobbies()
    assert canonical(room.record.settings["board"]) == canonical(EXAMPLE)
    assert "published map" in (await world.ana.slash("/game map")).content
    await world.discord.until(lambda: not card.attachments, about="the map to go")
    await world.bea.click(card, label="Join")
    await world.ana.click(card, label="Start")
    reloaded = await world.matches.find(room.record.id)
    assert reloaded.record.status is Status.RUNNING and reloaded.playing().base.map == "default"


async def test_a_map_is_uploaded_in_a_form(world: World) -> None:
    card = (await world.ana.slash("/game new", game="blue_lagoon")).message
    assert "Only the host" in (await world.bea.press(card, label="Map")).content
    opened = await world.ana.click(card, label="Map")
    assert opened.form.labels == ["The map as a text file"]
    refused = await world.ana.submit(opened)
    assert "There was no file" in refused.private.content
    wrong = await world.ana.submit(opened, {"The map as a text file": a_file("  Ao  Bo\n~~  ~~")})
    again = await world.ana.click(wrong.private, label="Edit again")
    done = await world.ana.submit(again, {"The map as a text file": a_file(EXAMPLE)})
    assert "uses your map now" in done.private.content
    await world.discord.until(lambda: card.attachments, about="the map")
    (room,) = await world.matches.lobbies()
    assert canonical(room.record.settings["board"]) == canonical(EXAMPLE)
    back = await world.ana.click(card, label="Map")
    sent = await world.ana.submit(back, {"Use the published map again": True})
    assert sent.message is card
    await world.discord.until(lambda: not card.attachments, about="the map to go")


async def test_games_without_maps_have_no_button_for_one(world: World) -> None:
    card = (await world.ana.slash("/game new", game="maori")).message
    assert "Map" not in card.labels and "Settings" in card.labels
