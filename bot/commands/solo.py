"""/solo and /learn: one person and computers at a table in one command, in a server or in a direct message."""

from typing import Any

from discord import app_commands

from bot import reply
from bot.commands import completion, lobby
from bot.commands.computers import as_level
from bot.components.items import Asked
from bot.errors import Refused
from bot.hosting import place_for
from bot.matches.room import Terms
from bot.text import say
from bot.which_match import meant_game
from engine import GAMES
from engine.core.game import seats_in_words
from engine.core.words import words_of
from engine.players import LEVELS, Level

SEATS = ("2", "3", "4", "5")
"""Written out: the games are not loaded yet when commands are described."""


@app_commands.command(name="solo", description=say("command.solo.description"), extras=reply.IF_SLOW)
@app_commands.describe(
    game_id=say("command.new.game"), level=say("command.solo.level"), seats=say("command.solo.seats")
)
@app_commands.choices(
    level=[app_commands.Choice(name=say(f"level.{level}"), value=level) for level in LEVELS],
    seats=[app_commands.Choice(name=seats, value=seats) for seats in SEATS],
)
@app_commands.rename(game_id="game")
async def solo(interaction: Asked, game_id: str, level: str = LEVELS[0], seats: str = SEATS[0]) -> None:
    """A match against computers, begun at once."""
    game, number = GAMES[meant_game(game_id)], int(seats)
    if number not in game.seats:
        least, most = seats_in_words(game)
        raise Refused(say("refusal.solo_seats", game=game.title, least=least, most=most, seats=seats))
    await _begin(interaction, game.id, [as_level(level)] * (number - 1), Terms())


@app_commands.command(name="learn", description=say("command.learn.description"), extras=reply.IF_SLOW)
@app_commands.describe(game_id=say("command.new.game"))
@app_commands.rename(game_id="game")
async def learn(interaction: Asked, game_id: str) -> None:
    """A first match, against easy computers and with a coach."""
    game = GAMES[meant_game(game_id)]
    if not words_of(game.id).lesson("begins"):
        raise Refused(say("refusal.no_lesson", game=game.title))
    await _begin(interaction, game.id, [LEVELS[0]] * (game.seats[0] - 1), Terms(lesson=True))


async def _begin(interaction: Asked, game: str, computers: list[Level], terms: Terms) -> None:
    where = await place_for(interaction)
    matches, host = interaction.client.matches, lobby.person(interaction)
    room = await matches.open_lobby(game, {}, where, host, interaction.id, computers, terms)
    await lobby.show(interaction, room)
    # At once: as long as a computer thinks about the first turn, nobody shall find a lobby that asks to be started.
    await interaction.client.lobbies.refresh(await matches.start(room.info.id, host, waits=False))


completion.offer(completion.games, "game_id", solo, learn)


COMMANDS: tuple[app_commands.Command[Any, Any, Any], ...] = (solo, learn)
