"""After the end: the lobby's message and the thread's name tell it, and a rematch is offered
once.
"""

import asyncio
from typing import Any

import pytest

from bot.kernel.room import Room
from bot.local import Person, Response
from bot.local.model import Message
from bot.model import Status
from bot.ui.pictures import Picture, Pictures
from engine import View
from tests.bot.world import World

RENAME = ("PATCH", "/channels/*")
EDIT = ("PATCH", "/channels/*/messages/*")


async def resign(world: World, room: Room, person: Person) -> None:
    """A seat given up, and with it a match of two."""
    asked: Response = await person.slash("/resign", channel=world.place(room), match=room.record.id)
    await person.click(asked, label="Yes, give up my seat")


async def told(world: World) -> None:
    """Wait until every end is told everywhere."""

    async def holds() -> bool:
        return not await world.matches.untold()

    await world.caught_up()
    await world.settled(holds)


async def ended(world: World, place: str = "thread") -> Room:
    """A match that Bea has left to Ana, told everywhere."""
    room = await world.started(place=place)
    await resign(world, room, world.bea)
    await told(world)
    return await world.matches.find(room.record.id)


async def lobby_says(world: World, room: Room, *texts: str) -> None:
    """Wait for it: whoever has pressed Start may still be at showing how the match stood a
    moment before its end.
    """
    lobby = world.discord.state.messages[room.record.lobby_message]

    async def holds() -> bool:
        return all(text in lobby.text for text in texts) and not lobby.buttons

    await world.settled(holds)


RESULT = "Blue Lagoon ended early: only Ana is left at the table"


async def test_the_end_is_told_by_the_lobby_and_the_threads_name_and_calls_all_who_played(
    world: World,
) -> None:
    room = await ended(world)
    await lobby_says(
        world, room, f"{RESULT}. https://discord.com/channels/", f"/{room.record.turn_message}"
    )
    assert world.place(room).name == f"{RESULT} · {room.record.id}"
    last = world.boards(room)[-1]
    assert set(last.pings) == {world.ana.user, world.bea.user}
    assert last.labels == ["Rematch", "My view", "Log", "Review", "Fairness"]


async def test_the_lobby_links_to_the_last_board_though_the_end_comes_while_another_is_posted(
    world: World,
) -> None:
    room = await world.started()
    fault = world.discord.faults.hold("POST", "/channels/*/messages")
    await resign(world, room, world.bea)
    await fault.met.wait()
    # As if the task that has posted the board before went on only now.
    await world.matches.outbox._announce_result(room.record.id)
    assert await world.matches.untold() == [room.record.id]
    world.discord.faults.clear()
    await told(world)
    room = await world.matches.find(room.record.id)
    await lobby_says(world, room, f"/{room.record.turn_message}")


async def test_of_a_match_in_a_channel_the_lobby_alone_tells_the_end(world: World) -> None:
    name = world.discord.channel().name
    room = await ended(world, "channel")
    await lobby_says(world, room, RESULT)
    assert world.discord.channel().name == name


async def test_a_stop_before_the_end_is_told_loses_nothing(world: World) -> None:
    room = await world.started()
    faults = [world.discord.faults.hold(*RENAME), world.discord.faults.hold(*EDIT)]
    await resign(world, room, world.bea)
    await faults[1].met.wait()
    await world.stop()
    assert world.place(room).name == f"Blue Lagoon: Ana and Bea · {room.record.id}"
    world.discord.faults.clear()
    await world.start()
    await told(world)
    room = await world.matches.find(room.record.id)
    await lobby_says(world, room, RESULT)
    assert world.place(room).name == f"{RESULT} · {room.record.id}"
    assert len(world.boards(room)) == 2


async def test_an_outage_while_the_end_is_told_is_outlasted(world: World) -> None:
    room = await world.started()
    for route in (RENAME, EDIT):
        world.discord.faults.answer(*route, 503, times=7)
    await resign(world, room, world.bea)
    await told(world)
    room = await world.matches.find(room.record.id)
    await lobby_says(world, room, RESULT)
    assert world.place(room).name.startswith(RESULT)


async def test_a_thread_is_renamed_once_although_its_answer_was_lost(world: World) -> None:
    room = await world.started()
    renamed = []
    world.discord.state.listeners.append(
        lambda kind, what: renamed.append(what) if kind == "thread_update" else None
    )
    world.discord.faults.answer(*RENAME, 503, applied=True)
    await resign(world, room, world.bea)
    await told(world)
    assert len(renamed) == 1 and world.place(room).name.startswith(RESULT)


