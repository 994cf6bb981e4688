"""How far back a local Discord remembers: what is older is let go, so that its file does not grow for ever."""

from collections import Counter
from collections.abc import Iterator

from bot.local.model import Message
from bot.local.state import State

PUBLIC = 1000
"""Messages of a channel or thread that everybody there sees: several times the longest match."""
PRIVATE = 20
"""Messages of a channel that one player alone sees; the newest panel counts, those before it are spent."""
FILES = 256 * 1024 * 1024
"""Bytes of all files together. Messages whose files are let go keep their words, alt texts included."""


def outdated(state: State) -> list[Message]:
    """The messages to be let go."""
    count: Counter[tuple[int, int]] = Counter()
    found = []
    for message in reversed(state.messages.values()):
        place = message.channel.id, message.only_for.id if message.only_for else 0
        count[place] += 1
        if count[place] > (PRIVATE if message.ephemeral else PUBLIC):
            found.append(message)
    return found


def too_heavy(state: State) -> Iterator[Message]:
    """The messages whose files are to be let go."""
    size = 0
    for message in reversed(state.messages.values()):
        heavy = sum(len(file.data) for file in message.attachments)
        size += heavy
        if heavy and size > FILES:
            yield message
