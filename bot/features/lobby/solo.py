"""/solo and /learn: a match against computers that begins at once, in a server or in a direct message."""

from discord import app_commands

from bot.features.lobby.computer_seats import as_level
from bot.features.lobby.opening import show_new_lobby
from bot.features.lobby.opening_rules import place_for
from bot.features.lobby.posts import LobbyMessages
from bot.features.lobby.service import Lobby
from bot.model.match import Terms
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import completion, reply
from bot.ui.client import MotuInteraction
from bot.ui.names import person
from bot.ui.which_match import meant_game
from engine import GAMES
from engine.core.game import seats_in_words
from engine.core.words import words_of
from engine.players import LEVELS, Level

SEATS = ("2", "3", "4", "5")
"""Written out: the games are not loaded yet when commands are described."""


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="solo", description=say("command.solo.description"), extras=reply.IF_SLOW)
@app_commands.describe(
    game_id=say("command.new.game"), level=say("command.solo.level"), seats=say("command.solo.seats")
)
@app_commands.choices(
    level=[app_commands.Choice(name=say(f"level.{level}"), value=level) for level in LEVELS],
    seats=[app_commands.Choice(name=seats, value=seats) for seats in SEATS],
)
@app_commands.rename(game_id="game")
async def solo(interaction: MotuInteraction, game_id: str, level: str = LEVELS[0], seats: str = SEATS[0]) -> None:
    """Begin a match against computers."""
    game, number = GAMES[meant_game(game_id)], int(seats)
    if number not in game.seats:
        least, most = seats_in_words(game)
        raise Refused(say("refusal.solo_seats", game=game.title, least=least, most=most, seats=seats))
    await _begin(interaction, game.id, [as_level(level)] * (number - 1), Terms())


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="learn", description=say("command.learn.description"), extras=reply.IF_SLOW)
@app_commands.describe(game_id=say("command.new.game"))
@app_commands.rename(game_id="game")
async def learn(interaction: MotuInteraction, game_id: str) -> None:
    """Begin a first match, against easy computers and with a coach."""
    game = GAMES[meant_game(game_id)]
    if not words_of(game.id).lesson("begins"):
        raise Refused(say("refusal.no_lesson", game=game.title))
    await _begin(interaction, game.id, [LEVELS[0]] * (game.seats[0] - 1), Terms(lesson=True))


completion.offer(completion.games, "game_id", solo, learn)


async def _begin(interaction: MotuInteraction, game: str, computers: list[Level], terms: Terms) -> None:
    lobby = interaction.client.services.require(Lobby)
    place, host = await place_for(interaction), person(interaction)
    room = await lobby.open(game, {}, place, host, interaction.id, computers, terms)
    await show_new_lobby(interaction, room)
    # Not waited for: while a computer thinks about the first turn, nobody shall see a lobby that asks to be started.
    room = await lobby.start(room.record.id, host, waits=False)
    await interaction.client.services.require(LobbyMessages).refresh(room)
