"""Discord's permission bits by name: those that Motu asks for, and those its players need."""

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
"""Bit numbers of what everybody may do, the bot included, unless a channel denies it."""

OF_OWNER: dict[str, int] = {"manage_guild": 5}
"""Bit numbers of the permissions that only the server's owner has. No channel can deny them."""

NOT_ASKED_FOR: dict[str, int] = {"manage_threads": 34}
"""Bit numbers of what nobody may do unless a channel allows it."""


def bits(names: Iterable[str]) -> int:
    """Return the number in which the bits of these permissions are set."""
    known = {**BITS, **OF_OWNER, **NOT_ASKED_FOR}
    return sum(1 << known[name] for name in set(names))


EVERY = bits(BITS)
