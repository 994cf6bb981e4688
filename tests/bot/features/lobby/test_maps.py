"""Maps of one's own: given as a file, checked with reasons, drawn in the lobby, played at any
size.
"""

import json

import pytest

from bot.local import Response
from bot.local.posting import Upload
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


async def opened(world: World, text: str | bytes, game: str = "blue_lagoon") -> Response:
    """What comes of a lobby that Ana opens with a map."""
    return await world.ana.slash("/game new", game=game, map=a_file(text), place="channel")


@pytest.mark.parametrize(
    "text", [EXAMPLE, json.dumps(published()), LARGE.replace("Ao", "A.", 12) + "\nitems: C 2"]
)
async def test_a_map_is_drawn_in_the_lobby_and_played(world: World, text: str) -> None:
    card = (await opened(world, text)).message
    assert card.files["board.png"].startswith(b"\x89PNG") and card.attachments[0].description
    assert "A map of your own" in json.dumps(card.embeds)
    await world.bea.click(card, label="Join")
    assert card.files["board.png"], "the picture stays when the message is edited"
    await world.ana.click(card, label="Start")
    await world.caught_up()
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
        ("{", "That is not a map"),
        (b"\xff\xfe\x00~", "not plain text"),
        ("  \n ", "is empty"),
        ("~" * 200_001, "too large"),
        ("hello", "There is no map 'hello'"),
    ],
)
async def test_a_bad_map_is_refused_with_its_reason_and_nothing_is_opened(
    world: World, text: str | bytes, why: str
) -> None:
    refused = await opened(world, text)
    assert refused.ephemeral and why in refused.content
    assert await world.matches.lobbies() == [] and world.discord.messages() == []


async def test_other_games_take_no_map(world: World) -> None:
    assert "takes no map" in (await opened(world, EXAMPLE, game="maori")).content


async def test_which_lobby_a_map_is_for_is_asked_in_words_for_no_button_holds_a_file(
    world: World,
) -> None:
    for _ in range(2):
        await world.ana.slash("/game new", game="blue_lagoon")
    asked = await world.ana.slash("/game map", file=a_file(EXAMPLE))
    assert asked.ephemeral and "Which one do you mean? Say it with `match:`" in asked.content


async def test_the_host_changes_the_map_in_the_lobby(world: World) -> None:
    card = (await world.ana.slash("/game new", game="blue_lagoon")).message
    refused = await world.bea.slash("/game map", file=a_file(EXAMPLE))
    assert "Only the host" in refused.content and not card.attachments
    assert "has the map now" in (await world.ana.slash("/game map", file=a_file(EXAMPLE))).content
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
    begun = await world.matches.find(room.record.id)
    assert begun.record.status is Status.RUNNING and begun.playing().base.map == "default"
