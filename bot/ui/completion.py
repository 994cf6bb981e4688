"""Autocompletion that several commands share. It never fails: at worst it offers nothing."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from itertools import islice
from typing import Any

from discord import app_commands

from bot.kernel import queries
from bot.runtime.errors import BotError, log_error
from bot.ui import describe
from bot.ui.client import MotuInteraction
from bot.ui.parts import CHOICE_TEXT, CHOICES, cut
from bot.ui.reply import DISCORD_ERRORS
from engine import GAMES, EngineError
from engine.core.words import words_of

log = logging.getLogger("motu.completion")

ENDED_MATCHES_OFFERED = 50
"""Ended matches that are offered while somebody types."""
PATIENCE = 1.5
"""Seconds after which nothing is offered: Discord waits for three, and a database that is lost
may take longer.
"""

Choices = Iterable[tuple[str, str]]
"""What is offered: the name that is shown and the value that is sent, for each."""
Completer = Callable[[MotuInteraction, str], Coroutine[Any, Any, Choices]]
Autocomplete = Callable[[MotuInteraction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


def quiet(completer: Completer) -> Autocomplete:
    """Make a function that returns choices an autocomplete callback, which offers nothing if it
    fails or takes long.
    """

    async def complete(
        interaction: MotuInteraction, current: str
    ) -> list[app_commands.Choice[str]]:
        offered: list[app_commands.Choice[str]] = []
        try:
            async with asyncio.timeout(PATIENCE):
                found = await completer(interaction, current)
                # Discord takes no value that is longer than a name.
                fitting = (
                    (name, value) for name, value in found if name and len(value) <= CHOICE_TEXT
                )
                for name, value in islice(fitting, CHOICES):
                    offered.append(app_commands.Choice(name=cut(name, CHOICE_TEXT), value=value))
        except (BotError, EngineError, TimeoutError):
            # While typing, people may have named no game or match yet, or one that does not exist.
            pass
        except Exception as error:
            log_error(error)
        # Left to itself discord.py sends them and logs a failure as an error, with its stack and
        # the person's id.
        try:
            await interaction.response.autocomplete(offered)
        except DISCORD_ERRORS as error:
            log.info(
                "a completion could not be shown (%s)",
                getattr(error, "code", 0) or type(error).__name__,
            )
            # Returned to, discord.py would try once more.
            raise asyncio.CancelledError from None
        return offered

    return complete


def containing(typed: str, found: Choices) -> Choices:
    """Return the choices in whose name or value the typed text is found."""
    wanted = typed.casefold().strip()
    return ((name, value) for name, value in found if wanted in name.casefold() or wanted in value)


def named_match(interaction: MotuInteraction) -> str | None:
    """Return the match already named in the command being typed."""
    return getattr(interaction.namespace, "match", None) or None


@quiet
async def matches(interaction: MotuInteraction, current: str) -> Choices:
    """Offer the matches somebody may mean: their own and those here."""
    rooms = await interaction.client.kernel.matches.around(
        interaction.user.id, interaction.channel_id or 0
    )
    return containing(current, ((describe.match_line(room), room.record.id) for room in rooms))


@quiet
async def matches_over(interaction: MotuInteraction, current: str) -> Choices:
    """Offer the matches somebody may mean that have ended, the newest first."""
    channel = interaction.channel_id or 0
    rooms = await interaction.client.kernel.matches.select(
        queries.ended_matches, interaction.user.id, channel, ENDED_MATCHES_OFFERED
    )
    return containing(current, ((describe.match_line(room), room.record.id) for room in rooms))


@quiet
async def games(interaction: MotuInteraction, current: str) -> Choices:
    """Offer the games there are."""
    return containing(current, [(GAMES[game].title, game) for game in GAMES])


@quiet
async def topics(interaction: MotuInteraction, current: str) -> Choices:
    """Offer the pages of the chosen game's rules, else of all games."""
    chosen = getattr(interaction.namespace, "game", None)
    found: dict[tuple[str, str], None] = {}
    for game in [chosen] if chosen in GAMES else GAMES:
        for topic, page in words_of(str(game)).topics.items():
            found[page.get("title", topic), topic] = None
    return containing(current, found)
