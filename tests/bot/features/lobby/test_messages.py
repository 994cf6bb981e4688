"""Every lobby has an up-to-date message, whatever Discord answers and whenever the bot stops."""

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


async def no_wait(seconds: float) -> None:
    """Return at once instead of waiting."""
    await asyncio.sleep(0)


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    # discord.py tries an answer that failed again, for 25 seconds in all.
    monkeypatch.setattr(
        "discord.webhook.async_.asyncio", SimpleNamespace(**vars(asyncio) | {"sleep": no_wait})
    )
    async with open_world(tmp_path, monkeypatch) as world:
        yield world


def lobby_messages(world: World) -> list[Message]:
    """Return the visible messages of lobbies."""
    return [message for message in world.discord.messages() if message.embeds]


def listed_players(card: Message) -> str:
    """Return the players as a lobby's message lists them."""
    return str(card.embeds[0]["fields"][0]["value"])


async def open_unseen_lobby(world: World) -> Room:
    """Open a lobby of Ana's as if the bot had stopped before showing it."""
    place = Place(world.discord.state.guild, world.discord.channel().id)
    return await world.matches.open_lobby("maori", {}, place, Person(world.ana.id, "Ana"))


async def wait_until_watching(world: World) -> None:
    """Wait until the bot has looked for open lobbies, as it does after a start."""

    async def holds() -> bool:
        return world.bot.services.require(LobbyMessages)._watching is not None

    await world.wait_until(holds)


async def wait_for_lobby_message(world: World) -> Room:
    """Wait until the message of the only lobby is known, and return the lobby."""

    async def known() -> bool:
        rooms = await world.matches.of_user(world.ana.id)
        return len(rooms) == 1 and bool(rooms[0].record.lobby_message)

    await world.wait_until(known)
    (room,) = await world.matches.of_user(world.ana.id)
    return room


@pytest.mark.parametrize("applied", [False, True], ids=["lost", "shown all the same"])
async def test_a_lobby_whose_answer_failed_is_shown_once(world: World, applied: bool) -> None:
    world.discord.faults.respond_with(*ANSWER, 503, times=6, applied=applied)
    await world.ana.slash("/game new", game="blue_lagoon", wait="nothing")
    room = await wait_for_lobby_message(world)
    (card,) = lobby_messages(world)
    assert card.id == room.record.lobby_message
    await world.bea.click(card, label="Join")
    assert "Bea" in listed_players(card)


async def test_a_lobby_that_cannot_be_shown_anywhere_is_cancelled(world: World) -> None:
    world.discord.faults.respond_with(*ANSWER, 503, times=6)
    refused = world.discord.faults.respond_with(*POST, 403, code=50013, times=10)
    await world.ana.slash("/game new", game="blue_lagoon", wait="nothing")

    async def gone() -> bool:
        return refused.was_hit.is_set() and not await world.matches.lobbies()

    await world.wait_until(gone)
    assert lobby_messages(world) == []
    assert await world.matches.of_user(world.ana.id) == []
    assert "There's no lobby here" in (await world.bea.slash("/game join")).content


async def test_a_lobby_opened_just_before_a_stop_is_shown_after_the_start(world: World) -> None:
    room = await open_unseen_lobby(world)
    assert "There's no lobby here" in (await world.bea.slash("/game join")).content, (
        "nobody joins what they cannot see"
    )
    await world.stop()
    await world.start()
    await wait_for_lobby_message(world)
    (card,) = lobby_messages(world)
    await world.bea.slash("/game join")
    await world.wait_until(lambda: shows(card, "Bea"))
    assert (await world.matches.find(room.record.id)).record.lobby_message == card.id


async def test_a_lobby_message_whose_answer_was_lost_is_kept_up_to_date(world: World) -> None:
    opened = await world.ana.slash("/game new", game="blue_lagoon")
    room = await wait_for_lobby_message(world)
    await world.matches.matches.note_messages(room.record.id, lobby_message=0)
    await world.stop()
    await world.start()
    assert (await wait_for_lobby_message(world)).record.lobby_message == opened.message.id
    await world.bea.slash("/game join")
    await world.wait_until(lambda: shows(opened.message, "Bea"))
    assert len(lobby_messages(world)) == 1


async def test_lobby_changes_made_just_before_a_stop_are_shown_after_the_start(
    world: World,
) -> None:
    await wait_until_watching(world)
    opened = await world.ana.slash("/game new", game="blue_lagoon")
    room = await wait_for_lobby_message(world)
    world.matches.stop_posting()
    await world.matches.join(room.record.id, Person(world.bea.id, "Bea"))
    await world.stop()
    assert "Bea" not in listed_players(opened.message)
    await world.start()
    await world.wait_until(lambda: shows(opened.message, "Bea"))


async def test_pressing_an_outdated_lobby_shows_its_current_state(world: World) -> None:
    await wait_until_watching(world)
    opened = await world.ana.slash("/game new", game="blue_lagoon")
    room = await wait_for_lobby_message(world)
    world.matches.stop_posting()
    await world.matches.cancel(room.record.id, Person(world.ana.id, "Ana"))
    refused = await world.bea.click(opened, label="Join")
    told = await world.discord.until(
        lambda: next((message for message in refused.messages if message.ephemeral), None),
        about="the refusal",
    )
    assert "cancelled" in told.content and not opened.message.buttons


async def test_a_match_resumes_only_where_all_players_can_see_it(world: World) -> None:
    room = await world.start_match()
    world.discord.delete_channel(world.place(room))

    async def paused() -> bool:
        return (await world.matches.find(room.record.id)).is_paused

    await world.wait_until(paused)
    secret = world.discord.add_channel("secret")
    world.discord.deny(secret, "view_channel", to=world.bea)
    refused = await world.ana.slash("/game resume", channel=secret)
    assert "Bea" in refused.content and "can't see this channel" in refused.content
    assert (await world.matches.find(room.record.id)).record.place == room.record.place
    world.discord.allow(secret, "view_channel", to=world.bea)
    assert "continues here" in (await world.ana.slash("/game resume", channel=secret)).content


async def test_a_quiet_lobby_says_when_it_closes_and_then_that_it_has(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await world.ana.slash("/game new", game="blue_lagoon")
    room = await wait_for_lobby_message(world)
    assert "7 days" in opened.message.embeds[0]["fields"][-1]["value"]
    await world.stop()
    monkeypatch.setattr("bot.features.lobby.service.LOBBY_TIMEOUT_SECONDS", -10)
    await world.start()

    async def closed() -> bool:
        return not opened.message.buttons

    await world.wait_until(closed)
    assert "without activity" in opened.message.embeds[0]["fields"][-1]["value"]
    assert (await world.matches.find(room.record.id)).record.status is Status.EXPIRED


async def shows(card: Message, name: str) -> bool:
    """Return whether a lobby's message names somebody."""
    return name in listed_players(card)
