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
from tests.bot.posts.table import Table, at_table

ANSWER = ("POST", "/interactions/*/*/callback")
POST = ("POST", "/channels/*/messages")


async def soon(seconds: float) -> None:
    """A wait that is over at once."""
    await asyncio.sleep(0)


@pytest.fixture
async def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    # discord.py tries an answer that failed again, for 25 seconds in all.
    monkeypatch.setattr(
        "discord.webhook.async_.asyncio", SimpleNamespace(**vars(asyncio) | {"sleep": soon})
    )
    async with at_table(tmp_path, monkeypatch) as table:
        yield table


def cards(table: Table) -> list[Message]:
    """The lobbies' messages that can be seen."""
    return [message for message in table.discord.messages() if message.embeds]


def seats(card: Message) -> str:
    """Who sits there, as a lobby's message says."""
    return str(card.embeds[0]["fields"][0]["value"])


async def ghost(table: Table) -> Room:
    """A lobby of Ana's that was opened just before the bot was stopped: nobody has seen it."""
    place = Place(table.discord.state.guild, table.discord.channel().id)
    return await table.matches.open_lobby("maori", {}, place, Person(table.ana.id, "Ana"))


async def started(table: Table) -> None:
    """Wait until the bot has looked which lobbies there are, as it does after a start."""

    async def holds() -> bool:
        return table.bot.services.require(LobbyMessages)._watching is not None

    await table.settled(holds)


async def noted(table: Table) -> Room:
    """The only lobby, once its message is known."""

    async def known() -> bool:
        rooms = await table.matches.of_user(table.ana.id)
        return len(rooms) == 1 and bool(rooms[0].record.lobby_message)

    await table.settled(known)
    (room,) = await table.matches.of_user(table.ana.id)
    return room


@pytest.mark.parametrize("applied", [False, True], ids=["lost", "shown all the same"])
async def test_a_lobby_whose_answer_failed_is_shown_once(table: Table, applied: bool) -> None:
    table.discord.faults.answer(*ANSWER, 503, times=6, applied=applied)
    await table.ana.slash("/game new", game="blue_lagoon", wait="nothing")
    room = await noted(table)
    (card,) = cards(table)
    assert card.id == room.record.lobby_message
    await table.bea.click(card, label="Join")
    assert "Bea" in seats(card)


async def test_a_lobby_that_cannot_be_shown_anywhere_is_cancelled(table: Table) -> None:
    table.discord.faults.answer(*ANSWER, 503, times=6)
    refused = table.discord.faults.answer(*POST, 403, code=50013, times=10)
    await table.ana.slash("/game new", game="blue_lagoon", wait="nothing")

    async def gone() -> bool:
        return refused.met.is_set() and not await table.matches.lobbies()

    await table.settled(gone)
    assert cards(table) == [] and await table.matches.of_user(table.ana.id) == []
    assert "There is no lobby here" in (await table.bea.slash("/game join")).content


async def test_a_lobby_opened_just_before_a_stop_is_shown_after_the_start(table: Table) -> None:
    room = await ghost(table)
    assert "There is no lobby here" in (await table.bea.slash("/game join")).content, (
        "nobody joins what they cannot see"
    )
    await table.stop()
    await table.start()
    await noted(table)
    (card,) = cards(table)
    await table.bea.slash("/game join")
    await table.settled(lambda: shows(card, "Bea"))
    assert (await table.matches.find(room.record.id)).record.lobby_message == card.id


async def test_a_message_that_the_bot_did_not_hear_of_is_kept_up_to_date(table: Table) -> None:
    opened = await table.ana.slash("/game new", game="blue_lagoon")
    room = await noted(table)
    await table.matches.matches.note_messages(room.record.id, lobby_message=0)
    await table.stop()
    await table.start()
    assert (await noted(table)).record.lobby_message == opened.message.id
    await table.bea.slash("/game join")
    await table.settled(lambda: shows(opened.message, "Bea"))
    assert len(cards(table)) == 1


async def test_what_was_done_just_before_a_stop_is_shown_after_the_start(table: Table) -> None:
    await started(table)
    opened = await table.ana.slash("/game new", game="blue_lagoon")
    room = await noted(table)
    table.matches.stop_posting()
    await table.matches.join(room.record.id, Person(table.bea.id, "Bea"))
    await table.stop()
    assert "Bea" not in seats(opened.message)
    await table.start()
    await table.settled(lambda: shows(opened.message, "Bea"))


async def test_a_press_on_a_lobby_that_has_ended_unseen_shows_how_it_stands(table: Table) -> None:
    await started(table)
    opened = await table.ana.slash("/game new", game="blue_lagoon")
    room = await noted(table)
    table.matches.stop_posting()
    await table.matches.cancel(room.record.id, Person(table.ana.id, "Ana"))
    refused = await table.bea.click(opened, label="Join")
    told = await table.discord.until(
        lambda: next((message for message in refused.messages if message.ephemeral), None),
        about="the refusal",
    )
    assert "cancelled" in told.content and not opened.message.buttons


async def test_a_match_goes_on_only_where_all_who_play_it_can_see_it(table: Table) -> None:
    room = await table.begun()
    table.discord.delete_channel(table.place(room))

    async def paused() -> bool:
        return (await table.matches.find(room.record.id)).is_paused

    await table.settled(paused)
    secret = table.discord.add_channel("secret")
    table.discord.deny(secret, "view_channel", to=table.bea)
    refused = await table.ana.slash("/game resume", channel=secret)
    assert "Bea" in refused.content and "cannot see this channel" in refused.content
    assert (await table.matches.find(room.record.id)).record.place == room.record.place
    table.discord.allow(secret, "view_channel", to=table.bea)
    assert "goes on here" in (await table.ana.slash("/game resume", channel=secret)).content


async def test_a_quiet_lobby_says_when_it_closes_and_then_that_it_has(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await table.ana.slash("/game new", game="blue_lagoon")
    room = await noted(table)
    assert "7 days" in opened.message.embeds[0]["fields"][-1]["value"]
    await table.stop()
    monkeypatch.setattr("bot.features.lobby.service.QUIET", -10)
    await table.start()

    async def closed() -> bool:
        return not opened.message.buttons

    await table.settled(closed)
    assert "Closed: nothing happened" in opened.message.embeds[0]["fields"][-1]["value"]
    assert (await table.matches.find(room.record.id)).record.status is Status.EXPIRED


async def shows(card: Message, name: str) -> bool:
    """Whether a lobby's message has somebody in it."""
    return name in seats(card)
