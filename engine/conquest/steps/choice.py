"""Lists of hexes to choose from, cut into parts of the map where they are long."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from engine.conquest.board import in_order, region
from engine.core.decision import Fact, Option

MENU = 25
"""The longest list that needs no parts."""


def hexes(
    spots: Iterable[str], *others: Option, room: int = MENU, facts: Mapping[str, tuple[Fact, ...]] | None = None
) -> tuple[Option, ...]:
    """An option a hex in the order of the map, then the others; by regions if there are more than there is room for."""
    listed = in_order(set(spots))
    is_long = len(listed) + len(others) > room
    found = [_hex(spot, region(spot) if is_long else "", facts[spot] if facts else ()) for spot in listed]
    if is_long:
        others = tuple(other if other.group else grouped(other, "other") for other in others)
    return (*found, *others)


@lru_cache(maxsize=4096)
def _hex(spot: str, part: str, facts: tuple[Fact, ...]) -> Option:
    return Option(spot, spot=spot, group=f"hexes-{part}" if part else "", facts=facts)


def grouped(option: Option, group: str) -> Option:
    """The option under a heading."""
    return Option(option.key, option.spot, group, option.facts, option.ends)
