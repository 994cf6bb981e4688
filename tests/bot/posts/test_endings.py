"""After the end: the lobby's message and the thread's name tell it, and a rematch is offered
once.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.kernel.room import Room
from bot.local import Person, Response
from bot.local.model import Message
from bot.model import Status
from bot.ui.pictures import Picture, Pictures
from engine import View
from tests.bot.posts.table import Table, at_table

RENAME = ("PATCH", "/channels/*")
EDIT = ("PATCH", "/channels/*/messages/*")


@pytest.fixture
async def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Table]:
    async with at_table(tmp_path, monkeypatch) as table:
        yield table


async def resign(table: Table, room: Room, person: Person) -> None:
    """A seat given up, and with it a match of two."""
    asked: Response = await person.slash("/resign", channel=table.place(room), match=room.record.id)
    await person.click(asked, label="Yes, give up my seat")


async def told(table: Table) -> None:
    """Wait until every end is told everywhere."""

    async def holds() -> bool:
        return not await table.matches.untold()

    await table.caught_up()
    await table.settled(holds)


async def ended(table: Table, place: str = "thread") -> Room:
    """A match that Bea has left to Ana, told everywhere."""
    room = await table.begun(place)
    await resign(table, room, table.bea)
    await told(table)
    return await table.matches.find(room.record.id)


async def lobby_says(table: Table, room: Room, *texts: str) -> None:
    """Wait for it: whoever has pressed Start may still be at showing how the match stood a
    moment before its end.
    """
    lobby = table.discord.state.messages[room.record.lobby_message]

    async def holds() -> bool:
        return all(text in lobby.text for text in texts) and not lobby.buttons

    await table.settled(holds)


RESULT = "Blue Lagoon ended early: only Ana is left at the table"


async def test_the_end_is_told_by_the_lobby_and_the_threads_name_and_calls_all_who_played(
    table: Table,
) -> None:
    room = await ended(table)
    await lobby_says(
        table, room, f"{RESULT}. https://discord.com/channels/", f"/{room.record.turn_message}"
    )
    assert table.place(room).name == f"{RESULT} · {room.record.id}"
    last = table.boards(room)[-1]
    assert set(last.pings) == {table.ana.user, table.bea.user}
    assert last.labels == ["Rematch", "My view", "Log", "Review", "Fairness"]


async def test_the_lobby_links_to_the_last_board_though_the_end_comes_while_another_is_posted(
    table: Table,
) -> None:
    room = await table.begun()
    fault = table.discord.faults.hold("POST", "/channels/*/messages")
    await resign(table, room, table.bea)
    await fault.met.wait()
    # As if the task that has posted the board before went on only now.
    await table.matches.outbox._announce_result(room.record.id)
    assert await table.matches.untold() == [room.record.id]
    table.discord.faults.clear()
    await told(table)
    room = await table.matches.find(room.record.id)
    await lobby_says(table, room, f"/{room.record.turn_message}")


async def test_of_a_match_in_a_channel_the_lobby_alone_tells_the_end(table: Table) -> None:
    name = table.discord.channel().name
    room = await ended(table, "channel")
    await lobby_says(table, room, RESULT)
    assert table.discord.channel().name == name


async def test_a_stop_before_the_end_is_told_loses_nothing(table: Table) -> None:
    room = await table.begun()
    faults = [table.discord.faults.hold(*RENAME), table.discord.faults.hold(*EDIT)]
    await resign(table, room, table.bea)
    await faults[1].met.wait()
    await table.stop()
    assert table.place(room).name == f"Blue Lagoon: Ana and Bea · {room.record.id}"
    table.discord.faults.clear()
    await table.start()
    await told(table)
    room = await table.matches.find(room.record.id)
    await lobby_says(table, room, RESULT)
    assert table.place(room).name == f"{RESULT} · {room.record.id}"
    assert len(table.boards(room)) == 2


async def test_an_outage_while_the_end_is_told_is_outlasted(table: Table) -> None:
    room = await table.begun()
    for route in (RENAME, EDIT):
        table.discord.faults.answer(*route, 503, times=7)
    await resign(table, room, table.bea)
    await told(table)
    room = await table.matches.find(room.record.id)
    await lobby_says(table, room, RESULT)
    assert table.place(room).name.startswith(RESULT)


async def test_a_thread_is_renamed_once_although_its_answer_was_lost(table: Table) -> None:
    room = await table.begun()
    renamed = []
    table.discord.state.listeners.append(
        lambda kind, what: renamed.append(what) if kind == "thread_update" else None
    )
    table.discord.faults.answer(*RENAME, 503, applied=True)
    await resign(table, room, table.bea)
    await told(table)
    assert len(renamed) == 1 and table.place(room).name.startswith(RESULT)


async def test_an_archived_thread_is_opened_and_renamed_at_once(table: Table) -> None:
    room = await table.begun()
    held = table.discord.faults.hold(*EDIT)
    await resign(table, room, table.bea)
    await held.met.wait()
    thread = table.place(room)
    table.discord.state.archive(thread)  # type: ignore[arg-type]
    table.discord.faults.clear()
    held.release()
    await told(table)
    assert thread.name.startswith(RESULT)


@pytest.mark.parametrize("code", [50013, 50001, 10003])
async def test_what_cannot_be_changed_any_more_stays_as_it_is(table: Table, code: int) -> None:
    room = await table.begun()
    table.discord.faults.answer(*RENAME, 404 if code == 10003 else 403, code=code)
    await resign(table, room, table.bea)
    await told(table)
    assert table.place(room).name.startswith("Blue Lagoon: Ana and Bea")
    assert not (await table.matches.find(room.record.id)).record.paused_for


async def test_a_thread_of_somebody_else_keeps_its_name(table: Table) -> None:
    room = await table.begun()
    thread = table.place(room)
    thread.owner = table.ana.user.id  # type: ignore[attr-defined]
    await resign(table, room, table.bea)
    await told(table)
    assert thread.name.startswith("Blue Lagoon: Ana and Bea")


# The rematch


def offers(table: Table) -> list[Message]:
    return [post for post in table.discord.messages() if "offers a rematch" in post.content]


async def rematch_of(table: Table, room: Room) -> Room:
    (found,) = [
        other
        for other in await table.matches.of_user(table.ana.id)
        if other.record.id != room.record.id
    ]
    return found


async def test_a_rematch_is_a_lobby_in_which_whoever_asked_sits_and_the_others_are_called_once(
    table: Table,
) -> None:
    room = await ended(table)
    pressed = await table.ana.click(table.boards(room)[-1], label="Rematch")
    (offer,) = offers(table)
    assert offer.content == (
        f"<@{table.bea.id}> **Ana** offers a rematch of Blue Lagoon: same table, same settings, the next player begins."
    )
    assert offer.pings == [table.bea.user] and offer.channel.id == room.record.place.channel
    assert pressed.ephemeral and f"/{offer.id}" in pressed.content
    found = await rematch_of(table, room)
    assert [person.name for person in found.record.chairs] == [
        "Ana"
    ] and found.record.host == table.ana.id
    assert found.record.settings == {**room.record.settings, "first": "1"}

    again = await table.ana.click(table.boards(room)[-1], label="Rematch")
    assert again.content == pressed.content
    await table.bea.click(table.boards(room)[-1], label="Rematch")
    assert len(offers(table)) == 1 and "Bea" in offer.text
    # Ana began, so Bea is next: she sits first, whoever was in the lobby first.
    assert [person.name for person in (await rematch_of(table, room)).record.chairs] == [
        "Bea",
        "Ana",
    ]
    # Nobody is awaited any more, so it begins, wherever Ana is now.
    await table.caught_up()
    begun = await rematch_of(table, room)
    assert begun.record.status is Status.RUNNING and begun.playing().waiting_for() == (0,)
    assert begun.record.place.thread not in (0, room.record.place.thread)
    late = await table.bea.click(table.boards(room)[-1], label="Rematch")
    assert late.content.startswith("The rematch has begun: ")


async def test_all_who_press_rematch_at_once_come_together(table: Table) -> None:
    room = await ended(table)
    last = table.boards(room)[-1]
    await asyncio.gather(
        *(person.click(last, label="Rematch") for person in (table.ana, table.bea) * 2)
    )
    (offer,) = offers(table)
    assert {person.name for person in (await rematch_of(table, room)).record.chairs} == {
        "Ana",
        "Bea",
    }
    assert "Ana" in offer.text and "Bea" in offer.text


async def test_a_rematch_works_after_a_restart_and_is_found_where_its_post_was_not_noted(
    table: Table,
) -> None:
    room = await ended(table)
    held = table.discord.faults.hold("POST", "/channels/*/messages", applied=True)
    press = asyncio.create_task(table.ana.click(table.boards(room)[-1], label="Rematch"))
    await held.met.wait()
    await table.discord.until(
        lambda: len(offers(table)) == 1, about="an offer that the bot does not hear of"
    )
    await table.stop()
    table.discord.faults.clear()
    press.cancel()
    await asyncio.gather(press, return_exceptions=True)
    table.discord.state.clock.advance(3600)  # type: ignore[attr-defined]
    await table.start()
    await table.bea.click(table.boards(room)[-1], label="Rematch")
    (offer,) = offers(table)
    found = await rematch_of(table, room)
    assert found.record.lobby_message == offer.id and {
        person.name for person in found.record.chairs
    } == {"Ana", "Bea"}


async def test_a_rematch_that_was_cancelled_can_be_offered_again(table: Table) -> None:
    room = await ended(table)
    await table.ana.click(table.boards(room)[-1], label="Rematch")
    await table.ana.click(offers(table)[0], label="Cancel")
    await table.bea.click(table.boards(room)[-1], label="Rematch")
    assert len(offers(table)) == 2 and offers(table)[1].content.startswith(
        f"<@{table.ana.id}> **Bea**"
    )


async def test_who_did_not_play_cannot_offer_a_rematch(table: Table) -> None:
    room = await ended(table)
    refused = await table.discord.user("Cem").click(table.boards(room)[-1], label="Rematch")
    assert refused.ephemeral and "for those who played" in refused.content and not offers(table)


async def test_where_a_rematch_cannot_be_offered_any_more_it_is_refused_and_no_lobby_stays(
    table: Table,
) -> None:
    room = await ended(table)
    table.discord.faults.answer("POST", "/channels/*/messages", 403, code=50013)
    refused = await table.ana.click(table.boards(room)[-1], label="Rematch")
    assert refused.ephemeral and "can no longer post" in refused.content
    assert not await table.matches.of_user(table.ana.id)


# The start


async def test_after_a_start_a_board_of_each_kind_is_drawn_before_anybody_asks(
    table: Table,
) -> None:
    await table.begun()
    room = await table.begun()
    await table.stop()
    drawn: list[View] = []
    board = Pictures.board

    async def noted(self: Pictures, view: View, names: tuple[str, ...], **scene: Any) -> Picture:
        drawn.append(view)
        return await board(self, view, names, **scene)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Pictures, "board", noted)
        await table.start()

        async def is_drawn() -> bool:
            return bool(drawn)

        await table.settled(is_drawn)
    assert drawn == [room.playing().view(None)], "of matches that look alike one is enough"
    assert len(table.boards(room)) == 1, "nothing is posted for it"


async def forget(table: Table, person: Person) -> None:
    """Somebody uses /me delete, and means it."""
    asked = await person.slash("/me delete")
    await person.click(asked, label="Forget me")


async def test_the_thread_of_a_running_match_forgets_who_was_deleted(table: Table) -> None:
    cem = table.discord.user("Cem")
    opened = await table.ana.slash("/game new", game="blue_lagoon")
    for person in (table.bea, cem):
        await person.click(opened, "Join")
    await table.ana.click(opened, "Start")
    await table.caught_up()
    (room,) = await table.matches.of_user(cem.id)
    thread = table.place(room)
    assert "Cem" in thread.name
    await forget(table, cem)
    await table.discord.until(lambda: "Cem" not in thread.name, about="the thread's new name")
    assert "a former player" in thread.name and "Ana" in thread.name and "Bea" in thread.name
    assert (await table.matches.find(room.record.id)).record.status is Status.RUNNING


async def test_the_thread_of_a_match_that_ended_forgets_who_was_deleted_and_stays_archived(
    table: Table,
) -> None:
    room = await ended(table)
    thread: Any = table.place(room)
    table.discord.state.archive(thread)
    assert "Ana" in thread.name
    await forget(table, table.ana)
    await table.discord.until(lambda: "Ana" not in thread.name, about="the thread's new name")
    await table.discord.until(lambda: thread.archived, about="the thread to be archived again")


async def test_a_thread_that_was_being_named_while_somebody_was_deleted_forgets_them_too(
    table: Table,
) -> None:
    room = await table.begun()
    held = table.discord.faults.hold("GET", "/channels/*")
    await forget(table, table.bea)
    await held.met.wait()
    assert "Bea" not in str((await table.matches.find(room.record.id)).record.chairs)
    table.discord.faults.clear()
    held.release()
    thread = table.place(room)
    await table.discord.until(lambda: "Bea" not in thread.name, about="the thread's new name")
    await told(table)
    assert "Bea" not in thread.name
