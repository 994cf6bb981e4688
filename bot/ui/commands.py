"""Slash commands, declared by their names: their texts and the usual completions are found by
those.
"""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from discord import app_commands

from bot.text import has, say
from bot.ui import completion
from bot.ui.completion import Autocomplete

COMPLETIONS: Mapping[str, Autocomplete] = {
    "match": completion.matches,
    "game": completion.games,
    "topic": completion.topics,
}
"""What helps to fill in options of these names."""

Command = app_commands.Command[Any, Any, Any]


def slash(
    name: str,
    *,
    dms: bool = False,
    extras: dict[Any, Any] | None = None,
    choices: Mapping[str, Mapping[str, str]] | None = None,
    completions: Mapping[str, Autocomplete] | None = None,
    **shared_texts: str,
) -> Callable[[Any], Command]:
    """Make a slash command of a callback.

    Its description is the text `command.<name>.description`, that of an option
    `command.<name>.<option>`. An option without a text of its own has that of [command.option] by
    its name, or by the one that `shared_texts` gives it. `choices` are the values that an option
    may have, with their labels. Without `dms` the command is for servers alone, which is what the
    client's command tree makes of commands that say nothing.
    """

    def declare(callback: Any) -> Command:
        texts = {}
        _, *options = signature(callback).parameters
        for option in options:
            own = f"command.{name}.{option}"
            texts[option] = (
                say(own) if has(own) else say(f"command.option.{shared_texts.get(option, option)}")
            )
        # discord.py reads what these decorators leave on the callback when it makes the command of
        # it.
        callback = app_commands.describe(**texts)(callback)
        for option, labels in (choices or {}).items():
            listed = [
                app_commands.Choice(name=label, value=value) for value, label in labels.items()
            ]
            callback = app_commands.choices(**{option: listed})(callback)
        description = say(f"command.{name}.description")
        command: Command = app_commands.command(
            name=name, description=description, extras=extras or {}
        )(callback)
        for option, complete in {**COMPLETIONS, **(completions or {})}.items():
            if option in options:
                command.autocomplete(option)(complete)
        return app_commands.allowed_contexts(dms=True)(command) if dms else command

    return declare
