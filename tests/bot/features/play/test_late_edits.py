"""A lesson's panel is there at once; what the coach has thought out follows, and never
overwrites what is newer.
"""

import asyncio
from typing import Any

import pytest

from bot.kernel.room import Room
from bot.local import Response
from bot.text import say
from tests.bot.world import World
from tests.patience import PATIENCE

THINKING, ADVICE = "Your coach is looking for good choices.", "Good now"


class Coach:
    """Lets the thoughts of a table wait, and counts them."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.may_answer = asyncio.Event(), asyncio.Event()
        self.thoughts = 0
        world.waits_for_all = False
        think = world.matches.computers._think_about

        async def think_slowly(room: Room, seat: Any, level: Any, urgency: Any) -> Any:
            if level == "strong":
                self.thoughts += 1
                self.begun.set()
                await self.may_answer.wait()
            return await think(room, seat, level, urgency)

        monkeypatch.setattr(world.matches.computers, "_think_about", think_slowly)


@pytest.fixture
def coach(world: World, monkeypatch: pytest.MonkeyPatch) -> Coach:
    return Coach(world, monkeypatch)


async def first_panel(world: World, command: str) -> tuple[Response, Room]:
    """Ana's first panel in a match that she begins by that command."""
    await world.ana.slash(command, game="blue_lagoon")
    (opened,) = await world.matches.of_user(world.ana.id)

    async def is_asked() -> bool:
        match = (await world.matches.find(opened.record.id)).match
        return match is not None and 0 in match.waiting_for()

    await world.settled(is_asked)
    await world.caught_up()
    room = await world.matches.find(opened.record.id)
    return await world.ana.slash("/play", channel=world.place(room)), room


def picks(shown: Response) -> list[str]:
    return [
        button["custom_id"]
        for button in shown.message.buttons
        if button["custom_id"].startswith("p:")
    ]


async def test_the_panel_and_its_board_do_not_wait_for_the_coach(
    world: World, coach: Coach
) -> None:
    panel, _ = await first_panel(world, "/learn")
    assert THINKING in panel.content and ADVICE not in panel.content
    assert picks(panel) and panel.files["board.png"]
    board = panel.files["board.png"]
    coach.may_answer.set()
    await panel.until(lambda now: ADVICE in now.content)
    assert THINKING not in panel.content and panel.files["board.png"] != board, (
        "good choices are ringed"
    )
    assert coach.thoughts == 1 and panel.followups == []


async def test_advice_that_is_known_is_there_at_once(world: World, coach: Coach) -> None:
    coach.may_answer.set()
    panel, room = await first_panel(world, "/learn")
    await panel.until(lambda now: ADVICE in now.content)
    again = await world.ana.slash("/play", channel=world.place(room))
    assert ADVICE in again.content and coach.thoughts == 1


async def test_advice_does_not_overwrite_what_was_pressed_meanwhile(
    world: World, coach: Coach
) -> None:
    panel, _ = await first_panel(world, "/learn")
    pressed = await world.ana.click(panel, custom_id=picks(panel)[0])
    drafted = pressed.content
    assert "So far, seen by you alone" in drafted and pressed.message is panel.message
    # Undone again: the turn is the one that was thought about, and still the earlier press has
    # nothing more to show.
    undone = await world.ana.click(panel, label="Undo")
    steps = panel.interaction.steps
    coach.may_answer.set()
    await undone.until(lambda now: ADVICE in now.content)
    await world.settled(lambda: _is_done(world))
    assert panel.interaction.steps == steps and coach.thoughts == 1


async def test_advice_for_a_turn_that_is_over_is_dropped(world: World, coach: Coach) -> None:
    panel, room = await first_panel(world, "/learn")
    question = room.playing().question(room.playing().waiting_for()[0])
    assert question is not None
    before, steps = panel.content, panel.interaction.steps
    await world.ana.slash("/play", channel=world.place(room), move=f"{question.options[0].key}!")
    coach.may_answer.set()
    await world.settled(lambda: _is_done(world))
    assert panel.content == before and panel.interaction.steps == steps


async def test_a_press_that_is_refused_as_busy_leaves_the_advice_to_come(
    world: World, coach: Coach, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, _ = await first_panel(world, "/learn")
    with monkeypatch.context() as crowded:
        crowded.setattr("bot.ui.reply.MAX_CONCURRENT_INTERACTIONS", 0)
        refused = await world.ana.click(panel, custom_id=picks(panel)[0])
    assert refused.ephemeral and refused.content == say("refusal.busy")
    coach.may_answer.set()
    await world.settled(lambda: _is_done(world))
    assert ADVICE in panel.content


async def test_a_press_waits_for_the_edit_that_is_on_its_way(
    world: World, coach: Coach, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, _ = await first_panel(world, "/learn")
    edit = world.discord.faults.hold("PATCH", "/webhooks/*/*/messages/@original")
    coach.may_answer.set()
    await edit.met.wait()

    async def draw_nothing(*_: Any) -> None:
        return None

    monkeypatch.setattr("bot.ui.components.EDIT_SECONDS", PATIENCE)
    monkeypatch.setattr("bot.features.play.presses.draw_private_board", draw_nothing)
    pressed = await world.ana.click(panel, custom_id=picks(panel)[0], wait="ack")
    # Meanwhile a press that does not wait would be answered.
    for _ in range(10):
        await world.bea.slash("/help")
    assert THINKING in panel.content, "neither has arrived"
    edit.release()
    await pressed.until(lambda now: "So far, seen by you alone" in now.content)
    await world.settled(lambda: _is_done(world))
    assert "So far, seen by you alone" in panel.content


async def test_a_hint_does_not_overwrite_what_was_pressed_meanwhile(
    world: World, coach: Coach
) -> None:
    panel, _ = await first_panel(world, "/solo")
    hint = await world.ana.click(panel, label="Hint", wait="ack")
    await coach.begun.wait()
    pressed = await world.ana.click(panel, custom_id=picks(panel)[0])
    drafted = pressed.content
    coach.may_answer.set()
    await world.settled(lambda: _is_done(world))
    assert pressed.content == drafted and hint.message is pressed.message


async def _is_done(world: World) -> bool:
    """Whether nothing is being prepared or handled any more."""
    return not len(world.matches.late_edits.tasks) and not len(world.bot.handlers)
