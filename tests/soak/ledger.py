"""Record what people did, how each press ended, and everything that anybody was shown."""

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
"""Seconds after which nobody waits for an answer any longer."""
KEPT = 120.0
"""Seconds for which a private message is remembered, so that it can be pressed."""
CHANGES = ("message_create", "message_update")
HEX = re.compile(r"\b[0-9a-f]{64}\b")
"""Matches anything that looks like a seed, or like its hash."""

DONE, LATE, BUSY, STORE, UNSHOWN = "done", "too late", "busy", "no database", "done but not shown"
BROKEN, SHOWN = "broken", "shown"
"""Outcomes of presses that were answered.

DONE: a commit was made. LATE: the button was out of date. BUSY: the press was put off. STORE: the
database was in trouble. UNSHOWN: it was saved, but could not be shown. BROKEN: it failed. SHOWN:
anything else.
"""
EXPIRED, LEFT = "expired", "left waiting"
"""Outcomes of presses without an answer: no response in time, or none after the first one."""
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
"""The beginnings of the answers for each outcome."""
UNDONE = ("Nothing was changed", "Nothing happened", "Nothing changed in the match")
"""Words in an answer that claim that nothing was changed."""


def claims_done(said: str) -> bool:
    """Return whether an answer says that the press has made a commit."""
    return said.startswith(STARTS[DONE])


def claims_saved(said: str) -> bool:
    """Return whether an answer says that the press was saved, if only as a draft."""
    return said.startswith((*STARTS[UNSHOWN], *_begins("database.was_saved")))


def is_in_doubt(said: str) -> bool:
    """Return whether an answer reports database trouble and leaves open whether it was saved."""
    return said.startswith(STARTS[STORE]) and not claims_undone(said)


def claims_undone(said: str) -> bool:
    """Return whether an answer says that the press changed nothing."""
    return said.startswith(STARTS[LATE]) or any(words in said for words in UNDONE)


@dataclass(eq=False)
class Press:
    """A press, command or completion by a person."""

    id: int
    user: int
    match: str
    what: str
    process: int
    """The number of the group of bots that serves its server."""
    sent: float
    response: Response
    heard: float | None = None
    """When the first response came; `answered` is when the answer did."""
    answered: float | None = None
    outcome: str = ""
    said: list[str] = field(default_factory=list)
    """Every answer that was shown, in order: an answer can be edited or followed up later."""
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
    """The user who gets a direct message; 0 for any other message."""
    picture: bytes
    """A hash of its first picture."""


@dataclass(frozen=True)
class Held:
    """A control of a seat's panel that a person was shown."""

    user: int
    match: str
    seat: int


class Ledger:
    """The record of everything that people did and were shown."""

    def __init__(self, discord: LocalDiscord) -> None:
        self.presses: list[Press] = []
        self.posts: list[Posted] = []
        self.held: set[Held] = set()
        self.hexes: dict[str, float] = {}
        """Texts that look like a seed, and when each was first shown."""
        self.repeats = 0
        """How many posts Discord has dropped as duplicates, by their nonce."""
        self.boards: dict[str, Message] = {}
        """The newest public message of each match with a button to move or for a rematch."""
        self._by_id: dict[int, Press] = {}
        self._changed: Message | None = None
        """The message that was just sent or edited, perhaps by an answer."""
        self._private: deque[Message] = deque()
        self._state = discord.state
        discord.state.listeners.append(self._on_event)
        known = discord.state.find_by_nonce

        def find_by_nonce(nonce: str) -> Message | None:
            found = known(nonce)
            self.repeats += found is not None
            return found

        discord.state.find_by_nonce = find_by_nonce  # type: ignore[method-assign]

    async def record_and_wait(self, press: Press) -> Press:
        """Record a press, and wait until it is answered or has expired."""
        self.presses.append(press)
        self._by_id[press.id] = press
        try:
            async with asyncio.timeout(GIVE_UP):
                await press.settled.wait()
        except TimeoutError:
            press.outcome = LEFT
        return press

    def count_outcomes(self) -> Counter[str]:
        """Count the presses by outcome."""
        return Counter(press.outcome for press in self.presses)

    def _on_event(self, kind: str, subject: object) -> None:
        if isinstance(subject, Interaction) and subject.id in self._by_id:
            self._update_press(self._by_id[subject.id], subject)
            self._changed = None
        elif isinstance(subject, Message) and kind in CHANGES and subject.author is self._state.bot:
            self._changed = subject
            self._record_message(subject, is_new=kind == "message_create")

    def _update_press(self, press: Press, interaction: Interaction) -> None:
        now = time.time()
        if interaction.expired:
            press.outcome = EXPIRED
            press.settled.set()
        elif interaction.answer is not None:
            press.heard = press.heard or now
            if not interaction.deferred:
                # The text that a pressed panel had before is not the answer.
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

    def _record_message(self, message: Message, is_new: bool) -> None:
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
            self._record_public_message(message, controls, text, is_new, now)
        for file in message.attachments:
            # Thousands of pictures would fill the memory, and none is looked at again.
            if message.only_for is not None or not is_new:
                file.data = b""
        while self._private and now - self._private[0].created > KEPT:
            self._state.forget(self._private.popleft())

    def _record_public_message(
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
