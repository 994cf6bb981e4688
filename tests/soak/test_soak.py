"""The soak itself, once and tiny: it plays, kills, comes back, and finds nothing wrong."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.soak import faults
from tests.soak.__main__ import main


def test_a_few_matches_outlive_a_kill(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = ("--matches", "3", "--minutes", "0.08", "--kills", "1", "--rate", "4", "--lenient")
    code = main((*few, "--out", str(tmp_path)))
    report = capsys.readouterr().out
    assert code == 0, report
    assert "Nothing lost, doubled, stuck or told wrongly." in report and "| kills | 1: 1 " in report
    assert "| live boards | 0 |" not in report and "| presses carried out | 0 |" not in report
    assert (tmp_path / "soak.md").read_text(encoding="utf-8").strip() == report.strip()
    assert (tmp_path / "soak.png").stat().st_size


def test_a_few_matches_outlive_bots_in_trouble(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faults, "SHARES", dict.fromkeys(faults.SHARES, 1))
    monkeypatch.setattr(faults, "SECONDS", dict.fromkeys(faults.SECONDS, (0.5, 1.5)))
    pair = ("--processes", "2", "--database", "postgres", "--kills", "0", "--faults", "4")
    few = ("--matches", "3", "--minutes", "0.1", "--rate", "4", "--lenient")
    # PostgreSQL may run as another user, who must not enter a folder of pytest's.
    with TemporaryDirectory() as folder:
        code = main((*pair, *few, "--out", folder))
    report = capsys.readouterr().out
    assert code == 0, report
    assert "| other faults | 4: " in report and "| private answers compared | 0 |" not in report
