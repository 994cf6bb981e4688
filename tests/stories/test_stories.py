"""The texts of a whole match of each game, in order, are those that were read and approved."""

from pathlib import Path

import pytest

from engine import GAMES
from tests.stories.story import HERE, READERS, tell_story


@pytest.mark.parametrize("game_id", GAMES)
async def test_a_match_reads_as_its_story_says(
    game_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = await tell_story(game_id, tmp_path, monkeypatch)
    for reader, text in zip(READERS, told, strict=True):
        approved = (HERE / f"{game_id}.{reader}.md").read_text(encoding="utf-8")
        assert text == approved, "read `git diff` after: python -m tests.stories"
