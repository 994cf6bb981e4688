"""Golden transcripts catch a rule that changes silently."""

from pathlib import Path

import pytest

from engine.core import transcript
from engine.core.game import RESIGNED
from tests.contract.games import ALL
from tests.transcripts.scenario import HERE, Scenario, play_scenario, scenarios, text_of

TEXTS = sorted(HERE.glob("*/*.txt"))
SCENARIOS = [(game_id, scenario) for game_id in ALL for scenario in scenarios(game_id)]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_transcript_replays_and_is_written_again_the_same(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text_of(transcript.replay(text, ALL)) == text


@pytest.mark.parametrize(
    ("game_id", "scenario"), SCENARIOS, ids=lambda case: getattr(case, "name", case)
)
def test_a_scenario_still_plays_as_it_is_written(game_id: str, scenario: Scenario) -> None:
    kept = HERE / game_id / f"{scenario.name}.txt"
    assert text_of(play_scenario(game_id, scenario)) == kept.read_text(encoding="utf-8")


@pytest.mark.parametrize("game_id", ALL)
def test_every_game_has_a_transcript_for_each_number_of_seats_and_each_way_to_end(
    game_id: str,
) -> None:
    kept = [
        transcript.parse(path.read_text(encoding="utf-8"))
        for path in TEXTS
        if path.parent.name == game_id
    ]
    game = ALL[game_id]
    ended = [script for script in kept if script.last.startswith("end ")]
    assert {script.seats for script in ended} >= set(game.seats)
    assert {script.last.split()[1] for script in ended} >= {*game.reasons, RESIGNED}


def test_every_transcript_is_of_a_game_there_is() -> None:
    assert {path.parent.name for path in TEXTS} <= set(ALL)
