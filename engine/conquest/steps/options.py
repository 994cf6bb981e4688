"""Options that are hexes, cut into parts of the map where the list is long."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engine.conquest.board import region
from engine.core.decision import Fact, Option

MENU = 25
"""The longest list that needs no parts."""


def hexes(spots: Sequence[str], *others: Option, facts: tuple[Fact, ...] = ()) -> tuple[Option, ...]:
    """An option for each of the hexes, given in the order of the map, then the others."""
    return labelled(dict.fromkeys(spots, facts), *others)


def labelled(facts: Mapping[str, tuple[Fact, ...]], *others: Option) -> tuple[Option, ...]:
    """The same for hexes that have each its own facts. A list that is long is grouped by regions of the map."""
    if len(facts) + len(others) <= MENU:
        return (*(Option(spot, spot=spot, facts=about) for spot, about in facts.items()), *others)
    return (
        *(Option(spot, spot=spot, group=f"hexes-{region(spot)}", facts=about) for spot, about in facts.items()),
        *(replace(option, group=option.group or "other") for option in others),
    )
