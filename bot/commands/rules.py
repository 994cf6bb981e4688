"""/rules: the pages of a game's rules help."""

from discord import app_commands

from bot import reply
from bot.commands import completion
from bot.components import ids
from bot.components.items import Asked, RulesItem
from bot.components.parts import CHOICES, Menu, Row, choice
from bot.errors import NotFound, Refused
from bot.which_match import here, meant_game
from engine import GAMES, find_game
from engine.core.words import words_of


@app_commands.command(name="rules", description="How a game goes")
@app_commands.describe(topic="Which page", game="Which game")
async def rules(interaction: Asked, topic: str | None = None, game: str | None = None) -> None:
    """A page of the rules, privately."""
    await reply.acknowledge(interaction)
    await show_rules(interaction, await _ruled(interaction, game, topic), topic or "")


async def _ruled(interaction: Asked, game: str | None, topic: str | None) -> str:
    """The game meant: the one named, the one played here, one that has the topic, or the only one."""
    if game:
        return meant_game(game)
    played = {room.info.game for room in await here(interaction)}
    with_topic = {g for g in GAMES if topic and _topic(g, topic)}
    for candidates in (played & with_topic, played, with_topic, set(GAMES)):
        if len(candidates) == 1:
            return candidates.pop()
    raise Refused(f"Say which game with `game:`: {', '.join(GAMES)}.")


async def show_rules(interaction: Asked, game_id: str, topic: str) -> None:
    """A page of a game's rules with the menu of the others."""
    game, wording = find_game(game_id), words_of(game_id)
    if not wording.topics:
        raise NotFound(f"There is no rules help for {game.title} yet.")
    key = _topic(game_id, topic) if topic else next(iter(wording.topics))
    if not key:
        raise NotFound(f"There is no such page. Pages: {', '.join(wording.topics)}.")
    page = wording.topics[key]
    said = f"**{game.title}: {page.get('title', key)}**\n{page.get('text', '')}"
    await reply.tell(interaction, said, _pages(game_id, key))


def _pages(game_id: str, shown: str) -> list[Row]:
    topics = words_of(game_id).topics
    lines = tuple(
        choice(key, page.get("title", key), chosen=key == shown) for key, page in list(topics.items())[:CHOICES]
    )
    return [Menu(ids.rules(game_id), "Another page", lines)] if len(lines) > 1 else []


def _topic(game_id: str, typed: str) -> str:
    """A topic's key, from its key or title in any case."""
    wanted = typed.strip().casefold()
    topics = words_of(game_id).topics
    return next((key for key, page in topics.items() if wanted in (key, page.get("title", "").casefold())), "")


async def turned(interaction: Asked, item: RulesItem) -> None:
    """Another page was chosen: the private message shows it."""
    game_id, topic = item.fields["game"], item.values[0] if item.values else item.fields["topic"]
    key = _topic(find_game(game_id).id, topic)
    if not key:
        raise NotFound("That page of the rules is gone. `/rules` shows those there are.")
    page = words_of(game_id).topics[key]
    await reply.acknowledge(interaction)
    said = f"**{find_game(game_id).title}: {page.get('title', key)}**\n{page.get('text', '')}"
    await reply.show(interaction, said, _pages(game_id, key))


@rules.autocomplete("topic")
async def _complete_topic(interaction: Asked, current: str) -> completion.Choices:
    return await completion.topics(interaction, current)


@rules.autocomplete("game")
async def _complete_game(interaction: Asked, current: str) -> completion.Choices:
    return await completion.games(interaction, current)
