"""Panels that go on by themselves, and second presses of buttons that have done their work."""

from typing import Any

from bot.features.play.live_panels import LivePanels
from bot.kernel.room import Room
from bot.local import Response
from bot.local.interactions import TOKEN_SECONDS
from bot.text import say
from tests.bot.world import Player, World

QUESTION, WAITING = "Where do you place your piece?", "Not your turn yet"


async def open_panel(world: World, who: Player, room: Room) -> Response:
    """Press Your move."""
    return await who.click(world.newest(room), label="Your move")


async def test_a_panel_is_redrawn_when_it_is_the_players_turn_again(world: World) -> None:
    room = await world.start_match()
    panel = await open_panel(world, world.ana, room)
    drafted = await world.ana.click(panel, label="17: boat by B and H")
    await world.ana.click(drafted, label="Confirm")
    assert panel.content.startswith("Done.") and QUESTION not in panel.content
    await world.play(world.bea, room, "30!")
    assert panel.content.startswith("While you waited: Bea placed a boat on 30.")
    assert QUESTION in panel.content and panel.files["board.png"]
    choices = [button["custom_id"] for button in panel.message.buttons]
    (choice,) = [custom_id for custom_id in choices if custom_id.endswith(":place_piece:b11")]
    drafted = await world.ana.click(panel, custom_id=choice)
    assert "Your turn so far" in drafted.content, "its buttons are those of the new turn"


async def test_a_waiting_panel_is_redrawn_too(world: World) -> None:
    room = await world.start_match()
    panel = await open_panel(world, world.bea, room)
    assert WAITING in panel.content
    await world.play(world.ana, room, "17")
    assert WAITING in panel.content, "a draft is nobody else's business"
    await world.play(world.ana, room, "!")
    assert QUESTION in panel.content


async def test_panels_are_redrawn_only_after_the_player_who_moved_got_an_answer(
    world: World,
) -> None:
    room = await world.start_match()
    waiting = await open_panel(world, world.bea, room)
    panel = await open_panel(world, world.ana, room)
    drafted = await world.ana.click(panel, label="17: boat by B and H")
    world.waits_for_all = False
    edit = world.discord.faults.hold("PATCH", "/webhooks/*/*/messages/@original")
    answer = await world.ana.click(drafted, label="Confirm", wait="ack")
    await edit.was_hit.wait()
    assert not world.bot.services.require(LivePanels)._chores.tasks
    edit.release()
    await answer.until(lambda now: not now.thinking)
    world.waits_for_all = True
    await world.wait_until_idle()
    assert answer.content.startswith("Done.") and QUESTION in waiting.content


async def test_a_panel_is_redrawn_in_the_players_own_language(
    world: World, monkeypatch: Any
) -> None:
    spoken = []
    monkeypatch.setattr(
        "bot.features.play.live_panels.closest_language", lambda name: spoken.append(name) or "en"
    )
    room = await world.start_match()
    world.bea.user.locale = "de"
    await open_panel(world, world.bea, room)
    await world.play(world.ana, room, "17!")
    assert spoken == ["de"]


async def test_only_the_newest_panel_of_a_seat_is_redrawn(world: World) -> None:
    room = await world.start_match()
    first, second = [await open_panel(world, world.bea, room) for _ in range(2)]
    await world.play(world.ana, room, "17!")
    assert WAITING in first.content and QUESTION in second.content


async def test_a_panel_says_when_the_match_is_paused_resumed_or_over(world: World) -> None:
    room = await world.start_match()
    panel = await open_panel(world, world.bea, room)
    await world.matches.pause(room.record.id, "gone")
    await world.wait_until_idle()
    assert panel.content.startswith("This match is paused: its channel or thread is gone.")
    await world.matches.move(room.record.id, room.record.place)
    await world.wait_until_idle()
    assert WAITING in panel.content and "paused" not in panel.content
    await world.resign(world.ana, room)
    assert "1. **Bea**" in panel.content and not panel.message.buttons


