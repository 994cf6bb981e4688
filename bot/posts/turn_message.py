"""The public message of a turn: what happened, whose turn it is, the picture and its buttons."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import discord
from msgspec import Struct
from msgspec.structs import replace

from bot.kernel.room import Post, Room
from bot.model import Announcement, Status
from bot.text import listed, say
from bot.ui import (
    CONTENT,
    PLAIN,
    STRONG,
    Button,
    Row,
    button_rows,
    cut,
    describe,
    lines_within,
    marked_names,
    mentions,
    plain_names,
    turn_button_id,
)
from engine import Seat
from engine.core.event import Rewound

HEAD = 600
"""Characters of the headline at most: a call in it is longer than what it shows."""
STORY = 180
"""Characters of what happened: the rest is behind Log, and the picture shows it."""
TURNS = 200
"""The same of what a person and several computers did, one after the other."""
MENTIONS = re.compile(r"^(?:<@\d+> ?)+")

LABELS = {
    "move": "post.your_move",
    "rematch": "post.rematch",
    "news": "post.news",
    "view": "post.my_view",
    "log": "post.log",
    "rules": "post.rules",
    "review": "post.review",
    "fair": "post.fairness",
}
"""What the buttons under a turn say."""

Untils = Mapping[Seat, int]
"""When the time of those runs out for whom a clock runs, in seconds since 1970."""
NO_CLOCK: Untils = {}


class Message(Struct, frozen=True):
    """A message before its pictures are drawn."""

    content: str
    pings: tuple[int, ...]
    rows: tuple[Row, ...]
    with_scores: bool = False
    embed: discord.Embed | None = None


def message(
    post: Post,
    with_points: bool = False,
    pings: tuple[int, ...] | None = None,
    untils: Untils = NO_CLOCK,
) -> Message:
    """Return the message of a post: three lines at most, for its picture tells the rest.

    `with_points` adds how the match stands, for a post that has no picture. It calls `pings`,
    unless said otherwise all whom it concerns.
    """
    room = post.room
    outcome = room.playing().outcome
    if pings is None:
        pings = tuple(room.players if outcome else room.people(post.newly))
    called = mentions(pings)
    if outcome:
        lines = [say("post.ended", called=called, result=describe.result(room, marked_names(room)))]
        lines += [describe.places(room), say("post.fair_ended")]
    else:
        if room.is_paused:
            # Nobody is called to a match that takes no moves.
            pings, called = (), ""
        facts = {
            "called": called,
            "game": describe.title(room),
            "id": room.record.id,
            "paused": room.is_paused,
        }
        head = say("post.turn", turn=describe.whose_turn(room), until=until(room, untils), **facts)
        lines = _lines(head, post, room)
    if with_points:
        lines += describe.status_lines(room, None)
    with_scores = outcome is not None or any(event.shows_scores for event in post.events)
    return Message(
        _fitted(lines),
        pings,
        tuple(turn_rows(room, post.announcement, _seals(post) != "")),
        with_scores,
    )


def until(room: Room, untils: Untils) -> str:
    """When the time of those who are awaited runs out."""
    if len(set(untils.values())) == 1:
        return say("post.until", at=next(iter(untils.values())))
    names = marked_names(room)
    return " ".join(
        say("post.until_each", seat=names[seat], at=at) for seat, at in sorted(untils.items())
    )


def versions(post: Post, pings: tuple[int, ...], untils: Untils = NO_CLOCK) -> Iterator[Message]:
    """Yield the message of a post, then how it is without pictures, then without buttons.

    Without buttons it says how to play without them, and which match it is of.
    """
    yield message(post, pings=pings, untils=untils)
    plain = message(post, with_points=True, pings=pings, untils=untils)
    yield plain
    running = post.room.playing().outcome is None
    hint = say("post.in_words", id=post.room.record.id, running=running)
    yield replace(plain, content=f"{cut(plain.content, CONTENT - len(hint) - 1)}\n{hint}", rows=())


def freshened(post: Post, now: Room, untils: Untils = NO_CLOCK) -> str:
    """The words of a post while answers to it come in: who is still awaited, and who is in."""
    awaited = now.playing().waiting_for()
    inside = [seat for seat in post.room.playing().waiting_for() if seat not in awaited]
    if not inside:
        # The only secret answer was taken back, so the post says again what it said at first.
        return message(post, pings=(), untils=untils).content
    facts: dict[str, Any] = {
        "game": describe.title(now),
        "id": now.record.id,
        "turn": describe.whose_turn(now),
    }
    facts |= {"who": inside, "number": len(inside), "all": len(awaited) + len(inside)}
    facts["until"] = until(now, untils)
    return _fitted(_lines(say("post.answered", marked_names(now), **facts), post, now))


def thinking(content: str, room: Room, seat: Seat) -> str:
    """Return the words of the last post while a computer takes longer than people would wait."""
    return f"{_without_thinking(content, room)}\n{_thinks(room, seat)}"


def without_calls(content: str, room: Room) -> str:
    """Return the words of a post or reminder that is past: they call nobody, and nobody thinks."""
    return _without_thinking(MENTIONS.sub("", content), room)


def _without_thinking(content: str, room: Room) -> str:
    before, _, last = content.rpartition("\n")
    seats = range(room.playing().seats)
    return before if last in {_thinks(room, Seat(seat)) for seat in seats} else content


def _thinks(room: Room, seat: Seat) -> str:
    return say("post.thinking", marked_names(room), seat=seat)


def turn_rows(
    room: Room,
    announcement: Announcement | None = None,
    is_sealed: bool = False,
    call: int | None = None,
) -> list[Row]:
    """Return the buttons under a turn; the last post and one that seals dice can be proved fair.

    `call` is when a call was wanted whose message they are under: by it that is known again.
    """
    number = announcement.id if announcement else call
    has_result = room.match is not None and room.match.outcome is not None
    if has_result or room.is_over:
        names = ["rematch", "view", "log", *(["review"] if has_result else []), "fair"]
    else:
        names = ["move", "view", "log", "rules"]
        # Under the first post there is nothing to catch up on, and the proof of the dice has its
        # place.
        if announcement is None or announcement.since >= 0:
            names.insert(1, "news")
        if is_sealed:
            names.append("fair")
    return button_rows([turn_button(room, name, number) for name in names])


def turn_button(room: Room, name: str, post: int | None = None) -> Button:
    """One of the buttons under a turn."""
    look = STRONG if name in ("move", "rematch") else PLAIN
    return Button(turn_button_id(room.record.id, name, post), say(LABELS[name]), look)


def fairness(room: Room) -> str:
    """Return how to check that the dice are fair: the seal, and the seed once a match has ended."""
    match = room.playing()
    first, *later = room.record.commitment.split() or [""]
    seed, *reseeds = (
        (match.seed, *match.reseeds) if match.outcome or room.is_over else [""] * (1 + len(later))
    )
    lines = [say("post.proof", id=room.record.id, seal=first, seed=seed)]
    for number, (seal, reseed) in enumerate(zip(later, reseeds, strict=True), start=1):
        lines.append(say("post.proof_again", number=number, seal=seal, seed=reseed))
    return "\n".join(lines_within(lines, CONTENT, "…"))


def thread_name(room: Room) -> str:
    """Return the name of a thread: who plays or how it ended, and the id of the match."""
    facts: dict[str, Any] = {"game": describe.title(room), "players": listed(plain_names(room))}
    if room.match is not None and (
        room.match.outcome is not None or room.record.status is Status.CALLED_OFF
    ):
        facts["result"] = describe.result(room, plain_names(room))
    tail = say("post.thread_id", id=room.record.id)
    return cut(say("post.thread", **facts), 100 - len(tail)) + tail


def _lines(head: str, post: Post, room: Room) -> list[str]:
    """Who is asked what, and what happened; also that dice are sealed, if they are."""
    told = [event for event in post.events if not (event.shows_scores or event.shows_on_board)]
    if post.by_computers > 1:
        news = describe.told_each(room, told, None, TURNS)
    else:
        news = describe.told_within(room, told, None, STORY)
    return [cut(head, HEAD), news, _seals(post)]


def _seals(post: Post) -> str:
    """That dice are sealed, in words, where the match begins or goes back; else ''."""
    if post.announcement.since < 0:
        return say("post.fair_begun")
    return (
        say("post.fair_again") if any(isinstance(event, Rewound) for event in post.events) else ""
    )


def _fitted(lines: list[str]) -> str:
    return cut("\n".join(line for line in lines if line), CONTENT)
