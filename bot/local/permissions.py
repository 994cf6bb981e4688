"""Permission bits by name."""

from collections.abc import Iterable

BITS: dict[str, int] = {
    "manage_channels": 4,
    "add_reactions": 6,
    "view_channel": 10,
    "send_messages": 11,
    "manage_messages": 13,
    "embed_links": 14,
    "attach_files": 15,
    "read_message_history": 16,
    "mention_everyone": 17,
    "use_application_commands": 31,
    "manage_threads": 34,
    "create_public_threads": 35,
    "create_private_threads": 36,
    "send_messages_in_threads": 38,
}

ASKED = (
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "create_public_threads",
    "embed_links",
    "attach_files",
    "read_message_history",
)
"""What Motu's invitation asks for."""

EVERYONE = (*ASKED, "use_application_commands")
"""What every member of the local server may do."""


def bits(names: Iterable[str]) -> int:
    """The number that stands for these permissions."""
    total = 0
    for name in names:
        total |= 1 << BITS[name]
    return total


def has(permissions: int, name: str) -> bool:
    """Whether a permission is among them."""
    return bool(permissions >> BITS[name] & 1)
