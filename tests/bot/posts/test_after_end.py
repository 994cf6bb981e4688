"""After the end: the lobby's message, the thread's name, and rematches."""

import asyncio
from typing import Any

import pytest

from bot.kernel.room import Room
from bot.local import Person, Response
from bot.local.model import Message
from bot.model import Status
from bot.ui.pictures import Picture, Pictures
from engine import GAMES, View
from tests.bot.world import World

RENAME = ("PATCH", "/channels/*")
EDIT = ("PATCH", "/channels/*/messages/*")


async def resign(world: World, room: Room, person: Person) -> None:
    """Resign, which ends a match of two."""
    asked: Response = await person.slash("/resign", channel=world.place(room), match=room.record.id)
    await person.click(asked, label="Yes, give up my seat")


async def wait_until_announced(world: World) -> None:
    """Wait until every end is announced everywhere."""

    async def holds() -> bool:
        return not await world.matches.unannounced_results()

    await world.wait_until_posted()
    await world.wait_until(holds)


async def end_match(world: World, place: str = "thread") -> Room:
    """Have Bea resign, and wait until the end is announced."""
    room = await world.start_match(place=place)
    await resign(world, room, world.bea)
    await wait_until_announced(world)
    return await world.matches.find(room.record.id)


async def wait_for_lobby_text(world: World, room: Room, *texts: str) -> None:
    """Wait until the lobby shows these texts and no buttons."""
    lobby = world.discord.state.messages[room.record.lobby_message]

    async def holds() -> bool:
        return all(text in lobby.text for text in texts) and not lobby.buttons

    await world.wait_until(holds)


RESULT = "Blue Lagoon ended early: Bea dropped out, so only Ana is left"


async def test_the_end_updates_the_lobby_and_thread_name_and_mentions_all_players(
    world: World,
) -> None:
    room = await end_match(world)
    await wait_for_lobby_text(
        world,
        room,
        f"{RESULT}. [See the last board](https://discord.com/channels/",
        f"/{room.record.turn_message}",
    )
    assert world.place(room).name == f"{RESULT} · {room.record.id}"
    last = world.boards(room)[-1]
    assert set(last.pings) == {world.ana.user, world.bea.user}
    assert last.labels == ["Rematch", "My view", "Log", "Review", "Fairness"]


async def test_the_lobby_links_to_the_last_board_even_if_posts_overlap(
    world: World,
) -> None:
    room = await world.start_match()
    fault = world.discord.faults.hold("POST", "/channels/*/messages")
    await resign(world, room, world.bea)
    await fault.was_hit.wait()
    # As if the task that posted the board had been delayed until now.
    await world.matches.outbox._announce_result(room.record.id)
    assert await world.matches.unannounced_results() == [room.record.id]
    world.discord.faults.clear()
    await wait_until_announced(world)
    room = await world.matches.find(room.record.id)
    await wait_for_lobby_text(world, room, f"/{room.record.turn_message}")


async def test_for_a_match_in_a_channel_only_the_lobby_shows_the_end(world: World) -> None:
    name = world.discord.channel().name
    room = await end_match(world, "channel")
    await wait_for_lobby_text(world, room, RESULT)
    assert world.discord.channel().name == name


async def test_a_stop_before_the_end_is_announced_loses_nothing(world: World) -> None:
    room = await world.start_match()
    faults = [world.discord.faults.hold(*RENAME), world.discord.faults.hold(*EDIT)]
    await resign(world, room, world.bea)
    await faults[1].was_hit.wait()
    await world.stop()
    assert world.place(room).name == f"Blue Lagoon: Ana and Bea · {room.record.id}"
    world.discord.faults.clear()
    await world.start()
    await wait_until_announced(world)
    room = await world.matches.find(room.record.id)
    await wait_for_lobby_text(world, room, RESULT)
    assert world.place(room).name == f"{RESULT} · {room.record.id}"
    assert len(world.boards(room)) == 2


