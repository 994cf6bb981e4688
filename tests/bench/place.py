"""Where the store's rows keep their files."""

import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.bench.measure import Measured

Measuring = Callable[[Path, bool], Awaitable[Measured]]


async def on_disk(measuring: Measuring, quick: bool) -> Measured:
    """The figure, taken in a folder of its own on the disk of the working directory: /tmp may be
    memory.
    """
    with tempfile.TemporaryDirectory(prefix=".bench-", dir=Path.cwd()) as folder:
        return await measuring(Path(folder), quick)
