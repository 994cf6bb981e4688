"""The public message of a turn: what happened, whose turn it is, the picture and its buttons."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.components import ids
from bot.components.parts import CONTENT, STRONG, Button, Row, button, cut, lines_within
from bot.matches.room import Announcement, Post, Room, Status
from bot.text import describe, listed, say
from bot.text.names import marked_names, plain_names
from engine import Seat
from engine.core.event import Rewound

HEAD = 600
"""Characters of the headline at most: several people may be called in it, and a call is longer than what it shows."""
STORY = 180
"""Characters of what happened: the rest is behind Log, and the picture shows it."""


class Message(Struct, frozen=True):
    """A public message before its pictures are drawn."""

    content: str
    pings: tuple[int, ...]
    rows: tuple[Row, ...]
    with_scores: bool = False


def message(post: Post, with_points: bool = False) -> Message:
    """The words and buttons of a post: at most three lines, for the picture below them tells the rest.

    `with_points` adds how the match stands, for a post that has no picture.
    """
    room = post.room
    outcome = room.playing().outcome
    pings = tuple(room.players if outcome else room.people(post.newly))
    called = " ".join(f"<@{user}>" for user in pings)
    if outcome:
        lines = [say("post.ended", called=called, result=describe.result(room, marked_names(room)))]
        lines += [describe.places(room), say("post.fair_ended")]
    else:
        if room.is_paused:
            # Nobody is called to a match that takes no moves.
            pings, called = (), ""
        paused, turn = room.is_paused, describe.whose_turn(room)
        head = say("post.turn", called=called, game=describe.title(room), paused=paused, turn=turn)
        lines = _lines(head, post, room)
    if with_points:
        lines += describe.status_lines(room, None)
    with_scores = outcome is not None or any(event.shows_scores for event in post.events)
    return Message(_fitted(lines), pings, tuple(turn_rows(room, post.announcement, _seals(post) != "")), with_scores)


def freshened(post: Post, now: Room) -> str:
    """The words of a post while answers to it come in: who is still awaited, and who is in."""
    awaited = now.playing().waiting_for()
    inside = [seat for seat in post.room.playing().waiting_for() if seat not in awaited]
    if not inside:
        # Whoever was in has taken the answer back: the post says again what it said at first.
        return message(post).content
    facts: dict[str, Any] = {"game": describe.title(now), "turn": describe.whose_turn(now)}
    facts |= {"who": inside, "number": len(inside), "all": len(awaited) + len(inside)}
    return _fitted(_lines(say("post.answered", marked_names(now), **facts), post, now))


def thinking(room: Room, seat: Seat) -> str:
    """The words of the last post while a computer takes longer than people would wait without a word."""
    return say("post.thinking", marked_names(room), game=describe.title(room), seat=seat)


def in_words(post: Post, made: Message) -> Message:
    """The same without buttons: it says how to play without them, and which match it is of."""
    running = post.room.playing().outcome is None
    hint = say("post.in_words", id=post.room.info.id, running=running)
    return replace(made, content=f"{cut(made.content, CONTENT - len(hint) - 1)}\n{hint}", rows=())


def turn_rows(room: Room, announcement: Announcement | None = None, is_sealed: bool = False) -> list[Row]:
    """The buttons under a turn; the last post and one that seals dice have the one that proves them fair."""
    match, post = room.info.id, announcement.id if announcement else None
    over = room.match is not None and room.match.outcome is not None
    buttons = [
        button(ids.turn(match, "view", post), say("post.my_view")),
        button(ids.turn(match, "log", post), say("post.log")),
    ]
    if room.info.status is Status.CALLED_OFF:
        return [tuple(buttons)]
    if over:
        buttons.insert(0, button(ids.turn(match, "rematch", post), say("post.rematch"), STRONG))
        buttons.append(button(ids.turn(match, "review", post), say("post.review")))
    else:
        buttons.insert(0, button(ids.turn(match, "move", post), say("post.your_move"), STRONG))
        buttons.append(button(ids.turn(match, "rules", post), say("post.rules")))
    if over or is_sealed:
        buttons.append(fairness_button(room, post))
    return [tuple(buttons)]


def fairness_button(room: Room, post: int | None = None) -> Button:
    """Proves the dice fair, privately."""
    return button(ids.turn(room.info.id, "fair", post), say("post.fairness"))


def fairness(room: Room) -> str:
    """How it can be checked that the dice are fair: the seal, and the seed once the match has ended."""
    match = room.playing()
    first, *later = room.info.commitment.split() or [""]
    seed, *reseeds = (match.seed, *match.reseeds) if match.outcome else [""] * (1 + len(later))
    lines = [say("post.proof", id=room.info.id, seal=first, seed=seed)]
    for number, (seal, reseed) in enumerate(zip(later, reseeds, strict=True), start=1):
        lines.append(say("post.proof_again", number=number, seal=seal, seed=reseed))
    return "\n".join(lines_within(lines, CONTENT, "…"))


def thread_name(room: Room) -> str:
    """What a match's thread is called: who plays or how it ended, and the match's id, for others may be alike."""
    facts: dict[str, Any] = {"game": describe.title(room), "players": listed(plain_names(room))}
    if room.match is not None and (room.match.outcome is not None or room.info.status is Status.CALLED_OFF):
        facts["result"] = describe.result(room, plain_names(room))
    tail = say("post.thread_id", id=room.info.id)
    return cut(say("post.thread", **facts), 100 - len(tail)) + tail


def _lines(head: str, post: Post, room: Room) -> list[str]:
    """Who is asked what, and what happened; also that dice are sealed, if they are."""
    told = [event for event in post.events if not (event.shows_scores or event.shows_on_board)]
    news = describe.told_within(room, told, None, marked_names(room), STORY)
    return [cut(head, HEAD), news, _seals(post)]


def _seals(post: Post) -> str:
    """That dice are sealed, in words, where the match begins or goes back; else ''."""
    if post.announcement.since < 0:
        return say("post.fair_begun")
    return say("post.fair_again") if any(isinstance(event, Rewound) for event in post.events) else ""


def _fitted(lines: list[str]) -> str:
    return cut("\n".join(line for line in lines if line), CONTENT)
