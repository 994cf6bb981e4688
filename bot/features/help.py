"""/help shows newcomers how to use Motu; /rules shows the rules of each game.

The texts are in [screen] of en.toml, and in the texts of each game.
"""

from typing import Any

from bot.features.lobby.discord import learn, solo
from bot.runtime.base import NotFound, Refused
from bot.text import and_list, say
from bot.ui import (
    CHOICES,
    ROWS,
    STRONG,
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
    make_turn_button,
    matches_here,
    parse_game,
    reply,
    slash,
    with_heading,
)
from engine import GAMES, find_game
from engine.core.words import words_of

PARTS = ("begin", "turn", "many", "table")
"""The sections of the help screen, in order."""


# /help


@slash("help", dms=True)
async def help_screen(interaction: MotuInteraction) -> None:
    """Show the help screen."""
    row = (
        Button("q:learn", say("screen.learn"), STRONG),
        Button("q:solo", say("screen.solo"), STRONG),
        Button("q:rules", say("screen.rules")),
        Button(games_button_id("mine"), say("games.mine")),
    )
    manages = interaction.guild_id is not None and interaction.permissions.manage_guild
    title, *chapters = screen(manages)
    await reply.show(interaction, title, [*chapters, row])


def screen(manages_server: bool) -> list[str]:
    """Return the help screen: what Motu is, and how to play with the commands the user may use."""
    parts = [with_heading(say("screen.title"), say("screen.about", games=game_titles()))]
    for part in PARTS:
        text = say(f"screen.{part}_text", manager=manages_server)
        parts.append(with_heading(say(f"screen.{part}"), text))
    return parts


class HelpButton(Item, template=r"q:(?P<what>[a-z]{1,8})(?::(?P<game>[a-z0-9_]{1,40}))?"):
    """A button of /help: a way to start, or a game to start with."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Ask which game, or start with the chosen one."""
        what, game = self.fields["what"], self.fields["game"]
        ways: dict[str, Any] = {"learn": learn, "solo": solo}
        if what not in (*ways, "rules"):
            raise Refused("refusal.old_button")
        if game and what in ways:
            await ways[what].callback(interaction, parse_game(game))
            return
        pages = {one: rules_page_id(one) for one in GAMES}
        ids = pages if what == "rules" else {one: f"q:{what}:{one}" for one in GAMES}
        await reply.show(interaction, say(f"screen.which_{what}"), game_buttons(ids))


def game_buttons(ids: dict[str, str]) -> list[Row]:
    """Return a button for each game with these custom ids."""
    return button_rows(
        Button(custom_id, GAMES[game].title, STRONG) for game, custom_id in ids.items()
    )[:ROWS]


# /rules


@slash("rules", dms=True)
async def rules(interaction: MotuInteraction, topic: str = "", game: str = "") -> None:
    """Show a page of the rules; without a game, of one that is played here or has the page."""
    played = {room.record.game for room in await matches_here(interaction)}
    with_topic = {one for one in GAMES if topic and find_topic(one, topic)}
    candidates = [played & with_topic, played, with_topic, set(GAMES)]
    # The first set with a single game; if there is none, the first set that is not empty.
    games = min(filter(None, candidates), key=lambda found: len(found) > 1)
    if game or len(games) == 1:
        await show_rules(interaction, parse_game(game) if game else games.pop(), topic)
        return
    # Several games are possible: offer this page of each, or else its first page.
    ids = {one: rules_page_id(one, find_topic(one, topic)) for one in GAMES if one in games}
    await reply.tell(interaction, say("look.which_rules"), game_buttons(ids))


async def show_rules(interaction: MotuInteraction, game: str, topic: str = "") -> None:
    """Show a page of a game's rules, with a menu of all pages."""
    topics = words_of(game).topics
    if not topics:
        raise NotFound("refusal.no_rules", game=find_game(game).title)
    key = find_topic(game, topic)
    if not key:
        raise NotFound("refusal.no_page", pages=and_list(topics))
    await reply.tell(interaction, *page(game, key))


def find_topic(game: str, typed: str) -> str:
    """Return the key of the topic with this key or title, or of the first if nothing is typed.

    '' if there is no such topic.
    """
    wanted = typed.strip().casefold()
    for key, topic in words_of(game).topics.items():
        if not typed or wanted in (key, topic.get("title", "").casefold()):
            return key
    return ""


def page(game: str, shown: str) -> tuple[str, list[Row]]:
    """Return a page of the rules, with a menu if the game has several."""
    topics = words_of(game).topics
    titles = {key: topic.get("title", key) for key, topic in topics.items()}
    facts = {"title": titles[shown], "text": topics[shown].get("text", "")}
    text = say("look.rules_page", game=find_game(game).title, **facts)
    lines = [Choice(key, title, chosen=key == shown) for key, title in titles.items()]
    menu = Menu(rules_page_id(game), say("look.another_page"), tuple(lines[:CHOICES]))
    return text, [menu] if len(lines) > 1 else []


def rules_page_id(game: str, topic: str = "") -> str:
    """Return the custom id of a control that shows a page of the rules, by default the first."""
    return f"r:{game}:{topic}"


class RulesPage(Item, template=r"r:(?P<game>[a-z0-9_]{1,40}):(?P<topic>[a-z0-9_-]{0,40})"):
    """The menu of a game's rules, or a button for one of its pages."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Replace the message with another page."""
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
