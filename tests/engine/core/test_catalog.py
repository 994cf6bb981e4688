"""The catalog finds games by their folders."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import GAMES, Game, Outcome, UnknownGame, begin, find_game
from engine.core.catalog import Catalog
from engine.core.game import Choice, Setting

FIFTH = '''
"""A game in one file: the first seat that is asked wins."""
from tests.toy.game import Reef

class Fifth(Reef):
    id = "fifth"
    title = "Fifth"

GAME = Fifth()
'''


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Catalog]:
    """Return a package with a game, a folder that only mentions GAMES, and a plain folder."""
    root = tmp_path / "cabinet"
    for name, text in {"fifth": FIFTH, "players": "from engine import GAMES\n", "core": ""}.items():
        (root / name).mkdir(parents=True)
        (root / name / "__init__.py").write_text(text)
    (root / "data").mkdir()
    (root / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    yield Catalog(root, "cabinet")
    for module in [name for name in sys.modules if name.split(".")[0] == "cabinet"]:
        del sys.modules[module]


def test_a_fifth_game_is_found_by_its_folder_and_played(games: Catalog) -> None:
    assert list(games) == ["fifth"]
    assert len(games) == 1
    assert "fifth" in games
    match = begin(games["fifth"], 2)
    assert (match.game.title, match.waiting_for()) == ("Fifth", (0, 1))


def test_a_game_is_imported_when_it_is_first_asked_for(games: Catalog) -> None:
    assert "cabinet.fifth" not in sys.modules
    assert games["fifth"] is games["fifth"]
    assert "cabinet.fifth" in sys.modules


@pytest.mark.parametrize("game_id", ["players", "core", "data", "os", "../fifth", "", "fifth.x"])
def test_only_games_are_in_the_catalog(games: Catalog, game_id: str) -> None:
    assert game_id not in games
    assert games.get(game_id) is None
    with pytest.raises(KeyError):
        games[game_id]


def test_the_catalog_of_the_engine_has_each_game_under_its_own_id() -> None:
    assert "blue_lagoon" in GAMES
    for game_id, game in GAMES.items():
        assert game.id == game_id
        assert find_game(game_id) is game


def test_an_unknown_game_is_refused_with_a_list() -> None:
    with pytest.raises(UnknownGame, match=r"There's no game .chess.. .*blue_lagoon"):
        find_game("chess")
    with pytest.raises(UnknownGame) as refusal:
        find_game("x" * 6000)
    assert len(str(refusal.value)) < 300


def test_a_choice_fits_the_seats_it_names_or_any() -> None:
    assert Choice("a").fits(7)
    assert Choice("a", seats=(3, 4)).fits(3)
    assert not Choice("a", seats=(3, 4)).fits(2)


def test_a_free_setting_takes_any_text() -> None:
    Setting("board", (), "", free=True).check("{anything}", 2)


def test_an_outcome_has_a_reason_and_places() -> None:
    outcome = Outcome("why", ((0,), (1, 2)), (3, 1, 1))
    assert outcome.tiebreak == ()
    assert Game.__doc__
