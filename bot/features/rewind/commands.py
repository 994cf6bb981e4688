"""/rewind: choose an earlier point, look at it, and propose it to the table."""

from typing import Any

from discord import app_commands

from bot.features.rewind.service import REWIND, Point, Rewinds, fingerprint
from bot.features.votes import discord as votes
from bot.features.votes.service import Votes
from bot.kernel.room import Room
from bot.model.match import Status
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import completion, describe, reply
from bot.ui.client import MotuInteraction
from bot.ui.components import MATCH, Item
from bot.ui.names import marked_names, plain_names
from bot.ui.parts import CHOICE_TEXT, CHOICES, STRONG, button, cut
from bot.ui.pictures import NotDrawn
from bot.ui.which_match import my_match, my_seat, named
from engine import Seat

TURN_LENGTH = 120
"""Characters that tell of a turn which would be undone."""
TURNS_LISTED = 6
"""Turns that would be undone which are told one by one."""


@app_commands.allowed_contexts(dms=True)
@app_commands.command(name="rewind", description=say("command.rewind.description"))
@app_commands.describe(to=say("command.rewind.to"), match=say("command.option.my_match"))
async def rewind(interaction: MotuInteraction, to: str, match: str | None = None) -> None:
    """Show privately what going back would mean; a press asks the table."""
    # Without votes nobody can agree to it.
    interaction.client.services.require(Votes)
    room = await my_match(interaction, match, seated=True)
    my_seat(interaction, room)
    _must_run(room)
    rewinds = interaction.client.services.require(Rewinds)
    wanted = to.strip()
    point = await rewinds.point(room, int(wanted) if wanted.isdecimal() and len(wanted) < 7 else -1)
    there = await rewinds.at(room, point.number)
    try:
        board = await interaction.client.pictures.board(there.playing().view(None), plain_names(there))
    except NotDrawn:
        board = None
    several = len(room.people(Seat(seat) for seat in range(room.playing().seats))) > 1
    facts = await _facts(rewinds, room, point)
    words = say("rewind.preview", game=describe.title(room), several=several, **facts)
    custom_id = rewind_button_id(room.record.id, point.number, fingerprint(room.playing()))
    ask = button(custom_id, say("rewind.ask", several=several), STRONG)
    await reply.show(interaction, words, [(ask,)], [board])


def rewind_button_id(match: str, to: int, at: str) -> str:
    """Return the id of a button that asks the table to go back."""
    return f"z:{match}:{to}:{at}"


class RewindButton(Item, template=rf"z:{MATCH}:(?P<to>\d{{1,6}}):(?P<at>[0-9a-f]{{16}})"):
    """Asks the table to go back to a commit, from where the match stands."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Ask the table, unless the match has moved on since the board was shown."""
        room = await named(interaction, self.fields["match"])
        my_seat(interaction, room)
        _must_run(room)
        at = fingerprint(room.playing())
        if at != self.fields["at"]:
            raise Refused(say("rewind.moved_on"))
        rewinds = interaction.client.services.require(Rewinds)
        point = await rewinds.point(room, int(self.fields["to"]))
        facts = {"to": point.number, "at": at, **await _facts(rewinds, room, point)}
        await votes.propose(interaction, room, REWIND, facts)


async def _facts(rewinds: Rewinds, room: Room, point: Point) -> dict[str, Any]:
    """Return what would be undone, in words that everyone may read."""
    undone = [other for other in await rewinds.points(room) if other.number >= point.number]
    lines = [say("rewind.undone", told=_events_text(room, other)) for other in undone[:TURNS_LISTED]]
    if len(undone) > TURNS_LISTED:
        lines.append(say("rewind.more_undone", number=len(undone) - TURNS_LISTED))
    return {"before": _events_text(room, point), "number": len(undone), "undone": "\n".join(lines)}


def _events_text(room: Room, point: Point) -> str:
    return describe.told_within(room, point.events, None, marked_names(room), TURN_LENGTH)


def _must_run(room: Room) -> None:
    room.playing()
    if room.record.status is not Status.RUNNING:
        raise Refused(say("rewind.not_running"))


@rewind.autocomplete("to")
@completion.quiet
async def _complete_point(interaction: MotuInteraction, current: str) -> completion.Choices:
    room = await my_match(interaction, completion.named_match(interaction), seated=True)
    my_seat(interaction, room)
    rewinds, wanted, found = interaction.client.services.require(Rewinds), current.casefold().strip(), []
    wording, names = describe.words(room), plain_names(room)
    for back, point in enumerate(await rewinds.points(room), start=1):
        stage = wording.stage(point.stage)
        told = describe.told_within(room, point.events, None, names, CHOICE_TEXT)
        line = say("rewind.point", back=back, stage=stage, told=told)
        if wanted in line.casefold() or wanted == str(point.number):
            found.append((cut(line, CHOICE_TEXT), str(point.number)))
            if len(found) == CHOICES:
                break
    return completion.choices(found)


completion.offer(completion.matches, "match", rewind)
