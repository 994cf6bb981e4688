"""What a server has chosen with /settings, kept as one text; and how many matches there may be
at once.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.kernel import queries
from bot.kernel.kernel import Kernel
from bot.model.clocks import Pace
from bot.runtime.errors import Refused, log_error
from bot.runtime.locks import Locks
from bot.store.sql import Database, Statement, first_value

KEY = "settings"
FIRST = 10
"""Matches at once of somebody who has finished none: more than that spoil the fun of the first."""
MOST = 100
"""Matches at once of anybody."""

FINISHED_MATCHES = Statement("""
    SELECT count(*) FROM seats JOIN matches ON id = match_id
    WHERE user_id = {user} AND NOT seats.is_open AND is_seated AND status = 'finished'
""")

OPEN_MATCHES = Statement(
    "SELECT count(*) FROM matches WHERE guild = {guild} AND is_open AND id != {besides}"
)


def count_finished_matches(db: Database, user: int) -> int:
    """Return how many matches somebody has played to the end."""
    return int(first_value(db.execute(FINISHED_MATCHES, {"user": user})))


def count_open_matches(db: Database, guild: int, besides: str) -> int:
    """Return how many matches of a server are open, besides one."""
    return int(first_value(db.execute(OPEN_MATCHES, {"guild": guild, "besides": besides})))


class Threads(StrEnum):
    """Whether matches get threads of their own."""

    FREE = "free"
    """As the host of a match says."""
    ALWAYS = "always"
    NEVER = "never"


class ServerSettings(Struct, frozen=True, omit_defaults=True):
    """The choices of a server; as they stand here in one that has chosen nothing."""

    channels: tuple[int, ...] = ()
    """Where matches may be opened; without any, everywhere."""
    threads: Threads = Threads.FREE
    pace: Pace = Pace.NONE
    """The pace with which new tables begin."""
    hosts: int = 0
    """The role whose people may open matches; 0 for everybody."""
    films: bool = True
    """Whether the last post of a match gets a film of how it ended."""
    chronicle: int = 0
    """The channel where results are told; 0 for none."""
    is_chronicle_lost: bool = False
    """Whether results cannot be told there, and the server's owner knows it."""
    per_player: int = 0
    """Matches that one person may be in at once on this server; 0 for no limit."""
    per_server: int = 0
    """Matches that may be open at once on this server; 0 for no limit."""


USUAL = ServerSettings()


class Servers:
    """The settings of all servers; 0 is a direct message, where nobody has chosen anything."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._locks = Locks()

    async def of(self, guild: int) -> ServerSettings:
        """Return what a server has chosen."""
        kept = await self._kernel.store.read(queries.server_setting, guild, KEY) if guild else None
        if kept is None:
            return USUAL
        try:
            return msgspec.json.decode(kept, type=ServerSettings)
        except msgspec.MsgspecError as error:
            log_error(error, f"the settings of server {guild} cannot be read")
            return USUAL

    async def change(self, guild: int, **choices: Any) -> ServerSettings:
        """Keep some choices; two people who change different ones at the same time both succeed."""
        async with self._locks[f"settings-{guild}"]:
            settings = replace(await self.of(guild), **choices)
            kept = msgspec.json.encode(settings).decode() if settings != USUAL else None
            await self._kernel.store.write(queries.put_server_setting, guild, KEY, kept)
            return settings

    @asynccontextmanager
    async def within_limits(
        self, user: int, guild: int, match: str, opens: bool = False
    ) -> AsyncIterator[None]:
        """Let a person sit down in a match, or open it, inside; refuse with the numbers if they
        have too many.

        One at a time for a person, and for a server in which one is opened: two at once cannot both
        be the last.
        """
        # Always the person's lock first: two who took them in another order could wait for each
        # other for ever.
        server_turn = self._locks[f"server-{guild}"] if opens else nullcontext()
        async with self._locks[f"user-{user}"], server_turn:
            settings = await self.of(guild)
            await self._check_person(user, guild, match, settings.per_player)
            if opens and settings.per_server:
                number = await self._kernel.store.read(count_open_matches, guild, match)
                if number >= settings.per_server:
                    raise Refused("limit.server", number=number, most=settings.per_server)
            yield

    async def _check_person(self, user: int, guild: int, match: str, most_here: int) -> None:
        others = [
            room for room in await self._kernel.matches.of_user(user) if room.record.id != match
        ]
        here = sum(room.record.place.guild == guild for room in others)
        if most_here and here >= most_here:
            raise Refused("limit.player_here", number=here, most=most_here)
        if len(others) < FIRST:
            return
        finished = await self._kernel.store.read(count_finished_matches, user)
        most = allowance(finished)
        if len(others) >= most:
            facts = {"number": len(others), "most": most, "first": FIRST, "finished": str(finished)}
            raise Refused("limit.player", grows=most < MOST, **facts)


def allowance(finished: int) -> int:
    """Return how many matches somebody may be in at once, given how many they have finished."""
    return min(FIRST + finished, MOST)
