"""Messages that have to be sent: the public posts of a match."""

from msgspec import Struct


class Announcement(Struct, frozen=True):
    """A public post that is due: events of the commits after `since` up to `number`."""

    id: int
    """With the match also the post's nonce, so that Discord drops a repeat."""
    match: str
    since: int
    number: int
