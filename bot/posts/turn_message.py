"""The public message of a turn: what happened, whose turn it is, the picture and its buttons."""

from msgspec import Struct

from bot.components import ids
from bot.components.parts import CONTENT, STRONG, Row, button, cut, lines_within
from bot.matches.room import Post, Room, Status
from bot.text import describe
from bot.text.names import marked_names, plain_names
from engine.core.words import listed

HEAD = 600
TAIL = 500


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
    match = room.playing()
    ended = match.outcome is not None
    pings = () if ended else tuple(room.people(post.newly))
    head = cut(_headline(post, pings), HEAD)
    body = describe.told(room, post.events, None)
    return Message(
        _fitted(head, body, _tail(post, room)),
        pings,
        tuple(turn_rows(room)),
        with_scores=ended or any(event.shows_scores for event in post.events),
        with_transcript=ended,
    )


def freshened(post: Post, now: Room) -> str:
    """The words of a post while answers to it come in: who is still awaited, and who is in."""
    awaited = now.playing().waiting_for()
    inside = [seat for seat in post.room.playing().waiting_for() if seat not in awaited]
    if not inside:
        return message(post).content
    names = marked_names(now)
    count = f"In, {len(inside)} of {len(awaited) + len(inside)}: {listed(names[seat] for seat in inside)}."
    head = cut(f"**{describe.title(now)}**: {describe.whose_turn(now)} {count}", HEAD)
    return _fitted(head, describe.told(now, post.events, None), _tail(post, now))


def turn_rows(room: Room) -> list[Row]:
    """The buttons under a turn."""
    match = room.info.id
    buttons = [button(ids.turn(match, "view"), "My view"), button(ids.turn(match, "log"), "Log")]
    if room.match is None or room.match.outcome is None:
        buttons.insert(0, button(ids.turn(match, "move"), "Your move", STRONG))
    return [(*buttons, button(ids.turn(match, "rules"), "Rules"))]


def sealed(room: Room) -> str:
    """The promise that the dice are fair, made when a match starts."""
    return f"The dice are sealed: SHA-256 of this match's id and seed is `{room.info.commitment}`."


def unsealed(room: Room) -> list[str]:
    """The seed of a finished match and how to check it."""
    seed = room.playing().seed
    return [
        f"Seed `{seed}`, sealed at the start as `{room.info.commitment}`.",
        f"To check: SHA-256 of `{room.info.id}:{seed}` is that number, and the attached transcript can be replayed.",
    ]


def thread_name(room: Room) -> str:
    """What a match's thread is called."""
    return cut(f"{describe.title(room)}: {', '.join(plain_names(room))}", 100)


def _headline(post: Post, pings: tuple[int, ...]) -> str:
    room = post.room
    if room.playing().outcome is not None:
        return f"**{describe.title(room)}** has ended."
    called = " ".join(f"<@{user}>" for user in pings)
    paused = " (paused)" if room.info.status is Status.PAUSED else ""
    return f"{called} **{describe.title(room)}**{paused}: {describe.whose_turn(room)}".strip()


def _tail(post: Post, room: Room) -> list[str]:
    if room.playing().outcome is not None:
        return [*describe.ranking_lines(room), *unsealed(room)]
    status = describe.status_lines(room, None)
    return [*status, sealed(room)] if post.announcement.since < 0 else status


def _fitted(head: str, body: list[str], tail: list[str]) -> str:
    """Head, story and how it stands now; what the end says the story need not say."""
    end = cut("\n".join(tail), CONTENT - HEAD - TAIL)
    room = CONTENT - len(head) - len(end) - 2
    news = [line for line in body if line not in tail]
    middle = lines_within(news, room, "… (more in the Log)") if news else []
    return "\n".join(part for part in (head, *middle, end) if part)
