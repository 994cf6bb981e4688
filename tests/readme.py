"""Make the README's pictures anew: `python -m tests.readme`. It takes Chromium."""

import asyncio
import tempfile
from pathlib import Path

from tests.page.__main__ import PANEL, photograph, shrink
from tests.render import readme


def main() -> None:
    """Draw the boards and the film, and photograph a panel at the local table."""
    readme.main()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(photograph(Path(folder)))
        shrink(Path(folder) / PANEL, readme.FOLDER / "table.png")


if __name__ == "__main__":
    main()
