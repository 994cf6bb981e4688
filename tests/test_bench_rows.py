"""The benchmarks run: their table, their verdicts and their commands.

The measured figures are not judged here.
"""

import math
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine import GAMES
from tests.bench import __main__ as bench
from tests.bench.answers import answers
from tests.bench.colour import difference, lab
from tests.bench.measure import Measured, Row, percentile
from tests.bench.players import play_match, rows, wilson


def a_row(more_is_better: bool = False) -> Row:
    marks = (2, 1) if more_is_better else (1, 2)
    return Row("some", "something", *marks, lambda quick: Measured(1.5, 3.0, 2.0), more_is_better)


def test_less_is_judged_by_goal_and_bar() -> None:
    assert [a_row().verdict(value) for value in (0.9, 1.0, 1.5, 2.0, 2.1)] == [
        "goal",
        "goal",
        "bar",
        "bar",
        "MISSED",
    ]


def test_more_is_judged_the_other_way_round() -> None:
    assert [a_row(True).verdict(value) for value in (2.0, 1.0, 0.9)] == ["goal", "bar", "MISSED"]


def test_not_a_number_misses_the_bar() -> None:
    assert a_row().verdict(math.nan) == a_row(True).verdict(math.nan) == "MISSED"


def test_a_line_has_value_marks_verdict_and_times() -> None:
    cells = bench.line(a_row(), Measured(1.5, 3.0, 2.0, "a note"), "bar").split()
    assert cells == [
        "some",
        "something",
        "1.500",
        "<=",
        "1",
        "<=",
        "2",
        "bar",
        "3.000",
        "2.000",
        "a",
        "note",
    ]


def test_every_game_has_a_budget_and_twice_of_it_is_the_bar() -> None:
    rows = bench.all_rows()
    for game_id in GAMES:
        row = rows[f"answers-{game_id}"]
        assert (row.goal, row.at_least) == ((400, 800) if game_id == "conquest" else (100, 200))


def test_answers_are_counted_and_timed() -> None:
    measured = answers("blue_lagoon", quick=True)
    assert measured.value > 0 and measured.note.endswith("answers a second")


def test_the_interval_of_a_share_is_wilsons() -> None:
    assert wilson(8, 10) == pytest.approx((0.490, 0.943), abs=1e-3)
    assert wilson(0, 10) == pytest.approx((0, 0.278), abs=1e-3)
    assert wilson(10, 10)[1] == 1


def test_players_meet_in_whole_matches_and_their_turns_are_timed() -> None:
    outcome, times = play_match("blue_lagoon", ["steady", "plain"], "bench")
    assert outcome.winners == (0,)
    assert list(times) == ["steady"] and len(times["steady"]) > 20


def test_every_game_is_shown_at_every_number_of_seats() -> None:
    shown = {(row.game, row.seats) for row in rows()}
    assert shown == {(game_id, seats) for game_id, game in GAMES.items() for seats in game.seats}


def test_a_percentile_lies_in_the_upper_tail() -> None:
    assert percentile([float(number) for number in range(100)], 0.99) == 99
    assert percentile([5.0], 0.99) == 5


@pytest.mark.parametrize("name", ["load", "press", "reminders"])
def test_a_row_is_measured_and_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert bench.main(["--smoke", "--only", name]) == 0
    heading, line, *_ = capsys.readouterr().out.splitlines()
    assert heading.split()[:2] == ["row", "what"]
    assert line.startswith(f"{name} ") and " runs " in line
    assert not list(tmp_path.iterdir())


def test_a_smoke_test_judges_no_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    row = replace(a_row(), measure=lambda quick: Measured(1000.0))
    monkeypatch.setattr(bench, "all_rows", lambda: {row.name: row})
    monkeypatch.setattr(bench, "all_commands", dict)
    assert bench.main(["--smoke"]) == 0
    assert bench.main([]) == 1


def test_a_row_or_command_that_fails_fails_the_smoke_test_after_all_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(quick: bool) -> Measured:
        raise RuntimeError("no such column")

    def unknown_option(arguments: Sequence[str]) -> int:
        raise SystemExit(2)

    ran: list[Sequence[str]] = []
    rows = [replace(a_row(), name="broken", measure=broken), replace(a_row(), name="sound")]
    commands: dict[str, bench.Command] = {
        "old": unknown_option,
        "wrong": lambda arguments: 1,
        "good": lambda arguments: ran.append(arguments) or 0,
    }
    monkeypatch.setattr(bench, "all_rows", lambda: {row.name: row for row in rows})
    monkeypatch.setattr(bench, "all_commands", lambda: commands)
    assert bench.main(["--smoke"]) == 1
    printed = capsys.readouterr()
    assert "no such column" in printed.err and "\nsound " in printed.out
    assert printed.out.endswith("failed: broken, old, wrong\n") and ran == [["--smoke"]]
    assert bench.main(["--smoke", "--only", "sound"]) == 0, "commands are only run with all rows"


def test_every_row_and_command_of_the_folder_is_found() -> None:
    folder = Path(bench.__file__).parent
    for file in folder.glob("[a-z]*.py"):
        source = file.read_text(encoding="utf-8")
        if "\nROWS = " in source:
            rows = import_module(f"tests.bench.{file.stem}").ROWS
            assert {row.name for row in rows} <= bench.all_rows().keys()
        if "\ndef main(" in source:
            assert f"tests.bench.{file.stem}" in bench.all_commands()
    assert "tests.bench.players" in bench.all_commands()


@pytest.mark.parametrize("name", bench.all_commands())
def test_every_command_knows_the_smoke_test(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        bench.all_commands()[name](["--help"])
    assert "--smoke" in capsys.readouterr().out


def test_the_whole_smoke_test_is_part_of_the_checks() -> None:
    checks = Path(bench.__file__).parents[2] / ".ci" / "run"
    assert "-m tests.bench --smoke\n" in checks.read_text(encoding="utf-8")


@pytest.mark.parametrize(("value", "code"), [(1.0, 0), (2.0, 0), (2.1, 1)])
def test_a_missed_bar_is_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, value: float, code: int
) -> None:
    row = replace(a_row(), measure=lambda quick: Measured(value))
    monkeypatch.setattr(bench, "all_rows", lambda: {row.name: row})
    assert bench.main([]) == code


def test_an_unknown_row_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        bench.main(["--only", "nonsense"])
    assert "answers-maori" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (61.0, -5.0, 29.0), 22.8977),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((50.0, -1.0, 2.0), (50.0, 0.0, 0.0), 2.3669),
    ],
)
def test_colours_differ_as_published(
    first: tuple[float, float, float], second: tuple[float, float, float], expected: float
) -> None:
    assert difference(first, second) == pytest.approx(expected, abs=1e-4)
    assert difference(second, first) == pytest.approx(expected, abs=1e-4)


def test_white_is_white_in_lab() -> None:
    assert lab((255, 255, 255)) == pytest.approx((100, 0, 0), abs=0.01)
