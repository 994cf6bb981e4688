"""/help, one screen with all that a newcomer needs, and /rules, the rules of each game."""

from typing import Any

import discord

from bot.features.lobby.discord import learn, solo
from bot.runtime.base import NotFound, Refused
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
    make_turn_button,
    meant_game,
    new_embed,
    reply,
    slash,
    view_of,
)
from engine import GAMES, find_game
from engine.core.words import words_of

PARTS = ("begin", "turn", "many", "table")
"""What the screen tells, in order."""


# /help


@slash("help", dms=True)
async def help_screen(interaction: MotuInteraction) -> None:
    """Show what Motu is and how it is played."""
    row = (
        Button("q:learn", say("screen.learn"), STRONG),
        Button("q:solo", say("screen.solo"), STRONG),
        Button("q:rules", say("screen.rules")),
        Button(games_button_id("mine"), say("games.mine")),
    )
    await interaction.edit_original_response(embed=screen(), view=view_of([row]))


def screen() -> discord.Embed:
    """Return what Motu is and how it is played."""
    embed = new_embed(say("screen.title"), say("screen.about", games=game_titles()))
    for part in PARTS:
        embed.add_field(name=say(f"screen.{part}"), value=say(f"screen.{part}_text"), inline=False)
    return embed


class HelpButton(Item, template=r"q:(?P<what>[a-z]{1,8})(?::(?P<game>[a-z0-9_]{1,40}))?"):
    """A button of /help: a way to begin, or a game to begin with."""

    def acknowledged(self) -> Acknowledgement:
        """Return how a press is acknowledged: one that names a game opens a public lobby."""
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
        pages = {one: rules_page_id(one) for one in GAMES}
        ids = pages if what == "rules" else {one: f"q:{what}:{one}" for one in GAMES}
        await reply.show(interaction, say(f"screen.which_{what}"), game_buttons(ids))


def game_buttons(ids: dict[str, str]) -> list[Row]:
    """Return a button for each game, given their ids."""
    return button_rows(
        Button(custom_id, GAMES[game].title, STRONG) for game, custom_id in ids.items()
    )[:ROWS]


# /rules


@slash("rules", dms=True)
async def rules(interaction: MotuInteraction, topic: str = "", game: str = "") -> None:
    """Show a page of the rules: of the game named, else of one played here or with such a page."""
    played = {room.record.game for room in await here(interaction)}
    with_topic = {one for one in GAMES if topic and find_topic(one, topic)}
    candidates = [played & with_topic, played, with_topic, set(GAMES)]
    # The first that leaves no choice; else the first that offers any.
    games = min(filter(None, candidates), key=lambda found: len(found) > 1)
    if game or len(games) == 1:
        await show_rules(interaction, meant_game(game) if game else games.pop(), topic)
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
    await reply.tell(interaction, *page(game, key))


def find_topic(game: str, typed: str) -> str:
    """Return the key of a topic, from its key or title in any case; '' if there is none.

    Without a text it is the first.
    """
    wanted = typed.strip().casefold()
    for key, topic in words_of(game).topics.items():
        if not typed or wanted in (key, topic.get("title", "").casefold()):
            return key
    return ""


def page(game: str, shown: str) -> tuple[str, list[Row]]:
    """Return a page of the rules, and the menu of a game's pages if there are several."""
    topics = words_of(game).topics
    titles = {key: topic.get("title", key) for key, topic in topics.items()}
    facts = {"title": titles[shown], "text": topics[shown].get("text", "")}
    text = say("look.rules_page", game=find_game(game).title, **facts)
    lines = [Choice(key, title, chosen=key == shown) for key, title in titles.items()]
    menu = Menu(rules_page_id(game), say("look.another_page"), tuple(lines[:CHOICES]))
    return text, [menu] if len(lines) > 1 else []


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
        await reply.show(interaction, *page(game, key))


RulesButton = make_turn_button(
    "rules", lambda interaction, room: show_rules(interaction, room.record.game)
)
"""The button under a turn that shows the rules of its game."""

FEATURE = Feature(
    name="help", commands=(help_screen, rules), items=(HelpButton, RulesPage, RulesButton)
)
