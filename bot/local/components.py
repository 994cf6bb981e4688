"""The components of messages and forms: their types, and how they contain each other."""

from collections.abc import Iterable, Iterator
from enum import IntEnum

from bot.local.errors import Json

ATTACHMENT_SCHEME = "attachment://"
"""Begins the address of media that the message itself brings: `attachment://board.png`."""


class Kind(IntEnum):
    """Discord's types of components."""

    ROW = 1
    BUTTON = 2
    MENU = 3
    TEXT_INPUT = 4
    USER_MENU = 5
    ROLE_MENU = 6
    MENTIONABLE_MENU = 7
    CHANNEL_MENU = 8
    SECTION = 9
    TEXT = 10
    THUMBNAIL = 11
    GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


LINK_STYLE = 5
"""The style of a button that opens an address and sends no interaction."""

ENTITY_MENUS = (Kind.USER_MENU, Kind.ROLE_MENU, Kind.MENTIONABLE_MENU, Kind.CHANNEL_MENU)
"""Menus whose options are the server's people, roles or channels."""
MENUS = (Kind.MENU, *ENTITY_MENUS)


def walk(parts: Iterable[Json]) -> Iterator[Json]:
    """Yield components and everything inside them, in reading order."""
    for part in parts:
        yield part
        yield from walk(part.get("components", ()))
        for key in ("accessory", "component"):
            if key in part:
                yield from walk([part[key]])


def media(part: Json) -> Iterator[Json]:
    """Yield the media items that a component itself shows."""
    match part["type"]:
        case Kind.THUMBNAIL:
            yield part["media"]
        case Kind.FILE:
            yield part["file"]
        case Kind.GALLERY:
            for item in part["items"]:
                yield item["media"]


def displayed_text(parts: Iterable[Json]) -> str:
    """Return the text of all text displays, in which mentions count."""
    return "\n".join(part["content"] for part in walk(parts) if part["type"] == Kind.TEXT)


def number(parts: Iterable[Json]) -> None:
    """Give each component an id; those that the bot has chosen stay."""
    found = list(walk(parts))
    taken = {part["id"] for part in found if part.get("id")}
    free = 1
    for part in found:
        # Discord takes an id of 0 for a missing one.
        if not part.get("id"):
            while free in taken:
                free += 1
            part["id"] = free
            taken.add(free)