async def test_an_outage_while_the_end_is_announced_is_waited_out(world: World) -> None:
    room = await world.start_match()
    for route in (RENAME, EDIT):
        world.discord.faults.respond_with(*route, 503, times=7)
    await resign(world, room, world.bea)
    await wait_until_announced(world)
    room = await world.matches.find(room.record.id)
    await wait_for_lobby_text(world, room, RESULT)
    assert world.place(room).name.startswith(RESULT)


async def test_a_thread_is_renamed_once_even_if_the_answer_is_lost(world: World) -> None:
    room = await world.start_match()
    renamed = []
    world.discord.state.listeners.append(
        lambda kind, what: renamed.append(what) if kind == "thread_update" else None
    )
    world.discord.faults.respond_with(*RENAME, 503, applied=True)
    await resign(world, room, world.bea)
    await wait_until_announced(world)
    assert len(renamed) == 1 and world.place(room).name.startswith(RESULT)


async def test_an_archived_thread_is_opened_and_renamed_at_once(world: World) -> None:
    room = await world.start_match()
    held = world.discord.faults.hold(*EDIT)
    await resign(world, room, world.bea)
    await held.was_hit.wait()
    thread = world.place(room)
    world.discord.state.archive(thread)  # type: ignore[arg-type]
    world.discord.faults.clear()
    held.release()
    await wait_until_announced(world)
    assert thread.name.startswith(RESULT)


@pytest.mark.parametrize("code", [50013, 50001, 10003])
async def test_uneditable_messages_and_threads_stay_unchanged(world: World, code: int) -> None:
    room = await world.start_match()
    world.discord.faults.respond_with(*RENAME, 404 if code == 10003 else 403, code=code)
    await resign(world, room, world.bea)
    await wait_until_announced(world)
    assert world.place(room).name.startswith("Blue Lagoon: Ana and Bea")
    assert not (await world.matches.find(room.record.id)).record.paused_for


async def test_a_thread_the_bot_did_not_create_keeps_its_name(world: World) -> None:
    room = await world.start_match()
    thread = world.place(room)
    thread.owner = world.ana.user.id  # type: ignore[attr-defined]
    await resign(world, room, world.bea)
    await wait_until_announced(world)
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


async def test_a_rematch_opens_a_lobby_and_mentions_the_others_once(
    world: World,
) -> None:
    room = await end_match(world)
    pressed = await world.ana.click(world.boards(room)[-1], label="Rematch")
    (offer,) = offers(world)
    assert offer.content == (
        f"<@{world.bea.id}> **Ana** offers a rematch of Blue Lagoon: same table, same "
        "settings, and the next player goes first."
    )
    assert offer.pings == [world.bea.user]
    assert offer.channel.id == room.record.place.channel
    assert pressed.ephemeral and f"/{offer.id}" in pressed.content
    found = await rematch_of(world, room)
    assert [person.name for person in found.record.chairs] == ["Ana"]
    assert found.record.host == world.ana.id
    assert found.record.settings == {**room.record.settings, "first": "1"}

    again = await world.ana.click(world.boards(room)[-1], label="Rematch")
    assert again.content == pressed.content
    await world.bea.click(world.boards(room)[-1], label="Rematch")
    assert len(offers(world)) == 1 and "Bea" in offer.text
    # Ana went first, so Bea takes the first seat, whatever the order of joining.
    assert [person.name for person in (await rematch_of(world, room)).record.chairs] == [
        "Bea",
        "Ana",
    ]
    # Everybody has joined, so the rematch begins, even without Ana's doing anything.
    await world.wait_until_posted()
    begun = await rematch_of(world, room)
    assert begun.record.status is Status.RUNNING
    assert begun.playing().waiting_for() == (0,)
    assert begun.record.place.thread not in (0, room.record.place.thread)
    late = await world.bea.click(world.boards(room)[-1], label="Rematch")
    assert late.content.startswith("The rematch has started. ")


async def test_simultaneous_rematch_presses_share_one_lobby(world: World) -> None:
    room = await end_match(world)
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


async def test_a_rematch_works_after_a_restart(
    world: World,
) -> None:
    room = await end_match(world)
    held = world.discord.faults.hold("POST", "/channels/*/messages", applied=True)
    press = asyncio.create_task(world.ana.click(world.boards(room)[-1], label="Rematch"))
    await held.was_hit.wait()
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
    assert found.record.lobby_message == offer.id
    assert {person.name for person in found.record.chairs} == {"Ana", "Bea"}


