"""Slash commands, declared by their names, and what is offered while somebody types one.

The texts of a command, and the usual completions of its options, are found by their names.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from inspect import signature
from itertools import islice
from typing import Any

from discord import app_commands
from msgspec import Struct

from bot.kernel import queries
from bot.kernel.room import Room
from bot.runtime.base import BotError, log_error
from bot.text import has, say
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

GROUP = "group"
"""The name of a command's group in its `extras`; '' if it stands alone."""

Command = app_commands.Command[Any, Any, Any]
Choices = Iterable[tuple[str, str]]
"""What is offered: the name that is shown and the value that is sent, for each."""
Completer = Callable[[MotuInteraction, str], Coroutine[Any, Any, Choices]]
Autocomplete = Callable[[MotuInteraction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


# Completions. They never fail: at worst nothing is offered.


def autocomplete(completer: Completer) -> Autocomplete:
    """Make a function that returns choices an autocomplete callback.

    It offers nothing if the function fails or takes long.
    """

    async def complete(
        interaction: MotuInteraction, current: str
    ) -> list[app_commands.Choice[str]]:
        offered: list[app_commands.Choice[str]] = []
        try:
            async with asyncio.timeout(PATIENCE):
                found = await completer(interaction, current)
            # Discord takes no value that is longer than a name.
            fitting = (one for one in found if one[0] and len(one[1]) <= CHOICE_TEXT)
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
            code = getattr(error, "code", 0) or type(error).__name__
            log.info("a completion could not be shown (%s)", code)
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


def match_choices(typed: str, rooms: Iterable[Room]) -> Choices:
    """Return the choices for matches in which the typed text is found."""
    return containing(typed, ((describe.match_line(room), room.record.id) for room in rooms))


@autocomplete
async def matches(interaction: MotuInteraction, current: str) -> Choices:
    """Offer the matches somebody may mean: their own and those here."""
    user, channel = interaction.user.id, interaction.channel_id or 0
    return match_choices(current, await interaction.client.kernel.matches.around(user, channel))


@autocomplete
async def matches_over(interaction: MotuInteraction, current: str) -> Choices:
    """Offer the matches somebody may mean that have ended, the newest first."""
    user, channel = interaction.user.id, interaction.channel_id or 0
    rooms = await interaction.client.kernel.matches.select(
        queries.ended_matches, user, channel, ENDED_MATCHES_OFFERED
    )
    return match_choices(current, rooms)


@autocomplete
async def games(interaction: MotuInteraction, current: str) -> Choices:
    """Offer the games there are."""
    return containing(current, [(GAMES[game].title, game) for game in GAMES])


@autocomplete
async def topics(interaction: MotuInteraction, current: str) -> Choices:
    """Offer the pages of the chosen game's rules, else of all games."""
    chosen = getattr(interaction.namespace, "game", None)
    found: dict[tuple[str, str], None] = {}
    for game in [chosen] if chosen in GAMES else GAMES:
        for topic, page in words_of(str(game)).topics.items():
            found[page.get("title", topic), topic] = None
    return containing(current, found)


COMPLETIONS: Mapping[str, Autocomplete] = {"match": matches, "game": games, "topic": topics}
"""What helps to fill in options of these names."""


# Commands.


class SlashCommand(Struct, frozen=True):
    """A slash command as it is declared; it is made once the language of its texts is known."""

    callback: Any
    make: Callable[[], Command]
    """Makes it as discord.py has it, for one client."""
    completions: dict[str, Autocomplete]

    def autocomplete(self, option: str) -> Callable[[Autocomplete], Autocomplete]:
        """Have a function offer values for an option while somebody types."""

        def register(complete: Autocomplete) -> Autocomplete:
            self.completions[option] = complete
            return complete

        return register


def slash(
    name: str,
    *,
    dms: bool = False,
    extras: dict[str, Any] | None = None,
    choices: Mapping[str, tuple[str, Iterable[str]]] | None = None,
    **shared_texts: str,
) -> Callable[[Any], SlashCommand]:
    """Make a slash command of a callback: `solo`, or in a group `game.new`.

    Its description is the text `command.<name>.description`, that of an option
    `command.<name>.<option>`. An option without a text of its own has that of [command.option] by
    its name, or by the one that `shared_texts` gives it. `choices` are the values that an option
    may have, after the text that labels each: {} in it stands for the value. Without `dms` the
    command is for servers alone, which is what the client's command tree makes of commands that
    say nothing.
    """
    group, _, own_name = name.rpartition(".")

    def declare(callback: Any) -> SlashCommand:
        _, *options = signature(callback).parameters
        completions = {key: COMPLETIONS[key] for key in options if key in COMPLETIONS}

        def make() -> Command:
            texts = {}
            for option in options:
                text = f"command.{name}.{option}"
                if not has(text):
                    text = f"command.option.{shared_texts.get(option, option)}"
                texts[option] = say(text)
            # discord.py reads what these decorators leave on the callback.
            described = app_commands.describe(**texts)(callback)
            for option, (label, values) in (choices or {}).items():
                listed = [
                    app_commands.Choice(name=say(label.format(value)), value=value)
                    for value in values
                ]
                described = app_commands.choices(**{option: listed})(described)
            command: Command = app_commands.command(
                name=own_name,
                description=say(f"command.{name}.description"),
                extras={GROUP: group, **(extras or {})},
            )(described)
            for option, complete in completions.items():
                command.autocomplete(option)(complete)
            return app_commands.allowed_contexts(dms=True)(command) if dms else command

        return SlashCommand(callback, make, completions)

    return declare
