"""Every game with the settings and numbers of seats that it can be played with."""

import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from engine import GAMES, Game, Match, begin
from engine.core.words import Words, words_of
from tests.toy import TOY
from tests.toy import WORDS as TOY_WORDS

ALL: dict[str, Game[Any]] = {**GAMES, TOY.id: TOY}
MOST_TABLES = 8
"""The most combinations of settings for one number of seats. If there are more, some are drawn at
random, so that every choice is in at least one.
"""
SCENARIOS = Path(__file__).parents[1] / "transcripts"


def words_for(game: Game[Any]) -> Words:
    """Return the texts of a game."""
    return TOY_WORDS if game.id == TOY.id else words_of(game.id)


def tables(game: Game[Any], seats: int) -> list[dict[str, str]]:
    """Return the legal settings for a number of seats."""
    short = shortest(game)
    menus = {
        setting.key: [choice.key for choice in setting.choices if choice.fits(seats)]
        for setting in game.settings
        if not setting.free and setting.key not in short
    }
    first, *others = _chosen(game, seats, menus)
    # One match of each number of seats is as long as the game's own settings make it.
    return [first, *({**short, **table} for table in others)]


def _chosen(game: Game[Any], seats: int, menus: dict[str, list[str]]) -> list[dict[str, str]]:
    whole = [dict(zip(menus, row, strict=True)) for row in product(*menus.values())]
    if len(whole) <= MOST_TABLES:
        return whole
    rng = Random(f"{game.id} {seats}")
    covering = [
        {key: menu[turn % len(menu)] for key, menu in menus.items()}
        for turn in range(_longest(menus))
    ]
    return covering + rng.sample(whole, max(0, MOST_TABLES - len(covering)))


@cache
def shortest(game: Game[Any]) -> dict[str, str]:
    """Return settings for a short match: `short` in the game's scenarios.toml."""
    path = SCENARIOS / game.id / "scenarios.toml"
    found: dict[str, str] = (
        tomllib.loads(path.read_text(encoding="utf-8")).get("short", {}) if path.exists() else {}
    )
    return found


def _longest(menus: dict[str, list[str]]) -> int:
    return max(len(menu) for menu in menus.values())


def every_table() -> Iterator[tuple[str, int, dict[str, str]]]:
    """Return all games with all seat counts and settings."""
    for game_id, game in ALL.items():
        for seats in game.seats:
            for settings in tables(game, seats):
                yield game_id, seats, settings


def every_size() -> list[tuple[str, int]]:
    """Return all games with all seat counts."""
    return [(game_id, seats) for game_id, game in ALL.items() for seats in game.seats]


def new_match(
    game_id: str, seats: int, settings: dict[str, str] | None = None, seed: object = 0
) -> Match:
    """Start a match of any game, with short settings by default."""
    game = ALL[game_id]
    return begin(game, seats, shortest(game) if settings is None else settings, str(seed))
