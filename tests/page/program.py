"""`motu --local` as a child process that can be restarted on the same data."""

import asyncio
import os
import re
import signal
import sys
from pathlib import Path

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]


class Program:
    """The program with its own folder."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.options = folder, options
        self.port = 0
        self.address = ""
        """Where the page is."""
        self.process: asyncio.subprocess.Process | None = None

    async def start(self, *options: str) -> None:
        """Start it on the same port as before, and wait until it prints its address."""
        kept = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith(("MOTU_", "DISCORD_"))
        }
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "--local", "--port", str(self.port), "--data", "data"),
            *(*self.options, *options),
            cwd=self.folder,
            # Presses are logged too, and nobody reads that while it plays.
            env={**kept, "PYTHONPATH": str(ROOT), "MOTU_LOG_LEVEL": "WARNING"},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        assert self.process.stdout is not None
        line = (await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)).decode()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/table/[\w-]+/", line)
        assert found, line or (await self.process.communicate())[1].decode()
        self.address = found[0]
        self.port = int(found[1])
        assert b"ready" in await asyncio.wait_for(self.process.stdout.readline(), PATIENCE)

    def address_of(self, name: str) -> str:
        """Return the page's address for a player."""
        return f"{self.address}?as={name}"

    async def stop(self) -> None:
        """Stop it with Ctrl-C; it must not complain."""
        assert self.process is not None
        self.process.send_signal(signal.SIGINT)
        _, errors = await asyncio.wait_for(self.process.communicate(), PATIENCE)
        assert (self.process.returncode, errors.decode()) == (0, "")

    async def end(self) -> None:
        """Kill it if it is still running."""
        if self.process is not None and self.process.returncode is None:
            self.process.kill()
            await self.process.communicate()
