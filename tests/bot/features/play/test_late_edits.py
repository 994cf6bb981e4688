"""A lesson's panel appears at once; the coach's advice follows and overwrites nothing newer."""

import asyncio
from typing import Any

import pytest

from bot.features.play.panel import PICK
from bot.kernel.room import Room
from bot.local import Response
from bot.text import say
from tests.bot.world import World
from tests.patience import PATIENCE

THINKING, ADVICE = "Good choices will show up", "**Good**"


class Coach:
    """Holds up the advice for a table, and counts requests."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.may_answer = asyncio.Event(), asyncio.Event()
        self.thoughts = 0
        world.waits_for_all = False
        think = world.matches.computers._think_about

        async def think_slowly(
            room: Room, seat: Any, level: Any, *rest: Any, **options: Any
        ) -> Any:
            if level == "strong":
                self.thoughts += 1
                self.begun.set()
                await self.may_answer.wait()
            return await think(room, seat, level, *rest, **options)

        monkeypatch.setattr(world.matches.computers, "_think_about", think_slowly)


@pytest.fixture
def coach(world: World, monkeypatch: pytest.MonkeyPatch) -> Coach:
    return Coach(world, monkeypatch)


async def open_first_panel(world: World, command: str) -> tuple[Response, Room]:
    """Start a match with a command, and return Ana's first panel."""
    panel = await world.ana.slash(command, game="blue_lagoon")
    (opened,) = await world.matches.of_user(world.ana.id)

    async def is_asked() -> bool:
        match = (await world.matches.find(opened.record.id)).match
        return match is not None and 0 in match.waiting_for()

    await world.wait_until(is_asked)
    await world.wait_until_posted()
    room = await world.matches.find(opened.record.id)
    return panel, room


def picks(shown: Response) -> list[str]:
    return [
        button["custom_id"]
        for button in shown.message.buttons
        if button["custom_id"].startswith(f"{PICK}:")
    ]


async def test_the_panel_does_not_wait_for_the_coach(world: World, coach: Coach) -> None:
    panel, _ = await open_first_panel(world, "/learn")
    assert THINKING in panel.content and ADVICE not in panel.content
    assert picks(panel) and panel.files["board.png"]
    board = panel.files["board.png"]
    coach.may_answer.set()
    await panel.until(lambda now: ADVICE in now.content)
    assert THINKING not in panel.content
    assert panel.files["board.png"] != board, "good choices are ringed"
    assert coach.thoughts == 1 and panel.followups == []


async def test_cached_advice_is_shown_at_once(world: World, coach: Coach) -> None:
    coach.may_answer.set()
    panel, room = await open_first_panel(world, "/learn")
    await panel.until(lambda now: ADVICE in now.content)
    again = await world.ana.slash("/play", channel=world.place(room))
    assert ADVICE in again.content and coach.thoughts == 1


async def test_late_advice_does_not_overwrite_a_newer_press(world: World, coach: Coach) -> None:
    panel, _ = await open_first_panel(world, "/learn")
    pressed = await world.ana.click(panel, custom_id=picks(panel)[0])
    drafted = pressed.content
    assert "Your turn so far (only you see this)" in drafted and pressed.message is panel.message
    # Undone again: the turn is the one that was thought about, and still the earlier press has
    # nothing more to show.
    undone = await world.ana.click(panel, label="Undo")
    steps = panel.interaction.steps
    coach.may_answer.set()
    await undone.until(lambda now: ADVICE in now.content)
    await world.wait_until(lambda: _is_done(world))
    assert panel.interaction.steps == steps and coach.thoughts == 1


async def test_advice_for_a_finished_turn_is_dropped(world: World, coach: Coach) -> None:
    panel, room = await open_first_panel(world, "/learn")
    question = room.playing().question(room.playing().waiting_for()[0])
    assert question is not None
    before, steps = panel.content, panel.interaction.steps
    await world.ana.slash("/play", channel=world.place(room), move=f"{question.options[0].key}!")
    coach.may_answer.set()
    await world.wait_until(lambda: _is_done(world))
    assert panel.content == before and panel.interaction.steps == steps


async def test_a_press_refused_as_busy_does_not_cancel_the_advice(
    world: World, coach: Coach, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, _ = await open_first_panel(world, "/learn")
    with monkeypatch.context() as crowded:
        crowded.setattr("bot.ui.reply.MAX_CONCURRENT_INTERACTIONS", 0)
        refused = await world.ana.click(panel, custom_id=picks(panel)[0])
    assert refused.ephemeral and refused.content == say("refusal.busy")
    coach.may_answer.set()
    await world.wait_until(lambda: _is_done(world))
    assert ADVICE in panel.content


async def test_a_press_waits_for_a_pending_edit(
    world: World, coach: Coach, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, _ = await open_first_panel(world, "/learn")
    edit = world.discord.faults.hold("PATCH", "/webhooks/*/*/messages/@original")
    coach.may_answer.set()
    await edit.was_hit.wait()

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
    await pressed.until(lambda now: "Your turn so far (only you see this)" in now.content)
    await world.wait_until(lambda: _is_done(world))
    assert "Your turn so far (only you see this)" in panel.content


async def test_a_late_hint_does_not_overwrite_a_newer_press(world: World, coach: Coach) -> None:
    panel, _ = await open_first_panel(world, "/solo")
    hint = await world.ana.click(panel, label="Hint", wait="ack")
    await coach.begun.wait()
    pressed = await world.ana.click(panel, custom_id=picks(panel)[0])
    drafted = pressed.content
    coach.may_answer.set()
    await world.wait_until(lambda: _is_done(world))
    assert pressed.content == drafted and hint.message is pressed.message


async def _is_done(world: World) -> bool:
    """Return whether nothing is being prepared or handled."""
    return not len(world.matches.late_edits.tasks) and not len(world.bot.handlers)
