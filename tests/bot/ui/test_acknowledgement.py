"""Every interaction is acknowledged in time and exactly once."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands

from bot.local import Response
from bot.local.model import Message
from bot.model import Status
from bot.ui import reply
from bot.ui.components import Item
from bot.ui.parts import BUTTONS_A_ROW, ROWS, Button, Row, button_rows, view_of
from tests.bot.world import World
from tests.patience import PATIENCE

SOURCE = Path(__file__).parents[3] / "bot"
TOO_LATE = 4.0
"""Seconds after which Discord has given up on an interaction that nobody acknowledged."""
AT_LAST = "Answered at last."
CALLBACK = "/interactions/*/*/callback"

OPTIONS: dict[str, Any] = {
    "game": "blue_lagoon",
    "move": "17",
    "player": "Bea",
    "to": "1",
    "days": 3,
}
"""A value for every option that some command requires."""

PRESSES = (
    "p:abcd2345:0:1:boat:17",
    "t:abcd2345:move",
    "t:abcd2345:view:7",
    "t:abcd2345:log:7",
    "t:abcd2345:fair:7",
    "t:abcd2345:rules:7",
    "t:abcd2345:news:7",
    "t:abcd2345:unnote",
    "f:open:note:abcd2345",
    "f:again:note:abcd2345",
    "t:abcd2345:review:7",
    "t:abcd2345:rematch:7",
    "t:abcd2345:next_level:7",
    "t:abcd2345:ask",
    "t:abcd2345:claim",
    "t:abcd2345:stop:7",
    "l:abcd2345:join",
    "l:abcd2345:computers",
    "b:abcd2345:1:yes",
    "b:abcd2345:1:take",
    "b:abcd2345:1:withdraw",
    "a:abcd2345:1:at:",
    "a:abcd2345:1:film:m",
    "z:abcd2345:1:0123456789abcdef",
    "k:abcd2345:1:keep",
    "r:blue_lagoon:",
    "w:play:abcd2345:",
    "me:hidden",
    "rm:abcd2345",
    "rp:abcd2345",
    "st:here:maori",
    "me:games",
    "me:forget",
    "n:mine:0",
    "q:solo:maori",
)
"""A custom id of every kind of button and menu."""


class SlowHandler:
    """Replaces a handler, and answers only when released."""

    def __init__(self) -> None:
        self.may_answer = asyncio.Event()

    async def __call__(self, interaction: Any, *_: Any, **options: Any) -> None:
        await self.may_answer.wait()
        await reply.tell(interaction, AT_LAST)


async def acknowledged_then_answered(world: World, asked: Response, handler: SlowHandler) -> None:
    """Check that an interaction is acknowledged before its handler is done, and answered when it
    is.
    """
    assert AT_LAST not in asked.text
    world.discord.state.clock.move(TOO_LATE)
    assert asked.acknowledged and not asked.expired
    handler.may_answer.set()
    await asked.until(lambda now: AT_LAST in now.text)
    handler.may_answer.clear()


def all_commands(world: World) -> list[app_commands.Command[Any, Any, Any]]:
    return [
        found for found in world.bot.tree.walk_commands() if isinstance(found, app_commands.Command)
    ]


def refused_as_repeated(world: World) -> int:
    return sum(asked.code == 40060 for asked in world.discord.rest.requests)


async def test_every_command_is_acknowledged_before_a_slow_handler_answers(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    handler = SlowHandler()
    world.discord.allow(world.channel, "manage_guild", to=world.ana)
    monkeypatch.setattr(reply, "ANSWER_SECONDS", 0.01)
    for command in all_commands(world):
        monkeypatch.setattr(command, "_callback", handler)
        needed = {
            one.display_name: OPTIONS[one.display_name]
            for one in command.parameters
            if one.required
        }
        response = await world.ana.slash(f"/{command.qualified_name}", options=needed, wait="ack")
        await acknowledged_then_answered(world, response, handler)
    assert refused_as_repeated(world) == 0


async def test_every_completion_is_answered_while_the_database_is_silent(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = asyncio.Event()

    async def wait(*_: Any, **__: Any) -> None:
        await never.wait()

    world.discord.allow(world.channel, "manage_guild", to=world.ana)
    typed = [
        (f"/{command.qualified_name}", parameter.display_name)
        for command in all_commands(world)
        for parameter in command.parameters
        if parameter.autocomplete
    ]
    with monkeypatch.context() as silence:
        silence.setattr("bot.ui.commands.COMPLETION_TIMEOUT_SECONDS", 0.01)
        silence.setattr(world.matches.store, "read", wait)
        silence.setattr(world.matches.store, "write", wait)
        for command, option in typed:
            response = await world.ana.autocomplete(command, options={option: "b"}, wait="ack")
            assert response.acknowledged, (command, option)


@pytest.mark.parametrize("is_private", [False, True])
async def test_every_component_is_acknowledged_before_a_slow_handler_answers(
    world: World, monkeypatch: pytest.MonkeyPatch, is_private: bool
) -> None:
    handler = SlowHandler()
    pressed: set[type[Item]] = set()
    monkeypatch.setattr(reply, "ANSWER_SECONDS", 0.01)
    for some in batched(PRESSES, ROWS * BUTTONS_A_ROW):
        message = await message_with(world, monkeypatch, some, is_private)
        for custom_id in some:
            (item,) = [
                one
                for one in world.bot._items
                if re.fullmatch(one.__discord_ui_compiled_template__, custom_id)
            ]
            monkeypatch.setattr(item, "on_press", handler)
            response = await world.ana.click(message, custom_id=custom_id, wait="ack")
            await acknowledged_then_answered(world, response, handler)
            pressed.add(item)
    assert pressed == set(world.bot._items)
    assert refused_as_repeated(world) == 0


async def message_with(
    world: World, monkeypatch: pytest.MonkeyPatch, custom_ids: Sequence[str], is_private: bool
) -> Message:
    """Return a message with these buttons, private to Ana or for everyone."""
    rows: list[Row] = button_rows([Button(custom_id, custom_id) for custom_id in custom_ids])
    if not is_private:
        channel = world.bot.get_partial_messageable(world.discord.channel().id)
        sent = await channel.send("Everything", view=view_of(rows))
        return world.discord.state.messages[sent.id]

    async def show_all(interaction: Any) -> None:
        await reply.show(interaction, "Everything", rows)

    (help_command,) = [found for found in all_commands(world) if found.name == "help"]
    monkeypatch.setattr(help_command, "_callback", show_all)
    return (await world.ana.slash("/help")).message


def batched(custom_ids: Sequence[str], size: int) -> list[Sequence[str]]:
    return [custom_ids[first : first + size] for first in range(0, len(custom_ids), size)]


async def test_a_lobby_that_opens_slowly_is_posted_and_announced(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The response has been deferred privately by then, so the lobby is a post of its own."""
    may_open, opening = asyncio.Event(), world.matches.lobby.open

    async def open_slowly(*given: Any, **more: Any) -> Any:
        await may_open.wait()
        return await opening(*given, **more)

    monkeypatch.setattr(world.matches.lobby, "open", open_slowly)
    monkeypatch.setattr(reply, "ANSWER_SECONDS", 0.01)
    response = await world.ana.slash("/game new", game="maori", wait="ack")
    assert response.ephemeral and response.thinking
    may_open.set()
    await response.wait()
    # Its message id is recorded after that.
    await world.wait_until_idle()
    assert "Your lobby is open: Maori" in response.content
    (room,) = await world.matches.of_user(world.ana.id)
    (lobby,) = [message for message in world.discord.messages() if message.embeds]
    assert room.record.lobby_message == lobby.id and room.record.status is Status.LOBBY


