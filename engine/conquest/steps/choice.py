"""Lists of hexes to choose from, cut into parts of the map where they are long."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from msgspec.structs import replace

from engine.conquest.board import ORDER, region
from engine.core.decision import Fact, Option

MENU = 25
"""The longest list that needs no parts."""


def hexes(spots: Sequence[str], *others: Option, facts: tuple[Fact, ...] = ()) -> tuple[Option, ...]:
    """An option for each of the hexes, given in the order of the map, then the others; by regions if they are many."""
    is_long = len(spots) + len(others) > MENU
    alike = _options(facts, is_long)
    found = [alike[spot] for spot in spots]
    return (*found, *(grouped(others) if is_long else others))


def labelled(facts: Mapping[str, tuple[Fact, ...]], *others: Option) -> tuple[Option, ...]:
    """The same for hexes that have each its own facts, in the order in which they are given."""
    is_long = len(facts) + len(others) > MENU
    found = [_option(spot, about, is_long) for spot, about in facts.items()]
    return (*found, *(grouped(others) if is_long else others))


@cache
def _options(facts: tuple[Fact, ...], is_long: bool) -> dict[str, Option]:
    return {spot: _option(spot, facts, is_long) for spot in ORDER}


@lru_cache(maxsize=4096)
def _option(spot: str, facts: tuple[Fact, ...], is_long: bool) -> Option:
    return Option(spot, spot=spot, group=f"hexes-{region(spot)}" if is_long else "", facts=facts)


def grouped(options: tuple[Option, ...]) -> tuple[Option, ...]:
    """The options under a heading, those that have none under that of the rest."""
    return tuple(replace(option, group=option.group or "other") for option in options)
