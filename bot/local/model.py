"""What the local Discord is made of: people, channels, threads, messages, files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.local.refusal import Json

EPHEMERAL = 1 << 6
LOADING = 1 << 7
SILENT = 1 << 12
V2 = 1 << 15
"""Message flags: for one person only; 'thinking…'; without notifications; made of Components V2."""

TEXT, DM, PUBLIC_THREAD, PRIVATE_THREAD = 0, 1, 11, 12
"""Channel types."""

BUTTON, STRING_SELECT, TEXT_INPUT = 2, 3, 4
SELECTS = (3, 5, 6, 7, 8)
"""Component types."""


@dataclass(eq=False)
class User:
    """Somebody on Discord, the bot included."""

    id: int
    name: str
    username: str
    bot: bool = False
    locale: str = "en-US"
    takes_dms: bool = True
    left: bool = False
    """No longer in the server."""


@dataclass(eq=False)
class Channel:
    """A text channel, or the private one between the bot and a person."""

    id: int
    name: str
    kind: int = TEXT
    position: int = 0
    overwrites: dict[int, tuple[int, int]] = field(default_factory=dict)
    """(allowed, denied) permission bits by user id, or by the server's id for everyone."""
    recipient: User | None = None
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
    members: set[int] = field(default_factory=set)
    sent: int = 0


@dataclass(frozen=True)
class Membership:
    """People who came into a thread, or went out of it."""

    thread: Thread
    added: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()


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
    interaction: Json | None = None
    webhook: int | None = None
    thread: Thread | None = None
    deleted: bool = False

    @property
    def ephemeral(self) -> bool:
        """Whether one person alone sees it."""
        return self.only_for is not None

    @property
    def text(self) -> str:
        """All that can be read in it: content, embeds, component texts, labels, alt texts."""
        return "\n".join(
            _texts([self.content, self.embeds, self.components, [a.description for a in self.attachments]])
        )

    @property
    def files(self) -> dict[str, bytes]:
        """The attachments' bytes by file name."""
        return {attachment.filename: attachment.data for attachment in self.attachments}

    @property
    def buttons(self) -> list[Json]:
        """All buttons, in reading order."""
        return [part for part in walk(self.components) if part["type"] == BUTTON]

    @property
    def selects(self) -> list[Json]:
        """All menus, in reading order."""
        return [part for part in walk(self.components) if part["type"] in SELECTS]

    @property
    def labels(self) -> list[str]:
        """The labels of the buttons."""
        return [button.get("label", "") for button in self.buttons]

    def button(self, label: str | None = None, custom_id: str | None = None) -> Json:
        """The one button with this label or custom id; a LookupError names those there are."""
        wanted = [b for b in self.buttons if _is(b, "label", label) and _is(b, "custom_id", custom_id)]
        if not wanted:
            shown = ", ".join(f"{b.get('label')!r} ({b.get('custom_id')})" for b in self.buttons)
            raise LookupError(f"no button {label or custom_id!r}; there is {shown or 'none'}")
        return wanted[0]

    def select(self, which: str | None = None) -> Json:
        """The menu with this custom id or placeholder, or the first; a LookupError names those there are."""
        for menu in self.selects:
            if which is None or which in (menu["custom_id"], menu.get("placeholder")):
                return menu
        shown = ", ".join(f"{m.get('placeholder')!r} ({m['custom_id']})" for m in self.selects)
        raise LookupError(f"no menu {which!r}; there is {shown or 'none'}")

    def options(self, which: str | None = None) -> dict[str, str]:
        """The options of a menu: value by label."""
        return {option["label"]: option["value"] for option in self.select(which)["options"]}


def walk(components: list[Json]) -> Iterator[Json]:
    """Every component, nested ones after the one that holds them."""
    for component in components:
        yield component
        yield from walk(component.get("components", []))
        yield from walk([component[key] for key in ("accessory", "component") if key in component])


def mentioned(content: str) -> set[int]:
    """The ids of the people a text mentions, code left out."""
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", content, flags=re.DOTALL)
    return {int(found) for found in re.findall(r"(?<!\\)<@!?(\d+)>", prose)}


_TEXT_KEYS = ("content", "title", "description", "name", "value", "text", "label", "placeholder")


def _is(component: Json, key: str, wanted: str | None) -> bool:
    return wanted is None or component.get(key) == wanted


def _texts(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        if part:
            yield part
    elif isinstance(part, list):
        for item in part:
            yield from _texts(item)
    elif isinstance(part, dict):
        for key, item in part.items():
            if key in _TEXT_KEYS or not isinstance(item, str):
                yield from _texts(item)
