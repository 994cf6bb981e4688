"""A match saved by any version goes on with this one."""

import json
from pathlib import Path
from random import Random

import pytest

from engine import load, save, snapshot
from engine.core.save import decode_events
from tests.contract.checks import check_all_is_worded, check_somebody_is_asked
from tests.contract.games import ALL
from tests.contract.player import play_out
from tests.saves.keep import HERE, path_of

FILES = sorted(HERE.glob("*/v*.json"))
VERSIONS = [
    (game_id, version) for game_id, game in ALL.items() for version in range(1, game.version + 1)
]


@pytest.mark.parametrize(("game_id", "version"), VERSIONS)
def test_every_version_of_every_game_has_a_save_and_a_snapshot(game_id: str, version: int) -> None:
    for kind in ("save", "snapshot"):
        path = path_of(game_id, version, kind)
        assert path.exists(), f"python -m tests.saves writes {path.name}"
        assert json.loads(path.read_bytes())["version"] == version


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_old_save_loads_with_its_draft_and_plays_on_to_the_end(path: Path) -> None:
    data = path.read_bytes()
    raw = json.loads(data)
    match = load(data, ALL)
    assert match.outcome is None
    assert match.number == raw["number"]
    assert match.seats == raw["seats"]
    assert match.seed == raw["seed"]
    assert match.draws == raw["draws"]
    drafts = {str(seat): len(draft.answers) for seat, draft in match.drafts.items()}
    assert drafts == {seat: len(answers) for seat, answers in raw["drafts"].items()}
    assert drafts
    check_somebody_is_asked(match)
    check_all_is_worded(match, match.events)
    assert load(save(match), ALL) == load(snapshot(match), ALL) == match
    assert play_out(match, Random(1)).outcome is not None


@pytest.mark.parametrize(("game_id", "version"), VERSIONS)
def test_the_snapshot_of_a_version_is_its_save_without_the_history(
    game_id: str, version: int
) -> None:
    whole = load(path_of(game_id, version, "save").read_bytes(), ALL)
    bare = load(path_of(game_id, version, "snapshot").read_bytes(), ALL)
    assert whole == bare
    assert len(whole.commits) == whole.number > 0
    assert bare.commits == ()


@pytest.mark.parametrize(("game_id", "version"), VERSIONS)
def test_stored_events_of_a_version_are_read_without_its_position(
    game_id: str, version: int
) -> None:
    raw = json.loads(path_of(game_id, version, "save").read_bytes())
    told = [decode_events(ALL[game_id], json.dumps(events), version) for events in raw["events"]]
    assert told == [commit.events for commit in load(json.dumps(raw), ALL).commits]
