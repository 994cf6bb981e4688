"""What a server has chosen with /settings: kept as one text in the database."""

from enum import StrEnum
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.kernel import queries
from bot.kernel.kernel import Kernel
from bot.model.clocks import Pace
from bot.runtime.errors import log_error
from bot.runtime.locks import Locks

KEY = "settings"


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
        self._store = kernel.store
        self._locks = Locks()

    async def of(self, guild: int) -> ServerSettings:
        """Return what a server has chosen."""
        if not guild:
            return USUAL
        kept = await self._store.read(queries.server_setting, guild, KEY)
        if kept is None:
            return USUAL
        try:
            return msgspec.json.decode(kept, type=ServerSettings)
        except msgspec.MsgspecError as error:
            log_error(error, f"the settings of server {guild} cannot be read")
            return USUAL

    async def change(self, guild: int, **choices: Any) -> ServerSettings:
        """Keep some choices; two people who change different ones at the same time both succeed."""
        async with self._locks[str(guild)]:
            settings = replace(await self.of(guild), **choices)
            text = msgspec.json.encode(settings).decode()
            kept = text if settings != USUAL else None
            await self._store.write(queries.put_server_setting, guild, KEY, kept)
            return settings
