"""/rules: the pages of a game's rules help."""

from discord import app_commands

from bot import reply
from bot.commands import completion
from bot.components import ids
from bot.components.items import Asked, RulesItem
from bot.components.parts import CHOICES, ROWS, STRONG, Menu, Row, button, button_rows, choice
from bot.errors import NotFound
from bot.text import listed, say
from bot.which_match import here, meant_game
from engine import GAMES, find_game
from engine.core.words import words_of


@app_commands.command(name="rules", description=say("command.rules.description"))
@app_commands.describe(topic=say("command.rules.topic"), game=say("command.rules.game"))
async def rules(interaction: Asked, topic: str | None = None, game: str | None = None) -> None:
    """A page of the rules, privately."""
    games = await _meant(interaction, game, topic)
    if len(games) == 1:
        await show_rules(interaction, games[0], topic or "")
        return
    # The pages of a topic that several games have, else the first page of each.
    buttons = [button(ids.rules(one, _topic(one, topic or "")), GAMES[one].title, STRONG) for one in games]
    await reply.tell(interaction, say("look.which_rules"), button_rows(buttons)[:ROWS])


async def _meant(interaction: Asked, game: str | None, topic: str | None) -> list[str]:
    """The games that may be meant: the one named, those played here, those that have the topic, or all."""
    if game:
        return [meant_game(game)]
    played = {room.info.game for room in await here(interaction)}
    with_topic = {one for one in GAMES if topic and _topic(one, topic)}
    for candidates in (played & with_topic, played, with_topic):
        if len(candidates) == 1:
            return [*candidates]
    return [one for one in GAMES if one in (played & with_topic or played or with_topic or GAMES)]


async def show_rules(interaction: Asked, game_id: str, topic: str) -> None:
    """A page of a game's rules with the menu of the others."""
    game, wording = find_game(game_id), words_of(game_id)
    if not wording.topics:
        raise NotFound(say("refusal.no_rules", game=game.title))
    key = _topic(game_id, topic) if topic else next(iter(wording.topics))
    if not key:
        raise NotFound(say("refusal.no_page", pages=listed(wording.topics)))
    await reply.tell(interaction, _page(game_id, key), _pages(game_id, key))


def _page(game_id: str, key: str) -> str:
    page = words_of(game_id).topics[key]
    title, text = page.get("title", key), page.get("text", "")
    return say("look.rules_page", game=find_game(game_id).title, title=title, text=text)


def _pages(game_id: str, shown: str) -> list[Row]:
    topics = list(words_of(game_id).topics.items())[:CHOICES]
    if len(topics) < 2:
        return []
    lines = tuple(choice(key, page.get("title", key), chosen=key == shown) for key, page in topics)
    return [Menu(ids.rules(game_id), say("look.another_page"), lines)]


def _topic(game_id: str, typed: str) -> str:
    """A topic's key, from its key or title in any case."""
    wanted = typed.strip().casefold()
    for key, page in words_of(game_id).topics.items():
        if wanted in (key, page.get("title", "").casefold()):
            return key
    return ""


async def turned(interaction: Asked, item: RulesItem) -> None:
    """Another page was chosen: the private message shows it."""
    game_id, topic = item.fields["game"], item.values[0] if item.values else item.fields["topic"]
    key = _topic(find_game(game_id).id, topic) if topic else next(iter(words_of(game_id).topics), "")
    if not key:
        raise NotFound(say("refusal.page_gone"))
    await reply.show(interaction, _page(game_id, key), _pages(game_id, key))


completion.offer(completion.topics, "topic", rules)
completion.offer(completion.games, "game", rules)
