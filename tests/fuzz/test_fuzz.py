"""The fuzzer passes sound games and saves matches that fail."""

from pathlib import Path

import pytest

from engine import Seat
from engine.core import transcript
from tests.contract.games import ALL
from tests.fuzz.run import Failure, fuzz_one, keep
from tests.toy.game import Reef, ReefView
from tests.toy.rules import State


class Sinking(Reef):
    """Breaks when somebody has dived."""

    def view(self, state: State, viewer: Seat | None) -> ReefView:
        assert not state.taken, "the boat has sunk"
        return super().view(state, viewer)


def test_a_sound_game_passes() -> None:
    result = fuzz_one("toy", "sound")
    assert isinstance(result, int)
    assert result > 3


def test_a_failing_match_is_written_as_a_transcript_that_replays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ALL, "toy", Sinking())
    failure = fuzz_one("toy", "sinking")
    assert isinstance(failure, Failure)
    assert "the boat has sunk" in failure.trace
    path = keep(failure, tmp_path / "new", "sinking")
    text = path.read_text(encoding="utf-8")
    assert transcript.replay(text, ALL) == failure.match or failure.match.drafts
    assert "# AssertionError: the boat has sunk" in text
