"""/help: all that a newcomer needs in one screen, with buttons to a first match."""

from typing import Any

import discord
from discord import app_commands

from bot import reply
from bot.commands import solo
from bot.components import ids
from bot.components.items import Asked, HelpItem, view_of
from bot.components.parts import ROWS, STRONG, Row, button, button_rows
from bot.errors import Refused
from bot.posts.lobby_message import SEA
from bot.text import say
from bot.which_match import game_titles, meant_game
from engine import GAMES

PARTS = ("begin", "turn", "many", "table")
"""What the screen tells, in order."""
LEARN, SOLO, RULES = "learn", "solo", "rules"


@app_commands.command(name="help", description=say("command.help.description"))
async def help_screen(interaction: Asked) -> None:
    """The screen, to whoever asks alone."""
    await interaction.edit_original_response(embed=screen(), view=view_of(rows()), allowed_mentions=reply.NOBODY)


def screen() -> discord.Embed:
    """What Motu is and how it is played."""
    shown = discord.Embed(title=say("screen.title"), description=say("screen.about", games=game_titles()), colour=SEA)
    for part in PARTS:
        shown.add_field(name=say(f"screen.{part}"), value=say(f"screen.{part}_text"), inline=False)
    return shown


def rows() -> list[Row]:
    """The ways on from there."""
    return [
        (
            button(ids.help(LEARN), say("screen.learn"), STRONG),
            button(ids.help(SOLO), say("screen.solo"), STRONG),
            button(ids.help(RULES), say("screen.rules")),
            button(ids.games("mine"), say("games.mine")),
        )
    ]


async def pressed(interaction: Asked, item: HelpItem) -> None:
    """A way was chosen: then which game, then it begins."""
    what, game = item.fields["what"], item.fields["game"]
    begins: dict[str, Any] = {LEARN: solo.learn, SOLO: solo.solo}
    if what not in (*begins, RULES):
        raise Refused(say("refusal.old_button"))
    if game and what != RULES:
        await begins[what].callback(interaction, meant_game(game))
        return
    chosen = [
        button(ids.rules(one) if what == RULES else ids.help(what, one), GAMES[one].title, STRONG) for one in GAMES
    ]
    await reply.show(interaction, say(f"screen.which_{what}"), button_rows(chosen)[:ROWS])
