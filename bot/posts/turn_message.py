"""The public message of a turn: what happened, whose turn it is, the picture and its buttons."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bot.components import ids
from bot.components.parts import CONTENT, STRONG, Row, button, cut, lines_within
from bot.matches.room import Post, Room, Status
from bot.text import describe, listed, say
from bot.text.names import marked_names, plain_names

HEAD = 600
"""Characters of the headline at most: several people may be called in it."""
STORY = 500
"""Characters kept free between headline and end, for what happened."""


class Message(Struct, frozen=True):
    """A public message before its pictures are drawn."""

    content: str
    pings: tuple[int, ...]
    rows: tuple[Row, ...]
    with_scores: bool = False
    with_transcript: bool = False


def message(post: Post) -> Message:
    """The words and buttons of a post, within Discord's limits."""
    room = post.room
    ended = room.playing().outcome is not None
    if ended:
        pings: tuple[int, ...] = ()
        head = say("post.ended", game=describe.title(room))
    else:
        pings = tuple(room.people(post.newly))
        called = " ".join(f"<@{user}>" for user in pings)
        paused, turn = room.info.status is Status.PAUSED, describe.whose_turn(room)
        head = say("post.turn", called=called, game=describe.title(room), paused=paused, turn=turn)
    return Message(
        _fitted(head, post, room),
        pings,
        tuple(turn_rows(room, post.announcement.id)),
        with_scores=ended or any(event.shows_scores for event in post.events),
        with_transcript=ended,
    )


def freshened(post: Post, now: Room) -> str:
    """The words of a post while answers to it come in: who is still awaited, and who is in."""
    awaited = now.playing().waiting_for()
    inside = [seat for seat in post.room.playing().waiting_for() if seat not in awaited]
    if not inside:
        # Whoever was in has taken the answer back: the post says again what it said at first.
        return message(post).content
    facts: dict[str, Any] = {"game": describe.title(now), "turn": describe.whose_turn(now)}
    facts |= {"who": inside, "number": len(inside), "all": len(awaited) + len(inside)}
    head = say("post.answered", marked_names(now), **facts)
    return _fitted(head, post, now)


def in_words(post: Post, made: Message) -> Message:
    """The same without buttons: it says how to play without them, and which match it is of."""
    running = post.room.playing().outcome is None
    hint = say("post.in_words", id=post.room.info.id, running=running)
    return replace(made, content=f"{cut(made.content, CONTENT - len(hint) - 1)}\n{hint}", rows=())


def turn_rows(room: Room, post: int | None = None) -> list[Row]:
    """The buttons under a turn."""
    match = room.info.id
    buttons = [
        button(ids.turn(match, "view", post), say("post.my_view")),
        button(ids.turn(match, "log", post), say("post.log")),
        button(ids.turn(match, "rules", post), say("post.rules")),
    ]
    if room.match is None or room.match.outcome is None:
        buttons.insert(0, button(ids.turn(match, "move", post), say("post.your_move"), STRONG))
    return [tuple(buttons)]


def sealed(room: Room) -> str:
    """The promise that the dice are fair, made when a match starts."""
    return say("post.sealed", seal=room.info.commitment)


def unsealed(room: Room) -> list[str]:
    """The seed of a finished match and how to check it."""
    seed = room.playing().seed
    return [
        say("post.seed", seed=seed, seal=room.info.commitment),
        say("post.check", id=room.info.id, seed=seed),
    ]


def thread_name(room: Room) -> str:
    """What a match's thread is called."""
    return cut(say("post.thread", game=describe.title(room), players=listed(plain_names(room))), 100)


def _fitted(head: str, post: Post, room: Room) -> str:
    """Head, what happened, and how it stands in the room now; if it is too long, the oldest of what happened goes."""
    if room.playing().outcome is not None:
        tail = [*describe.ranking_lines(room), *unsealed(room)]
    else:
        tail = describe.status_lines(room, None)
        if post.announcement.since < 0:
            tail.append(sealed(room))
    head = cut(head, HEAD)
    end = cut("\n".join(tail), CONTENT - HEAD - STORY)
    # What the end says, the story need not say.
    news = [line for line in describe.told(room, post.events, None) if line not in tail]
    space = CONTENT - len(head) - len(end) - 2
    story = lines_within(news, space, say("post.more")) if news else []
    return "\n".join(part for part in (head, *story, end) if part)
