"""A tiny soak test plays, kills and disturbs bots, and finds nothing wrong."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.soak import faults
from tests.soak.__main__ import main


def test_a_few_matches_survive_a_kill_and_other_faults(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faults, "SHARES", dict.fromkeys(faults.SHARES, 1))
    monkeypatch.setattr(faults, "SECONDS", dict.fromkeys(faults.SECONDS, (0.5, 1.5)))
    bots = ("--processes", "2", "--database", "postgres", "--kills", "1", "--faults", "4")
    play = ("--matches", "3", "--minutes", "0.1", "--rate", "4", "--lenient")
    # PostgreSQL may run as another user, who must not enter a folder of pytest's.
    with TemporaryDirectory() as folder:
        code = main((*bots, *play, "--out", folder))
        report = capsys.readouterr().out
        assert code == 0, report
        assert (Path(folder) / "soak.md").read_text(encoding="utf-8").strip() == report.strip()
        assert (Path(folder) / "soak.png").stat().st_size
    assert "Nothing lost, doubled, stuck or told wrongly." in report
    assert "| kills | 1: 1 " in report
    assert "| other faults | 4: " in report
    for row in ("live boards", "presses carried out", "private answers compared"):
        assert f"| {row} | 0 |" not in report
