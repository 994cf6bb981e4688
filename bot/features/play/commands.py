"""/play, /undo, /resign: the keyboard way for every decision of every game."""

from discord import app_commands

from bot.features.play import controls, presses, typed
from bot.features.play.controls import Control
from bot.features.play.panel import build_offers, build_panel
from bot.features.play.service import Play
from bot.features.play.suggestions import suggest_moves
from bot.kernel.room import Press, Room
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import completion, describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.parts import GRAVE, button
from bot.ui.which_match import my_match, my_seat
from engine import Seat


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="play", description=say("command.play.description"))
@app_commands.describe(move=say("command.play.move"), match=say("command.option.my_match"))
async def play(interaction: MotuInteraction, move: str | None = None, match: str | None = None) -> None:
    """Open the panel, or make a typed move."""
    room = await my_match(interaction, match, seated=True)
    seat = my_seat(interaction, room)
    # Whatever is typed, a paused match takes no moves, and the panel says so.
    if move is None or not move.strip() or room.is_paused:
        await presses.open_panel(interaction, room)
    elif typed.asks_about_offer(room, seat, move):
        await _show_offer(interaction, room, seat, move)
    else:
        press = Press(room.record.id, interaction.user.id, interaction.id, room.playing().turn(seat))
        made = interaction.client.services.require(Play).play(
            press, lambda room, seat: typed.parse(room, seat, move).apply(seat)
        )
        await presses.make_move(interaction, room.record.id, seat, made)


async def _show_offer(interaction: MotuInteraction, room: Room, seat: Seat, move: str) -> None:
    """Ask whether to take an offer that was typed."""
    try:
        ((kind, keys),) = typed.parse(room, seat, move).answers
        panel = build_offers(room, seat, kind, keys)
    except Refused as error:
        panel = build_panel(room, seat, notice=str(error))
    await presses.show_panel(interaction, room, seat, panel)


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="undo", description=say("command.undo.description"))
@app_commands.describe(all=say("command.undo.all"), match=say("command.option.my_match"))
async def undo(interaction: MotuInteraction, all: bool = False, match: str | None = None) -> None:
    """Take back the last pick of the draft; without a draft, the last turn."""
    room = await my_match(interaction, match, seated=True)
    seat = my_seat(interaction, room)
    press = Press(room.record.id, interaction.user.id, interaction.id)
    undone = interaction.client.services.require(Play).undo(press, everything=all)
    await presses.make_move(interaction, room.record.id, seat, undone)


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="resign", description=say("command.resign.description"))
@app_commands.describe(match=say("command.option.my_match"))
async def resign(interaction: MotuInteraction, match: str | None = None) -> None:
    """Ask whether to give the seat up."""
    room = await my_match(interaction, match, seated=True, in_turn=False)
    seat = my_seat(interaction, room)
    playing = room.playing()
    if room.is_over:
        raise Refused(say("refusal.over"))
    if seat in playing.resigned:
        raise Refused(say("refusal.resigned_already"))
    yes = Control(controls.RESIGN, room.record.id, seat, playing.turn(seat))
    ends = len(playing.humans()) <= 2
    said = say("panel.resign", game=describe.title(room), id=room.record.id, ends=ends)
    await reply.tell(interaction, said, [(button(str(yes), say("panel.resign_yes"), GRAVE),)])


@play.autocomplete("move")
@completion.quiet
async def _complete_move(interaction: MotuInteraction, current: str) -> completion.Choices:
    room = await my_match(interaction, completion.named_match(interaction), seated=True)
    return completion.choices(suggest_moves(room, my_seat(interaction, room), current))


completion.offer(completion.matches, "match", play, undo, resign)
