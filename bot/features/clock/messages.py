"""A table's terms about time and what everybody has left, in words. Pure."""

from bot.kernel.clocks import Clocks
from bot.kernel.pace import GRANTS
from bot.kernel.room import Room
from bot.runtime.clock import HOUR
from bot.text import say
from bot.ui import describe
from bot.ui.names import marked_names


def terms_text(room: Room, clocks: Clocks) -> str:
    """Return the terms of a table and, in a running match, how much time everybody has left."""
    lines = [describe.time_contract(room.record.terms.time)]
    for seat in room.match.humans() if room.match and not room.is_over else ():
        left, deadline = clocks.left(room, seat), clocks.deadline(room, seat)
        if left is None:
            continue
        if deadline is None and left <= 0:
            # Their next turn begins with that much.
            left = GRANTS[room.record.clocks.pace].increment
        facts = {"seat": seat, "hours": max(0, left) // HOUR, "at": deadline}
        lines.append(say("pace.left" if left > 0 else "pace.overdue", marked_names(room), **facts))
    return "\n".join(lines)
