"""The words and buttons of reminders: where the match is played, directly, or in a digest."""

import re
from collections.abc import Callable, Sequence

from bot.features.reminders.rules import AGAIN, END, LAST, TURN
from bot.features.reminders.service import Digest, Ready
from bot.kernel.room import Room
from bot.model import Job
from bot.posts import turn_message
from bot.posts.turn_message import Message, Untils
from bot.text import say
from bot.ui import (
    CONTENT,
    STRONG,
    Button,
    button_rows,
    cut,
    describe,
    marked_names,
    mentions,
    turn_button,
    turn_button_id,
)
from engine import find_game

MAX_LISTED = 24
"""Matches that a digest names, each with a button of its own; the last button shows all."""
EXTRAS_LENGTH = 600
"""Characters for the votes and changed lobbies in a digest."""
LINE_LENGTH = 300
"""Characters for each match in a digest."""
Deadlines = Callable[[Room], Untils]
"""Given a match, when the time of those runs out for whom a clock runs."""
ANY_TURN_BUTTON = re.compile(turn_button("[a-z_]{1,16}"))


def here(
    due: Sequence[Ready],
    mentioned: Sequence[int],
    closed: Sequence[int],
    deadlines: Deadlines,
) -> Message:
    """Return a reminder where the match is played, for all who are reminded there now.

    It speaks of the most pressing of the reminders, and has the buttons of the turn. Those whose
    direct messages are `closed` are told so.
    """
    kind = max((one.kind for one in due), key=(TURN, AGAIN, LAST).index)
    room = due[-1].room
    content = say(f"call.{kind}", called=mentions(mentioned), **_facts(room, deadlines))
    if closed:
        content += "\n" + say("call.closed", called=mentions(closed))
    rows = turn_message.turn_rows(room, call=due[0].job.at)
    return Message(cut(content, CONTENT), tuple(mentioned), tuple(rows))


def direct(ready: Ready, deadlines: Deadlines) -> Message:
    """Return a reminder in a direct message, where the panel opens right there.

    Everyone may know what it says, except why the plan of its reader was dropped.
    """
    room, job, link = ready.room, ready.job, describe.link(ready.room)
    if ready.kind == END:
        said = say("call.end", result=describe.result(room, marked_names(room)), link=link)
        rows = turn_message.turn_rows(room, call=job.at)
        return Message(cut(said, CONTENT), (), tuple(rows))
    players = describe.others(room, job.user, marked_names(room))
    said = say(f"call.{ready.kind}", link=link, players=players, **_facts(room, deadlines))
    if dropped := describe.dropped_plan(room, room.own_seat(job.user)):
        said = f"{said}\n{dropped}"
    row = (_panel_button(room, say("post.your_move"), job.at),)
    return Message(cut(said, CONTENT), (), (row,))


def digest(job: Job, found: Digest, deadlines: Deadlines) -> Message:
    """Return all that waits for somebody: a line and a button for each turn, then the rest."""
    told = cut("\n".join(line for _, line in _other_lines(found)), EXTRAS_LENGTH)
    most, number_of_turns = CONTENT - len(told) - 1, len(found.turns)
    lines = [say("call.digest", number=number_of_turns)] if found.turns else []
    buttons = []
    for number, (room, _) in enumerate(found.turns, 1):
        players = describe.others(room, job.user, marked_names(room))
        line = cut(
            say("call.item", number=number, players=players, **_facts(room, deadlines)), LINE_LENGTH
        )
        left = say("call.more", number=number_of_turns - number + 1)
        if number > MAX_LISTED or len("\n".join((*lines, line, left))) > most:
            lines.append(left)
            break
        lines.append(line)
        buttons.append(_panel_button(room, f"{number}. {describe.title(room)}", job.at))
    rows = button_rows([*buttons, _all_matches_button(job)])
    return Message("\n".join(filter(None, (*lines, told))), (), tuple(rows))


def digest_here(job: Job, found: Digest, is_closed: bool, deadlines: Deadlines) -> Message:
    """Return the digest where its first match is played.

    What else waits is behind a button: everyone can read this.
    """
    room, called = found.rooms[0], mentions([job.user])
    others = _other_lines(found)
    lines = [line for one, line in others if one.record.id == room.record.id]
    elsewhere = len(others) - len(lines)
    buttons = [_all_matches_button(job)]
    if found.turns:
        lines.insert(0, say("call.digest_here", called=called, **_facts(room, deadlines)))
        buttons.insert(0, _panel_button(room, say("post.your_move"), job.at))
    else:
        lines[0] = f"{called} {lines[0]}"
    if elsewhere:
        lines.append(say("call.elsewhere", number=elsewhere))
    if is_closed:
        lines.append(say("call.closed", called=called))
    return Message(cut("\n".join(lines), CONTENT), (job.user,), (tuple(buttons),))


def past(room: Room | None) -> str:
    """Return what is left of an answered reminder; without a match, of a digest."""
    return say("call.past", **describe.facts(room)) if room else say("call.past_digest")


def is_of(job: Job, custom_id: str) -> bool:
    """Whether a button belongs to the message of a reminder: its id says when that was due."""
    if not job.match:
        return custom_id == _all_matches_button(job).id
    found = ANY_TURN_BUTTON.fullmatch(custom_id)
    return found is not None and (found["match"], found["post"]) == (job.match, str(job.at))


def _other_lines(found: Digest) -> list[tuple[Room, str]]:
    """Return the lines of a digest besides the turns, each with its match."""
    waiting = [("vote", room, vote.message, vote.ends) for room, vote in found.votes]
    waiting += [("terms", room, 0, 0) for room in found.lobbies]
    waiting += [("rematch", room, 0, 0) for room in found.rematches]
    lines = []
    for key, room, message, at in waiting:
        facts = {"game": find_game(room.record.game).title, "id": room.record.id, "at": at}
        line = say(f"call.{key}", link=describe.link(room, message), **facts)
        lines.append((room, line))
    return lines


def _facts(room: Room, deadlines: Deadlines) -> dict[str, str]:
    untils = deadlines(room)
    return {
        "game": describe.title(room),
        "id": room.record.id,
        "turn": describe.whose_turn(room),
        "until": turn_message.until(room, untils),
        # Where a clock runs, what happens at its end.
        "then": describe.expiry(room.record.terms.time.expiry) if untils else "",
    }


def _panel_button(room: Room, label: str, since: int) -> Button:
    return Button(turn_button_id(room.record.id, "move", since), label, STRONG)


def _all_matches_button(job: Job) -> Button:
    # The feature that has /games answers it.
    return Button(f"me:games:{job.at}", say("call.all"))
