"""Write the stories of all games, or of those named, anew: read the difference."""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from engine import GAMES
from tests.stories.story import HERE, READERS, tell_story


async def main() -> None:
    """Write the story of each game as the player and as the spectator read it."""
    for game_id in sys.argv[1:] or GAMES:
        with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as monkeypatch:
            told = await tell_story(game_id, Path(folder), monkeypatch)
        for reader, text in zip(READERS, told, strict=True):
            path = HERE / f"{game_id}.{reader}.md"
            path.write_text(text, encoding="utf-8")
            print(f"{path.name}: {len(text):,} characters")


if __name__ == "__main__":
    asyncio.run(main())
