"""/play, /undo, /resign: the keyboard way for every decision of every game."""

from typing import Any

from discord import app_commands

from bot import reply
from bot.commands import completion
from bot.components import ids
from bot.components.ids import Control
from bot.components.items import Asked
from bot.components.parts import GRAVE, button
from bot.errors import Refused
from bot.matches.room import Press, Room
from bot.panel import presses, typed
from bot.panel.build import build_offers, build_panel
from bot.text import describe, say
from bot.which_match import my_match, my_seat
from engine import Seat


@app_commands.command(name="play", description=say("command.play.description"))
@app_commands.describe(move=say("command.play.move"), match=say("command.option.my_match"))
async def play(interaction: Asked, move: str | None = None, match: str | None = None) -> None:
    """The panel, or a turn typed at once."""
    room = await my_match(interaction, match, seated=True)
    seat = my_seat(interaction, room)
    if move is None or not move.strip():
        await presses.open_panel(interaction, room)
        return
    await _typed(interaction, room, seat, move)


async def _typed(interaction: Asked, room: Room, seat: Seat, move: str) -> None:
    match = room.info.id
    if room.is_paused:
        # Whatever the text says: a paused match takes no moves, and that is what has to be known.
        await presses.open_panel(interaction, room)
        return
    if typed.only_asks(room, seat, move):
        try:
            ((kind, keys),) = typed.parse(room, seat, move).answers
            made = build_offers(room, seat, kind, keys)
        except Refused as error:
            made = build_panel(room, seat, notice=str(error))
        await presses.show_panel(interaction, room, seat, made)
        return
    press = Press(match, interaction.user.id, interaction.id, room.playing().turn(seat))
    deed = interaction.client.matches.play(press, lambda room, seat: typed.parse(room, seat, move).carried_out(seat))
    await presses.answered(interaction, match, seat, deed)


@app_commands.command(name="undo", description=say("command.undo.description"))
@app_commands.describe(all=say("command.undo.all"), match=say("command.option.my_match"))
async def undo(interaction: Asked, all: bool = False, match: str | None = None) -> None:
    """The last pick of the draft taken back."""
    room = await my_match(interaction, match, seated=True)
    seat = my_seat(interaction, room)
    press = Press(room.info.id, interaction.user.id, interaction.id)
    await presses.answered(interaction, room.info.id, seat, interaction.client.matches.undo(press, everything=all))


@app_commands.command(name="resign", description=say("command.resign.description"))
@app_commands.describe(match=say("command.option.my_match"))
async def resign(interaction: Asked, match: str | None = None) -> None:
    """The question whether to give the seat up."""
    room = await my_match(interaction, match, seated=True, in_turn=False)
    seat = my_seat(interaction, room)
    playing = room.playing()
    if room.is_over:
        raise Refused(say("refusal.over"))
    if seat in playing.resigned:
        raise Refused(say("refusal.resigned_already"))
    yes = Control(ids.RESIGN, room.info.id, seat, playing.turn(seat))
    ends = len(playing.humans()) <= 2
    said = say("panel.resign", game=describe.title(room), id=room.info.id, ends=ends)
    await reply.tell(interaction, said, [(button(str(yes), say("panel.resign_yes"), GRAVE),)])


@play.autocomplete("move")
@completion.quiet
async def _complete_move(interaction: Asked, current: str) -> completion.Choices:
    room = await my_match(interaction, completion.named_match(interaction), seated=True)
    return completion.choices(typed.complete(room, my_seat(interaction, room), current))


completion.offer(completion.matches, "match", play, undo, resign)


COMMANDS: tuple[app_commands.Command[Any, Any, Any], ...] = (play, undo, resign)
