"""/catchup: what somebody has missed in a match; and /note, which helps them remember."""

from discord import app_commands

from bot.features.catch_up.messages import catch_up_text
from bot.features.catch_up.notes import Notes
from bot.features.catch_up.service import CatchUp, Changes
from bot.kernel.room import Room
from bot.posts.turn_message import turn_rows
from bot.runtime.errors import log_error
from bot.text import say
from bot.ui import completion, describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.components import turn_button_id
from bot.ui.names import escaped, plain_names
from bot.ui.parts import Row, button
from bot.ui.pictures import Picture
from bot.ui.which_match import my_match, my_seat, seat_of
from engine import Seat, visible

DELETE_NOTE = "unnote"
"""The button that deletes a note."""


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="catchup", description=say("command.catchup.description"))
@app_commands.describe(match=say("command.option.match"))
async def catchup(interaction: MotuInteraction, match: str | None = None) -> None:
    """Show what has happened since the user last acted."""
    await show_news(interaction, await my_match(interaction, match, seated=False))


async def show_news(interaction: MotuInteraction, room: Room) -> None:
    """Show what somebody has missed in a match: in words, and all of it marked in one picture."""
    client, user = interaction.client, interaction.user.id
    seat = seat_of(interaction, room)
    changes = await client.services.require(CatchUp).changes(room, seat)
    note = await client.services.require(Notes).of(room, user)
    deadline = client.kernel.agenda.deadline(room, user)
    text = catch_up_text(room, seat, changes, note, deadline)
    picture = await _picture(interaction, room, seat, changes)
    await reply.show(interaction, text, turn_rows(room), [picture])


async def _picture(interaction: MotuInteraction, room: Room, seat: Seat | None, changes: Changes) -> Picture | None:
    """Draw the board as the reader sees it, with everything marked that they have missed."""
    view = room.playing().without_drafts().view(seat)
    try:
        scene = describe.scene(room, visible(changes.events, seat), seat)
        return await interaction.client.pictures.board(view, plain_names(room), **scene)
    except Exception as error:
        # The words tell as much.
        log_error(error)
        return None


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="note", description=say("command.note.description"))
@app_commands.describe(text=say("command.note.text"), match=say("command.option.my_match"))
async def note(interaction: MotuInteraction, text: str = "", match: str | None = None) -> None:
    """Write a note to oneself; without a text, show the one that there is."""
    room = await my_match(interaction, match, seated=True)
    if text.strip():
        await interaction.client.services.require(Notes).write(room, interaction.user.id, text)
    else:
        my_seat(interaction, room)
    with reply.answering():
        await show_note(interaction, room)


async def show_note(interaction: MotuInteraction, room: Room) -> None:
    """Show the user's note in a match, if there is one."""
    kept = await interaction.client.services.require(Notes).of(room, interaction.user.id)
    title = say("match.title", game=describe.title(room), id=room.record.id)
    rows: list[Row] = []
    if kept:
        said = say("note.shown", text=escaped(kept, len(kept)))
        rows.append((button(turn_button_id(room.record.id, DELETE_NOTE), say("note.delete")),))
    else:
        said = say("note.none")
    await reply.show(interaction, f"{title}\n{said}", rows)


completion.offer(completion.matches, "match", catchup, note)
