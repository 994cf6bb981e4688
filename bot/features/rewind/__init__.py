"""/rewind: choose an earlier point, look at it, and propose it to the table.

service.py has what can be taken back, by a player alone or by a vote, and how.
"""

from collections.abc import Iterator
from typing import Any

from bot.features.rewind.service import REWIND, Rewinds, fingerprint
from bot.features.votes import discord as votes
from bot.features.votes.messages import draw_position
from bot.features.votes.service import Votes
from bot.kernel.feature import Parts
from bot.kernel.kernel import Kernel
from bot.kernel.room import Room
from bot.model.match import Status
from bot.runtime.errors import Refused
from bot.text import say
from bot.ui import describe, reply
from bot.ui.client import MotuInteraction, service
from bot.ui.commands import Choices, autocomplete, named_match, slash
from bot.ui.components import MATCH, Item
from bot.ui.feature import Feature
from bot.ui.names import marked_names, plain_names
from bot.ui.parts import CHOICE_TEXT, STRONG, button
from bot.ui.which_match import my_match, my_seat, my_seated_match
from engine import Seat

TURN_LENGTH = 120
"""Characters that tell of a turn which would be undone."""
TURNS_LISTED = 6
"""Turns that would be undone which are told one by one."""


@slash("rewind", dms=True, match="my_match")
async def rewind(interaction: MotuInteraction, to: str, match: str | None = None) -> None:
    """Show privately what going back would mean; a press asks the table."""
    # Without votes nobody can agree to it.
    service(interaction, Votes)
    room = await my_match(interaction, match, seated=True)
    wanted = to.strip()
    facts = await _describe_rewind(
        interaction, room, int(wanted) if wanted.isdecimal() and len(wanted) < 7 else -1
    )
    there = await service(interaction, Rewinds).at(room, facts["to"])
    board = await draw_position(interaction.client, there)
    several = len(room.people(Seat(seat) for seat in range(room.playing().seats))) > 1
    words = say("rewind.preview", game=describe.title(room), several=several, **facts)
    custom_id = f"z:{room.record.id}:{facts['to']}:{facts['at']}"
    ask = button(custom_id, say("rewind.ask", several=several), STRONG)
    await reply.show(interaction, words, [(ask,)], [board])


class RewindButton(Item, template=rf"z:{MATCH}:(?P<to>\d{{1,6}}):(?P<at>[0-9a-f]{{16}})"):
    """Asks the table to go back to a commit, from where the match stands."""

    async def on_press(self, interaction: MotuInteraction) -> None:
        """Ask the table, unless the match has moved on since the board was shown."""
        room = await self.room(interaction)
        facts = await _describe_rewind(interaction, room, int(self.fields["to"]), self.fields["at"])
        await votes.propose(interaction, room, REWIND, facts)


async def _describe_rewind(
    interaction: MotuInteraction, room: Room, to: int, at: str = ""
) -> dict[str, Any]:
    """Return the facts of a vote to go back: what would be undone, in words that everyone may read.

    Refuses what the user cannot ask for, or if the match does not stand `at` that fingerprint any
    more.
    """
    my_seat(interaction, room)
    stands_at = fingerprint(room.playing())
    if room.record.status is not Status.RUNNING:
        raise Refused("rewind.not_running")
    if at and at != stands_at:
        raise Refused("rewind.moved_on")
    undone = [
        point for point in await service(interaction, Rewinds).points(room) if point.number >= to
    ]
    if to < 0 or not undone or undone[-1].number != to:
        raise Refused("rewind.no_point")
    told = [
        describe.told_within(room, point.events, None, marked_names(room), TURN_LENGTH)
        for point in undone
    ]
    lines = [say("rewind.undone", told=line) for line in told[:TURNS_LISTED]]
    if len(undone) > TURNS_LISTED:
        lines.append(say("rewind.more_undone", number=len(undone) - TURNS_LISTED))
    return {
        "to": to,
        "at": stands_at,
        "before": told[-1],
        "number": len(undone),
        "undone": "\n".join(lines),
    }


@rewind.autocomplete("to")
@autocomplete
async def _complete_point(interaction: MotuInteraction, current: str) -> Choices:
    room, _ = await my_seated_match(interaction, named_match(interaction))
    points = await service(interaction, Rewinds).points(room)
    wanted, wording, names = current.casefold().strip(), describe.words(room), plain_names(room)

    def offer_points() -> Iterator[tuple[str, str]]:
        for back, point in enumerate(points, start=1):
            told = describe.told_within(room, point.events, None, names, CHOICE_TEXT)
            line = say("rewind.point", back=back, stage=wording.stage(point.stage), told=told)
            if wanted in line.casefold() or wanted == str(point.number):
                yield line, str(point.number)

    return offer_points()


def build(kernel: Kernel) -> Parts:
    """Make what takes matches back; a rewind of the whole table needs votes, taking back one's
    own turn does not.
    """
    rewinds = Rewinds(kernel)
    if registry := kernel.services.get(Votes):
        registry.register(rewinds.kind())
    return Parts(services=(rewinds,))


FEATURE = Feature(name="rewind", build=build, commands=(rewind,), items=(RewindButton,))
