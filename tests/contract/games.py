"""Every game with every table it can be played at."""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from engine import GAMES, Game, Match, begin
from engine.core.words import Words, words_of
from tests.toy import TOY
from tests.toy import WORDS as TOY_WORDS

ALL: dict[str, Game[Any]] = {**GAMES, TOY.id: TOY}
MOST_TABLES = 12
"""Combinations of settings for one number of seats; beyond it they are drawn, with every choice in at least one."""


LENGTH = "last_turn"
"""The setting that keeps a game which could go on for ever to so many turns; its choices begin with the least."""


def words_for(game: Game[Any]) -> Words:
    """What the game says."""
    return TOY_WORDS if game.id == TOY.id else words_of(game.id)


def tables(game: Game[Any], seats: int) -> list[dict[str, str]]:
    """Legal settings for that many seats."""
    menus = {
        setting.key: [choice.key for choice in setting.choices if choice.fits(seats)]
        for setting in game.settings
        if not setting.free and setting.key != LENGTH
    }
    short = shortest(game)
    chosen = [{**short, **table} for table in _chosen(game, seats, menus)]
    return [{**chosen[0], **defaults(game, LENGTH)}, *chosen[1:]]


def _chosen(game: Game[Any], seats: int, menus: dict[str, list[str]]) -> list[dict[str, str]]:
    whole = [dict(zip(menus, row, strict=True)) for row in product(*menus.values())]
    if len(whole) <= MOST_TABLES:
        return whole
    rng = Random(f"{game.id} {seats}")
    covering = [{key: menu[turn % len(menu)] for key, menu in menus.items()} for turn in range(_longest(menus))]
    return covering + rng.sample(whole, max(0, MOST_TABLES - len(covering)))


def shortest(game: Game[Any]) -> dict[str, str]:
    """Settings that keep a match short, if the game has such."""
    return {setting.key: setting.choices[0].key for setting in game.settings if setting.key == LENGTH}


def defaults(game: Game[Any], key: str) -> dict[str, str]:
    """The default of a setting, if the game has it."""
    return {setting.key: setting.default for setting in game.settings if setting.key == key}


def _longest(menus: dict[str, list[str]]) -> int:
    return max(len(menu) for menu in menus.values())


def every_table() -> Iterator[tuple[str, int, dict[str, str]]]:
    """All games x seat counts x settings."""
    for game_id, game in ALL.items():
        for seats in game.seats:
            for settings in tables(game, seats):
                yield game_id, seats, settings


def every_size() -> list[tuple[str, int]]:
    """All games x seat counts."""
    return [(game_id, seats) for game_id, game in ALL.items() for seats in game.seats]


def new_match(game_id: str, seats: int, settings: dict[str, str] | None = None, seed: object = 0) -> Match:
    """A match of any game of the suite; unless settings are given, a short one."""
    game = ALL[game_id]
    return begin(game, seats, shortest(game) if settings is None else settings, str(seed))
