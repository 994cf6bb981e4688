"""What people did and what came of it, and all that was shown to anybody, noted as it happens."""

import asyncio
import hashlib
import re
import time
from collections import Counter, deque
from dataclasses import dataclass, field

from bot.local import LocalDiscord, Response
from bot.local.interactions import Interaction
from bot.local.model import Message
from bot.text import say

GIVE_UP = 30.0
"""Seconds after which nobody waits for an answer any more."""
KEPT = 120.0
"""Seconds for which a private message can still be pressed; then its reader puts it away."""
CHANGES = ("message_create", "message_update")
HEX = re.compile(r"\b[0-9a-f]{64}\b")
"""What a seed looks like, and its seal."""

DONE, LATE, BUSY, STORE, UNSHOWN = "done", "too late", "busy", "no database", "done but not shown"
BROKEN, SHOWN = "broken", "shown"
"""What came of a press that was answered: a commit, a stale press, one that was put off, one that
could not be kept or perhaps was, one that was kept and then could not be shown, one that failed,
and all else.
"""
EXPIRED, LEFT = "expired", "left waiting"
"""What came of one that was not: no sign within three seconds, or nothing after a first sign."""
DROPPED = (EXPIRED, LEFT)


def _begins(*keys: str) -> tuple[str, ...]:
    return tuple(say(key, id="", why="").split(".")[0].split("(")[0] for key in keys)


STARTS = {
    DONE: _begins("panel.done"),
    LATE: _begins("panel.too_late"),
    STORE: _begins(
        "database.unreachable",
        "database.read_only",
        "database.in_doubt",
        "database.fails",
        "database.server_fails",
    ),
    UNSHOWN: _begins("refusal.not_shown"),
    BROKEN: _begins("refusal.failed"),
    BUSY: _begins("refusal.busy"),
}
"""How the answer to each begins."""
UNDONE = ("Nothing was changed", "Nothing was done", "The match is as it was before")
"""Words that claim that a press has come to nothing, wherever they stand in an answer."""


def claims_done(said: str) -> bool:
    """Return whether an answer says that the press has made a commit."""
    return said.startswith(STARTS[DONE])


def claims_saved(said: str) -> bool:
    """Return whether an answer says that the press was kept, were it only in a draft."""
    return said.startswith((*STARTS[UNSHOWN], *_begins("database.was_saved")))


def is_in_doubt(said: str) -> bool:
    """Return whether an answer says that the database is in trouble, and leaves open what came
    of the press.
    """
    return said.startswith(STARTS[STORE]) and not claims_undone(said)


def claims_undone(said: str) -> bool:
    """Return whether an answer says that the press has come to nothing."""
    return said.startswith(STARTS[LATE]) or any(words in said for words in UNDONE)


@dataclass(eq=False)
class Press:
    """Something that somebody did."""

    id: int
    user: int
    match: str
    what: str
    process: int
    """The bot that is told of it, by the number of its shards' group."""
    sent: float
    response: Response
    heard: float | None = None
    """When a first sign came, and when the answer."""
    answered: float | None = None
    outcome: str = ""
    said: list[str] = field(default_factory=list)
    """Every answer that could be read, in order: it may be edited, and followed up, for as long
    as its token lives.
    """
    settled: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, eq=False)
class Posted:
    """A public message of the bot as it was posted."""

    message: int
    nonce: str
    at: float
    text: str
    pings: tuple[int, ...]
    matches: frozenset[str]
    """The matches that its buttons belong to."""
    is_lobby: bool
    channel: int
    recipient: int
    """Whom a direct message is for; 0 for all others."""
    picture: bytes
    """A hash of its first picture."""


@dataclass(frozen=True)
class Held:
    """A control of a seat's panel that somebody was given."""

    user: int
    match: str
    seat: int


