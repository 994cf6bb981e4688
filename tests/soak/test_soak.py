"""The soak itself, once and tiny: it plays, kills, comes back, and finds nothing wrong."""

from pathlib import Path

import pytest

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
