"""A folder on a real disk for the files of a measurement."""

import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.bench.measure import Measured

Measuring = Callable[[Path, bool], Awaitable[Measured]]


async def on_disk(measuring: Measuring, quick: bool) -> Measured:
    """Measure in a new folder on the disk of the working directory: /tmp may be in memory."""
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=Path.cwd()) as folder:
        return await measuring(Path(folder), quick)
