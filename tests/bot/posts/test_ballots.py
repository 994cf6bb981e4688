"""The messages of votes, whatever Discord does meanwhile: one message a vote, and at last it
says the result.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.features.votes import queries as vote_queries
from bot.kernel.room import Room
from bot.local.model import Message, Thread
from bot.model import Status
from tests.bot.posts.table import Table, at_table

SEND = ("POST", "/channels/*/messages")
EDIT = ("PATCH", "/channels/*/messages/*")


@pytest.fixture
async def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    async with at_table(tmp_path, monkeypatch) as table:
        yield table


def ballots(table: Table) -> list[Message]:
    return [message for message in table.discord.messages() if "asks to pause" in message.content]


async def ask(table: Table, room: Room) -> None:
    await table.matches.votes.propose(room.record.id, room.record.chairs[0], "pause")


async def shown(table: Table, room: Room) -> None:
    """Wait until the vote has a message, and that shows it."""

    async def holds() -> bool:
        (vote,) = await table.matches.store.read(vote_queries.votes, room.record.id)
        return bool(vote.message) and (vote.is_open or vote.told)

    await table.settled(holds)


async def agree(table: Table, room: Room) -> None:
    await table.matches.votes.cast(room.record.id, 1, table.bea.id, "yes")
    await shown(table, room)


async def test_a_vote_is_asked_and_decided_by_one_message_through_an_outage(table: Table) -> None:
    room = await table.begun()
    table.discord.faults.answer(*SEND, status=503, times=3)
    await ask(table, room)
    await shown(table, room)
    table.discord.faults.answer(*EDIT, status=500, times=3)
    await agree(table, room)
    (message,) = ballots(table)
    assert "**Paused." in message.content and message.buttons == []


async def test_a_message_that_is_gone_or_shut_away_gets_a_successor(table: Table) -> None:
    room = await table.begun()
    await ask(table, room)
    await shown(table, room)
    table.discord.state.delete_message(ballots(table)[0])
    await agree(table, room)
    (message,) = ballots(table)
    assert "**Paused." in message.content


async def test_an_archived_thread_is_opened_for_a_vote(table: Table) -> None:
    room = await table.begun()
    thread = table.place(room)
    assert isinstance(thread, Thread)
    table.discord.state.archive(thread)
    await ask(table, room)
    await shown(table, room)
    assert not thread.archived and len(ballots(table)) == 1


async def test_what_was_posted_unheard_is_found_after_a_restart(table: Table) -> None:
    room = await table.begun()
    fault = table.discord.faults.cut(*SEND, times=1, applied=True)
    await ask(table, room)
    await fault.met.wait()
    await table.stop()
    # Long after Discord has forgotten the nonce.
    for message in ballots(table):
        message.nonce = None
    await table.start()
    await shown(table, room)
    assert len(ballots(table)) == 1
    await table.bea.click(ballots(table)[0], "Yes")
    await shown(table, room)
    assert (await table.matches.find(room.record.id)).record.status is Status.ON_HOLD


async def test_a_vote_whose_place_is_lost_goes_on_where_the_match_does(table: Table) -> None:
    room = await table.begun()
    await ask(table, room)
    await shown(table, room)
    table.discord.state.delete_channel(table.place(room))

    async def paused() -> bool:
        return bool((await table.matches.find(room.record.id)).record.paused_for)

    await table.settled(paused)
    elsewhere = table.discord.state.add_channel("elsewhere")
    await table.ana.slash("/game resume", channel=elsewhere, match=room.record.id)
    await table.discord.until(lambda: len(ballots(table)) == 1, about="the vote in the new place")
    (message,) = ballots(table)
    assert message.labels == ["Yes", "No"] and message.pings == [table.bea.user]
    await table.bea.click(message, "Yes")
    await shown(table, room)
    now = await table.matches.find(room.record.id)
    assert now.record.status is Status.ON_HOLD and message.channel.id == now.record.place.posts_to
