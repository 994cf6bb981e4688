"""The catalog of games: every folder of engine/ that exports GAME.

A new game needs no entry here. The name of its folder is its id, which saves hold.
"""

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from engine.core.errors import UnknownGame
from engine.core.escape import escape_text
from engine.core.game import Game
from engine.core.words import ENGINE, say


class Catalog(Mapping[str, Game[Any]]):
    """Maps game ids to games. A game's package is imported when it is first needed."""

    def __init__(self, root: Path, package: str) -> None:
        self._package = package
        self._ids = sorted(
            path.parent.name
            for path in root.glob("*/__init__.py")
            if re.search(r"\bGAME\b", path.read_text(encoding="utf-8"))
        )

    def __getitem__(self, game_id: str) -> Game[Any]:
        if game_id not in self._ids:
            raise KeyError(game_id)
        game: Game[Any] = import_module(f"{self._package}.{game_id}").GAME
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


GAMES = Catalog(ENGINE, "engine")


def find_game(game_id: str) -> Game[Any]:
    """Return the game with this id; raise UnknownGame if there is none."""
    try:
        return GAMES[game_id]
    except KeyError:
        raise UnknownGame(
            say("refusal.unknown_game", game=escape_text(game_id), games=tuple(GAMES))
        ) from None
