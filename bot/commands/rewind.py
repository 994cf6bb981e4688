"""/rewind: an earlier point chosen, looked at, and proposed to the table."""

from typing import Any

from discord import app_commands

from bot import reply
from bot.commands import completion, votes
from bot.components import ids
from bot.components.items import Asked, RewindItem
from bot.components.parts import CHOICE_TEXT, CHOICES, STRONG, button, cut
from bot.errors import Refused
from bot.matches.rewind import REWIND, Point, stands
from bot.matches.room import Room, Status
from bot.pictures import NotDrawn
from bot.text import describe, say
from bot.text.names import marked_names, plain_names
from bot.which_match import my_match, my_seat, named
from engine import Seat

LONGEST = 120
"""Characters of a turn that would be undone."""
LISTED = 6
"""Turns that would be undone which are told one by one."""


@app_commands.command(name="rewind", description=say("command.rewind.description"))
@app_commands.describe(to=say("command.rewind.to"), match=say("command.option.my_match"))
async def rewind(interaction: Asked, to: str, match: str | None = None) -> None:
    """What it would be to go back there, to the asker alone; a press asks the table."""
    room = await my_match(interaction, match, seated=True)
    my_seat(interaction, room)
    _must_run(room)
    rewinds = interaction.client.matches.rewinds
    wanted = to.strip()
    point = await rewinds.point(room, int(wanted) if wanted.isdecimal() and len(wanted) < 7 else -1)
    there = await rewinds.at(room, point.number)
    try:
        board = await interaction.client.pictures.board(there.playing().view(None), plain_names(there))
    except NotDrawn:
        board = None
    several = len(room.people(Seat(seat) for seat in range(room.playing().seats))) > 1
    facts = await _facts(interaction, room, point)
    said = say("rewind.preview", game=describe.title(room), several=several, **facts)
    asks = ids.rewind(room.info.id, point.number, stands(room.playing()))
    ask = button(asks, say("rewind.ask", several=several), STRONG)
    await reply.show(interaction, said, [(ask,)], [board])


async def pressed(interaction: Asked, item: RewindItem) -> None:
    """The table asked, unless the match has moved on since the board was shown."""
    room = await named(interaction, item.fields["match"])
    my_seat(interaction, room)
    _must_run(room)
    if stands(room.playing()) != item.fields["at"]:
        raise Refused(say("rewind.moved_on"))
    point = await interaction.client.matches.rewinds.point(room, int(item.fields["to"]))
    facts: dict[str, Any] = {"to": point.number, "at": stands(room.playing())}
    await votes.propose(interaction, room, REWIND, facts | await _facts(interaction, room, point))


async def _facts(interaction: Asked, room: Room, point: Point) -> dict[str, Any]:
    """What would be undone, in words that everyone may read."""
    later = [other for other in await interaction.client.matches.rewinds.points(room) if other.number >= point.number]
    lines = [say("rewind.undone", told=cut(_told(room, other), LONGEST)) for other in later[:LISTED]]
    if len(later) > LISTED:
        lines.append(say("rewind.more_undone", number=len(later) - LISTED))
    return {"before": cut(_told(room, point), LONGEST), "number": len(later), "undone": "\n".join(lines)}


def _told(room: Room, point: Point) -> str:
    return describe.told_within(room, point.events, None, marked_names(room), LONGEST)


def _must_run(room: Room) -> None:
    room.playing()
    if room.info.status is not Status.RUNNING:
        raise Refused(say("rewind.not_running"))


@rewind.autocomplete("to")
@completion.quiet
async def _complete_point(interaction: Asked, current: str) -> completion.Choices:
    room = await my_match(interaction, completion.named_match(interaction), seated=True)
    my_seat(interaction, room)
    rewinds, wanted, found = interaction.client.matches.rewinds, current.casefold().strip(), []
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


COMMANDS: tuple[app_commands.Command[Any, Any, Any], ...] = (rewind,)
