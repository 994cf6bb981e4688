"""The public message of a turn: what happened, whose turn it is, and the buttons below it.

Everything here builds or rewrites texts and buttons; outbox.py sends them. A post that is already
in the channel is rewritten from its own text, so the patterns that find a deadline or a line in it
are built from the same texts ([post] in en.toml) that wrote it.
"""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import discord
from msgspec import Struct
from msgspec.structs import replace

from bot.kernel.post_rules import last_awaited
from bot.kernel.room import Post, Room
from bot.model import Announcement, Status
from bot.text import and_list, say
from bot.ui import (
    CONTENT,
    PLAIN,
    STRONG,
    Button,
    Part,
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
from engine.core.event import Resigned, Rewound

MAX_HEADLINE = 600
"""Characters of the headline. A mention has more characters than Discord shows."""
MAX_NEWS = 180
"""Characters about what happened. The picture and the Log button show the rest."""
MAX_COMPUTER_NEWS = 200
"""Characters about what happened if several computers have moved after a person."""
MAX_THREAD_NAME = 100
MENTIONS = re.compile(r"^(?:<@\d+> ?)+")

LABELS = {
    "move": "post.your_move",
    "rematch": "post.rematch",
    "next_level": "post.next_level",
    "news": "post.news",
    "view": "post.my_view",
    "log": "post.log",
    "rules": "post.rules",
    "review": "post.review",
    "fair": "post.fairness",
}
"""The text keys of the buttons below a turn."""

Deadlines = Mapping[Seat, int]
"""When each seat with a running clock runs out of time, in seconds since 1970."""
NO_DEADLINES: Deadlines = {}


class Message(Struct, frozen=True):
    """A message before its pictures are drawn."""

    content: str
    pings: tuple[int, ...]
    rows: tuple[Row, ...]
    with_scores: bool = False
    embed: discord.Embed | None = None
    layout: tuple[Part, ...] = ()
    """The parts of a message that is a layout; it has nothing else but its pictures."""


def message(
    post: Post,
    with_points: bool = False,
    pings: tuple[int, ...] | None = None,
    deadlines: Deadlines = NO_DEADLINES,
    end_lines: tuple[str, ...] = (),
) -> Message:
    """Return the message of a post: a few lines, as its picture shows the rest.

    `with_points` adds the points, for a post without a picture. The message pings the users
    `pings`; by default those whose turn it is or, at the end, all players. At the end of a match it
    also has the `end_lines` of features.
    """
    room = post.room
    outcome = room.playing().outcome
    if pings is None:
        pings = tuple(room.players if outcome else room.people(post.newly))
    pinged = mentions(pings)
    if outcome:
        lines = [say("post.ended", called=pinged, result=describe.result(room, marked_names(room)))]
        lines += [describe.places(room), *end_lines, say("post.fair_ended")]
    else:
        if room.is_paused:
            # Nobody is pinged about a match in which nobody can move.
            pings, pinged = (), ""
        facts = {
            "called": pinged,
            "game": describe.title(room),
            "id": room.record.id,
            "paused": room.is_paused,
        }
        headline = say(
            "post.turn",
            turn=describe.whose_turn(room),
            until=describe_deadlines(room, deadlines),
            **facts,
        )
        lines = _lines(headline, post, room)
    if with_points:
        lines += describe.status_lines(room, None)
    with_scores = outcome is not None or any(event.shows_scores for event in post.events)
    rows = turn_rows(room, post.announcement, is_sealed=_seal_line(post) != "")
    return Message(_join_lines(lines), pings, tuple(rows), with_scores)


def describe_deadlines(room: Room, deadlines: Deadlines) -> str:
    """Return the deadlines in words, as one sentence if they are the same for all seats."""
    if len(set(deadlines.values())) == 1:
        return say("post.until", at=next(iter(deadlines.values())))
    names = marked_names(room)
    return " ".join(
        say("post.until_each", seat=names[seat], at=at) for seat, at in sorted(deadlines.items())
    )


def update_deadlines(content: str, room: Room, deadlines: Deadlines) -> str:
    """Return the text of the current post or reminder with these deadlines in its first line."""
    headline, *others = content.split("\n")
    until = describe_deadlines(room, deadlines)
    previous = _deadline_pattern(room).search(headline)
    if not until:
        headline = _strip_deadlines(headline, room)
    elif previous:
        headline = f"{headline[: previous.start()]} {until}{headline[previous.end() :]}"
    elif "<t:" not in headline:
        # The match had no clock when this was posted. But if there is a timestamp that the pattern
        # does not match, it was written in another language: leave it alone.
        headline = f"{headline} {until}"
    return cut("\n".join([headline, *others]), CONTENT)


def _strip_deadlines(content: str, room: Room) -> str:
    """Return the text of a post or reminder without its deadlines and what follows from them."""
    headline, *others = content.split("\n")
    if previous := _deadline_pattern(room).search(headline):
        # The rest of the line says what happens after the deadline, or whose answers are in.
        headline = headline[: previous.start()]
    return "\n".join([headline, *others])


def _deadline_pattern(room: Room) -> re.Pattern[str]:
    """Return a pattern of what `describe_deadlines` may have returned, and the space before it."""
    sentences = [say("post.until", at=0)]
    sentences += [say("post.until_each", seat=name, at=0) for name in marked_names(room)]
    forms = "|".join(re.escape(one).replace("<t:0:", r"<t:\d+:") for one in sentences)
    return re.compile(f"(?: (?:{forms}))+")


def versions(
    post: Post,
    pings: tuple[int, ...],
    deadlines: Deadlines = NO_DEADLINES,
    end_lines: tuple[str, ...] = (),
) -> Iterator[Message]:
    """Yield the message of a post with pictures, then without them, then without buttons.

    The last one says how to play without buttons, and which match it belongs to.
    """
    build = partial(message, post, pings=pings, deadlines=deadlines, end_lines=end_lines)
    yield build()
    plain = build(with_points=True)
    yield plain
    running = post.room.playing().outcome is None
    hint = say("post.in_words", id=post.room.record.id, running=running)
    yield replace(plain, content=f"{cut(plain.content, CONTENT - len(hint) - 1)}\n{hint}", rows=())


def update_answers(post: Post, now: Room, deadlines: Deadlines = NO_DEADLINES) -> str:
    """Return the text of a post while secret answers come in: who has answered and who hasn't.

    `now` is the match as it is now, the post shows it as it was when they were asked.
    """
    awaited = now.playing().waiting_for()
    answered = [seat for seat in post.room.playing().waiting_for() if seat not in awaited]
    if not answered:
        # The only secret answer was taken back.
        return message(post, pings=(), deadlines=deadlines).content
    facts: dict[str, Any] = {
        "game": describe.title(now),
        "id": now.record.id,
        "turn": describe.whose_turn(now),
    }
    facts |= {"who": answered, "number": len(answered), "all": len(awaited) + len(answered)}
    facts["last"] = last_awaited(post.room.playing(), now.playing()) is not None
    facts["until"] = describe_deadlines(now, deadlines)
    return _join_lines(_lines(say("post.answered", marked_names(now), **facts), post, now))


def add_thinking(content: str, room: Room, seat: Seat) -> str:
    """Return the text of a post with a line that a computer is still thinking."""
    return f"{_strip_thinking(content, room)}\n{_thinking_line(room, seat)}"


def strip_calls(content: str, room: Room) -> str:
    """Return the text of an outdated post or reminder without what is no longer true.

    Removed are its pings, its deadlines, and the line that a computer is thinking.
    """
    return _strip_thinking(_strip_deadlines(MENTIONS.sub("", content), room), room)


def close_text(content: str, room: Room) -> str:
    """Return the text of the last post with a new headline: the match ended without a result."""
    _, *news = strip_calls(content, room).split("\n")
    return "\n".join([say("post.ended", result=describe.result(room, ())), *news])


def _strip_thinking(content: str, room: Room) -> str:
    before, _, last = content.rpartition("\n")
    lines = [_thinking_line(room, Seat(seat)) for seat in range(room.playing().seats)]
    return before if last in lines else content


def _thinking_line(room: Room, seat: Seat) -> str:
    return say("post.thinking", marked_names(room), seat=seat)


def turn_rows(
    room: Room,
    announcement: Announcement | None = None,
    is_sealed: bool = False,
    reminder: int | None = None,
) -> list[Row]:
    """Return the buttons below a turn's post or reminder.

    With `is_sealed`, and at the end of a match, they include Fairness. A post is identified in the
    ids of its buttons by its `announcement`, a reminder by its time, `reminder`.
    """
    number = announcement.id if announcement else reminder
    has_result = room.match is not None and room.match.outcome is not None
    # A match that was called off has no result to review, but is over like any other.
    if has_result or room.is_over:
        names = ["rematch", "view", "log", *(["review"] if has_result else []), "fair"]
        if room.next_level is not None:
            names.insert(1, "next_level")
    else:
        names = ["move", "view", "log", "rules"]
        # Below the first post there is nothing to catch up on.
        if announcement is None or announcement.since >= 0:
            names.insert(1, "news")
        if is_sealed:
            names.append("fair")
    return button_rows([turn_button(room, name, number) for name in names])


def turn_button(room: Room, name: str, post: int | None = None) -> Button:
    """Return one of the buttons below a turn."""
    look = STRONG if name in ("move", "rematch", "next_level") else PLAIN
    level = say(f"level.{room.next_level}") if name == "next_level" else ""
    return Button(turn_button_id(room.record.id, name, post), say(LABELS[name], level=level), look)


def fairness(room: Room) -> str:
    """Return how to check that chance is fair: the seal, and the seed once a match has ended.

    The seal is a hash of the seed, published before the first move.
    """
    match = room.playing()
    first, *later = room.record.commitment.split() or [""]
    # Before the end the seeds are secret.
    seed, reseeds = "", ("",) * len(later)
    if match.outcome or room.is_over:
        seed, reseeds = match.seed, match.reseeds
    lines = [say("post.proof", id=room.record.id, seal=first, seed=seed)]
    for number, (seal, reseed) in enumerate(zip(later, reseeds, strict=True), start=1):
        lines.append(say("post.proof_again", number=number, seal=seal, seed=reseed))
    return "\n".join(lines_within(lines, CONTENT, "…"))


def thread_name(room: Room) -> str:
    """Return the name of a match's thread: who plays or how it ended, and the match's id."""
    facts: dict[str, Any] = {"game": describe.title(room), "players": and_list(plain_names(room))}
    if room.match is not None:
        is_called_off = room.record.status is Status.CALLED_OFF
        if is_called_off or room.match.outcome is not None:
            facts["result"] = describe.result(room, plain_names(room))
    tail = say("post.thread_id", id=room.record.id)
    return cut(say("post.thread", **facts), MAX_THREAD_NAME - len(tail)) + tail


def _lines(headline: str, post: Post, room: Room) -> list[str]:
    """Return the lines below each other: headline, who has left, what happened, and the seal."""
    events = [event for event in post.events if not (event.shows_scores or event.shows_on_board)]
    resigned = [event.seat for event in events if isinstance(event, Resigned)]
    events = [event for event in events if not isinstance(event, Resigned)]
    if post.by_computers > 1:
        news = describe.tell_each_actor(room, events, None, MAX_COMPUTER_NEWS)
    else:
        news = describe.tell_within(room, events, None, MAX_NEWS)
    return [cut(headline, MAX_HEADLINE), *_resigned_lines(room, resigned), news, _seal_line(post)]


def _resigned_lines(room: Room, seats: list[Seat]) -> Iterator[str]:
    """Yield a line for each player who has given up their seat: what happens to it now."""
    # Name the people without the mark that a computer plays for them now.
    names = marked_names(room, played_for=())
    for seat in seats:
        level = say(f"level.{room.level_of(seat)}")
        yield say("post.resigned", names, seat=seat, level=level, rated=room.is_rated)


def _seal_line(post: Post) -> str:
    """Return the line about the seal if a post begins or rewinds a match, else ''."""
    if post.announcement.since < 0:
        return say("post.fair_begun")
    is_rewound = any(isinstance(event, Rewound) for event in post.events)
    return say("post.fair_again") if is_rewound else ""


def _join_lines(lines: list[str]) -> str:
    return cut("\n".join(line for line in lines if line), CONTENT)
