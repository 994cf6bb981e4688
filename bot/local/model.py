"""What the local Discord is made of: people, channels, threads, messages, files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.local.errors import Json

EPHEMERAL = 1 << 6
LOADING = 1 << 7
SILENT = 1 << 12
"""Message flags: for one person only; 'thinking…'; without a sound."""

COMMAND_ANSWER, THREAD_CREATED = 20, 18
"""Message types besides 0.

A thread without a message of its own leaves a line in its channel: its name.
"""

TEXT, DM, PUBLIC_THREAD = 0, 1, 11
"""Channel types."""

ROW, BUTTON, MENU = 1, 2, 3
"""Component types."""


@dataclass(eq=False)
class User:
    """Somebody on Discord, the bot included."""

    id: int
    name: str
    username: str
    bot: bool = False
    takes_dms: bool = True
    is_member: bool = True
    """Whether they are in the server; a test may have them leave it."""
    roles: list[int] = field(default_factory=list)
    """The roles that they have been given, by id."""


@dataclass(eq=False)
class Channel:
    """A text channel, or the private one between the bot and a person."""

    id: int
    name: str
    kind: int = TEXT
    position: int = 0
    guild: int = 0
    """The server it belongs to; none has a private one."""
    overwrites: dict[int, tuple[int, int]] = field(default_factory=dict)
    """(allowed, denied) permission bits by user id."""
    recipient: User | None = None
    """Whose private channel it is."""
    last_message: int | None = None
    gone: bool = False


@dataclass(eq=False)
class Thread(Channel):
    """A thread under a text channel."""

    parent: int = 0
    owner: int = 0
    archived: bool = False
    locked: bool = False
    archive_after: int = 4320
    """Minutes of silence."""
    archived_at: float = 0.0
    active_at: float = 0.0


@dataclass(frozen=True)
class Seen:
    """Somebody has seen a channel up to a message."""

    user: User
    channel: Channel
    message: int


@dataclass(eq=False)
class Attachment:
    """A file of a message, with its bytes."""

    id: int
    filename: str
    data: bytes = field(repr=False)
    description: str | None = None
    content_type: str | None = None
    width: int | None = None
    height: int | None = None
    url: str = ""
    expires: float = 0.0


@dataclass(eq=False)
class Message:
    """A message as it stands now; edits change it in place."""

    id: int
    channel: Channel
    author: User
    created: float
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    """Rows, each with its buttons or its menu."""
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    kind: int = 0
    edited: float | None = None
    nonce: str | None = None
    mentions: list[User] = field(default_factory=list)
    """Whom it calls now, as far as that is allowed."""
    pings: list[User] = field(default_factory=list)
    """Who was notified by it; an edit notifies nobody."""
    only_for: User | None = None
    """Ephemeral messages: the one person who sees it."""
    reference: Json | None = None
    """The line about a new thread: which one."""
    interaction: Json | None = None
    """What it answers, as Discord says it with the message."""
    thread: Thread | None = None
    """The thread that hangs on it."""
    deleted: bool = False

    @property
    def ephemeral(self) -> bool:
        """Whether one person alone sees it."""
        return self.only_for is not None

    @property
    def text(self) -> str:
        """All that can be read in it: content, embeds, labels, alt texts."""
        alt_texts = [file.description for file in self.attachments]
        return "\n".join(_texts([self.content, self.embeds, self.components, alt_texts]))

    @property
    def files(self) -> dict[str, bytes]:
        """The attachments' bytes by file name."""
        return {attachment.filename: attachment.data for attachment in self.attachments}

    # Its controls, for those who press them

    @property
    def controls(self) -> list[Json]:
        """All buttons and menus, in reading order."""
        return [part for row in self.components for part in row["components"]]

    @property
    def buttons(self) -> list[Json]:
        """All buttons, in reading order."""
        return [part for part in self.controls if part["type"] == BUTTON]

    @property
    def selects(self) -> list[Json]:
        """All menus, in reading order."""
        return [part for part in self.controls if part["type"] == MENU]

    @property
    def labels(self) -> list[str]:
        """The labels of the buttons."""
        return [button["label"] for button in self.buttons]

    def button(self, label: str | None = None, custom_id: str | None = None) -> Json:
        """The first button with this label or custom id; a LookupError names those there are."""
        for button in self.buttons:
            if label in (None, button["label"]) and custom_id in (None, button["custom_id"]):
                return button
        shown = ", ".join(f"{button['label']!r} ({button['custom_id']})" for button in self.buttons)
        raise LookupError(f"no button {label or custom_id!r}; there is {shown or 'none'}")

    def select(self, which: str | None = None) -> Json:
        """The menu with this custom id or placeholder, or the first; a LookupError names those
        there are.
        """
        for menu in self.selects:
            if which is None or which in (menu["custom_id"], menu.get("placeholder")):
                return menu
        shown = ", ".join(
            f"{menu.get('placeholder')!r} ({menu['custom_id']})" for menu in self.selects
        )
        raise LookupError(f"no menu {which!r}; there is {shown or 'none'}")

    def options(self, which: str | None = None) -> dict[str, str]:
        """The options of a menu: value by label."""
        return {option["label"]: option["value"] for option in self.select(which)["options"]}


def mentioned(content: str) -> set[int]:
    """The ids of the people a text mentions, code left out."""
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", content, flags=re.DOTALL)
    return {int(found) for found in re.findall(r"(?<!\\)<@!?(\d{1,20})>", prose)}


_READABLE = ("title", "description", "name", "value", "text", "label", "placeholder")


def _texts(part: Any) -> Iterator[str]:
    """The texts in a part of a message that people read."""
    if isinstance(part, str):
        if part:
            yield part
    elif isinstance(part, list):
        for item in part:
            yield from _texts(item)
    elif isinstance(part, dict):
        for key, item in part.items():
            if key in _READABLE or not isinstance(item, str):
                yield from _texts(item)