async def test_a_cancelled_rematch_can_be_offered_again(world: World) -> None:
    room = await end_match(world)
    await world.ana.click(world.boards(room)[-1], label="Rematch")
    await world.ana.click(offers(world)[0], label="Cancel")
    await world.bea.click(world.boards(room)[-1], label="Rematch")
    assert len(offers(world)) == 2
    assert offers(world)[1].content.startswith(f"<@{world.ana.id}> **Bea**")


async def test_only_players_can_offer_a_rematch(world: World) -> None:
    room = await end_match(world)
    refused = await world.discord.user("Cem").click(world.boards(room)[-1], label="Rematch")
    assert refused.ephemeral and "Only those who played" in refused.content and not offers(world)


async def test_an_impossible_rematch_is_refused_and_leaves_no_lobby(
    world: World,
) -> None:
    room = await end_match(world)
    world.discord.faults.respond_with("POST", "/channels/*/messages", 403, code=50013)
    refused = await world.ana.click(world.boards(room)[-1], label="Rematch")
    assert refused.ephemeral and "can't post in that channel" in refused.content
    assert not await world.matches.of_user(world.ana.id)


# The start


async def test_after_a_start_the_drawing_caches_are_warmed(
    world: World,
) -> None:
    await world.start_match()
    room = await world.start_match()
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

        await world.wait_until(is_drawn)
    assert drawn == [room.playing().view(None)], "of matches that look alike one is enough"
    assert len(world.boards(room)) == 1, "nothing is posted for it"


async def test_after_a_start_a_board_of_every_game_is_drawn(world: World) -> None:
    await world.stop()
    drawn: list[str] = []

    async def noted(self: Pictures, view: View, names: tuple[str, ...], **scene: Any) -> None:
        drawn.append(view.game)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Pictures, "board", noted)
        world.draws_ahead = True
        await world.start()
        await world.wait_until_ready()
    assert drawn == list(GAMES), "nobody's first match waits for what all of its boards share"


async def delete_data(world: World, person: Person) -> None:
    """Use /me delete and confirm it."""
    response = await person.slash("/me delete")
    await person.click(response, label="Forget me")


async def test_the_thread_of_a_running_match_forgets_who_was_deleted(world: World) -> None:
    cem = world.discord.user("Cem")
    opened = await world.ana.slash("/game new", game="blue_lagoon")
    for person in (world.bea, cem):
        await person.click(opened, "Join")
    await world.ana.click(opened, "Start")
    await world.wait_until_posted()
    (room,) = await world.matches.of_user(cem.id)
    thread = world.place(room)
    assert "Cem" in thread.name
    await delete_data(world, cem)
    await world.discord.until(lambda: "Cem" not in thread.name, about="the thread's new name")
    assert "a former player" in thread.name and "Ana" in thread.name and "Bea" in thread.name
    assert (await world.matches.find(room.record.id)).record.status is Status.RUNNING


async def test_the_thread_of_a_match_that_ended_forgets_who_was_deleted_and_stays_archived(
    world: World,
) -> None:
    room = await end_match(world)
    thread: Any = world.place(room)
    world.discord.state.archive(thread)
    assert "Ana" in thread.name
    await delete_data(world, world.ana)
    await world.discord.until(lambda: "Ana" not in thread.name, about="the thread's new name")
    await world.discord.until(lambda: thread.archived, about="the thread to be archived again")


async def test_a_thread_renamed_during_a_deletion_forgets_the_person_too(
    world: World,
) -> None:
    room = await world.start_match()
    held = world.discord.faults.hold("GET", "/channels/*")
    await delete_data(world, world.bea)
    await held.was_hit.wait()
    assert "Bea" not in str((await world.matches.find(room.record.id)).record.chairs)
    world.discord.faults.clear()
    held.release()
    thread = world.place(room)
    await world.discord.until(lambda: "Bea" not in thread.name, about="the thread's new name")
    await wait_until_announced(world)
    assert "Bea" not in thread.name