async def test_an_archived_thread_is_opened_and_renamed_at_once(world: World) -> None:
    room = await world.started()
    held = world.discord.faults.hold(*EDIT)
    await resign(world, room, world.bea)
    await held.met.wait()
    thread = world.place(room)
    world.discord.state.archive(thread)  # type: ignore[arg-type]
    world.discord.faults.clear()
    held.release()
    await told(world)
    assert thread.name.startswith(RESULT)


@pytest.mark.parametrize("code", [50013, 50001, 10003])
async def test_what_cannot_be_changed_any_more_stays_as_it_is(world: World, code: int) -> None:
    room = await world.started()
    world.discord.faults.answer(*RENAME, 404 if code == 10003 else 403, code=code)
    await resign(world, room, world.bea)
    await told(world)
    assert world.place(room).name.startswith("Blue Lagoon: Ana and Bea")
    assert not (await world.matches.find(room.record.id)).record.paused_for


async def test_a_thread_of_somebody_else_keeps_its_name(world: World) -> None:
    room = await world.started()
    thread = world.place(room)
    thread.owner = world.ana.user.id  # type: ignore[attr-defined]
    await resign(world, room, world.bea)
    await told(world)
    assert thread.name.startswith("Blue Lagoon: Ana and Bea")


# The rematch


def offers(world: World) -> list[Message]:
    return [post for post in world.discord.messages() if "offers a rematch" in post.content]


async def rematch_of(world: World, room: Room) -> Room:
    (found,) = [
        other
        for other in await world.matches.of_user(world.ana.id)
        if other.record.id != room.record.id
    ]
    return found


async def test_a_rematch_is_a_lobby_in_which_whoever_asked_sits_and_the_others_are_called_once(
    world: World,
) -> None:
    room = await ended(world)
    pressed = await world.ana.click(world.boards(room)[-1], label="Rematch")
    (offer,) = offers(world)
    assert offer.content == (
        f"<@{world.bea.id}> **Ana** offers a rematch of Blue Lagoon: same table, same settings, the next player begins."
    )
    assert offer.pings == [world.bea.user] and offer.channel.id == room.record.place.channel
    assert pressed.ephemeral and f"/{offer.id}" in pressed.content
    found = await rematch_of(world, room)
    assert [person.name for person in found.record.chairs] == [
        "Ana"
    ] and found.record.host == world.ana.id
    assert found.record.settings == {**room.record.settings, "first": "1"}

    again = await world.ana.click(world.boards(room)[-1], label="Rematch")
    assert again.content == pressed.content
    await world.bea.click(world.boards(room)[-1], label="Rematch")
    assert len(offers(world)) == 1 and "Bea" in offer.text
    # Ana began, so Bea is next: she sits first, whoever was in the lobby first.
    assert [person.name for person in (await rematch_of(world, room)).record.chairs] == [
        "Bea",
        "Ana",
    ]
    # Nobody is awaited any more, so it begins, wherever Ana is now.
    await world.caught_up()
    begun = await rematch_of(world, room)
    assert begun.record.status is Status.RUNNING and begun.playing().waiting_for() == (0,)
    assert begun.record.place.thread not in (0, room.record.place.thread)
    late = await world.bea.click(world.boards(room)[-1], label="Rematch")
    assert late.content.startswith("The rematch has begun: ")


async def test_all_who_press_rematch_at_once_come_together(world: World) -> None:
    room = await ended(world)
    last = world.boards(room)[-1]
    await asyncio.gather(
        *(person.click(last, label="Rematch") for person in (world.ana, world.bea) * 2)
    )
    (offer,) = offers(world)
    assert {person.name for person in (await rematch_of(world, room)).record.chairs} == {
        "Ana",
        "Bea",
    }
    assert "Ana" in offer.text and "Bea" in offer.text


