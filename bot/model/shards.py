"""Who does what, where several processes share one database. One process alone does everything.

- A match belongs to the server it is played in, a server to a shard as Discord counts them, and a
  shard to the process that holds its lock in the database (bot/store/shard_locks.py). A direct
  message has no server: it belongs to shard 0.
- Whatever happens in a match without anybody pressing, such as a post, a computer's move, a clock,
  a call or a vote's end, is done by the process that owns it: every query that looks for such work
  says so (`OWNED` in bot/store/sql.py).
- What is tied to no server (direct messages, reminders, ratings, films, forgetting, thinning) is
  done by whichever process locks its row first (`SKIP LOCKED`); should that process die, by another
  some minutes later.
- A press is answered by the process to which Discord sends it, whoever owns the match: every write
  checks that nobody else has written since. A write by another than the owner tells the owner of
  it, who posts the board.
"""

import re

from msgspec import Struct

MOST = 100_000
"""Shards that there may be: more than any bot has."""
WRITTEN = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?/(\d{1,6})", re.ASCII)


class Shards(Struct, frozen=True):
    """The shards of one process: from the first to the last of so many."""

    first: int = 0
    last: int = 0
    count: int = 1

    def __str__(self) -> str:
        return (
            f"{self.first}-{self.last}/{self.count}"
            if self.last > self.first
            else f"{self.first}/{self.count}"
        )

    @property
    def ids(self) -> range:
        """Their numbers."""
        return range(self.first, self.last + 1)

    @property
    def are_all(self) -> bool:
        """Whether there are no others."""
        return len(self.ids) == self.count

    @property
    def bounds(self) -> dict[str, int]:
        """Their numbers as the values of a statement."""
        return {"first_shard": self.first, "last_shard": self.last, "shards": self.count}

    def serve(self, guild: int) -> bool:
        """Whether a server belongs to them; 0 is what belongs to no server."""
        return (guild >> 22) % self.count in self.ids


NONE = Shards(0, -1, 1)
"""Of a process that does nothing but answer presses: another may have what was its own."""


def all_of(count: int) -> Shards:
    """All shards that there are."""
    return Shards(0, count - 1, count)


def read_shards(text: str) -> Shards | None:
    """The shards in a text such as '0-3/16' or '5/16'; None if it makes no sense."""
    found = WRITTEN.fullmatch("".join(text.split()))
    if found is None:
        return None
    first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
    return Shards(first, last, count) if first <= last < count <= MOST else None
