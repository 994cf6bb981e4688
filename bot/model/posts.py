"""Messages that have to be sent: the public posts of a match, and reminders to a person."""

from msgspec import Struct


class Reminder(Struct, frozen=True):
    """How somebody is called to a decision of theirs in a match; in no match, to all that waits
    for them.
    """

    match: str
    user: int
    times: int = 0
    """How often they were called to it."""
    wanted: str = ""
    """The reminder to send now: a key of [call]."""
    since: int = 0
    """When that was wanted, in seconds since 1970: by it a repeat is known."""
    channel: int = 0
    message: int = 0
    """The message of its own that calls them, if there is one."""
    over: bool = False
    """The decision is theirs no more: what calls them to it shall lose its buttons."""


class Announcement(Struct, frozen=True):
    """A public post that is due: events of the commits after `since` up to `number`."""

    id: int
    """With the match also the post's nonce, so that Discord drops a repeat."""
    match: str
    since: int
    number: int
