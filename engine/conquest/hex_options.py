"""Options that are hexes, grouped by region of the map where there are many."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engine.conquest.board import region
from engine.core.decision import Fact, Option

MAX_UNGROUPED_OPTIONS = 25
"""Longer lists are divided into groups, and their hexes can only be chosen one at a time: Discord's
menus hold 25 options.
"""


def hex_options(
    spots: Sequence[str], *others: Option, facts: tuple[Fact, ...] = ()
) -> tuple[Option, ...]:
    """Return an option for each hex, then the other options; hexes are given in map order."""
    return labelled_hex_options(dict.fromkeys(spots, facts), *others)


def labelled_hex_options(
    facts: Mapping[str, tuple[Fact, ...]], *others: Option, group: str = ""
) -> tuple[Option, ...]:
    """Return an option for each hex with facts of its own, then the other options.

    The hexes are in a `group`, unless there are so many that they are divided by region.
    """
    if len(facts) + len(others) <= MAX_UNGROUPED_OPTIONS:
        hexes = [Option(spot, spot=spot, group=group, facts=about) for spot, about in facts.items()]
        return (*hexes, *others)
    grouped = []
    for spot, about in facts.items():
        hexes_of_region = f"hexes-{region(spot)}"
        grouped.append(Option(spot, spot=spot, group=hexes_of_region, facts=about))
    rest = [replace(option, group=option.group or "other") for option in others]
    return (*grouped, *rest)
