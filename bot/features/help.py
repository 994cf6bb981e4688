"""/help, one screen with all that a newcomer needs and buttons to a first match; and /rules, the
rules of each game.
"""

from typing import Any

import discord

from bot.features.lobby.discord import learn, solo
from bot.runtime.errors import NotFound, Refused
from bot.text import listed, say
from bot.ui import (
    CHOICES,
    ROWS,
    STRONG,
    Acknowledgement,
    Button,
    Choice,
    Feature,
    Item,
    Menu,
    MotuInteraction,
    Row,
    button_rows,
    game_titles,
    games_button_id,
    here,
    meant_game,
    new_embed,
    reply,
    slash,
    turn_button,
    view_of,
)
from engine import GAMES, find_game
from engine.core.words import words_of

PARTS = ("begin", "turn", "many", "table")
"""What the screen tells, in order."""


# /help


@slash("help", dms=True)
async def help_screen(interaction: MotuInteraction) -> None:
    """Show the screen."""
    ways_on = (
        Button(help_button_id("learn"), say("screen.learn"), STRONG),
        Button(help_button_id("solo"), say("screen.solo"), STRONG),
        Button(help_button_id("rules"), say("screen.rules")),
        Button(games_button_id("mine"), say("games.mine")),
    )
    view = view_of([ways_on])
    await interaction.edit_original_response(embed=screen(), view=view)


def screen() -> discord.Embed:
    """Return what Motu is and how it is played."""
    embed = new_embed(say("screen.title"), say("screen.about", games=game_titles()))
    for part in PARTS:
        embed.add_field(name=say(f"screen.{part}"), value=say(f"screen.{part}_text"), inline=False)
    return embed


def help_button_id(what: str, game: str = "") -> str:
    """Return the id of a button of /help."""
    return f"q:{what}:{game}" if game else f"q:{what}"


class HelpButton(Item, template=r"q:(?P<what>[a-z]{1,8})(?::(?P<game>[a-z0-9_]{1,40}))?"):
    """A button of /help: a way to begin, or a game to begin with."""

    def acknowledged(self) -> Acknowledgement:
        """Return how a press is acknowledged: one that names a game opens a lobby, which
        everyone may see.
        """
        return Acknowledgement.IF_SLOW if self.fields["game"] else Acknowledgement.AT_ONCE

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Ask which game, or begin with it."""
        what, game = self.fields["what"], self.fields["game"]
        ways: dict[str, Any] = {"learn": learn, "solo": solo}
        if what not in (*ways, "rules"):
            raise Refused("refusal.old_button")
        if game and what in ways:
            await ways[what].callback(interaction, meant_game(game))
            return
        make_id = rules_page_id if what == "rules" else lambda game: help_button_id(what, game)
        await reply.show(
            interaction,
            say(f"screen.which_{what}"),
            game_buttons({one: make_id(one) for one in GAMES}),
        )


def game_buttons(ids: dict[str, str]) -> list[Row]:
    """Return a button for each game, given their ids."""
    return button_rows(
        Button(custom_id, GAMES[game].title, STRONG) for game, custom_id in ids.items()
    )[:ROWS]


# /rules


@slash("rules", dms=True)
async def rules(interaction: MotuInteraction, topic: str = "", game: str = "") -> None:
    """Show a page of the rules: of the game named, else of one that is played here or has such a
    page.
    """
    if game:
        games = {meant_game(game)}
    else:
        played = {room.record.game for room in await here(interaction)}
        with_topic = {one for one in GAMES if topic and find_topic(one, topic)}
        candidates = (played & with_topic, played, with_topic)
        only_one = next((found for found in candidates if len(found) == 1), None)
        games = only_one or played & with_topic or played or with_topic or set(GAMES)
    if len(games) == 1:
        (only_game,) = games
        await show_rules(interaction, only_game, topic)
        return
    # The pages of a topic that several games have, else the first page of each.
    ids = {one: rules_page_id(one, find_topic(one, topic)) for one in GAMES if one in games}
    await reply.tell(interaction, say("look.which_rules"), game_buttons(ids))


async def show_rules(interaction: MotuInteraction, game: str, topic: str = "") -> None:
    """Show a page of a game's rules with the menu of the others."""
    topics = words_of(game).topics
    if not topics:
        raise NotFound("refusal.no_rules", game=find_game(game).title)
    key = find_topic(game, topic)
    if not key:
        raise NotFound("refusal.no_page", pages=listed(topics))
    await reply.tell(interaction, page_text(game, key), page_menu(game, key))


def find_topic(game: str, typed: str) -> str:
    """Return the key of a topic, from its key or title in any case; the first without one, '' if
    there is none.
    """
    wanted = typed.strip().casefold()
    for key, page in words_of(game).topics.items():
        if not typed or wanted in (key, page.get("title", "").casefold()):
            return key
    return ""


def page_text(game: str, key: str) -> str:
    """Return a page of the rules."""
    page = words_of(game).topics[key]
    return say(
        "look.rules_page",
        game=find_game(game).title,
        title=page.get("title", key),
        text=page.get("text", ""),
    )


def page_menu(game: str, shown: str) -> list[Row]:
    """Return the menu of a game's pages, if there are several."""
    topics = list(words_of(game).topics.items())[:CHOICES]
    if len(topics) < 2:
        return []
    lines = tuple(Choice(key, page.get("title", key), chosen=key == shown) for key, page in topics)
    return [Menu(rules_page_id(game), say("look.another_page"), lines)]


def rules_page_id(game: str, topic: str = "") -> str:
    """Return the id of a control that leads to a page of the rules, or to the first."""
    return f"r:{game}:{topic}"


class RulesPage(Item, template=r"r:(?P<game>[a-z0-9_]{1,40}):(?P<topic>[a-z0-9_-]{0,40})"):
    """The menu of a game's rules pages, or a button that leads to one."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show another page in the message's place."""
        game = find_game(self.fields["game"]).id
        key = find_topic(game, self.values[0] if self.values else self.fields["topic"])
        if not key:
            raise NotFound("refusal.page_gone")
        await reply.show(interaction, page_text(game, key), page_menu(game, key))


class RulesButton(Item, template=turn_button("rules")):
    """The button under a turn that shows the rules of its game."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show the first page of the rules."""
        room = await self.room(interaction)
        await show_rules(interaction, room.record.game)


FEATURE = Feature(
    name="help", commands=(help_screen, rules), items=(HelpButton, RulesPage, RulesButton)
)
