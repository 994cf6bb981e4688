"""/help: all that a newcomer needs in one screen, with buttons to a first match."""

from typing import Any

import discord
from discord import app_commands

from bot.features.help.rules import rules_page_id
from bot.features.lobby.discord import learn, solo
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import reply
from bot.ui.client import MotuInteraction
from bot.ui.components import Item, games_button_id
from bot.ui.parts import ROWS, STRONG, Row, button, button_rows, new_embed, view_of
from bot.ui.reply import Acknowledgement
from bot.ui.which_match import game_titles, meant_game
from engine import GAMES

PARTS = ("begin", "turn", "many", "table")
"""What the screen tells, in order."""
LEARN, SOLO, RULES = "learn", "solo", "rules"
"""The ways on from there."""


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="help", description=say("command.help.description"))
async def help_screen(interaction: MotuInteraction) -> None:
    """Show the screen."""
    await interaction.edit_original_response(embed=screen(), view=view_of(rows()), allowed_mentions=reply.NOBODY)


class HelpButton(Item, template=r"q:(?P<what>[a-z]{1,8})(?::(?P<game>[a-z0-9_]{1,40}))?"):
    """A button of /help: a way to begin, or a game to begin with."""

    def acknowledged(self) -> Acknowledgement:
        """Return how a press is acknowledged: one that names a game opens a lobby, which everyone may see."""
        return Acknowledgement.IF_SLOW if self.fields["game"] else Acknowledgement.AT_ONCE

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Ask which game, or begin with it."""
        what, game = self.fields["what"], self.fields["game"]
        if what not in (LEARN, SOLO, RULES):
            raise Refused(say("refusal.old_button"))
        if game and what != RULES:
            command: Any = learn if what == LEARN else solo
            await command.callback(interaction, meant_game(game))
            return
        games = [
            button(rules_page_id(one) if what == RULES else help_button_id(what, one), GAMES[one].title, STRONG)
            for one in GAMES
        ]
        await reply.show(interaction, say(f"screen.which_{what}"), button_rows(games)[:ROWS])


def help_button_id(what: str, game: str = "") -> str:
    """Return the id of a button of /help."""
    return f"q:{what}:{game}" if game else f"q:{what}"


def screen() -> discord.Embed:
    """Return what Motu is and how it is played."""
    embed = new_embed(say("screen.title"), say("screen.about", games=game_titles()))
    for part in PARTS:
        embed.add_field(name=say(f"screen.{part}"), value=say(f"screen.{part}_text"), inline=False)
    return embed


def rows() -> list[Row]:
    """Return the buttons below it."""
    return [
        (
            button(help_button_id(LEARN), say("screen.learn"), STRONG),
            button(help_button_id(SOLO), say("screen.solo"), STRONG),
            button(help_button_id(RULES), say("screen.rules")),
            button(games_button_id("mine"), say("games.mine")),
        )
    ]