class Ledger:
    """All of it."""

    def __init__(self, discord: LocalDiscord) -> None:
        self.presses: list[Press] = []
        self.posts: list[Posted] = []
        self.held: set[Held] = set()
        self.hexes: dict[str, float] = {}
        """Texts that look like a seed, and when each was first shown."""
        self.repeats = 0
        """Posts that Discord knew by their nonce to be there already."""
        self.boards: dict[str, Message] = {}
        """The newest public message of each match that can be pressed to make a move, or to play
        once more.
        """
        self._by_id: dict[int, Press] = {}
        self._changed: Message | None = None
        """The message that was made or changed just now, perhaps by an answer."""
        self._private: deque[Message] = deque()
        self._state = discord.state
        discord.state.listeners.append(self._hear)
        known = discord.state.repeat_of

        def repeat_of(nonce: str) -> Message | None:
            found = known(nonce)
            self.repeats += found is not None
            return found

        discord.state.repeat_of = repeat_of  # type: ignore[method-assign]

    async def answer(self, press: Press) -> Press:
        """Note a press, and wait for what comes of it."""
        self.presses.append(press)
        self._by_id[press.id] = press
        try:
            async with asyncio.timeout(GIVE_UP):
                await press.settled.wait()
        except TimeoutError:
            press.outcome = LEFT
        return press

    def outcomes(self) -> Counter[str]:
        """How many presses came to what."""
        return Counter(press.outcome for press in self.presses)

    def _hear(self, kind: str, subject: object) -> None:
        if isinstance(subject, Interaction) and subject.id in self._by_id:
            self._follow(self._by_id[subject.id], subject)
            self._changed = None
        elif isinstance(subject, Message) and kind in CHANGES and subject.author is self._state.bot:
            self._changed = subject
            self._look(subject, is_new=kind == "message_create")

    def _follow(self, press: Press, interaction: Interaction) -> None:
        now = time.time()
        if interaction.expired:
            press.outcome = EXPIRED
            press.settled.set()
        elif interaction.answer is not None:
            press.heard = press.heard or now
            if not interaction.deferred:
                # Of a panel that is pressed, the words that stood there before are not the answer.
                is_answer = self._changed is not None and self._changed in press.response.messages
                press.said.append(
                    self._changed.text if is_answer and self._changed is not None else ""
                )
                if press.answered is None:
                    press.answered = now
                    press.settled.set()
                press.outcome = next(
                    (what for what, begins in STARTS.items() if press.said[-1].startswith(begins)),
                    SHOWN,
                )

    def _look(self, message: Message, is_new: bool) -> None:
        now, text = time.time(), message.text
        for found in HEX.findall(text):
            self.hexes.setdefault(found, now)
        controls = [
            str(part["custom_id"]).split(":") for part in message.controls if "custom_id" in part
        ]
        if message.only_for is not None:
            self._private.append(message)
            self.held |= {
                Held(message.only_for.id, parts[1], int(parts[2]))
                for parts in controls
                if len(parts) == 6 and parts[2].isdecimal()
            }
        else:
            self._look_at_public(message, controls, text, is_new, now)
        for file in message.attachments:
            # Thousands of pictures would fill the memory; nobody looks at them again.
            if message.only_for is not None or not is_new:
                file.data = b""
        while self._private and now - self._private[0].created > KEPT:
            self._state.forget(self._private.popleft())

    def _look_at_public(
        self, message: Message, controls: list[list[str]], text: str, is_new: bool, now: float
    ) -> None:
        matches = frozenset(parts[1] for parts in controls if parts[0] in "lt" and len(parts) > 2)
        for parts in controls:
            if parts[0] == "t" and parts[2] in ("move", "rematch"):
                self.boards[parts[1]] = message
        if not is_new:
            return
        first = next(iter(message.attachments), None)
        picture = hashlib.blake2b(first.data, digest_size=16).digest() if first else b""
        recipient = message.channel.recipient.id if message.channel.recipient else 0
        self.posts.append(
            Posted(
                *(
                    message.id,
                    message.nonce or "",
                    now,
                    text,
                    tuple(user.id for user in message.pings),
                    matches,
                ),
                is_lobby=any(parts[0] == "l" for parts in controls),
                channel=message.channel.id,
                recipient=recipient,
                picture=picture,
            )
        )
        for file in message.attachments:
            file.data = b""