async def test_a_rematch_works_after_a_restart_and_is_found_where_its_post_was_not_noted(
    world: World,
) -> None:
    room = await ended(world)
    held = world.discord.faults.hold("POST", "/channels/*/messages", applied=True)
    press = asyncio.create_task(world.ana.click(world.boards(room)[-1], label="Rematch"))
    await held.met.wait()
    await world.discord.until(
        lambda: len(offers(world)) == 1, about="an offer that the bot does not hear of"
    )
    await world.stop()
    world.discord.faults.clear()
    press.cancel()
    await asyncio.gather(press, return_exceptions=True)
    world.discord.state.clock.advance(3600)  # type: ignore[attr-defined]
    await world.start()
    await world.bea.click(world.boards(room)[-1], label="Rematch")
    (offer,) = offers(world)
    found = await rematch_of(world, room)
    assert found.record.lobby_message == offer.id and {
        person.name for person in found.record.chairs
    } == {"Ana", "Bea"}


async def test_a_rematch_that_was_cancelled_can_be_offered_again(world: World) -> None:
    room = await ended(world)
    await world.ana.click(world.boards(room)[-1], label="Rematch")
    await world.ana.click(offers(world)[0], label="Cancel")
    await world.bea.click(world.boards(room)[-1], label="Rematch")
    assert len(offers(world)) == 2 and offers(world)[1].content.startswith(
        f"<@{world.ana.id}> **Bea**"
    )


async def test_who_did_not_play_cannot_offer_a_rematch(world: World) -> None:
    room = await ended(world)
    refused = await world.discord.user("Cem").click(world.boards(room)[-1], label="Rematch")
    assert refused.ephemeral and "for those who played" in refused.content and not offers(world)


async def test_where_a_rematch_cannot_be_offered_any_more_it_is_refused_and_no_lobby_stays(
    world: World,
) -> None:
    room = await ended(world)
    world.discord.faults.answer("POST", "/channels/*/messages", 403, code=50013)
    refused = await world.ana.click(world.boards(room)[-1], label="Rematch")
    assert refused.ephemeral and "can no longer post" in refused.content
    assert not await world.matches.of_user(world.ana.id)


# The start


async def test_after_a_start_a_board_of_each_kind_is_drawn_before_anybody_asks(
    world: World,
) -> None:
    await world.started()
    room = await world.started()
    await world.stop()
    drawn: list[View] = []
    board = Pictures.board

    async def noted(self: Pictures, view: View, names: tuple[str, ...], **scene: Any) -> Picture:
        drawn.append(view)
        return await board(self, view, names, **scene)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Pictures, "board", noted)
        await world.start()

        async def is_drawn() -> bool:
            return bool(drawn)

        await world.settled(is_drawn)
    assert drawn == [room.playing().view(None)], "of matches that look alike one is enough"
    assert len(world.boards(room)) == 1, "nothing is posted for it"


async def forget(world: World, person: Person) -> None:
    """Somebody uses /me delete, and means it."""
    asked = await person.slash("/me delete")
    await person.click(asked, label="Forget me")


async def test_the_thread_of_a_running_match_forgets_who_was_deleted(world: World) -> None:
    cem = world.discord.user("Cem")
    opened = await world.ana.slash("/game new", game="blue_lagoon")
    for person in (world.bea, cem):
        await person.click(opened, "Join")
    await world.ana.click(opened, "Start")
    await world.caught_up()
    (room,) = await world.matches.of_user(cem.id)
    thread = world.place(room)
    assert "Cem" in thread.name
    await forget(world, cem)
    await world.discord.until(lambda: "Cem" not in thread.name, about="the thread's new name")
    assert "a former player" in thread.name and "Ana" in thread.name and "Bea" in thread.name
    assert (await world.matches.find(room.record.id)).record.status is Status.RUNNING


async def test_the_thread_of_a_match_that_ended_forgets_who_was_deleted_and_stays_archived(
    world: World,
) -> None:
    room = await ended(world)
    thread: Any = world.place(room)
    world.discord.state.archive(thread)
    assert "Ana" in thread.name
    await forget(world, world.ana)
    await world.discord.until(lambda: "Ana" not in thread.name, about="the thread's new name")
    await world.discord.until(lambda: thread.archived, about="the thread to be archived again")


async def test_a_thread_that_was_being_named_while_somebody_was_deleted_forgets_them_too(
    world: World,
) -> None:
    room = await world.started()
    held = world.discord.faults.hold("GET", "/channels/*")
    await forget(world, world.bea)
    await held.met.wait()
    assert "Bea" not in str((await world.matches.find(room.record.id)).record.chairs)
    world.discord.faults.clear()
    held.release()
    thread = world.place(room)
    await world.discord.until(lambda: "Bea" not in thread.name, about="the thread's new name")
    await told(world)
    assert "Bea" not in thread.name
