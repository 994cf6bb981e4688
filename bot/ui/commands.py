"""Slash commands and autocompletion.

A command is declared with `slash`. Its texts, and the usual completions of its options, are found
by name, so a declaration is short: add the texts to [command] in en.toml.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from inspect import signature
from itertools import islice
from typing import Any

import discord
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
from engine.core.words import closest_language, speaking, spoken_language, words_of

log = logging.getLogger("motu.completion")

ENDED_MATCHES_OFFERED = 50
"""How many ended matches are searched for completions, and offered in a choice."""
COMPLETION_TIMEOUT_SECONDS = 1.5
"""How long a completion may take. Discord waits three seconds; a lost database takes longer."""

GROUP = "group"
"""The key in a command's `extras` for the name of its group; '' for a command without one."""

Command = app_commands.Command[Any, Any, Any]
Choices = Iterable[tuple[str, str]]
"""Completions, each as the name to show and the value to send."""
Completer = Callable[[MotuInteraction, str], Coroutine[Any, Any, Choices]]
Autocomplete = Callable[[MotuInteraction, str], Coroutine[Any, Any, list[app_commands.Choice[str]]]]


# Completions. They never fail; at worst they are empty.


def autocomplete(completer: Completer) -> Autocomplete:
    """Turn a function that returns choices into an autocomplete callback.

    The callback offers nothing if the function fails or takes too long.
    """

    async def complete(
        interaction: MotuInteraction, current: str
    ) -> list[app_commands.Choice[str]]:
        choices: list[app_commands.Choice[str]] = []
        try:
            async with asyncio.timeout(COMPLETION_TIMEOUT_SECONDS):
                found = await completer(interaction, current)
            # Names can be cut to Discord's limit of 100 characters, values cannot.
            usable = (choice for choice in found if choice[0] and len(choice[1]) <= CHOICE_TEXT)
            for name, value in islice(usable, CHOICES):
                choices.append(app_commands.Choice(name=cut(name, CHOICE_TEXT), value=value))
        except (BotError, EngineError, TimeoutError):
            # Expected while somebody is typing: the game or match may be missing or half typed.
            pass
        except Exception as error:
            log_error(error)
        # Send the choices here: discord.py would send them too, but log a failure as an error, with
        # a traceback and the user's id.
        try:
            await interaction.response.autocomplete(choices)
        except DISCORD_ERRORS as error:
            code = getattr(error, "code", 0) or type(error).__name__
            log.info("couldn't show suggested options (%s)", code)
            # On a normal return discord.py would try to send them once more.
            raise asyncio.CancelledError from None
        return choices

    return complete


def filter_choices(typed: str, found: Choices) -> Choices:
    """Return the choices whose name or value contains the typed text."""
    wanted = typed.casefold().strip()
    return ((name, value) for name, value in found if wanted in name.casefold() or wanted in value)


def named_match(interaction: MotuInteraction) -> str | None:
    """Return the value of the option `match` in the command being typed; None if it is missing."""
    return getattr(interaction.namespace, "match", None) or None


def match_choices(typed: str, rooms: Iterable[Room]) -> Choices:
    """Return choices for those matches whose description or id contains the typed text."""
    return filter_choices(typed, ((describe.match_line(room), room.record.id) for room in rooms))


@autocomplete
async def matches(interaction: MotuInteraction, current: str) -> Choices:
    """Offer open matches: the user's own, and those in this channel."""
    user, channel = interaction.user.id, interaction.channel_id or 0
    return match_choices(current, await interaction.client.kernel.matches.around(user, channel))


@autocomplete
async def ended_matches(interaction: MotuInteraction, current: str) -> Choices:
    """Offer ended matches, newest first: the user's own, and those in this channel."""
    user, channel = interaction.user.id, interaction.channel_id or 0
    rooms = await interaction.client.kernel.matches.select(
        queries.ended_matches, user, channel, ENDED_MATCHES_OFFERED
    )
    return match_choices(current, rooms)


@autocomplete
async def all_matches(interaction: MotuInteraction, current: str) -> Choices:
    """Offer open matches, then ended ones: the user's own, and those in this channel."""
    user, channel = interaction.user.id, interaction.channel_id or 0
    matches = interaction.client.kernel.matches
    ended = await matches.select(queries.ended_matches, user, channel, ENDED_MATCHES_OFFERED)
    return match_choices(current, [*await matches.around(user, channel), *ended])


@autocomplete
async def games(interaction: MotuInteraction, current: str) -> Choices:
    """Offer all games."""
    return filter_choices(current, [(GAMES[game].title, game) for game in GAMES])


@autocomplete
async def topics(interaction: MotuInteraction, current: str) -> Choices:
    """Offer pages of the rules, of the chosen game or of all games."""
    chosen = getattr(interaction.namespace, "game", None)
    pages: dict[tuple[str, str], None] = {}
    for game in [chosen] if chosen in GAMES else GAMES:
        for topic, texts in words_of(str(game)).topics.items():
            pages[texts.get("title", topic), topic] = None
    return filter_choices(current, pages)


COMPLETIONS: Mapping[str, Autocomplete] = {"match": matches, "game": games, "topic": topics}
"""The usual completions, by the name of an option."""


# Commands.


def localized(key: str) -> app_commands.locale_str:
    """Return a command's text, with its key for CommandTranslator to translate it."""
    return app_commands.locale_str(say(key), key=key)


class CommandTranslator(app_commands.Translator):
    """Translates descriptions and choices; the names of commands are the same in all languages."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: Any
    ) -> str | None:
        """Return a text in one of Discord's languages; None if Motu has no translation."""
        language = closest_language(str(locale))
        if language == spoken_language() or "key" not in string.extras:
            return None
        with speaking(language):
            return cut(say(string.extras["key"]), CHOICE_TEXT)


class SlashCommand(Struct, frozen=True):
    """The declaration of a slash command.

    Declarations are made on import, before the bot's language is known. So the discord.py command
    is created later, when the client starts.
    """

    callback: Any
    make: Callable[[], Command]
    """Creates the discord.py command."""
    completions: dict[str, Autocomplete]

    def autocomplete(self, option: str) -> Callable[[Autocomplete], Autocomplete]:
        """Register a decorated function as the completion of an option."""

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
    """Declare a callback as a slash command, named `solo`, or `game.new` if it is in a group.

    The texts are found by key: `command.<name>.description` for the command,
    `command.<name>.<option>` for an option. An option without such a text uses one of
    [command.option], under its own name or the one that `shared_texts` gives it.

    `choices` restricts an option to some values; the text key in it labels each, with {} for the
    value. With `dms` the command also works in direct messages.
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
                texts[option] = localized(text)
            # discord.py's decorators set attributes of the callback, which app_commands.command
            # reads below.
            annotated = app_commands.describe(**texts)(callback)
            for option, (label, values) in (choices or {}).items():
                options_offered = [
                    app_commands.Choice(name=localized(label.format(value)), value=value)
                    for value in values
                ]
                annotated = app_commands.choices(**{option: options_offered})(annotated)
            command: Command = app_commands.command(
                name=own_name,
                description=localized(f"command.{name}.description"),
                extras={GROUP: group, **(extras or {})},
            )(annotated)
            for option, complete in completions.items():
                command.autocomplete(option)(complete)
            return app_commands.allowed_contexts(dms=True)(command) if dms else command

        return SlashCommand(callback, make, completions)

    return declare
