"""No lobby is unseen or out of date, whatever Discord answers and whenever the bot is stopped."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from bot.features.lobby.messages import LobbyMessages
from bot.kernel.room import Room
from bot.local.model import Message
from bot.model import Person, Place, Status
from tests.bot.world import World, open_world

ANSWER = ("POST", "/interactions/*/*/callback")
POST = ("POST", "/channels/*/messages")


async def soon(seconds: float) -> None:
    """A wait that is over at once."""
    await asyncio.sleep(0)


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    # discord.py tries an answer that failed again, for 25 seconds in all.
    monkeypatch.setattr(
        "discord.webhook.async_.asyncio", SimpleNamespace(**vars(asyncio) | {"sleep": soon})
    )
    async with open_world(tmp_path, monkeypatch) as world:
        yield world


def cards(world: World) -> list[Message]:
    """The lobbies' messages that can be seen."""
    return [message for message in world.discord.messages() if message.embeds]


def seats(card: Message) -> str:
    """Who sits there, as a lobby's message says."""
    return str(card.embeds[0]["fields"][0]["value"])


async def ghost(world: World) -> Room:
    """A lobby of Ana's that was opened just before the bot was stopped: nobody has seen it."""
    place = Place(world.discord.state.guild, world.discord.channel().id)
    return await world.matches.open_lobby("maori", {}, place, Person(world.ana.id, "Ana"))


async def started(world: World) -> None:
    """Wait until the bot has looked which lobbies there are, as it does after a start."""

    async def holds() -> bool:
        return world.bot.services.require(LobbyMessages)._watching is not None

    await world.settled(holds)


async def noted(world: World) -> Room:
    """The only lobby, once its message is known."""

    async def known() -> bool:
        rooms = await world.matches.of_user(world.ana.id)
        return len(rooms) == 1 and bool(rooms[0].record.lobby_message)

    await world.settled(known)
    (room,) = await world.matches.of_user(world.ana.id)
    return room


@pytest.mark.parametrize("applied", [False, True], ids=["lost", "shown all the same"])
async def test_a_lobby_whose_answer_failed_is_shown_once(world: World, applied: bool) -> None:
    world.discord.faults.answer(*ANSWER, 503, times=6, applied=applied)
    await world.ana.slash("/game new", game="blue_lagoon", wait="nothing")
    room = await noted(world)
    (card,) = cards(world)
    assert card.id == room.record.lobby_message
    await world.bea.click(card, label="Join")
    assert "Bea" in seats(card)


async def test_a_lobby_that_cannot_be_shown_anywhere_is_cancelled(world: World) -> None:
    world.discord.faults.answer(*ANSWER, 503, times=6)
    refused = world.discord.faults.answer(*POST, 403, code=50013, times=10)
    await world.ana.slash("/game new", game="blue_lagoon", wait="nothing")

    async def gone() -> bool:
        return refused.met.is_set() and not await world.matches.lobbies()

    await world.settled(gone)
    assert cards(world) == [] and await world.matches.of_user(world.ana.id) == []
    assert "There is no lobby here" in (await world.bea.slash("/game join")).content


async def test_a_lobby_opened_just_before_a_stop_is_shown_after_the_start(world: World) -> None:
    room = await ghost(world)
    assert "There is no lobby here" in (await world.bea.slash("/game join")).content, (
        "nobody joins what they cannot see"
    )
    await world.stop()
    await world.start()
    await noted(world)
    (card,) = cards(world)
    await world.bea.slash("/game join")
    await world.settled(lambda: shows(card, "Bea"))
    assert (await world.matches.find(room.record.id)).record.lobby_message == card.id


async def test_a_message_that_the_bot_did_not_hear_of_is_kept_up_to_date(world: World) -> None:
    opened = await world.ana.slash("/game new", game="blue_lagoon")
    room = await noted(world)
    await world.matches.matches.note_messages(room.record.id, lobby_message=0)
    await world.stop()
    await world.start()
    assert (await noted(world)).record.lobby_message == opened.message.id
    await world.bea.slash("/game join")
    await world.settled(lambda: shows(opened.message, "Bea"))
    assert len(cards(world)) == 1


async def test_what_was_done_just_before_a_stop_is_shown_after_the_start(world: World) -> None:
    await started(world)
    opened = await world.ana.slash("/game new", game="blue_lagoon")
    room = await noted(world)
    world.matches.stop_posting()
    await world.matches.join(room.record.id, Person(world.bea.id, "Bea"))
    await world.stop()
    assert "Bea" not in seats(opened.message)
    await world.start()
    await world.settled(lambda: shows(opened.message, "Bea"))


async def test_a_press_on_a_lobby_that_has_ended_unseen_shows_how_it_stands(world: World) -> None:
    await started(world)
    opened = await world.ana.slash("/game new", game="blue_lagoon")
    room = await noted(world)
    world.matches.stop_posting()
    await world.matches.cancel(room.record.id, Person(world.ana.id, "Ana"))
    refused = await world.bea.click(opened, label="Join")
    told = await world.discord.until(
        lambda: next((message for message in refused.messages if message.ephemeral), None),
        about="the refusal",
    )
    assert "cancelled" in told.content and not opened.message.buttons


async def test_a_match_goes_on_only_where_all_who_play_it_can_see_it(world: World) -> None:
    room = await world.started()
    world.discord.delete_channel(world.place(room))

    async def paused() -> bool:
        return (await world.matches.find(room.record.id)).is_paused

    await world.settled(paused)
    secret = world.discord.add_channel("secret")
    world.discord.deny(secret, "view_channel", to=world.bea)
    refused = await world.ana.slash("/game resume", channel=secret)
    assert "Bea" in refused.content and "cannot see this channel" in refused.content
    assert (await world.matches.find(room.record.id)).record.place == room.record.place
    world.discord.allow(secret, "view_channel", to=world.bea)
    assert "goes on here" in (await world.ana.slash("/game resume", channel=secret)).content


async def test_a_quiet_lobby_says_when_it_closes_and_then_that_it_has(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await world.ana.slash("/game new", game="blue_lagoon")
    room = await noted(world)
    assert "7 days" in opened.message.embeds[0]["fields"][-1]["value"]
    await world.stop()
    monkeypatch.setattr("bot.features.lobby.service.QUIET", -10)
    await world.start()

    async def closed() -> bool:
        return not opened.message.buttons

    await world.settled(closed)
    assert "Closed: nothing happened" in opened.message.embeds[0]["fields"][-1]["value"]
    assert (await world.matches.find(room.record.id)).record.status is Status.EXPIRED


async def shows(card: Message, name: str) -> bool:
    """Whether a lobby's message has somebody in it."""
    return name in seats(card)
