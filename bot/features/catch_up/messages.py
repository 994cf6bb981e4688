"""What somebody has missed in a match, in words."""

from collections import Counter
from collections.abc import Iterable

from bot.features.catch_up.service import Changes
from bot.kernel.room import Room
from bot.text import listed, say
from bot.ui import describe
from bot.ui.names import escaped, marked_names
from bot.ui.parts import CONTENT, cut, lines_within
from engine import Event, Seat
from engine.core.words import points

MAX_OWN_CHARACTERS = 800
"""For what concerns the reader; what happened to others gets what is left."""


def catch_up_text(room: Room, seat: Seat | None, changes: Changes, note: str = "", deadline: int | None = None) -> str:
    """Tell what a seat has missed, what concerns it first; for None, what a watcher has.

    It always fits into a message.
    """
    parts = [_headline(room, seat, changes), _question_or_turn(room, seat, deadline)]
    if note:
        parts.append(say("note.shown", text=escaped(note, len(note))))
    if seat is not None:
        parts += [_points_text(room, seat, changes), describe.dropped_plan(room, seat)]
    parts = [part for part in parts if part]
    own, others, passes = _sort_events(room, seat, changes.events)
    if told := describe.told(room, own, seat):
        lines = [f"- {line}" for line in told]
        parts.append(say("catch_up.mine"))
        parts += lines_within(lines, MAX_OWN_CHARACTERS, say("catch_up.earlier"))
    if told := describe.told(room, others, seat):
        lines = [f"- {line}" for line in told]
        parts.append(say("catch_up.others" if own else "catch_up.all"))
        space = CONTENT - sum(len(part) + 1 for part in (*parts, passes))
        parts += lines_within(lines, space, say("catch_up.earlier"))
    elif not own and not passes:
        parts.append(say("catch_up.nothing"))
    if passes:
        parts.append(passes)
    return cut("\n".join(parts), CONTENT)


def _headline(room: Room, seat: Seat | None, changes: Changes) -> str:
    """Say since when everything is told."""
    since = "start" if changes.before is None else "act"
    if seat is None:
        since = "post"
    return say(f"catch_up.since_{since}", game=describe.title(room), id=room.record.id)


def _question_or_turn(room: Room, seat: Seat | None, deadline: int | None) -> str:
    """Say what is asked of the reader now, else whose turn it is."""
    match = room.playing()
    if match.outcome is not None:
        return describe.result(room, marked_names(room))
    question = match.question(seat) if seat is not None and seat in match.humans() else None
    if question is None:
        return describe.whose_turn(room)
    asked = describe.words(room).question(question, marked_names(room), match.view(seat))
    return say("catch_up.asked", question=asked, ends=f"<t:{deadline}:R>" if deadline else "")


def _points_text(room: Room, seat: Seat, changes: Changes) -> str:
    """Say how the reader's own points have changed; '' if they have not."""
    now = room.playing().without_drafts().view(seat).scores
    was = changes.before.view(seat).scores if changes.before else ()
    if not now or not was or now[seat] == was[seat]:
        return ""
    return say("catch_up.points", was=points(was[seat]), now=points(now[seat]))


def _sort_events(room: Room, seat: Seat | None, events: Iterable[Event]) -> tuple[list[Event], list[Event], str]:
    """Return what concerns the reader, what does not, and a line that says who passed how often."""
    own: list[Event] = []
    others: list[Event] = []
    passes: Counter[int] = Counter()
    for event in events:
        named = describe.words(room).seats_in(event)
        if seat is not None and (seat in named or event.audience == (seat,)):
            own.append(event)
        elif event.is_pass and len(named) == 1:
            passes.update(named)
        else:
            others.append(event)
    if not passes:
        return own, others, ""
    names = marked_names(room)
    who = listed(say("catch_up.times", name=names[idle], number=times) for idle, times in sorted(passes.items()))
    return own, others, say("catch_up.passed", who=who)