async def test_a_dead_token_is_forgotten_and_the_post_opens_a_new_panel(world: World) -> None:
    room = await world.start_match()
    panel = await open_panel(world, world.bea, room)
    world.discord.state.clock.advance(TOKEN_SECONDS)
    for who, move in ((world.ana, "17!"), (world.bea, "30!"), (world.ana, "18!")):
        await world.play(who, room, move)
    assert WAITING in panel.content
    assert QUESTION in (await open_panel(world, world.bea, room)).content
    assert not world.errors


async def test_a_closed_panel_is_forgotten(world: World) -> None:
    room = await world.start_match()
    panel = await open_panel(world, world.bea, room)
    panel.message.deleted = True
    for who, move in ((world.ana, "17!"), (world.bea, "30!"), (world.ana, "18!")):
        await world.play(who, room, move)
    assert WAITING in panel.content and not world.errors


async def press_again_late(world: World, who: Player, panel: Response, label: str) -> Response:
    """Press a button twice; the second press reaches the bot once the first has been answered."""
    world.waits_for_all = False
    edit = world.discord.faults.hold("PATCH", "/webhooks/*/*/messages/@original")
    first = await who.click(panel, label=label, wait="ack")
    await edit.was_hit.wait()
    acknowledgement = world.discord.faults.hold("POST", "/interactions/*/*/callback")
    again = await who.click(panel, label=label, wait="nothing")
    await acknowledgement.was_hit.wait()
    edit.release()
    await first.until(lambda now: not now.thinking)
    world.waits_for_all = True
    await world.wait_until_idle()
    acknowledgement.release()
    await again.wait("ack")
    await world.wait_until_idle()
    return again


async def test_a_second_press_gets_no_message(world: World) -> None:
    room = await world.start_match()
    panel = await open_panel(world, world.ana, room)
    again = await press_again_late(world, world.ana, panel, "17: boat by B and H")
    assert "Your turn so far" in panel.content and "out of date" not in panel.text
    assert again.thinking and again.followups == []
    again = await press_again_late(world, world.ana, panel, "Confirm")
    assert panel.content.startswith("Done.") and again.followups == []
    assert (await world.reload(room)).playing().number == 1
    await world.play(world.bea, room, "30!")
    assert QUESTION in panel.content, "the panel still goes on"


async def test_a_second_press_during_the_first_gets_no_message(world: World) -> None:
    room = await world.start_match()
    panel = await open_panel(world, world.ana, room)
    choice = panel.message.button("17: boat by B and H")["custom_id"]
    world.waits_for_all = False
    edit = world.discord.faults.hold("PATCH", "/webhooks/*/*/messages/@original")
    first = await world.ana.click(panel, custom_id=choice, wait="ack")
    await edit.was_hit.wait()
    again = await world.ana.click(panel, custom_id=choice, wait="ack")
    edit.release()
    await first.until(lambda now: not now.thinking)
    await world.wait_until_idle()
    assert "Your turn so far" in panel.content
    assert say("panel.too_late") not in panel.content and again.thinking


async def test_a_press_after_others_have_moved_says_so(world: World) -> None:
    room = await world.start_match()
    panel = await open_panel(world, world.ana, room)
    await world.ana.click(panel, label="17: boat by B and H")
    acknowledgement = world.discord.faults.hold("POST", "/interactions/*/*/callback")
    late = await world.ana.click(panel, label="Confirm", wait="nothing")
    await acknowledgement.was_hit.wait()
    await world.play(world.ana, room, "!")
    await world.play(world.bea, room, "30!")
    acknowledgement.release()
    await late.until(lambda now: not now.thinking and now.acknowledged)
    assert late.content.startswith("That button is out of date.")


async def test_a_press_that_was_refused_can_be_repeated(world: World) -> None:
    room = await world.start_match()
    panel = await open_panel(world, world.ana, room)
    choice = panel.message.button("17: boat by B and H")["custom_id"]
    await world.matches.pause(room.record.id, "gone")
    await world.wait_until_idle()
    refused = await world.ana.click(panel, custom_id=choice)
    assert "paused" in refused.content
    await world.matches.move(room.record.id, room.record.place)
    await world.wait_until_idle()
    drafted = await world.ana.click(panel, custom_id=choice)
    assert "boat on 17" in drafted.content
