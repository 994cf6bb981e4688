"""Long and strange texts in the options of commands: a private answer, and nothing changes."""

import copy
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from bot.local import Response
from bot.local.model import Message
from tests.e2e.harness import Stage, answer_messages, are_private

BUTTON = 2
MENU = 3


@asynccontextmanager
async def unchanged(stage: Stage) -> AsyncIterator[None]:
    """Check that the block leaves the database and all public messages unchanged."""
    rows = stage.all_rows()
    messages = public_messages(stage)
    yield
    await stage.wait_until_posted()
    assert stage.all_rows() == rows
    assert public_messages(stage) == messages


def public_messages(stage: Stage) -> list[tuple[int, str, list[Any]]]:
    """Return a copy of everything that everyone can see."""
    return [(m.id, m.text, copy.deepcopy(m.components)) for m in stage.discord.messages()]


def check(answer: Response, about: object = "") -> None:
    """Check that an answer is private, clear, short enough, and mentions nobody.

    A form is private, and changes nothing before it is submitted.
    """
    if answer.interaction.form is not None:
        return
    assert are_private([answer]), about
    assert answer_messages(answer), about
    content = answer.last.content
    assert content.strip(), about
    assert len(content) <= 2000, about
    assert "went wrong" not in content, about
    assert answer.last.pings == [], about
    assert "@everyone" not in content, about
    assert "@here" not in content, about


def plant(message: Message, custom_id: str, kind: int = BUTTON) -> None:
    """Put a component on a message, as an older version of the bot could have left it there."""
    part: dict[str, Any] = {"type": kind, "id": 90, "custom_id": custom_id}
    if kind == BUTTON:
        part |= {"style": 2, "label": "old"}
    else:
        part |= {"options": [{"label": "x", "value": "x"}], "min_values": 1, "max_values": 1}
    message.components = [{"type": 1, "id": 89, "components": [part]}]


MATCH_COMMANDS = (
    *("/play", "/undo", "/resign", "/board", "/hand", "/log"),
    *("/game join", "/game start", "/game resume", "/game leave", "/game cancel"),
)


async def test_long_and_strange_options_of_every_command_are_refused(stage: Stage) -> None:
    table = await stage.start_match()
    no_match = table.id.upper() + "x"
    strange = (
        "x" * 6000,
        "@everyone",
        "<@1> **x** `y`",
        "../../etc",
        "' OR 1=1 --",
        "🙂",
        no_match,
    )
    for value in strange:
        async with unchanged(stage):
            for command in MATCH_COMMANDS:
                check(await stage.ana.slash(command, match=value), (command, value[:40]))
                await stage.ana.autocomplete(command, match=value)
            for command, options in (
                ("/game new", {"game": value}),
                ("/game new", {"game": "blue_lagoon", "settings": value}),
                ("/rules", {"topic": value}),
                ("/rules", {"game": value}),
            ):
                check(await stage.ana.slash(command, options=options), value[:40])
                await stage.ana.autocomplete(command, options=options)
