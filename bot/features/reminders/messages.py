"""The texts and buttons of reminders: in the match's thread, in direct messages, and in digests.

A reminder in a thread is public, so it must not reveal what only its player may know, such as a
dropped plan. The texts are in [call] of en.toml.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

from bot.features.reminders.rules import AGAIN, END, LAST, TURN
from bot.features.reminders.service import Digest, Ready
from bot.kernel.clocks import DRAFT_VETO_SECONDS, effective_expiry
from bot.kernel.room import Room
from bot.model import Expiry, Job
from bot.posts import turn_message
from bot.posts.turn_message import Deadlines, Message
from bot.runtime.base import HOUR
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
"""The most matches in a digest.

Each has a button, and a message has at most 25: one is left for the list of all matches.
"""
EXTRAS_LENGTH = 600
"""The most characters for votes, changed lobbies and rematches in a digest."""
LINE_LENGTH = 300
"""The most characters for each match in a digest."""
FindDeadlines = Callable[[Room], Deadlines]
"""Returns the deadlines of a match, by seat."""
ANY_TURN_BUTTON = re.compile(turn_button("[a-z_]{1,16}"))


def make_thread_reminder(
    due: Sequence[Ready],
    mentioned: Sequence[int],
    closed: Sequence[int],
    find_deadlines: FindDeadlines,
) -> Message:
    """Return one reminder in the match's thread for all `due` reminders of its players.

    It has the most urgent of their wordings, and the buttons of the turn's post. It mentions the
    users `mentioned`, and tells the users `closed` that their direct messages are closed.
    """
    kind = max((one.kind for one in due), key=(TURN, AGAIN, LAST).index)
    room = due[-1].room
    facts = _facts(room, find_deadlines, any(one.is_last for one in due))
    content = say(f"call.{kind}", called=mentions(mentioned), **facts)
    if closed:
        content += "\n" + say("call.closed", called=mentions(closed))
    rows = turn_message.turn_rows(room, reminder=due[0].job.at)
    return Message(cut(content, CONTENT), tuple(mentioned), tuple(rows))


def make_direct_reminder(ready: Ready, find_deadlines: FindDeadlines) -> Message:
    """Return a reminder as a direct message, with a button that opens the panel there."""
    room, job, link = ready.room, ready.job, describe.link(ready.room)
    if ready.kind == END:
        text = say("call.end", result=describe.result(room, marked_names(room)), link=link)
        rows = turn_message.turn_rows(room, reminder=job.at)
        return Message(cut(text, CONTENT), (), tuple(rows))
    players = describe.others(room, job.user, marked_names(room))
    facts = _facts(room, find_deadlines, ready.is_last)
    text = say(f"call.{ready.kind}", link=link, players=players, **facts)
    # Only a direct message may say why a plan was dropped, because plans are secret.
    if dropped := describe.why_plan_dropped(room, room.own_seat(job.user)):
        text = f"{text}\n{dropped}"
    row = (_panel_button(room, say("post.your_move"), job.at),)
    return Message(cut(text, CONTENT), (), (row,))


def make_digest(job: Job, digest: Digest, find_deadlines: FindDeadlines) -> Message:
    """Return a digest as a direct message: a line and a button for each turn, then the rest."""
    extras = cut("\n".join(line for _, line in _other_lines(digest)), EXTRAS_LENGTH)
    space, number_of_turns = CONTENT - len(extras) - 1, len(digest.turns)
    lines = [say("call.digest", number=number_of_turns)] if digest.turns else []
    buttons = []
    for number, (room, _) in enumerate(digest.turns, 1):
        players = describe.others(room, job.user, marked_names(room))
        facts = _facts(room, find_deadlines, room.record.id in digest.last_in)
        line = cut(say("call.item", number=number, players=players, **facts), LINE_LENGTH)
        overflow = say("call.more", number=number_of_turns - number + 1)
        if number > MAX_LISTED or len("\n".join((*lines, line, overflow))) > space:
            lines.append(overflow)
            break
        lines.append(line)
        buttons.append(_panel_button(room, f"{number}. {describe.title(room)}", job.at))
    rows = button_rows([*buttons, _all_matches_button(job)])
    return Message("\n".join(filter(None, (*lines, extras))), (), tuple(rows))


def make_thread_digest(
    job: Job, digest: Digest, is_closed: bool, find_deadlines: FindDeadlines
) -> Message:
    """Return a digest in the thread of its first match.

    Everybody can read it there, so it only says how many other things await the player; a button
    lists them in a private answer.
    """
    room, mention = digest.rooms[0], mentions([job.user])
    others = _other_lines(digest)
    lines = [line for match_room, line in others if match_room.record.id == room.record.id]
    elsewhere = len(others) - len(lines)
    buttons = [_all_matches_button(job)]
    if digest.turns:
        facts = _facts(room, find_deadlines, room.record.id in digest.last_in)
        lines.insert(0, say("call.digest_here", called=mention, **facts))
        buttons.insert(0, _panel_button(room, say("post.your_move"), job.at))
    else:
        lines[0] = f"{mention} {lines[0]}"
    if elsewhere:
        lines.append(say("call.elsewhere", number=elsewhere))
    if is_closed:
        lines.append(say("call.closed", called=mention))
    content = cut("\n".join(lines), CONTENT)
    return Message(content, (job.user,), (tuple(buttons),))


def past_text(room: Room | None) -> str:
    """Return the text that replaces an answered reminder or, without a match, a past digest."""
    return say("call.past", **describe.facts(room)) if room else say("call.past_digest")


def is_button_of(job: Job, custom_id: str) -> bool:
    """Return whether a button is under a reminder's message; its id holds the reminder's time."""
    if not job.match:
        return custom_id == _all_matches_button(job).id
    match = ANY_TURN_BUTTON.fullmatch(custom_id)
    if match is None:
        return False
    return match["match"] == job.match and match["post"] == str(job.at)


def _other_lines(digest: Digest) -> list[tuple[Room, str]]:
    """Return the lines of a digest besides the turns, each with its match."""
    waiting = [("vote", room, vote.message, vote.ends) for room, vote in digest.votes]
    waiting += [("terms", room, 0, 0) for room in digest.lobbies]
    waiting += [("rematch", room, 0, 0) for room in digest.rematches]
    lines = []
    for key, room, message, ends in waiting:
        facts = {"game": find_game(room.record.game).title, "id": room.record.id, "at": ends}
        line = say(f"call.{key}", link=describe.link(room, message), **facts)
        lines.append((room, line))
    return lines


def _facts(room: Room, find_deadlines: FindDeadlines, is_last: bool) -> dict[str, Any]:
    deadlines = find_deadlines(room)
    expiry = effective_expiry(room) if deadlines else Expiry.REMIND
    consequence = ""
    # Where people are only reminded, running out of time has no consequences.
    if expiry is not Expiry.REMIND:
        consequence = say(f"call.then_{expiry}", hours=DRAFT_VETO_SECONDS // HOUR)
    return {
        "game": describe.title(room),
        "id": room.record.id,
        "turn": describe.whose_turn(room),
        "until": turn_message.describe_deadlines(room, deadlines),
        "then": consequence,
        "last": is_last,
    }


def _panel_button(room: Room, label: str, since: int) -> Button:
    return Button(turn_button_id(room.record.id, "move", since), label, STRONG)


def _all_matches_button(job: Job) -> Button:
    # The games feature (/games) handles this button.
    return Button(f"me:games:{job.at}", say("call.all"))