async def test_slow_public_answers_are_still_public(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await world.start_match()
    may_look, drawing = asyncio.Event(), world.bot.pictures.board

    async def draw_slowly(*given: Any, **scene: Any) -> Any:
        await may_look.wait()
        return await drawing(*given, **scene)

    monkeypatch.setattr(world.bot.pictures, "board", draw_slowly)
    monkeypatch.setattr(reply, "ANSWER_SECONDS", 0.01)
    response = await world.ana.slash("/board", channel=world.place(room), public=True, wait="ack")
    assert response.ephemeral and response.thinking
    may_look.set()
    await response.until(lambda now: bool(now.followups))
    (board,) = response.followups
    assert not board.ephemeral and board.files["board.png"]
    assert "for everyone here" in response.content and not response.message.files


async def test_a_handler_that_answers_in_time_is_not_deferred(world: World) -> None:
    response = await world.ana.slash("/game new", game="maori")
    assert not response.ephemeral and response.embeds
    assert world.discord.interactions.by_token[response.interaction.token].answer == 4


async def test_in_a_rush_commands_are_acknowledged_first(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    handler = SlowHandler()
    (new,) = [found for found in all_commands(world) if found.name == "new"]
    monkeypatch.setattr(new, "_callback", handler)
    monkeypatch.setattr("bot.ui.reply.RUSH_THRESHOLD", 3)
    monkeypatch.setattr(reply, "ANSWER_SECONDS", PATIENCE)
    first = [await world.ana.slash("/game new", game="maori", wait="nothing") for _ in range(3)]
    others = [await world.ana.slash("/game new", game="maori", wait="ack") for _ in range(3)]
    assert not any(asked.acknowledged for asked in first)
    assert all(asked.thinking for asked in others)
    handler.may_answer.set()
    for asked in (*first, *others):
        await asked.until(lambda now: AT_LAST in now.text)


async def test_an_answer_waits_for_a_pending_deferral(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    handler = SlowHandler()
    (new,) = [found for found in all_commands(world) if found.name == "new"]
    monkeypatch.setattr(new, "_callback", handler)
    monkeypatch.setattr(reply, "ANSWER_SECONDS", 0.01)
    deferral = world.discord.faults.hold("POST", CALLBACK)
    response = await world.ana.slash("/game new", game="maori", wait="nothing")
    await deferral.was_hit.wait()
    handler.may_answer.set()
    # Meanwhile an answer that does not wait would be sent.
    await world.bea.slash("/help")
    deferral.release()
    await response.until(lambda now: AT_LAST in now.text)
    assert response.interaction.answer == 5 and response.messages == [response.message]
    assert refused_as_repeated(world) == 0


async def test_no_deferral_is_sent_while_the_answer_is_pending(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    handler = SlowHandler()
    handler.may_answer.set()
    (new,) = [found for found in all_commands(world) if found.name == "new"]
    monkeypatch.setattr(new, "_callback", handler)
    monkeypatch.setattr(reply, "ANSWER_SECONDS", 0.01)
    answer = world.discord.faults.hold("POST", CALLBACK)
    response = await world.ana.slash("/game new", game="maori", wait="nothing")
    await answer.was_hit.wait()
    # Meanwhile a deferral that does not wait would be sent.
    await world.bea.slash("/help")
    answer.release()
    await response.wait()
    await world.bea.slash("/help")
    assert response.interaction.answer == 4 and response.content == AT_LAST
    assert refused_as_repeated(world) == 0


async def test_an_answer_ready_just_as_the_deferral_is_due_is_not_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    (new,) = [found for found in all_commands(world) if found.name == "new"]

    async def answer_after_some_turns(interaction: Any, **_: Any) -> None:
        for _ in range(interaction.id % 16):
            await asyncio.sleep(0)
        await reply.tell(interaction, AT_LAST)

    monkeypatch.setattr(new, "_callback", answer_after_some_turns)
    monkeypatch.setattr(reply, "ANSWER_SECONDS", 0)
    for _ in range(40):
        response = await world.ana.slash("/game new", game="maori")
        assert response.text == AT_LAST
    assert refused_as_repeated(world) == 0


def test_only_one_module_answers_interactions() -> None:
    """A first response that bypasses bot/ui/reply.py may collide with the deferral."""
    found = [
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        # Completions cannot be deferred, and have a limit of their own.
        if re.search(
            r"interaction\.response\.(?!autocomplete|is_done)", path.read_text(encoding="utf-8")
        )
    ]
    assert found == ["ui/reply.py"]
