"""/rules: the pages of a game's rules help."""

from discord import app_commands

from bot.runtime.errors import NotFound
from bot.text import listed, say
from bot.ui import completion, reply
from bot.ui.client import MotuInteraction
from bot.ui.components import Item, turn_button
from bot.ui.parts import CHOICES, ROWS, STRONG, Menu, Row, button, button_rows, choice
from bot.ui.which_match import here, meant_game, named
from engine import GAMES, find_game
from engine.core.words import words_of


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="rules", description=say("command.rules.description"))
@app_commands.describe(topic=say("command.rules.topic"), game=say("command.rules.game"))
async def rules(interaction: MotuInteraction, topic: str | None = None, game: str | None = None) -> None:
    """Show a page of the rules."""
    games = await _meant_games(interaction, game, topic or "")
    if len(games) == 1:
        await _show_rules(interaction, games[0], topic or "")
        return
    # The pages of a topic that several games have, else the first page of each.
    buttons = [button(rules_page_id(one, _find_topic(one, topic or "")), GAMES[one].title, STRONG) for one in games]
    await reply.tell(interaction, say("look.which_rules"), button_rows(buttons)[:ROWS])


completion.offer(completion.topics, "topic", rules)
completion.offer(completion.games, "game", rules)


class RulesPage(Item, template=r"r:(?P<game>[a-z0-9_]{1,40}):(?P<topic>[a-z0-9_-]{0,40})"):
    """The menu of a game's rules pages, or a button that leads to one."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show another page in the message's place."""
        game = find_game(self.fields["game"]).id
        topic = self.values[0] if self.values else self.fields["topic"]
        key = _find_topic(game, topic) if topic else _first_topic(game)
        if not key:
            raise NotFound(say("refusal.page_gone"))
        await reply.show(interaction, _page_text(game, key), _menu(game, key))


def rules_page_id(game: str, topic: str = "") -> str:
    """Return the id of a control that leads to a page of the rules, or to the first."""
    return f"r:{game}:{topic}"


class RulesButton(Item, template=turn_button("rules")):
    """The button under a turn that shows the rules of its game."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Show the first page of the rules."""
        room = await named(interaction, self.fields["match"])
        await _show_rules(interaction, room.record.game, "")


async def _meant_games(interaction: MotuInteraction, game: str | None, topic: str) -> list[str]:
    """Return the games that may be meant: the one named, those played here, those that have the topic, or all."""
    if game:
        return [meant_game(game)]
    played = {room.record.game for room in await here(interaction)}
    with_topic = {one for one in GAMES if topic and _find_topic(one, topic)}
    for candidates in (played & with_topic, played, with_topic):
        if len(candidates) == 1:
            return [*candidates]
    meant = played & with_topic or played or with_topic or set(GAMES)
    return [one for one in GAMES if one in meant]


async def _show_rules(interaction: MotuInteraction, game: str, topic: str) -> None:
    """Show a page of a game's rules with the menu of the others."""
    topics = words_of(game).topics
    if not topics:
        raise NotFound(say("refusal.no_rules", game=find_game(game).title))
    key = _find_topic(game, topic) if topic else _first_topic(game)
    if not key:
        raise NotFound(say("refusal.no_page", pages=listed(topics)))
    await reply.tell(interaction, _page_text(game, key), _menu(game, key))


def _find_topic(game: str, typed: str) -> str:
    """Return the key of a topic, from its key or title in any case; '' if there is none."""
    wanted = typed.strip().casefold()
    for key, page in words_of(game).topics.items():
        if wanted in (key, page.get("title", "").casefold()):
            return key
    return ""


def _first_topic(game: str) -> str:
    return next(iter(words_of(game).topics), "")


def _page_text(game: str, key: str) -> str:
    page = words_of(game).topics[key]
    title, text = page.get("title", key), page.get("text", "")
    return say("look.rules_page", game=find_game(game).title, title=title, text=text)


def _menu(game: str, shown: str) -> list[Row]:
    topics = list(words_of(game).topics.items())[:CHOICES]
    if len(topics) < 2:
        return []
    lines = tuple(choice(key, page.get("title", key), chosen=key == shown) for key, page in topics)
    return [Menu(rules_page_id(game), say("look.another_page"), lines)]
