"""Permission bits by name: those that Motu's invitation asks for, and those that let people use
its commands.
"""

from collections.abc import Iterable

BITS: dict[str, int] = {
    "view_channel": 10,
    "send_messages": 11,
    "embed_links": 14,
    "attach_files": 15,
    "read_message_history": 16,
    "use_application_commands": 31,
    "create_public_threads": 35,
    "send_messages_in_threads": 38,
}
"""The bit of each.

Every member of the local server has them all, the bot included, until a channel denies one.
"""

OF_OWNER: dict[str, int] = {"manage_guild": 5}
"""What the server's owner has besides, whatever a channel denies."""


def bits(names: Iterable[str]) -> int:
    """The number that stands for these permissions."""
    return sum(1 << {**BITS, **OF_OWNER}[name] for name in set(names))


EVERY = bits(BITS)
