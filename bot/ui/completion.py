"""Autocompletion that several commands share. It never fails: at worst it offers nothing."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

import discord
from discord import app_commands

from bot.kernel.room import Room
from bot.runtime.errors import BotError, log_error
from bot.ui import describe
from bot.ui.client import MotuInteraction
from bot.ui.parts import CHOICES
from bot.ui.reply import UNREACHABLE
from engine import GAMES, EngineError
from engine.core.words import words_of

log = logging.getLogger("motu.completion")

PATIENCE = 1.5
"""Seconds after which nothing is offered: Discord waits for three, and a database that is lost may take longer."""

Choices = list[app_commands.Choice[str]]
Completer = Callable[[MotuInteraction, str], Coroutine[Any, Any, Choices]]


def quiet(completer: Completer) -> Completer:
    """A completer whose errors offer nothing, and that answers by itself: nobody minds a completion that is late."""

    async def completed(interaction: MotuInteraction, current: str) -> Choices:
        found: Choices = []
        try:
            async with asyncio.timeout(PATIENCE):
                found = (await completer(interaction, current))[:CHOICES]
        except (BotError, EngineError, TimeoutError):
            # Whoever is still typing may have named no game or match yet, or one that is not there.
            pass
        except Exception as error:
            log_error(error)
        await _offer(interaction, found)
        return found

    return completed


async def _offer(interaction: MotuInteraction, found: Choices) -> None:
    """Send the completion choices; if Discord no longer accepts them, log one line and end this task.

    Left to itself discord.py sends them and logs a failure as an error, with its stack and the person's id.
    """
    try:
        await interaction.response.autocomplete(found)
        return
    except (discord.HTTPException, *UNREACHABLE) as error:
        log.info("a completion could not be shown (%s)", getattr(error, "code", 0) or type(error).__name__)
    except Exception as error:
        log_error(error)
    # discord.py would try once more.
    raise asyncio.CancelledError


def offer(completer: Completer, parameter: str, *commands: app_commands.Command[Any, Any, Any]) -> None:
    """Have a completer help with a parameter of these commands."""
    for command in commands:
        command.autocomplete(parameter)(completer)


def named_match(interaction: MotuInteraction) -> str | None:
    """The match that whoever is typing has named already."""
    return getattr(interaction.namespace, "match", None) or None


def choices(pairs: list[tuple[str, str]]) -> Choices:
    """(name, value) pairs as Discord takes them."""
    return [app_commands.Choice(name=name, value=value) for name, value in pairs if name and len(value) <= 100]


@quiet
async def matches(interaction: MotuInteraction, current: str) -> Choices:
    """The matches somebody may mean: their own and those here, as far as the typed text fits."""
    return _fitting(
        await interaction.client.kernel.matches.around(interaction.user.id, interaction.channel_id or 0), current
    )


@quiet
async def matches_over(interaction: MotuInteraction, current: str) -> Choices:
    """The same among those that have ended, the newest first."""
    channel = interaction.channel_id or 0
    return _fitting(await interaction.client.kernel.matches.finished_candidates(interaction.user.id, channel), current)


def _fitting(rooms: Iterable[Room], current: str) -> Choices:
    """Rooms in whose line the typed text is found."""
    wanted, found = current.casefold().strip(), []
    for room in rooms:
        line = describe.match_line(room)
        if wanted in line.casefold():
            found.append((line, room.record.id))
            if len(found) == CHOICES:
                break
    return choices(found)


@quiet
async def games(interaction: MotuInteraction, current: str) -> Choices:
    """The games there are."""
    wanted = current.casefold().strip()
    named = [(GAMES[game].title, game) for game in GAMES]
    return choices([(title, game) for title, game in named if wanted in title.casefold() or wanted in game])


@quiet
async def topics(interaction: MotuInteraction, current: str) -> Choices:
    """The pages of the chosen game's rules, else of all games."""
    chosen = getattr(interaction.namespace, "game", None)
    wanted = current.casefold().strip()
    found = []
    for game in [str(chosen)] if chosen in GAMES else GAMES:
        for topic, page in words_of(game).topics.items():
            name = page.get("title", topic)
            if wanted in topic or wanted in name.casefold():
                found.append((name, topic))
    return choices(list(dict.fromkeys(found)))
