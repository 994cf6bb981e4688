"""The records of the local Discord: users, channels, threads, messages and files.

`table_file.py` saves them by the names of their fields.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.local.components import MENUS, Kind, walk
from bot.local.errors import Json

# Message flags
EPHEMERAL = 1 << 6
"""Only one person sees the message."""
LOADING = 1 << 7
"""The message says "Motu is thinking…"."""
SILENT = 1 << 12
"""The message notifies nobody."""
COMPONENTS_V2 = 1 << 15
"""The message is a layout: it consists of components alone, without content and embeds."""

COMMAND_ANSWER, THREAD_CREATED = 20, 18
"""Message types; an ordinary message has type 0.

When a thread is opened without a message to hang on, Discord posts one of type `THREAD_CREATED`,
with the thread's name as its content.
"""

TEXT, DM, PUBLIC_THREAD = 0, 1, 11
"""Channel types."""


@dataclass(eq=False)
class User:
    """A person or the bot."""

    id: int
    name: str
    username: str
    bot: bool = False
    takes_dms: bool = True
    locale: str = "en-US"
    """The language of their Discord: that of their browser."""
    is_member: bool = True
    """Whether they are in the server; a test may let them leave it."""
    roles: list[int] = field(default_factory=list)
    """Ids of their roles."""


@dataclass(eq=False)
class Channel:
    """A text channel of a server, or the direct messages between the bot and a person."""

    id: int
    name: str
    kind: int = TEXT
    position: int = 0
    guild: int = 0
    """Id of its server; 0 for direct messages."""
    overwrites: dict[int, tuple[int, int]] = field(default_factory=dict)
    """(allowed, denied) permission bits by user id."""
    recipient: User | None = None
    """The person whose direct messages these are."""
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
    """Minutes without a message after which the thread is archived."""
    archived_at: float = 0.0
    active_at: float = 0.0


@dataclass(frozen=True)
class ReadMarker:
    """The newest message that a person has read in a channel."""

    user: User
    channel: Channel
    message: int


@dataclass(frozen=True)
class Upload:
    """A file as a client or the bot sent it."""

    filename: str
    data: bytes = field(repr=False)


Files = dict[int, Upload]
"""The files sent with a request, by the n of their part `files[n]`."""


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
    """A message; edits change it in place."""

    id: int
    channel: Channel
    author: User
    created: float
    content: str = ""
    """Its prose: that of a layout's text displays, though Discord sends layouts without content."""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    """Rows, each with buttons or a menu; of a layout, components of any type."""
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    kind: int = 0
    edited: float | None = None
    nonce: str | None = None
    mentions: list[User] = field(default_factory=list)
    """The users that it mentions and is allowed to mention."""
    pings: list[User] = field(default_factory=list)
    """The users that it notified. Edits change `mentions` but notify nobody."""
    only_for: User | None = None
    """The one person who sees an ephemeral message."""
    reference: Json | None = None
    """The thread that a message of type `THREAD_CREATED` announces."""
    interaction: Json | None = None
    """The `interaction_metadata` of a message that answers an interaction."""
    thread: Thread | None = None
    """The thread that hangs on the message."""
    deleted: bool = False

    @property
    def ephemeral(self) -> bool:
        """Whether only one person sees the message."""
        return self.only_for is not None

    @property
    def is_layout(self) -> bool:
        """Whether the message consists of components alone."""
        return bool(self.flags & COMPONENTS_V2)

    @property
    def notification(self) -> str:
        """The text that a push notification of the message shows, which is empty for a layout."""
        return "" if self.is_layout else self.content

    @property
    def text(self) -> str:
        """All text in the message: content, embeds, components (galleries too) and alt texts."""
        alt_texts = [file.description for file in self.attachments]
        # The content of a layout is repeated from its components.
        content = "" if self.is_layout else self.content
        return "\n".join(_texts([content, self.embeds, self.components, alt_texts]))

    @property
    def files(self) -> dict[str, bytes]:
        """The attachments' bytes by file name."""
        return {attachment.filename: attachment.data for attachment in self.attachments}

    # Buttons and menus

    @property
    def controls(self) -> list[Json]:
        """All buttons and menus, in reading order."""
        return [part for part in walk(self.components) if part["type"] in (Kind.BUTTON, *MENUS)]

    @property
    def buttons(self) -> list[Json]:
        """All buttons, in reading order."""
        return [part for part in self.controls if part["type"] == Kind.BUTTON]

    @property
    def selects(self) -> list[Json]:
        """All menus, in reading order."""
        return [part for part in self.controls if part["type"] in MENUS]

    @property
    def labels(self) -> list[str]:
        """The labels of the buttons."""
        return [button["label"] for button in self.buttons]

    def button(self, label: str | None = None, custom_id: str | None = None) -> Json:
        """Return the first button with this label or custom id."""
        for button in self.buttons:
            # A button that is a link has an address instead of a custom id.
            found_id = button.get("custom_id")
            if label in (None, button["label"]) and custom_id in (None, found_id):
                return button
        shown = ", ".join(
            f"{button['label']!r} ({button.get('custom_id') or button['url']})"
            for button in self.buttons
        )
        raise LookupError(f"no button {label or custom_id!r}; there is {shown or 'none'}")

    def select(self, which: str | None = None) -> Json:
        """Return the menu with this custom id or placeholder, or else the first menu."""
        for menu in self.selects:
            if which is None or which in (menu["custom_id"], menu.get("placeholder")):
                return menu
        shown = ", ".join(
            f"{menu.get('placeholder')!r} ({menu['custom_id']})" for menu in self.selects
        )
        raise LookupError(f"no menu {which!r}; there is {shown or 'none'}")

    def options(self, which: str | None = None) -> dict[str, str]:
        """Return the options of a menu: their values by label."""
        return {option["label"]: option["value"] for option in self.select(which)["options"]}


def mentioned(content: str) -> set[int]:
    """Return the ids of the users that a text mentions."""
    # Discord shows mentions inside code as plain text.
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", content, flags=re.DOTALL)
    return {int(found) for found in re.findall(r"(?<!\\)<@!?(\d{1,20})>", prose)}


_TEXT_FIELDS = (
    "title",
    "description",
    "name",
    "value",
    "text",
    "label",
    "placeholder",
    "content",
)
"""Fields of embeds and components that people read."""


def _texts(part: Any) -> Iterator[str]:
    """Yield the texts in a part of a message that people read."""
    if isinstance(part, str):
        if part:
            yield part
    elif isinstance(part, list):
        for item in part:
            yield from _texts(item)
    elif isinstance(part, dict):
        for key, item in part.items():
            if key in _TEXT_FIELDS or not isinstance(item, str):
                yield from _texts(item)
